//! What a profile tells: how often each operator and statement of a module was used.

use std::sync::Arc;

use broth_engine::{Definition, StaticTerms, SymbolId};

use super::term::AnswerStatement;
use crate::module::StatementAttributes;

/// A definition of a strategy.
#[derive(Clone)]
pub struct AnswerDefinition {
    pub(super) terms: Arc<StaticTerms>,
    pub(super) definition: Definition,
    pub(super) attributes: StatementAttributes,
}

impl AnswerDefinition {
    /// A definition of a theory, with its attributes.
    pub(crate) fn new(
        terms: &Arc<StaticTerms>,
        definition: Definition,
        attributes: StatementAttributes,
    ) -> AnswerDefinition {
        AnswerDefinition { terms: Arc::clone(terms), definition, attributes }
    }
}

impl std::fmt::Debug for AnswerDefinition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AnswerDefinition").finish_non_exhaustive()
    }
}

/// What was used.
#[derive(Clone, Debug)]
pub enum Profiled {
    /// A builtin operator.
    Operator(SymbolId),
    /// An equation, membership or rule.
    Statement(AnswerStatement),
    /// A definition of a strategy.
    Definition(AnswerDefinition),
}

/// How often a statement was used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UseCounts {
    /// Applications.
    pub rewrites: u64,
    /// Matches of the left side of a statement with a condition.
    pub matches: u64,
    /// The fragments of its condition.
    pub fragments: Vec<FragmentCounts>,
}

/// What became of a fragment of a condition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FragmentCounts {
    /// Tried after what stands before it was solved.
    pub tries: u64,
    /// Tried again for another solution.
    pub tries_again: u64,
    /// With a solution.
    pub successes: u64,
    /// Without.
    pub failures: u64,
}

/// A line or table of a profile.
#[derive(Clone, Debug)]
pub struct ProfileEntry {
    /// What was used.
    pub used: Profiled,
    /// How often.
    pub counts: UseCounts,
}
