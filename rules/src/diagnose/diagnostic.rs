//! What a diagnostic is.

use crate::syntax::Span;

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

/// The diagnostics without repetitions, in the order in which they came.
pub fn dedupe(diagnostics: impl IntoIterator<Item = Diagnostic>) -> Vec<Diagnostic> {
    let mut seen: indexmap::IndexSet<Diagnostic, rustc_hash::FxBuildHasher> =
        indexmap::IndexSet::default();
    seen.extend(diagnostics);
    seen.into_iter().collect()
}
