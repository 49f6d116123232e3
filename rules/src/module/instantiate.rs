//! Statements of a module as terms of a theory.

use super::describe::Origin;
use super::flat::Flat;
use super::loaded::{Conclusion, OwnStatement, Terms, TheoryStatement};
use super::symbols::{ModuleSymbols, name_id};
use crate::mixfix::{
    ConclusionReading, ConditionFragment, DefinitionReading, StatementReading, StrategyReading,
    Symbols, TermRef, Tree,
};
use crate::syntax::{Names, StatementKind};
use broth_engine::{
    Application, Conclusion as EngineConclusion, Definition, Expr, Fragment, RewriteItem,
    Signature, StaticId, StaticTerms, StrategyId,
};

/// What is needed to turn readings into terms of one theory.
pub struct Instantiation<'a> {
    /// What the places of the readings stand for.
    pub origin: &'a Origin,
    /// The module whose theory it is.
    pub flat: &'a mut Flat,
    /// All symbols.
    pub signature: &'a mut Signature,
    /// All terms.
    pub terms: &'a mut StaticTerms,
    /// All names.
    pub names: &'a Names,
}

impl Instantiation<'_> {
    /// A term as it was read.
    pub fn raw(&mut self, tree: &Tree, term: TermRef) -> StaticId {
        let mut symbols = ModuleSymbols {
            origin: self.origin,
            flat: self.flat,
            signature: self.signature,
            names: self.names,
        };
        tree.instantiate(term, &self.origin.literals, &mut symbols, self.terms)
    }

    /// A pattern: a term in full normal form.
    pub fn pattern(&mut self, tree: &Tree, term: TermRef) -> StaticId {
        let raw = self.raw(tree, term);
        self.terms.normalise(self.signature, raw)
    }

    /// A condition as it was read.
    pub fn raw_condition(&mut self, tree: &Tree, condition: &[ConditionFragment]) -> Vec<Fragment> {
        let mut symbols = ModuleSymbols {
            origin: self.origin,
            flat: self.flat,
            signature: self.signature,
            names: self.names,
        };
        tree.instantiate_condition(condition, &self.origin.literals, &mut symbols, self.terms)
    }

    /// A condition with its patterns fully, its other terms partially normalised.
    pub fn condition(&mut self, tree: &Tree, condition: &[ConditionFragment]) -> Vec<Fragment> {
        let raw = self.raw_condition(tree, condition);
        normalise_condition(self.signature, self.terms, &raw)
    }

    /// The terms of a statement as they were read, symbols made in the order of creation.
    pub fn raw_statement(&mut self, tree: &Tree, statement: &StatementReading) -> Terms {
        let condition = self.raw_condition(tree, &statement.condition);
        let left = self.raw(tree, statement.left);
        let conclusion = match &statement.conclusion {
            ConclusionReading::Term(right) => Conclusion::Term(self.raw(tree, *right)),
            ConclusionReading::Sort(sort) => {
                let mut symbols = ModuleSymbols {
                    origin: self.origin,
                    flat: self.flat,
                    signature: self.signature,
                    names: self.names,
                };
                Conclusion::Sort(symbols.sort(*sort))
            }
        };
        Terms { left, conclusion, condition }
    }

    /// A strategy definition.
    pub fn definition(&mut self, tree: &Tree, reading: &DefinitionReading) -> Definition {
        let condition = self.condition(tree, &reading.condition);
        let parameters = reading.parameters.iter().map(|&p| self.pattern(tree, p)).collect();
        let body = self.strategy(tree, &reading.body);
        Definition { strategy: self.strategy_id(reading.strategy), parameters, body, condition }
    }

    /// A strategy expression. Its depth is bounded by the parser.
    pub fn strategy(&mut self, tree: &Tree, reading: &StrategyReading) -> Expr {
        let boxed = |this: &mut Self, s: &StrategyReading| Box::new(this.strategy(tree, s));
        let all = |this: &mut Self, list: &[StrategyReading]| -> Vec<Expr> {
            list.iter().map(|s| this.strategy(tree, s)).collect()
        };
        match reading {
            StrategyReading::Idle => Expr::Idle,
            StrategyReading::Fail => Expr::Fail,
            StrategyReading::Apply { .. } => Expr::Apply(self.application(tree, reading)),
            StrategyReading::Top(inner) => match self.strategy(tree, inner) {
                Expr::Apply(application) => Expr::Apply(Application { top: true, ..application }),
                // Only the use of rules can be restricted to the top.
                other => other,
            },
            StrategyReading::Test { kind, pattern, condition } => {
                let condition = self.condition(tree, condition);
                Expr::Test { kind: *kind, pattern: self.pattern(tree, *pattern), condition }
            }
            StrategyReading::Sequence(list) => Expr::Sequence(all(self, list)),
            StrategyReading::Union(list) => Expr::Union(all(self, list)),
            StrategyReading::OrElse(a, b) => Expr::OrElse(boxed(self, a), boxed(self, b)),
            StrategyReading::Star(s) => Expr::Star(boxed(self, s)),
            StrategyReading::Plus(s) => Expr::Plus(boxed(self, s)),
            StrategyReading::Normal(s) => Expr::Normal(boxed(self, s)),
            StrategyReading::Branch(s, t, u) => {
                Expr::Branch(boxed(self, s), boxed(self, t), boxed(self, u))
            }
            StrategyReading::One(s) => Expr::One(boxed(self, s)),
            StrategyReading::Not(s) => Expr::Not(boxed(self, s)),
            StrategyReading::Check(s) => Expr::Check(boxed(self, s)),
            StrategyReading::Try(s) => Expr::Try(boxed(self, s)),
            StrategyReading::MatchRewrite { kind, pattern, condition, items } => {
                let condition = self.condition(tree, condition);
                // The variables of what is rewritten and their strategies are read before the pattern.
                let items = items
                    .iter()
                    .map(|(variable, strategy)| RewriteItem {
                        variable: self.pattern(tree, *variable),
                        strategy: self.strategy(tree, strategy),
                    })
                    .collect();
                let pattern = self.pattern(tree, *pattern);
                Expr::MatchRewrite { kind: *kind, pattern, condition, items }
            }
            StrategyReading::Call(strategy, arguments) => {
                // Arguments are flattened like patterns, and so are the values of a substitution.
                let arguments = arguments.iter().map(|&a| self.pattern(tree, a)).collect();
                Expr::Call(self.strategy_id(*strategy), arguments)
            }
        }
    }

    fn application(&mut self, tree: &Tree, reading: &StrategyReading) -> Application {
        let StrategyReading::Apply { label, substitution, conditions } = reading else {
            unreachable!("only the use of rules is an application");
        };
        Application {
            label: label.map(|label| {
                let id = name_id(self.names, label);
                self.flat.name_texts.insert(id, label);
                id
            }),
            substitution: substitution
                .iter()
                .map(|&(variable, value)| (self.pattern(tree, variable), self.pattern(tree, value)))
                .collect(),
            conditions: conditions.iter().map(|s| self.strategy(tree, s)).collect(),
            top: false,
        }
    }

    fn strategy_id(&self, index: crate::mixfix::StrategyIndex) -> StrategyId {
        let (name, domain) = &self.origin.strategies[index.index()];
        let at = self.flat.strategies.iter().position(|s| {
            s.name == *name
                && s.domain.len() == domain.len()
                && s.domain.iter().zip(domain).all(|(a, b)| a.kind == self.flat.sorts[b].kind)
        });
        StrategyId(at.expect("an imported strategy is a strategy of the module") as u32)
    }
}

