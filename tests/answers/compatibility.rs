//! The table of programs in `docs/compatibility.md`.
//!
//! It says for each program of `../shared/language` whether Broth prints the same as Maude on
//! standard output. `BROTH_COMPATIBILITY=write cargo test --test answers compatibility` writes it
//! anew; without that, the test checks that whatever the table calls the same still is.

use std::path::{Path, PathBuf};

use crate::maude::{Maude, shared_programs};
use crate::shared::first_difference;

const BEGIN: &str = "<!-- programs: written by the test `compatibility` -->\n";
const END: &str = "<!-- end of programs -->";

#[test]
fn compatibility() {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/compatibility.md");
    let Some(folder) = shared_programs() else {
        println!("skipped: ../shared/language is not there");
        return;
    };
    let Some(maude) = Maude::reference() else {
        println!("skipped: no Maude found (pip install maude==1.6.0)");
        return;
    };
    let text = std::fs::read_to_string(&document).expect("docs/compatibility.md is there");
    let (before, rest) = text.split_once(BEGIN).expect("the table's beginning is marked");
    let (table, after) = rest.split_once(END).expect("the table's end is marked");
    if std::env::var("BROTH_COMPATIBILITY").is_ok_and(|what| what == "write") {
        let mut table =
            String::from("| program | answers | first difference |\n| --- | --- | --- |\n");
        for file in programs(&folder) {
            table += &row(&maude, &file);
        }
        std::fs::write(&document, format!("{before}{BEGIN}{table}{END}{after}"))
            .expect("docs/compatibility.md can be written");
        return;
    }
    let mut wrong = Vec::new();
    for line in table.lines().filter(|line| line.contains("| same |")) {
        let name = line.split('|').nth(1).unwrap_or("").trim().trim_matches('`');
        let file = folder.join(format!("{name}.maude"));
        let (want, [have, _]) = (maude.stdout(&file), crate::broth(&file));
        if want != have {
            wrong.push(format!("{name}: {}", first_difference(&want, &have)));
        }
    }
    assert!(wrong.is_empty(), "no longer the same:\n{}", wrong.join("\n"));
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
