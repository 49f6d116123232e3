//! Solving: where the language is recursive. A condition may search, a search applies rules, and a rule
//! has conditions.
//!
//! A *trial* is a pattern on a subject with a condition (`condition.rs`); *applications* are the
//! trials of rules at the positions of a term (`application.rs`, `position.rs`); a *graph* has the
//! states that applications lead to (`graph.rs`), and is what an `=>` fragment of a condition
//! searches. Each is an iterator that can be parked between two solutions. They nest only through
//! `ConditionTrial`, whose steps hold the searches of its fragments. None of them calls the next: what
//! needs a state of a search waits for it, and `Worker::run_search` (`reaching.rs`) runs the searches
//! on one stack.

mod application;
mod condition;
mod failures;
mod graph;
mod outcome;
mod position;
mod problem;
mod reaching;
mod selection;
mod watching;

pub(crate) use application::{Applications, Surroundings};
use condition::SolvedFragment;
pub(crate) use condition::{ConditionTrial, parts_of};
pub(crate) use failures::Failures;
pub(crate) use graph::{Graph, Reach};
pub(crate) use position::{Kinds, MetPositions, Path};
pub(crate) use problem::{Problem, Scope};
pub(crate) use reaching::FinishedSearches;
pub(crate) use selection::{RuleUse, Selection};