/// Patterns fully, other terms partially normalised.
pub fn normalise_condition(
    signature: &Signature,
    terms: &mut StaticTerms,
    raw: &[Fragment],
) -> Vec<Fragment> {
    let mut partial = |t: StaticId, full: bool| {
        if full { terms.normalise(signature, t) } else { terms.normalise_partially(signature, t) }
    };
    raw.iter()
        .map(|fragment| match *fragment {
            Fragment::Equal(a, b) => Fragment::Equal(partial(a, false), partial(b, false)),
            Fragment::Sort(t, sort) => Fragment::Sort(partial(t, false), sort),
            Fragment::Match(p, t) => Fragment::Match(partial(p, true), partial(t, false)),
            Fragment::Rewrite(t, p) => Fragment::Rewrite(partial(t, false), partial(p, true)),
        })
        .collect()
}

/// A statement in the forms that the engine wants.
pub fn normalise_statement(
    signature: &Signature,
    terms: &mut StaticTerms,
    raw: &Terms,
    own: &OwnStatement,
) -> TheoryStatement {
    let conclusion = match raw.conclusion {
        Conclusion::Term(right) => Conclusion::Term(terms.normalise_partially(signature, right)),
        sort @ Conclusion::Sort(_) => sort,
    };
    TheoryStatement {
        kind: own.kind,
        attributes: own.attributes.clone(),
        terms: Terms {
            left: terms.normalise(signature, raw.left),
            conclusion,
            condition: normalise_condition(signature, terms, &raw.condition),
        },
        unusable: own.unusable,
        span: own.span,
    }
}

/// A statement as the engine takes it.
pub fn engine_statement(
    statement: &TheoryStatement,
    source: u32,
    names: &Names,
) -> broth_engine::Statement {
    let terms = &statement.terms;
    let conclusion = match (statement.kind, terms.conclusion) {
        (_, Conclusion::Sort(sort)) => EngineConclusion::Membership(sort),
        (StatementKind::Rule, Conclusion::Term(right)) => EngineConclusion::Rule(right),
        (_, Conclusion::Term(right)) => {
            EngineConclusion::Equation { right, owise: statement.attributes.owise }
        }
    };
    broth_engine::Statement {
        left: terms.left,
        conclusion,
        condition: terms.condition.clone(),
        label: statement.attributes.label.map(|label| name_id(names, label)),
        nonexec: statement.attributes.nonexec || statement.unusable,
        source,
    }
}
