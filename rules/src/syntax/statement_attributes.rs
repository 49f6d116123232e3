//! The attributes at the end of a statement.
//!
//! They belong to the same grammar as the terms: brackets at the end are taken as attributes if
//! their content reads as attributes, and their tokens stay with the statement, so that they can
//! still be read as a part of the term.

use super::ast::{
    ModuleKind, Statement, StatementAttribute, StatementAttributeKind, StatementKind, Token,
};
use super::names::Names;
use crate::diagnose::{Diagnostic, attributes};

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

/// Takes away the attributes that this kind of statement cannot have, with a diagnostic for each.
/// That is done when the statement is looked at, not when it is read, so that the messages of a
/// module come in the order of its statements.
pub fn drop_unsuitable_attributes(
    statement: &mut Statement,
    module: ModuleKind,
) -> Vec<Diagnostic> {
    let (kind, conditional) = (statement.kind, statement.conditional);
    let mut diagnostics = Vec::new();
    statement.attributes.retain(|attribute| {
        let Some((word, wanted)) = unsuitable(&attribute.kind, kind, conditional, module) else {
            return true;
        };
        diagnostics.push(attributes::not_for_statement(word, wanted, attribute.span));
        false
    });
    diagnostics
}

/// The word of an attribute that cannot stand here, and what it cannot belong to.
fn unsuitable(
    attribute: &StatementAttributeKind,
    kind: StatementKind,
    conditional: bool,
    module: ModuleKind,
) -> Option<(&'static str, &'static str)> {
    use StatementAttributeKind as Is;
    use StatementKind::{Equation, Membership, Rule, StrategyDefinition};
    let plural = match (kind, conditional) {
        (Equation, false) => "equations",
        (Equation, true) => "conditional equations",
        (Membership, _) => "memberships",
        (Rule, false) => "rules",
        (Rule, true) => "conditional rules",
        (StrategyDefinition, _) => "strategy definitions",
    };
    match attribute {
        Is::Owise if kind != Equation => Some(("owise", plural)),
        Is::Variant if kind == Membership || kind == Rule => Some(("variant", plural)),
        Is::Variant if kind == Equation && conditional => Some(("variant", plural)),
        Is::Narrowing if kind != Rule || conditional => Some(("narrowing", plural)),
        Is::Extension if kind == Membership => Some(("extension", plural)),
        Is::Extension if conditional && kind != StrategyDefinition => Some(("extension", plural)),
        Is::Dnt if !module.is_object_oriented() => {
            Some(("dnt", "statements outside object-oriented modules"))
        }
        _ => None,
    }
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
