//! A session: modules, settings, the current module, and the engine that they live in.
//!
//! A session holds all state; two sessions never meet. Texts are read entry by entry, and each
//! entry is carried out before the next one is read. Whatever is wrong is said to the listener, and
//! reading goes on.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use broth_engine::{Hooks, Limits, Stop, Worker, catch_stop};

use crate::answer::{Answer, AnswerTerm, Settings};
use crate::command::{Done, Evaluator, Execution, Modules, Reports, Status};
use crate::diagnose::{command as messages, merge_by_place, tokens as token_messages};
use crate::module::Library;
use crate::outside::{Clock, Files, Listener, Located, Unreadable};
use crate::prelude;
use crate::report::SEPARATOR;
use crate::syntax::{
    Command, CommandKind, DirectoryAction, Entry, FileId, ImportMode, LoadMode, Module, Names,
    Reader, Reading, Sources, Span, decode,
};

/// The deepest nesting of files.
const MAX_NESTING: usize = 99;

/// Whether reading goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// It does.
    Continue,
    /// Somebody said `quit`.
    Quit,
}

/// A session.
pub struct Session {
    pub(crate) modules: Modules,
    pub(crate) evaluator: Evaluator,
    reports: Reports,
    settings: Settings,
    /// What the variables of subjects stand for, while a text about a term is read.
    given: Option<AnswerTerm>,
    files: Box<dyn Files>,
    builtin_files: Vec<(&'static str, &'static str)>,
    /// The files that are being read, the innermost last.
    reading: Vec<Located>,
    /// Whether what is read is announced, as `in` does it at the top level.
    announcing: bool,
    /// All files that have been read.
    seen: HashSet<String>,
    directory: String,
    pushed: Vec<String>,
}

impl Session {
    /// A session in which nothing has been read.
    pub fn new(files: Box<dyn Files>, clock: Box<dyn Clock>) -> Session {
        Session::with_hooks(files, clock, Hooks::default())
    }

    /// The same where operators may have other hooks besides those of the engine.
    pub fn with_hooks(files: Box<dyn Files>, clock: Box<dyn Clock>, hooks: Hooks) -> Session {
        let mut names = Names::new();
        let settings = Settings::new(&mut names);
        let current = Some(names.intern(prelude::FIRST_MODULE));
        let library = Library::new(hooks);
        let evaluator = Evaluator::new(clock);
        let limits = evaluator.limits.clone();
        Session {
            modules: Modules { library, names, sources: Sources::new(), current, limits },
            evaluator,
            reports: Reports::default(),
            settings,
            given: None,
            files,
            builtin_files: Vec::new(),
            reading: Vec::new(),
            announcing: false,
            seen: HashSet::new(),
            directory: ".".to_owned(),
            pushed: Vec::new(),
        }
    }

    /// Adds a file that `load` and `sload` find under this name before they look at the disk.
    pub fn add_builtin_file(&mut self, name: &'static str, text: &'static str) {
        self.builtin_files.push((name, text));
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The settings, to change.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// What has happened so far.
    pub fn status(&self) -> Status {
        self.reports.status
    }

    /// How often the rules with each label were applied by the last command, in the order in which
    /// the labels came up. Rules without a label are left out.
    pub fn rule_applications(&self) -> Vec<(String, u64)> {
        let Modules { library, names, current, .. } = &self.modules;
        let Some(loaded) = current.and_then(|module| library.loaded(module)) else {
            return Vec::new();
        };
        let counts = self.evaluator.worker.iter().flat_map(Worker::rule_applications);
        counts
            .filter_map(|(label, count)| {
                let name = *loaded.flat.name_texts.get(&label)?;
                Some((names.text(name).to_owned(), count))
            })
            .collect()
    }

    /// Setting this flag stops the running command, and the reading of what follows it; whoever goes
    /// on with the session clears it.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        self.evaluator.limits.interrupt()
    }

    /// Lets the process hold no more than `bytes` bytes of memory: a command that needs more ends with
    /// a message, and the next one goes on. `held` tells how many bytes the process holds; where
    /// they are no more than those that it is given, it need not be exact.
    pub fn set_memory_limit(
        &mut self,
        bytes: u64,
        held: impl Fn(u64) -> u64 + Send + Sync + 'static,
    ) {
        self.evaluator.limits.set_memory(bytes, held);
        self.modules.limits = self.evaluator.limits.clone();
    }

