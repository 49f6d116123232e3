//! The interactive session: prompts, history, commands over several lines.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::atomic::Ordering;

use broth_rules::{Flow, Session, syntax};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use crate::options::RunOptions;
use crate::output::Output;

const PROMPT: &str = "Broth> ";
const CONTINUATION: &str = "> ";

/// Reads commands and modules until the input ends or somebody quits.
pub fn run(session: &mut Session, output: &mut Output, options: &RunOptions) {
    if !options.no_banner {
        output.write(concat!("Broth ", env!("CARGO_PKG_VERSION"), ", `quit` ends it.\n"));
        output.flush();
    }
    output.prompting = true;
    if io::stdin().is_terminal() {
        on_terminal(session, output);
    } else {
        on_pipe(session, output);
    }
    output.prompting = false;
}

fn on_terminal(session: &mut Session, output: &mut Output) {
    let Ok(mut editor) = DefaultEditor::new() else { return on_pipe(session, output) };
    let history = std::env::home_dir().map(|home| home.join(".broth_history"));
    if let Some(path) = &history {
        // A missing history is an empty one.
        let _ = editor.load_history(path);
    }
    let mut text = String::new();
    loop {
        let prompt = if text.is_empty() { PROMPT } else { CONTINUATION };
        match editor.readline(prompt) {
            Ok(line) => {
                text.push_str(&line);
                text.push('\n');
                if !syntax::is_complete(&text) {
                    continue;
                }
                let entry = text.trim_end().to_owned();
                if !entry.is_empty() {
                    // The history keeps the last entry in any case.
                    let _ = editor.add_history_entry(entry);
                }
                if read(session, output, &mut text) == Flow::Quit {
                    break;
                }
            }
            Err(ReadlineError::Interrupted) => text.clear(),
            Err(_) => {
                read(session, output, &mut text);
                output.write("\n");
                break;
            }
        }
    }
    if let Some(path) = &history {
        // The session was useful even if its history cannot be kept.
        let _ = editor.save_history(path);
    }
}

fn on_pipe(session: &mut Session, output: &mut Output) {
    let mut text = String::new();
    let mut stdin = io::stdin().lock();
    loop {
        if text.is_empty() {
            output.write(PROMPT);
            output.flush();
        }
        let mut line = Vec::new();
        match stdin.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            // Even of a line that is mostly no text something may be meant.
            Ok(_) => match syntax::decode(&line) {
                Ok(decoded) => text.push_str(&decoded.text),
                Err(_) => text.push_str(&String::from_utf8_lossy(&line)),
            },
        }
        if !syntax::is_complete(&text) {
            continue;
        }
        if read(session, output, &mut text) == Flow::Quit || output.is_closed() {
            return;
        }
    }
    read(session, output, &mut text);
}

fn read(session: &mut Session, output: &mut Output, text: &mut String) -> Flow {
    session.stop_flag().store(false, Ordering::Relaxed);
    let flow = session.read("<standard input>", text, output);
    output.flush();
    // What can be said about standard error failing, nobody would read.
    let _ = io::stderr().flush();
    text.clear();
    if session.stop_flag().swap(false, Ordering::Relaxed) { Flow::Continue } else { flow }
}
