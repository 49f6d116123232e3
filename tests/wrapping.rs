//! Lines wrap as in Maude 3.2, the version that wraps on a pipe: random terms are printed by both.
//! Without that program, which `.ci/run` can't install, the test is skipped.

#[path = "common/maude.rs"]
mod maude;
#[path = "common/random.rs"]
mod random;

use maude::Maude;
use random::Random;

const MODULE: &str = "\
fmod W is
  sort A .
  ops a bb ccc dddd eeeee abcdefghijklmnopqrstuvwxyz : -> A .
  ops x1234567890123456789012345678901234567890123456789012345678901234567890123456
    y12345678901234567890123456789012345678901234567890123456789012345678901234567890 : -> A .
  op f : A A -> A . op g : A A A -> A . op _+_ : A A -> A . op __ : A A -> A .
  op {_} : A -> A . op [_;_] : A A -> A . op l : A A -> A [assoc] .
endfm
set show timing off .
";

const CONSTANTS: [&str; 8] = [
    "a",
    "bb",
    "ccc",
    "dddd",
    "eeeee",
    "abcdefghijklmnopqrstuvwxyz",
    "x1234567890123456789012345678901234567890123456789012345678901234567890123456",
    "y12345678901234567890123456789012345678901234567890123456789012345678901234567890",
];

fn term(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.below(10) == 0 {
        // The long ones are rare.
        let at = random.below(30).min(6 + random.below(2));
        return CONSTANTS[if at < 8 { at } else { 0 }].to_owned();
    }
    let mut part = || term(random, depth - 1);
    let (x, y, z) = (part(), part(), part());
    match random.below(7) {
        0 => format!("f({x}, {y})"),
        1 => format!("g({x}, {y}, {z})"),
        2 => format!("({x} + {y})"),
        3 => format!("({x} {y})"),
        4 => format!("{{{x}}}"),
        5 => format!("[{x} ; {y}]"),
        _ => format!("l({x}, {y})"),
    }
}

fn print(program: &str, file: &std::path::Path) -> String {
    let [printed, _] = maude::process::outputs(&[program.into(), "-no-banner".into()], file);
    printed
}

#[test]
fn random_terms_wrap_as_in_the_reference() {
    if Maude::installed().is_none_or(|maude| maude.name != "maude 3.2") {
        println!("skipped: Maude 3.2 is not installed");
        return;
    }
    let mut random = Random::new(2026);
    let mut text = MODULE.to_owned();
    for number in 0..200 {
        let shown = term(&mut random, 1 + number % 5);
        text.push_str(&format!("reduce {shown} .\nparse {shown} .\n"));
    }
    let file = std::env::temp_dir().join(format!("broth-wrap-{}.maude", std::process::id()));
    std::fs::write(&file, text).expect("a file for the test can be written");
    let ours = print(env!("CARGO_BIN_EXE_broth"), &file);
    let theirs = print("maude", &file);
    std::fs::remove_file(&file).expect("the file was just written");
    for (ours, theirs) in ours.lines().zip(theirs.lines()) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(ours.lines().count(), theirs.lines().count());
}
