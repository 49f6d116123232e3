//! Whole programs: every file of `bad-input` and `programs` is run, and what it prints on standard
//! output and standard error, and the exit code, are compared with a snapshot.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs the program on a file of a directory; times are left out.
fn run(directory: &Path, file: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_broth"))
        .args(["--plain", "-no-wrap", file])
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let text = |bytes: &[u8]| without_times(&String::from_utf8_lossy(bytes));
    let code = output.status.code().map_or("a signal".to_owned(), |code| code.to_string());
    format!(
        "{}--- standard error\n{}--- exit code {code}\n",
        text(&output.stdout),
        text(&output.stderr)
    )
}

fn without_times(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let timed = line.contains("rewrites: ") && line.ends_with("rewrites/second)");
        let end = line.find(" in ").filter(|_| timed).unwrap_or(line.len());
        out.push_str(&line[..end]);
        out.push('\n');
    }
    out
}

fn check_all(directory: &str) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(directory);
    let mut files: Vec<PathBuf> = fs::read_dir(&directory)
        .expect("the directory exists")
        .map(|entry| entry.expect("its entries can be read").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "maude"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for path in files {
        let name = path.file_name().and_then(|name| name.to_str()).expect("names are plain");
        insta::assert_snapshot!(name.trim_end_matches(".maude"), run(&directory, name));
    }
}

#[test]
fn bad_input() {
    check_all("bad-input");
}

#[test]
fn programs() {
    check_all("programs");
}

