//! `matchrew`: parts of a match are rewritten by tasks of their own, and results are put together
//! (`docs/semantics.md` 7.2).

use super::machine::StrategyMachine;
use super::program::{Env, Matching, StrategyNode, StrategyNodeId};
use super::stacks::StackId;
use super::tasks::{Continuation, ProcessWork, TaskId};
use crate::heap::BesideRedex;
use crate::heap::{Handle, HeldNodes};
use crate::safe_points::hold_all;
use crate::solving::Path;
use crate::worker::Worker;

/// A match whose parts are being rewritten.
pub(super) struct Rebuilding {
    node: StrategyNodeId,
    state: Handle,
    path: Path,
    rest: BesideRedex,
    /// The values of the inner scope's variables.
    values: Vec<Handle>,
    stack: StackId,
    /// The results of each part, in order of arrival.
    results: Vec<Vec<Handle>>,
}

/// Combinations of one new result with the results that the other parts had, as nested loops over
/// the parts, the last one innermost. A loop over several results that has come to its end begins
/// again in a run of its own, as in Maude.
pub(super) struct Combining {
    /// For each part the range of results.
    ranges: Vec<(usize, usize)>,
    choice: Vec<usize>,
    /// The loop that goes on in the next run, or none before the first combination.
    turn: Option<usize>,
    /// The part with the new result, whose loop makes no steps.
    new: usize,
}

impl Rebuilding {
    /// Tells which terms of the store it holds.
    pub(super) fn hold_stored(&self, held: &mut HeldNodes) {
        held.hold(self.state);
        hold_all(self.rest.terms(), held);
        hold_all(self.values.iter().chain(self.results.iter().flatten()), held);
    }
}

impl Combining {
    fn new(ranges: Vec<(usize, usize)>, new: usize) -> Combining {
        let choice = ranges.iter().map(|r| r.0).collect();
        Combining { ranges, choice, turn: None, new }
    }

    /// One run: whether it makes a combination, or `None` if there is none left.
    fn step(&mut self) -> Option<bool> {
        let Some(part) = self.turn else {
            self.turn = self.loop_before(self.ranges.len());
            return Some(true);
        };
        let (from, to) = self.ranges[part];
        self.choice[part] += 1;
        if self.choice[part] < to {
            self.turn = self.loop_before(self.ranges.len());
            return Some(true);
        }
        self.choice[part] = from;
        self.turn = Some(self.loop_before(part)?);
        Some(false)
    }

    /// The innermost loop around that of a part.
    fn loop_before(&self, part: usize) -> Option<usize> {
        (0..part).rfind(|&before| before != self.new)
    }
}

impl StrategyMachine {
    fn matching(&self, node: StrategyNodeId) -> &Matching {
        match self.program.node(node) {
            StrategyNode::MatchRewrite(matching) | StrategyNode::Test(matching) => matching,
            _ => unreachable!("a match belongs to a match strategy"),
        }
    }

    /// Whether a test holds in a state.
    pub(super) fn test(
        &mut self,
        engine: &mut Worker,
        owner: TaskId,
        node: StrategyNodeId,
        state: Handle,
    ) -> bool {
        let mut finding = super::finding::Finding::new(state);
        match self.find(engine, owner, node, &mut finding) {
            Some(base) => {
                engine.space.pop_frame(base);
                true
            }
            None => false,
        }
    }

    fn find(
        &self,
        engine: &mut Worker,
        owner: TaskId,
        node: StrategyNodeId,
        finding: &mut super::finding::Finding,
    ) -> Option<usize> {
        let values = self.scheduler.env(owner).values(self.program.scope(node));
        finding.next(engine, self.matching(node), values)
    }

