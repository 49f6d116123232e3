//! From a module's text to a module that is ready.

use std::sync::Arc;

use broth_engine::{Limits, Signature};
use rustc_hash::FxHashSet;

use super::describe::describe;
use super::flat::Flat;
use super::flatten::{Flattening, flatten};
use super::library::{Library, ModuleEntry, State};
use super::loaded::{Loaded, Vocabulary};
use super::own::Own;
use super::{identities, statements};
use crate::diagnose::module as messages;
use crate::diagnose::{Diagnostic, Label, Severity, merge_by_place};
use crate::mixfix::Grammar;
use crate::prelude;
use crate::print::Notation;
use crate::syntax::{self, Name, Names, Sources, Span, StatementKind};

/// Builds modules from what was read, with the tables of the session.
pub struct ModuleBuilder<'a> {
    /// The modules.
    pub library: &'a mut Library,
    /// Names.
    pub names: &'a mut Names,
    /// Texts.
    pub sources: &'a mut Sources,
    /// Where messages go.
    pub diagnostics: &'a mut Vec<Diagnostic>,
    /// What bounds the making of modules.
    pub limits: &'a Limits,
}

/// The reason for which a module is not usable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleTrouble {
    /// There is none of this name.
    Unknown,
    /// The language's library has it, and it is not built in yet.
    Missing,
    /// It has errors.
    Unusable,
}

/// A statement of a module that is to be replaced by the pieces that it should have been.
pub(super) struct Cut {
    /// Its place in the body.
    pub at: usize,
    /// The pieces.
    pub items: Vec<syntax::Item>,
    /// What is said of them.
    pub diagnostics: Vec<Diagnostic>,
}

