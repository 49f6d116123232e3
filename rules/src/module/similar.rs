//! What somebody may have meant by a word that no operator reads.

use super::flat::{Flat, Operator};
use crate::mixfix::{ParseError, ParseErrorKind};
use crate::syntax::{Name, Names, Sources, Token};

/// The longest words that are compared.
const MAX_LENGTH: usize = 40;

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

/// A hint at the most similar word of the module's operators, messages and variables.
fn similar_word(flat: &Flat, names: &Names, sources: &Sources, word: &str) -> Option<String> {
    let length = word.chars().count();
    if length > MAX_LENGTH {
        return None;
    }
    let allowed = match length {
        0..=2 => return None,
        3..=5 => 1,
        _ => 2,
    };
    let mut best: Option<(usize, String)> = None;
    for op in &flat.operators {
        let span = op.declarations[0].span;
        for part in names.text(op.name).split(['_', '`']).filter(|part| !part.is_empty()) {
            let distance = distance(word, part);
            if distance <= allowed && best.as_ref().is_none_or(|(least, _)| distance < *least) {
                let line = sources.line_column(span).line;
                let file = sources.get(span.file).name();
                let place = match file.starts_with('<') {
                    true => format!("in {file}"),
                    false => format!("in line {line}"),
                };
                best = Some((distance, format!("`{part}` is declared {place}")));
            }
        }
    }
    best.map(|(_, text)| text)
}

/// The number of letters to insert, remove or change to make one word of the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(MAX_LENGTH + 2).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (at, c) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (i, d) in b.iter().enumerate() {
            let change = diagonal + usize::from(c != *d);
            diagonal = row[i + 1];
            row[i + 1] = change.min(row[i] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distances() {
        assert_eq!(distance("celll", "cell"), 1);
        assert_eq!(distance("cell", "cell"), 0);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("fib", "bfi"), 2);
    }
}
