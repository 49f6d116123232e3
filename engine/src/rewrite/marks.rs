//! The nodes on which all rules were tried in vain: a bit of a node of the heap, and a set of ids
//! for nodes that were parked in the store between two runs.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::heap::{Handle, Memory, flag};

/// Where `rewrite` has no rule to try.
#[derive(Default)]
pub(super) struct Marks {
    stored: FxHashSet<Handle>,
}

impl Marks {
    /// Whether all rules were tried on a node in vain.
    #[inline]
    pub(super) fn is_marked(&self, memory: &Memory, term: Handle) -> bool {
        if term.is_heap() {
            memory.has_flag(term, flag::NO_RULE)
        } else {
            self.stored.contains(&term)
        }
    }

    /// Notes that all rules were tried on a node in vain.
    pub(super) fn mark(&mut self, memory: &mut Memory, term: Handle) {
        if term.is_heap() {
            memory.set_flag(term, flag::NO_RULE);
        } else {
            self.stored.insert(term);
        }
    }

    /// Enters a term into the store, and keeps its marks.
    pub(super) fn park(&mut self, memory: &mut Memory, term: Handle) -> Handle {
        let parked = memory.enter(term);
        let mut seen: FxHashMap<Handle, ()> = FxHashMap::default();
        let mut stack = vec![(memory.resolve(term), parked)];
        while let Some((node, stored)) = stack.pop() {
            if !node.is_heap() || seen.insert(node, ()).is_some() {
                continue;
            }
            if memory.has_flag(node, flag::NO_RULE) {
                self.stored.insert(stored);
            }
            let places = 0..memory.n_args(node);
            stack.extend(places.map(|i| (memory.arg(node, i), memory.arg(stored, i))));
        }
        parked
    }
}
