//! Carrying out a command: which one it is, and the module that it works in.

use super::evaluator::Evaluator;
use super::modules::Modules;
use super::reading::CommandReader;
use super::reports::Reports;
use crate::answer::{Answer, AnswerTerm, Settings};
use crate::diagnose::command as messages;
use crate::outside::Listener;
use crate::syntax::{ChoiceList, Command, CommandKind, Name, Span, Target, Token};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    /// It was carried out, or its trouble was reported.
    Fine,
    /// Its terms could not be read.
    NotRead,
    /// `eof`.
    EndOfFile,
    /// `quit`.
    Quit,
}

/// A command that is carried out, with the parts of the session that it works on.
pub(crate) struct Execution<'s> {
    pub modules: &'s mut Modules,
    pub evaluator: &'s mut Evaluator,
    pub reports: &'s mut Reports,
    pub settings: &'s mut Settings,
    pub listener: &'s mut dyn Listener,
    /// What the variables of a subject stand for, if they stand for a term.
    pub given: Option<&'s AnswerTerm>,
}

impl Execution<'_> {
    /// Carries out a command that is not about files.
    pub fn execute(&mut self, command: &Command) -> Done {
        let done = self.try_execute(command).unwrap_or(Done::NotRead);
        if let Some(stop) = self.reports.cut_short.take() {
            self.stopped(stop, command.span);
        }
        done
    }

    /// Nothing: terms could not be read, and this was reported.
    fn try_execute(&mut self, command: &Command) -> Option<Done> {
        let span = command.span;
        match &command.kind {
            CommandKind::Set { option, on } => {
                if let Some(what) = self.settings.set(option, *on, &self.modules.names) {
                    self.reports.report(messages::setting_without_effect(&what, span));
                }
            }
            CommandKind::Select { module } => {
                self.select(module, span);
            }
            CommandKind::Show { what, argument } => self.show(*what, argument, span),
            CommandKind::Parse { target, subject } => {
                let Some(module) = self.enter(target, span) else { return Some(Done::Fine) };
                let mut reader = self.reader(module);
                let term = reader.term(subject)?;
                let command = reader.close();
                let term = AnswerTerm::declared(&command.terms, &command.signature, term);
                self.answer(&Answer::Parsed(term));
            }
            CommandKind::Unsupported { name } => {
                self.reports.report(messages::unsupported(name, command.keyword.span));
            }
            CommandKind::ClearMemo { .. } => {}
            CommandKind::Choose { list, .. } => {
                let words = match list {
                    ChoiceList::Trace => "trace select",
                    ChoiceList::TraceExclude => "trace exclude",
                    ChoiceList::Break => "break select",
                    ChoiceList::Conceal => "print conceal",
                };
                self.reports.report(messages::setting_without_effect(words, span));
            }
            running => return self.run(running, command),
        }
        Some(Done::Fine)
    }

    /// Tells the listener an answer, after all messages before it.
    pub fn answer(&mut self, answer: &Answer) {
        self.reports.flush(&self.modules.sources, self.settings, self.listener);
        let cx = self.modules.context(self.settings).with_limits(&self.evaluator.limits);
        if let Err(stop) = self.listener.answer(answer, &cx) {
            self.reports.cut_short.get_or_insert(stop);
        }
    }

    /// Makes the module that tokens name ready and current.
    pub(super) fn select(&mut self, tokens: &[Token], span: Span) -> Option<Name> {
        let module = self.modules.named(tokens, span, self.reports)?;
        if !self.modules.make_ready(module, span, self.reports) {
            return None;
        }
        if self.modules.current != Some(module) {
            // What runs in another module cannot be continued.
            self.modules.current = Some(module);
            self.evaluator.forget();
        }
        Some(module)
    }

    /// The module of a command, ready and closed, and current from now on.
    pub(super) fn enter(&mut self, target: &Target, span: Span) -> Option<Name> {
        let tokens = target.module.as_deref().unwrap_or_default();
        let at = match (tokens.first(), tokens.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => span,
        };
        let module = self.select(tokens, at)?;
        self.modules.builder(self.reports).theory(module)?;
        Some(module)
    }

    /// What reads the terms of a command in a module that it has entered.
    pub(super) fn reader(&mut self, module: Name) -> CommandReader<'_> {
        let mut reader = CommandReader {
            modules: &mut *self.modules,
            reports: &mut *self.reports,
            settings: &*self.settings,
            module,
            given: self.given,
        };
        reader.begin();
        reader
    }
}
