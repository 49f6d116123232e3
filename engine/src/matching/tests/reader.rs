//! A small reader of theories and terms for tests: `op f : S S -> S [assoc comm id: mt]`,
//! `p(X, g(a), X)`, `s^2(Y)`.

use std::sync::Arc;

use rustc_hash::FxHashMap;

pub(super) use crate::matching::Mode;

use crate::heap::{Handle, Memory};
use crate::id::{NameId, SortId, StaticId, SymbolId};
use crate::matching::{
    Leftover, MatchAnswer, Matcher, Pattern, PatternSource, PatternSpec, Slots, UnreducedParts,
};
use crate::signature::{Axioms, Declaration, Role, Signature, SymbolSpec};
use crate::term::{StaticNode, StaticTerms};
use crate::theory::{Theory, TheoryParts};
use crate::worker::Worker;

/// A theory under construction, then in use.
pub(super) struct ReaderTheory {
    pub(super) signature: Signature,
    pub(super) terms: StaticTerms,
    engine: Option<Worker>,
    sort_names: Vec<String>,
    subsorts: Vec<(usize, usize)>,
    sorts: FxHashMap<String, SortId>,
    symbols: FxHashMap<(String, usize), SymbolId>,
    /// Operators that may have any number of arguments.
    lists: FxHashMap<String, SymbolId>,
    names: Vec<String>,
    variables: FxHashMap<String, StaticId>,
    variable_symbols: FxHashMap<String, SymbolId>,
    pending: Vec<String>,
    ready: bool,
    /// The mode that does all rewrites.
    plain: bool,
    /// How often no matcher was needed to find the first match, or that there is none.
    pub(super) without_matcher: [usize; 2],
}

impl ReaderTheory {
    pub(super) fn new(plain: bool) -> ReaderTheory {
        ReaderTheory {
            without_matcher: [0; 2],
            signature: Signature::new(),
            terms: StaticTerms::new(),
            engine: None,
            sort_names: Vec::new(),
            subsorts: Vec::new(),
            sorts: FxHashMap::default(),
            symbols: FxHashMap::default(),
            lists: FxHashMap::default(),
            names: Vec::new(),
            variables: FxHashMap::default(),
            variable_symbols: FxHashMap::default(),
            pending: Vec::new(),
            ready: false,
            plain,
        }
    }

    /// Takes a line `sorts A B`, `subsort A B`, `names X Y`, `op ...` or `var X : S`.
    pub(super) fn declare(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[0] {
            "sorts" => self.sort_names.extend(words[1..].iter().map(|w| (*w).to_string())),
            "subsort" => {
                let place = |w: &str| self.sort_names.iter().position(|s| s == w).expect("a sort");
                let pair = (place(words[1]), place(words[2]));
                self.subsorts.push(pair);
            }
            "names" => self.names.extend(words[1..].iter().map(|w| (*w).to_string())),
            "op" | "var" => self.pending.push(line.to_string()),
            other => panic!("what is {other}?"),
        }
    }

