//! Stacks of pending strategies: persistent lists, hash-consed, so that a stack is a number and two
//! are equal exactly if their numbers are.

use rustc_hash::FxHashMap;

use super::program::StrategyNodeId;
use crate::limits::{Limit, number};

/// A stack of pending strategies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct StackId(u32);

/// All stacks of one computation.
#[derive(Default)]
pub(super) struct Stacks {
    cells: Vec<(StrategyNodeId, StackId)>,
    index: FxHashMap<(StrategyNodeId, StackId), StackId>,
}

impl StackId {
    /// Nothing is pending.
    pub(super) const EMPTY: StackId = StackId(0);
}

impl Stacks {
    /// The stack with one more strategy on top.
    pub(super) fn push(&mut self, top: StrategyNodeId, below: StackId) -> StackId {
        *self.index.entry((top, below)).or_insert_with(|| {
            self.cells.push((top, below));
            StackId(number(self.cells.len(), Limit::Strategies))
        })
    }

    /// The top strategy and the stack below it.
    pub(super) fn pop(&self, stack: StackId) -> Option<(StrategyNodeId, StackId)> {
        self.cells.get((stack.0 as usize).wrapping_sub(1)).copied()
    }
}
