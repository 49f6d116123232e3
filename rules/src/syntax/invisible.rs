//! Hints at characters that look like a blank, where a text has not the shape that it needs.

use super::tokens::RawToken;
use crate::diagnose::{Diagnostic, Label, invisible_character};
use crate::source::Span;

/// How many tokens behind the place of a problem are looked at.
const NEAR: usize = 100;

/// Shows the first character in the line of a problem, from its place on, that cannot be seen or
/// looks like a blank and is none. Strings may hold such characters.
pub(super) fn show_invisible(problem: &mut Diagnostic, text: &str, raw: &[RawToken]) {
    let Some(place) = problem.primary.as_ref().map(|label| label.span) else { return };
    let first = raw.partition_point(|token| token.end <= place.start);
    let line = raw.iter().skip(first).take(NEAR).enumerate();
    let line = line.take_while(|(idx, token)| *idx == 0 || !token.starts_line);
    let found = line.map(|(_, token)| token).find_map(|token| {
        let word = &text[token.start as usize..token.end as usize];
        let found = invisible_character(word).filter(|_| !word.contains('"'))?;
        Some((found, token.start + found.at as u32))
    });
    let Some((found, start)) = found else { return };
    let end = start + found.letter.len_utf8() as u32;
    let span = Span { start, end, ..place };
    let text = found.description();
    problem.secondary.push(Label { span, text });
    problem.help = Some("write a blank in its place".to_owned());
}
