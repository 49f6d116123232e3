//! The attributes of operators.
//!
//! They stand in brackets behind the sorts. A bad value costs the attribute, a repeated attribute
//! counts once, the first time; what depends on the other declarations of the module is looked at
//! by the module layer.

use super::ast::{Attribute, AttributeKind, Gather, IdentitySide, Token};
use super::cursor::{Cursor, Parsed};
use super::tokens::TokenKind;
use crate::diagnose::{attributes as problems, most_similar};

/// The words that begin attributes.
const WORDS: [&str; 38] = [
    "assoc",
    "associative",
    "comm",
    "commutative",
    "id:",
    "identity:",
    "left",
    "right",
    "idem",
    "idempotent",
    "iter",
    "iterated",
    "ctor",
    "constructor",
    "prec",
    "precedence",
    "gather",
    "gathering",
    "format",
    "latex",
    "strat",
    "strategy",
    "memo",
    "frozen",
    "poly",
    "polymorphic",
    "special",
    "ditto",
    "metadata",
    "config",
    "configuration",
    "object",
    "obj",
    "msg",
    "message",
    "portal",
    "rpo",
    "pconst",
];

/// Whether a word begins an attribute.
pub(super) fn is_attribute_word(word: &str) -> bool {
    WORDS.contains(&word)
}

/// The attributes between brackets, the opening one being next; `n_args` is the number of
/// arguments of the operator.
pub(super) fn attributes(cx: &mut Cursor, n_args: usize) -> Parsed<Vec<Attribute>> {
    let within = "the list of attributes";
    cx.expect("[", within)?;
    let mut found: Vec<Attribute> = Vec::new();
    let mut told: Vec<AttributeKind> = Vec::new();
    loop {
        if cx.accept("]") {
            return Ok(found);
        }
        let start = cx.span();
        let Some(word) = cx.word().map(str::to_owned) else {
            return Err(cx.unexpected("`]`", within));
        };
        if cx.kind() == Some(TokenKind::Period) || cx.begins_body(cx.at) {
            return Err(cx.unexpected("`]`", within));
        }
        let kind = attribute(cx, &word, n_args)?;
        let span = start.to(cx.last_span());
        let Some(kind) = kind else { continue };
        match found.iter().find(|earlier| same(&earlier.kind, &kind)) {
            // However often an attribute is repeated, it is told once.
            Some(_) if told.iter().any(|earlier| same(earlier, &kind)) => {}
            Some(earlier) => {
                let repeated = problems::repeated(attribute_word(&kind), span, earlier.span);
                cx.diagnostics.push(repeated);
                told.push(kind);
            }
            None => found.push(Attribute { kind, span }),
        }
    }
}

/// Reads one attribute; `None` if it was ignored with a diagnostic.
fn attribute(cx: &mut Cursor, word: &str, n_args: usize) -> Parsed<Option<AttributeKind>> {
    let name = cx.span();
    cx.take();
    Ok(Some(match word {
        "assoc" | "associative" => AttributeKind::Assoc,
        "comm" | "commutative" => AttributeKind::Comm,
        "idem" | "idempotent" => AttributeKind::Idem,
        "iter" | "iterated" => AttributeKind::Iter,
        "ctor" | "constructor" => AttributeKind::Ctor,
        "memo" => AttributeKind::Memo,
        "ditto" => AttributeKind::Ditto,
        "config" | "configuration" => AttributeKind::Config,
        "object" | "obj" => AttributeKind::Object,
        "msg" | "message" => AttributeKind::Message,
        "portal" => AttributeKind::Portal,
        "pconst" => AttributeKind::Pconst,
        "id:" | "identity:" => AttributeKind::Identity(IdentitySide::Both, identity(cx)?),
        "left" if cx.is("id:") || cx.is("identity:") => {
            cx.take();
            AttributeKind::Identity(IdentitySide::Left, identity(cx)?)
        }
        "right" if cx.is("id:") || cx.is("identity:") => {
            cx.take();
            AttributeKind::Identity(IdentitySide::Right, identity(cx)?)
        }
        "prec" | "precedence" => {
            let Some(value) = value(cx, "prec")? else { return Ok(None) };
            match cx.name_text(value.name).parse::<u8>() {
                Ok(number) if number <= 127 => AttributeKind::Prec(number),
                _ => return Ok(bad_value(cx, "prec", value)),
            }
        }
        "metadata" => {
            let Some(value) = value(cx, "metadata")? else { return Ok(None) };
            let text = cx.name_text(value.name);
            if !text.starts_with('"') || !text.ends_with('"') {
                return Ok(bad_value(cx, "metadata", value));
            }
            AttributeKind::Metadata(value)
        }
        "rpo" => {
            let Some(value) = value(cx, "rpo")? else { return Ok(None) };
            AttributeKind::Rpo(value)
        }
        "latex" if !cx.is("(") => {
            if cx.kind() == Some(TokenKind::Word) && !cx.word().is_some_and(is_attribute_word) {
                cx.take();
            }
            cx.diagnostics.push(problems::no_latex_code(name.to(cx.last_span())));
            return Ok(None);
        }
        "latex" => AttributeKind::Latex(in_parentheses(cx)?),
        "special" => AttributeKind::Special(in_parentheses(cx)?),
        "format" => return format(cx),
        "gather" | "gathering" => return gather(cx),
        "strat" | "strategy" => return strategy(cx, n_args),
        "frozen" => return frozen(cx, n_args),
        "poly" | "polymorphic" => return polymorphic(cx, n_args),
        other => {
            cx.diagnostics.push(problems::unknown(other, most_similar(other, WORDS), name));
            skip_list(cx);
            return Ok(None);
        }
    }))
}

