//! Calls of strategies with arguments, conditions or several definitions (`docs/semantics.md` 7.2).

use std::sync::Arc;

use super::program::{DefinitionCode, Env};
use crate::heap::{Handle, HeldNodes};
use crate::matching::Mode;
use crate::safe_points::hold_all;
use crate::solving::{ConditionTrial, Problem, Scope};
use crate::worker::Worker;

/// A call under way: the definitions in order, for each the matches of its parameters.
pub(super) struct Calling {
    definitions: Arc<[DefinitionCode]>,
    args: Vec<Handle>,
    /// The definition at work.
    at: usize,
    /// The parameters of the definition that have a match.
    levels: Vec<CallLevel>,
    /// The last solution has been used.
    running: bool,
}

/// A parameter with a match, and the values of the variables known after it.
struct CallLevel {
    trial: ConditionTrial,
    frame: Vec<Handle>,
    values: Vec<Handle>,
}

impl Calling {
    /// A call with reduced arguments in the store.
    pub(super) fn new(definitions: Arc<[DefinitionCode]>, args: Vec<Handle>) -> Calling {
        Calling { definitions, args, at: 0, levels: Vec::new(), running: false }
    }

    /// Tells which terms of the store it holds.
    pub(super) fn hold_stored(&mut self, held: &mut HeldNodes) {
        hold_all(&self.args, held);
        for level in &mut self.levels {
            level.trial.hold_stored(held);
            hold_all(level.frame.iter().chain(&level.values), held);
        }
    }

    /// The next definition that fits, with the values of its variables. May collect.
    pub(super) fn next(&mut self, engine: &mut Worker) -> Option<(&DefinitionCode, Env)> {
        let definitions = Arc::clone(&self.definitions);
        while let Some(definition) = definitions.get(self.at) {
            let backwards = std::mem::replace(&mut self.running, true);
            if definition.parameters.is_empty() {
                if !backwards {
                    return Some((&self.definitions[self.at], Env::empty()));
                }
            } else if self.solve(engine, definition, backwards) {
                let values = self.levels.last().map(|level| level.values.clone());
                let env = Env::new(definition.scope, values.unwrap_or_default());
                return Some((&self.definitions[self.at], env));
            }
            if engine.space.stopped.is_some() {
                return None;
            }
            self.levels.clear();
            self.running = false;
            self.at += 1;
        }
        None
    }

    /// Matches parameters left to right, backwards to the last one that has another match.
    fn solve(
        &mut self,
        engine: &mut Worker,
        definition: &DefinitionCode,
        mut backwards: bool,
    ) -> bool {
        let scope = Scope { depth: 0 };
        loop {
            let base = engine.space.regs.len();
            let (trial, found) = if backwards {
                let Some(mut level) = self.levels.pop() else { return false };
                let parameter = &definition.parameters[self.levels.len()];
                engine.space.regs.extend_from_slice(&level.frame);
                let problem = Problem::of(&parameter.goal);
                let found = level.trial.next(engine, problem, scope, base);
                (level.trial, found)
            } else {
                let at = self.levels.len();
                let Some(parameter) = definition.parameters.get(at) else { return true };
                let known = self.levels.last().map_or(&[][..], |level| &level.values);
                engine.open_frame(parameter.goal.n_regs, known);
                let subject = parameter.subject.unwrap_or_else(|| self.args[at]);
                let mut trial = ConditionTrial::default();
                let problem = Problem::of(&parameter.goal);
                let found = trial.first(engine, problem, scope, base, subject, Mode::All);
                (trial, found)
            };
            if found {
                let registers = &definition.parameters[self.levels.len()].registers;
                let mut trial = trial;
                trial.park(engine);
                let frame = engine.park_frame(base);
                let values = registers.iter().map(|&r| frame[r as usize]).collect();
                self.levels.push(CallLevel { trial, frame, values });
            } else {
                engine.space.pop_frame(base);
            }
            if engine.space.stopped.is_some() {
                return false;
            }
            backwards = !found;
        }
    }
}
