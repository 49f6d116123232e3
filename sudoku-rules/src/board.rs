//! A board: 81 cells in reading order, each with a digit or empty. It may be a puzzle, a solution
//! or nonsense: what it means is for the rules to say.

use std::fmt;

/// Cells in a row, and digits. The larger orders need their symbols declared, not guessed, and are
/// not read yet.
pub const ORDER: usize = 9;

/// The cells of a board of nine by nine, in reading order; 0 is an empty cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    digits: [u8; ORDER * ORDER],
}

impl Board {
    /// A board of these digits, or nothing if they are not 81 numbers from 0 to 9.
    pub fn new(digits: &[u8]) -> Option<Board> {
        let digits: [u8; ORDER * ORDER] = digits.try_into().ok()?;
        digits.iter().all(|&digit| usize::from(digit) <= ORDER).then_some(Board { digits })
    }

    /// The digits in reading order, 0 for an empty cell.
    pub fn digits(&self) -> &[u8] {
        &self.digits
    }

    /// The digit of a cell, if it has one.
    pub fn digit(&self, cell: Cell) -> Option<u8> {
        Some(self.digits[cell.index()]).filter(|&digit| digit != 0)
    }

    /// The number of cells with a digit.
    pub fn given(&self) -> usize {
        self.digits.iter().filter(|&&digit| digit != 0).count()
    }

    /// Whether every cell has a digit.
    pub fn is_full(&self) -> bool {
        self.given() == self.digits.len()
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({})", crate::line_of(self))
    }
}

/// A place on the board. It is named as players name it: row, then column, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(u8);

impl Cell {
    /// All cells in reading order.
    pub fn all() -> impl Iterator<Item = Cell> {
        (0..(ORDER * ORDER) as u8).map(Cell)
    }

    /// The place of the cell in reading order, from 0.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The row, from 1.
    pub fn row(self) -> usize {
        self.index() / ORDER + 1
    }

    /// The column, from 1.
    pub fn column(self) -> usize {
        self.index() % ORDER + 1
    }

    /// The number of the three by three box, from 1, in reading order.
    pub fn grid(self) -> usize {
        (self.row() - 1) / 3 * 3 + (self.column() - 1) / 3 + 1
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}", self.row(), self.column())
    }
}
