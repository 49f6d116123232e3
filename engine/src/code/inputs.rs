//! What code finds given when it runs: what a left side has matched.

use rustc_hash::FxHashSet;

use super::compiler::CodeCompiler;
use super::ways::StatementPositions;
use crate::id::StaticId;
use crate::matching::Slots;
use crate::signature::Meaning;
use crate::term::StaticNode;

/// What has been matched when the code runs.
#[derive(Default)]
pub(crate) struct Inputs {
    /// Registers of variables and of matched subterms of the left side.
    pub(crate) slots: Slots,
    /// Variables and subterms that may hold something unreduced from a lazy position: it is copied
    /// before it is evaluated.
    pub(crate) lazy: FxHashSet<StaticId>,
    /// Subterms that were matched in lazy positions only: evaluated, they are built anew over what
    /// their variables hold.
    pub(crate) anew: FxHashSet<StaticId>,
    /// Variables that may hold a new unreduced node: it is reduced in place.
    pub(crate) unreduced: FxHashSet<StaticId>,
}

impl Inputs {
    /// What is copied before it is evaluated.
    pub(super) fn copied(&self) -> Vec<StaticId> {
        let mut copied: Vec<StaticId> = self.lazy.difference(&self.anew).copied().collect();
        copied.sort();
        copied
    }
}

/// A statement whose terms are analysed.
pub(super) struct Cx<'a, 'c> {
    pub(super) compiler: &'a CodeCompiler<'c>,
    pub(super) given: &'a Inputs,
}

impl StatementPositions for Cx<'_, '_> {
    fn is_given(&self, term: StaticId) -> bool {
        matches!(self.compiler.terms.node(term), StaticNode::Variable(..))
            || self.compiler.constant(term).is_some()
            || self.given.slots.get(term).is_some() && !self.given.anew.contains(&term)
    }

    fn is_given_lazily(&self, term: StaticId) -> bool {
        self.is_given(term) || self.given.slots.get(term).is_some()
    }

    fn is_branch(&self, term: StaticId) -> bool {
        self.compiler.signature.symbol(self.compiler.terms.node(term).symbol()).meaning()
            == Some(Meaning::If)
    }

    fn is_eager(&self, term: StaticId, place: usize) -> bool {
        let symbol = self.compiler.terms.node(term).symbol();
        self.is_branch(term) || self.compiler.is_eager(symbol, place)
    }
}

impl CodeCompiler<'_> {
    /// What is given to code that runs after a match of `left`, a subject that is `unreduced` or not.
    pub(super) fn given(&self, left: StaticId, slots: Slots, unreduced: bool) -> Inputs {
        let mut seen: FxHashSet<(StaticId, bool)> = FxHashSet::default();
        let mut stack = vec![(left, unreduced)];
        while let Some((t, unreduced)) = stack.pop() {
            if self.terms.is_ground(t) || !seen.insert((t, unreduced)) {
                continue;
            }
            let symbol = self.terms.node(t).symbol();
            for (place, arg) in self.terms.args(t).into_iter().enumerate() {
                stack.push((arg, unreduced || !self.is_eager(symbol, place)));
            }
        }
        let lazy: FxHashSet<StaticId> =
            seen.iter().filter(|(_, unreduced)| *unreduced).map(|(t, _)| *t).collect();
        let is_variable = |t: StaticId| matches!(self.terms.node(t), StaticNode::Variable(..));
        let mut anew = lazy.clone();
        anew.retain(|&t| !is_variable(t) && !seen.contains(&(t, false)));
        Inputs { slots, lazy, anew, unreduced: FxHashSet::default() }
    }
}
