//! Collection: the live nodes are copied into a new arena, breadth first from the roots.
//!
//! Forwards vanish on the way. Store handles and immediates are leaves: the store never points into
//! the heap.

use super::layout::{ARGS, COUNT, SORT};
use super::node_words::{core_of, node_words};
use super::{Handle, Memory, flag};
use crate::signature::Shape;

/// A collection under way.
pub(crate) struct Collection<'m> {
    memory: &'m mut Memory,
    to: Vec<u32>,
}

impl Memory {
    /// Begins a collection; every root must then be visited once, and `finish` called.
    pub(crate) fn begin_collection(&mut self) -> Collection<'_> {
        let to = Vec::with_capacity(self.heap.len() / 2);
        Collection { memory: self, to }
    }

    /// Empties the heap; nobody may hold any handle of it.
    pub(crate) fn forget_heap(&mut self) {
        self.heap = Vec::new();
        self.bigs.sweep();
        self.texts.sweep();
        self.weigh_side_values();
        self.postings.forget_part();
        self.collections += 1;
    }
}

impl Collection<'_> {
    /// Visits a root: copies its node if that has not been done, and updates the handle.
    #[inline]
    pub(crate) fn visit(&mut self, root: &mut Handle) {
        root.0 = self.moved(root.0);
    }

    /// Copies all that the roots reach, and makes the copy the heap.
    pub(crate) fn finish(mut self) {
        let mut scan = 0;
        while scan < self.to.len() {
            let header = self.to[scan];
            let cores = &self.memory.cores;
            let core = core_of(cores, &self.to[scan..]);
            let words = node_words(core, &self.to[scan..]);
            if core.payload.is_text() {
                self.memory.texts.mark(self.to[scan + ARGS]);
            }
            let may_be_normal = core.shape != Shape::Free
                && header & (flag::RAW | flag::REDUCED | flag::SLICE | flag::BUFFER) == 0;
            for at in words.handles().map(|place| scan + place) {
                if may_be_normal && self.is_forwarded(self.to[at]) {
                    self.to[scan] |= flag::OUTDATED;
                }
                self.to[at] = self.moved(self.to[at]);
            }
            scan += words.len;
        }
        let memory = self.memory;
        memory.heap = self.to;
        memory.postings.forget_part();
        memory.bigs.sweep();
        memory.texts.sweep();
        memory.weigh_side_values();
        memory.collections += 1;
    }

    fn is_forwarded(&self, word: u32) -> bool {
        let h = Handle(word);
        h.is_heap() && self.memory.heap[h.heap_index()] & flag::FORWARD != 0
    }

    #[inline]
    fn moved(&mut self, word: u32) -> u32 {
        let mut h = Handle(word);
        loop {
            if !h.is_heap() {
                return h.0;
            }
            let at = h.heap_index();
            let header = self.memory.heap[at];
            if header & (flag::FORWARD | flag::MOVED) == 0 {
                return self.copy(at, header);
            }
            let target = self.memory.heap[at + SORT];
            if header & flag::MOVED != 0 {
                return target;
            }
            h = Handle(target);
        }
    }

    fn copy(&mut self, at: usize, header: u32) -> u32 {
        let len = self.memory.node_words(&self.memory.heap[at..]);
        let new = self.to.len();
        self.to.extend_from_slice(&self.memory.heap[at..at + len]);
        if header & flag::BIG != 0 {
            self.memory.bigs.mark(self.to[new + COUNT]);
        }
        self.memory.heap[at] |= flag::MOVED;
        self.memory.heap[at + SORT] = new as u32;
        new as u32
    }
}
