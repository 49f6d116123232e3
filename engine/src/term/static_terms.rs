//! Static terms: the engine's input and what it hands back, an immutable hash-consed DAG.
//!
//! A term as read keeps nested associative operators and iterated symbols as they were written; the
//! partial normal form (`docs/semantics.md` 2.1) removes identities and sorts pairwise, the full
//! one also flattens. Equal terms have equal ids, so the sharing of `docs/semantics.md` 3.7 can be
//! read off.

use std::cmp::Ordering;
use std::hash::BuildHasher;
use std::sync::Arc;

use dashu_int::UBig;
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::TermView;
use crate::id::{NameId, SortId, StaticId, SymbolId};
use crate::limits::{Limit, number};
use crate::signature::{Role, Signature};

/// So many applications of an operator are done one by one before their sorts are looked at for a
/// cycle.
const FEW_STEPS: u64 = 8;

/// A node of a static term.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum StaticNode {
    /// An operator and its arguments, as many as it has places; two or more for an associative
    /// operator.
    App(SymbolId, Box<[StaticId]>),
    /// A normal AC node: sorted distinct arguments with multiplicities. Only made by
    /// `StaticTerms::normalise`.
    Multiset(SymbolId, Box<[(StaticId, u32)]>),
    /// An iterated symbol: count (at least 1) and argument. The number n is `s_^n(0)`.
    Iter(SymbolId, UBig, StaticId),
    /// A variable: the variable symbol of its sort, and the number of its base name.
    Variable(SymbolId, NameId),
    /// A string literal.
    String(SymbolId, Box<[u8]>),
    /// A quoted identifier, without the quote.
    Qid(SymbolId, Box<str>),
    /// A floating-point literal, as bits.
    Float(SymbolId, u64),
}

impl StaticNode {
    /// The top symbol.
    pub fn symbol(&self) -> SymbolId {
        match self {
            StaticNode::App(s, _)
            | StaticNode::Multiset(s, _)
            | StaticNode::Iter(s, ..)
            | StaticNode::Variable(s, _)
            | StaticNode::String(s, _)
            | StaticNode::Qid(s, _)
            | StaticNode::Float(s, _) => *s,
        }
    }
}

/// A table of static terms: those of a theory, or those that something adds to such a table, which
/// stays as it is and is shared.
#[derive(Default, Clone)]
pub struct StaticTerms {
    below: Option<Arc<StaticTerms>>,
    /// The number of terms in the table below.
    first: usize,
    nodes: Vec<StaticNode>,
    /// Whether a variable occurs below, by id.
    ground: Vec<bool>,
    index: HashTable<StaticId>,
    hasher: FxBuildHasher,
}

impl StaticTerms {
    /// An empty table.
    pub fn new() -> StaticTerms {
        StaticTerms::default()
    }

    /// A table that has all terms of another one and can have more.
    pub fn over(below: Arc<StaticTerms>) -> StaticTerms {
        StaticTerms { first: below.len(), below: Some(below), ..StaticTerms::default() }
    }

    /// Whether these are the terms of another table and more.
    pub fn is_over(&self, other: &Arc<StaticTerms>) -> bool {
        let mut table = self;
        while let Some(below) = &table.below {
            if Arc::ptr_eq(below, other) {
                return true;
            }
            table = below;
        }
        false
    }

    /// The node of a term.
    #[inline]
    pub fn node(&self, id: StaticId) -> &StaticNode {
        match id.index().checked_sub(self.first) {
            Some(at) => &self.nodes[at],
            None => self.lower().node(id),
        }
    }

    #[inline]
    fn lower(&self) -> &StaticTerms {
        self.below.as_ref().expect("smaller ids are those of the table below")
    }

    /// The number of terms so far; terms made later have larger ids than their arguments.
    pub fn len(&self) -> usize {
        self.first + self.nodes.len()
    }

