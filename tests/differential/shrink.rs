//! Makes a case on which the engines differ smaller.
//!
//! Each round makes all cases that are a little smaller, runs them in bulk in both engines and goes
//! on with the smallest that still differs in the same way.

use crate::case::{Command, Group, Module};
use crate::compare::{Verdict, verdict};
use crate::oracle::Engine;
use crate::statements::{Fragment, Statement};
use crate::strategies::Strategy;
use crate::terms::Term;

/// The smallest case found from `group`, which has one command and differs as `found` says.
pub fn shrink(maude: &Engine, broth: &Engine, group: &Group, found: Verdict) -> Group {
    let mut best = group.clone();
    let quick = broth.hurried();
    let broth = if found == Verdict::Lost { &quick } else { broth };
    for _ in 0..60 {
        let mut smaller = candidates(&best);
        smaller.sort_by_key(size);
        let size_now = size(&best);
        smaller.retain(|candidate| size(candidate) < size_now);
        smaller.truncate(150);
        for (number, candidate) in smaller.iter_mut().enumerate() {
            candidate.module.name = format!("C{number}");
        }
        // Cases that are lost cost time, so few of them are tried at once.
        let chunk = if found == Verdict::Lost { 8 } else { 150 };
        let next = smaller.chunks(chunk).enumerate().find_map(|(number, some)| {
            let want = maude.answers(some, None);
            let have = broth.answers(some, Some(&want));
            let which = (0..some.len()).find(|&i| verdict(&want[i][0], &have[i][0]) == found)?;
            Some(number * chunk + which)
        });
        match next {
            Some(which) => best = smaller.swap_remove(which),
            None => break,
        }
    }
    best.module.name = "M".to_owned();
    best
}

fn size(group: &Group) -> usize {
    let mut text = group.module.text();
    for command in &group.commands {
        text += &command.text(&group.module);
    }
    let bounds = |command: &Command| command.bounds.0.unwrap_or(0) + command.bounds.1.unwrap_or(0);
    let bounds: usize = group.commands.iter().map(bounds).sum();
    text.chars().filter(|c| !c.is_whitespace()).count() + bounds
}

fn candidates(group: &Group) -> Vec<Group> {
    let mut all = Vec::new();
    let module = &group.module;
    let mut with_module = |change: &dyn Fn(&mut Module)| {
        let mut changed = group.clone();
        change(&mut changed.module);
        all.push(changed);
    };
    with_module(&|module| remove_unused(module, group));
    for which in 0..module.statements.len() {
        with_module(&|module| drop(module.statements.remove(which)));
        for smaller in smaller_statements(&module.statements[which]) {
            with_module(&|module| module.statements[which] = smaller.clone());
        }
    }
    for which in 0..module.definitions.len() {
        with_module(&|module| drop(module.definitions.remove(which)));
        with_module(&|module| module.definitions[which].conditions.clear());
        for smaller in smaller_strategies(&module.definitions[which].body) {
            with_module(&|module| module.definitions[which].body = smaller.clone());
        }
    }
    for which in 0..module.signature.operators.len() {
        with_module(&|module| module.signature.operators[which].attributes.clear());
        if module.signature.operators[which].declarations.len() > 1 {
            with_module(&|module| drop(module.signature.operators[which].declarations.remove(0)));
            with_module(&|module| drop(module.signature.operators[which].declarations.pop()));
        }
    }
    for smaller in smaller_commands(&group.commands[0]) {
        all.push(Group { module: module.clone(), commands: vec![smaller] });
    }
    all
}

/// Takes away operators and variables that nothing mentions.
fn remove_unused(module: &mut Module, group: &Group) {
    let mut text = String::new();
    for statement in &module.statements {
        text += &statement.text(&module.signature);
    }
    for definition in &module.definitions {
        text += &definition.text(&module.signature);
    }
    text += &group.commands[0].text(module);
    let words: Vec<&str> = text
        .split([' ', '(', ')', ',', '[', ']', '^', '{', '}'])
        .filter(|w| !w.is_empty())
        .collect();
    let mut identities = Vec::new();
    module.signature.operators.reverse();
    module.signature.operators.retain(|operator| {
        let pieces: Vec<&str> =
            operator.name.split('_').filter(|piece| !piece.is_empty()).collect();
        let used = operator.name == "a"
            || pieces.is_empty()
            || words.contains(&operator.name.as_str())
            || pieces.iter().all(|piece| words.contains(piece));
        if used {
            identities.extend(operator.identity.clone());
        }
        used || identities.contains(&operator.name)
    });
    module.signature.operators.reverse();
    module.signature.variables.retain(|variable| words.contains(&variable.name.as_str()));
    module.declarations.retain(|declaration| words.contains(&declaration.name.as_str()));
}

