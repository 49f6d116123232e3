//! Sudoku on the Broth engine: boards in and out, and the built-in rule files.
//!
//! Every deduction is a rule in `rules/*.maude`. The Rust here reads boards from text, writes the
//! term that a rule file starts from, reads the finished board back, and draws it; none of it
//! decides a digit.

mod board;
mod clash;
mod contract;
mod files;
mod grid;
mod line;
mod pencil;
mod read;
mod read_error;
mod solve;
mod solver;
mod write;

pub use board::{Board, Cell, ORDER};
pub use clash::{Clash, House};
pub use contract::{Answer, board_term, read_answer};
pub use files::{BOARD, FILES, PAPER};
pub use read::{Puzzle, Warning, read_puzzles};
pub use read_error::{ErrorKind, ReadError};
pub use solve::{Commands, Fault, Verdict, solve};
pub use solver::{Effort, Messages, Solver};
pub use write::{grid_of, line_of};
