//! Under which symbols a left side is tried: those that an instance may be headed by when identities
//! are removed and equal arguments become one.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::engine::Engine;
use crate::id::{StaticId, SymbolId};
use crate::signature::{Role, Shape};
use crate::term::StaticNode;

impl Engine {
    /// The symbols that instances of a term may be headed by; `None` if an instance may be anything
    /// of its kind.
    pub(super) fn heads(&self, term: StaticId) -> Option<Vec<SymbolId>> {
        let mut heads: Vec<SymbolId> = Vec::new();
        let mut seen: FxHashSet<StaticId> = FxHashSet::default();
        let mut stack = vec![term];
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            let node = self.terms.node(t);
            if let StaticNode::Variable(..) = node {
                return None;
            }
            if !heads.contains(&node.symbol()) {
                heads.push(node.symbol());
            }
            if self.is_stable(t) {
                continue;
            }
            let axioms = &self.signature.symbol(node.symbol()).axioms;
            let args = self.repeated_args(t);
            if axioms.idem {
                stack.extend(args.iter().map(|a| a.0));
            }
            if let Some(identity) = axioms.identity {
                if args.iter().all(|a| self.can_be(a.0, identity)) {
                    stack.push(identity);
                }
                for (i, &(arg, multiplicity)) in args.iter().enumerate() {
                    let mut others = args.iter().enumerate().filter(|&(j, _)| i != j);
                    if multiplicity == 1 && others.all(|(_, a)| self.can_be(a.0, identity)) {
                        stack.push(arg);
                    }
                }
            }
        }
        Some(heads)
    }

    /// The arguments of a term and how often each stands there.
    fn repeated_args(&self, term: StaticId) -> SmallVec<[(StaticId, u32); 4]> {
        match self.terms.node(term) {
            StaticNode::Multiset(_, args) => args.iter().copied().collect(),
            _ => self.terms.args(term).into_iter().map(|arg| (arg, 1)).collect(),
        }
    }

    /// Whether no instance of a term can collapse; variables are not stable.
    pub(crate) fn is_stable(&self, term: StaticId) -> bool {
        let node = self.terms.node(term);
        if let StaticNode::Variable(..) = node {
            return false;
        }
        let symbol = self.signature.symbol(node.symbol());
        match symbol.shape() {
            Shape::Free | Shape::Iter => true,
            _ if self.terms.is_ground(term) => true,
            _ if symbol.axioms.idem => false,
            _ => match symbol.axioms.identity {
                None => true,
                Some(identity) => {
                    let args = self.repeated_args(term);
                    let firm = args.iter().filter(|(a, _)| !self.can_be(*a, identity));
                    firm.map(|(_, m)| *m as usize).sum::<usize>() > 1
                }
            },
        }
    }

    /// Whether an instance of a term may be the identity: a variable whose sort admits it, the
    /// identity itself, or a term that collapses to it.
    fn can_be(&self, term: StaticId, identity: StaticId) -> bool {
        if term == identity {
            return true;
        }
        let node = self.terms.node(term);
        let symbol = self.signature.symbol(node.symbol());
        if let Role::Variable(sort) = symbol.role {
            return self.signature.leq(self.terms.least_sort(&self.signature, identity), sort);
        }
        if self.terms.is_ground(term) {
            return false;
        }
        let args = self.repeated_args(term);
        match symbol.axioms.identity {
            Some(own) if own == identity => args.iter().all(|a| self.can_be(a.0, identity)),
            Some(own) => args.iter().enumerate().any(|(i, &(a, multiplicity))| {
                let mut others = args.iter().enumerate().filter(|&(j, _)| i != j);
                multiplicity == 1
                    && self.can_be(a, identity)
                    && others.all(|(_, b)| self.can_be(b.0, own))
            }),
            None => symbol.axioms.idem && args.iter().all(|a| self.can_be(a.0, identity)),
        }
    }
}
