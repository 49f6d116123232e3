//! What a trial is to solve.

use crate::code::{Block, FragmentCode, GoalCode, Reg};
use crate::matching::Pattern;

/// What is to be solved: a pattern and a condition over one frame.
#[derive(Clone, Copy)]
pub(crate) struct Problem<'a> {
    /// The pattern.
    pub(crate) pattern: &'a Pattern,
    /// The condition.
    pub(crate) fragments: &'a [FragmentCode],
    /// Each match is followed by its condition: none is dropped early by a guard.
    pub(crate) keeps_all: bool,
    /// The code of its terms.
    pub(crate) block: &'a Block,
    /// Registers to be emptied before another matcher of the pattern is used.
    pub(crate) reset: &'a [Reg],
    /// The goal, if whoever watches is told of its condition.
    pub(crate) told: Option<&'a GoalCode>,
}

impl<'a> Problem<'a> {
    /// The pattern and condition of a goal.
    pub(crate) fn of(goal: &'a GoalCode) -> Problem<'a> {
        Problem {
            pattern: &goal.pattern,
            fragments: &goal.fragments,
            block: &goal.block,
            reset: &goal.reset,
            keeps_all: false,
            told: Some(goal),
        }
    }

    /// The same without extension.
    pub(crate) fn at_top(goal: &'a GoalCode) -> Problem<'a> {
        let pattern = goal.top_pattern.as_ref().unwrap_or(&goal.pattern);
        Problem { pattern, ..Problem::of(goal) }
    }

    /// The pattern alone.
    pub(crate) fn bare(self) -> Problem<'a> {
        Problem { fragments: &[], told: None, ..self }
    }
}

/// What solving needs to know of its surroundings.
#[derive(Clone, Copy)]
pub(crate) struct Scope {
    /// How many `=>` fragments are being solved around this one.
    pub(crate) depth: u32,
}
