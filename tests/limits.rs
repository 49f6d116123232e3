//! Numbers that are larger than the engine counts: the command ends with a message, and the next one
//! is run.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Multiplicities that pass 2^32 in every way that makes them: sums, products, in lazy positions, in
/// conditions, under rules and strategies.
const MULTIPLICITIES: &str = "\
mod MANY is
  protecting BOOL .
  sorts S .
  ops a b c : -> S .
  op _&_ : S S -> S [assoc comm] .
  ops d n e : S -> S .
  op r : S -> S .
  op z : S -> S [strat (0)] .
  op w : S S -> S [strat (1 0)] .
  vars X Y : S .
  eq d(X) = X & X & X & X & X & X & X & X & X & X & X & X & X & X & X & X .
  eq n(a & X) = n(a & X & X) .
  eq z(X) = X & X & X & X & X & X & X & X .
  ceq e(X) = b if d(d(d(d(d(d(d(d(X)))))))) = c .
  rl [grow] : r(X) => r(d(d(d(d(d(d(d(d(X))))))))) .
  rl [twice] : a => a & a .
endm
reduce d(d(d(d(d(d(d(d(a)))))))) .
reduce b & d(d(d(d(d(d(d(d(a & b)))))))) .
reduce n(a & b) .
reduce w(z(z(z(z(z(z(z(z(z(z(z(a))))))))))), b) .
reduce e(a) .
rewrite r(a) .
search r(a) =>* b .
srewrite r(a) using grow .
match X & Y <=? d(a) & b .
reduce a & b .
";

/// Large multiplicities that are no limit: everything is taken by one variable, more than 2^32
/// arguments in all.
const LARGE: &str = "\
fmod LARGE is
  sort S .
  ops a b c e yes : -> S .
  op _&_ : S S -> S [assoc comm] .
  ops d h : S -> S .
  ops one half same : S -> S .
  vars X Y : S .
  eq d(X) = X & X & X & X & X & X & X & X & X & X & X & X & X & X & X & X .
  eq h(X) = X & X & X & X & X & X & X & X .
  eq one(c & X) = yes .
  eq half(X & X & c & Y) = yes .
  eq same(X & X) = yes .
endfm
reduce one(c & h(d(d(d(d(d(d(d(a & b & e)))))))) ) .
reduce half(c & h(d(d(d(d(d(d(d(a)))))))) & h(d(d(d(d(d(d(d(b)))))))) ) .
reduce same(h(d(d(d(d(d(d(d(a)))))))) & h(d(d(d(d(d(d(d(b)))))))) ) .
";

/// Runs the program on a text: what it prints, its messages, its exit code.
fn run(name: &str, text: &str) -> (String, String, Option<i32>) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("the scratch folder can be written to");
    let output = Command::new(env!("CARGO_BIN_EXE_broth"))
        .args(["-no-banner", "--message-format", "short"])
        .arg(&path)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("what is printed is a text");
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn a_multiplicity_that_is_too_large_ends_its_command() {
    let (out, messages, code) = run("multiplicities.maude", MULTIPLICITIES);
    let limit = "4294967295 is the largest number of times that an argument";
    let lines: Vec<&str> = messages
        .lines()
        .filter(|line| line.contains("B0723") && line.contains(limit))
        .map(|line| line.split(".maude:").nth(1).expect("messages have places"))
        .map(|place| place.split(':').next().expect("a place has a line"))
        .collect();
    assert_eq!(lines, ["18", "19", "20", "21", "22", "23", "24", "25"], "{messages}");
    assert_eq!(messages.lines().count(), lines.len(), "{messages}");
    assert!(out.contains("Matcher 1\n"), "{out}");
    assert!(out.trim_end().ends_with("result S: a & b\nBye."), "{out}");
    assert_eq!(code, Some(3));
}

#[test]
fn more_arguments_than_words_can_count_are_matched() {
    let (out, messages, code) = run("large.maude", LARGE);
    assert_eq!(messages, "");
    assert_eq!(out.matches("result S: yes\n").count(), 3, "{out}");
    assert_eq!(code, Some(0));
}
