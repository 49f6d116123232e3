//! A test case: a module and a command, as data that can be made smaller and as text.

use std::fmt::Write;

use crate::random::Random;
use crate::signature::{Signature, Theory, Wishes};
use crate::statements::{Fragment, Statement, StatementSource, condition_text};
use crate::strategies::{Definition, Strategy, StrategyDeclaration, StrategySource};
use crate::terms::{Term, TermSource};

/// The commands that are compared.
pub const COMMANDS: [&str; 7] =
    ["reduce", "match", "xmatch", "rewrite", "search", "srewrite", "dsrewrite"];

/// How many cases share a module.
pub const PER_MODULE: usize = 5;

#[derive(Clone, Debug)]
pub struct Module {
    pub name: String,
    pub signature: Signature,
    pub statements: Vec<Statement>,
    pub declarations: Vec<StrategyDeclaration>,
    pub definitions: Vec<Definition>,
}

#[derive(Clone, Debug)]
pub struct Command {
    /// `reduce`, `match`, ..., `frewrite` included.
    pub word: &'static str,
    /// The first and the second number in brackets.
    pub bounds: (Option<usize>, Option<usize>),
    pub subject: Term,
    /// The sign between subject and pattern of a search.
    pub arrow: &'static str,
    pub pattern: Option<Term>,
    pub conditions: Vec<Fragment>,
    pub strategy: Option<Strategy>,
    /// The number of a `continue` behind the command.
    pub more: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct Group {
    pub module: Module,
    pub commands: Vec<Command>,
}

impl Module {
    pub fn text(&self) -> String {
        let keyword = if !self.declarations.is_empty() {
            "smod"
        } else if self.statements.iter().any(|s| s.kind == crate::statements::Kind::Rule) {
            "mod"
        } else {
            "fmod"
        };
        let mut text = format!("{keyword} {} is\n{}", self.name, self.signature.text());
        for statement in &self.statements {
            let _ = writeln!(text, "{}", statement.text(&self.signature));
        }
        for declaration in &self.declarations {
            let top = &self.signature.sorts[self.signature.top(0)];
            let arguments = vec![top.as_str(); declaration.arity].join(" ");
            let colon = if declaration.arity > 0 { " : " } else { "" };
            let _ = writeln!(text, "  strat {}{colon}{arguments} @ {top} .", declaration.name);
        }
        for definition in &self.definitions {
            let _ = writeln!(text, "{}", definition.text(&self.signature));
        }
        let _ = writeln!(text, "end{}", keyword.replace("mod", "m"));
        text
    }
}

impl Command {
    pub fn text(&self, module: &Module) -> String {
        let mut text = self.word.to_owned();
        match self.bounds {
            (None, None) => {}
            (Some(first), None) => text += &format!(" [{first}]"),
            (None, Some(second)) => text += &format!(" [, {second}]"),
            (Some(first), Some(second)) => text += &format!(" [{first}, {second}]"),
        }
        text += &format!(" in {} : ", module.name);
        match (&self.pattern, self.word) {
            (Some(pattern), "match" | "xmatch") => {
                text += &format!("{} <=? {}", pattern.text(), self.subject.text());
            }
            (Some(pattern), _) => {
                text += &format!("{} {} {}", self.subject.text(), self.arrow, pattern.text());
            }
            (None, _) => text += &self.subject.text(),
        }
        if let Some(strategy) = &self.strategy {
            text += &format!(" using {}", strategy.text(&module.signature));
        }
        if !self.conditions.is_empty() {
            text += &format!(" such that {}", condition_text(&module.signature, &self.conditions));
        }
        text += " .";
        if let Some(more) = self.more {
            text += &format!("\ncontinue {more} .");
        }
        text
    }
}

impl Group {
    /// Group `index` of the cases of `command`.
    pub fn random(seed: u64, command: &str, index: usize) -> Group {
        let mut random = Random::stream(seed, command, index as u64);
        let random = &mut random;
        let strategies = command.ends_with("srewrite");
        let defined = match command {
            "reduce" => random.between(1, 4),
            _ if random.chance(35) => 1,
            _ => 0,
        };
        let mut signature = Signature::random(random, Wishes { defined, group: index, strategies });
        if matches!(command, "rewrite" | "search") || strategies && random.chance(30) {
            signature.freeze(random);
        }
        let source = StatementSource { signature: &signature };
        let simplifying = match command {
            "reduce" => random.between(0, 3),
            _ => random.below(3) / 2,
        };
        let mut statements = source.equations(random, simplifying);
        if random.chance(15) {
            statements.extend(source.memberships(random));
        }
        let mut rules = match command {
            "rewrite" => {
                let count = random.between(2, 7);
                let growth = random.chance(50);
                source.rules(random, count, growth)
            }
            "search" => {
                let count = random.between(2, 7);
                let growth = random.chance(15);
                source.rules(random, count, growth)
            }
            _ if strategies => {
                let count = random.between(3, 8);
                source.rules(random, count, false)
            }
            _ => Vec::new(),
        };
        let mut declarations = Vec::new();
        let mut definitions = Vec::new();
        if strategies {
            for rule in &mut rules {
                rule.label = Some(format!("l{}", random.below(4)));
            }
            for number in 0..random.between(1, 3) {
                let arity = random.below(3);
                declarations.push(StrategyDeclaration { name: format!("s{number}"), arity });
            }
            let source = StrategySource {
                signature: &signature,
                rules: &rules,
                declarations: &declarations,
            };
            definitions = source.definitions(random);
        }
        statements.extend(rules.iter().cloned());
        let module =
            Module { name: format!("C{index}"), signature, statements, declarations, definitions };
        let commands = (0..PER_MODULE).map(|_| module.command(random, command, &rules)).collect();
        Group { module, commands }
    }

