//! Statements as the machines run them: decision trees, patterns and instructions.

mod emit;
mod goal;
mod ops;
mod program;
mod slots;
mod statements;
mod theory_code;
mod tree;
mod ways;

pub(crate) use ops::{Op, Pc};
pub(crate) use program::Program;
pub(crate) use slots::Slots;
pub(crate) use statements::Entry;
pub(crate) use theory_code::TheoryCode;
pub(crate) use tree::{Check, Step};
