//! What the machine needs to know of a symbol at run time, in a few words.

use super::view::Payload;
use super::{Handle, Memory};
use crate::id::SymbolId;
use crate::signature::{
    Evaluation, HookId, Meaning, Numbers, Role, Shape, Signature, SortTable, Truth,
};

/// The run-time side of a symbol.
#[derive(Clone, Debug)]
pub(crate) struct Core {
    pub(crate) shape: Shape,
    pub(crate) arity: u16,
    /// What counts in the canonical order: arity, then rank.
    pub(super) order_arity: u32,
    pub(super) rank: u32,
    /// Sort index of the symbol as a constant, or of its variables.
    pub(crate) constant_sort: u16,
    /// The range of the only declaration: what a node has whose arguments have sorts that fit.
    pub(crate) uniform: Option<u16>,
    /// The sort of every application, where none has to be looked at.
    pub(crate) sure_sort: Option<u16>,
    pub(super) sort_start: u32,
    pub(super) payload: Payload,
    /// The handle that stands for the constant, or `NIL` if it needs nodes.
    pub(crate) immediate: Handle,
    /// The identity element, normal and in the store or immediate; `NIL` if there is none.
    pub(crate) identity: Handle,
    pub(crate) left_id: bool,
    pub(crate) right_id: bool,
    pub(crate) comm: bool,
    pub(crate) idem: bool,
    /// Memberships may lower the sort of its nodes.
    pub(crate) memberships: bool,
    /// What computes it, constructors left out.
    pub(crate) hook: Option<HookId>,
    /// The truth value that it is a constant for.
    pub(crate) truth: Option<bool>,
    /// The truth constants of its answers.
    pub(crate) answers: Option<Truth>,
    /// The number constructors of its answers.
    pub(crate) numbers: Option<Numbers>,
    /// All arguments are evaluated before its equations are tried.
    pub(crate) eager: bool,
}

impl Core {
    /// Whether its nodes have lists of arguments.
    pub(crate) fn is_list(&self) -> bool {
        matches!(self.shape, Shape::Assoc | Shape::AssocComm)
    }
}

impl Core {
    /// What is known of a symbol. Of one that nothing mentions there are no sorts.
    pub(super) fn new(signature: &Signature, id: SymbolId, entries: &mut Vec<u32>) -> Core {
        let symbol = signature.symbol(id);
        let known = signature.is_mentioned(id).then(|| signature.sorts(id));
        let sort_start = known.map_or(0, |sorts| sorts.append_to(entries));
        Core {
            shape: symbol.shape(),
            arity: symbol.args.len() as u16,
            order_arity: symbol.order_arity,
            rank: signature.rank(id),
            constant_sort: match symbol.role {
                Role::Variable(sort) => sort.index,
                _ => known.map_or(0, SortTable::constant),
            },
            uniform: known.and_then(SortTable::uniform),
            sure_sort: None,
            sort_start,
            payload: Payload::of(&symbol.role),
            immediate: Handle::NIL,
            identity: Handle::NIL,
            left_id: symbol.axioms.left_id,
            right_id: symbol.axioms.right_id,
            comm: symbol.axioms.comm,
            idem: symbol.axioms.idem,
            memberships: false,
            hook: symbol
                .builtin()
                .filter(|builtin| !builtin.meaning.is_constructor())
                .map(|builtin| builtin.hook),
            truth: match symbol.meaning() {
                Some(Meaning::True) => Some(true),
                Some(Meaning::False) => Some(false),
                _ => None,
            },
            answers: symbol.builtin().and_then(|b| b.truth),
            numbers: symbol.builtin().and_then(|b| b.numbers),
            eager: symbol.evaluation == Evaluation::Eager,
        }
    }
}

impl Memory {
    /// Takes over what the symbols have that have been mentioned since.
    pub(crate) fn learn_mentioned(&mut self, signature: &Signature) {
        for &symbol in signature.mentioned().iter().rev() {
            let known = &self.cores[symbol.index()];
            if known.rank == signature.rank(symbol) {
                return;
            }
            let new = Core::new(signature, symbol, &mut self.sort_entries);
            let core = &mut self.cores[symbol.index()];
            core.rank = new.rank;
            core.constant_sort = new.constant_sort;
            core.uniform = new.uniform;
            core.sort_start = new.sort_start;
        }
    }

