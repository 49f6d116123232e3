//! Diagnostics as text: the long form with the lines of the source, and the short one-line form.
//!
//! Only a window of a long line is shown, since a line may have a million characters.

use super::{Diagnostic, Label, Severity};
use crate::syntax::{Sources, Span};

/// The most characters of a source line that are shown.
const WINDOW: usize = 100;

/// `file:line:column: error[B0104]: text`, without a line end.
pub fn render_short(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let Diagnostic { severity, code, message, .. } = diagnostic;
    let text = format!("{}[{code}]: {message}", severity.word());
    match &diagnostic.primary {
        Some(label) => {
            let at = sources.line_column(label.span);
            let name = sources.get(label.span.file).name();
            format!("{name}:{}:{}: {text}", at.line, at.column)
        }
        None => text,
    }
}

/// The message with the source lines that it is about, every line with its line end.
pub fn render_text(diagnostic: &Diagnostic, sources: &Sources, colour: bool) -> String {
    let paint = Paint { colour, severity: diagnostic.severity };
    let mut out = String::new();
    let head = format!("{}[{}]", diagnostic.severity.word(), diagnostic.code);
    out +=
        &format!("{}{}\n", paint.strong(&head), paint.bold(&format!(": {}", diagnostic.message)));
    let mut margin = 1;
    if let Some(primary) = &diagnostic.primary {
        let marks = marks(diagnostic, primary, sources);
        let last = marks.iter().map(|mark| mark.line).max().unwrap_or(1);
        margin = last.to_string().len();
        let at = sources.line_column(primary.span);
        let name = sources.get(primary.span.file).name();
        let arrow = paint.frame(&format!("{:margin$}-->", ""));
        out += &format!("{arrow} {name}:{}:{}\n", at.line, at.column);
        out += &format!("{}\n", paint.frame(&format!("{:margin$} |", "")));
        let mut previous: Option<(&Mark, u32)> = None;
        for mark in &marks {
            let same_file = previous.is_none_or(|(old, _)| old.span.file == mark.span.file);
            if !same_file {
                let name = sources.get(mark.span.file).name();
                let arrow = paint.frame(&format!("{:margin$}:::", ""));
                out += &format!("{arrow} {name}:{}\n", mark.line);
            } else if previous.is_some_and(|(_, line)| mark.line > line + 1) {
                out += &format!("{}\n", paint.frame("..."));
            }
            let repeated = same_file && previous.is_some_and(|(_, line)| line == mark.line);
            out += &snippet(mark, sources, margin, repeated, &paint);
            previous = Some((mark, mark.line));
        }
    }
    if let Some(help) = &diagnostic.help {
        let frame = paint.frame(&format!("{:margin$} =", ""));
        out += &format!("{frame} {} {help}\n", paint.bold("help:"));
    }
    out
}

/// A label with its line.
struct Mark<'a> {
    line: u32,
    span: Span,
    is_primary: bool,
    text: &'a str,
}

/// The labels in the order of the lines, those of the primary's file first.
fn marks<'a>(diagnostic: &'a Diagnostic, primary: &'a Label, sources: &Sources) -> Vec<Mark<'a>> {
    let mark = |label: &'a Label, is_primary| Mark {
        line: sources.line_column(label.span).line,
        span: label.span,
        is_primary,
        text: &label.text,
    };
    let mut marks = vec![mark(primary, true)];
    marks.extend(diagnostic.secondary.iter().map(|label| mark(label, false)));
    let file = primary.span.file;
    marks.sort_by_key(|mark| (mark.span.file != file, mark.span.file, mark.line, mark.span.start));
    marks
}

