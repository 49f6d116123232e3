//! Terms while the machine works: nodes of a few 32-bit words in one growing arena.
//!
//! A handle is 32 bits and tells by its top bits where the term is: a node of the heap, a node of
//! the store (which does not move), or an immediate (a constant that nothing rewrites, a small
//! natural number). Every accessor takes all of them. Building never collects; collection happens
//! at the machine's safe points only, when all live handles stand in the roots.

mod arguments;
mod around;
mod collect;
mod columns;
mod cores;
mod layout;
mod node_words;
mod nodes;
mod normal;
mod numbers;
mod parts;
mod postings;
mod prefilter_caches;
mod read_back;
mod room;
mod side_table;
mod slices;
mod store;
mod sweep;
mod view;

pub(crate) use arguments::partition;
pub(crate) use around::BesideRedex;
pub(crate) use columns::{Column, Hop, PathId};
pub(crate) use cores::Core;
pub(crate) use layout::{Handle, flag};
pub(crate) use postings::{Posted, Ranks};
pub(crate) use prefilter_caches::{PARTS, PrefilterCacheId};
pub(crate) use store::RunIndex;
pub(crate) use sweep::HeldNodes;

use std::borrow::Cow;

use dashu_int::UBig;

use crate::id::SymbolId;
use crate::signature::{Numbers, Shape, Signature};
use layout::{ARGS, COUNT, LIST, SORT};
use side_table::SideTable;
use store::Store;

/// Heap, store and what is known of symbols at run time.
#[derive(Clone)]
pub(crate) struct Memory {
    heap: Vec<u32>,
    /// The words that the heap may have.
    room: usize,
    /// Iteration counts that need more than 64 bits.
    bigs: SideTable<UBig>,
    store: Store,
    /// Words of the node that is being entered into the store.
    scratch: Vec<u32>,
    /// Texts of literals.
    texts: SideTable<Box<[u8]>>,
    /// The words that these and the counts take: it is asked for at each safe point.
    side_words: usize,
    cores: Vec<Core>,
    sort_entries: Vec<u32>,
    /// The number constructors of the theory at work, where small naturals are immediate.
    numbers: Option<Numbers>,
    nat_sorts: Vec<u16>,
    /// Where the repeating part of `nat_sorts` begins.
    nat_cycle: usize,
    collections: u64,
    columns: columns::Columns,
    prefilter_caches: prefilter_caches::PrefilterCaches,
    postings: postings::PostingTable,
}

impl Memory {
    /// An empty memory for terms over a signature.
    pub(crate) fn new(signature: &Signature) -> Memory {
        let mut sort_entries = Vec::new();
        let symbols = (0..signature.n_symbols() as u32).map(SymbolId);
        let cores = symbols.map(|s| Core::new(signature, s, &mut sort_entries)).collect();
        Memory {
            heap: Vec::new(),
            room: layout::HEAP_WORDS,
            bigs: SideTable::default(),
            store: Store::new(),
            scratch: Vec::new(),
            texts: SideTable::default(),
            side_words: 0,
            cores,
            sort_entries,
            numbers: None,
            nat_sorts: Vec::new(),
            nat_cycle: 0,
            collections: 0,
            columns: columns::Columns::default(),
            prefilter_caches: prefilter_caches::PrefilterCaches::default(),
            postings: postings::PostingTable::default(),
        }
    }

    /// The words that the heap takes, whether live or not, and the numbers and texts that nodes name.
    #[inline(always)]
    pub(crate) fn heap_load(&self) -> usize {
        self.heap.len() + self.side_words()
    }

    /// The words that numbers and texts take which nodes name.
    #[inline(always)]
    pub(crate) fn side_words(&self) -> usize {
        self.side_words
    }

    /// Notes that the numbers and texts that nodes name have become more or fewer.
    fn weigh_side_values(&mut self) {
        self.side_words = (self.bigs.bytes() + self.texts.bytes()) / 4;
    }

    /// The bytes that a copy of the heap may take.
    pub(crate) fn copy_bytes(&self) -> u64 {
        4 * self.heap.len() as u64
    }

