//! Runs modules and commands in bulk, in Maude and in the engine under test.
//!
//! One process handles many cases. Between them it prints marks, by which the output is cut; a case
//! on which the process hangs or dies is known by the first mark that is missing, is set aside, and
//! a new process goes on behind it.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::case::Group;
use crate::maude::{Maude, normalise, process};

/// An answer of more bytes counts as one without end.
const LONGEST_ANSWER: usize = 4_000_000;

/// A program that reads a file of modules and commands.
#[derive(Clone)]
pub struct Engine {
    pub name: String,
    command: Vec<String>,
    /// Messages are taken together with answers, so that a case with a warning is known.
    with_messages: bool,
    patience: Duration,
    /// The output comes out of a buffer, so a missing mark does not say where the process was.
    buffered: bool,
}

/// What an engine says to one command.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    Text(String),
    /// No end within the time, or a crash.
    Lost,
    /// The module is warned about or refused.
    BadModule,
}

impl Engine {
    /// Maude 3.5.1 of the Python package, else another `maude`; `None` if there is neither.
    pub fn maude() -> Option<Engine> {
        let Maude { name, command } = Maude::reference().or_else(Maude::installed)?;
        let patience = Duration::from_secs(2);
        Some(Engine { name, command, with_messages: true, patience, buffered: false })
    }

    /// Broth in the mode that the options say.
    pub fn broth(mode: &[&str]) -> Engine {
        let mut command = vec![env!("CARGO_BIN_EXE_broth"), "-no-wrap", "-no-banner"];
        command.extend(mode);
        Engine::of_line(&command.join(" "))
    }

    /// An engine like Broth, by its command line.
    pub fn of_line(line: &str) -> Engine {
        Engine {
            name: line.to_owned(),
            command: line.split_whitespace().map(str::to_owned).collect(),
            with_messages: false,
            patience: Duration::from_secs(12),
            buffered: true,
        }
    }

    /// The same engine with less time for a case.
    pub fn hurried(&self) -> Engine {
        Engine { patience: Duration::from_millis(1500), ..self.clone() }
    }

    /// Whether the engine can do the least: enter a module and parse a term in it.
    pub fn runs_commands(&self) -> bool {
        let text = "fmod MARK is\n  sort Mark .\n  op m : -> Mark .\nendfm\nparse in MARK : m .\n";
        self.run(text, self.patience).0.contains("Mark: m")
    }

    /// What the engine prints for `text`, and whether it came to an end by itself.
    fn run(&self, text: &str, patience: Duration) -> (String, bool) {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let unique = format!("{:?}-{}", std::thread::current().id(), std::process::id());
        let name: String = unique.chars().filter(char::is_ascii_alphanumeric).collect();
        let file = directory.join(format!("{name}.maude"));
        std::fs::write(&file, text).expect("the directory for temporary files can be written");
        let mut last_mark = (0, Instant::now());
        // A case that prints on and on has no end either.
        let goes_on = |output: &[u8]| {
            let (at, since) = last_mark;
            if let Some(found) = last_occurrence(&output[at..], b"Mark: m") {
                last_mark = (at + found + 1, Instant::now());
                return true;
            }
            output.len() - at <= LONGEST_ANSWER && since.elapsed() <= patience * 8
        };
        let printed = process::run(&self.command, &file, self.with_messages, patience, goes_on);
        let _ = std::fs::remove_file(&file);
        (printed.stdout, printed.ended)
    }

