//! The state graph of a search: states numbered in order of discovery, with their arcs, one
//! successor computed at a time (`docs/semantics.md` 5.1, 5.2, 5.6).

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Failures;
use super::application::ApplicationStep;
use super::reaching::{ReachStep, Reached, Reaching, hold_searches};
use crate::heap::{Handle, HeldNodes};
use crate::observer::{Event, SceneParts};
use crate::safe_points::{StoreHolder, hold_all};
use crate::solving::ConditionTrial;
use crate::solving::{Applications, Selection, Surroundings};
use crate::worker::Worker;

/// An arc: the number of its target, and the rules found so far that lead there.
#[derive(Debug, Clone)]
pub(crate) struct Transition {
    pub(crate) target: usize,
    /// Numbers of rules in the theory, in their order there.
    pub(crate) rules: SmallVec<[u32; 1]>,
}

/// A state whose successors are being found.
struct Expansion {
    /// `NO_STATE` if there is none.
    state: usize,
    applications: Applications,
    /// The places of targets among the state's arcs.
    places: FxHashMap<usize, usize>,
}

const NO_STATE: usize = usize::MAX;

/// The states that have been found, and what is known of their successors.
pub(crate) struct Graph {
    states: Vec<Handle>,
    numbers: FxHashMap<Handle, usize>,
    /// The arcs of each state, in order of discovery. Behind those of the last state stand lists that
    /// come into use when there are more.
    arcs: Vec<Vec<Transition>>,
    parents: Vec<usize>,
    /// The state that is being expanded.
    expanding: Option<Expansion>,
    selection: Selection,
    failures: Failures,
}

impl Graph {
    /// The graph of the states reachable from a reduced term of the store.
    pub(crate) fn new(start: Handle) -> Graph {
        Graph {
            states: vec![start],
            numbers: FxHashMap::from_iter([(start, 0)]),
            arcs: vec![Vec::new()],
            parents: vec![0],
            expanding: None,
            selection: Selection::default(),
            failures: Failures::default(),
        }
    }

    /// Forgets all states and begins again, with the same rules.
    fn begin_anew(&mut self, start: Handle) {
        self.states.clear();
        self.states.push(start);
        self.numbers.clear();
        self.numbers.insert(start, 0);
        self.arcs[0].clear();
        self.parents.truncate(1);
        if let Some(expanding) = &mut self.expanding {
            expanding.state = NO_STATE;
        }
        self.failures.forget();
    }

