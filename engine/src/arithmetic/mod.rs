//! Arithmetic on numbers of any size that can be stopped: what takes long is done in pieces, and
//! between two of them the caller is asked whether to go on.

mod decimal;
mod division;
mod power;
mod product;
mod transform;

use dashu_int::{UBig, Word};

pub use decimal::decimal;
pub(crate) use division::divide;
pub(crate) use power::{power, power_modulo};
pub(crate) use product::product;

/// The bits of a word.
const WORD_BITS: usize = Word::BITS as usize;

/// The number of words of a number.
fn n_words(n: &UBig) -> usize {
    n.as_words().len()
}

/// The words of a number from one place to before another, as a number; there may be fewer.
fn part(n: &UBig, from: usize, to: usize) -> UBig {
    let words = n.as_words();
    let to = to.min(words.len());
    UBig::from_words(&words[from.min(to)..to])
}

/// `high` shifted left by so many words, and `low`, which has no more words than that.
fn join(high: UBig, words: usize, low: UBig) -> UBig {
    (high << (words * WORD_BITS)) + low
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;
    use crate::limits::{Limits, Stop};

    /// A number of so many words, of no pattern.
    fn number(words: usize, seed: u64) -> UBig {
        let mut state = seed;
        let words: Vec<Word> = (0..words)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state as Word
            })
            .collect();
        UBig::from_words(&words)
    }

    #[test]
    fn large_products_are_products() {
        let mut tight = Limits::default();
        tight.set_memory(1 << 20, |_| (1 << 20) - 1);
        for (m, n) in [(1, 200_000), (4000, 4001), (4000, 9000), (3001, 40_000), (7000, 7000)] {
            let (a, b) = (number(m, 1), number(n, 2));
            for limits in [&Limits::default(), &tight] {
                assert_eq!(product(&a, &b, limits), Ok(&a * &b));
                assert_eq!(product(&a, &a, limits), Ok(&a * &a));
            }
        }
    }

    #[test]
    fn transforms_multiply_numbers_of_any_length() {
        for (m, n) in [(1, 1), (1, 5), (17, 19), (300, 301), (300, 900), (512, 512), (9000, 70)] {
            for (a, b) in [(number(m, 1), number(n, 2)), (ones(m), ones(n))] {
                let limits = &Limits::default();
                let (x, y) = (a.as_words(), b.as_words());
                assert_eq!(transform::product(x, y, limits), Ok(&a * &b));
                assert_eq!(transform::product(x, x, limits), Ok(&a * &a));
            }
        }
    }

    fn ones(words: usize) -> UBig {
        UBig::ones(words * WORD_BITS)
    }

    #[test]
    fn divisions_in_pieces_are_divisions() {
        for (m, n) in
            [(900, 300), (900, 899), (900, 500), (2000, 300), (300, 900), (1000, 260), (1000, 3)]
        {
            let (a, b) = (number(m, 3), number(n, 4));
            for b in [&b, &(UBig::ONE << (64 * n)), &((UBig::ONE << (64 * n + 7)) - UBig::ONE)] {
                for a in [&a, &(b * &a - UBig::ONE), &(b * &a)] {
                    let (quotient, rest) =
                        division::in_pieces(a, b, 100, &Limits::default()).expect("goes on");
                    assert!(rest < *b);
                    assert_eq!(quotient * b + rest, *a);
                }
            }
        }
    }

    #[test]
    fn powers_are_powers() {
        for (base, exponent) in [(3u32, 0usize), (3, 1), (12, 1000), (12, 3_000_000)] {
            let base = UBig::from(base);
            assert_eq!(power(&base, exponent, &Limits::default()), Ok(base.pow(exponent)));
        }
        let (base, exponent, modulus) = (number(3, 5), number(2, 6), number(2, 7));
        let slow = |modulus: &UBig| {
            let mut result = UBig::ONE % modulus;
            for at in (0..dashu_int::ops::BitTest::bit_len(&exponent)).rev() {
                result = &result * &result % modulus;
                if dashu_int::ops::BitTest::bit(&exponent, at) {
                    result = result * &base % modulus;
                }
            }
            result
        };
        for modulus in [&modulus, &(&modulus << 1), &UBig::from(2u8), &UBig::ONE] {
            let got = power_modulo(&base, &exponent, modulus, &Limits::default());
            assert_eq!(got, Ok(slow(modulus)));
        }
    }

    #[test]
    fn digits_in_pieces_are_digits() {
        let ten = UBig::from(10u8);
        let numbers = [
            number(1000, 10),
            number(999, 11),
            number(500, 12),
            ten.pow(20_000),
            ten.pow(20_000) - UBig::ONE,
            ten.pow(12_345) + UBig::ONE,
            UBig::from(7u8),
            UBig::ZERO,
        ];
        for n in numbers {
            for digits in [20_001, 30_000] {
                assert_eq!(
                    decimal::in_pieces(&n, digits, 300, &Limits::default()),
                    Ok(n.to_string())
                );
            }
        }
        let long = number(20_000, 13);
        assert_eq!(decimal(&long, &Limits::default()), Ok(long.to_string()));
    }

    #[test]
    fn what_takes_long_can_be_stopped() {
        let (a, b) = (number(2000, 8), number(1000, 9));
        let stop = &Limits::default();
        stop.interrupt().store(true, Ordering::Relaxed);
        let long = number(10_000, 14);
        assert_eq!(product(&long, &long, stop), Err(Stop::Interrupted));
        assert_eq!(division::in_pieces(&a, &b, 100, stop), Err(Stop::Interrupted));
        assert_eq!(power(&a, 100_000, stop), Err(Stop::Interrupted));
        assert_eq!(decimal::in_pieces(&a, 40_000, 300, stop), Err(Stop::Interrupted));
        assert_eq!(power_modulo(&a, &b, &b, stop), Err(Stop::Interrupted));
    }
}
