//! Iteration counts of heap nodes that need more than 64 bits, in a table beside the heap.

use num_bigint::BigUint;

/// The counts, by the place that their nodes name.
#[derive(Default, Clone)]
pub(super) struct Bigs {
    counts: Vec<BigUint>,
    words: usize,
}

impl Bigs {
    /// Adds a count and returns its place.
    pub(super) fn push(&mut self, count: BigUint) -> u32 {
        let place = u32::try_from(self.counts.len()).expect("fewer than 2^32 big counts");
        self.words += size_of::<BigUint>() / 4 + count.bits().div_ceil(32) as usize;
        self.counts.push(count);
        place
    }

    /// The count at a place.
    pub(super) fn get(&self, place: u32) -> &BigUint {
        &self.counts[place as usize]
    }

    /// The words of memory that the counts take.
    #[inline(always)]
    pub(super) fn words(&self) -> usize {
        self.words
    }
}
