//! Guards: conjuncts of a condition that may run as soon as their variables are bound.
//!
//! They are built by who compiles the condition, from builtin operators that nobody redefines; a
//! guard never builds a node and never reduces anything, and only a certain *no* has an effect.

use crate::heap::Handle;
use crate::signature::Numbers;

/// A value that a guard compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operand {
    /// What a register holds.
    Slot(u32),
    /// A ground term in normal form, in the store or immediate.
    Constant(Handle),
}

/// A comparison of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// `_<_`.
    Less,
    /// `_<=_`.
    LessEqual,
}

/// A Boolean expression over registers and constants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Guard {
    /// `_==_` of normal terms; negate it for `_=/=_`.
    Equal(Operand, Operand),
    /// A comparison of numbers made of these constructors.
    Compare(Comparison, Numbers, Operand, Operand),
    /// The value is the constant `true`.
    Holds(Operand, crate::signature::Truth),
    /// All of them.
    And(Vec<Guard>),
    /// One of them.
    Or(Vec<Guard>),
    /// The opposite.
    Not(Box<Guard>),
}

/// What is known of a guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Yes,
    No,
    Unknown,
}