    /// Whether no term was made yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether no variable occurs in the term.
    pub fn is_ground(&self, id: StaticId) -> bool {
        match id.index().checked_sub(self.first) {
            Some(at) => self.ground[at],
            None => self.lower().is_ground(id),
        }
    }

    fn find(&self, hash: u64, node: &StaticNode) -> Option<StaticId> {
        let below = self.below.as_ref().and_then(|below| below.find(hash, node));
        let here = || self.index.find(hash, |id| self.nodes[id.index() - self.first] == *node);
        below.or_else(|| here().copied())
    }

    /// Enters a node.
    pub fn add(&mut self, node: StaticNode) -> StaticId {
        let hash = self.hasher.hash_one(&node);
        if let Some(id) = self.find(hash, &node) {
            return id;
        }
        let id = StaticId(number(self.len(), Limit::StaticTerms));
        let ground = match &node {
            StaticNode::App(_, args) => args.iter().all(|&a| self.is_ground(a)),
            StaticNode::Multiset(_, args) => args.iter().all(|&(a, _)| self.is_ground(a)),
            StaticNode::Iter(_, _, arg) => self.is_ground(*arg),
            StaticNode::Variable(..) => false,
            _ => true,
        };
        self.nodes.push(node);
        self.ground.push(ground);
        let (nodes, hasher, first) = (&self.nodes, &self.hasher, self.first);
        self.index.insert_unique(hash, id, |id| hasher.hash_one(&nodes[id.index() - first]));
        id
    }

    /// An application as written.
    pub fn app(&mut self, symbol: SymbolId, args: &[StaticId]) -> StaticId {
        self.add(StaticNode::App(symbol, args.into()))
    }

    /// A constant.
    pub fn constant(&mut self, symbol: SymbolId) -> StaticId {
        self.app(symbol, &[])
    }

    /// `symbol^count(arg)`; the count must not be 0.
    pub fn iter(&mut self, symbol: SymbolId, count: UBig, arg: StaticId) -> StaticId {
        self.add(StaticNode::Iter(symbol, count, arg))
    }

    /// A variable.
    pub fn variable(&mut self, symbol: SymbolId, name: NameId) -> StaticId {
        self.add(StaticNode::Variable(symbol, name))
    }

    /// Compares two terms in normal form in the canonical order (`docs/semantics.md` 1).
    pub fn compare(&self, signature: &Signature, a: StaticId, b: StaticId) -> Ordering {
        let shape = |s| signature.symbol(s).shape();
        super::compare(self, |x, y| signature.compare_symbols(x, y), shape, a, b)
    }

    /// The arguments of a term, each once; an AC argument is not repeated.
    pub fn args(&self, id: StaticId) -> Vec<StaticId> {
        match self.node(id) {
            StaticNode::App(_, args) => args.to_vec(),
            StaticNode::Multiset(_, args) => args.iter().map(|a| a.0).collect(),
            StaticNode::Iter(_, _, arg) => vec![*arg],
            _ => Vec::new(),
        }
    }

    /// The arguments of a term as they were written, repeated ones repeated.
    pub(crate) fn args_as_written(&self, id: StaticId) -> Vec<StaticId> {
        match self.node(id) {
            StaticNode::Multiset(_, args) => {
                args.iter().flat_map(|&(a, m)| std::iter::repeat_n(a, m as usize)).collect()
            }
            _ => self.args(id),
        }
    }

    /// The variables of a term in the order of their first occurrence, left to right.
    pub fn variables(&self, id: StaticId) -> Vec<StaticId> {
        let mut found = Vec::new();
        self.collect_variables(id, &mut found);
        found
    }

    /// Appends the variables of a term that are not yet in `found`, in order of occurrence.
    pub fn collect_variables(&self, id: StaticId, found: &mut Vec<StaticId>) {
        self.collect_all_variables(&[id], found);
    }

