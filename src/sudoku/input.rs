//! Puzzle files and standard input: their boards, and messages about what is no board.

use std::fs;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;

use broth_rules::diagnose::{Code, Diagnostic, Severity};
use broth_rules::syntax::{FileId, Sources, Span};
use broth_sudoku::{Puzzle, ReadError, read_puzzles};

use crate::messages;

/// After so many messages about one file the rest is a number.
const MOST_MESSAGES: usize = 10;

/// What one argument holds.
pub struct Input {
    /// The name that messages give it.
    pub name: String,
    /// Its boards, in order.
    pub puzzles: Vec<Puzzle>,
    /// Whether something in it is no board, or it cannot be read at all.
    pub bad: bool,
}

/// Reads the boards of a file, or of standard input for `-`, and says what in it is none.
pub fn read(argument: &Path) -> io::Result<Input> {
    let is_stdin = argument.as_os_str() == "-";
    let name = if is_stdin { "<stdin>".to_owned() } else { argument.display().to_string() };
    let read = if is_stdin {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(argument)
    };
    let mut messages = io::stderr().lock();
    let bytes = match read {
        Ok(bytes) => bytes,
        Err(error) => {
            writeln!(messages, "error[B1001]: `{name}` cannot be read: {error}")?;
            return Ok(Input { name, puzzles: Vec::new(), bad: true });
        }
    };
    let mut puzzles = Vec::new();
    let mut n_errors = 0;
    let text = Text::new(&name, &bytes);
    for found in read_puzzles(&bytes) {
        match found {
            Ok(puzzle) => {
                if let Some(warning) = &puzzle.warning {
                    let message = warning.to_string();
                    messages.write_all(
                        text.message(Severity::Warning, 1003, message, (puzzle.line, 1)).as_bytes(),
                    )?;
                }
                puzzles.push(puzzle);
            }
            Err(error) => {
                n_errors += 1;
                if n_errors <= MOST_MESSAGES {
                    let ReadError { line, column, .. } = error;
                    let message = error.to_string();
                    messages.write_all(
                        text.message(Severity::Error, 1002, message, (line, column)).as_bytes(),
                    )?;
                }
            }
        }
    }
    if n_errors > MOST_MESSAGES {
        writeln!(messages, "error[B1002]: and {} more in {name}", n_errors - MOST_MESSAGES)?;
    }
    Ok(Input { name, puzzles, bad: n_errors > 0 })
}

/// The text of an input, for messages that show its lines.
struct Text {
    sources: Sources,
    file: FileId,
    line_starts: Vec<usize>,
    colour: bool,
}

impl Text {
    /// The text as messages show it: with one kind of line break, and a substitute for bytes that are
    /// no UTF-8.
    fn new(name: &str, bytes: &[u8]) -> Text {
        let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let mut sources = Sources::new();
        let file = sources.add(name, &text);
        let line_starts =
            std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Text { sources, file, line_starts, colour: io::stderr().is_terminal() }
    }

    fn message(
        &self,
        severity: Severity,
        code: u16,
        message: String,
        (line, column): (usize, usize),
    ) -> String {
        let text = self.sources.get(self.file).text();
        let start = self.line_starts.get(line - 1).copied().unwrap_or(text.len());
        let rest = &text[start..];
        let offset = rest.char_indices().nth(column - 1).map_or(rest.len(), |(at, _)| at);
        let width = rest[offset..].chars().next().filter(|&c| c != '\n').map_or(0, char::len_utf8);
        let (start, end) = ((start + offset) as u32, (start + offset + width) as u32);
        let span = Span { file: self.file, start, end };
        let diagnostic = Diagnostic::new(severity, Code(code), message, span);
        messages::render(&diagnostic, &self.sources, self.colour)
    }
}
