//! One line of a puzzle file: what it is, before anything is known of its neighbours.

use crate::board::{Board, Cell, ORDER};
use crate::pencil::read_pencil_marks;
use crate::read_error::{Count, ErrorKind};

/// What a line is.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Line {
    /// Nothing but blanks.
    Blank,
    /// A comment, a section header, or the frame of a grid.
    Ignored,
    /// A row of a grid.
    Row([u8; ORDER]),
    /// A whole board, with the name that stands before it.
    Board(Board, Option<String>),
    /// None of these: the column and what is wrong there.
    Bad(usize, ErrorKind),
}

/// Reads a line without its line break. What stands after a `#`, or after the cells of a whole board
/// and a separator, is a comment.
pub(crate) fn read_line(line: &str) -> Line {
    let text = line.trim();
    if text.is_empty() {
        return Line::Blank;
    }
    let cells = line.split_once('#').map_or(line, |(cells, _)| cells);
    if cells.trim().is_empty() || (text.starts_with('[') && text.ends_with(']')) || is_frame(cells)
    {
        return Line::Ignored;
    }
    let library = text.strip_prefix(':').and_then(|fields| fields.split(':').nth(2));
    let first = library.or_else(|| cells.split(is_separator).find(|word| !word.is_empty()));
    if let Some(board) = first.and_then(whole_board) {
        return Line::Board(board, None);
    }
    if let Some(marks) = first.and_then(read_pencil_marks) {
        return match marks {
            Ok(board) => Line::Board(board, None),
            Err((cell, digit)) => {
                let before = line.len() - line.trim_start().len();
                Line::Bad(before + cell.index() * ORDER + 1, ErrorKind::PencilMarks { cell, digit })
            }
        };
    }
    let (spaced, rest) = leading_cells(cells);
    if let Some(board) = Board::new(&spaced) {
        return Line::Board(board, None);
    }
    if let Ok(row) = spaced.try_into()
        && rest.is_empty()
    {
        return Line::Row(row);
    }
    named_board(cells).unwrap_or_else(|| what_is_wrong(cells))
}

/// The value of a cell symbol, 0 for an empty cell.
pub(crate) fn cell_symbol(c: char) -> Option<u8> {
    match c {
        '1'..='9' => Some(c as u8 - b'0'),
        '.' | '0' | '*' | '_' | '-' => Some(0),
        _ => None,
    }
}

fn is_bar(c: char) -> bool {
    matches!(c, '|' | '│' | '┃' | '║')
}

fn is_separator(c: char) -> bool {
    c.is_ascii_whitespace() || is_bar(c) || matches!(c, ':' | ';' | ',')
}

/// Whether a line is the frame around or between the boxes of a grid. `-` and `*` are cells, too, so
/// a line that has just as many of them as a row or a board has cells is taken for these.
fn is_frame(cells: &str) -> bool {
    let text = cells.trim();
    let drawn = |c| matches!(c, '\u{2500}'..='\u{257f}') || c == ' ';
    if text.chars().all(drawn) {
        return true;
    }
    let typed = |c| matches!(c, '+' | '-' | '|' | '*' | '=' | ':' | '.' | '\'' | ' ');
    let n_cells = text.chars().filter(|&c| cell_symbol(c).is_some()).count();
    text.chars().all(typed)
        && text.contains(['-', '='])
        && (text.contains(['+', '=']) || (n_cells != ORDER && n_cells != ORDER * ORDER))
}

/// The digits of a word in which every character is a cell; `+` before a digit says that a player
/// has placed it.
fn cells_of(word: &str) -> Option<Vec<u8>> {
    let mut digits = Vec::new();
    let mut chars = word.chars().peekable();
    while let Some(c) = chars.next() {
        let placed = c == '+' && chars.peek().is_some_and(|next| matches!(next, '1'..='9'));
        if !placed {
            digits.push(cell_symbol(c)?);
        }
    }
    Some(digits)
}

fn whole_board(word: &str) -> Option<Board> {
    cells_of(word).and_then(|digits| Board::new(&digits))
}

/// The cells at the beginning of a line, with blanks and bars between them, as far as every word is
/// made of cells; and what follows them.
fn leading_cells(line: &str) -> (Vec<u8>, &str) {
    let mut digits = Vec::new();
    let mut rest = line;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || is_bar(c));
        let end = rest.find(|c: char| c.is_ascii_whitespace() || is_bar(c)).unwrap_or(rest.len());
        match cells_of(&rest[..end]) {
            Some(cells) if end > 0 && digits.len() < ORDER * ORDER => {
                digits.extend(cells);
                rest = &rest[end..];
            }
            _ => return (digits, rest),
        }
    }
}

/// A whole board with a name before it.
fn named_board(cells: &str) -> Option<Line> {
    let word = cells.split(is_separator).find(|word| whole_board(word).is_some())?;
    let start = word.as_ptr() as usize - cells.as_ptr() as usize;
    let name = cells[..start].trim().trim_end_matches([':', ';', ',']).to_owned();
    whole_board(word).map(|board| Line::Board(board, Some(name)))
}

/// The first character that is no cell, in a line that is cells for the most part or has no words;
/// where all are cells, their number.
fn what_is_wrong(cells: &str) -> Line {
    let mut n_cells = 0;
    let mut n_others = 0;
    let mut first_other = None;
    let mut too_many = None;
    let has_words = cells.chars().any(char::is_alphabetic);
    for (index, c) in cells.chars().enumerate() {
        if cell_symbol(c).is_some() {
            n_cells += 1;
            if n_cells == ORDER * ORDER + 1 {
                too_many = Some(index + 1);
            }
        } else if !(c.is_ascii_whitespace() || is_bar(c) || c == '+') {
            n_others += 1;
            first_other.get_or_insert((index + 1, c));
        }
    }
    let start = cells.len() - cells.trim_start().len() + 1;
    match first_other {
        Some((column, '\u{a0}')) => {
            Line::Bad(column, ErrorKind::NotText("a no-break space (U+00A0) stands between cells"))
        }
        Some((column, c)) if n_cells > n_others || !has_words => {
            Line::Bad(column, ErrorKind::Symbol(c))
        }
        Some(_) => Line::Bad(start, ErrorKind::NoCells),
        None => {
            let found = Count(n_cells, "cell");
            Line::Bad(too_many.unwrap_or(start), ErrorKind::Cells { found })
        }
    }
}

/// A name for a cell in a message about pencil marks needs the cell, not its index.
pub(crate) fn cell_at(index: usize) -> Cell {
    Cell::all().nth(index).expect("an index below 81")
}
