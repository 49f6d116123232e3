//! Matching: what the equational theories share.
//!
//! A pattern is compiled once and matched by a `Matcher`, a state machine whose stacks are used
//! again from one match to the next. One possibility is bound at once (*propagate*); what has several
//! becomes a task, and tasks are solved in sequence with backtracking, the last one fastest
//! (`docs/semantics.md` 6.2).

mod analysis;
mod assoc;
mod assoc_comm;
mod bounds;
mod comm;
mod compile;
mod extension;
mod greedy;
mod guard;
mod iter;
mod machine;
mod occurrences;
mod pattern;
mod prefilter;
mod propagate;
mod sequence;
mod sets;
mod slots;

pub(crate) use analysis::on_growing_stack;
pub(crate) use bounds::{MembershipSort, MembershipSorts, UNBOUNDED};
pub(crate) use compile::PatternSource;
pub(crate) use extension::{Leftover, RestWords};
pub(crate) use guard::{Comparison, Guard, Operand, Verdict};
pub(crate) use machine::{
    Deferred, MatchAnswer, MatchRun, MatchTask, Matcher, NONE, REST, TaskKind, TaskOutcome, fits,
    least_sort,
};
pub(crate) use pattern::{
    AcAlien, AcGreedy, Against, CollapsePart, CommNode, CommutativeWay, FixedElement, FreeCheck,
    FreeNode, Greedily, IterNode, ListEnd, ListNode, MultiNode, Pattern, PatternNode,
    PatternNodeId, TopVariable, Var,
};
pub(crate) use prefilter::{CandidateFilter, Prefilter};
pub(crate) use slots::Slots;

use crate::id::StaticId;

/// Which matchers are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Equations, memberships, and rules under `rewrite` and `frewrite`: greedy subpatterns have
    /// one matcher (`docs/semantics.md` 3.5).
    First,
    /// Every matcher, in the order of `docs/semantics.md` 6.
    All,
}

/// Which nodes made of several arguments count as unreduced, so that a condition or a right side
/// evaluates them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnreducedParts {
    /// None: rules, goals.
    None,
    /// Those of the redex itself: equations.
    OfRedex,
    /// Those of lists, wherever they are: memberships.
    OfLists,
}

/// What a pattern is compiled from.
#[derive(Debug, Clone)]
pub(crate) struct PatternSpec<'a> {
    /// The term, fully normalised.
    pub(crate) term: StaticId,
    /// Variables that are certainly bound when matching begins (earlier fragments).
    pub(crate) bound: &'a [StaticId],
    /// Variables that occur in the condition, which forbid a greedy match.
    pub(crate) elsewhere: &'a [StaticId],
    /// Whether the pattern may match a part of an assoc or iter node.
    pub(crate) extension: bool,
    /// Which nodes made of several arguments of a part of the subject count as unreduced.
    pub(crate) unreduced: UnreducedParts,
    /// Conjuncts of the condition that may prune early.
    pub(crate) guards: Vec<Guard>,
}

#[cfg(test)]
mod tests;
