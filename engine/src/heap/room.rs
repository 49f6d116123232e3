//! Room for long nodes. Between two safe points the heap grows by little but for nodes with very
//! many arguments: one step may make a list twice as long as all that there was. A computation for
//! which there is no room for such a node unwinds to where it began.

use super::Memory;
use super::layout::{HEAP_WORDS, STORE_WORDS};
use crate::limits::{Stop, unwind};

/// From so many words on (4 MB) a node is long.
const LONG: usize = 1 << 20;

impl Memory {
    /// Lets the heap grow to so many bytes, but no further than handles reach.
    pub(crate) fn set_room(&mut self, bytes: u64) {
        self.room = usize::try_from(bytes / 4).map_or(HEAP_WORDS, |words| words.min(HEAP_WORDS));
    }

    /// Makes room in the heap for a node of so many words, or unwinds.
    #[inline(always)]
    pub(super) fn make_room(&mut self, words: usize) {
        if words >= LONG {
            make_room(&mut self.heap, words, self.room);
        }
    }

    /// Makes room in the store for a node of so many words, or unwinds.
    pub(super) fn make_room_in_store(&mut self, words: usize) {
        if words >= LONG {
            make_room(self.store.words_mut(), words, STORE_WORDS);
        }
    }
}

#[cold]
fn make_room(arena: &mut Vec<u32>, words: usize, room: usize) {
    if arena.len() + words > room || arena.try_reserve(words).is_err() {
        unwind(Stop::Memory);
    }
}
