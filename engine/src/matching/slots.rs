//! Registers of a statement's frame: one for each variable and for subterms of the left side that
//! are used again, others for what is in between.

use rustc_hash::FxHashMap;

use crate::id::StaticId;

/// The registers given out so far in a frame.
#[derive(Debug, Clone, Default)]
pub(crate) struct Slots {
    registers: FxHashMap<StaticId, u32>,
    len: u32,
}

impl Slots {
    /// No registers yet.
    pub(crate) fn new() -> Slots {
        Slots::default()
    }

    /// Slots behind `taken` registers that belong to others.
    pub(crate) fn behind(taken: u32) -> Slots {
        Slots { registers: FxHashMap::default(), len: taken }
    }

    /// The register of a variable; a new one if it has none.
    pub(crate) fn slot(&mut self, variable: StaticId) -> u32 {
        if let Some(&register) = self.registers.get(&variable) {
            return register;
        }
        let register = self.fresh();
        self.registers.insert(variable, register);
        register
    }

    /// Gives a variable or subterm a register that exists already.
    pub(crate) fn set(&mut self, term: StaticId, register: u32) {
        self.registers.insert(term, register);
    }

    /// The register of a variable or subterm, if it has one.
    pub(crate) fn get(&self, variable: StaticId) -> Option<u32> {
        self.registers.get(&variable).copied()
    }

    /// Variables and subterms with their registers, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (StaticId, u32)> + '_ {
        self.registers.iter().map(|(&term, &register)| (term, register))
    }

    /// A register that belongs to no variable.
    pub(crate) fn fresh(&mut self) -> u32 {
        self.len += 1;
        self.len - 1
    }

    /// The number of registers of the frame.
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }
}
