//! Source texts and places in them.
//!
//! Every token keeps its place as a [`Span`]: a file and two byte offsets. Lines and columns are
//! worked out only when somebody asks, from the line starts that [`Sources`] keeps for each text.
//! Texts are never removed, so that a message about a module can point into it as long as the
//! session lives.

use std::ops::Range;
use std::sync::Arc;

/// A source text of a session: a file, standard input, a command line argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A stretch of one source text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The text that it lies in.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// The stretch from the beginning of `self` to the end of `other`.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty stretch just after `self`.
    pub fn after(self) -> Span {
        Span { start: self.end, ..self }
    }

    /// The bytes of the text.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A place for people: both numbers begin with 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// One source text with the name it is called by in messages.
#[derive(Clone, Debug)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
    line_starts: Vec<u32>,
}

impl Source {
    /// The name that messages call it by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text itself.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Line and column of a byte.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line_idx = self.line_starts.partition_point(|&start| start <= offset) - 1;
        let mut end = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &self.text[self.line_starts[line_idx] as usize..end];
        LineColumn { line: line_idx as u32 + 1, column: before.chars().count() as u32 + 1 }
    }

    /// The text of a line (counted from 1), without its line end.
    pub fn line(&self, line: u32) -> &str {
        &self.text[self.line_range(line)]
    }

    /// The bytes of a line (counted from 1), without its line end.
    pub fn line_range(&self, line: u32) -> Range<usize> {
        let idx = line as usize - 1;
        let start = self.line_starts[idx] as usize;
        let end = self.line_starts.get(idx + 1).map_or(self.text.len(), |&next| next as usize);
        start..start + self.text[start..end].trim_end_matches(['\n', '\r']).len()
    }
}

/// All source texts of a session.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    sources: Vec<Source>,
}

impl Sources {
    /// No text yet.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Takes a text in. A text is cut off at 4 GB, the most that a [`Span`] can address.
    pub fn add(&mut self, name: &str, text: &str) -> FileId {
        let mut end = text.len().min(u32::MAX as usize);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = &text[..end];
        let line_starts =
            std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1));
        self.sources.push(Source {
            name: name.into(),
            text: text.into(),
            line_starts: line_starts.collect(),
        });
        FileId(self.sources.len() as u32 - 1)
    }

    /// One of the texts.
    pub fn get(&self, file: FileId) -> &Source {
        &self.sources[file.0 as usize]
    }

    /// The text of a stretch.
    pub fn text(&self, span: Span) -> &str {
        &self.get(span.file).text[span.range()]
    }

    /// Line and column of the beginning of a stretch.
    pub fn line_column(&self, span: Span) -> LineColumn {
        self.get(span.file).line_column(span.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one() {
        let mut sources = Sources::new();
        let file = sources.add("a.maude", "ab\n\u{e9}x\n");
        let at = |offset| sources.get(file).line_column(offset);
        assert_eq!(at(0), LineColumn { line: 1, column: 1 });
        assert_eq!(at(2), LineColumn { line: 1, column: 3 });
        assert_eq!(at(3), LineColumn { line: 2, column: 1 });
        assert_eq!(at(5), LineColumn { line: 2, column: 2 });
        assert_eq!(at(7), LineColumn { line: 3, column: 1 });
        assert_eq!(sources.get(file).line(2), "\u{e9}x");
        assert_eq!(sources.get(file).line(3), "");
    }
}
