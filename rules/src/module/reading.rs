//! Reading the statements of a module in its own grammar, and making its own theory of them.

use broth_engine::{Signature, StaticId, StaticTerms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::evaluate::{Cut, ModuleBuilder};
use super::flat::Flat;
use super::instantiate::{Instantiation, normalise_statement};
use super::loaded::{Body, Loaded, OwnStatement, Vocabulary};
use super::own::Own;
use super::{completion, similar, statements};
use crate::diagnose::module as messages;
use crate::diagnose::outer as outer_messages;
use crate::mixfix::messages as parse_messages;
use crate::mixfix::{ParseError, ParseErrorKind, StatementForm};
use crate::syntax::{self, Names, StatementKind, Token};

/// How many statements each operator that is not supported has taken with it.
pub type Dropped = FxHashMap<usize, usize>;

impl ModuleBuilder<'_> {
    /// Reads all statements of a module, unless one of them is to be cut.
    pub(super) fn read_statements(
        &mut self,
        own: &Own,
        loaded: &mut Loaded,
        source: &syntax::Module,
    ) -> Result<(), Cut> {
        let mut dropped = Dropped::default();
        for statement in &own.statements {
            if let Err(error) = self.read_statement(own, loaded, statement, &mut dropped) {
                self.not_read(own, loaded, source, statement, &error)?;
            }
        }
        self.report_refused(own, &loaded.flat, &dropped);
        Ok(())
    }

    /// Says which operators are dropped, and how many statements with them.
    fn report_refused(&mut self, own: &Own, flat: &Flat, dropped: &Dropped) {
        for (at, op) in flat.operators.iter().enumerate() {
            let Some(what) = &op.refused else { continue };
            let n_statements = dropped.get(&at).copied().unwrap_or(0);
            let first = &op.declarations[0];
            if first.id.0 == own.name || n_statements > 0 {
                let name = self.names.text(op.name);
                let dropped = match op.arity() > Signature::MOST_ARGUMENTS {
                    true => messages::too_many_arguments(what, name, n_statements, first.span),
                    false => messages::attribute_unsupported(what, name, n_statements, first.span),
                };
                self.diagnostics.push(dropped);
            }
        }
    }

    /// Says that a statement could not be read, unless it can be cut.
    fn not_read(
        &mut self,
        own: &Own,
        loaded: &Loaded,
        source: &syntax::Module,
        statement: &syntax::Statement,
        error: &ParseError,
    ) -> Result<(), Cut> {
        let separated = syntax::separate_statements(self.sources, self.names, own.kind, statement);
        if let Some((items, diagnostics)) = separated {
            let at = source.body.iter().position(
                |item| matches!(item, syntax::Item::Statement(s) if s.span == statement.span),
            );
            let at = at.expect("the statements of a module stand in its body");
            return Err(Cut { at, items, diagnostics });
        }
        let module = self.names.text(own.name);
        if let Some((label, next)) = unfinished_label(statement, self.names, error) {
            let (label, found) = (self.names.text(label.name), self.names.text(next.name));
            let label = format!("the label `{label}`");
            self.diagnostics.push(outer_messages::expected("`:`", found, &label, next.span));
            return Ok(());
        }
        let hint = |error: &ParseError| {
            condition_hint(statement, self.names, error).or_else(|| {
                similar::hint(loaded, self.names, self.sources, error, &statement.tokens)
            })
        };
        let message = parse_messages::no_parse(error, &statement.tokens, module, self.names, hint);
        self.diagnostics.push(message);
        Ok(())
    }

    /// Reads one statement into the module's own theory.
    fn read_statement(
        &mut self,
        own: &Own,
        loaded: &mut Loaded,
        statement: &syntax::Statement,
        dropped: &mut Dropped,
    ) -> Result<(), ParseError> {
        if statement.kind == StatementKind::StrategyDefinition {
            return self.read_definition(own, loaded, statement, dropped);
        }
        let reading = loaded.grammar.statement(form(statement), &statement.tokens, self.names)?;
        if reading.other.is_some() {
            self.diagnostics.push(parse_messages::ambiguous_statement(statement.span));
        }
        let mut attributes = if reading.value.attributes.is_empty() {
            statements::attributes(
                &syntax::Statement { attributes: Vec::new(), ..statement.clone() },
                reading.value.label,
                own.kind,
                self.diagnostics,
            )
        } else {
            statements::attributes(statement, reading.value.label, own.kind, self.diagnostics)
        };
        let raw = Instantiation {
            origin: &loaded.origin,
            flat: &mut loaded.flat,
            signature: &mut loaded.vocabulary.signature,
            terms: &mut loaded.vocabulary.terms,
            names: self.names,
        }
        .raw_statement(&reading.tree, &reading.value);
        if let Some(refused) = refused_operator(&loaded.flat, &loaded.vocabulary.terms, &raw.all())
        {
            *dropped.entry(refused).or_default() += 1;
            return Ok(());
        }
        let completed = if own.kind.is_object_oriented() && !attributes.dnt {
            completion::complete(self, loaded, &raw, statement.span)
        } else {
            None
        };
        let (raw, body) = match completed {
            Some(terms) => (terms.clone(), Body::Completed(terms)),
            None => (raw, Body::Read(reading.tree, reading.value)),
        };
        let mut own_statement = OwnStatement {
            kind: statement.kind,
            attributes: attributes.clone(),
            span: statement.span,
            body,
            unusable: false,
        };
        let Vocabulary { signature, terms } = &mut loaded.vocabulary;
        let mut made = normalise_statement(signature, terms, &raw, &own_statement);
        if !attributes.nonexec {
            let mut fragments = Vec::new();
            let found = statements::unbound_variable(terms, &made.terms, &mut |at| {
                fragments.push(at);
            });
            for _ in fragments {
                self.diagnostics.push(messages::all_bound(statement.span));
            }
            if let Some(variable) = found {
                let text =
                    statements::variable_text(&loaded.flat, signature, terms, self.names, variable);
                let place = statements::place_of(statement, &text, self.names);
                let label = attributes.label.filter(|_| statement.kind == StatementKind::Rule);
                let label = label.map(|label| self.names.text(label));
                let what = statements::word(statement.kind);
                self.diagnostics.push(messages::unbound_in_statement(&text, what, label, place));
                if statement.kind == StatementKind::Rule {
                    attributes.nonexec = true;
                } else {
                    own_statement.unusable = true;
                }
            } else if statements::may_collapse(signature, terms, made.terms.left) {
                self.diagnostics.push(messages::collapses(statement.span));
            }
        }
        own_statement.attributes = attributes.clone();
        made.attributes = attributes;
        made.unusable = own_statement.unusable;
        loaded.statements.push(own_statement);
        loaded.own_theory.push(made);
        Ok(())
    }

    fn read_definition(
        &mut self,
        own: &Own,
        loaded: &mut Loaded,
        statement: &syntax::Statement,
        dropped: &mut Dropped,
    ) -> Result<(), ParseError> {
        let reading =
            loaded.grammar.definition(statement.conditional, &statement.tokens, self.names)?;
        if reading.other.is_some() {
            self.diagnostics.push(parse_messages::ambiguous_statement(statement.span));
        }
        let definition = Instantiation {
            origin: &loaded.origin,
            flat: &mut loaded.flat,
            signature: &mut loaded.vocabulary.signature,
            terms: &mut loaded.vocabulary.terms,
            names: self.names,
        }
        .definition(&reading.tree, &reading.value);
        let terms = &definition.parameters;
        if let Some(refused) = refused_operator(&loaded.flat, &loaded.vocabulary.terms, terms) {
            *dropped.entry(refused).or_default() += 1;
            return Ok(());
        }
        let attributes = statements::attributes(statement, None, own.kind, self.diagnostics);
        let terms = &loaded.vocabulary.terms;
        let mut bound: Vec<_> = Vec::new();
        for &parameter in &definition.parameters {
            terms.collect_variables(parameter, &mut bound);
        }
        let trouble =
            statements::unbound_in_condition(terms, &definition.condition, &mut bound, &mut |_| {})
                .map(super::strategies::StrategyTrouble::Unbound)
                .or_else(|| super::strategies::trouble(terms, &definition.body, &bound));
        if let Some(trouble) = trouble {
            loaded.update_notation();
            let Vocabulary { signature, terms } = &loaded.vocabulary;
            let text = statements::term_text(loaded, signature, terms, self.names, trouble.term());
            let tokens = (&statement.tokens[..], &*self.names);
            self.diagnostics.push(trouble.message(
                &text,
                "this definition",
                tokens,
                statement.span,
            ));
            return Ok(());
        }
        if !attributes.nonexec {
            loaded.own_definitions.push((definition, attributes.clone()));
        }
        loaded.statements.push(OwnStatement {
            kind: statement.kind,
            attributes,
            span: statement.span,
            body: Body::Definition(reading.tree, reading.value),
            unusable: false,
        });
        Ok(())
    }
}

