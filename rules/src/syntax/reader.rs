//! The reader: modules, views and commands of a text, one after the other.
//!
//! How a text is read never depends on what the session does with the entries before, so the whole
//! text is cut into tokens at once; but names get their numbers entry by entry, in the order in
//! which the session takes them, since a `load` in between reads other texts first.

use std::sync::Arc;

use super::ast::{Module, View};
use super::commands::{Command, CommandKind};
use super::cursor::{Cursor, Parsed};
use super::invisible::show_invisible;
use super::keywords::{self, TermCommand, TopKeyword};
use super::modules::module;
use super::names::Names;
use super::other_commands as other;
use super::term_commands::term_command;
use super::tokens::{TokenKind, Tokens, tokenize};
use super::views::view;
use crate::diagnose::{Diagnostic, most_similar, outer};
use crate::source::{FileId, Sources, Span};

/// What stands at the top level of a text.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A module or theory.
    Module(Module),
    /// A view.
    View(View),
    /// A command.
    Command(Command),
    /// A comment that begins with `***>` or `--->`, which `in` shows.
    Comment(Span),
}

impl Entry {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Entry::Module(module) => module.name.span,
            Entry::View(view) => view.name.span,
            Entry::Command(command) => command.span,
            Entry::Comment(span) => *span,
        }
    }
}

/// An entry with the diagnostics that came up while it was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The entry; none if all that could be read is diagnostics.
    pub entry: Option<Entry>,
    /// The diagnostics in textual order of what was read.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the text ended where the entry needed more.
    pub incomplete: bool,
}

/// A source text that is read entry by entry.
#[derive(Debug)]
pub struct Reader {
    file: FileId,
    text: Arc<str>,
    tokens: Tokens,
    at: usize,
    /// How many of the tokens' problems and comments have been given out.
    n_problems: usize,
    n_echoed: usize,
    numbered: bool,
    lookahead: usize,
}

impl Reader {
    /// A reader of what the user wrote.
    pub fn new(sources: &Sources, file: FileId, names: &mut Names) -> Reader {
        let text = sources.get(file).text().clone();
        let tokens = tokenize(file, &text, 0, names);
        // Enough for the errors of one text that people write; a thousand open parentheses are not
        // looked after as carefully.
        let lookahead = 8 * tokens.raw.len() + 100_000;
        let (at, n_problems, n_echoed, numbered) = (0, 0, 0, true);
        Reader { file, text, tokens, at, n_problems, n_echoed, numbered, lookahead }
    }

    /// A reader of a standard module, whose names get no numbers.
    pub fn for_standard_module(sources: &Sources, file: FileId, names: &mut Names) -> Reader {
        Reader { numbered: false, ..Reader::new(sources, file, names) }
    }

    /// Reads the next entry. `None` at the end of the text.
    pub fn next_entry(&mut self, names: &mut Names) -> Option<Reading> {
        if let Some(&comment) = self.tokens.echoed.get(self.n_echoed)
            && self.tokens.raw.get(self.at).is_none_or(|raw| raw.start > comment.start)
        {
            self.n_echoed += 1;
            let diagnostics = self.problems_before(comment.start);
            let entry = Some(Entry::Comment(comment));
            return Some(Reading { entry, diagnostics, incomplete: false });
        }
        let mut cx = Cursor::over(names, &self.text, self.file, &self.tokens.raw, self.at);
        cx.numbered = self.numbered;
        cx.lookahead = self.lookahead;
        while cx.is(".") {
            cx.take();
        }
        let entry = entry(&mut cx);
        let (at, passed_line) = (cx.at, cx.passed_line);
        let (mut found, mut incomplete, lookahead) = (cx.diagnostics, cx.incomplete, cx.lookahead);
        (self.at, self.lookahead) = (at, lookahead);
        for problem in &mut found {
            show_invisible(problem, &self.text, &self.tokens.raw);
        }
        if let Some(end) = passed_line {
            self.cut_again_if_inside(end, names);
        }
        let place = self.tokens.raw.get(self.at).map_or(u32::MAX, |raw| raw.start);
        incomplete |= place == u32::MAX && self.tokens.open_comment.is_some();
        let mut diagnostics = self.problems_before(place);
        diagnostics.extend(found);
        // What is wrong with characters was found before everything else.
        diagnostics.sort_by_key(|problem| problem.primary.as_ref().map(|label| label.span));
        // Comments inside an entry are not shown.
        let last = self.at.checked_sub(1).map_or(0, |idx| self.tokens.raw[idx].end);
        while self.tokens.echoed.get(self.n_echoed).is_some_and(|comment| comment.start < last) {
            self.n_echoed += 1;
        }
        if entry.is_none() && diagnostics.is_empty() && self.at == self.tokens.raw.len() {
            return None;
        }
        Some(Reading { entry, diagnostics, incomplete })
    }

