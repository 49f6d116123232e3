//! Equations, memberships, rules and strategy definitions: where they end, and their parts.
//!
//! A statement is read in parts up to fixed delimiters, with only round parentheses counting, and
//! a period ends it only in the last part and before a keyword. That is how the language cuts
//! statements out of the text, without knowing any term. Only if this fails, where a module ends or
//! at the end of the text, is a better end looked for: the first period before a keyword that
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
    let (attributes, attribute_start) = trailing_attributes(names, &tokens);
    let depths = bracket_depths(names, &tokens);
    let parts = |start: usize| {
        dividers(names, &tokens, &depths, kind, conditional, start..attribute_start)
            .or_else(|| dividers(names, &tokens, &depths, kind, conditional, start..tokens.len()))
    };
    let has_label = tokens.len() > 4 && word(0) == "[" && word(2) == "]" && word(3) == ":";
    let labelled = if has_label { parts(4).map(|found| (4, found)) } else { None };
    let Some((start, (divider, condition))) = labelled.or_else(|| Some((0, parts(0)?))) else {
        let (what, delimiter) = (statement_word(kind), main_delimiter(kind));
        if let Some(first) = tokens.iter().find(|token| names.text(token.name) == delimiter)
            && [0, 4].iter().any(|&idx| tokens.get(idx) == Some(first))
        {
            let article = if kind == StatementKind::Equation { "an" } else { "a" };
            let what = format!("{article} {what}");
            let problem = outer::expected("a left side", delimiter, &what, first.span);
            return Err(Box::new(problem));
        }
        let has_delimiter = (1..tokens.len()).any(|idx| word(idx) == delimiter);
        let missing = if has_delimiter && conditional { "if" } else { delimiter };
        return Err(Box::new(outer::missing_delimiter(missing, what, keyword.span)));
    };
    let label = (start == 4).then(|| tokens[1]);
    let last_part = condition.unwrap_or(divider) + 1;
    let (attributes, end) = if attribute_start > last_part {
        (attributes, attribute_start)
    } else {
        (Vec::new(), tokens.len())
    };
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
    // The first token behind a delimiter is taken whatever it is.
    let mut first_of_part = false;
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
                let ends = next.is_none_or(keywords::follows_period);
                if is_last && depth == 0 && (ends || cx.ends_open_module(idx + 1)) {
                    report_extra(cx, &extra);
                    return Ok(End { at: idx, kind: EndKind::Period });
                }
                let next = cx.word_at(idx + 1);
                // A closing keyword is text here like any other, but if the module ends with it
                // this is an error.
                let closes = next.is_some_and(keywords::is_closing);
                if closes && cx.begins_entry_or_end(idx + 2) {
                    return Err(fail(candidate, idx + 1, false));
                }
                if candidate.is_none() && cx.begins_body(idx + 1) {
                    candidate = Some(idx);
                }
            }
            let closes = cx.word_at(idx).is_some_and(keywords::is_closing)
                && raw.starts_line
                && cx.begins_entry_or_end(idx + 1);
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

/// Reports the parentheses that were never opened, all in one message.
pub(super) fn report_extra(cx: &mut Cursor, extra: &[usize]) {
    if let Some((&first, more)) = extra.split_first() {
        let span = cx.raw[first].token(cx.file).span;
        cx.diagnostics.push(outer::extra_parenthesis(span, more.len()));
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

/// Where a statement is divided: the place of `=` (or `:`, `=>`, `:=`) and that of `if`. Each part
/// has at least one token.
fn dividers(
    names: &Names,
    tokens: &[Token],
    depths: &[u32],
    kind: StatementKind,
    conditional: bool,
    range: Range<usize>,
) -> Option<(usize, Option<usize>)> {
    let (start, end) = (range.start, range.end);
    let places = |wanted: &str, limit: usize| -> Vec<usize> {
        let found = (start + 1..limit.saturating_sub(1))
            .filter(|&idx| names.text(tokens[idx].name) == wanted);
        let found: Vec<usize> = found.collect();
        let outside: Vec<usize> = found.iter().copied().filter(|&idx| depths[idx] == 0).collect();
        if outside.is_empty() { found } else { outside }
    };
    let divider = |limit: usize| {
        let found = places(main_delimiter(kind), limit);
        // The term of a membership may hold colons itself.
        if kind == StatementKind::Membership { found.last() } else { found.first() }.copied()
    };
    if !conditional {
        return Some((divider(end)?, None));
    }
    let delimiter = main_delimiter(kind);
    let first = (start + 1..end).find(|&idx| names.text(tokens[idx].name) == delimiter)?;
    let likely = condition_place(names, tokens, depths, start..end);
    let all = (start..end).filter(|&idx| names.text(tokens[idx].name) == "if");
    let candidates = likely.into_iter().chain(all);
    candidates
        .filter(|&condition| first + 1 < condition && condition + 1 < end)
        .find_map(|condition| Some((divider(condition)?, Some(condition))))
}

/// The `if` that most likely begins the condition: the first one outside brackets that no `fi`
/// closes.
fn condition_place(
    names: &Names,
    tokens: &[Token],
    depths: &[u32],
    range: Range<usize>,
) -> Option<usize> {
    let mut open = Vec::new();
    for idx in range {
        match names.text(tokens[idx].name) {
            "if" if depths[idx] == 0 => open.push(idx),
            "fi" if depths[idx] == 0 => {
                open.pop();
            }
            _ => {}
        }
    }
    open.first().copied()
}
