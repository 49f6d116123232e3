//! What a session answers, as values, and the settings that say how much of it is shown.
//!
//! Answers hold terms and sorts. Commands make them, reports turn them into text, and listeners
//! take them: all three know this module, and it knows none of them.

mod context;
mod profile;
mod settings;
mod term;
mod value;

pub use context::{AnswerContext, AnswerNode};
pub use profile::{AnswerDefinition, FragmentCounts, ProfileEntry, Profiled, UseCounts};
pub use settings::Settings;
pub use term::{AnswerStatement, AnswerTerm};
pub use value::{Answer, Bindings, Echo, EchoRest, MatchedPortion, RuleLayout, Statistics};

pub(crate) use context::ModuleContext;
