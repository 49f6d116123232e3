//! The searches of `=>` fragments, and those that are over: one that begins takes the stacks and
//! tables of one that is over, and what that knows of the rules.

use super::{ConditionTrial, Graph, Reach, SolvedFragment};
use crate::heap::{Handle, HeldNodes};
use crate::worker::Worker;

/// A search that found more states than that is not used again: its tables are large.
const MOST_STATES: usize = 1 << 10;
/// So many searches are kept.
const MOST_SEARCHES: usize = 1 << 6;

/// The states that solve an `=>` fragment.
pub(super) struct Reaching {
    reach: Reach,
    /// How many `=>` fragments are being solved around it, itself included.
    depth: u32,
}

/// A search that has come to its next state, or to its end.
pub(super) struct Reached {
    pub(super) search: Box<Reaching>,
    pub(super) state: Option<Handle>,
}

/// How far a search has come on its way to its next state.
pub(super) enum ReachStep {
    /// There it is.
    State(usize),
    /// There is none.
    End,
    /// The search of a condition inside of it has to go on first.
    Searches(Box<Reaching>),
}

impl Reaching {
    /// Tells which terms of the store it holds, without those of searches inside of it, which are
    /// added to a list.
    pub(super) fn hold_own<'a>(
        &'a mut self,
        held: &mut HeldNodes,
        searches: &mut Vec<&'a mut Reaching>,
    ) {
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
    /// A search that begins at a reduced term of the store, inside of `depth - 1` others.
    pub(super) fn begin(&mut self, start: Handle, depth: u32) -> Box<Reaching> {
        let Some(mut reaching) = self.0.pop() else {
            return Box::new(Reaching { reach: Reach::new(Graph::new(start)), depth });
        };
        reaching.reach.begin_anew(start);
        reaching.depth = depth;
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

impl Worker {
    /// Runs a search to its next state. What it waits for, searches of conditions inside of it, runs
    /// here as well: those that wait are on a stack, however deep they nest. May collect.
    pub(super) fn run_search(&mut self, mut search: Box<Reaching>) -> Reached {
        let mut waiting: Vec<Box<Reaching>> = Vec::new();
        let mut inner: Option<Reached> = None;
        loop {
            let depth = search.depth;
            let state = match search.reach.advance(self, depth, inner.take()) {
                ReachStep::Searches(next) => {
                    waiting.push(std::mem::replace(&mut search, next));
                    continue;
                }
                ReachStep::State(state) => Some(search.reach.graph().state(state)),
                ReachStep::End => None,
            };
            let reached = Reached { search, state };
            let Some(outer) = waiting.pop() else { return reached };
            search = outer;
            inner = Some(reached);
        }
    }
}
