//! Rows that are gathered to a grid.

use crate::board::{Board, ORDER};
use crate::read_error::{Count, ErrorKind, ReadError};

/// The rows of a grid read so far.
#[derive(Default)]
pub(crate) struct Grid {
    digits: Vec<u8>,
    first_line: usize,
    last_line: usize,
}

impl Grid {
    /// Adds a row; the last one of nine gives the board and the line where it began.
    pub(crate) fn add(&mut self, row: &[u8; ORDER], line: usize) -> Option<(Board, usize)> {
        if self.digits.is_empty() {
            self.first_line = line;
        }
        self.last_line = line;
        self.digits.extend(row);
        let board = Board::new(&self.digits)?;
        self.digits.clear();
        Some((board, self.first_line))
    }

    /// Whether a row has been read that belongs to no complete grid.
    pub(crate) fn is_open(&self) -> bool {
        !self.digits.is_empty()
    }

    /// Whether a blank line may stand here: outside of a grid or below a row of boxes.
    pub(crate) fn may_pause(&self) -> bool {
        self.digits.len().is_multiple_of(3 * ORDER)
    }

    /// Ends the grid before its time; the error says after how many rows.
    pub(crate) fn close(&mut self) -> Option<ReadError> {
        let n_rows = self.digits.len() / ORDER;
        self.digits.clear();
        let kind = ErrorKind::Rows { found: Count(n_rows, "row") };
        (n_rows > 0).then(|| ReadError::new(self.last_line, 1, kind))
    }
}
