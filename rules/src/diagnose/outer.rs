//! B03xx: the outer shape of modules, statements and commands.
//!
//! Errors cost the statement, declaration or command that they are about, or a part of it; what
//! could be repaired is a warning, and is done.

use super::{Code, Diagnostic, Severity, shortened};
use crate::source::Span;

/// B0301: something else was needed here.
pub fn expected(wanted: &str, found: &str, within: &str, span: Span) -> Diagnostic {
    let message = format!("{within} needs {wanted} here, not `{}`", shortened(found));
    let found = Diagnostic::new(Severity::Error, Code(301), message, span);
    match form(within) {
        Some(form) => found.with_help(format!("it is written `{form}`")),
        None => found,
    }
}

/// How a kind of declaration is written.
fn form(declaration: &str) -> Option<&'static str> {
    Some(match declaration {
        "a sort declaration" => "sort Name .",
        "a subsort declaration" => "subsort Smaller < Larger .",
        "an operator declaration" => "op name : Sort Sort -> Sort .",
        "a variable declaration" => "var X : Sort .",
        "a class declaration" => "class Name | attribute : Sort, attribute : Sort .",
        "a strategy declaration" => "strat name : Sort Sort @ Sort .",
        _ => return None,
    })
}

/// B0302: the text ends too early.
pub fn expected_before_end(wanted: &str, within: &str, span: Span) -> Diagnostic {
    let message = format!("the text ends where {within} needs {wanted}");
    Diagnostic::new(Severity::Error, Code(302), message, span)
}

/// B0303: tokens that begin no declaration or statement.
pub fn unexpected_in_module(
    word: &str,
    similar: Option<&str>,
    module: &str,
    span: Span,
) -> Diagnostic {
    let message = format!("`{}` begins no declaration or statement of {module}", shortened(word));
    let found = Diagnostic::new(Severity::Error, Code(303), message, span)
        .with_label("skipped up to the next declaration or statement");
    with_similar(found, similar)
}

/// B0304: a period was put in.
pub fn missing_period(span: Span) -> Diagnostic {
    Diagnostic::new(Severity::Warning, Code(304), "missing period", span)
        .with_help("write a blank and a period here")
}

/// B0305: the word `is` was put in.
pub fn missing_is(module: &str, span: Span) -> Diagnostic {
    let message = format!("missing `is` after the name of {module}");
    Diagnostic::new(Severity::Warning, Code(305), message, span)
}

/// B0306: words between the end of a declaration and its period.
pub fn surplus(word: &str, span: Span) -> Diagnostic {
    let message =
        format!("`{}` is skipped: the declaration is complete before it", shortened(word));
    Diagnostic::new(Severity::Error, Code(306), message, span)
        .with_help("missing period, or misspelt attributes, which stand in brackets")
}

/// B0307: a parenthesis without its partner.
pub fn parenthesis_not_closed(what: &str, span: Span, from: Span) -> Diagnostic {
    let message = format!("the end of this {what} is not found: a parenthesis is not closed");
    Diagnostic::new(Severity::Error, Code(307), message, span)
        .with_label("this one")
        .with_secondary(from, format!("the {what} begins here"))
        .with_help("reading goes on at the next line that begins with a keyword")
}

/// B0308: closing parentheses too many in one statement or command, by the first of them.
pub fn extra_parenthesis(span: Span, n_more: usize) -> Diagnostic {
    let found =
        Diagnostic::new(Severity::Warning, Code(308), "this parenthesis was never opened", span);
    match n_more {
        0 => found.with_help("take it away, or open one before it"),
        n => found
            .with_label(format!("and {n} more after it"))
            .with_help("take them away, or open as many before them"),
    }
}

/// B0309: a statement without the token that divides it.
pub fn missing_delimiter(delimiter: &str, what: &str, span: Span) -> Diagnostic {
    let message = format!("this {what} has no `{delimiter}`");
    let found = Diagnostic::new(Severity::Error, Code(309), message, span);
    match unconditional(what) {
        Some(plain) if delimiter == "if" => {
            found.with_help(format!("without a condition it begins with `{plain}`"))
        }
        _ => found,
    }
}

/// The keyword of a kind of statement without condition.
fn unconditional(what: &str) -> Option<&'static str> {
    Some(match what {
        "equation" => "eq",
        "membership" => "mb",
        "rule" => "rl",
        "strategy definition" => "sd",
        _ => return None,
    })
}

/// B0310: the closing keyword of another kind of module.
pub fn wrong_closing(opened: &str, wanted: &str, found: &str, span: Span) -> Diagnostic {
    let message = format!("a module that begins with `{opened}` ends with `{found}`");
    Diagnostic::new(Severity::Warning, Code(310), message, span)
        .with_help(format!("write `{wanted}`"))
}

