//! Commands that take no terms: `show`, `set`, `select`, files and the rest.
//!
//! Some of them end at the first period, some take a name up to a period at the end of a line, and
//! those that speak of files take the rest of their line as it stands.

use super::ast::{ImportMode, Token};
use super::commands::{
    ChoiceList, Command, CommandKind, DirectoryAction, LoadMode, SetOption, ShowKind,
};
use super::cursor::{Cursor, Parsed};
use super::term_commands::bubble;
use super::tokens::TokenKind;
use crate::diagnose::outer;

/// `show ... .`
pub(super) fn show(cx: &mut Cursor, keyword: Token) -> Parsed<Command> {
    let (what, takes_name) = match show_kind(cx) {
        Some(found) => found,
        None => return Err(unknown_word(cx, "show")),
    };
    let mut argument = if takes_name { name(cx, keyword)? } else { words(cx, keyword)? };
    if !takes_name {
        let takes_number =
            matches!(what, ShowKind::Path | ShowKind::PathStates | ShowKind::PathLabels);
        let surplus = argument.split_off(argument.len().min(usize::from(takes_number)));
        report_surplus(cx, &surplus);
    }
    Ok(command(CommandKind::Show { what, argument }, keyword, cx))
}

/// `select M .`
pub(super) fn select(cx: &mut Cursor, keyword: Token) -> Parsed<Command> {
    let module = bubble(cx, keyword)?;
    Ok(command(CommandKind::Select { module }, keyword, cx))
}

/// `continue n .`
pub(super) fn continue_(cx: &mut Cursor, keyword: Token, debug: bool) -> Parsed<Command> {
    let words = words(cx, keyword)?;
    let mut limit = None;
    let mut surplus = &words[..];
    if let Some((first, rest)) = words.split_first() {
        let text = cx.name_text(first.name);
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            limit = Some(text.parse::<u64>().unwrap_or(u64::MAX));
            surplus = rest;
        }
    }
    report_surplus(cx, surplus);
    Ok(command(CommandKind::Continue { limit, debug }, keyword, cx))
}

/// `set ... on .`
pub(super) fn set(cx: &mut Cursor, keyword: Token) -> Parsed<Command> {
    let all = words(cx, keyword)?;
    let needs = |wanted: &str| Box::new(outer::command_needs("set", wanted, keyword.span));
    let Some((switch, option)) = all.split_last() else {
        return Err(needs("an option and `on` or `off`"));
    };
    let on = match cx.name_text(switch.name) {
        "on" => true,
        "off" => false,
        _ => return Err(needs("`on` or `off` at its end")),
    };
    let texts: Vec<&str> = option.iter().map(|token| cx.name_text(token.name)).collect();
    let Some(found) = set_option(&texts, option) else {
        let word = texts.join(" ");
        let place = option.first().unwrap_or(switch).span;
        let place = option.last().map_or(place, |last| place.to(last.span));
        return Err(Box::new(outer::command_does_not_know("set", &word, place)));
    };
    Ok(command(CommandKind::Set { option: found, on }, keyword, cx))
}

/// `do clear memo M .`
pub(super) fn do_clear(cx: &mut Cursor, keyword: Token) -> Parsed<Command> {
    if !(cx.accept("clear") && cx.accept("memo")) {
        return Err(unknown_word(cx, "do"));
    }
    let module = name(cx, keyword)?;
    Ok(command(CommandKind::ClearMemo { module }, keyword, cx))
}

/// `trace select`, `break deselect`, `print conceal` and their like.
pub(super) fn choose(cx: &mut Cursor, keyword: Token) -> Parsed<Command> {
    let first = cx.name_text(keyword.name).to_owned();
    let second = cx.word().unwrap_or_default().to_owned();
    let (list, add) = match (first.as_str(), second.as_str()) {
        ("trace", "select") => (ChoiceList::Trace, true),
        ("trace", "deselect") => (ChoiceList::Trace, false),
        ("trace", "exclude") => (ChoiceList::TraceExclude, true),
        ("trace", "include") => (ChoiceList::TraceExclude, false),
        ("break", "select") => (ChoiceList::Break, true),
        ("break", "deselect") => (ChoiceList::Break, false),
        ("print", "conceal") => (ChoiceList::Conceal, true),
        ("print", "reveal") => (ChoiceList::Conceal, false),
        _ => return Err(unknown_word(cx, &first)),
    };
    cx.take();
    let names = bubble(cx, keyword)?;
    Ok(command(CommandKind::Choose { list, add, names }, keyword, cx))
}

