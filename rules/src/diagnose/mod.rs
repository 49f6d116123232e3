//! Errors and warnings as plain data.
//!
//! A [`Diagnostic`] says what is wrong, where, and what to do; a renderer turns it into text. Each
//! family of diagnostics has a file of its own with the constructors, so that wording and code
//! stand in one place.

pub mod attributes;
mod diagnostic;
pub mod outer;
pub mod tokens;

pub use diagnostic::{Code, Diagnostic, Label, Severity, dedupe};
