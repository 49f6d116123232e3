//! Equations, memberships, rules and strategy definitions: where they end, and their parts.
//!
//! A statement is read in parts up to fixed delimiters, with only round parentheses counting, and
//! a period ends it only in the last part and before a keyword. That is how the language cuts
//! statements out of the text, without knowing any term. Only if this fails, at a closing keyword
//! or the end of the text, is a better end looked for: the first period before a keyword that
//! begins a line.

use std::ops::Range;

use super::ast::{Statement, StatementKind, Token};
use super::cursor::{Cursor, Parsed};
use super::keywords;
use super::names::Names;
use super::statement_attributes::trailing_attributes;
use super::tokens::TokenKind;
use crate::diagnose::{Diagnostic, outer};

/// The word for a kind of statement in messages.
pub(super) fn statement_word(kind: StatementKind) -> &'static str {
    match kind {
        StatementKind::Equation => "equation",
        StatementKind::Membership => "membership",
        StatementKind::Rule => "rule",
        StatementKind::StrategyDefinition => "strategy definition",
    }
}

/// Reads a statement from behind its keyword, period included.
pub(super) fn statement(
    cx: &mut Cursor,
    keyword: Token,
    kind: StatementKind,
    conditional: bool,
) -> Parsed<Statement> {
    let delimiter = main_delimiter(kind);
    let delimiters: &[&str] = if conditional { &[delimiter, "if"] } else { &[delimiter] };
    let start = cx.at;
    let end = match find_end(cx, start, delimiters) {
        Ok(end) => end,
        Err(failure) => return Err(recover(cx, keyword, kind, delimiters, failure)),
    };
    let mut tokens = cx.tokens(start..end.at);
    cx.at = end.at;
    match end.kind {
        EndKind::Period => cx.at += 1,
        EndKind::Split => {
            let raw = cx.raw[end.at];
            cx.at += 1;
            tokens.push(cx.split(raw));
            cx.split_period = None;
        }
        EndKind::BeforeClosing => {
            let place = cx.last_span().after();
            cx.diagnostics.push(outer::missing_period(place));
        }
    }
    divide(cx.names, keyword, kind, conditional, tokens)
}

/// Divides the tokens of a statement into its parts.
pub(super) fn divide(
    names: &Names,
    keyword: Token,
    kind: StatementKind,
    conditional: bool,
    tokens: Vec<Token>,
) -> Parsed<Statement> {
    let word = |idx: usize| names.text(tokens[idx].name);
    let span = tokens.last().map_or(keyword.span, |last| keyword.span.to(last.span));
    let has_label = tokens.len() > 4 && word(0) == "[" && word(2) == "]" && word(3) == ":";
    let label = has_label.then(|| tokens[1]);
    let start = if has_label { 4 } else { 0 };
    let delimiter = main_delimiter(kind);
    let missing = |what: &str| -> Box<Diagnostic> {
        Box::new(outer::missing_delimiter(what, statement_word(kind), keyword.span))
    };

    let (attributes, attribute_start) = trailing_attributes(names, &tokens);
    let depths = bracket_depths(names, &tokens);
    let places = |wanted: &str, range: Range<usize>| -> Vec<usize> {
        let found = range.filter(|&idx| word(idx) == wanted);
        let found: Vec<usize> = found.collect();
        let level: Vec<usize> = found.iter().copied().filter(|&idx| depths[idx] == 0).collect();
        if level.is_empty() { found } else { level }
    };

    let last = if kind == StatementKind::Membership {
        // The term may hold colons itself: the last one before the condition divides.
        let limit = if conditional {
            condition_place(names, &tokens, &depths, start + 1).ok_or_else(|| missing("if"))?
        } else {
            tokens.len()
        };
        places(delimiter, start + 1..limit).pop()
    } else {
        places(delimiter, start + 1..tokens.len()).first().copied()
    };
    let divider = last.ok_or_else(|| missing(delimiter))?;
    let condition = if conditional {
        let place = condition_place(names, &tokens, &depths, divider + 1);
        Some(place.ok_or_else(|| missing("if"))?)
    } else {
        None
    };
    let last_part = condition.unwrap_or(divider) + 1;
    let (attributes, end) = if attribute_start > last_part {
        (attributes, attribute_start)
    } else {
        (Vec::new(), tokens.len())
    };
    if last_part >= end {
        let wanted = format!("something behind `{}`", word(last_part - 1));
        let place = tokens[last_part - 1].span;
        return Err(Box::new(outer::expected(&wanted, ".", statement_word(kind), place)));
    }
    Ok(Statement {
        kind,
        conditional,
        keyword,
        label,
        lhs: start..divider,
        rhs: divider + 1..condition.unwrap_or(end),
        condition: condition.map(|place| place + 1..end),
        attributes,
        attribute_tokens: end..tokens.len(),
        tokens,
        span,
    })
}

fn main_delimiter(kind: StatementKind) -> &'static str {
    match kind {
        StatementKind::Equation => "=",
        StatementKind::Membership => ":",
        StatementKind::Rule => "=>",
        StatementKind::StrategyDefinition => ":=",
    }
}

/// How a statement ends.
enum EndKind {
    /// At a period.
    Period,
    /// At a token that ends in a period.
    Split,
    /// Before a closing keyword, without a period.
    BeforeClosing,
}

struct End {
    at: usize,
    kind: EndKind,
}

