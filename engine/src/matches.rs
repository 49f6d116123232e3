//! `match` and `xmatch`: the matchers of a pattern with a term that is not reduced
//! (`docs/semantics.md` 6.1).

use std::sync::Arc;

use crate::code::{GoalCode, GoalSpec};
use crate::command::{CommandRun, CommandTerms, Computation};
use crate::heap::Handle;
use crate::id::StaticId;
use crate::limits::Stop;
use crate::matching::Mode;
use crate::result::Term;
use crate::signature::Shape;
use crate::solving::{ConditionTrial, Problem, Scope};
use crate::statement::Fragment;
use crate::term::StaticTerms;
use crate::worker::Worker;

/// What is matched.
#[derive(Debug, Clone)]
pub struct MatchSpec {
    /// The pattern, fully normalised.
    pub pattern: StaticId,
    /// The subject, partially normalised.
    pub subject: StaticId,
    /// The condition.
    pub condition: Vec<Fragment>,
    /// `xmatch`: the pattern may match a part of the subject.
    pub extension: bool,
}

/// The part of a subject that was matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Portion {
    /// All of it.
    Whole,
    /// This part.
    Part(Term),
}

/// One way in which a pattern matches.
#[derive(Debug, Clone)]
pub struct Match {
    /// Variables of the pattern and the condition in order of occurrence.
    pub bindings: Vec<(StaticId, Term)>,
    /// The part that was matched, under `xmatch` and where the subject has parts.
    pub portion: Option<Portion>,
}

/// The matchers of a pattern, one after the other.
pub struct Matches {
    run: CommandRun,
    subject: StaticId,
    extension: bool,
    goal: GoalCode,
    trial: ConditionTrial,
    started: bool,
    done: bool,
    frame: Vec<Handle>,
}

impl Matches {
    /// The matchers of a pattern with a subject; nothing is done before the first is asked for.
    pub fn new(worker: &mut Worker, command: &CommandTerms, spec: MatchSpec) -> Matches {
        worker.space.learn_mentioned(&command.signature);
        let goal = worker.compiler(&command.terms).compile_goal(&GoalSpec {
            pattern: spec.pattern,
            bound: &[],
            condition: &spec.condition,
            right: None,
            extension: spec.extension,
            unreduced: true,
        });
        Matches {
            run: CommandRun::new(command),
            subject: spec.subject,
            extension: spec.extension,
            goal,
            trial: ConditionTrial::default(),
            started: false,
            done: false,
            frame: Vec::new(),
        }
    }
}

impl Computation for Matches {
    fn run(&mut self) -> &mut CommandRun {
        &mut self.run
    }
}

impl Matches {
    /// The next matcher, or `None` when there is no further one.
    pub fn next(&mut self, engine: &mut Worker) -> Result<Option<Match>, Stop> {
        if self.done {
            return Ok(None);
        }
        let found = engine.supervise(self, Matches::advance);
        self.done = !matches!(found, Ok(Some(_)));
        found
    }

    fn advance(&mut self, engine: &mut Worker) -> Option<Match> {
        engine.space.check_limits();
        if engine.space.stopped.is_some() {
            return None;
        }
        let base = engine.space.regs.len();
        let problem = Problem::of(&self.goal);
        let scope = Scope { depth: 0 };
        let found = if std::mem::replace(&mut self.started, true) {
            engine.space.regs.extend_from_slice(&self.frame);
            self.trial.next(engine, problem, scope, base)
        } else {
            let subject = build_subject(engine, self.subject);
            if engine.space.stopped.is_some() {
                return None;
            }
            engine.space.push_frame(self.goal.n_regs as usize);
            self.trial.first(engine, problem, scope, base, subject, Mode::All)
        };
        if !found {
            engine.space.pop_frame(base);
            return None;
        }
        let portion = if self.has_portions(engine) {
            Some(match self.trial.matcher().portion(&mut engine.space, problem.pattern) {
                None => Portion::Whole,
                Some(part) => Portion::Part(engine.keep(part)),
            })
        } else {
            None
        };
        self.trial.park(engine);
        self.frame = engine.park_frame(base);
        let bindings = engine.bindings(&self.goal, &self.frame);
        Some(Match { bindings, portion })
    }

    /// Whether a part of the subject may match: only that of a list, a multiset or an iteration.
    fn has_portions(&self, engine: &Worker) -> bool {
        let symbol = engine.space.memory.symbol(self.trial.matcher().subject());
        let shape = engine.space.signature.symbol(symbol).shape();
        self.extension && matches!(shape, Shape::Assoc | Shape::AssocComm | Shape::Iter)
    }
}

/// The subject of a match: normal, not reduced, with its sorts, memberships included.
fn build_subject(worker: &mut Worker, subject: StaticId) -> Handle {
    let mut terms = StaticTerms::over(Arc::clone(&worker.terms));
    let subject = terms.flattened(&worker.space.signature, subject);
    let subject = worker.space.memory.build_normal(&worker.space.signature, &terms, subject);
    worker.give_sorts(subject)
}
