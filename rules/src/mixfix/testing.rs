//! A small reader of modules for tests: one declaration a line, sorts before operators. The text is
//! legal for the reference too, so that the two can be compared.

use std::sync::Arc;

use broth_engine::{
    Axioms, Builtin, Declaration, HookId, KindId, Meaning, NameId, Role, Signature, SortId,
    StaticTerms, SymbolId, SymbolSpec, Truth,
};

use super::{
    Description, Grammar, KindIndex, Literals, Nesting, NumberSyntax, OperatorDescription,
    OperatorIndex, PolymorphDescription, PolymorphIndex, SortDescription, SortIndex, Symbols,
    Syntax, Type, default_gather, default_precedence, name_items,
};
use crate::syntax::{FileId, Gather, Name, Names, Span, Token, joined_name};

/// What `pr BOOL` stands for here.
const BOOL: &str = "op true : -> Bool .
op false : -> Bool .
op _and_ : Bool Bool -> Bool [assoc comm prec 55] .
op _or_ : Bool Bool -> Bool [assoc comm prec 59] .
op not_ : Bool -> Bool [prec 53] .
poly if_then_else_fi : Bool Universal Universal -> Universal [prec 0 gather (& & &)] .
poly _==_ : Universal Universal -> Bool [prec 51] .
poly _=/=_ : Universal Universal -> Bool [prec 51] .";

/// What `pr NAT` stands for here.
const NAT: &str = "op 0 : -> Nat .
op s_ : Nat -> Nat [iter prec 15 gather (E)] .
op _+_ : Nat Nat -> Nat [assoc comm prec 33] .
op _*_ : Nat Nat -> Nat [assoc comm prec 31] .
op _^_ : Nat Nat -> Nat [prec 29 gather (E e)] .
op _<_ : Nat Nat -> Bool [prec 37] .
op _rem_ : Nat Nat -> Nat [prec 31 gather (E e)] .";

/// A module with its grammar and a theory for it.
pub(crate) struct TestModule {
    pub names: Names,
    pub grammar: Grammar,
    pub description: Arc<Description>,
    pub signature: Signature,
    pub terms: StaticTerms,
    pub theory: TestTheory,
}

/// The symbols of the module.
pub(crate) struct TestTheory {
    pub sorts: Vec<SortId>,
    pub kinds: Vec<KindId>,
    pub operators: Vec<SymbolId>,
    pub instances: Vec<(PolymorphIndex, KindIndex, SymbolId)>,
    pub variables: Vec<(Type, SymbolId)>,
    pub tests: Vec<(Type, SymbolId)>,
    pub truth: Option<Truth>,
}

/// [`Symbols`] for a test module.
pub(crate) struct TestSymbols<'a> {
    pub theory: &'a mut TestTheory,
    pub signature: &'a mut Signature,
    pub description: &'a Description,
    pub names: &'a Names,
}

/// Cuts text into tokens.
pub(crate) fn tokens(text: &str, names: &mut Names) -> Vec<Token> {
    let mut found = Vec::new();
    let mut push = |from: usize, to: usize, names: &mut Names| {
        if from < to {
            let name = names.intern(&text[from..to]);
            names.number_name(name);
            names.number_variable_base(name);
            let span = Span { file: FileId(0), start: from as u32, end: to as u32 };
            found.push(Token { name, span });
        }
    };
    let mut from = 0;
    let mut in_string = false;
    let mut quoted = false;
    for (at, c) in text.char_indices() {
        if in_string {
            in_string = quoted || c != '"';
            quoted = !quoted && c == '\\';
            continue;
        }
        if quoted {
            quoted = false;
            continue;
        }
        match c {
            '"' => in_string = true,
            '`' => quoted = true,
            c if c.is_whitespace() => {
                push(from, at, names);
                from = at + 1;
            }
            '(' | ')' | '[' | ']' | '{' | '}' | ',' => {
                push(from, at, names);
                push(at, at + 1, names);
                from = at + 1;
            }
            _ => {}
        }
    }
    push(from, text.len(), names);
    found
}

struct OperatorLine {
    name: String,
    args: Vec<String>,
    range: String,
    attributes: Vec<String>,
    polymorphic: bool,
}

