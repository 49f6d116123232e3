//! A session: modules, settings, the current module, and the engine that they live in.
//!
//! A session holds all state; two sessions never meet. Texts are read entry by entry, and each
//! entry is carried out before the next one is read. Whatever is wrong is said to the listener, and
//! reading goes on.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use broth_engine::{Limits, Worker};

use crate::command::{Answer, Running, Settings};
use crate::diagnose::{Diagnostic, Severity, command as say, merge_by_place, tokens as token_say};
use crate::module::{Library, ModuleBuilder};
use crate::outside::{Clock, Files, Listener, Located};
use crate::prelude;
use crate::report::SEPARATOR;
use crate::syntax::{
    Command, Entry, FileId, ImportMode, LoadMode, Module, Name, Names, Reader, Reading, Sources,
    Span, decode,
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

/// What has happened so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// A statement or command was dropped.
    pub errors: bool,
    /// A limit was reached.
    pub limit: bool,
    /// A command was interrupted.
    pub interrupted: bool,
}

/// A session.
pub struct Session {
    pub(crate) library: Library,
    /// The worker of the module that was used last.
    pub(crate) worker: Option<Worker>,
    pub(crate) limits: Limits,
    pub(crate) names: Names,
    pub(crate) sources: Sources,
    pub(crate) settings: Settings,
    /// The module that commands mean when they name none.
    pub(crate) current: Option<Name>,
    /// What `continue` goes on with.
    pub(crate) running: Option<Running>,
    /// Messages that the listener has not been told yet.
    pub(crate) say: Vec<Diagnostic>,
    /// Why the terms of a command could not be read, until it is clear whether it can be cut.
    pub(crate) unread: Vec<Diagnostic>,
    pub(crate) clock: Box<dyn Clock>,
    pub(crate) status: Status,
    /// Whether it has been said that the stop flag is set.
    pub(crate) told_stop: bool,
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
        let mut names = Names::new();
        let settings = Settings::new(&mut names);
        let current = Some(names.intern(prelude::FIRST_MODULE));
        Session {
            library: Library::default(),
            worker: None,
            limits: Limits::default(),
            names,
            sources: Sources::new(),
            settings,
            current,
            running: None,
            say: Vec::new(),
            unread: Vec::new(),
            clock,
            status: Status::default(),
            told_stop: false,
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
        self.status
    }

    /// How often the rules with each label were applied by the last command, in the order in which
    /// the labels came up. Rules without a label are left out.
    pub fn rule_applications(&self) -> Vec<(String, u64)> {
        let Some(loaded) = self.current.and_then(|module| self.library.loaded(module)) else {
            return Vec::new();
        };
        let counts = self.worker.iter().flat_map(Worker::rule_applications);
        counts
            .filter_map(|(label, count)| {
                let name = *loaded.flat.name_texts.get(&label)?;
                Some((self.names.text(name).to_owned(), count))
            })
            .collect()
    }

