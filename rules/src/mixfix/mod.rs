//! The term grammar of a flattened module.
//!
//! A module is described by a [`Description`]; bubbles of tokens are read into [`Tree`]s, which name
//! operators and sorts by their places in it; [`Tree::instantiate`] turns them into static terms of
//! a theory through the caller's [`Symbols`]. Parsing touches no symbol of the engine. The parser
//! itself is [`Grammar`]: made from a description, it reads terms, pairs of terms of one kind,
//! conditions, whole statements and strategies, and gives a [`TermReading`] or a [`ParseError`].

mod build;
mod chart;
mod description;
mod emit;
mod forest;
mod grammar;
mod instantiate;
mod literals;
pub(crate) mod messages;
mod names;
mod parser;
mod predict;
mod production;
mod reading;
mod stamped;
mod statement_syntax;
mod strategy_syntax;
mod terminals;
mod tree;

pub use description::{
    Description, Item, KindIndex, Literals, NumberSyntax, ObjectSyntax, OperatorDescription,
    OperatorIndex, PolymorphDescription, PolymorphIndex, SortDescription, SortIndex,
    StrategyDescription, StrategyIndex, Syntax, Type,
};
pub use emit::MAX_DEPTH;
pub use grammar::{Grammar, sort_in_token};
pub use instantiate::Symbols;
pub(crate) use literals::literal_value;
pub use names::{Nesting, bound, default_gather, default_precedence, name_items};
pub use reading::{
    ConclusionReading, DefinitionReading, ParseError, ParseErrorKind, StatementForm,
    StatementReading, StrategyReading, TermReading,
};
pub use tree::{ConditionFragment, Head, Literal, Node, Number, TermRef, Tree};

/// The bound that admits every precedence.
const ANY: u8 = 127;

/// The bound of the arguments of prefix forms.
const PREFIX: u8 = 95;

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