    /// A run of a `matchrew` process: takes one match. Returns whether it goes on.
    pub(super) fn run_match_rewrite(
        &mut self,
        engine: &mut Worker,
        owner: TaskId,
        node: StrategyNodeId,
        stack: StackId,
        finding: &mut super::finding::Finding,
    ) -> bool {
        let Some(base) = self.find(engine, owner, node, finding) else { return false };
        let matching = self.matching(node);
        let rewriting = matching.rewriting.as_ref().expect("a `matchrew` rewrites");
        let rest = finding.rest(engine, matching);
        let path = finding.path();
        let frame = finding.close(engine, base);
        let values: Vec<Handle> = rewriting.registers.iter().map(|&r| frame[r as usize]).collect();
        let items = rewriting.items.clone();
        let env = Env::new(rewriting.scope, values.clone());
        let rebuilding = Rebuilding {
            node,
            state: finding.state,
            path,
            rest,
            values,
            stack,
            results: vec![Vec::new(); items.len()],
        };
        // States are terms of the store, also where a value is an identity.
        let starts: Vec<Handle> =
            items.iter().map(|&(at, _)| engine.space.memory.enter(rebuilding.values[at])).collect();
        let continuation = Continuation::Match(Box::new(rebuilding));
        let task = self.scheduler.add_task(Some(owner), continuation, env.clone());
        for (item, (&(_, strategy), start)) in items.iter().zip(starts).enumerate() {
            let continuation = Continuation::Item { item: item as u32 };
            let part = self.scheduler.add_task(Some(task), continuation, env.clone());
            let stack = self.stacks.push(strategy, StackId::EMPTY);
            self.decompose(start, stack, part);
        }
        true
    }

    /// A result of a part of a match.
    pub(super) fn item_result(
        &mut self,
        engine: &mut Worker,
        task: TaskId,
        item: usize,
        state: Handle,
    ) {
        let Continuation::Match(rebuilding) = self.scheduler.continuation_mut(task) else {
            unreachable!("an item belongs to a match")
        };
        let results = &mut rebuilding.results;
        results[item].push(state);
        if results.len() == 1 {
            let choice = [results[0].len() - 1];
            self.combine(engine, task, &choice);
        } else if results.iter().all(|r| !r.is_empty()) {
            let ranges: Vec<(usize, usize)> = results
                .iter()
                .enumerate()
                .map(|(i, r)| if i == item { (r.len() - 1, r.len()) } else { (0, r.len()) })
                .collect();
            let combining = Combining::new(ranges, item);
            self.scheduler.add_process(task, ProcessWork::Combine(Box::new(combining)));
        }
    }

    /// A run of a combination process. Returns whether it goes on.
    pub(super) fn run_combine(
        &mut self,
        engine: &mut Worker,
        owner: TaskId,
        combining: &mut Combining,
    ) -> bool {
        match combining.step() {
            Some(true) => self.combine(engine, owner, &combining.choice),
            Some(false) => {}
            None => return false,
        }
        true
    }

    /// Puts chosen results into the subject and goes on.
    fn combine(&mut self, engine: &mut Worker, task: TaskId, choice: &[usize]) {
        let Continuation::Match(rebuilding) = self.scheduler.continuation(task) else {
            unreachable!("results are combined in a match")
        };
        let matching = self.matching(rebuilding.node);
        let rewriting = matching.rewriting.as_ref().expect("a `matchrew` rewrites");
        let base = engine.open_frame(rewriting.pattern.n_regs, &rebuilding.values);
        let chosen = rebuilding.results.iter().zip(choice).map(|(results, &at)| results[at]);
        for (&(at, _), result) in rewriting.items.iter().zip(chosen) {
            engine.space.regs[base + at] = result;
        }
        let eager = engine.is_eager_path(rebuilding.state, &rebuilding.path);
        let new = if eager {
            engine.evaluate(&rewriting.pattern.block, 0, base)
        } else {
            self.program.instance(engine, rewriting, base)
        };
        engine.space.pop_frame(base);
        if engine.space.stopped.is_some() {
            return;
        }
        let new = engine.space.memory.around(&rebuilding.rest, new, eager);
        let new = engine.put(rebuilding.state, &rebuilding.path, new, eager);
        if engine.space.stopped.is_some() {
            return;
        }
        let new = engine.space.memory.enter(new);
        let (stack, owner) = (rebuilding.stack, self.scheduler.owner(task));
        self.decompose(new, stack, owner.expect("a match has an owner"));
    }
}
