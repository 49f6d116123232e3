//! Text to boards: a board a line, or grids of nine rows, with or without frames, several in a
//! file. The formats are those that other programs write; what is doubtful is read with a warning,
//! and what cannot be read is an error at its place, after which reading goes on.

use std::fmt;

use crate::board::{Board, ORDER};
use crate::grid::Grid;
use crate::line::{Line, read_line};
use crate::read_error::{ErrorKind, ReadError};

/// A board and where it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The board as it was written.
    pub board: Board,
    /// The line where it begins, from 1.
    pub line: usize,
    /// What was passed over to read it.
    pub warning: Option<Warning>,
}

/// Something that was passed over and is worth a word.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Warning {
    /// A name before the cells.
    Name(String),
    /// `>` before the lines, as in a quoted message.
    Quoted,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Name(name) => write!(f, "`{name}` before the cells is taken for a name"),
            Warning::Quoted => f.write_str("`>` before the cells is taken for a quotation mark"),
        }
    }
}

/// Reads every board of a text, in order. A text without any is one error.
pub fn read_puzzles(bytes: &[u8]) -> Vec<Result<Puzzle, ReadError>> {
    if let Some((line, column, why)) = other_encoding(bytes) {
        return vec![Err(ReadError::new(line, column, ErrorKind::NotText(why)))];
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = Reader::default();
    for (index, line) in lines(bytes).enumerate() {
        // Only comments may have bytes that are no UTF-8: elsewhere the substitute is no cell.
        reader.take(&String::from_utf8_lossy(line), index + 1);
    }
    reader.end()
}

#[derive(Default)]
struct Reader {
    found: Vec<Result<Puzzle, ReadError>>,
    grid: Grid,
    quoted: bool,
    // After an error inside a grid its other rows are passed over: they would only be errors too.
    skipping: bool,
}

impl Reader {
    fn take(&mut self, line: &str, number: usize) {
        let cells = line.trim_start_matches(['>', ' ', '\t']);
        let quoted = line.trim_start().starts_with('>');
        let read = if quoted { read_line(cells) } else { read_line(line) };
        match read {
            Line::Ignored => {}
            Line::Blank => {
                self.skipping = false;
                if !self.grid.may_pause() {
                    self.close_grid();
                }
            }
            Line::Row(_) if self.skipping => {}
            Line::Row(row) => {
                if !self.grid.is_open() {
                    self.quoted = false;
                }
                self.quoted |= quoted;
                if let Some((board, line)) = self.grid.add(&row, number) {
                    let warning = self.quoted.then_some(Warning::Quoted);
                    self.found.push(Ok(Puzzle { board, line, warning }));
                }
            }
            Line::Board(board, name) => {
                self.close_grid();
                self.skipping = false;
                let warning = name.map(Warning::Name).or(quoted.then_some(Warning::Quoted));
                self.found.push(Ok(Puzzle { board, line: number, warning }));
            }
            Line::Bad(..) if self.skipping => {}
            Line::Bad(column, kind) => {
                let shift = if quoted { line.chars().count() - cells.chars().count() } else { 0 };
                let row_like = matches!(kind, ErrorKind::Cells { .. } | ErrorKind::Symbol(_))
                    && line.trim().chars().count() <= 4 * ORDER;
                self.skipping = self.grid.is_open() || row_like;
                self.grid = Grid::default();
                self.found.push(Err(ReadError::new(number, column + shift, kind)));
            }
        }
    }

    fn close_grid(&mut self) {
        self.found.extend(self.grid.close().map(Err));
    }

    fn end(mut self) -> Vec<Result<Puzzle, ReadError>> {
        self.close_grid();
        if self.found.is_empty() {
            self.found.push(Err(ReadError::new(1, 1, ErrorKind::NoPuzzle)));
        }
        self.found
    }
}

/// The lines of a text, whichever of the three line breaks it has.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(bytes);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.iter().position(|&byte| byte == b'\n' || byte == b'\r') else {
            rest = None;
            return Some(text);
        };
        let width = if text[end..].starts_with(b"\r\n") { 2 } else { 1 };
        rest = Some(&text[end + width..]);
        Some(&text[..end])
    })
}

