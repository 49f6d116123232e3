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
    let command = [env!("CARGO_BIN_EXE_broth"), "--plain", "-no-wrap", "-no-banner"];
    let [stdout, stderr] = maude::outputs(&command.map(String::from), file);
    [maude::normalise(&stdout), stderr]
}
