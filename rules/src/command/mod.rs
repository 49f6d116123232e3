//! What commands mean: settings, and answers as values.

mod answer;
mod printing;
mod run;
mod running;
mod settings;
mod show;
mod show_graph;
mod strategy;

pub use answer::{Answer, Bindings, Statistics, Valued};
pub use settings::Settings;

pub(crate) use running::Running;