    /// The words of the heap and the store.
    #[inline(always)]
    pub(crate) fn term_load(&self) -> usize {
        self.heap_load() + self.store.words()
    }

    /// The words of the terms of compiled code.
    pub(crate) fn constant_words(&self) -> usize {
        self.store.constant_words()
    }

    /// Whether soon handles cannot tell any more where a term is.
    pub(crate) fn is_nearly_full(&self) -> bool {
        self.heap.len() >= layout::HEAP_WORDS / 8 * 7
            || self.store.arena_words().len() >= layout::STORE_WORDS / 8 * 7
    }

    /// A word of a node.
    #[inline(always)]
    fn word(&self, h: Handle, offset: usize) -> u32 {
        if h.is_heap() {
            self.heap[h.heap_index() + offset]
        } else {
            self.store.arena(h)[h.store_index() + offset]
        }
    }

    /// The words of a node from `offset` on.
    #[inline(always)]
    fn words(&self, h: Handle, offset: usize, n: usize) -> &[u32] {
        if h.is_heap() {
            &self.heap[h.heap_index() + offset..][..n]
        } else {
            &self.store.arena(h)[h.store_index() + offset..][..n]
        }
    }

    #[inline(always)]
    fn word_mut(&mut self, h: Handle, offset: usize) -> &mut u32 {
        if h.is_heap() {
            &mut self.heap[h.heap_index() + offset]
        } else {
            &mut self.store.arena_mut(h)[h.store_index() + offset]
        }
    }

    /// What is known of a symbol.
    #[inline(always)]
    pub(crate) fn core(&self, symbol: SymbolId) -> &Core {
        &self.cores[symbol.index()]
    }

    /// Follows forwards to the node that stands for a term now.
    #[inline(always)]
    pub(crate) fn resolve(&self, mut h: Handle) -> Handle {
        while h.is_heap() && self.heap[h.heap_index()] & flag::FORWARD != 0 {
            h = Handle(self.heap[h.heap_index() + 1]);
        }
        h
    }

    /// Makes the heap node `from` stand for `to` from now on.
    #[inline(always)]
    pub(crate) fn forward(&mut self, from: Handle, to: Handle) {
        debug_assert!(from.is_heap() && from != to);
        let at = from.heap_index();
        self.heap[at] |= flag::FORWARD;
        self.heap[at + 1] = to.0;
    }

    /// The top symbol of a node or immediate that is not forwarded.
    #[inline(always)]
    pub(crate) fn symbol(&self, h: Handle) -> SymbolId {
        if h.is_node() {
            SymbolId(self.word(h, 0) & layout::SYMBOL)
        } else if let Some(n) = h.as_nat() {
            let numbers = self.numbers.as_ref().expect("immediate numbers have constructors");
            if n == 0 { numbers.zero } else { numbers.succ }
        } else {
            h.constant_symbol()
        }
    }

    /// The node that stands for a term now, and its top symbol.
    #[inline(always)]
    pub(crate) fn top(&self, mut h: Handle) -> (Handle, SymbolId) {
        loop {
            if !h.is_node() {
                return (h, self.symbol(h));
            }
            let header = self.word(h, 0);
            if header & flag::FORWARD == 0 {
                return (h, SymbolId(header & layout::SYMBOL));
            }
            h = Handle(self.word(h, SORT));
        }
    }

    /// Copies the arguments of a node of a free symbol, as many as `to` takes.
    #[inline(always)]
    pub(crate) fn unpack(&self, h: Handle, to: &mut [Handle]) {
        if to.is_empty() {
            return;
        }
        let words = self.words(h, 0, ARGS + to.len());
        // Below a reduced node nothing is forwarded.
        if words[0] & flag::REDUCED != 0 {
            for i in 0..to.len() {
                to[i] = Handle(words[ARGS + i]);
            }
        } else {
            for i in 0..to.len() {
                to[i] = self.resolve(Handle(words[ARGS + i]));
            }
        }
    }

