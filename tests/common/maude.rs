//! Finds Maude, the oracle of the tests, and makes what it prints comparable.
//!
//! A comparison that has no oracle is skipped, and says so. With `BROTH_REQUIRE_ORACLE=1` it fails
//! instead: `.ci/run` sets that where Maude could be installed, so that no comparison is missed for
//! want of a path. `BROTH_REQUIRE_ORACLE=maude` asks for Maude only, not for the programs that lie
//! beside the checkout.

// Each test takes what it needs.
#![allow(dead_code)]

#[path = "process.rs"]
pub mod process;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How to run a file in Maude.
pub struct Maude {
    pub name: String,
    /// The command line, to which the file is added.
    pub command: Vec<String>,
}

const RUN_351: &str = "import maude,sys; maude.init(advise=False); maude.load(sys.argv[1])";

impl Maude {
    /// Maude 3.5.1, as the Python package `maude` has it: in `target/oracle`, where `.ci/run` puts
    /// it, else wherever `python3` finds it.
    pub fn reference() -> Option<Maude> {
        let probe = "import maude, sys, importlib.metadata as m; \
                     print(m.version('maude'), sys.executable)";
        let installed = repository().map(|root| root.join("target/oracle/bin/python3"));
        for python in installed.into_iter().chain([PathBuf::from("python3")]) {
            let Ok(done) = Command::new(&python).args(["-c", probe]).output() else { continue };
            if !done.status.success() {
                continue;
            }
            let said = String::from_utf8_lossy(&done.stdout);
            let Some((version, executable)) = said.trim().split_once(' ') else { continue };
            let command = vec![executable.into(), "-c".into(), RUN_351.into()];
            return Some(Maude { name: format!("PyPI maude {version}"), command });
        }
        None
    }

    /// The same; where it is missing, the comparison is said to be skipped, or fails.
    pub fn reference_or_skip() -> Option<Maude> {
        let maude = Maude::reference();
        if maude.is_none() {
            skip("maude", "no Maude found (pip install maude==1.6.0)");
        }
        maude
    }

    /// A `maude` on the path, of whatever version.
    pub fn installed() -> Option<Maude> {
        let done = Command::new("maude").arg("--version").stdin(Stdio::null()).output().ok()?;
        let name = format!("maude {}", String::from_utf8_lossy(&done.stdout).trim());
        let command = ["maude", "-no-banner", "-no-wrap", "-no-advise"].map(String::from).to_vec();
        Some(Maude { name, command })
    }

    /// What Maude prints on standard output for a file.
    pub fn stdout(&self, file: &Path) -> String {
        normalise(&process::outputs(&self.command, file)[0])
    }
}

/// Says that a comparison is skipped for want of its oracle (`maude` or `programs`).
///
/// # Panics
///
/// Where the environment requires that oracle.
pub fn skip(oracle: &str, why: &str) {
    let required = std::env::var("BROTH_REQUIRE_ORACLE").unwrap_or_default();
    assert!(required != "1" && required != oracle, "an oracle is required: {why}");
    println!("skipped: {why}");
}

/// The output without separators, times and the farewell.
pub fn normalise(output: &str) -> String {
    let mut lines = Vec::new();
    for line in output.lines() {
        let skipped = line.starts_with("====================") || line == "Bye.";
        if skipped || line.starts_with("Decision time:") {
            continue;
        }
        let line = match line.find(" in ").filter(|_| line.contains("rewrites: ")) {
            Some(end) if line.ends_with("/second)") => &line[..end],
            _ => line,
        };
        lines.push(line.trim_end());
    }
    lines.join("\n")
}

/// The folder of programs that is shared beside the checkout, or that `BROTH_SHARED` names; where it
/// is missing, the comparison is said to be skipped, or fails.
pub fn shared_programs_or_skip() -> Option<PathBuf> {
    let given = std::env::var_os("BROTH_SHARED").map(PathBuf::from);
    let beside = repository().and_then(|root| Some(root.parent()?.join("shared")));
    let folder = given.or(beside).map(|shared| shared.join("language"));
    let folder = folder.filter(|folder| folder.is_dir());
    if folder.is_none() {
        skip("programs", "../shared/language is not there");
    }
    folder
}

/// The root of the repository, from whichever crate this file is included.
fn repository() -> Option<PathBuf> {
    let mut crates = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    crates.find(|folder| folder.join("Cargo.lock").is_file()).map(Path::to_path_buf)
}
