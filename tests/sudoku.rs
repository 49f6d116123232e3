//! `broth sudoku solve` as a whole: boards in, rules on the engine, boards out. The tests that read
//! the sample data of `../shared` are skipped, with the reason printed, where it is absent.

#[path = "common/brute_force.rs"]
mod brute_force;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const FIGURE1: &str = "sudoku-rules/puzzles/figure1.txt";
const SOLUTION: &str =
    "583724196126935874497618352359842761814567239762391548238459617641273985975186423\n";

/// What a run of `broth sudoku solve` has written, and its exit code.
struct Run {
    boards: String,
    messages: String,
    code: i32,
}

fn solve(arguments: &[&str]) -> Run {
    solve_text(arguments, "")
}

fn solve_text(arguments: &[&str], stdin: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_broth"))
        .args(["sudoku", "solve"])
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("standard input is piped");
    // A run that does not read its input closes the pipe early, which is no failure.
    let _ = pipe.write_all(stdin.as_bytes());
    drop(pipe);
    let output = child.wait_with_output().expect("the program ends");
    Run {
        boards: String::from_utf8(output.stdout).expect("boards are ASCII"),
        messages: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        code: output.status.code().expect("no signal ends the program"),
    }
}

/// A file of its own for a test, gone with it.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, text: &str) -> Scratch {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::write(&path, text).expect("the scratch folder can be written to");
        Scratch(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("the target folder has a plain name")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// The board of Figure 1, without the comment above it.
fn figure1() -> String {
    let text = fs::read_to_string(FIGURE1).expect("the puzzle is in the project");
    text.lines().nth(1).expect("a comment and a board").to_owned()
}

#[test]
fn figure_1_is_solved() {
    let run = solve(&[FIGURE1]);
    assert_eq!((run.boards.as_str(), run.messages.as_str(), run.code), (SOLUTION, "", 0));
}

#[test]
fn boards_come_from_standard_input_too() {
    let run = solve_text(&["-"], &format!("{}\n", figure1()).repeat(2));
    assert_eq!((run.boards, run.code), (SOLUTION.repeat(2), 0), "{}", run.messages);
}

#[test]
fn all_solutions_of_a_board_with_one() {
    let run = solve(&["--all", FIGURE1]);
    assert_eq!((run.boards.as_str(), run.messages.as_str(), run.code), (SOLUTION, "", 0));
}

#[test]
fn rule_applications_are_counted() {
    let run = solve(&["--strategy", "one(simplify1st) !", "--stats", FIGURE1]);
    assert_eq!((run.boards.as_str(), run.code), ("", 1));
    assert!(run.messages.contains("simplify1st 360"), "{}", run.messages);
    assert!(run.messages.contains("figure1.txt:2: stuck: no cell is open"), "{}", run.messages);
}

#[test]
fn a_strategy_that_stops_is_stuck() {
    let run = solve(&["--strategy", "idle", FIGURE1]);
    assert_eq!((run.boards.as_str(), run.code), ("", 1));
    assert_eq!(run.messages, format!("{FIGURE1}:2: stuck: 45 open cells\n"));
    let run = solve(&["--strategy", "fail", FIGURE1]);
    assert_eq!(run.messages, format!("{FIGURE1}:2: stuck: the strategy has no result\n"));
}

#[test]
fn a_rule_file_may_build_on_the_built_in_one() {
    let rules = Scratch::new(
        "only-one.maude",
        "sload paper\nsmod ONLY-ONE is\n  protecting SUDOKU-PAPER .\n  strat mine @ Sudokus .\n\
         sd mine := one(simplify1st) ! ; one(finish) .\nendsm\n",
    );
    let run = solve(&["--rules", rules.path(), "--strategy", "mine", "--stats", FIGURE1]);
    assert_eq!((run.boards.as_str(), run.code), (SOLUTION, 0), "{}", run.messages);
    assert!(run.messages.contains("simplify1st 360, finish 1"), "{}", run.messages);
}

#[test]
fn contradicting_givens_are_named() {
    let run = solve_text(&["-"], &figure1().replacen("..3", "3.3", 1));
    assert_eq!((run.boards.as_str(), run.code), ("", 1));
    assert_eq!(run.messages, "<stdin>:1: no solution: r1c1 and r1c3 are both 3, in row 1\n");
}

#[test]
fn a_board_that_cannot_be_filled_has_no_solution() {
    // The last cell of the first row sees all nine digits.
    let board = format!("12345678.{}9{}", ".".repeat(17), ".".repeat(54));
    let run = solve_text(&["-"], &board);
    assert_eq!((run.boards.as_str(), run.code), ("", 1));
    assert_eq!(run.messages, "<stdin>:1: no solution\n");
}

#[test]
fn what_is_no_board_is_shown_and_the_rest_solved() {
    let board = figure1();
    let run = solve_text(&["-"], &format!("{}\n{board}\n", board.replacen('9', "x", 1)));
    assert_eq!((run.boards.as_str(), run.code), (SOLUTION, 2));
    insta::assert_snapshot!(run.messages);
}

#[test]
fn bad_usage_ends_with_2() {
    let run = solve(&["no-such-file.txt"]);
    assert_eq!((run.boards.as_str(), run.code), ("", 2));
    assert!(
        run.messages.starts_with("error[B1001]: `no-such-file.txt` cannot be read"),
        "{}",
        run.messages
    );
    assert_eq!(solve(&[]).code, 2);
    let run = solve(&["--strategy", "noSuchStrategy", FIGURE1]);
    assert_eq!((run.boards.as_str(), run.code), ("", 2));
    assert!(run.messages.contains("noSuchStrategy"), "{}", run.messages);
    let run = solve(&["--rules", "no-such-file.maude", FIGURE1]);
    assert_eq!((run.boards.as_str(), run.code), ("", 2));
    let rules = Scratch::new("no-rules.maude", "fmod NO-RULES is\n  protecting NAT .\nendfm\n");
    let run = solve(&["--rules", rules.path(), FIGURE1]);
    assert_eq!((run.boards.as_str(), run.code), ("", 2));
    assert!(run.messages.contains("does not import SUDOKU-BOARD"), "{}", run.messages);
}

#[test]
fn messages_about_a_strategy_show_the_strategy() {
    let said =
        ["", " ", "one(simplify1st) ! ; noSuch", "solve ;", "(solve", "solve )", "***( solve"].map(
            |strategy| {
                let run = solve(&["--strategy", strategy, FIGURE1]);
                assert_eq!((run.boards.as_str(), run.code), ("", 2), "{strategy}");
                run.messages
            },
        );
    insta::assert_snapshot!(said.join("\n"));
    let run = solve(&["--strategy", "solve *** as ever", FIGURE1]);
    assert_eq!((run.boards.as_str(), run.code), (SOLUTION, 0));
}

#[test]
fn an_error_in_a_rule_costs_that_rule() {
    let text = fs::read_to_string("sudoku-rules/rules/paper.maude").expect("the rules are there");
    let broken = text.replacen("/\\ d among P .", "/\\ d amongst P .", 1);
    let rules = Scratch::new("broken.maude", &broken);
    let run = solve(&["--rules", rules.path(), FIGURE1]);
    assert_eq!((run.boards.as_str(), run.code), (SOLUTION, 2));
    assert!(run.messages.contains("amongst"), "{}", run.messages);
}

/// A file or folder of the sample data, if it is there.
fn data(name: &str) -> Option<PathBuf> {
    let ancestors = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let found = ancestors.map(|dir| dir.join("shared/data").join(name)).find(|path| path.exists());
    if found.is_none() {
        eprintln!("skipped: the sample data (shared/data/{name}) is not on this machine");
    }
    found
}

/// The rows of a table with tabs, without its comments.
fn rows(path: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(path).expect("sample data is text");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

#[test]
fn the_boards_of_the_papers_are_solved() {
    let Some(path) = data("seeds/seed-puzzles.tsv") else { return };
    for row in rows(&path) {
        let run = solve_text(&["-"], &row[1]);
        assert_eq!((run.boards.trim_end(), run.code), (row[2].as_str(), 0), "{}", row[0]);
    }
}

#[test]
fn rule_1_is_applied_as_often_as_candidates_must_go() {
    let Some(path) = data("seeds/seed-puzzles.tsv") else { return };
    for row in rows(&path).iter().filter(|row| row[8] == "solved") {
        let run = solve_text(&["--strategy", "one(simplify1st) !", "--stats", "-"], &row[1]);
        let count = format!("simplify1st {}", row[9]);
        assert!(run.messages.contains(&count), "{}: {}", row[0], run.messages);
    }
}

#[test]
fn brute_force_agrees_on_every_twentieth_puzzle_of_nine() {
    let Some(folder) = data("nine") else { return };
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    files.sort();
    let all = files.iter().flat_map(|file| {
        let column = usize::from(file.ends_with("hodoku-exemplars.tsv"));
        rows(file).into_iter().map(move |row| (row[column].clone(), row[column + 1].clone()))
    });
    let mut boards = String::new();
    let mut solutions = String::new();
    // The whole collection: BROTH_SUDOKU_EVERY=1 cargo test --release --test sudoku brute
    let every = std::env::var("BROTH_SUDOKU_EVERY").map_or(20, |n| n.parse().expect("a number"));
    for (board, solution) in all.step_by(every) {
        assert_eq!(brute_force::solutions(&board, 2), [&*solution], "{board}");
        boards += &format!("{board}\n");
        solutions += &format!("{solution}\n");
    }
    let run = solve_text(&["-"], &boards);
    assert_eq!((run.boards, run.code), (solutions, 0), "{}", run.messages);
}

#[test]
fn solutions_are_as_many_as_counted() {
    let Some(path) = data("counts/sudopedia-cases.tsv") else { return };
    for row in rows(&path).iter().filter(|row| row[2] != "many") {
        let run = solve_text(&["--all", "-"], &row[1]);
        let count: usize = row[2].parse().expect("a number of solutions");
        assert_eq!(run.boards.lines().count(), count, "{}: {}", row[0], run.messages);
        assert_eq!(run.code, i32::from(count == 0), "{}", row[0]);
    }
}

#[test]
fn a_board_that_takes_too_much_memory_is_said_and_the_next_one_solved() {
    let inkala =
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
    // What the rules themselves take depends on the build; the first board takes more than the second.
    let boards = format!("{inkala}\n{}\n", figure1());
    let enough = |kilobytes: &u32| {
        let run = solve_text(&["--memory-limit", &format!("{kilobytes}K"), "-"], &boards);
        (!run.boards.is_empty()).then_some(run)
    };
    let run = (1000..20_000).step_by(50).find_map(|kilobytes| enough(&kilobytes));
    let run = run.expect("one of the boards is solved");
    assert_eq!((run.boards.as_str(), run.code), (SOLUTION, 3));
    let expected = "<stdin>:1: out of memory; `--memory-limit` lets a board take more\n";
    assert_eq!(run.messages, expected);
}
