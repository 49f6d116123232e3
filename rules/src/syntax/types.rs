//! Sort names, kinds, and the sorts of operators.

use super::ast::{OperatorType, SortName, TypeExpression};
use super::cursor::{Cursor, Parsed};
use super::keywords;
use super::tokens::TokenKind;
use crate::diagnose::outer;
use crate::source::Span;

/// How deep sort names, module expressions and view arguments may be nested.
pub(super) const DEEPEST: usize = 100;

/// A sort name, with its groups of arguments in braces.
pub(super) fn sort_name(cx: &mut Cursor, within: &str) -> Parsed<SortName> {
    nested_sort_name(cx, within, 0)
}

fn nested_sort_name(cx: &mut Cursor, within: &str, depth: usize) -> Parsed<SortName> {
    if depth > DEEPEST {
        return Err(Box::new(outer::nested_too_deeply(cx.span())));
    }
    let base = cx.expect_word("a sort", within)?;
    let mut arguments = Vec::new();
    while cx.accept("{") {
        let mut group = vec![nested_sort_name(cx, within, depth + 1)?];
        while cx.accept(",") {
            group.push(nested_sort_name(cx, within, depth + 1)?);
        }
        cx.expect("}", within)?;
        arguments.push(group);
    }
    if arguments.is_empty() {
        return Ok(SortName { name: base.name, base, arguments, span: base.span });
    }
    let mut text = cx.name_text(base.name).to_owned();
    for group in &arguments {
        let mut separator = '{';
        for argument in group {
            text.push(separator);
            text.push_str(cx.name_text(argument.name));
            separator = ',';
        }
        text.push('}');
    }
    let name = cx.names.intern(&text);
    Ok(SortName { name, base, arguments, span: base.span.to(cx.last_span()) })
}

/// A sort or a kind in brackets.
pub(super) fn type_expression(cx: &mut Cursor, within: &str) -> Parsed<TypeExpression> {
    if !cx.is("[") {
        return Ok(TypeExpression::Sort(sort_name(cx, within)?));
    }
    let start = cx.span();
    cx.take();
    let mut sorts = vec![sort_name(cx, within)?];
    while cx.accept(",") {
        sorts.push(sort_name(cx, within)?);
    }
    cx.expect("]", within)?;
    Ok(TypeExpression::Kind(sorts, start.to(cx.last_span())))
}

/// Domain, arrow and range. A missing arrow or range is repaired with the last sort.
pub(super) fn operator_type(cx: &mut Cursor, within: &str) -> Parsed<OperatorType> {
    let mut domain = Vec::new();
    // The place of the message about the first colon, that colon, and how many there are.
    let mut colons: Option<(usize, Span, usize)> = None;
    let partial = loop {
        match cx.word() {
            Some("->") => break false,
            Some("~>") => break true,
            Some(":") => {
                let (at, first, n_more) = match colons {
                    Some((at, first, n_colons)) => (at, first, n_colons),
                    None => {
                        let (at, first) = (cx.diagnostics.len(), cx.span());
                        cx.diagnostics.push(outer::stray_colon(first, 0));
                        (at, first, 0)
                    }
                };
                cx.diagnostics[at] = outer::stray_colon(first, n_more);
                colons = Some((at, first, n_more + 1));
                cx.take();
            }
            _ if ends_without_arrow(cx) => {
                let span = cx.span();
                let Some(range) = domain.pop() else {
                    return Err(cx.unexpected("`->` and the sort of the result", within));
                };
                cx.diagnostics.push(outer::missing_arrow(Span { end: span.start, ..span }));
                return Ok(OperatorType { domain, range, partial: false });
            }
            _ => domain.push(type_expression(cx, within)?),
        }
    };
    let arrow = cx.span();
    cx.take();
    if cx.kind() == Some(TokenKind::Period)
        && let Some(range) = domain.pop()
    {
        cx.diagnostics.push(outer::missing_range(arrow));
        return Ok(OperatorType { domain, range, partial });
    }
    let range = type_expression(cx, within)?;
    Ok(OperatorType { domain, range, partial })
}

/// Whether a list of sorts ends here although no arrow has come: at a period, or at brackets that
/// hold attributes.
fn ends_without_arrow(cx: &Cursor) -> bool {
    match cx.word() {
        None => true,
        Some(".") => true,
        Some("[") => {
            let attributes =
                cx.word_at(cx.at + 1).is_some_and(super::attributes::is_attribute_word);
            attributes
                && (cx.at..)
                    .map_while(|idx| cx.word_at(idx))
                    .take_while(|word| *word != ".")
                    .all(|word| word != "->" && word != "~>")
        }
        Some(word) => keywords::follows_period(word) && cx.raw[cx.at].starts_line && cx.at > 0,
    }
}
