//! B00xx: characters and tokens.
//!
//! Nothing here stops the reader: what is no token is left out, and the rest of the text is read,
//! if it does not lie in a comment.

use super::{Code, Diagnostic, Severity, shortened};
use crate::source::{FileId, Foreign, Span};

/// B0001: a character that can be no part of a token here was skipped, and perhaps some more like
/// it in its line.
pub fn stray_character(text: &str, n_more: usize, span: Span) -> Diagnostic {
    let shown = match text {
        "`" => "this backquote".to_owned(),
        other => format!("the character {:?}", other.chars().next().unwrap_or(' ')),
    };
    let message = format!("{shown} is skipped");
    let mut found = Diagnostic::new(Severity::Warning, Code(1), message, span);
    if n_more > 0 {
        found = found.with_label(format!("and {n_more} more like it in this line"));
    }
    if text == "`" {
        found.with_help(
            "a backquote may stand before one of ( ) [ ] { } , or between two other characters",
        )
    } else {
        found
    }
}

/// B0002: a string that is not closed on its line.
pub fn string_not_closed(span: Span) -> Diagnostic {
    Diagnostic::new(Severity::Warning, Code(2), "this string is not closed on its line", span)
        .with_label("the quote is skipped")
        .with_help("close it with a quote, or end the line with a backslash")
}

/// B0003: a tab in a string.
pub fn tab_in_string(span: Span) -> Diagnostic {
    Diagnostic::new(Severity::Warning, Code(3), "a tab in a string is read as a blank", span)
        .with_help("write \\t for a tab")
}

/// B0004: a comment that runs to the end of the text.
pub fn comment_not_closed(span: Span) -> Diagnostic {
    let begin = Span { end: span.start + 3, ..span };
    Diagnostic::new(Severity::Error, Code(4), "this comment is not closed", begin)
        .with_label("all that follows is skipped")
        .with_help("the parenthesis after *** or --- needs a closing one")
}

/// B0006: bytes that are not UTF-8, by the first of them.
pub fn foreign_byte(file: FileId, foreign: Foreign) -> Diagnostic {
    let Foreign { byte, at, n_more } = foreign;
    let letter = char::from(byte);
    let span = Span { file, start: at as u32, end: (at + letter.len_utf8()) as u32 };
    let message = if letter.is_control() {
        format!("the byte {byte:02X} is not UTF-8")
    } else {
        format!("the byte {byte:02X} is not UTF-8, and is read as `{letter}`")
    };
    let more = match n_more {
        0 => String::new(),
        1 => "1 more such byte follows; ".to_owned(),
        n => format!("{n} more such bytes follow; "),
    };
    Diagnostic::new(Severity::Warning, Code(6), message, span)
        .with_help(format!("{more}all of them are read as Latin-1; save the text as UTF-8"))
}

/// B0005: a period that touches the token before it.
pub fn missing_space(token: &str, span: Span) -> Diagnostic {
    let period = Span { start: span.end - 1, ..span };
    let message = format!("missing space between `{}` and the period", shortened(token));
    Diagnostic::new(Severity::Warning, Code(5), message, period)
}