/// The value behind an attribute's name; a closing bracket instead of it is a bad value.
fn value(cx: &mut Cursor, attribute: &str) -> Parsed<Option<Token>> {
    match cx.kind() {
        Some(TokenKind::Word) => Ok(cx.take()),
        _ if cx.is("]") => {
            let span = cx.last_span();
            cx.diagnostics.push(problems::bad_value(attribute, "]", span));
            Ok(None)
        }
        _ => Err(cx.unexpected("a value", &format!("the attribute `{attribute}`"))),
    }
}

fn bad_value(cx: &mut Cursor, attribute: &str, value: Token) -> Option<AttributeKind> {
    let problem = problems::bad_value(attribute, cx.name_text(value.name), value.span);
    cx.diagnostics.push(problem);
    None
}

/// The term behind `id:`: up to the end of the brackets or the next attribute.
fn identity(cx: &mut Cursor) -> Parsed<Vec<Token>> {
    let mut term = Vec::new();
    let mut depth = 0usize;
    while let Some(word) = cx.word() {
        match word {
            "." if cx.begins_body(cx.at + 1) => break,
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth > 0 => depth -= 1,
            "]" => break,
            other if depth == 0 && !term.is_empty() && is_attribute_word(other) => break,
            _ => {}
        }
        term.extend(cx.take());
    }
    if term.is_empty() { Err(cx.unexpected("a term", "the attribute `id:`")) } else { Ok(term) }
}

/// The tokens in a pair of parentheses, nested ones included.
fn in_parentheses(cx: &mut Cursor) -> Parsed<Vec<Token>> {
    let within = "the attribute";
    cx.expect("(", within)?;
    let mut found = Vec::new();
    let mut depth = 0usize;
    loop {
        match cx.kind() {
            None => return Err(cx.unexpected("`)`", within)),
            Some(TokenKind::Period) if cx.begins_body(cx.at + 1) => {
                return Err(cx.unexpected("`)`", within));
            }
            Some(TokenKind::Open) => depth += 1,
            Some(TokenKind::Close) if depth == 0 => {
                cx.take();
                return Ok(found);
            }
            Some(TokenKind::Close) => depth -= 1,
            _ => {}
        }
        found.extend(cx.take());
    }
}

/// The words of `format`: letters for spacing, colours and styles.
fn format(cx: &mut Cursor) -> Parsed<Option<AttributeKind>> {
    let words = in_parentheses(cx)?;
    let letters = "dstni+-!?ufhxorgbymcpwRGBYMCPW";
    let bad = words
        .iter()
        .find(|word| !cx.name_text(word.name).chars().all(|character| letters.contains(character)));
    match bad {
        Some(&word) => Ok(bad_value(cx, "format", word)),
        None => Ok((!words.is_empty()).then_some(AttributeKind::Format(words))),
    }
}

fn gather(cx: &mut Cursor) -> Parsed<Option<AttributeKind>> {
    let mut places = Vec::new();
    for value in in_parentheses(cx)? {
        places.push(match cx.name_text(value.name) {
            "e" => Gather::Tighter,
            "E" => Gather::AsTight,
            "&" => Gather::Any,
            _ => return Ok(bad_value(cx, "gather", value)),
        });
    }
    Ok((!places.is_empty()).then_some(AttributeKind::Gather(places)))
}

