//! Terms, matching modulo axioms, reduction, rules, strategies and search; knows no text.
//!
//! The modules stand in levels, each knowing only those above it here; `tests/levels.rs` in the root
//! package holds that.

mod id;
mod signature;
mod term;

mod limits;
mod statement;

mod arithmetic;

mod heap;

mod fidelity;
mod registers;
mod workspace;

mod matching;

mod code;
mod theory;

mod builtin;
mod command;
mod observer;
mod reduce;
mod result;
mod safe_points;
mod solving;
mod worker;

mod matches;
mod rewrite;
mod search;
mod strategy;

#[cfg(test)]
mod observer_tests;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod worker_tests;

pub use arithmetic::decimal;
pub use builtin::{Evaluation as HookEvaluation, HookAnswer, HookCall, Hooks};
pub use command::CommandTerms;
pub use id::{KindId, NameId, SortId, StaticId, SymbolId};
pub use limits::{Limit, Limits, Stop, catch_stop};
pub use matches::{Match, MatchSpec, Matches, Portion};
pub use observer::{Event, Observer, Scene};
pub use result::{Readback, Term};
pub use rewrite::{FairRewriting, Rewriting};
pub use search::{Arrow, Search, SearchSpec, Solution};
pub use signature::{
    Axioms, Builtin, Declaration, Evaluation, HookId, Irregularity, Kind, Meaning, Numbers,
    ObjectRole, Role, Shape, Signature, Sort, SortTable, Symbol, SymbolSpec, Truth,
};
pub use statement::{
    Application, Conclusion, Definition, Expr, Fragment, MatchKind, RewriteItem, Source, Statement,
    StrategyId,
};
pub use strategy::Strategic;
pub use term::{StaticNode, StaticTerms, TermView};
pub use theory::{Theory, TheoryParts};
pub use worker::{Counts, Worker};