/// `quit`, `eof`: the rest of the line does not matter.
pub(super) fn leave(cx: &mut Cursor, keyword: Token, kind: CommandKind) -> Command {
    rest_of_line(cx, keyword);
    command(kind, keyword, cx)
}

/// `load f`: the name is the rest of the line up to a blank.
pub(super) fn load(cx: &mut Cursor, keyword: Token, mode: LoadMode) -> Parsed<Command> {
    match file_name(&rest_of_line(cx, keyword)) {
        Some(path) if path != "." => Ok(command(CommandKind::Load { mode, path }, keyword, cx)),
        _ => {
            let word = cx.name_text(keyword.name);
            Err(Box::new(outer::command_needs(word, "the name of a file", keyword.span)))
        }
    }
}

/// `cd d` and the like.
pub(super) fn directory(cx: &mut Cursor, keyword: Token, action: DirectoryAction) -> Command {
    let path = file_name(&rest_of_line(cx, keyword)).filter(|path| path != ".");
    command(CommandKind::Directory { action, path }, keyword, cx)
}

/// A command that is read to its first period and refused.
pub(super) fn unsupported(cx: &mut Cursor, keyword: Token, name: &'static str) -> Parsed<Command> {
    words(cx, keyword)?;
    Ok(command(CommandKind::Unsupported { name }, keyword, cx))
}

/// A command that takes the rest of its line and is refused.
pub(super) fn unsupported_line(cx: &mut Cursor, keyword: Token, name: &'static str) -> Command {
    rest_of_line(cx, keyword);
    command(CommandKind::Unsupported { name }, keyword, cx)
}

/// The command, which has been read to its end.
fn command(kind: CommandKind, keyword: Token, cx: &Cursor) -> Command {
    let last = cx.raw[..cx.at].iter().rev().find(|raw| raw.kind != TokenKind::Period);
    let last = last.map_or(keyword.span, |raw| raw.token(cx.file).span);
    Command { kind, keyword, span: keyword.span.to(last) }
}

/// The words up to the first period, which is taken.
fn words(cx: &mut Cursor, keyword: Token) -> Parsed<Vec<Token>> {
    let start = cx.at;
    let mut found = Vec::new();
    while let Some(raw) = cx.raw.get(cx.at).copied() {
        if cx.begins_entry(cx.at) && may_be_complete(cx, &found, keyword) {
            let place = cx.last_span().after();
            cx.diagnostics.push(outer::missing_period(place));
            return Ok(found);
        }
        cx.at += 1;
        if raw.kind == TokenKind::Period {
            return Ok(found);
        }
        if raw.ends_in_period && raw.ends_line {
            found.push(cx.split(raw));
            cx.split_period = None;
            return Ok(found);
        }
        found.push(raw.token(cx.file));
    }
    cx.incomplete = true;
    let resume = (start..cx.raw.len()).find(|&idx| cx.begins_entry(idx));
    cx.at = resume.unwrap_or(cx.raw.len());
    let command = format!("`{}` command", cx.name_text(keyword.name));
    Err(Box::new(outer::text_ends_in(&command, keyword.span)))
}

/// Whether a command without its period may end here, before a line that begins like another.
/// The words of `set` are those of other commands, but the last one is `on` or `off`.
fn may_be_complete(cx: &Cursor, words: &[Token], keyword: Token) -> bool {
    let is = |token: Token, text: &str| cx.name_text(token.name) == text;
    match words.last() {
        _ if !is(keyword, "set") => true,
        Some(&last) => is(last, "on") || is(last, "off"),
        None => false,
    }
}

