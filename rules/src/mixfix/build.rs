//! The productions for terms: operators in mixfix and prefix form, variables, literals, grouping.

use super::description::{Description, Item, KindIndex, SortIndex, Syntax, Type};
use super::names::bound;
use super::production::{Action, Category, Part, Productions, Terminal};
use super::terminals::Terminals;
use super::{ANY, PREFIX};
use crate::syntax::{Name, Names};

/// The numbers of the categories besides the kinds themselves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Categories {
    pub n_kinds: u32,
}

impl Categories {
    /// Two and more arguments, separated by commas.
    pub fn list(self, kind: u32) -> Category {
        self.n_kinds + kind
    }

    /// `.S` behind a term in parentheses.
    pub fn dotted_sort(self, kind: u32) -> Category {
        2 * self.n_kinds + kind
    }

    /// What follows the `[` of a kind's name.
    pub fn kind_tail(self, kind: u32) -> Category {
        3 * self.n_kinds + kind
    }

    /// The name of a sort.
    pub fn sort(self, kind: u32) -> Category {
        4 * self.n_kinds + kind
    }

    /// One of the categories that there are once.
    pub fn single(self, number: u32) -> Category {
        5 * self.n_kinds + number
    }
}

/// A grammar under construction.
pub(super) struct Builder<'a> {
    pub description: &'a Description,
    pub names: &'a mut Names,
    pub terminals: Terminals,
    pub productions: Productions,
    pub categories: Categories,
}

