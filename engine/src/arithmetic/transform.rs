//! Products of very large numbers, by number-theoretic transforms modulo 2^64 - 2^32 + 1.
//!
//! The factors are cut into coefficients of some twenty bits, so that no coefficient of the product
//! passes the prime. A transform of 2^k coefficients is the tree of rests modulo X^n - w: from the
//! rest modulo X^2n - w^2 the rests modulo X^n - w and X^n + w follow. The roots w that a level needs
//! are then the first ones of one table. Three such transforms behind a step of radix three serve
//! for lengths of 3 * 2^k. Subtrees fit into a cache from some size on.

use dashu_int::{UBig, Word};

use super::WORD_BITS;
use crate::limits::{Limits, Stop};

const PRIME: u64 = 0xffff_ffff_0000_0001;
/// 2^64 modulo the prime.
const EPSILON: u64 = 0xffff_ffff;
/// A generator of the multiplicative group.
const GENERATOR: u64 = 7;
/// Subtrees of so many coefficients are walked level by level: they fit into a cache.
const CACHED: usize = 1 << 14;
/// It is asked whether to go on at subtrees of so many coefficients.
const PATIENT: usize = 1 << 18;

#[inline(always)]
fn add(a: u64, b: u64) -> u64 {
    let (sum, over) = a.overflowing_add(b);
    let (sum, again) = sum.overflowing_add(if over { EPSILON } else { 0 });
    if again { sum + EPSILON } else { sum }
}

#[inline(always)]
fn sub(a: u64, b: u64) -> u64 {
    let (difference, under) = a.overflowing_sub(b);
    let (difference, again) = difference.overflowing_sub(if under { EPSILON } else { 0 });
    if again { difference - EPSILON } else { difference }
}

/// The product; like all numbers here it is below 2^64, not always below the prime.
#[inline(always)]
fn mul(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let (low, high) = (product as u64, (product >> 64) as u64);
    // 2^96 is -1, and 2^64 is 2^32 - 1.
    let (rest, under) = low.overflowing_sub(high >> 32);
    let rest = if under { rest.wrapping_sub(EPSILON) } else { rest };
    let (sum, over) = rest.overflowing_add((high & EPSILON) * EPSILON);
    if over { sum.wrapping_add(EPSILON) } else { sum }
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = mul(result, base);
        }
        base = mul(base, base);
        exponent >>= 1;
    }
    result
}

fn inverse(n: u64) -> u64 {
    power(n, PRIME - 2)
}

/// A primitive root of unity of an order that divides the prime less one.
fn root(order: u64) -> u64 {
    power(GENERATOR, (PRIME - 1) / order)
}

/// How a product is computed.
pub(super) struct Plan {
    /// The bits of a coefficient.
    bits: usize,
    /// The coefficients of a transform, or of each of three.
    n: usize,
    thirds: bool,
}

impl Plan {
    /// For factors of so many words.
    pub(super) fn new(a: usize, b: usize) -> Plan {
        let plan = |bits: usize| {
            let coefficients = |words: usize| (words * WORD_BITS).div_ceil(bits);
            let total = coefficients(a) + coefficients(b);
            let terms = coefficients(a.min(b)) as u128;
            let n = total.next_power_of_two();
            let thirds = n / 4 * 3 >= total && n >= 8;
            let plan = Plan { bits, n: if thirds { n / 4 } else { n }, thirds };
            (plan, terms << (2 * bits) < u128::from(PRIME))
        };
        let fits = (16..=24).rev().map(plan).find(|(_, fits)| *fits);
        fits.map_or_else(|| plan(16).0, |(plan, _)| plan)
    }

    /// All coefficients.
    fn length(&self) -> usize {
        if self.thirds { 3 * self.n } else { self.n }
    }

    /// The bytes that a product takes while it is computed.
    pub(super) fn bytes(&self) -> u64 {
        8 * (2 * self.length() + self.n / 2) as u64
    }
}

/// The product of two numbers given as words, the least first.
pub(super) fn product(a: &[Word], b: &[Word], limits: &Limits) -> Result<UBig, Stop> {
    let plan = Plan::new(a.len(), b.len());
    let roots = roots(plan.n / 2);
    let mut x = split(a, &plan);
    forward(&mut x, &plan, &roots, limits)?;
    if std::ptr::eq(a, b) {
        for x in &mut x {
            *x = mul(*x, *x);
        }
    } else {
        let mut y = split(b, &plan);
        forward(&mut y, &plan, &roots, limits)?;
        for (x, y) in x.iter_mut().zip(&y) {
            *x = mul(*x, *y);
        }
    }
    backward(&mut x, &plan, &roots, limits)?;
    drop(roots);
    Ok(UBig::from_words(&join(x, plan.bits, a.len() + b.len())))
}

