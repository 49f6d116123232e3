//! The contract of `board.maude`: the text of the term that a rule file starts from, and the results
//! that it may end in.

use broth_rules::answer::AnswerNode;

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

/// Reads a result. A `solution` that is not one of 81 digits from 1 to 9 counts as stuck.
pub fn read_answer(term: AnswerNode<'_>) -> Answer {
    if term.operator() == Some("noSudoku") {
        return Answer::None;
    }
    finished(term).map_or(Answer::Stuck, Answer::Solution)
}

fn finished(term: AnswerNode<'_>) -> Option<Board> {
    let [(order, _), (cells, _)] = term.arguments()[..] else { return None };
    let is_solution = term.operator() == Some("solution") && cells.operator() == Some("__");
    if !is_solution || order.natural()? != ORDER.into() {
        return None;
    }
    let digit = |cell: AnswerNode<'_>| u8::try_from(cell.natural()?).ok();
    let digits: Option<Vec<u8>> = cells.arguments().iter().map(|(cell, _)| digit(*cell)).collect();
    Board::new(&digits?).filter(Board::is_full)
}

#[cfg(test)]
mod tests {
    use broth_rules::answer::AnswerContext;
    use broth_rules::diagnose::Diagnostic;
    use broth_rules::syntax::Sources;
    use broth_rules::{Listener, NoClock, NoFiles, Session};

    use super::*;
    use crate::files::FILES;

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

    /// A session that knows the contract, and what it has answered last.
    #[derive(Default)]
    struct Last(Option<Answer>);

    impl Listener for Last {
        fn answer(
            &mut self,
            answer: &broth_rules::answer::Answer,
            cx: &AnswerContext<'_>,
        ) -> Result<(), broth_rules::Stop> {
            if let broth_rules::answer::Answer::Result { result, .. } = answer {
                self.0 = Some(read_answer(cx.look_into(result)));
            }
            Ok(())
        }

        fn diagnostic(&mut self, found: &Diagnostic, _: &Sources) {
            panic!("{}", found.message);
        }
    }

    fn read(term: &str) -> Answer {
        let mut session = Session::new(Box::new(NoFiles), Box::new(NoClock));
        let board = FILES[0].1;
        let more = "fmod MORE is inc SUDOKU-BOARD . op other : -> Sudokus . op x : -> Nat . endfm";
        let mut last = Last::default();
        session.read("test", &format!("{board}\n{more}\nreduce {term} .\n"), &mut last);
        last.0.unwrap()
    }

    #[test]
    fn a_solution_is_read_back() {
        let term = board_term(&latin()).replace("board", "solution");
        assert_eq!(read(&term), Answer::Solution(latin()));
        assert_eq!(read(&term.replace(" 5 6", " (5\n 6)")), Answer::Solution(latin()));
    }

    #[test]
    fn everything_else_is_none_or_stuck() {
        assert_eq!(read("noSudoku"), Answer::None);
        let full = board_term(&latin()).replace("board", "solution");
        let holes = full.replace('5', "0");
        let letters = full.replace('5', "x");
        let large = full.replace('5', "261");
        let order = full.replace("(9", "(4");
        let short = "solution(9, 1 2 3)";
        let one = "solution(9, 1)";
        for term in ["other", short, one, &holes, &letters, &large, &order] {
            assert_eq!(read(term), Answer::Stuck, "{term}");
        }
        assert_eq!(read(&board_term(&latin())), Answer::Stuck);
    }
}
