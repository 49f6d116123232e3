//! A small generator of numbers; the same in every run.

/// A stream of numbers that a seed determines.
pub struct Random(pub u64);

impl Random {
    /// A number below `n`, which is positive.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}
