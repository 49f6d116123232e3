//! Builds trees, statements and strategies from productions in post-order.

use std::ops::Range;

use super::description::{Description, Type};
use super::forest::Derived;
use super::literals;
use super::production::{Action, FragmentKind, Productions, StatementParts, Symbol};
use super::reading::{
    ConclusionReading, DefinitionReading, StatementForm, StatementReading, StrategyReading,
};
use super::strategy_syntax::StrategyAction;
use super::terminals::Terminals;
use super::tree::{ConditionFragment, Head, Literal, TermRef, Tree};
use crate::syntax::{Name, Names};

/// How deeply a strategy may be nested.
pub const MAX_DEPTH: usize = 500;

/// What a production stands for.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Term(TermRef),
    List(usize),
    Sort(Type),
    /// The fragments of a condition, the last one first.
    Condition(Vec<ConditionFragment>),
    Pair(TermRef, TermRef),
    Label(Name),
    Attributes(Range<usize>),
    Statement(Box<StatementReading>),
    Strategy(StrategyValue),
    /// Strategies, the last one first, and how deeply they are nested.
    Strategies((Vec<StrategyReading>, usize)),
    /// Assignments, the last one first.
    Assignments(Vec<(TermRef, TermRef)>),
    /// Items of a `matchrew`, the last one first, and how deeply they are nested.
    Items((Vec<(TermRef, StrategyReading)>, usize)),
    Head(super::StrategyIndex, Vec<TermRef>),
    Definition(Box<DefinitionReading>),
}

/// A strategy with what its place in a chain depends on.
#[derive(Clone, Debug)]
pub(super) struct StrategyValue {
    pub reading: StrategyReading,
    depth: usize,
    grouped: bool,
}

/// The state of building one reading.
pub(super) struct Emitter<'a> {
    pub description: &'a Description,
    pub productions: &'a Productions,
    pub terminals: &'a Terminals,
    pub names: &'a mut Names,
    /// The tokens of the bubble.
    pub tokens: &'a [Name],
    pub tree: Tree,
    pub values: Vec<Value>,
    /// The nesting of strategies met so far.
    pub deepest: usize,
}

/// Takes a value of one form; the grammar sees to it that it has this form.
macro_rules! take {
    ($self:ident, $form:ident) => {
        match $self.values.pop() {
            Some(Value::$form(value)) => value,
            other => unreachable!("the grammar gives another form: {other:?}"),
        }
    };
}

