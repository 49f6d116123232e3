//! Products: of small numbers by the library, of large ones by transforms, and by Karatsuba's
//! recursion where there is no room for a transform.

use dashu_int::UBig;

use super::transform::{self, Plan};
use super::{WORD_BITS, join, n_words, part};
use crate::limits::{Limits, Stop};

/// Products by a number of so many words are the library's.
const SMALL: usize = 3_000;
/// A long number is multiplied by a small one so many words at a time.
const PIECE: usize = 1 << 16;
/// A number that is so many times longer than the other is cut into pieces.
const LONGER: usize = 4;

/// The product of two numbers.
pub(crate) fn product(a: &UBig, b: &UBig, limits: &Limits) -> Result<UBig, Stop> {
    let (a, b) = if n_words(a) < n_words(b) { (b, a) } else { (a, b) };
    let (long, short) = (n_words(a), n_words(b));
    if short <= SMALL && long <= PIECE {
        return Ok(if std::ptr::eq(a, b) { a.sqr() } else { a * b });
    }
    let piece = if short <= SMALL { PIECE } else { LONGER * short };
    if long > piece {
        return by_pieces(a, b, piece, limits);
    }
    limits.go_on()?;
    if limits.admit(Plan::new(long, short).bytes()).is_ok() {
        return transform::product(a.as_words(), b.as_words(), limits);
    }
    by_halves(a, b, limits)
}

/// The longer number piece by piece.
fn by_pieces(a: &UBig, b: &UBig, piece: usize, limits: &Limits) -> Result<UBig, Stop> {
    let mut words = Vec::with_capacity(n_words(a) + n_words(b));
    // The sum of what stands above the words that are known.
    let mut above = UBig::ZERO;
    for at in 0..n_words(a).div_ceil(piece) {
        limits.go_on()?;
        above += product(&part(a, at * piece, (at + 1) * piece), b, limits)?;
        let known = part(&above, 0, piece);
        words.extend_from_slice(known.as_words());
        words.resize((at + 1) * piece, 0);
        above >>= piece * WORD_BITS;
    }
    words.extend_from_slice(above.as_words());
    Ok(UBig::from_words(&words))
}

/// Karatsuba's recursion; the shorter number is at most `LONGER` times shorter.
fn by_halves(a: &UBig, b: &UBig, limits: &Limits) -> Result<UBig, Stop> {
    let (long, short) = (n_words(a), n_words(b));
    let half = long.div_ceil(2);
    let (a0, a1) = (part(a, 0, half), part(a, half, long));
    if short <= half {
        let (high, low) = (product(&a1, b, limits)?, product(&a0, b, limits)?);
        return Ok((high << (half * WORD_BITS)) + low);
    }
    let (b0, b1) = (part(b, 0, half), part(b, half, short));
    let (high, low) = (product(&a1, &b1, limits)?, product(&a0, &b0, limits)?);
    let middle = product(&(a0 + a1), &(b0 + b1), limits)? - &high - &low;
    Ok(join(high, 2 * half, low) + (middle << (half * WORD_BITS)))
}
