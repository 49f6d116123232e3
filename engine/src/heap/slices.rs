//! Long lists of an associative operator: slices of buffers that they share.
//!
//! A part of a list costs nothing to take, and an argument at either end of a list is written into
//! the buffer where there is room and nobody else has written: a list grows and shrinks at its ends
//! in constant time, however long it is. Slices never see what is written beyond their own ends.

use super::layout::{BUFFER_END, BUFFER_HEAD, BUFFER_START, LIST, SLICE_AT, SLICE_OF};
use super::{Handle, Memory, flag};
use crate::id::SymbolId;

/// Lists up to this length are copied: a slice would not be smaller.
const SHORT: usize = 8;

impl Memory {
    /// A stretch of two or more arguments of a normal list as a new normal node, without a sort.
    pub(crate) fn slice(
        &mut self,
        symbol: SymbolId,
        subject: Handle,
        from: usize,
        to: usize,
    ) -> Handle {
        // A heap node cannot be sliced itself, since it may be forwarded and collected as what it
        // then stands for.
        let place = if to - from <= SHORT {
            None
        } else if self.has_flag(subject, flag::SLICE) {
            let at = self.word(subject, SLICE_AT) as usize + from;
            Some((Handle(self.word(subject, SLICE_OF)), at))
        } else if !subject.is_heap() {
            Some((subject, LIST + 1 + from))
        } else {
            None
        };
        match place {
            Some((buffer, at)) => self.slice_node(symbol, to - from, buffer, at),
            None => {
                let (holder, at) = self.list_place(subject);
                let new = self.begin_list(symbol, to - from);
                self.append(holder, at + from, to - from);
                new
            }
        }
    }

    /// A list whose `n` arguments are still to be appended.
    fn begin_list(&mut self, symbol: SymbolId, n: usize) -> Handle {
        self.make_room(n);
        let new = self.heap.len();
        self.heap.extend([symbol.0, 0, n as u32]);
        Handle::heap(new)
    }

    fn slice_node(&mut self, symbol: SymbolId, n: usize, buffer: Handle, at: usize) -> Handle {
        let new = self.heap.len();
        self.heap.extend([symbol.0 | flag::SLICE, 0, n as u32, buffer.0, at as u32]);
        Handle::heap(new)
    }

    /// The list of two or more normal parts: lists of the symbol, and arguments of their own.
    pub(crate) fn join_lists(&mut self, symbol: SymbolId, parts: &[Handle]) -> Handle {
        let is_list = |h: Handle| h.is_node() && self.symbol(h) == symbol;
        let length = |h: Handle| if is_list(h) { self.n_args(h) } else { 1 };
        let n: usize = parts.iter().map(|&p| length(p)).sum();
        if n <= SHORT {
            let new = self.begin_list(symbol, n);
            for &part in parts {
                if part.is_node() && self.symbol(part) == symbol {
                    let (holder, at) = self.list_place(part);
                    self.append(holder, at, self.n_args(part));
                } else {
                    self.heap.push(part.0);
                }
            }
            return new;
        }
        let (first, last) = (parts[0], parts[parts.len() - 1]);
        let (head, tail) = (length(first), length(last));
        if 2 * head >= n {
            let mut rest = std::mem::take(&mut self.scratch);
            rest.clear();
            parts[1..].iter().for_each(|&p| self.append_args(symbol, p, &mut rest));
            let grown = self.grow_at_end(symbol, first, head, &rest);
            self.scratch = rest;
            if let Some(node) = grown {
                return node;
            }
            return self.new_buffer(symbol, parts, n, 0, n);
        }
        if 2 * tail >= n {
            let mut rest = std::mem::take(&mut self.scratch);
            rest.clear();
            let before = &parts[..parts.len() - 1];
            before.iter().for_each(|&p| self.append_args(symbol, p, &mut rest));
            let grown = self.grow_at_start(symbol, last, tail, &rest);
            self.scratch = rest;
            if let Some(node) = grown {
                return node;
            }
            return self.new_buffer(symbol, parts, n, n, 0);
        }
        self.new_buffer(symbol, parts, n, 0, 0)
    }

