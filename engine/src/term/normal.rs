//! The two normal forms of static terms (`docs/semantics.md` 2.1, 2.2).
//!
//! *Partial*: what is done to terms as they are read: identities go, arguments of commutative
//! operators are sorted in pairs, idempotent ones collapse, iterated symbols merge; nested
//! associative operators stay nested. *Full*: flat and sorted, for left sides and patterns.

use rustc_hash::FxHashMap;

use super::{StaticNode, StaticTerms};
use crate::id::{StaticId, SymbolId};
use crate::limits::{Limit, passed};
use crate::signature::{Shape, Signature, Symbol};

impl StaticTerms {
    /// The partial normal form of a term as read.
    pub fn normalise_partially(&mut self, signature: &Signature, id: StaticId) -> StaticId {
        self.rebuild(id, None, |terms, node| terms.partial_node(signature, node))
    }

    /// A term in partial normal form with nested associative operators flattened, where that is all
    /// the same once it is built.
    pub(crate) fn flattened(&mut self, signature: &Signature, id: StaticId) -> StaticId {
        self.rebuild(id, Some(signature), |terms, node| terms.partial_node(signature, node))
    }

    /// The full normal form: flat, sorted, with multiplicities.
    pub fn normalise(&mut self, signature: &Signature, id: StaticId) -> StaticId {
        self.rebuild(id, Some(signature), |terms, node| terms.full_node(signature, node))
    }

    /// Replaces variables and normalises fully.
    pub fn substitute(
        &mut self,
        signature: &Signature,
        id: StaticId,
        bindings: &FxHashMap<StaticId, StaticId>,
    ) -> StaticId {
        self.rebuild(id, Some(signature), |terms, node| match node {
            StaticNode::Variable(..) => {
                let variable = terms.add(node);
                bindings.get(&variable).copied().unwrap_or(variable)
            }
            node => terms.full_node(signature, node),
        })
    }

