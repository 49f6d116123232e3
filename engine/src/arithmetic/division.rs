//! Division with rest: the recursion of Burnikel and Ziegler (1998) over the library's divisions.

use dashu_int::UBig;
use dashu_int::ops::{BitTest, DivRem};

use super::{WORD_BITS, join, n_words, part, product};
use crate::limits::{Limits, Stop};

/// Divisors or quotients of so many words are divided in one piece: some tenths of a second.
const PIECE: usize = 1 << 15;

/// Quotient and rest; the divisor is not 0.
pub(crate) fn divide(a: &UBig, b: &UBig, limits: &Limits) -> Result<(UBig, UBig), Stop> {
    in_pieces(a, b, PIECE, limits)
}

/// The same, with pieces of so many words.
pub(super) fn in_pieces(
    a: &UBig,
    b: &UBig,
    piece: usize,
    limits: &Limits,
) -> Result<(UBig, UBig), Stop> {
    limits.go_on()?;
    if n_words(b) <= piece && n_words(a) <= 2 * piece || a < b {
        return Ok(a.div_rem(b));
    }
    // With the highest bit of the divisor set, an estimated quotient is wrong by two at most.
    let shift = (n_words(b) * WORD_BITS) - b.bit_len();
    let (a, b) = (a << shift, b << shift);
    let (quotient, rest) = long(&a, &b, piece, limits)?;
    Ok((quotient, rest >> shift))
}

/// Any number by one with its highest bit set: as many words of the quotient at a time as the
/// divisor has, or as are a piece.
fn long(a: &UBig, b: &UBig, piece: usize, limits: &Limits) -> Result<(UBig, UBig), Stop> {
    let n = n_words(b);
    let digit_words = n.max(piece);
    let n_digits = n_words(a).div_ceil(digit_words);
    let mut quotient = vec![0; n_digits * digit_words];
    let mut rest = UBig::ZERO;
    for at in (0..n_digits).rev() {
        let from = at * digit_words;
        let next = join(rest, digit_words, part(a, from, from + digit_words));
        let digit;
        (digit, rest) = if n <= piece {
            limits.go_on()?;
            next.div_rem(b)
        } else {
            short(&next, b, n, piece, limits)?
        };
        quotient[from..from + n_words(&digit)].copy_from_slice(digit.as_words());
    }
    Ok((UBig::from_words(&quotient), rest))
}

/// A division whose quotient has at most `m` words, which is no more than the divisor has.
fn short(
    a: &UBig,
    b: &UBig,
    m: usize,
    piece: usize,
    limits: &Limits,
) -> Result<(UBig, UBig), Stop> {
    limits.go_on()?;
    let n = n_words(b);
    if a < b || m <= piece && n <= 2 * piece {
        return Ok(a.div_rem(b));
    }
    if 2 * m > n {
        // The upper half of the quotient, then the lower one.
        let half = m / 2;
        let (high, rest) = short(&part(a, half, n_words(a)), b, m - half, piece, limits)?;
        let (low, rest) = short(&join(rest, half, part(a, 0, half)), b, half, piece, limits)?;
        return Ok((join(high, half, low), rest));
    }
    // The upper words decide, and the estimate is corrected by the lower ones.
    let below = n - m;
    let (top, divisor) = (part(a, below, n_words(a)), part(b, below, n));
    let (mut quotient, rest) = short(&top, &divisor, m, piece, limits)?;
    let mut rest = join(rest, below, part(a, 0, below));
    let taken = product(&quotient, &part(b, 0, below), limits)?;
    while rest < taken {
        quotient -= 1u8;
        rest += b;
    }
    Ok((quotient, rest - taken))
}
