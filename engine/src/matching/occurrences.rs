//! Where variables occur: which subpatterns may be matched greedily (`docs/semantics.md` 3.5), and
//! which variables nothing but the result needs.

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::sets::{Set, Sets};
use crate::id::StaticId;
use crate::term::{StaticNode, StaticTerms};

/// What is known of the open subterms of some terms.
pub(super) struct Occurrences {
    /// How often each occurs; an argument of a multiset counts once.
    counts: FxHashMap<StaticId, u32>,
    /// Each before its arguments.
    order: Vec<StaticId>,
    /// The variables in the order of their first occurrence, and their numbers.
    in_order: Vec<StaticId>,
    numbers: FxHashMap<StaticId, u32>,
    /// The variables of each.
    variables: FxHashMap<StaticId, Set>,
    /// The variables that occur beside each that occurs once.
    outside: FxHashMap<StaticId, Set>,
    all: Set,
}

impl Occurrences {
    /// Looks through some terms.
    pub(super) fn of(terms: &StaticTerms, roots: &[StaticId]) -> (Occurrences, Sets) {
        let mut in_order = Vec::new();
        terms.collect_all_variables(roots, &mut in_order);
        let numbers: FxHashMap<StaticId, u32> = in_order.iter().copied().zip(0..).collect();
        let mut sets = Sets::new(numbers.len());
        let mut found = Occurrences {
            counts: FxHashMap::default(),
            order: Vec::new(),
            in_order,
            numbers,
            variables: FxHashMap::default(),
            outside: FxHashMap::default(),
            all: Set::EMPTY,
        };
        found.count(terms, roots);
        found.collect(terms, &mut sets);
        found.all = roots.iter().fold(Set::EMPTY, |all, &root| {
            let own = found.variables(root);
            sets.union(all, own)
        });
        found.look_beside(terms, &mut sets, roots);
        (found, sets)
    }

    fn count(&mut self, terms: &StaticTerms, roots: &[StaticId]) {
        // Arguments have smaller ids than the terms they occur in, so the largest id that waits has
        // been met as often as it ever will.
        let mut waiting = BinaryHeap::new();
        for &root in roots {
            self.meet(terms, &mut waiting, root, 1);
        }
        while let Some(t) = waiting.pop() {
            self.order.push(t);
            let n = self.counts[&t];
            for arg in terms.args(t) {
                self.meet(terms, &mut waiting, arg, n);
            }
        }
    }

    fn meet(
        &mut self,
        terms: &StaticTerms,
        waiting: &mut BinaryHeap<StaticId>,
        t: StaticId,
        times: u32,
    ) {
        if terms.is_ground(t) {
            return;
        }
        let count = self.counts.entry(t).or_insert(0);
        if *count == 0 {
            waiting.push(t);
        }
        *count = count.saturating_add(times);
    }

    fn collect(&mut self, terms: &StaticTerms, sets: &mut Sets) {
        for &t in self.order.iter().rev() {
            let own = match terms.node(t) {
                StaticNode::Variable(..) => sets.singleton(self.numbers[&t]),
                _ => terms.args(t).into_iter().fold(Set::EMPTY, |all, arg| {
                    let own = self.variables(arg);
                    sets.union(all, own)
                }),
            };
            self.variables.insert(t, own);
        }
    }

    fn look_beside(&mut self, terms: &StaticTerms, sets: &mut Sets, roots: &[StaticId]) {
        self.look_beside_each(sets, roots, Set::EMPTY);
        for i in 0..self.order.len() {
            let t = self.order[i];
            if let Some(&outside) = self.outside.get(&t) {
                self.look_beside_each(sets, &terms.args(t), outside);
            }
        }
    }

    /// Notes what is beside each of some terms: what is beside all of them, and the others.
    fn look_beside_each(&mut self, sets: &mut Sets, siblings: &[StaticId], outside: Set) {
        let mut behind = Vec::with_capacity(siblings.len());
        let mut all = Set::EMPTY;
        for &t in siblings.iter().rev() {
            behind.push(all);
            all = sets.union(all, self.variables(t));
        }
        let mut before = outside;
        for &t in siblings {
            let behind = behind.pop().expect("there is one for each");
            if self.times(t) == 1 {
                let beside = sets.union(before, behind);
                self.outside.insert(t, beside);
            }
            before = sets.union(before, self.variables(t));
        }
    }

    /// The open subterms.
    pub(super) fn terms(&self) -> &[StaticId] {
        &self.order
    }

    /// How often a subterm occurs; 0 for ground ones.
    pub(super) fn times(&self, t: StaticId) -> u32 {
        self.counts.get(&t).copied().unwrap_or(0)
    }

    /// The variables, by number.
    pub(super) fn all_variables(&self) -> &[StaticId] {
        &self.in_order
    }

    /// The variable with a number.
    pub(super) fn variable(&self, number: u32) -> StaticId {
        self.in_order[number as usize]
    }

    /// The number of a variable.
    pub(super) fn number(&self, variable: StaticId) -> Option<u32> {
        self.numbers.get(&variable).copied()
    }

    /// The variables of a subterm.
    #[inline]
    pub(super) fn variables(&self, t: StaticId) -> Set {
        self.variables.get(&t).copied().unwrap_or(Set::EMPTY)
    }

    /// The variables that occur beside a subterm; all, if it occurs several times.
    pub(super) fn outside(&self, t: StaticId) -> Set {
        self.outside.get(&t).copied().unwrap_or(self.all)
    }
}
