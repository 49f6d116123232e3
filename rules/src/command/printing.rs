//! Terms of a module as text.

use broth_engine::StaticId;

use super::Valued;
use crate::session::Session;
use crate::syntax::Name;

impl Session {
    /// A term as it was read, with its least sort.
    pub(super) fn raw_value(&self, module: Name, term: StaticId) -> Valued {
        let sort = self.engine.terms.least_sort(&self.engine.signature, term);
        let sort = Some(self.engine.signature.sort_name(sort));
        Valued { sort, term: self.static_text(module, term) }
    }

    /// A static term.
    pub(super) fn static_text(&self, _module: Name, _term: StaticId) -> String {
        String::new()
    }
}
