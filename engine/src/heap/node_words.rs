//! How many words a node has, and which of them are handles.

use super::layout::{ARGS, BUFFER_END, BUFFER_START, COUNT, LIST, SLICE_OF, SLICE_WORDS, SYMBOL};
use super::{Core, flag};
use crate::id::SymbolId;
use crate::signature::Shape;

/// What the words of a node are: where the first handle is, how many there are and how far apart, and
/// how many words there are in all.
pub(super) struct NodeWords {
    start: usize,
    n: usize,
    step: usize,
    pub(super) len: usize,
}

impl NodeWords {
    /// Where the handles are.
    #[inline(always)]
    pub(super) fn handles(&self) -> impl Iterator<Item = usize> + use<> {
        let (start, step) = (self.start, self.step);
        (0..self.n).map(move |i| start + i * step)
    }
}

/// The symbol's core of the node whose words begin here.
#[inline(always)]
pub(super) fn core_of<'c>(cores: &'c [Core], node: &[u32]) -> &'c Core {
    &cores[SymbolId(node[0] & SYMBOL).index()]
}

/// What the words are of a node with this core.
#[inline(always)]
pub(super) fn node_words(core: &Core, node: &[u32]) -> NodeWords {
    let list = |step: usize| {
        let n = node[LIST] as usize;
        NodeWords { start: LIST + 1, n, step, len: LIST + 1 + n * step }
    };
    match core.shape {
        Shape::Free | Shape::Comm => {
            let n = usize::from(core.arity);
            NodeWords { start: ARGS, n, step: 1, len: ARGS + n + core.payload.len() }
        }
        Shape::Iter => NodeWords { start: ARGS, n: 1, step: 1, len: COUNT + 2 },
        Shape::Assoc if node[0] & flag::SLICE != 0 => {
            NodeWords { start: SLICE_OF, n: 1, step: 1, len: SLICE_WORDS }
        }
        Shape::Assoc if node[0] & flag::BUFFER != 0 => {
            let (start, end) = (node[BUFFER_START] as usize, node[BUFFER_END] as usize);
            NodeWords { start, n: end - start, step: 1, len: node[LIST] as usize }
        }
        Shape::AssocComm if node[0] & flag::RAW == 0 => list(2),
        Shape::Assoc | Shape::AssocComm => list(1),
    }
}

/// The number of words of a node.
#[inline]
pub(super) fn node_len(cores: &[Core], node: &[u32]) -> usize {
    node_words(core_of(cores, node), node).len
}
