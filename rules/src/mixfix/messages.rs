//! Messages about terms, statements and strategies that cannot be read: `B01xx`.

use super::{MAX_DEPTH, ParseError, ParseErrorKind, sort_in_token};
use crate::diagnose::{Code, Diagnostic, Severity, shortened};
use crate::syntax::{Names, Span, Token};

/// A bubble that is no term, statement or strategy of a module. `hint` knows what may have been
/// meant.
pub fn no_parse(
    error: &ParseError,
    bubble: &[Token],
    module: &str,
    names: &Names,
    hint: impl FnOnce(&ParseError) -> Option<String>,
) -> Diagnostic {
    let whole = bubble.get(error.token).map_or("", |token| names.text(token.name));
    let word = &shortened(whole);
    let before = error.token.checked_sub(1).and_then(|at| bubble.get(at));
    let before = before.map_or("", |token| names.text(token.name));
    let (code, message) = match error.kind {
        ParseErrorKind::BadToken => (104, format!("no operator of {module} reads `{word}` here")),
        ParseErrorKind::UnknownStrategy => (
            109,
            format!("no rule of {module} has the label `{word}`, and no strategy is called so"),
        ),
        ParseErrorKind::UndeclaredStrategy => {
            (114, format!("there is no strategy `{word}` in {module}"))
        }
        ParseErrorKind::UnknownSort => match sort_in_token(whole, before) {
            Some(sort) => (113, format!("there is no sort {} in {module}", shortened(sort))),
            None => (113, format!("there is no sort {word} in {module}")),
        },
        ParseErrorKind::UnexpectedToken => (105, format!("`{word}` does not fit here")),
        ParseErrorKind::UnexpectedEnd => (106, "this ends too early".to_owned()),
        ParseErrorKind::TooDeep => {
            (107, format!("this strategy is nested too deeply: {MAX_DEPTH} levels are allowed"))
        }
        ParseErrorKind::TooAmbiguous => (108, "this can be read in too many ways".to_owned()),
    };
    let diagnostic = Diagnostic::new(Severity::Error, Code(code), message, error.span);
    match error.kind {
        ParseErrorKind::BadToken | ParseErrorKind::UnknownSort => match hint(error) {
            Some(hint) => diagnostic.with_help(hint),
            None => diagnostic.with_help("declare it, or import a module that has it"),
        },
        ParseErrorKind::UndeclaredStrategy => diagnostic.with_help(match hint(error) {
            Some(hint) => hint,
            None => format!("`strat {word} @ Sort .` declares it"),
        }),
        ParseErrorKind::UnknownStrategy => diagnostic.with_help(match hint(error) {
            Some(hint) => hint,
            None => "no rule of the module has a label".to_owned(),
        }),
        ParseErrorKind::UnexpectedToken => diagnostic.with_help(match hint(error) {
            Some(hint) => hint,
            None => {
                "a term of another kind, an operator or a parenthesis is wanted here".to_owned()
            }
        }),
        ParseErrorKind::UnexpectedEnd => diagnostic.with_help(match hint(error) {
            Some(hint) => hint,
            None => "an argument or a parenthesis is missing".to_owned(),
        }),
        ParseErrorKind::TooDeep => {
            diagnostic.with_help("give parts of it names with `strat` and `sd`")
        }
        ParseErrorKind::TooAmbiguous => diagnostic
            .with_help("parentheses, `assoc`, or `prec` and `gather` of its operators decide"),
    }
}

/// A term with several readings.
pub fn ambiguous_term(first: &str, second: &str, span: Span) -> Diagnostic {
    let message = format!("this term can be read in two ways: {first} and {second}");
    Diagnostic::new(Severity::Warning, Code(110), message, span)
        .with_help("the first one is taken; parentheses decide")
}

/// A statement with several readings.
pub fn ambiguous_statement(span: Span) -> Diagnostic {
    Diagnostic::new(Severity::Warning, Code(111), "this statement can be read in two ways", span)
        .with_help("one of them is taken; parentheses decide")
}

/// A strategy with several readings.
pub fn ambiguous_strategy(span: Span) -> Diagnostic {
    Diagnostic::new(Severity::Warning, Code(112), "this strategy can be read in two ways", span)
        .with_help("one of them is taken; parentheses decide")
}