    fn append_args(&self, symbol: SymbolId, part: Handle, to: &mut Vec<u32>) {
        if part.is_node() && self.symbol(part) == symbol {
            to.extend_from_slice(self.list(part));
        } else {
            to.push(part.0);
        }
    }

    /// A new buffer with room before and behind, and the slice of all that is in it.
    fn new_buffer(
        &mut self,
        symbol: SymbolId,
        parts: &[Handle],
        n: usize,
        before: usize,
        behind: usize,
    ) -> Handle {
        let start = BUFFER_HEAD + before;
        let words = start + n + behind;
        self.make_room(words);
        let at = self.heap.len();
        let buffer = Handle::heap(at);
        self.heap.extend([symbol.0 | flag::BUFFER, start as u32, words as u32, (start + n) as u32]);
        self.heap.resize(at + start, Handle::NIL.0);
        for &part in parts {
            if part.is_node() && self.symbol(part) == symbol {
                self.copy_list_to_end(part);
            } else {
                self.heap.push(part.0);
            }
        }
        self.heap.resize(at + words, Handle::NIL.0);
        self.slice_node(symbol, n, buffer, start)
    }

    /// Appends the arguments of a list to the end of the heap.
    fn copy_list_to_end(&mut self, list: Handle) {
        let n = self.word(list, LIST) as usize;
        let (holder, at) = if self.has_flag(list, flag::SLICE) {
            (Handle(self.word(list, SLICE_OF)), self.word(list, SLICE_AT) as usize)
        } else {
            (list, LIST + 1)
        };
        if holder.is_heap() {
            let from = holder.heap_index() + at;
            self.heap.extend_from_within(from..from + n);
        } else {
            let from = holder.store_index() + at;
            self.heap.extend_from_slice(&self.store.arena(holder)[from..from + n]);
        }
    }

    /// Writes arguments behind a slice, if it ends where its buffer does and there is room.
    fn grow_at_end(
        &mut self,
        symbol: SymbolId,
        list: Handle,
        n: usize,
        more: &[u32],
    ) -> Option<Handle> {
        let buffer = self.buffer_of(list)?;
        let at = self.word(list, SLICE_AT) as usize;
        let end = at + n;
        let room = end + more.len() <= self.word(buffer, LIST) as usize;
        if !room || self.word(buffer, BUFFER_END) as usize != end {
            return None;
        }
        let cells = buffer.heap_index() + end;
        self.heap[cells..cells + more.len()].copy_from_slice(more);
        *self.word_mut(buffer, BUFFER_END) = (end + more.len()) as u32;
        Some(self.slice_node(symbol, n + more.len(), buffer, at))
    }

    /// Writes arguments before a slice, if it begins where its buffer does and there is room.
    fn grow_at_start(
        &mut self,
        symbol: SymbolId,
        list: Handle,
        n: usize,
        more: &[u32],
    ) -> Option<Handle> {
        let buffer = self.buffer_of(list)?;
        let at = self.word(list, SLICE_AT) as usize;
        let room = at >= BUFFER_HEAD + more.len();
        if !room || self.word(buffer, BUFFER_START) as usize != at {
            return None;
        }
        let start = at - more.len();
        let cells = buffer.heap_index() + start;
        self.heap[cells..cells + more.len()].copy_from_slice(more);
        *self.word_mut(buffer, BUFFER_START) = start as u32;
        Some(self.slice_node(symbol, n + more.len(), buffer, start))
    }

    /// The buffer that a list is a slice of.
    fn buffer_of(&self, list: Handle) -> Option<Handle> {
        if !self.has_flag(list, flag::SLICE) {
            return None;
        }
        let holder = Handle(self.word(list, SLICE_OF));
        (holder.is_heap() && self.word(holder, 0) & flag::BUFFER != 0).then_some(holder)
    }

    /// Replaces an argument of a slice, in all slices that share it, by one that is the same term.
    pub(super) fn set_slice_arg(&mut self, list: Handle, place: usize, to: Handle) {
        let holder = Handle(self.word(list, SLICE_OF));
        let at = self.word(list, SLICE_AT) as usize + place;
        debug_assert!(holder.is_heap(), "stored arguments are not replaced");
        self.heap[holder.heap_index() + at] = to.0;
    }
}
