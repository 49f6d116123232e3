//! What of the programs beside the checkout does not stand on standard output of a run without
//! wrapping: the messages, and where lines are wrapped.

use crate::maude::{normalise, shared_programs_or_skip};

/// Line and code of every message, in order, for programs that have any.
const MESSAGES: [(&str, &[(u32, &str)]); 6] = [
    ("t07_preregularity", &[(3, "B0620"), (4, "B0620"), (9, "B0621")]),
    ("t25_xmatch", &[(10, "B0708")]),
    ("t26_strategies", &[(39, "B0109")]),
    ("t29_strategiesMatchrew", &[(14, "B0709")]),
    (
        "t30_parsing",
        &[(10, "B0110"), (14, "B0110"), (24, "B0105"), (25, "B0106"), (26, "B0104"), (28, "B0113")],
    ),
    ("t44_omodErrors", &[(6, "B0606"), (4, "B0607"), (2, "B0603"), (9, "B0316"), (9, "B0316")]),
];

#[test]
fn messages_have_the_lines_and_codes_of_the_table() {
    let Some(folder) = shared_programs_or_skip() else { return };
    for (name, wanted) in MESSAGES {
        let file = folder.join(format!("{name}.maude"));
        let mode = ["--plain", "-no-wrap", "-no-banner", "--message-format", "short"];
        let [_, messages] = crate::broth_with(&mode, &file);
        let found: Vec<(u32, String)> = messages
            .lines()
            .map(|message| {
                let place = message.split(".maude:").nth(1).expect("messages have a place");
                let line = place.split(':').next().and_then(|line| line.parse().ok());
                let code = message.split(['[', ']']).nth(1).expect("messages have a code");
                (line.expect("places begin with a line"), code.to_owned())
            })
            .collect();
        let wanted: Vec<(u32, String)> =
            wanted.iter().map(|(line, code)| (*line, (*code).to_owned())).collect();
        assert_eq!(found, wanted, "{name}");
    }
}

/// Maude 3.2 is the version that wraps on a pipe.
#[test]
fn lines_wrap_as_in_the_reference() {
    let Some(folder) = shared_programs_or_skip() else { return };
    let file = folder.join("t37_wrapping.maude");
    let record = std::fs::read_to_string(file.with_extension("out32")).expect("it has a record");
    let [printed, _] = crate::broth_with(&["--plain"], &file);
    let lines = |text: &str| -> Vec<String> {
        let filled = text.lines().filter(|line| !line.trim().is_empty());
        filled.map(str::to_owned).collect()
    };
    assert_eq!(lines(&printed), lines(&normalise(&record)));
}
