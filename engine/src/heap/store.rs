//! The store: terms that last, hash-consed, in nodes that do not move.
//!
//! A node has the layout of a heap node, and its arguments are stored nodes or immediates, so two
//! stored terms are equal exactly if their handles are. Whether a node is reduced does not count;
//! the one entered first decides (`machine.md` 4).

use std::hash::Hasher;

use hashbrown::HashTable;
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHasher};

use super::layout::{ARGS, COUNT, LIST, SORT, SYMBOL};
use super::{Handle, Memory, flag};
use crate::id::SymbolId;
use crate::signature::Shape;

pub(super) struct Store {
    pub(super) words: Vec<u32>,
    pub(super) bigs: Vec<BigUint>,
    /// Positions of nodes.
    index: HashTable<u32>,
}

/// A point in the growth of the store to go back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoreMark {
    words: usize,
    bigs: usize,
}

impl Store {
    pub(super) fn new() -> Store {
        Store { words: Vec::new(), bigs: Vec::new(), index: HashTable::new() }
    }
}

impl Memory {
    /// The present size of the store.
    pub(crate) fn store_mark(&self) -> StoreMark {
        StoreMark { words: self.store.words.len(), bigs: self.store.bigs.len() }
    }

    /// Forgets all stored terms made since `mark`; nobody may hold any of them.
    pub(crate) fn release_store(&mut self, mark: StoreMark) {
        self.store.index.retain(|&mut at| (at as usize) < mark.words);
        self.store.words.truncate(mark.words);
        self.store.bigs.truncate(mark.bigs);
    }

    /// Enters a normal term whose sorts are known (or that is lazy and unreduced) into the store.
    /// Common parts are entered once; stored parts cost nothing.
    pub(crate) fn enter(&mut self, term: Handle) -> Handle {
        let term = self.resolve(term);
        if !term.is_heap() {
            return term;
        }
        let mut entered: FxHashMap<Handle, Handle> = FxHashMap::default();
        let mut stack: Vec<(Handle, usize)> = vec![(term, 0)];
        while let Some((node, next)) = stack.last_mut() {
            if *next < self.n_args(*node) {
                let arg = self.arg(*node, *next);
                *next += 1;
                if arg.is_heap() && !entered.contains_key(&arg) {
                    stack.push((arg, 0));
                }
                continue;
            }
            let node = *node;
            stack.pop();
            if !entered.contains_key(&node) {
                let stored = self.enter_node(node, &entered);
                entered.insert(node, stored);
            }
        }
        entered[&term]
    }

    fn enter_node(&mut self, node: Handle, entered: &FxHashMap<Handle, Handle>) -> Handle {
        debug_assert!(!self.has_flag(node, flag::RAW), "only normal terms are stored");
        let at = node.heap_index();
        let header = self.heap[at] & !flag::NO_RULE;
        let core = &self.cores[(header & SYMBOL) as usize];
        let new = self.store.words.len();
        let (words, heap) = (&mut self.store.words, &self.heap);
        words.extend([header, heap[at + SORT]]);
        let place = |word: u32| {
            let mut h = Handle(word);
            while h.is_heap() && heap[h.heap_index()] & flag::FORWARD != 0 {
                h = Handle(heap[h.heap_index() + 1]);
            }
            entered.get(&h).copied().unwrap_or(h).0
        };
        match core.shape {
            Shape::Free | Shape::Comm => {
                let n = usize::from(core.arity);
                words.extend(heap[at + ARGS..][..n].iter().map(|&a| place(a)));
                words.extend(&heap[at + ARGS + n..][..core.payload.len()]);
            }
            Shape::Assoc => {
                let n = heap[at + LIST] as usize;
                words.push(n as u32);
                words.extend(heap[at + LIST + 1..][..n].iter().map(|&a| place(a)));
            }
            Shape::AssocComm => {
                let n = heap[at + LIST] as usize;
                words.push(n as u32);
                for pair in heap[at + LIST + 1..][..2 * n].chunks_exact(2) {
                    words.extend([place(pair[0]), pair[1]]);
                }
            }
            Shape::Iter => {
                words.push(place(heap[at + ARGS]));
                words.extend(&heap[at + COUNT..][..2]);
            }
        }
        if header & flag::BIG != 0 {
            // Big counts compare by value, so equal ones get one place in the side table.
            let count = &self.bigs[self.heap[at + COUNT] as usize];
            let known = self.store.bigs.iter().position(|b| b == count);
            let place = known.unwrap_or_else(|| {
                self.store.bigs.push(count.clone());
                self.store.bigs.len() - 1
            });
            self.store.words[new + COUNT] = place as u32;
        }
        self.intern(new)
    }

    /// Finds the node at the end of the store among the older ones, or keeps it.
    fn intern(&mut self, new: usize) -> Handle {
        let hash = node_hash(&self.store.words[new..]);
        let words = &self.store.words;
        let cores = &self.cores;
        let same = |&at: &u32| {
            let old = &words[at as usize..new];
            let n = words.len() - new;
            old.len() >= n
                && (old[0] ^ words[new]) & !flag::REDUCED == 0
                && old[2..n] == words[new + 2..]
                && node_len(cores, old) == n
        };
        if let Some(&at) = self.store.index.find(hash, same) {
            self.store.words.truncate(new);
            return Handle::stored(at as usize);
        }
        let hasher = |&at: &u32| {
            let node = &words[at as usize..];
            node_hash(&node[..node_len(cores, node)])
        };
        self.store.index.insert_unique(hash, new as u32, hasher);
        Handle::stored(new)
    }

    /// The symbol of the node at a position of a word array, for walks over whole arenas.
    pub(super) fn node_words(&self, node: &[u32]) -> usize {
        node_len(&self.cores, node)
    }
}

/// The number of words of a node.
fn node_len(cores: &[super::Core], node: &[u32]) -> usize {
    let core = &cores[SymbolId(node[0] & SYMBOL).index()];
    match core.shape {
        Shape::Free | Shape::Comm => ARGS + usize::from(core.arity) + core.payload.len(),
        Shape::Assoc => LIST + 1 + node[LIST] as usize,
        Shape::AssocComm if node[0] & flag::RAW != 0 => LIST + 1 + node[LIST] as usize,
        Shape::AssocComm => LIST + 1 + 2 * node[LIST] as usize,
        Shape::Iter => COUNT + 2,
    }
}

fn node_hash(node: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u32(node[0] & !flag::REDUCED);
    for &word in &node[2..] {
        hasher.write_u32(word);
    }
    hasher.finish()
}