    /// Tells which terms of the store it holds, without those of searches in the condition at work,
    /// which are added to a list.
    fn hold_own<'a>(&'a mut self, held: &mut HeldNodes, searches: &mut Vec<&'a mut Reaching>) {
        hold_all(&self.states, held);
        // They are parts of states, so they cost nothing.
        self.failures.hold(held);
        if let Some(expanding) = &mut self.expanding
            && expanding.state != NO_STATE
        {
            expanding.applications.hold_own(held, searches);
        }
    }

    /// The number of states found so far.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// A state.
    pub(crate) fn state(&self, number: usize) -> Handle {
        self.states[number]
    }

    /// The arcs of a state found so far, in order of discovery.
    pub(crate) fn arcs(&self, number: usize) -> &[Transition] {
        &self.arcs[number]
    }

    /// The state from which a state was found first.
    pub(crate) fn parent(&self, number: usize) -> Option<usize> {
        if number == 0 { None } else { Some(self.parents[number]) }
    }

    /// The next successor of a state that it has not had yet, outside of conditions. May collect;
    /// between two calls all is parked.
    pub(crate) fn next_successor(&mut self, engine: &mut Worker, state: usize) -> Option<usize> {
        let mut reached = None;
        loop {
            match self.advance(engine, state, 0, reached) {
                ReachStep::State(successor) => return Some(successor),
                ReachStep::End => return None,
                ReachStep::Searches(search) => reached = Some(engine.run_search(search)),
            }
        }
    }

    /// The same for a graph that is searched inside of `depth` conditions. `reached`: what has come of
    /// the search for which the graph waits.
    fn advance(
        &mut self,
        engine: &mut Worker,
        state: usize,
        depth: u32,
        mut reached: Option<Reached>,
    ) -> ReachStep {
        let expanding = self.expanding.get_or_insert_with(|| Expansion {
            state: NO_STATE,
            applications: Applications::default(),
            places: FxHashMap::default(),
        });
        if expanding.state != state {
            expanding.state = state;
            expanding.applications.begin(engine, self.states[state]);
            expanding.places.clear();
        }
        let Expansion { applications, places, .. } = expanding;
        loop {
            let mut around = Surroundings {
                selection: &mut self.selection,
                failures: Some(&mut self.failures),
                depth,
                uncounted: false,
                guarded: true,
                tests: true,
                values: &[],
            };
            let step = applications.advance(engine, &mut around, reached.take());
            let (base, rule) = match step {
                ApplicationStep::Applies(base, rule) => (base, rule),
                ApplicationStep::End => return ReachStep::End,
                ApplicationStep::Searches(search) => return ReachStep::Searches(search),
            };
            let new = applications.result(engine, base);
            if engine.space.stopped.is_some() {
                engine.space.pop_frame(base);
                return ReachStep::End;
            }
            let new = engine.space.memory.enter(new);
            applications.close(engine, base);
            let fresh = self.states.len();
            let target = *self.numbers.entry(new).or_insert(fresh);
            if target == fresh {
                self.states.push(new);
                self.parents.push(state);
                match self.arcs.get_mut(fresh) {
                    Some(arcs) => arcs.clear(),
                    None => self.arcs.push(Vec::new()),
                }
                if engine.is_watched() {
                    engine.tell(Event::StateFound(target), SceneParts::at(new));
                }
            }
            let arcs = &mut self.arcs[state];
            if let Some(&place) = places.get(&target) {
                let rules = &mut arcs[place].rules;
                if let Err(at) = rules.binary_search(&rule) {
                    rules.insert(at, rule);
                }
                continue;
            }
            places.insert(target, arcs.len());
            arcs.push(Transition { target, rules: smallvec::smallvec![rule] });
            return ReachStep::State(target);
        }
    }
}

impl StoreHolder for Graph {
    fn hold_stored(&mut self, held: &mut HeldNodes) {
        let mut searches = Vec::new();
        self.hold_own(held, &mut searches);
        hold_searches(searches, held);
    }
}

/// All states of a graph in order of their numbers, found lazily.
pub(crate) struct Reach {
    graph: Graph,
    next: usize,
    expand: usize,
}

impl Reach {
    /// All states of a graph.
    pub(crate) fn new(graph: Graph) -> Reach {
        Reach { graph, next: 0, expand: 0 }
    }

    /// Begins again with a reduced term of the store.
    pub(super) fn begin_anew(&mut self, start: Handle) {
        self.graph.begin_anew(start);
        self.next = 0;
        self.expand = 0;
    }

    /// Goes on to the next state, with what has come of the search for which it waits. May collect.
    pub(super) fn advance(
        &mut self,
        engine: &mut Worker,
        depth: u32,
        mut reached: Option<Reached>,
    ) -> ReachStep {
        while self.next == self.graph.len() {
            let waits = reached.is_some();
            if !waits && (self.expand == self.graph.len() || engine.space.stopped.is_some()) {
                return ReachStep::End;
            }
            match self.graph.advance(engine, self.expand, depth, reached.take()) {
                ReachStep::State(_) => {}
                ReachStep::End => self.expand += 1,
                ReachStep::Searches(search) => return ReachStep::Searches(search),
            }
        }
        self.next += 1;
        ReachStep::State(self.next - 1)
    }

    /// Tells which terms of the store the graph holds.
    pub(super) fn hold_own<'a>(
        &'a mut self,
        held: &mut HeldNodes,
        searches: &mut Vec<&'a mut Reaching>,
    ) {
        self.graph.hold_own(held, searches);
    }

    /// The trial of the rule that is being applied.
    pub(crate) fn trial(&mut self) -> Option<&mut ConditionTrial> {
        self.graph.expanding.as_mut().map(|expanding| expanding.applications.trial())
    }

    /// The graph as far as it is known.
    pub(crate) fn graph(&self) -> &Graph {
        &self.graph
    }
}
