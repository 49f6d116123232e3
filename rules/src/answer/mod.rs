//! What a session answers, as values, and the settings that say how much of it is shown.
//!
//! Commands make answers, reports turn them into text, and listeners take them: all three know this
//! module, and it knows none of them.

mod settings;
mod value;

pub use settings::Settings;
pub use value::{Answer, Bindings, Statistics, Valued};