    /// Rebuilds a term bottom-up, each shared part once. With a signature nested associative
    /// operators are flattened before.
    fn rebuild(
        &mut self,
        id: StaticId,
        flatten: Option<&Signature>,
        mut make: impl FnMut(&mut StaticTerms, StaticNode) -> StaticId,
    ) -> StaticId {
        let mut done: FxHashMap<StaticId, StaticId> = FxHashMap::default();
        let mut stack = vec![id];
        while let Some(&t) = stack.last() {
            if done.contains_key(&t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let flat = flatten.and_then(|signature| self.flat(signature, t));
            let missing = |a: &StaticId| !done.contains_key(a);
            match flat.as_ref().unwrap_or_else(|| self.node(t)) {
                StaticNode::App(_, args) => stack.extend(args.iter().rev().filter(|a| missing(a))),
                StaticNode::Multiset(_, args) => {
                    stack.extend(args.iter().map(|a| a.0).filter(missing));
                }
                StaticNode::Iter(_, _, arg) => stack.extend(Some(*arg).filter(missing)),
                _ => {}
            }
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let mut node = flat.unwrap_or_else(|| self.node(t).clone());
            match &mut node {
                StaticNode::App(_, args) => args.iter_mut().for_each(|a| *a = done[a]),
                StaticNode::Multiset(_, args) => args.iter_mut().for_each(|a| a.0 = done[&a.0]),
                StaticNode::Iter(_, _, arg) => *arg = done[arg],
                _ => {}
            }
            let new = make(self, node);
            done.insert(t, new);
        }
        done[&id]
    }

    /// A node of an associative operator with those of the same operator in it spliced in: if each
    /// of them were made, a long list would take the square of its length. Where a one-sided
    /// identity stands matters, so such operators are left out.
    fn flat(&self, signature: &Signature, t: StaticId) -> Option<StaticNode> {
        let (StaticNode::App(s, _) | StaticNode::Multiset(s, _)) = self.node(t) else {
            return None;
        };
        let axioms = signature.symbol(*s).axioms;
        let one_sided = axioms.identity.is_some() && !(axioms.left_id && axioms.right_id);
        let inside = |t: StaticId| match self.node(t) {
            StaticNode::App(inner, _) | StaticNode::Multiset(inner, _) => inner == s,
            _ => false,
        };
        if !axioms.assoc || one_sided || !self.args(t).into_iter().any(inside) {
            return None;
        }
        let mut flat: Vec<(StaticId, u32)> = Vec::new();
        let mut stack = vec![(t, 1)];
        while let Some((t, n)) = stack.pop() {
            match self.node(t) {
                StaticNode::App(inner, args) if inner == s => {
                    stack.extend(args.iter().rev().map(|&a| (a, n)));
                }
                StaticNode::Multiset(inner, args) if inner == s => {
                    stack.extend(args.iter().rev().map(|&(a, m)| (a, product(n, m))));
                }
                _ => flat.push((t, n)),
            }
        }
        Some(match axioms.comm {
            true => StaticNode::Multiset(*s, flat.into()),
            false => StaticNode::App(*s, flat.into_iter().map(|a| a.0).collect()),
        })
    }

    fn partial_node(&mut self, sig: &Signature, node: StaticNode) -> StaticId {
        match node {
            StaticNode::App(s, args) => {
                let symbol = sig.symbol(s);
                match symbol.shape() {
                    Shape::Free => self.add(StaticNode::App(s, args)),
                    Shape::Iter => self.merge_iterations(s, 1u32.into(), args[0]),
                    Shape::Comm => self.comm_node(sig, s, args[0], args[1]),
                    Shape::Assoc => {
                        let mut args = args.into_vec();
                        remove_identities(symbol, &mut args);
                        self.list_node(symbol, s, args)
                    }
                    Shape::AssocComm => {
                        let args = args.iter().map(|&a| (a, 1)).collect();
                        self.multiset_node(sig, s, args, false)
                    }
                }
            }
            StaticNode::Iter(s, count, arg) => self.merge_iterations(s, count, arg),
            StaticNode::Multiset(s, args) => self.multiset_node(sig, s, args.into_vec(), false),
            node => self.add(node),
        }
    }

    fn full_node(&mut self, sig: &Signature, node: StaticNode) -> StaticId {
        let (s, args) = match node {
            StaticNode::App(s, args) => (s, args),
            StaticNode::Multiset(s, args) => {
                return self.multiset_node(sig, s, args.into_vec(), true);
            }
            node => return self.partial_node(sig, node),
        };
        let symbol = sig.symbol(s);
        match symbol.shape() {
            Shape::Assoc => {
                let mut args = args.into_vec();
                remove_identities(symbol, &mut args);
                let mut flat = Vec::with_capacity(args.len());
                for a in args {
                    match self.node(a) {
                        StaticNode::App(t, inner) if *t == s => flat.extend_from_slice(inner),
                        _ => flat.push(a),
                    }
                }
                self.list_node(symbol, s, flat)
            }
            Shape::AssocComm => {
                self.multiset_node(sig, s, args.iter().map(|&a| (a, 1)).collect(), true)
            }
            _ => self.partial_node(sig, StaticNode::App(s, args)),
        }
    }

    /// A list of arguments without identities; collapses when fewer than two are left.
    fn list_node(&mut self, symbol: &Symbol, s: SymbolId, args: Vec<StaticId>) -> StaticId {
        match args[..] {
            [] => symbol.axioms.identity.expect("only identities can vanish"),
            [only] => only,
            _ => self.add(StaticNode::App(s, args.into())),
        }
    }

    /// A sorted node without identities, equal arguments together; with nested nodes spliced in or
    /// not.
    fn multiset_node(
        &mut self,
        sig: &Signature,
        s: SymbolId,
        args: Vec<(StaticId, u32)>,
        flatten: bool,
    ) -> StaticId {
        let identity = sig.symbol(s).axioms.identity;
        let mut flat: Vec<(StaticId, u32)> = Vec::with_capacity(args.len());
        for (a, m) in args {
            match self.node(a) {
                _ if Some(a) == identity => {}
                StaticNode::Multiset(t, inner) if flatten && *t == s => {
                    flat.extend(inner.iter().map(|&(x, n)| (x, product(n, m))));
                }
                _ => flat.push((a, m)),
            }
        }
        flat.sort_by(|a, b| self.compare(sig, a.0, b.0));
        flat.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = sum(kept.1, next.1);
            }
            same
        });
        match flat[..] {
            [] => identity.expect("only identities can vanish"),
            [(only, 1)] => only,
            _ => self.add(StaticNode::Multiset(s, flat.into())),
        }
    }

    fn comm_node(&mut self, sig: &Signature, s: SymbolId, a: StaticId, b: StaticId) -> StaticId {
        let axioms = sig.symbol(s).axioms;
        if axioms.left_id && Some(a) == axioms.identity {
            return b;
        }
        if axioms.right_id && Some(b) == axioms.identity {
            return a;
        }
        if axioms.idem && a == b {
            return a;
        }
        let swap = axioms.comm && self.compare(sig, b, a).is_lt();
        let pair = if swap { [b, a] } else { [a, b] };
        self.add(StaticNode::App(s, pair.into()))
    }

    fn merge_iterations(&mut self, s: SymbolId, count: dashu_int::UBig, arg: StaticId) -> StaticId {
        match self.node(arg) {
            StaticNode::Iter(t, inner, below) if *t == s => {
                let node = StaticNode::Iter(s, count + inner, *below);
                self.add(node)
            }
            _ => self.add(StaticNode::Iter(s, count, arg)),
        }
    }
}

/// Removes the identities of an associative operator: all of them, or with a one-sided identity
/// those that have something on the right side of them (left identity) or on the left.
fn remove_identities(symbol: &Symbol, args: &mut Vec<StaticId>) {
    let axioms = &symbol.axioms;
    let Some(identity) = axioms.identity else { return };
    let n = args.len();
    let mut place = 0;
    args.retain(|&a| {
        let at = place;
        place += 1;
        let kept_end = if axioms.left_id && axioms.right_id {
            false
        } else if axioms.left_id {
            at + 1 == n
        } else {
            at == 0
        };
        a != identity || kept_end
    });
}

/// The multiplicity of an argument that occurs `a` times and then `b` times.
#[inline]
pub(crate) fn sum(a: u32, b: u32) -> u32 {
    a.checked_add(b).unwrap_or_else(|| passed(Limit::Multiplicity))
}

/// The same for something repeated `b` times in which it occurs `a` times.
#[inline]
pub(crate) fn product(a: u32, b: u32) -> u32 {
    a.checked_mul(b).unwrap_or_else(|| passed(Limit::Multiplicity))
}
