//! Names of operators: how they are written in declarations, and their items.
//!
//! A name of several tokens has a form as one token, with a backquote before each special
//! character and between two ordinary tokens. This form identifies the operator, and its items,
//! tokens and places, are what the term grammar is made of.

use super::ast::{OperatorName, Token};
use super::cursor::{Cursor, Parsed};
use super::names::{Name, Names};
use super::tokens::TokenKind;

/// An item of an operator's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameItem {
    /// `_`.
    Place,
    /// A token, without the backquotes that joined it to others.
    Token(String),
}

/// The items of the name of an operator in its form as one token.
pub fn name_items(text: &str) -> Vec<NameItem> {
    let mut items = Vec::new();
    let mut token = String::new();
    let mut in_string = false;
    let mut characters = text.chars().peekable();
    let end_token = |token: &mut String, items: &mut Vec<NameItem>| {
        if !token.is_empty() {
            items.push(NameItem::Token(std::mem::take(token)));
        }
    };
    while let Some(character) = characters.next() {
        match character {
            '\\' if in_string => {
                token.push(character);
                token.extend(characters.next());
            }
            '"' => {
                in_string = !in_string;
                token.push(character);
            }
            _ if in_string => token.push(character),
            '_' => {
                end_token(&mut token, &mut items);
                items.push(NameItem::Place);
            }
            '`' => {
                end_token(&mut token, &mut items);
                if let Some(&special) = characters.peek()
                    && is_special(special)
                {
                    characters.next();
                    items.push(NameItem::Token(special.to_string()));
                }
            }
            '(' | ')' | '[' | ']' | '{' | '}' | ',' => {
                end_token(&mut token, &mut items);
                items.push(NameItem::Token(character.to_string()));
            }
            other => token.push(other),
        }
    }
    end_token(&mut token, &mut items);
    items
}

/// The form of a name as one token.
pub fn joined_name<'a>(tokens: impl IntoIterator<Item = &'a str>) -> String {
    let mut joined = String::new();
    let mut ends_ordinary = false;
    for token in tokens {
        if token.len() == 1 && token.chars().all(is_special) {
            joined.push('`');
            joined.push_str(token);
            ends_ordinary = false;
            continue;
        }
        if ends_ordinary && !token.starts_with('_') && !token.starts_with('`') {
            joined.push('`');
        }
        joined.push_str(token);
        let ends_quoted = token.chars().rev().nth(1) == Some('`');
        ends_ordinary = !token.ends_with('_') && !ends_quoted;
    }
    joined
}

/// The name of an operator from its tokens.
pub(super) fn operator_name(names: &mut Names, tokens: Vec<Token>) -> OperatorName {
    let first = tokens.first().expect("the name of an operator has a token").span;
    let last = tokens.last().expect("the name of an operator has a token").span;
    let tokens = without_grouping(names, tokens);
    let name = match tokens.as_slice() {
        [token] if !names.text(token.name).starts_with(is_special) => token.name,
        _ => {
            let joined = joined_name(tokens.iter().map(|token| names.text(token.name)));
            names.intern(&joined)
        }
    };
    OperatorName { name, tokens, span: first.to(last) }
}

/// The names before the colon of `op` (one) or `ops` (each token or group in parentheses one).
pub(super) fn declared_names(
    cx: &mut Cursor,
    several: bool,
    what: &str,
) -> Parsed<Vec<OperatorName>> {
    let mut all = Vec::new();
    let mut current: Vec<Token> = Vec::new();
    let mut depth = 0usize;
    loop {
        if depth == 0 && cx.is(":") {
            if all.is_empty() && current.is_empty() {
                return Err(cx.unexpected("a name", what));
            }
            break;
        }
        let ended = cx.kind() == Some(TokenKind::Period)
            && cx.raw.get(cx.at).is_none_or(|period| period.ends_line);
        let closing = cx.begins_body(cx.at) && cx.begins_entry_or_end(cx.at + 1);
        if cx.kind().is_none() || ended || closing {
            return Err(cx.unexpected("`:` after the name", what));
        }
        match cx.kind() {
            Some(TokenKind::Open) => depth += 1,
            Some(TokenKind::Close) => depth = depth.saturating_sub(1),
            _ => {}
        }
        current.extend(cx.take());
        if several && depth == 0 {
            all.push(operator_name(cx.names, std::mem::take(&mut current)));
        }
    }
    cx.take();
    if !current.is_empty() {
        all.push(operator_name(cx.names, current));
    }
    Ok(all)
}

/// Gives numbers to the parts of a name of several items.
pub(super) fn number_parts(names: &mut Names, name: Name) {
    let items = name_items(names.text(name));
    if items.len() < 2 {
        return;
    }
    for item in items {
        if let NameItem::Token(text) = item {
            let part = names.intern(&text);
            names.number_name(part);
        }
    }
}

/// The tokens without a pair of parentheses around all of them.
fn without_grouping(names: &Names, mut tokens: Vec<Token>) -> Vec<Token> {
    let is = |token: &Token, text: &str| names.text(token.name) == text;
    if tokens.len() < 3 || !is(&tokens[0], "(") {
        return tokens;
    }
    let mut depth = 0usize;
    for (idx, token) in tokens.iter().enumerate() {
        if is(token, "(") {
            depth += 1;
        } else if is(token, ")") {
            depth -= 1;
            if depth == 0 {
                if idx + 1 == tokens.len() {
                    tokens.pop();
                    tokens.remove(0);
                }
                return tokens;
            }
        }
    }
    tokens
}

fn is_special(character: char) -> bool {
    matches!(character, '(' | ')' | '[' | ']' | '{' | '}' | ',')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_join_and_come_apart_again() {
        let cases: &[(&[&str], &str, usize)] = &[
            (&["a_b"], "a_b", 3),
            (&["a", "b"], "a`b", 2),
            (&["[", "_", "]"], "`[_`]", 3),
            (&["_", ",", "_"], "_`,_", 3),
            (&["<", "_", ":", "_", "|", "_", ">"], "<_:_|_>", 7),
            (&["__"], "__", 2),
            (&["f"], "f", 1),
            (&["`[_`]"], "`[_`]", 3),
            (&["\"a_b\""], "\"a_b\"", 1),
        ];
        for (tokens, joined, n_items) in cases {
            assert_eq!(joined_name(tokens.iter().copied()), *joined);
            assert_eq!(name_items(joined).len(), *n_items, "{joined}");
        }
    }
}
