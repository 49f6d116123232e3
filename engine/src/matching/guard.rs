//! Guards: conjuncts of a condition that may run as soon as their variables are bound.
//!
//! They are built by who compiles the condition, from builtin operators that nobody redefines; a
//! guard never builds a node and never reduces anything, and only a certain *no* has an effect.

use crate::heap::{Handle, Memory};
use crate::signature::Numbers;

/// A value that a guard compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operand {
    /// What a register holds.
    Slot(u32),
    /// A ground term in normal form, in the store or immediate.
    Constant(Handle),
}

/// A comparison of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// `_<_`.
    Less,
    /// `_<=_`.
    LessEqual,
}

/// A Boolean expression over registers and constants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Guard {
    /// `_==_` of normal terms; negate it for `_=/=_`.
    Equal(Operand, Operand),
    /// A comparison of numbers made of these constructors.
    Compare(Comparison, Numbers, Operand, Operand),
    /// All of them.
    And(Vec<Guard>),
    /// One of them.
    Or(Vec<Guard>),
    /// The opposite.
    Not(Box<Guard>),
}

/// What is known of a guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Yes,
    No,
    Unknown,
}

impl Guard {
    /// Appends the registers that the guard reads.
    pub(crate) fn collect_slots(&self, slots: &mut Vec<u32>) {
        let mut stack = vec![self];
        while let Some(guard) = stack.pop() {
            let operands: &[&Operand] = match guard {
                Guard::Equal(a, b) | Guard::Compare(_, _, a, b) => &[a, b],
                Guard::And(all) | Guard::Or(all) => {
                    stack.extend(all);
                    &[]
                }
                Guard::Not(inner) => {
                    stack.push(inner);
                    &[]
                }
            };
            for operand in operands {
                if let Operand::Slot(slot) = operand {
                    slots.push(*slot);
                }
            }
        }
    }

    /// What is known of the guard with the registers from `base` on; `NIL` is not known yet. Guards
    /// nest as deep as the user's conjunctions and disjunctions.
    pub(crate) fn verdict(&self, memory: &Memory, registers: &[Handle]) -> Verdict {
        self.verdict_of(memory, &|slot| registers[slot as usize])
    }

    /// The same with values from anywhere.
    pub(super) fn verdict_of(&self, memory: &Memory, register: &impl Fn(u32) -> Handle) -> Verdict {
        let value = |operand: &Operand| match operand {
            Operand::Slot(slot) => match register(*slot) {
                Handle::NIL => None,
                h => Some(memory.resolve(h)),
            },
            Operand::Constant(h) => Some(*h),
        };
        match self {
            Guard::Equal(a, b) => match (value(a), value(b)) {
                (Some(a), Some(b)) if memory.is_reduced(a) && memory.is_reduced(b) => {
                    Verdict::of(memory.equal(a, b))
                }
                _ => Verdict::Unknown,
            },
            Guard::Compare(comparison, numbers, a, b) => {
                let (Some(a), Some(b)) = (value(a), value(b)) else { return Verdict::Unknown };
                let order = match (a.as_nat(), b.as_nat()) {
                    (Some(a), Some(b)) => a.cmp(&b),
                    _ => {
                        let values =
                            (memory.integer_value(numbers, a), memory.integer_value(numbers, b));
                        let (Some(a), Some(b)) = values else { return Verdict::Unknown };
                        a.cmp(&b)
                    }
                };
                Verdict::of(match comparison {
                    Comparison::Less => order.is_lt(),
                    Comparison::LessEqual => order.is_le(),
                })
            }
            Guard::And(all) => {
                let mut verdict = Verdict::Yes;
                for guard in all {
                    match guard.verdict_of(memory, register) {
                        Verdict::No => return Verdict::No,
                        Verdict::Unknown => verdict = Verdict::Unknown,
                        Verdict::Yes => {}
                    }
                }
                verdict
            }
            Guard::Or(all) => {
                let mut verdict = Verdict::No;
                for guard in all {
                    match guard.verdict_of(memory, register) {
                        Verdict::Yes => return Verdict::Yes,
                        Verdict::Unknown => verdict = Verdict::Unknown,
                        Verdict::No => {}
                    }
                }
                verdict
            }
            Guard::Not(inner) => match inner.verdict_of(memory, register) {
                Verdict::Yes => Verdict::No,
                Verdict::No => Verdict::Yes,
                Verdict::Unknown => Verdict::Unknown,
            },
        }
    }
}

impl Verdict {
    fn of(holds: bool) -> Verdict {
        if holds { Verdict::Yes } else { Verdict::No }
    }
}
