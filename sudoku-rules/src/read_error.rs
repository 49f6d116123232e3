//! Why a text is no board, and where.

use thiserror::Error;

use crate::board::{Cell, ORDER};

/// A text that is no board: what is wrong, and at which place of the text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{kind}")]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    kind: ErrorKind,
}

impl ReadError {
    pub(crate) fn new(line: usize, column: usize, kind: ErrorKind) -> ReadError {
        ReadError { line, column, kind }
    }

    /// What is wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }
}

/// What is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Another encoding, or a character of the kind that typesetting leaves behind.
    #[error("not UTF-8 or ASCII text: {0}")]
    NotText(&'static str),
    /// Nothing but blank lines and comments.
    #[error("no puzzle in this file")]
    NoPuzzle,
    /// A character that is no cell stands among cells.
    #[error("{} is no cell: a cell is a digit from 1 to 9, or one of . 0 * _ - if it is empty", name(*.0))]
    Symbol(char),
    /// A line with the wrong number of cells.
    #[error("{found} in this line: a board has {}, a row of a grid {ORDER}{}", ORDER * ORDER, advice(*.found))]
    Cells {
        /// The number of cells in the line.
        found: Count,
    },
    /// A grid with too few rows.
    #[error("the grid ends after {found}: it needs {ORDER}")]
    Rows {
        /// The number of rows.
        found: Count,
    },
    /// A line that does not look like cells at all.
    #[error("no board here: neither {} cells in a line nor a row of {ORDER}", ORDER * ORDER)]
    NoCells,
    /// Pencil marks that say more than the cells with one candidate do.
    #[error(
        "the pencil marks exclude {digit} from {cell}, and no given does: only givens are read"
    )]
    PencilMarks {
        /// The cell.
        cell: Cell,
        /// The candidate that is missing there.
        digit: u8,
    },
}

/// A number of cells or rows, with its noun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count(pub usize, pub &'static str);

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}{}", self.0, self.1, if self.0 == 1 { "" } else { "s" })
    }
}

fn advice(found: Count) -> &'static str {
    match found.0 {
        n if n < ORDER => " (a blank is not an empty cell)",
        n if n > ORDER * ORDER && n.is_multiple_of(ORDER * ORDER) => " (each board needs a line)",
        _ => "",
    }
}

/// The character, and its name where it could be taken for another one or not be seen.
fn name(c: char) -> String {
    const DIGITS: [&str; 10] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    let code = u32::from(c);
    match c {
        '\u{ff10}'..='\u{ff19}' => {
            let digit = DIGITS[(code - 0xff10) as usize];
            format!("`{c}` (U+{code:04X}, fullwidth digit {digit})")
        }
        char::REPLACEMENT_CHARACTER => "a byte that is not UTF-8".to_owned(),
        c if c.is_control() || c.is_whitespace() => format!("the character U+{code:04X}"),
        c if c.is_ascii() => format!("`{c}`"),
        c => format!("`{c}` (U+{code:04X})"),
    }
}
