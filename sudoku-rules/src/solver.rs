//! A session of the rule language that knows the built-in rule files and solves boards.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use broth_rules::answer::{self, AnswerContext, AnswerNode, AnswerTerm};
use broth_rules::diagnose::command::OUT_OF_MEMORY;
use broth_rules::diagnose::{Diagnostic, Severity};
use broth_rules::syntax::{Sources, Span};
use broth_rules::{Clock, Files, Listener, Session, Stop};

use crate::board::Board;
use crate::contract::{Answer, read_answer};
use crate::files::FILES;
use crate::solve::{Commands, Verdict, solve};

/// What messages call the strategy.
const STRATEGY: &str = "--strategy";

/// A session in which a rule file has been read.
pub struct Solver<'a> {
    session: Session,
    messages: Box<Messages<'a>>,
    effort: Effort,
    /// The first result of the last board that was stuck.
    stuck: Option<AnswerTerm>,
    n_errors: usize,
    limited: bool,
}

/// Where messages about rule files and strategies go.
pub type Messages<'a> = dyn FnMut(&Diagnostic, &Sources) + 'a;

/// What solving a board has cost.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Effort {
    /// Rewrites of all kinds.
    pub rewrites: u64,
    /// Rule applications by label, in the order in which the labels came up.
    pub applications: Vec<(String, u64)>,
}

impl<'a> Solver<'a> {
    /// A session in which nothing has been read yet. `sload board` and `sload paper` find the built-in
    /// files, whatever lies in the current folder.
    pub fn new(
        files: Box<dyn Files>,
        clock: Box<dyn Clock>,
        messages: impl FnMut(&Diagnostic, &Sources) + 'a,
    ) -> Solver<'a> {
        let mut session = Session::new(files, clock);
        for (name, text) in FILES {
            session.add_builtin_file(name, text);
        }
        let messages = Box::new(messages);
        let (effort, stuck, n_errors, limited) = (Effort::default(), None, 0, false);
        Solver { session, messages, effort, stuck, n_errors, limited }
    }

    /// Reads a rule file: `paper` is the built-in one. Boards can be solved if its last module knows
    /// what `board.maude` declares.
    pub fn load(&mut self, name: &str) -> bool {
        let mut results = |_: &AnswerTerm, _: &AnswerContext<'_>| {};
        let mut collector = Collector::new(&mut results, &mut self.messages);
        self.session.load(name, &mut collector);
        self.n_errors += collector.n_errors;
        self.ask("reduce noSudoku .\n", |_| ()).is_some()
    }

    /// Solves a board, as [`solve`] does.
    pub fn solve(
        &mut self,
        board: &Board,
        strategy: &str,
        all: bool,
        each: &mut dyn FnMut(&Board),
    ) -> Verdict {
        self.effort = Effort::default();
        self.limited = false;
        solve(self, board, strategy, all, each)
    }

    /// What the last board has cost.
    pub fn effort(&self) -> &Effort {
        &self.effort
    }

    /// How many errors there have been in rule files and strategies.
    pub fn n_errors(&self) -> usize {
        self.n_errors
    }

    /// Lets no board take more memory than this, as [`Session::set_memory_limit`] does.
    pub fn set_memory_limit(
        &mut self,
        bytes: u64,
        held: impl Fn(u64) -> u64 + Send + Sync + 'static,
    ) {
        self.session.set_memory_limit(bytes, held);
    }

    /// Whether the last board would have taken more memory than it may.
    pub fn was_limited(&self) -> bool {
        self.limited
    }

    /// Setting this flag stops the running strategy.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        self.session.stop_flag()
    }

    /// Whether a strategy has been stopped.
    pub fn is_interrupted(&self) -> bool {
        self.session.status().interrupted
    }

    /// The result of a command that a rule file may not know: nothing then. If a strategy has got
    /// stuck, the variables in the command's subject stand for what it has ended in.
    fn ask<T>(&mut self, command: &str, read: impl Fn(AnswerNode<'_>) -> T) -> Option<T> {
        let mut result = None;
        let mut results = |term: &AnswerTerm, cx: &AnswerContext<'_>| {
            result = Some(read(cx.look_into(term)));
        };
        // A rule file need not know the word: then there is no answer, and no message either.
        let mut quiet = |_: &Diagnostic, _: &Sources| {};
        let mut collector = Collector::new(&mut results, &mut quiet);
        match &self.stuck {
            Some(term) => self.session.read_about(term, "question", command, &mut collector),
            None => self.session.read("question", command, &mut collector),
        };
        result
    }
}

