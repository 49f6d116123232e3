//! What is known of operators that are computed, apart from how.

use crate::id::{SortId, SymbolId};

/// The number of a hook in the registry of hooks (`builtin/registry.rs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HookId(pub u16);

impl HookId {
    /// The hook of sort tests, which no module names.
    pub const SORT_TEST: HookId = HookId(0);
}

/// The constants that a builtin predicate answers with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Truth {
    /// `true`.
    pub yes: SymbolId,
    /// `false`.
    pub no: SymbolId,
}

/// The constructors of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers {
    /// `0`.
    pub zero: SymbolId,
    /// `s_`.
    pub succ: SymbolId,
    /// `-_`, where there are negative numbers.
    pub minus: Option<SymbolId>,
}

/// What those must know of a computed operator who compile statements, read terms or print them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// It is a function of its reduced arguments, and nothing else is known of it.
    Function,
    /// The constant `true`.
    True,
    /// The constant `false`.
    False,
    /// `if_then_else_fi`.
    If,
    /// `_==_`.
    Equal,
    /// `_=/=_`.
    NotEqual,
    /// `_::S`.
    SortTest(SortId),
    /// `_and_`.
    And,
    /// `_or_`.
    Or,
    /// `not_`.
    Not,
    /// `_<_` of numbers.
    Less,
    /// `_<=_` of numbers.
    LessEqual,
    /// `_>_` of numbers.
    Greater,
    /// `_>=_` of numbers.
    GreaterEqual,
    /// The successor constructor of numbers.
    Succ,
    /// `-_`: constructor of negative numbers, and negation of a negative one.
    Minus,
}

impl Meaning {
    /// Whether it only constructs: nothing is ever computed at it.
    pub fn is_constructor(self) -> bool {
        matches!(self, Meaning::True | Meaning::False | Meaning::Succ)
    }
}

/// A computed operator: its hook, and the symbols that its answers are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Builtin {
    /// What computes it.
    pub hook: HookId,
    /// What is known of it.
    pub meaning: Meaning,
    /// The truth constants, for predicates and `if`.
    pub truth: Option<Truth>,
    /// The number constructors, for arithmetic.
    pub numbers: Option<Numbers>,
}
