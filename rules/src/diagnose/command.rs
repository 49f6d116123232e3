//! Messages about commands and files: `B07xx` and `B08xx`, and what is not supported yet.

use super::{Code, Diagnostic, Severity};
use crate::source::{NoText, Span};

fn error(code: u16, message: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::new(Severity::Error, Code(code), message, span)
}

/// A command that the language has and Broth does not have yet.
pub fn unsupported(what: &str, span: Span) -> Diagnostic {
    error(906, format!("the command `{what}` is not supported yet"), span)
}

/// Views.
pub fn views_unsupported(span: Span) -> Diagnostic {
    error(908, "views are not supported yet", span)
}

/// A setting that the language has and that has no effect yet.
pub fn setting_without_effect(what: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        Severity::Advice,
        Code(907),
        format!("the setting `{what}` has no effect yet"),
        span,
    )
}

/// There is no module to work in.
pub fn no_current_module(span: Span) -> Diagnostic {
    error(703, "there is no current module", span).with_help("`select M .` chooses one")
}

/// Module expressions in commands.
pub fn expression_in_command(span: Span) -> Diagnostic {
    error(704, "a command takes the name of a module only", span)
}

/// Nothing to go on with.
pub fn cannot_continue(span: Span) -> Diagnostic {
    Diagnostic::new(Severity::Error, Code(705), "there is nothing to go on with", span)
        .with_help("`continue` goes on with the last rewrite, frewrite, search, match or srewrite")
}

/// No search graph.
pub fn no_graph(span: Span) -> Diagnostic {
    error(706, "there is no state graph", span).with_help("`search` makes one")
}

/// A number of a state that there is not.
pub fn bad_state(text: &str, span: Span) -> Diagnostic {
    error(707, format!("there is no state {text}"), span)
}

/// A variable in a condition or strategy that nothing binds.
pub fn unbound(name: &str, what: &str, span: Span) -> Diagnostic {
    error(708, format!("variable {name} is used before it is bound in {what}"), span)
        .with_help("the pattern, or a `:=` or `=>` before it, must bind it")
}

/// What stands before `using` must be a variable.
pub fn not_a_variable(term: &str, span: Span) -> Diagnostic {
    error(709, format!("`{term}` before `using` is not a variable"), span)
}

/// What stands before `<-` must be a variable.
pub fn not_assignable(term: &str, span: Span) -> Diagnostic {
    error(714, format!("`{term}` before `<-` is not a variable"), span)
}

/// What stands before `using` must be a variable of the pattern.
pub fn not_in_pattern(term: &str, span: Span) -> Diagnostic {
    error(710, format!("variable {term} before `using` is not in the pattern"), span)
}

/// A variable stands before `using` twice.
pub fn repeated(term: &str, span: Span) -> Diagnostic {
    error(711, format!("variable {term} stands before `using` twice"), span)
}

/// Pattern and subject have nothing in common.
pub fn different_kinds(span: Span) -> Diagnostic {
    error(712, "the two terms are of different kinds", span)
}

/// A strategy that has no definition.
pub fn undefined_strategy(name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Severity::Advice, Code(713), format!("strategy {name} has no definition"), span)
        .with_help("it fails")
}

/// The command was interrupted.
pub fn interrupted(span: Span) -> Diagnostic {
    Diagnostic::new(Severity::Warning, Code(720), "interrupted", span)
}

/// The text was not read on, since an interrupt came that did not stop the command before.
pub fn interrupted_before(next: Option<Span>) -> Diagnostic {
    let message = "interrupted before this";
    match next {
        Some(next) => Diagnostic::new(Severity::Warning, Code(720), message, next)
            .with_label("not carried out, nor what follows it"),
        None => Diagnostic::without_place(Severity::Warning, Code(720), "interrupted"),
    }
}

/// The code of [`out_of_memory`].
pub const OUT_OF_MEMORY: Code = Code(721);

