//! Reading the terms, conditions and strategies of a command.

use std::sync::Arc;

use broth_engine::{CommandTerms, Expr, Fragment, StaticId, StaticTerms, StrategyId};

use super::modules::Modules;
use super::reports::Reports;
use crate::answer::{AnswerTerm, Settings};
use crate::diagnose::{command as messages, module as module_messages};
use crate::mixfix::{ParseError, messages as parse_messages};
use crate::module::{Vocabulary, hint, refused_operator, strategy_trouble, unbound_in_condition};
use crate::syntax::{Name, Span, Token};

const READY: &str = "the module of a command is ready";

/// Reads the parts of a command in a module that is ready and closed. Where a part cannot be read,
/// the answer is nothing, and why stands in the reports.
pub(super) struct CommandReader<'r> {
    pub modules: &'r mut Modules,
    pub reports: &'r mut Reports,
    pub settings: &'r Settings,
    /// The module.
    pub module: Name,
    /// What the variables of the subject stand for, if they stand for a term.
    pub given: Option<&'r AnswerTerm>,
}

impl CommandReader<'_> {
    /// Forgets the terms of the last command, to read another one.
    pub fn begin(&mut self) {
        let loaded = self.modules.loaded_mut(self.module);
        loaded.begin_command();
        let theory = loaded.theory.as_ref();
        let terms = theory.and_then(|theory| self.given?.terms_over(&theory.engine));
        match terms {
            Some(terms) => loaded.vocabulary.terms = StaticTerms::over(Arc::clone(terms)),
            None => self.given = None,
        }
    }

    /// The terms that have been read.
    pub fn close(&mut self) -> CommandTerms {
        self.modules.loaded_mut(self.module).command_terms()
    }

    /// A term as it stands.
    pub fn term(&mut self, bubble: &[Token]) -> Option<StaticId> {
        let loaded = self.modules.library.loaded_mut(self.module).expect(READY);
        let reading = match loaded.grammar.term(None, bubble, &mut self.modules.names) {
            Ok(reading) => reading,
            Err(error) => {
                self.no_parse(&error, bubble);
                return None;
            }
        };
        let first = self.modules.instantiation(self.module).raw(&reading.tree, reading.value);
        if self.uses_refused(&[first], bubble) {
            return None;
        }
        if let Some((tree, term)) = reading.other {
            let second = self.modules.instantiation(self.module).raw(&tree, term);
            self.ambiguous(first, second, bubble);
        }
        Some(first)
    }

    /// A subject: partially normalised.
    pub fn subject(&mut self, bubble: &[Token]) -> Option<StaticId> {
        let raw = self.term(bubble)?;
        let partial = self.partial(raw);
        let Some(given) = self.given else { return Some(partial) };
        let Vocabulary { signature, terms } = &mut self.modules.loaded_mut(self.module).vocabulary;
        let kind = |term| signature.symbol(terms.node(term).symbol()).range;
        let mut variables = terms.variables(partial);
        variables.retain(|&variable| kind(variable) == kind(given.id()));
        let bindings = variables.into_iter().map(|variable| (variable, given.id())).collect();
        Some(terms.substitute(signature, partial, &bindings))
    }

    /// The partial normal form of a term as it was read.
    pub fn partial(&mut self, term: StaticId) -> StaticId {
        self.modules.loaded_mut(self.module).vocabulary.partial(term)
    }

    /// The full normal form of a term as it was read.
    pub fn full(&mut self, term: StaticId) -> StaticId {
        self.modules.loaded_mut(self.module).vocabulary.full(term)
    }

    /// Two terms of one kind, as they stand.
    pub fn pair(&mut self, left: &[Token], right: &[Token]) -> Option<(StaticId, StaticId)> {
        let loaded = self.modules.library.loaded_mut(self.module).expect(READY);
        let reading = match loaded.grammar.pair(left, right, &mut self.modules.names) {
            Ok(reading) => reading,
            Err(error) => {
                let all: Vec<Token> = left.iter().chain(right).copied().collect();
                self.no_parse(&error, &all);
                return None;
            }
        };
        let (a, b) = reading.value;
        let mut cx = self.modules.instantiation(self.module);
        let pair = (cx.raw(&reading.tree, a), cx.raw(&reading.tree, b));
        if self.uses_refused(&[pair.0, pair.1], left) {
            return None;
        }
        if let Some((tree, (a, b))) = reading.other {
            let mut cx = self.modules.instantiation(self.module);
            let other = (cx.raw(&tree, a), cx.raw(&tree, b));
            if other.0 != pair.0 {
                self.ambiguous(pair.0, other.0, left);
            } else {
                self.ambiguous(pair.1, other.1, right);
            }
        }
        Some(pair)
    }

    /// A condition, normalised; `rewriting` admits fragments with `=>`.
    pub fn condition(
        &mut self,
        rewriting: bool,
        bubble: Option<&[Token]>,
    ) -> Option<Vec<Fragment>> {
        let Some(bubble) = bubble else { return Some(Vec::new()) };
        let loaded = self.modules.library.loaded_mut(self.module).expect(READY);
        let reading = match loaded.grammar.condition(rewriting, bubble, &mut self.modules.names) {
            Ok(reading) => reading,
            Err(error) => {
                self.no_parse(&error, bubble);
                return None;
            }
        };
        if reading.other.is_some() {
            self.reports.report(parse_messages::ambiguous_statement(span_of(bubble)));
        }
        Some(self.modules.instantiation(self.module).condition(&reading.tree, &reading.value))
    }

    /// The variables that a pattern and a condition bind, in order; nothing if one is used before
    /// it is bound, which is reported.
    pub fn bound(
        &mut self,
        pattern: StaticId,
        condition: &[Fragment],
        word: &str,
        span: Span,
    ) -> Option<Vec<StaticId>> {
        let terms = &self.modules.loaded(self.module).vocabulary.terms;
        let mut bound = terms.variables(pattern);
        let trouble = unbound_in_condition(terms, condition, &mut bound, &mut |_| {});
        if let Some(variable) = trouble {
            let name = self.text(variable);
            let place = format!("the condition of {word}");
            self.reports.report(messages::unbound(&name, &place, span));
            return None;
        }
        Some(bound)
    }

    /// A strategy expression.
    pub fn strategy(&mut self, bubble: &[Token]) -> Option<Expr> {
        let loaded = self.modules.library.loaded_mut(self.module).expect(READY);
        let reading = match loaded.grammar.strategy(bubble, &mut self.modules.names) {
            Ok(reading) => reading,
            Err(error) => {
                self.no_parse(&error, bubble);
                return None;
            }
        };
        if reading.other.is_some() {
            self.reports.report(parse_messages::ambiguous_strategy(span_of(bubble)));
        }
        Some(self.modules.instantiation(self.module).strategy(&reading.tree, &reading.value))
    }

    /// Whether a strategy can be run; what is wrong with it is reported.
    pub fn check_strategy(&mut self, strategy: &Expr, bubble: &[Token], span: Span) -> bool {
        let terms = &self.modules.loaded(self.module).vocabulary.terms;
        if let Some(trouble) = strategy_trouble(terms, strategy, &[]) {
            let text = self.text(trouble.term());
            let tokens = (bubble, &self.modules.names);
            self.reports.report(trouble.message(&text, "the strategy", tokens, span));
            return false;
        }
        self.report_undefined(strategy, span);
        true
    }

    /// Reports which strategies a command calls that have no definition.
    fn report_undefined(&mut self, strategy: &Expr, span: Span) {
        let loaded = self.modules.loaded(self.module);
        let mut called = Vec::new();
        called_strategies(strategy, &mut called);
        for id in called.into_iter().filter(|id| !loaded.defined.contains(id)) {
            let name = loaded.flat.strategies[id.0 as usize].name;
            let text = self.modules.names.text(name);
            self.reports.report(messages::undefined_strategy(text, span));
        }
    }

    /// Reports that a bubble could not be read.
    fn no_parse(&mut self, error: &ParseError, bubble: &[Token]) {
        let Modules { names, sources, .. } = &*self.modules;
        let module = names.text(self.module);
        let loaded = self.modules.loaded(self.module);
        let hint = |error: &ParseError| {
            let first = bubble.first().filter(|_| error.token == 0);
            first
                .and_then(|token| misread_beginning(names.text(token.name)))
                .or_else(|| hint(loaded, names, sources, error, bubble))
        };
        let message = parse_messages::no_parse(error, bubble, module, names, hint);
        self.reports.unread.push(message);
    }

    /// Whether terms use an operator that was dropped, which is then reported.
    fn uses_refused(&mut self, terms: &[StaticId], bubble: &[Token]) -> bool {
        let loaded = self.modules.loaded(self.module);
        let flat = &loaded.flat;
        let Some(at) = refused_operator(flat, &loaded.vocabulary.terms, terms) else {
            return false;
        };
        let op = &flat.operators[at];
        let what = op.refused.as_deref().unwrap_or_default();
        let name = self.modules.names.text(op.name);
        self.reports.unread.push(module_messages::uses_dropped(name, what, span_of(bubble)));
        true
    }

    /// Reports that there are two readings.
    fn ambiguous(&mut self, first: StaticId, second: StaticId, bubble: &[Token]) {
        let (first, second) = (self.text(first), self.text(second));
        self.reports.report(parse_messages::ambiguous_term(&first, &second, span_of(bubble)));
    }

    /// A term that has been read, as text.
    fn text(&mut self, term: StaticId) -> String {
        let vocabulary = &self.modules.loaded(self.module).vocabulary;
        let terms = Arc::new(vocabulary.terms.clone());
        let term = AnswerTerm::declared(&terms, &vocabulary.signature, term);
        self.modules.context(self.settings).term(&term)
    }
}

