//! Terms, matching modulo axioms, reduction, rules, strategies and search; knows no text.

#![allow(dead_code, reason = "parts land one after the other")]

mod axioms;
mod builtin;
mod code;
mod engine;
mod heap;
mod id;
mod limits;
mod matching;
mod reduce;
mod result;
mod signature;
mod strategy;
mod term;
#[cfg(test)]
mod testing;
mod theory;

pub use engine::{Counts, Engine};
pub use id::{KindId, NameId, SortId, StaticId, SymbolId, TheoryId};
pub use limits::{Limits, Stop};
pub use result::{Readback, Term};
pub use signature::{
    Axioms, Builtin, BuiltinOp, Declaration, Evaluation, Irregularity, Kind, Numbers, Role, Shape,
    Signature, Sort, SortTable, Symbol, SymbolSpec, Truth,
};
pub use strategy::{Application, Definition, Expr, MatchKind, RewriteItem, StrategyId};
pub use term::{StaticNode, StaticTerms, TermView};
pub use theory::{Conclusion, Fragment, Statement, Theory};
