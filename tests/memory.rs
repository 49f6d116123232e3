//! Commands that need more memory than they may take, and commands that only leave much behind.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const OUT_OF_MEMORY: &str = "\
mod ENDLESS is
  protecting NAT .
  sort State .
  op state : Nat Nat -> State [ctor] .
  op never : -> State [ctor] .
  vars M N : Nat .
  op deep : Nat -> Nat .
  eq deep(N) = s deep(s N) .
  op calls : Nat -> Nat .
  ceq calls(N) = N if calls(s N) = N .
  rl [left] : state(M, N) => state(s M, N) .
  rl [right] : state(M, N) => state(M, s N) .
  sort List .
  subsort Nat < List .
  op __ : List List -> List [ctor assoc] .
  op twice : List -> List .
  var L : List .
  eq twice(L) = twice(L L) .
  op pile : List -> List [ctor] .
  rl [more] : pile(L) => pile(L L) .
endm
fmod BARE is
  sorts Twins Pair .
  subsort Twins < Pair .
  ops one two : -> Pair .
  op pair : Pair Pair -> Pair [comm] .
  var P : Pair .
  op calls : Pair -> Pair .
  ceq calls(P) = P if calls(pair(P, one)) = P .
  cmb pair(P, P) : Twins if calls(P) : Pair .
endfm
reduce in ENDLESS : deep(0) .
reduce calls(0) .
reduce twice(1 2) .
search state(0, 0) =>* never .
srewrite state(0, 0) using (left | right) * ; fail .
dsrewrite state(0, 0) using (left | right) * ; fail .
rewrite pile(1) .
match in BARE : pair(one, P) <=? pair(two, two) .
reduce in ENDLESS : 1 + 1 .
";

/// Runs the program on a text with so much memory for a command.
fn run_with_memory(name: &str, text: &str, limit: &str) -> (String, String, Option<i32>) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("the scratch folder can be written to");
    let output = Command::new(env!("CARGO_BIN_EXE_broth"))
        .args(["-no-banner", "--message-format", "short", "--memory-limit", limit])
        .arg(&path)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("what is printed is a text");
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn what_runs_out_of_memory_ends_and_the_next_command_is_run() {
    let (out, messages, code) = run_with_memory("endless.maude", OUT_OF_MEMORY, "64M");
    let places: Vec<&str> = messages
        .lines()
        .map(|line| line.split_once(".maude:").expect("messages have places").1)
        .map(|line| line.split_once(" after ").or_else(|| line.split_once(" before ")))
        .map(|parts| parts.expect("memory has run out").0)
        .collect();
    let expected: Vec<String> =
        (32..40).map(|line| format!("{line}:1: error[B0721]: out of memory")).collect();
    assert_eq!(places, expected);
    assert!(out.ends_with("result NzNat: 2\nBye.\n"), "{out}");
    assert_eq!(code, Some(3));
}

#[test]
fn garbage_is_not_memory_in_use() {
    // A list of 20 MB is reversed thirty times, which leaves as much behind each time; three of them
    // and a copy are in use at most.
    let text = "\
fmod REVERSE is
  protecting NAT .
  sort List .
  op nil : -> List [ctor] .
  op cons : Nat List -> List [ctor] .
  vars L M : List .
  vars N I : Nat .
  op build : Nat List -> List .
  eq build(0, L) = L .
  eq build(s N, L) = build(N, cons(N, L)) .
  op turn : List List -> List .
  eq turn(nil, M) = M .
  eq turn(cons(I, L), M) = turn(L, cons(I, M)) .
  op times : Nat List -> Nat .
  eq times(0, cons(I, L)) = I .
  eq times(s N, L) = times(N, turn(L, nil)) .
endfm
reduce times(30, build(1000000, nil)) .
";
    let (out, messages, code) = run_with_memory("garbage.maude", text, "128M");
    assert_eq!((messages.as_str(), code), ("", Some(0)));
    assert!(out.ends_with("result Zero: 0\nBye.\n"), "{out}");
}

#[test]
fn large_numbers_count_and_what_cannot_fit_is_not_begun() {
    let text = "\
fmod LARGE is
  protecting NAT .
  sort List .
  op nil : -> List [ctor] .
  op cons : Nat List -> List [ctor] .
  op fill : Nat List -> List .
  var N : Nat .
  var L : List .
  eq fill(0, L) = L .
  eq fill(s N, L) = fill(N, cons(1 << 80000000 + N, L)) .
  op grow : Nat Nat -> Nat .
  vars K M : Nat .
  eq grow(0, M) = M .
  eq grow(s K, M) = grow(K, M + (M >> 100)) .
  op same : List List -> Bool .
  eq same(L, L) = true .
endfm
reduce same(fill(1000, nil), nil) .
reduce 3 ^ 1000000000 rem 10 .
reduce (1 << 500000000) * (1 << 500000000) .
reduce 1 << 1000000000 .
reduce grow(200, 1 << 20000000) rem 10 .
reduce 1 + 1 .
";
    let (out, messages, code) = run_with_memory("large.maude", text, "100M");
    assert_eq!(messages.lines().count(), 4, "{messages}");
    for (message, line) in messages.lines().zip(18..22) {
        assert!(message.contains(&format!("large.maude:{line}:1: error[B0721]")), "{message}");
    }
    assert!(out.contains("result NzNat: 6\n"), "{out}");
    assert!(out.ends_with("result NzNat: 2\nBye.\n"), "{out}");
    assert_eq!(code, Some(3));
}

#[cfg(unix)]
#[test]
fn a_file_without_end_is_not_read() {
    let output = Command::new(env!("CARGO_BIN_EXE_broth"))
        .args(["-no-banner", "--message-format", "short", "--memory-limit", "64M", "/dev/zero"])
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let said = String::from_utf8(output.stderr).expect("messages are texts");
    assert_eq!(said, "error[B0721]: /dev/zero does not fit into the memory\n");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_shared_term_is_printed_bit_by_bit() {
    let text = "\
fmod SHARED is
  sort S .
  op a : -> S .
  op f : S S -> S .
  op g : S -> S .
  eq g(X:S) = f(X:S, X:S) .
endfm
reduce g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(g(a)))))))))))))))))))))) .
reduce a .
";
    let (out, messages, code) = run_with_memory("shared.maude", text, "16M");
    assert_eq!((messages.as_str(), code), ("", Some(0)));
    assert_eq!(out.bytes().filter(|&byte| byte == b'a').count() >> 22, 1);
    assert!(out.ends_with("result S: a\nBye.\n"));
}

#[cfg(unix)]
#[test]
fn a_soup_that_becomes_flat_bit_by_bit_leaves_only_garbage() {
    let constants: Vec<String> = (0..20_000).map(|i| format!("c{i}")).collect();
    let constants = constants.join(" ");
    let text = format!(
        "fmod SOUP is sort Soup . ops {constants} : -> Soup . \
         op __ : Soup Soup -> Soup [assoc comm] . var S : Soup . eq S c5 = S . \
         op size : Soup -> Soup . eq size(S) = c0 . endfm\n\
         reduce size({constants}) .\n"
    );
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("soup.maude");
    fs::write(&path, text).expect("the scratch folder can be written to");
    // Without collections the soups on the way would take 1.6 GB.
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 1500000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_broth")])
        .arg(&path)
        .stdin(Stdio::null())
        .output()
        .expect("there is a shell");
    let out = String::from_utf8(output.stdout).expect("what is printed is a text");
    assert!(out.ends_with("result Soup: c0\nBye.\n"));
    assert_eq!(output.status.code(), Some(0));
}
