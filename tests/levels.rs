//! The levels of the crates: a module knows only what lies below it.
//!
//! The sources are read as text. A path to another module of the crate (`crate::x`, `super::x`, in
//! `use` lines and inside of code) must lead downward in the table of the crate, and so must an
//! `impl` block, which belongs beside its type. Test code may use anything.

#[path = "levels/checker.rs"]
mod checker;
#[path = "levels/source.rs"]
mod source;

use std::path::Path;

use checker::{Crate, check};

/// The levels of `rules`, the lowest first. Modules of one line are a circle, which nothing may
/// join; each line that has a single module is free of circles with others.
const RULES: &[&[&str]] = &[
    &["source"],
    &["diagnose"],
    &["syntax"],
    &["mixfix"],
    &["prelude"],
    &["print"],
    &["module"],
    &["answer"],
    &["report", "outside"],
    &["command::reports"],
    &["command::modules"],
    &["command::reading"],
    &["command"],
    &["session"],
];

/// The levels of the engine. What is recursive in the language, and so in one line here, is the
/// machine: conditions search, searches apply rules, and rules have conditions.
const ENGINE: &[&[&str]] = &[
    &["id"],
    &["limits"],
    &["signature"],
    &["term"],
    &["statement"],
    &["arithmetic"],
    &["heap"],
    &["fidelity", "registers", "workspace"],
    &["matching"],
    &["code"],
    &["theory"],
    &["worker", "safe_points", "builtin", "reduce", "solving", "result", "command", "observer"],
    &["rewrite"],
    &["search"],
    &["strategy"],
    &["matches"],
];

fn read(folder: &str) -> Crate {
    Crate::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder))
}

#[test]
fn rules_keeps_its_levels() {
    let found = check(&read("rules/src"), RULES);
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn the_engine_keeps_its_levels() {
    let found = check(&read("engine/src"), ENGINE);
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// Two levels, `low` and `high`, with `text` as a file of `low`.
fn with_low(text: &str) -> Vec<String> {
    let files = [
        ("lib.rs", "pub mod high; pub mod low; pub use high::High;"),
        ("high.rs", "use crate::low::inner::Low; pub struct High(Low);"),
        ("low/mod.rs", "pub mod inner; pub struct Base;"),
        ("low/inner.rs", text),
    ];
    check(&Crate::from_texts(&files), &[&["low"], &["high"]])
}

#[test]
fn an_import_against_the_table_fails() {
    let arrow = "low/inner.rs:2: low -> high (`crate::high`)";
    assert_eq!(with_low("pub struct Low;\nuse crate::high::High;"), [arrow]);
    assert_eq!(with_low("pub struct Low;\nuse crate::{low::Base, high::High};"), [arrow]);
    assert_eq!(with_low("\nfn f() { let _ = crate::high::High; }"), [arrow]);
    assert_eq!(with_low("\nuse super::super::high::High;"), [arrow]);
    assert_eq!(with_low("\nfn f(_: crate::High) {}"), [arrow]);
    assert_eq!(with_low("\nmod deep { use super::super::super::high::High; }"), [arrow]);
}

#[test]
fn what_lies_below_and_tests_may_be_used() {
    let none: [&str; 0] = [];
    assert_eq!(with_low("use crate::low::Base; use super::Base as B; use self::Low as L;"), none);
    assert_eq!(
        with_low("// crate::high\n/* crate::high */ const A: &str = \"crate::high\";"),
        none
    );
    assert_eq!(with_low("const A: &str = r#\"\" crate::high\"#; const B: char = '\"';"), none);
    assert_eq!(with_low("#[cfg(test)]\nmod tests { use crate::high::High; }"), none);
    assert_eq!(with_low("#[cfg(test)]\nuse crate::high::High;"), none);
    assert_eq!(with_low("pub(in crate::low) fn f<'a>(_: &'a str) {}"), none);
}

#[test]
fn files_of_tests_are_not_read() {
    let files = [
        ("lib.rs", "mod low; mod high;"),
        ("high.rs", ""),
        ("low/mod.rs", "#[cfg(test)]\npub(crate) mod tests;"),
        ("low/tests.rs", "use crate::high::High;"),
    ];
    assert!(check(&Crate::from_texts(&files), &[&["low"], &["high"]]).is_empty());
}

#[test]
fn a_block_of_methods_away_from_its_type_fails() {
    let files = [
        ("lib.rs", "mod low; mod high;"),
        ("low.rs", "pub struct Low<T>(T); pub trait Does {}"),
        ("high.rs", "use crate::low::{Does, Low};\nimpl Does for Low<u8> {}\nimpl<T> Low<T> {}"),
    ];
    let found = check(&Crate::from_texts(&files), &[&["low"], &["high"]]);
    assert_eq!(found, ["high.rs:3: `impl Low` stands in high, its type in low"]);
}

#[test]
fn a_module_without_a_level_fails() {
    let files = [("lib.rs", "mod low; mod new;"), ("low.rs", ""), ("new.rs", "")];
    let found = check(&Crate::from_texts(&files), &[&["low"], &["gone"]]);
    assert_eq!(found, ["new.rs: the module new has no level", "the module gone is not there"]);
}

#[test]
fn a_part_of_a_module_can_have_a_level_of_its_own() {
    let files = [
        ("lib.rs", "mod a;"),
        ("a/mod.rs", "pub mod x; pub mod y;"),
        ("a/x.rs", "\nuse super::y::Y;"),
        ("a/y.rs", "pub struct Y;"),
    ];
    let found = check(&Crate::from_texts(&files), &[&["a::x"], &["a::y"], &["a"]]);
    assert_eq!(found, ["a/x.rs:2: a::x -> a::y (`crate::a::y`)"]);
}
