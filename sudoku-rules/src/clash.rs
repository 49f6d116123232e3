//! Givens that contradict each other: the same digit twice in one house. Nothing is solved here;
//! such a board has no solution because of what is written on it.

use std::fmt;

use crate::board::{Board, Cell};

/// Two cells of one house with the same digit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clash {
    /// The first of the two cells in reading order.
    pub first: Cell,
    /// The other one.
    pub second: Cell,
    /// The digit that stands in both.
    pub digit: u8,
    /// The house that they share.
    pub house: House,
}

/// A row, a column or a grid (a box of three by three), by its number from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum House {
    /// A row, counted from the top.
    Row(usize),
    /// A column, counted from the left.
    Column(usize),
    /// A box, counted in reading order.
    Grid(usize),
}

impl House {
    /// A house that has both cells: their row if they share it, else their column, else their box.
    fn shared(one: Cell, other: Cell) -> Option<House> {
        if one.row() == other.row() {
            Some(House::Row(one.row()))
        } else if one.column() == other.column() {
            Some(House::Column(one.column()))
        } else if one.grid() == other.grid() {
            Some(House::Grid(one.grid()))
        } else {
            None
        }
    }
}

impl Board {
    /// The first two cells in reading order that are alike and share a house.
    pub fn clash(&self) -> Option<Clash> {
        Cell::all().find_map(|second| {
            let digit = self.digit(second)?;
            Cell::all().take_while(|&first| first < second).find_map(|first| {
                (self.digit(first) == Some(digit))
                    .then(|| House::shared(first, second))
                    .flatten()
                    .map(|house| Clash { first, second, digit, house })
            })
        })
    }
}

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Clash { first, second, digit, house } = self;
        write!(f, "{first} and {second} are both {digit}, in {house}")
    }
}

impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            House::Row(number) => write!(f, "row {number}"),
            House::Column(number) => write!(f, "column {number}"),
            House::Grid(number) => write!(f, "box {number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clash_of(places: &[(usize, u8)]) -> Option<String> {
        let mut digits = [0; 81];
        for &(index, digit) in places {
            digits[index] = digit;
        }
        Board::new(&digits).unwrap().clash().map(|clash| clash.to_string())
    }

    #[test]
    fn the_two_cells_are_named() {
        assert_eq!(clash_of(&[(0, 5), (1, 5)]).unwrap(), "r1c1 and r1c2 are both 5, in row 1");
        assert_eq!(clash_of(&[(3, 7), (75, 7)]).unwrap(), "r1c4 and r9c4 are both 7, in column 4");
        assert_eq!(clash_of(&[(40, 1), (50, 1)]).unwrap(), "r5c5 and r6c6 are both 1, in box 5");
    }

    #[test]
    fn cells_that_share_no_house_may_be_alike() {
        assert_eq!(clash_of(&[(0, 5), (40, 5), (80, 5)]), None);
        assert_eq!(clash_of(&[]), None);
    }
}
