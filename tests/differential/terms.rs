//! Random terms and patterns over a signature, and their text.
//!
//! Patterns are made in two ways: freely, or by generalising a term, which replaces parts of it by
//! variables and runs of arguments by collectors; the second kind matches often.

use crate::random::Random;
use crate::signature::{Operator, Signature, SortRef, Theory, Variable};

#[derive(Clone, PartialEq, Debug)]
pub enum Term {
    Variable(Variable),
    /// An operator and its arguments; an associative one may have more than two.
    Apply(String, Vec<Term>),
    /// An `iter` operator applied several times, as one token `s^3(..)`.
    Power(String, usize, Box<Term>),
}

impl Term {
    /// The operator on top, if it is no variable.
    pub fn top(&self) -> Option<&String> {
        match self {
            Term::Variable(_) => None,
            Term::Apply(name, _) | Term::Power(name, ..) => Some(name),
        }
    }

    pub fn constant(name: &str) -> Term {
        Term::Apply(name.to_owned(), Vec::new())
    }

    pub fn apply(name: &str, arguments: Vec<Term>) -> Term {
        Term::Apply(name.to_owned(), arguments)
    }

    pub fn arguments(&self) -> &[Term] {
        match self {
            Term::Variable(_) => &[],
            Term::Apply(_, arguments) => arguments,
            Term::Power(_, _, argument) => std::slice::from_ref(argument),
        }
    }

    /// The term and everything in it.
    pub fn parts(&self) -> Vec<&Term> {
        let mut parts = vec![self];
        let mut next = 0;
        while next < parts.len() {
            let part = parts[next];
            parts.extend(part.arguments());
            next += 1;
        }
        parts
    }

    /// The variables in order of occurrence, repetitions included.
    pub fn variables(&self) -> Vec<&Variable> {
        self.parts()
            .into_iter()
            .filter_map(|part| match part {
                Term::Variable(variable) => Some(variable),
                _ => None,
            })
            .collect()
    }

    pub fn distinct_variables(&self) -> Vec<Variable> {
        let mut distinct: Vec<Variable> = Vec::new();
        for variable in self.variables() {
            if !distinct.contains(variable) {
                distinct.push(variable.clone());
            }
        }
        distinct
    }

    /// A measure that no instance of the term can undercut: identities and the operators that they
    /// vanish from weigh nothing, everything else weighs one.
    pub fn weight(&self, signature: &Signature) -> usize {
        self.parts()
            .into_iter()
            .map(|part| match part {
                Term::Variable(_) => 0,
                Term::Power(_, times, _) => *times,
                Term::Apply(name, arguments) => {
                    let identity =
                        signature.operators.iter().any(|o| o.identity.as_ref() == Some(name));
                    match signature.operator(name) {
                        _ if identity => 0,
                        Some(operator) if operator.theory.has_identity() => 0,
                        Some(operator) if operator.theory.is_assoc() => arguments.len() - 1,
                        _ => 1,
                    }
                }
            })
            .sum()
    }

    pub fn text(&self) -> String {
        match self {
            Term::Variable(variable) => variable.name.clone(),
            Term::Power(name, times, argument) => format!("{name}^{times}({})", argument.text()),
            Term::Apply(name, arguments) if arguments.is_empty() => name.clone(),
            Term::Apply(name, arguments) => {
                let holes = name.matches('_').count();
                if holes == arguments.len() {
                    let mut text = String::from("(");
                    let mut pieces = name.split('_');
                    text.push_str(pieces.next().unwrap_or(""));
                    for argument in arguments {
                        let piece = pieces.next().unwrap_or("");
                        text.push_str(&format!(" {} {piece}", argument.text()));
                    }
                    text.push(')');
                    text
                } else {
                    let arguments: Vec<String> = arguments.iter().map(Term::text).collect();
                    format!("{name}({})", arguments.join(", "))
                }
            }
        }
    }
}

/// Where random terms come from.
#[derive(Clone, Copy)]
pub struct TermSource<'a> {
    pub signature: &'a Signature,
    /// The variables that may occur.
    pub variables: &'a [Variable],
    /// The highest level of operators.
    pub level: u32,
    /// Left sides, instances of which are mixed in.
    pub redexes: &'a [Term],
}

