//! Modules: what they declare, what they import, and the theories that they become.
//!
//! `own` gathers what a module declares itself; `flatten`, `operators` and `classes` put it on top
//! of what it imports; `describe` makes the input of the term grammar; `reading` reads the statements;
//! `evaluate` leads a module through all of this. A module that a command uses gets a `theory`, with
//! the statements of its imports made over its own symbols.

mod attributes;
mod classes;
mod completion;
mod describe;
mod evaluate;
mod first_use;
mod flat;
mod flatten;
mod hooks;
mod identities;
mod instantiate;
mod library;
mod loaded;
mod operators;
mod own;
mod reading;
mod similar;
mod statements;
mod strategies;
mod symbols;
mod theory;
mod translate;

pub(crate) use evaluate::{ModuleBuilder, ModuleTrouble};
pub(crate) use flat::Flat;
pub(crate) use instantiate::{Instantiation, engine_statement};
pub(crate) use library::Library;
pub(crate) use loaded::{Loaded, StatementAttributes, Vocabulary};
pub(crate) use reading::refused_operator;
pub(crate) use similar::hint;
pub(crate) use statements::unbound_in_condition;
pub(crate) use strategies::trouble as strategy_trouble;