impl ModuleBuilder<'_> {
    /// Enters a module that was read and evaluates it at once.
    pub fn enter(
        &mut self,
        module: syntax::Module,
        automatic: Vec<(syntax::ImportMode, Name)>,
    ) -> Result<(), ModuleTrouble> {
        let (name, span) = (module.name.name, module.name.span);
        let entry = ModuleEntry {
            source: Arc::new(module),
            automatic,
            standard: false,
            evaluated: false,
            state: State::Stale,
        };
        // A standard module that nobody has read yet is replaced all the same.
        let text = self.names.text(name).to_owned();
        let replaced = self.library.enter(name, entry) || prelude::text(&text).is_some();
        if replaced {
            self.diagnostics.push(messages::redefined(&text, span));
        }
        self.require(name, span)?;
        Ok(())
    }

    /// Makes a module ready, and all that it imports before it.
    pub fn require(&mut self, name: Name, span: Span) -> Result<(), ModuleTrouble> {
        self.find(name)?;
        let mut path = vec![name];
        while let Some(&top) = path.last() {
            if !matches!(self.library.get(top).map(|e| &e.state), Some(State::Stale)) {
                path.pop();
                continue;
            }
            let imports = self.imports_of(top);
            let next = imports.into_iter().find(|&import| {
                !path.contains(&import)
                    && self.find(import).is_ok()
                    && matches!(self.library.get(import).map(|e| &e.state), Some(State::Stale))
            });
            match next {
                Some(import) => path.push(import),
                None => {
                    self.evaluate(top, &path);
                    path.pop();
                }
            }
        }
        match self.library.get(name).map(|entry| &entry.state) {
            Some(State::Ready(..)) => Ok(()),
            _ => {
                let _ = span;
                Err(ModuleTrouble::Unusable)
            }
        }
    }

    /// Makes sure that the library has the module, reading a standard one if need be.
    pub fn find(&mut self, name: Name) -> Result<(), ModuleTrouble> {
        if self.library.get(name).is_some() {
            return Ok(());
        }
        let text = self.names.text(name).to_owned();
        let Some(source) = prelude::text(&text) else {
            return Err(if prelude::is_missing(&text) {
                ModuleTrouble::Missing
            } else {
                ModuleTrouble::Unknown
            });
        };
        let file = self.sources.add(&format!("<{text}>"), source);
        let module = read_standard(self.sources, file, self.names);
        let entry = ModuleEntry {
            source: Arc::new(module),
            automatic: Vec::new(),
            standard: true,
            evaluated: false,
            state: State::Stale,
        };
        self.library.enter(name, entry);
        Ok(())
    }

    fn imports_of(&self, name: Name) -> Vec<Name> {
        let Some(entry) = self.library.get(name) else { return Vec::new() };
        let written = entry.source.body.iter().filter_map(|item| match item {
            syntax::Item::Import(import) => super::own::module_name(&import.module).ok(),
            _ => None,
        });
        entry.automatic.iter().map(|a| a.1).chain(written.map(|token| token.name)).collect()
    }

    /// Evaluates a module whose imports have been evaluated. `path` holds the modules that wait for
    /// it: importing one of them would be a cycle.
    fn evaluate(&mut self, name: Name, path: &[Name]) {
        let entry = self.library.get_mut(name).expect("it was found");
        let again = std::mem::replace(&mut entry.evaluated, true);
        if again {
            let place = entry.source.name.span;
            self.diagnostics.push(messages::reparsed(self.names.text(name), place));
        }
        let mark = self.diagnostics.len();
        // A statement that has swallowed its neighbours is cut, and the module is read anew.
        let mut cuts = Vec::new();
        while let Err(cut) = self.evaluate_once(name, path) {
            self.diagnostics.truncate(mark);
            let entry = self.library.get_mut(name).expect("it was found");
            let module = Arc::make_mut(&mut entry.source);
            module.body.splice(cut.at..=cut.at, cut.items);
            cuts.extend(cut.diagnostics);
            self.diagnostics.extend(cuts.iter().cloned());
        }
        merge_by_place(self.diagnostics, mark, mark + cuts.len());
    }

    fn evaluate_once(&mut self, name: Name, path: &[Name]) -> Result<(), Cut> {
        let entry = self.library.get(name).expect("it was found");
        let (source, standard) = (Arc::clone(&entry.source), entry.standard);
        let automatic = entry.automatic.clone();
        let mark = self.diagnostics.len();
        let mut own = Own::read(&source, self.names, self.diagnostics);
        let span = own.span;
        let written = std::mem::take(&mut own.imports);
        own.imports = automatic.into_iter().map(|(mode, import)| (mode, import, span)).collect();
        own.imports.extend(written);
        self.check_imports(&mut own, path);
        let state = match self.build(&mut own, &source, standard)? {
            Some(loaded) => State::Ready(Box::new(own), Box::new(loaded)),
            None => State::Unusable,
        };
        if matches!(state, State::Unusable) {
            self.report_unusable(mark, name, span);
        }
        self.library.get_mut(name).expect("it was found").state = state;
        Ok(())
    }

    /// Adds to the last error of a module that it cannot be used because of it.
    fn report_unusable(&mut self, mark: usize, name: Name, span: Span) {
        let last =
            self.diagnostics[mark..].iter_mut().rev().find(|d| d.severity == Severity::Error);
        match last {
            Some(error) if error.primary.as_ref().is_some_and(|label| label.span == span) => {}
            Some(error) => error.secondary.push(Label {
                span,
                text: "this module cannot be used or imported because of it".to_owned(),
            }),
            None => self.diagnostics.push(messages::not_repaired(self.names.text(name), span)),
        }
    }

    /// Drops the imports that cannot be made, with a message each.
    fn check_imports(&mut self, own: &mut Own, path: &[Name]) {
        let mut kept = Vec::new();
        for (mode, import, span) in std::mem::take(&mut own.imports) {
            let text = self.names.text(import).to_owned();
            if path.contains(&import) {
                self.diagnostics.push(messages::import_cycle(&text, span));
                own.unusable = true;
                continue;
            }
            match self.find(import) {
                Err(ModuleTrouble::Missing) => {
                    self.diagnostics.push(messages::missing_library_module(&text, span));
                    own.unusable = true;
                    continue;
                }
                Err(_) => {
                    self.diagnostics.push(messages::no_module(&text, span));
                    own.unusable = true;
                    continue;
                }
                Ok(()) => {}
            }
            let Some(imported) = self.library.own(import) else {
                self.diagnostics.push(messages::unusable(&text, span));
                own.unusable = true;
                continue;
            };
            if !may_import(own.kind, imported.kind) {
                let what = format!("{} {text}", imported.kind.keyword());
                self.diagnostics.push(messages::import_not_allowed(
                    &what,
                    own.kind.keyword(),
                    span,
                ));
                continue;
            }
            kept.push((mode, import, span));
        }
        own.imports = kept;
    }

    fn build(
        &mut self,
        own: &mut Own,
        source: &syntax::Module,
        standard: bool,
    ) -> Result<Option<Loaded>, Cut> {
        if own.unusable {
            return Ok(None);
        }
        let start = self.diagnostics.len();
        let signature = Signature::within(self.limits);
        let mut vocabulary = Vocabulary { signature, ..Vocabulary::default() };
        let mut flattening = Flattening {
            library: self.library,
            signature: &mut vocabulary.signature,
            names: self.names,
            diagnostics: self.diagnostics,
        };
        let Some(flat) = flatten(&mut flattening, own) else { return Ok(None) };
        self.forget_imported_grammars(own);
        let labels = self.labels(own, &flat);
        let (description, origin) = describe(&flat, &vocabulary.signature, self.names, labels);
        let description = Arc::new(description);
        let grammar = Grammar::new(Arc::clone(&description), self.names);
        let symbols: Vec<_> = flat.operators.iter().filter_map(|op| op.symbol).collect();
        let sorts: Vec<_> = flat.sorts.values().copied().collect();
        let notation =
            Notation::new(Arc::clone(&description), &symbols, &sorts, &flat.kinds, self.names);
        let mut loaded = Loaded {
            vocabulary,
            flat,
            origin,
            grammar,
            notation,
            statements: Vec::new(),
            own_theory: Vec::new(),
            own_definitions: Vec::new(),
            theory: None,
            identities: Vec::new(),
            defined: Vec::new(),
        };
        if !identities::set(self, own, &mut loaded) {
            own.unusable = true;
            return Ok(None);
        }
        if !standard {
            self.mention_without_effect(own);
        }
        let middle = self.diagnostics.len();
        self.read_statements(own, &mut loaded, source)?;
        merge_by_place(self.diagnostics, start, middle);
        Ok(Some(loaded))
    }

    /// Forgets what the parsers of the imports hold: most imports are only imported from now on,
    /// and each of a chain of modules has productions for all kinds below it.
    fn forget_imported_grammars(&mut self, own: &Own) {
        for &(_, import, _) in &own.imports {
            if let Some(imported) = self.library.loaded_mut(import) {
                imported.grammar.forget_tables();
            }
        }
    }

    /// Says which attributes of a module have no effect yet, each once in a session.
    fn mention_without_effect(&mut self, own: &Own) {
        let mut found: Vec<(&'static str, Span)> = Vec::new();
        for op in &own.operators {
            let attributes = &op.attributes;
            let present = [
                ("metadata", attributes.metadata.is_some()),
                ("latex", attributes.latex),
                ("rpo", attributes.rpo),
                ("portal", attributes.portal),
                ("pconst", attributes.pconst),
            ];
            let present = present.into_iter().filter(|(_, is)| *is);
            found.extend(present.map(|(word, _)| (word, op.span)));
        }
        for attribute in own.statements.iter().flat_map(|s| &s.attributes) {
            let word = statements::without_effect(&attribute.kind);
            found.extend(word.map(|word| (word, attribute.span)));
        }
        for (word, span) in found {
            if self.library.mention(word) {
                self.diagnostics.push(messages::no_effect_yet(word, span));
            }
        }
    }

    /// The labels of rules, for strategies.
    fn labels(&self, own: &Own, flat: &Flat) -> Vec<Name> {
        let mut labels: Vec<Name> = Vec::new();
        for name in &flat.walk[..flat.walk.len() - 1] {
            if let Some(loaded) = self.library.loaded(*name) {
                labels.extend(
                    loaded
                        .statements
                        .iter()
                        .filter(|s| s.kind == StatementKind::Rule)
                        .filter_map(|s| s.attributes.label),
                );
            }
        }
        for statement in own.statements.iter().filter(|s| s.kind == StatementKind::Rule) {
            labels.extend(statement.label.map(|token| token.name));
            labels.extend(statement.attributes.iter().filter_map(|a| match &a.kind {
                syntax::StatementAttributeKind::Label(token) => Some(token.name),
                _ => None,
            }));
        }
        let mut seen = FxHashSet::default();
        labels.retain(|label| seen.insert(*label));
        labels
    }
}

/// Reads the one module of a standard text.
fn read_standard(sources: &Sources, file: syntax::FileId, names: &mut Names) -> syntax::Module {
    let mut reader = syntax::Reader::for_standard_module(sources, file, names);
    while let Some(reading) = reader.next_entry(names) {
        debug_assert!(reading.diagnostics.is_empty(), "{:?}", reading.diagnostics);
        if let Some(syntax::Entry::Module(module)) = reading.entry {
            return module;
        }
    }
    unreachable!("a standard text holds a module")
}

/// What may import what (`docs/semantics.md` 13.2), theories left out.
fn may_import(importer: syntax::ModuleKind, imported: syntax::ModuleKind) -> bool {
    use syntax::ModuleKind::{Fmod, Mod, Omod, Smod};
    match importer {
        Fmod => imported == Fmod,
        Mod | Omod => matches!(imported, Fmod | Mod | Omod),
        Smod => !imported.is_theory(),
        _ => true,
    }
}
