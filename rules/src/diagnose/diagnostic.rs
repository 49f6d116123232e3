//! What a diagnostic is.

use crate::source::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A statement or command was dropped.
    Error,
    /// Repaired or doubtful, and done.
    Warning,
    /// The rest.
    Advice,
}

impl Severity {
    /// The word in front of a message.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Advice => "advice",
        }
    }
}

/// The code of a diagnostic, printed as `B0104`. The hundreds are the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub u16);

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "B{:04}", self.0)
    }
}

/// A place with a few words about it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The words, perhaps none.
    pub text: String,
}

/// One message to the user.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Its code.
    pub code: Code,
    /// What is wrong: lower case, no final period.
    pub message: String,
    /// Where; messages about flags and missing files have no place.
    pub primary: Option<Label>,
    /// Other places that matter.
    pub secondary: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A message at a place.
    pub fn new(severity: Severity, code: Code, message: impl Into<String>, span: Span) -> Self {
        let primary = Some(Label { span, text: String::new() });
        Diagnostic { primary, ..Diagnostic::without_place(severity, code, message) }
    }

    /// A message that has no place.
    pub fn without_place(severity: Severity, code: Code, message: impl Into<String>) -> Self {
        Diagnostic {
            severity,
            code,
            message: message.into(),
            primary: None,
            secondary: Vec::new(),
            help: None,
        }
    }

    /// Says something about the primary place.
    #[must_use]
    pub fn with_label(mut self, text: impl Into<String>) -> Self {
        if let Some(primary) = &mut self.primary {
            primary.text = text.into();
        }
        self
    }

    /// Shows another place.
    #[must_use]
    pub fn with_secondary(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn with_help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}

/// The longest word that a message repeats.
const LONGEST_WORD: usize = 80;

/// The beginning of a word that is too long to be repeated.
pub(crate) fn shortened(word: &str) -> String {
    match word.char_indices().nth(LONGEST_WORD) {
        Some(_) => word.chars().take(LONGEST_WORD / 2).chain(['\u{2026}']).collect(),
        None => word.to_owned(),
    }
}

/// Merges two neighbouring runs of diagnostics, from `from` and from `middle` on, by their places.
/// Each run keeps its own order, whatever that is.
pub fn merge_by_place(all: &mut Vec<Diagnostic>, from: usize, middle: usize) {
    let place = |found: &Diagnostic| found.primary.as_ref().map(|label| label.span);
    let second = all.split_off(middle);
    let first = all.split_off(from);
    let mut first = first.into_iter().peekable();
    for next in second {
        while let Some(earlier) = first.next_if(|earlier| match (place(earlier), place(&next)) {
            (Some(earlier), Some(next)) => earlier.file == next.file && earlier <= next,
            _ => false,
        }) {
            all.push(earlier);
        }
        all.push(next);
    }
    all.extend(first);
}

/// The diagnostics without repetitions, in the order in which they came.
pub fn dedupe(diagnostics: impl IntoIterator<Item = Diagnostic>) -> Vec<Diagnostic> {
    let mut seen: indexmap::IndexSet<Diagnostic, rustc_hash::FxBuildHasher> =
        indexmap::IndexSet::default();
    seen.extend(diagnostics);
    seen.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    #[test]
    fn runs_are_merged_and_keep_their_order() {
        let at = |code, place: u32| {
            let span = Span { file: FileId(0), start: place, end: place };
            Diagnostic::new(Severity::Error, Code(code), "", span)
        };
        let nowhere = Diagnostic::without_place(Severity::Error, Code(9), "");
        let mut all = vec![at(0, 50), at(1, 3), at(2, 20), at(3, 6), at(4, 4), at(5, 30), nowhere];
        merge_by_place(&mut all, 1, 3);
        let codes: Vec<u16> = all.iter().map(|found| found.code.0).collect();
        assert_eq!(codes, [0, 1, 3, 4, 2, 5, 9]);
    }
}
