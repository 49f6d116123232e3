//! Making nodes: one function for each kind of node. Nothing is normalised here, and nothing collects.

use dashu_int::UBig;

use super::layout::SORT;
use super::{Handle, Memory, flag};
use crate::id::{NameId, SymbolId};

impl Memory {
    /// A node with fixed arguments. `flags` from `flag`; the sort is not computed.
    #[inline(always)]
    pub(crate) fn fixed_node(&mut self, symbol: SymbolId, flags: u32, args: &[Handle]) -> Handle {
        let at = self.heap.len();
        self.append_node([symbol.0 | flags, 0], args.iter().copied());
        Handle::heap(at)
    }

    /// Appends the words of a node. Most have an argument or two: pushing them is quicker than what
    /// `extend` does for longer runs.
    #[inline(always)]
    fn append_node(&mut self, header: [u32; 2], args: impl Iterator<Item = Handle>) {
        self.heap.push(header[0]);
        self.heap.push(header[1]);
        for arg in args {
            self.heap.push(arg.0);
        }
    }

    /// The sort word of all nodes of a free symbol, or 0 if it depends on their arguments.
    pub(crate) fn sure_sort_word(&self, symbol: SymbolId) -> u32 {
        self.core(symbol).sure_sort.map_or(0, |sort| u32::from(sort) + 1)
    }

    /// A reduced node of a free symbol; `sort` is what `sure_sort_word` gives for the symbol.
    #[inline(always)]
    pub(crate) fn reduced_node(
        &mut self,
        symbol: SymbolId,
        sort: u32,
        args: impl ExactSizeIterator<Item = Handle>,
    ) -> Handle {
        let at = self.heap.len();
        self.append_node([symbol.0 | flag::REDUCED, sort], args);
        let node = Handle::heap(at);
        if sort == 0 {
            let sort = self.declared_sort(node);
            self.set_sort(node, sort);
        }
        node
    }

    /// A constant: the immediate where the symbol has one, else a new node.
    #[inline(always)]
    pub(crate) fn constant(&mut self, symbol: SymbolId) -> Handle {
        match self.core(symbol).immediate {
            Handle::NIL => self.fixed_node(symbol, 0, &[]),
            immediate => immediate,
        }
    }

    /// A node of an A symbol, or a raw AC node (with `flag::RAW`).
    pub(crate) fn list_node(
        &mut self,
        symbol: SymbolId,
        flags: u32,
        args: impl ExactSizeIterator<Item = Handle>,
    ) -> Handle {
        self.make_room(args.len());
        let at = self.heap.len();
        self.heap.extend([symbol.0 | flags, 0, args.len() as u32]);
        self.heap.extend(args.map(|a| a.0));
        Handle::heap(at)
    }

    /// A normal AC node from sorted distinct arguments with multiplicities.
    pub(crate) fn multiset_node(
        &mut self,
        symbol: SymbolId,
        flags: u32,
        args: impl ExactSizeIterator<Item = (Handle, u32)>,
    ) -> Handle {
        self.make_room(2 * args.len());
        let at = self.heap.len();
        self.heap.extend([symbol.0 | flags, 0, args.len() as u32]);
        for (handle, multiplicity) in args {
            self.heap.extend([handle.0, multiplicity]);
        }
        Handle::heap(at)
    }

    /// A normal AC node of two different arguments in canonical order.
    #[inline(always)]
    pub(super) fn pair_node(&mut self, symbol: SymbolId, a: Handle, b: Handle) -> Handle {
        let at = self.heap.len();
        self.heap.extend_from_slice(&[symbol.0, 0, 2, a.0, 1, b.0, 1]);
        Handle::heap(at)
    }

    /// A normal AC node of an argument that occurs twice.
    #[inline(always)]
    pub(super) fn double_node(&mut self, symbol: SymbolId, a: Handle) -> Handle {
        let at = self.heap.len();
        self.heap.extend_from_slice(&[symbol.0, 0, 1, a.0, 2]);
        Handle::heap(at)
    }

    /// A variable node.
    pub(crate) fn variable_node(&mut self, symbol: SymbolId, name: NameId, sort: u16) -> Handle {
        let at = self.heap.len();
        self.heap.extend([symbol.0 | flag::REDUCED, u32::from(sort) + 1, name.0]);
        Handle::heap(at)
    }

    /// An iterated node as it stands, without merging.
    pub(crate) fn iter_node(
        &mut self,
        symbol: SymbolId,
        flags: u32,
        count: UBig,
        arg: Handle,
    ) -> Handle {
        match u64::try_from(&count) {
            Ok(n) => self.small_iter_node(symbol, flags, n, arg),
            Err(_) => {
                let at = self.heap.len();
                let big = self.bigs.push(count);
                self.weigh_side_values();
                self.heap.extend([symbol.0 | flags | flag::BIG, 0, arg.0, big, 0]);
                Handle::heap(at)
            }
        }
    }

    /// An iterated node with a count of 64 bits.
    pub(crate) fn small_iter_node(
        &mut self,
        symbol: SymbolId,
        flags: u32,
        count: u64,
        arg: Handle,
    ) -> Handle {
        let at = self.heap.len();
        self.heap.extend([symbol.0 | flags, 0, arg.0, count as u32, (count >> 32) as u32]);
        Handle::heap(at)
    }

    /// A string or quoted-identifier literal.
    pub(crate) fn text_node(&mut self, symbol: SymbolId, text: &[u8], sort: u16) -> Handle {
        let text = self.texts.push(text.into());
        self.weigh_side_values();
        let at = self.heap.len();
        self.heap.extend([symbol.0 | flag::REDUCED, u32::from(sort) + 1, text]);
        Handle::heap(at)
    }

    /// A floating-point literal.
    pub(crate) fn float_node(&mut self, symbol: SymbolId, bits: u64, sort: u16) -> Handle {
        let at = self.heap.len();
        let words = [bits as u32, (bits >> 32) as u32];
        self.heap.extend([symbol.0 | flag::REDUCED, u32::from(sort) + 1, words[0], words[1]]);
        Handle::heap(at)
    }

    /// A copy of a node in the heap that shares its arguments.
    pub(crate) fn copy_node(&mut self, h: Handle) -> Handle {
        let at = self.heap.len();
        if self.has_flag(h, flag::SLICE) {
            // A copy may get other arguments, so it has them to itself.
            let header = self.word(h, 0) & !flag::SLICE;
            let sort = self.word(h, SORT);
            let words = self.list(h).to_vec();
            self.make_room(words.len());
            self.heap.extend([header, sort, words.len() as u32]);
            self.heap.extend(words);
            return Handle::heap(at);
        }
        if h.is_heap() {
            let from = h.heap_index();
            let n = self.node_words(&self.heap[from..]);
            self.make_room(n);
            self.heap.extend_from_within(from..from + n);
        } else {
            let from = h.store_index();
            let n = self.node_words(&self.store.arena(h)[from..]);
            self.make_room(n);
            self.heap.extend_from_slice(&self.store.arena(h)[from..from + n]);
        }
        Handle::heap(at)
    }

    /// A copy of an unreduced node that shares its arguments; nothing is known of it.
    pub(crate) fn copy_top(&mut self, node: Handle) -> Handle {
        let copy = self.copy_node(node);
        self.forget_sort(copy);
        self.clear_flag(copy, flag::NO_RULE);
        copy
    }

    /// A copy of a node that counts as unreduced; its arguments are those of the node.
    pub(crate) fn unreduced_top(&mut self, node: Handle) -> Handle {
        let copy = self.copy_top(node);
        self.clear_flag(copy, flag::REDUCED);
        copy
    }
}
