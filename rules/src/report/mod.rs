//! Answers as text, in the layout of the reference (`docs/semantics.md` 9.1, 5.5, 6.1, 7.7).

mod layout;
mod profile;

pub use layout::{SEPARATOR, pass_on, render};
