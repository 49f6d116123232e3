//! Small theories for tests, written in prefix form: `f(a, g(X))`; names that begin with a capital
//! are variables.

use rustc_hash::FxHashMap;

use crate::engine::Engine;
use crate::id::{KindId, NameId, SortId, StaticId, SymbolId, TheoryId};
use crate::signature::{Axioms, Declaration, Role, SymbolSpec};
use crate::term::StaticNode;
use crate::theory::{Conclusion, Fragment, Statement, Theory};

/// An engine with a theory over one sort that grows line by line.
pub(crate) struct World {
    pub(crate) engine: Engine,
    pub(crate) theory: Theory,
    sort: SortId,
    symbols: FxHashMap<String, SymbolId>,
    variable: Option<SymbolId>,
    names: Vec<String>,
}

impl World {
    pub(crate) fn new() -> World {
        let mut engine = Engine::new();
        let sort = engine.signature.add_sorts(&["S"], &[])[0];
        World {
            engine,
            theory: Theory::default(),
            sort,
            symbols: FxHashMap::default(),
            variable: None,
            names: Vec::new(),
        }
    }

    fn kind(&self) -> KindId {
        self.sort.kind
    }

    /// Declares operators `name/arity`, with axioms after a colon: `h/2:AC`, `u/2:AU=e`, `n/1:I`,
    /// `l/1:lazy`.
    pub(crate) fn ops(&mut self, text: &str) -> &mut World {
        for word in text.split_whitespace() {
            let (name, rest) = word.split_once('/').unwrap();
            let (arity, axioms) = rest.split_once(':').unwrap_or((rest, ""));
            let (axioms, identity) = axioms.split_once('=').unwrap_or((axioms, ""));
            let n: usize = arity.parse().unwrap();
            let id = self.engine.signature.add_symbol(SymbolSpec {
                name: name.into(),
                args: vec![self.kind(); n],
                range: self.kind(),
                declarations: vec![Declaration {
                    args: vec![self.sort; n],
                    range: self.sort,
                    ctor: false,
                }],
                axioms: Axioms {
                    assoc: axioms.contains('A'),
                    comm: axioms.contains('C'),
                    iter: axioms.contains('I'),
                    ..Axioms::default()
                },
                strategy: axioms.contains("lazy").then(|| vec![0]),
                frozen: Vec::new(),
                memo: false,
                role: Role::Operator,
            });
            self.symbols.insert(name.into(), id);
            self.theory.symbols.push(id);
            if !identity.is_empty() {
                let identity = self.term(identity);
                self.engine.signature.set_identity(id, identity, true, true);
            }
        }
        self
    }

    /// Reads a term.
    pub(crate) fn term(&mut self, text: &str) -> StaticId {
        let tokens: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        let mut at = 0;
        self.read(&tokens, &mut at)
    }

    fn read(&mut self, text: &[char], at: &mut usize) -> StaticId {
        let start = *at;
        while *at < text.len() && !"(),".contains(text[*at]) {
            *at += 1;
        }
        let name: String = text[start..*at].iter().collect();
        if name.starts_with(char::is_uppercase) {
            return self.variable(&name);
        }
        let mut args = Vec::new();
        if text.get(*at) == Some(&'(') {
            loop {
                *at += 1;
                args.push(self.read(text, at));
                if text[*at] == ')' {
                    *at += 1;
                    break;
                }
            }
        }
        let symbol = *self.symbols.get(&name).unwrap_or_else(|| panic!("no operator {name}"));
        if self.engine.signature.symbol(symbol).axioms.iter {
            return self.engine.terms.iter(symbol, 1u32.into(), args[0]);
        }
        self.engine.terms.app(symbol, &args)
    }

    fn variable(&mut self, name: &str) -> StaticId {
        let symbol = *self.variable.get_or_insert_with(|| {
            self.engine.signature.add_symbol(SymbolSpec {
                name: "variable".into(),
                args: Vec::new(),
                range: self.sort.kind,
                declarations: vec![Declaration { args: vec![], range: self.sort, ctor: false }],
                axioms: Axioms::default(),
                strategy: None,
                frozen: Vec::new(),
                memo: false,
                role: Role::Variable(self.sort),
            })
        });
        let number = self.names.iter().position(|n| n == name).unwrap_or_else(|| {
            self.names.push(name.into());
            self.names.len() - 1
        });
        self.engine.terms.variable(symbol, NameId(number as u32))
    }

    /// Adds `left = right` or `left = right if a = b`, or `left => right ...`.
    pub(crate) fn statement(&mut self, text: &str) -> &mut World {
        let (body, condition) = text.split_once(" if ").unwrap_or((text, ""));
        let rule = body.contains("=>");
        let (left, right) = body.split_once(if rule { "=>" } else { "=" }).unwrap();
        let left = self.term(left);
        let left = self.engine.terms.normalise(&self.engine.signature, left);
        let right = self.partial(right);
        let mut fragments = Vec::new();
        for fragment in condition.split("/\\").filter(|f| !f.trim().is_empty()) {
            fragments.push(if let Some((t, p)) = fragment.split_once("=>") {
                let p = self.term(p);
                let p = self.engine.terms.normalise(&self.engine.signature, p);
                Fragment::Rewrite(self.partial(t), p)
            } else if let Some((p, t)) = fragment.split_once(":=") {
                let p = self.term(p);
                let p = self.engine.terms.normalise(&self.engine.signature, p);
                Fragment::Match(p, self.partial(t))
            } else {
                let (a, b) = fragment.split_once('=').unwrap();
                Fragment::Equal(self.partial(a), self.partial(b))
            });
        }
        let source = self.theory.statements.len() as u32;
        self.theory.statements.push(Statement {
            left,
            conclusion: match rule {
                true => Conclusion::Rule(right),
                false => Conclusion::Equation { right, owise: false },
            },
            condition: fragments,
            label: None,
            nonexec: false,
            source,
        });
        self
    }

    /// A term in partial normal form.
    pub(crate) fn partial(&mut self, text: &str) -> StaticId {
        let t = self.term(text);
        self.engine.terms.normalise_partially(&self.engine.signature, t)
    }

    /// Gives the theory to the engine.
    pub(crate) fn load(&mut self) -> TheoryId {
        self.engine.add_theory(std::mem::take(&mut self.theory))
    }

    /// Reduces a term; its normal form as text, and the rewrites.
    pub(crate) fn reduce(&mut self, text: &str) -> (String, u64) {
        let t = self.partial(text);
        self.engine.reset_counts();
        let raw = self.engine.build_raw(t);
        let result = self.engine.reduce(raw);
        let engine = &mut self.engine;
        // What a caller would get: the term as it is stored.
        let result = engine.memory.enter(result);
        let (id, _) = engine.memory.read_back(&engine.signature, &mut engine.terms, result);
        (self.show(id), self.engine.counts().total())
    }

    /// A term as text; multiplicities as repeated arguments.
    pub(crate) fn show(&self, id: StaticId) -> String {
        let node = self.engine.terms.node(id);
        if let StaticNode::Variable(_, name) = node {
            return self.names[name.index()].clone();
        }
        let name = self.engine.signature.symbol(node.symbol()).name.to_string();
        let args = self.engine.terms.args_as_written(id);
        let shown: Vec<String> = args.iter().map(|&a| self.show(a)).collect();
        match node {
            StaticNode::Iter(_, n, _) if *n != 1u32.into() => format!("{name}^{n}({})", shown[0]),
            _ if shown.is_empty() => name,
            _ => format!("{name}({})", shown.join(", ")),
        }
    }
}
