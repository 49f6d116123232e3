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
use crate::reasons::{Case, Compared, Family};
use crate::signature::{Operator, Theory};
use crate::statements::{Fragment, Kind};
use crate::strategies::Strategy;
use crate::terms::Term;

/// All families. The first one that a case belongs to takes it, those before the others of which
/// nothing is compared.
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
            case.maude != case.broth
                && case.module.operators().any(|o| o.theory == Theory::Iter)
                && (case.module.rule_tops().any(|left| case.module.collapses_repeating(left))
                    || case.command.pattern.iter().any(|p| case.module.collapses_repeating(p))
                    || case.strategies().iter().any(|strategy| match strategy {
                        Strategy::Rule { bindings, .. } => !bindings.is_empty(),
                        Strategy::Test(_, pattern, _) | Strategy::Matchrew(_, pattern, ..) => {
                            case.module.collapses_repeating(pattern)
                        }
                        _ => false,
                    }))
        },
    },
    Family {
        name: "statements on iterated operators",
        compared: Compared::Nothing,
        holds: |case| {
            let iterated = |o: &&Operator| o.theory == Theory::Iter;
            case.maude != case.broth
                && case.module.operators().filter(iterated).any(|operator| {
                    let on_top = |kind: &Kind| {
                        let statements = case.module.statements.iter();
                        let of_kind = statements.filter(|s| s.kind == *kind);
                        of_kind.filter(|s| s.left.top() == Some(&operator.name)).count()
                    };
                    on_top(&Kind::Rule) > 1 || on_top(&Kind::Equation) > 1
                })
        },
    },
    Family {
        name: "lost arguments of multisets",
        compared: Compared::Nothing,
        holds: |case| {
            case.maude != case.broth
                && case.module.operators().any(|o| o.theory == Theory::Acu)
                && loses_tokens(case.maude, case.broth)
        },
    },
    Family {
        name: "memberships of identities",
        compared: Compared::Nothing,
        holds: |case| {
            let identity =
                |left: &Term| case.module.operators().any(|o| o.identity.as_ref() == left.top());
            let mut statements = case.module.statements.iter();
            case.maude != case.broth
                && case.command.word == "search"
                && statements.any(|s| matches!(s.kind, Kind::Membership(_)) && identity(&s.left))
        },
    },
    Family {
        name: "parts on which equations are tried again",
        compared: Compared::AnswersAndOrder,
        holds: |case| {
            case.maude != case.broth
                && case.module.statements.iter().any(|s| {
                    s.kind == Kind::Equation
                        && !s.conditions.is_empty()
                        && case.module.operators().any(|o| {
                            (o.theory.is_assoc() || o.theory == Theory::Iter)
                                && s.left.top() == Some(&o.name)
                        })
                })
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
        name: "terms in lazy positions under `frewrite`",
        compared: Compared::Nothing,
        holds: |case| {
            case.command.word == "frewrite"
                && case.module.operators().any(is_lazy)
                && case.module.operators().any(|o| o.theory.is_assoc())
                && case.maude.contains("result (sort not calculated)")
                && case.maude != case.broth
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

impl Case<'_> {
    /// The strategies of the command and of the module's definitions, with those inside of them.
    fn strategies(&self) -> Vec<&Strategy> {
        let bodies = self.module.definitions.iter().map(|definition| &definition.body);
        let mut all: Vec<&Strategy> = self.command.strategy.iter().chain(bodies).collect();
        let mut at = 0;
        while at < all.len() {
            all.extend(all[at].parts());
            at += 1;
        }
        all
    }
}

impl Module {
    fn operators(&self) -> impl Iterator<Item = &Operator> {
        self.signature.operators.iter()
    }

    /// The left sides of rules.
    fn rule_tops(&self) -> impl Iterator<Item = &Term> {
        self.statements.iter().filter(|s| s.kind == Kind::Rule).map(|s| &s.left)
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

/// Whether the first line that differs has fewer words in the first answer, all of which are in the
/// second one as often at least.
fn loses_tokens(first: &str, second: &str) -> bool {
    let mut lines = first.lines().zip(second.lines());
    let Some((short, long)) = lines.find(|(a, b)| a != b && !a.starts_with("rewrites: ")) else {
        return false;
    };
    let words = |line: &str| -> Vec<String> {
        let apart = line.replace(['(', ')', ','], " ");
        apart.split_whitespace().map(str::to_owned).collect()
    };
    let (short, mut long) = (words(short), words(long));
    let n = long.len();
    let found = short.iter().all(|word| {
        let place = long.iter().position(|other| other == word);
        place.map(|place| long.swap_remove(place)).is_some()
    });
    found && short.len() < n
}
