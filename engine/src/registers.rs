//! The root stack: the registers of all frames, and handles that wait for a while. What stands on it
//! is live.

use std::ops::{Deref, DerefMut, Index, IndexMut};

use crate::heap::Handle;

/// So many registers are written at once when a frame is opened: most frames have no more, and a
/// write of fixed length costs less than a loop.
const BLOCK: usize = 8;

/// A stack of handles that grows by frames.
#[derive(Default)]
pub(crate) struct Registers {
    /// All places, also those that no frame uses.
    slots: Vec<Handle>,
    /// The places in use.
    top: usize,
}

impl Registers {
    /// How many registers there are.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.top
    }

    /// The places that memory is held for.
    #[cfg(test)]
    pub(crate) fn capacity(&self) -> usize {
        self.slots.capacity()
    }

    /// Opens `n` empty registers above all others; the first one.
    #[inline(always)]
    pub(crate) fn open(&mut self, n: usize) -> usize {
        self.open_with([Handle::NIL; BLOCK], n)
    }

    /// The same for the values of registers, of which the first may be given.
    #[inline(always)]
    fn open_with(&mut self, first: [Handle; BLOCK], n: usize) -> usize {
        let from = self.top;
        self.make_room(n);
        self.slots[from..from + BLOCK].copy_from_slice(&first);
        if n > BLOCK {
            self.slots[from + BLOCK..from + n].fill(Handle::NIL);
        }
        self.top = from + n;
        from
    }

    /// Opens `n` registers with what stands in those of a frame that `operands` lists, and behind
    /// them empty ones up to `room` in all; the first one.
    #[inline(always)]
    pub(crate) fn open_operands(&mut self, frame: usize, operands: &[u32], room: usize) -> usize {
        if operands.len() > BLOCK {
            return self.open_many(frame, operands, room);
        }
        let first = self.operands(frame, operands);
        self.open_with(first, room.max(operands.len()))
    }

    /// The same in the place of the frame, which is the last one and is given up.
    #[inline(always)]
    pub(crate) fn replace_frame(&mut self, frame: usize, operands: &[u32], room: usize) {
        if operands.len() > BLOCK {
            let from = self.open_many(frame, operands, room);
            self.slots.copy_within(from..self.top, frame);
            self.top -= from - frame;
            return;
        }
        let first = self.operands(frame, operands);
        self.top = frame;
        self.open_with(first, room.max(operands.len()));
    }

    #[inline(always)]
    fn operands(&self, frame: usize, operands: &[u32]) -> [Handle; BLOCK] {
        let mut first = [Handle::NIL; BLOCK];
        for (to, &register) in first.iter_mut().zip(operands) {
            *to = self.slots[frame + register as usize];
        }
        first
    }

    #[cold]
    fn open_many(&mut self, frame: usize, operands: &[u32], room: usize) -> usize {
        let from = self.open(room.max(operands.len()));
        for (i, &register) in operands.iter().enumerate() {
            self.slots[from + i] = self.slots[frame + register as usize];
        }
        from
    }

    /// Makes places for `n` more registers, and for a block behind them.
    #[inline(always)]
    fn make_room(&mut self, n: usize) {
        let end = self.top + n + BLOCK;
        if end > self.slots.len() {
            self.grow(end);
        }
    }

    #[cold]
    fn grow(&mut self, end: usize) {
        self.slots.reserve(end - self.slots.len());
        self.slots.resize(end.max(self.slots.capacity()), Handle::NIL);
    }

    /// Pushes a handle.
    #[inline(always)]
    pub(crate) fn push(&mut self, handle: Handle) {
        self.make_room(1);
        self.slots[self.top] = handle;
        self.top += 1;
    }

    /// Takes the last handle away.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<Handle> {
        self.top = self.top.checked_sub(1)?;
        Some(self.slots[self.top])
    }

    /// Pushes handles in order.
    pub(crate) fn extend(&mut self, handles: impl IntoIterator<Item = Handle>) {
        for handle in handles {
            self.push(handle);
        }
    }

    /// Pushes handles in order.
    pub(crate) fn extend_from_slice(&mut self, handles: &[Handle]) {
        self.make_room(handles.len());
        self.slots[self.top..self.top + handles.len()].copy_from_slice(handles);
        self.top += handles.len();
    }

    /// Gives up all registers but the first `n`.
    #[inline(always)]
    pub(crate) fn truncate(&mut self, n: usize) {
        self.top = self.top.min(n);
    }

    /// Makes the last frame begin at `base` and have `n` registers: those added are empty.
    #[inline(always)]
    pub(crate) fn resize_frame(&mut self, base: usize, n: usize) {
        match (base + n).checked_sub(self.top) {
            Some(more) => {
                self.open(more);
            }
            None => self.top = base + n,
        }
    }

    /// Takes the handles from `from` on away.
    pub(crate) fn split_off(&mut self, from: usize) -> Vec<Handle> {
        let handles = self[from..].to_vec();
        self.top = from;
        handles
    }
}

