//! The standard modules, written in the language itself and built in.
//!
//! A module is read when somebody first imports or names it, so a session that needs none pays for
//! none. The order of declarations is part of the interface: it is the order of creation that the
//! canonical order of terms rests on. Tokens of these texts get no numbers.
//!
//! `special (id-hook NAME (op))` binds an operator to what the engine computes, a hook of its
//! registry.

/// The text of each standard module, one module a text.
const MODULES: [(&str, &str); 8] = [
    ("TRUTH-VALUE", include_str!("truth-value.maude")),
    ("BOOL-OPS", include_str!("bool-ops.maude")),
    ("TRUTH", include_str!("truth.maude")),
    ("BOOL", include_str!("bool.maude")),
    ("NAT", include_str!("nat.maude")),
    ("INT", include_str!("int.maude")),
    ("CONFIGURATION", include_str!("configuration.maude")),
    ("CONVERSION", include_str!("conversion.maude")),
];

/// The module that is current when a session starts.
pub const FIRST_MODULE: &str = "CONVERSION";

/// Modules of the language's library that are not there yet.
const MISSING: [&str; 24] = [
    "EXT-BOOL",
    "INITIAL-EQUALITY-PREDICATE",
    "RAT",
    "FLOAT",
    "STRING",
    "STRING-OPS",
    "RANDOM",
    "COUNTER",
    "BOUND",
    "QID",
    "TRIV",
    "LIST",
    "SET",
    "MAP",
    "ARRAY",
    "NAT-LIST",
    "QID-LIST",
    "QID-SET",
    "META-TERM",
    "META-MODULE",
    "META-LEVEL",
    "LEXICAL",
    "LOOP-MODE",
    "MODEL-CHECKER",
];

/// The text of a standard module.
pub fn text(name: &str) -> Option<&'static str> {
    MODULES.iter().find(|(module, _)| *module == name).map(|(_, text)| *text)
}

/// Whether the language's library has a module of this name that is not built in yet.
pub fn is_missing(name: &str) -> bool {
    MISSING.contains(&name)
}

/// The names of the standard modules.
pub fn names() -> impl Iterator<Item = &'static str> {
    MODULES.iter().map(|(name, _)| *name)
}

/// The keyword that opens a standard module.
pub fn keyword(name: &str) -> &'static str {
    if name == "CONFIGURATION" { "mod" } else { "fmod" }
}
