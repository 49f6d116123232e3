//! Whole programs: each file of this folder is run by `broth --plain`, and what it prints on
//! standard output is kept as a snapshot.
//!
//! The snapshots are Maude's answers, not Broth's. They were written by
//!
//!     BROTH_ANSWERS_FROM=maude INSTA_UPDATE=always cargo test --test answers own
//!
//! and where Maude is installed, they are compared with it again. Programs that lie beside the
//! checkout (`../shared/language`) are compared with a fresh run of Maude.

#[path = "../common/maude.rs"]
mod maude;
mod messages;
mod own;
mod profile;
mod shared;

use std::path::Path;

/// What Broth prints on standard output and standard error, run so as to print what Maude prints.
fn broth(file: &Path) -> [String; 2] {
    broth_in_mode(&["--plain"], file)
}

/// The same in another mode than `--plain`.
fn broth_in_mode(mode: &[&str], file: &Path) -> [String; 2] {
    broth_with(&[&["-no-wrap", "-no-banner"], mode].concat(), file)
}

/// What Broth prints with the given options.
fn broth_with(options: &[&str], file: &Path) -> [String; 2] {
    let command: Vec<String> = [env!("CARGO_BIN_EXE_broth")]
        .iter()
        .chain(options)
        .map(|word| (*word).to_owned())
        .collect();
    let [stdout, stderr] = maude::process::outputs(&command, file);
    [maude::normalise(&stdout), stderr]
}
