//! The reader's place in the tokens of a text.
//!
//! All parts of the outer grammar walk over the same flat tokens through a [`Cursor`]. It gathers
//! the diagnostics, splits tokens that end in a period where the period is wanted, and remembers
//! which tokens were skipped, since these are not numbered.

use std::ops::Range;

use super::ast::Token;
use super::keywords;
use super::names::{Name, Names};
use super::tokens::{RawToken, TokenKind};
use crate::diagnose::{Diagnostic, outer, tokens};
use crate::source::{FileId, Span};

/// What a part of the grammar gives: boxed, since errors are rare and large.
pub(super) type Parsed<T> = Result<T, Box<Diagnostic>>;

/// A place in the tokens.
pub(super) struct Cursor<'a> {
    pub(super) names: &'a mut Names,
    pub(super) text: &'a str,
    pub(super) file: FileId,
    pub(super) raw: &'a [RawToken],
    pub(super) at: usize,
    /// The period of a split token, which comes before the token at `at`.
    pub(super) split_period: Option<Span>,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) skipped: Vec<Range<usize>>,
    /// Whether names get numbers: not in the standard modules.
    pub(super) numbered: bool,
    /// The end of a line that was taken as text, not as tokens.
    pub(super) passed_line: Option<u32>,
    /// Whether the end of the tokens counts as the period of a command.
    pub(super) end_is_period: bool,
    /// How many tokens may still be looked at in vain, behind a place where a statement or command
    /// looks like ending although a parenthesis is open. It keeps a text full of such errors from
    /// being read again and again.
    pub(super) lookahead: usize,
    /// The text ended where more was needed.
    pub(super) incomplete: bool,
}

