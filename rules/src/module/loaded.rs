//! A module that is ready: flattened, with its grammar and its statements.

use std::sync::Arc;

use broth_engine::{SortId, StaticId, TheoryId};

use super::describe::Origin;
use super::flat::Flat;
use crate::mixfix::{DefinitionReading, Description, Grammar, StatementReading, Tree};
use crate::syntax::{Name, Span, StatementKind};

/// A module that is ready to be imported and used.
pub struct Loaded {
    /// Sorts and operators.
    pub flat: Flat,
    /// What its grammar was made from.
    pub description: Arc<Description>,
    /// What the places of the description stand for.
    pub origin: Origin,
    /// Its term grammar.
    pub grammar: Grammar,
    /// Its own statements that could be read, in textual order.
    pub statements: Vec<OwnStatement>,
    /// Its own statements as terms; what `theory` starts with.
    pub own_theory: Vec<TheoryStatement>,
    /// Its own strategy definitions as terms.
    pub own_definitions: Vec<broth_engine::Definition>,
    /// The theory with the imported statements, once a command has used it.
    pub theory: Option<Theory>,
    /// Identity elements of its own operators.
    pub identities: Vec<super::identities::OwnIdentity>,
}

impl std::fmt::Debug for Loaded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Loaded").field("walk", &self.flat.walk).finish_non_exhaustive()
    }
}

/// The theory of a module.
#[derive(Debug)]
pub struct Theory {
    /// As the engine calls it.
    pub id: TheoryId,
    /// All statements, by the number that the engine has as their source.
    pub statements: Vec<TheoryStatement>,
}

/// What a statement's attributes say.
#[derive(Clone, Debug, Default)]
pub struct StatementAttributes {
    /// `nonexec`.
    pub nonexec: bool,
    /// `owise`.
    pub owise: bool,
    /// `variant`.
    pub variant: bool,
    /// `narrowing`.
    pub narrowing: bool,
    /// `dnt`.
    pub dnt: bool,
    /// `label l`, or `[l] :` in front.
    pub label: Option<Name>,
    /// `metadata`.
    pub metadata: Option<Name>,
}

/// A statement of a module as it was read there.
#[derive(Debug)]
pub struct OwnStatement {
    /// What kind of statement.
    pub kind: StatementKind,
    /// Its attributes.
    pub attributes: StatementAttributes,
    /// Where it stands.
    pub span: Span,
    /// Its terms.
    pub body: Body,
    /// It uses a variable that nothing binds, so it is never used.
    pub unusable: bool,
}

/// The terms of a statement.
#[derive(Debug)]
pub enum Body {
    /// As they were read.
    Read(Tree, StatementReading),
    /// As they were read, for a strategy definition.
    Definition(Tree, DefinitionReading),
    /// With completed objects, as raw terms of the module that declares it.
    Completed(Terms),
}

/// The terms of a statement in some theory.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The left side.
    pub left: StaticId,
    /// What follows.
    pub conclusion: Conclusion,
    /// The condition.
    pub condition: Vec<broth_engine::Fragment>,
}

/// The right side of a statement.
#[derive(Clone, Copy, Debug)]
pub enum Conclusion {
    /// A term.
    Term(StaticId),
    /// A sort.
    Sort(SortId),
}

/// A statement of a theory, for messages and `show`.
#[derive(Clone, Debug)]
pub struct TheoryStatement {
    /// What kind of statement.
    pub kind: StatementKind,
    /// Its attributes.
    pub attributes: StatementAttributes,
    /// Its terms; the left side and patterns fully normalised, the rest partially.
    pub terms: Terms,
    /// It is never used.
    pub unusable: bool,
    /// Where it stands.
    pub span: Span,
}
