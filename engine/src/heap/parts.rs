//! Parts of multisets as new nodes: words are copied in runs.

use super::layout::LIST;
use super::postings::Removed;
use super::{Handle, Memory};
use crate::id::SymbolId;

impl Memory {
    /// Appends words of a node to the heap.
    #[inline(always)]
    pub(super) fn append(&mut self, h: Handle, offset: usize, n: usize) {
        if h.is_heap() {
            let from = h.heap_index() + offset;
            self.heap.extend_from_within(from..from + n);
        } else {
            let from = h.store_index() + offset;
            self.heap.extend_from_slice(&self.store.arena(h)[from..from + n]);
        }
    }

    /// The part of a normal multiset that takes `amounts` of its elements by rank as a new normal
    /// node, without a sort; two or more arguments must be taken.
    pub(crate) fn multiset_part(
        &mut self,
        symbol: SymbolId,
        subject: Handle,
        amounts: &[u32],
    ) -> Handle {
        self.make_room(2 * amounts.len());
        let at = self.heap.len();
        let posted = self.has_postings(subject);
        let mut removed = Removed::new();
        self.heap.extend([symbol.0, 0, 0]);
        let mut taken = 0;
        let mut rank = 0;
        while rank < amounts.len() {
            if amounts[rank] == 0 {
                if posted && removed.len() < removed.inline_size() {
                    removed.push(rank as u8);
                }
                rank += 1;
                continue;
            }
            let pairs = &self.pairs(subject)[2 * rank..];
            let same = |(p, &n): (&[u32], &u32)| p[1] == n && n > 0;
            let run = pairs.chunks_exact(2).zip(&amounts[rank..]).take_while(|&x| same(x)).count();
            if run == 0 {
                let pair = [pairs[0], amounts[rank]];
                self.heap.extend(pair);
                (taken, rank) = (taken + 1, rank + 1);
            } else {
                self.append(subject, LIST + 1 + 2 * rank, 2 * run);
                (taken, rank) = (taken + run, rank + run);
            }
        }
        self.heap[at + LIST] = taken as u32;
        let part = Handle::heap(at);
        if posted && taken + removed.len() == amounts.len() {
            self.note_part(part, subject, removed);
        }
        part
    }
}
