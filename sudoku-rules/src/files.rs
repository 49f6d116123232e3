//! The rule files that are built in, so that `sload board` and `sload paper` find them from every
//! folder.

/// `board.maude`: what a rule file and the program agree on.
pub const BOARD: &str = include_str!("../rules/board.maude");

/// `paper.maude`: the eight rules of Santos-García and Palomino and their strategy `solve`.
pub const PAPER: &str = include_str!("../rules/paper.maude");

/// All of them, by the names that `sload` knows.
pub const FILES: [(&str, &str); 2] = [("board", BOARD), ("paper", PAPER)];