impl Commands for Solver<'_> {
    fn run(&mut self, command: &str, strategy: &str, each: &mut dyn FnMut(Answer)) {
        let mut messages = |found: &Diagnostic, sources: &Sources| {
            let (found, sources) = in_strategy(found, sources, command.len(), strategy);
            (self.messages)(&found, &sources);
        };
        self.stuck = None;
        let stuck = &mut self.stuck;
        let mut results = |term: &AnswerTerm, cx: &AnswerContext<'_>| {
            let answer = read_answer(cx.look_into(term));
            if answer == Answer::Stuck {
                stuck.get_or_insert_with(|| term.clone());
            }
            each(answer);
        };
        let mut collector = Collector::new(&mut results, &mut messages);
        self.session.read(STRATEGY, &format!("{command}{strategy}\n.\n"), &mut collector);
        self.n_errors += collector.n_errors;
        self.limited |= collector.limited;
        self.effort.rewrites = collector.rewrites;
        self.effort.applications = self.session.rule_applications();
    }

    /// A rule file may tell by equations for `openCells : Sudokus -> Nat`.
    fn open_cells(&mut self) -> Option<u64> {
        let natural = |term: AnswerNode<'_>| term.natural()?.try_into().ok();
        self.ask("reduce openCells(STUCK:Sudokus) .\n", natural)?
    }
}

/// A message about a command that ends in a strategy, as a message about the strategy, which is all
/// that the user has written.
fn in_strategy<'s>(
    found: &Diagnostic,
    sources: &'s Sources,
    begin: usize,
    strategy: &str,
) -> (Diagnostic, Cow<'s, Sources>) {
    let mut found = found.clone();
    let is_command = |span: Span| sources.get(span.file).name() == STRATEGY;
    if !found.primary.as_ref().is_some_and(|label| is_command(label.span)) {
        return (found, Cow::Borrowed(sources));
    }
    // A strategy that ends too early makes the command do so; how texts are read on is of no use.
    let message = found.message.replace("`dsrewrite` command", "strategy");
    if message != found.message {
        (found.message, found.help) = (message, None);
    }
    let mut own = Sources::new();
    let file = own.add(STRATEGY, strategy);
    let place = |at: u32| (at as usize).saturating_sub(begin).min(strategy.len()) as u32;
    found.secondary.retain(|label| is_command(label.span) && label.span.start as usize >= begin);
    for label in found.primary.iter_mut().chain(&mut found.secondary) {
        let Span { start, end, .. } = label.span;
        label.span = Span { file, start: place(start), end: place(end) };
    }
    (found, Cow::Owned(own))
}

/// Takes a result, with what it takes to look into it.
type Results<'e> = dyn FnMut(&AnswerTerm, &AnswerContext<'_>) + 'e;

/// Collects what a command says: its results, its messages, and what it has cost.
struct Collector<'e> {
    each: &'e mut Results<'e>,
    messages: &'e mut Messages<'e>,
    rewrites: u64,
    n_errors: usize,
    limited: bool,
}

impl<'e> Collector<'e> {
    fn new(each: &'e mut Results<'e>, messages: &'e mut Messages<'e>) -> Collector<'e> {
        Collector { each, messages, rewrites: 0, n_errors: 0, limited: false }
    }
}

impl Listener for Collector<'_> {
    fn answer(&mut self, answer: &answer::Answer, cx: &AnswerContext<'_>) -> Result<(), Stop> {
        match answer {
            answer::Answer::Outcome { statistics, result, .. }
            | answer::Answer::Result { statistics, result } => {
                self.rewrites = statistics.total();
                (self.each)(result, cx);
            }
            answer::Answer::NoMore { statistics, .. } => self.rewrites = statistics.total(),
            _ => {}
        }
        Ok(())
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, sources: &Sources) {
        if diagnostic.code == OUT_OF_MEMORY {
            // Its place is the command that solves the board, which nobody has written.
            self.limited = true;
            return;
        }
        self.n_errors += usize::from(diagnostic.severity == Severity::Error);
        (self.messages)(diagnostic, sources);
    }
}