    fn prepare(&mut self) {
        if self.ready {
            return;
        }
        self.ready = true;
        let names: Vec<&str> = self.sort_names.iter().map(String::as_str).collect();
        let ids = self.signature.add_sorts(&names, &self.subsorts);
        self.sorts = self.sort_names.iter().cloned().zip(ids).collect();
        // Declarations of one operator over one list of kinds belong together.
        let mut order: Vec<(String, Vec<Declaration>, String)> = Vec::new();
        let pending = std::mem::take(&mut self.pending);
        for line in pending.iter().filter(|l| l.starts_with("op ")) {
            let (head, attributes) = line[3..].split_once('[').unwrap_or((&line[3..], "]"));
            let (name, rank) = head.split_once(" : ").expect("a rank");
            let (args, range) = rank.split_once("->").expect("a range");
            let args = args.split_whitespace().map(|s| self.sorts[s]).collect();
            let range = self.sorts[range.trim()];
            let declaration = Declaration { args, range, ctor: false };
            let known = order
                .iter_mut()
                .find(|o| o.0 == name.trim() && o.1[0].args.len() == declaration.args.len());
            match known {
                Some(known) => known.1.push(declaration),
                None => {
                    let attributes = attributes.trim_end_matches(']').to_string();
                    order.push((name.trim().to_string(), vec![declaration], attributes));
                }
            }
        }
        let mut identities = Vec::new();
        for (name, declarations, attributes) in order {
            let has = |word: &str| attributes.split_whitespace().any(|w| w == word);
            let (assoc, comm) = (has("assoc"), has("comm"));
            let axioms =
                Axioms { assoc, comm, idem: has("idem"), iter: has("iter"), ..Axioms::default() };
            let args: Vec<_> = declarations[0].args.iter().map(|s| s.kind).collect();
            let n = args.len();
            let range = declarations[0].range.kind;
            let symbol = self.signature.add_symbol(SymbolSpec {
                name: name.as_str().into(),
                args,
                range,
                declarations,
                axioms,
                strategy: None,
                frozen: Vec::new(),
                memo: false,
                role: Role::Operator,
            });
            if assoc {
                self.lists.insert(name.clone(), symbol);
            }
            self.symbols.insert((name, n), symbol);
            if let Some((before, identity)) = attributes.split_once("id: ") {
                let (left, right) = (before.contains("left"), before.contains("right"));
                let identity = identity.split_whitespace().next().expect("a name").to_string();
                identities.push((symbol, identity, !right, !left));
            }
        }
        for line in pending.iter().filter(|l| l.starts_with("var ")) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let sort_name = words[words.len() - 1].to_string();
            let sort = self.sorts[&sort_name];
            let signature = &mut self.signature;
            let symbol = *self.variable_symbols.entry(sort_name.clone()).or_insert_with(|| {
                signature.add_symbol(SymbolSpec {
                    name: sort_name.as_str().into(),
                    args: Vec::new(),
                    range: sort.kind,
                    declarations: vec![Declaration { args: Vec::new(), range: sort, ctor: false }],
                    axioms: Axioms::default(),
                    strategy: None,
                    frozen: Vec::new(),
                    memo: false,
                    role: Role::Variable(sort),
                })
            });
            for name in &words[1..words.len() - 2] {
                let number = self.names.iter().position(|n| n == name).unwrap_or_else(|| {
                    self.names.push((*name).to_string());
                    self.names.len() - 1
                });
                let variable = self.terms.variable(symbol, NameId(number as u32));
                self.variables.insert((*name).to_string(), variable);
            }
        }
        for (symbol, identity, left, right) in identities {
            let identity = self.terms.constant(self.symbols[&(identity, 0)]);
            self.signature.set_identity(symbol, identity, left, right);
        }
        let theory = Theory::new(TheoryParts {
            signature: self.signature.clone(),
            terms: self.terms.clone(),
            ..TheoryParts::default()
        });
        self.engine = Some(Worker::new(&theory, &Arc::default(), &self.signature, self.plain));
    }

    /// Reads a term, fully normalised.
    pub(super) fn term(&mut self, text: &str) -> StaticId {
        self.prepare();
        let mut rest = text;
        let read = self.read(&mut rest);
        assert!(rest.trim().is_empty(), "{rest} is left of {text}");
        self.terms.normalise(&self.signature, read)
    }

    /// An application, fully normalised.
    pub(super) fn normal(&mut self, symbol: SymbolId, args: &[StaticId]) -> StaticId {
        let written = self.terms.app(symbol, args);
        self.terms.normalise(&self.signature, written)
    }

    fn read(&mut self, text: &mut &str) -> StaticId {
        *text = text.trim_start();
        let end = text.find(['(', ')', ',']).unwrap_or(text.len());
        let name = text[..end].trim().to_string();
        *text = &text[end..];
        if let Some(&variable) = self.variables.get(&name) {
            return variable;
        }
        let mut args = Vec::new();
        if text.starts_with('(') {
            while !text.starts_with(')') {
                *text = &text[1..];
                args.push(self.read(text));
                *text = text.trim_start();
            }
            *text = &text[1..];
        }
        let (name, count) = match name.split_once('^') {
            Some((name, count)) => (name.to_string(), Some(count.parse::<u32>().expect("a count"))),
            None => (name, None),
        };
        let symbol = match self.lists.get(&name) {
            Some(&symbol) => symbol,
            None => *self
                .symbols
                .get(&(name.clone(), args.len()))
                .unwrap_or_else(|| panic!("no operator {name}/{}", args.len())),
        };
        if self.signature.symbol(symbol).axioms.iter {
            return self.terms.iter(symbol, count.unwrap_or(1).into(), args[0]);
        }
        self.terms.app(symbol, &args)
    }

    /// Writes a term as it is read.
    pub(super) fn show(&self, t: StaticId) -> String {
        let terms = &self.terms;
        let name = |s: SymbolId| self.signature.symbol(s).name.to_string();
        match terms.node(t) {
            StaticNode::Variable(_, n) => self.names[n.index()].clone(),
            StaticNode::Iter(s, count, arg) if *count == 1u32.into() => {
                format!("{}({})", name(*s), self.show(*arg))
            }
            StaticNode::Iter(s, count, arg) => format!("{}^{count}({})", name(*s), self.show(*arg)),
            StaticNode::App(s, args) if args.is_empty() => name(*s),
            StaticNode::App(s, args) => {
                let args: Vec<String> = args.iter().map(|&a| self.show(a)).collect();
                format!("{}({})", name(*s), args.join(", "))
            }
            StaticNode::Multiset(s, args) => {
                let args = args.iter().flat_map(|&(a, m)| vec![self.show(a); m as usize]);
                format!("{}({})", name(*s), args.collect::<Vec<_>>().join(", "))
            }
            _ => unreachable!("tests have no literals"),
        }
    }

    fn show_handle(&mut self, engine: &Worker, h: Handle) -> String {
        let t = engine.space.memory.read_back(&self.signature, &mut self.terms, h).0;
        self.show(t)
    }

    /// Builds a subject that counts as reduced throughout.
    fn subject(&self, memory: &mut Memory, t: StaticId) -> Handle {
        let built = memory.build_normal(&self.signature, &self.terms, t);
        let mut stack = vec![built];
        while let Some(h) = stack.pop() {
            memory.set_reduced(h);
            stack.extend((0..memory.n_args(h)).map(|i| memory.arg(h, i)));
        }
        built
    }

    /// The matchers as lines: `X = a, Y = b | portion`.
    pub(super) fn matchers(
        &mut self,
        pattern: &str,
        subject: &str,
        mode: Mode,
        extension: bool,
        limit: usize,
    ) -> Vec<String> {
        let (term, subject) = (self.term(pattern), self.term(subject));
        let mut engine = self.engine.take().expect("the theory is ready");
        let found = self.matchers_in(&mut engine, term, subject, mode, extension, limit);
        self.engine = Some(engine);
        found
    }

    /// The values of variables as a line.
    fn shown_values(
        &mut self,
        engine: &mut Worker,
        variables: &[StaticId],
        slots: &Slots,
        base: usize,
    ) -> String {
        let mut values: Vec<String> = Vec::new();
        for &v in variables {
            let slot = slots.get(v).expect("the pattern's variables have registers");
            let value = engine.space.regs[base + slot as usize];
            assert!(value != Handle::NIL, "{} has no value", self.show(v));
            values.push(format!("{} = {}", self.show(v), self.show_handle(engine, value)));
        }
        values.sort();
        values.join(", ")
    }

    fn matchers_in(
        &mut self,
        engine: &mut Worker,
        term: StaticId,
        subject: StaticId,
        mode: Mode,
        extension: bool,
        limit: usize,
    ) -> Vec<String> {
        let mut decided = self.without_matcher;
        let variables = self.terms.variables(term);
        let mut slots = Slots::new();
        let spec = PatternSpec {
            term,
            bound: &[],
            elsewhere: &[],
            extension,
            unreduced: UnreducedParts::None,
            guards: Vec::new(),
        };
        let source = PatternSource {
            signature: &self.signature,
            terms: &self.terms,
            memory: &mut engine.space.memory,
            membership_sorts: &Arc::default(),
        };
        let compiled = Pattern::compile(source, &mut slots, spec);
        let subject = self.subject(&mut engine.space.memory, subject);
        let base = engine.space.push_frame(slots.len() + 3) + 3;
        // What is decided without a matcher is what a matcher finds first.
        let few = match mode {
            Mode::First => compiled.match_few(&mut engine.space, base, subject),
            Mode::All => None,
        };
        let few =
            few.map(|matched| matched.then(|| self.shown_values(engine, &variables, &slots, base)));
        if let Some(matched) = &few {
            decided[usize::from(matched.is_some())] += 1;
        }
        let mut matcher = Matcher::default();
        let mut found = Vec::new();
        let mut more = matcher.start(&mut engine.space, &compiled, base, subject, mode);
        while more == MatchAnswer::Matched && found.len() < limit {
            let mut line = self.shown_values(engine, &variables, &slots, base);
            if let (Some(few), []) = (&few, &found[..]) {
                assert_eq!(few.as_ref(), Some(&line), "{}", self.show(term));
                let leftover = matcher.leftover(&mut engine.space, &compiled);
                assert!(matches!(leftover, Leftover::Whole));
            }
            if extension {
                let portion = matcher.portion(&mut engine.space, &compiled);
                let shown = portion.map(|part| self.show_handle(engine, part));
                line = format!("{line} | {}", shown.unwrap_or("(whole)".to_string()));
            }
            found.push(line.trim().to_string());
            more = matcher.next(&mut engine.space, &compiled, base);
        }
        if let (Some(few), []) = (few, &found[..]) {
            assert_eq!(few, None, "{}", self.show(term));
        }
        engine.space.pop_frame(base - 3);
        self.without_matcher = decided;
        found
    }
}