/// B0311: a module without its closing keyword, closed before the next one.
pub fn module_not_closed(module: &str, wanted: &str, span: Span, opened: Span) -> Diagnostic {
    let message = format!("missing `{wanted}` before this: {module} is not closed");
    Diagnostic::new(Severity::Warning, Code(311), message, span)
        .with_secondary(opened, format!("{module} begins here"))
}

/// B0312: the text ends inside a module or view, which is dropped.
pub fn text_ends_in_module(module: &str, wanted: &str, span: Span, opened: Span) -> Diagnostic {
    let message = format!("the text ends inside {module}, which is dropped");
    Diagnostic::new(Severity::Error, Code(312), message, span)
        .with_secondary(opened, format!("{module} begins here"))
        .with_help(format!("close it with `{wanted}`"))
}

/// B0313: a word that begins no command.
pub fn unknown_command(word: &str, similar: Option<&str>, span: Span) -> Diagnostic {
    let found = Diagnostic::new(
        Severity::Error,
        Code(313),
        format!("`{}` is no command", shortened(word)),
        span,
    );
    with_similar(found, similar)
}

/// B0313: a word that only modules have, where none is open.
pub fn outside_modules(word: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Severity::Error, Code(313), format!("`{word}` is no command"), span)
        .with_help("it belongs in a module, and no module is open here")
}

/// B0314: the text ends inside a command or statement.
pub fn text_ends_in(what: &str, span: Span) -> Diagnostic {
    let message = format!("the text ends inside this {what}");
    Diagnostic::new(Severity::Error, Code(314), message, span)
        .with_help("it ends with a blank and a period")
}

/// B0315: module expressions, views or sort names nested beyond all reason.
pub fn nested_too_deeply(span: Span) -> Diagnostic {
    Diagnostic::new(Severity::Error, Code(315), "this is nested too deeply", span)
}

/// B0316: a declaration in the wrong kind of module.
pub fn not_allowed(what: &str, wanted: &str, span: Span) -> Diagnostic {
    let message = format!("{what} is only allowed in {wanted}");
    Diagnostic::new(Severity::Error, Code(316), message, span)
}

/// B0317: a rule in a functional module, which is kept.
pub fn rule_in_functional_module(span: Span) -> Diagnostic {
    let message = "a rule does not belong in a functional module";
    Diagnostic::new(Severity::Warning, Code(317), message, span)
        .with_help("it is used all the same; make this module a `mod`")
}

/// B0318: `using` is read like `including`.
pub fn using_import(span: Span) -> Diagnostic {
    Diagnostic::new(Severity::Warning, Code(318), "`using` is treated like `including`", span)
}

/// B0319: colons among the sorts of an operator, by the first of them.
pub fn stray_colon(span: Span, n_more: usize) -> Diagnostic {
    let found = Diagnostic::new(Severity::Warning, Code(319), "this colon is skipped", span);
    let found = match n_more {
        0 => found,
        n => found.with_label(format!("and {n} more after it")),
    };
    found.with_help("a name with a colon in it stands in parentheses")
}

/// B0320: an operator without arrow; its last sort is taken as the range.
pub fn missing_arrow(span: Span) -> Diagnostic {
    let message = "missing `->`: the last sort is taken as the sort of the result";
    Diagnostic::new(Severity::Warning, Code(320), message, span)
}

/// B0321: nothing behind the arrow; the last sort before it is taken as the range.
pub fn missing_range(span: Span) -> Diagnostic {
    let message = "missing sort of the result: the last sort before the arrow is taken";
    Diagnostic::new(Severity::Warning, Code(321), message, span)
}

/// B0322: a command without one of its parts.
pub fn command_needs(command: &str, wanted: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Severity::Error, Code(322), format!("`{command}` needs {wanted}"), span)
}

/// B0323: a word that a command does not know.
pub fn command_does_not_know(command: &str, word: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        Severity::Error,
        Code(323),
        format!("`{command}` knows no `{}`", shortened(word)),
        span,
    )
}

/// B0324: words behind a complete command, by the first of them.
pub fn surplus_in_command(word: &str, n_more: usize, span: Span) -> Diagnostic {
    let message = format!("`{}` is skipped: the command is complete before it", shortened(word));
    let found = Diagnostic::new(Severity::Error, Code(324), message, span);
    match n_more {
        0 => found,
        n => found.with_label(format!("and {n} more after it")),
    }
}

/// B0325: a word that begins no item of a renaming; the rest of the renaming is skipped.
pub fn unknown_renaming_item(word: &str, span: Span) -> Diagnostic {
    let message = format!("`{}` begins no item of a renaming", shortened(word));
    Diagnostic::new(Severity::Error, Code(325), message, span)
        .with_label("the rest of the renaming is skipped")
}

fn with_similar(found: Diagnostic, similar: Option<&str>) -> Diagnostic {
    match similar {
        Some(similar) => found.with_help(format!("did you mean `{similar}`?")),
        None => found,
    }
}
