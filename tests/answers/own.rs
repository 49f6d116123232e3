//! The programs of this folder, one area of the language each, against their snapshots.

use std::path::PathBuf;

use crate::maude::Maude;

fn check(name: &str) {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("tests/answers").join(format!("{name}.maude"));
    let from_maude = std::env::var("BROTH_ANSWERS_FROM").is_ok_and(|from| from == "maude");
    let text = if from_maude {
        let maude = Maude::reference().expect("the snapshots are made where Maude is installed");
        maude.stdout(&file)
    } else {
        crate::broth(&file)[0].clone()
    };
    insta::with_settings!({ prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, text);
    });
}

macro_rules! programs {
    ($($name:ident)*) => {
        $(#[test] fn $name() { check(stringify!($name)); })*

        /// The snapshots are what Maude prints today, numbers of rewrites included but for
        /// `COUNTS_DIFFER`.
        #[test]
        fn snapshots_are_maudes() {
            let Some(maude) = Maude::reference_or_skip() else { return };
            let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/answers");
            for name in [$(stringify!($name)),*] {
                let stored = std::fs::read_to_string(root.join(format!("snapshots/{name}.snap")))
                    .expect("every program has a snapshot");
                let stored = stored.splitn(3, "---\n").nth(2).expect("a head, then the text");
                let fresh = maude.stdout(&root.join(format!("{name}.maude")));
                if COUNTS_DIFFER.contains(&name) {
                    assert_eq!(without_counts(stored).trim(), without_counts(&fresh).trim(), "{name}");
                } else {
                    assert_eq!(stored.trim(), fresh.trim(), "{name}");
                }
            }
        }

        /// The default mode may count fewer rewrites, and nothing else may differ.
        #[test]
        fn default_mode_gives_the_same_answers() {
            let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/answers");
            for name in [$(stringify!($name)),*] {
                let file = root.join(format!("{name}.maude"));
                let [plain, default] = [&["--plain"][..], &[]].map(|mode| {
                    without_counts(&crate::broth_in_mode(mode, &file)[0])
                });
                assert_eq!(plain, default, "{name}");
            }
        }
    };
}

/// Programs whose numbers of rewrites depend on accidents of Maude that Broth does not imitate
/// (`docs/compatibility.md`, Imitation); they show that answers do not.
const COUNTS_DIFFER: [&str; 3] = ["rewriting_identities", "search_conditions", "search_identities"];

/// An output without the numbers of rewrites.
fn without_counts(text: &str) -> String {
    let line = |line: &str| match line.split_once("rewrites: ") {
        Some((before, _)) => format!("{before}rewrites\n"),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

programs! {
    argument_numbers
    booleans
    conditions
    conversions
    equations
    evaluation
    evaluation_lazy
    frewrite
    frewrite_lazy
    greedy
    greedy_nested
    greedy_open
    integers
    iterated
    iterated_memberships
    matching
    matching_aliens
    matching_assoc
    matching_collapsed_parts
    matching_collectors
    matching_many_variables
    matching_nested
    matching_with_extension
    memberships
    memberships_counted
    memberships_of_long_lists
    memberships_of_parts
    mixfix
    normal_forms
    objects
    order
    rewriting
    rewriting_collapsed_parts
    rewriting_identities
    search
    search_conditions
    search_identities
    sharing
    sorts
    strategies
    strategy_arguments
    strategy_branches
    strategy_calls
    strategy_conditions
    strategy_guards
    strategy_kinds
    strategy_matchrew
    undecided
}
