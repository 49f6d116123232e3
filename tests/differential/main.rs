//! The differential test: random modules and commands, run in two engines and compared.
//!
//! `broth --plain` has to give Maude's results, in their order and with the numbers of rewrites, and
//! the default mode of Broth has to give what `--plain` gives except for these numbers. A difference
//! from Maude is accepted only for a reason that is computed from the case (`families.rs`).
//!
//! The gate runs few cases, with a fixed seed. The long run takes a fresh seed and many cases:
//!
//!     cargo test --release --test differential -- --long
//!
//! Settings come as arguments behind `--`, or from the environment:
//!
//!     --seed 7         BROTH_ORACLE_SEED=7         the seed
//!     --cases 20000    BROTH_ORACLE_CASES=20000    how many cases of each command
//!     --commands a,b   BROTH_ORACLE_COMMANDS=a,b   which commands (default all)
//!     --case 17        BROTH_ORACLE_CASE=17        this case alone, with what both engines say
//!     --show 5         BROTH_ORACLE_SHOW=5         how many differences are shrunk and shown
//!     --engine '...'   BROTH_ORACLE_ENGINE=...     another engine in place of Broth
//!     --reference ...  BROTH_ORACLE_REFERENCE=...  another engine in place of Maude
//!
//! The last two are command lines, to which a file is added. With both of them two builds of Broth,
//! or two of its modes, are compared without Maude, counts included and without regard to families.
//!
//! Without Maude the comparison with it is skipped, or fails if `BROTH_REQUIRE_ORACLE=1`. Ambiguous
//! input, operators whose declarations are not associative or not preregular, and cases on which
//! the reference itself does not end are left out.

mod case;
mod compare;
mod comparison;
mod families;
#[path = "../common/maude.rs"]
mod maude;
mod oracle;
#[path = "../common/random.rs"]
mod random;
mod reasons;
mod settings;
mod shrink;
mod signature;
mod statements;
mod strategies;
mod terms;

use std::process::ExitCode;

use comparison::{Comparison, What};
use families::FAMILIES;
use oracle::Engine;
use settings::Settings;

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "--list") {
        println!("differential: test");
        return ExitCode::SUCCESS;
    }
    let settings = Settings::read();
    if let Some(family) = FAMILIES.iter().find(|family| !family.is_explained()) {
        println!("docs/compatibility.md does not explain the family `{}`", family.name);
        return ExitCode::FAILURE;
    }
    let mut passed = true;
    for comparison in comparisons(&settings) {
        for engine in [&comparison.reference, &comparison.tested] {
            if !engine.runs_commands() {
                println!("differential test: {} does not run commands", engine.name);
                return ExitCode::FAILURE;
            }
        }
        passed &= comparison.passes(&settings);
    }
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What is compared with what.
fn comparisons(settings: &Settings) -> Vec<Comparison> {
    let tested = match &settings.engine {
        Some(line) => Engine::of_line(line),
        None => Engine::broth(&["--plain"]),
    };
    if let Some(line) = &settings.reference {
        let reference = Engine::of_line(line);
        return vec![Comparison { reference, tested, what: What::Everything }];
    }
    let mut all = Vec::new();
    match Engine::maude() {
        Some(reference) => all.push(Comparison { reference, tested, what: What::UnlessReason }),
        None => maude::skip("maude", "no Maude found (pip install maude==1.6.0)"),
    }
    if settings.engine.is_none() {
        let (reference, tested) = (Engine::broth(&["--plain"]).hurried(), Engine::broth(&[]));
        all.push(Comparison { reference, tested, what: What::AnswersAndOrder });
    }
    all
}
