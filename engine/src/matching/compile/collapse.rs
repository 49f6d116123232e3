//! What a pattern of an operator with identity may collapse to, and whether its parts may be matched
//! greedily.

use super::PatternCompiler;
use crate::heap::Handle;
use crate::id::{StaticId, SymbolId};
use crate::matching::UnreducedParts;
use crate::matching::pattern::{CollapsePart, TopVariable};
use crate::matching::sets::Set;

impl PatternCompiler<'_> {
    pub(super) fn identity(&self, symbol: SymbolId) -> Handle {
        self.memory.core(symbol).identity
    }

    /// Whether no unbound variable of some arguments of a subpattern occurs in the condition, outside
    /// of them, or in two of them.
    pub(super) fn may_be_greedy(&mut self, args: &[StaticId], outside: Set, known: Set) -> bool {
        self.is_apart(args, outside, known) && self.analysis.repeated(args, known).is_empty()
    }

    /// The same, but two arguments may share variables: so much suffices for commutative patterns.
    pub(super) fn is_apart(&mut self, args: &[StaticId], outside: Set, known: Set) -> bool {
        args.iter().all(|&arg| {
            let open = self.analysis.unbound(arg, known);
            let sets = &self.analysis.sets;
            sets.are_disjoint(self.analysis.variables(arg), self.shared)
                && sets.are_disjoint(open, self.elsewhere)
                && sets.are_disjoint(open, outside)
        })
    }

    /// All arguments, for a subject that is not headed by the operator; the one that is left of the
    /// collapse has the extension of the subject.
    pub(super) fn collapse(
        &mut self,
        symbol: SymbolId,
        args: &[(StaticId, u32)],
        known: Set,
        extension: bool,
    ) -> Option<Box<[CollapsePart]>> {
        let axioms = self.analysis.signature.symbol(symbol).axioms;
        let identity = axioms.identity?;
        // A value given from outside may be an identity that the sort of its variable rules out.
        let non_collapsing: Vec<bool> =
            args.iter().map(|a| !self.analysis.can_be(a.0, identity)).collect();
        let n_non_collapsing =
            non_collapsing.iter().filter(|&&non_collapsing| non_collapsing).count();
        let mut known = known;
        let last = args.len() - 1;
        let only_repeated = self.unreduced != UnreducedParts::OfRedex
            && args.iter().all(|&(_, multiplicity)| multiplicity > 1);
        let terms: Vec<StaticId> = args.iter().map(|a| a.0).collect();
        let shared = if extension { self.begin_shared(&terms, known) } else { self.shared };
        let parts = args.iter().enumerate().map(|(place, &(x, multiplicity))| {
            let side = (axioms.left_id || place == 0) && (axioms.right_id || place == last);
            let node = self.node(x, known);
            let abstracted = extension
                && !self.analysis.is_variable(x)
                && self.analysis.is_abstracted(x, symbol, known);
            let abstraction = abstracted.then(|| self.abstraction(x));
            let whole = match abstraction {
                Some(var) => self.part_for(x, var, known),
                None if extension => self.root(x, known, true),
                None => node,
            };
            self.analysis.determine(x, &mut known);
            // If all are repeated the first takes the subject, and is the identity as well, but not
            // in equations.
            let repeated = multiplicity > 1;
            let takes_it = n_non_collapsing == usize::from(non_collapsing[place])
                && if repeated { only_repeated && place == 0 } else { side };
            CollapsePart {
                node,
                whole,
                takes_it,
                repeated,
                non_collapsing: non_collapsing[place],
                abstraction,
            }
        });
        let parts = parts.collect();
        self.shared = shared;
        Some(parts)
    }

    /// The sequence or multiset variable for a variable, or an alien treated like one.
    pub(super) fn top_variable(
        &mut self,
        symbol: SymbolId,
        t: StaticId,
        multiplicity: u32,
        identity_fits: bool,
        known: Set,
    ) -> TopVariable {
        let identity = self.analysis.identity(symbol).filter(|_| identity_fits);
        let low = u32::from(!identity.is_some_and(|i| self.analysis.can_be(t, i)));
        if let Some(sort) = self.analysis.variable_sort(t) {
            let var = self.var(t);
            let high = self.analysis.bound(symbol, sort);
            let closed = self.analysis.is_closed(symbol, sort);
            let private =
                self.analysis.occurrences.times(t) == 1 && !self.guarded.contains(&var.slot);
            return TopVariable {
                var,
                multiplicity,
                low,
                high,
                closed,
                alien: None,
                private,
                unused: false,
            };
        }
        let var = self.abstraction(t);
        // What cannot be headed by the operator is one argument, or none if it can be the identity.
        let high = match self.analysis.is_abstracted(t, symbol, known) {
            true => self.analysis.bound(symbol, var.sort),
            false => 1,
        };
        let closed = self.analysis.is_closed(symbol, var.sort);
        let alien = Some(self.node(t, known));
        TopVariable { var, multiplicity, low, high, closed, alien, private: false, unused: false }
    }
}
