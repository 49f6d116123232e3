//! What is known of a pattern before it is matched: what may collapse, what is disjoint, and which
//! variables certainly get one value (`docs/semantics.md` 6.2, 6.4).
//!
//! What is asked of a subterm again and again is answered once for each set of variables bound by
//! then, so that patterns may be very deep; answers are found by recursion on a stack that grows.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::bounds::Bounds;
use super::occurrences::Occurrences;
use super::sequence;
use super::sets::{Set, Sets};
use crate::id::{SortId, StaticId, SymbolId};
use crate::signature::{Role, Shape, Signature};
use crate::term::{StaticNode, StaticTerms};

/// Goes on with a deep recursion on a stack that grows.
pub(crate) fn on_growing_stack<R>(step: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, step)
}

/// The tables that analysis reads, and what it has found out.
pub(super) struct Analysis<'a> {
    pub(super) signature: &'a Signature,
    pub(super) terms: &'a StaticTerms,
    pub(super) bounds: Bounds,
    pub(super) occurrences: Occurrences,
    pub(super) sets: Sets,
    /// Steps left to the search for a sequence.
    pub(super) budget: u32,
    sorts: FxHashMap<StaticId, u16>,
    /// Whether a subterm can be an identity.
    identities: FxHashMap<(StaticId, StaticId), bool>,
    /// Whether a subterm with these variables unbound is abstracted.
    abstracted: FxHashMap<(StaticId, SymbolId, Set), bool>,
    /// What a subterm with these variables unbound determines.
    determined: FxHashMap<(StaticId, Set), Set>,
}

impl<'a> Analysis<'a> {
    /// The analysis of a pattern that consists of some terms.
    pub(super) fn new(
        signature: &'a Signature,
        terms: &'a StaticTerms,
        bounds: Bounds,
        roots: &[StaticId],
    ) -> Analysis<'a> {
        let (occurrences, sets) = Occurrences::of(terms, roots);
        Analysis {
            signature,
            terms,
            bounds,
            occurrences,
            sets,
            budget: 0,
            sorts: FxHashMap::default(),
            identities: FxHashMap::default(),
            abstracted: FxHashMap::default(),
            determined: FxHashMap::default(),
        }
    }
}

