//! What instructions make of their operands, which are terms in registers.

use super::{FrameTrial, StepOutcome};
use crate::code::{Block, TheoryCode};
use crate::heap::Handle;
use crate::id::SymbolId;
use crate::signature::Shape;
use crate::worker::Worker;

impl Worker {
    /// Pushes operands on the root stack, and empty registers behind them up to `room` in all. Where
    /// the first one is.
    #[inline(always)]
    pub(super) fn push_operands(
        &mut self,
        block: &Block,
        args: u32,
        base: usize,
        room: usize,
    ) -> usize {
        self.space.regs.open_operands(base, block.list_at(args), room)
    }

    pub(super) fn operand_terms(&self, block: &Block, args: u32, base: usize) -> Vec<Handle> {
        let operands = block.list_at(args);
        operands
            .iter()
            .map(|&r| self.space.memory.resolve(self.space.regs[base + r as usize]))
            .collect()
    }

    #[inline(always)]
    pub(super) fn reduced_node(
        &mut self,
        block: &Block,
        symbol: SymbolId,
        args: u32,
        base: usize,
    ) -> Handle {
        let sort = block.operands[args as usize];
        let operands = block.list_at(args + 1).iter();
        let regs = &self.space.regs;
        self.space.memory.reduced_node(symbol, sort, operands.map(|&r| regs[base + r as usize]))
    }

    pub(super) fn iteration(
        &self,
        block: &Block,
        args: u32,
        base: usize,
    ) -> (Handle, dashu_int::UBig) {
        let operands = &block.operands[args as usize..];
        let arg = self.space.memory.resolve(self.space.regs[base + operands[0] as usize]);
        (arg, block.counts[operands[1] as usize].clone())
    }

    /// The normal node of an iterated operand; nothing is marked as reduced.
    pub(super) fn iterated_operand(
        &mut self,
        block: &Block,
        symbol: SymbolId,
        args: u32,
        base: usize,
    ) -> Handle {
        let operands = &block.operands[args as usize..];
        let arg = self.space.memory.resolve(self.space.regs[base + operands[0] as usize]);
        let count = &block.counts[operands[1] as usize];
        if let (Some(n), Ok(m)) = (arg.as_nat(), u64::try_from(count)) {
            let sum = u64::from(n) + m;
            let succ = self.space.memory.immediate_numbers().map(|numbers| numbers.succ);
            if sum <= Handle::MAX_NAT && succ == Some(symbol) {
                return Handle::nat(sum as u32);
            }
        }
        self.space.memory.normal_iter(symbol, count.clone(), arg)
    }

    /// The normal node of an application to arguments in registers.
    pub(super) fn normal_operand(
        &mut self,
        block: &Block,
        symbol: SymbolId,
        args: u32,
        base: usize,
    ) -> Handle {
        let args = self.operand_terms(block, args, base);
        self.space.memory.normal_node(symbol, &args)
    }

    pub(super) fn raw_node(
        &mut self,
        block: &Block,
        symbol: SymbolId,
        args: u32,
        base: usize,
    ) -> Handle {
        let args = self.operand_terms(block, args, base);
        self.space.memory.raw_node(symbol, &args)
    }

    /// Marks a normal node as reduced and gives it its sort.
    pub(crate) fn finish_reduced(&mut self, node: Handle) {
        if !self.space.memory.is_reduced(node) {
            let sort = self.space.memory.declared_sort(node);
            self.space.memory.set_sort(node, sort);
            self.space.memory.set_reduced(node);
        }
    }

    /// What the redex becomes: the value beside what the match left over.
    pub(super) fn extend(&mut self, code: &TheoryCode, base: usize, src: u32) -> StepOutcome {
        let result = self.space.memory.resolve(self.space.regs[base + src as usize]);
        let top = self.machine.frames.pop().expect("code has a frame");
        let subject = self.space.memory.resolve(self.space.regs[base]);
        let left_over = self.space.memory.resolve(self.space.regs[base + 1]);
        let symbol = match top.trial {
            FrameTrial::Equations { symbol, .. } => symbol,
            _ => unreachable!("only equations leave something over"),
        };
        self.space.regs.truncate(base);
        match self.space.memory.core(symbol).shape {
            Shape::AssocComm => self.space.regs.extend([left_over, result]),
            Shape::Assoc => {
                let n = self.space.memory.n_args(subject);
                for i in 0..top.at as usize {
                    let arg = self.space.memory.arg(subject, i);
                    self.space.regs.push(arg);
                }
                self.space.regs.push(result);
                for i in top.to as usize..n {
                    let arg = self.space.memory.arg(subject, i);
                    self.space.regs.push(arg);
                }
            }
            _ => {
                let count = self.space.memory.count(left_over).into_owned();
                let node = self.space.memory.normal_iter(symbol, count, result);
                return self.begin_node(node);
            }
        }
        if !self.space.memory.core(symbol).eager {
            let args = self.space.regs.split_off(base);
            let node = self.space.memory.normal_node(symbol, &args);
            return self.begin_node(node);
        }
        self.apply(code, symbol, base)
    }
}