impl<'a> TermSource<'a> {
    pub fn ground(signature: &'a Signature) -> TermSource<'a> {
        TermSource { signature, variables: &[], level: u32::MAX, redexes: &[] }
    }

    /// The kind's top sort.
    pub fn top(&self) -> SortRef {
        SortRef { sort: self.signature.top(0), kind: false }
    }

    pub fn term(&self, random: &mut Random, want: SortRef, depth: usize) -> Term {
        if depth > 0
            && !self.redexes.is_empty()
            && random.chance(35)
            && self.signature.kinds[want.sort] == 0
        {
            let redex = random.pick(self.redexes).clone();
            return self.instance(random, &redex, depth - 1);
        }
        let variables: Vec<&Variable> =
            self.variables.iter().filter(|v| self.signature.fits(v.sort, want)).collect();
        if !variables.is_empty() && random.chance(if depth == 0 { 65 } else { 20 }) {
            return Term::Variable((*random.pick(&variables)).clone());
        }
        // Some terms are only well-kinded: their sort is the kind.
        let want = if random.chance(6) { SortRef { kind: true, ..want } } else { want };
        let leaf = depth == 0 || random.chance(15);
        let choice = self
            .choose(random, want, leaf)
            .or_else(|| self.choose(random, SortRef { kind: true, ..want }, leaf))
            .or_else(|| self.choose(random, SortRef { kind: true, ..want }, true));
        let Some((operator, domain)) = choice else {
            return Term::constant(if self.signature.kinds[want.sort] == 0 { "a" } else { "u" });
        };
        self.application(random, operator, &domain, depth.saturating_sub(1))
    }

    fn choose(
        &self,
        random: &mut Random,
        want: SortRef,
        leaf: bool,
    ) -> Option<(&'a Operator, Vec<SortRef>)> {
        let candidates: Vec<(&Operator, Vec<SortRef>)> = self
            .signature
            .operators
            .iter()
            .filter(|operator| operator.level <= self.level && (operator.arity() == 0) == leaf)
            .flat_map(|operator| operator.declarations.iter().map(move |d| (operator, d)))
            .filter(|(_, declaration)| self.signature.fits(declaration.range, want))
            .map(|(operator, declaration)| (operator, declaration.domain.clone()))
            .collect();
        if candidates.is_empty() { None } else { Some(random.pick(&candidates).clone()) }
    }

    /// An operator applied to random arguments of depth `depth`.
    pub fn application(
        &self,
        random: &mut Random,
        operator: &Operator,
        domain: &[SortRef],
        depth: usize,
    ) -> Term {
        if operator.theory == Theory::Iter {
            let inner = self.term(random, domain[0], depth);
            let times = random.between(1, 3);
            return if times > 1 && random.chance(60) {
                Term::Power(operator.name.clone(), times, Box::new(inner))
            } else {
                Term::apply(&operator.name, vec![inner])
            };
        }
        let mut sorts = domain.to_vec();
        if operator.theory.is_assoc() && sorts[0] == sorts[1] {
            while sorts.len() < 5 && random.chance(40) {
                sorts.push(sorts[0]);
            }
        }
        let kind = |sort: &SortRef| self.signature.kinds[sort.sort];
        let one_kind = sorts.iter().all(|sort| kind(sort) == kind(&sorts[0]));
        let mut arguments: Vec<Term> = Vec::new();
        for sort in sorts {
            let repeat = one_kind && !arguments.is_empty() && random.chance(20);
            let argument = if repeat {
                random.pick(&arguments).clone()
            } else {
                self.term(random, sort, depth)
            };
            arguments.push(argument);
        }
        if operator.theory.is_assoc() && arguments.len() > 2 && random.chance(25) {
            // As a nest of pairs instead of a flat list.
            let last = arguments.pop().expect("more than two");
            let inner = Term::apply(&operator.name, arguments);
            arguments = if random.chance(50) { vec![inner, last] } else { vec![last, inner] };
        }
        Term::apply(&operator.name, arguments)
    }

    /// `pattern` with random terms in place of its variables.
    pub fn instance(&self, random: &mut Random, pattern: &Term, depth: usize) -> Term {
        let bindings: Vec<(Variable, Term)> = pattern
            .distinct_variables()
            .into_iter()
            .map(|variable| {
                let deep = if random.chance(60) { 0 } else { depth };
                let term = self.term(random, variable.sort, deep);
                (variable, term)
            })
            .collect();
        substitute(pattern, &bindings)
    }

    /// A random pattern: a term over constructors and variables.
    pub fn pattern(&self, random: &mut Random, depth: usize) -> Term {
        let source = TermSource { redexes: &[], level: 0, ..*self };
        if random.chance(70) {
            let ground = TermSource { variables: &[], ..source };
            let term = ground.term(random, self.top(), depth);
            self.generalise(random, &term, 0, true)
        } else {
            source.term(random, self.top(), depth)
        }
    }

    /// A pattern of which `term` is likely to be an instance.
    pub fn generalise(&self, random: &mut Random, term: &Term, kind: usize, top: bool) -> Term {
        let identity_or_constant = term.arguments().is_empty();
        if !top && random.chance(if identity_or_constant { 45 } else { 30 }) {
            return self.variable(random, kind);
        }
        match term {
            Term::Variable(_) => term.clone(),
            Term::Power(name, times, inner) => {
                let kept = random.between(1, *times);
                let inner = if random.chance(60) {
                    self.variable(random, kind)
                } else {
                    self.generalise(random, inner, kind, false)
                };
                if kept == 1 {
                    Term::apply(name, vec![inner])
                } else {
                    Term::Power(name.clone(), kept, Box::new(inner))
                }
            }
            Term::Apply(name, arguments) => {
                let operator = self.signature.operator(name);
                let assoc = operator.is_some_and(|o| o.theory.is_assoc());
                let identity = operator.is_some_and(|o| o.theory.has_identity());
                let mut new = Vec::new();
                let mut rest = arguments.iter().enumerate().peekable();
                while let Some((place, argument)) = rest.next() {
                    let kind = match operator {
                        Some(operator) if !assoc => {
                            self.signature.kinds[operator.declarations[0].domain[place].sort]
                        }
                        _ => kind,
                    };
                    if assoc && rest.peek().is_some() && random.chance(30) {
                        rest.next();
                        new.push(self.variable(random, kind));
                    } else {
                        new.push(self.generalise(random, argument, kind, false));
                    }
                    if assoc && identity && random.chance(15) {
                        new.push(self.variable(random, kind));
                    }
                }
                if assoc && new.len() == 1 {
                    new.push(self.variable(random, kind));
                }
                Term::Apply(name.clone(), new)
            }
        }
    }

    fn variable(&self, random: &mut Random, kind: usize) -> Term {
        let all: Vec<&Variable> =
            self.variables.iter().filter(|v| self.signature.kinds[v.sort.sort] == kind).collect();
        let top = self.signature.top(kind);
        let tops: Vec<&Variable> = all.iter().copied().filter(|v| v.sort.sort == top).collect();
        if tops.is_empty() {
            return Term::constant(if kind == 0 { "a" } else { "u" });
        }
        let pool = if random.chance(65) { &tops } else { &all };
        Term::Variable((*random.pick(pool)).clone())
    }
}

/// `term` with variables replaced.
pub fn substitute(term: &Term, bindings: &[(Variable, Term)]) -> Term {
    match term {
        Term::Variable(variable) => bindings
            .iter()
            .find(|(bound, _)| bound == variable)
            .map_or_else(|| term.clone(), |(_, value)| value.clone()),
        Term::Power(name, times, argument) => {
            Term::Power(name.clone(), *times, Box::new(substitute(argument, bindings)))
        }
        Term::Apply(name, arguments) => Term::Apply(
            name.clone(),
            arguments.iter().map(|argument| substitute(argument, bindings)).collect(),
        ),
    }
}