    /// The same for several terms.
    pub(crate) fn collect_all_variables(&self, ids: &[StaticId], found: &mut Vec<StaticId>) {
        let mut seen: FxHashSet<StaticId> = found.iter().copied().collect();
        let mut stack: Vec<StaticId> = ids.iter().rev().copied().collect();
        while let Some(t) = stack.pop() {
            if self.is_ground(t) || !seen.insert(t) {
                continue;
            }
            match self.node(t) {
                StaticNode::Variable(..) => found.push(t),
                StaticNode::App(_, args) => stack.extend(args.iter().rev()),
                StaticNode::Multiset(_, args) => stack.extend(args.iter().rev().map(|a| a.0)),
                StaticNode::Iter(_, _, arg) => stack.push(*arg),
                _ => {}
            }
        }
    }

    /// The least sort of a term by the declarations; memberships are not looked at.
    pub fn least_sort(&self, signature: &Signature, id: StaticId) -> SortId {
        self.least_sort_knowing(signature, id, &mut FxHashMap::default())
    }

    /// The same with the sort indices of some subterms known, to which others are added.
    pub(crate) fn least_sort_knowing(
        &self,
        signature: &Signature,
        id: StaticId,
        known: &mut FxHashMap<StaticId, u16>,
    ) -> SortId {
        let mut stack = vec![id];
        while let Some(&t) = stack.last() {
            if known.contains_key(&t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let missing = |a: &StaticId| !known.contains_key(a);
            match self.node(t) {
                StaticNode::App(_, args) => stack.extend(args.iter().filter(|a| missing(a))),
                StaticNode::Multiset(_, args) => {
                    stack.extend(args.iter().map(|a| a.0).filter(missing));
                }
                StaticNode::Iter(_, _, arg) => stack.extend(Some(*arg).filter(missing)),
                _ => {}
            }
            if stack.len() == before {
                let sort = self.node_sort(signature, t, |a| known[&a]);
                known.insert(t, sort);
                stack.pop();
            }
        }
        let kind = signature.symbol(self.node(id).symbol()).range;
        SortId { kind, index: known[&id] }
    }

    fn node_sort(&self, sig: &Signature, t: StaticId, sort: impl Fn(StaticId) -> u16) -> u16 {
        let node = self.node(t);
        let symbol = sig.symbol(node.symbol());
        let table = sig.sorts(node.symbol());
        match node {
            StaticNode::App(_, args) if symbol.axioms.assoc => {
                let mut sorts = args.iter().map(|&a| sort(a));
                let first = sorts.next().expect("an associative node has arguments");
                sorts.fold(first, |l, r| table.pair(l, r))
            }
            StaticNode::App(_, args) => table.apply(args.iter().map(|&a| sort(a))),
            StaticNode::Multiset(_, args) => {
                let (first, times) = args.first().expect("an AC node has arguments");
                let first = (sort(*first), u64::from(*times) - 1);
                let others = args[1..].iter().map(|&(a, m)| (sort(a), u64::from(m)));
                std::iter::once(first).chain(others).fold(first.0, |fold, (sort, times)| {
                    repeat_sort(times, fold, |left| table.pair(left, sort))
                })
            }
            StaticNode::Iter(_, count, arg) => {
                iterate_sort(count, sort(*arg), |s| table.step(0, s) as u16)
            }
            StaticNode::Variable(..) => match symbol.role {
                Role::Variable(s) => s.index,
                _ => table.constant(),
            },
            StaticNode::String(_, bytes) => {
                literal_sort(symbol.declarations.iter().map(|d| d.range.index), bytes.len() == 1)
            }
            StaticNode::Float(_, bits) => literal_sort(
                symbol.declarations.iter().map(|d| d.range.index),
                f64::from_bits(*bits).is_finite(),
            ),
            StaticNode::Qid(..) => table.constant(),
        }
    }
}

/// The sort after `count` applications of a unary symbol whose step on sorts is given.
pub(crate) fn iterate_sort(count: &UBig, start: u16, step: impl Fn(u16) -> u16) -> u16 {
    match u64::try_from(count) {
        Ok(count) => repeat_sort(count, start, step),
        Err(_) => {
            let (entry, cycle) = cycle_of_sorts(start, &step);
            let beyond = (count - UBig::from(entry)) % UBig::from(cycle);
            let beyond = u64::try_from(&beyond).expect("smaller than a cycle of sorts");
            repeat_sort(entry + beyond, start, step)
        }
    }
}

/// The same for counts of 64 bits: the sequence of sorts comes to a cycle after as many steps as
/// there are sorts, whatever the count.
pub(crate) fn repeat_sort(count: u64, start: u16, step: impl Fn(u16) -> u16) -> u16 {
    let mut sort = start;
    for done in 0..count {
        if done == FEW_STEPS {
            let (entry, cycle) = cycle_of_sorts(sort, &step);
            let left = count - done;
            let steps = left.min(entry + left.saturating_sub(entry) % cycle);
            return (0..steps).fold(sort, |sort, _| step(sort));
        }
        let next = step(sort);
        if next == sort {
            break;
        }
        sort = next;
    }
    sort
}

/// After how many steps a sequence of sorts enters its cycle, and the length of that.
fn cycle_of_sorts(start: u16, step: impl Fn(u16) -> u16) -> (u64, u64) {
    let mut places: FxHashMap<u16, u64> = FxHashMap::default();
    let mut sort = start;
    for place in 0.. {
        if let Some(entry) = places.insert(sort, place) {
            return (entry, place - entry);
        }
        sort = step(sort);
    }
    unreachable!("there are finitely many sorts")
}

/// Literals have two declarations, a small sort (single characters, finite floats) and a large one.
fn literal_sort(ranges: impl Iterator<Item = u16>, small: bool) -> u16 {
    let ranges: Vec<u16> = ranges.collect();
    let largest = ranges.iter().copied().min().unwrap_or(0);
    if small { ranges.iter().copied().max().unwrap_or(largest) } else { largest }
}

impl TermView for StaticTerms {
    type Id = StaticId;

