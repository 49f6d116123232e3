//! Statements of a module as terms of a theory.

use broth_engine::{
    Application, Conclusion as EngineConclusion, Definition, Expr, Fragment, RewriteItem,
    Signature, StaticId, StaticTerms, StrategyId,
};
use rustc_hash::FxHashMap;

use super::describe::Origin;
use super::flat::Flat;
use super::loaded::{Conclusion, OwnStatement, Terms, TheoryStatement};
use super::symbols::{ModuleSymbols, name_id};
use crate::mixfix::{
    ConclusionReading, ConditionFragment, DefinitionReading, StatementReading, StrategyReading,
    Symbols, TermRef, Tree,
};
use crate::syntax::{Names, StatementKind};

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

    /// A term in partial normal form.
    pub fn term(&mut self, tree: &Tree, term: TermRef) -> StaticId {
        let raw = self.raw(tree, term);
        self.terms.normalise_partially(self.signature, raw)
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
            StrategyReading::Sequence(list) => {
                let mut parts = all(self, list);
                // A chain whose right end is grouped is one with it.
                while let Some(Expr::Sequence(more)) = parts.pop_if(|s| is_sequence(s)) {
                    parts.extend(more);
                }
                Expr::Sequence(parts)
            }
            StrategyReading::Union(list) => {
                let mut parts = all(self, list);
                while let Some(Expr::Union(more)) = parts.pop_if(|s| is_union(s)) {
                    parts.extend(more);
                }
                Expr::Union(parts)
            }
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
                let pattern = self.pattern(tree, *pattern);
                let items = items
                    .iter()
                    .map(|(variable, strategy)| RewriteItem {
                        variable: self.pattern(tree, *variable),
                        strategy: self.strategy(tree, strategy),
                    })
                    .collect();
                Expr::MatchRewrite { kind: *kind, pattern, condition, items }
            }
            StrategyReading::Call(strategy, arguments) => {
                let arguments = arguments.iter().map(|&a| self.term(tree, a)).collect();
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
                .map(|&(variable, value)| (self.pattern(tree, variable), self.term(tree, value)))
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

/// Translates raw terms of the module that declares a statement into raw terms of one that imports
/// it, variables included.
pub struct Translation<'a> {
    /// The module that declares it.
    pub from: &'a Flat,
    /// The module that imports it.
    pub to: &'a mut Flat,
    /// All symbols.
    pub signature: &'a mut Signature,
    /// All terms.
    pub terms: &'a mut StaticTerms,
    /// All names.
    pub names: &'a Names,
    /// What has been translated.
    pub done: FxHashMap<StaticId, StaticId>,
}

impl Translation<'_> {
    /// Translates the terms of a statement.
    pub fn statement(&mut self, terms: &Terms) -> Terms {
        let condition = terms
            .condition
            .iter()
            .map(|fragment| match *fragment {
                Fragment::Equal(a, b) => {
                    let b = self.term(b);
                    Fragment::Equal(self.term(a), b)
                }
                Fragment::Sort(t, sort) => Fragment::Sort(self.term(t), self.sort(sort)),
                Fragment::Match(a, b) => {
                    let b = self.term(b);
                    Fragment::Match(self.term(a), b)
                }
                Fragment::Rewrite(a, b) => {
                    let b = self.term(b);
                    Fragment::Rewrite(self.term(a), b)
                }
            })
            .collect();
        let left = self.term(terms.left);
        let conclusion = match terms.conclusion {
            Conclusion::Term(right) => Conclusion::Term(self.term(right)),
            Conclusion::Sort(sort) => Conclusion::Sort(self.sort(sort)),
        };
        Terms { left, conclusion, condition }
    }

    fn sort(&self, sort: broth_engine::SortId) -> broth_engine::SortId {
        translate_sort(self.from, self.to, sort)
    }

    fn term(&mut self, term: StaticId) -> StaticId {
        let mut stack = vec![term];
        while let Some(&t) = stack.last() {
            if self.done.contains_key(&t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let args = self.terms.args(t);
            stack.extend(args.iter().rev().filter(|a| !self.done.contains_key(a)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let node = self.node(t);
            let made = self.terms.add(node);
            self.done.insert(t, made);
        }
        self.done[&term]
    }

    fn node(&mut self, t: StaticId) -> broth_engine::StaticNode {
        use broth_engine::StaticNode;
        let node = self.terms.node(t).clone();
        let symbol = self.symbol(node.symbol());
        let of = |id: &StaticId| self.done[id];
        match node {
            StaticNode::App(_, args) => StaticNode::App(symbol, args.iter().map(of).collect()),
            StaticNode::Multiset(_, args) => {
                StaticNode::Multiset(symbol, args.iter().map(|(a, m)| (of(a), *m)).collect())
            }
            StaticNode::Iter(_, count, arg) => StaticNode::Iter(symbol, count, of(&arg)),
            StaticNode::Variable(_, name) => {
                if let Some(&text) = self.from.name_texts.get(&name) {
                    self.to.name_texts.insert(name, text);
                }
                StaticNode::Variable(symbol, name)
            }
            StaticNode::String(_, text) => StaticNode::String(symbol, text),
            StaticNode::Qid(_, text) => StaticNode::Qid(symbol, text),
            StaticNode::Float(_, bits) => StaticNode::Float(symbol, bits),
        }
    }

    fn symbol(&mut self, symbol: broth_engine::SymbolId) -> broth_engine::SymbolId {
        use broth_engine::{BuiltinOp, Role};
        match self.signature.symbol(symbol).role.clone() {
            Role::Variable(sort) => {
                let sort = self.sort(sort);
                super::symbols::variable_symbol(self.to, self.signature, sort)
            }
            Role::Builtin(builtin) if matches!(builtin.op, BuiltinOp::SortTest(_)) => {
                let BuiltinOp::SortTest(sort) = builtin.op else { unreachable!("just matched") };
                let sort = self.sort(sort);
                super::symbols::sort_test(self.to, self.signature, sort)
            }
            _ => {
                let op = &self.from.operators[self.from.by_symbol[&symbol]];
                let at = self.to.by_declaration[&op.declarations[0].id];
                if let Some(symbol) = self.to.operators[at].symbol {
                    return symbol;
                }
                let kind = self
                    .from
                    .instances
                    .iter()
                    .find(|(_, made)| **made == symbol)
                    .map(|((_, kind), _)| *kind)
                    .expect("a symbol of a polymorphic operator is one of its instances");
                let kind = self.sort(broth_engine::SortId::of_kind(kind)).kind;
                super::symbols::instance(self.to, self.signature, self.names, at, kind)
            }
        }
    }
}

/// The sort or kind of `to` that a sort or kind of `from` has become.
pub fn translate_sort(from: &Flat, to: &Flat, sort: broth_engine::SortId) -> broth_engine::SortId {
    let (name, found) = from
        .sorts
        .iter()
        .find(|(_, s)| if sort.is_kind() { s.kind == sort.kind } else { **s == sort })
        .expect("a sort of the module");
    let there = to.sorts[name];
    if sort.is_kind() {
        debug_assert_eq!(found.kind, sort.kind);
        return broth_engine::SortId::of_kind(there.kind);
    }
    there
}

fn is_sequence(strategy: &Expr) -> bool {
    matches!(strategy, Expr::Sequence(_))
}

fn is_union(strategy: &Expr) -> bool {
    matches!(strategy, Expr::Union(_))
}
