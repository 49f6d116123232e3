//! Errors and warnings as plain data.
//!
//! A [`Diagnostic`] says what is wrong, where, and what to do; a renderer turns it into text. Each
//! family of diagnostics has a file of its own with the constructors, so that wording and code
//! stand in one place. The hundreds of a code are its family:
//!
//! | codes | family |
//! | --- | --- |
//! | B00xx | characters and tokens |
//! | B01xx | terms that do not parse, or not in one way (in `mixfix`) |
//! | B02xx | statements: variables, attributes, kinds |
//! | B03xx | the outer shape of modules, statements and commands |
//! | B04xx | attributes of operators and statements |
//! | B05xx | modules: imports, parameters, views |
//! | B06xx | signatures: sorts, subsorts, operators, variables |
//! | B07xx | commands |
//! | B08xx | files and flags |
//! | B09xx | what is not supported yet |

pub mod attributes;
pub mod command;
mod diagnostic;
mod invisible;
pub mod module;
pub mod outer;
mod render;
mod similar;
pub mod tokens;

pub(crate) use diagnostic::shortened;
pub use diagnostic::{Code, Diagnostic, Label, Severity, dedupe, merge_by_place};
pub use invisible::{Invisible, invisible_character};
pub use render::render_short;
pub use similar::{most_similar, most_similar_of};
