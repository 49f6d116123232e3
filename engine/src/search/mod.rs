//! `search`: the states that a term can reach, and those that fit a pattern (`docs/semantics.md` 5).

#[cfg(test)]
mod tests;
mod walk;

pub use walk::Arrow;

use crate::code::{GoalCode, GoalSpec};
use crate::command::{CommandRun, CommandTerms, Computation};
use crate::heap::Handle;
use crate::id::StaticId;
use crate::limits::Stop;
use crate::matching::Mode;
use crate::result::Term;
use crate::solving::{ConditionTrial, Graph, Problem, Scope};
use crate::statement::Fragment;
use crate::worker::Worker;
use walk::Walk;

/// What a search looks for.
#[derive(Debug, Clone)]
pub struct SearchSpec {
    /// The term to start from, partially normalised.
    pub start: StaticId,
    /// Which states count.
    pub arrow: Arrow,
    /// The pattern, fully normalised.
    pub pattern: StaticId,
    /// The condition.
    pub condition: Vec<Fragment>,
    /// The largest level of states to generate.
    pub depth: Option<u64>,
}

/// A state that fits, with the values of the variables.
#[derive(Debug, Clone)]
pub struct Solution {
    /// The number of the state.
    pub state: usize,
    /// Variables of the pattern and the condition in order of occurrence.
    pub bindings: Vec<(StaticId, Term)>,
}

/// A search under way, with its state graph.
pub struct Search {
    run: CommandRun,
    start: StaticId,
    goal: GoalCode,
    graph: Option<Graph>,
    walk: Walk,
    trial: ConditionTrial,
    /// The state at which the trial has a solution, and may have others.
    at: Option<usize>,
    frame: Vec<Handle>,
}

impl Search {
    /// A search; it does nothing before its first solution is asked for.
    pub fn new(worker: &mut Worker, command: &CommandTerms, spec: SearchSpec) -> Search {
        worker.space.learn_mentioned(&command.signature);
        let goal = worker.compiler(&command.terms).compile_goal(&GoalSpec {
            pattern: spec.pattern,
            bound: &[],
            condition: &spec.condition,
            right: None,
            extension: false,
            unreduced: false,
        });
        Search {
            run: CommandRun::new(command),
            start: spec.start,
            goal,
            graph: None,
            walk: Walk::new(spec.arrow, spec.depth),
            trial: ConditionTrial::default(),
            at: None,
            frame: Vec::new(),
        }
    }
}

impl Computation for Search {
    fn run(&mut self) -> &mut CommandRun {
        &mut self.run
    }
}

impl Search {
    /// The next solution, or `None` when there is no further one.
    pub fn next(&mut self, engine: &mut Worker) -> Result<Option<Solution>, Stop> {
        engine.supervise(self, Search::advance)
    }

    fn advance(&mut self, engine: &mut Worker) -> Option<Solution> {
        if self.graph.is_none() {
            let start = engine.reduced_start(self.start);
            if engine.space.stopped.is_some() {
                return None;
            }
            let start = engine.space.memory.enter(start);
            self.graph = Some(Graph::new(start));
        }
        let graph = self.graph.as_mut().expect("the graph has been made");
        let problem = Problem::of(&self.goal);
        loop {
            let base = engine.space.regs.len();
            let found = if let Some(state) = self.at {
                engine.space.regs.extend_from_slice(&self.frame);
                let scope = Scope { depth: 0 };
                self.trial.next(engine, problem, scope, base).then_some(state)
            } else {
                let state = self.walk.next(graph, engine)?;
                engine.space.push_frame(self.goal.n_regs as usize);
                let scope = Scope { depth: 0 };
                let subject = graph.state(state);
                let found = self.trial.first(engine, problem, scope, base, subject, Mode::All);
                found.then_some(state)
            };
            self.at = found;
            if let Some(state) = found {
                self.trial.park(engine);
                self.frame = engine.park_frame(base);
                let bindings = engine.bindings(&self.goal, &self.frame);
                return Some(Solution { state, bindings });
            }
            engine.space.pop_frame(base);
            if engine.space.stopped.is_some() {
                return None;
            }
        }
    }

    /// The number of states found so far.
    pub fn n_states(&self) -> usize {
        self.graph.as_ref().map_or(0, Graph::len)
    }

    /// A state.
    pub fn state(&self, engine: &mut Worker, number: usize) -> Option<Term> {
        let graph = self.graph.as_ref()?;
        if number < graph.len() { Some(engine.keep(graph.state(number))) } else { None }
    }

    /// The arcs of a state found so far, ordered by target: the target, and the `source` numbers of
    /// the rules that lead there in the order of the theory.
    pub fn arcs(&self, engine: &Worker, number: usize) -> Vec<(usize, Vec<u32>)> {
        let Some(graph) = &self.graph else { return Vec::new() };
        let mut arcs: Vec<(usize, Vec<u32>)> =
            graph.arcs(number).iter().map(|t| (t.target, sources(engine, &t.rules))).collect();
        arcs.sort_by_key(|arc| arc.0);
        arcs
    }

    /// The shortest way from the start to a state: the states on it, the start first, each but the
    /// first with the rules found so far on the arc that leads to it.
    pub fn path(&self, engine: &Worker, number: usize) -> Option<Vec<(usize, Vec<u32>)>> {
        let graph = self.graph.as_ref()?;
        if number >= graph.len() {
            return None;
        }
        let mut path = Vec::new();
        let mut at = number;
        while let Some(parent) = graph.parent(at) {
            let arc = graph.arcs(parent).iter().find(|arc| arc.target == at);
            let arc = arc.expect("a parent has an arc to its child");
            path.push((at, sources(engine, &arc.rules)));
            at = parent;
        }
        path.push((at, Vec::new()));
        path.reverse();
        Some(path)
    }
}

/// The numbers by which the caller knows rules.
fn sources(engine: &Worker, rules: &[u32]) -> Vec<u32> {
    let statements = &engine.code.tables.statements;
    rules.iter().map(|&rule| statements[rule as usize].source).collect()
}
