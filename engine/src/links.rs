//! What a search that solves an `=>` fragment shares with the search or term around
//! (`language.md` 5.7): found out once for each rule.

use crate::code::{Reg, Slots};
use crate::engine::Engine;
use crate::heap::Handle;
use crate::id::{StaticId, SymbolId};
use crate::theory::Fragment;

/// The registers through which an `=>` fragment shares subterms with the search around.
#[derive(Debug, Clone, Default)]
pub(crate) struct Link {
    /// Variables of the term that it starts from.
    pub(crate) start: Vec<Reg>,
    /// Those of them that the right side of the rule has, too.
    pub(crate) kept: Vec<Reg>,
    /// Those of them that the pattern has below an operator with an identity, and nowhere else.
    pub(crate) below: Vec<(Reg, SymbolId)>,
    /// Variables that its pattern binds.
    pub(crate) new: Vec<Reg>,
}

impl Engine {
    /// The links of a condition whose variables have these registers; `known` are bound before it,
    /// also by the pattern `left`, and `right` is the right side that comes after it.
    pub(crate) fn links(
        &self,
        condition: &[Fragment],
        (left, right): (StaticId, Option<StaticId>),
        mut known: Vec<StaticId>,
        slots: &Slots,
    ) -> Vec<Link> {
        if !condition.iter().any(|fragment| matches!(fragment, Fragment::Rewrite(..))) {
            return Vec::new();
        }
        let mut links = Vec::new();
        let right = right.map(|right| self.terms.variables(right)).unwrap_or_default();
        for fragment in condition {
            let mut link = Link::default();
            if let Fragment::Match(pattern, _) | Fragment::Rewrite(_, pattern) = *fragment {
                let found = self.terms.variables(pattern);
                let new = found.iter().filter(|v| !known.contains(v));
                link.new = new.filter_map(|&v| slots.get(v)).collect();
                known.extend(found);
            }
            if let Fragment::Rewrite(term, _) = *fragment {
                let start = self.terms.variables(term);
                link.start = start.iter().filter_map(|&v| slots.get(v)).collect();
                let below = start.iter().filter_map(|&v| {
                    let operator = self.operator_with_identity_above(v, left)?;
                    Some((slots.get(v)?, operator))
                });
                link.below = below.collect();
                let kept = start.into_iter().filter(|v| right.contains(v));
                link.kept = kept.filter_map(|v| slots.get(v)).collect();
            }
            links.push(link);
        }
        links
    }

    /// The operator with an identity of which a variable is an argument wherever a pattern has it.
    fn operator_with_identity_above(
        &self,
        variable: StaticId,
        pattern: StaticId,
    ) -> Option<SymbolId> {
        let mut above = None;
        let mut stack = vec![pattern];
        while let Some(t) = stack.pop() {
            let args = self.terms.args(t);
            if args.contains(&variable) {
                let operator = self.terms.node(t).symbol();
                if self.memory.core(operator).identity == Handle::NIL {
                    return None;
                }
                above.get_or_insert(operator);
            }
            stack.extend(args);
        }
        above
    }
}
