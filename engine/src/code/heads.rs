//! Under which symbols a left side is tried: those that an instance may be headed by when identities
//! are removed and equal arguments become one.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::id::{StaticId, SymbolId};
use crate::signature::{Role, Shape, Signature};
use crate::term::{StaticNode, StaticTerms};

/// Whether terms may be identities, as far as it is known.
pub(super) type Vanishing = FxHashMap<(StaticId, StaticId), bool>;

/// Static terms as left sides.
#[derive(Clone, Copy)]
pub(crate) struct Heads<'a> {
    pub(crate) signature: &'a Signature,
    pub(crate) terms: &'a StaticTerms,
}

impl Heads<'_> {
    /// The symbols that instances of a term may be headed by; `None` if an instance may be anything
    /// of its kind.
    pub(super) fn of(self, term: StaticId) -> Option<Vec<SymbolId>> {
        let mut heads: Vec<SymbolId> = Vec::new();
        let mut seen: FxHashSet<StaticId> = FxHashSet::default();
        let mut vanishing = Vanishing::default();
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
            if self.is_stable_knowing(t, &mut vanishing) {
                continue;
            }
            let axioms = &self.signature.symbol(node.symbol()).axioms;
            if axioms.idem {
                stack.extend(self.terms.args(t));
            }
            if let Some(identity) = axioms.identity {
                let args = self.repeated_args(t);
                if args.iter().all(|a| self.can_be(a.0, identity, &mut vanishing)) {
                    stack.push(identity);
                }
                stack.extend(self.remainders(&args, identity, &mut vanishing));
            }
        }
        Some(heads)
    }

    /// The arguments of a term and how often each stands there.
    fn repeated_args(self, term: StaticId) -> SmallVec<[(StaticId, u32); 4]> {
        match self.terms.node(term) {
            StaticNode::Multiset(_, args) => args.iter().copied().collect(),
            _ => self.terms.args(term).into_iter().map(|arg| (arg, 1)).collect(),
        }
    }

    /// The arguments that are left when all others are the identity.
    fn remainders(
        self,
        args: &[(StaticId, u32)],
        identity: StaticId,
        vanishing: &mut Vanishing,
    ) -> SmallVec<[StaticId; 4]> {
        let mut non_collapsing =
            (0..args.len()).filter(|&i| !self.can_be(args[i].0, identity, vanishing));
        let places = match (non_collapsing.next(), non_collapsing.next()) {
            (None, _) => 0..args.len(),
            (Some(place), None) => place..place + 1,
            _ => 0..0,
        };
        args[places].iter().filter(|a| a.1 == 1).map(|a| a.0).collect()
    }

    /// Whether no instance of a term can collapse; variables are not stable.
    pub(super) fn is_stable(self, term: StaticId) -> bool {
        self.is_stable_knowing(term, &mut Vanishing::default())
    }

    /// The same with what is known of other terms.
    pub(super) fn is_stable_knowing(self, term: StaticId, vanishing: &mut Vanishing) -> bool {
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
                    let non_collapsing =
                        args.iter().filter(|a| !self.can_be(a.0, identity, vanishing));
                    non_collapsing.map(|(_, m)| *m as usize).sum::<usize>() > 1
                }
            },
        }
    }

    /// Whether an instance of a term may be the identity: a variable whose sort admits it, the
    /// identity itself, or a term that collapses to it.
    fn can_be(self, term: StaticId, identity: StaticId, vanishing: &mut Vanishing) -> bool {
        if term == identity {
            return true;
        }
        let node = self.terms.node(term);
        let symbol = self.signature.symbol(node.symbol());
        if let Role::Variable(sort) = symbol.role {
            return self.signature.leq(self.terms.least_sort(self.signature, identity), sort);
        }
        let collapses = symbol.axioms.identity.is_some() || symbol.axioms.idem;
        if !collapses || self.terms.is_ground(term) {
            return false;
        }
        if let Some(&known) = vanishing.get(&(term, identity)) {
            return known;
        }
        let can = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
            let args = self.repeated_args(term);
            match symbol.axioms.identity {
                Some(own) if own != identity => {
                    let left = self.remainders(&args, own, vanishing);
                    left.into_iter().any(|arg| self.can_be(arg, identity, vanishing))
                }
                _ => args.iter().all(|a| self.can_be(a.0, identity, vanishing)),
            }
        });
        vanishing.insert((term, identity), can);
        can
    }
}
