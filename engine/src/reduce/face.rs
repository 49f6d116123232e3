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
        self.supervise(theory, &mut Run::default(), |engine| {
            let normal = engine.reduced_start(term);
            engine.stopped.is_none().then(|| engine.keep(normal))
        })
        .map(|kept| kept.expect("a computation that was not stopped has a result"))
    }
}
