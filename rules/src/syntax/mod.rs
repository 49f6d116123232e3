//! Tokens, the outer grammar and the syntax tree.
//!
//! Text becomes flat tokens with their places; statements, commands and modules are cut out of
//! these without recursion on brackets. Reading never fails: it gives what it understood and the
//! diagnostics. Terms stay bubbles of tokens for the term grammar of the module.

mod ast;
mod attributes;
mod commands;
mod cursor;
mod declarations;
mod expressions;
mod invisible;
mod keywords;
mod mappings;
mod modules;
mod names;
mod operator_names;
mod other_commands;
mod reader;
#[cfg(test)]
mod reader_tests;
mod statement_attributes;
mod statements;
mod swallowed;
mod term_commands;
mod tokens;
mod types;
mod views;

pub use crate::source::{
    Decoded, FileId, Foreign, LineColumn, NoText, Source, Sources, Span, decode,
};
pub use ast::{
    Attribute, AttributeKind, Class, Gather, IdentitySide, Import, ImportMode, Item, Mapping,
    MappingKind, Module, ModuleExpression, ModuleExpressionKind, ModuleKind, OperatorName,
    OperatorType, Operators, Parameter, SortName, Sorts, Statement, StatementAttribute,
    StatementAttributeKind, StatementKind, Strategies, Subsorts, Token, TypeExpression, Variables,
    View,
};
pub use commands::{
    ChoiceList, Command, CommandKind, ConditionBubble, DirectoryAction, LoadMode, SearchArrow,
    SetOption, ShowKind, Target,
};
pub use keywords::begins_statement;
pub use names::{Name, Names};
pub use operator_names::{NameItem, joined_name, name_items};
pub use reader::{Entry, Reader, Reading, is_complete};
pub use statement_attributes::drop_unsuitable_attributes;
pub use swallowed::separate_statements;