fn operator_line(line: &str) -> OperatorLine {
    let (head, rest) = line.split_once(" : ").expect("an operator has sorts");
    let (sorts, attributes) = match rest.rsplit_once(" [") {
        Some((sorts, attributes)) => (sorts, attributes.trim_end_matches("] .")),
        None => (rest.trim_end_matches(" ."), ""),
    };
    let (args, range) = sorts.split_once("->").expect("an operator has a range");
    let (keyword, name) = head.split_once(' ').expect("an operator has a name");
    OperatorLine {
        name: name.replace(' ', "`"),
        args: args.split_whitespace().map(str::to_owned).collect(),
        range: range.trim().to_owned(),
        attributes: attributes
            .replace(['(', ')'], " ")
            .split_whitespace()
            .map(str::to_owned)
            .collect(),
        polymorphic: keyword == "poly",
    }
}

impl TestModule {
    /// Reads a module; the lines around the declarations may be there or not.
    pub fn new(text: &str) -> TestModule {
        let mut names = Names::new();
        let mut lines: Vec<String> = Vec::new();
        let (mut bool_wanted, mut nat_wanted) = (false, false);
        for line in text.lines().map(str::trim) {
            match line {
                "pr BOOL ." => bool_wanted = true,
                "pr NAT ." => nat_wanted = true,
                _ => lines.push(line.to_owned()),
            }
        }
        let mut all: Vec<String> = Vec::new();
        if bool_wanted || nat_wanted {
            all.push("sort Bool .".to_owned());
            all.extend(BOOL.lines().map(str::to_owned));
        }
        if nat_wanted {
            all.insert(1, "sort Nat .".to_owned());
            all.extend(NAT.lines().map(str::to_owned));
        }
        all.extend(lines);
        let mut sort_names: Vec<String> = Vec::new();
        let mut subsorts: Vec<(usize, usize)> = Vec::new();
        for line in &all {
            let words: Vec<&str> = line.trim_end_matches(" .").split_whitespace().collect();
            match words.first() {
                Some(&"sort" | &"sorts") => {
                    sort_names.extend(words[1..].iter().map(|w| (*w).to_owned()));
                }
                Some(&"subsort" | &"subsorts") => {
                    let place = |w: &str| sort_names.iter().position(|s| s == w).expect("declared");
                    for pair in words[1..].split(|w| *w == "<").collect::<Vec<_>>().windows(2) {
                        for low in pair[0] {
                            subsorts.extend(pair[1].iter().map(|h| (place(low), place(h))));
                        }
                    }
                }
                _ => {}
            }
        }
        let mut signature = Signature::new();
        let texts: Vec<&str> = sort_names.iter().map(String::as_str).collect();
        let sorts = signature.add_sorts(&texts, &subsorts);
        let n_kinds = signature.n_kinds() as u32;
        let mut description = Description { n_kinds, ..Description::default() };
        for (text, sort) in sort_names.iter().zip(&sorts) {
            let kind = KindIndex(sort.kind.0);
            description.sorts.push(SortDescription { name: names.intern(text), kind });
        }
        let sort_of = |text: &str| -> SortId {
            let plain = text.trim_start_matches('[').trim_end_matches(']');
            let at = sort_names.iter().position(|s| s == plain).expect("declared");
            if text.starts_with('[') { SortId::of_kind(sorts[at].kind) } else { sorts[at] }
        };
        let mut specs: Vec<SymbolSpec> = Vec::new();
        let mut declared: Vec<OperatorLine> = Vec::new();
        for line in &all {
            if line.starts_with("op ") || line.starts_with("poly ") {
                declared.push(operator_line(line));
            } else if let Some(rest) = line.strip_prefix("ops ") {
                let (heads, sorts) = rest.split_once(" : ").expect("sorts");
                for name in heads.split_whitespace() {
                    declared.push(operator_line(&format!("op {name} : {sorts}")));
                }
            }
        }
        for line in &declared {
            let has = |word: &str| line.attributes.iter().any(|a| a == word);
            let parts = tokens(&line.name, &mut names);
            let joined = joined_name(parts.iter().map(|token| names.text(token.name)));
            let items = name_items(&joined, &mut names);
            let after = |word: &str| line.attributes.iter().position(|a| a == word);
            let prec = after("prec")
                .map(|at| line.attributes[at + 1].parse().expect("a number"))
                .unwrap_or_else(|| default_precedence(&items, line.args.len()));
            let nesting = nesting(line, &declared, &signature, &sort_of);
            let gather = after("gather").map_or_else(
                || default_gather(&items, line.args.len(), prec, has("assoc"), nesting),
                |at| {
                    let words = &line.attributes[at + 1..at + 1 + line.args.len()];
                    words.iter().map(|w| gather_of(w)).collect()
                },
            );
            let syntax = Syntax {
                name: names.intern(&joined),
                items,
                prec,
                gather,
                assoc: has("assoc"),
                iter: has("iter"),
                format: None,
            };
            if line.polymorphic {
                let kind = |s: &String| (s != "Universal").then(|| KindIndex(sort_of(s).kind.0));
                description.polymorphs.push(PolymorphDescription {
                    syntax,
                    args: line.args.iter().map(kind).collect(),
                    range: kind(&line.range),
                });
                continue;
            }
            let args: Vec<SortId> = line.args.iter().map(|s| sort_of(s)).collect();
            let range = sort_of(&line.range);
            let kinds: Vec<KindId> = args.iter().map(|s| s.kind).collect();
            let declaration = Declaration { args, range, ctor: false };
            let known = specs.iter_mut().find(|spec| {
                *spec.name == *line.name && spec.args == kinds && spec.range == range.kind
            });
            if let Some(known) = known {
                known.declarations.push(declaration);
                continue;
            }
            description.operators.push(OperatorDescription {
                syntax,
                args: kinds.iter().map(|k| KindIndex(k.0)).collect(),
                range: KindIndex(range.kind.0),
            });
            specs.push(SymbolSpec {
                name: line.name.as_str().into(),
                args: kinds,
                range: range.kind,
                declarations: vec![declaration],
                axioms: Axioms {
                    assoc: has("assoc"),
                    comm: has("comm"),
                    iter: has("iter"),
                    ..Axioms::default()
                },
                strategy: None,
                frozen: Vec::new(),
                memo: false,
                role: Role::Operator,
            });
        }
        let operators: Vec<SymbolId> = specs.into_iter().map(|s| signature.add_symbol(s)).collect();
        let place = |name: &str, names: &mut Names| {
            let name = names.intern(name);
            description.operators.iter().position(|o| o.syntax.name == name)
        };
        let mut truth = None;
        if let (Some(yes), Some(no)) = (place("true", &mut names), place("false", &mut names)) {
            truth = Some(Truth { yes: operators[yes], no: operators[no] });
            description.truth = Some(description.operators[yes].range);
            description.sort_tests = true;
        }
        let place = |name: &str, names: &mut Names| {
            let name = names.intern(name);
            description.operators.iter().position(|o| o.syntax.name == name)
        };
        if nat_wanted {
            let zero = place("0", &mut names).expect("declared");
            let succ = place("s_", &mut names).expect("declared");
            description.literals = Literals {
                numbers: vec![NumberSyntax {
                    zero: OperatorIndex(zero as u32),
                    succ: OperatorIndex(succ as u32),
                    minus: None,
                    division: None,
                }],
                ..Literals::default()
            };
        }
        for line in &all {
            let Some(rest) = line.strip_prefix("vars ").or(line.strip_prefix("var ")) else {
                continue;
            };
            let (heads, sort) = rest.trim_end_matches(" .").split_once(" : ").expect("a sort");
            let at = sort_names.iter().position(|s| s == sort).expect("declared");
            for name in heads.split_whitespace() {
                let name = names.intern(name);
                description.aliases.push((name, Type::Sort(SortIndex(at as u32))));
            }
        }
        let description = Arc::new(description);
        let grammar = Grammar::new(description.clone(), &mut names);
        let theory = TestTheory {
            sorts,
            kinds: (0..n_kinds).map(KindId).collect(),
            operators,
            instances: Vec::new(),
            variables: Vec::new(),
            tests: Vec::new(),
            truth,
        };
        TestModule { names, grammar, description, signature, terms: StaticTerms::new(), theory }
    }

