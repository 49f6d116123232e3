//! Declarations: sorts, subsorts, operators, variables, classes, messages and strategies.
//!
//! Each function reads one declaration from behind its keyword up to the period, and leaves the
//! period to [`end_declaration`], which repairs a missing one where the declaration is complete.

use super::ast::{
    Class, Item, OperatorName, Operators, SortName, Sorts, Strategies, Subsorts, Token, Variables,
};
use super::attributes::attributes;
use super::cursor::{Cursor, Parsed};
use super::keywords;
use super::operator_names::declared_names;
use super::tokens::TokenKind;
use super::types::{operator_type, sort_name, type_expression};
use crate::diagnose::outer;

/// `sorts A B .`
pub(super) fn sorts(cx: &mut Cursor, keyword: Token) -> Parsed<Item> {
    let within = "a sort declaration";
    let start = cx.at;
    let mut names = vec![sort_name(cx, within)?];
    while more_names(cx) {
        names.push(sort_name(cx, within)?);
    }
    if let Some(offset) = swallowed_keyword(cx, start, &[":", "->", "=", "=>", "<"]) {
        names.retain(|name| name.span.start < offset);
    }
    let span = keyword.span.to(cx.last_span());
    Ok(Item::Sorts(Sorts { names, span }))
}

/// `subsorts A B < C .`, also for classes.
pub(super) fn subsorts(cx: &mut Cursor, keyword: Token) -> Parsed<Subsorts> {
    let within = "a subsort declaration";
    let start = cx.at;
    let mut groups: Vec<Vec<SortName>> = Vec::new();
    loop {
        let mut group = vec![sort_name(cx, within)?];
        while more_names(cx) && !cx.is("<") {
            group.push(sort_name(cx, within)?);
        }
        groups.push(group);
        if !cx.accept("<") {
            break;
        }
    }
    if let Some(offset) = swallowed_keyword(cx, start, &[":", "->", "=", "=>"]) {
        for group in &mut groups {
            group.retain(|name| name.span.start < offset);
        }
        groups.retain(|group| !group.is_empty());
    }
    if groups.len() < 2 {
        return Err(cx.unexpected("`<`", within));
    }
    Ok(Subsorts { groups, span: keyword.span.to(cx.last_span()) })
}

/// `op`, `ops`, `msg`, `msgs`.
pub(super) fn operators(cx: &mut Cursor, keyword: Token, several: bool) -> Parsed<Operators> {
    let within = "an operator declaration";
    let names: Vec<OperatorName> = declared_names(cx, several, within)?;
    let sorts = operator_type(cx, within)?;
    let has_brackets = cx.is("[");
    let attributes = if has_brackets { attributes(cx, sorts.domain.len())? } else { Vec::new() };
    let span = keyword.span.to(cx.last_span());
    Ok(Operators { names, sorts, attributes, has_brackets, span })
}

/// `vars X Y : S .`
pub(super) fn variables(cx: &mut Cursor, keyword: Token) -> Parsed<Variables> {
    let within = "a variable declaration";
    let mut names = vec![cx.expect_word("a name", within)?];
    while !cx.accept(":") {
        names.push(cx.expect_word("`:` and a sort", within)?);
    }
    let sort = type_expression(cx, within)?;
    Ok(Variables { names, sort, span: keyword.span.to(cx.last_span()) })
}

/// `class C | a : S, b : T .`
pub(super) fn class(cx: &mut Cursor, keyword: Token) -> Parsed<Class> {
    let within = "a class declaration";
    let name = sort_name(cx, within)?;
    let mut attributes = Vec::new();
    if cx.accept("|") && cx.kind() != Some(TokenKind::Period) {
        loop {
            let attribute = cx.expect_word("the name of an attribute", within)?;
            cx.expect(":", within)?;
            attributes.push((attribute, type_expression(cx, within)?));
            if !cx.accept(",") {
                break;
            }
        }
    }
    Ok(Class { name, attributes, span: keyword.span.to(cx.last_span()) })
}

/// `strats s t : A B @ S [metadata "text"] .`
pub(super) fn strategies(cx: &mut Cursor, keyword: Token) -> Parsed<Strategies> {
    let within = "a strategy declaration";
    let mut names = vec![cx.expect_word("a name", within)?];
    while !cx.is(":") && !cx.is("@") {
        names.push(cx.expect_word("`@` and a sort", within)?);
    }
    let mut domain = Vec::new();
    if cx.accept(":") {
        while !cx.is("@") {
            domain.push(type_expression(cx, within)?);
        }
    }
    cx.expect("@", within)?;
    let subject = type_expression(cx, within)?;
    let mut metadata = None;
    if cx.is("[") {
        for attribute in attributes(cx, 0)? {
            match attribute.kind {
                super::ast::AttributeKind::Metadata(text) => metadata = Some(text),
                _ => {
                    let word = cx.text[attribute.span.range()].to_owned();
                    let problem = crate::diagnose::attributes::unknown(&word, None, attribute.span);
                    cx.diagnostics.push(problem);
                }
            }
        }
    }
    let span = keyword.span.to(cx.last_span());
    Ok(Strategies { names, domain, subject, metadata, span })
}

/// Takes the period of a declaration that is complete. One that is missing before a keyword is put
/// in; other words up to the period are skipped.
pub(super) fn end_declaration(cx: &mut Cursor) -> Parsed<()> {
    let Some(word) = cx.word() else {
        return Err(cx.unexpected("a period", "the declaration"));
    };
    if word == "." {
        cx.take();
        return Ok(());
    }
    if keywords::follows_period(word) || cx.begins_module(cx.at) {
        let place = cx.last_span().after();
        cx.diagnostics.push(outer::missing_period(place));
        return Ok(());
    }
    let surplus = outer::surplus(word, cx.span());
    cx.diagnostics.push(surplus);
    let start = cx.at;
    while let Some(word) = cx.word() {
        if word == "." {
            cx.take();
            break;
        }
        if keywords::follows_period(word) || cx.begins_module(cx.at) {
            break;
        }
        cx.take();
    }
    cx.skipped.push(start..cx.at);
    Ok(())
}

/// Whether a list of sort names goes on.
fn more_names(cx: &Cursor) -> bool {
    cx.kind() == Some(TokenKind::Word) && !cx.begins_module(cx.at)
}

/// A list of sorts takes keywords as names. If that has led to nonsense, such as one of these words
/// in the list, the list ends before the first keyword that begins a line: the reader goes back
/// there, and its offset is returned.
fn swallowed_keyword(cx: &mut Cursor, start: usize, nonsense: &[&str]) -> Option<u32> {
    let sense = cx.kind() == Some(TokenKind::Period)
        && !(start..cx.at).any(|idx| cx.word_at(idx).is_some_and(|word| nonsense.contains(&word)));
    if sense {
        return None;
    }
    let keyword = (start + 1..cx.at).find(|&idx| cx.begins_body(idx))?;
    cx.split_period = None;
    cx.at = keyword;
    Some(cx.raw[keyword].start)
}