/// The command needs more memory than it may take, or than terms can be told apart in.
pub fn out_of_memory(limit: Option<u64>, rewrites: u64, span: Span) -> Diagnostic {
    let message = match rewrites {
        0 => "out of memory before the first rewrite was finished".to_owned(),
        1 => "out of memory after 1 rewrite".to_owned(),
        n => format!("out of memory after {n} rewrites"),
    };
    let diagnostic = Diagnostic::new(Severity::Error, OUT_OF_MEMORY, message, span);
    let Some(limit) = limit else { return diagnostic };
    let size = size(limit);
    let advice = if rewrites == 0 {
        "a condition or strategy that needs itself never ends"
    } else {
        "if it never ends, bound its rewrites, depth or solutions"
    };
    diagnostic
        .with_help(format!("a command may take {size} (`--memory-limit` sets this); {advice}"))
}

/// A number would be larger than the engine counts.
pub fn limit_passed(limit: &str, rewrites: u64, span: Span) -> Diagnostic {
    let message = match rewrites {
        0 => format!("limit passed: {limit}"),
        1 => format!("limit passed after 1 rewrite: {limit}"),
        n => format!("limit passed after {n} rewrites: {limit}"),
    };
    Diagnostic::new(Severity::Error, Code(723), message, span)
}

/// A number of bytes for people.
fn size(bytes: u64) -> String {
    let megabytes = bytes as f64 / f64::from(1 << 20);
    if megabytes < 1024.0 {
        format!("{megabytes:.0} MiB")
    } else {
        format!("{:.1} GiB", megabytes / 1024.0)
    }
}

/// A file for which there is no room.
pub fn too_large_file(name: &str, limit: Option<u64>, span: Option<Span>) -> Diagnostic {
    let diagnostic = at(OUT_OF_MEMORY.0, format!("{name} does not fit into the memory"), span);
    let Some(limit) = limit else { return diagnostic };
    diagnostic.with_help(format!("there may be {} of it (`--memory-limit` sets this)", size(limit)))
}

/// A file that is not there.
pub fn no_file(name: &str, span: Option<Span>) -> Diagnostic {
    at(801, format!("there is no file {name}"), span)
        .with_help("it may also end in .maude, and is looked for beside the file that names it")
}

/// A file that cannot be read.
pub fn unreadable_file(name: &str, why: &str, span: Option<Span>) -> Diagnostic {
    at(802, format!("{name} cannot be read: {why}"), span)
}

/// A file that is no text.
pub fn no_text(name: &str, why: NoText, span: Option<Span>) -> Diagnostic {
    let message = format!("{name} is not a text in UTF-8");
    match why {
        NoText::Utf16 => {
            at(803, message, span).with_help("it seems to be UTF-16; save it as UTF-8")
        }
        NoText::Binary { byte, at: place } => {
            at(803, format!("{message}: byte {} of it is {byte:02X}", place + 1), span).with_help(
                "it may be a program, a picture or packed; modules and commands are text",
            )
        }
    }
}

/// A file that loads itself.
pub fn file_loads_itself(name: &str, span: Span) -> Diagnostic {
    error(804, format!("{name} is being read already"), span)
        .with_help("a file that loads itself would never end; `sload` reads a file once")
}

/// Files that load files that load files.
pub fn nested_too_deeply(name: &str, span: Span) -> Diagnostic {
    error(805, format!("{name} is not read: too many files load each other"), span)
}

/// A directory that is not there.
pub fn no_directory(name: &str, span: Span) -> Diagnostic {
    error(806, format!("there is no directory {name}"), span)
}

fn at(code: u16, message: String, span: Option<Span>) -> Diagnostic {
    match span {
        Some(span) => error(code, message, span),
        None => Diagnostic::without_place(Severity::Error, Code(code), message),
    }
}

/// Two objects of a configuration have one name.
pub fn same_name(first: &str, second: &str, span: Span) -> Diagnostic {
    let message = format!("two objects have the same name: {first} and {second}");
    Diagnostic::new(Severity::Warning, Code(722), message, span)
        .with_help("messages are delivered to the first of them only")
}
