//! All modules of a session, and the order in which a module's imports are walked.

use std::sync::Arc;

use broth_engine::Hooks;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::loaded::Loaded;
use super::own::Own;
use crate::syntax::{self, ImportMode, Name};

/// A module as the library holds it.
#[derive(Debug)]
pub struct ModuleEntry {
    /// What was read.
    pub source: Arc<syntax::Module>,
    /// Imports that are not in the text, in front of those that are.
    pub automatic: Vec<(ImportMode, Name)>,
    /// Whether it is one of the standard modules.
    pub standard: bool,
    /// Whether it has been evaluated before, so that being evaluated again is worth a word.
    pub evaluated: bool,
    /// How far it has got.
    pub state: State,
}

/// How far a module has got.
#[derive(Debug)]
pub enum State {
    /// Read only; its imports may have changed.
    Stale,
    /// It has errors that cannot be repaired.
    Unusable,
    /// Ready.
    Ready(Box<Own>, Box<Loaded>),
}

/// The modules of a session in the order in which they were entered.
#[derive(Debug, Default)]
pub struct Library {
    entries: IndexMap<Name, ModuleEntry, FxBuildHasher>,
    /// Attributes without effect that have been mentioned: once is enough.
    mentioned: FxHashSet<&'static str>,
    /// What operators may be bound to.
    hooks: Arc<Hooks>,
}

impl Library {
    /// A library without modules, whose operators may have these hooks.
    pub fn new(hooks: Hooks) -> Library {
        Library { hooks: Arc::new(hooks), ..Library::default() }
    }

    /// What operators may be bound to.
    pub fn hooks(&self) -> &Arc<Hooks> {
        &self.hooks
    }

    /// The entry of a module.
    pub fn get(&self, name: Name) -> Option<&ModuleEntry> {
        self.entries.get(&name)
    }

    /// The entry of a module, to change.
    pub fn get_mut(&mut self, name: Name) -> Option<&mut ModuleEntry> {
        self.entries.get_mut(&name)
    }

    /// Enters a module; one of the same name goes, and what depends on it becomes stale.
    pub fn enter(&mut self, name: Name, entry: ModuleEntry) -> bool {
        let replaced = self.entries.insert(name, entry).is_some();
        if replaced {
            self.make_dependents_stale(name);
        }
        replaced
    }

    /// Whether an attribute without effect is to be mentioned, as it is the first time.
    pub fn mention(&mut self, attribute: &'static str) -> bool {
        self.mentioned.insert(attribute)
    }

    /// The modules in the order in which they were entered.
    pub fn iter(&self) -> impl Iterator<Item = (Name, &ModuleEntry)> {
        self.entries.iter().map(|(&name, entry)| (name, entry))
    }

    fn make_dependents_stale(&mut self, changed: Name) {
        for (_, entry) in &mut self.entries {
            if let State::Ready(_, loaded) = &entry.state
                && loaded.flat.walk[..loaded.flat.walk.len() - 1].contains(&changed)
            {
                entry.state = State::Stale;
            }
        }
    }

    /// The declarations of a module that is ready.
    pub fn own(&self, name: Name) -> Option<&Own> {
        match &self.entries.get(&name)?.state {
            State::Ready(own, _) => Some(own),
            _ => None,
        }
    }

    /// What a module that is ready was made into.
    pub fn loaded(&self, name: Name) -> Option<&Loaded> {
        match &self.entries.get(&name)?.state {
            State::Ready(_, loaded) => Some(loaded),
            _ => None,
        }
    }

    /// The same, to change.
    pub fn loaded_mut(&mut self, name: Name) -> Option<&mut Loaded> {
        match &mut self.entries.get_mut(&name)?.state {
            State::Ready(_, loaded) => Some(loaded),
            _ => None,
        }
    }

    /// The modules that a module consists of: its imports depth first, each once with its own
    /// imports in front, and the module itself last.
    pub fn walk(&self, own: &Own) -> Vec<Name> {
        let mut seen: FxHashSet<Name> = FxHashSet::default();
        let mut order = Vec::new();
        // A frame: the module and how many of its imports have been visited.
        let mut frames: Vec<(&Own, usize)> = vec![(own, 0)];
        seen.insert(own.name);
        while let Some((module, next)) = frames.last_mut() {
            let (module, at) = (*module, *next);
            *next += 1;
            match module.imports.get(at) {
                Some((_, name, _)) if seen.insert(*name) => {
                    if let Some(imported) = self.own(*name) {
                        frames.push((imported, 0));
                    }
                }
                Some(_) => {}
                None => {
                    order.push(module.name);
                    frames.pop();
                }
            }
        }
        order
    }
}
