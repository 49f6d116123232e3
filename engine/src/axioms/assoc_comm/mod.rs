//! Associative and commutative symbols, with an identity or without (AC, ACU).

mod normal;
