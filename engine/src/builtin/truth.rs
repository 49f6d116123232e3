//! Truth values: equality, sort tests, connectives.

use super::BuiltinOp;
use crate::heap::Handle;
use crate::id::{SortId, SymbolId};
use crate::reduce::Answered;
use crate::signature::Meaning;
use crate::worker::Worker;

impl Worker {
    /// Whether a term is one of the truth constants, and which.
    #[inline(always)]
    pub(crate) fn truth_value(&self, term: Handle) -> Option<bool> {
        self.space.memory.core(self.space.memory.symbol(term)).truth
    }

    /// The constant for a truth value, as the answer of the symbol's operation.
    pub(super) fn truth(&mut self, symbol: SymbolId, value: bool) -> Option<Handle> {
        let truth = self.space.memory.core(symbol).answers?;
        let constant = self.space.memory.constant(if value { truth.yes } else { truth.no });
        self.finish_reduced(constant);
        Some(constant)
    }

    /// Whether the two arguments are equal, or are not.
    pub(super) fn equality(
        &mut self,
        expected: bool,
        symbol: SymbolId,
        base: usize,
    ) -> Option<Handle> {
        let [a, b] = self.space.regs[base..] else { return None };
        let equal = self.space.memory.equal(a, b);
        self.truth(symbol, equal == expected)
    }

    /// The same for the arguments of a node.
    pub(super) fn equality_node(&mut self, expected: bool, node: Handle) -> Option<Handle> {
        if self.space.memory.n_args(node) != 2 {
            return None;
        }
        let (a, b) = (self.space.memory.arg(node, 0), self.space.memory.arg(node, 1));
        let equal = self.space.memory.equal(a, b);
        self.truth(self.space.memory.symbol(node), equal == expected)
    }

    /// Whether the argument has the sort that the symbol tests.
    pub(super) fn sort_test(&mut self, symbol: SymbolId, base: usize) -> Option<Handle> {
        let term = self.space.regs[base];
        let asks = self.space.memory.core(self.space.memory.symbol(term)).memberships;
        let known = self.space.memory.known_sort(term).is_some();
        if asks && (!known || self.code.fidelity.repeats_memberships()) {
            self.space.memory.core(symbol).answers?;
            return self.answer_later(Answered::SortTest(symbol, term));
        }
        self.space.memory.declare_sorts(term);
        let index = self.space.memory.sort(term);
        self.has_tested_sort(symbol, index)
    }

    /// Whether a sort index is at or below the sort that the symbol tests.
    pub(crate) fn has_tested_sort(&mut self, symbol: SymbolId, index: u16) -> Option<Handle> {
        let Some(Meaning::SortTest(sort)) = self.meaning(symbol) else { return None };
        let holds = self.space.signature.leq(SortId { kind: sort.kind, index }, sort);
        self.truth(symbol, holds)
    }

    /// A connective all of whose arguments are truth constants, where rewrites need not be counted
    /// as the equations of the Boolean ring would.
    pub(super) fn connective(
        &mut self,
        op: BuiltinOp,
        symbol: SymbolId,
        base: usize,
    ) -> Option<Handle> {
        if !self.code.fidelity.computes_connectives() {
            if self.is_watched() {
                return None;
            }
            let application = self.truth_application(symbol, base)?;
            return self.known_connective(application);
        }
        let mut values = Vec::with_capacity(2);
        for i in base..self.space.regs.len() {
            values.push(self.truth_value(self.space.regs[i])?);
        }
        let value = match op {
            BuiltinOp::And => values.iter().all(|&v| v),
            BuiltinOp::Or => values.iter().any(|&v| v),
            BuiltinOp::Xor => values.iter().filter(|&&v| v).count() % 2 == 1,
            BuiltinOp::Not => !values[0],
            _ => !values[0] || values[1],
        };
        self.truth(symbol, value)
    }

    /// The same for the arguments of a multiset or a pair.
    pub(super) fn connective_node(&mut self, op: BuiltinOp, node: Handle) -> Option<Handle> {
        let computes = self.code.fidelity.computes_connectives();
        let base = self.space.regs.len();
        for place in 0..self.space.memory.n_args(node) {
            let arg = self.space.memory.arg(node, place);
            let times = self.space.memory.multiplicity(node, place);
            let times = match computes {
                // Only whether the number is odd may matter.
                true => 2 - times as usize % 2,
                // More are not known.
                false => (times as usize).min(32),
            };
            self.space.regs.extend(std::iter::repeat_n(arg, times));
        }
        let value = self.connective(op, self.space.memory.symbol(node), base);
        self.space.regs.truncate(base);
        value
    }
}
