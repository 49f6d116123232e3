//! The words that mean something to the outer grammar.
//!
//! None of them is reserved: a word is a keyword only where the grammar looks for one, and the
//! tables say what it then is.

use super::ast::{ImportMode, ModuleKind, StatementKind};
use crate::diagnose::most_similar;

/// What a word begins inside a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyKeyword {
    Import(ImportMode),
    /// `using`, `us`: read like including.
    Using,
    Sorts,
    Subsorts,
    /// `op`, or `ops` if true.
    Operators(bool),
    Variables,
    /// The kind, and whether it is the conditional form.
    Statement(StatementKind, bool),
    Class,
    Subclasses,
    /// `msg`, or `msgs` if true.
    Messages(bool),
    Strategies,
}

/// The keyword of a declaration or statement.
pub(super) fn body_keyword(word: &str) -> Option<BodyKeyword> {
    use BodyKeyword::*;
    Some(match word {
        "protecting" | "pr" => Import(ImportMode::Protecting),
        "extending" | "ex" => Import(ImportMode::Extending),
        "including" | "inc" => Import(ImportMode::Including),
        "generated-by" | "gb" => Import(ImportMode::GeneratedBy),
        "using" | "us" => Using,
        "sort" | "sorts" => Sorts,
        "subsort" | "subsorts" => Subsorts,
        "op" => Operators(false),
        "ops" => Operators(true),
        "var" | "vars" => Variables,
        "eq" => Statement(StatementKind::Equation, false),
        "ceq" | "cq" => Statement(StatementKind::Equation, true),
        "mb" => Statement(StatementKind::Membership, false),
        "cmb" => Statement(StatementKind::Membership, true),
        "rl" => Statement(StatementKind::Rule, false),
        "crl" => Statement(StatementKind::Rule, true),
        "sd" => Statement(StatementKind::StrategyDefinition, false),
        "csd" => Statement(StatementKind::StrategyDefinition, true),
        "class" => Class,
        "subclass" | "subclasses" => Subclasses,
        "msg" => Messages(false),
        "msgs" => Messages(true),
        "strat" | "strats" => Strategies,
        _ => return None,
    })
}

/// Whether a word begins a declaration or statement.
pub fn begins_statement(word: &str) -> bool {
    body_keyword(word).is_some()
}

/// The word that somebody may have meant who begins a declaration or statement with this one, or
/// closes a module with it that ends with `closing`.
pub(super) fn meant<'a>(word: &str, closing: &'a str) -> Option<&'a str> {
    let word = word.to_lowercase();
    let known = BODY_WORDS.into_iter().chain([closing]);
    Some(match word.as_str() {
        "operator" | "operators" | "operation" | "function" | "constant" | "const" => "op",
        "variable" | "variables" => "vars",
        "equation" | "equations" => "eq",
        "membership" => "mb",
        "rule" | "rules" => "rl",
        "type" | "types" => "sorts",
        "subtype" | "subtypes" => "subsorts",
        "import" | "imports" => "protecting",
        word => known.clone().find(|known| *known == word).or_else(|| most_similar(word, known))?,
    })
}

/// Whether a word closes a module, theory or view.
pub(super) fn is_closing(word: &str) -> bool {
    word == "endv" || word == "endo" || word == "jbo" || closed_kind(word).is_some()
}

/// The kind of module that a word closes.
pub(super) fn closed_kind(word: &str) -> Option<ModuleKind> {
    Some(match word {
        "endfm" | "endo" | "jbo" => ModuleKind::Fmod,
        "endm" => ModuleKind::Mod,
        "endom" => ModuleKind::Omod,
        "endsm" => ModuleKind::Smod,
        "endfth" => ModuleKind::Fth,
        "endth" => ModuleKind::Th,
        "endoth" => ModuleKind::Oth,
        "endsth" => ModuleKind::Sth,
        _ => return None,
    })
}

/// The word that closes a kind of module.
pub(super) fn closing_word(kind: ModuleKind) -> &'static str {
    match kind {
        ModuleKind::Fmod => "endfm",
        ModuleKind::Mod => "endm",
        ModuleKind::Omod => "endom",
        ModuleKind::Smod => "endsm",
        ModuleKind::Fth => "endfth",
        ModuleKind::Th => "endth",
        ModuleKind::Oth => "endoth",
        ModuleKind::Sth => "endsth",
    }
}

/// The kind of module that a word opens.
pub(super) fn opened_kind(word: &str) -> Option<ModuleKind> {
    Some(match word {
        "fmod" | "obj" => ModuleKind::Fmod,
        "mod" => ModuleKind::Mod,
        "omod" => ModuleKind::Omod,
        "smod" => ModuleKind::Smod,
        "fth" => ModuleKind::Fth,
        "th" => ModuleKind::Th,
        "oth" => ModuleKind::Oth,
        "sth" => ModuleKind::Sth,
        _ => return None,
    })
}

/// Whether a period in front of this word ends a statement.
pub(super) fn follows_period(word: &str) -> bool {
    is_closing(word) || body_keyword(word).is_some()
}