    /// The answers to all commands of `groups`, in order; what has no answer in `known` is not run.
    pub fn answers(&self, groups: &[Group], known: Option<&[Vec<Answer>]>) -> Vec<Vec<Answer>> {
        let mut answers: Vec<Vec<Answer>> =
            groups.iter().map(|group| vec![Answer::Lost; group.commands.len()]).collect();
        let mut steps: Vec<Step> = Vec::new();
        for (group, made) in groups.iter().enumerate() {
            let wanted = |&command: &usize| {
                known.is_none_or(|known| matches!(known[group][command], Answer::Text(_)))
            };
            // Behind a command that is not run the other engine began with the module again.
            let mut entered = false;
            for command in 0..made.commands.len() {
                if !wanted(&command) {
                    entered = false;
                    continue;
                }
                if !std::mem::replace(&mut entered, true) {
                    steps.push(Step { group, command: None });
                }
                steps.push(Step { group, command: Some(command) });
            }
        }
        while !steps.is_empty() {
            let done = self.run_steps(groups, &steps, &mut answers);
            if done == steps.len() {
                break;
            }
            let lost = steps[done];
            if self.buffered && lost.command.is_some() {
                let alone = [Step { command: None, ..lost }, lost];
                self.run_steps(groups, &alone, &mut answers);
            }
            steps.drain(..=done);
            if lost.command.is_none() {
                answers[lost.group].fill(Answer::BadModule);
                steps.retain(|step| step.group != lost.group);
            } else if steps.first().is_some_and(|step| step.group == lost.group) {
                steps.insert(0, Step { command: None, ..lost });
            }
        }
        answers
    }

    /// Runs steps in one process and files the answers; returns how many steps came to an end.
    fn run_steps(&self, groups: &[Group], steps: &[Step], answers: &mut [Vec<Answer>]) -> usize {
        let mut text = String::from("fmod MARK is\n  sort Mark .\n");
        for mark in 0..steps.len() {
            text += &format!("  op m{mark} : -> Mark .\n");
        }
        text += "endfm\nset show timing off .\n";
        for (mark, step) in steps.iter().enumerate() {
            let group = &groups[step.group];
            match step.command {
                None => {
                    let name = &group.module.name;
                    text += &format!("{}parse in {name} : a .\n", group.module.text());
                }
                Some(command) => {
                    text += &group.commands[command].text(&group.module);
                    text.push('\n');
                }
            }
            text += &format!("parse in MARK : m{mark} .\n");
        }
        let (output, _) = self.run(&text, self.patience);
        let mut rest = output.as_str();
        for (mark, step) in steps.iter().enumerate() {
            let wanted = format!("Mark: m{mark}\n");
            let Some(end) = find_line(rest, &wanted) else { return mark };
            let said = &rest[..end];
            rest = &rest[end + wanted.len()..];
            match step.command {
                Some(command) => {
                    let answer = &mut answers[step.group][command];
                    if *answer != Answer::BadModule {
                        *answer = Answer::Text(normalise(said));
                    }
                }
                None if said.contains("Warning: ") => {
                    answers[step.group].fill(Answer::BadModule);
                }
                None => {}
            }
        }
        steps.len()
    }

    /// What the engine says, messages included, to one group alone.
    pub fn transcript(&self, group: &Group) -> String {
        let verbose = Engine { with_messages: true, ..self.clone() };
        let (output, ended) = verbose.run(&script(group), self.patience);
        let end = if ended { "" } else { "\n(no end)" };
        format!("{}{end}", normalise(&output))
    }
}

/// The file that shows one group.
pub fn script(group: &Group) -> String {
    let mut text = group.module.text();
    text += "set show timing off .\n";
    for command in &group.commands {
        text += &command.text(&group.module);
        text.push('\n');
    }
    text
}

/// A module to be entered, or a command of it.
#[derive(Clone, Copy)]
struct Step {
    group: usize,
    command: Option<usize>,
}

/// Where `wanted` occurs last in `text`.
fn last_occurrence(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).rposition(|window| window == wanted)
}

/// Where the line `wanted` begins in `text`.
fn find_line(text: &str, wanted: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(found) = text[from..].find(wanted) {
        let at = from + found;
        if at == 0 || text.as_bytes()[at - 1] == b'\n' {
            return Some(at);
        }
        from = at + 1;
    }
    None
}
