//! From text to flat tokens.
//!
//! The pest grammar in `outer.pest` cuts the whole text at once. What the reader needs to find the
//! ends of statements and commands is worked out here for each token: whether it is a parenthesis
//! or a period, and how it stands in its line. Comments leave nothing, stray characters leave a
//! diagnostic.

use pest::Parser;
use pest_derive::Parser;

use super::ast::Token;
use super::names::{Name, Names};
use crate::diagnose::{Diagnostic, tokens};
use crate::source::{FileId, Span};

/// The generated recogniser.
#[derive(Parser)]
#[grammar = "syntax/outer.pest"]
struct OuterGrammar;

/// What the reader must know of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `[`, `]`, `{`, `}` or a comma.
    Special,
    /// A period that stands alone.
    Period,
    /// Anything else.
    Word,
}

/// A token of the text with what the reader needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawToken {
    pub(super) name: Name,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) kind: TokenKind,
    /// It is the first token of its line.
    pub(super) starts_line: bool,
    /// Nothing but blanks, or a comment, comes after it in its line.
    pub(super) ends_line: bool,
    /// It is longer than a period and ends in one.
    pub(super) ends_in_period: bool,
}

impl RawToken {
    pub(super) fn token(self, file: FileId) -> Token {
        Token { name: self.name, span: Span { file, start: self.start, end: self.end } }
    }
}

/// All that was found in a text, in textual order.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub(super) raw: Vec<RawToken>,
    /// Stray characters and the like.
    pub(super) problems: Vec<Diagnostic>,
    /// The comments that begin with `***>` or `--->`.
    pub(super) echoed: Vec<Span>,
    /// The comments and strings that go over a line end, by their bytes.
    pub(super) over_lines: Vec<(u32, u32)>,
    /// A comment that is not closed.
    pub(super) open_comment: Option<Span>,
    last_stray: Option<Stray>,
}

/// Equal stray characters of a line, which one message is about.
#[derive(Debug)]
struct Stray {
    /// The index of the message.
    problem: usize,
    /// The first of them.
    first: Span,
    n_more: usize,
    /// Where the last one ends.
    end: u32,
}

impl Tokens {
    /// Notes a character that begins no token.
    fn stray(&mut self, text: &str, span: Span) {
        let letter = &text[span.range()];
        if let Some(last) = &mut self.last_stray
            && text[last.first.range()] == *letter
            && !text[last.end as usize..span.start as usize].contains('\n')
        {
            last.n_more += 1;
            last.end = span.end;
            self.problems[last.problem] = tokens::stray_character(letter, last.n_more, last.first);
            return;
        }
        self.last_stray =
            Some(Stray { problem: self.problems.len(), first: span, n_more: 0, end: span.end });
        self.problems.push(tokens::stray_character(letter, 0, span));
    }
}

/// Cuts the text from `offset` on into tokens.
pub(super) fn tokenize(file: FileId, text: &str, offset: u32, names: &mut Names) -> Tokens {
    let rest = &text[offset as usize..];
    let pairs = OuterGrammar::parse(Rule::text, rest)
        .expect("every character is a blank, begins a token or comment, or is a stray one");
    let mut tokens = Tokens::default();
    for pair in pairs.flatten() {
        let found = pair.as_span();
        let start = offset + found.start() as u32;
        let end = offset + found.end() as u32;
        let span = Span { file, start, end };
        let rule = pair.as_rule();
        match rule {
            Rule::text | Rule::EOI => continue,
            Rule::special | Rule::word => {
                let token = found.as_str();
                let kind = match token {
                    "(" => TokenKind::Open,
                    ")" => TokenKind::Close,
                    "." => TokenKind::Period,
                    _ if rule == Rule::special => TokenKind::Special,
                    _ => TokenKind::Word,
                };
                let name = if kind == TokenKind::Word && token.contains('"') {
                    string_token(token, span, names, &mut tokens)
                } else {
                    names.intern(token)
                };
                tokens.raw.push(RawToken {
                    name,
                    start,
                    end,
                    kind,
                    starts_line: starts_line(&text[..start as usize]),
                    ends_line: ends_line(&text[end as usize..]),
                    ends_in_period: kind == TokenKind::Word && token.ends_with('.'),
                });
            }
            Rule::echoed_comment => tokens.echoed.push(span),
            Rule::block_comment if found.as_str().contains('\n') => {
                tokens.over_lines.push((start, end));
            }
            Rule::open_comment => {
                tokens.over_lines.push((start, end));
                tokens.open_comment = Some(span);
                tokens.problems.push(tokens::comment_not_closed(span));
            }
            Rule::stray if found.as_str() == "\"" => {
                tokens.problems.push(tokens::string_not_closed(span));
            }
            Rule::stray => tokens.stray(text, span),
            _ => {}
        }
    }
    tokens
}