/// The commands that take a term; they end at a period at the end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TermCommand {
    Reduce,
    Rewrite,
    /// `frewrite`, or `erewrite` if true.
    FairRewrite(bool),
    /// `srewrite`, or `dsrewrite` if true.
    StrategyRewrite(bool),
    Search,
    /// `match`, or `xmatch` if true.
    Match(bool),
    Parse,
    /// One that is read and refused, with its name.
    Unsupported(&'static str),
}

/// What a word begins outside modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TopKeyword {
    Module(ModuleKind),
    View,
    Term(TermCommand),
    Debug,
    Continue,
    Select,
    Show,
    Set,
    Do,
    /// `trace`, `break`, `print`, which take lists of names.
    Choose,
    Load(super::commands::LoadMode),
    /// A command that takes the rest of its line: `cd` and its like.
    Directory(super::commands::DirectoryAction),
    Quit,
    Eof,
    /// `ls`, `ll`: the rest of the line, refused.
    Listing(&'static str),
    /// Ends at the first period, refused.
    Unsupported(&'static str),
}

/// The keyword of a module, view or command.
pub(super) fn top_keyword(word: &str) -> Option<TopKeyword> {
    use super::commands::{DirectoryAction, LoadMode};
    use TermCommand::*;
    use TopKeyword::{Directory, Listing, Load, Term};
    Some(match word {
        "view" => TopKeyword::View,
        "reduce" | "red" => Term(Reduce),
        "rewrite" | "rew" => Term(Rewrite),
        "frewrite" | "frew" => Term(FairRewrite(false)),
        "erewrite" | "erew" => Term(FairRewrite(true)),
        "srewrite" | "srew" => Term(StrategyRewrite(false)),
        "dsrewrite" | "dsrew" => Term(StrategyRewrite(true)),
        "search" => Term(Search),
        "match" => Term(Match(false)),
        "xmatch" => Term(Match(true)),
        "parse" => Term(Parse),
        "unify" => Term(Unsupported("unify")),
        "irredundant" | "irred" => Term(Unsupported("irredundant unify")),
        "variant" => Term(Unsupported("variant unify")),
        "filtered" => Term(Unsupported("filtered variant unify")),
        "get" => Term(Unsupported("get variants")),
        "vu-narrow" | "fvu-narrow" => Term(Unsupported("vu-narrow")),
        "narrow" | "nar" => Term(Unsupported("narrow")),
        "xg-narrow" => Term(Unsupported("xg-narrow")),
        "check" => Term(Unsupported("check")),
        "smt-search" => Term(Unsupported("smt-search")),
        "loop" => Term(Unsupported("loop")),
        "debug" => TopKeyword::Debug,
        "continue" | "cont" => TopKeyword::Continue,
        "select" => TopKeyword::Select,
        "show" => TopKeyword::Show,
        "set" => TopKeyword::Set,
        "do" => TopKeyword::Do,
        "trace" | "break" | "print" => TopKeyword::Choose,
        "in" => Load(LoadMode::In),
        "load" => Load(LoadMode::Load),
        "sload" => Load(LoadMode::Once),
        "cd" => Directory(DirectoryAction::Change),
        "pushd" => Directory(DirectoryAction::Push),
        "popd" => Directory(DirectoryAction::Pop),
        "pwd" => Directory(DirectoryAction::Print),
        "ls" => Listing("ls"),
        "ll" => Listing("ll"),
        "quit" | "q" => TopKeyword::Quit,
        "eof" => TopKeyword::Eof,
        "dump" => TopKeyword::Unsupported("dump"),
        "resume" => TopKeyword::Unsupported("resume"),
        "abort" => TopKeyword::Unsupported("abort"),
        "step" => TopKeyword::Unsupported("step"),
        "where" => TopKeyword::Unsupported("where"),
        _ => TopKeyword::Module(opened_kind(word)?),
    })
}

/// The words that begin modules, views and commands, for hints at misspelt ones.
pub(super) const TOP_WORDS: [&str; 34] = [
    "fmod",
    "mod",
    "omod",
    "smod",
    "fth",
    "view",
    "reduce",
    "red",
    "rewrite",
    "rew",
    "frewrite",
    "frew",
    "erewrite",
    "erew",
    "srewrite",
    "srew",
    "dsrewrite",
    "dsrew",
    "search",
    "match",
    "xmatch",
    "parse",
    "unify",
    "continue",
    "cont",
    "select",
    "show",
    "set",
    "trace",
    "load",
    "sload",
    "debug",
    "quit",
    "pwd",
];

/// The words that begin declarations and statements, for hints at misspelt ones.
pub(super) const BODY_WORDS: [&str; 28] = [
    "protecting",
    "extending",
    "including",
    "generated-by",
    "inc",
    "sort",
    "sorts",
    "subsort",
    "subsorts",
    "op",
    "ops",
    "var",
    "vars",
    "eq",
    "ceq",
    "mb",
    "cmb",
    "rl",
    "crl",
    "sd",
    "csd",
    "class",
    "subclass",
    "subclasses",
    "msg",
    "msgs",
    "strat",
    "strats",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_for_hints_are_keywords() {
        assert!(TOP_WORDS.iter().all(|word| top_keyword(word).is_some()));
        assert!(BODY_WORDS.iter().all(|word| body_keyword(word).is_some()));
    }
}
