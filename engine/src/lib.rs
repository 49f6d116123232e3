//! Terms, matching modulo axioms, reduction, rules, strategies and search; knows no text.

mod application;
mod axioms;
mod builtin;
mod code;
mod command;
mod condition;
mod engine;
mod fidelity;
mod heap;
mod id;
mod limits;
mod matches;
mod matching;
mod position;
mod reduce;
mod result;
mod rewrite;
mod safe_points;
mod search;
mod signature;
mod strategy;
mod term;
#[cfg(test)]
mod testing;
mod theory;
mod workspace;

pub use command::CommandTerms;
pub use engine::{Counts, Engine};
pub use id::{KindId, NameId, SortId, StaticId, SymbolId};
pub use limits::{Limits, Stop};
pub use matches::{Match, MatchSpec, Matches, Portion};
pub use result::{Readback, Term};
pub use rewrite::{FairRewriting, Rewriting};
pub use search::{Arrow, Search, SearchSpec, Solution};
pub use signature::{
    Axioms, Builtin, BuiltinOp, Declaration, Evaluation, Irregularity, Kind, Numbers, ObjectRole,
    Role, Shape, Signature, Sort, SortTable, Symbol, SymbolSpec, Truth,
};
pub use strategy::{Application, Definition, Expr, MatchKind, RewriteItem, Strategic, StrategyId};
pub use term::{StaticNode, StaticTerms, TermView};
pub use theory::{Conclusion, Fragment, Statement, Theory, TheoryParts};
