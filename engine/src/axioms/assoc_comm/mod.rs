//! Associative and commutative symbols, with an identity or without (AC, ACU).

mod all;
mod first;
mod normal;
mod parts;

/// Where the words of a multiset under way are: its node, its subject's place and the number of
/// distinct arguments; what is left of each argument; two words for each alien; one for each
/// collector.
#[derive(Clone, Copy)]
struct Instance {
    at: usize,
    n: usize,
    n_aliens: usize,
}

impl Instance {
    #[inline(always)]
    fn amounts(self) -> usize {
        self.at + 3
    }

    #[inline(always)]
    fn alien(self, i: usize) -> usize {
        self.at + 3 + self.n + 2 * i
    }

    #[inline(always)]
    fn collector(self, i: usize) -> usize {
        self.at + 3 + self.n + 2 * self.n_aliens + i
    }
}