/// The tokens of a name up to a period at the end of the line; perhaps none.
fn name(cx: &mut Cursor, keyword: Token) -> Parsed<Vec<Token>> {
    let is_empty =
        cx.raw.get(cx.at).is_some_and(|raw| raw.kind == TokenKind::Period && raw.ends_line);
    if is_empty {
        cx.take();
        return Ok(Vec::new());
    }
    bubble(cx, keyword)
}

/// The rest of the line, as text; the tokens in it are passed.
fn rest_of_line(cx: &mut Cursor, keyword: Token) -> String {
    let start = keyword.span.end as usize;
    let length = cx.text[start..].find('\n').unwrap_or(cx.text.len() - start);
    let end = (start + length) as u32;
    while cx.raw.get(cx.at).is_some_and(|raw| raw.start < end) {
        cx.at += 1;
    }
    cx.passed_line = Some(end);
    cx.text[start..end as usize].to_owned()
}

/// The name of a file at the beginning of a line's rest: in quotes, or up to a blank, where a
/// backslash keeps the character behind it.
fn file_name(line: &str) -> Option<String> {
    let line = line.trim_start();
    if let Some(quoted) = line.strip_prefix('"') {
        return Some(quoted.split('"').next().unwrap_or_default().trim_end().to_owned());
    }
    let mut name = String::new();
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => name.extend(characters.next()),
            other if other.is_whitespace() => break,
            other => name.push(other),
        }
    }
    (!name.is_empty()).then_some(name)
}

/// What `show` shows, and whether a name may follow.
fn show_kind(cx: &mut Cursor) -> Option<(ShowKind, bool)> {
    let word = cx.word()?.to_owned();
    let mut second = |words: &[&str]| {
        let fits =
            words.iter().enumerate().all(|(idx, word)| cx.word_at(cx.at + 1 + idx) == Some(word));
        if fits {
            cx.at += words.len();
        }
        fits
    };
    let found = match word.as_str() {
        "module" | "mod" => (ShowKind::Module, true),
        "all" => (ShowKind::All, true),
        "desugared" => (ShowKind::Desugared, true),
        "view" => (ShowKind::View, true),
        "processed" if second(&["view"]) => (ShowKind::ProcessedView, true),
        "modules" => (ShowKind::Modules, false),
        "views" => (ShowKind::Views, false),
        "sorts" => (ShowKind::Sorts, true),
        "ops" => (ShowKind::Operators, true),
        "vars" => (ShowKind::Variables, true),
        "mbs" => (ShowKind::Memberships, true),
        "eqs" => (ShowKind::Equations, true),
        "rls" => (ShowKind::Rules, true),
        "strats" => (ShowKind::Strategies, true),
        "sds" => (ShowKind::StrategyDefinitions, true),
        "summary" => (ShowKind::Summary, true),
        "kinds" | "components" => (ShowKind::Kinds, true),
        "path" if second(&["states"]) || second(&["state"]) => (ShowKind::PathStates, false),
        "path" if second(&["labels"]) || second(&["label"]) => (ShowKind::PathLabels, false),
        "path" => (ShowKind::Path, false),
        "search" if second(&["graph"]) => (ShowKind::SearchGraph, false),
        "frontier" if second(&["states"]) => (ShowKind::FrontierStates, false),
        "most" if second(&["general", "states"]) => (ShowKind::MostGeneralStates, false),
        "profile" => (ShowKind::Profile, true),
        _ => return None,
    };
    cx.at += 1;
    Some(found)
}

