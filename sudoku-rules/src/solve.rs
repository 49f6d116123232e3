//! From a board to a verdict: the strategy is run on the board's term, and what it ends in is read
//! back. The rules decide; here their answer is only looked at, to the point of refusing a
//! "solution" that is none.

use std::fmt;

use rustc_hash::FxHashSet;

use crate::board::{Board, Cell};
use crate::clash::Clash;
use crate::contract::{Answer, board_term};

/// Something that runs commands of the rule language in the last module of a rule file.
pub trait Commands {
    /// Runs a command that ends in a strategy, and hands over what each result is as soon as it is
    /// known.
    fn run(&mut self, command: &str, strategy: &str, each: &mut dyn FnMut(Answer));

    /// How many cells are open in the first result of the last run that was stuck; nothing if the
    /// rule file does not say.
    fn open_cells(&mut self) -> Option<u64>;
}

/// What has become of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// There is a solution, or several: as many as were asked for.
    Solved,
    /// No sudoku is left: the board cannot be filled.
    NoSolution,
    /// The givens contradict each other.
    Clash(Clash),
    /// The strategy has stopped before a sudoku was finished, with this many open cells if the rule
    /// file can count them.
    Stuck(Option<u64>),
    /// The strategy has no result at all.
    NoResult,
    /// The rules call something a solution that is none.
    Wrong(Fault),
}

/// Why a "solution" is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Two cells of a house are alike.
    Alike(Clash),
    /// A given has been changed.
    Given(Cell),
}

/// Runs the strategy on a board, and hands over each board that it ends in, once.
///
/// With `all` every result of the strategy is wanted, else the first one. Boards that contradict
/// themselves are not run: the two cells say more than an empty soup would.
pub fn solve(
    engine: &mut dyn Commands,
    board: &Board,
    strategy: &str,
    all: bool,
    each: &mut dyn FnMut(&Board),
) -> Verdict {
    if let Some(clash) = board.clash() {
        return Verdict::Clash(clash);
    }
    let mut found = FxHashSet::default();
    let mut verdict = Verdict::NoResult;
    engine.run(&command(board, all), strategy, &mut |answer| {
        let next = match answer {
            Answer::None => Verdict::NoSolution,
            Answer::Stuck => Verdict::Stuck(None),
            Answer::Solution(solution) => match fault(board, &solution) {
                Some(fault) => Verdict::Wrong(fault),
                None => {
                    if found.insert(solution) {
                        each(&solution);
                    }
                    Verdict::Solved
                }
            },
        };
        if rank(&next) > rank(&verdict) {
            verdict = next;
        }
    });
    match verdict {
        Verdict::Stuck(_) => Verdict::Stuck(engine.open_cells()),
        verdict => verdict,
    }
}

/// The command that solves a board, up to the strategy.
fn command(board: &Board, all: bool) -> String {
    let bound = if all { "" } else { "[1] " };
    format!("dsrewrite {bound}{} using ", board_term(board))
}

/// Of several results the one that says most is the verdict: with `all` the last result is always
/// that no sudoku is left.
fn rank(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::NoResult => 0,
        Verdict::NoSolution | Verdict::Clash(_) => 1,
        Verdict::Stuck(_) => 2,
        Verdict::Solved => 3,
        Verdict::Wrong(_) => 4,
    }
}

fn fault(board: &Board, solution: &Board) -> Option<Fault> {
    let changed =
        |cell: &Cell| board.digit(*cell).is_some_and(|d| solution.digit(*cell) != Some(d));
    match Cell::all().find(changed) {
        Some(cell) => Some(Fault::Given(cell)),
        None => solution.clash().map(Fault::Alike),
    }
}

impl Verdict {
    /// Whether the board is solved.
    pub fn is_solved(&self) -> bool {
        *self == Verdict::Solved
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Solved => f.write_str("solved"),
            Verdict::NoSolution => f.write_str("no solution"),
            Verdict::Clash(clash) => write!(f, "no solution: {clash}"),
            Verdict::Stuck(None) => {
                f.write_str("stuck: the strategy ends before a board is finished")
            }
            Verdict::Stuck(Some(0)) => f.write_str(
                "stuck: no cell is open, but the strategy ends before the board is finished",
            ),
            Verdict::Stuck(Some(1)) => f.write_str("stuck: 1 open cell"),
            Verdict::Stuck(Some(n)) => write!(f, "stuck: {n} open cells"),
            Verdict::NoResult => f.write_str("stuck: the strategy has no result"),
            Verdict::Wrong(Fault::Alike(clash)) => {
                write!(f, "the rules end in a board that is no solution: {clash}")
            }
            Verdict::Wrong(Fault::Given(cell)) => {
                write!(
                    f,
                    "the rules end in a board that is no solution: the given {cell} has changed"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_puzzles;

    const PUZZLE: &str =
        "..372.1.6...9.58..49..1..52.5.....618.4...2.976.....4.23..5..17..12.3...9.5.864..";
    const SOLUTION: &str =
        "583724196126935874497618352359842761814567239762391548238459617641273985975186423";

    /// Answers every command with the same results, and keeps the commands.
    struct Script(Vec<Answer>, Vec<String>);

    impl Commands for Script {
        fn run(&mut self, command: &str, _: &str, each: &mut dyn FnMut(Answer)) {
            self.1.push(command.to_owned());
            self.0.iter().for_each(|answer| each(*answer));
        }

        fn open_cells(&mut self) -> Option<u64> {
            Some(39)
        }
    }

    fn board(line: &str) -> Board {
        read_puzzles(line.as_bytes())[0].as_ref().unwrap().board
    }

    fn solution(line: &str) -> Answer {
        Answer::Solution(board(line))
    }

    fn verdict(results: &[Answer]) -> (String, usize) {
        let mut script = Script(results.to_vec(), Vec::new());
        let mut n_boards = 0;
        let each = &mut |_: &Board| n_boards += 1;
        let verdict = solve(&mut script, &board(PUZZLE), "solve", true, each);
        (verdict.to_string(), n_boards)
    }

    #[test]
    fn each_board_is_handed_over_once() {
        let solution = solution(SOLUTION);
        assert_eq!(verdict(&[solution, solution, Answer::None]), ("solved".to_owned(), 1));
    }

    #[test]
    fn without_a_board_the_verdict_says_why() {
        assert_eq!(verdict(&[Answer::None]), ("no solution".to_owned(), 0));
        assert_eq!(verdict(&[]), ("stuck: the strategy has no result".to_owned(), 0));
        assert_eq!(verdict(&[Answer::Stuck]), ("stuck: 39 open cells".to_owned(), 0));
    }

    #[test]
    fn a_wrong_board_is_no_solution() {
        let alike = solution(&SOLUTION.replacen("58", "88", 1));
        let said =
            "the rules end in a board that is no solution: r1c1 and r1c2 are both 8, in row 1";
        assert_eq!(verdict(&[alike]), (said.to_owned(), 0));
        let changed = solution(&SOLUTION.replacen("37", "73", 1));
        let said = "the rules end in a board that is no solution: the given r1c3 has changed";
        assert_eq!(verdict(&[changed]), (said.to_owned(), 0));
    }

    #[test]
    fn contradicting_givens_are_not_run() {
        let mut script = Script(Vec::new(), Vec::new());
        let board = board(&PUZZLE.replacen("..3", "3.3", 1));
        let verdict = solve(&mut script, &board, "solve", false, &mut |_| {});
        assert_eq!(verdict.to_string(), "no solution: r1c1 and r1c3 are both 3, in row 1");
        assert!(script.1.is_empty());
    }
}
