//! Where variables occur: which subpatterns may be matched greedily (`language.md` 3.5), and which
//! variables nothing but the result needs.

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use crate::id::StaticId;
use crate::term::StaticTerms;

/// How often each open subterm occurs in some terms; an argument of a multiset counts once.
pub(super) fn count(terms: &StaticTerms, roots: &[StaticId]) -> FxHashMap<StaticId, u32> {
    let mut counts: FxHashMap<StaticId, u32> = FxHashMap::default();
    // Arguments have smaller ids than the terms they occur in, so the largest id that waits has been
    // met as often as it ever will.
    let mut waiting = BinaryHeap::new();
    for &root in roots {
        meet(terms, &mut counts, &mut waiting, root, 1);
    }
    while let Some(t) = waiting.pop() {
        let n = counts[&t];
        for arg in terms.args(t) {
            meet(terms, &mut counts, &mut waiting, arg, n);
        }
    }
    counts
}

fn meet(
    terms: &StaticTerms,
    counts: &mut FxHashMap<StaticId, u32>,
    waiting: &mut BinaryHeap<StaticId>,
    t: StaticId,
    times: u32,
) {
    if terms.is_ground(t) {
        return;
    }
    let count = counts.entry(t).or_insert(0);
    if *count == 0 {
        waiting.push(t);
    }
    *count = count.saturating_add(times);
}
