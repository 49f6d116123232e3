//! Parts of multisets: ranges of candidates, selections as values of variables.

use std::cmp::Ordering;

use super::{Instance, SMALL};
use crate::heap::{Handle, flag, partition};
use crate::id::{SortId, SymbolId};
use crate::matching::{
    AcAlien, CandidateFilter, Deferred, FreeCheck, MatchRun, MultiNode, PatternNode, TopVariable,
    least_sort,
};

impl MatchRun<'_> {
    /// The ranks of the arguments that have the operator of an alien.
    pub(super) fn operator_range(&self, alien: &AcAlien, subject: Handle, n: usize) -> (u32, u32) {
        let Some(symbol) = alien.symbol else { return (0, n as u32) };
        let memory = &self.space.memory;
        let symbol_of = |rank: usize| memory.symbol(memory.arg(subject, rank));
        let (from, to) = if n > 1 && symbol_of(0) == symbol && symbol_of(n - 1) == symbol {
            (0, n)
        } else if n <= SMALL {
            let from = (0..n).find(|&r| symbol_of(r) == symbol).unwrap_or(n);
            (from, (from..n).find(|&r| symbol_of(r) != symbol).unwrap_or(n))
        } else {
            let below = |r: usize| memory.compare_symbols(symbol_of(r), symbol).is_lt();
            let from = partition(0, n, below);
            let all = from < n && symbol_of(from) == symbol && symbol_of(n - 1) == symbol;
            (from, if all { n } else { partition(from, n, |r| symbol_of(r) == symbol) })
        };
        (from as u32, to as u32)
    }

    /// The ranks among these that an alien may match, by what is known of leading arguments.
    pub(super) fn narrowed(
        &self,
        alien: &AcAlien,
        subject: Handle,
        (from, to): (u32, u32),
        candidate_filter: &CandidateFilter,
    ) -> (u32, u32) {
        if alien.prefix == 0 || to - from < 3 || !candidate_filter.is_open() {
            return (from, to);
        }
        let PatternNode::Free(node) = self.pattern.uncaptured(alien.node) else {
            unreachable!("only free operators have a prefix")
        };
        let steps = &node.steps[..usize::from(alien.prefix)];
        // The first step that is no symbol tells whether anything is known.
        let telling = steps
            .iter()
            .find(|s| !matches!(s, FreeCheck::Symbol { .. } | FreeCheck::Capture { .. }));
        if telling.is_none_or(|step| self.is_open_end(step)) {
            return (from, to);
        }
        let places = usize::from(node.n_places);
        let memory = &self.space.memory;
        let order = |r: usize| self.compare_prefix(memory.arg(subject, r), steps, places);
        let from = partition(from as usize, to as usize, |r| order(r).is_lt());
        (from as u32, partition(from, to as usize, |r| order(r).is_eq()) as u32)
    }

    /// Whether a step says nothing yet.
    fn is_open_end(&self, step: &FreeCheck) -> bool {
        matches!(step, FreeCheck::Var { var, .. } if self.value(var.slot) == Handle::NIL)
    }

    /// Compares the leading arguments of a term with what is known of those of a pattern; equal if
    /// nothing known differs.
    fn compare_prefix(&self, term: Handle, steps: &[FreeCheck], n_places: usize) -> Ordering {
        let memory = &self.space.memory;
        let mut few = [Handle::NIL; 8];
        let mut many;
        let places = if n_places <= few.len() {
            &mut few[..]
        } else {
            many = vec![Handle::NIL; n_places];
            &mut many[..]
        };
        places[0] = term;
        let argument = |places: &[Handle], from: u16, arg: u16| {
            memory.fixed_arg(places[usize::from(from)], usize::from(arg))
        };
        for step in steps {
            let order = match *step {
                FreeCheck::Symbol { from, arg, symbol, to } => {
                    let h = argument(places, from, arg);
                    places[usize::from(to)] = h;
                    memory.compare_symbols(memory.symbol(h), symbol)
                }
                FreeCheck::Var { from, arg, var } => match self.value(var.slot) {
                    Handle::NIL => return Ordering::Equal,
                    value => memory.compare(argument(places, from, arg), value),
                },
                FreeCheck::Ground { from, arg, term } => {
                    memory.compare(argument(places, from, arg), term)
                }
                FreeCheck::Capture { .. } => Ordering::Equal,
                FreeCheck::Alien { .. } => return Ordering::Equal,
            };
            if order.is_ne() {
                return order;
            }
        }
        Ordering::Equal
    }

    /// Binds a variable to a selection of the subject: amounts by rank at a place of the words.
    pub(super) fn bind_selection(
        &mut self,
        instance: Instance,
        node: &MultiNode,
        c: &TopVariable,
        subject: Handle,
        amounts: usize,
    ) -> bool {
        let taken = &self.matcher.words[amounts..][..instance.n];
        let mut ranks = taken.iter().enumerate().filter(|(_, n)| **n > 0);
        let value = match (ranks.next(), ranks.next()) {
            (None, _) => node.identity,
            (Some((rank, 1)), None) => self.space.memory.arg(subject, rank),
            _ => return self.bind_several(instance, node, c, subject, amounts),
        };
        if value == Handle::NIL || !self.fits(value, c.var.sort) {
            return false;
        }
        self.bind(c.var.slot, value);
        true
    }

    fn bind_several(
        &mut self,
        instance: Instance,
        node: &MultiNode,
        c: &TopVariable,
        subject: Handle,
        amounts: usize,
    ) -> bool {
        let memory = &self.space.memory;
        let taken = &self.matcher.words[amounts..][..instance.n];
        let is_all = || memory.elements(subject).iter().zip(taken).all(|((_, all), &n)| all == n);
        if !node.unreduced && is_all() {
            if !self.fits(subject, c.var.sort) {
                return false;
            }
            self.bind(c.var.slot, subject);
            return true;
        }
        // Memberships are only asked for what the declarations do not give.
        let fits = self.selection_fits(node, subject, taken, c.var.sort);
        if !fits && !memory.core(node.symbol).memberships {
            return false;
        }
        if c.unused && fits {
            return true;
        }
        let (id, place) = (self.word(instance.at), self.word(instance.at + 1));
        let (slot, from) = (c.var.slot, amounts as u32);
        let deferred = Deferred { slot, node: id, subject: place, from, to: from };
        if c.private && fits {
            self.matcher.deferred.push(deferred);
            return true;
        }
        let value = self.make_part(deferred, fits);
        if !fits && !self.fits_by_membership(value, c.var.sort) {
            return false;
        }
        self.bind(slot, value);
        true
    }

    /// Whether a new part has a sort that only memberships can give it.
    pub(crate) fn fits_by_membership(&mut self, part: Handle, sort: SortId) -> bool {
        if self.space.memory.known_sort(part).is_none() {
            self.want_sort(part);
            return false;
        }
        self.fits(part, sort)
    }

    /// Whether a selection of two or more arguments has a sort, by the declarations.
    fn selection_fits(
        &self,
        node: &MultiNode,
        subject: Handle,
        taken: &[u32],
        sort: SortId,
    ) -> bool {
        if sort.index == 0 {
            return true;
        }
        let memory = &self.space.memory;
        let kind = self.space.signature.kind(sort.kind);
        let core = memory.core(node.symbol);
        if let Some(uniform) = self.uniform_sort(node.symbol, node.even, subject) {
            return kind.leq(uniform, sort.index);
        }
        let sorts = taken.iter().enumerate().filter(|&(_, &n)| n > 0);
        let sorts = sorts.map(|(rank, &n)| (memory.sort(memory.arg(subject, rank)), n));
        let fold = memory.fold_sorts(core, sorts);
        fold.is_some_and(|index| kind.leq(index, sort.index))
    }

    /// The sort that parts of two or more arguments have because the subject has it.
    #[inline(always)]
    pub(crate) fn uniform_sort(
        &self,
        symbol: SymbolId,
        even: bool,
        subject: Handle,
    ) -> Option<u16> {
        let memory = &self.space.memory;
        let core = memory.core(symbol);
        if core.sure_sort.is_some() {
            return core.sure_sort;
        }
        core.uniform.filter(|&sort| even && memory.known_sort(subject) == Some(sort))
    }

    /// Builds the node of a part that is known to have the sort of its variable.
    pub(crate) fn make_deferred(&mut self, deferred: Deferred) -> Handle {
        self.make_part(deferred, true)
    }

    /// Builds the node of a part. `fits`: the declarations give it the sort of its variable.
    pub(crate) fn make_part(&mut self, deferred: Deferred, fits: bool) -> Handle {
        let subject = self.kept(deferred.subject);
        let pattern = self.pattern;
        let (symbol, even, unreduced) = match pattern.node(deferred.node) {
            PatternNode::Multi(node) => (node.symbol, node.even, node.unreduced),
            PatternNode::List(node) => (node.symbol, node.even, node.unreduced),
            _ => unreachable!("only lists and multisets have parts"),
        };
        let memberships = self.space.memory.core(symbol).memberships;
        let value = match memberships {
            true => self.made_before(|run| run.build_part(deferred, subject)),
            false => self.build_part(deferred, subject),
        };
        if unreduced {
            return value;
        }
        let memory = &mut self.space.memory;
        let reduced = memory.is_reduced(subject);
        if memberships {
            // A part of what is not reduced gets its sort when something asks for it. Memberships
            // take what they are to give its sort for unreduced.
            if reduced {
                if fits {
                    memory.set_flag(value, flag::REDUCED);
                }
                match memory.known_sort(value) {
                    Some(_) => memory.set_flag(value, flag::REDUCED),
                    None => self.want_sort(value),
                }
            }
            return value;
        }
        match self.uniform_sort(symbol, even, subject) {
            Some(sort) if self.space.memory.known_sort(value).is_none() => {
                self.space.memory.set_sort(value, sort);
            }
            _ => {
                least_sort(self.space, value);
            }
        }
        if reduced {
            self.space.memory.set_flag(value, flag::REDUCED);
        }
        value
    }

    fn build_part(&mut self, deferred: Deferred, subject: Handle) -> Handle {
        let memory = &mut self.space.memory;
        match self.pattern.node(deferred.node) {
            PatternNode::Multi(node) => {
                let n = memory.n_args(subject);
                let taken = &self.matcher.words[deferred.from as usize..][..n];
                memory.multiset_part(node.symbol, subject, taken)
            }
            PatternNode::List(node) => {
                let (from, to) = (deferred.from as usize, deferred.to as usize);
                memory.list_part(node.symbol, subject, from, to)
            }
            _ => unreachable!("only lists and multisets have parts"),
        }
    }
}
