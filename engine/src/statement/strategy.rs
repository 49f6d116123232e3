//! Strategy expressions and definitions as the text layer hands them over.
//!
//! Two occurrences of one rule name are different expressions, so an expression is a tree whose
//! nodes have identity (`docs/semantics.md` 7.4); calls without arguments of one name are one
//! occurrence, which the machine sees to.

use crate::id::{NameId, StaticId};
use crate::statement::Fragment;

/// The number of a strategy name within a theory: names, not declarations; two declarations of one
/// name over different kinds have different numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StrategyId(pub u32);

/// Where a pattern of a test or a `matchrew` is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchKind {
    /// `match`, `matchrew`: the whole term.
    Whole,
    /// `xmatch`: the top with extension.
    Extension,
    /// `amatch`: anywhere, with extension.
    Anywhere,
}

/// The use of rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Application {
    /// Rules with this label; `None` for `all`.
    pub label: Option<NameId>,
    /// `label[x <- t, ...]`: variables (static terms) and values, partially normalised.
    pub substitution: Vec<(StaticId, StaticId)>,
    /// Strategies for the rewriting fragments of the condition.
    pub conditions: Vec<Expr>,
    /// `top(...)`: at the root only, without extension.
    pub top: bool,
}

/// One `x using s` of a `matchrew`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RewriteItem {
    /// A variable of the pattern.
    pub variable: StaticId,
    /// What is run on its value.
    pub strategy: Expr,
}

/// A strategy expression.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the language")]
pub enum Expr {
    Idle,
    Fail,
    Apply(Application),
    /// `match P s.t. C` and its kin; the pattern is fully normalised.
    Test {
        kind: MatchKind,
        pattern: StaticId,
        condition: Vec<Fragment>,
    },
    /// A chain of two or more.
    Sequence(Vec<Expr>),
    /// A chain of two or more.
    Union(Vec<Expr>),
    OrElse(Box<Expr>, Box<Expr>),
    Star(Box<Expr>),
    Plus(Box<Expr>),
    /// `s !`.
    Normal(Box<Expr>),
    /// `test ? then : else`.
    Branch(Box<Expr>, Box<Expr>, Box<Expr>),
    One(Box<Expr>),
    Not(Box<Expr>),
    /// `test(s)`.
    Check(Box<Expr>),
    Try(Box<Expr>),
    /// `matchrew P s.t. C by ...` and its kin.
    MatchRewrite {
        kind: MatchKind,
        pattern: StaticId,
        condition: Vec<Fragment>,
        items: Vec<RewriteItem>,
    },
    /// A named strategy with arguments, partially normalised.
    Call(StrategyId, Vec<StaticId>),
}

/// `sd` or `csd`.
#[derive(Debug, Clone)]
pub struct Definition {
    /// Which strategy it defines.
    pub strategy: StrategyId,
    /// Patterns of the parameters, fully normalised.
    pub parameters: Vec<StaticId>,
    /// The body.
    pub body: Expr,
    /// Condition fragments.
    pub condition: Vec<Fragment>,
}
