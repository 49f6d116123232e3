//! Profiles: with `--plain` they are Maude's, numbers included; in the default mode they count what
//! is really done.

use std::path::PathBuf;

use crate::maude::Maude;

fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/answers/profile.maude")
}

#[test]
fn plain_profiles_are_maudes() {
    let text = crate::broth(&program())[0].clone();
    insta::with_settings!({ prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("profile", text);
    });
    let Some(maude) = Maude::reference_or_skip() else { return };
    assert_eq!(text.trim(), maude.stdout(&program()).trim());
}

#[test]
fn a_profile_counts_what_the_command_counts() {
    for mode in [&["--plain"][..], &[]] {
        let text = crate::broth_in_mode(mode, &program())[0].clone();
        let (_, after) =
            text.split_once("reduce in Q : iff(5) .\n").expect("the command is echoed");
        let (counted, entries) = after.split_once("result").expect("it has a result");
        let (entries, _) = entries.split_once("reduce in Q").expect("another command follows");
        let number = |line: &str| -> Option<u64> {
            line.split_once("rewrites: ")?.1.split(' ').next()?.trim().parse().ok()
        };
        let total: u64 = entries.lines().filter_map(number).sum();
        assert_eq!(counted.lines().find_map(number), Some(total), "{mode:?}");
    }
}
