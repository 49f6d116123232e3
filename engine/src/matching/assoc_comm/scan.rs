//! Whether some argument of a soup matches, where nothing asks for the others.
//!
//! An equation such as `occupied(R, < id(R, C) | A > CELLS) = true` only asks whether there is such
//! an argument. Nothing is laid out for its match then, and the rest is never made.

use crate::heap::Handle;
use crate::matching::{AcAlien, Greedily, MatchRun, MultiNode, UNBOUNDED};

impl MatchRun<'_> {
    /// The only alien of a pattern whose only other argument is a variable that certainly takes the
    /// rest of the subject, and that nobody reads.
    pub(super) fn lone_alien<'n>(
        &self,
        node: &'n MultiNode,
        subject: Handle,
    ) -> Option<&'n AcAlien> {
        let ([alien], [c]) = (&node.aliens[..], &node.multiset_variables[..]) else { return None };
        let simple = c.unused
            && (c.low, c.high, c.multiplicity, alien.multiplicity) == (0, UNBOUNDED, 1, 1)
            && c.alien.is_none()
            && node.ground.is_empty()
            && !node.extension
            && self.value(c.var.slot) == Handle::NIL;
        if !simple || self.space.memory.core(node.symbol).memberships {
            return None;
        }
        let kind = self.space.signature.kind(c.var.sort.kind);
        let fits = |sort: u16| kind.leq(sort, c.var.sort.index);
        let sure = c.var.sort.index == 0
            || self.uniform_sort(node.symbol, node.even, subject).is_some_and(fits)
                && node.arg_sort.is_some_and(fits);
        sure.then_some(alien)
    }

    /// Finds the first argument that an alien matches.
    pub(super) fn scan(&mut self, alien: &AcAlien, subject: Handle) -> Greedily {
        let range = self.operator_range(alien, subject, self.space.memory.n_args(subject));
        let candidate_filter = self.candidate_filter(&alien.prefilter, subject, &[]);
        let (from, to) = self.narrowed(alien, subject, range, &candidate_filter);
        let (mark, out) = (self.mark(), self.matcher.out.len());
        for rank in candidate_filter.ranks(from, to) {
            let arg = self.space.memory.arg(subject, rank as usize);
            if !self.may_match(&alien.prefilter, arg) {
                continue;
            }
            let matched = self.propagate(alien.node, arg);
            if matched && self.matcher.out.len() == out {
                return Greedily::Matched;
            }
            self.undo(mark);
            if matched {
                return Greedily::Open;
            }
        }
        Greedily::Failed
    }
}
