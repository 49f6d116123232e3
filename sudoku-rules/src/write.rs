//! Boards to text: one line of symbols for a pipe, a grid for a terminal.

use crate::board::{Board, ORDER};

/// The board as 81 symbols in reading order, `.` for an empty cell.
pub fn line_of(board: &Board) -> String {
    board.digits().iter().map(|&digit| symbol(digit)).collect()
}

/// The board as a drawing of eleven or more lines, with its boxes framed. Every line ends in a line
/// break. What is drawn can be read again.
pub fn grid_of(board: &Board) -> String {
    let rule = "+-------+-------+-------+\n";
    let mut text = String::new();
    for (index, &digit) in board.digits().iter().enumerate() {
        let (row, column) = (index / ORDER, index % ORDER);
        if column == 0 && row % 3 == 0 {
            text.push_str(rule);
        }
        if column % 3 == 0 {
            text.push_str("| ");
        }
        text.push(symbol(digit));
        text.push(' ');
        if column + 1 == ORDER {
            text.push_str("|\n");
        }
    }
    text.push_str(rule);
    text
}

fn symbol(digit: u8) -> char {
    if digit == 0 { '.' } else { char::from(b'0' + digit) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_puzzles;
    use proptest::prelude::*;

    #[test]
    fn a_grid_has_its_boxes_framed() {
        let digits: Vec<u8> = (0..81).map(|index| (index % 10) as u8).collect();
        insta::assert_snapshot!(grid_of(&Board::new(&digits).unwrap()), @r"
        +-------+-------+-------+
        | . 1 2 | 3 4 5 | 6 7 8 |
        | 9 . 1 | 2 3 4 | 5 6 7 |
        | 8 9 . | 1 2 3 | 4 5 6 |
        +-------+-------+-------+
        | 7 8 9 | . 1 2 | 3 4 5 |
        | 6 7 8 | 9 . 1 | 2 3 4 |
        | 5 6 7 | 8 9 . | 1 2 3 |
        +-------+-------+-------+
        | 4 5 6 | 7 8 9 | . 1 2 |
        | 3 4 5 | 6 7 8 | 9 . 1 |
        | 2 3 4 | 5 6 7 | 8 9 . |
        +-------+-------+-------+
        ");
    }

    proptest! {
        #[test]
        fn what_is_written_can_be_read(digits in proptest::collection::vec(0u8..=9, 81)) {
            let board = Board::new(&digits).unwrap();
            for text in [line_of(&board), grid_of(&board)] {
                let read = read_puzzles(text.as_bytes());
                prop_assert_eq!(read.len(), 1);
                prop_assert_eq!(read[0].as_ref().unwrap().board, board);
            }
        }
    }
}
