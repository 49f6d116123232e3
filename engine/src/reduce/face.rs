//! Reduction as callers ask for it.

use crate::command::Run;
use crate::engine::Engine;
use crate::id::{StaticId, TheoryId};
use crate::limits::Stop;
use crate::result::Term;

impl Engine {
    /// The normal form of a term (partially normalised) in a theory. The rewrites are added to
    /// `counts`. Fails only if the computation was stopped.
    pub fn normal_form(&mut self, theory: TheoryId, term: StaticId) -> Result<Term, Stop> {
        let mut run = Run::default();
        self.begin(theory, &mut run)?;
        let normal = self.reduced_start(term);
        let kept = (self.stopped.is_none()).then(|| self.keep(normal));
        self.end(&mut run)?;
        Ok(kept.expect("a computation that was not stopped has a result"))
    }
}
