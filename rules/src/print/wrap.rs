//! Wrapping of long lines (`docs/semantics.md` 9.3).
//!
//! A line may be broken before a blank and after `, ( [ {`, not inside strings and not after a
//! backquote. Text is held back until the next place where it may be broken; then it is written, on
//! a new line indented by four blanks if it would reach over the edge. A piece that is too long for
//! any line stays where it is, and the column goes on as a terminal would count it.

const MARGIN: usize = 4;
/// The most bytes that are held back; no line is wider.
const MOST_HELD: usize = 1 << 14;

/// The default width of a line.
pub const DEFAULT_WIDTH: usize = 80;

/// Wraps the lines of a stream; the column survives from one call to the next, so each stream has
/// its own.
#[derive(Clone, Debug)]
pub struct Wrapper {
    /// `None`: lines are left alone.
    width: Option<usize>,
    column: usize,
    piece: String,
    piece_len: usize,
    /// The piece is longer than a line, and its beginning has been written.
    too_long: bool,
    in_string: bool,
    escaped: bool,
    previous: char,
}

impl Default for Wrapper {
    fn default() -> Wrapper {
        Wrapper::new(Some(DEFAULT_WIDTH))
    }
}

impl Wrapper {
    /// A wrapper for lines of this width, or for lines of any length.
    pub fn new(width: Option<usize>) -> Wrapper {
        Wrapper {
            width: width.filter(|&w| w > MARGIN + 1).map(|w| w.min(MOST_HELD - 1)),
            column: 0,
            piece: String::new(),
            piece_len: 0,
            too_long: false,
            in_string: false,
            escaped: false,
            previous: '\n',
        }
    }

    /// Appends `text`, wrapped, to `out`. What stands after the last place where the line may be
    /// broken is held back.
    pub fn write(&mut self, text: &str, out: &mut String) {
        if self.width.is_none() {
            out.push_str(text);
            return;
        }
        for c in text.chars() {
            if c == '\n' {
                self.decide(out);
                out.push('\n');
                self.column = 0;
                self.in_string = false;
            } else if self.in_string {
                self.hold(c, out);
                match c {
                    _ if self.escaped => self.escaped = false,
                    '\\' => self.escaped = true,
                    '"' => self.in_string = false,
                    _ => {}
                }
            } else if c == '"' {
                self.hold(c, out);
                self.in_string = true;
            } else if c == ' ' {
                self.decide(out);
                self.hold(c, out);
            } else if matches!(c, ',' | '(' | '[' | '{') && self.previous != '`' {
                self.hold(c, out);
                self.decide(out);
            } else {
                self.hold(c, out);
            }
            self.previous = c;
        }
    }

    /// Writes out what was held back.
    pub fn flush(&mut self, out: &mut String) {
        self.decide(out);
    }

    /// Wraps a whole text that starts at the beginning of a line.
    pub fn wrap(width: Option<usize>, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + text.len() / 16);
        let mut wrapper = Wrapper::new(width);
        wrapper.write(text, &mut out);
        wrapper.flush(&mut out);
        out
    }

    fn hold(&mut self, c: char, out: &mut String) {
        self.piece.push(c);
        // The width is counted in bytes: each byte is one character to the reference.
        self.piece_len += c.len_utf8();
        // What is too long for any line is not held back as a whole.
        if self.piece_len >= MOST_HELD {
            self.too_long = true;
            self.put(out);
        }
    }

    /// Writes the piece where the line is.
    fn put(&mut self, out: &mut String) {
        out.push_str(&self.piece);
        self.column += self.piece.len();
        self.wrap_column();
        self.piece.clear();
        self.piece_len = 0;
    }

    fn wrap_column(&mut self) {
        if let Some(width) = self.width.filter(|width| self.column > width - 1) {
            self.column %= width;
        }
    }

    fn decide(&mut self, out: &mut String) {
        let Some(width) = self.width else { return };
        if std::mem::take(&mut self.too_long) {
            self.put(out);
            return;
        }
        if self.piece.is_empty() {
            return;
        }
        let mut piece = self.piece.as_str();
        if self.column + self.piece_len > width - 1 && self.piece_len <= width - 1 - MARGIN {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', MARGIN));
            self.column = MARGIN;
            piece = piece.strip_prefix(' ').unwrap_or(piece);
        }
        out.push_str(piece);
        self.column += piece.len();
        self.wrap_column();
        self.piece.clear();
        self.piece_len = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_stand_before_blanks_and_after_brackets() {
        let text = "f(aaaa, bbbb, cccc)";
        assert_eq!(Wrapper::wrap(Some(12), text), "f(aaaa,\n    bbbb,\n    cccc)");
        assert_eq!(Wrapper::wrap(None, text), text);
    }

    #[test]
    fn strings_and_long_pieces_stay_whole() {
        let text = "s(\"a b c d e f\") x";
        assert_eq!(Wrapper::wrap(Some(12), text), "s(\"a b c d e f\") x");
    }

    #[test]
    fn what_is_too_long_for_any_line_is_not_held_back() {
        let number = "7".repeat(3 * MOST_HELD + 5);
        // The same column is reached by a number that is only just too long for a line.
        let short = "7".repeat(12 + number.len() % 12);
        for behind in ["", " + 1", "0000"] {
            let mut whole = String::new();
            let mut wrapper = Wrapper::new(Some(12));
            wrapper.write(&format!("a ({number}{behind} cccc)"), &mut whole);
            assert!(wrapper.piece.len() < MOST_HELD);
            wrapper.flush(&mut whole);
            let expected = Wrapper::wrap(Some(12), &format!("a ({short}{behind} cccc)"));
            assert_eq!(whole.replace(&number, &short), expected, "{behind}");
        }
    }

    #[test]
    fn the_column_survives_between_writes() {
        let mut wrapper = Wrapper::new(Some(12));
        let mut out = String::new();
        for part in ["aaaa bb", "bb cc", "cc\n"] {
            wrapper.write(part, &mut out);
        }
        assert_eq!(out, "aaaa bbbb\n    cccc\n");
    }
}
