//! B04xx: attributes and their values.
//!
//! A bad attribute costs itself, not the operator or statement. It is an error where the operator
//! is another one without it, and a warning where it says nothing or the same again.

use super::{Code, Diagnostic, Severity};
use crate::source::Span;

/// B0401: a word that is no attribute.
pub fn unknown(word: &str, similar: Option<&str>, span: Span) -> Diagnostic {
    let message = format!("there is no attribute `{word}`");
    let found = Diagnostic::new(Severity::Error, Code(401), message, span)
        .with_label("ignored, with all that follows it in the brackets");
    match similar {
        Some(similar) => found.with_help(format!("did you mean `{similar}`?")),
        None => found,
    }
}

/// B0402: a value that the attribute cannot have.
pub fn bad_value(attribute: &str, value: &str, span: Span) -> Diagnostic {
    let message = format!("`{value}` is no value for the attribute `{attribute}`");
    Diagnostic::new(Severity::Error, Code(402), message, span)
        .with_label("the attribute is ignored")
}

/// B0403: an attribute that was given before.
pub fn repeated(attribute: &str, span: Span, first: Span) -> Diagnostic {
    let message = format!("the attribute `{attribute}` is given twice");
    Diagnostic::new(Severity::Warning, Code(403), message, span)
        .with_label("this one is ignored")
        .with_secondary(first, "the first one")
}

/// B0404: an argument number that is given twice.
pub fn repeated_argument(attribute: &str, value: &str, span: Span) -> Diagnostic {
    let message = format!("the argument {value} is named twice in `{attribute}`");
    Diagnostic::new(Severity::Warning, Code(404), message, span)
}

/// B0407: the number of an argument that the operator does not have, without effect.
pub fn no_such_argument(attribute: &str, value: &str, span: Span) -> Diagnostic {
    let message = format!("`{value}` in `{attribute}` is no argument of the operator");
    Diagnostic::new(Severity::Warning, Code(407), message, span).with_label("without effect")
}

/// B0405: `latex` without code in parentheses.
pub fn no_latex_code(span: Span) -> Diagnostic {
    let message = "the attribute `latex` needs its code in parentheses";
    Diagnostic::new(Severity::Warning, Code(405), message, span).with_label("ignored")
}

/// B0406: an attribute that this kind of statement cannot have.
pub fn not_for_statement(attribute: &str, statements: &str, span: Span) -> Diagnostic {
    let message = format!("`{attribute}` is no attribute for {statements}");
    Diagnostic::new(Severity::Warning, Code(406), message, span).with_label("ignored")
}
