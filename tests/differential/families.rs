//! Families of cases in which a difference between Maude and Broth has a known reason.
//!
//! The harness computes from each case (module, command, both answers) whether it belongs to a
//! family; what a family does not excuse is a difference, in every run and under every seed. So
//! that families stay exceptions, at most five of 100 cases may be in them.
//!
//! To add one, write a predicate and an entry of [`FAMILIES`], and explain it under its name in the
//! section *Families* of `docs/compatibility.md`; without that the differential test fails. Make
//! the predicate as narrow as the reason is: what the module and the command must have for it.

use crate::case::Module;
use crate::reasons::{Compared, Family};
use crate::signature::{Operator, Theory};
use crate::statements::{Fragment, Kind};
use crate::terms::Term;

/// All families. The first one that a case belongs to takes it.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "conditional memberships in lazy positions",
        compared: Compared::AnswersAndOrder,
        holds: |case| {
            case.module.operators().any(is_lazy) && case.module.has_conditional_membership(|_| true)
        },
    },
    Family {
        name: "conditional memberships of lists",
        compared: Compared::AnswersAndOrder,
        holds: |case| {
            case.module.has_conditional_membership(|left| {
                let Term::Apply(name, _) = left else { return false };
                let lists = case.module.operators().any(|o| o.name == *name && is_list(o));
                lists && left.distinct_variables().len() > 1
            })
        },
    },
    Family {
        name: "searches in conditions",
        compared: Compared::AnswersAndOrder,
        holds: |case| {
            // Strategies remember nothing of rules tried in vain.
            if case.maude == case.broth || case.command.strategy.is_some() {
                return false;
            }
            let rewrites = |fragment: &Fragment| matches!(fragment, Fragment::Rewrite(..));
            let rules = case.module.statements.iter().filter(|s| s.kind == Kind::Rule);
            rules.flat_map(|rule| &rule.conditions).chain(&case.command.conditions).any(rewrites)
        },
    },
    Family {
        name: "repeated variables against iterated subjects",
        compared: Compared::Nothing,
        holds: |case| {
            let rules = case.module.statements.iter().filter(|s| s.kind == Kind::Rule);
            let mut patterns = rules.map(|s| &s.left);
            case.maude != case.broth
                && case.module.operators().any(|o| o.theory == Theory::Iter)
                && (patterns.any(|left| case.module.collapses_repeating(left))
                    || case.command.pattern.iter().any(|p| case.module.collapses_repeating(p)))
        },
    },
    Family {
        name: "sorts of terms given to strategies",
        compared: Compared::Nothing,
        holds: |case| {
            let Some(strategy) = &case.command.strategy else { return false };
            let mut statements = case.module.statements.iter();
            let called = case.module.declarations.iter().any(|d| d.arity > 0);
            case.maude != case.broth
                && statements.any(|s| matches!(s.kind, Kind::Membership(_)))
                && (called || strategy.text(&case.module.signature).contains("<-"))
        },
    },
    Family {
        name: "sorts in lazy positions under `frewrite`",
        compared: Compared::Nothing,
        holds: |case| {
            case.command.word == "frewrite"
                && case.module.operators().any(is_lazy)
                && without_sorts(case.maude) == without_sorts(case.broth)
                && case.maude != case.broth
        },
    },
];

impl Module {
    fn operators(&self) -> impl Iterator<Item = &Operator> {
        self.signature.operators.iter()
    }

    /// Whether a pattern may collapse on top and has a variable several times.
    fn collapses_repeating(&self, pattern: &Term) -> bool {
        let Term::Apply(name, _) = pattern else { return false };
        let has_identity = |o: &Operator| {
            matches!(o.theory, Theory::CommId | Theory::AssocId | Theory::Acu) && o.name == *name
        };
        pattern.variables().len() > pattern.distinct_variables().len()
            && self.operators().any(has_identity)
    }

    /// Whether there is a conditional membership with such a left side.
    fn has_conditional_membership(&self, such: impl Fn(&Term) -> bool) -> bool {
        self.statements.iter().any(|statement| {
            matches!(statement.kind, Kind::Membership(_))
                && !statement.conditions.is_empty()
                && such(&statement.left)
        })
    }
}

/// Whether an operator has a strategy of evaluation of its own.
fn is_lazy(operator: &Operator) -> bool {
    operator.attributes.iter().any(|attribute| attribute.starts_with("strat "))
}

/// Whether an operator is associative and not commutative.
fn is_list(operator: &Operator) -> bool {
    matches!(operator.theory, Theory::Assoc | Theory::AssocId)
}

/// An answer without the sorts of results and the numbers of rewrites.
fn without_sorts(answer: &str) -> Vec<&str> {
    let lines = answer.lines().filter(|line| !line.starts_with("rewrites: "));
    lines
        .map(|line| match line.strip_prefix("result ").and_then(|rest| rest.split_once(": ")) {
            Some((_, term)) => term,
            None => line,
        })
        .collect()
}
