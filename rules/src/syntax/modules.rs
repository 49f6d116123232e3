//! Modules and theories: header, body, end, and what to do where a body makes no sense.

use super::ast::{Import, ImportMode, Item, Module, ModuleKind, Token};
use super::cursor::{Cursor, Parsed};
use super::declarations::{
    class, end_declaration, operators, sorts, strategies, subsorts, variables,
};
use super::expressions::{module_expression, parameters};
use super::keywords::{self, BodyKeyword};
use super::operator_names::number_parts;
use super::statements::statement;
use crate::diagnose::outer;
use crate::source::Span;

/// Reads a module from behind its keyword to its closing keyword.
pub(super) fn module(cx: &mut Cursor, keyword: Token, kind: ModuleKind) -> Option<Module> {
    let start = cx.at - 1;
    let header = header(cx);
    let (name, parameters, usable) = match header {
        Ok((name, parameters)) => (name, parameters, true),
        Err(problem) => {
            cx.diagnostics.push(*problem);
            skip_header(cx);
            (keyword, Vec::new(), false)
        }
    };
    let title = match usable {
        true => format!("module {}", cx.name_text(name.name)),
        false => "this module".to_owned(),
    };
    let mut body = Vec::new();
    let closed = self::body(cx, keyword, kind, &title, &mut body);
    number(cx, start, &body);
    let span = keyword.span.to(cx.last_span());
    (closed && usable).then_some(Module { kind, name, parameters, body, span })
}

fn header(cx: &mut Cursor) -> Parsed<(Token, Vec<super::ast::Parameter>)> {
    let within = "a module";
    let name = cx.expect_word("a name", within)?;
    let parameters = if cx.is("{") { parameters(cx)? } else { Vec::new() };
    if cx.accept("is") {
        return Ok((name, parameters));
    }
    match cx.word() {
        Some(word) if keywords::follows_period(word) => {
            let module = format!("module {}", cx.name_text(name.name));
            let place = cx.last_span().after();
            cx.diagnostics.push(outer::missing_is(&module, place));
            Ok((name, parameters))
        }
        _ => Err(cx.unexpected("`is`", within)),
    }
}

/// Goes behind the `is` of a faulty header, or before the first declaration.
fn skip_header(cx: &mut Cursor) {
    let start = cx.at;
    cx.split_period = None;
    while let Some(word) = cx.word() {
        if word == "is" {
            cx.at += 1;
            break;
        }
        if cx.begins_body(cx.at) || cx.begins_module(cx.at) || keywords::is_closing(word) {
            break;
        }
        cx.at += 1;
    }
    cx.skipped.push(start..cx.at);
}

/// Reads the body; false if the text ended in it.
fn body(
    cx: &mut Cursor,
    keyword: Token,
    kind: ModuleKind,
    title: &str,
    items: &mut Vec<Item>,
) -> bool {
    let wanted = keywords::closing_word(kind);
    loop {
        let span = cx.span();
        let Some(word) = cx.word() else {
            cx.incomplete = true;
            let problem = outer::text_ends_in_module(title, wanted, span, keyword.span);
            cx.diagnostics.push(problem);
            return false;
        };
        if word == "." {
            cx.take();
            continue;
        }
        if keywords::is_closing(word) {
            if keywords::closed_kind(word) != Some(kind) {
                let opened = cx.name_text(keyword.name);
                let problem = outer::wrong_closing(opened, wanted, word, span);
                cx.diagnostics.push(problem);
            }
            cx.take();
            return true;
        }
        if cx.begins_module(cx.at) {
            cx.diagnostics.push(outer::module_not_closed(title, wanted, span, keyword.span));
            return true;
        }
        let start = cx.at;
        let Some(body_keyword) = keywords::body_keyword(word) else {
            if cx.ends_open_module(cx.at) {
                cx.diagnostics.push(outer::module_not_closed(title, wanted, span, keyword.span));
                return true;
            }
            let word = cx.word_at(cx.at).unwrap_or_default();
            let similar = keywords::meant(word, wanted);
            let mut problem = outer::unexpected_in_module(word, similar, title, span);
            if similar.is_none() && keywords::top_keyword(word).is_some() {
                problem = problem.with_help(format!("commands stand behind `{wanted}`"));
            }
            cx.diagnostics.push(problem);
            skip(cx, start);
            continue;
        };
        let keyword = cx.take().expect("the next token was looked at");
        if let BodyKeyword::Statement(kind_of_statement, conditional) = body_keyword {
            match statement(cx, keyword, kind_of_statement, conditional) {
                Ok(found) => {
                    if let Some(item) = fitting(cx, kind, Item::Statement(found)) {
                        items.push(item);
                    }
                }
                Err(problem) => cx.diagnostics.push(*problem),
            }
            continue;
        }
        let n_diagnostics = cx.diagnostics.len();
        match declaration(cx, keyword, body_keyword) {
            Ok(found) => items.extend(fitting(cx, kind, found)),
            Err(problem) => {
                // One message for one bad declaration: what came before is due to the same fault.
                cx.diagnostics.truncate(n_diagnostics);
                cx.diagnostics.push(*problem);
                skip(cx, start);
            }
        }
    }
}

