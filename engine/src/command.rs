//! What all computations that a caller starts have in common.

use std::sync::Arc;

use crate::heap::RunIndex;

use crate::code::GoalCode;
use crate::heap::{Handle, flag};
use crate::id::StaticId;
use crate::limits::{Stop, catch_stop};
use crate::result::Term;
use crate::signature::Signature;
use crate::term::StaticTerms;
use crate::worker::Worker;

/// The terms of a command, and the signature that they are over.
#[derive(Clone)]
pub struct CommandTerms {
    /// That of the theory, with all symbols mentioned that the command has.
    pub signature: Signature,
    /// The terms, over those of the theory.
    pub terms: Arc<StaticTerms>,
}

/// What a computation owns: the terms of its command, and the index of the terms that it has entered
/// into the store. Runs of different computations do not see each other's terms.
pub(crate) struct CommandRun {
    pub(crate) command: CommandTerms,
    index: RunIndex,
    /// Held while the computation is alive.
    alive: Option<Arc<()>>,
    /// The computation was stopped in the middle, and cannot go on.
    stopped: Option<Stop>,
}

impl CommandRun {
    pub(crate) fn new(command: &CommandTerms) -> CommandRun {
        CommandRun {
            command: command.clone(),
            index: RunIndex::default(),
            alive: None,
            stopped: None,
        }
    }
}

/// What a caller starts and may go on with.
pub(crate) trait Computation {
    /// What it owns.
    fn run(&mut self) -> &mut CommandRun;
}

impl Computation for CommandRun {
    fn run(&mut self) -> &mut CommandRun {
        self
    }
}

impl Worker {
    /// Does a piece of a computation; an error, and for good, if that was stopped.
    pub(crate) fn supervise<C: Computation, T>(
        &mut self,
        computation: &mut C,
        work: impl FnOnce(&mut C, &mut Worker) -> T,
    ) -> Result<T, Stop> {
        self.begin(computation.run())?;
        // Nothing that lives on is left half done: what the computation owns is never used again, and
        // what the engine knows of it is released.
        let outcome = catch_stop(|| work(computation, self));
        if let Err(stop) = outcome {
            self.space.stopped = Some(stop);
        }
        self.end(computation.run())?;
        outcome
    }

    /// Begins a computation, or goes on with one, unless it was stopped before.
    pub(crate) fn begin(&mut self, run: &mut CommandRun) -> Result<(), Stop> {
        if let Some(stop) = run.stopped {
            return Err(stop);
        }
        if run.alive.is_none() {
            // The store is emptied when neither a run nor a caller holds anything of it.
            if Arc::strong_count(&self.runs) == 1 && self.roots.is_empty() {
                self.space.memory.forget_runs();
                self.space.begin_gauging();
            }
            run.alive = Some(Arc::clone(&self.runs));
        }
        self.space.memory.exchange_run(&mut run.index);
        self.space.stopped = None;
        (self.machine.at_work, self.last_rule) = (None, None);
        self.space.learn_mentioned(&run.command.signature);
        self.terms = Arc::clone(&run.command.terms);
        Ok(())
    }

    /// Ends a computation for now.
    pub(crate) fn end(&mut self, run: &mut CommandRun) -> Result<(), Stop> {
        self.space.memory.exchange_run(&mut run.index);
        match self.space.stopped.take() {
            None => Ok(()),
            Some(stop) => {
                run.stopped = Some(stop);
                self.release();
                Err(stop)
            }
        }
    }

    /// Builds the term of a command and reduces it. May collect.
    pub(crate) fn reduced_start(&mut self, term: StaticId) -> Handle {
        let term = self.build_raw(term);
        self.reduce(term)
    }

    /// Opens a frame whose first registers have values, and returns its base.
    pub(crate) fn open_frame(&mut self, n_regs: u32, values: &[Handle]) -> usize {
        let base = self.space.push_frame(n_regs as usize);
        self.space.regs[base..base + values.len()].copy_from_slice(values);
        base
    }

    /// Closes the frame from `base` on and returns its terms, entered into the store.
    pub(crate) fn park_frame(&mut self, base: usize) -> Vec<Handle> {
        let parked = self.parked_frame(base);
        self.space.pop_frame(base);
        parked
    }

    /// The terms of the frame from `base` on, entered into the store. A shared term that has been
    /// built but not evaluated is left out; its code builds it again.
    pub(crate) fn parked_frame(&mut self, base: usize) -> Vec<Handle> {
        let mut parked = Vec::with_capacity(self.space.regs.len() - base);
        self.park_registers(base, &mut parked);
        parked
    }

    /// Appends the terms of the frame from `base` on, entered into the store.
    pub(crate) fn park_registers(&mut self, base: usize, parked: &mut Vec<Handle>) {
        for at in base..self.space.regs.len() {
            let term = self.space.memory.resolve(self.space.regs[at]);
            let raw = self.space.memory.has_flag(term, flag::RAW);
            parked.push(if raw {
                Handle::NIL
            } else {
                self.space.memory.enter_unless_permanent(term)
            });
        }
    }

    /// The values of a goal's variables in a parked frame, for a caller.
    pub(crate) fn bindings(&mut self, goal: &GoalCode, frame: &[Handle]) -> Vec<(StaticId, Term)> {
        let mut bindings = Vec::with_capacity(goal.variables.len());
        for &variable in &goal.variables {
            let value = goal.slots.get(variable).map(|register| frame[register as usize]);
            if let Some(value) = value.filter(|&value| value != Handle::NIL) {
                bindings.push((variable, self.keep(value)));
            }
        }
        bindings
    }
}