    /// The group with one command alone.
    pub fn only(&self, command: usize) -> Group {
        Group { module: self.module.clone(), commands: vec![self.commands[command].clone()] }
    }
}

impl Module {
    fn command(&self, random: &mut Random, command: &str, rules: &[Statement]) -> Command {
        let signature = &self.signature;
        let redexes: Vec<Term> = if command == "reduce" { &self.statements[..] } else { rules }
            .iter()
            .map(|statement| statement.left.clone())
            .collect();
        let terms = TermSource { redexes: &redexes, ..TermSource::ground(signature) };
        let depth = random.between(1, if command == "reduce" { 4 } else { 3 });
        let mut made = Command {
            word: "reduce",
            bounds: (None, None),
            subject: terms.term(random, terms.top(), depth),
            arrow: "",
            pattern: None,
            conditions: Vec::new(),
            strategy: None,
            more: None,
        };
        match command {
            "match" | "xmatch" => self.matching(random, command, &mut made),
            "rewrite" => {
                let [first, second] = [9, 3].map(|most| random.between(1, most));
                if random.chance(50) {
                    made.word = "rewrite";
                    made.bounds.0 = Some(first);
                } else {
                    made.word = "frewrite";
                    made.bounds = (Some(first), random.chance(50).then_some(second));
                }
                made.more = random.chance(8).then_some(second);
            }
            "search" => {
                made.word = "search";
                made.arrow = *random.pick(&["=>1", "=>+", "=>*", "=>*", "=>!", "=>#"]);
                made.bounds =
                    (random.chance(30).then(|| random.between(1, 4)), Some(random.between(1, 3)));
                made.more = made.bounds.0.filter(|_| random.chance(25));
                let patterns = TermSource { variables: &signature.variables, ..terms };
                let pattern = if random.chance(50) {
                    let variables: Vec<_> = (signature.variables.iter())
                        .filter(|v| signature.kinds[v.sort.sort] == 0)
                        .collect();
                    Term::Variable((*random.pick(&variables)).clone())
                } else {
                    let depth = random.between(1, 2);
                    patterns.pattern(random, depth)
                };
                let count = if random.chance(65) { 0 } else { random.between(1, 2) };
                let mut bound = pattern.distinct_variables();
                let source = StatementSource { signature };
                let kind = crate::statements::Kind::Rule;
                made.conditions = source.conditions(random, &mut bound, 0, kind, count);
                made.pattern = Some(pattern);
            }
            "srewrite" | "dsrewrite" => {
                made.word = if command == "srewrite" { "srewrite" } else { "dsrewrite" };
                made.bounds.0 = Some(if random.chance(20) { random.between(1, 4) } else { 40 });
                made.more = made.bounds.0.filter(|bound| *bound < 40 && random.chance(50));
                let source = StrategySource { signature, rules, declarations: &self.declarations };
                let depth = random.between(0, 3);
                made.strategy = Some(source.strategy(random, depth, &[]));
            }
            _ => {}
        }
        made
    }

    fn matching(&self, random: &mut Random, command: &str, made: &mut Command) {
        let signature = &self.signature;
        made.word = if command == "match" { "match" } else { "xmatch" };
        let ground = TermSource { level: 0, ..TermSource::ground(signature) };
        let patterns = TermSource { variables: &signature.variables, ..ground };
        let tops: Vec<_> = signature
            .operators
            .iter()
            .filter(|operator| operator.level == 0 && operator.theory != Theory::Free)
            .collect();
        let depth = random.between(1, 3);
        made.subject =
            if !tops.is_empty() && random.chance(if command == "match" { 60 } else { 90 }) {
                let operator = *random.pick(&tops);
                ground.application(random, operator, &operator.declarations[0].domain, depth - 1)
            } else {
                ground.term(random, ground.top(), depth)
            };
        let pattern = if random.chance(80) {
            patterns.generalise(random, &made.subject, 0, true)
        } else {
            let depth = random.between(1, 2);
            patterns.pattern(random, depth)
        };
        if random.chance(10) {
            // The pattern instantiated, which matches for certain.
            made.subject = ground.instance(random, &pattern, 2);
        }
        if random.chance(20) {
            let mut bound = pattern.distinct_variables();
            let source = StatementSource { signature };
            let count = random.between(1, 2);
            let kind = crate::statements::Kind::Equation;
            made.conditions = source.conditions(random, &mut bound, 1, kind, count);
        }
        made.bounds.0 = random.chance(10).then(|| random.between(1, 3));
        if made.bounds.0.is_none() && made.subject.parts().len() > 12 {
            made.bounds.0 = Some(50);
        }
        made.more = made.bounds.0.filter(|&bound| bound < 50 && random.chance(40));
        made.pattern = Some(pattern);
    }
}
