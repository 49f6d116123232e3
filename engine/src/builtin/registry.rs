//! The registry of hooks: their names, what is known of them, and what they compute.
//!
//! A symbol has the number of its hook, which is an index here, so that a computation costs one
//! indirect call.

use std::fmt;
use std::sync::Arc;

use super::outside::{HookAnswer, HookCall, outside_arguments, outside_node};
use super::standard::standard_hooks;
use crate::heap::Handle;
use crate::id::SymbolId;
use crate::signature::{HookId, Meaning};
use crate::worker::Worker;

/// What computes an operator. A result is a reduced term, a raw one that is then reduced, or `NIL`
/// if a term of another theory has to be evaluated before (`outside.rs`).
#[derive(Clone, Copy)]
pub(crate) struct HookFunctions {
    /// For reduced arguments, which stand in the registers from a base on.
    pub on_arguments: fn(&mut Worker, SymbolId, usize) -> Option<Handle>,
    /// For a normal node of an operator with axioms.
    pub on_node: fn(&mut Worker, Handle) -> Option<Handle>,
}

/// A function of another crate.
pub(super) type OutsideFunction = dyn Fn(&HookCall<'_>) -> HookAnswer + Send + Sync;

/// A hook.
#[derive(Clone)]
pub(super) struct Hook {
    /// What `id-hook` may call it.
    pub names: Vec<&'static str>,
    /// The operand that it has there, if that tells it from others of its name.
    pub operand: Option<&'static str>,
    pub meaning: Meaning,
    pub functions: HookFunctions,
}

/// All hooks that a session's operators may have.
#[derive(Clone)]
pub struct Hooks {
    hooks: Vec<Hook>,
    /// The functions of those that were added to the standard ones, which come first.
    outside: Vec<Arc<OutsideFunction>>,
}

impl Default for Hooks {
    fn default() -> Hooks {
        Hooks { hooks: standard_hooks(), outside: Vec::new() }
    }
}

impl Hooks {
    /// Adds a hook: what computes operators of which a module says `id-hook NAME` or, with an
    /// operand, `id-hook NAME (OPERAND)`. A later hook of a name takes the place of an earlier one.
    pub fn add(
        &mut self,
        name: &'static str,
        operand: Option<&'static str>,
        function: impl Fn(&HookCall<'_>) -> HookAnswer + Send + Sync + 'static,
    ) -> HookId {
        let functions = HookFunctions { on_arguments: outside_arguments, on_node: outside_node };
        let (names, meaning) = (vec![name], Meaning::Function);
        self.hooks.push(Hook { names, operand, meaning, functions });
        self.outside.push(Arc::new(function));
        HookId((self.hooks.len() - 1) as u16)
    }

    /// The hook of a name and an operand, and what is known of it.
    pub fn find(&self, name: &str, operand: Option<&str>) -> Option<(HookId, Meaning)> {
        let fits = |hook: &Hook| {
            hook.names.contains(&name) && (hook.operand.is_none() || hook.operand == operand)
        };
        let at = self.hooks.iter().rposition(fits)?;
        Some((HookId(at as u16), self.hooks[at].meaning))
    }

    /// What a hook computes.
    #[inline(always)]
    pub(crate) fn functions(&self, hook: HookId) -> HookFunctions {
        self.hooks[usize::from(hook.0)].functions
    }

    /// The function of a hook that was added.
    pub(super) fn outside(&self, hook: HookId) -> Arc<OutsideFunction> {
        let n_standard = self.hooks.len() - self.outside.len();
        Arc::clone(&self.outside[usize::from(hook.0) - n_standard])
    }
}

impl fmt::Debug for Hooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.hooks.iter().map(|hook| (&hook.names, hook.operand));
        f.debug_list().entries(names).finish()
    }
}