/// Reads a declaration from behind its keyword, period included.
pub(super) fn declaration(cx: &mut Cursor, keyword: Token, kind: BodyKeyword) -> Parsed<Item> {
    let item = match kind {
        BodyKeyword::Import(mode) => import(cx, keyword, mode)?,
        BodyKeyword::Using => {
            cx.diagnostics.push(outer::using_import(keyword.span));
            import(cx, keyword, ImportMode::Including)?
        }
        BodyKeyword::Sorts => sorts(cx, keyword)?,
        BodyKeyword::Subsorts => Item::Subsorts(subsorts(cx, keyword)?),
        BodyKeyword::Operators(several) => Item::Operators(operators(cx, keyword, several)?),
        BodyKeyword::Variables => Item::Variables(variables(cx, keyword)?),
        BodyKeyword::Class => Item::Class(class(cx, keyword)?),
        BodyKeyword::Subclasses => Item::Subclasses(subsorts(cx, keyword)?),
        BodyKeyword::Messages(several) => Item::Messages(operators(cx, keyword, several)?),
        BodyKeyword::Strategies => Item::Strategies(strategies(cx, keyword)?),
        BodyKeyword::Statement(..) => unreachable!("statements are read by themselves"),
    };
    end_declaration(cx)?;
    Ok(item)
}

fn import(cx: &mut Cursor, keyword: Token, mode: ImportMode) -> Parsed<Item> {
    let module = module_expression(cx)?;
    Ok(Item::Import(Import { mode, module, span: keyword.span.to(cx.last_span()) }))
}

/// The item, if it may stand in this kind of module.
pub(super) fn fitting(cx: &mut Cursor, kind: ModuleKind, item: Item) -> Option<Item> {
    use super::ast::StatementKind::{Rule, StrategyDefinition};
    let (what, wanted, allowed) = match &item {
        Item::Class(_) => ("a class", "object-oriented modules", kind.is_object_oriented()),
        Item::Subclasses(_) => {
            ("a subclass declaration", "object-oriented modules", kind.is_object_oriented())
        }
        Item::Messages(_) => ("a message", "object-oriented modules", kind.is_object_oriented()),
        Item::Strategies(_) => {
            ("a strategy declaration", "strategy modules", kind.allows_strategies())
        }
        Item::Statement(statement) if statement.kind == StrategyDefinition => {
            ("a strategy definition", "strategy modules", kind.allows_strategies())
        }
        Item::Statement(statement) => {
            if statement.kind == Rule && !kind.allows_rules() {
                let problem = outer::rule_in_functional_module(statement.keyword.span);
                cx.diagnostics.push(problem);
            }
            return Some(item);
        }
        _ => return Some(item),
    };
    if allowed {
        return Some(item);
    }
    let start = item.span().start;
    let place = Span { end: start, ..item.span() };
    let word = cx.text[start as usize..].split_whitespace().next().map_or(0, str::len);
    let place = Span { end: place.start + word as u32, ..place };
    cx.diagnostics.push(outer::not_allowed(what, wanted, place));
    None
}

/// Skips what makes no sense from the token at `start` on: up to a period at the end of a line or
/// before a keyword, or a keyword that begins a line.
fn skip(cx: &mut Cursor, start: usize) {
    cx.split_period = None;
    cx.at = start + 1;
    while cx.at < cx.raw.len() {
        let word = cx.word_at(cx.at).unwrap_or_default();
        let next = cx.word_at(cx.at + 1);
        let raw = cx.raw[cx.at];
        let ends = word == "." || raw.ends_in_period;
        if ends && (raw.ends_line || next.is_none_or(keywords::follows_period)) {
            cx.at += 1;
            break;
        }
        if cx.begins_body(cx.at) || cx.begins_module(cx.at) {
            break;
        }
        cx.at += 1;
    }
    cx.skipped.push(start..cx.at);
}

/// Gives names their numbers: first to the tokens of the module in reading order, then to what gets
/// one only when a module is complete, the parts of operators' names and the base names of the
/// variables `X:S` in its statements.
fn number(cx: &mut Cursor, start: usize, body: &[Item]) {
    if !cx.numbered {
        return;
    }
    cx.number_tokens(start);
    for item in body {
        if let Item::Operators(operators) | Item::Messages(operators) = item {
            for name in &operators.names {
                number_parts(cx.names, name.name);
            }
        }
    }
    for item in body {
        if let Item::Statement(statement) = item {
            for token in &statement.tokens {
                cx.names.number_name(token.name);
                cx.names.number_variable_base(token.name);
            }
        }
    }
}