/// A file that is made for one test.
fn run_text(name: &str, text: &[u8]) -> String {
    let directory = std::env::temp_dir().join(format!("broth-test-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("a directory for the test can be made");
    fs::write(directory.join(name), text).expect("a file for the test can be written");
    let printed = run(&directory, name);
    fs::remove_file(directory.join(name)).expect("the file was just written");
    printed
}

#[test]
fn a_hundred_thousand_open_parentheses() {
    let text = format!("reduce {}\nreduce 1 + 1 .\n", "(".repeat(100_000));
    insta::assert_snapshot!("open-parentheses", run_text("open.maude", text.as_bytes()));
}

#[test]
fn a_hundred_thousand_nested_parentheses() {
    let (open, close) = ("(".repeat(100_000), ")".repeat(100_000));
    let text = format!("set show command off .\nreduce {open}1{close} + 1 .\n");
    insta::assert_snapshot!("nested-parentheses", run_text("nested.maude", text.as_bytes()));
}

#[test]
fn a_term_of_a_million_levels() {
    let text = "
        fmod DEEP is
          protecting NAT .
          sort Term .
          op leaf : -> Term .
          op on : Term -> Term .
          op make : Nat Term -> Term .
          var N : Nat . var X : Term .
          eq make(0, X) = X .
          eq make(s N, X) = make(N, on(X)) .
        endfm
        set show command off .
        set show stats off .
        reduce make(1000000, leaf) == make(1000000, leaf) .
        reduce make(1000000, leaf) .
        search make(1000000, leaf) =>* on(X) such that X =/= leaf .
        ";
    let printed = run_text("deep.maude", text.as_bytes());
    let mut lines = printed.lines();
    assert_eq!(lines.next(), Some("result Bool: true"));
    let deep = format!("{}leaf{}", "on(".repeat(1_000_000), ")".repeat(1_000_000));
    assert_eq!(lines.next(), Some(format!("result Term: {deep}").as_str()));
    assert!(printed.contains("Solution 1 (state 0)"));
    assert!(printed.ends_with("--- exit code 0\n"));
}

#[test]
fn long_soups_and_lists() {
    let objects: Vec<String> = (0..10_000)
        .map(|i| format!("< id({}, {}) : cell | pss : {i} >", i % 100, i / 100))
        .collect();
    let numbers: Vec<String> = (0..100_000).map(|i| (i % 1000).to_string()).collect();
    let text = format!(
        "
        mod LONG is
          protecting NAT . including CONFIGURATION .
          op cell : -> Cid . op id : Nat Nat -> Oid . op pss :_ : Nat -> Attribute .
          sort List . subsort Nat < List .
          op _;_ : List List -> List [assoc] .
          op done : Configuration -> Bool . op ends : List -> Nat .
          vars N M : Nat . var L : List . var C : Configuration .
          eq done(< id(N, M) : cell | pss : 9999 > C) = true .
          eq ends(N ; L ; M) = N + M .
        endm
        set show command off .
        set show stats off .
        reduce done({}) .
        reduce ends({}) .
        ",
        objects.join(" "),
        numbers.join(" ; ")
    );
    let printed = run_text("long.maude", text.as_bytes());
    assert!(printed.starts_with("result Bool: true\nresult NzNat: 999\nBye.\n"), "{printed:.300}");
}

#[test]
fn a_binary_file() {
    let bytes = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\nreduce 1 .\n";
    insta::assert_snapshot!("binary-file", run_text("binary.maude", bytes));
}

#[test]
fn a_text_with_bytes_that_are_not_utf8() {
    let text = b"*** caf\xe9\nfmod M is\n  sort S .\n  ops caf\xe9 th\xe9 : -> S .\n  \
        eq caf\xe9 = th\xe9 .\nendfm\nreduce caf\xe9 .\nreduce th\0\xe9 .\n";
    insta::assert_snapshot!("latin1", run_text("latin1.maude", text));
}

#[test]
fn a_text_that_begins_with_a_byte_order_mark() {
    let text = "\u{feff}reduce 1 + 1 .\nreduce 1 +\u{a0}1 .\n";
    insta::assert_snapshot!("byte-order-mark", run_text("mark.maude", text.as_bytes()));
}

#[test]
fn a_pattern_of_a_hundred_thousand_levels() {
    let levels = 100_000;
    let deep = |core: &str| format!("{}{core}{}", "f(".repeat(levels), ")".repeat(levels));
    let text = format!(
        "
        mod DEEP is
          sort Term .
          ops a b : -> Term .
          op f : Term -> Term .
          op g : Term Term -> Term [comm] .
          rl g({0}, X:Term) => X:Term .
        endm
        set show command off .
        set show stats off .
        match {0} <=? {1} .
        rewrite g(b, {1}) .
        rewrite g(b, f({2})) .
        ",
        deep("Y:Term"),
        deep("a"),
        "a"
    );
    let printed = run_text("pattern.maude", text.as_bytes());
    assert!(printed.contains("Matcher 1\nY:Term --> a\n"), "{printed:.300}");
    assert!(printed.contains("result Term: b\n"), "{printed:.300}");
    assert!(printed.contains("result Term: g(b, f(a))\n"), "{printed:.300}");
    assert!(printed.ends_with("--- exit code 0\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn answers_that_cannot_be_written_are_an_error() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("it is there");
    let output = Command::new(env!("CARGO_BIN_EXE_broth"))
        .arg("/dev/null")
        .stdin(Stdio::null())
        .stdout(full)
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("error[B0807]: standard output cannot be written: "), "{said}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_dash_stands_for_standard_input() {
    let directory = std::env::temp_dir();
    let file = directory.join(format!("broth-dash-{}.maude", std::process::id()));
    fs::write(&file, "reduce 2 .\n").expect("a file for the test can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_broth"))
        .arg("-")
        .arg("no-such-file")
        .stdin(fs::File::open(&file).expect("the file was just written"))
        .output()
        .expect("the program starts");
    fs::remove_file(&file).expect("the file was just written");
    assert!(String::from_utf8_lossy(&output.stdout).contains("result NzNat: 2\n"));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error[B0801]: there is no file"));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_misspelt_command_gets_a_hint() {
    let output = Command::new(env!("CARGO_BIN_EXE_broth"))
        .args(["sudok", "solve"])
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("there is no file `sudok`; did you mean `sudoku`?"), "{said}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_misspelt_flag_gets_a_hint() {
    let output = Command::new(env!("CARGO_BIN_EXE_broth"))
        .args(["-no-wrp", "file.maude"])
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("a similar argument exists: '--no-wrap'"), "{said}");
    assert_eq!(output.status.code(), Some(2));
}
