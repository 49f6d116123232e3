//! What commands mean: the settings change, the engine runs, and answers come.
//!
//! A command works on the parts of a session that it needs: its modules, its evaluator, its reports
//! and settings. It knows neither the session nor files; commands about these are the session's own.

mod evaluator;
mod execution;
mod modules;
mod profiles;
mod reading;
mod reports;
mod running;
mod show;
mod show_graph;

pub use reports::Status;

pub(crate) use evaluator::Evaluator;
pub(crate) use execution::{Done, Execution};
pub(crate) use modules::Modules;
pub(crate) use reports::Reports;
