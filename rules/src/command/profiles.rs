//! Profiles: `set profile` and `show profile` (`docs/semantics.md` 14.7).

use std::sync::{Arc, Mutex, PoisonError, Weak};

use broth_engine::{Event, Observer, Scene, Source, SymbolId, Theory};
use rustc_hash::FxHashMap;

use super::execution::Execution;
use crate::answer::{
    Answer, AnswerDefinition, FragmentCounts, ProfileEntry, Profiled, Settings, UseCounts,
};
use crate::syntax::{Name, Span, StatementKind, Token};

/// What has been counted in a module.
#[derive(Default)]
struct Counts {
    operators: FxHashMap<SymbolId, u64>,
    statements: FxHashMap<Source, UseCounts>,
}

impl Counts {
    fn of(&mut self, source: Source) -> &mut UseCounts {
        self.statements.entry(source).or_default()
    }

    fn fragment(&mut self, source: Source, fragment: usize) -> &mut FragmentCounts {
        let fragments = &mut self.of(source).fragments;
        if fragments.len() <= fragment {
            fragments.resize(fragment + 1, FragmentCounts::default());
        }
        &mut fragments[fragment]
    }

    fn note(&mut self, event: &Event) {
        match *event {
            Event::Equation(number) | Event::Membership(number) | Event::Rule(number) => {
                self.of(Source::Statement(number)).rewrites += 1;
            }
            Event::Builtin(symbol) => *self.operators.entry(symbol).or_default() += 1,
            Event::StrategyCalled(number) => self.of(Source::Definition(number)).rewrites += 1,
            Event::ConditionBegun(source) => self.of(source).matches += 1,
            Event::FragmentTried { source, fragment, again: false } => {
                self.fragment(source, fragment).tries += 1;
            }
            Event::FragmentTried { source, fragment, again: true } => {
                self.fragment(source, fragment).tries_again += 1;
            }
            Event::FragmentEnded { source, fragment, solved: true } => {
                self.fragment(source, fragment).successes += 1;
            }
            Event::FragmentEnded { source, fragment, solved: false } => {
                self.fragment(source, fragment).failures += 1;
            }
            _ => {}
        }
    }
}

/// The counts of a module, shared with the observer of its worker.
#[derive(Clone, Default)]
pub(super) struct ModuleProfile {
    counts: Arc<Mutex<Counts>>,
    theory: Weak<Theory>,
}

impl ModuleProfile {
    fn with<T>(&self, look: impl FnOnce(&mut Counts) -> T) -> T {
        look(&mut self.counts.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whoever counts for it.
    pub(super) fn observer(&self) -> Box<dyn Observer> {
        Box::new(self.clone())
    }
}

impl Observer for ModuleProfile {
    fn event(&mut self, event: &Event, _: &Scene<'_>) {
        self.with(|counts| counts.note(event));
    }
}

/// The profiles of a session.
#[derive(Default)]
pub(super) struct Profiles(FxHashMap<Name, ModuleProfile>);

impl Profiles {
    /// The profile of a module for a command that runs in it.
    pub(super) fn begin(
        &mut self,
        module: Name,
        theory: &Arc<Theory>,
        settings: &Settings,
    ) -> ModuleProfile {
        let profile = self.0.entry(module).or_default();
        if !std::ptr::eq(profile.theory.as_ptr(), Arc::as_ptr(theory)) {
            *profile = ModuleProfile { theory: Arc::downgrade(theory), ..ModuleProfile::default() };
        } else if settings.clear_profile {
            profile.with(|counts| *counts = Counts::default());
        }
        profile.clone()
    }
}

impl Execution<'_> {
    /// `show profile`.
    pub(super) fn show_profile(&mut self, argument: &[Token], span: Span) {
        let Some(module) = self.select(argument, span) else { return };
        let entries = self.profile_of(module).unwrap_or_default();
        self.answer(&Answer::Profile(entries));
    }

    fn profile_of(&self, module: Name) -> Option<Vec<ProfileEntry>> {
        let theory = self.modules.loaded(module).theory.as_ref()?;
        let profile = self.evaluator.profiles.0.get(&module)?;
        if !std::ptr::eq(profile.theory.as_ptr(), Arc::as_ptr(&theory.engine)) {
            return None;
        }
        let (operators, statements) =
            profile.with(|counts| (counts.operators.clone(), counts.statements.clone()));
        let mut entries = Vec::new();
        let mut operators: Vec<(SymbolId, u64)> = operators.into_iter().collect();
        operators.sort_unstable();
        for (symbol, rewrites) in operators {
            let counts = UseCounts { rewrites, ..UseCounts::default() };
            entries.push(ProfileEntry { used: Profiled::Operator(symbol), counts });
        }
        for kind in [StatementKind::Membership, StatementKind::Equation, StatementKind::Rule] {
            let numbers = (0..).zip(&theory.statements).filter(|(_, s)| s.kind == kind);
            for (number, _) in numbers {
                let Some(counts) = statements.get(&Source::Statement(number)) else { continue };
                let statement = self.modules.statement(module, number as usize)?;
                let used = Profiled::Statement(statement);
                entries.push(ProfileEntry { used, counts: counts.clone() });
            }
        }
        let definitions = theory.engine.strategies().iter().zip(&theory.definitions);
        for (number, (definition, attributes)) in (0..).zip(definitions) {
            let Some(counts) = statements.get(&Source::Definition(number)) else { continue };
            let (terms, definition) = (theory.engine.terms(), definition.clone());
            let shown = AnswerDefinition::new(terms, definition, attributes.clone());
            let used = Profiled::Definition(shown);
            entries.push(ProfileEntry { used, counts: counts.clone() });
        }
        Some(entries)
    }
}
