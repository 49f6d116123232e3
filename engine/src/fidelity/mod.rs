//! What is done only so that numbers of rewrites come out as the language defines them.
//!
//! By default Broth leaves work out where the answers stay the same; `--plain` (`set optimize off
//! .`) does all of it, because each step counts. Whatever would leave work out asks [`Fidelity`],
//! and nothing else in the engine knows of the two modes. The questions are asked when code is
//! compiled or before a step that costs far more than asking, so the default mode pays nothing for
//! them.

mod marks;

pub(crate) use marks::{Marks, Parked};

/// Whether numbers of rewrites are those that the language defines. By default they are not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Fidelity {
    plain: bool,
}

impl Fidelity {
    /// The default mode, or the plain one, in which all rewrites are done and counted.
    pub(crate) fn new(plain: bool) -> Fidelity {
        Fidelity { plain }
    }

    /// Whether it is the plain mode, for whoever works in the same one.
    pub(crate) fn is_plain(self) -> bool {
        self.plain
    }

    /// Whether a condition may be decided before the whole pattern has matched; the rewrites of a
    /// condition that fails are then not done.
    pub(crate) fn decides_conditions_early(self) -> bool {
        !self.plain
    }

    /// Whether a right side may take subterms that its rule's left side has matched: what is built
    /// anew is evaluated anew, with the rewrites that this takes.
    pub(crate) fn reuses_matched_subterms(self) -> bool {
        !self.plain
    }

    /// Whether a connective of truth values is computed in one step, and not by the equations of
    /// the Boolean ring.
    pub(crate) fn computes_connectives(self) -> bool {
        !self.plain
    }

    /// Whether a sort test tries again the memberships that could lower the sort of a term, which
    /// is known (`docs/semantics.md` 3.8).
    pub(crate) fn repeats_memberships(self) -> bool {
        self.plain
    }
}
