//! Terms to text, and the wrapping of lines.
//!
//! A [`Notation`] says how the symbols of a theory are written; a [`Printer`] turns static terms,
//! conditions, statements and strategies into text. [`Wrapper`] wraps the lines of a stream.

mod form;
mod literals;
mod notation;
mod options;
mod outlet;
mod statement;
mod strategy;
mod term;
mod wrap;

pub use literals::{float_text, string_text};
pub use notation::Notation;
pub use options::PrintOptions;
pub use outlet::{Outlet, Sink};
pub use statement::StatementWords;
pub use term::{DeclaredSorts, ModuleNames, NameTexts, NoSorts, Printer, TermSorts};
pub use wrap::{DEFAULT_WIDTH, Wrapper};

#[cfg(test)]
mod law_tests;
#[cfg(test)]
mod oracle_tests;
#[cfg(test)]
mod tests;
