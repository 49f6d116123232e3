//! Matchers of fixed cases, in order, and laws of random ones.

mod laws;
mod reader;
mod stopping;

use reader::{Mode, ReaderTheory};

/// Runs a file of cases in one of the modes and returns those that differ, as text.
fn run(text: &str, plain: bool) -> (usize, Vec<String>) {
    let mut world = ReaderTheory::new(plain);
    let mut wrong = Vec::new();
    let mut n = 0;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if line == "theory" {
            world = ReaderTheory::new(plain);
            continue;
        }
        let Some((command, rest)) = line.split_once(' ') else { panic!("what is {line}?") };
        let (mode, extension) = match command {
            "match" => (Mode::All, false),
            "xmatch" => (Mode::All, true),
            "first" => (Mode::First, false),
            "xfirst" => (Mode::First, true),
            _ => {
                world.declare(line);
                continue;
            }
        };
        let (pattern, subject) = rest.split_once(" <=? ").expect("a pattern and a subject");
        let mut expected = Vec::new();
        while let Some(next) = lines.next_if(|l| l.starts_with("  ")) {
            expected.push(next.trim().to_string());
        }
        let cut = expected.last().is_some_and(|l| l == "...");
        if cut {
            expected.pop();
        }
        let limit = match mode {
            Mode::All if !cut => expected.len() + 1,
            _ => expected.len().max(1),
        };
        let found = world.matchers(pattern, subject, mode, extension, limit);
        n += 1;
        if found != expected {
            wrong.push(format!(
                "{line}\n expected\n  {}\n found\n  {}\n",
                expected.join("\n  "),
                found.join("\n  ")
            ));
        }
    }
    (n, wrong)
}

fn check(text: &str) {
    for plain in [false, true] {
        let (n, mut wrong) = run(text, plain);
        wrong.sort_by_key(String::len);
        let shown = wrong.iter().take(6).cloned().collect::<Vec<_>>().join("\n");
        assert!(wrong.is_empty(), "{} of {n} cases differ, plain: {plain}\n{shown}", wrong.len());
    }
}

#[test]
fn fixed_cases_come_in_their_order() {
    check(include_str!("cases.txt"));
}

/// The same for a file that the environment names, to try many cases.
#[test]
fn cases_of_a_file_come_in_their_order() {
    if let Ok(path) = std::env::var("BROTH_MATCH_CASES") {
        check(&std::fs::read_to_string(path).expect("BROTH_MATCH_CASES names a file of cases"));
    }
}
