//! From a module's text to a module that is ready.

use std::sync::Arc;

use broth_engine::{Engine, StaticId, StaticTerms, Theory as EngineTheory};
use rustc_hash::{FxHashMap, FxHashSet};

use super::describe::describe;
use super::flat::Flat;
use super::flatten::{Flattening, flatten};
use super::instantiate::{Instantiation, Translation, engine_statement, normalise_statement};
use super::library::{Entry, Library, State};
use super::loaded::{Body, Loaded, OwnStatement, Theory};
use super::own::Own;
use super::{completion, first_use, identities, similar, statements};
use crate::diagnose::module as say;
use crate::diagnose::terms as parse_say;
use crate::diagnose::{Diagnostic, Label, Severity};
use crate::mixfix::{Grammar, ParseError, StatementForm};
use crate::prelude;
use crate::print::Notation;
use crate::syntax::{self, Name, Names, Sources, Span, StatementKind};

/// What modules are made in: the tables of a session.
pub struct Workshop<'a> {
    /// The modules.
    pub library: &'a mut Library,
    /// Symbols, terms and theories.
    pub engine: &'a mut Engine,
    /// Names.
    pub names: &'a mut Names,
    /// Texts.
    pub sources: &'a mut Sources,
    /// Where messages go.
    pub say: &'a mut Vec<Diagnostic>,
}

/// Why a module cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// There is none of this name.
    Unknown,
    /// The language's library has it, and it is not built in yet.
    Missing,
    /// It has errors.
    Unusable,
}

/// A statement of a module that is to be replaced by the pieces that it should have been.
struct Cut {
    /// Its place in the body.
    at: usize,
    /// The pieces.
    items: Vec<syntax::Item>,
    /// What is said of them.
    diagnostics: Vec<Diagnostic>,
}