    /// The sort index of an application of a symbol with fixed places by the declarations.
    #[inline(always)]
    pub(crate) fn fixed_sort(&self, symbol: SymbolId, args: &[Handle]) -> u16 {
        let core = self.core(symbol);
        if let Some(sort) = core.sure_sort {
            return sort;
        }
        if args.is_empty() {
            return core.constant_sort;
        }
        let mut state = core.sort_start;
        for &a in args {
            state = self.sort_entries[state as usize + usize::from(self.sort(a))];
        }
        state as u16
    }

    /// One step of the fold of an associative operator's sorts.
    #[inline(always)]
    pub(crate) fn pair_sort(&self, core: &Core, left: u16, right: u16) -> u16 {
        let row = self.sort_entries[core.sort_start as usize + usize::from(left)];
        self.sort_entries[row as usize + usize::from(right)] as u16
    }

    /// One application of a unary operator, on sorts.
    #[inline(always)]
    pub(crate) fn unary_sort(&self, core: &Core, sort: u16) -> u16 {
        self.sort_entries[core.sort_start as usize + usize::from(sort)] as u16
    }

    /// Gives a node its sort by the declarations, and what is below it in lazy positions too.
    pub(crate) fn declare_sorts(&mut self, node: Handle) {
        if self.known_sort(node).is_some() {
            return;
        }
        if let Some(sort) = self.sort_of_known(node) {
            self.set_sort(node, sort);
            return;
        }
        let mut stack = vec![node];
        while let Some(&top) = stack.last() {
            if self.known_sort(top).is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let args = (0..self.n_args(top)).rev().map(|place| self.arg(top, place));
            stack.extend(args.filter(|&arg| self.known_sort(arg).is_none()));
            if stack.len() == before {
                let sort = self.declared_sort(top);
                self.set_sort(top, sort);
                stack.pop();
            }
        }
    }

    /// The sort of a normal node by the declarations, if those of its arguments are known.
    #[inline]
    fn sort_of_known(&self, node: Handle) -> Option<u16> {
        if self.shape(node) == Shape::AssocComm {
            // Most have two elements, and one look at each is enough.
            let core = self.core(self.symbol(node));
            let mut known = true;
            let elements = self.elements(node).iter();
            let sorts = elements.map_while(|(arg, m)| {
                let sort = self.known_sort(self.resolve(arg));
                known = sort.is_some();
                Some((sort?, m))
            });
            return self.fold_sorts(core, sorts).filter(|_| known);
        }
        let is_known = |place| self.known_sort(self.arg(node, place)).is_some();
        (0..self.n_args(node)).all(is_known).then(|| self.declared_sort(node))
    }

    /// Gives a normal node its sort where declarations alone decide it, in the node and below it;
    /// elsewhere the sort stays unknown.
    pub(crate) fn declare_sure_sort(&mut self, node: Handle) {
        if self.known_sort(node).is_some() || self.core(self.symbol(node)).memberships {
            return;
        }
        if let Some(sort) = self.sort_of_known(node) {
            self.set_sort(node, sort);
        }
    }

    /// The sort index of a normal node by the declarations, its arguments' sorts being known.
    pub(crate) fn declared_sort(&self, h: Handle) -> u16 {
        if !h.is_node() {
            return self.sort(h);
        }
        let symbol = self.symbol(h);
        let core = self.core(symbol);
        match core.shape {
            Shape::Free | Shape::Comm => {
                let n = usize::from(core.arity);
                if n == 0 {
                    return core.constant_sort;
                }
                let mut state = core.sort_start;
                for place in 0..n {
                    let sort = self.sort(self.fixed_arg(h, place));
                    state = self.sort_entries[state as usize + usize::from(sort)];
                }
                state as u16
            }
            Shape::Assoc => {
                let args = self.list_arguments(h).iter();
                let sorts = args.map(|arg| (self.sort(self.resolve(arg)), 1));
                self.fold_sorts(core, sorts).expect("a list has arguments")
            }
            Shape::AssocComm => {
                let elements = self.elements(h).iter();
                let sorts = elements.map(|(arg, m)| (self.sort(self.resolve(arg)), m));
                self.fold_sorts(core, sorts).expect("a multiset has elements")
            }
            Shape::Iter => {
                let mut sort = self.sort(self.arg(h, 0));
                match self.small_count(h) {
                    Some(n) if n <= 4 => {
                        for _ in 0..n {
                            sort = self.unary_sort(core, sort);
                        }
                        sort
                    }
                    _ => self.iterated_sort(core, &self.count(h), sort),
                }
            }
        }
    }

    fn iterated_sort(&self, core: &Core, count: &dashu_int::UBig, start: u16) -> u16 {
        crate::term::iterate_sort(count, start, |sort| self.unary_sort(core, sort))
    }
}
