//! Random strategy expressions over all combinators, strategy declarations and definitions.

use crate::random::Random;
use crate::signature::{Signature, SortRef, Variable};
use crate::statements::{Fragment, Statement, StatementSource, condition_text};
use crate::terms::{Term, TermSource};

#[derive(Clone, PartialEq, Debug)]
pub enum Strategy {
    Idle,
    Fail,
    All {
        top: bool,
    },
    Rule {
        label: String,
        top: bool,
        bindings: Vec<(Variable, Term)>,
        inner: Vec<Strategy>,
    },
    /// `;` and `|`
    Chain(&'static str, Vec<Strategy>),
    /// `*`, `+` and `!`
    Repeat(&'static str, Box<Strategy>),
    /// `not`, `test`, `try` and `one`
    Call1(&'static str, Box<Strategy>),
    OrElse(Box<[Strategy; 2]>),
    Branch(Box<[Strategy; 3]>),
    /// `match`, `xmatch` and `amatch`
    Test(&'static str, Term, Vec<Fragment>),
    Matchrew(&'static str, Term, Vec<Fragment>, Vec<(Variable, Strategy)>),
    Call(String, Vec<Term>),
}

impl Strategy {
    pub fn text(&self, signature: &Signature) -> String {
        let such_that = |conditions: &[Fragment]| {
            if conditions.is_empty() {
                String::new()
            } else {
                format!(" s.t. {}", condition_text(signature, conditions))
            }
        };
        match self {
            Strategy::Idle => "idle".into(),
            Strategy::Fail => "fail".into(),
            Strategy::All { top: false } => "all".into(),
            Strategy::All { top: true } => "top(all)".into(),
            Strategy::Rule { label, top, bindings, inner } => {
                let mut text = label.clone();
                if !bindings.is_empty() {
                    let bindings: Vec<String> = bindings
                        .iter()
                        .map(|(v, t)| format!("{} <- {}", v.name, t.text()))
                        .collect();
                    text += &format!("[{}]", bindings.join(", "));
                }
                if !inner.is_empty() {
                    let inner: Vec<String> = inner.iter().map(|s| s.text(signature)).collect();
                    text += &format!("{{{}}}", inner.join(", "));
                }
                if *top { format!("top({text})") } else { text }
            }
            Strategy::Chain(sign, parts) => {
                let parts: Vec<String> = parts.iter().map(|part| part.text(signature)).collect();
                format!("({})", parts.join(&format!(" {sign} ")))
            }
            Strategy::Repeat(sign, inner) => format!("({}) {sign}", inner.text(signature)),
            Strategy::Call1(name, inner) => format!("{name}({})", inner.text(signature)),
            Strategy::OrElse(parts) => {
                format!("({} or-else {})", parts[0].text(signature), parts[1].text(signature))
            }
            Strategy::Branch(parts) => {
                let [test, yes, no] = parts.each_ref().map(|part| part.text(signature));
                format!("({test} ? {yes} : {no})")
            }
            Strategy::Test(name, pattern, conditions) => {
                format!("({name} {}{})", pattern.text(), such_that(conditions))
            }
            Strategy::Matchrew(name, pattern, conditions, items) => {
                let items: Vec<String> = items
                    .iter()
                    .map(|(variable, s)| format!("{} using ({})", variable.name, s.text(signature)))
                    .collect();
                let by = items.join(", ");
                format!("({name} {}{} by {by})", pattern.text(), such_that(conditions))
            }
            Strategy::Call(name, arguments) if arguments.is_empty() => name.clone(),
            Strategy::Call(name, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(Term::text).collect();
                format!("{name}({})", arguments.join(", "))
            }
        }
    }

    /// The strategies directly inside.
    pub fn parts(&self) -> Vec<&Strategy> {
        match self {
            Strategy::Rule { inner, .. } => inner.iter().collect(),
            Strategy::Chain(_, parts) => parts.iter().collect(),
            Strategy::Repeat(_, inner) | Strategy::Call1(_, inner) => vec![inner],
            Strategy::OrElse(parts) => parts.iter().collect(),
            Strategy::Branch(parts) => parts.iter().collect(),
            Strategy::Matchrew(_, _, _, items) => items.iter().map(|(_, s)| s).collect(),
            _ => Vec::new(),
        }
    }
}

/// A strategy that takes arguments of the top sort.
#[derive(Clone, Debug)]
pub struct StrategyDeclaration {
    pub name: String,
    pub arity: usize,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Definition {
    pub name: String,
    pub parameters: Vec<Term>,
    pub body: Strategy,
    pub conditions: Vec<Fragment>,
}

impl Definition {
    pub fn text(&self, signature: &Signature) -> String {
        let keyword = if self.conditions.is_empty() { "sd" } else { "csd" };
        let head = Strategy::Call(self.name.clone(), self.parameters.clone()).text(signature);
        let mut text = format!("  {keyword} {head} := {}", self.body.text(signature));
        if !self.conditions.is_empty() {
            text += &format!(" if {}", condition_text(signature, &self.conditions));
        }
        text + " ."
    }
}

/// Makes strategies over the rules of a module.
pub struct StrategySource<'a> {
    pub signature: &'a Signature,
    pub rules: &'a [Statement],
    pub declarations: &'a [StrategyDeclaration],
}

impl StrategySource<'_> {
    pub fn definitions(&self, random: &mut Random) -> Vec<Definition> {
        let mut definitions = Vec::new();
        for declaration in self.declarations {
            for _ in 0..random.between(1, 2) {
                let terms = self.terms(&self.signature.variables);
                let parameters: Vec<Term> = (0..declaration.arity)
                    .map(|_| {
                        let depth = random.below(2);
                        terms.pattern(random, depth)
                    })
                    .collect();
                let mut bound = Vec::new();
                for parameter in &parameters {
                    bound.extend(parameter.distinct_variables());
                }
                let conditions = self.some_conditions(random, &mut bound);
                let depth = random.below(3);
                let mut body = self.strategy(random, depth, &bound);
                if declaration.arity == 0 && random.chance(30) {
                    // A recursion that passes through the same state ends.
                    let step = self.leaf(random, &bound);
                    let again = Strategy::Call(declaration.name.clone(), Vec::new());
                    body =
                        Strategy::Chain("|", vec![body, Strategy::Chain(";", vec![step, again])]);
                }
                let name = declaration.name.clone();
                definitions.push(Definition { name, parameters, body, conditions });
            }
        }
        definitions
    }

    fn terms<'b>(&'b self, variables: &'b [Variable]) -> TermSource<'b> {
        TermSource { signature: self.signature, variables, level: 0, redexes: &[] }
    }

    pub fn strategy(&self, random: &mut Random, depth: usize, bound: &[Variable]) -> Strategy {
        if depth == 0 {
            return self.leaf(random, bound);
        }
        let some = |random: &mut Random| {
            let depth = random.below(depth);
            self.strategy(random, depth, bound)
        };
        match random.below(22) {
            0..=2 => {
                let count = random.between(2, 3);
                Strategy::Chain(";", (0..count).map(|_| some(random)).collect())
            }
            3..=5 => {
                let count = random.between(2, 3);
                Strategy::Chain("|", (0..count).map(|_| some(random)).collect())
            }
            6 => Strategy::Branch(Box::new([some(random), some(random), some(random)])),
            7 => Strategy::OrElse(Box::new([some(random), some(random)])),
            8..=11 => {
                let name = *random.pick(&["not", "test", "try", "one", "one"]);
                Strategy::Call1(name, Box::new(some(random)))
            }
            12..=15 => {
                let sign = *random.pick(&["*", "+", "!"]);
                Strategy::Repeat(sign, Box::new(some(random)))
            }
            _ => self.matchrew(random, depth, bound),
        }
    }

    fn matchrew(&self, random: &mut Random, depth: usize, bound: &[Variable]) -> Strategy {
        let name = *random.pick(&["matchrew", "xmatchrew", "amatchrew"]);
        let pattern = self.pattern(random);
        let mut fresh: Vec<Variable> = pattern.distinct_variables();
        fresh.retain(|variable| !bound.contains(variable));
        if fresh.is_empty() {
            return self.leaf(random, bound);
        }
        let mut all = bound.to_vec();
        all.extend(fresh.iter().cloned());
        let conditions = self.some_conditions(random, &mut all.clone());
        if random.chance(40) {
            fresh.truncate(1);
        }
        if random.chance(30) {
            fresh.reverse();
        }
        fresh.truncate(3);
        let items = fresh
            .into_iter()
            .map(|variable| {
                let depth = random.below(depth);
                (variable, self.strategy(random, depth, &all))
            })
            .collect();
        Strategy::Matchrew(name, pattern, conditions, items)
    }

    fn pattern(&self, random: &mut Random) -> Term {
        let depth = random.below(3);
        self.terms(&self.signature.variables).pattern(random, depth)
    }

    fn some_conditions(&self, random: &mut Random, bound: &mut Vec<Variable>) -> Vec<Fragment> {
        if random.chance(70) {
            return Vec::new();
        }
        let statements = StatementSource { signature: self.signature };
        statements.conditions(random, bound, 0, crate::statements::Kind::Equation, 1)
    }

    fn leaf(&self, random: &mut Random, bound: &[Variable]) -> Strategy {
        match random.below(20) {
            0 => Strategy::Idle,
            1 => Strategy::Fail,
            2 | 3 => Strategy::All { top: random.chance(20) },
            4..=6 => {
                let name = *random.pick(&["match", "xmatch", "amatch"]);
                let pattern = self.pattern(random);
                let mut all = bound.to_vec();
                all.extend(pattern.distinct_variables());
                let conditions = self.some_conditions(random, &mut all);
                Strategy::Test(name, pattern, conditions)
            }
            7..=9 if !self.declarations.is_empty() => {
                let declaration = random.pick(self.declarations);
                let arguments = (0..declaration.arity)
                    .map(|_| {
                        let depth = random.below(2);
                        let terms = self.terms(bound);
                        terms.term(random, terms.top(), depth)
                    })
                    .collect();
                Strategy::Call(declaration.name.clone(), arguments)
            }
            _ => self.rule(random, bound),
        }
    }

    fn rule(&self, random: &mut Random, bound: &[Variable]) -> Strategy {
        if self.rules.is_empty() {
            return Strategy::All { top: false };
        }
        let rule = random.pick(self.rules);
        let Some(label) = rule.label.clone() else { return Strategy::All { top: false } };
        let rewriting =
            rule.conditions.iter().filter(|f| matches!(f, Fragment::Rewrite(..))).count();
        let wanted = if random.chance(90) { rewriting } else { random.below(3) };
        let inner = (0..wanted)
            .map(|_| {
                let depth = random.below(2);
                self.strategy(random, depth, bound)
            })
            .collect();
        let mut variables = rule.left.distinct_variables();
        for term in rule.terms() {
            variables.extend(term.distinct_variables());
        }
        let nonexec = rule.attributes.contains(&"nonexec");
        let mut bindings = Vec::new();
        if !variables.is_empty() && random.chance(if nonexec { 60 } else { 12 }) {
            let variable = random.pick(&variables).clone();
            let want = SortRef { kind: false, ..variable.sort };
            let term = self.terms(bound).term(random, want, 0);
            bindings.push((variable, term));
        }
        Strategy::Rule { label, top: random.chance(15), bindings, inner }
    }
}
