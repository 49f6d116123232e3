//! Statements, made of static terms: what a theory says.

mod strategy;

pub use strategy::{Application, Definition, Expr, MatchKind, RewriteItem, StrategyId};

use crate::id::{NameId, SortId, StaticId};
use crate::term::StaticTerms;

/// A fragment of a condition (`docs/semantics.md` 3.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fragment {
    /// `left = right`; a bare Boolean term is `term = true`.
    Equal(StaticId, StaticId),
    /// `term : sort`.
    Sort(StaticId, SortId),
    /// `pattern := term`; the pattern is fully normalised.
    Match(StaticId, StaticId),
    /// `term => pattern`; the pattern is fully normalised.
    Rewrite(StaticId, StaticId),
}

/// What a statement says of its left side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conclusion {
    /// An equation's right side, partially normalised.
    Equation {
        /// The right side.
        right: StaticId,
        /// Tried only when no other equation applies.
        owise: bool,
    },
    /// A membership's sort.
    Membership(SortId),
    /// A rule's right side, partially normalised.
    Rule(StaticId),
}

/// An equation, membership or rule.
#[derive(Debug, Clone)]
pub struct Statement {
    /// The left side, fully normalised.
    pub left: StaticId,
    /// What follows.
    pub conclusion: Conclusion,
    /// Condition fragments in order.
    pub condition: Vec<Fragment>,
    /// The label's number.
    pub label: Option<NameId>,
    /// Not used by the engine itself; rules may be named by strategies.
    pub nonexec: bool,
    /// Number by which the caller knows the statement (events, paths).
    pub source: u32,
}

/// What a statement is known by: equations, memberships and rules by the number that the caller has
/// given, definitions of strategies by their number in the theory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// An equation, membership or rule.
    Statement(u32),
    /// A definition of a strategy.
    Definition(u32),
}

/// The variables of a rule.
pub(crate) fn variables_of(terms: &StaticTerms, statement: &Statement) -> Vec<StaticId> {
    let mut found = terms.variables(statement.left);
    for fragment in &statement.condition {
        let (a, b) = match *fragment {
            Fragment::Equal(a, b) | Fragment::Match(a, b) | Fragment::Rewrite(a, b) => (a, b),
            Fragment::Sort(a, _) => (a, a),
        };
        terms.collect_variables(a, &mut found);
        terms.collect_variables(b, &mut found);
    }
    if let Conclusion::Rule(right) = statement.conclusion {
        terms.collect_variables(right, &mut found);
    }
    found
}

/// Whether a rule binds all its variables before it uses them, when those of `given` have values.
pub(crate) fn is_closed(terms: &StaticTerms, statement: &Statement, given: &[StaticId]) -> bool {
    let mut bound = given.to_vec();
    bound.extend(terms.variables(statement.left));
    let uses = |term: StaticId, bound: &[StaticId]| {
        terms.variables(term).iter().all(|v| bound.contains(v))
    };
    for fragment in &statement.condition {
        match *fragment {
            Fragment::Equal(a, b) => {
                if !uses(a, &bound) || !uses(b, &bound) {
                    return false;
                }
            }
            Fragment::Sort(term, _) => {
                if !uses(term, &bound) {
                    return false;
                }
            }
            Fragment::Match(pattern, term) | Fragment::Rewrite(term, pattern) => {
                if !uses(term, &bound) {
                    return false;
                }
                bound.extend(terms.variables(pattern));
            }
        }
    }
    match statement.conclusion {
        Conclusion::Rule(right) => uses(right, &bound),
        Conclusion::Equation { .. } | Conclusion::Membership(_) => false,
    }
}
