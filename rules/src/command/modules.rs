//! The modules of a session, and the one that commands mean when they name none.

use broth_engine::Limits;

use crate::answer::{AnswerContext, AnswerStatement, ModuleContext, Settings};
use crate::diagnose::{command as messages, module as module_messages};
use crate::module::{
    Instantiation, Library, Loaded, ModuleBuilder, ModuleTrouble, engine_statement,
};
use crate::syntax::{Name, Names, Sources, Span, Token};

use super::reports::Reports;

/// The modules of a session with the tables that they are made with.
pub(crate) struct Modules {
    /// What has been read.
    pub library: Library,
    /// Names.
    pub names: Names,
    /// Texts.
    pub sources: Sources,
    /// The module that commands mean when they name none.
    pub current: Option<Name>,
    /// What bounds the making of modules.
    pub limits: Limits,
}

impl Modules {
    /// What makes modules ready.
    pub fn builder<'a>(&'a mut self, reports: &'a mut Reports) -> ModuleBuilder<'a> {
        ModuleBuilder {
            library: &mut self.library,
            names: &mut self.names,
            sources: &mut self.sources,
            diagnostics: &mut reports.waiting,
            limits: &self.limits,
        }
    }

    /// The name of a module in a command.
    pub fn named(&self, tokens: &[Token], span: Span, reports: &mut Reports) -> Option<Name> {
        match tokens {
            [token] => Some(token.name),
            [] => {
                if self.current.is_none() {
                    reports.report(messages::no_current_module(span));
                }
                self.current
            }
            _ => {
                reports.report(messages::expression_in_command(span));
                None
            }
        }
    }

    /// Makes a module ready; if that cannot be done, reports why.
    pub fn make_ready(&mut self, module: Name, span: Span, reports: &mut Reports) -> bool {
        let Err(trouble) = self.builder(reports).require(module, span) else { return true };
        let text = self.names.text(module);
        reports.report(match trouble {
            ModuleTrouble::Unknown => module_messages::no_module(text, span),
            ModuleTrouble::Missing => module_messages::missing_library_module(text, span),
            ModuleTrouble::Unusable => module_messages::unusable(text, span),
        });
        false
    }

    /// A module that is ready.
    pub fn loaded(&self, module: Name) -> &Loaded {
        self.library.loaded(module).expect("the module of a command is ready")
    }

    /// The same, to change.
    pub fn loaded_mut(&mut self, module: Name) -> &mut Loaded {
        self.library.loaded_mut(module).expect("the module of a command is ready")
    }

    /// Everything that turns readings into terms of a module that is ready.
    pub fn instantiation(&mut self, module: Name) -> Instantiation<'_> {
        let loaded = self.library.loaded_mut(module).expect("the module of a command is ready");
        Instantiation {
            origin: &loaded.origin,
            flat: &mut loaded.flat,
            signature: &mut loaded.vocabulary.signature,
            terms: &mut loaded.vocabulary.terms,
            names: &self.names,
        }
    }

    /// What makes text of answers about the current module.
    pub fn context<'a>(&'a mut self, settings: &'a Settings) -> AnswerContext<'a> {
        let loaded = self.current.and_then(|module| self.library.loaded_mut(module));
        let module = loaded.map(|loaded| {
            loaded.update_notation();
            ModuleContext {
                notation: &loaded.notation,
                signature: &loaded.vocabulary.signature,
                numbered: &loaded.flat.name_texts,
            }
        });
        AnswerContext::new(settings, &self.names, module)
    }

    /// A statement of a module's theory, by its number there.
    pub fn statement(&self, module: Name, number: usize) -> Option<AnswerStatement> {
        let theory = self.library.loaded(module)?.theory.as_ref()?;
        let statement = theory.statements.get(number)?;
        let mut engine = engine_statement(statement, 0, &self.names);
        engine.nonexec = statement.attributes.nonexec;
        Some(AnswerStatement::new(theory.engine.terms(), engine, statement.attributes.clone()))
    }
}
