//! The strategy language (`language.md` 7): expressions, and the machine that runs them.

mod expression;

pub use expression::{Application, Definition, Expr, MatchKind, RewriteItem, StrategyId};
