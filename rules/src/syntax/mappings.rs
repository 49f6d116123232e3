//! The items of renamings and views.
//!
//! Both have the same items but for what they may say about them: an item of a renaming ends at a
//! comma or the closing parenthesis and may give new attributes, one of a view ends at a period
//! and may map to a term.

use super::ast::{Mapping, MappingKind, OperatorType, Token};
use super::attributes::{attributes, is_attribute_word};
use super::cursor::{Cursor, Parsed};
use super::declarations::variables;
use super::keywords;
use super::operator_names::operator_name;
use super::tokens::TokenKind;
use super::types::{operator_type, sort_name, type_expression};
use crate::diagnose::outer;

/// Where an item stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Renaming,
    View,
}

/// `(item, item)` behind `*`.
pub(super) fn renaming(cx: &mut Cursor) -> Parsed<Vec<Mapping>> {
    let within = "a renaming";
    cx.expect("(", within)?;
    let mut items = Vec::new();
    loop {
        match cx.word() {
            Some(word) if !is_item_word(word) && !word.starts_with(')') => {
                let problem = outer::unknown_renaming_item(word, cx.span());
                cx.diagnostics.push(problem);
                skip_to_closing(cx);
                break;
            }
            Some(")") => break,
            _ => items.push(mapping(cx, Place::Renaming)?),
        }
        if !cx.accept(",") {
            break;
        }
    }
    cx.expect(")", within)?;
    Ok(items)
}

fn is_item_word(word: &str) -> bool {
    matches!(word, "sort" | "class" | "label" | "attr" | "op" | "msg" | "strat" | "var" | "vars")
}

/// Goes before the parenthesis that closes the group, or the period if there is none.
fn skip_to_closing(cx: &mut Cursor) {
    let start = cx.at;
    let mut depth = 0usize;
    while let Some(kind) = cx.kind() {
        match kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close if depth == 0 => break,
            TokenKind::Close => depth -= 1,
            TokenKind::Period if cx.begins_body(cx.at + 1) => break,
            _ => {}
        }
        cx.take();
    }
    cx.skipped.push(start..cx.at);
}

/// One item, without the comma or period behind it.
pub(super) fn mapping(cx: &mut Cursor, place: Place) -> Parsed<Mapping> {
    let within = match place {
        Place::Renaming => "a renaming",
        Place::View => "a view",
    };
    let start = cx.span();
    let Some(word) = cx.word().map(str::to_owned) else {
        return Err(cx.unexpected("an item", within));
    };
    let keyword = Token { name: cx.names.intern(&word), span: start };
    if !is_item_word(&word) {
        return Err(cx.unexpected("an item (`sort`, `op`, `class` ...)", within));
    }
    cx.take();
    let kind = match word.as_str() {
        "sort" | "class" => {
            let from = sort_name(cx, within)?;
            cx.expect("to", within)?;
            let to = sort_name(cx, within)?;
            if word == "sort" { MappingKind::Sort(from, to) } else { MappingKind::Class(from, to) }
        }
        "label" => {
            let from = cx.expect_word("a label", within)?;
            cx.expect("to", within)?;
            MappingKind::Label(from, cx.expect_word("a label", within)?)
        }
        "attr" => {
            let from = cx.expect_word("an attribute", within)?;
            let sort = if cx.accept(":") { Some(type_expression(cx, within)?) } else { None };
            cx.expect("to", within)?;
            let to = cx.expect_word("an attribute", within)?;
            MappingKind::AttributeName { from, sort, to }
        }
        "op" => return operator(cx, place, within, keyword),
        "msg" => {
            let (from, sorts) = old_name(cx, within)?;
            let to = new_name(cx, place, within)?;
            MappingKind::Message {
                from: operator_name(cx.names, from),
                sorts,
                to: operator_name(cx.names, to),
            }
        }
        "strat" => strategy(cx, place, within)?,
        _ => MappingKind::Variables(variables(cx, keyword)?),
    };
    Ok(Mapping { kind, span: start.to(cx.last_span()) })
}