/// The option that some words name.
fn set_option(texts: &[&str], tokens: &[Token]) -> Option<SetOption> {
    Some(match texts {
        ["show", rest @ ..] => SetOption::Show(show_option(rest)?),
        ["print", rest @ ..] => SetOption::Print(print_option(rest)?),
        ["trace"] => SetOption::Trace(""),
        ["trace", word] => SetOption::Trace(trace_option(word)?),
        ["break"] => SetOption::Break,
        ["profile"] => SetOption::Profile,
        ["verbose"] => SetOption::Verbose,
        ["stats"] => SetOption::Show("stats"),
        ["gc", "show"] => SetOption::Show("gc"),
        ["compile", "count"] => SetOption::CompileCount,
        ["optimize"] => SetOption::Optimize,
        ["clear", "memo"] => SetOption::Clear("memo"),
        ["clear", "rules"] => SetOption::Clear("rules"),
        ["clear", "profile"] => SetOption::Clear("profile"),
        ["clear", "module", "cache" | "caches"] => SetOption::Clear("module caches"),
        ["protect" | "protecting", _] => SetOption::AutoImport(ImportMode::Protecting, tokens[1]),
        ["extend" | "extending", _] => SetOption::AutoImport(ImportMode::Extending, tokens[1]),
        ["include" | "including", _] => SetOption::AutoImport(ImportMode::Including, tokens[1]),
        ["generate-by" | "generated-by", _] => {
            SetOption::AutoImport(ImportMode::GeneratedBy, tokens[1])
        }
        ["oo", "include", _] => SetOption::ObjectAutoImport(tokens[2]),
        _ => return None,
    })
}

fn show_option(words: &[&str]) -> Option<&'static str> {
    Some(match words {
        ["command" | "cmd"] => "command",
        ["stats"] => "stats",
        ["timing"] => "timing",
        ["breakdown"] => "breakdown",
        ["gc"] => "gc",
        ["resources"] => "resources",
        ["loop", "stats"] => "loop stats",
        ["loop", "timing"] => "loop timing",
        ["advise" | "advisory" | "advisories"] => "advisories",
        _ => return None,
    })
}

fn print_option(words: &[&str]) -> Option<&'static str> {
    Some(match words {
        ["mixfix"] => "mixfix",
        ["flat"] => "flat",
        ["graph"] => "graph",
        ["conceal"] => "conceal",
        ["color"] => "color",
        ["format"] => "format",
        ["number"] => "number",
        ["rat" | "rational"] => "rat",
        ["hooks"] => "hooks",
        ["latex"] => "latex",
        ["with", "alias" | "aliases"] => "with aliases",
        ["with", "paren" | "parens" | "parentheses"] => "with parens",
        ["const" | "constant" | "constants", "with", "sorts"] => "const with sorts",
        ["attr" | "attribute"] => "attribute",
        ["attr" | "attribute", "newline"] => "attribute newline",
        ["label", "attr" | "attribute"] => "label attribute",
        ["combine", "vars"] => "combine vars",
        _ => return None,
    })
}

fn trace_option(word: &str) -> Option<&'static str> {
    Some(match word {
        "condition" | "conditions" | "cond" => "condition",
        "whole" => "whole",
        "substitution" | "subst" => "substitution",
        "select" => "select",
        "mb" | "mbs" => "mbs",
        "eq" | "eqs" => "eqs",
        "rl" | "rls" => "rls",
        "sd" | "sds" => "sds",
        "rewrite" | "rew" => "rewrite",
        "body" => "body",
        "builtin" => "builtin",
        _ => return None,
    })
}

/// Reports the words behind a complete command, all in one message.
fn report_surplus(cx: &mut Cursor, surplus: &[Token]) {
    if let Some((first, more)) = surplus.split_first() {
        let word = cx.name_text(first.name);
        let problem = outer::surplus_in_command(word, more.len(), first.span);
        cx.diagnostics.push(problem);
    }
}

/// The diagnostic for a word that a command does not know, with the command skipped.
fn unknown_word(cx: &mut Cursor, command: &str) -> Box<crate::diagnose::Diagnostic> {
    let span = cx.span();
    let problem = match cx.word() {
        None => {
            cx.incomplete = true;
            outer::text_ends_in(&format!("`{command}` command"), span)
        }
        Some(".") => outer::command_needs(command, "something more", span),
        Some(word) => outer::command_does_not_know(command, word, span),
    };
    while let Some(word) = cx.word_at(cx.at) {
        if word != "." && cx.begins_entry(cx.at) {
            break;
        }
        cx.at += 1;
        if word_was_period(cx) {
            break;
        }
    }
    Box::new(problem)
}

fn word_was_period(cx: &Cursor) -> bool {
    let raw = cx.raw[cx.at - 1];
    raw.kind == TokenKind::Period || raw.ends_in_period && raw.ends_line
}
