//! What a session needs from the outside: files, a clock, and somebody who listens.

use std::time::Duration;

use broth_engine::{Limits, Stop};

use crate::answer::{Answer, AnswerContext};
use crate::diagnose::Diagnostic;
use crate::source::Sources;

/// A file that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// What tells it from all other files, whatever name it was found under.
    pub identity: String,
    /// The directory that it lies in.
    pub directory: String,
    /// What to read it by, and to call it in messages.
    pub path: String,
}

/// Why an input cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// What the system says.
    Error(String),
    /// There is no room for it, or somebody interrupts.
    Stopped(Stop),
}

/// Files by name.
pub trait Files: Send {
    /// Finds a file by the name that a command or the command line gives.
    fn locate(&self, directory: &str, name: &str) -> Option<Located>;
    /// What a file holds, or why it cannot be read. Each time that some of it has been read the
    /// limits say whether to go on.
    fn read(&self, path: &str, limits: &Limits) -> Result<Vec<u8>, Unreadable>;
    /// Another directory, seen from one.
    fn directory(&self, from: &str, name: &str) -> Option<String>;
    /// The whole name of a directory.
    fn absolute(&self, directory: &str) -> String;
}

/// Time.
pub trait Clock: Send {
    /// Processor time used so far.
    fn cpu(&self) -> Duration;
    /// Time since some beginning.
    fn real(&self) -> Duration;
}

/// Somebody who wants to know what a session answers, in order.
pub trait Listener {
    /// A piece of an answer, with what it takes to make text of it or to look into its terms. An
    /// error ends the command: why the answer could not be taken as a whole.
    fn answer(&mut self, answer: &Answer, cx: &AnswerContext<'_>) -> Result<(), Stop>;
    /// A message.
    fn diagnostic(&mut self, diagnostic: &Diagnostic, sources: &Sources);
}

/// A world without files.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn locate(&self, _: &str, _: &str) -> Option<Located> {
        None
    }

    fn read(&self, _: &str, _: &Limits) -> Result<Vec<u8>, Unreadable> {
        Err(Unreadable::Error("there are no files".to_owned()))
    }

    fn directory(&self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn absolute(&self, directory: &str) -> String {
        directory.to_owned()
    }
}

/// A world without time.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoClock;

impl Clock for NoClock {
    fn cpu(&self) -> Duration {
        Duration::ZERO
    }

    fn real(&self) -> Duration {
        Duration::ZERO
    }
}