/// The place and the kind of an encoding that is neither UTF-8 nor ASCII nor like it.
fn other_encoding(bytes: &[u8]) -> Option<(usize, usize, &'static str)> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Some((1, 1, "it is UTF-16"));
    }
    let zero = bytes.iter().position(|&byte| byte == 0)?;
    let (number, last) = lines(&bytes[..zero]).enumerate().last()?;
    Some((number + 1, last.len() + 1, "it has a zero byte, as binary files and UTF-16 have"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line_of;

    const LINE: &str =
        "..372.1.6...9.58..49..1..52.5.....618.4...2.976.....4.23..5..17..12.3...9.5.864..";

    fn read(text: &str) -> Vec<String> {
        read_puzzles(text.as_bytes())
            .into_iter()
            .map(|found| match found {
                Ok(Puzzle { board, line, warning }) => {
                    let cells = if line_of(&board) == LINE { "the board" } else { "another board" };
                    let warning = warning.map(|warning| format!(" ({warning})"));
                    format!("{line}: {cells}{}", warning.unwrap_or_default())
                }
                Err(error) => format!("{}:{}: {error}", error.line, error.column),
            })
            .collect()
    }

    fn grid() -> String {
        LINE.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row) + "\n").collect()
    }

    #[test]
    fn every_symbol_for_an_empty_cell_is_read() {
        for symbol in [".", "0", "*", "_", "-"] {
            assert_eq!(read(&LINE.replace('.', symbol)), ["1: the board"], "{symbol}");
            assert_eq!(read(&grid().replace('.', symbol)), ["1: the board"], "{symbol}");
        }
    }

    #[test]
    fn empty_rows_are_no_frames() {
        let empty = [".", "-", "*"].map(|symbol| format!("{}\n", symbol.repeat(9)).repeat(9));
        for text in empty {
            assert_eq!(read(&text), ["1: another board"], "{text}");
        }
    }

    #[test]
    fn boards_and_grids_may_be_mixed_with_comments() {
        let text = format!("# one\n{LINE} easy\n\n{}# end\n{LINE}\t# two\n{LINE}:1:x", grid());
        assert_eq!(read(&text), ["2: the board", "4: the board", "14: the board", "15: the board"]);
    }

    #[test]
    fn cells_may_be_spaced_and_framed() {
        let spaced: String = LINE.chars().flat_map(|c| [c, ' ']).collect();
        assert_eq!(read(&spaced), ["1: the board"]);
        let frames = ["+---+---+---+", "-------------", "┌───┬───┬───┐", ":---+---+---:"];
        for frame in frames {
            let grid = grid();
            let rows: Vec<&str> = grid.lines().collect();
            let text: String =
                rows.chunks(3).map(|band| format!("{frame}\n{}\n", band.join("\n"))).collect();
            assert_eq!(read(&text), ["2: the board"], "{frame}");
        }
    }

    #[test]
    fn an_error_costs_one_board() {
        let text = format!("{LINE}8\n{LINE}\n{}", grid().replace("...9.58..\n", "...9z58..\n"));
        assert_eq!(
            read(&text),
            [
                "1:82: 82 cells in this line: a board has 81, a row of a grid 9",
                "2: the board",
                "4:5: `z` is no cell: a cell is a digit from 1 to 9, or one of . 0 * _ - if it is empty"
            ]
        );
    }

    #[test]
    fn a_grid_must_be_complete() {
        let grid = grid();
        let short = &grid[..10 * 8];
        assert_eq!(read(short), ["8:1: the grid ends after 8 rows: it needs 9"]);
        assert_eq!(
            read(&format!("{short}\n{grid}")),
            ["8:1: the grid ends after 8 rows: it needs 9", "10: the board"]
        );
    }

    #[test]
    fn a_name_or_a_quotation_is_passed_over() {
        assert_eq!(
            read(&format!("No. 7: {LINE}")),
            ["1: the board (`No. 7` before the cells is taken for a name)"]
        );
        assert_eq!(
            read(&format!("> {}", grid().replace('\n', "\n> "))),
            ["1: the board (`>` before the cells is taken for a quotation mark)"]
        );
    }

    #[test]
    fn what_is_no_text_is_said_to_be_none() {
        assert_eq!(read(""), ["1:1: no puzzle in this file"]);
        assert_eq!(
            read("\n12\0"),
            ["2:3: not UTF-8 or ASCII text: it has a zero byte, as binary files and UTF-16 have"]
        );
        assert_eq!(
            read("an essay\n"),
            ["1:1: no board here: neither 81 cells in a line nor a row of 9"]
        );
    }
}
