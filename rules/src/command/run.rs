//! Carrying out commands that do not run the engine, and finding what the others work on.

use broth_engine::{CommandTerms, Fragment, StaticId, Worker};

use super::Answer;
use crate::diagnose::{command as say, module as module_say};
use crate::mixfix::{ParseError, messages as parse_say};
use crate::module::{Instantiation, Loaded, Trouble, hint, refused_operator};
use crate::outside::Listener;
use crate::session::{Done, Session};
use crate::syntax::{ChoiceList, Command, CommandKind, DirectoryAction, Name, Span, Target, Token};

/// The module that a command works in, ready and closed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The module.
    pub module: Name,
}

impl Session {
    /// Carries out a command.
    pub(crate) fn execute(&mut self, command: &Command, listener: &mut dyn Listener) -> Done {
        self.try_execute(command, listener).unwrap_or(Done::NotRead)
    }

    /// Nothing: terms could not be read, and this was said.
    fn try_execute(&mut self, command: &Command, listener: &mut dyn Listener) -> Option<Done> {
        let span = command.span;
        match &command.kind {
            CommandKind::Load { mode, path } => {
                return Some(match self.load_file(path, Some(span), *mode, listener) {
                    crate::session::Flow::Continue => Done::Fine,
                    crate::session::Flow::Quit => Done::Quit,
                });
            }
            CommandKind::Quit => return Some(Done::Quit),
            CommandKind::Eof => return Some(Done::EndOfFile),
            CommandKind::Set { option, on } => {
                if let Some(what) = self.settings.set(option, *on, &self.names) {
                    self.say.push(say::setting_without_effect(&what, span));
                }
            }
            CommandKind::Directory { action, path } => {
                self.directory_command(*action, path.as_deref(), span, listener);
            }
            CommandKind::Select { module } => {
                let module = self.module_name(module, span);
                if let Some(module) = module
                    && self.make_ready(module, span)
                {
                    self.make_current(module);
                }
            }
            CommandKind::Show { what, argument } => self.show(*what, argument, span, listener),
            CommandKind::Parse { target, subject } => {
                let place = self.place(target, span);
                let Some(place) = place else { return Some(Done::Fine) };
                let term = self.read_term(place, subject)?;
                let value = self.raw_value(place.module, term);
                self.answer(listener, &Answer::Parsed(value));
            }
            CommandKind::Unsupported { name } => {
                self.say.push(say::unsupported(name, command.keyword.span));
            }
            CommandKind::ClearMemo { .. } => {}
            CommandKind::Choose { list, .. } => {
                let words = match list {
                    ChoiceList::Trace => "trace select",
                    ChoiceList::TraceExclude => "trace exclude",
                    ChoiceList::Break => "break select",
                    ChoiceList::Conceal => "print conceal",
                };
                self.say.push(say::setting_without_effect(words, span));
            }
            running => return self.run(running, command, listener),
        }
        Some(Done::Fine)
    }

    fn directory_command(
        &mut self,
        action: DirectoryAction,
        path: Option<&str>,
        span: Span,
        listener: &mut dyn Listener,
    ) {
        let before = self.current_directory();
        match action {
            DirectoryAction::Print => {}
            DirectoryAction::Pop => self.pop_directory(),
            DirectoryAction::Change | DirectoryAction::Push => {
                if action == DirectoryAction::Push {
                    self.push_directory();
                }
                if let Some(path) = path
                    && self.change_directory(path).is_none()
                {
                    if action == DirectoryAction::Push {
                        self.pop_directory();
                    }
                    self.say.push(say::no_directory(path, span));
                }
                return;
            }
        }
        let now = self.current_directory();
        if action == DirectoryAction::Print || now != before {
            self.answer(listener, &Answer::Text(format!("{now}\n")));
        }
    }

    /// Tells the listener an answer, after all messages before it.
    pub(super) fn answer(&mut self, listener: &mut dyn Listener, answer: &Answer) {
        self.flush(listener);
        listener.answer(answer, &self.settings);
    }