fn span_of(bubble: &[Token]) -> Span {
    bubble[0].span.to(bubble[bubble.len() - 1].span)
}

/// A hint at how a command begins, for one whose term begins with what stands before terms.
fn misread_beginning(word: &str) -> Option<String> {
    let hint = match word {
        "[" => "if this is a bound, it is a positive number: `[5]`, or `[5, 10]` for two of them",
        "in" => "a module to work in stands between `in` and ` : `",
        _ => return None,
    };
    Some(hint.to_owned())
}

/// The strategies that an expression calls itself, each once.
fn called_strategies(strategy: &Expr, called: &mut Vec<StrategyId>) {
    match strategy {
        Expr::Idle | Expr::Fail | Expr::Test { .. } => {}
        Expr::Apply(application) => {
            application.conditions.iter().for_each(|s| called_strategies(s, called));
        }
        Expr::Sequence(list) | Expr::Union(list) => {
            list.iter().for_each(|s| called_strategies(s, called));
        }
        Expr::OrElse(a, b) => [a, b].into_iter().for_each(|s| called_strategies(s, called)),
        Expr::Branch(a, b, c) => [a, b, c].into_iter().for_each(|s| called_strategies(s, called)),
        Expr::Star(s)
        | Expr::Plus(s)
        | Expr::Normal(s)
        | Expr::One(s)
        | Expr::Not(s)
        | Expr::Check(s)
        | Expr::Try(s) => called_strategies(s, called),
        Expr::MatchRewrite { items, .. } => {
            items.iter().for_each(|item| called_strategies(&item.strategy, called));
        }
        Expr::Call(id, _) => {
            if !called.contains(id) {
                called.push(*id);
            }
        }
    }
}
