//! Handles, and the words of a node.
//!
//! A node begins with a header (symbol in the low 24 bits, flags above) and the sort word (sort
//! index + 1, or 0 while it is not computed; the target of a forward). Then follow
//! - fixed arguments (free and commutative symbols),
//! - a length and the arguments (A; raw AC), or for longer normal lists a length, the handle of a
//!   buffer or stored node, and the offset of the first argument in it (`slices.rs`), or pairs of argument and multiplicity (normal AC),
//! - the argument and a count of two words (iterated symbols),
//! - the name number of a variable, the number of a text, the two words of a float.

use crate::id::SymbolId;
use crate::limits::{Limit, Stop, passed, unwind};

/// The bits of a header that hold the symbol.
pub(super) const SYMBOL: u32 = 0x00ff_ffff;
/// Offset of the sort word.
pub(super) const SORT: usize = 1;
/// Offset of the first fixed argument, of the argument of an iterated node, of a payload.
pub(super) const ARGS: usize = 2;
/// Offset of the length of a list.
pub(super) const LIST: usize = 2;
/// Offsets of a slice's buffer and of the place of its first argument.
pub(super) const SLICE_OF: usize = 3;
pub(super) const SLICE_AT: usize = 4;
/// Offsets, in a buffer, of the offset of its first argument and of the end of its arguments; its
/// length (at `LIST`) counts all its words.
pub(super) const BUFFER_START: usize = 1;
pub(super) const BUFFER_END: usize = 3;
/// Words of a buffer before its first cell.
pub(super) const BUFFER_HEAD: usize = 4;
/// Words of a slice.
pub(super) const SLICE_WORDS: usize = 5;
/// Offset of an iteration count.
pub(super) const COUNT: usize = 3;

/// Flags of a header.
pub(crate) mod flag {
    /// No equation applies here or below; the sort is computed.
    pub(crate) const REDUCED: u32 = 1 << 24;
    /// Arguments as a right side left them: nested, unsorted, identities present.
    pub(crate) const RAW: u32 = 1 << 25;
    /// The node stands for the one in its sort word.
    pub(crate) const FORWARD: u32 = 1 << 26;
    /// The iteration count is in the side table.
    pub(crate) const BIG: u32 = 1 << 27;
    /// All rules have been tried here in vain.
    pub(crate) const NO_RULE: u32 = 1 << 28;
    /// Of a node that is neither raw nor reduced: an argument was rewritten since it was made normal,
    /// and a collection has removed the forward that would tell.
    pub(crate) const OUTDATED: u32 = NO_RULE;
    /// The collector has copied the node; the sort word says where to.
    pub(crate) const MOVED: u32 = 1 << 29;
    /// The arguments of the list stand elsewhere, in a buffer or a stored node.
    pub(crate) const SLICE: u32 = 1 << 30;
    /// Not a term, but arguments that slices share.
    pub(crate) const BUFFER: u32 = 1 << 31;
}

/// A term: a node of the heap or the store, or an immediate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Handle(pub(crate) u32);

const STORE: u32 = 0x8000_0000;
const PERMANENT: u32 = 0xa000_0000;
const CONSTANT: u32 = 0xc000_0000;
const NAT: u32 = 0xe000_0000;
/// The words of the heap, and those of the store, that handles can tell apart.
pub(super) const HEAP_WORDS: usize = STORE as usize;
pub(super) const STORE_WORDS: usize = (PERMANENT - STORE) as usize;

impl Handle {
    /// No term.
    pub(crate) const NIL: Handle = Handle(u32::MAX);
    /// The largest immediate natural number.
    pub(crate) const MAX_NAT: u64 = (u32::MAX - NAT - 1) as u64;

    #[inline(always)]
    pub(super) fn heap(at: usize) -> Handle {
        if HEAP_WORDS <= at {
            unwind(Stop::Memory);
        }
        Handle(at as u32)
    }

    #[inline(always)]
    pub(super) fn stored(at: usize) -> Handle {
        if STORE_WORDS <= at {
            unwind(Stop::Memory);
        }
        Handle(STORE | at as u32)
    }

    #[inline(always)]
    pub(super) fn permanent(at: usize) -> Handle {
        if (CONSTANT - PERMANENT) as usize <= at {
            passed(Limit::Constants);
        }
        Handle(PERMANENT | at as u32)
    }

    /// A small natural number.
    #[inline(always)]
    pub(crate) fn nat(n: u32) -> Handle {
        debug_assert!(u64::from(n) <= Handle::MAX_NAT);
        Handle(NAT | n)
    }

    /// A constant without a node.
    #[inline(always)]
    pub(crate) fn immediate(symbol: SymbolId) -> Handle {
        Handle(CONSTANT | symbol.0)
    }

    /// In the heap, so that it moves and may be forwarded.
    #[inline(always)]
    pub(crate) fn is_heap(self) -> bool {
        self.0 < STORE
    }

    /// In the store.
    #[inline(always)]
    pub(crate) fn is_stored(self) -> bool {
        self.0 & 0xc000_0000 == STORE
    }

    /// Among the terms of compiled code.
    #[inline(always)]
    pub(super) fn is_permanent(self) -> bool {
        self.0 & 0xe000_0000 == PERMANENT
    }

    /// Equal to another such handle only if it is the same: an immediate, or a node that a run has
    /// entered into the store.
    #[inline(always)]
    pub(crate) fn is_unique(self) -> bool {
        !self.is_heap() && !self.is_permanent()
    }

    /// In the heap or the store.
    #[inline(always)]
    pub(crate) fn is_node(self) -> bool {
        self.0 < CONSTANT
    }

    /// The value of an immediate number.
    #[inline(always)]
    pub(crate) fn as_nat(self) -> Option<u32> {
        if self.0 >= NAT { Some(self.0 - NAT) } else { None }
    }

    #[inline(always)]
    pub(super) fn constant_symbol(self) -> SymbolId {
        debug_assert!((CONSTANT..NAT).contains(&self.0));
        SymbolId(self.0 & SYMBOL)
    }

    #[inline(always)]
    pub(super) fn heap_index(self) -> usize {
        self.0 as usize
    }

    #[inline(always)]
    pub(super) fn store_index(self) -> usize {
        (self.0 & !PERMANENT) as usize
    }
}
