//! The random numbers of all tests that make their cases themselves.
//!
//! A small generator of our own (splitmix64), so that a seed gives the same cases on every machine
//! and with every version of every library.

// Each test takes what it needs.
#![allow(dead_code)]

/// A stream of random numbers that a seed determines.
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Stream `index` of those with this name under this seed.
    pub fn stream(seed: u64, name: &str, index: u64) -> Random {
        let name = name
            .bytes()
            .fold(0u64, |hash, byte| hash.wrapping_mul(0x100_0000_01b3) ^ u64::from(byte));
        let mut random = Random(seed ^ name.rotate_left(17) ^ index.wrapping_mul(0x9e37_79b9));
        random.next();
        Random(random.next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is positive.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `items`, which are not empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Brings `items` into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
