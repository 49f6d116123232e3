//! Reduction as callers ask for it.

use crate::engine::Engine;
use crate::heap::Handle;
use crate::id::{StaticId, TheoryId};
use crate::limits::Stop;
use crate::result::Term;

impl Engine {
    /// The normal form of a term (partially normalised) in a theory. The rewrites are added to
    /// `counts`. Fails only if the computation was stopped.
    pub fn normal_form(&mut self, theory: TheoryId, term: StaticId) -> Result<Term, Stop> {
        let normal = self.reduce_static(theory, term)?;
        Ok(self.keep(normal))
    }

    /// The normal form of a static term, for whatever starts from one. Makes the theory the one at
    /// work.
    pub(crate) fn reduce_static(
        &mut self,
        theory: TheoryId,
        term: StaticId,
    ) -> Result<Handle, Stop> {
        self.stopped = None;
        self.enter_theory(theory);
        let raw = self.build_raw(term);
        let normal = self.reduce(raw);
        match self.stopped.take() {
            Some(stop) => Err(stop),
            None => Ok(normal),
        }
    }
}
