//! Small theories for tests, written in prefix form: `f(a, g(X))`; names that begin with a capital
//! are variables.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::builtin::Hooks;
use crate::command::CommandTerms;
use crate::id::{KindId, NameId, SortId, StaticId, SymbolId};
use crate::result::Readback;
use crate::signature::{
    Axioms, Builtin, Declaration, HookId, Meaning, Role, Signature, SymbolSpec,
};
use crate::statement::{Conclusion, Definition, Fragment, Statement};
use crate::term::{StaticNode, StaticTerms};
use crate::theory::{Theory, TheoryParts};
use crate::worker::Worker;

/// An engine that is there when a theory has been loaded.
#[derive(Default)]
pub(crate) struct Later(Option<Worker>);

impl Deref for Later {
    type Target = Worker;

    fn deref(&self) -> &Worker {
        self.0.as_ref().expect("the theory has been loaded")
    }
}

impl DerefMut for Later {
    fn deref_mut(&mut self) -> &mut Worker {
        self.0.as_mut().expect("the theory has been loaded")
    }
}

/// A theory over one sort that grows line by line, and an engine for it.
pub(crate) struct World {
    pub(crate) engine: Later,
    pub(crate) signature: Signature,
    pub(crate) terms: StaticTerms,
    pub(crate) statements: Vec<Statement>,
    pub(crate) strategies: Vec<Definition>,
    pub(crate) hooks: Arc<Hooks>,
    collects_always: bool,
    sort: SortId,
    symbols: FxHashMap<String, SymbolId>,
    variable: SymbolId,
    names: Vec<String>,
}

impl World {
    pub(crate) fn new() -> World {
        let mut signature = Signature::new();
        let sort = signature.add_sorts(&["S"], &[])[0];
        let variable = signature.add_symbol(SymbolSpec {
            name: "variable".into(),
            args: Vec::new(),
            range: sort.kind,
            declarations: vec![Declaration { args: vec![], range: sort, ctor: false }],
            axioms: Axioms::default(),
            strategy: None,
            frozen: Vec::new(),
            memo: false,
            role: Role::Variable(sort),
        });
        World {
            engine: Later::default(),
            hooks: Arc::default(),
            signature,
            terms: StaticTerms::new(),
            statements: Vec::new(),
            strategies: Vec::new(),
            collects_always: false,
            sort,
            symbols: FxHashMap::default(),
            variable,
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
            let id = self.signature.add_symbol(SymbolSpec {
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
            if !identity.is_empty() {
                let identity = self.term(identity);
                self.signature.set_identity(id, identity, true, true);
            }
        }
        self
    }

    /// Declares an operator that a hook computes.
    pub(crate) fn computed(&mut self, name: &str, n: usize, hook: HookId) -> &mut World {
        let meaning = Meaning::Function;
        let builtin = Builtin { hook, meaning, truth: None, numbers: None };
        let id = self.signature.add_symbol(SymbolSpec {
            name: name.into(),
            args: vec![self.kind(); n],
            range: self.kind(),
            declarations: vec![Declaration {
                args: vec![self.sort; n],
                range: self.sort,
                ctor: false,
            }],
            axioms: Axioms::default(),
            strategy: None,
            frozen: Vec::new(),
            memo: false,
            role: Role::Builtin(builtin),
        });
        self.symbols.insert(name.into(), id);
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
        if self.signature.symbol(symbol).axioms.iter {
            return self.terms.iter(symbol, 1u32.into(), args[0]);
        }
        self.terms.app(symbol, &args)
    }

    fn variable(&mut self, name: &str) -> StaticId {
        let number = self.names.iter().position(|n| n == name).unwrap_or_else(|| {
            self.names.push(name.into());
            self.names.len() - 1
        });
        self.terms.variable(self.variable, NameId(number as u32))
    }

    /// Adds `left = right` or `left = right if a = b`, or `left => right ...`.
    pub(crate) fn statement(&mut self, text: &str) -> &mut World {
        let (body, condition) = text.split_once(" if ").unwrap_or((text, ""));
        let rule = body.contains("=>");
        let (left, right) = body.split_once(if rule { "=>" } else { "=" }).unwrap();
        let left = self.term(left);
        let left = self.terms.normalise(&self.signature, left);
        let right = self.partial(right);
        let mut fragments = Vec::new();
        for fragment in condition.split("/\\").filter(|f| !f.trim().is_empty()) {
            fragments.push(if let Some((t, p)) = fragment.split_once("=>") {
                let p = self.term(p);
                let p = self.terms.normalise(&self.signature, p);
                Fragment::Rewrite(self.partial(t), p)
            } else if let Some((p, t)) = fragment.split_once(":=") {
                let p = self.term(p);
                let p = self.terms.normalise(&self.signature, p);
                Fragment::Match(p, self.partial(t))
            } else {
                let (a, b) = fragment.split_once('=').unwrap();
                Fragment::Equal(self.partial(a), self.partial(b))
            });
        }
        let source = self.statements.len() as u32;
        self.statements.push(Statement {
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
        self.terms.normalise_partially(&self.signature, t)
    }

    /// Finishes the theory and makes an engine for it.
    pub(crate) fn load(&mut self) {
        let theory = Theory::new(TheoryParts {
            signature: self.signature.clone(),
            terms: std::mem::take(&mut self.terms),
            statements: std::mem::take(&mut self.statements),
            strategies: std::mem::take(&mut self.strategies),
        });
        self.terms = StaticTerms::over(Arc::clone(theory.terms()));
        self.engine = Later(Some(Worker::new(&theory, &self.hooks, &self.signature, false)));
        if self.collects_always {
            self.engine.space.collect_always();
        }
    }

    /// Has the engine collect at every safe point.
    pub(crate) fn collect_always(&mut self) {
        self.collects_always = true;
        if let Some(engine) = &mut self.engine.0 {
            engine.space.collect_always();
        }
    }

    /// The terms read so far, for a command.
    pub(crate) fn command(&self) -> CommandTerms {
        CommandTerms { signature: self.signature.clone(), terms: Arc::new(self.terms.clone()) }
    }

    /// Reduces a term; its normal form as text, and the rewrites.
    pub(crate) fn reduce(&mut self, text: &str) -> (String, u64) {
        let t = self.partial(text);
        let command = self.command();
        self.engine.reset_counts();
        let result = self.engine.normal_form(&command, t).expect("nothing stops this");
        let read = self.engine.read_back(&result);
        (self.show_read(&read), self.engine.counts().total())
    }

    /// A result as text.
    pub(crate) fn show_read(&self, read: &Readback) -> String {
        self.show_of(&read.terms, read.term)
    }

    /// A term as text; multiplicities as repeated arguments.
    pub(crate) fn show(&self, id: StaticId) -> String {
        self.show_of(&self.terms, id)
    }

    /// The name of a variable, by its number.
    pub(crate) fn name(&self, number: u32) -> &str {
        &self.names[number as usize]
    }

    fn show_of(&self, terms: &StaticTerms, id: StaticId) -> String {
        let node = terms.node(id);
        if let StaticNode::Variable(_, name) = node {
            return self.names[name.index()].clone();
        }
        let name = self.signature.symbol(node.symbol()).name.to_string();
        let args = terms.args_as_written(id);
        let shown: Vec<String> = args.iter().map(|&a| self.show_of(terms, a)).collect();
        match node {
            StaticNode::Iter(_, n, _) if *n != 1u32.into() => format!("{name}^{n}({})", shown[0]),
            _ if shown.is_empty() => name,
            _ => format!("{name}({})", shown.join(", ")),
        }
    }
}
