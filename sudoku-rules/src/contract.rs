//! The contract of `board.maude` as text: the term that a rule file starts from, and the results
//! that it may end in.

use crate::board::{Board, ORDER};

/// The term that stands for a board before any rule has run: `board(9, 0 0 3 …)`.
pub fn board_term(board: &Board) -> String {
    let cells: Vec<String> = board.digits().iter().map(u8::to_string).collect();
    format!("board({ORDER}, {})", cells.join(" "))
}

/// What a strategy has ended in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// `solution(9, …)`: a finished sudoku.
    Solution(Board),
    /// `noSudoku`: none is left.
    None,
    /// Anything else: the strategy has stopped before a sudoku was finished.
    Stuck,
}

/// Reads a result from its text, however it is spaced and wrapped. A `solution` that is not one of
/// 81 digits from 1 to 9 counts as stuck.
pub fn read_answer(term: &str) -> Answer {
    let term = term.trim();
    if term == "noSudoku" {
        return Answer::None;
    }
    finished(term).map_or(Answer::Stuck, Answer::Solution)
}

fn finished(term: &str) -> Option<Board> {
    let arguments = term.strip_prefix("solution")?.trim_start().strip_prefix('(')?;
    let (order, cells) = arguments.strip_suffix(')')?.split_once(',')?;
    if order.trim().parse() != Ok(ORDER) {
        return None;
    }
    let digits: Result<Vec<u8>, _> = cells.split_whitespace().map(str::parse).collect();
    Board::new(&digits.ok()?).filter(Board::is_full)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn latin() -> Board {
        let digits: Vec<u8> = (0..81).map(|index| (index % 9) as u8 + 1).collect();
        Board::new(&digits).unwrap()
    }

    #[test]
    fn a_board_becomes_a_term() {
        let mut digits = [0; 81];
        digits[2] = 3;
        let term = board_term(&Board::new(&digits).unwrap());
        assert!(term.starts_with("board(9, 0 0 3 0 ") && term.ends_with(" 0 0)"));
    }

    #[test]
    fn a_solution_is_read_back() {
        let term = board_term(&latin()).replace("board", "solution");
        assert_eq!(read_answer(&term), Answer::Solution(latin()));
        assert_eq!(read_answer(&term.replace(" 5 6", "\n    5 6")), Answer::Solution(latin()));
    }

    #[test]
    fn everything_else_is_none_or_stuck() {
        assert_eq!(read_answer("noSudoku"), Answer::None);
        for term in ["", "solution(9, 1 2 3)", "solution(4, 1)", "<< none >>", "solution(9, a)"] {
            assert_eq!(read_answer(term), Answer::Stuck, "{term}");
        }
        let holes = board_term(&latin()).replace("board", "solution").replace('5', "0");
        assert_eq!(read_answer(&holes), Answer::Stuck);
    }
}