/// The label of a statement that cannot be read for want of a colon, and what stands in its place.
fn unfinished_label(
    statement: &syntax::Statement,
    names: &Names,
    error: &ParseError,
) -> Option<(Token, Token)> {
    let [open, label, close, next, ..] = statement.tokens[..] else { return None };
    let labelled = names.text(open.name) == "[" && names.text(close.name) == "]";
    let stops_there = match error.kind {
        ParseErrorKind::UnknownStrategy => error.token == 1,
        ParseErrorKind::UnexpectedToken => error.token == 3,
        _ => false,
    };
    (labelled && stops_there && names.text(next.name) != ":").then_some((label, next))
}

/// A hint at the keyword of a statement with a condition, where an `if` does not fit.
fn condition_hint(
    statement: &syntax::Statement,
    names: &Names,
    error: &ParseError,
) -> Option<String> {
    let mut rest = statement.tokens[error.token..].iter().map(|token| names.text(token.name));
    if statement.conditional || rest.next() != Some("if") || rest.any(|word| word == "then") {
        return None;
    }
    let what = statements::word(statement.kind);
    let article = if statement.kind == StatementKind::Equation { "an" } else { "a" };
    let keyword = names.text(statement.keyword.name);
    Some(format!("{article} {what} with a condition begins with `c{keyword}`"))
}

/// An operator that is dropped and occurs in one of the terms.
pub fn refused_operator(flat: &Flat, terms: &StaticTerms, roots: &[StaticId]) -> Option<usize> {
    let mut seen = FxHashSet::default();
    let mut stack = roots.to_vec();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        let at = flat.by_symbol.get(&terms.node(t).symbol());
        if let Some(&at) = at.filter(|&&at| flat.operators[at].refused.is_some()) {
            return Some(at);
        }
        stack.extend(terms.args(t));
    }
    None
}

fn form(statement: &syntax::Statement) -> StatementForm {
    match (statement.kind, statement.conditional) {
        (StatementKind::Equation, false) => StatementForm::Equation,
        (StatementKind::Equation, true) => StatementForm::ConditionalEquation,
        (StatementKind::Membership, false) => StatementForm::Membership,
        (StatementKind::Membership, true) => StatementForm::ConditionalMembership,
        (StatementKind::Rule, false) => StatementForm::Rule,
        (StatementKind::Rule, true) => StatementForm::ConditionalRule,
        (StatementKind::StrategyDefinition, false) => StatementForm::StrategyDefinition,
        (StatementKind::StrategyDefinition, true) => StatementForm::ConditionalStrategyDefinition,
    }
}
