//! The attributes at the end of a statement.
//!
//! They belong to the same grammar as the terms: brackets at the end are taken as attributes if
//! their content reads as attributes, and their tokens stay with the statement, so that they can
//! still be read as a part of the term.

use super::ast::{StatementAttribute, StatementAttributeKind, Token};
use super::names::Names;

/// The attributes, and the index of the bracket that opens them; the number of tokens if there are
/// none.
pub(super) fn trailing_attributes(
    names: &Names,
    tokens: &[Token],
) -> (Vec<StatementAttribute>, usize) {
    let none = (Vec::new(), tokens.len());
    let is = |idx: usize, text: &str| names.text(tokens[idx].name) == text;
    if tokens.is_empty() || !is(tokens.len() - 1, "]") {
        return none;
    }
    let mut depth = 0usize;
    for idx in (0..tokens.len()).rev() {
        if is(idx, "]") {
            depth += 1;
        } else if is(idx, "[") {
            depth -= 1;
            if depth == 0 {
                return match read(names, &tokens[idx + 1..tokens.len() - 1]) {
                    Some(attributes) => (attributes, idx),
                    None => none,
                };
            }
        }
    }
    none
}

/// The tokens as attributes, if all of them read so.
fn read(names: &Names, tokens: &[Token]) -> Option<Vec<StatementAttribute>> {
    let mut attributes = Vec::new();
    let mut idx = 0;
    while let Some(&token) = tokens.get(idx) {
        idx += 1;
        let kind = match names.text(token.name) {
            "owise" | "otherwise" => StatementAttributeKind::Owise,
            "nonexec" => StatementAttributeKind::Nonexec,
            "variant" => StatementAttributeKind::Variant,
            "narrowing" => StatementAttributeKind::Narrowing,
            "dnt" => StatementAttributeKind::Dnt,
            "extension" => StatementAttributeKind::Extension,
            "label" => {
                let label = *tokens.get(idx)?;
                idx += 1;
                StatementAttributeKind::Label(label)
            }
            "metadata" => {
                let text = *tokens.get(idx)?;
                idx += 1;
                names.text(text.name).starts_with('"').then_some(())?;
                StatementAttributeKind::Metadata(text)
            }
            "print" => {
                let items = tokens[idx..].iter();
                let items = items.take_while(|item| !is_attribute_word(names.text(item.name)));
                let items: Vec<Token> = items.copied().collect();
                idx += items.len();
                StatementAttributeKind::Print(items)
            }
            _ => return None,
        };
        let span = token.span.to(tokens[idx - 1].span);
        attributes.push(StatementAttribute { kind, span });
    }
    (!attributes.is_empty()).then_some(attributes)
}

fn is_attribute_word(word: &str) -> bool {
    matches!(
        word,
        "owise"
            | "otherwise"
            | "nonexec"
            | "variant"
            | "narrowing"
            | "dnt"
            | "extension"
            | "label"
            | "metadata"
            | "print"
    )
}
