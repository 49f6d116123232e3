//! Reduction as callers ask for it.

use crate::command::{CommandRun, CommandTerms};
use crate::id::StaticId;
use crate::limits::Stop;
use crate::result::Term;
use crate::worker::Worker;

impl Worker {
    /// The normal form of a term (partially normalised). The rewrites are added to
    /// `counts`. Fails only if the computation was stopped.
    pub fn normal_form(&mut self, command: &CommandTerms, term: StaticId) -> Result<Term, Stop> {
        self.supervise(&mut CommandRun::new(command), |_, engine| {
            let normal = engine.reduced_start(term);
            engine.space.stopped.is_none().then(|| engine.keep(normal))
        })
        .map(|kept| kept.expect("a computation that was not stopped has a result"))
    }
}
