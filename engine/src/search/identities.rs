//! The nodes that stand for identities in Maude.
//!
//! An operator has one node for its identity, which matching gives to variables that nothing is left
//! for. What a search or `rewrite` finds out about it, all later ones know, until another module is
//! used. In the store equal terms are one, so an identity counts as that node in a search where it
//! first comes from a rule that binds variables to it and does not name it, or where a condition
//! starts from a variable that has been given it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashSet;

use crate::engine::Engine;
use crate::heap::Handle;
use crate::id::{StaticId, SymbolId, TheoryId};
use crate::theory::Conclusion;

/// Whether all rules were tried on a term in vain.
pub(crate) type Mark = Arc<AtomicBool>;
/// The constants that a rule may leave as identities, with their marks.
pub(crate) type Identities = Arc<[(SymbolId, Mark)]>;

impl Engine {
    /// Forgets what searches have found out about identities, since another module is used.
    pub fn forget_identities(&mut self) {
        self.identity_marks.clear();
        self.identities.clear();
    }

    /// The identities that a rule may leave in a state. Numbers of rewrites alone depend on them.
    pub(super) fn identities_of(&mut self, theory: TheoryId, rule: u32) -> Identities {
        if self.optimize {
            return Arc::default();
        }
        if let Some(known) = self.identities.get(&(theory, rule)) {
            return Arc::clone(known);
        }
        let mut found: Vec<(SymbolId, Mark)> = Vec::new();
        let statements = Arc::clone(&self.machine.theories[theory.index()].statements);
        let statement = &statements[rule as usize];
        for symbol in self.symbols_in(statement.left) {
            let Some(constant) = self.constant_identity(symbol) else { continue };
            let named = statements.iter().enumerate().any(|(number, s)| match s.conclusion {
                Conclusion::Equation { right, .. } => self.symbols_in(right).contains(&constant),
                Conclusion::Rule(right) => {
                    number == rule as usize && self.symbols_in(right).contains(&constant)
                }
                Conclusion::Membership(_) => false,
            });
            if !named && found.iter().all(|(known, _)| *known != constant) {
                let mark = self.identity_marks.entry(symbol).or_default();
                found.push((constant, Arc::clone(mark)));
            }
        }
        let found = Identities::from(found);
        self.identities.insert((theory, rule), Arc::clone(&found));
        found
    }

    /// The identities of which a computation has found out that no rule applies.
    pub(crate) fn marked_identities(&self) -> FxHashSet<Handle> {
        let marked = self.identity_marks.iter().filter(|(_, mark)| mark.load(Ordering::Relaxed));
        marked.map(|(&operator, _)| self.memory.core(operator).identity).collect()
    }

    /// Notes which identities a computation has tried all rules on in vain.
    pub(crate) fn note_identities(&mut self, is_marked: impl Fn(Handle) -> bool) {
        if self.optimize {
            return;
        }
        for operator in (0..self.signature.n_symbols() as u32).map(SymbolId) {
            if self.constant_identity(operator).is_some()
                && is_marked(self.memory.core(operator).identity)
            {
                self.identity_marks.entry(operator).or_default().store(true, Ordering::Relaxed);
            }
        }
    }

    /// The mark of an operator's identity, if `value` is that.
    pub(super) fn mark_of_identity(&mut self, operator: SymbolId, value: Handle) -> Option<Mark> {
        if self.optimize {
            return None;
        }
        let constant = self.constant_identity(operator)?;
        let value = self.memory.resolve(value);
        (self.memory.symbol(value) == constant)
            .then(|| Arc::clone(self.identity_marks.entry(operator).or_default()))
    }

    /// Whether rules of a theory may leave identities.
    pub(super) fn may_leave_identities(&self, theory: TheoryId) -> bool {
        let statements = &self.machine.theories[theory.index()].statements;
        let mut rules = statements.iter().filter(|s| matches!(s.conclusion, Conclusion::Rule(_)));
        !self.optimize
            && rules.any(|rule| {
                let symbols = self.symbols_in(rule.left);
                symbols.iter().any(|&symbol| self.constant_identity(symbol).is_some())
            })
    }

    /// The constant that is the identity of an operator.
    fn constant_identity(&self, symbol: SymbolId) -> Option<SymbolId> {
        let identity = self.memory.core(symbol).identity;
        (identity != Handle::NIL && identity.as_nat().is_none())
            .then_some(identity)
            .filter(|&identity| self.memory.n_args(identity) == 0)
            .map(|identity| self.memory.symbol(identity))
    }

    /// The operators of a term.
    fn symbols_in(&self, term: StaticId) -> Vec<SymbolId> {
        let mut found = Vec::new();
        let mut stack = vec![term];
        while let Some(t) = stack.pop() {
            let symbol = self.terms.node(t).symbol();
            if !found.contains(&symbol) {
                found.push(symbol);
            }
            stack.extend(self.terms.args(t));
        }
        found
    }
}
