//! The rule language of Broth: text to theories and terms, and terms to text.
//!
//! A [`Session`] holds everything that has been read. Programs hand it texts and files and listen
//! to its [`answer::Answer`]s; `report` turns these into the text of the reference.

pub mod answer;
mod command;
pub mod diagnose;
pub mod mixfix;
mod module;
mod outside;
mod prelude;
pub mod print;
#[cfg(test)]
mod redefinition_tests;
pub mod report;
mod session;
#[cfg(test)]
mod session_tests;
pub mod source;
pub mod syntax;

pub use broth_engine::{Limits, Stop};
pub use command::Status;
pub use outside::{Clock, Files, Listener, Located, NoClock, NoFiles, Unreadable};
pub use session::{Flow, Session};
