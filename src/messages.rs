//! Messages as text for people: the lines of the source with marks under them, drawn by
//! annotate-snippets.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use broth_rules::diagnose::{Diagnostic, Label, Severity};
use broth_rules::syntax::{Source, Sources, Span};

/// Marks of one file that are at most so many lines apart are shown in one piece.
const NEAR: u32 = 100;
/// Of a line with more bytes than this only the bytes around a mark are drawn.
const LONG: usize = 5000;
/// How many of them, on each side.
const AROUND: usize = 200;

/// The message with the source lines that it is about, every line with its line end.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, colour: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Advice => Level::INFO.with_name(Severity::Advice.word()),
    };
    let code = diagnostic.code.to_string();
    let mut group = Group::with_title(level.primary_title(diagnostic.message.as_str()).id(code));
    if let Some(primary) = &diagnostic.primary {
        for piece in pieces(diagnostic, primary, sources) {
            group = piece.draw(group, sources);
        }
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut text: String = renderer.render(&[group]);
    text.push('\n');
    text
}

/// A label with its line.
struct Mark<'a> {
    line: u32,
    is_primary: bool,
    label: &'a Label,
}

/// Marks that are shown together, by line.
struct Piece<'a>(Vec<Mark<'a>>);

/// The labels by file, that of the primary first, and by line.
fn pieces<'a>(diagnostic: &'a Diagnostic, primary: &'a Label, sources: &Sources) -> Vec<Piece<'a>> {
    let mark = |label: &'a Label, is_primary| {
        let line = sources.line_column(label.span).line;
        Mark { line, is_primary, label }
    };
    let mut marks = vec![mark(primary, true)];
    marks.extend(diagnostic.secondary.iter().map(|label| mark(label, false)));
    let file = primary.span.file;
    marks.sort_by_key(|mark| {
        let span = mark.label.span;
        (span.file != file, span.file, mark.line, span.start)
    });
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    for mark in marks {
        let file = mark.label.span.file;
        match pieces.last_mut() {
            Some(Piece(near))
                if near.last().is_some_and(|last| {
                    last.label.span.file == file && mark.line <= last.line + NEAR
                }) =>
            {
                near.push(mark);
            }
            _ => pieces.push(Piece(vec![mark])),
        }
    }
    pieces
}

impl<'a> Piece<'a> {
    fn draw(self, group: Group<'a>, sources: &'a Sources) -> Group<'a> {
        let Piece(mut marks) = self;
        let (Some(first), Some(last)) = (marks.first(), marks.last()) else { return group };
        let source = sources.get(first.label.span.file);
        let mut lines = first.line..=last.line;
        if lines.any(|line| source.line(line).len() > LONG) {
            // The place that is named first is the primary.
            marks.sort_by_key(|mark| !mark.is_primary);
            return marks.into_iter().fold(group, |group, mark| mark.draw_alone(group, source));
        }
        let text = source.text();
        let shown = source.line_range(first.line).start..source.line_range(last.line).end;
        let mut snippet = Snippet::source(&text[shown.clone()])
            .path(source.name())
            .line_start(first.line as usize);
        for mark in marks {
            snippet = snippet.annotation(mark.annotation(source, &shown));
        }
        group.element(snippet)
    }
}

impl<'a> Mark<'a> {
    /// What is marked of the mark's first line, in bytes of the source.
    fn range(&self, source: &Source) -> Range<usize> {
        let Span { start, end, .. } = self.label.span;
        let (start, line_end) = (start as usize, source.line_range(self.line).end);
        start.min(line_end)..(end as usize).min(line_end).max(start.min(line_end))
    }