    /// Reads a command again that made no sense, up to the first line inside it that begins a
    /// module, view or command: then its period was forgotten, and reading goes on at that line.
    /// The names that were read keep their numbers. `None` if there is no such line.
    pub fn read_shorter(&mut self, command: &Command, names: &mut Names) -> Option<Reading> {
        let raw = &self.tokens.raw;
        let word = |idx: usize| &self.text[raw[idx].start as usize..raw[idx].end as usize];
        let mut first = raw.partition_point(|token| token.start < command.span.start);
        let last = self.at.min(raw.partition_point(|token| token.start < command.span.end));
        let idx = (first + 1..last)
            .find(|&idx| raw[idx].starts_line && keywords::top_keyword(word(idx)).is_some())?;
        if first > 0 && word(first - 1) == "debug" {
            first -= 1;
        }
        let mut cx = Cursor::over(names, &self.text, self.file, &raw[..idx], first);
        cx.end_is_period = true;
        let entry = entry(&mut cx);
        let diagnostics = cx.diagnostics;
        self.at = idx;
        Some(Reading { entry, diagnostics, incomplete: false })
    }

    /// The problems of tokens before a place that were not given out yet.
    fn problems_before(&mut self, place: u32) -> Vec<Diagnostic> {
        let rest = &self.tokens.problems[self.n_problems..];
        let count = rest
            .iter()
            .take_while(|problem| {
                problem.primary.as_ref().is_none_or(|label| label.span.start < place)
            })
            .count();
        let found = rest[..count].to_vec();
        self.n_problems += count;
        found
    }

    /// The rest of a line may hold anything; if a string or comment began in it and goes on behind
    /// it, what is behind must be cut into tokens anew.
    fn cut_again_if_inside(&mut self, end: u32, names: &mut Names) {
        let inside = self.tokens.over_lines.iter().any(|&(start, over)| start < end && end < over);
        while self.problems_are_before(end) {
            self.n_problems += 1;
        }
        if inside {
            self.tokens = tokenize(self.file, &self.text, end, names);
            (self.at, self.n_problems, self.n_echoed) = (0, 0, 0);
        }
    }

    fn problems_are_before(&self, end: u32) -> bool {
        let next = self.tokens.problems.get(self.n_problems);
        next.and_then(|problem| problem.primary.as_ref()).is_some_and(|at| at.span.start < end)
    }
}

/// Whether a text is complete: nothing in it waits for more input.
pub fn is_complete(text: &str) -> bool {
    let mut sources = Sources::new();
    let mut names = Names::new();
    let file = sources.add("", text);
    let mut reader = Reader::new(&sources, file, &mut names);
    while let Some(reading) = reader.next_entry(&mut names) {
        if reading.incomplete {
            return false;
        }
    }
    true
}

