//! Parts of lists: stretches as values of variables, values compared with stretches.

use crate::heap::Handle;
use crate::id::SortId;
use crate::matching::{Deferred, ListNode, MatchRun, PatternNodeId, TopVariable};

impl MatchRun<'_> {
    /// How many arguments of a list a value is.
    pub(super) fn length(&self, node: &ListNode, value: Handle) -> usize {
        let memory = &self.space.memory;
        if memory.symbol(value) == node.symbol {
            return memory.n_args(value);
        }
        usize::from(node.identity == Handle::NIL || !memory.equal(value, node.identity))
    }

    /// Whether the arguments of the subject from `from` on begin with a value of `len` arguments.
    pub(super) fn is_at(
        &self,
        node: &ListNode,
        value: Handle,
        len: usize,
        subject: Handle,
        from: usize,
    ) -> bool {
        let memory = &self.space.memory;
        if memory.symbol(value) == node.symbol {
            return (0..len)
                .all(|i| memory.equal(memory.arg(value, i), memory.arg(subject, from + i)));
        }
        len == 0 || memory.equal(value, memory.arg(subject, from))
    }

    /// Binds a variable to a stretch of the subject, or compares the stretch with its value.
    pub(super) fn bind_stretch(
        &mut self,
        (id, place): (PatternNodeId, u32),
        node: &ListNode,
        c: &TopVariable,
        subject: Handle,
        from: usize,
        to: usize,
    ) -> bool {
        let value = self.value(c.var.slot);
        if value != Handle::NIL {
            let len = self.length(node, value);
            return len == to - from && self.is_at(node, value, len, subject, from);
        }
        if self.matcher.denied {
            // Only a greedy match does without sorts that have been denied; it has found its way.
            for i in from..to {
                let arg = self.space.memory.arg(subject, i);
                self.space.memory.declare_sorts(arg);
            }
        }
        let memory = &self.space.memory;
        let value = match to - from {
            0 if c.low > 0 => return false,
            0 => node.identity,
            1 => memory.arg(subject, from),
            n if !node.unreduced && n == memory.n_args(subject) => subject,
            _ => {
                // Memberships are only asked for what the declarations do not give.
                let fits =
                    c.alien.is_some() || self.stretch_fits(node, subject, from, to, c.var.sort);
                let memberships = memory.core(node.symbol).memberships;
                if !fits && !memberships {
                    return false;
                }
                let (slot, from, to) = (c.var.slot, from as u32, to as u32);
                let deferred = Deferred { slot, node: id, subject: place, from, to };
                if c.private && fits {
                    self.matcher.deferred.push(deferred);
                    return true;
                }
                let value = self.make_part(deferred, fits);
                if !fits && !self.fits_by_membership(value, c.var.sort) {
                    return false;
                }
                self.bind(slot, value);
                return true;
            }
        };
        if value == Handle::NIL || c.alien.is_none() && !self.fits(value, c.var.sort) {
            return false;
        }
        self.bind(c.var.slot, value);
        true
    }

    /// How far a stretch that begins at `first` and goes to `pos` can be extended, at most to `to`,
    /// so that every step of it has a sort.
    pub(super) fn reach(
        &self,
        node: &ListNode,
        subject: Handle,
        (first, pos, to): (usize, usize, usize),
        sort: SortId,
    ) -> usize {
        if pos >= to || sort.index == 0 {
            return to.max(pos);
        }
        if self.all_parts_fit(node, subject, sort) {
            let begun = pos > first || self.stretch_fits(node, subject, first, first + 1, sort);
            return if begun { to } else { pos };
        }
        let memory = &self.space.memory;
        let kind = self.space.signature.kind(sort.kind);
        let core = memory.core(node.symbol);
        let arg_sort = |i: usize| self.sort_or_none(memory.arg(subject, i));
        let mut fold = (first..pos).map(arg_sort).reduce(|l, r| memory.pair_sort(core, l, r));
        for i in pos..to {
            let next = fold.map_or(arg_sort(i), |left| memory.pair_sort(core, left, arg_sort(i)));
            if !kind.leq(next, sort.index) {
                return i;
            }
            fold = Some(next);
        }
        to
    }

    /// How far the arguments from `pos` to `to` have a sort each by itself.
    pub(super) fn arguments_fit(
        &self,
        node: &ListNode,
        subject: Handle,
        (pos, to): (usize, usize),
        sort: SortId,
    ) -> usize {
        let kind = self.space.signature.kind(sort.kind);
        let declaration = &self.space.signature.symbol(node.symbol).declarations[0];
        let all = kind.leq(declaration.args[0].index, sort.index);
        if sort.index == 0 || all && self.all_parts_fit(node, subject, sort) {
            return to;
        }
        let fits = |&at: &usize| self.stretch_fits(node, subject, at, at + 1, sort);
        (pos..to).find(|at| !fits(at)).unwrap_or(to)
    }

    /// The sort of an argument; that of the kind if it has been denied one.
    #[inline(always)]
    fn sort_or_none(&self, arg: Handle) -> u16 {
        self.space.memory.known_sort(arg).unwrap_or(0)
    }

    /// Whether every part of two or more arguments has the sort, since the whole has the one sort
    /// that the operator gives.
    #[inline(always)]
    fn all_parts_fit(&self, node: &ListNode, subject: Handle, sort: SortId) -> bool {
        let memory = &self.space.memory;
        node.even
            && !self.matcher.denied
            && memory.core(node.symbol).uniform.is_some_and(|uniform| {
                memory.known_sort(subject) == Some(uniform)
                    && self.space.signature.kind(sort.kind).leq(uniform, sort.index)
            })
    }

    /// Whether a stretch of one or more arguments has a sort, by the declarations.
    pub(super) fn stretch_fits(
        &self,
        node: &ListNode,
        subject: Handle,
        from: usize,
        to: usize,
        sort: SortId,
    ) -> bool {
        if sort.index == 0 {
            return true;
        }
        let memory = &self.space.memory;
        let kind = self.space.signature.kind(sort.kind);
        let core = memory.core(node.symbol);
        if to - from > 1 && self.all_parts_fit(node, subject, sort) {
            return true;
        }
        let args = memory.list_arguments(subject).range(from, to).iter();
        let sorts = args.map(|arg| (self.sort_or_none(memory.resolve(arg)), 1));
        let fold = memory.fold_sorts(core, sorts);
        fold.is_some_and(|index| kind.leq(index, sort.index))
    }
}
