//! The workspace: what terms live in while something works on them. Heap and store, the root stack,
//! the signature, and the limits that a computation looks at.

use crate::heap::Memory;
use crate::limits::{Limits, Stop, unwind};
use crate::registers::Registers;
use crate::signature::Signature;

/// The heap is first collected at this many words: what is in use then still fits into a cache.
const FIRST_COLLECTION: usize = 1 << 19;
/// The store is first collected at this many words (8 MB).
const FIRST_STORE_COLLECTION: usize = 1 << 21;
/// Collections come at every safe point, so that handles that are no roots show in any test.
const ALWAYS: bool = cfg!(feature = "collect-always");
/// The registers of all frames together; their places are words, and between two looks at the
/// limits some come to them.
const MOST_REGISTERS: usize = 1 << 31;
/// Where most memory is held by numbers and texts, the heap is collected when they have taken this
/// part of what is left.
const SPARED: usize = 8;

/// Terms in use, and the limits to how many there may be.
pub(crate) struct Workspace {
    /// That of the theory, with the ranks that commands have given.
    pub(crate) signature: Signature,
    pub(crate) memory: Memory,
    /// The root stack: registers of frames.
    pub(crate) regs: Registers,
    /// What bounds a computation.
    pub(crate) limits: Limits,
    /// Set when a computation was stopped; it then ends as soon as it can.
    pub(crate) stopped: Option<Stop>,
    gauge: Gauge,
}

/// When to collect, and when to measure the memory that a computation has taken.
struct Gauge {
    /// The words of the heap at which it is collected.
    collect_at: usize,
    /// Collections come at every safe point.
    always: bool,
    /// The words of the heap that were live after the last collection.
    live: usize,
    /// There was too much memory in use, and a collection is due that may help.
    pressed: bool,
    /// The words of the store at which it is collected.
    collect_store_at: usize,
}

impl Workspace {
    /// A workspace without terms. `memory` has the constants of a theory.
    pub(crate) fn new(signature: Signature, memory: Memory) -> Workspace {
        Workspace {
            signature,
            memory,
            regs: Registers::default(),
            limits: Limits::default(),
            stopped: None,
            gauge: Gauge {
                collect_at: if ALWAYS { 0 } else { FIRST_COLLECTION },
                always: ALWAYS,
                live: 0,
                pressed: false,
                collect_store_at: if ALWAYS { 0 } else { FIRST_STORE_COLLECTION },
            },
        }
    }

    /// Takes over the ranks of symbols that have been mentioned since.
    pub(crate) fn learn_mentioned(&mut self, signature: &Signature) {
        debug_assert!(self.signature.shares_tables(signature), "terms of another theory");
        if self.signature.mentioned().len() < signature.mentioned().len() {
            self.signature = signature.clone();
            self.memory.learn_mentioned(signature);
        }
    }

    /// Ends the computation if `n` more registers would be too many to be addressed, or more than
    /// memory has room for. Frames with as many registers as the user likes ask before.
    pub(crate) fn make_room_for_registers(&self, n: u64) {
        let all = self.regs.len() as u64 + n;
        if MOST_REGISTERS as u64 <= all || self.limits.admit(4 * all).is_err() {
            unwind(Stop::Memory);
        }
    }

    /// Opens a frame of `n` registers on the root stack and returns its base.
    #[inline]
    pub(crate) fn push_frame(&mut self, n: usize) -> usize {
        self.regs.open(n)
    }

    /// Closes all frames from `base` on.
    #[inline]
    pub(crate) fn pop_frame(&mut self, base: usize) {
        self.regs.truncate(base);
    }

    /// Whether the heap has grown enough to be collected at the next safe point.
    #[inline(always)]
    pub(crate) fn wants_collection(&self) -> bool {
        self.memory.heap_load() >= self.gauge.collect_at
    }

    /// Has the heap collected at every safe point, whatever its size.
    #[cfg(test)]
    pub(crate) fn collect_always(&mut self) {
        self.gauge.always = true;
        self.gauge.collect_at = 0;
        self.gauge.collect_store_at = 0;
    }

    /// Whether the store has grown enough to be collected between two steps of a computation.
    #[inline(always)]
    pub(crate) fn wants_store_collection(&self) -> bool {
        self.memory.store_load() >= self.gauge.collect_store_at
    }

    /// Notes that the store has been collected, or that it cannot be.
    pub(crate) fn note_store_collection(&mut self) {
        let next = (2 * self.memory.store_load()).max(FIRST_STORE_COLLECTION);
        self.gauge.collect_store_at = if self.gauge.always { 0 } else { next };
    }

    /// Notes that the heap has been collected.
    pub(crate) fn note_collection(&mut self) {
        self.gauge.live = self.memory.heap_load();
        self.gauge.pressed = false;
        // A collection looks at all roots, so many roots count like many live words.
        let visited = self.gauge.live + self.regs.len();
        let mut next = (3 * visited).max(FIRST_COLLECTION);
        if 2 * self.memory.side_words() > self.gauge.live {
            // To free large numbers costs nothing beside what they hold.
            let spare = self.limits.spare() as usize / 4 / SPARED;
            next = next.min(self.gauge.live + spare.max(FIRST_COLLECTION));
        }
        self.gauge.collect_at = if self.gauge.always { 0 } else { next };
    }

    /// Looks whether the computation has to stop: it was interrupted, or takes too much memory.
    #[inline]
    pub(crate) fn check_limits(&mut self) {
        if self.limits.is_interrupted() {
            self.stopped = Some(Stop::Interrupted);
            return;
        }
        // The next collection will need room for a copy of the heap.
        let copy = self.memory.copy_bytes();
        let full = self.memory.is_nearly_full() || MOST_REGISTERS <= self.regs.len();
        if full || self.limits.admit(copy).is_err() {
            self.relieve();
        }
    }

    /// There is too much memory in use: a collection comes next if it may give much back, else the
    /// computation ends.
    #[cold]
    fn relieve(&mut self) {
        let needed = self.limits.held() + self.memory.copy_bytes();
        let garbage = 4 * self.memory.heap_load().saturating_sub(self.gauge.live) as u64;
        if garbage > needed / 64 && !self.gauge.pressed {
            self.gauge.pressed = true;
            self.gauge.collect_at = self.memory.heap_load();
        } else {
            self.stopped = Some(Stop::Memory);
        }
    }

    /// Begins to gauge, before a computation has taken anything.
    pub(crate) fn begin_gauging(&mut self) {
        self.gauge.pressed = false;
        self.gauge.collect_at = if self.gauge.always { 0 } else { FIRST_COLLECTION };
        self.gauge.live = 0;
        self.note_store_collection();
        // A collection needs room for a copy of the heap.
        self.memory.set_room(self.limits.memory().map_or(u64::MAX, |bytes| bytes / 2));
    }

    /// Gives back what a computation held that was stopped. Nothing of the heap lives on.
    pub(crate) fn release(&mut self) {
        self.regs = Registers::default();
        self.memory.forget_heap();
        self.gauge.collect_at = if self.gauge.always { 0 } else { FIRST_COLLECTION };
        self.gauge.live = 0;
    }
}
