//! The store: terms that last, hash-consed, in nodes that do not move.
//!
//! A node has the layout of a heap node, and its arguments are stored nodes or immediates, so two
//! stored terms are equal exactly if their handles are. Whether a node is reduced does not count;
//! the one entered first in a run decides (`docs/architecture.md`, The store), so each run has an
//! index of its own. The ground terms of compiled code have an arena to themselves, are compared by
//! structure, and entered like heap nodes when they get into a run's terms.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};

use super::layout::{ARGS, COUNT, LIST, SORT};
use super::node_words::{core_of, node_len, node_words};
use super::side_table::Keeper;
use super::sweep::FreeNodes;
use super::{Handle, Memory, flag};

/// The terms that one run has entered, by content.
#[derive(Default, Clone)]
pub(crate) struct RunIndex(HashTable<u32>);

/// An arena that is emptied keeps so many words (16 MB) for what comes next.
const KEPT_CAPACITY: usize = 1 << 22;

#[derive(Clone)]
pub(super) struct Store {
    words: Vec<u32>,
    permanent: Vec<u32>,
    /// Positions of the nodes of the run at work.
    index: RunIndex,
    free: FreeNodes,
}

impl Store {
    pub(super) fn new() -> Store {
        Store {
            words: Vec::new(),
            permanent: Vec::new(),
            index: RunIndex::default(),
            free: FreeNodes::default(),
        }
    }

    /// The words of the terms of runs that are in use.
    #[inline(always)]
    pub(super) fn words(&self) -> usize {
        self.words.len() - self.free.words()
    }

    /// The words of all nodes, one after the other, also those that are free.
    #[inline(always)]
    pub(super) fn arena_words(&self) -> &[u32] {
        &self.words
    }

    /// The same, and the nodes that are free.
    pub(super) fn words_and_free_mut(&mut self) -> (&[u32], &mut FreeNodes) {
        (&self.words, &mut self.free)
    }

    /// Takes nodes that have become free out of the index of the run at work.
    pub(super) fn forget_free(&mut self) {
        let free = &self.free;
        self.index.0.retain(|&mut at| !free.is_free(at as usize));
    }

    /// The words of the terms of compiled code.
    pub(super) fn constant_words(&self) -> usize {
        self.permanent.len()
    }

    /// The terms of runs, to make room for more.
    pub(super) fn words_mut(&mut self) -> &mut Vec<u32> {
        &mut self.words
    }

    #[inline(always)]
    pub(super) fn arena(&self, h: Handle) -> &[u32] {
        if h.is_permanent() { &self.permanent } else { &self.words }
    }

    #[inline(always)]
    pub(super) fn arena_mut(&mut self, h: Handle) -> &mut [u32] {
        if h.is_permanent() { &mut self.permanent } else { &mut self.words }
    }
}

impl Memory {
    /// Exchanges the index of the run at work.
    pub(crate) fn exchange_run(&mut self, index: &mut RunIndex) {
        std::mem::swap(&mut self.store.index, index);
    }

    /// Forgets all terms but those of compiled code; nobody may hold any of them, in the heap either.
    pub(crate) fn forget_runs(&mut self) {
        if self.heap.capacity() > KEPT_CAPACITY {
            self.heap = Vec::new();
        }
        self.heap.clear();
        self.collections += 1;
        self.columns.forget();
        self.postings.forget();
        self.prefilter_caches.forget();
        if self.store.words.capacity() > KEPT_CAPACITY {
            self.store.words = Vec::new();
        }
        self.store.words.clear();
        self.store.free = FreeNodes::default();
        self.store.index = RunIndex::default();
        self.bigs.forget_runs();
        self.texts.forget_runs();
        self.weigh_side_values();
    }

    /// Enters a normal term whose sorts are known (or that is lazy and unreduced) into the store.
    /// Common parts are entered once; stored parts cost nothing.
    pub(crate) fn enter(&mut self, term: Handle) -> Handle {
        self.enter_into(term, false)
    }

    /// The same, but what stays for good anyway is left as it is.
    pub(crate) fn enter_unless_permanent(&mut self, term: Handle) -> Handle {
        let term = self.resolve(term);
        if term.is_permanent() { term } else { self.enter(term) }
    }

    /// Enters a ground term of compiled code, which stays for good.
    pub(crate) fn enter_permanently(&mut self, term: Handle) -> Handle {
        self.enter_into(term, true)
    }