impl Workshop<'_> {
    /// Enters a module that was read and evaluates it at once.
    pub fn enter(
        &mut self,
        module: syntax::Module,
        automatic: Vec<(syntax::ImportMode, Name)>,
    ) -> Result<(), Trouble> {
        let (name, span) = (module.name.name, module.name.span);
        let entry =
            Entry { source: Arc::new(module), automatic, standard: false, state: State::Stale };
        // A standard module that nobody has read yet is replaced all the same.
        let text = self.names.text(name).to_owned();
        let replaced = self.library.enter(name, entry) || prelude::text(&text).is_some();
        if replaced {
            self.say.push(say::redefined(&text, span));
        }
        self.require(name, span)?;
        Ok(())
    }

    /// Makes a module ready, and all that it imports before it.
    pub fn require(&mut self, name: Name, span: Span) -> Result<(), Trouble> {
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
                Err(Trouble::Unusable)
            }
        }
    }

    /// Makes sure that the library has the module, reading a standard one if need be.
    pub fn find(&mut self, name: Name) -> Result<(), Trouble> {
        if self.library.get(name).is_some() {
            return Ok(());
        }
        let text = self.names.text(name).to_owned();
        let Some(source) = prelude::text(&text) else {
            return Err(if prelude::is_missing(&text) {
                Trouble::Missing
            } else {
                Trouble::Unknown
            });
        };
        let file = self.sources.add(&format!("<{text}>"), source);
        let module = read_standard(self.sources, file, self.names);
        let entry = Entry {
            source: Arc::new(module),
            automatic: Vec::new(),
            standard: true,
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
        let mark = self.say.len();
        // A statement that has swallowed its neighbours is cut, and the module is read anew.
        let mut cuts = Vec::new();
        while let Err(cut) = self.evaluate_once(name, path) {
            self.say.truncate(mark);
            let entry = self.library.get_mut(name).expect("it was found");
            let module = Arc::make_mut(&mut entry.source);
            module.body.splice(cut.at..=cut.at, cut.items);
            cuts.extend(cut.diagnostics);
            self.say.extend(cuts.iter().cloned());
        }
    }

    fn evaluate_once(&mut self, name: Name, path: &[Name]) -> Result<(), Cut> {
        let entry = self.library.get(name).expect("it was found");
        let (source, standard) = (Arc::clone(&entry.source), entry.standard);
        let automatic = entry.automatic.clone();
        let mark = self.say.len();
        let mut own = Own::read(&source, self.names, self.say);
        let span = own.span;
        self.check_imports(&mut own, path);
        let written = std::mem::take(&mut own.imports);
        for (mode, import) in automatic {
            if self.find(import).is_ok() && !path.contains(&import) {
                own.imports.push((mode, import, span));
            }
        }
        own.imports.extend(written);
        let state = match self.build(&mut own, &source, standard)? {
            Some(loaded) => State::Ready(Box::new(own), Box::new(loaded)),
            None => State::Unusable,
        };
        if matches!(state, State::Unusable) {
            self.say_unusable(mark, name, span);
        }
        self.library.get_mut(name).expect("it was found").state = state;
        Ok(())
    }

    /// Adds to the last error of a module that it cannot be used because of it.
    fn say_unusable(&mut self, mark: usize, name: Name, span: Span) {
        let last = self.say[mark..].iter_mut().rev().find(|d| d.severity == Severity::Error);
        match last {
            Some(error) if error.primary.as_ref().is_some_and(|label| label.span == span) => {}
            Some(error) => error.secondary.push(Label {
                span,
                text: "this module cannot be used or imported because of it".to_owned(),
            }),
            None => self.say.push(say::not_repaired(self.names.text(name), span)),
        }
    }

    /// Drops the imports that cannot be made, with a message each.
    fn check_imports(&mut self, own: &mut Own, path: &[Name]) {
        let mut kept = Vec::new();
        for (mode, import, span) in std::mem::take(&mut own.imports) {
            let text = self.names.text(import).to_owned();
            if path.contains(&import) {
                self.say.push(say::import_cycle(&text, span));
                own.unusable = true;
                continue;
            }
            match self.find(import) {
                Err(Trouble::Missing) => {
                    self.say.push(say::missing_library_module(&text, span));
                    own.unusable = true;
                    continue;
                }
                Err(_) => {
                    self.say.push(say::no_module(&text, span));
                    own.unusable = true;
                    continue;
                }
                Ok(()) => {}
            }
            let Some(imported) = self.library.own(import) else {
                self.say.push(say::unusable(&text, span));
                own.unusable = true;
                continue;
            };
            if !may_import(own.kind, imported.kind) {
                let what = format!("{} {text}", imported.kind.keyword());
                self.say.push(say::import_not_allowed(&what, own.kind.keyword(), span));
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
        let mut flattening = Flattening {
            library: self.library,
            signature: &mut self.engine.signature,
            names: self.names,
            say: self.say,
        };
        let Some(flat) = flatten(&mut flattening, own) else { return Ok(None) };
        let labels = self.labels(own, &flat);
        let (description, origin) = describe(&flat, &self.engine.signature, self.names, labels);
        let description = Arc::new(description);
        let grammar = Grammar::new(Arc::clone(&description), self.names);
        let symbols: Vec<_> = flat.operators.iter().filter_map(|op| op.symbol).collect();
        let sorts: Vec<_> = flat.sorts.values().copied().collect();
        let notation =
            Notation::new(Arc::clone(&description), &symbols, &sorts, &flat.kinds, self.names);
        let mut loaded = Loaded {
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
        let mut dropped: FxHashMap<usize, usize> = FxHashMap::default();
        for index in 0..own.statements.len() {
            let statement = own.statements[index].clone();
            if let Err(error) = self.read_statement(own, &mut loaded, &statement, &mut dropped) {
                self.not_read(own, &loaded.flat, source, &statement, &error)?;
            }
        }
        self.say_refused(own, &loaded.flat, &dropped);
        Ok(Some(loaded))
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
                self.say.push(say::no_effect_yet(word, span));
            }
        }
    }

    /// Says which operators are dropped, and how many statements with them.
    fn say_refused(&mut self, own: &Own, flat: &Flat, dropped: &FxHashMap<usize, usize>) {
        for (at, op) in flat.operators.iter().enumerate() {
            let Some(what) = &op.refused else { continue };
            let n_statements = dropped.get(&at).copied().unwrap_or(0);
            let first = &op.declarations[0];
            if first.id.0 == own.name || n_statements > 0 {
                let name = self.names.text(op.name);
                self.say.push(say::attribute_unsupported(what, name, n_statements, first.span));
            }
        }
    }

    /// Says that a statement could not be read, unless it can be cut.
    fn not_read(
        &mut self,
        own: &Own,
        flat: &Flat,
        source: &syntax::Module,
        statement: &syntax::Statement,
        error: &ParseError,
    ) -> Result<(), Cut> {
        let separated = syntax::separate_statements(self.sources, self.names, own.kind, statement);
        if let Some((items, diagnostics)) = separated {
            let at = source.body.iter().position(
                |item| matches!(item, syntax::Item::Statement(s) if s.span == statement.span),
            );
            let at = at.expect("the statements of a module stand in its body");
            return Err(Cut { at, items, diagnostics });
        }
        let module = self.names.text(own.name);
        let hint = |error: &ParseError| {
            similar::hint(flat, self.names, self.sources, error, &statement.tokens)
        };
        let message = parse_say::no_parse(error, &statement.tokens, module, self.names, hint);
        self.say.push(message);
        Ok(())
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

    /// Reads one statement into the module's own theory.
    fn read_statement(
        &mut self,
        own: &Own,
        loaded: &mut Loaded,
        statement: &syntax::Statement,
        dropped: &mut FxHashMap<usize, usize>,
    ) -> Result<(), ParseError> {
        if statement.kind == StatementKind::StrategyDefinition {
            return self.read_definition(own, loaded, statement, dropped);
        }
        let reading = loaded.grammar.statement(form(statement), &statement.tokens, self.names)?;
        if reading.other.is_some() {
            self.say.push(parse_say::ambiguous_statement(statement.span));
        }
        let mut attributes = if reading.value.attributes.is_empty() {
            statements::attributes(
                &syntax::Statement { attributes: Vec::new(), ..statement.clone() },
                reading.value.label,
                own.kind,
                self.say,
            )
        } else {
            statements::attributes(statement, reading.value.label, own.kind, self.say)
        };
        let raw = Instantiation {
            origin: &loaded.origin,
            flat: &mut loaded.flat,
            signature: &mut self.engine.signature,
            terms: &mut self.engine.terms,
            names: self.names,
        }
        .raw_statement(&reading.tree, &reading.value);
        if let Some(refused) = refused_operator(&loaded.flat, &self.engine.terms, &raw.all()) {
            *dropped.entry(refused).or_default() += 1;
            return Ok(());
        }
        let completed = if own.kind.is_object_oriented() && !attributes.dnt {
            completion::complete(self, &mut loaded.flat, &raw, statement.span)
        } else {
            None
        };
        let (raw, body) = match completed {
            Some(terms) => (terms.clone(), Body::Completed(terms)),
            None => (raw, Body::Read(reading.tree, reading.value)),
        };
        let mut own_statement = OwnStatement {
            kind: statement.kind,
            attributes: attributes.clone(),
            span: statement.span,
            body,
            unusable: false,
        };
        let engine = &mut *self.engine;
        let mut made =
            normalise_statement(&engine.signature, &mut engine.terms, &raw, &own_statement);
        if !attributes.nonexec {
            let mut fragments = Vec::new();
            let found = statements::unbound_variable(&engine.terms, &made.terms, &mut |at| {
                fragments.push(at);
            });
            for _ in fragments {
                self.say.push(say::all_bound(statement.span));
            }
            if let Some(variable) = found {
                let text = statements::variable_text(
                    &loaded.flat,
                    &engine.signature,
                    &engine.terms,
                    self.names,
                    variable,
                );
                let place = statements::place_of(statement, &text, self.names);
                statements::say_unbound(statement.kind, &text, place, self.say);
                if statement.kind == StatementKind::Rule {
                    attributes.nonexec = true;
                } else {
                    own_statement.unusable = true;
                }
            } else if statements::may_collapse(&engine.signature, &engine.terms, made.terms.left) {
                self.say.push(say::collapses(statement.span));
            }
        }
        own_statement.attributes = attributes.clone();
        made.attributes = attributes;
        made.unusable = own_statement.unusable;
        loaded.statements.push(own_statement);
        loaded.own_theory.push(made);
        Ok(())
    }

    fn read_definition(
        &mut self,
        own: &Own,
        loaded: &mut Loaded,
        statement: &syntax::Statement,
        dropped: &mut FxHashMap<usize, usize>,
    ) -> Result<(), ParseError> {
        let reading =
            loaded.grammar.definition(statement.conditional, &statement.tokens, self.names)?;
        if reading.other.is_some() {
            self.say.push(parse_say::ambiguous_statement(statement.span));
        }
        let definition = Instantiation {
            origin: &loaded.origin,
            flat: &mut loaded.flat,
            signature: &mut self.engine.signature,
            terms: &mut self.engine.terms,
            names: self.names,
        }
        .definition(&reading.tree, &reading.value);
        let terms = &definition.parameters;
        if let Some(refused) = refused_operator(&loaded.flat, &self.engine.terms, terms) {
            *dropped.entry(refused).or_default() += 1;
            return Ok(());
        }
        let attributes = statements::attributes(statement, None, own.kind, self.say);
        let terms = &self.engine.terms;
        let mut bound: Vec<_> = Vec::new();
        for &parameter in &definition.parameters {
            terms.collect_variables(parameter, &mut bound);
        }
        let trouble =
            statements::unbound_in_condition(terms, &definition.condition, &mut bound, &mut |_| {})
                .map(super::strategies::Trouble::Unbound)
                .or_else(|| super::strategies::trouble(terms, &definition.body, &bound));
        if let Some(trouble) = trouble {
            let text = |variable| {
                statements::variable_text(
                    &loaded.flat,
                    &self.engine.signature,
                    terms,
                    self.names,
                    variable,
                )
            };
            self.say.push(trouble.message(text, "this definition", statement.span));
            return Ok(());
        }
        if !attributes.nonexec {
            loaded.own_definitions.push(definition);
        }
        loaded.statements.push(OwnStatement {
            kind: statement.kind,
            attributes,
            span: statement.span,
            body: Body::Definition(reading.tree, reading.value),
            unusable: false,
        });
        Ok(())
    }

    /// Closes a module for commands: makes its theory with all imported statements, and says what
    /// is said at first use.
    pub fn theory(&mut self, name: Name) -> Option<broth_engine::TheoryId> {
        let loaded = self.library.loaded(name)?;
        if let Some(theory) = &loaded.theory {
            return Some(theory.id);
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
        first_use::check(self, &loaded.flat, &all, own.span);
        let theory = EngineTheory {
            symbols: loaded.flat.operators.iter().filter_map(|op| op.symbol).collect(),
            statements: all
                .iter()
                .zip(0..)
                .map(|(statement, source)| engine_statement(statement, source, self.names))
                .collect(),
            strategies: definitions,
        };
        loaded.defined = theory.strategies.iter().map(|d| d.strategy).collect();
        let id = self.engine.add_theory(theory);
        loaded.theory = Some(Theory { id, statements: all });
        self.library.get_mut(name)?.state = State::Ready(own, loaded);
        Some(id)
    }

    /// Makes the statements of an imported module in the theory of `loaded`: memberships,
    /// equations, rules, strategy definitions.
    fn import_statements(
        &mut self,
        import: Name,
        loaded: &mut Loaded,
        all: &mut Vec<super::loaded::TheoryStatement>,
        definitions: &mut Vec<broth_engine::Definition>,
    ) {
        let Some(from) = self.library.loaded(import) else { return };
        let engine = &mut *self.engine;
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
                    signature: &mut engine.signature,
                    terms: &mut engine.terms,
                    names: self.names,
                };
                let raw = match &statement.body {
                    Body::Read(tree, reading) => instantiation.raw_statement(tree, reading),
                    Body::Definition(..) if statement.attributes.nonexec => continue,
                    Body::Definition(tree, reading) => {
                        definitions.push(instantiation.definition(tree, reading));
                        continue;
                    }
                    Body::Completed(terms) => Translation {
                        from: &from.flat,
                        to: &mut loaded.flat,
                        signature: &mut engine.signature,
                        terms: &mut engine.terms,
                        names: self.names,
                        done: FxHashMap::default(),
                    }
                    .statement(terms),
                };
                all.push(normalise_statement(
                    &engine.signature,
                    &mut engine.terms,
                    &raw,
                    statement,
                ));
            }
        }
    }
}

