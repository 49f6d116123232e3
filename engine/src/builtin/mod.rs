//! Operators that are computed.
//!
//! A hook computes an operator; `special (id-hook NAME (OPERAND))` in a module says which. All of
//! them stand in one registry: those of the engine (`standard.rs`), and what crates above have
//! added (`outside.rs`). A hook acts on constants of its own kinds only, and takes one rewrite;
//! where it does not act, the user's equations for the operator are tried (`docs/semantics.md`
//! 16.1).

mod known;
mod number;
mod outside;
mod registry;
mod standard;
#[cfg(test)]
mod tests;
mod truth;

use crate::heap::Handle;
use crate::id::SymbolId;
use crate::observer::{Event, SceneParts, SceneSubject};
use crate::signature::HookId;
use crate::worker::Worker;

pub(crate) use known::{KnownTruths, TruthApplication};
pub use outside::{Evaluation, HookAnswer, HookCall};
pub use registry::Hooks;

/// The functions of numbers and the connectives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BuiltinOp {
    And,
    Or,
    Xor,
    Not,
    Implies,
    /// Negation of a number.
    Minus,
    Add,
    /// `_-_`.
    Subtract,
    /// Symmetric difference.
    Sd,
    Multiply,
    Quo,
    Rem,
    Power,
    ModExp,
    Gcd,
    Lcm,
    Min,
    Max,
    BitXor,
    BitAnd,
    BitOr,
    BitNot,
    ShiftRight,
    ShiftLeft,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Divides,
    Abs,
}

impl Worker {
    /// What a hook gives for the reduced arguments in the registers from `base` on; counted.
    #[inline]
    pub(crate) fn compute(
        &mut self,
        hook: HookId,
        symbol: SymbolId,
        base: usize,
    ) -> Option<Handle> {
        let result = (self.hooks.functions(hook).on_arguments)(self, symbol, base);
        if result.is_some() {
            self.counts.equations += 1;
            if self.is_watched() {
                let n = self.space.regs.len() - base;
                let subject = SceneSubject::Application { symbol, first: base, n };
                let scene = SceneParts { subject, ..SceneParts::default() };
                self.tell(Event::Builtin(symbol), scene);
            }
        }
        result
    }

    /// What a hook makes of a normal node whose arguments are reduced; counted.
    pub(crate) fn compute_node(&mut self, hook: HookId, node: Handle) -> Option<Handle> {
        let result = (self.hooks.functions(hook).on_node)(self, node);
        if result.is_some() {
            self.counts.equations += 1;
            if self.is_watched() {
                let symbol = self.space.memory.symbol(node);
                self.tell(Event::Builtin(symbol), SceneParts::at(node));
            }
        }
        result
    }
}
