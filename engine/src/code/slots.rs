//! Registers of a statement's frame: one for each variable, others for what is in between.

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

    /// The register of a variable; a new one if it has none.
    pub(crate) fn slot(&mut self, variable: StaticId) -> u32 {
        if let Some(&register) = self.registers.get(&variable) {
            return register;
        }
        let register = self.fresh();
        self.registers.insert(variable, register);
        register
    }

    /// The register of a variable, if it has one.
    pub(crate) fn get(&self, variable: StaticId) -> Option<u32> {
        self.registers.get(&variable).copied()
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
