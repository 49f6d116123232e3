//! Natural numbers and integers of any size (`docs/semantics.md` 16.2).

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};

use super::BuiltinOp;
use crate::heap::Handle;
use crate::id::SymbolId;
use crate::worker::Worker;

/// Results of more bits than this are not computed: the term stays.
const MAX_BITS: u64 = 1 << 33;

/// What a number function gives.
enum NumberResult {
    Number(BigInt),
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
            BuiltinOp::Gcd => x.gcd(&y),
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
        let numbers = self.space.memory.core(symbol).numbers?;
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(self.space.memory.integer_value(&numbers, arg)?);
        }
        match answer(op, &values)? {
            NumberResult::Truth(value) => self.truth(symbol, value),
            NumberResult::Number(number) => self.space.memory.integer(&numbers, &number),
        }
    }

    /// Folds the numbers of a flat node into one, if there are two or more. What is left may be the
    /// number alone.
    pub(super) fn fold_numbers(&mut self, op: BuiltinOp, node: Handle) -> Option<Handle> {
        let symbol = self.space.memory.symbol(node);
        let numbers = self.space.memory.core(symbol).numbers?;
        let mut total: Option<BigInt> = None;
        let mut found = 0u64;
        let mut rest = Vec::new();
        for place in 0..self.space.memory.n_args(node) {
            let arg = self.space.memory.arg(node, place);
            let times = self.space.memory.multiplicity(node, place);
            let Some(value) = self.space.memory.integer_value(&numbers, arg) else {
                rest.push((arg, times));
                continue;
            };
            found += u64::from(times);
            let value = repeated(op, &value, times)?;
            total = Some(match total {
                None => value,
                Some(sum) => match answer(op, &[sum, value])? {
                    NumberResult::Number(number) => number,
                    NumberResult::Truth(_) => return None,
                },
            });
        }
        if found < 2 {
            return None;
        }
        let number = self.space.memory.integer(&numbers, &total?)?;
        if rest.is_empty() {
            return Some(number);
        }
        rest.push((number, 1));
        Some(self.space.memory.normal_multiset(symbol, &rest))
    }
}

/// The fold of a number with itself.
fn repeated(op: BuiltinOp, value: &BigInt, times: u32) -> Option<BigInt> {
    Some(match op {
        BuiltinOp::Add => value * times,
        BuiltinOp::Multiply => power(value, &times.into())?,
        BuiltinOp::BitXor if times.is_multiple_of(2) => BigInt::zero(),
        BuiltinOp::Gcd | BuiltinOp::Lcm if times > 1 => value.abs(),
        _ => value.clone(),
    })
}

fn answer(op: BuiltinOp, values: &[BigInt]) -> Option<NumberResult> {
    let number = |n| Some(NumberResult::Number(n));
    let truth = |t| Some(NumberResult::Truth(t));
    match (op, values) {
        (BuiltinOp::Minus, [a]) if !a.is_positive() => number(-a),
        (BuiltinOp::Abs, [a]) => number(a.abs()),
        (BuiltinOp::BitNot, [a]) => number(!a),
        (BuiltinOp::Add, [a, b]) => number(a + b),
        (BuiltinOp::Subtract, [a, b]) => number(a - b),
        (BuiltinOp::Multiply, [a, b]) => number(a * b),
        (BuiltinOp::Sd, [a, b]) if !a.is_negative() && !b.is_negative() => number((a - b).abs()),
        (BuiltinOp::Quo, [a, b]) if !b.is_zero() => number(a / b),
        (BuiltinOp::Rem, [a, b]) if !b.is_zero() => number(a % b),
        (BuiltinOp::Power, [a, b]) if !b.is_negative() => number(power(a, b.magnitude())?),
        (BuiltinOp::ModExp, [a, b, m])
            if !a.is_negative() && !b.is_negative() && m.is_positive() =>
        {
            number(a.modpow(b, m))
        }
        (BuiltinOp::Gcd, [a, b]) => number(a.gcd(b)),
        (BuiltinOp::Lcm, [a, b]) => {
            number(if a.is_zero() || b.is_zero() { BigInt::zero() } else { a.lcm(b).abs() })
        }
        (BuiltinOp::Min, [a, b]) => number(a.min(b).clone()),
        (BuiltinOp::Max, [a, b]) => number(a.max(b).clone()),
        (BuiltinOp::BitXor, [a, b]) => number(a ^ b),
        (BuiltinOp::BitAnd, [a, b]) => number(a & b),
        (BuiltinOp::BitOr, [a, b]) => number(a | b),
        (BuiltinOp::ShiftRight, [a, b]) if !b.is_negative() => number(match b.to_u64() {
            Some(n) if n <= a.bits() => a >> n,
            _ if a.sign() == Sign::Minus => BigInt::from(-1),
            _ => BigInt::zero(),
        }),
        (BuiltinOp::ShiftLeft, [a, b]) if !b.is_negative() => {
            if a.is_zero() {
                return number(BigInt::zero());
            }
            let n = b.to_u64()?;
            if n.checked_add(a.bits())? > MAX_BITS {
                return None;
            }
            number(a << n)
        }
        (BuiltinOp::Less, [a, b]) => truth(a < b),
        (BuiltinOp::LessEqual, [a, b]) => truth(a <= b),
        (BuiltinOp::Greater, [a, b]) => truth(a > b),
        (BuiltinOp::GreaterEqual, [a, b]) => truth(a >= b),
        (BuiltinOp::Divides, [a, b]) if !a.is_zero() => truth((b % a).is_zero()),
        _ => None,
    }
}

fn power(base: &BigInt, exponent: &BigUint) -> Option<BigInt> {
    if base.magnitude() <= &BigUint::from(1u32) {
        // 0, 1 and -1 have powers of any exponent.
        return Some(if exponent.is_zero() {
            1.into()
        } else if exponent.is_even() {
            base * base
        } else {
            base.clone()
        });
    }
    let n = exponent.to_u64()?;
    if n.checked_mul(base.bits())? > MAX_BITS {
        return None;
    }
    // Powers of two are shifts, which cost nothing beside multiplications.
    let twos = base.trailing_zeros().unwrap_or(0);
    let odd = base >> twos;
    Some(odd.pow(u32::try_from(n).ok()?) << (twos * n))
}
