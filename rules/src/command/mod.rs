//! What commands mean: the settings change, the engine runs, and answers come.

mod printing;
mod run;
mod running;
mod show;
mod show_graph;
mod strategy;

pub use crate::answer::{Answer, Bindings, Settings, Statistics, Valued};

pub(crate) use running::Running;
