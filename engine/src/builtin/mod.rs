//! Operators that the engine computes.
//!
//! A builtin acts on constants of its own kinds only, and takes one rewrite; where it does not act,
//! the user's equations for the operator are tried (`docs/semantics.md` 16.1).

mod number;

use crate::heap::Handle;
use crate::id::{SortId, SymbolId};
use crate::signature::BuiltinOp;
use crate::worker::Worker;

impl Worker {
    /// Whether a term is one of the truth constants, and which.
    #[inline(always)]
    pub(crate) fn truth_value(&self, term: Handle) -> Option<bool> {
        self.space.memory.core(self.space.memory.symbol(term)).truth
    }

    /// The constant for a truth value, as the answer of the symbol's operation.
    fn truth(&mut self, symbol: SymbolId, value: bool) -> Option<Handle> {
        let truth = self.space.memory.core(symbol).answers?;
        let constant = self.space.memory.constant(if value { truth.yes } else { truth.no });
        self.finish_reduced(constant);
        Some(constant)
    }

    /// What an operation gives for the reduced arguments in the registers from `base` on; counted.
    #[inline]
    pub(crate) fn compute(
        &mut self,
        op: BuiltinOp,
        symbol: SymbolId,
        base: usize,
    ) -> Option<Handle> {
        let n = self.space.regs.len() - base;
        let result = match (op, n) {
            (BuiltinOp::Equal, 2) => {
                let equal =
                    self.space.memory.equal(self.space.regs[base], self.space.regs[base + 1]);
                self.truth(symbol, equal)
            }
            (BuiltinOp::NotEqual, 2) => {
                let equal =
                    self.space.memory.equal(self.space.regs[base], self.space.regs[base + 1]);
                self.truth(symbol, !equal)
            }
            (BuiltinOp::SortTest(sort), 1) => {
                let index = self.sort_of_tested(base);
                let is = SortId { kind: sort.kind, index };
                let holds = self.space.signature.leq(is, sort);
                self.truth(symbol, holds)
            }
            (BuiltinOp::If, _) => None,
            (
                BuiltinOp::And
                | BuiltinOp::Or
                | BuiltinOp::Xor
                | BuiltinOp::Not
                | BuiltinOp::Implies,
                _,
            ) => self.connective(op, symbol, base),
            (_, 1) => self.number_function(op, symbol, &[self.space.regs[base]]),
            (_, 2) => {
                let (a, b) = (self.space.regs[base], self.space.regs[base + 1]);
                self.small_binary(op, symbol, a, b)
                    .or_else(|| self.number_function(op, symbol, &[a, b]))
            }
            (BuiltinOp::ModExp, 3) => {
                let args =
                    [self.space.regs[base], self.space.regs[base + 1], self.space.regs[base + 2]];
                self.number_function(op, symbol, &args)
            }
            _ => None,
        };
        if result.is_some() {
            self.counts.equations += 1;
        }
        result
    }

    /// A connective all of whose arguments are truth constants, where rewrites need not be counted
    /// as the equations of the Boolean ring would.
    fn connective(&mut self, op: BuiltinOp, symbol: SymbolId, base: usize) -> Option<Handle> {
        if !self.code.fidelity.computes_connectives() {
            return None;
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

    /// What an operation makes of a normal AC node: all constants are folded into one in one step.
    pub(crate) fn compute_node(&mut self, op: BuiltinOp, node: Handle) -> Option<Handle> {
        let symbol = self.space.memory.symbol(node);
        let result = match op {
            BuiltinOp::And | BuiltinOp::Or | BuiltinOp::Xor
                if self.code.fidelity.computes_connectives() =>
            {
                let base = self.space.regs.len();
                for place in 0..self.space.memory.n_args(node) {
                    let arg = self.space.memory.arg(node, place);
                    let times = self.space.memory.multiplicity(node, place);
                    self.space.regs.extend(std::iter::repeat_n(arg, times as usize));
                }
                let value = self.connective(op, symbol, base);
                self.space.regs.truncate(base);
                value
            }
            _ if self.space.memory.core(symbol).is_list() => self.fold_numbers(op, node),
            BuiltinOp::Sd => {
                let args =
                    [self.space.memory.fixed_arg(node, 0), self.space.memory.fixed_arg(node, 1)];
                self.number_function(op, symbol, &args)
            }
            BuiltinOp::Equal | BuiltinOp::NotEqual if self.space.memory.n_args(node) == 2 => {
                let (a, b) = (self.space.memory.arg(node, 0), self.space.memory.arg(node, 1));
                let equal = self.space.memory.equal(a, b);
                self.truth(symbol, equal == (op == BuiltinOp::Equal))
            }
            _ => None,
        };
        if result.is_some() {
            self.counts.equations += 1;
        }
        result
    }
}
