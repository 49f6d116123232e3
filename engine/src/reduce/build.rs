//! From static terms to raw nodes: what a command is about to reduce.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::heap::{Handle, flag};
use crate::id::{StaticId, SymbolId};
use crate::matching::Slots;
use crate::signature::Shape;
use crate::term::StaticNode;
use crate::worker::Worker;

impl Worker {
    /// The arguments that the raw node of a term is built over. Nested lists of an operator on
    /// which nothing happens are one list from the start: to make each of them normal would take
    /// time in the square of their length.
    fn args_to_build(&self, term: StaticId, symbol: SymbolId) -> Vec<StaticId> {
        let axioms = &self.space.signature.symbol(symbol).axioms;
        // A one-sided identity is one in each node as it was built.
        let list = axioms.assoc
            && axioms.left_id == axioms.right_id
            && !self.code.tables.is_defined(&self.space.signature, symbol)
            && self.space.signature.symbol(symbol).evaluates_eagerly();
        let args = self.terms.args_as_written(term);
        if !list {
            return args;
        }
        let mut flat = Vec::with_capacity(args.len());
        let mut stack: Vec<StaticId> = args.into_iter().rev().collect();
        while let Some(t) = stack.pop() {
            if self.terms.node(t).symbol() == symbol {
                stack.extend(self.terms.args_as_written(t).into_iter().rev());
            } else {
                flat.push(t);
            }
        }
        flat
    }

    /// Builds a term to be reduced: equal subterms in eager positions are one node, and so are
    /// those below lazy positions, which are normal but unreduced (`docs/semantics.md` 3.7).
    pub(crate) fn build_raw(&mut self, term: StaticId) -> Handle {
        self.build_raw_together(&[term])[0]
    }

    /// The same for several terms, with equal subterms shared among them.
    pub(crate) fn build_raw_together(&mut self, terms: &[StaticId]) -> Vec<Handle> {
        let mut shared: FxHashMap<StaticId, Handle> = FxHashMap::default();
        let mut lazy: FxHashMap<StaticId, Handle> = FxHashMap::default();
        let mut stack = terms.to_vec();
        while let Some(&t) = stack.last() {
            if shared.contains_key(&t) {
                stack.pop();
                continue;
            }
            let symbol = self.terms.node(t).symbol();
            let args = self.args_to_build(t, symbol);
            let before = stack.len();
            for (place, &arg) in args.iter().enumerate().rev() {
                if self.is_eager_argument(symbol, place) && !shared.contains_key(&arg) {
                    stack.push(arg);
                }
            }
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let mut built = Vec::with_capacity(args.len());
            for (place, &arg) in args.iter().enumerate() {
                built.push(if self.is_eager_argument(symbol, place) {
                    shared[&arg]
                } else {
                    self.space.memory.build_instance(
                        &self.space.signature,
                        &self.terms,
                        arg,
                        &mut lazy,
                    )
                });
            }
            let node = self.raw_node_of(t, &built);
            shared.insert(t, node);
        }
        terms.iter().map(|term| shared[term]).collect()
    }

    /// The instance of a term over the frame at `base`, unreduced; normal, or `raw`, as the term
    /// has it. Like everywhere, what is not reduced of a value is copied before it goes to an eager
    /// position. Never collects.
    pub(crate) fn unreduced_instance(
        &mut self,
        term: StaticId,
        slots: &Slots,
        base: usize,
        raw: bool,
    ) -> Handle {
        let mut lazy: FxHashMap<StaticId, Handle> = FxHashMap::default();
        let mut stack = vec![term];
        let mut seen: FxHashSet<StaticId> = FxHashSet::default();
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            let value = slots.get(t).map_or(Handle::NIL, |r| self.space.regs[base + r as usize]);
            if value != Handle::NIL {
                lazy.insert(t, self.space.memory.resolve(value));
            }
            if value == Handle::NIL || !self.space.memory.is_reduced(value) {
                stack.extend(self.terms.args(t));
            }
        }
        if raw && let StaticNode::Variable(..) = self.terms.node(term) {
            return lazy[&term];
        }
        let mut eager: FxHashMap<StaticId, Handle> = FxHashMap::default();
        for (&t, &value) in &lazy {
            let variable = matches!(self.terms.node(t), StaticNode::Variable(..));
            if !variable && !self.space.memory.is_reduced(value) {
                continue;
            }
            let copy = self.copy_apart(value, raw);
            eager.insert(t, copy);
        }
        let mut stack = vec![term];
        while let Some(&t) = stack.last() {
            if eager.contains_key(&t) {
                stack.pop();
                continue;
            }
            let symbol = self.terms.node(t).symbol();
            let args = match raw {
                true => self.terms.args_as_written(t),
                false => self.terms.args(t),
            };
            let before = stack.len();
            for (place, arg) in args.iter().enumerate().rev() {
                if self.is_eager_argument(symbol, place) && !eager.contains_key(arg) {
                    stack.push(*arg);
                }
            }
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let mut built: Vec<Handle> = Vec::with_capacity(args.len());
            for (place, &arg) in args.iter().enumerate() {
                built.push(if self.is_eager_argument(symbol, place) {
                    eager[&arg]
                } else {
                    self.space.memory.build_instance(
                        &self.space.signature,
                        &self.terms,
                        arg,
                        &mut lazy,
                    )
                });
            }
            let node = if raw
                && matches!(self.terms.node(t), StaticNode::App(..))
                && args.is_empty()
            {
                let constant = self.space.memory.constant(symbol);
                self.constant_apart(constant)
            } else if raw {
                self.raw_node_of(t, &built)
            } else if self.space.memory.core(symbol).shape == Shape::Free && !args.is_empty() {
                let node = self.space.memory.fixed_node(symbol, 0, &built);
                self.space.memory.declare_sure_sort(node);
                node
            } else {
                // All arguments are evaluated alike.
                let mut values = args.iter().copied().zip(built).collect();
                self.space.memory.build_instance(&self.space.signature, &self.terms, t, &mut values)
            };
            eager.insert(t, node);
        }
        eager[&term]
    }

    /// Whether equal terms at this place of applications of a symbol are one node: it is evaluated
    /// before the first equations are tried. The branches of an `if` count as well.
    pub(crate) fn is_eager_argument(&self, symbol: SymbolId, place: usize) -> bool {
        self.space.signature.symbol(symbol).shares(place)
    }

    /// The raw node of a term over its arguments.
    pub(crate) fn raw_node_of(&mut self, term: StaticId, args: &[Handle]) -> Handle {
        match self.terms.node(term) {
            StaticNode::App(symbol, _) | StaticNode::Multiset(symbol, _) => {
                let symbol = *symbol;
                self.space.memory.raw_node(symbol, args)
            }
            StaticNode::Iter(symbol, count, _) => {
                let zero = self.space.memory.immediate_numbers().map(|n| (n.succ, n.zero));
                if zero.is_some_and(|(succ, _)| succ == *symbol)
                    && args[0] == Handle::nat(0)
                    && u64::try_from(count).is_ok_and(|n| n <= Handle::MAX_NAT)
                {
                    let n = u32::try_from(count).expect("it is at most the largest number");
                    Handle::nat(n)
                } else {
                    self.space.memory.iter_node(*symbol, flag::RAW, count.clone(), args[0])
                }
            }
            leaf => self.space.memory.build_leaf(&self.space.signature, &self.terms, term, leaf),
        }
    }
}
