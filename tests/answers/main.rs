//! Whole programs: each file of this folder is run by `broth --plain`, and what it prints on
//! standard output is kept as a snapshot.
//!
//! The snapshots are Maude's answers, not Broth's. They were written by
//!
//!     BROTH_ANSWERS_FROM=maude INSTA_UPDATE=always cargo test --test answers own
//!
//! and where Maude is installed, they are compared with it again. Programs that lie beside the
//! checkout (`../shared/language`) are compared with a fresh run of Maude.

mod compatibility;
#[path = "../common/maude.rs"]
mod maude;
mod own;
mod shared;

use std::path::Path;

/// What Broth prints on standard output and standard error, run so as to print what Maude prints.
fn broth(file: &Path) -> [String; 2] {
    broth_in_mode(&["--plain"], file)
}

/// The same with other options in place of `--plain`.
fn broth_in_mode(mode: &[&str], file: &Path) -> [String; 2] {
    let mut command = vec![env!("CARGO_BIN_EXE_broth"), "-no-wrap", "-no-banner"];
    command.extend(mode);
    let command: Vec<String> = command.into_iter().map(String::from).collect();
    let [stdout, stderr] = maude::outputs(&command, file);
    [maude::normalise(&stdout), stderr]
}
