//! Between static terms and nodes.

use rustc_hash::FxHashMap;

use super::{Handle, Memory, flag, layout};
use crate::id::{NameId, SortId, StaticId};
use crate::signature::{Role, Shape, Signature};
use crate::term::{StaticNode, StaticTerms};

impl Memory {
    /// Builds a normal term bottom-up from any static term, with sorts by the declarations; nothing
    /// is reduced and no membership tried. Each shared part is built once.
    pub(crate) fn build_normal(
        &mut self,
        signature: &Signature,
        terms: &StaticTerms,
        id: StaticId,
    ) -> Handle {
        self.build_instance(signature, terms, id, &mut FxHashMap::default())
    }

    /// The same for an instance of a term: `done` has the values of its variables, and gets those of
    /// its subterms.
    pub(crate) fn build_instance(
        &mut self,
        signature: &Signature,
        terms: &StaticTerms,
        id: StaticId,
        done: &mut FxHashMap<StaticId, Handle>,
    ) -> Handle {
        let mut stack = vec![id];
        while let Some(&t) = stack.last() {
            if done.contains_key(&t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(terms.args(t).into_iter().rev().filter(|a| !done.contains_key(a)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let node = self.build_node(signature, terms, t, done);
            self.declare_sure_sort(node);
            done.insert(t, node);
        }
        done[&id]
    }

    /// The same for a term in which nothing is defined: its nodes are marked as reduced.
    pub(crate) fn build_reduced(
        &mut self,
        signature: &Signature,
        terms: &StaticTerms,
        id: StaticId,
    ) -> Handle {
        let built = self.build_normal(signature, terms, id);
        let mut stack = vec![built];
        while let Some(h) = stack.pop() {
            if !self.is_reduced(h) {
                self.set_reduced(h);
                stack.extend((0..self.n_args(h)).map(|i| self.arg(h, i)));
            }
        }
        built
    }

    fn build_node(
        &mut self,
        signature: &Signature,
        terms: &StaticTerms,
        t: StaticId,
        done: &FxHashMap<StaticId, Handle>,
    ) -> Handle {
        match terms.node(t) {
            StaticNode::App(s, args) => {
                let args: Vec<Handle> = args.iter().map(|a| done[a]).collect();
                self.normal_node(*s, &args)
            }
            StaticNode::Multiset(s, args) => {
                let pairs: Vec<_> = args.iter().map(|(a, m)| (done[a], *m)).collect();
                self.normal_multiset(*s, &pairs)
            }
            StaticNode::Iter(s, count, arg) => self.normal_iter(*s, count.clone(), done[arg]),
            other => self.build_leaf(signature, terms, t, other),
        }
    }

    /// A variable or literal.
    pub(crate) fn build_leaf(
        &mut self,
        signature: &Signature,
        terms: &StaticTerms,
        t: StaticId,
        node: &StaticNode,
    ) -> Handle {
        let sort = || terms.least_sort(signature, t).index;
        match node {
            StaticNode::Variable(s, name) => {
                let sort = self.core(*s).constant_sort;
                self.variable_node(*s, *name, sort)
            }
            StaticNode::String(s, text) => self.text_node(*s, text, sort()),
            StaticNode::Qid(s, text) => self.text_node(*s, text.as_bytes(), sort()),
            StaticNode::Float(s, bits) => self.float_node(*s, *bits, sort()),
            _ => unreachable!("only variables and literals are leaves"),
        }
    }

    /// Reads a term back as a static term, with the sorts of its nodes where they are known. Raw
    /// nodes are read as they stand.
    pub(crate) fn read_back(
        &self,
        signature: &Signature,
        terms: &mut StaticTerms,
        term: Handle,
    ) -> (StaticId, FxHashMap<StaticId, SortId>) {
        let mut done: FxHashMap<Handle, StaticId> = FxHashMap::default();
        let mut sorts = FxHashMap::default();
        let term = self.resolve(term);
        let mut stack = vec![(term, 0)];
        while let Some((node, next)) = stack.last_mut() {
            if *next < self.n_args(*node) {
                let arg = self.arg(*node, *next);
                *next += 1;
                if !done.contains_key(&arg) {
                    stack.push((arg, 0));
                }
                continue;
            }
            let node = *node;
            stack.pop();
            let id = self.read_node(signature, terms, node, &done);
            if let Some(index) = self.known_sort(node) {
                let kind = signature.symbol(self.symbol(node)).range;
                sorts.insert(id, SortId { kind, index });
            }
            done.insert(node, id);
        }
        (done[&term], sorts)
    }

    fn read_node(
        &self,
        signature: &Signature,
        terms: &mut StaticTerms,
        h: Handle,
        done: &FxHashMap<Handle, StaticId>,
    ) -> StaticId {
        let s = self.symbol(h);
        match &signature.symbol(s).role {
            Role::Variable(_) => return terms.variable(s, NameId(self.word(h, layout::ARGS))),
            Role::StringLiteral => return terms.add(StaticNode::String(s, self.text(h).into())),
            Role::QidLiteral => {
                let text = String::from_utf8_lossy(self.text(h)).into_owned();
                return terms.add(StaticNode::Qid(s, text.into()));
            }
            Role::FloatLiteral => {
                return terms.add(StaticNode::Float(s, self.float(h).to_bits()));
            }
            Role::Operator | Role::Builtin(_) => {}
        }
        let args = |m: &Memory| (0..m.n_args(h)).map(|i| done[&m.arg(h, i)]).collect::<Vec<_>>();
        match self.core(s).shape {
            Shape::AssocComm if !self.has_flag(h, flag::RAW) => {
                let pairs = args(self).into_iter().enumerate();
                let pairs = pairs.map(|(i, a)| (a, self.multiplicity(h, i))).collect();
                terms.add(StaticNode::Multiset(s, pairs))
            }
            Shape::Iter => terms.iter(s, self.count(h).into_owned(), args(self)[0]),
            _ => terms.app(s, &args(self)),
        }
    }
}
