//! Collection of the store while a computation runs: what nobody holds any more gives its words to
//! new nodes of the same length. Nodes stay where they are, since their handles are keys of tables
//! everywhere.

use dashu_int::UBig;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::layout::{ARGS, COUNT, SORT};
use super::node_words::{core_of, node_len, node_words};
use super::side_table::SideTable;
use super::store::Store;
use super::{Core, Handle, Memory, flag};

/// The nodes of the store that nobody holds, by their length. They keep their words, so that the
/// store can still be walked from node to node.
#[derive(Default, Clone)]
pub(super) struct FreeNodes {
    by_length: FxHashMap<u32, Vec<u32>>,
    /// The places of all of them.
    places: FixedBitSet,
    words: usize,
}

impl FreeNodes {
    /// How many words they have.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// The place of one with so many words, which is in use from now on.
    #[inline]
    pub(super) fn take(&mut self, words: usize) -> Option<usize> {
        if self.words < words {
            return None;
        }
        let place = self.by_length.get_mut(&(words as u32))?.pop()? as usize;
        self.places.remove(place);
        self.words -= words;
        Some(place)
    }

    /// Whether a node is one of them.
    pub(super) fn is_free(&self, place: usize) -> bool {
        self.places.contains(place)
    }

    fn add(&mut self, place: usize, words: usize) {
        self.places.insert(place);
        self.by_length.entry(words as u32).or_default().push(place as u32);
        self.words += words;
    }
}

/// The stored nodes that are known to be held.
pub(crate) struct HeldNodes {
    marked: FixedBitSet,
    /// Nodes whose arguments have not been looked at.
    open: Vec<u32>,
}

impl HeldNodes {
    /// Notes that somebody holds a term. What is not stored does not count; what is held no more, and
    /// only stands where something was held, costs nothing but its words.
    #[inline]
    pub(crate) fn hold(&mut self, term: Handle) {
        if let Some(place) = place_of(term)
            && place < self.marked.len()
            && !self.marked.put(place)
        {
            self.open.push(place as u32);
        }
    }

    /// Whether a term lives on; to be asked after all has been held.
    pub(crate) fn is_held(&self, term: Handle) -> bool {
        place_of(term).is_none_or(|place| self.marked.contains(place))
    }
}

/// Where a term is that a run has entered into the store.
#[inline(always)]
fn place_of(term: Handle) -> Option<usize> {
    (term.is_stored() && !term.is_permanent()).then(|| term.store_index())
}

impl Memory {
    /// The words of the store that are in use.
    pub(crate) fn store_load(&self) -> usize {
        self.store.words()
    }

    /// Begins a collection of the store: what nodes of the heap hold is held. Then holders tell what
    /// they hold.
    pub(crate) fn begin_store_collection(&mut self) -> HeldNodes {
        let marked = FixedBitSet::with_capacity(self.store.arena_words().len());
        let mut held = HeldNodes { marked, open: Vec::new() };
        let mut at = 0;
        while at < self.heap.len() {
            let node = &self.heap[at..];
            if node[0] & flag::FORWARD != 0 {
                held.hold(Handle(node[SORT]));
            }
            let side = (&mut self.bigs, &mut self.texts);
            at += hold_parts(&self.cores, node, side, &mut held);
        }
        held
    }

    /// Finds all that is held, below what was said to be.
    pub(crate) fn complete(&mut self, held: &mut HeldNodes) {
        while let Some(place) = held.open.pop() {
            let node = &self.store.arena_words()[place as usize..];
            hold_parts(&self.cores, node, (&mut self.bigs, &mut self.texts), held);
        }
    }

    /// Ends a collection of the store.
    pub(crate) fn finish_store_collection(&mut self, held: &HeldNodes) {
        self.store.sweep(&self.cores, held);
        self.bigs.sweep_runs();
        self.texts.sweep_runs();
        self.weigh_side_values();
        self.columns.forget();
        self.postings.forget();
        self.prefilter_caches.forget();
    }
}

/// Notes what a node holds: its arguments, and the number or text that it names. The number of its
/// words.
fn hold_parts(
    cores: &[Core],
    node: &[u32],
    (bigs, texts): (&mut SideTable<UBig>, &mut SideTable<Box<[u8]>>),
    held: &mut HeldNodes,
) -> usize {
    let core = core_of(cores, node);
    let words = node_words(core, node);
    for place in words.handles() {
        held.hold(Handle(node[place]));
    }
    if node[0] & flag::BIG != 0 {
        bigs.mark(node[COUNT]);
    }
    if core.payload.is_text() {
        texts.mark(node[ARGS]);
    }
    words.len
}

impl Store {
    /// Gives up the nodes that nobody holds.
    fn sweep(&mut self, cores: &[Core], held: &HeldNodes) {
        let (words, free) = self.words_and_free_mut();
        free.places.grow(words.len());
        let mut at = 0;
        while at < words.len() {
            let n = node_len(cores, &words[at..]);
            if !held.marked.contains(at) && !free.places.contains(at) {
                free.add(at, n);
            }
            at += n;
        }
        self.forget_free();
    }
}