impl Analysis<'_> {
    /// The set of some variables, as far as they occur in the pattern.
    pub(super) fn set(&mut self, variables: &[StaticId]) -> Set {
        let numbers = variables.iter().filter_map(|&v| self.occurrences.number(v));
        let sets = &mut self.sets;
        numbers.fold(Set::EMPTY, |set, number| {
            let one = sets.singleton(number);
            sets.union(set, one)
        })
    }

    /// The variables of a subterm.
    pub(super) fn variables(&self, t: StaticId) -> Set {
        self.occurrences.variables(t)
    }

    /// Variables of a subterm outside of `known`.
    pub(super) fn unbound(&mut self, t: StaticId, known: Set) -> Set {
        self.sets.difference(self.occurrences.variables(t), known)
    }

    /// Whether a subterm has variables outside of `known`.
    pub(super) fn is_open(&self, t: StaticId, known: Set) -> bool {
        !self.sets.is_subset(self.occurrences.variables(t), known)
    }

    /// The variables that several of some terms have unbound.
    pub(super) fn repeated(&mut self, terms: &[StaticId], known: Set) -> Set {
        let (mut seen, mut repeated) = (Set::EMPTY, Set::EMPTY);
        for &t in terms {
            let open = self.unbound(t, known);
            let again = self.sets.intersection(seen, open);
            repeated = self.sets.union(repeated, again);
            seen = self.sets.union(seen, open);
        }
        repeated
    }

    /// The least sort of a term.
    pub(super) fn least_sort(&mut self, t: StaticId) -> SortId {
        self.terms.least_sort_knowing(self.signature, t, &mut self.sorts)
    }

    /// The sort of a variable.
    pub(super) fn variable_sort(&self, t: StaticId) -> Option<SortId> {
        let StaticNode::Variable(symbol, _) = self.terms.node(t) else { return None };
        match self.signature.symbol(*symbol).role {
            Role::Variable(sort) => Some(sort),
            _ => None,
        }
    }

    pub(super) fn is_variable(&self, t: StaticId) -> bool {
        matches!(self.terms.node(t), StaticNode::Variable(..))
    }

    pub(super) fn shape(&self, t: StaticId) -> Shape {
        self.signature.symbol(self.terms.node(t).symbol()).shape()
    }

    pub(super) fn symbol(&self, t: StaticId) -> SymbolId {
        self.terms.node(t).symbol()
    }

    pub(super) fn identity(&self, symbol: SymbolId) -> Option<StaticId> {
        self.signature.symbol(symbol).axioms.identity
    }

    /// Distinct arguments with multiplicities; of a list every argument with 1.
    pub(super) fn elements(&self, t: StaticId) -> Vec<(StaticId, u32)> {
        match self.terms.node(t) {
            StaticNode::Multiset(_, args) => args.to_vec(),
            _ => self.terms.args(t).into_iter().map(|a| (a, 1)).collect(),
        }
    }

    /// The arguments that can be left when all others are the identity.
    fn remainders(&mut self, t: StaticId) -> SmallVec<[StaticId; 4]> {
        let axioms = self.signature.symbol(self.symbol(t)).axioms;
        let args = self.elements(t);
        let Some(own) = axioms.identity.filter(|_| args.len() > 1 || axioms.assoc) else {
            return SmallVec::new();
        };
        let mut non_collapsing: SmallVec<[usize; 2]> = SmallVec::new();
        for (place, &(arg, _)) in args.iter().enumerate() {
            if !self.can_be(arg, own) {
                non_collapsing.push(place);
                if non_collapsing.len() > 1 {
                    return SmallVec::new();
                }
            }
        }
        let places = non_collapsing.first().map_or(0..args.len(), |&place| place..place + 1);
        let is_possible = |&place: &usize| {
            let (first, last) = (place == 0, place + 1 == args.len());
            args[place].1 == 1 && (axioms.left_id || first) && (axioms.right_id || last)
        };
        places.filter(is_possible).map(|place| args[place].0).collect()
    }

    /// Whether an instance of `t` can be the identity `i`.
    pub(super) fn can_be(&mut self, t: StaticId, i: StaticId) -> bool {
        if let Some(sort) = self.variable_sort(t) {
            let least = self.least_sort(i);
            return self.signature.leq(least, sort);
        }
        if t == i {
            return true;
        }
        let axioms = self.signature.symbol(self.symbol(t)).axioms;
        if axioms.identity.is_none() && !axioms.idem {
            return false;
        }
        if let Some(&can) = self.identities.get(&(t, i)) {
            return can;
        }
        let can = on_growing_stack(|| self.can_collapse_to(t, i));
        self.identities.insert((t, i), can);
        can
    }

    fn can_collapse_to(&mut self, t: StaticId, i: StaticId) -> bool {
        let axioms = self.signature.symbol(self.symbol(t)).axioms;
        if axioms.idem && self.terms.args(t).iter().all(|&a| self.can_be(a, i)) {
            return true;
        }
        match axioms.identity {
            None => false,
            Some(own) if own == i => self.terms.args(t).iter().all(|&a| self.can_be(a, i)),
            Some(_) => self.remainders(t).iter().any(|&arg| self.can_be(arg, i)),
        }
    }

    /// The bound of a variable's sort for an operator.
    pub(super) fn bound(&mut self, op: SymbolId, sort: SortId) -> u32 {
        if self.signature.symbol(op).range != sort.kind {
            return 1;
        }
        self.bounds.bound(self.signature, op, sort)
    }

    /// Whether an operator makes of two terms of a sort a term of that sort.
    pub(super) fn is_closed(&self, op: SymbolId, sort: SortId) -> bool {
        let symbol = self.signature.symbol(op);
        let sorts = self.signature.sorts(op);
        let joined = |index| sorts.pair(index, index);
        symbol.range == sort.kind
            && self.signature.kind(sort.kind).leq(joined(sort.index), sort.index)
    }

    /// Whether an open argument may hold another number of arguments than one: what is treated like
    /// a variable, and what may be the identity.
    pub(super) fn is_flexible(&mut self, t: StaticId, op: SymbolId, known: Set) -> bool {
        if self.is_abstracted(t, op, known) {
            return true;
        }
        let identity = self.identity(op).filter(|_| self.is_open(t, known));
        identity.is_some_and(|i| self.can_be(t, i))
    }

    /// Whether an instance of an alien may be headed by `op` after a collapse, so that it is
    /// treated like a variable (6.4, 2a).
    pub(super) fn is_abstracted(&mut self, t: StaticId, op: SymbolId, known: Set) -> bool {
        let open = self.unbound(t, known);
        if open.is_empty() {
            return false;
        }
        if let Some(sort) = self.variable_sort(t) {
            return self.bound(op, sort) > 1;
        }
        let symbol = self.symbol(t);
        if symbol == op {
            return true;
        }
        let axioms = self.signature.symbol(symbol).axioms;
        if axioms.identity.is_none() && !axioms.idem {
            return false;
        }
        let key = (t, op, open);
        if let Some(&abstracted) = self.abstracted.get(&key) {
            return abstracted;
        }
        let abstracted = on_growing_stack(|| self.can_be_headed(t, op, known));
        self.abstracted.insert(key, abstracted);
        abstracted
    }

    fn can_be_headed(&mut self, t: StaticId, op: SymbolId, known: Set) -> bool {
        if self.signature.symbol(self.symbol(t)).axioms.idem {
            let terms = self.terms;
            let mut headed = |a| {
                if terms.is_ground(a) {
                    return self.symbol(a) == op;
                }
                !self.is_open(a, known) || self.is_abstracted(a, op, known)
            };
            if terms.args(t).iter().all(|&a| headed(a)) {
                return true;
            }
        }
        self.remainders(t).iter().any(|&arg| self.is_abstracted(arg, op, known))
    }

    /// Whether no instance of `t` can collapse.
    pub(super) fn is_stable(&mut self, t: StaticId) -> bool {
        let axioms = self.signature.symbol(self.symbol(t)).axioms;
        if axioms.identity.is_none() && !axioms.idem {
            return true;
        }
        let args = self.elements(t);
        if args.is_empty() {
            return true;
        }
        if axioms.idem {
            return false;
        }
        let Some(own) = axioms.identity else { return true };
        if axioms.left_id && axioms.right_id {
            let mut fixed = 0;
            return args.iter().any(|a| {
                fixed += if self.can_be(a.0, own) { 0 } else { a.1 };
                fixed > 1
            });
        }
        self.remainders(t).is_empty()
    }

    /// Whether two aliens can never match one argument, as far as top symbols tell.
    pub(super) fn are_disjoint(&mut self, x: StaticId, y: StaticId) -> bool {
        let mut waiting = vec![(x, y)];
        while let Some((x, y)) = waiting.pop() {
            let is_free = x == y || self.is_variable(x) || self.is_variable(y);
            if is_free || !self.is_stable(x) || !self.is_stable(y) {
                continue;
            }
            if self.symbol(x) != self.symbol(y) {
                return true;
            }
            if self.shape(x) == Shape::Free {
                waiting.extend(self.terms.args(x).into_iter().zip(self.terms.args(y)));
            }
        }
        false
    }

    /// The variables certain to get one value when `t` matches (D of 6.2).
    pub(super) fn determined(&mut self, t: StaticId, known: Set) -> Set {
        let open = self.unbound(t, known);
        if open.is_empty() || self.is_variable(t) {
            return open;
        }
        if let Some(&determined) = self.determined.get(&(t, open)) {
            return determined;
        }
        let before = self.sets.intersection(known, self.variables(t));
        let then = on_growing_stack(|| self.known_after(t, before));
        let determined = self.sets.difference(then, before);
        self.determined.insert((t, open), determined);
        determined
    }

    /// Adds D(t) to `known`.
    pub(super) fn determine(&mut self, t: StaticId, known: &mut Set) {
        let determined = self.determined(t, *known);
        *known = self.sets.union(*known, determined);
    }

    fn known_after(&mut self, t: StaticId, mut known: Set) -> Set {
        match self.shape(t) {
            Shape::Free => {
                let mut aliens = Vec::new();
                let variables = self.skeleton(t, &mut aliens);
                known = self.sets.union(known, variables);
                for at in sequence::free_sequence(self, &aliens, known) {
                    self.determine(aliens[at], &mut known);
                }
            }
            Shape::Iter => self.determine(self.terms.args(t)[0], &mut known),
            Shape::Comm => {
                let args = self.terms.args(t);
                let (x, y) = (args[0], args[1]);
                if x == y || !self.is_open(y, known) {
                    self.determine(x, &mut known);
                } else if !self.is_open(x, known) {
                    self.determine(y, &mut known);
                }
            }
            Shape::AssocComm => {
                let op = self.symbol(t);
                let mut open = self.terms.args(t);
                open.retain(|&x| self.is_open(x, known));
                let loose = |a: &mut Self, x| a.is_variable(x) || a.is_flexible(x, op, known);
                let flexible = open.iter().filter(|&&x| loose(self, x)).count();
                if open.len() == 1 && flexible == 1 {
                    self.determine(open[0], &mut known);
                } else if flexible == 0 {
                    known = sequence::unique_first(self, &mut open, known).1;
                }
            }
            Shape::Assoc => {
                let op = self.symbol(t);
                let args = self.terms.args(t);
                let (mut from, mut to) = (0, args.len());
                while from < to && !self.is_flexible(args[from], op, known) {
                    self.determine(args[from], &mut known);
                    from += 1;
                }
                while from < to && !self.is_flexible(args[to - 1], op, known) {
                    self.determine(args[to - 1], &mut known);
                    to -= 1;
                }
                if to - from == 1 {
                    self.determine(args[from], &mut known);
                }
            }
        }
        known
    }

    /// The variables of the free skeleton of `t`; its aliens are appended, left to right.
    fn skeleton(&mut self, t: StaticId, aliens: &mut Vec<StaticId>) -> Set {
        let mut variables = Set::EMPTY;
        let mut stack = vec![t];
        while let Some(x) = stack.pop() {
            if self.terms.is_ground(x) {
                continue;
            } else if self.is_variable(x) {
                variables = self.sets.union(variables, self.variables(x));
            } else if self.shape(x) == Shape::Free {
                stack.extend(self.terms.args(x).into_iter().rev());
            } else {
                aliens.push(x);
            }
        }
        variables
    }
}
