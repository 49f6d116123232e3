//! What somebody may have meant where a bubble could not be read.

use super::flat::{Flat, Operator};
use super::loaded::Loaded;
use crate::diagnose::{invisible_character, most_similar, most_similar_of};
use crate::mixfix::{ParseError, ParseErrorKind, sort_in_token};
use crate::syntax::{Name, Names, Sources, Token};

/// So many labels of rules are told at most.
const MOST_LABELS: usize = 8;

/// A hint at what may have been meant where a bubble could not be read.
pub fn hint(
    loaded: &Loaded,
    names: &Names,
    sources: &Sources,
    error: &ParseError,
    bubble: &[Token],
) -> Option<String> {
    let flat = &loaded.flat;
    let text = |at: usize| bubble.get(at).map_or("", |token| names.text(token.name));
    let before = error.token.checked_sub(1);
    match error.kind {
        ParseErrorKind::BadToken => {
            let word = text(error.token);
            invisible_character(word)
                .map(|found| found.to_string())
                .or_else(|| similar_word(flat, names, sources, word))
                .or_else(|| variable(word))
        }
        ParseErrorKind::UnknownStrategy => labels(loaded, names, text(error.token)),
        ParseErrorKind::UndeclaredStrategy => {
            let known = flat.strategies.iter().map(|strategy| names.text(strategy.name));
            let similar = most_similar(text(error.token), known)?;
            Some(format!("did you mean `{similar}`?"))
        }
        ParseErrorKind::UnknownSort => {
            let word = text(error.token);
            similar_sort(flat, names, sort_in_token(word, before.map_or("", text)).unwrap_or(word))
        }
        ParseErrorKind::UnexpectedToken if lacks_numbers(flat, names, text(error.token)) => {
            Some("numbers need the module NAT: `protecting NAT .`".to_owned())
        }
        ParseErrorKind::UnexpectedToken if matches!(text(error.token), "," | ")") => {
            let opening = opening_parenthesis(error.token, text)?;
            let name = bubble.get(opening.checked_sub(1)?)?.name;
            number_of_arguments(flat, names, name)
        }
        ParseErrorKind::UnexpectedToken if text(error.token) == "(" => {
            number_of_arguments(flat, names, bubble.get(before?)?.name)
        }
        ParseErrorKind::UnexpectedToken if matches!(text(error.token), "[" | "{") => {
            let wanted = arguments_wanted(flat, names, bubble.get(before?)?.name)?;
            Some(format!("{wanted}, in round parentheses"))
        }
        ParseErrorKind::UnexpectedToken if text(error.token) == "using" => branches(bubble, names),
        ParseErrorKind::UnexpectedToken => arguments_wanted(flat, names, bubble.get(before?)?.name)
            .or_else(|| missing_comma(flat, names, bubble, error.token)),
        ParseErrorKind::UnexpectedEnd => {
            arguments_wanted(flat, names, bubble.get(error.token)?.name)
                .or_else(|| branches(bubble, names))
        }
        _ => None,
    }
}