    /// Setting this flag stops the running command, and the reading of what follows it; whoever goes
    /// on with the session clears it.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        self.limits.interrupt()
    }

    /// Lets no command take more than `bytes` bytes of memory: it ends with a message, and the next
    /// one goes on. `held` tells how many bytes the process holds.
    pub fn set_memory_limit(&mut self, bytes: u64, held: impl Fn() -> u64 + Send + Sync + 'static) {
        self.limits.set_memory(bytes, held);
    }

    /// Reads a file that the command line names.
    pub fn load(&mut self, name: &str, listener: &mut dyn Listener) -> Flow {
        self.load_file(name, None, LoadMode::Load, listener)
    }

    /// Reads a text. `name` is what messages call it.
    pub fn read(&mut self, name: &str, text: &str, listener: &mut dyn Listener) -> Flow {
        let file = self.sources.add(name, text.strip_prefix('\u{feff}').unwrap_or(text));
        self.read_source(file, listener)
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

    /// Says that an input could not be read.
    pub fn report_unreadable(&mut self, name: &str, why: &str, listener: &mut dyn Listener) {
        self.say.push(say::unreadable_file(name, why, None));
        self.flush(listener);
    }

    /// Reads a file that a command names.
    pub(crate) fn load_file(
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
                    self.say.push(say::no_file(name, span));
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
                Some(say::file_loads_itself(name, span))
            } else if self.reading.len() >= MAX_NESTING {
                Some(say::nested_too_deeply(name, span))
            } else {
                None
            };
            if let Some(trouble) = trouble {
                self.say.push(trouble);
                self.flush(listener);
                return Flow::Continue;
            }
        }
        let bytes = match builtin {
            Some((_, text)) => Ok(text.as_bytes().to_vec()),
            None => self.files.read(&located.path),
        };
        let file = match bytes {
            Ok(bytes) => self.add_text(shown_path(&located.path), &bytes, name, span),
            Err(why) => {
                self.say.push(say::unreadable_file(name, &why, span));
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
                self.say.push(say::no_text(name, why, span));
                return None;
            }
        };
        let file = self.sources.add(shown, &decoded.text);
        self.say.extend(decoded.foreign.map(|foreign| token_say::foreign_byte(file, foreign)));
        Some(file)
    }

    fn read_source(&mut self, file: FileId, listener: &mut dyn Listener) -> Flow {
        let mut reader = Reader::new(&self.sources, file, &mut self.names);
        while let Some(reading) = reader.next_entry(&mut self.names) {
            // Whoever interrupts a command does not want the next one either.
            if self.limits.interrupt().load(Ordering::Relaxed) {
                self.say_skipped(&reading);
                self.flush(listener);
                return Flow::Quit;
            }
            self.told_stop = false;
            let command = match self.take_entry(reading, listener) {
                Taken::Fine => continue,
                Taken::Quit => return Flow::Quit,
                Taken::EndOfFile => break,
                Taken::NotRead(command) => command,
            };
            // Perhaps the command has swallowed what follows it, for want of a period.
            if let Some(shorter) = reader.read_shorter(&command, &mut self.names) {
                self.unread.clear();
                match self.take_entry(shorter, listener) {
                    Taken::Quit => return Flow::Quit,
                    Taken::EndOfFile => break,
                    Taken::Fine | Taken::NotRead(_) => {}
                }
            }
            self.say.append(&mut self.unread);
            self.flush(listener);
        }
        self.flush(listener);
        Flow::Continue
    }

    /// Says that the interrupt came too late for the command before this entry, if it did.
    fn say_skipped(&mut self, skipped: &Reading) {
        if !std::mem::replace(&mut self.told_stop, true) {
            self.status.interrupted = true;
            self.say.push(say::interrupted_before(skipped.entry.as_ref().map(Entry::span)));
        }
    }

    /// Takes in what was read. The messages about a command that could not be read wait.
    fn take_entry(&mut self, reading: Reading, listener: &mut dyn Listener) -> Taken {
        let mut found = reading.diagnostics;
        if !matches!(reading.entry, Some(Entry::Module(_))) {
            self.say.append(&mut found);
        }
        match reading.entry {
            Some(Entry::Module(module)) => {
                if self.announcing {
                    let keyword = module.kind.keyword();
                    let name = self.names.text(module.name.name);
                    let text = format!("{SEPARATOR}\n{keyword} {name}\n");
                    self.tell(listener, text);
                }
                let start = self.say.len();
                self.say.append(&mut found);
                let middle = self.say.len();
                self.enter(module);
                merge_by_place(&mut self.say, start, middle);
            }
            Some(Entry::View(view)) => {
                self.say.push(say::views_unsupported(view.name.span));
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
                let text = format!("{SEPARATOR}\n{}\n", self.sources.text(span).trim_end());
                self.tell(listener, text);
            }
            Some(Entry::Comment(_)) | None => {}
        }
        self.flush(listener);
        Taken::Fine
    }

    /// Tells the listener something that is no answer to a command.
    fn tell(&mut self, listener: &mut dyn Listener, text: String) {
        self.flush(listener);
        listener.answer(&Answer::Text(text), &self.settings);
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
        let _ = self.module_builder().enter(module, automatic);
        self.current = Some(name);
        self.running = None;
        self.worker = None;
    }

    pub(crate) fn module_builder(&mut self) -> ModuleBuilder<'_> {
        ModuleBuilder {
            library: &mut self.library,
            names: &mut self.names,
            sources: &mut self.sources,
            say: &mut self.say,
        }
    }

    /// Tells the listener what has not been said yet.
    pub(crate) fn flush(&mut self, listener: &mut dyn Listener) {
        for diagnostic in std::mem::take(&mut self.say) {
            self.status.errors |= diagnostic.severity == Severity::Error;
            if diagnostic.severity == Severity::Advice && !self.settings.show_advice {
                continue;
            }
            listener.diagnostic(&diagnostic, &self.sources);
        }
    }

    /// Changes the current directory; the name of the new one, if there is one.
    pub(crate) fn change_directory(&mut self, name: &str) -> Option<()> {
        self.directory = self.files.directory(&self.directory, name)?;
        Some(())
    }

    /// Remembers the current directory.
    pub(crate) fn push_directory(&mut self) {
        self.pushed.push(self.directory.clone());
    }

    /// Goes back to the directory remembered last.
    pub(crate) fn pop_directory(&mut self) {
        if let Some(directory) = self.pushed.pop() {
            self.directory = directory;
        }
    }

    /// The whole name of the current directory.
    pub(crate) fn current_directory(&self) -> String {
        self.files.absolute(&self.directory)
    }
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    /// It was carried out, or its trouble was said.
    Fine,
    /// Its terms could not be read.
    NotRead,
    /// `eof`.
    EndOfFile,
    /// `quit`.
    Quit,
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
