//! The subterms on which a search has tried all rules in vain (`docs/semantics.md` 5.7): equal
//! subterms of its states are one in the store, so a set of handles does.

use rustc_hash::FxHashSet;

use crate::heap::{Handle, HeldNodes};
use crate::safe_points::hold_all;

/// What a search knows of its subterms.
#[derive(Default)]
pub(crate) struct Failures(FxHashSet<Handle>);

impl Failures {
    /// Whether all rules were tried on a subterm in vain.
    #[inline]
    pub(crate) fn is_marked(&self, term: Handle) -> bool {
        self.0.contains(&term)
    }

    /// Tells which terms it is about.
    pub(super) fn hold(&self, held: &mut HeldNodes) {
        hold_all(&self.0, held);
    }

    /// Forgets those that nobody holds.
    pub(crate) fn forget_dead(&mut self, held: &HeldNodes) {
        self.0.retain(|&term| held.is_held(term));
    }

    /// Forgets all subterms.
    pub(super) fn forget(&mut self) {
        self.0.clear();
    }

    /// Notes that all rules were tried on a subterm in vain.
    pub(crate) fn mark(&mut self, term: Handle) {
        self.0.insert(term);
    }
}
