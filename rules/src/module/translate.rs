//! Terms of one module as terms of another that imports it.

use broth_engine::{
    Fragment, Meaning, Role, Signature, SortId, StaticId, StaticNode, StaticTerms, SymbolId,
};
use rustc_hash::FxHashMap;

use super::flat::Flat;
use super::loaded::{Conclusion, Terms};
use super::symbols;
use crate::syntax::Names;

/// Translates raw terms of the module that declares a statement into raw terms of one that imports
/// it, variables included.
pub struct Translation<'a> {
    /// The module that declares it.
    pub from: &'a Flat,
    /// Its symbols.
    pub from_signature: &'a Signature,
    /// Its terms.
    pub from_terms: &'a StaticTerms,
    /// The module that imports it.
    pub to: &'a mut Flat,
    /// Its symbols.
    pub signature: &'a mut Signature,
    /// Its terms.
    pub terms: &'a mut StaticTerms,
    /// All names.
    pub names: &'a Names,
    /// What has been translated.
    pub done: FxHashMap<StaticId, StaticId>,
}

impl Translation<'_> {
    /// Translates the terms of a statement.
    pub fn statement(&mut self, terms: &Terms) -> Terms {
        let condition = terms
            .condition
            .iter()
            .map(|fragment| match *fragment {
                Fragment::Equal(a, b) => {
                    let b = self.term(b);
                    Fragment::Equal(self.term(a), b)
                }
                Fragment::Sort(t, sort) => Fragment::Sort(self.term(t), self.sort(sort)),
                Fragment::Match(a, b) => {
                    let b = self.term(b);
                    Fragment::Match(self.term(a), b)
                }
                Fragment::Rewrite(a, b) => {
                    let b = self.term(b);
                    Fragment::Rewrite(self.term(a), b)
                }
            })
            .collect();
        let left = self.term(terms.left);
        let conclusion = match terms.conclusion {
            Conclusion::Term(right) => Conclusion::Term(self.term(right)),
            Conclusion::Sort(sort) => Conclusion::Sort(self.sort(sort)),
        };
        Terms { left, conclusion, condition }
    }

    fn sort(&self, sort: SortId) -> SortId {
        translate_sort(self.from, self.to, sort)
    }

    fn term(&mut self, term: StaticId) -> StaticId {
        let mut stack = vec![term];
        while let Some(&t) = stack.last() {
            if self.done.contains_key(&t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let args = self.from_terms.args(t);
            stack.extend(args.iter().rev().filter(|a| !self.done.contains_key(a)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let node = self.node(t);
            let made = self.terms.add(node);
            self.done.insert(t, made);
        }
        self.done[&term]
    }

    fn node(&mut self, t: StaticId) -> StaticNode {
        let node = self.from_terms.node(t).clone();
        let symbol = self.symbol(node.symbol());
        let of = |id: &StaticId| self.done[id];
        match node {
            StaticNode::App(_, args) => StaticNode::App(symbol, args.iter().map(of).collect()),
            StaticNode::Multiset(_, args) => {
                StaticNode::Multiset(symbol, args.iter().map(|(a, m)| (of(a), *m)).collect())
            }
            StaticNode::Iter(_, count, arg) => StaticNode::Iter(symbol, count, of(&arg)),
            StaticNode::Variable(_, name) => {
                if let Some(&text) = self.from.name_texts.get(&name) {
                    self.to.name_texts.insert(name, text);
                }
                StaticNode::Variable(symbol, name)
            }
            StaticNode::String(_, text) => StaticNode::String(symbol, text),
            StaticNode::Qid(_, text) => StaticNode::Qid(symbol, text),
            StaticNode::Float(_, bits) => StaticNode::Float(symbol, bits),
        }
    }

    fn symbol(&mut self, symbol: SymbolId) -> SymbolId {
        match self.from_signature.symbol(symbol).role.clone() {
            Role::Variable(sort) => {
                let sort = self.sort(sort);
                symbols::variable_symbol(self.to, self.signature, sort)
            }
            Role::Builtin(builtin) if matches!(builtin.meaning, Meaning::SortTest(_)) => {
                let Meaning::SortTest(sort) = builtin.meaning else { unreachable!("just matched") };
                let sort = self.sort(sort);
                symbols::sort_test(self.to, self.signature, sort)
            }
            _ => {
                let op = &self.from.operators[self.from.by_symbol[&symbol]];
                let at = self.to.by_declaration[&op.declarations[0].id];
                if let Some(symbol) = self.to.operators[at].symbol {
                    return symbol;
                }
                let kind = self
                    .from
                    .instances
                    .iter()
                    .find(|(_, made)| **made == symbol)
                    .map(|((_, kind), _)| *kind)
                    .expect("a symbol of a polymorphic operator is one of its instances");
                let kind = self.sort(SortId::of_kind(kind)).kind;
                symbols::instance(self.to, self.signature, self.names, at, kind)
            }
        }
    }
}

/// The sort or kind of `to` that a sort or kind of `from` has become.
pub fn translate_sort(from: &Flat, to: &Flat, sort: SortId) -> SortId {
    let (name, found) = from
        .sorts
        .iter()
        .find(|(_, s)| if sort.is_kind() { s.kind == sort.kind } else { **s == sort })
        .expect("a sort of the module");
    let there = to.sorts[name];
    if sort.is_kind() {
        debug_assert_eq!(found.kind, sort.kind);
        return SortId::of_kind(there.kind);
    }
    there
}
