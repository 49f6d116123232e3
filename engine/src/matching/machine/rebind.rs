//! Variables that take an iterate of the subject under extension.
//!
//! Maude binds such a variable when the task is solved, whatever its value was before, and does not
//! take the value back when it goes on to another one: so `Q Q` matches `s(a)` by collapse and with
//! extension, where the first `Q` takes `s(a)` and the second one the identity. The value goes when
//! a binding is taken back that a possibility around had made to the same variable.
//!
//! Such values are kept apart from the registers, which hold what the first phase bound, until a
//! matcher is complete.

use super::{Mark, MatchRun, WORD};
use crate::heap::Handle;

impl MatchRun<'_> {
    /// Gives a variable a value, whatever its value was before.
    pub(crate) fn rebind(&mut self, slot: u32, value: Handle) {
        let rebound = &mut self.matcher.rebound;
        match rebound.iter_mut().find(|entry| entry.0 == slot) {
            Some(entry) => entry.1 = value,
            None => rebound.push((slot, value)),
        }
    }

    /// Whether no variable has been rebound with another value than it was bound to. Maude takes
    /// such a match, too, but pattern and subject are not equal then.
    #[inline(always)]
    pub(super) fn agrees_with_itself(&self) -> bool {
        self.matcher.rebound.iter().all(|&(slot, value)| {
            let bound = self.value(slot);
            bound == Handle::NIL || self.space.memory.equal(bound, self.space.memory.resolve(value))
        })
    }

    /// Puts the values into the registers, or what was there before.
    #[inline(always)]
    pub(in crate::matching) fn exchange(&mut self, into_registers: bool) {
        if self.matcher.exchanged == into_registers || self.matcher.rebound.is_empty() {
            return;
        }
        self.matcher.exchanged = into_registers;
        for (slot, value) in &mut self.matcher.rebound {
            std::mem::swap(value, &mut self.space.regs[self.base + *slot as usize]);
        }
    }

    /// Bindings made since the mark are being taken back, and with them what overwrote them.
    #[inline(always)]
    pub(super) fn forget_overwritten(&mut self, mark: Mark) {
        if self.matcher.rebound.is_empty() {
            return;
        }
        for i in mark.trail as usize..self.matcher.trail.len() {
            let slot = self.matcher.trail[i].0;
            if slot & WORD == 0 {
                self.matcher.rebound.retain(|entry| entry.0 != slot);
            }
        }
    }

    /// Whether nothing bound since the mark contradicts a value that has rebound another.
    #[inline(always)]
    pub(super) fn agrees_with_rebound(&self, mark: Mark) -> bool {
        self.matcher.rebound.is_empty()
            || self.matcher.trail[mark.trail as usize..]
                .iter()
                .all(|&(slot, _)| slot & WORD != 0 || self.may_get(slot, self.value(slot)))
    }

    /// Whether a variable has not been rebound with another value.
    pub(super) fn may_get(&self, slot: u32, value: Handle) -> bool {
        let rebound = self.matcher.rebound.iter().find(|entry| entry.0 == slot);
        rebound
            .is_none_or(|entry| self.space.memory.equal(self.space.memory.resolve(entry.1), value))
    }
}
