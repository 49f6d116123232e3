//! The normal form of AC and ACU nodes: flat, sorted, with multiplicities, without identities.
//!
//! Arguments that are normal nodes of the same symbol are sorted runs already; runs are merged
//! pairwise, and a short run goes into a long one by binary search, so adding an element to a soup
//! costs its place, not a sort.

use std::cmp::Ordering;

use crate::heap::{Handle, Memory};
use crate::id::SymbolId;
use crate::term::{product, sum};

/// An argument and how often it occurs.
pub(crate) type Element = (Handle, u32);

impl Memory {
    /// The normal term of an AC symbol over normal arguments with multiplicities.
    pub(crate) fn normal_multiset(&mut self, symbol: SymbolId, args: &[Element]) -> Handle {
        let identity = self.core(symbol).identity;
        let mut runs: Vec<Vec<Element>> = Vec::new();
        let mut singles: Vec<Element> = Vec::new();
        let mut whole = None;
        for &(arg, m) in args {
            let arg = self.resolve(arg);
            if arg == identity || identity.is_node() && self.equal(arg, identity) {
                continue;
            }
            if arg.is_node() && self.symbol(arg) == symbol {
                let run = self.elements(arg).iter();
                let times = |(element, n)| (self.resolve(element), product(n, m));
                runs.push(run.map(times).collect());
                whole = if m == 1 { Some(arg) } else { None };
            } else {
                singles.push((arg, m));
            }
        }
        if let Some(whole) = whole
            && runs.len() == 1
            && singles.is_empty()
        {
            return whole;
        }
        singles.sort_by(|a, b| self.compare(a.0, b.0));
        self.merge_equal(&mut singles);
        runs.sort_by_key(Vec::len);
        let mut runs = runs.into_iter();
        let mut all = singles;
        for run in &mut runs {
            all = self.merge(all, run);
        }
        match all[..] {
            // Of identities only the first is kept.
            [] => args.first().map_or(identity, |&(arg, _)| self.resolve(arg)),
            [(only, 1)] => only,
            _ => self.multiset_node(symbol, 0, all.into_iter()),
        }
    }

    /// The normal AC node of two arguments, if it has just these.
    pub(super) fn normal_pair(&mut self, symbol: SymbolId, a: Handle, b: Handle) -> Option<Handle> {
        let (a, b) = (self.resolve(a), self.resolve(b));
        if self.core(symbol).identity != Handle::NIL
            || self.symbol(a) == symbol
            || self.symbol(b) == symbol
        {
            return None;
        }
        Some(match self.compare(a, b) {
            Ordering::Less => self.pair_node(symbol, a, b),
            Ordering::Equal => self.double_node(symbol, a),
            Ordering::Greater => self.pair_node(symbol, b, a),
        })
    }

    fn merge_equal(&self, sorted: &mut Vec<Element>) {
        sorted.dedup_by(|next, kept| {
            let same = self.equal(next.0, kept.0);
            if same {
                kept.1 = sum(kept.1, next.1);
            }
            same
        });
    }

    /// Merges two sorted runs.
    fn merge(&self, a: Vec<Element>, b: Vec<Element>) -> Vec<Element> {
        let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
        if short.is_empty() {
            return long;
        }
        let mut merged = Vec::with_capacity(short.len() + long.len());
        if short.len() * 8 < long.len() {
            let mut from = 0;
            for (x, m) in short {
                let place = from + self.rank_from(&long[from..], x);
                merged.extend_from_slice(&long[from..place]);
                from = place;
                match long.get(place) {
                    Some(&(y, n)) if self.equal(x, y) => {
                        merged.push((y, sum(m, n)));
                        from += 1;
                    }
                    _ => merged.push((x, m)),
                }
            }
            merged.extend_from_slice(&long[from..]);
            return merged;
        }
        let (mut i, mut j) = (0, 0);
        while i < short.len() && j < long.len() {
            match self.compare(short[i].0, long[j].0) {
                Ordering::Less => {
                    merged.push(short[i]);
                    i += 1;
                }
                Ordering::Greater => {
                    merged.push(long[j]);
                    j += 1;
                }
                Ordering::Equal => {
                    merged.push((long[j].0, sum(short[i].1, long[j].1)));
                    i += 1;
                    j += 1;
                }
            }
        }
        merged.extend_from_slice(&short[i..]);
        merged.extend_from_slice(&long[j..]);
        merged
    }

    /// The number of elements of a sorted run that are before `x`.
    fn rank_from(&self, run: &[Element], x: Handle) -> usize {
        run.partition_point(|&(y, _)| self.compare(y, x).is_lt())
    }

    /// The part of a normal AC node that takes `amounts` of its elements by rank, as a term: the
    /// identity, the element itself, or a new normal node with `flags` and no sort yet.
    pub(crate) fn selection(
        &mut self,
        symbol: SymbolId,
        subject: Handle,
        amounts: &[u32],
        flags: u32,
    ) -> Handle {
        let taken = amounts.iter().filter(|&&n| n > 0).count();
        match taken {
            0 => self.core(symbol).identity,
            1 if let Some(rank) = amounts.iter().position(|&n| n == 1) => self.arg(subject, rank),
            _ => {
                let part = self.multiset_part(symbol, subject, amounts);
                self.set_flag(part, flags);
                part
            }
        }
    }
}
