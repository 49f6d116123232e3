//! In which order the states of a search count for its arrow (`docs/semantics.md` 5.3).

use super::Graph;
use crate::worker::Worker;

/// Which states a search is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrow {
    /// `=>1`: after one step.
    One,
    /// `=>+`: after one or more steps.
    Plus,
    /// `=>*`: after any number of steps.
    Star,
    /// `=>!`: states without successors.
    Final,
    /// `=>#`: states with at least two different successors.
    Branching,
}

/// A walk over a state graph, breadth first.
pub(crate) struct Walk {
    arrow: Arrow,
    depth: Option<u64>,
    levels: Vec<u64>,
    /// The state being expanded, and how many successors it has had.
    state: usize,
    successors: usize,
    /// The start still counts when some path arrives at it again.
    again: bool,
    /// The start has not been tried yet.
    fresh: bool,
}

impl Walk {
    pub(crate) fn new(arrow: Arrow, depth: Option<u64>) -> Walk {
        Walk {
            arrow,
            depth: if arrow == Arrow::One { Some(1) } else { depth },
            levels: vec![0],
            state: 0,
            successors: 0,
            again: matches!(arrow, Arrow::One | Arrow::Plus),
            fresh: arrow == Arrow::Star,
        }
    }

    /// The next state that counts. May collect.
    pub(crate) fn next(&mut self, graph: &mut Graph, engine: &mut Worker) -> Option<usize> {
        if std::mem::take(&mut self.fresh) {
            return Some(0);
        }
        let looks_ahead = matches!(self.arrow, Arrow::Final | Arrow::Branching);
        while self.state < self.levels.len() && engine.space.stopped.is_none() {
            let state = self.state;
            let level = self.levels[state];
            if self.depth.is_some_and(|d| level > d || level == d && !looks_ahead) {
                return None;
            }
            engine.store_safe_point(graph);
            let Some(target) = graph.next_successor(engine, state) else {
                if engine.space.stopped.is_some() {
                    return None;
                }
                self.state += 1;
                if std::mem::take(&mut self.successors) == 0 && self.arrow == Arrow::Final {
                    return Some(state);
                }
                continue;
            };
            self.successors += 1;
            if self.arrow == Arrow::Final && self.depth.is_some_and(|d| level >= d) {
                // One successor is enough to know.
                self.state += 1;
                self.successors = 0;
                continue;
            }
            let new = target == self.levels.len();
            if new {
                self.levels.push(level + 1);
            }
            if !looks_ahead {
                if new {
                    return Some(target);
                }
                if target == 0 && std::mem::take(&mut self.again) {
                    return Some(0);
                }
            }
            if self.arrow == Arrow::Branching && self.successors == 2 {
                return Some(state);
            }
        }
        None
    }
}
