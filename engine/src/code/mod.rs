//! Statements as the machines run them: decision trees, patterns and instructions.

mod compiler;
mod emit;
mod goal;
mod guards;
mod heads;
mod inputs;
mod ops;
mod program;
mod statements;
mod tables;
mod theory_code;
mod tree;
mod ways;

pub(crate) use compiler::CodeCompiler;
pub(crate) use goal::{FragmentCode, GoalCode, GoalSpec, RuleCode, TermCode, has_extension};
pub(crate) use ops::{Op, Pc, Reg};
pub(crate) use program::{Block, EquationCode};
pub(crate) use statements::Entry;
pub(crate) use tables::StatementTables;
pub(crate) use theory_code::TheoryCode;
pub(crate) use tree::{Case, Check, Tree, TreeStep};
