//! Powers, by repeated squaring from the highest bit of the exponent.

use dashu_int::UBig;
use dashu_int::fast_div::ConstDivisor;
use dashu_int::ops::BitTest;

use super::product;
use crate::limits::{Limits, Stop};

/// The caller is asked after so many words of modular products.
const WORDS_BETWEEN_PAUSES: usize = 1 << 16;

/// Powers of so many bits are computed in one piece: a quarter of a second.
const SMALL: usize = 1 << 23;

/// A power.
pub(crate) fn power(base: &UBig, exponent: usize, limits: &Limits) -> Result<UBig, Stop> {
    if exponent.saturating_mul(base.bit_len()) <= SMALL {
        limits.go_on()?;
        return Ok(base.pow(exponent));
    }
    // Powers of two are shifts, which cost nothing beside products.
    let twos = base.trailing_zeros().unwrap_or(0);
    let odd = base >> twos;
    let mut result = UBig::ONE;
    for at in (0..exponent.bit_len()).rev() {
        result = product(&result, &result, limits)?;
        if exponent.bit(at) {
            result = product(&result, &odd, limits)?;
        }
    }
    Ok(result << (twos * exponent))
}

/// A power modulo a number that is not 0.
pub(crate) fn power_modulo(
    base: &UBig,
    exponent: &UBig,
    modulus: &UBig,
    limits: &Limits,
) -> Result<UBig, Stop> {
    limits.go_on()?;
    let ring = ConstDivisor::new(modulus.clone());
    let base = ring.reduce(base.clone());
    let mut result = ring.reduce(UBig::ONE);
    let mut words = 0;
    for at in (0..exponent.bit_len()).rev() {
        words += modulus.as_words().len();
        if words >= WORDS_BETWEEN_PAUSES {
            words = 0;
            limits.go_on()?;
        }
        result = result.sqr();
        if exponent.bit(at) {
            result *= &base;
        }
    }
    Ok(result.residue())
}