    /// Cuts text into tokens.
    pub fn tokens(&mut self, text: &str) -> Vec<Token> {
        tokens(text, &mut self.names)
    }
}

fn gather_of(word: &str) -> Gather {
    match word {
        "e" => Gather::Tighter,
        "E" => Gather::AsTight,
        _ => Gather::Any,
    }
}

fn nesting(
    line: &OperatorLine,
    declared: &[OperatorLine],
    signature: &Signature,
    sort_of: &dyn Fn(&str) -> SortId,
) -> Nesting {
    if line.args.len() < 2 || line.polymorphic {
        return Nesting::default();
    }
    let kinds = |l: &OperatorLine| -> Vec<KindId> {
        l.args.iter().chain([&l.range]).map(|s| sort_of(s).kind).collect()
    };
    let own = kinds(line);
    if own[0] != own[own.len() - 1] || own[own.len() - 2] != own[0] {
        return Nesting::default();
    }
    let same: Vec<&OperatorLine> = declared
        .iter()
        .filter(|l| !l.polymorphic && l.name == line.name && kinds(l) == own)
        .collect();
    let mut nesting = Nesting::default();
    for a in &same {
        for b in &same {
            let range = sort_of(&a.range);
            nesting.first |= signature.leq(range, sort_of(&b.args[0]));
            nesting.last |= signature.leq(range, sort_of(&b.args[b.args.len() - 1]));
        }
    }
    nesting
}

