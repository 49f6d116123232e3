//! Natural numbers and integers of any size (`docs/semantics.md` 16.2).

use std::borrow::Cow;

use dashu_int::ops::{Abs, BitTest, Gcd, UnsignedAbs};
use dashu_int::{IBig, Sign, UBig};

use super::BuiltinOp;
use crate::arithmetic::{divide, power, power_modulo, product};
use crate::heap::Handle;
use crate::id::SymbolId;
use crate::limits::{Limits, Stop, unwind};
use crate::worker::Worker;

/// Results of more bits than this are not computed: the term stays.
const MAX_BITS: usize = 1 << 33;
/// It is asked whether there is room for results of more bits than this.
const LARGE: usize = 1 << 20;

/// What a number function gives.
enum NumberResult {
    Number(IBig),
    Truth(bool),
}

impl Worker {
    /// The common case: two naturals below 2^32.
    #[inline(always)]
    pub(super) fn small_binary(
        &mut self,
        op: BuiltinOp,
        symbol: SymbolId,
        a: Handle,
        b: Handle,
    ) -> Option<Handle> {
        let (x, y) = (u64::from(a.as_nat()?), u64::from(b.as_nat()?));
        let number = match op {
            BuiltinOp::Add => x + y,
            BuiltinOp::Multiply => x * y,
            BuiltinOp::Sd => x.abs_diff(y),
            BuiltinOp::Subtract if x >= y => x - y,
            BuiltinOp::Quo => x.checked_div(y)?,
            BuiltinOp::Rem => x.checked_rem(y)?,
            BuiltinOp::Min => x.min(y),
            BuiltinOp::Max => x.max(y),
            BuiltinOp::Gcd if x > 0 => x.gcd(y),
            BuiltinOp::BitAnd => x & y,
            BuiltinOp::BitOr => x | y,
            BuiltinOp::BitXor => x ^ y,
            BuiltinOp::Less => return self.truth(symbol, x < y),
            BuiltinOp::LessEqual => return self.truth(symbol, x <= y),
            BuiltinOp::Greater => return self.truth(symbol, x > y),
            BuiltinOp::GreaterEqual => return self.truth(symbol, x >= y),
            BuiltinOp::Divides if x > 0 => return self.truth(symbol, y % x == 0),
            _ => return None,
        };
        let numbers = self.space.memory.core(symbol).numbers?;
        Some(self.space.memory.natural(&numbers, number))
    }

