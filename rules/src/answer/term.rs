//! The terms and statements that answers hold.

use std::fmt;
use std::sync::Arc;

use broth_engine::{
    Readback, Signature, SortId, Statement, StaticId, StaticTerms, Term, Theory, Worker,
};
use rustc_hash::FxHashMap;

use crate::module::StatementAttributes;
use crate::print::{DeclaredSorts, NoSorts, TermSorts};

/// A term of an answer. It is over the symbols of the module that the command ran in, and lasts
/// whatever the session does next.
#[derive(Clone)]
pub struct AnswerTerm {
    pub(super) terms: Arc<StaticTerms>,
    pub(super) term: StaticId,
    sort: Option<SortId>,
    sorts: AnswerSorts,
}

/// What is known of the sorts of a term's parts, which `(t).S` shows.
#[derive(Clone)]
enum AnswerSorts {
    /// Those that the engine has computed.
    Computed(FxHashMap<StaticId, SortId>),
    /// They follow from the declarations.
    Declared,
    /// Nothing: the term has only been read.
    Unknown,
}

impl AnswerTerm {
    /// A result, as its worker has it.
    pub(crate) fn result(worker: &mut Worker, result: &Term) -> AnswerTerm {
        let Readback { terms, term, sorts } = worker.read_back(result);
        AnswerTerm {
            terms: Arc::new(terms),
            term,
            sort: result.sort(),
            sorts: AnswerSorts::Computed(sorts),
        }
    }

    /// A term as it was read, whose sorts have not been computed.
    pub(crate) fn unsorted(terms: &Arc<StaticTerms>, term: StaticId) -> AnswerTerm {
        let (terms, sorts) = (Arc::clone(terms), AnswerSorts::Unknown);
        AnswerTerm { terms, term, sort: None, sorts }
    }

    /// A term as it was read, with the sorts that follow from the declarations.
    pub(crate) fn declared(
        terms: &Arc<StaticTerms>,
        signature: &Signature,
        term: StaticId,
    ) -> AnswerTerm {
        let sort = Some(terms.least_sort(signature, term));
        AnswerTerm { terms: Arc::clone(terms), term, sort, sorts: AnswerSorts::Declared }
    }

    /// The sorts of its parts, where `declared` has those that follow from the declarations.
    pub(super) fn term_sorts<'a>(&'a self, declared: &'a DeclaredSorts<'a>) -> &'a dyn TermSorts {
        match &self.sorts {
            AnswerSorts::Computed(sorts) => sorts,
            AnswerSorts::Declared => declared,
            AnswerSorts::Unknown => &NoSorts,
        }
    }

    /// The least sort; nothing if it was not computed.
    pub fn sort(&self) -> Option<SortId> {
        self.sort
    }

    /// The terms that this one is part of, if they are made of those of a theory.
    pub(crate) fn terms_over(&self, theory: &Theory) -> Option<&Arc<StaticTerms>> {
        self.terms.is_over(theory.terms()).then_some(&self.terms)
    }

    /// Its place in its table of terms.
    pub(crate) fn id(&self) -> StaticId {
        self.term
    }
}

impl fmt::Debug for AnswerTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnswerTerm").field("term", &self.term).finish_non_exhaustive()
    }
}

/// A statement of an answer.
#[derive(Clone)]
pub struct AnswerStatement {
    pub(super) terms: Arc<StaticTerms>,
    pub(super) statement: Statement,
    pub(super) attributes: StatementAttributes,
}

impl AnswerStatement {
    /// A statement of a theory, with its attributes as they were written.
    pub(crate) fn new(
        terms: &Arc<StaticTerms>,
        statement: Statement,
        attributes: StatementAttributes,
    ) -> AnswerStatement {
        AnswerStatement { terms: Arc::clone(terms), statement, attributes }
    }
}

impl fmt::Debug for AnswerStatement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnswerStatement")
            .field("statement", &self.statement)
            .finish_non_exhaustive()
    }
}