    fn symbol(&self, id: StaticId) -> SymbolId {
        self.node(id).symbol()
    }

    fn n_args(&self, id: StaticId) -> usize {
        match self.node(id) {
            StaticNode::App(_, args) => args.len(),
            StaticNode::Multiset(_, args) => args.len(),
            StaticNode::Iter(..) => 1,
            _ => 0,
        }
    }

    fn arg(&self, id: StaticId, place: usize) -> StaticId {
        match self.node(id) {
            StaticNode::App(_, args) => args[place],
            StaticNode::Multiset(_, args) => args[place].0,
            StaticNode::Iter(_, _, arg) => *arg,
            _ => id,
        }
    }

    fn multiplicity(&self, id: StaticId, place: usize) -> u32 {
        match self.node(id) {
            StaticNode::Multiset(_, args) => args[place].1,
            _ => 1,
        }
    }

    fn compare_payload(&self, a: StaticId, b: StaticId) -> Ordering {
        match (self.node(a), self.node(b)) {
            (StaticNode::Iter(_, m, _), StaticNode::Iter(_, n, _)) => m.cmp(n),
            (StaticNode::Variable(_, m), StaticNode::Variable(_, n)) => m.cmp(n),
            (StaticNode::String(_, m), StaticNode::String(_, n)) => compare_strings(m, n),
            (StaticNode::Qid(_, m), StaticNode::Qid(_, n)) => m.as_bytes().cmp(n.as_bytes()),
            (StaticNode::Float(_, m), StaticNode::Float(_, n)) => {
                let (m, n) = (f64::from_bits(*m), f64::from_bits(*n));
                m.partial_cmp(&n).unwrap_or(Ordering::Equal)
            }
            _ => Ordering::Equal,
        }
    }
}

/// Strings compare as signed bytes (`docs/semantics.md` 1.5).
pub(crate) fn compare_strings(a: &[u8], b: &[u8]) -> Ordering {
    a.iter().map(|&c| c as i8).cmp(b.iter().map(|&c| c as i8))
}
