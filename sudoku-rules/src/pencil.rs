//! Pencil marks written as 729 characters, nine for a cell: a candidate or an empty symbol each.
//!
//! A rule file starts from givens. So a cell with one candidate is read as a given, and the other
//! marks are only compared with these: marks that exclude more than the givens do would make another
//! puzzle, and are refused.

use crate::board::{Board, Cell, ORDER};
use crate::line::{cell_at, cell_symbol};

/// The board of the cells that have one candidate: nothing if the word is not of this kind, a cell
/// and a digit if the marks exclude this digit without a given that does.
pub(crate) fn read_pencil_marks(word: &str) -> Option<Result<Board, (Cell, u8)>> {
    if word.len() != ORDER * ORDER * ORDER {
        return None;
    }
    let marks: Option<Vec<u8>> = word.chars().map(cell_symbol).collect();
    let marks = marks?;
    let cells: Vec<&[u8]> = marks.chunks(ORDER).collect();
    let in_place = |cell: &[u8]| {
        (1..).zip(cell).all(|(place, &digit): (u8, &u8)| digit == 0 || digit == place)
    };
    if !cells.iter().all(|cell| in_place(cell)) {
        return None;
    }
    let digits: Vec<u8> = cells
        .iter()
        .map(|cell| {
            let mut candidates = cell.iter().filter(|&&digit| digit != 0);
            match (candidates.next(), candidates.next()) {
                (Some(&only), None) => only,
                _ => 0,
            }
        })
        .collect();
    let board = Board::new(&digits)?;
    let excluded = (0..cells.len()).map(cell_at).find_map(|cell| {
        let marks = cells[cell.index()];
        (board.digit(cell).is_none())
            .then(|| {
                (1..=ORDER as u8)
                    .find(|&d| marks[usize::from(d) - 1] == 0 && !seen(&board, cell, d))
            })
            .flatten()
            .map(|digit| (cell, digit))
    });
    Some(excluded.map_or(Ok(board), Err))
}

/// Whether a given in a house of the cell is this digit.
fn seen(board: &Board, cell: Cell, digit: u8) -> bool {
    Cell::all().any(|other| {
        board.digit(other) == Some(digit)
            && (other.row() == cell.row()
                || other.column() == cell.column()
                || other.grid() == cell.grid())
    })
}