/// The coefficients of a number, and zeros.
#[allow(clippy::unnecessary_cast, reason = "a word of the library may have 32 bits")]
fn split(words: &[Word], plan: &Plan) -> Vec<u64> {
    let mut coefficients = vec![0; plan.length()];
    let mask = (1u64 << plan.bits) - 1;
    let mut at = 0;
    let n = (words.len() * WORD_BITS).div_ceil(plan.bits);
    for coefficient in &mut coefficients[..n] {
        let (word, shift) = (at / WORD_BITS, at % WORD_BITS);
        let mut value = words[word] as u64 >> shift;
        if shift > WORD_BITS - plan.bits
            && let Some(next) = words.get(word + 1)
        {
            value |= (*next as u64) << (WORD_BITS - shift);
        }
        *coefficient = value & mask;
        at += plan.bits;
    }
    coefficients
}

/// The words of the number whose coefficients these are.
fn join(coefficients: Vec<u64>, bits: usize, n_words: usize) -> Vec<Word> {
    let mut words = Vec::with_capacity(n_words + 1);
    let (mut pending, mut n_pending) = (0u128, 0);
    for coefficient in coefficients {
        let value = if coefficient >= PRIME { coefficient - PRIME } else { coefficient };
        pending += u128::from(value) << n_pending;
        n_pending += bits;
        if n_pending >= WORD_BITS {
            words.push(pending as Word);
            pending >>= WORD_BITS;
            n_pending -= WORD_BITS;
            if words.len() == n_words {
                break;
            }
        }
    }
    words.push(pending as Word);
    words
}

/// The roots that stand in the tree, level by level: 1; i; the square root of i, and so on.
fn roots(n: usize) -> Vec<u64> {
    let mut roots = Vec::with_capacity(n.max(1));
    roots.push(1);
    let mut order = 4;
    while roots.len() < n {
        let step = root(order);
        for at in 0..roots.len() {
            roots.push(mul(roots[at], step));
        }
        order *= 2;
    }
    roots
}

fn forward(x: &mut [u64], plan: &Plan, roots: &[u64], limits: &Limits) -> Result<(), Stop> {
    if !plan.thirds {
        return down(x, 0, roots, limits);
    }
    let n = plan.n;
    let (third, step) = (root(3), root(3 * n as u64));
    let other = mul(third, third);
    let (first, rest) = x.split_at_mut(n);
    let (second, last) = rest.split_at_mut(n);
    let mut turn = 1;
    for at in 0..n {
        let (a, b, c) = (first[at], second[at], last[at]);
        first[at] = add(a, add(b, c));
        second[at] = mul(add(a, add(mul(b, third), mul(c, other))), turn);
        last[at] = mul(add(a, add(mul(b, other), mul(c, third))), mul(turn, turn));
        turn = mul(turn, step);
    }
    for part in [first, second, last] {
        down(part, 0, roots, limits)?;
    }
    Ok(())
}

fn backward(x: &mut [u64], plan: &Plan, roots: &[u64], limits: &Limits) -> Result<(), Stop> {
    let scale = inverse(plan.length() as u64);
    if !plan.thirds {
        up(x, 0, roots, limits)?;
        for x in x {
            *x = mul(*x, scale);
        }
        return Ok(());
    }
    let n = plan.n;
    let (first, rest) = x.split_at_mut(n);
    let (second, last) = rest.split_at_mut(n);
    for part in [&mut *first, &mut *second, &mut *last] {
        up(part, 0, roots, limits)?;
    }
    let (third, step) = (root(3), inverse(root(3 * n as u64)));
    let other = mul(third, third);
    let mut turn = 1;
    for at in 0..n {
        let a = mul(first[at], scale);
        let turned = mul(turn, scale);
        let (b, c) = (mul(second[at], turned), mul(last[at], mul(turn, turned)));
        first[at] = add(a, add(b, c));
        second[at] = add(a, add(mul(b, other), mul(c, third)));
        last[at] = add(a, add(mul(b, third), mul(c, other)));
        turn = mul(turn, step);
    }
    Ok(())
}

