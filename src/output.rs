//! Answers on standard output, messages on standard error.

use std::io::{self, IsTerminal, Write};

use broth_rules::answer::{Answer, AnswerContext};
use broth_rules::diagnose::{Diagnostic, Severity, render_short};
use broth_rules::print::{DEFAULT_WIDTH, Wrapper};
use broth_rules::syntax::Sources;
use broth_rules::{Listener, Stop, report};

use crate::messages;
use crate::options::{MessageFormat, RunOptions};
use crate::reader::Reader;

/// Terminals that say they are narrower than this are not believed.
const NARROWEST: usize = 20;

/// The listener of the program.
pub struct Output {
    wrapper: Wrapper,
    format: MessageFormat,
    colour: bool,
    advice: bool,
    /// Whether commands are typed at a prompt: then no line separates them.
    pub prompting: bool,
    reader: Reader,
    /// Standard output failed for another reason than that nobody reads it any more.
    pub failed: bool,
}

impl Output {
    /// As the options say.
    pub fn new(options: &RunOptions, reader: Reader) -> Output {
        let columns = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
        Output {
            wrapper: Wrapper::new(
                (!options.no_wrap).then(|| columns.unwrap_or(DEFAULT_WIDTH).max(NARROWEST)),
            ),
            format: options.message_format,
            colour: !options.no_ansi_color
                && io::stderr().is_terminal()
                && std::env::var_os("TERM").is_none_or(|term| term != "dumb"),
            advice: !options.no_advise,
            prompting: false,
            reader,
            failed: false,
        }
    }

    /// Whether standard output takes nothing any more.
    pub fn is_closed(&self) -> bool {
        self.reader.is_gone()
    }

    /// Writes a text to standard output.
    pub fn write(&mut self, text: &str) {
        let mut wrapped = String::with_capacity(text.len());
        self.wrapper.write(text, &mut wrapped);
        if text.ends_with('\n') {
            self.wrapper.flush(&mut wrapped);
        }
        let written = io::stdout().lock().write_all(wrapped.as_bytes());
        self.note(written);
    }

    /// Writes everything out.
    pub fn flush(&mut self) {
        let written = io::stdout().flush();
        self.note(written);
    }

    fn note(&mut self, written: io::Result<()>) {
        let Err(error) = written else { return };
        if error.kind() != io::ErrorKind::BrokenPipe && !self.failed {
            self.failed = true;
            // A message that nobody can see is no reason to stop.
            let _ =
                writeln!(io::stderr(), "error[B0807]: standard output cannot be written: {error}");
        }
        self.reader.leave();
    }
}

impl Listener for Output {
    fn answer(&mut self, answer: &Answer, cx: &AnswerContext<'_>) -> Result<(), Stop> {
        let mut first = true;
        let mut sink = |text: &str| {
            let text = match text.strip_prefix(report::SEPARATOR) {
                Some(rest) if first && self.prompting => rest.trim_start_matches('\n'),
                _ => text,
            };
            first = false;
            self.write(text);
            Ok(())
        };
        let passed = report::pass_on(answer, cx, &mut sink);
        if passed.is_err() {
            // The message stands on a line of its own.
            self.write("\n");
        }
        passed
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, sources: &Sources) {
        // What is said of a command that was stopped because nobody reads is for nobody, too.
        if self.is_closed() || diagnostic.severity == Severity::Advice && !self.advice {
            return;
        }
        self.flush();
        let text = match self.format {
            MessageFormat::Human => messages::render(diagnostic, sources, self.colour),
            MessageFormat::Short => render_short(diagnostic, sources) + "\n",
        };
        // A message that nobody can see is no reason to stop.
        let _ = io::stderr().write_all(text.as_bytes());
    }
}
