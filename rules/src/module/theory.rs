//! Theories: what the engine is given when a command first uses a module.

use std::sync::Arc;

use broth_engine::{Definition, Theory as EngineTheory, TheoryParts};
use rustc_hash::FxHashMap;

use super::evaluate::ModuleBuilder;
use super::first_use;
use super::instantiate::{Instantiation, engine_statement, normalise_statement};
use super::library::State;
use super::loaded::{Body, Loaded, StatementAttributes, Theory, TheoryStatement, Vocabulary};
use super::symbols;
use super::translate::Translation;
use crate::syntax::{Name, StatementKind};

impl ModuleBuilder<'_> {
    /// Closes a module for commands: makes its theory with all imported statements, and says what
    /// is said at first use.
    pub fn theory(&mut self, name: Name) -> Option<Arc<EngineTheory>> {
        let loaded = self.library.loaded(name)?;
        if let Some(theory) = &loaded.theory {
            return Some(Arc::clone(&theory.engine));
        }
        // The module is taken out of the library while terms of its imports are made in it.
        let entry = self.library.get_mut(name)?;
        let State::Ready(own, mut loaded) = std::mem::replace(&mut entry.state, State::Stale)
        else {
            return None;
        };
        let mut all = loaded.own_theory.clone();
        let mut definitions = loaded.own_definitions.clone();
        let walk = loaded.flat.walk.clone();
        for import in &walk[..walk.len() - 1] {
            self.import_statements(*import, &mut loaded, &mut all, &mut definitions);
        }
        first_use::check(self, &loaded, &all);
        symbols::complete(&mut loaded.flat, &mut loaded.vocabulary.signature, self.names);
        loaded.defined = definitions.iter().map(|(d, _)| d.strategy).collect();
        let (definitions, attributes) = definitions.into_iter().unzip();
        let statements = all.iter().zip(0..);
        let engine = EngineTheory::new(TheoryParts {
            signature: loaded.vocabulary.signature.clone(),
            terms: std::mem::take(&mut loaded.vocabulary.terms),
            statements: statements
                .map(|(statement, source)| engine_statement(statement, source, self.names))
                .collect(),
            strategies: definitions,
        });
        loaded.theory =
            Some(Theory { engine: Arc::clone(&engine), statements: all, definitions: attributes });
        loaded.begin_command();
        self.library.get_mut(name)?.state = State::Ready(own, loaded);
        Some(engine)
    }

    /// Makes the statements of an imported module in the theory of `loaded`: memberships,
    /// equations, rules, strategy definitions.
    fn import_statements(
        &mut self,
        import: Name,
        loaded: &mut Loaded,
        all: &mut Vec<TheoryStatement>,
        definitions: &mut Vec<(Definition, StatementAttributes)>,
    ) {
        let Some(from) = self.library.loaded(import) else { return };
        let Vocabulary { signature, terms } = &mut loaded.vocabulary;
        for kind in [
            StatementKind::Membership,
            StatementKind::Equation,
            StatementKind::Rule,
            StatementKind::StrategyDefinition,
        ] {
            for statement in from.statements.iter().filter(|s| s.kind == kind) {
                let mut instantiation = Instantiation {
                    origin: &from.origin,
                    flat: &mut loaded.flat,
                    signature: &mut *signature,
                    terms: &mut *terms,
                    names: self.names,
                };
                let raw = match &statement.body {
                    Body::Read(tree, reading) => instantiation.raw_statement(tree, reading),
                    Body::Definition(..) if statement.attributes.nonexec => continue,
                    Body::Definition(tree, reading) => {
                        let definition = instantiation.definition(tree, reading);
                        definitions.push((definition, statement.attributes.clone()));
                        continue;
                    }
                    Body::Completed(completed) => Translation {
                        from: &from.flat,
                        from_signature: &from.vocabulary.signature,
                        from_terms: &from.vocabulary.terms,
                        to: &mut loaded.flat,
                        signature: &mut *signature,
                        terms: &mut *terms,
                        names: self.names,
                        done: FxHashMap::default(),
                    }
                    .statement(completed),
                };
                all.push(normalise_statement(signature, terms, &raw, statement));
            }
        }
    }
}