    /// The name of a module in a command.
    pub(super) fn module_name(&mut self, tokens: &[Token], span: Span) -> Option<Name> {
        match tokens {
            [token] => Some(token.name),
            [] => {
                let current = self.current;
                if current.is_none() {
                    self.say.push(say::no_current_module(span));
                }
                current
            }
            _ => {
                self.say.push(say::expression_in_command(span));
                None
            }
        }
    }

    /// Makes a module ready; if that cannot be done, says why.
    pub(super) fn make_ready(&mut self, module: Name, span: Span) -> bool {
        let text = self.names.text(module).to_owned();
        match self.module_builder().require(module, span) {
            Ok(()) => true,
            Err(trouble) => {
                self.say.push(match trouble {
                    Trouble::Unknown => module_say::no_module(&text, span),
                    Trouble::Missing => module_say::missing_library_module(&text, span),
                    Trouble::Unusable => module_say::unusable(&text, span),
                });
                false
            }
        }
    }

    /// Makes a module current. What runs in another one cannot be continued.
    pub(super) fn make_current(&mut self, module: Name) {
        if self.current != Some(module) {
            self.current = Some(module);
            self.running = None;
            self.worker = None;
        }
    }

    /// The module of a command, ready and closed, and current from now on.
    pub(super) fn place(&mut self, target: &Target, span: Span) -> Option<Place> {
        let tokens = target.module.as_deref().unwrap_or_default();
        let at = match (tokens.first(), tokens.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => span,
        };
        let module = self.module_name(tokens, at)?;
        if !self.make_ready(module, at) {
            return None;
        }
        self.make_current(module);
        self.module_builder().theory(module)?;
        let loaded = self.library.loaded_mut(module).expect("the module of a command is ready");
        loaded.begin_command();
        Some(Place { module })
    }

    /// The terms of a command that has been read, and the worker that runs it.
    pub(super) fn closed(&mut self, place: Place) -> (CommandTerms, &mut Worker) {
        let loaded = self.library.loaded_mut(place.module).expect("the module is ready");
        let command = loaded.command_terms();
        let theory = &loaded.theory.as_ref().expect("the module of a command is closed").engine;
        let (signature, plain) = (&command.signature, !self.settings.optimize);
        let fits = |worker: &Worker| worker.serves(theory, signature, plain);
        let worker = match self.worker.take().filter(fits) {
            Some(worker) => self.worker.insert(worker),
            None => self.worker.insert(Worker::new(theory, signature, plain)),
        };
        worker.set_limits(self.limits.clone());
        worker.set_clear_turns(self.settings.clear_rules);
        (command, worker)
    }

    /// The module that is ready.
    pub(super) fn loaded(&self, module: Name) -> &Loaded {
        self.library.loaded(module).expect("the module of a command is ready")
    }

