//! Terminals: the tokens of a module's operators, and classes of tokens.
//!
//! A token may be several terminals at once: `5` is a constant of that name and a number, and any
//! token is a label. Each name is classified once; tokens with the same terminals have one *class*.

use rustc_hash::FxHashMap;

use super::description::Type;
use super::literals;
use super::production::Terminal;
use crate::syntax::{Name, Names};

/// A set of terminals that a token is.
pub(super) type Class = u32;

/// The class of the end of the input.
pub(super) const END: Class = 0;

const UNCLASSIFIED: u32 = u32::MAX;

/// Tokens that are known in every module: if one does not fit, it is unexpected, not unknown.
const KNOWN: &str = "( ) [ ] , . : :: = := => /\\ if eq ceq cq mb cmb rl crl sd csd label metadata \
    owise otherwise nonexec variant print narrowing dnt extension id:";

/// The terminals of a grammar.
#[derive(Debug)]
pub(super) struct Terminals {
    count: u32,
    by_name: FxHashMap<Name, Terminal>,
    /// Positive number, negative number, fraction, float, string, quoted identifier, any token.
    pub positive: Terminal,
    pub negative: Terminal,
    pub rational: Terminal,
    pub float: Terminal,
    pub string: Terminal,
    pub qid: Terminal,
    pub any: Terminal,
    /// `X:S` by the kind of S.
    variables: Vec<Terminal>,
    /// `X:` and the first token of a sort name of several.
    heads: FxHashMap<Box<str>, Terminal>,
    /// `f^n` by f.
    iterated: FxHashMap<Box<str>, Terminal>,
    /// The sorts whose names are one token.
    sorts: FxHashMap<Box<str>, (Type, u32)>,
    class_of: Vec<Class>,
    classes: indexmap::IndexSet<Vec<Terminal>, rustc_hash::FxBuildHasher>,
    known: rustc_hash::FxHashSet<Name>,
}

impl Terminals {
    pub fn new(n_kinds: u32, names: &mut Names) -> Terminals {
        let mut classes = indexmap::IndexSet::default();
        classes.insert(Vec::new());
        Terminals {
            count: 7 + n_kinds,
            by_name: FxHashMap::default(),
            positive: 0,
            negative: 1,
            rational: 2,
            float: 3,
            string: 4,
            qid: 5,
            any: 6,
            variables: (7..7 + n_kinds).collect(),
            heads: FxHashMap::default(),
            iterated: FxHashMap::default(),
            sorts: FxHashMap::default(),
            class_of: Vec::new(),
            classes,
            known: KNOWN.split_whitespace().map(|text| names.intern(text)).collect(),
        }
    }

    /// The number of terminals so far.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The terminal for a token.
    pub fn token(&mut self, name: Name) -> Terminal {
        let count = &mut self.count;
        *self.by_name.entry(name).or_insert_with(|| next(count))
    }

    /// The terminal for variables of the sorts of a kind.
    pub fn variable(&self, kind: u32) -> Terminal {
        self.variables[kind as usize]
    }

    /// The terminal for `X:` followed by the first token of a sort name.
    pub fn head(&mut self, first: &str) -> Terminal {
        let count = &mut self.count;
        *self.heads.entry(first.into()).or_insert_with(|| next(count))
    }

    /// The terminal for `f^n`.
    pub fn iterated(&mut self, name: &str) -> Terminal {
        let count = &mut self.count;
        *self.iterated.entry(name.into()).or_insert_with(|| next(count))
    }

    /// Makes variables `X:S` of a sort known.
    pub fn add_sort(&mut self, name: &str, of: Type, kind: u32) {
        self.sorts.insert(name.into(), (of, kind));
    }

    /// The sort of a variable that is one token.
    pub fn sort_of_variable(&self, text: &str) -> Option<Type> {
        let (_, sort) = literals::split_variable(text)?;
        self.sorts.get(sort).map(|s| s.0)
    }

    /// The class of a token.
    pub fn class(&mut self, name: Name, names: &Names) -> Class {
        let at = name.0 as usize;
        if self.class_of.len() <= at {
            self.class_of.resize(at + 1, UNCLASSIFIED);
        }
        if self.class_of[at] == UNCLASSIFIED {
            let terminals = self.classify(name, names.text(name));
            let (class, _) = self.classes.insert_full(terminals);
            self.class_of[at] = class as Class;
        }
        self.class_of[at]
    }

    /// The terminals of a class.
    #[inline]
    pub fn terminals(&self, class: Class) -> &[Terminal] {
        &self.classes[class as usize]
    }

    /// Whether the token stands in some production of the module, or is known in every module.
    pub fn is_known(&mut self, name: Name, names: &Names) -> bool {
        let class = self.class(name, names);
        if self.terminals(class).iter().any(|&t| t != self.any) || self.known.contains(&name) {
            return true;
        }
        let text = names.text(name);
        let digits = text.strip_prefix('-').unwrap_or(text);
        (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
            || literals::is_rational(text)
            || literals::is_float(text)
            || literals::is_string(text)
            || literals::is_qid(text)
            || literals::split_variable(text).is_some_and(|(_, sort)| sort.is_empty())
    }

    fn classify(&self, name: Name, text: &str) -> Vec<Terminal> {
        let mut found = Vec::new();
        found.extend(self.by_name.get(&name));
        if literals::is_positive(text) {
            found.push(self.positive);
        } else if literals::is_negative(text) {
            found.push(self.negative);
        } else if literals::is_rational(text) {
            found.push(self.rational);
        }
        if literals::is_float(text) {
            found.push(self.float);
        }
        if literals::is_string(text) {
            found.push(self.string);
        } else if literals::is_qid(text) {
            found.push(self.qid);
        } else if let Some((_, sort)) = literals::split_variable(text) {
            found.extend(self.sorts.get(sort).map(|&(_, kind)| self.variable(kind)));
            found.extend(self.heads.get(sort));
        }
        if let Some((name, _)) = literals::split_iterated(text) {
            found.extend(self.iterated.get(name));
        }
        found.push(self.any);
        found
    }
}

fn next(count: &mut u32) -> Terminal {
    *count += 1;
    *count - 1
}
