//! Checks on the variables of strategy expressions.

use broth_engine::{Expr, StaticId, StaticNode, StaticTerms};

use super::statements::unbound_in_condition;
use crate::diagnose::Diagnostic;
use crate::diagnose::command as messages;
use crate::syntax::{Names, Span, Token};

/// What is wrong with a strategy expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrategyTrouble {
    /// A variable is used before it is bound.
    Unbound(StaticId),
    /// What stands before `<-` is not a variable.
    NotAssignable(StaticId),
    /// What stands before `using` is not a variable.
    NotVariable(StaticId),
    /// What stands before `using` is not a variable of the pattern.
    NotInPattern(StaticId),
    /// A variable stands before `using` twice.
    Repeated(StaticId),
}

impl StrategyTrouble {
    /// The term that it is about.
    pub fn term(self) -> StaticId {
        match self {
            StrategyTrouble::Unbound(term)
            | StrategyTrouble::NotAssignable(term)
            | StrategyTrouble::NotVariable(term)
            | StrategyTrouble::NotInPattern(term)
            | StrategyTrouble::Repeated(term) => term,
        }
    }

    /// The message about it; `text` is the term as it is written. `tokens` are those that it is
    /// about, and `span` is what is marked where it cannot be told which of them is meant.
    pub fn message(
        self,
        text: &str,
        place: &str,
        (tokens, names): (&[Token], &Names),
        span: Span,
    ) -> Diagnostic {
        let using = |n_places| before_using(tokens, names, text, n_places).unwrap_or(span);
        match self {
            StrategyTrouble::Unbound(_) => messages::unbound(text, place, span),
            StrategyTrouble::NotAssignable(_) => messages::not_assignable(text, span),
            StrategyTrouble::NotVariable(_) => messages::not_a_variable(text, using(1)),
            StrategyTrouble::NotInPattern(_) => messages::not_in_pattern(text, using(1)),
            StrategyTrouble::Repeated(_) => messages::repeated(text, using(2)),
        }
    }
}

/// The last place where a variable or constant stands before `using`, if there are so many. A
/// variable may stand there with its sort or without.
fn before_using(tokens: &[Token], names: &Names, word: &str, n_places: usize) -> Option<Span> {
    let without_sort = |text: &str| text.split(':').next().map(str::to_owned);
    let meant = without_sort(word);
    let is_meant = |text: &str| without_sort(text) == meant;
    let places: Vec<Span> = tokens
        .windows(2)
        .filter(|pair| names.text(pair[1].name) == "using" && is_meant(names.text(pair[0].name)))
        .map(|pair| pair[0].span)
        .collect();
    places.last().copied().filter(|_| places.len() == n_places)
}

/// The first thing that is wrong with a strategy, given the variables that are bound outside. The
/// depth of an expression is bounded by the parser.
pub fn trouble(
    terms: &StaticTerms,
    strategy: &Expr,
    bound: &[StaticId],
) -> Option<StrategyTrouble> {
    let inside = |s: &Expr| trouble(terms, s, bound);
    match strategy {
        Expr::Idle | Expr::Fail => None,
        Expr::Apply(application) => application
            .substitution
            .iter()
            .find_map(|&(variable, value)| {
                if !matches!(terms.node(variable), StaticNode::Variable(..)) {
                    return Some(StrategyTrouble::NotAssignable(variable));
                }
                unbound_in(terms, value, bound)
            })
            .or_else(|| application.conditions.iter().find_map(inside)),
        Expr::Test { pattern, condition, .. } => {
            let mut all = bound.to_vec();
            terms.collect_variables(*pattern, &mut all);
            unbound_in_condition(terms, condition, &mut all, &mut |_| {})
                .map(StrategyTrouble::Unbound)
        }
        Expr::Sequence(list) | Expr::Union(list) => list.iter().find_map(inside),
        Expr::OrElse(a, b) => inside(a).or_else(|| inside(b)),
        Expr::Star(s)
        | Expr::Plus(s)
        | Expr::Normal(s)
        | Expr::One(s)
        | Expr::Not(s)
        | Expr::Check(s)
        | Expr::Try(s) => inside(s),
        Expr::Branch(a, b, c) => inside(a).or_else(|| inside(b)).or_else(|| inside(c)),
        Expr::MatchRewrite { pattern, condition, items, .. } => {
            let mut all = bound.to_vec();
            terms.collect_variables(*pattern, &mut all);
            let variables = terms.variables(*pattern);
            let mut seen = Vec::new();
            for item in items {
                let variable = item.variable;
                if !matches!(terms.node(variable), StaticNode::Variable(..)) {
                    return Some(StrategyTrouble::NotVariable(variable));
                }
                if !variables.contains(&variable) {
                    return Some(StrategyTrouble::NotInPattern(variable));
                }
                if seen.contains(&variable) {
                    return Some(StrategyTrouble::Repeated(variable));
                }
                seen.push(variable);
            }
            if let Some(variable) = unbound_in_condition(terms, condition, &mut all, &mut |_| {}) {
                return Some(StrategyTrouble::Unbound(variable));
            }
            items.iter().find_map(|item| trouble(terms, &item.strategy, &all))
        }
        Expr::Call(_, arguments) => {
            arguments.iter().find_map(|&argument| unbound_in(terms, argument, bound))
        }
    }
}

fn unbound_in(terms: &StaticTerms, term: StaticId, bound: &[StaticId]) -> Option<StrategyTrouble> {
    terms.variables(term).into_iter().find(|v| !bound.contains(v)).map(StrategyTrouble::Unbound)
}
