//! What the engine is given: a theory over symbols of the engine's signature, with statements made
//! of static terms.

use crate::id::{NameId, SortId, StaticId, SymbolId};

/// A fragment of a condition (`language.md` 3.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fragment {
    /// `left = right`; a bare Boolean term is `term = true`.
    Equal(StaticId, StaticId),
    /// `term : sort`.
    Sort(StaticId, SortId),
    /// `pattern := term`; the pattern is fully normalised.
    Match(StaticId, StaticId),
    /// `term => pattern`; the pattern is fully normalised.
    Rewrite(StaticId, StaticId),
}

/// What a statement says of its left side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conclusion {
    /// An equation's right side, partially normalised.
    Equation {
        /// The right side.
        right: StaticId,
        /// Tried only when no other equation applies.
        owise: bool,
    },
    /// A membership's sort.
    Membership(SortId),
    /// A rule's right side, partially normalised.
    Rule(StaticId),
}

/// An equation, membership or rule.
#[derive(Debug, Clone)]
pub struct Statement {
    /// The left side, fully normalised.
    pub left: StaticId,
    /// What follows.
    pub conclusion: Conclusion,
    /// Condition fragments in order.
    pub condition: Vec<Fragment>,
    /// The label's number.
    pub label: Option<NameId>,
    /// Not used by the engine itself; rules may be named by strategies.
    pub nonexec: bool,
    /// Number by which the caller knows the statement (events, paths).
    pub source: u32,
}

/// A theory: its statements in the order in which they are tried (`language.md` 3.2).
#[derive(Debug, Clone, Default)]
pub struct Theory {
    /// The symbols in order of creation.
    pub symbols: Vec<SymbolId>,
    /// Own statements first, then those of the imports, in order.
    pub statements: Vec<Statement>,
    /// Strategies that can be called.
    pub strategies: Vec<crate::strategy::Definition>,
}