impl Builder<'_> {
    /// A fixed token.
    pub fn word(&mut self, text: &str) -> Part {
        let name = self.names.intern(text);
        Part::Token(self.terminals.token(name))
    }

    pub fn token(&mut self, name: Name) -> Part {
        Part::Token(self.terminals.token(name))
    }

    /// A nonterminal for the terms of a kind, whatever their precedence.
    pub fn any(&self, kind: u32) -> Part {
        Part::Of(kind, ANY)
    }

    pub fn add(&mut self, category: Category, prec: u8, parts: &[Part], action: Action) {
        self.productions.add(category, prec, parts, action);
    }

    /// The productions for terms.
    pub fn add_terms(&mut self) {
        for kind in 0..self.description.n_kinds {
            self.add_kind(kind);
        }
        for sort in 0..self.description.sorts.len() {
            self.add_sort(SortIndex(sort as u32));
        }
        self.add_operators();
        self.add_polymorphs();
        for &(name, of) in &self.description.aliases {
            let kind = self.kind_of(of);
            let token = self.token(name);
            self.add(kind, 0, &[token], Action::Alias(of));
        }
        self.add_literals();
    }

    pub fn kind_of(&self, of: Type) -> u32 {
        match of {
            Type::Kind(kind) => kind.0,
            Type::Sort(sort) => self.description.sorts[sort.index()].kind.0,
        }
    }

    fn add_kind(&mut self, kind: u32) {
        let categories = self.categories;
        let (open, close, comma) = (self.word("("), self.word(")"), self.word(","));
        let argument = Part::Of(kind, PREFIX);
        self.add(kind, 0, &[open, self.any(kind), close], Action::Pass);
        let dotted = Part::Of(categories.dotted_sort(kind), ANY);
        self.add(kind, 0, &[open, self.any(kind), close, dotted], Action::Pass);
        let list = categories.list(kind);
        self.add(list, 0, &[argument, comma, argument], Action::ListStart);
        self.add(list, 0, &[Part::Of(list, ANY), comma, argument], Action::ListMore);
        let (dot, bracket) = (self.word("."), self.word("["));
        let tail = Part::Of(categories.kind_tail(kind), ANY);
        self.add(categories.dotted_sort(kind), 0, &[dot, bracket, tail], Action::Pass);
        let variable = Part::Token(self.terminals.variable(kind));
        self.add(kind, 0, &[variable], Action::VariableToken);
        let head = Part::Token(self.terminals.head(""));
        let of_kind = Action::VariableOf(Type::Kind(KindIndex(kind)));
        self.add(kind, 0, &[head, bracket, tail], of_kind);
    }

    fn add_sort(&mut self, sort: SortIndex) {
        let categories = self.categories;
        let description = &self.description.sorts[sort.index()];
        let kind = description.kind.0;
        let name = self.names.text(description.name).to_owned();
        let of = Type::Sort(sort);
        let tokens = sort_tokens(&name);
        let parts: Vec<Part> = tokens.iter().map(|t| self.word(t)).collect();

        self.add(categories.sort(kind), 0, &parts, Action::Sort(of));
        let (close, comma, dot) = (self.word("]"), self.word(","), self.word("."));
        let tail = categories.kind_tail(kind);
        let mut last = parts.clone();
        last.push(close);
        self.add(tail, 0, &last, Action::Pass);
        let mut more = parts.clone();
        more.extend([comma, Part::Of(tail, ANY)]);
        self.add(tail, 0, &more, Action::Pass);

        let dotted = categories.dotted_sort(kind);
        let mut apart = vec![dot];
        apart.extend(&parts);
        self.add(dotted, 0, &apart, Action::Pass);
        let mut joined = parts.clone();
        joined[0] = self.word(&format!(".{}", tokens[0]));
        self.add(dotted, 0, &joined, Action::Pass);

        if tokens.len() == 1 {
            self.terminals.add_sort(&name, of, kind);
        } else {
            let mut variable = parts.clone();
            variable[0] = Part::Token(self.terminals.head(tokens[0]));
            self.add(kind, 0, &variable, Action::VariableOf(of));
        }
        if let (true, Some(truth)) = (self.description.sort_tests, self.description.truth) {
            let mut test = vec![self.any(kind), self.word("::")];
            test.extend(&parts);
            self.add(truth.0, 0, &test, Action::SortTest(of));
        }
    }

    fn add_operators(&mut self) {
        let description = self.description;
        for (at, operator) in description.operators.iter().enumerate() {
            let index = super::OperatorIndex(at as u32);
            if description.literals.is_literal(index) {
                continue;
            }
            let args: Vec<u32> = operator.args.iter().map(|k| k.0).collect();
            let action = |list: bool| match list {
                true => Action::PrefixList(index),
                false => Action::Operator(index),
            };
            self.add_syntax(operator.range.0, &operator.syntax, &args, &action);
            if operator.syntax.iter && args.len() == 1 {
                let name = self.names.text(operator.syntax.name).to_owned();
                let token = Part::Token(self.terminals.iterated(&name));
                let parts = [token, self.word("("), Part::Of(args[0], PREFIX), self.word(")")];
                self.add(operator.range.0, 0, &parts, Action::Iterated(index));
            }
        }
        if let Some(objects) = description.objects {
            let object = &description.operators[objects.object.index()];
            let args: Vec<u32> = object.args.iter().map(|k| k.0).collect();
            let mut parts = self.mixfix_parts(&object.syntax, &args);
            if let Some(last) = parts.iter().rposition(|p| matches!(p, Part::Of(..))) {
                parts.remove(last);
                let action = Action::Object(objects.object, objects.no_attributes);
                self.add(object.range.0, object.syntax.prec, &parts, action);
            }
        }
    }

    fn add_polymorphs(&mut self) {
        let description = self.description;
        for kind in (0..description.n_kinds).map(KindIndex) {
            for (at, polymorph) in description.polymorphs.iter().enumerate() {
                let index = super::PolymorphIndex(at as u32);
                let args: Vec<u32> = polymorph.args.iter().map(|k| k.unwrap_or(kind).0).collect();
                let range = polymorph.range.unwrap_or(kind).0;
                let action = |_| Action::Instance(index, kind);
                self.add_syntax(range, &polymorph.syntax, &args, &action);
            }
        }
    }

    /// Mixfix and prefix form of an operator.
    fn add_syntax(
        &mut self,
        range: u32,
        syntax: &Syntax,
        args: &[u32],
        action: &dyn Fn(bool) -> Action,
    ) {
        let n_places = syntax.items.iter().filter(|i| **i == Item::Place).count();
        let mixfix = n_places == args.len() && !is_unit(&syntax.items);
        if mixfix && !syntax.items.is_empty() {
            let parts = self.mixfix_parts(syntax, args);
            self.add(range, syntax.prec, &parts, action(false));
        }
        let name = self.token(syntax.name);
        if args.is_empty() {
            if syntax.items.len() != 1 {
                self.add(range, 0, &[name], action(false));
            }
            return;
        }
        let (open, close, comma) = (self.word("("), self.word(")"), self.word(","));
        let mut parts = vec![name, open];
        if syntax.assoc && args.len() == 2 && args[0] == args[1] {
            parts.extend([Part::Of(self.categories.list(args[0]), ANY), close]);
            self.add(range, 0, &parts, action(true));
            return;
        }
        for (place, &kind) in args.iter().enumerate() {
            if place > 0 {
                parts.push(comma);
            }
            parts.push(Part::Of(kind, PREFIX));
        }
        parts.push(close);
        self.add(range, 0, &parts, action(false));
    }

    fn mixfix_parts(&mut self, syntax: &Syntax, args: &[u32]) -> Vec<Part> {
        let mut place = 0;
        let mut parts = Vec::with_capacity(syntax.items.len());
        for item in &syntax.items {
            parts.push(match item {
                Item::Token(name) => self.token(*name),
                Item::Place => {
                    place += 1;
                    Part::Of(args[place - 1], bound(syntax.gather[place - 1], syntax.prec))
                }
            });
        }
        parts
    }

    fn add_literals(&mut self) {
        let literals = &self.description.literals;
        let operators = &self.description.operators;
        let range = |op: super::OperatorIndex| operators[op.index()].range.0;
        let mut found: Vec<(u32, Terminal, Action)> = Vec::new();
        for (at, system) in literals.numbers.iter().enumerate() {
            let action = Action::Number(at as u32);
            found.push((range(system.succ), self.terminals.positive, action.clone()));
            if let Some(minus) = system.minus {
                found.push((range(minus), self.terminals.negative, action.clone()));
            }
            if let Some(division) = system.division {
                found.push((range(division), self.terminals.rational, action));
            }
        }
        for &op in &literals.strings {
            found.push((range(op), self.terminals.string, Action::String(op)));
        }
        for &op in &literals.qids {
            found.push((range(op), self.terminals.qid, Action::Qid(op)));
        }
        for &op in &literals.floats {
            found.push((range(op), self.terminals.float, Action::Float(op)));
        }
        for (kind, terminal, action) in found {
            self.add(kind, 0, &[Part::Token(terminal)], action);
        }
    }
}

/// A name that is one place: as a production it would be a cycle.
fn is_unit(items: &[Item]) -> bool {
    items == [Item::Place]
}

/// The tokens of a sort's name.
pub(super) fn sort_tokens(name: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let end = rest.find(['{', '}', ',']).map_or(rest.len(), |at| at.max(1));
        tokens.push(&rest[..end]);
        rest = &rest[end..];
    }
    tokens
}
