//! Numbers to decimal digits: halves of the digits are split off by powers of ten until a piece is
//! small. Dividing by a power costs two products, since its reciprocal is computed once.

use dashu_int::UBig;
use dashu_int::ops::BitTest;

use super::{n_words, product};
use crate::limits::{Limits, Stop};

/// Numbers of so many digits are written by the library.
const PIECE: usize = 50_000;
/// Reciprocals of so many words are computed by a division.
const SHORT: usize = 2_000;

/// The decimal digits of a number, if there is room for them and nobody interrupts.
pub fn decimal(n: &UBig, limits: &Limits) -> Result<String, Stop> {
    // log10(2) is a little less than 0.30103.
    let digits = n.bit_len() / 100_000 * 30_103 + n.bit_len() % 100_000 * 30_103 / 100_000 + 1;
    if digits > PIECE {
        limits.admit(4 * digits as u64)?;
    }
    in_pieces(n, digits, PIECE, limits)
}

/// The same with pieces of so many digits; the number has no more than `digits`.
pub(super) fn in_pieces(
    n: &UBig,
    digits: usize,
    piece: usize,
    limits: &Limits,
) -> Result<String, Stop> {
    let mut levels = 0;
    while digits.div_ceil(1 << levels) > piece {
        levels += 1;
    }
    let piece = digits.div_ceil(1 << levels);
    let mut powers: Vec<Power> = Vec::with_capacity(levels);
    for _ in 0..levels {
        let power = match powers.last() {
            Some(last) => product(&last.power, &last.power, limits)?,
            None => UBig::from(10u8).pow(piece),
        };
        powers.push(Power::new(power, limits)?);
    }
    let mut text = String::with_capacity(digits);
    write(n, &powers, piece, false, limits, &mut text)?;
    Ok(text)
}

/// Writes a number below the square of the last power; `padded`: with the zeros in front.
fn write(
    n: &UBig,
    powers: &[Power],
    piece: usize,
    padded: bool,
    limits: &Limits,
    text: &mut String,
) -> Result<(), Stop> {
    limits.go_on()?;
    let Some((power, below)) = powers.split_last() else {
        let digits = n.to_string();
        if padded {
            text.extend(std::iter::repeat_n('0', piece - digits.len()));
        }
        text.push_str(&digits);
        return Ok(());
    };
    let (high, low) = power.divide(n, limits)?;
    if high.is_zero() && !padded {
        return write(&low, below, piece, false, limits, text);
    }
    write(&high, below, piece, padded, limits, text)?;
    drop(high);
    write(&low, below, piece, true, limits, text)
}

/// A power of ten to divide by.
struct Power {
    power: UBig,
    /// About 2^(2b) divided by the power, which has b bits.
    reciprocal: UBig,
}

impl Power {
    fn new(power: UBig, limits: &Limits) -> Result<Power, Stop> {
        let reciprocal = reciprocal(&power, limits)?;
        Ok(Power { power, reciprocal })
    }

    /// Quotient and rest of a number below the square of the power.
    fn divide(&self, n: &UBig, limits: &Limits) -> Result<(UBig, UBig), Stop> {
        if *n < self.power {
            return Ok((UBig::ZERO, n.clone()));
        }
        let bits = self.power.bit_len();
        let mut quotient = product(&(n >> (bits - 1)), &self.reciprocal, limits)? >> (bits + 1);
        let mut taken = product(&quotient, &self.power, limits)?;
        // The estimate is wrong by a few at most.
        while taken > *n {
            quotient -= 1u8;
            taken -= &self.power;
        }
        let mut rest = n - taken;
        while rest >= self.power {
            quotient += 1u8;
            rest -= &self.power;
        }
        Ok((quotient, rest))
    }
}

/// About 2^(2b) divided by a number of b bits, by Newton's iteration; wrong by a few at most.
fn reciprocal(n: &UBig, limits: &Limits) -> Result<UBig, Stop> {
    let bits = n.bit_len();
    if n_words(n) <= SHORT {
        return Ok((UBig::ONE << (2 * bits)) / n);
    }
    let half = bits / 2 + 8;
    let start = reciprocal(&(n >> (bits - half)), limits)?;
    let square = product(&start, &start, limits)?;
    let excess = product(&square, n, limits)? >> (2 * half);
    Ok((start << (bits - half + 1)) - excess)
}
