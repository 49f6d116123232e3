//! Associative and commutative symbols, with an identity or without (AC, ACU).

mod all;
mod distribution;
mod few;
mod first;
mod fixed;
mod parts;
mod scan;

pub(crate) use few::FewArguments;
pub(crate) use fixed::FixedSet;

/// Where the words of a multiset under way are: its node, its subject's place and the number of
/// distinct arguments; what is left of each argument; for each variable whether it was unbound;
/// then those of each alien.
#[derive(Clone, Copy)]
struct Instance {
    at: usize,
    n: usize,
    n_variables: usize,
}

/// Words of an alien: where its loop begins (`NONE` if it is propagated) and what had been bound by
/// then; the ranks of its operator; how often its loop was entered.
const START: usize = 0;
const THEN: usize = 1;
const FROM: usize = 2;
const TO: usize = 3;
const ENTERED: usize = 4;
/// Behind them, in large subjects: one bit for each argument that it may match.
const POSSIBLE: usize = 5;

/// Subjects with more arguments than this are large.
const SMALL: usize = 8;

impl Instance {
    #[inline(always)]
    fn amounts(self) -> usize {
        self.at + 3
    }

    #[inline(always)]
    fn variable(self, i: usize) -> usize {
        self.at + 3 + self.n + i
    }

    #[inline(always)]
    fn alien(self, i: usize) -> usize {
        self.at + 3 + self.n + self.n_variables + self.alien_words() * i
    }

    #[inline(always)]
    fn alien_words(self) -> usize {
        POSSIBLE + if self.n > SMALL { self.n.div_ceil(32) } else { 0 }
    }
}
