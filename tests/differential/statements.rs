//! Random equations, memberships and rules that end.
//!
//! An equation either makes a constructor term lighter (`Term::weight`, no variable more often on
//! the right), or defines an operator by what lies below it and, sometimes, by itself on a part of
//! its first argument. Rules may go in circles; the commands that use them are bounded.

use crate::random::Random;
use crate::signature::{Signature, SortRef, Theory, Variable};
use crate::terms::{Term, TermSource};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Equation,
    Membership(SortRef),
    Rule,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Fragment {
    /// `t = t'`
    Equal(Term, Term),
    /// `t == t'` and the like, a term of sort Bool.
    Test(Term, &'static str, Term),
    /// `t : S`
    Sort(Term, SortRef),
    /// `p := t`
    Match(Term, Term),
    /// `t => p`
    Rewrite(Term, Term),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Statement {
    pub kind: Kind,
    pub label: Option<String>,
    pub left: Term,
    pub right: Option<Term>,
    pub conditions: Vec<Fragment>,
    pub attributes: Vec<&'static str>,
}

impl Fragment {
    pub fn terms(&self) -> [Option<&Term>; 2] {
        match self {
            Fragment::Equal(left, right)
            | Fragment::Test(left, _, right)
            | Fragment::Match(left, right)
            | Fragment::Rewrite(left, right) => [Some(left), Some(right)],
            Fragment::Sort(term, _) => [Some(term), None],
        }
    }

    pub fn text(&self, signature: &Signature) -> String {
        match self {
            Fragment::Equal(left, right) => format!("{} = {}", left.text(), right.text()),
            Fragment::Test(left, test, right) => format!("{} {test} {}", left.text(), right.text()),
            Fragment::Sort(term, sort) => {
                format!("{} : {}", term.text(), signature.sort_text(*sort))
            }
            Fragment::Match(pattern, term) => format!("{} := {}", pattern.text(), term.text()),
            Fragment::Rewrite(term, pattern) => format!("{} => {}", term.text(), pattern.text()),
        }
    }
}

pub fn condition_text(signature: &Signature, conditions: &[Fragment]) -> String {
    let texts: Vec<String> = conditions.iter().map(|fragment| fragment.text(signature)).collect();
    texts.join(" /\\ ")
}

impl Statement {
    pub fn text(&self, signature: &Signature) -> String {
        let (plain, conditional) = match self.kind {
            Kind::Equation => ("eq", "ceq"),
            Kind::Membership(_) => ("mb", "cmb"),
            Kind::Rule => ("rl", "crl"),
        };
        let keyword = if self.conditions.is_empty() { plain } else { conditional };
        let label = self.label.as_ref().map_or(String::new(), |label| format!(" [{label}] :"));
        let mut text = format!("  {keyword}{label} {}", self.left.text());
        match (self.kind, &self.right) {
            (Kind::Membership(sort), _) => text += &format!(" : {}", signature.sort_text(sort)),
            (Kind::Equation, Some(right)) => text += &format!(" = {}", right.text()),
            (_, Some(right)) => text += &format!(" => {}", right.text()),
            (_, None) => {}
        }
        if !self.conditions.is_empty() {
            text += &format!(" if {}", condition_text(signature, &self.conditions));
        }
        if !self.attributes.is_empty() {
            text += &format!(" [{}]", self.attributes.join(" "));
        }
        text + " ."
    }

    pub fn terms(&self) -> Vec<&Term> {
        let mut terms = vec![&self.left];
        terms.extend(&self.right);
        terms.extend(self.conditions.iter().flat_map(|fragment| fragment.terms()).flatten());
        terms
    }
}

/// Makes the statements of one module.
#[derive(Clone, Copy)]
pub struct StatementSource<'a> {
    pub signature: &'a Signature,
}

impl<'a> StatementSource<'a> {
    fn source(&self) -> TermSource<'a> {
        TermSource {
            signature: self.signature,
            variables: &self.signature.variables,
            level: 0,
            redexes: &[],
        }
    }

    /// Equations that simplify constructor terms and define the operators above them.
    pub fn equations(&self, random: &mut Random, simplifying: usize) -> Vec<Statement> {
        let mut equations: Vec<Statement> =
            (0..simplifying).filter_map(|_| self.simplifying(random)).collect();
        for operator in self.signature.operators.iter().filter(|operator| operator.level > 0) {
            for _ in 0..random.between(1, 3) {
                equations.extend(self.defining(random, &operator.name));
            }
        }
        if random.chance(50) {
            random.shuffle(&mut equations);
        }
        equations
    }

    fn simplifying(&self, random: &mut Random) -> Option<Statement> {
        let source = self.source();
        if random.chance(30) {
            return self.between_constants(random, Kind::Equation);
        }
        for _ in 0..8 {
            let depth = random.between(1, 2);
            let left = source.pattern(random, depth);
            if matches!(left, Term::Variable(_)) || left.arguments().is_empty() {
                continue;
            }
            let variables = left.distinct_variables();
            let limits = TermSource { variables: &variables, ..source };
            for _ in 0..6 {
                let depth = random.between(0, 1);
                let right = limits.term(random, limits.top(), depth);
                if self.is_lighter(&left, &right, 1) {
                    let conditions = self.some_conditions(random, &left, 0, Kind::Equation);
                    return Some(self.finish(random, Kind::Equation, left, right, conditions));
                }
            }
        }
        None
    }

    /// Whether the top of a pattern may vanish, so that it matches what its variables hold.
    fn may_vanish(&self, pattern: &Term) -> bool {
        let Term::Apply(name, _) = pattern else { return false };
        self.signature.operator(name).is_some_and(|operator| operator.theory.has_identity())
    }

    /// Whether replacing `left` by `right` takes away at least `drop`, whatever the variables hold.
    fn is_lighter(&self, left: &Term, right: &Term, drop: usize) -> bool {
        let have = left.variables();
        let fits = right.distinct_variables().iter().all(|variable| {
            let count = |of: &[&Variable]| of.iter().filter(|other| **other == variable).count();
            count(&right.variables()) <= count(&have)
        });
        fits && right.weight(self.signature) + drop <= left.weight(self.signature)
    }

    /// A constant becomes a constant declared before it, so that equations go one way.
    fn between_constants(&self, random: &mut Random, kind: Kind) -> Option<Statement> {
        let constants: Vec<&str> = ["a", "b", "c", "d", "e"]
            .into_iter()
            .filter(|name| self.signature.operator(name).is_some())
            .collect();
        let left = random.below(constants.len());
        let right = match kind {
            Kind::Rule => random.below(constants.len()),
            _ if left == 0 => return None,
            _ => random.below(left),
        };
        let conditions = Vec::new();
        let [left, right] = [left, right].map(|which| Term::constant(constants[which]));
        Some(self.finish(random, kind, left, right, conditions))
    }

    fn defining(&self, random: &mut Random, name: &str) -> Option<Statement> {
        let operator = self.signature.operator(name)?;
        let source = self.source();
        let mut arguments = Vec::new();
        let mut wanted = operator.arity();
        if operator.theory.is_assoc() {
            wanted += usize::from(random.chance(30));
        }
        for place in 0..wanted {
            let domain = &operator.declarations[0].domain;
            let sort = domain[place.min(domain.len() - 1)];
            arguments.push(if random.chance(30) {
                TermSource { redexes: &[], ..source }.term(random, sort, 0)
            } else {
                let depth = random.between(1, 2);
                source.pattern(random, depth)
            });
        }
        let left = Term::apply(name, arguments);
        let variables = left.distinct_variables();
        // Parts of the left side in the right one share nodes with it.
        let level = operator.level - 1;
        let below = TermSource { variables: &variables, level, ..source };
        let depth = random.between(1, 3);
        let mut right = below.term(random, below.top(), depth);
        let one_kind = !self.signature.kinds.contains(&1);
        if one_kind && random.chance(35) {
            right = self.recursive(random, &left, right, below);
        }
        if one_kind && random.chance(20) {
            let inner = random.pick(&left.parts()).to_owned().clone();
            if inner != left && !matches!(inner, Term::Variable(_)) {
                right = graft(random, &right, &inner);
            }
        }
        if random.chance(10) && !variables.is_empty() {
            let test = Term::apply(
                if random.chance(50) { "_==_" } else { "_=/=_" },
                vec![
                    Term::Variable(random.pick(&variables).clone()),
                    below.term(random, below.top(), 0),
                ],
            );
            let other = below.term(random, below.top(), 1);
            right = Term::apply("if_then_else_fi", vec![test, right, other]);
        }
        let conditions = self.some_conditions(random, &left, level, Kind::Equation);
        Some(self.finish(random, Kind::Equation, left, right, conditions))
    }

    /// Puts a call of the defined operator on a part of its first argument into `right`.
    fn recursive(
        &self,
        random: &mut Random,
        left: &Term,
        right: Term,
        below: TermSource<'_>,
    ) -> Term {
        let Term::Apply(name, arguments) = left else { return right };
        let operator = self.signature.operator(name);
        if !operator.is_some_and(|operator| operator.theory == Theory::Free) || arguments.is_empty()
        {
            return right;
        }
        let loses_weight = match &arguments[0] {
            Term::Apply(inner, _) => {
                !self.signature.operator(inner).is_some_and(|o| o.theory.has_identity())
            }
            _ => false,
        };
        let inside = arguments[0].distinct_variables();
        if !loses_weight || inside.is_empty() {
            return right;
        }
        let mut call = vec![Term::Variable(random.pick(&inside).clone())];
        while call.len() < arguments.len() {
            call.push(below.term(random, below.top(), 1));
        }
        graft(random, &right, &Term::apply(name, call))
    }

    fn finish(
        &self,
        random: &mut Random,
        kind: Kind,
        left: Term,
        right: Term,
        conditions: Vec<Fragment>,
    ) -> Statement {
        let mut attributes = Vec::new();
        if kind == Kind::Equation && random.chance(12) {
            attributes.push("owise");
        }
        if random.chance(2) {
            attributes.push("nonexec");
        }
        let label = random.chance(10).then(|| format!("l{}", random.below(3)));
        Statement { kind, label, left, right: Some(right), conditions, attributes }
    }

    fn some_conditions(
        &self,
        random: &mut Random,
        left: &Term,
        level: u32,
        kind: Kind,
    ) -> Vec<Fragment> {
        if random.chance(70) {
            return Vec::new();
        }
        let mut variables = left.distinct_variables();
        let count = random.between(1, 3);
        self.conditions(random, &mut variables, level, kind, count)
    }

    /// Condition fragments over `bound`, to which they add what they bind.
    pub fn conditions(
        &self,
        random: &mut Random,
        bound: &mut Vec<Variable>,
        level: u32,
        kind: Kind,
        count: usize,
    ) -> Vec<Fragment> {
        let mut fragments = Vec::new();
        for _ in 0..count {
            if bound.is_empty() {
                break;
            }
            let known = bound.clone();
            let source = TermSource { variables: &known, level, ..self.source() };
            let some = |random: &mut Random| {
                let depth = usize::from(random.chance(40));
                source.term(random, source.top(), depth)
            };
            let variable = Term::Variable(random.pick(&known).clone());
            let any = random.below(100);
            fragments.push(match any {
                0..=24 => Fragment::Equal(variable, some(random)),
                25..=54 => {
                    let test = if random.chance(30) { "==" } else { "=/=" };
                    Fragment::Test(variable, test, some(random))
                }
                55..=64 => {
                    let sorts = self.signature.sorts.len();
                    let sort = SortRef { sort: random.below(sorts), kind: false };
                    let term = if random.chance(60) { variable } else { some(random) };
                    let Some(kind) = self.kind_of(&term) else { continue };
                    if self.signature.kinds[sort.sort] != kind {
                        continue;
                    }
                    Fragment::Sort(term, sort)
                }
                65..=84 => {
                    let term = some(random);
                    let pattern = self.source().pattern(random, 1);
                    bound.extend(pattern.distinct_variables());
                    Fragment::Match(pattern, term)
                }
                _ if kind == Kind::Rule => {
                    let term = if random.chance(80) { variable } else { some(random) };
                    let pattern = if random.chance(50) {
                        Term::Variable(random.pick(&self.signature.variables).clone())
                    } else {
                        self.source().pattern(random, 1)
                    };
                    bound.extend(pattern.distinct_variables());
                    Fragment::Rewrite(term, pattern)
                }
                _ => Fragment::Test(some(random), "=/=", some(random)),
            });
        }
        fragments
    }

    fn kind_of(&self, term: &Term) -> Option<usize> {
        match term {
            Term::Variable(variable) => Some(self.signature.kinds[variable.sort.sort]),
            Term::Power(..) => Some(0),
            Term::Apply(name, _) => self
                .signature
                .operator(name)
                .map(|operator| self.signature.kinds[operator.declarations[0].range.sort]),
        }
    }

    /// Memberships on free constructors.
    pub fn memberships(&self, random: &mut Random) -> Vec<Statement> {
        let mut memberships = Vec::new();
        for _ in 0..random.between(1, 3) {
            let left = self.source().pattern(random, 2);
            let Term::Apply(name, arguments) = &left else { continue };
            let free = self.signature.operator(name).is_some_and(|operator| {
                operator.theory == Theory::Free || operator.declarations[0].range.kind
            });
            if !free || arguments.is_empty() && random.chance(70) {
                continue;
            }
            let sort = SortRef { sort: random.below(self.signature.sorts.len()), kind: false };
            let kind = Kind::Membership(sort);
            if self.kind_of(&left) != Some(self.signature.kinds[sort.sort]) {
                continue;
            }
            let conditions = self.some_conditions(random, &left, 0, kind);
            let attributes = Vec::new();
            memberships.push(Statement {
                kind,
                label: None,
                left,
                right: None,
                conditions,
                attributes,
            });
        }
        memberships
    }

    /// Rules; `growth` allows right sides that are heavier than left ones.
    pub fn rules(&self, random: &mut Random, count: usize, growth: bool) -> Vec<Statement> {
        (0..count).filter_map(|_| self.rule(random, growth)).collect()
    }

    fn rule(&self, random: &mut Random, growth: bool) -> Option<Statement> {
        if random.chance(40) {
            return self.between_constants(random, Kind::Rule);
        }
        for _ in 0..10 {
            let depth = random.between(1, 2);
            let left = self.source().pattern(random, depth);
            if matches!(left, Term::Variable(_)) {
                continue;
            }
            let mut variables = left.distinct_variables();
            let conditions = if random.chance(65) {
                Vec::new()
            } else {
                let count = random.between(1, 2);
                // A `=>` fragment looks through all states, so rules that grow have none.
                // Neither have those that may apply again to what their condition starts with.
                let kind =
                    if growth || self.may_vanish(&left) { Kind::Equation } else { Kind::Rule };
                let mut fragments = self.conditions(random, &mut variables, 0, kind, count);
                fragments.retain(|fragment| {
                    !matches!(fragment, Fragment::Rewrite(Term::Apply(..) | Term::Power(..), _))
                });
                variables = left.distinct_variables();
                for fragment in &fragments {
                    if let Fragment::Match(pattern, _) | Fragment::Rewrite(_, pattern) = fragment {
                        variables.extend(pattern.distinct_variables());
                    }
                }
                fragments
            };
            let source = TermSource { variables: &variables, ..self.source() };
            for _ in 0..6 {
                let depth = random.between(0, 1 + usize::from(growth));
                let right = source.term(random, source.top(), depth);
                if growth || self.is_lighter(&left, &right, 0) {
                    return Some(self.finish(random, Kind::Rule, left, right, conditions));
                }
            }
        }
        None
    }
}

/// `term` with `inner` in place of one of its arguments.
fn graft(random: &mut Random, term: &Term, inner: &Term) -> Term {
    match term {
        Term::Apply(name, arguments) if !arguments.is_empty() => {
            let mut arguments = arguments.clone();
            let place = random.below(arguments.len());
            arguments[place] = if random.chance(60) {
                inner.clone()
            } else {
                graft(random, &arguments[place], inner)
            };
            Term::Apply(name.clone(), arguments)
        }
        Term::Power(name, times, _) => Term::Power(name.clone(), *times, Box::new(inner.clone())),
        _ => inner.clone(),
    }
}