    /// Makes the argument handles of a node with fixed places point past forwards.
    pub(crate) fn resolve_args(&mut self, h: Handle) {
        if h.is_heap() && !self.core(self.symbol(h)).is_list() {
            for place in 0..self.n_args(h) {
                let arg = self.arg(h, place);
                self.set_arg(h, place, arg);
            }
        }
    }

    /// The shape of the top symbol.
    #[inline(always)]
    pub(crate) fn shape(&self, h: Handle) -> Shape {
        self.core(self.symbol(h)).shape
    }

    /// Whether equations and memberships have nothing more to do at this node or below it.
    #[inline(always)]
    pub(crate) fn is_reduced(&self, h: Handle) -> bool {
        !h.is_node() || self.word(h, 0) & flag::REDUCED != 0
    }

    /// Marks a node as reduced.
    #[inline(always)]
    pub(crate) fn set_reduced(&mut self, h: Handle) {
        if h.is_node() {
            *self.word_mut(h, 0) |= flag::REDUCED;
        }
    }

    /// Whether a flag of the node is set; immediates have none.
    #[inline(always)]
    pub(crate) fn has_flag(&self, h: Handle, flag: u32) -> bool {
        h.is_node() && self.word(h, 0) & flag != 0
    }

    /// Sets a flag of a node.
    #[inline(always)]
    pub(crate) fn set_flag(&mut self, h: Handle, flag: u32) {
        if h.is_node() {
            *self.word_mut(h, 0) |= flag;
        }
    }

    /// Takes a flag from a heap node.
    pub(crate) fn clear_flag(&mut self, h: Handle, flag: u32) {
        if h.is_heap() {
            *self.word_mut(h, 0) &= !flag;
        }
    }

    /// The sort index of a term, or `None` where it was not computed yet.
    #[inline(always)]
    pub(crate) fn known_sort(&self, h: Handle) -> Option<u16> {
        if h.is_node() {
            let word = self.word(h, SORT);
            if word == 0 { None } else { Some((word - 1) as u16) }
        } else {
            Some(self.immediate_sort(h))
        }
    }

    /// The sort index of a term whose sort has been computed.
    #[inline(always)]
    pub(crate) fn sort(&self, h: Handle) -> u16 {
        if h.is_node() {
            let word = self.word(h, SORT);
            debug_assert!(word != 0, "the sort of this node has not been computed");
            word.wrapping_sub(1) as u16
        } else {
            self.immediate_sort(h)
        }
    }

    #[inline(always)]
    fn immediate_sort(&self, h: Handle) -> u16 {
        match h.as_nat() {
            Some(n) => self.nat_sort(n as usize),
            None => self.core(h.constant_symbol()).constant_sort,
        }
    }

    #[inline(always)]
    fn nat_sort(&self, n: usize) -> u16 {
        match self.nat_sorts.get(n) {
            Some(&sort) => sort,
            None => {
                let cycle = self.nat_sorts.len() - self.nat_cycle;
                self.nat_sorts[self.nat_cycle + (n - self.nat_cycle) % cycle]
            }
        }
    }

    /// Notes the sort of a node.
    #[inline(always)]
    pub(crate) fn set_sort(&mut self, h: Handle, sort: u16) {
        if h.is_node() {
            *self.word_mut(h, SORT) = u32::from(sort) + 1;
        }
    }

    /// Makes the sort of a heap node unknown; literals and variables keep theirs.
    pub(crate) fn forget_sort(&mut self, h: Handle) {
        if h.is_heap() && self.core(self.symbol(h)).payload == view::Payload::None {
            *self.word_mut(h, SORT) = 0;
        }
    }

    /// The number of arguments as stored: of a normal AC node the distinct ones, of a raw one all.
    #[inline(always)]
    pub(crate) fn n_args(&self, h: Handle) -> usize {
        if !h.is_node() {
            return usize::from(h.as_nat().is_some_and(|n| n > 0));
        }
        let core = self.core(self.symbol(h));
        match core.shape {
            Shape::Free | Shape::Comm => usize::from(core.arity),
            Shape::Assoc | Shape::AssocComm => self.word(h, LIST) as usize,
            Shape::Iter => 1,
        }
    }