    /// Reads a file that the command line names.
    pub fn load(&mut self, name: &str, listener: &mut dyn Listener) -> Flow {
        self.load_file(name, None, LoadMode::Load, listener)
    }

    /// Reads a text. `name` is what messages call it.
    pub fn read(&mut self, name: &str, text: &str, listener: &mut dyn Listener) -> Flow {
        let file = self.modules.sources.add(name, text.strip_prefix('\u{feff}').unwrap_or(text));
        self.read_source(file, listener)
    }

    /// Reads a text about a term that was answered in the current module: the variables in the
    /// subjects of its commands stand for that term, if they are of its kind.
    pub fn read_about(
        &mut self,
        term: &AnswerTerm,
        name: &str,
        text: &str,
        listener: &mut dyn Listener,
    ) -> Flow {
        self.given = Some(term.clone());
        let flow = self.read(name, text, listener);
        self.given = None;
        flow
    }

    /// Reads a text that comes as bytes.
    pub fn read_bytes(&mut self, name: &str, bytes: &[u8], listener: &mut dyn Listener) -> Flow {
        match self.add_text(name, bytes, name, None) {
            Some(file) => self.read_source(file, listener),
            None => {
                self.flush(listener);
                Flow::Continue
            }
        }
    }

    /// Reports that an input could not be read.
    pub fn report_unreadable(&mut self, name: &str, why: &Unreadable, listener: &mut dyn Listener) {
        self.unreadable(name, why, None);
        self.flush(listener);
    }

    /// The bytes that the terms of the module that was used last take.
    pub fn worker_bytes(&self) -> usize {
        self.evaluator.worker.as_ref().map_or(0, Worker::size)
    }

    /// What the reading of an input has to respect.
    pub fn limits(&self) -> &Limits {
        &self.evaluator.limits
    }

    fn unreadable(&mut self, name: &str, why: &Unreadable, span: Option<Span>) {
        let reports = &mut self.reports;
        match why {
            Unreadable::Error(why) => reports.report(messages::unreadable_file(name, why, span)),
            Unreadable::Stopped(Stop::Interrupted) => {
                reports.status.interrupted = true;
                reports.stop_reported = true;
                reports.report(messages::interrupted_before(span));
            }
            Unreadable::Stopped(_) => {
                reports.status.limit = true;
                let limit = self.evaluator.limits.memory();
                reports.report(messages::too_large_file(name, limit, span));
            }
        }
    }

    /// Reads a file that a command names.
    fn load_file(
        &mut self,
        name: &str,
        span: Option<Span>,
        mode: LoadMode,
        listener: &mut dyn Listener,
    ) -> Flow {
        let builtin = self.builtin_files.iter().find(|(known, _)| *known == name).copied();
        let located = match builtin {
            Some((known, _)) => Located {
                identity: format!("<{known}>"),
                directory: self.directory.clone(),
                path: format!("<{known}>"),
            },
            None => match self.files.locate(&self.directory, name) {
                Some(located) => located,
                None => {
                    self.reports.report(messages::no_file(name, span));
                    self.flush(listener);
                    return Flow::Continue;
                }
            },
        };
        if mode == LoadMode::Once && self.seen.contains(&located.identity) {
            return Flow::Continue;
        }
        if let Some(span) = span {
            let trouble = if self.reading.iter().any(|r| r.identity == located.identity) {
                Some(messages::file_loads_itself(name, span))
            } else if self.reading.len() >= MAX_NESTING {
                Some(messages::nested_too_deeply(name, span))
            } else {
                None
            };
            if let Some(trouble) = trouble {
                self.reports.report(trouble);
                self.flush(listener);
                return Flow::Continue;
            }
        }
        let bytes = match builtin {
            Some((_, text)) => Ok(text.as_bytes().to_vec()),
            None => self.files.read(&located.path, &self.evaluator.limits),
        };
        let file = match bytes {
            Ok(bytes) => self.add_text(shown_path(&located.path), &bytes, name, span),
            Err(why) => {
                self.unreadable(name, &why, span);
                None
            }
        };
        let Some(file) = file else {
            self.flush(listener);
            return Flow::Continue;
        };
        self.seen.insert(located.identity.clone());
        let before = std::mem::replace(&mut self.directory, located.directory.clone());
        let framed = self.announcing && mode == LoadMode::In;
        let announcing = framed || (mode == LoadMode::In && self.reading.is_empty());
        let announced = std::mem::replace(&mut self.announcing, announcing);
        let base = located.path.rsplit('/').next().unwrap_or_default().to_owned();
        if framed {
            self.tell(listener, format!("Reading in file: \"{base}\"\n"));
        }
        self.reading.push(located);
        let flow = self.read_source(file, listener);
        self.reading.pop();
        if framed {
            self.tell(listener, format!("Done reading in file: \"{base}\"\n"));
        }
        self.announcing = announced;
        self.directory = before;
        flow
    }

