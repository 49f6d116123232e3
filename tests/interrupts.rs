//! Ctrl-C and closed pipes, while a command runs.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A module whose rule can be applied for ever.
const UP: &str = "
    mod UP is
      protecting NAT .
      sort State .
      op at : Nat -> State .
      rl at(N:Nat) => at(s N:Nat) .
    endm
    ";

/// Starts the program on a text and waits until it prints a line that begins like this. The lines
/// behind it can still be read.
fn start(
    name: &str,
    text: &str,
    line: &str,
) -> (Child, impl Iterator<Item = String> + use<>, PathBuf) {
    let file = std::env::temp_dir().join(format!("broth-{name}-{}.maude", std::process::id()));
    fs::write(&file, text).expect("a file for the test can be written");
    let mut child = Command::new(env!("CARGO_BIN_EXE_broth"))
        .arg(&file)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let output = BufReader::new(child.stdout.take().expect("standard output is piped"));
    let mut lines = output.lines().map_while(Result::ok);
    assert!(lines.any(|found| found.starts_with(line)));
    (child, lines, file)
}

/// Interrupts the program when a text has made it print a line: its exit code and messages.
fn interrupted(name: &str, text: &str, line: &str) -> (Option<i32>, String) {
    let (mut child, lines, file) = start(name, text, line);
    // The command is shown before it begins.
    thread::sleep(Duration::from_millis(100));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("there is `kill`").success());
    // Whoever does not read the rest has closed the pipe.
    lines.last();
    let mut said = String::new();
    let mut messages = child.stderr.take().expect("standard error is piped");
    messages.read_to_string(&mut said).expect("messages are texts");
    let status = child.wait().expect("the program ends");
    fs::remove_file(&file).expect("the file was just written");
    (status.code(), said)
}

#[test]
fn an_interrupt_stops_rewriting() {
    let text = format!("{UP} rewrite at(0) .");
    let (code, said) = interrupted("interrupt", &text, "rewrite in UP");
    assert!(said.starts_with("warning[B0720]: interrupted\n"), "{said}");
    assert_eq!(code, Some(130));
}

#[test]
fn an_interrupt_shows_the_statement_at_work() {
    // By a call at the end of a right side, inside of one, in a condition, and in a membership.
    let equations = [
        "eq down(N) = down(s N) .",
        "eq down(N) = s down(s N) rem 7 .",
        "ceq down(N) = N if down(s N) = 0 .",
        "cmb down(N) : Zero if down(s N) : Zero .",
    ];
    for (number, equation) in equations.into_iter().enumerate() {
        let text = format!(
            "fmod DOWN is protecting NAT . sort Zero . subsort Zero < Nat . var N : Nat .\n\
             op down : Nat -> Nat .\neq 1 + down(N) = 0 .\n{equation}\nendfm\nreduce down(0) ."
        );
        assert_shown(&format!("work-{number}"), &text, "reduce in DOWN", equation);
    }
}

#[test]
fn an_interrupt_shows_the_rule_at_work() {
    // Applied again and again; in its condition, of which no equation is at work.
    let cases = [
        ("rl on : at(N) => at(s N) .", "rewrite at(0) ."),
        ("rl on : at(N) => at(s N) .", "search at(0) =>+ at(0) ."),
        ("rl on : at(N) => at(s N) .", "srewrite at(0) using on ! ."),
        ("crl in : at(N) => at(s N) if 3 ^ 100000000 rem 7 = N .", "rewrite at(0) ."),
    ];
    for (number, (rule, command)) in cases.into_iter().enumerate() {
        let rule = rule.replace("rl on", "rl [on]").replace("rl in", "rl [in]");
        let text = format!(
            "mod UP is protecting NAT . sort State . var N : Nat .\n\
             op at : Nat -> State .\n{rule}\nendm\n{command}"
        );
        let name = format!("rule-at-work-{number}");
        let begin = command.split(' ').next().unwrap_or_default();
        assert_shown(&name, &text, &format!("{begin} "), &rule);
    }
}

/// What is interrupted shows a statement as the one at work.
fn assert_shown(name: &str, text: &str, begins: &str, statement: &str) {
    let (code, said) = interrupted(name, text, begins);
    let lines: Vec<&str> = said.lines().collect();
    let at = lines.iter().position(|line| line.contains(statement)).expect(&said);
    assert!(lines[at + 1].contains("--- this was at work"), "{said}");
    assert_eq!(code, Some(130));
}

#[test]
fn an_interrupt_in_a_long_multiplication_stops_what_follows() {
    let text = format!("{UP} reduce 3 ^ 10000000 rem 7 .\nreduce 1 + 1 .\nrewrite at(0) .");
    let (code, said) = interrupted("multiplication", &text, "reduce in UP");
    assert!(said.starts_with("warning[B0720]: interrupted"), "{said}");
    assert_eq!(code, Some(130));
}

#[test]
fn an_interrupt_stops_the_printing_of_a_large_number() {
    let text = format!("{UP} reduce 3 ^ 20000000 .\nreduce 1 + 1 .\n");
    let (code, said) = interrupted("digits", &text, "reduce in UP");
    assert!(said.starts_with("warning[B0720]: interrupted"), "{said}");
    assert_eq!(code, Some(130));
}

#[test]
fn an_interrupt_stops_the_printing_of_a_shared_term() {
    let text = format!(
        "fmod SHARED is sort S . op a : -> S . op f : S S -> S . op g : S -> S . \
         eq g(X:S) = f(X:S, X:S) . endfm\nreduce {}a{} .\nreduce a .\n",
        "g(".repeat(40),
        ")".repeat(40)
    );
    let (code, said) = interrupted("shared", &text, "    f(");
    assert!(said.starts_with("warning[B0720]: interrupted\n"), "{said}");
    assert_eq!(code, Some(130));
}

#[test]
fn a_closed_pipe_stops_a_search_that_finds_nothing() {
    let text = format!("{UP} search at(0) =>+ at(0) .");
    let (mut child, lines, file) = start("pipe", &text, "search in UP");
    drop(lines);
    let begin = Instant::now();
    let code = loop {
        if let Some(status) = child.try_wait().expect("the program was started") {
            break status.code();
        }
        if begin.elapsed() > Duration::from_secs(60) {
            child.kill().expect("the program runs");
            break None;
        }
        thread::sleep(Duration::from_millis(5));
    };
    fs::remove_file(&file).expect("the file was just written");
    assert_eq!(code, Some(0));
}
