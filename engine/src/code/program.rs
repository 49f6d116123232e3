//! The compiled statements of a theory: code, decision trees and patterns in flat tables.

use dashu_int::UBig;

use super::ops::{Op, Operands, Pc, Reg};
use super::statements::Entry;
use super::tree::{Candidate, Case, Check, JumpTable, Tree, TreeStep};
use crate::id::SymbolId;
use crate::limits::{Limit, number};
use crate::matching::{Pattern, Slots};

/// Instructions with their operands.
#[derive(Default)]
pub(crate) struct Block {
    pub(crate) ops: Vec<Op>,
    pub(crate) operands: Vec<u32>,
    /// Iteration counts of instructions.
    pub(crate) counts: Vec<UBig>,
}

/// The compiled equations and memberships of a theory.
#[derive(Default)]
pub(crate) struct EquationalCode {
    pub(crate) block: Block,
    pub(crate) patterns: Vec<Pattern>,
    pub(crate) trees: Vec<Tree>,
    pub(crate) steps: Vec<TreeStep>,
    pub(crate) cases: Vec<Case>,
    pub(crate) tables: Vec<JumpTable>,
    /// The entries of all tables: numbers of cases.
    pub(crate) jumps: Vec<u32>,
    pub(crate) checks: Vec<Check>,
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) equations: Vec<EquationCode>,
    pub(crate) memberships: Vec<MembershipCode>,
    /// Where the code of each equation and membership begins, in this order, and its source.
    pub(crate) sources: Vec<(Pc, u32)>,
    /// Where the code of each statement begins, and the registers of its variables; of watched code.
    pub(crate) slots: Vec<(Pc, Slots)>,
}

/// A compiled equation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EquationCode {
    /// Condition, commit and right side.
    pub(crate) start: Pc,
    /// Registers of its frame.
    pub(crate) n_regs: u32,
    /// Registers that the left side sets; what follows is set by its code.
    pub(crate) n_slots: u32,
    /// What is left to match when the decision tree has done its part, or the whole left side.
    pub(crate) pattern: Option<u32>,
    /// Other matchers may be wanted when the condition fails.
    pub(crate) conditional: bool,
    /// Neither condition nor pattern, and nobody watches: once its checks pass it applies.
    pub(crate) plain: bool,
    /// Tried only when no other equation applies.
    pub(crate) owise: bool,
}

/// A compiled membership.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MembershipCode {
    /// Condition and commit.
    pub(crate) start: Pc,
    pub(crate) n_regs: u32,
    /// Registers that the left side sets.
    pub(crate) n_slots: u32,
    pub(crate) pattern: u32,
    pub(crate) conditional: bool,
    /// The sort index that it gives.
    pub(crate) sort: u16,
}

impl Block {
    /// Appends a list to the operands.
    pub(crate) fn list(&mut self, registers: &[Reg]) -> Operands {
        let at = number(self.operands.len(), Limit::Code);
        self.operands.push(registers.len() as u32);
        self.operands.extend_from_slice(registers);
        at
    }

    /// Appends the operands of a reduced node: its sort word, then a list.
    pub(crate) fn node(&mut self, sort: u32, registers: &[Reg]) -> Operands {
        self.operands.push(sort);
        self.list(registers) - 1
    }

    /// A list of operands.
    #[inline(always)]
    pub(crate) fn list_at(&self, at: Operands) -> &[Reg] {
        let n = self.operands[at as usize] as usize;
        &self.operands[at as usize + 1..][..n]
    }

    /// The operands of an iterated node: argument and count.
    pub(crate) fn iteration(&mut self, arg: Reg, count: &UBig) -> Operands {
        let at = number(self.operands.len(), Limit::Code);
        self.operands.extend([arg, self.counts.len() as u32]);
        self.counts.push(count.clone());
        at
    }

    /// Makes calls of symbols whose entries are trees go there at once, and joins what a frame returns
    /// with the instruction that makes it; `calls` has an entry for each symbol. What code jumps to
    /// stays where it is.
    pub(super) fn finish(&mut self, calls: &[Entry]) {
        let tree = |symbol: SymbolId| match calls.get(symbol.index()) {
            Some(&Entry::Tree(tree)) => Some(tree),
            _ => None,
        };
        for at in 0..self.ops.len() {
            let returned = match self.ops.get(at + 1) {
                Some(&Op::Return { src }) => Some(src),
                _ => None,
            };
            let finished = match self.ops[at] {
                Op::Call { dst, symbol, args } => {
                    tree(symbol).map(|tree| Op::CallTree { dst, tree, args })
                }
                Op::Tail { symbol, args } => tree(symbol).map(|tree| Op::TailTree { tree, args }),
                Op::Node { dst, symbol, args } if returned == Some(dst) => {
                    Some(Op::ReturnNode { symbol, args })
                }
                Op::Load { dst, value } if returned == Some(dst) => {
                    Some(Op::ReturnConstant { value })
                }
                _ => None,
            };
            if let Some(op) = finished {
                self.ops[at] = op;
            }
        }
    }

    /// Where the next instruction goes.
    pub(crate) fn here(&self) -> Pc {
        number(self.ops.len(), Limit::Code)
    }
}

impl EquationalCode {
    /// The source of the statement whose code an instruction belongs to.
    pub(crate) fn source_of(&self, pc: Pc) -> Option<u32> {
        self.statement_at(pc).map(|(_, source)| source)
    }

    /// Where the code of the statement begins that an instruction belongs to.
    pub(crate) fn start_of(&self, pc: Pc) -> Option<Pc> {
        self.statement_at(pc).map(|(start, _)| start)
    }

    fn statement_at(&self, pc: Pc) -> Option<(Pc, u32)> {
        let after = self.sources.partition_point(|&(start, _)| start <= pc);
        after.checked_sub(1).map(|at| self.sources[at])
    }

    /// The registers of the variables of the statement whose code begins at an instruction; of
    /// watched code.
    pub(crate) fn slots_of(&self, start: Pc) -> Option<&Slots> {
        let at = self.slots.binary_search_by_key(&start, |&(start, _)| start);
        at.ok().map(|at| &self.slots[at].1)
    }

    /// Ends the compilation if a table has more entries than numbers tell apart. Asked for each
    /// symbol, so that none of its numbers is used before.
    pub(super) fn check_sizes(&self) {
        let code = [self.block.ops.len(), self.block.operands.len(), self.block.counts.len()];
        let trees = [self.steps.len(), self.cases.len(), self.tables.len(), self.jumps.len()];
        let leaves = [self.checks.len(), self.candidates.len(), self.equations.len()];
        for n in [&code[..], &trees, &leaves].concat() {
            number(n, Limit::Code);
        }
    }

    /// Appends a pattern.
    pub(super) fn pattern(&mut self, pattern: Pattern) -> u32 {
        self.patterns.push(pattern);
        (self.patterns.len() - 1) as u32
    }
}