fn smaller_statements(statement: &Statement) -> Vec<Statement> {
    let mut all = Vec::new();
    let mut push = |change: &dyn Fn(&mut Statement)| {
        let mut changed = statement.clone();
        change(&mut changed);
        all.push(changed);
    };
    for which in 0..statement.conditions.len() {
        push(&|s| drop(s.conditions.remove(which)));
        for fragment in smaller_fragments(&statement.conditions[which]) {
            push(&|s| s.conditions[which] = fragment.clone());
        }
    }
    for which in 0..statement.attributes.len() {
        push(&|s| {
            s.attributes.remove(which);
        });
    }
    for left in smaller_terms(&statement.left) {
        push(&|s| s.left = left.clone());
    }
    for right in statement.right.iter().flat_map(smaller_terms) {
        push(&|s| s.right = Some(right.clone()));
    }
    all
}

fn smaller_fragments(fragment: &Fragment) -> Vec<Fragment> {
    match fragment {
        Fragment::Sort(term, sort) => {
            smaller_terms(term).into_iter().map(|term| Fragment::Sort(term, *sort)).collect()
        }
        Fragment::Equal(left, right) => pairs(left, right, Fragment::Equal),
        Fragment::Test(left, test, right) => {
            let test = *test;
            pairs(left, right, |left, right| Fragment::Test(left, test, right))
        }
        Fragment::Match(left, right) => pairs(left, right, Fragment::Match),
        Fragment::Rewrite(left, right) => pairs(left, right, Fragment::Rewrite),
    }
}

fn pairs(left: &Term, right: &Term, make: impl Fn(Term, Term) -> Fragment) -> Vec<Fragment> {
    let mut all: Vec<Fragment> =
        smaller_terms(left).into_iter().map(|left| make(left, right.clone())).collect();
    all.extend(smaller_terms(right).into_iter().map(|right| make(left.clone(), right)));
    all
}

/// Terms with one place made smaller: replaced by a part of it or by `a`, or one argument fewer.
pub fn smaller_terms(term: &Term) -> Vec<Term> {
    let mut all: Vec<Term> = term.arguments().to_vec();
    match term {
        Term::Variable(_) => {}
        Term::Power(name, times, argument) => {
            all.push(Term::apply(name, vec![(**argument).clone()]));
            for argument in smaller_terms(argument) {
                all.push(Term::Power(name.clone(), *times, Box::new(argument)));
            }
        }
        Term::Apply(name, arguments) => {
            if !arguments.is_empty() {
                all.push(Term::constant("a"));
            }
            if arguments.len() > 2 {
                for which in 0..arguments.len() {
                    let mut fewer = arguments.clone();
                    fewer.remove(which);
                    all.push(Term::Apply(name.clone(), fewer));
                }
            }
            for (which, argument) in arguments.iter().enumerate() {
                for smaller in smaller_terms(argument) {
                    let mut changed = arguments.clone();
                    changed[which] = smaller;
                    all.push(Term::Apply(name.clone(), changed));
                }
            }
        }
    }
    all
}