/// The argument numbers of `strat`. The language takes the number behind the last argument, and
/// does nothing for it.
fn strategy(cx: &mut Cursor, n_args: usize) -> Parsed<Option<AttributeKind>> {
    let mut numbers = Vec::new();
    for value in in_parentheses(cx)? {
        match cx.name_text(value.name).parse::<i32>() {
            Ok(number) if number.unsigned_abs() as usize > n_args + 1 => {
                return Ok(bad_value(cx, "strat", value));
            }
            Ok(number) => {
                if number.unsigned_abs() as usize > n_args {
                    let text = number.to_string();
                    cx.diagnostics.push(problems::no_such_argument("strat", &text, value.span));
                }
                numbers.push(number);
            }
            Err(_) => return Ok(bad_value(cx, "strat", value)),
        }
    }
    Ok((!numbers.is_empty()).then_some(AttributeKind::Strat(numbers)))
}

fn frozen(cx: &mut Cursor, n_args: usize) -> Parsed<Option<AttributeKind>> {
    if !cx.is("(") {
        return Ok(Some(AttributeKind::Frozen(None)));
    }
    let mut arguments: Vec<u32> = Vec::new();
    for value in in_parentheses(cx)? {
        match cx.name_text(value.name).parse::<u32>() {
            Ok(number) if arguments.contains(&number) => {
                let text = number.to_string();
                cx.diagnostics.push(problems::repeated_argument("frozen", &text, value.span));
            }
            Ok(number) if number >= 1 && number as usize <= n_args => arguments.push(number),
            _ => return Ok(bad_value(cx, "frozen", value)),
        }
    }
    Ok(Some(AttributeKind::Frozen(Some(arguments))))
}

/// The argument numbers of `poly`; a bad one costs only itself.
fn polymorphic(cx: &mut Cursor, n_args: usize) -> Parsed<Option<AttributeKind>> {
    let mut arguments: Vec<u32> = Vec::new();
    for value in in_parentheses(cx)? {
        match cx.name_text(value.name).parse::<u32>() {
            Ok(number) if number as usize <= n_args => {
                if !arguments.contains(&number) {
                    arguments.push(number);
                }
            }
            _ => {
                bad_value(cx, "poly", value);
            }
        }
    }
    Ok(Some(AttributeKind::Poly(arguments)))
}

/// Goes before the bracket that closes the list.
fn skip_list(cx: &mut Cursor) {
    let start = cx.at;
    let mut depth = 0usize;
    while let Some(word) = cx.word() {
        match word {
            "[" | "(" | "{" => depth += 1,
            "]" if depth == 0 => break,
            "]" | ")" | "}" => depth = depth.saturating_sub(1),
            "." => break,
            _ if cx.begins_body(cx.at) => break,
            _ => {}
        }
        cx.take();
    }
    cx.skipped.push(start..cx.at);
}

/// Whether two attributes may not stand together because they say the same kind of thing.
fn same(left: &AttributeKind, right: &AttributeKind) -> bool {
    std::mem::discriminant(left) == std::mem::discriminant(right)
}

/// The word by which an attribute is known.
fn attribute_word(kind: &AttributeKind) -> &'static str {
    match kind {
        AttributeKind::Assoc => "assoc",
        AttributeKind::Comm => "comm",
        AttributeKind::Identity(IdentitySide::Both, _) => "id:",
        AttributeKind::Identity(IdentitySide::Left, _) => "left id:",
        AttributeKind::Identity(IdentitySide::Right, _) => "right id:",
        AttributeKind::Idem => "idem",
        AttributeKind::Iter => "iter",
        AttributeKind::Ctor => "ctor",
        AttributeKind::Prec(_) => "prec",
        AttributeKind::Gather(_) => "gather",
        AttributeKind::Format(_) => "format",
        AttributeKind::Latex(_) => "latex",
        AttributeKind::Strat(_) => "strat",
        AttributeKind::Memo => "memo",
        AttributeKind::Frozen(_) => "frozen",
        AttributeKind::Poly(_) => "poly",
        AttributeKind::Special(_) => "special",
        AttributeKind::Ditto => "ditto",
        AttributeKind::Metadata(_) => "metadata",
        AttributeKind::Config => "config",
        AttributeKind::Object => "object",
        AttributeKind::Message => "msg",
        AttributeKind::Portal => "portal",
        AttributeKind::Rpo(_) => "rpo",
        AttributeKind::Pconst => "pconst",
    }
}
