//! Boards in and out over the sample data of other programs. Each test is skipped, with the reason
//! printed, where the data is not there.

mod common;

use std::fs;
use std::path::Path;

use broth_sudoku::{Board, Puzzle, ReadError, line_of, read_puzzles};
use common::{brute_force, data};

fn read_file(path: &Path) -> Vec<Result<Puzzle, ReadError>> {
    read_puzzles(&fs::read(path).expect("a sample file can be read"))
}

fn board(line: &str) -> Board {
    match read_puzzles(line.as_bytes()).as_slice() {
        [Ok(puzzle)] => puzzle.board,
        found => panic!("{line}: {found:?}"),
    }
}

fn solve(board: &Board) -> Vec<String> {
    brute_force(board.digits(), 2)
}

#[test]
fn malformed_files_are_read_or_refused_as_agreed() {
    let Some(folder) = data("malformed") else { return };
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    names.sort();
    // The first file has the board that all the others were made from, in plain form.
    let base = read_file(&names[0])[0].clone().unwrap().board;
    let mut report = String::new();
    for path in names {
        report += &format!("{}\n", path.file_name().unwrap().to_string_lossy());
        for found in read_file(&path) {
            report += &match found {
                Ok(puzzle) => format!("    {}\n", what(&puzzle, &base)),
                Err(error) => format!("    {}:{}: {error}\n", error.line, error.column),
            };
        }
    }
    insta::assert_snapshot!(report);
}

fn what(puzzle: &Puzzle, base: &Board) -> String {
    let board = if puzzle.board == *base {
        "the board".to_owned()
    } else if solve(&puzzle.board) == solve(base) {
        format!("the board with {} of its cells filled", puzzle.board.given())
    } else {
        "another board".to_owned()
    };
    let warning = puzzle.warning.as_ref().map(|warning| format!(", warning: {warning}"));
    let clash = puzzle.board.clash().map(|clash| format!(", no solution: {clash}"));
    format!("{board}{}{}", warning.unwrap_or_default(), clash.unwrap_or_default())
}

#[test]
fn every_puzzle_of_nine_is_read_and_has_its_one_solution() {
    let Some(folder) = data("nine") else { return };
    let mut n_boards = 0;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let rows: Vec<Vec<&str>> = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split('\t').collect())
            .collect();
        let found = read_file(&path);
        assert_eq!(found.len(), rows.len(), "{}", path.display());
        let column = usize::from(path.ends_with("hodoku-exemplars.tsv"));
        for (row, found) in rows.iter().zip(found) {
            let puzzle = found.unwrap();
            assert_eq!(line_of(&puzzle.board), row[column].replace('0', "."));
            assert_eq!(puzzle.board.clash(), None);
            n_boards += 1;
            // All of them take minutes in a debug build; every twentieth tells as much here.
            if n_boards % 20 == 0 {
                assert_eq!(solve(&puzzle.board), [row[column + 1]], "{}", path.display());
            }
        }
    }
    assert!(n_boards > 700, "only {n_boards} boards");
}

#[test]
fn boards_of_bug_reports_are_read() {
    let Some(folder) = data("bugs") else { return };
    let mut report = String::new();
    for line in fs::read_to_string(folder.join("bug-inputs.tsv")).unwrap().lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        if line.starts_with('#') || fields[3].starts_with('(') {
            continue;
        }
        let verdict = match read_puzzles(fields[3].as_bytes()).remove(0) {
            Err(error) => format!("{}: {error}", error.column),
            Ok(puzzle) => {
                let clash = puzzle.board.clash().map(|clash| format!(", {clash}"));
                format!("{} givens{}", puzzle.board.given(), clash.unwrap_or_default())
            }
        };
        report += &format!("{} {verdict}\n", fields[0]);
    }
    insta::assert_snapshot!(report);
}

#[test]
fn counted_boards_are_read_and_counted() {
    let Some(folder) = data("counts") else { return };
    for line in fs::read_to_string(folder.join("tdoku-test-puzzles.txt")).unwrap().lines() {
        if line.starts_with('#') {
            continue;
        }
        let count: usize = line.split(':').nth(1).unwrap().parse().unwrap();
        let found = brute_force(board(line).digits(), 3);
        assert_eq!(found.len(), count.min(3), "{line}");
    }
    for line in fs::read_to_string(folder.join("sudopedia-cases.tsv")).unwrap().lines() {
        if line.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        let count = fields[2].parse().unwrap_or(3);
        let board = board(fields[1]);
        assert_eq!(brute_force(board.digits(), 3).len(), usize::min(count, 3), "{line}");
        assert_eq!(board.clash().is_some(), fields[0].starts_with("dup-"), "{line}");
    }
}