/// The name of a token that holds a string: a line end after a backslash is nothing, a tab is a
/// blank.
fn string_token(token: &str, span: Span, names: &mut Names, tokens: &mut Tokens) -> Name {
    if !token.contains(['\n', '\t']) {
        return names.intern(token);
    }
    if token.contains('\n') {
        tokens.over_lines.push((span.start, span.end));
    }
    if token.contains('\t') {
        tokens.problems.push(tokens::tab_in_string(span));
    }
    names.intern(&token.replace("\\\r\n", "").replace("\\\n", "").replace('\t', " "))
}

/// Whether a token with this text in front of it is the first thing in its line.
fn starts_line(before: &str) -> bool {
    let line = before.trim_end_matches([' ', '\t', '\r', '\x0c']);
    line.is_empty() || line.ends_with('\n')
}

/// Whether a token with this text behind it ends its line, as far as tokens go.
fn ends_line(behind: &str) -> bool {
    let rest = behind.trim_start_matches([' ', '\t', '\r', '\x0c']);
    rest.is_empty()
        || rest.starts_with(['\n'])
        || rest.starts_with("***")
        || rest.starts_with("---")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::syntax::Sources;

    fn texts(text: &str) -> Vec<String> {
        let mut names = Names::new();
        let tokens = tokenize(FileId(0), text, 0, &mut names);
        tokens.raw.iter().map(|token| names.text(token.name).to_owned()).collect()
    }

    #[test]
    fn special_characters_stand_alone() {
        assert_eq!(texts("ab{c,d}ef"), ["ab", "{", "c", ",", "d", "}", "ef"]);
        assert_eq!(texts("1`ab`{c`,d`}ef"), ["1`ab`{c`,d`}ef"]);
    }

    #[test]
    fn strings_belong_to_the_token_they_touch() {
        let strings = texts(r#"a"b c"d "x""y" "x"+ "a\"b" "c\\" d"#);
        assert_eq!(strings, [r#"a"b c"d"#, r#""x""y""#, r#""x"+"#, r#""a\"b""#, r#""c\\""#, "d"]);
        assert_eq!(texts("\"a\tb\" \"c\\\nd\""), ["\"a b\"", "\"cd\""]);
        assert_eq!(texts("\"not closed\nnext"), ["not", "closed", "next"]);
    }

    #[test]
    fn misplaced_backquotes_end_a_token() {
        assert_eq!(texts("a`b a`_b `a a` a``( "), ["a`b", "a", "_b", "a", "a", "a", "`("]);
    }

    #[test]
    fn comments_begin_where_a_token_could() {
        assert_eq!(texts("a***b c---d .***x"), ["a***b", "c---d", ".***x"]);
        assert_eq!(texts("a *** b\nc --- (x\n(y) `) ) d"), ["a", "c", "d"]);
        assert_eq!(texts("a ***> (b\nc"), ["a", "c"]);
        assert_eq!(texts("a ***( b"), ["a"]);
    }

    #[test]
    fn places_in_the_line_are_known() {
        let mut names = Names::new();
        let tokens = tokenize(FileId(0), "red a . ***( x ) b\n  c . *** x\nd", 0, &mut names);
        let starts: Vec<bool> = tokens.raw.iter().map(|token| token.starts_line).collect();
        let ends: Vec<bool> = tokens.raw.iter().map(|token| token.ends_line).collect();
        assert_eq!(starts, [true, false, false, false, true, false, true]);
        assert_eq!(ends, [false, false, true, true, false, true, true]);
    }

    #[test]
    fn deep_parentheses_need_no_stack() {
        let open = "(".repeat(200_000);
        assert_eq!(texts(&open).len(), 200_000);
        assert!(texts(&format!("*** {open}")).is_empty());
        let close = ")".repeat(200_000);
        assert_eq!(texts(&format!("*** {open}{close} a")), ["a"]);
    }

    proptest! {
        #[test]
        fn spans_slice_back_to_the_text(text in "[ab_.:()\\[\\]{},`\"\\\\\n\t *>-]{0,40}|\\PC{0,20}") {
            let mut names = Names::new();
            let mut sources = Sources::new();
            let file = sources.add("a.maude", &text);
            for raw in tokenize(file, &text, 0, &mut names).raw {
                let token = raw.token(file);
                let slice = sources.text(token.span);
                if !slice.contains('"') {
                    prop_assert_eq!(slice, names.text(token.name));
                }
                prop_assert!(!slice.is_empty());
            }
        }
    }
}
