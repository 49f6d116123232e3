//! The one view of the arguments of A and AC nodes. How they are kept is known in `heap` alone.
//!
//! Arguments are told apart by rank: their place in a list, their place in the canonical order in a
//! multiset. Handles are those that the node was built over; `Memory::resolve` follows forwards.

use super::layout::{LIST, SLICE_AT, SLICE_OF};
use super::{Core, Handle, Memory, flag};
use crate::term::repeat_sort;

/// The arguments of a normal A node, or of a part of it.
#[derive(Clone, Copy)]
pub(crate) struct ListArguments<'m> {
    words: &'m [u32],
}

/// The elements of a normal AC node: distinct arguments in canonical order, with multiplicities.
#[derive(Clone, Copy)]
pub(crate) struct Elements<'m> {
    words: &'m [u32],
}

impl<'m> ListArguments<'m> {
    /// How many there are.
    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        self.words.len()
    }

    /// Those from rank `from` on that are before `to`.
    #[inline(always)]
    pub(crate) fn range(self, from: usize, to: usize) -> ListArguments<'m> {
        ListArguments { words: &self.words[from..to] }
    }

    /// All of them, in order.
    #[inline(always)]
    pub(crate) fn iter(self) -> impl ExactSizeIterator<Item = Handle> + 'm {
        self.words.iter().map(|&word| Handle(word))
    }
}

impl<'m> Elements<'m> {
    /// How many elements there are, repetitions not counted.
    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        self.words.len() / 2
    }

    /// The element of a rank with its multiplicity.
    #[inline(always)]
    pub(crate) fn get(self, rank: usize) -> (Handle, u32) {
        (Handle(self.words[2 * rank]), self.words[2 * rank + 1])
    }

    /// All of them, in order.
    #[inline(always)]
    pub(crate) fn iter(self) -> impl ExactSizeIterator<Item = (Handle, u32)> + 'm {
        self.words.chunks_exact(2).map(|pair| (Handle(pair[0]), pair[1]))
    }

    /// Whether this very handle is an element. Equal terms may have others.
    pub(crate) fn has_handle(self, handle: Handle) -> bool {
        self.iter().any(|(element, _)| element == handle)
    }
}

impl Memory {
    /// The arguments of a normal A node.
    #[inline(always)]
    pub(crate) fn list_arguments(&self, h: Handle) -> ListArguments<'_> {
        ListArguments { words: self.list(h) }
    }

    /// The elements of a normal AC node.
    #[inline(always)]
    pub(crate) fn elements(&self, h: Handle) -> Elements<'_> {
        Elements { words: self.pairs(h) }
    }

    /// The arguments of a normal A node as words.
    #[inline(always)]
    pub(super) fn list(&self, h: Handle) -> &[u32] {
        let (holder, at) = self.list_place(h);
        self.words(holder, at, self.word(h, LIST) as usize)
    }

    /// The node that holds the arguments of a normal A node, and where the first of them is in it.
    #[inline(always)]
    pub(super) fn list_place(&self, h: Handle) -> (Handle, usize) {
        if self.word(h, 0) & flag::SLICE != 0 {
            (Handle(self.word(h, SLICE_OF)), self.word(h, SLICE_AT) as usize)
        } else {
            (h, LIST + 1)
        }
    }

    /// The elements of a normal AC node as words: handle and multiplicity in turn.
    #[inline(always)]
    pub(super) fn pairs(&self, h: Handle) -> &[u32] {
        debug_assert!(!self.has_flag(h, flag::RAW));
        self.words(h, LIST + 1, 2 * self.word(h, LIST) as usize)
    }

    /// The first rank from `from` on, and before `to`, of an argument of a normal list that equals a
    /// term; `to` if there is none.
    pub(crate) fn find_in_list(&self, h: Handle, from: usize, to: usize, term: Handle) -> usize {
        let is_it = |arg: Handle| {
            arg == term
                || !(arg.is_unique() && term.is_unique()) && self.equal(self.resolve(arg), term)
        };
        let mut args = self.list_arguments(h).range(from.min(to), to).iter();
        args.position(is_it).map_or(to, |at| from + at)
    }

    /// The rank of an element of a normal AC node that equals a term.
    pub(crate) fn find_element(&self, subject: Handle, term: Handle) -> Option<usize> {
        let elements = self.elements(subject);
        let element = |rank: usize| self.resolve(elements.get(rank).0);
        let rank = partition(0, elements.len(), |rank| {
            let x = element(rank);
            x != term && self.compare(x, term).is_lt()
        });
        (rank < elements.len() && self.equal(element(rank), term)).then_some(rank)
    }

    /// A raw list like a normal one, with a term in place of the arguments from `from` on that are
    /// before `to`.
    pub(crate) fn raw_splice(&mut self, h: Handle, from: usize, to: usize, term: Handle) -> Handle {
        let args = self.list_arguments(h);
        let (before, after) = (args.range(0, from), args.range(to, args.len()));
        let spliced: Vec<Handle> = before.iter().chain([term]).chain(after.iter()).collect();
        self.list_node(self.symbol(h), flag::RAW, spliced.into_iter())
    }

    /// The sort that the declarations of an associative operator give to arguments with these sorts
    /// and multiplicities, in order.
    #[inline(always)]
    pub(crate) fn fold_sorts(
        &self,
        core: &Core,
        sorts: impl Iterator<Item = (u16, u32)>,
    ) -> Option<u16> {
        let mut fold: Option<u16> = None;
        for (sort, times) in sorts {
            let (start, times) = fold.map_or((sort, times - 1), |left| (left, times));
            let step = |left| self.pair_sort(core, left, sort);
            fold = Some(match times {
                0 => start,
                1 => step(start),
                _ => repeat_sort(u64::from(times), start, step),
            });
        }
        fold
    }
}

/// The first rank from `from` below `to` for which `before` is false, those before it all being true;
/// `to` if there is none.
pub(crate) fn partition(from: usize, to: usize, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (from, to);
    while low < high {
        let middle = low + (high - low) / 2;
        if before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
