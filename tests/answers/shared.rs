//! The programs beside the checkout, and what is known about each: the table in
//! `docs/compatibility.md` says whether Broth prints the same as Maude on standard output.
//!
//! Whatever the table calls the same has to be the same. Maude's output is that of a fresh run, or,
//! where Maude is missing, the record that lies beside each program.
//! `BROTH_COMPATIBILITY=write cargo test --test answers compatibility` writes the table anew.

use std::path::{Path, PathBuf};

use crate::maude::{Maude, normalise, shared_programs_or_skip};

const BEGIN: &str = "<!-- programs: written by the test `compatibility` -->\n";
const END: &str = "<!-- end of programs -->";

#[test]
fn compatibility() {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/compatibility.md");
    let Some(folder) = shared_programs_or_skip() else { return };
    let maude = Maude::reference_or_skip();
    let text = std::fs::read_to_string(&document).expect("docs/compatibility.md is there");
    let (before, rest) = text.split_once(BEGIN).expect("the table's beginning is marked");
    let (table, after) = rest.split_once(END).expect("the table's end is marked");
    if std::env::var("BROTH_COMPATIBILITY").is_ok_and(|what| what == "write") {
        let maude = maude.expect("the table is written where Maude is installed");
        let mut table =
            String::from("| program | answers | first difference |\n| --- | --- | --- |\n");
        for file in programs(&folder) {
            table += &row(&maude, &file);
        }
        std::fs::write(&document, format!("{before}{BEGIN}{table}{END}{after}"))
            .expect("docs/compatibility.md can be written");
        return;
    }
    let same: Vec<&str> = table.lines().filter(|line| line.contains("| same |")).collect();
    assert!(same.len() > 30, "the table names {} programs that are the same", same.len());
    let mut wrong = Vec::new();
    for line in same {
        let name = line.split('|').nth(1).unwrap_or("").trim().trim_matches('`');
        let file = folder.join(format!("{name}.maude"));
        let [have, _] = crate::broth(&file);
        let want = match &maude {
            Some(maude) => maude.stdout(&file),
            None => recorded(&file),
        };
        if lines(&want) != lines(&have) {
            wrong.push(format!("{name}: {}", first_difference(&want, &have)));
        }
    }
    assert!(wrong.is_empty(), "not the same as in Maude:\n{}", wrong.join("\n"));
}

/// The lines that are compared: a record has no empty ones where messages were.
fn lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.trim().is_empty()).collect()
}

/// What Maude 3.5.1 printed on standard output for a program, from the record of both streams.
fn recorded(program: &Path) -> String {
    let record = program.with_extension("out351");
    let record = std::fs::read_to_string(record).expect("every program has a record");
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
    normalise(&kept)
}

fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder can be read")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "maude"))
        .collect();
    files.sort();
    files
}

fn row(maude: &Maude, file: &Path) -> String {
    let name = file.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into());
    let want = maude.stdout(file);
    let [have, messages] = crate::broth(file);
    if want == have {
        return format!("| `{name}` | same | |\n");
    }
    // The messages B09xx name what is not supported yet.
    let (verdict, why) = match messages.lines().find(|line| line.contains("[B09")) {
        Some(message) => ("not yet", message.to_owned()),
        None => ("different", first_difference(&want, &have)),
    };
    let why: String = why.replace('|', "\\|").chars().take(160).collect();
    format!("| `{name}` | {verdict} | {why} |\n")
}

fn first_difference(want: &str, have: &str) -> String {
    let (want, have): (Vec<&str>, Vec<&str>) = (want.lines().collect(), have.lines().collect());
    let at = want.iter().zip(&have).take_while(|(want, have)| want == have).count();
    let line = |lines: &[&str]| lines.get(at).map_or("(end)".to_owned(), |line| (*line).to_owned());
    format!("line {}: Maude `{}`, Broth `{}`", at + 1, line(&want), line(&have))
}