/// An operator that is dropped and occurs in one of the terms.
pub fn refused_operator(flat: &Flat, terms: &StaticTerms, roots: &[StaticId]) -> Option<usize> {
    if flat.operators.iter().all(|op| op.refused.is_none()) {
        return None;
    }
    let mut seen = FxHashSet::default();
    let mut stack = roots.to_vec();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        let at = flat.by_symbol.get(&terms.node(t).symbol());
        if let Some(&at) = at.filter(|&&at| flat.operators[at].refused.is_some()) {
            return Some(at);
        }
        stack.extend(terms.args(t));
    }
    None
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

/// What may import what (`language2.md` 13.2), theories left out.
fn may_import(importer: syntax::ModuleKind, imported: syntax::ModuleKind) -> bool {
    use syntax::ModuleKind::{Fmod, Mod, Omod, Smod};
    match importer {
        Fmod => imported == Fmod,
        Mod | Omod => matches!(imported, Fmod | Mod | Omod),
        Smod => !imported.is_theory(),
        _ => true,
    }
}

fn form(statement: &syntax::Statement) -> StatementForm {
    match (statement.kind, statement.conditional) {
        (StatementKind::Equation, false) => StatementForm::Equation,
        (StatementKind::Equation, true) => StatementForm::ConditionalEquation,
        (StatementKind::Membership, false) => StatementForm::Membership,
        (StatementKind::Membership, true) => StatementForm::ConditionalMembership,
        (StatementKind::Rule, false) => StatementForm::Rule,
        (StatementKind::Rule, true) => StatementForm::ConditionalRule,
        (StatementKind::StrategyDefinition, false) => StatementForm::StrategyDefinition,
        (StatementKind::StrategyDefinition, true) => StatementForm::ConditionalStrategyDefinition,
    }
}
