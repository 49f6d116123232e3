//! How many words a node has, and which of them are handles.

use super::layout::{ARGS, BUFFER_END, BUFFER_START, COUNT, LIST, SLICE_OF, SLICE_WORDS, SYMBOL};
use super::{Core, flag};
use crate::id::SymbolId;
use crate::signature::Shape;

/// The handles of a node: where the first is, how many there are, and how far apart.
pub(super) struct HandlePlaces {
    pub(super) start: usize,
    pub(super) n: usize,
    pub(super) step: usize,
}

impl HandlePlaces {
    /// The places.
    #[inline(always)]
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        (0..self.n).map(move |i| self.start + i * self.step)
    }
}

/// The symbol's core of the node whose words begin here.
#[inline(always)]
pub(super) fn core_of<'c>(cores: &'c [Core], node: &[u32]) -> &'c Core {
    &cores[SymbolId(node[0] & SYMBOL).index()]
}

/// Which words of a node are handles.
#[inline(always)]
pub(super) fn handle_places(cores: &[Core], node: &[u32]) -> HandlePlaces {
    let core = core_of(cores, node);
    let list = |step| (LIST + 1, node[LIST] as usize, step);
    let (start, n, step) = match core.shape {
        Shape::Free | Shape::Comm => (ARGS, usize::from(core.arity), 1),
        Shape::Iter => (ARGS, 1, 1),
        Shape::Assoc if node[0] & flag::SLICE != 0 => (SLICE_OF, 1, 1),
        Shape::Assoc if node[0] & flag::BUFFER != 0 => {
            let (start, end) = (node[BUFFER_START] as usize, node[BUFFER_END] as usize);
            (start, end - start, 1)
        }
        Shape::AssocComm if node[0] & flag::RAW == 0 => list(2),
        Shape::Assoc | Shape::AssocComm => list(1),
    };
    HandlePlaces { start, n, step }
}

/// The number of words of a node.
#[inline]
pub(super) fn node_len(cores: &[Core], node: &[u32]) -> usize {
    if node[0] & (flag::SLICE | flag::BUFFER) != 0 {
        return if node[0] & flag::SLICE != 0 { SLICE_WORDS } else { node[LIST] as usize };
    }
    let core = core_of(cores, node);
    match core.shape {
        Shape::Free | Shape::Comm => ARGS + usize::from(core.arity) + core.payload.len(),
        Shape::Assoc => LIST + 1 + node[LIST] as usize,
        Shape::AssocComm if node[0] & flag::RAW != 0 => LIST + 1 + node[LIST] as usize,
        Shape::AssocComm => LIST + 1 + 2 * node[LIST] as usize,
        Shape::Iter => COUNT + 2,
    }
}
