//! The searches of `=>` fragments, and those that are over: one that begins takes the stacks and
//! tables of one that is over, and what that knows of the rules.

use super::{ConditionTrial, Graph, Reach, SolvedFragment};
use crate::heap::{Handle, HeldNodes};
use crate::matching::Matcher;

/// A search that found more states than that is not used again: its tables are large.
const MOST_STATES: usize = 1 << 10;
/// So many searches are kept.
const MOST_SEARCHES: usize = 1 << 6;

/// The states that solve an `=>` fragment.
pub(super) struct Reaching {
    pub(super) reach: Reach,
    pub(super) matcher: Matcher,
    /// The matcher is at a state, and may have others.
    pub(super) at_state: bool,
}

impl Reaching {
    /// Tells which terms of the store it holds, without those of searches inside of it, which are
    /// added to a list.
    pub(super) fn hold_own<'a>(
        &'a mut self,
        held: &mut HeldNodes,
        searches: &mut Vec<&'a mut Reaching>,
    ) {
        self.matcher.visit_roots(&mut |root| held.hold(*root));
        self.reach.hold_own(held, searches);
    }

    /// The searches inside of this one, which it loses.
    #[allow(clippy::vec_box, reason = "the steps that they come from hold boxes")]
    fn take_inner(&mut self) -> Vec<Box<Reaching>> {
        let trial = self.reach.trial();
        trial.map(ConditionTrial::take_searches).unwrap_or_default()
    }
}

/// Tells which terms of the store searches hold, with those inside of them, however deep.
pub(super) fn hold_searches(mut searches: Vec<&mut Reaching>, held: &mut HeldNodes) {
    while let Some(reaching) = searches.pop() {
        reaching.hold_own(held, &mut searches);
    }
}

/// Searches nest as deeply as rules make them, so they are dropped one by one.
impl Drop for Reaching {
    fn drop(&mut self) {
        let mut inner = self.take_inner();
        while let Some(mut reaching) = inner.pop() {
            inner.append(&mut reaching.take_inner());
        }
    }
}

/// Searches that are over, all in one theory.
#[derive(Default)]
#[allow(clippy::vec_box, reason = "they come and go in boxes")]
pub(crate) struct FinishedSearches(Vec<Box<Reaching>>);

impl FinishedSearches {
    /// A search that begins at a reduced term of the store.
    pub(super) fn begin(&mut self, start: Handle) -> Box<Reaching> {
        let Some(mut reaching) = self.0.pop() else {
            let (reach, matcher) = (Reach::new(Graph::new(start)), Matcher::default());
            return Box::new(Reaching { reach, matcher, at_state: false });
        };
        reaching.reach.begin_anew(start);
        reaching.at_state = false;
        reaching
    }

    /// Keeps a search that is over, with those inside of it.
    pub(super) fn keep(&mut self, reaching: Box<Reaching>) {
        let mut over = vec![reaching];
        while let Some(mut reaching) = over.pop() {
            over.append(&mut reaching.take_inner());
            if self.0.len() < MOST_SEARCHES && reaching.reach.graph().len() <= MOST_STATES {
                self.0.push(reaching);
            }
        }
    }

    /// The same for the search of a fragment that is given up.
    pub(super) fn keep_step(&mut self, step: SolvedFragment) {
        if let SolvedFragment::Reaching(reaching) = step {
            self.keep(reaching);
        }
    }
}
