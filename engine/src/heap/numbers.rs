//! Numbers as terms: naturals are `s_^n(0)`, small ones immediate; a negative integer is `-_` of a
//! positive one.

use std::borrow::Cow;

use dashu_int::{IBig, Sign, UBig};

use super::{Handle, Memory, flag};
use crate::signature::Numbers;

impl Memory {
    /// Makes the small naturals of these constructors immediate (`None`: of none); done once. The
    /// constructors must have no statements on top of a left side.
    pub(crate) fn use_numbers(&mut self, numbers: Option<Numbers>) {
        self.numbers = numbers;
        let Some(numbers) = numbers else { return };
        self.cores[numbers.zero.index()].immediate = Handle::nat(0);
        let mut sort = self.core(numbers.zero).constant_sort;
        loop {
            self.nat_sorts.push(sort);
            sort = self.unary_sort(self.core(numbers.succ), sort);
            if let Some(at) = self.nat_sorts.iter().position(|&s| s == sort) {
                self.nat_cycle = at;
                return;
            }
        }
    }

    /// The immediate constructors in use.
    pub(crate) fn immediate_numbers(&self) -> Option<Numbers> {
        self.numbers
    }

    /// A natural number, normal and reduced.
    pub(crate) fn natural(&mut self, numbers: &Numbers, n: u64) -> Handle {
        if n <= Handle::MAX_NAT && self.numbers == Some(*numbers) {
            return Handle::nat(n as u32);
        }
        let zero = self.constant(numbers.zero);
        self.finish_constant(zero);
        if n == 0 {
            return zero;
        }
        let node = self.small_iter_node(numbers.succ, flag::REDUCED, n, zero);
        self.set_sort(node, self.declared_sort(node));
        node
    }

    /// A natural number of any size, normal and reduced.
    pub(crate) fn big_natural(&mut self, numbers: &Numbers, n: UBig) -> Handle {
        if let Ok(n) = u64::try_from(&n) {
            return self.natural(numbers, n);
        }
        let zero = self.natural(numbers, 0);
        let node = self.iter_node(numbers.succ, flag::REDUCED, n, zero);
        self.set_sort(node, self.declared_sort(node));
        node
    }

    /// An integer, normal and reduced; `None` if it is negative and there is no `-_`.
    pub(crate) fn integer(&mut self, numbers: &Numbers, n: IBig) -> Option<Handle> {
        let (sign, magnitude) = n.into_parts();
        let natural = self.big_natural(numbers, magnitude);
        if sign == Sign::Positive {
            return Some(natural);
        }
        let node = self.fixed_node(numbers.minus?, flag::REDUCED, &[natural]);
        self.set_sort(node, self.declared_sort(node));
        Some(node)
    }

    fn finish_constant(&mut self, h: Handle) {
        if self.known_sort(h).is_none() {
            self.set_sort(h, self.declared_sort(h));
            self.set_reduced(h);
        }
    }

    /// The value of a natural number of 64 bits.
    #[inline(always)]
    pub(crate) fn small_natural(&self, numbers: &Numbers, h: Handle) -> Option<u64> {
        if let Some(n) = h.as_nat() {
            return Some(u64::from(n));
        }
        let symbol = self.symbol(h);
        if symbol == numbers.zero {
            return Some(0);
        }
        if symbol != numbers.succ || self.symbol(self.arg(h, 0)) != numbers.zero {
            return None;
        }
        self.small_count(h)
    }

    /// The value of a natural number.
    pub(crate) fn natural_value(&self, numbers: &Numbers, h: Handle) -> Option<Cow<'_, UBig>> {
        if let Some(n) = self.small_natural(numbers, h) {
            return Some(Cow::Owned(n.into()));
        }
        if self.symbol(h) != numbers.succ || self.symbol(self.arg(h, 0)) != numbers.zero {
            return None;
        }
        Some(self.count(h))
    }

    /// The value of an integer.
    pub(crate) fn integer_value(&self, numbers: &Numbers, h: Handle) -> Option<Cow<'_, IBig>> {
        match self.natural_value(numbers, h) {
            Some(Cow::Borrowed(n)) => return Some(Cow::Borrowed(n.as_ibig())),
            Some(Cow::Owned(n)) => return Some(Cow::Owned(n.into())),
            None => {}
        }
        if Some(self.symbol(h)) != numbers.minus {
            return None;
        }
        let n = self.natural_value(numbers, self.fixed_arg(h, 0))?;
        if n.is_zero() { None } else { Some(Cow::Owned(-IBig::from(n.into_owned()))) }
    }
}
