//! Terms, matching modulo axioms, reduction, rules, strategies and search; knows no text.

mod id;
mod signature;
mod strategy;
mod term;
mod theory;

pub use id::{KindId, NameId, SortId, StaticId, SymbolId, TheoryId};
pub use signature::{
    Axioms, Builtin, BuiltinOp, Declaration, Evaluation, Irregularity, Kind, Numbers, Role, Shape,
    Signature, Sort, SortTable, Symbol, SymbolSpec, Truth,
};
pub use strategy::{Application, Definition, Expr, MatchKind, RewriteItem, StrategyId};
pub use term::{StaticNode, StaticTerms, TermView, compare};
pub use theory::{Conclusion, Fragment, Statement, Theory};
