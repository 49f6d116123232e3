//! What callers get: small owned values that name terms of the store.
//!
//! The store does not move, so a value needs no lifetime; the shared table of roots knows which
//! terms callers still hold.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::heap::Handle;
use crate::id::{SortId, StaticId};
use crate::term::StaticTerms;
use crate::worker::Worker;

/// How often callers hold each stored term.
#[derive(Debug, Default)]
pub(crate) struct Roots {
    held: Mutex<FxHashMap<Handle, u32>>,
}

impl Roots {
    fn hold(&self, term: Handle) {
        if term.is_stored() {
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            *held.entry(term).or_insert(0) += 1;
        }
    }

    fn release(&self, term: Handle) {
        if !term.is_stored() {
            return;
        }
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = held.get_mut(&term) {
            *count -= 1;
            if *count == 0 {
                held.remove(&term);
            }
        }
    }

    /// Visits the terms that callers hold.
    pub(crate) fn visit(&self, visit: &mut dyn FnMut(Handle)) {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.keys().for_each(|&term| visit(term));
    }

    /// Whether callers hold any term of the store.
    pub(crate) fn is_empty(&self) -> bool {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

/// A result: a term that lasts as long as the value does.
pub struct Term {
    content: Content,
    sort: Option<SortId>,
    roots: Arc<Roots>,
}

#[derive(Clone)]
enum Content {
    /// A normal term.
    Stored(Handle),
    /// A term as a computation left it when it was stopped.
    Unfinished(Arc<StaticTerms>, StaticId),
}

impl Term {
    /// The least sort, unless the term was left without one (`docs/semantics.md` 4.3).
    pub fn sort(&self) -> Option<SortId> {
        self.sort
    }
}

impl Clone for Term {
    fn clone(&self) -> Term {
        if let Content::Stored(handle) = self.content {
            self.roots.hold(handle);
        }
        Term { content: self.content.clone(), sort: self.sort, roots: Arc::clone(&self.roots) }
    }
}

impl Drop for Term {
    fn drop(&mut self) {
        if let Content::Stored(handle) = self.content {
            self.roots.release(handle);
        }
    }
}

/// Two results of one engine are equal if they are equal modulo the axioms.
impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        match (&self.content, &other.content) {
            (Content::Stored(one), Content::Stored(other)) => one == other,
            (Content::Unfinished(terms, one), Content::Unfinished(others, other)) => {
                Arc::ptr_eq(terms, others) && one == other
            }
            _ => false,
        }
    }
}

impl Eq for Term {}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.content {
            Content::Stored(handle) => write!(f, "Term({:#x})", handle.0),
            Content::Unfinished(_, id) => write!(f, "Term(static {})", id.0),
        }
    }
}

/// A result as a static term, with the sorts that its parts have.
#[derive(Clone)]
pub struct Readback {
    /// The terms of the theory, and those of the result.
    pub terms: StaticTerms,
    /// The term; normal AC nodes are `StaticNode::Multiset`.
    pub term: StaticId,
    /// Sorts of the parts, where they are known.
    pub sorts: FxHashMap<StaticId, SortId>,
}

impl Worker {
    /// Keeps a normal term for a caller.
    pub(crate) fn keep(&mut self, term: Handle) -> Term {
        let handle = self.space.memory.enter(term);
        let sort = self.space.memory.known_sort(handle).map(|index| SortId {
            kind: self.space.signature.symbol(self.space.memory.symbol(handle)).range,
            index,
        });
        self.roots.hold(handle);
        Term { content: Content::Stored(handle), sort, roots: Arc::clone(&self.roots) }
    }

    /// Keeps a term as it stands, raw nodes included, without a sort.
    pub(crate) fn keep_unfinished(&mut self, term: Handle) -> Term {
        let mut terms = StaticTerms::over(Arc::clone(self.theory.terms()));
        let (id, _) = self.space.memory.read_back(&self.space.signature, &mut terms, term);
        let content = Content::Unfinished(Arc::new(terms), id);
        Term { content, sort: None, roots: Arc::clone(&self.roots) }
    }

    /// Reads a result as a static term, for printing.
    pub fn read_back(&self, term: &Term) -> Readback {
        match &term.content {
            Content::Stored(handle) => {
                let mut terms = StaticTerms::over(Arc::clone(self.theory.terms()));
                let (term, sorts) =
                    self.space.memory.read_back(&self.space.signature, &mut terms, *handle);
                Readback { terms, term, sorts }
            }
            Content::Unfinished(terms, term) => {
                let terms = StaticTerms::over(Arc::clone(terms));
                Readback { terms, term: *term, sorts: FxHashMap::default() }
            }
        }
    }
}
