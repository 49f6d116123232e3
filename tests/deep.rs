//! Patterns of up to a hundred thousand levels, or of many arguments: they are compiled and matched in
//! good time, with little stack, whatever their operators obey.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

const OPERATORS: &str = "
    sorts Elt Term . subsort Elt < Term .
    ops a b e e1 e2 e3 : -> Elt .
    op f : Term -> Elt .
    op h : Term Term -> Elt .
    op _+_ : Term Term -> Term [assoc comm] .
    op _*_ : Term Term -> Term [assoc comm id: e] .
    op _;_ : Term Term -> Term [assoc] .
    op _,_ : Term Term -> Term [assoc id: e1] .
    op c : Term Term -> Elt [comm] .
    op d : Term Term -> Term [comm id: e2] .
    op i : Term Term -> Term [comm idem] .
    op l : Term Term -> Term [left id: e3] .
    op s : Elt -> Elt [iter] .
    op g : Term -> Term .
";

/// Levels of a pattern and of what it matches: in both what is before the level below and after it;
/// `#` is the number of the level.
type Levels = [[&'static str; 2]; 2];

const AC: Levels = [["f(X#:Elt + ", ")"], ["f(a + ", ")"]];
const AC_GROUND: Levels = [["f(a + ", ")"], ["f(a + ", ")"]];
const AC_REST: Levels = [["f(X#:Term + ", ")"], ["f(a + b + ", ")"]];
const AC_ONE_VARIABLE: Levels = [["f(Z:Elt + ", ")"], ["f(a + ", ")"]];
const ACU: Levels = [["f(X#:Elt * ", ")"], ["f(a * ", ")"]];
const ACU_REST: Levels = [["f(X#:Term * ", ")"], ["f(a * ", ")"]];
const A: Levels = [["f(X#:Elt ; ", ")"], ["f(a ; ", ")"]];
const A_GROUND: Levels = [["f(a ; ", " ; b)"], ["f(a ; ", " ; b)"]];
const A_REST: Levels = [["f(X#:Term ; ", " ; Y#:Term)"], ["f(a ; ", " ; b)"]];
const AU: Levels = [["f(X#:Elt , ", ")"], ["f(a , ", ")"]];
const C: Levels = [["c(X#:Elt, ", ")"], ["c(a, ", ")"]];
const C_ONE_VARIABLE: Levels = [["c(Z:Elt, ", ")"], ["c(a, ", ")"]];
const LEFT_ID: Levels = [["l(X#:Elt, ", ")"], ["l(a, ", ")"]];
const ITER: Levels = [["s(f(", "))"], ["s(f(", "))"]];
const ITER_AC: Levels = [["s(f(X#:Elt + ", "))"], ["s(f(a + ", "))"]];
const FREE_WITH_AC: Levels = [["h(a + X#:Elt, ", ")"], ["h(a + b, ", ")"]];

fn nested(levels: &[Levels], which: usize, core: &str, n: usize) -> String {
    let (mut before, mut after) = (String::new(), Vec::new());
    for i in 0..n {
        let [open, close] = levels[i % levels.len()][which];
        before.push_str(&open.replace('#', &i.to_string()));
        after.push(close.replace('#', &i.to_string()));
    }
    after.reverse();
    format!("{before}{core}{}", after.concat())
}

/// Runs a program that is given on standard input.
fn output_of(program: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_broth"))
        .args(["-no-banner", "-no-wrap"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("its input is a pipe");
    input.write_all(program.as_bytes()).expect("it reads");
    drop(input);
    child.wait_with_output().expect("it ends")
}

/// What a program prints.
fn run(program: &str) -> String {
    let settings = "set show command off .\nset show stats off .\n";
    let output = output_of(&format!("{settings}{program}"));
    assert!(output.status.success(), "{:.300}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn left_sides_of_each_theory() {
    let all: [&[Levels]; 17] = [
        &[AC],
        &[AC_GROUND],
        &[AC_REST],
        &[AC_ONE_VARIABLE],
        &[ACU],
        &[ACU_REST],
        &[A],
        &[A_GROUND],
        &[A_REST],
        &[AU],
        &[C],
        &[C_ONE_VARIABLE],
        &[LEFT_ID],
        &[ITER],
        &[ITER_AC],
        &[FREE_WITH_AC],
        &[AC, A_GROUND, C, ITER, ACU, FREE_WITH_AC, AU],
    ];
    for levels in all {
        let n = if levels.len() > 1 { 100_000 } else { 5_000 };
        let (left, subject) = (nested(levels, 0, "Z:Elt", n), nested(levels, 1, "a", n));
        let printed = run(&format!(
            "mod DEEP is {OPERATORS}
               eq g(f({left})) = Z:Elt .
               rl {left} => b .
             endm
             reduce g(f({subject})) .
             rewrite [1] {subject} .
            "
        ));
        let first = levels[0][0][0];
        assert_eq!(printed, "result Elt: a\nresult Elt: b\nBye.\n", "{first}");
    }
}

/// `n` arguments, which a function of their numbers names, with an operator between them.
fn joined(op: &str, n: usize, arg: impl Fn(usize) -> String) -> String {
    let args: Vec<String> = (0..n).map(arg).collect();
    args.join(&format!(" {op} "))
}

#[test]
fn seventy_thousand_arguments() {
    let n = 70_000;
    let constant = |i| format!("k{i}");
    let names: Vec<String> = (0..n).map(constant).collect();
    let module = |statements: &str| {
        format!("mod WIDE is {OPERATORS} ops {} : -> Elt . {statements} endm\n", names.join(" "))
    };
    for op in ["+", "*", ";", ","] {
        let all = joined(op, n, constant);
        let printed = run(&format!(
            "{}
             match g(X:Elt {op} {all}) <=? g(a {op} {all}) .
             match g(a {op} {all}) <=? g(b {op} {all}) .
             reduce g(b) == f(b {op} {all}) .
             ",
            module(&format!("eq g(X:Elt) = f(X:Elt {op} {all}) ."))
        ));
        let expected = "\nMatcher 1\nX:Elt --> a\nNo match.\nresult Bool: true\nBye.\n";
        assert_eq!(printed, expected, "{op}");
    }
    let printed = run(&format!(
        "{}match [1] {} <=? {} .\n",
        module(""),
        joined(";", n, |i| format!("f(k{i} ; X{i}:Elt)")),
        joined(";", n, |i| format!("f(k{i} ; b)"))
    ));
    assert!(printed.starts_with("\nMatcher 1\nX0:Elt --> b\nX1:Elt --> b\n"), "{printed:.300}");
}

/// What a program prints that has an error.
fn complaint(program: &str) -> String {
    let output = output_of(program);
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn seventy_thousand_sorts_or_arguments_of_an_operator() {
    let n = 70_000;
    let sorts: Vec<String> = (0..n).map(|i| format!("S{i}")).collect();
    let apart = format!(
        "fmod APART is sorts {} . op k : -> S69999 . op f : S69999 -> S69999 . eq f(k) = k . endfm
         reduce f(k) .\n",
        sorts.join(" ")
    );
    assert_eq!(run(&apart), "result S69999: k\nBye.\n");
    let together = format!(
        "fmod TOGETHER is sorts {} . subsorts {} . endfm\n",
        sorts.join(" "),
        sorts.join(" < ")
    );
    let said = complaint(&together);
    let expected = "error[B0608]: more than 8192 sorts are connected with sort S0\n";
    assert!(said.starts_with(expected), "{said:.300}");
    let wide = format!(
        "fmod MANY is sort S . op a : -> S . op f : {} -> S . eq f({}) = a . endfm\n",
        "S ".repeat(n),
        vec!["a"; n].join(",")
    );
    let said = complaint(&wide);
    let expected = "error[B0904]: more than 50000 arguments are not supported, so operator f is dropped, \
        and 1 statement that uses it\n";
    assert!(said.starts_with(expected), "{said:.300}");
}