    fn enter_into(&mut self, term: Handle, permanent: bool) -> Handle {
        let term = self.resolve(term);
        if !Memory::needs_entry(term, permanent) {
            return term;
        }
        let mut entered: FxHashMap<Handle, Handle> = FxHashMap::default();
        let mut args = (0..self.n_args(term)).map(|place| self.arg(term, place));
        if !args.any(|arg| Memory::needs_entry(arg, permanent)) {
            return self.enter_node(term, &entered, permanent);
        }
        let mut stack: Vec<(Handle, usize)> = vec![(term, 0)];
        while let Some((node, next)) = stack.last_mut() {
            if *next < self.n_args(*node) {
                let arg = self.arg(*node, *next);
                *next += 1;
                if Memory::needs_entry(arg, permanent) && !entered.contains_key(&arg) {
                    stack.push((arg, 0));
                }
                continue;
            }
            let node = *node;
            stack.pop();
            if !entered.contains_key(&node) {
                let stored = self.enter_node(node, &entered, permanent);
                entered.insert(node, stored);
            }
        }
        entered[&term]
    }

    #[inline(always)]
    fn needs_entry(h: Handle, permanent: bool) -> bool {
        h.is_heap() || !permanent && h.is_permanent()
    }

    fn enter_node(
        &mut self,
        node: Handle,
        entered: &FxHashMap<Handle, Handle>,
        permanent: bool,
    ) -> Handle {
        debug_assert!(!self.has_flag(node, flag::RAW), "only normal terms are stored");
        let mut copy = std::mem::take(&mut self.scratch);
        copy.clear();
        let from = if node.is_heap() {
            &self.heap[node.heap_index()..]
        } else {
            &self.store.arena(node)[node.store_index()..]
        };
        if from[0] & flag::SLICE != 0 {
            copy.extend_from_slice(&from[..=LIST]);
            copy[0] &= !flag::SLICE;
            copy.extend_from_slice(self.list(node));
        } else {
            copy.extend_from_slice(&from[..node_len(&self.cores, from)]);
        }
        copy[0] &= !flag::NO_RULE;
        let core = core_of(&self.cores, &copy);
        let is_text = core.payload.is_text();
        for at in node_words(core, &copy).handles() {
            let arg = self.resolve(Handle(copy[at]));
            copy[at] = if Memory::needs_entry(arg, permanent) { entered[&arg].0 } else { arg.0 };
        }
        let keeper = if permanent { Keeper::Code } else { Keeper::Runs };
        if copy[0] & flag::BIG != 0 {
            copy[COUNT] = self.bigs.keep(copy[COUNT], keeper);
        }
        if is_text {
            copy[ARGS] = self.texts.keep(copy[ARGS], keeper);
        }
        let stored = self.intern(&copy, permanent);
        self.scratch = copy;
        stored
    }

    /// Finds a node in the store, or adds it.
    fn intern(&mut self, node: &[u32], permanent: bool) -> Handle {
        let store = &mut self.store;
        if permanent {
            let at = store.permanent.len();
            store.permanent.extend_from_slice(node);
            return Handle::permanent(at);
        }
        let (hash, cores) = (node_hash(node), &self.cores);
        let same = |&at: &u32| is_same(cores, &store.words[at as usize..], node);
        if let Some(&at) = store.index.0.find(hash, same) {
            return Handle::stored(at as usize);
        }
        let at = match self.store.free.take(node.len()) {
            Some(at) => {
                self.store.words[at..at + node.len()].copy_from_slice(node);
                at
            }
            None => {
                self.make_room_in_store(node.len());
                self.store.words.extend_from_slice(node);
                self.store.words.len() - node.len()
            }
        };
        let (store, cores) = (&mut self.store, &self.cores);
        let words = &store.words;
        let hasher = |&at: &u32| hash_at(cores, &words[at as usize..]);
        store.index.0.insert_unique(hash, at as u32, hasher);
        Handle::stored(at)
    }

    /// The number of words of the node at the beginning of `node`.
    pub(super) fn node_words(&self, node: &[u32]) -> usize {
        node_len(&self.cores, node)
    }
}

/// Whether a stored node has the content of `node`; sorts and reducedness do not count.
fn is_same(cores: &[super::Core], stored: &[u32], node: &[u32]) -> bool {
    (stored[0] ^ node[0]) & !flag::REDUCED == 0
        && node_len(cores, stored) == node.len()
        && stored[SORT + 1..node.len()] == node[SORT + 1..]
}

fn hash_at(cores: &[super::Core], node: &[u32]) -> u64 {
    node_hash(&node[..node_len(cores, node)])
}

fn node_hash(node: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u32(node[0] & !flag::REDUCED);
    for &word in &node[SORT + 1..] {
        hasher.write_u32(word);
    }
    hasher.finish()
}
