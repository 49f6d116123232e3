//! The programs that say what the language does, where they are at hand: a directory `shared`
//! beside the repository, or the one that `BROTH_SHARED` names. Without it the test is skipped.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Programs that print on standard output what the reference prints there.
const SAME: [&str; 18] = [
    "t06", "t07", "t10", "t11", "t12", "t13", "t17", "t23", "t24", "t25", "t26", "t27", "t28",
    "t29", "t30", "t37", "t38", "t44",
];

/// Line and code of every message, in order, for programs that have any.
const MESSAGES: [(&str, &[(u32, &str)]); 6] = [
    ("t07", &[(3, "B0620"), (4, "B0620"), (9, "B0621")]),
    ("t25", &[(10, "B0708")]),
    ("t26", &[(39, "B0109")]),
    ("t29", &[(14, "B0709")]),
    (
        "t30",
        &[(10, "B0110"), (14, "B0110"), (24, "B0105"), (25, "B0106"), (26, "B0104"), (28, "B0113")],
    ),
    ("t44", &[(6, "B0606"), (4, "B0607"), (2, "B0603"), (9, "B0316"), (9, "B0316")]),
];

fn language() -> Option<PathBuf> {
    let shared = std::env::var_os("BROTH_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("shared"),
        PathBuf::from,
    );
    let language = shared.join("language");
    language.is_dir().then_some(language)
}

/// The program of a number, `tNN_name.maude`.
fn program(language: &Path, number: &str) -> PathBuf {
    let mut entries = fs::read_dir(language).expect("the directory can be read");
    entries
        .find_map(|entry| {
            let path = entry.expect("its entries can be read").path();
            let name = path.file_name()?.to_str()?;
            (name.starts_with(&format!("{number}_")) && name.ends_with(".maude")).then_some(path)
        })
        .expect("the program is there")
}

fn run(file: &Path) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_broth"))
        .args(["--plain", "-no-wrap", "--message-format", "short"])
        .arg(file)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("answers are texts");
    (text(output.stdout), text(output.stderr))
}

/// Without separators, times, empty lines and the farewell.
fn normalised(text: &str) -> Vec<String> {
    text.lines()
        .filter(|line| !line.starts_with("=====") && *line != "Bye." && !line.trim().is_empty())
        .map(|line| match line.find(" in ") {
            Some(at) if line.contains("rewrites: ") && line.ends_with("rewrites/second)") => {
                line[..at].to_owned()
            }
            _ => line.trim_end().to_owned(),
        })
        .collect()
}

/// What the reference prints on standard output, from a record that holds both streams.
fn without_messages(record: &str) -> String {
    let mut kept = String::new();
    let mut lines = record.lines();
    while let Some(line) = lines.next() {
        if !line.starts_with("Warning: ") && !line.starts_with("Advisory: ") {
            kept.push_str(line);
            kept.push('\n');
        } else if line.ends_with("two parses are:") {
            lines.by_ref().find(|line| line.starts_with("Arbitrarily taking"));
        } else if line.ends_with(':') {
            lines.next();
        }
    }
    kept
}

#[test]
fn programs_print_what_the_reference_prints() {
    let Some(language) = language() else {
        println!("skipped: there are no programs of the reference at hand");
        return;
    };
    for number in SAME {
        let file = program(&language, number);
        let record = fs::read_to_string(file.with_extension("out351")).expect("it has a record");
        let (printed, _) = run(&file);
        assert_eq!(normalised(&printed), normalised(&without_messages(&record)), "{number}");
    }
}

#[test]
fn lines_wrap_as_in_the_reference() {
    let Some(language) = language() else {
        println!("skipped: there are no programs of the reference at hand");
        return;
    };
    let file = program(&language, "t37");
    let record = fs::read_to_string(file.with_extension("out32")).expect("it has a record");
    let output = Command::new(env!("CARGO_BIN_EXE_broth"))
        .arg("--plain")
        .arg(&file)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let printed = String::from_utf8(output.stdout).expect("answers are texts");
    assert_eq!(normalised(&printed), normalised(&record));
}

#[test]
fn messages_have_the_lines_and_codes_of_the_table() {
    let Some(language) = language() else {
        println!("skipped: there are no programs of the reference at hand");
        return;
    };
    for (number, wanted) in MESSAGES {
        let (_, messages) = run(&program(&language, number));
        let found: Vec<(u32, String)> = messages
            .lines()
            .map(|message| {
                let place = message.split(".maude:").nth(1).expect("messages have a place");
                let line = place.split(':').next().and_then(|line| line.parse().ok());
                let code = message.split(['[', ']']).nth(1).expect("messages have a code");
                (line.expect("places begin with a line"), code.to_owned())
            })
            .collect();
        let wanted: Vec<(u32, String)> =
            wanted.iter().map(|(line, code)| (*line, (*code).to_owned())).collect();
        assert_eq!(found, wanted, "{number}");
    }
}