    /// Takes a text in that comes as bytes; if it is none, says so of what the user called `name`.
    fn add_text(
        &mut self,
        shown: &str,
        bytes: &[u8],
        name: &str,
        span: Option<Span>,
    ) -> Option<FileId> {
        let decoded = match decode(bytes) {
            Ok(decoded) => decoded,
            Err(why) => {
                self.reports.report(messages::no_text(name, why, span));
                return None;
            }
        };
        let file = self.modules.sources.add(shown, &decoded.text);
        self.reports
            .waiting
            .extend(decoded.foreign.map(|foreign| token_messages::foreign_byte(file, foreign)));
        Some(file)
    }

    fn read_source(&mut self, file: FileId, listener: &mut dyn Listener) -> Flow {
        let mut reader = Reader::new(&self.modules.sources, file, &mut self.modules.names);
        while let Some(reading) = reader.next_entry(&mut self.modules.names) {
            // Whoever interrupts a command does not want the next one either.
            if self.evaluator.limits.interrupt().load(Ordering::Relaxed) {
                self.report_skipped(&reading);
                self.flush(listener);
                return Flow::Quit;
            }
            self.reports.stop_reported = false;
            let command = match self.take_within_limits(reading, listener) {
                Taken::Fine => continue,
                Taken::Quit => return Flow::Quit,
                Taken::EndOfFile => break,
                Taken::NotRead(command) => command,
            };
            // Perhaps the command has swallowed what follows it, for want of a period.
            if let Some(shorter) = reader.read_shorter(&command, &mut self.modules.names) {
                self.reports.unread.clear();
                match self.take_within_limits(shorter, listener) {
                    Taken::Quit => return Flow::Quit,
                    Taken::EndOfFile => break,
                    Taken::Fine | Taken::NotRead(_) => {}
                }
            }
            let Reports { waiting, unread, .. } = &mut self.reports;
            waiting.append(unread);
            self.flush(listener);
        }
        self.flush(listener);
        Flow::Continue
    }

    /// Reports that the interrupt came too late for the command before this entry, if it did.
    fn report_skipped(&mut self, skipped: &Reading) {
        if !std::mem::replace(&mut self.reports.stop_reported, true) {
            self.reports.status.interrupted = true;
            self.reports
                .report(messages::interrupted_before(skipped.entry.as_ref().map(Entry::span)));
        }
    }

    /// Takes in what was read. If it passes a limit outside of a computation, while a module is made
    /// or a command is read, that is said, and what was under way is forgotten.
    fn take_within_limits(&mut self, reading: Reading, listener: &mut dyn Listener) -> Taken {
        let span = reading.entry.as_ref().map(Entry::span);
        match (catch_stop(|| self.take_entry(reading, listener)), span) {
            (Ok(taken), _) => taken,
            (Err(stop), Some(span)) => {
                self.evaluator.forget();
                self.execution(listener).stopped(stop, span);
                self.flush(listener);
                Taken::Fine
            }
            (Err(_), None) => unreachable!("without an entry there is nothing to do"),
        }
    }