    /// A function of numbers of any size; `None` where it is not defined or an argument is no
    /// number.
    pub(super) fn number_function(
        &mut self,
        op: BuiltinOp,
        symbol: SymbolId,
        args: &[Handle],
    ) -> Option<Handle> {
        let memory = &self.space.memory;
        let numbers = memory.core(symbol).numbers?;
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(memory.integer_value(&numbers, arg)?);
        }
        match self.answer(op, &values)? {
            NumberResult::Truth(value) => self.truth(symbol, value),
            NumberResult::Number(number) => self.space.memory.integer(&numbers, number),
        }
    }

    /// Folds the numbers of a flat node into one, if there are two or more. What is left may be the
    /// number alone.
    pub(super) fn fold_numbers(&mut self, op: BuiltinOp, node: Handle) -> Option<Handle> {
        let memory = &self.space.memory;
        let symbol = memory.symbol(node);
        let numbers = memory.core(symbol).numbers?;
        let mut total: Option<Cow<'_, IBig>> = None;
        let mut found = 0u64;
        let mut rest = Vec::new();
        for place in 0..memory.n_args(node) {
            let arg = memory.arg(node, place);
            let times = memory.multiplicity(node, place);
            let Some(value) = memory.integer_value(&numbers, arg) else {
                rest.push((arg, times));
                continue;
            };
            found += u64::from(times);
            let value = self.repeated(op, value, times)?;
            total = Some(match total {
                None => value,
                Some(sum) => match self.answer(op, &[sum, value])? {
                    NumberResult::Number(number) => Cow::Owned(number),
                    NumberResult::Truth(_) => return None,
                },
            });
        }
        if found < 2 {
            return None;
        }
        let total = total?.into_owned();
        let number = self.space.memory.integer(&numbers, total)?;
        if rest.is_empty() {
            return Some(number);
        }
        rest.push((number, 1));
        Some(self.space.memory.normal_multiset(symbol, &rest))
    }

    /// The fold of a number with itself.
    fn repeated<'v>(
        &self,
        op: BuiltinOp,
        value: Cow<'v, IBig>,
        times: u32,
    ) -> Option<Cow<'v, IBig>> {
        let number = match op {
            _ if times == 1 => return Some(value),
            BuiltinOp::Add => self.answer(BuiltinOp::Multiply, &[value, number_of(times)])?,
            BuiltinOp::Multiply => self.answer(BuiltinOp::Power, &[value, number_of(times)])?,
            BuiltinOp::BitXor if times.is_multiple_of(2) => NumberResult::Number(IBig::ZERO),
            BuiltinOp::Gcd | BuiltinOp::Lcm => self.answer(BuiltinOp::Abs, &[value])?,
            _ => return Some(value),
        };
        match number {
            NumberResult::Number(number) => Some(Cow::Owned(number)),
            NumberResult::Truth(_) => None,
        }
    }

    /// What a function gives for numbers. Where there is no room for its result, or it is
    /// interrupted, the computation ends.
    fn answer(&self, op: BuiltinOp, values: &[Cow<'_, IBig>]) -> Option<NumberResult> {
        let limits = &self.space.limits;
        let bits = result_bits(op, values);
        if bits > LARGE {
            limits.admit((bits / 8) as u64).unwrap_or_else(|stop| unwind(stop));
        }
        answer(op, values, limits).unwrap_or_else(|stop| unwind(stop))
    }
}

fn number_of(n: u32) -> Cow<'static, IBig> {
    Cow::Owned(n.into())
}

