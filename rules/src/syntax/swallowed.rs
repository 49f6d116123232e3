//! Statements that have swallowed their neighbours.
//!
//! A statement without period, or without its delimiter, runs on into the next ones: that is how
//! the language reads, and only the term grammar can tell that it makes no sense. Then the
//! statement is read once more, cut before each keyword that begins a line.

use super::ast::{Item, ModuleKind, Statement, Token};
use super::cursor::Cursor;
use super::keywords::{self, BodyKeyword};
use super::modules::{declaration, fitting};
use super::names::Names;
use super::statements::divide;
use super::tokens::{RawToken, TokenKind, tokenize};
use crate::diagnose::{Diagnostic, outer};
use crate::source::{Sources, Span};

/// Reads a statement that does not parse as several. `None` if no line in it begins like another
/// statement or declaration; then it is one bad statement.
pub fn separate_statements(
    sources: &Sources,
    names: &mut Names,
    kind: ModuleKind,
    statement: &Statement,
) -> Option<(Vec<Item>, Vec<Diagnostic>)> {
    let file = statement.span.file;
    let text = sources.get(file).text().clone();
    let mut end = statement.span.end as usize;
    let behind = &text[end..];
    let blanks = behind.len() - behind.trim_start().len();
    if behind[blanks..].starts_with('.') {
        end += blanks + 1;
    }
    let raw = tokenize(file, &text[..end], statement.span.start, names).raw;
    let begins = |idx: usize| {
        let raw: RawToken = raw[idx];
        let word = &text[raw.start as usize..raw.end as usize];
        raw.starts_line && keywords::body_keyword(word).is_some()
    };
    let starts: Vec<usize> = (1..raw.len()).filter(|&idx| begins(idx)).collect();
    if starts.is_empty() {
        return None;
    }
    let ends = starts.iter().copied().chain(std::iter::once(raw.len()));
    let mut items = Vec::new();
    let mut diagnostics = Vec::new();
    for (start, end) in std::iter::once(0).chain(starts.iter().copied()).zip(ends) {
        let mut cx = Cursor::over(names, &text, file, &raw[..end], start);
        items.extend(piece(&mut cx, kind));
        diagnostics.append(&mut cx.diagnostics);
    }
    Some((items, diagnostics))
}

/// Reads one piece, to the end of the cursor's tokens.
fn piece(cx: &mut Cursor, kind: ModuleKind) -> Option<Item> {
    let keyword = cx.take()?;
    let body_keyword = keywords::body_keyword(cx.name_text(keyword.name))?;
    let found = match body_keyword {
        BodyKeyword::Statement(kind, conditional) => {
            let tokens = piece_tokens(cx);
            divide(cx.names, keyword, kind, conditional, tokens).map(Item::Statement)
        }
        other => declaration(cx, keyword, other),
    };
    match found {
        Ok(item) => fitting(cx, kind, item),
        Err(problem) => {
            cx.diagnostics.push(*problem);
            None
        }
    }
}

/// The tokens of a statement without its period, which is put in if it is missing.
fn piece_tokens(cx: &mut Cursor) -> Vec<Token> {
    let (start, end) = (cx.at, cx.raw.len());
    cx.at = end;
    let mut tokens = cx.tokens(start..end);
    let Some(last) = cx.raw[start..].last().copied() else { return tokens };
    if last.kind == TokenKind::Period && end > start + 1 {
        tokens.pop();
    } else if last.ends_in_period {
        tokens.pop();
        tokens.push(cx.split(last));
        cx.split_period = None;
    } else {
        let place: Span = cx.last_span().after();
        cx.diagnostics.push(outer::missing_period(place));
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Entry, Reader};

    #[test]
    fn a_missing_period_costs_nothing() {
        let text = "fmod M is\n eq a = b\n eq c = d .\n op e : -> S\n eq f .\n eq g = h .\nendfm\n";
        let mut sources = Sources::new();
        let mut names = Names::new();
        let file = sources.add("a.maude", text);
        let mut reader = Reader::new(&sources, file, &mut names);
        let reading = reader.next_entry(&mut names).expect("there is a module");
        let Some(Entry::Module(module)) = reading.entry else { panic!("no module") };
        let Item::Statement(first) = &module.body[0] else { panic!("no statement") };
        let (items, diagnostics) =
            separate_statements(&sources, &mut names, module.kind, first).expect("two statements");
        assert_eq!(items.len(), 2);
        assert_eq!(diagnostics.len(), 1);
        let Item::Statement(second) = &module.body[2] else { panic!("no statement") };
        let (items, diagnostics) =
            separate_statements(&sources, &mut names, module.kind, second).expect("two statements");
        assert_eq!(items.len(), 1);
        assert_eq!(diagnostics[0].message, "this equation has no `=`");
        let Item::Statement(good) = &items[0] else { panic!("no statement") };
        assert!(separate_statements(&sources, &mut names, module.kind, good).is_none());
    }
}