    /// The mark in a text that shows a stretch of the source.
    fn annotation(&self, source: &Source, shown: &Range<usize>) -> Annotation<'a> {
        let Range { start, end } = self.range(source);
        let kind = if self.is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let text = Some(self.label.text.as_str()).filter(|text| !text.is_empty());
        kind.span(start - shown.start..end.min(shown.end) - shown.start).label(text)
    }

    /// Shows only a part of the line.
    fn draw_alone(self, group: Group<'a>, source: &'a Source) -> Group<'a> {
        let text = source.text();
        let line = source.line_range(self.line);
        let start = self.range(source).start;
        let mut shown =
            start.saturating_sub(AROUND).max(line.start)..(start + AROUND).min(line.end);
        while !text.is_char_boundary(shown.start) {
            shown.start -= 1;
        }
        while !text.is_char_boundary(shown.end) {
            shown.end += 1;
        }
        let at = source.line_column(start as u32);
        let origin = Origin::path(source.name()).line(at.line as usize);
        let snippet = Snippet::source(&text[shown.clone()])
            .line_start(self.line as usize)
            .annotation(self.annotation(source, &shown));
        group.element(origin.char_column(at.column as usize)).element(snippet)
    }
}

#[cfg(test)]
mod tests {
    use broth_rules::diagnose::Code;
    use broth_rules::syntax::FileId;

    use super::*;

    fn example() -> (Sources, Diagnostic) {
        let mut sources = Sources::new();
        let text = "mod M is\n  rl [x] : < O : celll | pss : S > => none .\nendm\n";
        let file = sources.add("rules.maude", text);
        let at = text.find("celll").expect("it is there") as u32;
        let span = Span { file, start: at, end: at + 5 };
        let message = "no operator of M reads `celll` here";
        let diagnostic = Diagnostic::new(Severity::Error, Code(104), message, span)
            .with_help("`cell` is declared in line 4");
        (sources, diagnostic)
    }

    #[test]
    fn the_text_is_underlined() {
        let (sources, diagnostic) = example();
        insta::assert_snapshot!(render(&diagnostic, &sources, false), @r"
        error[B0104]: no operator of M reads `celll` here
         --> rules.maude:2:18
          |
        2 |   rl [x] : < O : celll | pss : S > => none .
          |                  ^^^^^
          |
          = help: `cell` is declared in line 4
        ");
    }

    #[test]
    fn other_places_are_shown_in_the_order_of_the_lines() {
        let (sources, diagnostic) = example();
        let opened = Span { file: FileId(0), start: 0, end: 3 };
        let diagnostic = diagnostic.with_label("here").with_secondary(opened, "in this module");
        insta::assert_snapshot!(render(&diagnostic, &sources, false), @r"
        error[B0104]: no operator of M reads `celll` here
         --> rules.maude:2:18
          |
        1 | mod M is
          | --- in this module
        2 |   rl [x] : < O : celll | pss : S > => none .
          |                  ^^^^^ here
          |
          = help: `cell` is declared in line 4
        ");
    }

    #[test]
    fn of_a_stretch_of_lines_the_first_is_marked() {
        let (sources, diagnostic) = example();
        let whole = Span { file: FileId(0), start: 0, end: 57 };
        let diagnostic = Diagnostic { help: None, ..diagnostic }.with_secondary(whole, "all of it");
        insta::assert_snapshot!(render(&diagnostic, &sources, false), @r"
        error[B0104]: no operator of M reads `celll` here
         --> rules.maude:2:18
          |
        1 | mod M is
          | -------- all of it
        2 |   rl [x] : < O : celll | pss : S > => none .
          |                  ^^^^^
        ");
    }

    #[test]
    fn a_long_line_is_shown_in_part() {
        let mut sources = Sources::new();
        let file = sources.add("a.maude", &"(".repeat(1_000_000));
        let span = Span { file, start: 500_000, end: 500_001 };
        let diagnostic = Diagnostic::new(Severity::Error, Code(307), "not closed", span);
        insta::assert_snapshot!(render(&diagnostic, &sources, false), @r"
        error[B0307]: not closed
         --> a.maude:1:500001
          |
         ::: 
        1 | ...((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((...
          |                                                                    ^
        ");
    }

    #[test]
    fn the_end_of_a_text_can_be_marked() {
        let mut sources = Sources::new();
        let file = sources.add("a.maude", "fmod \u{6f22}\n");
        let span = Span { file, start: 9, end: 9 };
        let diagnostic = Diagnostic::new(Severity::Error, Code(301), "not closed", span);
        insta::assert_snapshot!(render(&diagnostic, &sources, false), @r"
        error[B0301]: not closed
         --> a.maude:2:1
          |
        2 |
          | ^
        ");
    }
}