/// A source line and the marks under it; only the marks if the line was just shown.
fn snippet(mark: &Mark, sources: &Sources, margin: usize, repeated: bool, paint: &Paint) -> String {
    let source = sources.get(mark.span.file);
    let line = source.line(mark.line);
    let start = source.line_column(mark.span.start).column as usize - 1;
    let text = sources.text(mark.span);
    let on_line = text.split('\n').next().unwrap_or_default();
    let length = on_line.chars().count().max(1);

    let n_characters = line.chars().count();
    let first = if n_characters > WINDOW { start.saturating_sub(WINDOW / 2) } else { 0 };
    let shown: String = line.chars().skip(first).take(WINDOW).map(printable).collect();
    let dots = |wanted: bool| if wanted { "..." } else { "" };
    let left = dots(first > 0);
    let right = dots(first + WINDOW < n_characters);
    let blanks = start - first + left.len();
    let length = length.min((first + WINDOW).saturating_sub(start).max(1));

    let mut out = String::new();
    if !repeated {
        let frame = paint.frame(&format!("{:>margin$} |", mark.line));
        out += format!("{frame} {left}{shown}{right}").trim_end();
        out.push('\n');
    }
    let sign = if mark.is_primary { "^" } else { "-" };
    let under = format!("{} {}", sign.repeat(length), mark.text);
    let under = under.trim_end();
    let under = if mark.is_primary { paint.strong(under) } else { paint.frame(under) };
    let frame = paint.frame(&format!("{:margin$} |", ""));
    out += &format!("{frame} {:blanks$}{under}\n", "");
    out
}

/// Tabs and other controls would move the marks.
fn printable(character: char) -> char {
    if character.is_control() { ' ' } else { character }
}

/// Escape sequences for a terminal, or none.
struct Paint {
    colour: bool,
    severity: Severity,
}

impl Paint {
    fn wrap(&self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn strong(&self, text: &str) -> String {
        let code = match self.severity {
            Severity::Error => "1;31",
            Severity::Warning => "1;33",
            Severity::Advice => "1;36",
        };
        self.wrap(code, text)
    }

    fn bold(&self, text: &str) -> String {
        self.wrap("1", text)
    }

    fn frame(&self, text: &str) -> String {
        self.wrap("1;34", text)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Code;
    use super::*;
    use crate::syntax::FileId;

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
    fn the_long_form_underlines_the_text() {
        let (sources, diagnostic) = example();
        let rendered = render_text(&diagnostic, &sources, false);
        insta::assert_snapshot!(rendered, @r"
        error[B0104]: no operator of M reads `celll` here
         --> rules.maude:2:18
          |
        2 |   rl [x] : < O : celll | pss : S > => none .
          |                  ^^^^^
          = help: `cell` is declared in line 4
        ");
    }

    #[test]
    fn other_places_are_shown_in_the_order_of_the_lines() {
        let (sources, diagnostic) = example();
        let opened = Span { file: FileId(0), start: 0, end: 3 };
        let diagnostic = diagnostic.with_label("here").with_secondary(opened, "in this module");
        let rendered = render_text(&diagnostic, &sources, false);
        insta::assert_snapshot!(rendered, @r"
        error[B0104]: no operator of M reads `celll` here
         --> rules.maude:2:18
          |
        1 | mod M is
          | --- in this module
        2 |   rl [x] : < O : celll | pss : S > => none .
          |                  ^^^^^ here
          = help: `cell` is declared in line 4
        ");
    }

    #[test]
    fn a_long_line_is_shown_in_part() {
        let mut sources = Sources::new();
        let file = sources.add("a.maude", &"(".repeat(1_000_000));
        let span = Span { file, start: 500_000, end: 500_001 };
        let diagnostic = Diagnostic::new(Severity::Error, Code(307), "not closed", span);
        assert!(render_text(&diagnostic, &sources, false).len() < 500);
    }

    #[test]
    fn the_short_form_is_one_line() {
        let (sources, diagnostic) = example();
        let rendered = render_short(&diagnostic, &sources);
        assert_eq!(rendered, "rules.maude:2:18: error[B0104]: no operator of M reads `celll` here");
    }
}
