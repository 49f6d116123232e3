//! The strategy language (`docs/semantics.md` 7): expressions, and the machine that runs them.

mod apply;
mod call;
mod finding;
mod inputs;
mod machine;
mod matchrew;
mod program;
mod stacks;
mod tasks;
#[cfg(test)]
mod tests;

use crate::command::{CommandRun, CommandTerms, Computation};
use crate::id::StaticId;
use crate::limits::Stop;
use crate::result::Term;
use crate::statement::Expr;
use crate::worker::Worker;
use machine::StrategyMachine;
use program::StrategyProgram;

/// A strategy under way.
pub struct Strategic {
    run: CommandRun,
    machine: StrategyMachine,
    start: StaticId,
    strategy: Option<Expr>,
}

impl Strategic {
    /// Runs a strategy on a term, fairly or depth first; nothing is done before the first result is
    /// asked for.
    pub fn new(
        command: &CommandTerms,
        start: StaticId,
        strategy: Expr,
        depth_first: bool,
    ) -> Strategic {
        let program = StrategyProgram::new();
        Strategic {
            run: CommandRun::new(command),
            machine: StrategyMachine::new(program, depth_first),
            start,
            strategy: Some(strategy),
        }
    }
}

impl Computation for Strategic {
    fn run(&mut self) -> &mut CommandRun {
        &mut self.run
    }
}

impl Strategic {
    /// The next result, or `None` when there is no further one.
    pub fn next(&mut self, engine: &mut Worker) -> Result<Option<Term>, Stop> {
        engine.supervise(self, Strategic::advance)
    }

    fn advance(&mut self, engine: &mut Worker) -> Option<Term> {
        if let Some(strategy) = self.strategy.take() {
            let start = engine.reduced_start(self.start);
            if engine.space.stopped.is_some() {
                return None;
            }
            let start = engine.space.memory.enter(start);
            let strategy = self.machine.program.command(engine, &strategy);
            self.machine.start(start, strategy);
        }
        self.machine.next(engine).map(|state| engine.keep(state))
    }
}