    /// Everything that turns readings into terms of a module.
    pub(super) fn instantiation(&mut self, module: Name) -> Instantiation<'_> {
        let loaded = self.library.loaded_mut(module).expect("the module of a command is ready");
        Instantiation {
            origin: &loaded.origin,
            flat: &mut loaded.flat,
            signature: &mut loaded.vocabulary.signature,
            terms: &mut loaded.vocabulary.terms,
            names: &self.names,
        }
    }

    /// Says that a bubble could not be read.
    pub(super) fn no_parse(&mut self, place: Place, error: &ParseError, bubble: &[Token]) {
        let module = self.names.text(place.module);
        let loaded = self.loaded(place.module);
        let hint = |error: &ParseError| {
            let first = bubble.first().filter(|_| error.token == 0);
            first
                .and_then(|token| misread_beginning(self.names.text(token.name)))
                .or_else(|| hint(loaded, &self.names, &self.sources, error, bubble))
        };
        let message = parse_say::no_parse(error, bubble, module, &self.names, hint);
        self.unread.push(message);
    }

    /// Reads a term as it stands.
    pub(super) fn read_term(&mut self, place: Place, bubble: &[Token]) -> Option<StaticId> {
        let loaded = self.library.loaded_mut(place.module).expect("the module is ready");
        let reading = match loaded.grammar.term(None, bubble, &mut self.names) {
            Ok(reading) => reading,
            Err(error) => {
                self.no_parse(place, &error, bubble);
                return None;
            }
        };
        let first = self.instantiation(place.module).raw(&reading.tree, reading.value);
        if self.uses_refused(place, &[first], bubble) {
            return None;
        }
        if let Some((tree, term)) = reading.other {
            let second = self.instantiation(place.module).raw(&tree, term);
            self.ambiguous(place, first, second, bubble);
        }
        Some(first)
    }

    /// Whether terms use an operator that was dropped, which is then said.
    fn uses_refused(&mut self, place: Place, terms: &[StaticId], bubble: &[Token]) -> bool {
        let loaded = self.loaded(place.module);
        let flat = &loaded.flat;
        let Some(at) = refused_operator(flat, &loaded.vocabulary.terms, terms) else {
            return false;
        };
        let op = &flat.operators[at];
        let what = op.refused.as_deref().unwrap_or_default();
        let span = bubble[0].span.to(bubble[bubble.len() - 1].span);
        let message = module_say::uses_dropped(self.names.text(op.name), what, span);
        self.unread.push(message);
        true
    }

    /// Says that there are two readings.
    pub(super) fn ambiguous(
        &mut self,
        place: Place,
        first: StaticId,
        second: StaticId,
        bubble: &[Token],
    ) {
        let first = self.raw_value(place.module, first);
        let second = self.raw_value(place.module, second);
        let span = bubble[0].span.to(bubble[bubble.len() - 1].span);
        self.say.push(parse_say::ambiguous_term(&first.term, &second.term, span));
    }

    /// Reads two terms of one kind, as they stand.
    pub(super) fn read_pair(
        &mut self,
        place: Place,
        left: &[Token],
        right: &[Token],
    ) -> Option<(StaticId, StaticId)> {
        let loaded = self.library.loaded_mut(place.module).expect("the module is ready");
        let reading = match loaded.grammar.pair(left, right, &mut self.names) {
            Ok(reading) => reading,
            Err(error) => {
                let all: Vec<Token> = left.iter().chain(right).copied().collect();
                self.no_parse(place, &error, &all);
                return None;
            }
        };
        let (a, b) = reading.value;
        let mut cx = self.instantiation(place.module);
        let pair = (cx.raw(&reading.tree, a), cx.raw(&reading.tree, b));
        if self.uses_refused(place, &[pair.0, pair.1], left) {
            return None;
        }
        if let Some((tree, (a, b))) = reading.other {
            let mut cx = self.instantiation(place.module);
            let other = (cx.raw(&tree, a), cx.raw(&tree, b));
            if other.0 != pair.0 {
                self.ambiguous(place, pair.0, other.0, left);
            } else {
                self.ambiguous(place, pair.1, other.1, right);
            }
        }
        Some(pair)
    }

    /// Reads a condition, normalised; `rewriting` admits fragments with `=>`.
    pub(super) fn read_condition(
        &mut self,
        place: Place,
        rewriting: bool,
        bubble: Option<&[Token]>,
    ) -> Option<Vec<Fragment>> {
        let Some(bubble) = bubble else { return Some(Vec::new()) };
        let loaded = self.library.loaded_mut(place.module).expect("the module is ready");
        let reading = match loaded.grammar.condition(rewriting, bubble, &mut self.names) {
            Ok(reading) => reading,
            Err(error) => {
                self.no_parse(place, &error, bubble);
                return None;
            }
        };
        if reading.other.is_some() {
            let span = bubble[0].span.to(bubble[bubble.len() - 1].span);
            self.say.push(parse_say::ambiguous_statement(span));
        }
        Some(self.instantiation(place.module).condition(&reading.tree, &reading.value))
    }
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
