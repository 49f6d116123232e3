//! The matches of a pattern in a state, with their conditions, one after the other: for tests and
//! `matchrew`.

use super::program::Matching;
use crate::heap::BesideRedex;
use crate::heap::{Handle, HeldNodes};
use crate::matching::Mode;
use crate::registers::Registers;
use crate::safe_points::hold_all;
use crate::solving::{ConditionTrial, Problem, Scope};
use crate::solving::{Kinds, MetPositions, Path};
use crate::statement::MatchKind;
use crate::worker::Worker;

/// The matches of a pattern in a state of the store.
pub(super) struct Finding {
    pub(super) state: Handle,
    nodes: Registers,
    positions: MetPositions,
    at: usize,
    subject: Handle,
    trial: ConditionTrial,
    running: bool,
    frame: Vec<Handle>,
}

impl Finding {
    pub(super) fn new(state: Handle) -> Finding {
        let mut nodes = Registers::default();
        let mut positions = MetPositions::default();
        positions.start(&mut nodes, state);
        positions.visit_frozen();
        Finding {
            state,
            nodes,
            positions,
            at: 0,
            subject: state,
            trial: ConditionTrial::default(),
            running: false,
            frame: Vec::new(),
        }
    }

    /// Finds the next match, and opens its frame, whose base is returned. The caller calls `close`
    /// before anything else. May collect.
    pub(super) fn next(
        &mut self,
        engine: &mut Worker,
        matching: &Matching,
        values: &[Handle],
    ) -> Option<usize> {
        let scope = Scope { depth: 0 };
        let problem = Problem::of(&matching.goal);
        while engine.space.stopped.is_none() {
            let base = engine.space.regs.len();
            let found = if self.running {
                engine.space.regs.extend_from_slice(&self.frame);
                self.trial.next(engine, problem, scope, base)
            } else {
                let next = self.positions.next(
                    &engine.space.memory,
                    &engine.space.signature,
                    &mut self.nodes,
                    &Kinds::ALL,
                );
                let (at, subject) = next?;
                if at > 0 && matching.kind != MatchKind::Anywhere {
                    return None;
                }
                if engine.space.signature.symbol(engine.space.memory.symbol(subject)).range
                    != matching.range
                {
                    continue;
                }
                self.at = at;
                self.subject = subject;
                engine.open_frame(matching.goal.n_regs, values);
                self.trial.first(engine, problem, scope, base, subject, Mode::All)
            };
            self.running = found;
            if found {
                return Some(base);
            }
            engine.space.pop_frame(base);
        }
        None
    }

    /// Tells which terms of the store it holds.
    pub(super) fn hold_stored(&mut self, held: &mut HeldNodes) {
        hold_all([&self.state, &self.subject], held);
        hold_all(self.nodes.iter().chain(&self.frame), held);
        self.trial.hold_stored(held);
    }

    /// The way from the root to the match.
    pub(super) fn path(&self) -> Path {
        self.positions.path(self.at)
    }

    /// What the match leaves over beside the matched part.
    pub(super) fn rest(&self, engine: &mut Worker, matching: &Matching) -> BesideRedex {
        engine.rest(self.trial.matcher(), &matching.goal.pattern, self.subject)
    }

    /// Closes the frame, parks the enumeration, and returns the frame's terms.
    pub(super) fn close(&mut self, engine: &mut Worker, base: usize) -> Vec<Handle> {
        self.running = self.trial.has_more_possible();
        if self.running {
            self.trial.park(engine);
        }
        self.frame = engine.park_frame(base);
        self.frame.clone()
    }
}
