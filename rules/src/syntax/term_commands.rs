//! Commands that take terms: where they end, and their parts.
//!
//! Such a command ends at a period at the end of a line, outside round parentheses. Its bubble is
//! then divided where the command's own words stand: bounds and `in M :` in front, arrows, `<=?`,
//! `such that` and `using` at the first place outside brackets.

use super::ast::Token;
use super::commands::{Command, CommandKind, ConditionBubble, SearchArrow, Target};
use super::cursor::{Cursor, Parsed};
use super::keywords::TermCommand;
use super::statements::{open_parenthesis, report_extra};
use super::tokens::TokenKind;
use crate::diagnose::outer;

/// Reads a command from behind its keyword, period included.
pub(super) fn term_command(
    cx: &mut Cursor,
    keyword: Token,
    kind: TermCommand,
    debug: bool,
) -> Parsed<Command> {
    let tokens = bubble(cx, keyword)?;
    let span = tokens.last().map_or(keyword.span, |last| keyword.span.to(last.span));
    if cx.numbered {
        for token in &tokens {
            cx.names.number_name(token.name);
        }
        for token in &tokens {
            cx.names.number_variable_base(token.name);
        }
    }
    let kind = Division { cx, tokens: &tokens, keyword, debug }.command(kind)?;
    Ok(Command { kind, keyword, span })
}

/// The tokens of a command up to a period at the end of a line, at least one.
pub(super) fn bubble(cx: &mut Cursor, keyword: Token) -> Parsed<Vec<Token>> {
    let start = cx.at;
    let mut depth = 0usize;
    let mut extra = Vec::new();
    // The first period at the end of a line that does not count, and the first line that begins
    // like another entry: if the end is not found, reading goes on at one of them.
    let mut candidate: Option<usize> = None;
    let mut other_entry: Option<usize> = None;
    let patience = cx.patience();
    let mut idx = start;
    while let Some(&raw) = cx.raw.get(idx) {
        if other_entry.is_some_and(|entry| idx > entry + patience) {
            break;
        }
        if other_entry.is_none() && idx > start && cx.begins_entry(idx) {
            other_entry = Some(idx);
        }
        let ends = depth == 0 && raw.ends_line;
        if ends && raw.ends_in_period || ends && raw.kind == TokenKind::Period && idx > start {
            report_extra(cx, &extra);
            let mut tokens = cx.tokens(start..idx);
            cx.at = idx + 1;
            if raw.ends_in_period {
                tokens.push(cx.split(raw));
                cx.split_period = None;
            }
            return Ok(tokens);
        }
        match raw.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close if depth == 0 => extra.push(idx),
            TokenKind::Close => depth -= 1,
            TokenKind::Period if raw.ends_line && cx.begins_entry_or_end(idx + 1) => {
                candidate = candidate.or(Some(idx));
            }
            _ => {}
        }
        idx += 1;
    }
    if cx.end_is_period && depth == 0 && start < cx.raw.len() {
        cx.at = cx.raw.len();
        let place = cx.last_span().after();
        cx.diagnostics.push(outer::missing_period(place));
        return Ok(cx.tokens(start..cx.at));
    }
    cx.incomplete |= idx == cx.raw.len();
    cx.looked_in_vain(other_entry.map_or(0, |entry| idx - entry));
    let command = format!("`{}` command", cx.name_text(keyword.name));
    if depth > 0 {
        let next_module = || (start..cx.raw.len()).find(|&idx| cx.begins_module(idx));
        let resume = candidate.map(|period| period + 1).or_else(next_module);
        let resume = resume.unwrap_or(cx.raw.len());
        cx.skipped.push(start..resume);
        cx.at = resume;
        // A parenthesis that is closed later than the end found here is as wrong as an open one.
        let open = open_parenthesis(cx, start..resume);
        let span = open.map_or(keyword.span, |idx| cx.raw[idx].token(cx.file).span);
        return Err(Box::new(outer::parenthesis_not_closed(&command, span, keyword.span)));
    }
    let resume = other_entry.unwrap_or(cx.raw.len());
    cx.skipped.push(start..resume);
    cx.at = resume;
    Err(Box::new(outer::text_ends_in(&command, keyword.span)))
}

/// A command's tokens while they are divided.
struct Division<'a, 'b> {
    cx: &'a mut Cursor<'b>,
    tokens: &'a [Token],
    keyword: Token,
    debug: bool,
}