/// From the rest modulo X^n - w^2 to those modulo X - r, where `roots[at]` is w.
fn down(x: &mut [u64], at: usize, roots: &[u64], limits: &Limits) -> Result<(), Stop> {
    let n = x.len();
    if n > CACHED {
        if n >= PATIENT {
            limits.go_on()?;
        }
        quarter(x, at, roots);
        for (place, x) in x.chunks_exact_mut(n / 4).enumerate() {
            down(x, 4 * at + place, roots, limits)?;
        }
        return Ok(());
    }
    let (mut n_blocks, mut size) = (1, n);
    while size >= 4 {
        for (block, x) in x.chunks_exact_mut(size).enumerate() {
            quarter(x, at * n_blocks + block, roots);
        }
        n_blocks *= 4;
        size /= 4;
    }
    if size == 2 {
        for (block, x) in x.chunks_exact_mut(2).enumerate() {
            let (a, b) = (x[0], mul(x[1], roots[at * n_blocks + block]));
            (x[0], x[1]) = (add(a, b), sub(a, b));
        }
    }
    Ok(())
}

/// From the rests modulo X - r back to that modulo X^n - w^2, times n: the steps of `down` in
/// reverse.
fn up(x: &mut [u64], at: usize, roots: &[u64], limits: &Limits) -> Result<(), Stop> {
    let n = x.len();
    if n > CACHED {
        if n >= PATIENT {
            limits.go_on()?;
        }
        for (place, x) in x.chunks_exact_mut(n / 4).enumerate() {
            up(x, 4 * at + place, roots, limits)?;
        }
        unquarter(x, at, roots);
        return Ok(());
    }
    let (mut n_blocks, mut size) = (n, 1);
    if n.ilog2() % 2 == 1 {
        (n_blocks, size) = (n / 2, 2);
        for (block, x) in x.chunks_exact_mut(2).enumerate() {
            let (a, b) = (x[0], x[1]);
            (x[0], x[1]) = (add(a, b), mul(sub(a, b), inverse_root(at * n_blocks + block, roots)));
        }
    }
    while size < n {
        size *= 4;
        n_blocks /= 4;
        for (block, x) in x.chunks_exact_mut(size).enumerate() {
            unquarter(x, at * n_blocks + block, roots);
        }
    }
    Ok(())
}

/// Two levels of the tree at once.
#[inline(always)]
fn quarter(x: &mut [u64], at: usize, roots: &[u64]) {
    let n = x.len() / 4;
    let (first, left, right) = (roots[at], roots[2 * at], roots[2 * at + 1]);
    let (a, x) = x.split_at_mut(n);
    let (b, x) = x.split_at_mut(n);
    let (c, d) = x.split_at_mut(n);
    for at in 0..n {
        let (p, q) = (mul(c[at], first), mul(d[at], first));
        let (p, r) = (add(a[at], p), sub(a[at], p));
        let (q, s) = (add(b[at], q), sub(b[at], q));
        let (q, s) = (mul(q, left), mul(s, right));
        (a[at], b[at], c[at], d[at]) = (add(p, q), sub(p, q), add(r, s), sub(r, s));
    }
}

/// The way back from `quarter`, times 4.
#[inline(always)]
fn unquarter(x: &mut [u64], at: usize, roots: &[u64]) {
    let n = x.len() / 4;
    let first = inverse_root(at, roots);
    let (left, right) = (inverse_root(2 * at, roots), inverse_root(2 * at + 1, roots));
    let (a, x) = x.split_at_mut(n);
    let (b, x) = x.split_at_mut(n);
    let (c, d) = x.split_at_mut(n);
    for at in 0..n {
        let (p, q) = (add(a[at], b[at]), mul(sub(a[at], b[at]), left));
        let (r, s) = (add(c[at], d[at]), mul(sub(c[at], d[at]), right));
        (a[at], b[at]) = (add(p, r), add(q, s));
        (c[at], d[at]) = (mul(sub(p, r), first), mul(sub(q, s), first));
    }
}

/// The inverse of a root: the negative of the one at the mirrored place of its level.
#[inline(always)]
fn inverse_root(at: usize, roots: &[u64]) -> u64 {
    if at == 0 {
        return 1;
    }
    let level = 1 << at.ilog2();
    sub(0, roots[3 * level - 1 - at])
}