impl<'a> Cursor<'a> {
    /// A cursor that starts at a token and gives no numbers to names.
    pub(super) fn over(
        names: &'a mut Names,
        text: &'a str,
        file: FileId,
        raw: &'a [RawToken],
        at: usize,
    ) -> Cursor<'a> {
        Cursor {
            names,
            text,
            file,
            raw,
            at,
            split_period: None,
            diagnostics: Vec::new(),
            skipped: Vec::new(),
            numbered: false,
            passed_line: None,
            lookahead: 0,
            end_is_period: false,
            incomplete: false,
        }
    }
    /// The text of a token.
    pub(super) fn word_at(&self, idx: usize) -> Option<&str> {
        self.raw.get(idx).map(|raw| &self.text[raw.start as usize..raw.end as usize])
    }

    /// The text of the next token.
    pub(super) fn word(&self) -> Option<&str> {
        if self.split_period.is_some() { Some(".") } else { self.word_at(self.at) }
    }

    /// The kind of the next token.
    pub(super) fn kind(&self) -> Option<TokenKind> {
        if self.split_period.is_some() {
            return Some(TokenKind::Period);
        }
        self.raw.get(self.at).map(|raw| raw.kind)
    }

    /// Whether the next token has this text.
    pub(super) fn is(&self, word: &str) -> bool {
        self.word() == Some(word)
    }

    /// The place of the next token, or the end of the last one.
    pub(super) fn span(&self) -> Span {
        if let Some(span) = self.split_period {
            return span;
        }
        match self.raw.get(self.at) {
            Some(raw) => raw.token(self.file).span,
            None => self.last_span().after(),
        }
    }

    /// The place of the token before this one.
    pub(super) fn last_span(&self) -> Span {
        match self.at.checked_sub(1) {
            Some(idx) => {
                let mut span = self.raw[idx].token(self.file).span;
                if self.split_period.is_some() {
                    span.end -= 1;
                }
                span
            }
            None => Span { file: self.file, start: 0, end: 0 },
        }
    }

    /// Takes the next token, whatever it is.
    pub(super) fn take(&mut self) -> Option<Token> {
        if let Some(span) = self.split_period.take() {
            return Some(Token { name: self.names.intern("."), span });
        }
        let raw = self.raw.get(self.at)?;
        self.at += 1;
        Some(raw.token(self.file))
    }

    /// Takes the next token if it has this text.
    pub(super) fn accept(&mut self, word: &str) -> bool {
        let found = self.is(word);
        if found {
            self.take();
        }
        found
    }

    /// Takes the next token, which must have this text.
    pub(super) fn expect(&mut self, word: &str, within: &str) -> Parsed<()> {
        if self.accept(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"), within)) }
    }

    /// Takes a word: any token but the special ones and a period.
    pub(super) fn expect_word(&mut self, what: &str, within: &str) -> Parsed<Token> {
        match self.kind() {
            Some(TokenKind::Word) => Ok(self.take_word()),
            _ => Err(self.unexpected(what, within)),
        }
    }

    /// Takes a word that may be the last one of a declaration: if it ends in a period and a keyword
    /// follows, the period is split off.
    fn take_word(&mut self) -> Token {
        let raw = self.raw[self.at];
        self.at += 1;
        if raw.ends_in_period && self.word_at(self.at).is_none_or(keywords::follows_period) {
            return self.split(raw);
        }
        raw.token(self.file)
    }

    /// Splits the period off a token that was just passed.
    pub(super) fn split(&mut self, raw: RawToken) -> Token {
        let span = raw.token(self.file).span;
        let word = &self.text[raw.start as usize..raw.end as usize - 1];
        self.diagnostics.push(tokens::missing_space(word, span));
        self.split_period = Some(Span { start: span.end - 1, ..span });
        let name = self.names.text(raw.name).to_owned();
        let name = self.names.intern(&name[..name.len() - 1]);
        Token { name, span: Span { end: span.end - 1, ..span } }
    }

    /// The diagnostic for a token that cannot stand here.
    pub(super) fn unexpected(&mut self, wanted: &str, within: &str) -> Box<Diagnostic> {
        let span = self.span();
        Box::new(match self.word() {
            Some(found) => outer::expected(wanted, found, within, span),
            None => {
                self.incomplete = true;
                outer::expected_before_end(wanted, within, span)
            }
        })
    }

    /// The stretch of tokens between two indices.
    pub(super) fn tokens(&self, range: Range<usize>) -> Vec<Token> {
        self.raw[range].iter().map(|raw| raw.token(self.file)).collect()
    }

    /// The text of a name.
    pub(super) fn name_text(&self, name: Name) -> &str {
        self.names.text(name)
    }

    /// Whether the token at an index is a top-level keyword that begins a line.
    pub(super) fn begins_entry(&self, idx: usize) -> bool {
        self.raw.get(idx).is_some_and(|raw| raw.starts_line)
            && self.word_at(idx).is_some_and(|word| keywords::top_keyword(word).is_some())
    }

    /// Whether the token at an index opens a module or view at the beginning of a line.
    pub(super) fn begins_module(&self, idx: usize) -> bool {
        self.raw.get(idx).is_some_and(|raw| raw.starts_line)
            && self
                .word_at(idx)
                .is_some_and(|word| word == "view" || keywords::opened_kind(word).is_some())
    }

    /// Whether the token at an index begins a declaration, a statement or a closing at the
    /// beginning of a line.
    pub(super) fn begins_body(&self, idx: usize) -> bool {
        self.raw.get(idx).is_some_and(|raw| raw.starts_line)
            && self.word_at(idx).is_some_and(keywords::follows_period)
    }

    /// Whether a module without closing keyword ends before an index: a command or a module begins a
    /// line there, and no line behind it closes a module before the next one begins.
    pub(super) fn ends_open_module(&mut self, idx: usize) -> bool {
        if !self.begins_entry(idx) {
            return false;
        }
        let end = self.raw.len().min(idx + self.patience());
        let found = (idx..end).find(|&idx| {
            self.begins_module(idx)
                || self.raw[idx].starts_line && self.word_at(idx).is_some_and(keywords::is_closing)
        });
        self.looked_in_vain(found.unwrap_or(end) - idx);
        found.is_none_or(|idx| self.begins_module(idx))
    }

    /// Whether the text ends at an index, or a module, view or command begins a line there.
    pub(super) fn begins_entry_or_end(&self, idx: usize) -> bool {
        idx >= self.raw.len() || self.begins_entry(idx)
    }

    /// How far a search for an end may go on behind a doubtful place.
    pub(super) fn patience(&self) -> usize {
        self.lookahead.max(1000)
    }

    /// Notes that tokens were looked at in vain.
    pub(super) fn looked_in_vain(&mut self, n_tokens: usize) {
        self.lookahead = self.lookahead.saturating_sub(n_tokens);
    }

    /// Gives numbers to the names of the tokens from an index up to here, but for skipped ones.
    pub(super) fn number_tokens(&mut self, start: usize) {
        if !self.numbered {
            return;
        }
        let mut skipped = self.skipped.clone();
        skipped.sort_by_key(|range| range.start);
        let mut idx = start;
        for range in skipped.into_iter().chain(std::iter::once(self.at..self.at)) {
            while idx < range.start {
                self.names.number_name(self.raw[idx].name);
                idx += 1;
            }
            idx = idx.max(range.end);
        }
    }
}