/// What stood in the way of an end.
struct Failure {
    /// The index of a delimiter that did not come.
    missing: Option<usize>,
    /// Whether the text ended.
    text_ended: bool,
    /// Where to go on.
    resume: usize,
    /// How far the search went.
    reached: usize,
}

/// Finds the end of a statement.
fn find_end(cx: &mut Cursor, start: usize, delimiters: &[&str]) -> Result<End, Failure> {
    let mut part = 0;
    let mut first_of_part = true;
    let mut depth = 0usize;
    // The first period before a keyword that begins a line, where the statement did not end.
    let mut candidate: Option<usize> = None;
    let mut extra = Vec::new();
    let patience = cx.patience();
    let mut idx = start;
    loop {
        let is_last = part == delimiters.len();
        let fail = |candidate: Option<usize>, otherwise: usize, text_ended: bool| Failure {
            missing: (part < delimiters.len()).then_some(part),
            text_ended,
            resume: candidate.map_or(otherwise, |period| period + 1),
            reached: idx,
        };
        let Some(&raw) = cx.raw.get(idx) else {
            return Err(fail(candidate, idx, true));
        };
        if candidate.is_some_and(|period| idx > period + patience) {
            return Err(fail(candidate, idx, false));
        }
        let word = cx.word_at(idx).unwrap_or_default();
        if !first_of_part {
            if depth == 0 && !is_last && word == delimiters[part] {
                part += 1;
                first_of_part = true;
                idx += 1;
                continue;
            }
            if raw.kind == TokenKind::Period {
                let next = cx.word_at(idx + 1);
                if is_last && depth == 0 && next.is_none_or(keywords::follows_period) {
                    report_extra(cx, &extra);
                    return Ok(End { at: idx, kind: EndKind::Period });
                }
                if next.is_some_and(keywords::is_closing) {
                    return Err(fail(candidate, idx + 1, false));
                }
                if candidate.is_none() && cx.begins_body(idx + 1) {
                    candidate = Some(idx);
                }
            }
            let closes =
                keywords::is_closing(word) && raw.starts_line && cx.begins_entry_or_end(idx + 1);
            if closes {
                if is_last && depth == 0 {
                    report_extra(cx, &extra);
                    return Ok(End { at: idx, kind: EndKind::BeforeClosing });
                }
                return Err(fail(candidate, idx, false));
            }
        }
        let split = raw.ends_in_period && is_last && depth == 0;
        if split && cx.word_at(idx + 1).is_none_or(keywords::follows_period) {
            report_extra(cx, &extra);
            return Ok(End { at: idx, kind: EndKind::Split });
        }
        match raw.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close if depth == 0 => extra.push(idx),
            TokenKind::Close => depth -= 1,
            _ => {}
        }
        first_of_part = false;
        idx += 1;
    }
}

fn report_extra(cx: &mut Cursor, extra: &[usize]) {
    for &idx in extra {
        let span = cx.raw[idx].token(cx.file).span;
        cx.diagnostics.push(outer::extra_parenthesis(span));
    }
}

/// Goes to where reading continues after a statement whose end was not found, and says why.
fn recover(
    cx: &mut Cursor,
    keyword: Token,
    kind: StatementKind,
    delimiters: &[&str],
    failure: Failure,
) -> Box<Diagnostic> {
    let start = cx.at;
    cx.at = failure.resume;
    cx.looked_in_vain(failure.reached.saturating_sub(failure.resume));
    cx.skipped.push(start..cx.at);
    cx.incomplete |= failure.text_ended;
    let what = statement_word(kind);
    let open = open_parenthesis(cx, start..failure.resume);
    Box::new(match (open, failure.missing) {
        (Some(open), _) => {
            let span = cx.raw[open].token(cx.file).span;
            outer::parenthesis_not_closed(what, span, keyword.span)
        }
        (None, Some(missing)) => outer::missing_delimiter(delimiters[missing], what, keyword.span),
        (None, None) => outer::text_ends_in(what, keyword.span),
    })
}

/// The innermost parenthesis that is left open in a stretch of tokens.
pub(super) fn open_parenthesis(cx: &Cursor, range: Range<usize>) -> Option<usize> {
    let mut open = Vec::new();
    for idx in range {
        match cx.raw[idx].kind {
            TokenKind::Open => open.push(idx),
            TokenKind::Close => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop()
}

/// How deep each token lies in brackets of all kinds.
fn bracket_depths(names: &Names, tokens: &[Token]) -> Vec<u32> {
    let mut depth = 0u32;
    let depths = tokens.iter().map(|token| match names.text(token.name) {
        "(" | "[" | "{" => {
            depth += 1;
            depth - 1
        }
        ")" | "]" | "}" => {
            depth = depth.saturating_sub(1);
            depth
        }
        _ => depth,
    });
    depths.collect()
}

/// The `if` that begins the condition: the first one that no `fi` closes.
fn condition_place(names: &Names, tokens: &[Token], depths: &[u32], start: usize) -> Option<usize> {
    let mut open = Vec::new();
    let mut any = None;
    for idx in start..tokens.len() {
        match names.text(tokens[idx].name) {
            "if" => {
                any = any.or(Some(idx));
                if depths[idx] == 0 {
                    open.push(idx);
                }
            }
            "fi" if depths[idx] == 0 => {
                open.pop();
            }
            _ => {}
        }
    }
    open.first().copied().or(any)
}
