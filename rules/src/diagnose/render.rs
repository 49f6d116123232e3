//! Diagnostics as lines of text, one each.

use super::Diagnostic;
use crate::source::Sources;

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

#[cfg(test)]
mod tests {
    use super::super::{Code, Severity};
    use super::*;
    use crate::source::Span;

    #[test]
    fn the_short_form_is_one_line() {
        let mut sources = Sources::new();
        let text = "mod M is\n  rl [x] : < O : celll | pss : S > => none .\nendm\n";
        let file = sources.add("rules.maude", text);
        let start = text.find("celll").expect("it is there") as u32;
        let span = Span { file, start, end: start + 5 };
        let message = "no operator of M reads `celll` here";
        let diagnostic = Diagnostic::new(Severity::Error, Code(104), message, span);
        assert_eq!(
            render_short(&diagnostic, &sources),
            "rules.maude:2:18: error[B0104]: no operator of M reads `celll` here"
        );
    }
}
