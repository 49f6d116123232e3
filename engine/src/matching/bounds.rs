//! Bounds of sorts: how many arguments a term headed by an assoc operator can have and still be of
//! a sort, by the declarations (`docs/semantics.md` 3.5), or any number by memberships.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::id::{SortId, SymbolId};
use crate::signature::Signature;

/// No largest number.
pub(crate) const UNBOUNDED: u32 = u32::MAX;

/// The sorts that memberships may give to terms headed by an operator.
pub(crate) type MembershipSorts = FxHashMap<SymbolId, Vec<MembershipSort>>;

/// A sort that a membership gives.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MembershipSort {
    pub(crate) given: u16,
    /// The sort that a term must have before, if the left side is a variable.
    pub(crate) only_of: Option<u16>,
}

/// Bounds computed so far, by operator and sort index.
pub(super) struct Bounds {
    known: FxHashMap<SymbolId, Vec<u32>>,
    memberships: Arc<MembershipSorts>,
}

impl Bounds {
    /// No bound is known.
    pub(super) fn new(memberships: &Arc<MembershipSorts>) -> Bounds {
        Bounds { known: FxHashMap::default(), memberships: Arc::clone(memberships) }
    }

    /// The bound of a sort for an operator; `UNBOUNDED` if there is none.
    pub(super) fn bound(&mut self, signature: &Signature, op: SymbolId, sort: SortId) -> u32 {
        let memberships = &self.memberships;
        let bounds = self.known.entry(op).or_insert_with(|| {
            let mut bounds = all_bounds(signature, op);
            let kind = signature.kind(signature.symbol(op).range);
            let mut waiting = memberships.get(&op).cloned().unwrap_or_default();
            // What is said of all terms of a sort applies to a list only if a list can have it.
            loop {
                let several =
                    |m: &MembershipSort| m.only_of.is_none_or(|sort| bounds[usize::from(sort)] > 1);
                let (apply, others): (Vec<_>, Vec<_>) = waiting.into_iter().partition(several);
                for membership in &apply {
                    let above = |sort: usize| kind.leq(membership.given, sort as u16);
                    let above = bounds.iter_mut().enumerate().filter(|b| above(b.0));
                    above.for_each(|(_, bound)| *bound = UNBOUNDED);
                }
                if apply.is_empty() {
                    break bounds;
                }
                waiting = others;
            }
        });
        bounds[usize::from(sort.index)]
    }
}

fn all_bounds(signature: &Signature, op: SymbolId) -> Vec<u32> {
    let sorts = signature.sorts(op);
    let kind = signature.kind(signature.symbol(op).range);
    let n = kind.len();
    // Sorts that a term of 1, 2, ... arguments can have, until a set comes again.
    let mut singles = FixedBitSet::with_capacity(n);
    singles.insert_range(..);
    let mut levels = vec![singles];
    let cycle = loop {
        let last = levels.last().expect("there is a first level");
        let mut next = FixedBitSet::with_capacity(n);
        for left in last.ones() {
            for right in 0..n {
                next.insert(usize::from(sorts.pair(left as u16, right as u16)));
            }
        }
        if let Some(at) = levels.iter().position(|level| *level == next) {
            break at;
        }
        levels.push(next);
    };
    let fits =
        |level: &FixedBitSet, sort: usize| level.ones().any(|s| kind.leq(s as u16, sort as u16));
    (0..n)
        .map(|sort| match levels.iter().rposition(|level| fits(level, sort)) {
            Some(at) if at >= cycle => UNBOUNDED,
            Some(at) => at as u32 + 1,
            None => 1,
        })
        .collect()
}
