//! What somebody may have meant by a word that no operator reads.

use super::flat::{Flat, Operator};
use crate::diagnose::most_similar_of;
use crate::mixfix::{ParseError, ParseErrorKind};
use crate::syntax::{Name, Names, Sources, Token};

/// A hint at what may have been meant where a bubble could not be read.
pub fn hint(
    flat: &Flat,
    names: &Names,
    sources: &Sources,
    error: &ParseError,
    bubble: &[Token],
) -> Option<String> {
    let text = |at: usize| bubble.get(at).map_or("", |token| names.text(token.name));
    match error.kind {
        ParseErrorKind::BadToken => similar_word(flat, names, sources, text(error.token)),
        ParseErrorKind::UnexpectedToken if matches!(text(error.token), "," | ")") => {
            let opening = opening_parenthesis(error.token, text)?;
            let name = bubble.get(opening.checked_sub(1)?)?.name;
            number_of_arguments(flat, names, name)
        }
        _ => None,
    }
}

/// The parenthesis that is open at a token.
fn opening_parenthesis<'a>(at: usize, text: impl Fn(usize) -> &'a str) -> Option<usize> {
    let mut depth = 0usize;
    for at in (0..at).rev() {
        match text(at) {
            ")" => depth += 1,
            "(" if depth == 0 => return Some(at),
            "(" => depth -= 1,
            _ => {}
        }
    }
    None
}

/// How many arguments the operators of a name take.
fn number_of_arguments(flat: &Flat, names: &Names, name: Name) -> Option<String> {
    let mut arities: Vec<usize> =
        flat.operators.iter().filter(|op| op.name == name).map(Operator::arity).collect();
    arities.sort_unstable();
    arities.dedup();
    let list: Vec<String> = arities.iter().map(usize::to_string).collect();
    let noun = if arities == [1] { "argument" } else { "arguments" };
    let text = names.text(name);
    (!list.is_empty()).then(|| format!("`{text}` takes {} {noun}", list.join(" or ")))
}

/// A hint at the most similar word of the module's operators.
fn similar_word(flat: &Flat, names: &Names, sources: &Sources, word: &str) -> Option<String> {
    let known = flat.operators.iter().flat_map(|op| {
        let parts = names.text(op.name).split(['_', '`']).filter(|part| !part.is_empty());
        parts.map(move |part| (part, (part, op.declarations[0].span)))
    });
    let (part, span) = most_similar_of(word, known)?;
    let line = sources.line_column(span).line;
    let file = sources.get(span.file).name();
    Some(match file.starts_with('<') {
        true => format!("`{part}` is declared in {file}"),
        false => format!("`{part}` is declared in line {line}"),
    })
}