/// About how many bits the result of a function has; 0 if it will not be computed.
fn result_bits(op: BuiltinOp, values: &[Cow<'_, IBig>]) -> usize {
    let bits = |at: usize| values[at].bit_len();
    let bounded = |bits: usize| if bits > MAX_BITS { 0 } else { bits };
    match op {
        BuiltinOp::Multiply | BuiltinOp::Lcm => bits(0) + bits(1),
        BuiltinOp::Power if bits(0) > 1 => {
            exponent(values).map_or(0, |n| bounded(n.saturating_mul(bits(0))))
        }
        BuiltinOp::ShiftLeft => exponent(values).map_or(0, |n| bounded(n.saturating_add(bits(0)))),
        _ => (0..values.len()).map(bits).max().unwrap_or(0),
    }
}

/// The second argument, if that may be an exponent.
fn exponent(values: &[Cow<'_, IBig>]) -> Option<usize> {
    usize::try_from(&*values[1]).ok()
}

/// What a function gives; nothing where it is not defined.
fn answer(
    op: BuiltinOp,
    values: &[Cow<'_, IBig>],
    limits: &Limits,
) -> Result<Option<NumberResult>, Stop> {
    let values: Vec<&IBig> = values.iter().map(|value| &**value).collect();
    let truth = |t| Ok(Some(NumberResult::Truth(t)));
    let number = match (op, &values[..]) {
        (BuiltinOp::Minus, [a]) if !is_positive(a) => -*a,
        (BuiltinOp::Abs, [a]) => (*a).abs(),
        (BuiltinOp::BitNot, [a]) => !*a,
        (BuiltinOp::Add, [a, b]) => *a + *b,
        (BuiltinOp::Subtract, [a, b]) => *a - *b,
        (BuiltinOp::Multiply, [a, b]) => {
            IBig::from_parts(a.sign() * b.sign(), product(&magnitude(a), &magnitude(b), limits)?)
        }
        (BuiltinOp::Sd, [a, b]) if !is_negative(a) && !is_negative(b) => (*a - *b).abs(),
        (BuiltinOp::Quo, [a, b]) if !b.is_zero() => {
            IBig::from_parts(a.sign() * b.sign(), divide(&magnitude(a), &magnitude(b), limits)?.0)
        }
        (BuiltinOp::Rem, [a, b]) if !b.is_zero() => {
            IBig::from_parts(a.sign(), divide(&magnitude(a), &magnitude(b), limits)?.1)
        }
        (BuiltinOp::Power, [a, b]) if !is_negative(b) => match raised(a, b, limits)? {
            Some(number) => number,
            None => return Ok(None),
        },
        (BuiltinOp::ModExp, [a, b, m]) if !is_negative(a) && !is_negative(b) && is_positive(m) => {
            power_modulo(&magnitude(a), &magnitude(b), &magnitude(m), limits)?.into()
        }
        (BuiltinOp::Gcd, [a, b]) => gcd(a, b).into(),
        (BuiltinOp::Lcm, [a, b]) if a.is_zero() || b.is_zero() => IBig::ZERO,
        (BuiltinOp::Lcm, [a, b]) => {
            let part = divide(&magnitude(a), &gcd(a, b), limits)?.0;
            product(&part, &magnitude(b), limits)?.into()
        }
        (BuiltinOp::Min, [a, b]) => (*a.min(b)).clone(),
        (BuiltinOp::Max, [a, b]) => (*a.max(b)).clone(),
        (BuiltinOp::BitXor, [a, b]) => *a ^ *b,
        (BuiltinOp::BitAnd, [a, b]) => *a & *b,
        (BuiltinOp::BitOr, [a, b]) => *a | *b,
        (BuiltinOp::ShiftRight, [a, b]) if !is_negative(b) => match usize::try_from(*b) {
            Ok(n) if n <= a.bit_len() => *a >> n,
            _ if is_negative(a) => IBig::NEG_ONE,
            _ => IBig::ZERO,
        },
        (BuiltinOp::ShiftLeft, [a, b]) if !is_negative(b) => match usize::try_from(*b) {
            _ if a.is_zero() => IBig::ZERO,
            Ok(n) if n.saturating_add(a.bit_len()) <= MAX_BITS => *a << n,
            _ => return Ok(None),
        },
        (BuiltinOp::Less, [a, b]) => return truth(a < b),
        (BuiltinOp::LessEqual, [a, b]) => return truth(a <= b),
        (BuiltinOp::Greater, [a, b]) => return truth(a > b),
        (BuiltinOp::GreaterEqual, [a, b]) => return truth(a >= b),
        (BuiltinOp::Divides, [a, b]) if !a.is_zero() => {
            return truth(divide(&magnitude(b), &magnitude(a), limits)?.1.is_zero());
        }
        _ => return Ok(None),
    };
    Ok(Some(NumberResult::Number(number)))
}

/// A power with an exponent that is not negative; nothing if it would have too many bits.
fn raised(a: &IBig, b: &IBig, limits: &Limits) -> Result<Option<IBig>, Stop> {
    let base = magnitude(a);
    let number = if base.bit_len() <= 1 {
        // 0 and 1 have powers of any exponent.
        if b.is_zero() { UBig::ONE } else { base.into_owned() }
    } else {
        match usize::try_from(b) {
            Ok(n) if n.saturating_mul(base.bit_len()) <= MAX_BITS => power(&base, n, limits)?,
            _ => return Ok(None),
        }
    };
    let odd = b.trailing_zeros() == Some(0);
    let sign = if odd { a.sign() } else { Sign::Positive };
    Ok(Some(IBig::from_parts(sign, number)))
}

fn is_negative(n: &IBig) -> bool {
    n.sign() == Sign::Negative
}

fn is_positive(n: &IBig) -> bool {
    !is_negative(n) && !n.is_zero()
}

/// The absolute value.
fn magnitude(n: &IBig) -> Cow<'_, UBig> {
    match n.as_ubig() {
        Some(magnitude) => Cow::Borrowed(magnitude),
        None => Cow::Owned(n.unsigned_abs()),
    }
}

/// The greatest common divisor; that of 0 and 0 is 0.
fn gcd(a: &IBig, b: &IBig) -> UBig {
    if a.is_zero() && b.is_zero() { UBig::ZERO } else { a.gcd(b) }
}
