//! A module that is ready: flattened, with its grammar and its statements.

use std::sync::Arc;

use broth_engine::{CommandTerms, Fragment, Signature, SortId, StaticId, StaticTerms, StrategyId};

use super::describe::Origin;
use super::flat::Flat;
use crate::mixfix::{
    DefinitionReading, Grammar, KindIndex, PolymorphIndex, StatementReading, Tree,
};
use crate::print::Notation;
use crate::syntax::{Name, Span, StatementKind};

/// What the statements of a module, and then the commands in it, are made of.
#[derive(Default)]
pub struct Vocabulary {
    /// Sorts and symbols.
    pub signature: Signature,
    /// The terms: those of the statements, and when these are complete, those of the present command.
    pub terms: StaticTerms,
}

impl Vocabulary {
    /// The partial normal form of a term as read.
    pub fn partial(&mut self, term: StaticId) -> StaticId {
        self.terms.normalise_partially(&self.signature, term)
    }

    /// The full normal form of a term as read.
    pub fn full(&mut self, term: StaticId) -> StaticId {
        self.terms.normalise(&self.signature, term)
    }
}

/// A module that is ready to be imported and used.
pub struct Loaded {
    /// Its signature and terms.
    pub vocabulary: Vocabulary,
    /// Sorts and operators.
    pub flat: Flat,
    /// What the places of the description stand for.
    pub origin: Origin,
    /// Its term grammar.
    pub grammar: Grammar,
    /// How its symbols are written.
    pub notation: Notation,
    /// Its own statements that could be read, in textual order.
    pub statements: Vec<OwnStatement>,
    /// Its own statements as terms; what `theory` starts with.
    pub own_theory: Vec<TheoryStatement>,
    /// Its own strategy definitions as terms.
    pub own_definitions: Vec<(broth_engine::Definition, StatementAttributes)>,
    /// The theory with the imported statements, once a command has used it.
    pub theory: Option<Theory>,
    /// Strategies with a definition, once there is a theory.
    pub defined: Vec<StrategyId>,
    /// Identity elements of its own operators.
    pub identities: Vec<super::identities::OwnIdentity>,
}

impl Loaded {
    /// Forgets the terms of the last command, to read another one.
    pub fn begin_command(&mut self) {
        if let Some(theory) = &self.theory {
            self.vocabulary.terms = StaticTerms::over(Arc::clone(theory.engine.terms()));
        }
    }

    /// The terms of a command that has been read.
    pub fn command_terms(&mut self) -> CommandTerms {
        let terms = std::mem::take(&mut self.vocabulary.terms);
        self.begin_command();
        CommandTerms { signature: self.vocabulary.signature.clone(), terms: Arc::new(terms) }
    }

    /// Tells the notation of the instances that have been made since it was last told.
    pub fn update_notation(&mut self) {
        for (symbol, operator, kind) in std::mem::take(&mut self.flat.new_instances) {
            let first = self.flat.operators[operator].declarations[0].id;
            let polymorph = self.origin.polymorphs.iter().position(|id| *id == first);
            let kind = self.flat.kinds.iter().position(|k| *k == kind);
            if let (Some(polymorph), Some(kind)) = (polymorph, kind) {
                let (polymorph, kind) = (PolymorphIndex(polymorph as u32), KindIndex(kind as u32));
                self.notation.add_instance(symbol, polymorph, kind);
            }
        }
    }
}

impl std::fmt::Debug for Loaded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Loaded").field("walk", &self.flat.walk).finish_non_exhaustive()
    }
}

/// The theory of a module.
pub struct Theory {
    /// As the engine has it.
    pub engine: Arc<broth_engine::Theory>,
    /// All statements, by the number that the engine has as their source.
    pub statements: Vec<TheoryStatement>,
    /// The attributes of the definitions of strategies, in the engine's order.
    pub definitions: Vec<StatementAttributes>,
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
    pub condition: Vec<Fragment>,
}

impl Terms {
    /// All terms of the statement.
    pub fn all(&self) -> Vec<StaticId> {
        let mut all = vec![self.left];
        if let Conclusion::Term(right) = self.conclusion {
            all.push(right);
        }
        for fragment in &self.condition {
            match *fragment {
                Fragment::Equal(a, b) | Fragment::Match(a, b) | Fragment::Rewrite(a, b) => {
                    all.extend([a, b]);
                }
                Fragment::Sort(t, _) => all.push(t),
            }
        }
        all
    }
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