    /// An argument, forwards followed. Of an iterated node the term below all iterations.
    #[inline(always)]
    pub(crate) fn arg(&self, h: Handle, place: usize) -> Handle {
        self.resolve(self.arg_as_built(h, place))
    }

    /// An argument of a node by the handle that the node was built over, which may be forwarded.
    #[inline(always)]
    pub(crate) fn arg_as_built(&self, h: Handle, place: usize) -> Handle {
        if !h.is_node() {
            return Handle::nat(0);
        }
        let header = self.word(h, 0);
        let offset = match self.core(SymbolId(header & layout::SYMBOL)).shape {
            Shape::Free | Shape::Comm | Shape::Iter => ARGS + place,
            Shape::Assoc if header & flag::SLICE != 0 => {
                return Handle(self.list(h)[place]);
            }
            Shape::Assoc => LIST + 1 + place,
            Shape::AssocComm if header & flag::RAW != 0 => LIST + 1 + place,
            Shape::AssocComm => LIST + 1 + 2 * place,
        };
        Handle(self.word(h, offset))
    }

    /// An argument of a node of a symbol with fixed places.
    #[inline(always)]
    pub(crate) fn fixed_arg(&self, h: Handle, place: usize) -> Handle {
        self.resolve(Handle(self.word(h, ARGS + place)))
    }

    /// Replaces an argument of a heap node by another term.
    pub(crate) fn set_arg(&mut self, h: Handle, place: usize, to: Handle) {
        debug_assert!(h.is_heap());
        let header = self.word(h, 0);
        let offset = match self.core(SymbolId(header & layout::SYMBOL)).shape {
            Shape::Free | Shape::Comm | Shape::Iter => ARGS + place,
            Shape::Assoc if header & flag::SLICE != 0 => {
                self.set_slice_arg(h, place, to);
                return;
            }
            Shape::Assoc => LIST + 1 + place,
            Shape::AssocComm if header & flag::RAW != 0 => LIST + 1 + place,
            Shape::AssocComm => LIST + 1 + 2 * place,
        };
        self.heap[h.heap_index() + offset] = to.0;
    }

    /// How often an argument of a normal AC node occurs; 1 elsewhere.
    #[inline(always)]
    pub(crate) fn multiplicity(&self, h: Handle, place: usize) -> u32 {
        if !h.is_node() {
            return 1;
        }
        let header = self.word(h, 0);
        let ac = self.core(SymbolId(header & layout::SYMBOL)).shape == Shape::AssocComm;
        if ac && header & flag::RAW == 0 { self.word(h, LIST + 2 + 2 * place) } else { 1 }
    }

    /// The number of arguments of an A or AC node, repetitions included.
    pub(crate) fn total_args(&self, h: Handle) -> u64 {
        match self.shape(h) {
            Shape::AssocComm if !self.has_flag(h, flag::RAW) => {
                self.elements(h).iter().map(|(_, m)| u64::from(m)).sum()
            }
            _ => self.n_args(h) as u64,
        }
    }

    /// The count of an iterated term if it fits in 64 bits.
    #[inline(always)]
    pub(crate) fn small_count(&self, h: Handle) -> Option<u64> {
        if let Some(n) = h.as_nat() {
            return Some(u64::from(n));
        }
        if self.has_flag(h, flag::BIG) {
            return None;
        }
        Some(u64::from(self.word(h, COUNT)) | u64::from(self.word(h, COUNT + 1)) << 32)
    }

    /// The count of an iterated term.
    pub(crate) fn count(&self, h: Handle) -> Cow<'_, UBig> {
        match self.small_count(h) {
            Some(n) => Cow::Owned(n.into()),
            None => Cow::Borrowed(self.bigs.get(self.word(h, COUNT))),
        }
    }

    /// A core to change: what statements and identities decide about a symbol.
    pub(crate) fn core_mut(&mut self, symbol: SymbolId) -> &mut Core {
        &mut self.cores[symbol.index()]
    }
}