/// `op f to g`, `op f : A -> B to g [prec 3]`, `op f(X) to term t`.
fn operator(cx: &mut Cursor, place: Place, within: &str, keyword: Token) -> Parsed<Mapping> {
    let (from, sorts) = old_name(cx, within)?;
    let is_term = place == Place::View && cx.is("term") && sorts.is_none();
    if is_term && cx.word_at(cx.at + 1) != Some(".") {
        cx.take();
        let term = new_name(cx, place, within)?;
        let span = keyword.span.to(cx.last_span());
        return Ok(Mapping { kind: MappingKind::OperatorToTerm(from, term), span });
    }
    let to = new_name(cx, place, within)?;
    let attributes = if place == Place::Renaming && cx.is("[") {
        attributes(cx, sorts.as_ref().map_or(usize::MAX, |sorts| sorts.domain.len()))?
    } else {
        Vec::new()
    };
    let kind = MappingKind::Operator {
        from: operator_name(cx.names, from),
        sorts,
        to: operator_name(cx.names, to),
        attributes,
    };
    Ok(Mapping { kind, span: keyword.span.to(cx.last_span()) })
}

/// `strat s to t`, `strat s : A @ B to t`, `strat s(X) to expr e`.
fn strategy(cx: &mut Cursor, place: Place, within: &str) -> Parsed<MappingKind> {
    let mut from = Vec::new();
    let mut depth = 0usize;
    while !(depth == 0 && !from.is_empty() && (cx.is("to") || cx.is(":") || cx.is("@"))) {
        match cx.kind() {
            None | Some(TokenKind::Period) => return Err(cx.unexpected("`to`", within)),
            Some(TokenKind::Open) => depth += 1,
            Some(TokenKind::Close) => depth = depth.saturating_sub(1),
            _ => {}
        }
        from.extend(cx.take());
    }
    let mut sorts = None;
    if !cx.is("to") {
        let mut domain = Vec::new();
        if cx.accept(":") {
            while !cx.is("@") {
                domain.push(type_expression(cx, within)?);
            }
        }
        cx.expect("@", within)?;
        sorts = Some((domain, type_expression(cx, within)?));
    }
    cx.expect("to", within)?;
    let is_expression = place == Place::View && cx.is("expr");
    if is_expression && cx.word_at(cx.at + 1) != Some(".") {
        cx.take();
        return Ok(MappingKind::StrategyToExpression(from, new_name(cx, place, within)?));
    }
    let to = cx.expect_word("a strategy", within)?;
    Ok(MappingKind::Strategy { from: from[0], sorts, to })
}

/// The tokens up to `to`, and the sorts if a colon comes first.
fn old_name(cx: &mut Cursor, within: &str) -> Parsed<(Vec<Token>, Option<OperatorType>)> {
    let mut name = Vec::new();
    let mut depth = 0usize;
    loop {
        if depth == 0 && !name.is_empty() {
            if cx.accept("to") {
                return Ok((name, None));
            }
            if cx.accept(":") {
                let sorts = operator_type(cx, within)?;
                cx.expect("to", within)?;
                return Ok((name, Some(sorts)));
            }
        }
        match cx.kind() {
            None => return Err(cx.unexpected("`to`", within)),
            Some(TokenKind::Period) if cx.begins_body(cx.at + 1) => {
                return Err(cx.unexpected("`to`", within));
            }
            Some(TokenKind::Open) => depth += 1,
            Some(TokenKind::Close) => depth = depth.saturating_sub(1),
            _ => {}
        }
        name.extend(cx.take());
    }
}

/// The tokens up to the end of the item, at least one.
fn new_name(cx: &mut Cursor, place: Place, within: &str) -> Parsed<Vec<Token>> {
    let mut name = Vec::new();
    let mut depth = 0usize;
    loop {
        let Some(kind) = cx.kind() else {
            return Err(cx.unexpected("the end of the item", within));
        };
        if depth == 0 && !name.is_empty() && ends_item(cx, place) {
            return Ok(name);
        }
        match kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close if depth == 0 && place == Place::Renaming => {
                return Err(cx.unexpected("a new name", within));
            }
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Word if depth == 0 && place == Place::View => {
                let raw = cx.raw[cx.at];
                let next = cx.word_at(cx.at + 1);
                if raw.ends_in_period && next.is_none_or(follows_mapping) {
                    cx.at += 1;
                    name.push(cx.split(raw));
                    return Ok(name);
                }
            }
            _ => {}
        }
        name.extend(cx.take());
    }
}

fn ends_item(cx: &Cursor, place: Place) -> bool {
    match (place, cx.word()) {
        (Place::Renaming, Some("," | ")")) => true,
        (Place::Renaming, Some("[")) => cx.word_at(cx.at + 1).is_some_and(is_attribute_word),
        (Place::View, Some(".")) => cx.word_at(cx.at + 1).is_none_or(follows_mapping),
        _ => false,
    }
}

/// Whether a period before this word ends an item of a view.
pub(super) fn follows_mapping(word: &str) -> bool {
    word == "attr" || word == "label" || keywords::follows_period(word)
}