/// Whether a word is a number in a module that has none.
fn lacks_numbers(flat: &Flat, names: &Names, word: &str) -> bool {
    !word.is_empty()
        && word.chars().all(|c| c.is_ascii_digit())
        && !flat.sorts.keys().any(|&sort| names.text(sort) == "Nat")
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

/// The numbers of arguments of the operators and strategies of a name.
fn arities(flat: &Flat, name: Name) -> Vec<usize> {
    let operators = flat.operators.iter().filter(|op| op.name == name).map(Operator::arity);
    let strategies = flat.strategies.iter().filter(|s| s.name == name).map(|s| s.domain.len());
    let mut arities: Vec<usize> = operators.chain(strategies).collect();
    arities.sort_unstable();
    arities.dedup();
    arities
}

/// How many arguments the operators and strategies of a name take.
fn number_of_arguments(flat: &Flat, names: &Names, name: Name) -> Option<String> {
    let arities = arities(flat, name);
    let list: Vec<String> = arities.iter().map(usize::to_string).collect();
    let text = names.text(name);
    match arities[..] {
        [] => None,
        [0] => Some(format!("`{text}` takes no arguments")),
        [1] => Some(format!("`{text}` takes 1 argument")),
        _ => Some(format!("`{text}` takes {} arguments", list.join(" or "))),
    }
}

/// A hint at the form of the strategies that rewrite parts, if there is one.
fn branches(bubble: &[Token], names: &Names) -> Option<String> {
    let words = bubble.iter().map(|token| names.text(token.name));
    let word = words.into_iter().find(|word| word.ends_with("matchrew"))?;
    Some(format!("it is written `{word} PATTERN by VARIABLE using STRATEGY`"))
}

/// How many arguments a name takes that stands without any, if it takes some.
fn arguments_wanted(flat: &Flat, names: &Names, name: Name) -> Option<String> {
    let wants = !arities(flat, name).contains(&0);
    if wants { number_of_arguments(flat, names, name) } else { None }
}

/// A hint at a comma that is missing before a token: an operator with parentheses behind its name
/// has fewer arguments in them than it takes.
fn missing_comma(flat: &Flat, names: &Names, bubble: &[Token], at: usize) -> Option<String> {
    let text = |at: usize| names.text(bubble[at].name);
    let opening = opening_parenthesis(at, text)?;
    let name = bubble[opening.checked_sub(1)?].name;
    let mut depth = 0usize;
    let mut n_commas = 0;
    for at in opening + 1..at {
        match text(at) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "," if depth == 0 => n_commas += 1,
            _ => {}
        }
    }
    let n_args = arities(flat, name).into_iter().find(|&n| n > n_commas + 1)?;
    Some(format!("`{}` takes {n_args} arguments, with commas between them", names.text(name)))
}

/// A hint at a declaration, for a word that looks like a variable.
fn variable(word: &str) -> Option<String> {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '-');
    let is_like = word.starts_with(char::is_uppercase) && word.chars().all(plain);
    is_like.then(|| {
        format!(
            "if it is a variable, `var {word} : Sort .` declares it; variables are not imported"
        )
    })
}

/// A hint at the most similar word of the module's operators.
fn similar_word(flat: &Flat, names: &Names, sources: &Sources, word: &str) -> Option<String> {
    let known = flat.operators.iter().flat_map(|op| {
        let parts = names.text(op.name).split(['_', '`']).filter(|part| !part.is_empty());
        parts.map(move |part| (part, (part, op.declarations[0].span)))
    });
    let Some((part, span)) = most_similar_of(word, known) else {
        let variables = flat.aliases.keys().map(|&name| names.text(name));
        return most_similar(word, variables).map(|name| format!("`{name}` is a variable"));
    };
    let line = sources.line_column(span).line;
    let file = sources.get(span.file).name();
    Some(match file.starts_with('<') {
        true => format!("`{part}` is declared in {file}"),
        false => format!("`{part}` is declared in line {line}"),
    })
}

/// A hint at the most similar sort.
fn similar_sort(flat: &Flat, names: &Names, word: &str) -> Option<String> {
    let sort = most_similar(word, flat.sorts.keys().map(|&name| names.text(name)))?;
    Some(format!("did you mean {sort}?"))
}

/// A hint at the most similar label or strategy, or else at all labels.
fn labels(loaded: &Loaded, names: &Names, word: &str) -> Option<String> {
    let description = loaded.grammar.description();
    let labels: Vec<&str> = description.labels.iter().map(|&name| names.text(name)).collect();
    let strategies = description.strategies.iter().map(|strategy| names.text(strategy.name));
    if let Some(similar) = most_similar(word, labels.iter().copied().chain(strategies)) {
        return Some(format!("did you mean `{similar}`?"));
    }
    if labels.is_empty() {
        return None;
    }
    let shown: Vec<String> =
        labels.iter().take(MOST_LABELS).map(|label| format!("`{label}`")).collect();
    let more = match labels.len() - shown.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    Some(format!("the labels are {}{more}", shown.join(", ")))
}