    /// Takes in what was read. The messages about a command that could not be read wait.
    fn take_entry(&mut self, reading: Reading, listener: &mut dyn Listener) -> Taken {
        let mut found = reading.diagnostics;
        if !matches!(reading.entry, Some(Entry::Module(_))) {
            self.reports.waiting.append(&mut found);
        }
        match reading.entry {
            Some(Entry::Module(module)) => {
                if self.announcing {
                    let keyword = module.kind.keyword();
                    let name = self.modules.names.text(module.name.name);
                    let text = format!("{SEPARATOR}\n{keyword} {name}\n");
                    self.tell(listener, text);
                }
                let start = self.reports.waiting.len();
                self.reports.waiting.append(&mut found);
                let middle = self.reports.waiting.len();
                self.enter(module);
                merge_by_place(&mut self.reports.waiting, start, middle);
            }
            Some(Entry::View(view)) => {
                self.reports.report(messages::views_unsupported(view.name.span));
            }
            Some(Entry::Command(command)) => {
                self.flush(listener);
                match self.execute(&command, listener) {
                    Done::Fine => {}
                    Done::Quit => return Taken::Quit,
                    Done::EndOfFile => return Taken::EndOfFile,
                    Done::NotRead => return Taken::NotRead(command),
                }
            }
            Some(Entry::Comment(span)) if self.announcing => {
                let text = format!("{SEPARATOR}\n{}\n", self.modules.sources.text(span).trim_end());
                self.tell(listener, text);
            }
            Some(Entry::Comment(_)) | None => {}
        }
        self.flush(listener);
        Taken::Fine
    }

    /// Tells the listener something that is no answer to a command.
    fn tell(&mut self, listener: &mut dyn Listener, text: String) {
        self.execution(listener).answer(&Answer::Text(text));
    }

    /// Enters a module; it becomes current.
    fn enter(&mut self, module: Module) {
        let name = module.name.name;
        let mut automatic = Vec::new();
        if !module.kind.is_theory() {
            automatic.extend(self.settings.auto_imports.iter().copied());
        }
        if module.kind.is_object_oriented() {
            let objects = self.settings.object_imports.iter();
            automatic.extend(objects.map(|&name| (ImportMode::Including, name)));
        }
        automatic.retain(|(_, import)| *import != name);
        // What is wrong with the module has been said where it is.
        let _ = self.modules.builder(&mut self.reports).enter(module, automatic);
        self.modules.current = Some(name);
        self.evaluator.forget();
    }

    /// Carries out a command.
    fn execute(&mut self, command: &Command, listener: &mut dyn Listener) -> Done {
        let span = command.span;
        match &command.kind {
            CommandKind::Load { mode, path } => {
                match self.load_file(path, Some(span), *mode, listener) {
                    Flow::Continue => Done::Fine,
                    Flow::Quit => Done::Quit,
                }
            }
            CommandKind::Quit => Done::Quit,
            CommandKind::Eof => Done::EndOfFile,
            CommandKind::Directory { action, path } => {
                self.directory_command(*action, path.as_deref(), span, listener);
                Done::Fine
            }
            _ => self.execution(listener).execute(command),
        }
    }

    /// The parts of the session that commands work on.
    fn execution<'s>(&'s mut self, listener: &'s mut dyn Listener) -> Execution<'s> {
        Execution {
            modules: &mut self.modules,
            evaluator: &mut self.evaluator,
            reports: &mut self.reports,
            settings: &mut self.settings,
            listener,
            given: self.given.as_ref(),
        }
    }

    /// Tells the listener the messages that it has not been told yet.
    fn flush(&mut self, listener: &mut dyn Listener) {
        self.reports.flush(&self.modules.sources, &self.settings, listener);
    }

    fn directory_command(
        &mut self,
        action: DirectoryAction,
        path: Option<&str>,
        span: Span,
        listener: &mut dyn Listener,
    ) {
        let before = self.files.absolute(&self.directory);
        match action {
            DirectoryAction::Print => {}
            DirectoryAction::Pop => {
                if let Some(directory) = self.pushed.pop() {
                    self.directory = directory;
                }
            }
            DirectoryAction::Change | DirectoryAction::Push => {
                let from = self.directory.clone();
                if let Some(path) = path {
                    let Some(directory) = self.files.directory(&from, path) else {
                        return self.reports.report(messages::no_directory(path, span));
                    };
                    self.directory = directory;
                }
                if action == DirectoryAction::Push {
                    self.pushed.push(from);
                }
                return;
            }
        }
        let now = self.files.absolute(&self.directory);
        if action == DirectoryAction::Print || now != before {
            self.tell(listener, format!("{now}\n"));
        }
    }
}

/// What became of an entry.
enum Taken {
    Fine,
    Quit,
    EndOfFile,
    NotRead(Command),
}

/// The path of a file without a useless beginning.
fn shown_path(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}
