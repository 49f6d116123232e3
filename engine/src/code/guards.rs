//! Which conjuncts of a condition may run before the whole pattern has matched
//! (`docs/architecture.md`, Two modes): builtin comparisons of variables and ground terms, joined by
//! Boolean connectives, which have sort Bool by their declarations. What they cannot decide early
//! waits for its place.

use super::compiler::CodeCompiler;
use crate::id::{StaticId, SymbolId};
use crate::matching::{Comparison, Guard, Operand, Slots};
use crate::signature::Meaning;
use crate::statement::Fragment;
use crate::term::StaticNode;

/// Expressions nested deeper than this are left to their place.
const MAX_DEPTH: usize = 64;

impl CodeCompiler<'_> {
    /// The guards of a condition for a pattern with these variables.
    pub(super) fn guards(
        &mut self,
        condition: &[Fragment],
        variables: &[StaticId],
        slots: &mut Slots,
    ) -> Vec<Guard> {
        if !self.fidelity.decides_conditions_early() {
            return Vec::new();
        }
        let mut guards = Vec::new();
        for fragment in condition {
            let Fragment::Equal(left, right) = *fragment else { continue };
            let mut used = self.terms.variables(left);
            self.terms.collect_variables(right, &mut used);
            if used.is_empty() || !used.iter().all(|v| variables.contains(v)) {
                continue;
            }
            let guard = if self.is_true(right) {
                self.guard(left, slots, MAX_DEPTH)
            } else {
                self.operands(left, right, slots).map(|(a, b)| Guard::Equal(a, b))
            };
            guards.extend(guard);
        }
        guards
    }

    fn is_true(&self, term: StaticId) -> bool {
        self.signature.symbol(self.terms.node(term).symbol()).meaning() == Some(Meaning::True)
    }

    fn guard(&mut self, term: StaticId, slots: &mut Slots, depth: usize) -> Option<Guard> {
        if depth == 0 || self.terms.least_sort(self.signature, term).is_kind() {
            return None;
        }
        let symbol = self.terms.node(term).symbol();
        let args = self.terms.args_as_written(term);
        let op = self.signature.symbol(symbol).meaning()?;
        match (op, &args[..]) {
            (Meaning::And, _) => Some(Guard::And(self.all_guards(&args, slots, depth)?)),
            (Meaning::Or, _) => Some(Guard::Or(self.all_guards(&args, slots, depth)?)),
            (Meaning::Not, [a]) => Some(Guard::Not(Box::new(self.guard(*a, slots, depth - 1)?))),
            // The user's own equations for a comparison are not known here.
            _ if self.tables.has_equations(self.signature, symbol) => None,
            (Meaning::Equal | Meaning::NotEqual, [a, b]) => {
                let (a, b) = self.operands(*a, *b, slots)?;
                let equal = Guard::Equal(a, b);
                Some(match op {
                    Meaning::Equal => equal,
                    _ => Guard::Not(Box::new(equal)),
                })
            }
            (Meaning::Less, [a, b]) => self.comparison(symbol, Comparison::Less, *a, *b, slots),
            (Meaning::LessEqual, [a, b]) => {
                self.comparison(symbol, Comparison::LessEqual, *a, *b, slots)
            }
            (Meaning::Greater, [a, b]) => self.comparison(symbol, Comparison::Less, *b, *a, slots),
            (Meaning::GreaterEqual, [a, b]) => {
                self.comparison(symbol, Comparison::LessEqual, *b, *a, slots)
            }
            _ => None,
        }
    }

    fn all_guards(
        &mut self,
        args: &[StaticId],
        slots: &mut Slots,
        depth: usize,
    ) -> Option<Vec<Guard>> {
        args.iter().map(|&a| self.guard(a, slots, depth - 1)).collect()
    }

    fn comparison(
        &mut self,
        symbol: SymbolId,
        comparison: Comparison,
        a: StaticId,
        b: StaticId,
        slots: &mut Slots,
    ) -> Option<Guard> {
        let numbers = self.signature.symbol(symbol).builtin()?.numbers?;
        let (a, b) = self.operands(a, b, slots)?;
        Some(Guard::Compare(comparison, numbers, a, b))
    }

    /// Variables and ground terms that nothing rewrites can be compared as they are.
    fn operands(
        &mut self,
        a: StaticId,
        b: StaticId,
        slots: &mut Slots,
    ) -> Option<(Operand, Operand)> {
        Some((self.operand(a, slots)?, self.operand(b, slots)?))
    }

    fn operand(&mut self, term: StaticId, slots: &mut Slots) -> Option<Operand> {
        if matches!(self.terms.node(term), StaticNode::Variable(..)) {
            return Some(Operand::Slot(slots.slot(term)));
        }
        self.find_constants(&[term]);
        self.constant(term).map(Operand::Constant)
    }
}
