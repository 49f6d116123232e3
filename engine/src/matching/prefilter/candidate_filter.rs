//! Candidate filters: which arguments of a multiset may match an alien, found without looking at each of them.
//!
//! What the alien's variables are bound to, and the guards that compare its parts, are looked up in
//! the postings of a soup, or in a column of a long one.

use super::Prefilter;
use crate::heap::{Column, Handle, PathId, Posted, Ranks};
use crate::matching::{Guard, MatchRun, Operand, Verdict};

/// Which arguments of a multiset may have the wanted parts.
pub(crate) enum CandidateFilter {
    /// Nothing is known.
    Open,
    /// Those with a handle in a column.
    Column(Column, Handle),
    /// These.
    Ranks(Ranks),
}

impl CandidateFilter {
    /// The first rank from `from` on and before `to` that is let through.
    #[inline]
    pub(crate) fn next(&self, from: u32, to: u32) -> Option<u32> {
        match self {
            CandidateFilter::Open => (from < to).then_some(from),
            CandidateFilter::Column(column, value) => {
                (from..to).find(|&rank| column[rank as usize] == *value)
            }
            CandidateFilter::Ranks(ranks) => ranks.next(from).filter(|&rank| rank < to),
        }
    }

    /// The ranks from `from` to before `to` that are let through.
    pub(crate) fn ranks(&self, from: u32, to: u32) -> impl Iterator<Item = u32> {
        let mut from = from;
        std::iter::from_fn(move || {
            let rank = self.next(from, to)?;
            from = rank + 1;
            Some(rank)
        })
    }

    /// Whether nothing is known.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self, CandidateFilter::Open)
    }
}

/// Where a guard may hold, and where it may fail.
#[derive(Clone, Copy)]
struct GuardOutcome {
    holds: Ranks,
    fails: Ranks,
}

impl GuardOutcome {
    const UNKNOWN: GuardOutcome = GuardOutcome { holds: Ranks::ALL, fails: Ranks::ALL };
    const YES: GuardOutcome = GuardOutcome { holds: Ranks::ALL, fails: Ranks::NONE };
    const NO: GuardOutcome = GuardOutcome { holds: Ranks::NONE, fails: Ranks::ALL };
}

impl MatchRun<'_> {
    /// The arguments of a multiset that may match with the present bindings and these guards.
    #[inline]
    pub(crate) fn candidate_filter(
        &mut self,
        prefilter: &Prefilter,
        multiset: Handle,
        guards: &[u32],
    ) -> CandidateFilter {
        if let Some(posted) = self.space.memory.posted(multiset) {
            return self.ranks(prefilter, &posted, guards);
        }
        let Some((path, slot)) = prefilter.join else { return CandidateFilter::Open };
        let value = self.value(slot);
        if value == Handle::NIL {
            return CandidateFilter::Open;
        }
        match self.space.memory.column(multiset, path, value) {
            Some(column) => CandidateFilter::Column(column, value),
            None => CandidateFilter::Open,
        }
    }

    fn ranks(&mut self, prefilter: &Prefilter, posted: &Posted, guards: &[u32]) -> CandidateFilter {
        let multiset = posted.whole;
        let mut ranks = Ranks::ALL;
        let mut open = true;
        for &(path, slot) in &prefilter.joins {
            let value = self.value(slot);
            if value != Handle::NIL
                && let Some((these, _)) = self.space.memory.posting(multiset, path, value)
            {
                ranks = ranks.and(these);
                open = false;
            }
        }
        if self.is_guarded() {
            let pattern = self.pattern;
            for &guard in guards {
                let outcome = self.outcome(prefilter, multiset, pattern.guard(guard));
                ranks = ranks.and(outcome.holds);
                open = false;
            }
        }
        if open { CandidateFilter::Open } else { CandidateFilter::Ranks(posted.own(ranks)) }
    }

    /// For which arguments a guard may hold or fail.
    fn outcome(&mut self, prefilter: &Prefilter, multiset: Handle, guard: &Guard) -> GuardOutcome {
        match guard {
            Guard::Equal(a, b) => {
                let own = |operand: &Operand| match *operand {
                    Operand::Slot(slot) if self.value(slot) == Handle::NIL => {
                        prefilter.own.iter().find(|own| own.slot == slot)
                    }
                    _ => None,
                };
                match (own(a), own(b)) {
                    (Some(_), Some(_)) => GuardOutcome::UNKNOWN,
                    (Some(own), None) => self.equal_at(own.path, multiset, b),
                    (None, Some(own)) => self.equal_at(own.path, multiset, a),
                    (None, None) => self.known_outcome(guard),
                }
            }
            Guard::Compare(..) => self.known_outcome(guard),
            Guard::And(all) => all.iter().fold(GuardOutcome::YES, |so_far, guard| {
                let next = self.outcome(prefilter, multiset, guard);
                GuardOutcome {
                    holds: so_far.holds.and(next.holds),
                    fails: so_far.fails.or(next.fails),
                }
            }),
            Guard::Or(all) => all.iter().fold(GuardOutcome::NO, |so_far, guard| {
                let next = self.outcome(prefilter, multiset, guard);
                GuardOutcome {
                    holds: so_far.holds.or(next.holds),
                    fails: so_far.fails.and(next.fails),
                }
            }),
            Guard::Not(inner) => {
                let GuardOutcome { holds, fails } = self.outcome(prefilter, multiset, inner);
                GuardOutcome { holds: fails, fails: holds }
            }
        }
    }

    /// Which arguments have a value at a path, and which another.
    fn equal_at(&mut self, path: PathId, multiset: Handle, operand: &Operand) -> GuardOutcome {
        let value = match *operand {
            Operand::Slot(slot) => self.value(slot),
            Operand::Constant(term) => term,
        };
        let memory = &mut self.space.memory;
        if value == Handle::NIL || !memory.is_reduced(value) {
            return GuardOutcome::UNKNOWN;
        }
        match memory.posting(multiset, path, value) {
            Some((these, loose)) => {
                GuardOutcome { holds: these.or(loose), fails: these.not().or(loose) }
            }
            None => GuardOutcome::UNKNOWN,
        }
    }

    /// What is known of a guard that reads nothing of the arguments.
    fn known_outcome(&self, guard: &Guard) -> GuardOutcome {
        let registers = &self.space.regs[self.base..];
        match guard.verdict(&self.space.memory, registers) {
            Verdict::Yes => GuardOutcome::YES,
            Verdict::No => GuardOutcome::NO,
            Verdict::Unknown => GuardOutcome::UNKNOWN,
        }
    }
}