impl Deref for Registers {
    type Target = [Handle];

    #[inline(always)]
    fn deref(&self) -> &[Handle] {
        &self.slots[..self.top]
    }
}

impl DerefMut for Registers {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Handle] {
        &mut self.slots[..self.top]
    }
}

impl Index<usize> for Registers {
    type Output = Handle;

    #[inline(always)]
    fn index(&self, at: usize) -> &Handle {
        debug_assert!(at < self.top, "a register of no frame");
        &self.slots[at]
    }
}

impl IndexMut<usize> for Registers {
    #[inline(always)]
    fn index_mut(&mut self, at: usize) -> &mut Handle {
        debug_assert!(at < self.top, "a register of no frame");
        &mut self.slots[at]
    }
}

macro_rules! index_by_range {
    ($($range:ty),*) => {$(
        impl Index<$range> for Registers {
            type Output = [Handle];

            #[inline(always)]
            fn index(&self, range: $range) -> &[Handle] {
                &self.deref()[range]
            }
        }

        impl IndexMut<$range> for Registers {
            #[inline(always)]
            fn index_mut(&mut self, range: $range) -> &mut [Handle] {
                &mut self.deref_mut()[range]
            }
        }
    )*};
}

index_by_range!(std::ops::Range<usize>, std::ops::RangeFrom<usize>);

#[cfg(test)]
mod tests {
    use super::{BLOCK, Registers};
    use crate::heap::Handle;

    fn numbers(registers: &Registers) -> Vec<Option<u32>> {
        registers.iter().map(|handle| handle.as_nat()).collect()
    }

    #[test]
    fn frames_open_with_operands_and_empty_registers() {
        for n in [0, 1, 3, BLOCK, BLOCK + 1, 3 * BLOCK] {
            for room in [0, 1, n, n + 2, 5 * BLOCK] {
                let mut registers = Registers::default();
                registers.push(Handle::nat(7));
                let frame = registers.len();
                registers.extend((0..n as u32).map(Handle::nat));
                let operands: Vec<u32> = (0..n as u32).rev().collect();
                let from = registers.open_operands(frame, &operands, room);
                assert_eq!(from, frame + n);
                assert_eq!(registers.len(), from + room.max(n));
                let wanted = |at: usize| operands.get(at).copied();
                for at in from..registers.len() {
                    let is = registers[at];
                    let is = (is != Handle::NIL).then(|| is.as_nat().expect("a number"));
                    assert_eq!(is, wanted(at - from));
                }
                registers.truncate(from);
                registers.replace_frame(frame, &operands, room);
                assert_eq!(registers.len(), frame + room.max(n));
                let first = &numbers(&registers)[..frame + n];
                assert_eq!(first[0], Some(7));
                assert!(first[1..].iter().copied().eq(operands.iter().map(|&o| Some(o))));
                assert!(registers[frame + n..].iter().all(|&h| h == Handle::NIL));
            }
        }
    }

    #[test]
    fn registers_that_open_again_are_empty() {
        let mut registers = Registers::default();
        registers.extend((0..40).map(Handle::nat));
        registers.truncate(1);
        registers.resize_frame(1, 30);
        assert_eq!(registers.len(), 31);
        assert!(registers[1..].iter().all(|&handle| handle == Handle::NIL));
        registers.resize_frame(1, 2);
        assert_eq!(registers.len(), 3);
        assert_eq!(registers.split_off(1).len(), 2);
        assert_eq!(registers.pop(), Some(Handle::nat(0)));
        assert_eq!(registers.pop(), None);
    }
}