impl Emitter<'_> {
    /// Whether strategies are nested too deeply.
    pub fn too_deep(&self) -> bool {
        self.deepest > MAX_DEPTH
    }

    /// Builds what a production stands for from the values of its parts.
    pub fn leave(&mut self, derived: Derived) {
        let production = &self.productions.all[derived.production as usize];
        let token = self.tokens[derived.start as usize];
        match &production.action {
            Action::Pass => {}
            Action::Operator(operator) => {
                let n_args = self.n_parts(derived.production);
                self.push(Head::Operator(*operator), n_args, derived);
            }
            Action::Instance(polymorph, kind) => {
                let n_args = self.n_parts(derived.production);
                self.push(Head::Instance(*polymorph, *kind), n_args, derived);
            }
            Action::PrefixList(operator) => {
                let n_args = take!(self, List);
                for _ in 0..n_args {
                    self.values.pop();
                }
                let term = self.tree.push(Head::List(*operator), n_args, derived.start);
                self.values.push(Value::Term(term));
            }
            Action::Object(object, none) => {
                let n_args = self.n_parts(derived.production) + 1;
                let last = Derived { start: derived.end - 1, ..derived };
                self.push(Head::Operator(*none), 0, last);
                self.push(Head::Operator(*object), n_args, derived);
            }
            Action::Iterated(operator) => {
                let (_, count) = literals::split_iterated(self.names.text(token))
                    .expect("the token has the form f^n");
                let count = literals::number(count).value;
                self.push(Head::Iterated(*operator, Box::new(count)), 1, derived);
            }
            Action::SortTest(of) => self.push(Head::SortTest(*of), 1, derived),
            Action::VariableToken => {
                let text = self.names.text(token);
                let of = self.terminals.sort_of_variable(text).expect("the sort is known");
                self.push_variable(token, of, derived);
            }
            Action::VariableOf(of) => self.push_variable(token, *of, derived),
            Action::Alias(of) => self.push(Head::Variable(token, *of), 0, derived),
            Action::String(op) => {
                let bytes = literals::string(self.names.text(token));
                self.push(Head::Literal(*op, Literal::String(bytes)), 0, derived);
            }
            Action::Qid(op) => {
                let text = self.names.text(token)[1..].into();
                self.push(Head::Literal(*op, Literal::Qid(text)), 0, derived);
            }
            Action::Float(op) => {
                let value = literals::float(self.names.text(token));
                self.push(Head::Literal(*op, Literal::Float(value.to_bits())), 0, derived);
            }
            Action::Number(system) => {
                let number = literals::number(self.names.text(token));
                self.push(Head::Number(*system, Box::new(number)), 0, derived);
            }
            Action::ListStart => self.values.push(Value::List(2)),
            Action::ListMore => {
                // The list lies below its new last argument.
                let last = self.values.pop().expect("a list has arguments");
                let n = take!(self, List);
                self.values.push(last);
                self.values.push(Value::List(n + 1));
            }
            Action::Sort(of) => self.values.push(Value::Sort(*of)),
            Action::LastFragment(kind) => {
                let fragment = self.take_fragment(*kind);
                self.values.push(Value::Condition(vec![fragment]));
            }
            Action::Fragment(kind) => {
                let mut condition = take!(self, Condition);
                condition.push(self.take_fragment(*kind));
                self.values.push(Value::Condition(condition));
            }
            Action::Pair => {
                let right = take!(self, Term);
                let left = take!(self, Term);
                self.values.push(Value::Pair(left, right));
            }
            Action::Label => {
                let label = self.tokens[derived.start as usize + 1];
                self.values.push(Value::Label(label));
            }
            Action::Attributes => {
                let range = derived.start as usize..derived.end as usize;
                self.values.push(Value::Attributes(range));
            }
            Action::Statement(form, parts) => self.leave_statement(*form, *parts),
            Action::Strategy(action) => self.leave_strategy(*action),
            Action::DefinitionHead(strategy) => {
                let args = self.take_args(*strategy);
                self.values.push(Value::Head(*strategy, args));
            }
        }
    }

    fn n_parts(&self, production: u32) -> usize {
        let symbols = self.productions.right_side(production);
        symbols.iter().filter(|s| matches!(s, Symbol::Nonterminal(_))).count()
    }

    fn push(&mut self, head: Head, n_args: usize, derived: Derived) {
        let term = self.tree.push(head, n_args, derived.start);
        self.values.truncate(self.values.len() - n_args);
        self.values.push(Value::Term(term));
    }

    fn push_variable(&mut self, token: Name, of: Type, derived: Derived) {
        let (base, _) = literals::split_variable(self.names.text(token)).expect("it has a colon");
        let base = base.to_owned();
        let base = self.names.intern(&base);
        self.push(Head::Variable(base, of), 0, derived);
    }

    fn take_fragment(&mut self, kind: FragmentKind) -> ConditionFragment {
        if kind == FragmentKind::Sort {
            let sort = take!(self, Sort);
            return ConditionFragment::Sort(take!(self, Term), sort);
        }
        let right = take!(self, Term);
        if kind == FragmentKind::Truth {
            return ConditionFragment::Truth(right);
        }
        let left = take!(self, Term);
        match kind {
            FragmentKind::Match => ConditionFragment::Match(left, right),
            FragmentKind::Rewrite => ConditionFragment::Rewrite(left, right),
            _ => ConditionFragment::Equal(left, right),
        }
    }

    fn take_condition(&mut self, present: bool) -> Vec<ConditionFragment> {
        if !present {
            return Vec::new();
        }
        let mut condition = take!(self, Condition);
        condition.reverse();
        condition
    }

    fn leave_statement(&mut self, form: StatementForm, parts: StatementParts) {
        use StatementForm as F;
        let n_tokens = self.tokens.len();
        let attributes = match parts.attributes {
            true => take!(self, Attributes),
            false => n_tokens..n_tokens,
        };
        let conditional = matches!(
            form,
            F::ConditionalEquation
                | F::ConditionalMembership
                | F::ConditionalRule
                | F::ConditionalStrategyDefinition
        );
        let condition = self.take_condition(conditional);
        if matches!(form, F::StrategyDefinition | F::ConditionalStrategyDefinition) {
            let body = take!(self, Strategy).reading;
            let Some(Value::Head(strategy, parameters)) = self.values.pop() else {
                unreachable!("a definition has a head");
            };
            let definition =
                DefinitionReading { strategy, parameters, body, condition, attributes };
            self.values.push(Value::Definition(Box::new(definition)));
            return;
        }
        let conclusion = match form {
            F::Membership | F::ConditionalMembership => ConclusionReading::Sort(take!(self, Sort)),
            _ => ConclusionReading::Term(take!(self, Term)),
        };
        let left = take!(self, Term);
        let label = parts.label.then(|| take!(self, Label));
        let statement = StatementReading { label, left, conclusion, condition, attributes };
        self.values.push(Value::Statement(Box::new(statement)));
    }

    fn take_args(&mut self, strategy: super::StrategyIndex) -> Vec<TermRef> {
        let n_args = self.description.strategies[strategy.index()].args.len();
        let mut args: Vec<TermRef> = (0..n_args).map(|_| take!(self, Term)).collect();
        args.reverse();
        args
    }

    fn push_strategy(&mut self, reading: StrategyReading, depth: usize) {
        self.deepest = self.deepest.max(depth);
        // Deeper ones are refused in the end; they are dropped at once, since dropping recurs.
        let reading = if self.too_deep() { StrategyReading::Idle } else { reading };
        self.values.push(Value::Strategy(StrategyValue { reading, depth, grouped: false }));
    }

    fn leave_strategy(&mut self, action: StrategyAction) {
        use StrategyAction as A;
        use StrategyReading as R;
        let mut depth = 1;
        let reading = match action {
            A::Idle => R::Idle,
            A::Fail => R::Fail,
            A::Group => {
                let inner = take!(self, Strategy);
                self.values.push(Value::Strategy(StrategyValue { grouped: true, ..inner }));
                return;
            }
            A::Apply { label, substitution, conditions } => {
                let (conditions, below) = match conditions {
                    true => take!(self, Strategies),
                    false => (Vec::new(), 0),
                };
                depth += below;
                let substitution = if substitution { take!(self, Assignments) } else { Vec::new() };
                R::Apply {
                    label,
                    substitution: substitution.into_iter().rev().collect(),
                    conditions: conditions.into_iter().rev().collect(),
                }
            }
            A::LastAssignment | A::Assignment => {
                let mut all = match action {
                    A::Assignment => take!(self, Assignments),
                    _ => Vec::new(),
                };
                let value = take!(self, Term);
                all.push((take!(self, Term), value));
                self.values.push(Value::Assignments(all));
                return;
            }
            A::LastConditionStrategy | A::ConditionStrategy => {
                let (mut all, deepest) = match action {
                    A::ConditionStrategy => take!(self, Strategies),
                    _ => (Vec::new(), 0),
                };
                let inner = take!(self, Strategy);
                all.push(inner.reading);
                self.values.push(Value::Strategies((all, deepest.max(inner.depth))));
                return;
            }
            A::LastItem | A::Item => {
                let (mut all, deepest) = match action {
                    A::Item => take!(self, Items),
                    _ => (Vec::new(), 0),
                };
                let inner = take!(self, Strategy);
                all.push((take!(self, Term), inner.reading));
                self.values.push(Value::Items((all, deepest.max(inner.depth))));
                return;
            }
            A::Test { kind, condition } => {
                let condition = self.take_condition(condition);
                R::Test { kind, pattern: take!(self, Term), condition }
            }
            A::MatchRewrite { kind, condition } => {
                let (items, below) = take!(self, Items);
                depth += below;
                let items = items.into_iter().rev().collect();
                let condition = self.take_condition(condition);
                R::MatchRewrite { kind, pattern: take!(self, Term), condition, items }
            }
            A::Call(strategy) => R::Call(strategy, self.take_args(strategy)),
            A::Sequence | A::Union => return self.leave_chain(matches!(action, A::Sequence)),
            A::OrElse => {
                let right = take!(self, Strategy);
                let left = take!(self, Strategy);
                let depth = left.depth.max(right.depth) + 1;
                let reading = R::OrElse(Box::new(left.reading), Box::new(right.reading));
                return self.push_strategy(reading, depth);
            }
            A::Branch => {
                let no = take!(self, Strategy);
                let yes = take!(self, Strategy);
                let test = take!(self, Strategy);
                let depth = test.depth.max(yes.depth).max(no.depth) + 1;
                let boxed = |s: StrategyValue| Box::new(s.reading);
                let reading = R::Branch(boxed(test), boxed(yes), boxed(no));
                return self.push_strategy(reading, depth);
            }
            A::Top | A::One | A::Not | A::Check | A::Try | A::Star | A::Plus | A::Normal => {
                let inner = take!(self, Strategy);
                let boxed = Box::new(inner.reading);
                let reading = match action {
                    A::Top => R::Top(boxed),
                    A::One => R::One(boxed),
                    A::Not => R::Not(boxed),
                    A::Check => R::Check(boxed),
                    A::Try => R::Try(boxed),
                    A::Star => R::Star(boxed),
                    A::Plus => R::Plus(boxed),
                    _ => R::Normal(boxed),
                };
                return self.push_strategy(reading, inner.depth + 1);
            }
        };
        self.push_strategy(reading, depth);
    }

    /// `a ; b ; c` and `a | b | c` are one strategy.
    fn leave_chain(&mut self, sequence: bool) {
        use StrategyReading as R;
        let right = take!(self, Strategy);
        let left = take!(self, Strategy);
        let depth = left.depth.max(right.depth);
        let mut all = match left.reading {
            R::Sequence(all) if sequence && !left.grouped => all,
            R::Union(all) if !sequence && !left.grouped => all,
            reading => vec![reading],
        };
        let n_before = all.len();
        match right.reading {
            R::Sequence(more) if sequence && !right.grouped => all.extend(more),
            R::Union(more) if !sequence && !right.grouped => all.extend(more),
            reading => all.push(reading),
        }
        let depth = if n_before == 1 { depth + 1 } else { depth };
        self.push_strategy(if sequence { R::Sequence(all) } else { R::Union(all) }, depth);
    }
}
