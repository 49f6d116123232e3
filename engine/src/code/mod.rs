//! Statements as the machines run them: decision trees, patterns and instructions.

mod emit;
mod given;
mod goal;
mod guards;
mod heads;
mod ops;
mod program;
mod slots;
mod sound_kinds;
mod statements;
mod theory_code;
mod tree;
mod ways;

pub(crate) use goal::{FragmentCode, GoalCode, GoalSpec};
pub(crate) use ops::{Op, Pc, Reg};
pub(crate) use program::Program;
pub(crate) use slots::Slots;
pub(crate) use statements::Entry;
pub(crate) use theory_code::{RuleCode, TheoryCode};
pub(crate) use tree::{Check, Step};