fn smaller_strategies(strategy: &Strategy) -> Vec<Strategy> {
    let mut all: Vec<Strategy> = strategy.parts().into_iter().cloned().collect();
    if *strategy != Strategy::Idle {
        all.push(Strategy::Idle);
    }
    let boxed = |inner: &Strategy| -> Vec<Box<Strategy>> {
        smaller_strategies(inner).into_iter().map(Box::new).collect()
    };
    match strategy {
        Strategy::Rule { label, bindings, inner, .. } => {
            if !bindings.is_empty() {
                let (label, inner) = (label.clone(), inner.clone());
                all.push(Strategy::Rule { label, top: false, bindings: Vec::new(), inner });
            }
            for (which, part) in inner.iter().enumerate() {
                for smaller in smaller_strategies(part) {
                    let mut inner = inner.clone();
                    inner[which] = smaller;
                    let (label, bindings) = (label.clone(), bindings.clone());
                    all.push(Strategy::Rule { label, top: false, bindings, inner });
                }
            }
        }
        Strategy::Chain(sign, parts) => {
            for which in 0..parts.len() {
                if parts.len() > 2 {
                    let mut fewer = parts.clone();
                    fewer.remove(which);
                    all.push(Strategy::Chain(sign, fewer));
                }
                for smaller in smaller_strategies(&parts[which]) {
                    let mut changed = parts.clone();
                    changed[which] = smaller;
                    all.push(Strategy::Chain(sign, changed));
                }
            }
        }
        Strategy::Repeat(sign, inner) => {
            all.extend(boxed(inner).into_iter().map(|inner| Strategy::Repeat(sign, inner)));
        }
        Strategy::Call1(name, inner) => {
            all.extend(boxed(inner).into_iter().map(|inner| Strategy::Call1(name, inner)));
        }
        Strategy::OrElse(parts) => {
            for which in 0..2 {
                for smaller in smaller_strategies(&parts[which]) {
                    let mut changed = parts.clone();
                    changed[which] = smaller;
                    all.push(Strategy::OrElse(changed));
                }
            }
        }
        Strategy::Branch(parts) => {
            for which in 0..3 {
                for smaller in smaller_strategies(&parts[which]) {
                    let mut changed = parts.clone();
                    changed[which] = smaller;
                    all.push(Strategy::Branch(changed));
                }
            }
        }
        Strategy::Test(name, pattern, conditions) => {
            if !conditions.is_empty() {
                all.push(Strategy::Test(name, pattern.clone(), Vec::new()));
            }
            for pattern in smaller_terms(pattern) {
                all.push(Strategy::Test(name, pattern, conditions.clone()));
            }
        }
        Strategy::Matchrew(name, pattern, conditions, items) => {
            if !conditions.is_empty() {
                all.push(Strategy::Matchrew(name, pattern.clone(), Vec::new(), items.clone()));
            }
            for which in 0..items.len() {
                if items.len() > 1 {
                    let mut fewer = items.clone();
                    fewer.remove(which);
                    let (pattern, conditions) = (pattern.clone(), conditions.clone());
                    all.push(Strategy::Matchrew(name, pattern, conditions, fewer));
                }
                for smaller in smaller_strategies(&items[which].1) {
                    let mut changed = items.clone();
                    changed[which].1 = smaller;
                    let (pattern, conditions) = (pattern.clone(), conditions.clone());
                    all.push(Strategy::Matchrew(name, pattern, conditions, changed));
                }
            }
            for pattern in smaller_terms(pattern) {
                all.push(Strategy::Matchrew(name, pattern, conditions.clone(), items.clone()));
            }
        }
        Strategy::Call(name, arguments) => {
            for (which, argument) in arguments.iter().enumerate() {
                for smaller in smaller_terms(argument) {
                    let mut changed = arguments.clone();
                    changed[which] = smaller;
                    all.push(Strategy::Call(name.clone(), changed));
                }
            }
        }
        Strategy::Idle | Strategy::Fail | Strategy::All { .. } => {}
    }
    all
}

fn smaller_commands(command: &Command) -> Vec<Command> {
    let mut all = Vec::new();
    let mut push = |change: &dyn Fn(&mut Command)| {
        let mut changed = command.clone();
        change(&mut changed);
        all.push(changed);
    };
    if command.more.is_some() {
        push(&|c| c.more = None);
    }
    if command.bounds.0.is_some_and(|bound| bound > 1) {
        push(&|c| c.bounds.0 = Some(1));
        push(&|c| c.bounds.0 = c.bounds.0.map(|bound| bound - 1));
    }
    if command.bounds.1.is_some_and(|bound| bound > 1) {
        push(&|c| c.bounds.1 = c.bounds.1.map(|bound| bound - 1));
    }
    if command.word.starts_with("match") || command.word.starts_with("xmatch") {
        push(&|c| c.bounds.0 = None);
    }
    for subject in smaller_terms(&command.subject) {
        push(&|c| c.subject = subject.clone());
    }
    for pattern in command.pattern.iter().flat_map(smaller_terms) {
        push(&|c| c.pattern = Some(pattern.clone()));
    }
    for which in 0..command.conditions.len() {
        push(&|c| drop(c.conditions.remove(which)));
        for fragment in smaller_fragments(&command.conditions[which]) {
            push(&|c| c.conditions[which] = fragment.clone());
        }
    }
    for strategy in command.strategy.iter().flat_map(smaller_strategies) {
        push(&|c| c.strategy = Some(strategy.clone()));
    }
    all
}