impl Division<'_, '_> {
    fn command(mut self, kind: TermCommand) -> Parsed<CommandKind> {
        Ok(match kind {
            TermCommand::Reduce => {
                let target = self.target()?;
                CommandKind::Reduce { target, subject: self.rest()? }
            }
            TermCommand::Parse => {
                let target = self.target()?;
                CommandKind::Parse { target, subject: self.rest()? }
            }
            TermCommand::Rewrite => {
                let (limit, _) = self.bounds(false);
                let target = self.target()?;
                CommandKind::Rewrite { target, limit, subject: self.rest()? }
            }
            TermCommand::FairRewrite(external) => {
                let (limit, gas) = self.bounds(true);
                let target = self.target()?;
                CommandKind::FairRewrite { target, external, limit, gas, subject: self.rest()? }
            }
            TermCommand::StrategyRewrite(depth_first) => {
                let (limit, _) = self.bounds(false);
                let target = self.target()?;
                let place = self.find(&["using"]).ok_or_else(|| self.needs("`using`"))?;
                let subject = self.before(place, 1)?;
                let strategy = self.rest()?;
                CommandKind::StrategyRewrite { target, depth_first, limit, subject, strategy }
            }
            TermCommand::Search => {
                let (limit, depth) = self.bounds(true);
                let target = self.target()?;
                let arrows = ["=>1", "=>+", "=>*", "=>!", "=>#"];
                let missing = "one of the arrows `=>1 =>+ =>* =>! =>#`";
                let place = self.find(&arrows).ok_or_else(|| self.needs(missing))?;
                let arrow = match self.word(place) {
                    "=>1" => SearchArrow::One,
                    "=>+" => SearchArrow::Plus,
                    "=>*" => SearchArrow::Star,
                    "=>!" => SearchArrow::Final,
                    _ => SearchArrow::Branching,
                };
                let subject = self.before(place, 1)?;
                let (pattern, condition) = self.with_condition()?;
                CommandKind::Search { target, limit, depth, subject, arrow, pattern, condition }
            }
            TermCommand::Match(extension) => {
                let (limit, _) = self.bounds(false);
                let target = self.target()?;
                let place = self.find(&["<=?"]).ok_or_else(|| self.needs("`<=?`"))?;
                let pattern = self.before(place, 1)?;
                let (subject, condition) = self.with_condition()?;
                CommandKind::Match { target, extension, limit, pattern, subject, condition }
            }
            TermCommand::Unsupported(name) => CommandKind::Unsupported { name },
        })
    }

    fn word(&self, idx: usize) -> &str {
        self.tokens.get(idx).map_or("", |token| self.cx.name_text(token.name))
    }

    fn needs(&self, wanted: &str) -> Box<crate::diagnose::Diagnostic> {
        let command = self.cx.name_text(self.keyword.name);
        Box::new(outer::command_needs(command, wanted, self.keyword.span))
    }

    /// `[n]`, `[n, d]`, `[, d]`; anything else belongs to the term.
    fn bounds(&mut self, two: bool) -> (Option<u64>, Option<u64>) {
        let none = (None, None);
        if self.word(0) != "[" {
            return none;
        }
        let first = bound(self.word(1));
        let mut idx = if first.is_some() { 2 } else { 1 };
        let mut second = None;
        if two && self.word(idx) == "," {
            second = bound(self.word(idx + 1));
            idx += 2;
        }
        if self.word(idx) != "]" || first.is_none() && second.is_none() {
            return none;
        }
        if idx > 2 && second.is_none() {
            return none;
        }
        self.tokens = &self.tokens[idx + 1..];
        (first, second)
    }

    /// `in M :` in front.
    fn target(&mut self) -> Parsed<Target> {
        let mut module = None;
        if self.word(0) == "in" {
            let colon = (2..self.tokens.len()).find(|&idx| self.word(idx) == ":");
            if let Some(colon) = colon {
                module = Some(self.tokens[1..colon].to_vec());
                self.tokens = &self.tokens[colon + 1..];
            }
        }
        Ok(Target { module, debug: self.debug })
    }

    /// The first of some words outside brackets, with at least one token before it.
    fn find(&self, words: &[&str]) -> Option<usize> {
        let mut depth = 0usize;
        let mut inside = None;
        for idx in 0..self.tokens.len() {
            match self.word(idx) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                word if idx > 0 && words.contains(&word) => {
                    if depth == 0 {
                        return Some(idx);
                    }
                    inside = inside.or(Some(idx));
                }
                _ => {}
            }
        }
        inside
    }

    /// Takes the tokens before a place, and as many more.
    fn before(&mut self, place: usize, more: usize) -> Parsed<Vec<Token>> {
        let found = self.tokens[..place].to_vec();
        self.tokens = &self.tokens[place + more..];
        Ok(found)
    }

    /// All that is left, which must be something.
    fn rest(&self) -> Parsed<Vec<Token>> {
        if self.tokens.is_empty() { Err(self.needs("a term")) } else { Ok(self.tokens.to_vec()) }
    }

    /// What is left up to `such that`, and the condition.
    fn with_condition(&mut self) -> Parsed<(Vec<Token>, ConditionBubble)> {
        let short = self.find(&["s.t."]).map(|place| (place, 1));
        let long = self.find(&["such"]).filter(|&place| self.word(place + 1) == "that");
        let long = long.map(|place| (place, 2));
        let first = match (short, long) {
            (Some(short), Some(long)) => Some(short.min(long)),
            (short, long) => short.or(long),
        };
        let Some((place, width)) = first else { return Ok((self.rest()?, None)) };
        let found = self.before(place, width)?;
        if self.tokens.is_empty() {
            return Err(self.needs("a condition behind `such that`"));
        }
        Ok((found, Some(self.tokens.to_vec())))
    }
}

/// A bound: a positive number without leading zero. One beyond 2^63 - 1 counts as 0.
fn bound(word: &str) -> Option<u64> {
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    if !digits || word.starts_with('0') {
        return None;
    }
    Some(word.parse::<i64>().map_or(0, |number| number as u64))
}
