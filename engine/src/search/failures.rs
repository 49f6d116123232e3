//! The subterms on which a search has tried all rules in vain (`language.md` 5.7).
//!
//! Equal subterms of the states of one search are one, so a set of store ids does. A search that
//! solves an `=>` fragment has its own subterms, but shares those that its starting term takes from
//! the search around; then each subterm has a mark of its own that both can see.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use rustc_hash::{FxHashMap, FxHashSet};

use super::identities::Mark;
use crate::heap::{Handle, Memory};
use crate::id::SymbolId;

/// What a search knows of its subterms.
#[derive(Default)]
pub(crate) struct Failures {
    marked: FxHashSet<Handle>,
    /// The marks of all subterms, where searches may share some of them.
    shared: Option<FxHashMap<Handle, Mark>>,
}

impl Failures {
    /// Nothing is known. `sharing`: rules of the theory have `=>` fragments.
    pub(crate) fn new(sharing: bool) -> Failures {
        Failures {
            marked: FxHashSet::default(),
            shared: if sharing { Some(FxHashMap::default()) } else { None },
        }
    }

    /// Whether all rules were tried on a subterm in vain.
    #[inline]
    pub(crate) fn is_marked(&self, term: Handle) -> bool {
        match &self.shared {
            None => self.marked.contains(&term),
            Some(marks) => marks.get(&term).is_some_and(|m| m.load(Ordering::Relaxed)),
        }
    }

    /// A subterm has this mark, unless it has one.
    pub(super) fn give(&mut self, term: Handle, mark: Mark) {
        if let Some(marks) = &mut self.shared {
            marks.entry(term).or_insert(mark);
        }
    }

    /// Notes that all rules were tried on a subterm in vain.
    pub(crate) fn mark(&mut self, term: Handle) {
        match &mut self.shared {
            None => {
                self.marked.insert(term);
            }
            Some(marks) => marks.entry(term).or_default().store(true, Ordering::Relaxed),
        }
    }

    /// A term of the search: its subterms have marks from now on. The marks of `identities` are known
    /// beforehand.
    pub(super) fn meet(&mut self, memory: &Memory, term: Handle, identities: &[(SymbolId, Mark)]) {
        if let Some(marks) = &mut self.shared {
            walk(memory, term, |subterm| match marks.entry(subterm) {
                std::collections::hash_map::Entry::Occupied(_) => false,
                std::collections::hash_map::Entry::Vacant(place) => {
                    let symbol = memory.symbol(subterm);
                    let known = identities.iter().find(|(identity, _)| *identity == symbol);
                    place.insert(known.map(|(_, mark)| Arc::clone(mark)).unwrap_or_default());
                    true
                }
            });
        }
    }

    /// The subterms of `term` have the same marks here as in another search, unless they were known
    /// here before.
    pub(crate) fn take_over(&mut self, memory: &Memory, other: &Failures, term: Handle) {
        let (Some(marks), Some(theirs)) = (&mut self.shared, &other.shared) else { return };
        let mut seen: FxHashSet<Handle> = FxHashSet::default();
        walk(memory, term, |subterm| {
            if let Some(mark) = theirs.get(&subterm) {
                marks.entry(subterm).or_insert_with(|| Arc::clone(mark));
            }
            seen.insert(subterm)
        });
    }

    /// `take_over` for the value of a variable, if it is a subterm of `new`: extension may have taken
    /// its arguments apart.
    pub(crate) fn take_over_from(
        &mut self,
        memory: &Memory,
        other: &Failures,
        term: Handle,
        new: Handle,
    ) {
        let Some(marks) = &self.shared else { return };
        if marks.contains_key(&term) {
            return;
        }
        let mut seen: FxHashSet<Handle> = FxHashSet::default();
        walk(memory, new, |subterm| seen.insert(subterm));
        if seen.contains(&term) {
            self.take_over(memory, other, term);
        }
    }
}

/// What the searches of one condition know of the values that they start from, as long as these
/// are bound.
#[derive(Default)]
pub(crate) struct Held {
    pub(crate) failures: Failures,
    /// Values that matching has made: the search around does not know them, even if it has met equal
    /// ones, but knows their arguments.
    made: FxHashSet<Handle>,
}

impl Held {
    /// Nothing is known yet of values that searches share.
    pub(crate) fn new() -> Held {
        Held { failures: Failures::new(true), made: FxHashSet::default() }
    }

    /// What is known of a value here and in the search `around`, goes into another search. `made`: it
    /// is a new node.
    pub(super) fn pass(
        &mut self,
        memory: &Memory,
        around: &Failures,
        value: Handle,
        made: bool,
        to: &mut Failures,
    ) {
        to.take_over(memory, &self.failures, value);
        if made || self.made.contains(&value) {
            self.made.insert(value);
            for place in 0..memory.n_args(value) {
                to.take_over(memory, around, memory.arg(value, place));
            }
        } else {
            to.take_over(memory, around, value);
        }
    }
}

/// Visits the subterms of a stored term from the root on; `visit` says whether to go below.
fn walk(memory: &Memory, term: Handle, mut visit: impl FnMut(Handle) -> bool) {
    let mut stack = vec![term];
    while let Some(node) = stack.pop() {
        if visit(node) {
            stack.extend((0..memory.n_args(node)).map(|i| memory.arg(node, i)));
        }
    }
}