impl Symbols for TestSymbols<'_> {
    fn operator(&mut self, operator: OperatorIndex) -> SymbolId {
        self.theory.operators[operator.index()]
    }

    fn instance(&mut self, polymorph: PolymorphIndex, kind: KindIndex) -> SymbolId {
        let instances = &mut self.theory.instances;
        if let Some(known) = instances.iter().find(|i| (i.0, i.1) == (polymorph, kind)) {
            return known.2;
        }
        let described = &self.description.polymorphs[polymorph.index()];
        let kind_of = |k: &Option<KindIndex>| KindId(k.unwrap_or(kind).0);
        let args: Vec<KindId> = described.args.iter().map(kind_of).collect();
        let range = kind_of(&described.range);
        let declaration = Declaration {
            args: args.iter().map(|&k| SortId::of_kind(k)).collect(),
            range: SortId { kind: range, index: 1 },
            ctor: false,
        };
        let symbol = self.signature.add_symbol(SymbolSpec {
            name: self.names.text(described.syntax.name).into(),
            args,
            range,
            declarations: vec![declaration],
            axioms: Axioms::default(),
            strategy: None,
            frozen: Vec::new(),
            memo: false,
            role: Role::Operator,
        });
        instances.push((polymorph, kind, symbol));
        symbol
    }

    fn sort_test(&mut self, tested: Type) -> SymbolId {
        let sort = self.sort(tested);
        if let Some(known) = self.theory.tests.iter().find(|t| t.0 == tested) {
            return known.1;
        }
        let truth = self.theory.truth.expect("the module has BOOL");
        let range = self.signature.symbol(truth.yes).declarations[0].range;
        let (hook, meaning) = (HookId::SORT_TEST, Meaning::SortTest(sort));
        let builtin = Builtin { hook, meaning, truth: Some(truth), numbers: None };
        let symbol = self.signature.add_symbol(SymbolSpec {
            name: "_::_".into(),
            args: vec![sort.kind],
            range: range.kind,
            declarations: vec![Declaration {
                args: vec![SortId::of_kind(sort.kind)],
                range,
                ctor: false,
            }],
            axioms: Axioms::default(),
            strategy: None,
            frozen: Vec::new(),
            memo: false,
            role: Role::Builtin(builtin),
        });
        self.theory.tests.push((tested, symbol));
        symbol
    }

    fn variable(&mut self, name: Name, of: Type) -> (SymbolId, NameId) {
        let number = NameId(name.0);
        if let Some(known) = self.theory.variables.iter().find(|v| v.0 == of) {
            return (known.1, number);
        }
        let sort = self.sort(of);
        let symbol = self.signature.add_symbol(SymbolSpec {
            name: "variable".into(),
            args: Vec::new(),
            range: sort.kind,
            declarations: vec![Declaration { args: Vec::new(), range: sort, ctor: false }],
            axioms: Axioms::default(),
            strategy: None,
            frozen: Vec::new(),
            memo: false,
            role: Role::Variable(sort),
        });
        self.theory.variables.push((of, symbol));
        (symbol, number)
    }

    fn sort(&mut self, of: Type) -> SortId {
        match of {
            Type::Sort(sort) => self.theory.sorts[sort.index()],
            Type::Kind(kind) => SortId::of_kind(self.theory.kinds[kind.index()]),
        }
    }

    fn truth(&mut self) -> SymbolId {
        self.theory.truth.expect("the module has BOOL").yes
    }
}
