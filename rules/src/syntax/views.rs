//! Views: header, items, end.

use super::ast::{Token, View};
use super::cursor::{Cursor, Parsed};
use super::expressions::{module_expression, parameters};
use super::keywords;
use super::mappings::{Place, follows_mapping, mapping};
use super::tokens::TokenKind;
use crate::diagnose::outer;

/// Reads a view from behind its keyword to `endv`.
pub(super) fn view(cx: &mut Cursor, keyword: Token) -> Option<View> {
    let header = header(cx);
    let (name, parameters, from, to) = match header {
        Ok(header) => header,
        Err(problem) => {
            cx.diagnostics.push(*problem);
            skip_view(cx);
            return None;
        }
    };
    let title = format!("view {}", cx.name_text(name.name));
    let mut body = Vec::new();
    loop {
        let Some(word) = cx.word() else {
            let end = cx.span();
            cx.incomplete = true;
            cx.diagnostics.push(outer::text_ends_in_module(&title, "endv", end, name.span));
            return None;
        };
        if word == "." {
            cx.take();
            continue;
        }
        if keywords::is_closing(word) {
            if word != "endv" {
                let problem = outer::wrong_closing("view", "endv", word, cx.span());
                cx.diagnostics.push(problem);
            }
            cx.take();
            break;
        }
        if cx.begins_module(cx.at) {
            let problem = outer::module_not_closed(&title, "endv", cx.span(), name.span);
            cx.diagnostics.push(problem);
            break;
        }
        let start = cx.at;
        match item(cx) {
            Ok(found) => body.push(found),
            Err(problem) => {
                cx.diagnostics.push(*problem);
                skip_item(cx, start);
            }
        }
    }
    let span = keyword.span.to(cx.last_span());
    Some(View { name, parameters, from, to, body, span })
}

type Header =
    (Token, Vec<super::ast::Parameter>, super::ast::ModuleExpression, super::ast::ModuleExpression);

fn header(cx: &mut Cursor) -> Parsed<Header> {
    let within = "a view";
    let name = cx.expect_word("a name", within)?;
    let parameters = if cx.is("{") { parameters(cx)? } else { Vec::new() };
    cx.expect("from", within)?;
    let from = module_expression(cx)?;
    cx.expect("to", within)?;
    let to = module_expression(cx)?;
    if !cx.accept("is") {
        let place = cx.last_span().after();
        cx.diagnostics.push(outer::missing_is("the view", place));
    }
    Ok((name, parameters, from, to))
}

fn item(cx: &mut Cursor) -> Parsed<super::ast::Mapping> {
    let found = mapping(cx, Place::View)?;
    match cx.word() {
        Some(".") => {
            cx.take();
        }
        Some(word) if follows_mapping(word) => {
            let place = cx.last_span().after();
            cx.diagnostics.push(outer::missing_period(place));
        }
        _ => return Err(cx.unexpected("a period", "a view")),
    }
    Ok(found)
}

/// Skips a faulty item: up to a period before a keyword, or a keyword that begins a line.
fn skip_item(cx: &mut Cursor, start: usize) {
    cx.split_period = None;
    cx.at = start + 1;
    while let Some(word) = cx.word_at(cx.at) {
        let next = cx.word_at(cx.at + 1);
        if word == "." && next.is_none_or(follows_mapping) {
            cx.at += 1;
            break;
        }
        let begins_line = cx.raw[cx.at].starts_line;
        if word == "endv" || begins_line && follows_mapping(word) || cx.begins_module(cx.at) {
            break;
        }
        cx.at += 1;
    }
    cx.skipped.push(start..cx.at);
}

/// Skips a view with a faulty header.
fn skip_view(cx: &mut Cursor) {
    let start = cx.at;
    cx.split_period = None;
    while cx.kind().is_some_and(|kind| kind != TokenKind::Word || !cx.is("endv")) {
        if cx.begins_module(cx.at) {
            break;
        }
        cx.at += 1;
    }
    cx.accept("endv");
    cx.skipped.push(start..cx.at);
}