/// Reads one entry; `None` if there is none or it was dropped with a diagnostic.
fn entry(cx: &mut Cursor) -> Option<Entry> {
    let start = cx.at;
    let word = cx.word()?;
    let folds = word == "{" && matches!(cx.word_at(cx.at + 1), Some("fold" | "vfold" | "path"));
    let top = match folds {
        true => Some(TopKeyword::Term(TermCommand::Unsupported("vu-narrow"))),
        false => keywords::top_keyword(word),
    };
    let Some(top) = top else {
        if word == "(" {
            return parenthesised(cx);
        }
        let closing = keywords::is_closing(word);
        let problem = if closing || keywords::body_keyword(word).is_some() {
            outer::outside_modules(word, cx.span())
        } else {
            let similar = most_similar(word, keywords::TOP_WORDS);
            outer::unknown_command(word, similar, cx.span())
        };
        cx.diagnostics.push(problem);
        if closing {
            // It stands alone: what follows it may well be right.
            cx.skipped.push(start..start + 1);
            cx.at += 1;
        } else {
            skip_unknown(cx);
        }
        return None;
    };
    let keyword = cx.take().expect("the next token was looked at");
    let command = match top {
        TopKeyword::Module(kind) => return module(cx, keyword, kind).map(Entry::Module),
        TopKeyword::View => {
            let found = view(cx, keyword);
            cx.number_tokens(start);
            return found.map(Entry::View);
        }
        TopKeyword::Debug => debug(cx),
        other => command(cx, keyword, other, false),
    };
    match command {
        Ok(command) => {
            cx.number_tokens(start);
            Some(Entry::Command(command))
        }
        Err(problem) => {
            cx.diagnostics.push(*problem);
            None
        }
    }
}

fn debug(cx: &mut Cursor) -> Parsed<Command> {
    let top = cx.word().and_then(keywords::top_keyword);
    match top {
        Some(top @ (TopKeyword::Term(_) | TopKeyword::Continue)) => {
            let keyword = cx.take().expect("the next token was looked at");
            command(cx, keyword, top, true)
        }
        _ => Err(cx.unexpected("a command", "`debug`")),
    }
}

fn command(
    cx: &mut Cursor,
    keyword: super::ast::Token,
    top: TopKeyword,
    debug: bool,
) -> Parsed<Command> {
    match top {
        TopKeyword::Term(kind) => term_command(cx, keyword, kind, debug),
        TopKeyword::Continue => other::continue_(cx, keyword, debug),
        TopKeyword::Select => other::select(cx, keyword),
        TopKeyword::Show => other::show(cx, keyword),
        TopKeyword::Set => other::set(cx, keyword),
        TopKeyword::Do => other::do_clear(cx, keyword),
        TopKeyword::Choose => other::choose(cx, keyword),
        TopKeyword::Load(mode) => other::load(cx, keyword, mode),
        TopKeyword::Directory(action) => Ok(other::directory(cx, keyword, action)),
        TopKeyword::Quit => Ok(other::leave(cx, keyword, CommandKind::Quit)),
        TopKeyword::Eof => Ok(other::leave(cx, keyword, CommandKind::Eof)),
        TopKeyword::Listing(name) => Ok(other::unsupported_line(cx, keyword, name)),
        TopKeyword::Unsupported(name) => other::unsupported(cx, keyword, name),
        TopKeyword::Module(_) | TopKeyword::View | TopKeyword::Debug => {
            unreachable!("modules, views and `debug` are read by themselves")
        }
    }
}

/// Input to a loop: tokens in parentheses.
fn parenthesised(cx: &mut Cursor) -> Option<Entry> {
    let start = cx.at;
    let keyword = cx.take().expect("the next token was looked at");
    let mut depth = 1usize;
    while depth > 0 {
        match cx.kind() {
            None => break,
            Some(TokenKind::Open) => depth += 1,
            Some(TokenKind::Close) => depth -= 1,
            _ => {}
        }
        cx.take();
    }
    if depth > 0 {
        cx.incomplete = true;
        let resume = (start + 1..cx.raw.len()).find(|&idx| cx.begins_module(idx));
        cx.at = resume.unwrap_or(cx.raw.len());
        let problem = outer::parenthesis_not_closed("input", keyword.span, keyword.span);
        cx.diagnostics.push(problem);
        return None;
    }
    cx.number_tokens(start);
    let kind = CommandKind::Unsupported { name: "input to `loop`" };
    Some(Entry::Command(Command { kind, keyword, span: keyword.span.to(cx.last_span()) }))
}

/// Skips what begins no command: up to a period, or a line that begins an entry.
fn skip_unknown(cx: &mut Cursor) {
    let start = cx.at;
    cx.at += 1;
    while let Some(word) = cx.word_at(cx.at) {
        if cx.begins_entry(cx.at) {
            break;
        }
        let ends = word == ".";
        cx.at += 1;
        if ends {
            break;
        }
    }
    cx.skipped.push(start..cx.at);
}
