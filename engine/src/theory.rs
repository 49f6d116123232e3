//! Theories: what is finished before anything runs.

use std::sync::{Arc, OnceLock};

use crate::code::{StatementTables, TheoryCode};
use crate::fidelity::Fidelity;
use crate::signature::Signature;
use crate::statement::{Definition, Statement};
use crate::term::StaticTerms;

/// The parts that a theory is made of.
#[derive(Clone, Default)]
pub struct TheoryParts {
    /// Sorts, kinds and symbols, all that there will ever be.
    pub signature: Signature,
    /// The terms of the statements.
    pub terms: StaticTerms,
    /// Own statements first, then those of the imports, in the order in which they are tried
    /// (`docs/semantics.md` 3.2).
    pub statements: Vec<Statement>,
    /// Strategies that can be called.
    pub strategies: Vec<Definition>,
}

/// A theory: signature, static terms, statements and their code. It is never changed, is shared
/// between threads, and is freed when nobody holds it.
pub struct Theory {
    signature: Signature,
    terms: Arc<StaticTerms>,
    tables: Arc<StatementTables>,
    strategies: Arc<[Definition]>,
    /// The default and the plain code, then the same for whoever is watched, each made when it is
    /// first wanted.
    codes: [OnceLock<Arc<TheoryCode>>; 4],
}

impl Theory {
    /// Finishes a theory.
    pub fn new(parts: TheoryParts) -> Arc<Theory> {
        let TheoryParts { signature, terms, statements, strategies } = parts;
        let tables = Arc::new(StatementTables::new(&signature, &terms, statements));
        Arc::new(Theory {
            signature,
            terms: Arc::new(terms),
            tables,
            strategies: strategies.into(),
            codes: Default::default(),
        })
    }

    /// Its sorts, kinds and symbols.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The terms of its statements, on top of which a command has terms of its own.
    pub fn terms(&self) -> &Arc<StaticTerms> {
        &self.terms
    }

    /// Its statements.
    pub fn statements(&self) -> &[Statement] {
        &self.tables.statements
    }

    /// The definitions of its strategies.
    pub fn strategies(&self) -> &Arc<[Definition]> {
        &self.strategies
    }

    /// The code for a mode, right for all symbols that `signature` has as mentioned.
    pub(crate) fn code(
        &self,
        plain: bool,
        watched: bool,
        signature: &Signature,
    ) -> Arc<TheoryCode> {
        let (fidelity, tables) = (Fidelity::new(plain), &self.tables);
        let compile = |signature| {
            Arc::new(TheoryCode::new(signature, &self.terms, tables, fidelity, watched))
        };
        let kind = usize::from(plain) + 2 * usize::from(watched);
        let code = self.codes[kind].get_or_init(|| compile(&self.signature));
        if code.is_right_for(signature) { Arc::clone(code) } else { compile(signature) }
    }
}
