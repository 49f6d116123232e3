//! What is known of a pattern before it is matched: what may collapse, what is disjoint, and which
//! variables certainly get one value (`language.md` 6.2, 6.4).

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::bounds::Bounds;
use super::sequence;
use crate::id::{SortId, StaticId, SymbolId};
use crate::signature::{Role, Shape, Signature};
use crate::term::{StaticNode, StaticTerms};

/// Variables known to be bound.
pub(super) type Known = FxHashSet<StaticId>;

/// The tables that analysis reads.
pub(super) struct Analysis<'a> {
    pub(super) signature: &'a Signature,
    pub(super) terms: &'a StaticTerms,
    pub(super) bounds: Bounds,
    /// Steps left to the search for a sequence.
    pub(super) budget: u32,
}

impl Analysis<'_> {
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

    /// Variables outside of `known`, in order of occurrence.
    pub(super) fn unbound(&self, t: StaticId, known: &Known) -> Vec<StaticId> {
        if self.terms.is_ground(t) {
            return Vec::new();
        }
        let mut all = self.terms.variables(t);
        all.retain(|v| !known.contains(v));
        all
    }

    pub(super) fn is_open(&self, t: StaticId, known: &Known) -> bool {
        !self.unbound(t, known).is_empty()
    }

    /// The arguments that can be left of a collapse, each with those that must be the identity.
    fn collapses(&self, t: StaticId) -> SmallVec<[(StaticId, Vec<StaticId>); 4]> {
        let mut ways = SmallVec::new();
        let axioms = &self.signature.symbol(self.symbol(t)).axioms;
        if axioms.identity.is_none() || self.terms.args(t).len() < 2 && !axioms.assoc {
            return ways;
        }
        let args = self.elements(t);
        for (place, &(arg, multiplicity)) in args.iter().enumerate() {
            let first = place == 0;
            let last = place + 1 == args.len();
            let possible =
                multiplicity == 1 && (axioms.left_id || first) && (axioms.right_id || last);
            if possible {
                let others = args.iter().enumerate().filter(|&(i, _)| i != place);
                ways.push((arg, others.map(|(_, a)| a.0).collect()));
            }
        }
        ways
    }

    /// Whether an instance of `t` can be the identity `i`.
    pub(super) fn can_be(&self, t: StaticId, i: StaticId) -> bool {
        if let Some(sort) = self.variable_sort(t) {
            return self.signature.leq(self.terms.least_sort(self.signature, i), sort);
        }
        if t == i {
            return true;
        }
        let symbol = self.symbol(t);
        if self.signature.symbol(symbol).axioms.idem
            && self.terms.args(t).iter().all(|&a| self.can_be(a, i))
        {
            return true;
        }
        let Some(own) = self.identity(symbol) else { return false };
        if own == i {
            return self.terms.args(t).iter().all(|&a| self.can_be(a, i));
        }
        self.collapses(t).iter().any(|(arg, others)| {
            self.can_be(*arg, i) && others.iter().all(|&o| self.can_be(o, own))
        })
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
        let joined = |index| symbol.sorts.pair(index, index);
        symbol.range == sort.kind
            && self.signature.kind(sort.kind).leq(joined(sort.index), sort.index)
    }

    /// Whether an open argument may hold another number of arguments than one: what is treated like
    /// a variable, and what may be the identity.
    pub(super) fn is_flexible(&mut self, t: StaticId, op: SymbolId, known: &Known) -> bool {
        if self.is_abstracted(t, op, known) {
            return true;
        }
        let identity = self.identity(op).filter(|_| self.is_open(t, known));
        identity.is_some_and(|i| self.can_be(t, i))
    }

    /// Whether an instance of an alien may be headed by `op` after a collapse, so that it is treated
    /// like a variable (6.4, 2a).
    pub(super) fn is_abstracted(&mut self, t: StaticId, op: SymbolId, known: &Known) -> bool {
        if let Some(sort) = self.variable_sort(t) {
            return !known.contains(&t) && self.bound(op, sort) > 1;
        }
        if !self.is_open(t, known) {
            return false;
        }
        if self.symbol(t) == op {
            return true;
        }
        let symbol = self.symbol(t);
        if self.signature.symbol(symbol).axioms.idem {
            let args = self.terms.args(t);
            let mut headed = |a| {
                if self.terms.is_ground(a) {
                    return self.symbol(a) == op;
                }
                !self.is_open(a, known) || self.is_abstracted(a, op, known)
            };
            if args.iter().all(|&a| headed(a)) {
                return true;
            }
        }
        let Some(own) = self.identity(symbol) else { return false };
        let ways = self.collapses(t);
        ways.iter().any(|(arg, others)| {
            self.is_abstracted(*arg, op, known) && others.iter().all(|&o| self.can_be(o, own))
        })
    }

    /// Whether no instance of `t` can collapse.
    pub(super) fn is_stable(&self, t: StaticId) -> bool {
        let axioms = self.signature.symbol(self.symbol(t)).axioms;
        let args = self.elements(t);
        if args.is_empty() {
            return true;
        }
        if axioms.idem {
            return false;
        }
        let Some(own) = axioms.identity else { return true };
        if axioms.left_id && axioms.right_id {
            let fixed: u32 = args.iter().filter(|a| !self.can_be(a.0, own)).map(|a| a.1).sum();
            return fixed > 1;
        }
        self.collapses(t).iter().all(|(_, others)| others.iter().any(|&o| !self.can_be(o, own)))
    }

    /// Whether two aliens can never match one argument, as far as top symbols tell.
    pub(super) fn are_disjoint(&self, x: StaticId, y: StaticId) -> bool {
        if self.is_variable(x) || self.is_variable(y) || !self.is_stable(x) || !self.is_stable(y) {
            return false;
        }
        if self.symbol(x) != self.symbol(y) {
            return true;
        }
        if self.shape(x) != Shape::Free {
            return false;
        }
        let (a, b) = (self.terms.args(x), self.terms.args(y));
        a.iter().zip(&b).any(|(&a, &b)| self.are_disjoint(a, b))
    }

    /// The variables certain to get one value when `t` matches (D of 6.2).
    pub(super) fn determined(&mut self, t: StaticId, known: &Known) -> Vec<StaticId> {
        let mut found = Vec::new();
        let mut known = known.clone();
        self.determine(t, &mut known, &mut found);
        found
    }

    /// Adds D(t) to `known` and to `found`.
    pub(super) fn determine(&mut self, t: StaticId, known: &mut Known, found: &mut Vec<StaticId>) {
        if self.is_variable(t) {
            if known.insert(t) {
                found.push(t);
            }
            return;
        }
        if !self.is_open(t, known) {
            return;
        }
        match self.shape(t) {
            Shape::Free => {
                let mut aliens = Vec::new();
                for v in self.skeleton(t, &mut aliens) {
                    if known.insert(v) {
                        found.push(v);
                    }
                }
                for alien in sequence::free_sequence(self, aliens, known) {
                    self.determine(alien, known, found);
                }
            }
            Shape::Iter => self.determine(self.terms.args(t)[0], known, found),
            Shape::Comm => {
                let args = self.terms.args(t);
                let (x, y) = (args[0], args[1]);
                if x == y || !self.is_open(y, known) {
                    self.determine(x, known, found);
                } else if !self.is_open(x, known) {
                    self.determine(y, known, found);
                }
            }
            Shape::AssocComm => {
                let op = self.symbol(t);
                let mut open = self.terms.args(t);
                open.retain(|&x| self.is_open(x, known));
                let loose = |a: &mut Self, x| a.is_variable(x) || a.is_flexible(x, op, known);
                let collectors = open.iter().filter(|&&x| loose(self, x)).count();
                if open.len() == 1 && collectors == 1 {
                    self.determine(open[0], known, found);
                } else if collectors == 0 {
                    let (placed, inside) = sequence::unique_first(self, open, known);
                    debug_assert!(placed.1 <= placed.0.len());
                    for v in inside {
                        if known.insert(v) {
                            found.push(v);
                        }
                    }
                }
            }
            Shape::Assoc => {
                let op = self.symbol(t);
                let args = self.terms.args(t);
                let (mut from, mut to) = (0, args.len());
                while from < to && !self.is_flexible(args[from], op, known) {
                    self.determine(args[from], known, found);
                    from += 1;
                }
                while from < to && !self.is_flexible(args[to - 1], op, known) {
                    self.determine(args[to - 1], known, found);
                    to -= 1;
                }
                if to - from == 1 {
                    self.determine(args[from], known, found);
                }
            }
        }
    }

    /// The variables of the free skeleton of `t`, left to right; its aliens are appended.
    pub(super) fn skeleton(&self, t: StaticId, aliens: &mut Vec<StaticId>) -> Vec<StaticId> {
        let mut variables = Vec::new();
        let mut stack = vec![t];
        while let Some(x) = stack.pop() {
            if self.is_variable(x) {
                variables.push(x);
            } else if self.terms.is_ground(x) {
                continue;
            } else if self.shape(x) == Shape::Free {
                stack.extend(self.terms.args(x).into_iter().rev());
            } else {
                aliens.push(x);
            }
        }
        variables
    }
}
