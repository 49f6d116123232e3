//! The compiled statements of a theory: code, decision trees and patterns in flat tables.

use num_bigint::BigUint;

use super::ops::{Op, Operands, Pc, Reg};
use super::statements::Entry;
use super::tree::{Candidate, Case, Check, JumpTable, Tree, TreeStep};
use crate::matching::Pattern;

/// Instructions with their operands.
#[derive(Default)]
pub(crate) struct Block {
    pub(crate) ops: Vec<Op>,
    pub(crate) operands: Vec<u32>,
    /// Iteration counts of instructions.
    pub(crate) counts: Vec<BigUint>,
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
    /// Neither condition nor pattern: once its checks pass it applies.
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
        let at = u32::try_from(self.operands.len()).expect("fewer than 2^32 operands");
        self.operands.push(registers.len() as u32);
        self.operands.extend_from_slice(registers);
        at
    }

    /// The operands of an iterated node: argument and count.
    pub(crate) fn iteration(&mut self, arg: Reg, count: &BigUint) -> Operands {
        let at = u32::try_from(self.operands.len()).expect("fewer than 2^32 operands");
        self.operands.extend([arg, self.counts.len() as u32]);
        self.counts.push(count.clone());
        at
    }

    /// Makes calls of symbols whose entries are trees go there at once; `calls` has an entry for each
    /// symbol.
    pub(super) fn resolve_calls(&mut self, calls: &[Entry]) {
        for op in &mut self.ops {
            let symbol = match *op {
                Op::Call { symbol, .. } | Op::Tail { symbol, .. } => symbol,
                _ => continue,
            };
            if let Some(&Entry::Tree(tree)) = calls.get(symbol.index()) {
                *op = match *op {
                    Op::Call { dst, args, .. } => Op::CallTree { dst, tree, args },
                    Op::Tail { args, .. } => Op::TailTree { tree, args },
                    other => other,
                };
            }
        }
    }

    /// Where the next instruction goes.
    pub(crate) fn here(&self) -> Pc {
        u32::try_from(self.ops.len()).expect("fewer than 2^32 instructions")
    }
}

impl EquationalCode {
    /// Appends a pattern.
    pub(super) fn pattern(&mut self, pattern: Pattern) -> u32 {
        self.patterns.push(pattern);
        (self.patterns.len() - 1) as u32
    }
}
