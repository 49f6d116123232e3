//! Messages on their way to the listener, and what they say of the session as a whole.

use broth_engine::Stop;

use crate::answer::Settings;
use crate::diagnose::{Diagnostic, Severity};
use crate::outside::Listener;
use crate::syntax::Sources;

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

/// The messages of a session that the listener has not been told yet.
#[derive(Default)]
pub(crate) struct Reports {
    /// In order.
    pub waiting: Vec<Diagnostic>,
    /// Why the terms of a command could not be read, until it is clear whether it can be cut.
    pub unread: Vec<Diagnostic>,
    /// What has happened so far.
    pub status: Status,
    /// Why an answer of the command could not be taken as a whole.
    pub cut_short: Option<Stop>,
    /// Whether it has been reported that the stop flag is set.
    pub stop_reported: bool,
}

impl Reports {
    /// Adds a message.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.waiting.push(diagnostic);
    }

    /// Tells the listener what it has not been told yet.
    pub fn flush(&mut self, sources: &Sources, settings: &Settings, listener: &mut dyn Listener) {
        for diagnostic in std::mem::take(&mut self.waiting) {
            self.status.errors |= diagnostic.severity == Severity::Error;
            if diagnostic.severity == Severity::Advice && !settings.show_advice {
                continue;
            }
            listener.diagnostic(&diagnostic, sources);
        }
    }
}
