//! The programs beside the checkout: what Broth prints for them, and which messages it gives.

use crate::maude::{Maude, shared_programs};

/// Those that have to print on standard output exactly what Maude prints, counts included.
const PROGRAMS: [&str; 19] = [
    "t06_memberships",
    "t07_preregularity",
    "t10_sharing",
    "t11_counts",
    "t12_conditionBacktracking",
    "t13_greedy",
    "t14_groundAssoc",
    "t17_rewVersusSearch",
    "t23_match",
    "t24_matchAssoc",
    "t25_xmatch",
    "t26_strategies",
    "t27_strategiesFairDepth",
    "t28_strategiesBranch",
    "t29_strategiesMatchrew",
    "t30_parsing",
    "t37_wrapping",
    "t38_showSettings",
    "t44_omodErrors",
];

#[test]
fn shared_programs_print_what_maude_prints() {
    let Some(folder) = shared_programs() else {
        println!("skipped: ../shared/language is not there");
        return;
    };
    let Some(maude) = Maude::reference() else {
        println!("skipped: no Maude found (pip install maude==1.6.0)");
        return;
    };
    let mut wrong = Vec::new();
    for name in PROGRAMS {
        let file = folder.join(format!("{name}.maude"));
        let (want, [have, _]) = (maude.stdout(&file), crate::broth(&file));
        if want != have {
            wrong.push(format!("{name}: {}", first_difference(&want, &have)));
        }
    }
    assert!(wrong.is_empty(), "not as in {}:\n{}", maude.name, wrong.join("\n"));
}

pub fn first_difference(want: &str, have: &str) -> String {
    let (want, have): (Vec<&str>, Vec<&str>) = (want.lines().collect(), have.lines().collect());
    let at = want.iter().zip(&have).take_while(|(want, have)| want == have).count();
    let line = |lines: &[&str]| lines.get(at).map_or("(end)".to_owned(), |line| (*line).to_owned());
    format!("line {}: Maude `{}`, Broth `{}`", at + 1, line(&want), line(&have))
}
