//! The rule files that are built in. `sload board` and `sload paper` find them wherever a file of
//! that name is not found on the disk.

/// `board.maude`: what a rule file and the program agree on.
pub const BOARD: &str = include_str!("../rules/board.maude");

/// `paper.maude`: the eight rules of Santos-García and Palomino and their strategy `solve`.
pub const PAPER: &str = include_str!("../rules/paper.maude");
