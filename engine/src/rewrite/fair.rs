//! `frewrite`: traversals in post-order with a number of rule applications for each position
//! (`docs/semantics.md` 4.3).
//!
//! The way from the root to the position at work is a stack of levels. The node of a level and its
//! arguments, equal ones one by one, stand on the root stack, one level after the other.

use std::sync::Arc;

use super::{Form, Rules, Subject};
use crate::code::RuleCode;
use crate::command::{CommandRun, CommandTerms, Computation};
use crate::fidelity::Parked;
use crate::heap::Handle;
use crate::id::StaticId;
use crate::limits::Stop;
use crate::result::Term;
use crate::signature::{ObjectRole, Shape};
use crate::term::StaticNode;
use crate::worker::Worker;

/// A position whose arguments are being visited, or that is being visited itself.
struct TraversalLevel {
    /// The number of arguments visited one by one.
    n_args: usize,
    /// The argument being visited, or the next.
    next: usize,
    /// Something has changed at or below this position.
    changed: bool,
    /// The arguments are done and the node is rebuilt; so many rules were applied to it.
    applied: Option<u64>,
    /// What is put here is reduced.
    eager: bool,
}

/// `frewrite` under way.
pub struct FairRewriting {
    run: CommandRun,
    rules: Rules,
    gas: u64,
    subject: Subject,
    levels: Vec<TraversalLevel>,
    /// The part of the root stack that belongs to the levels, while parked.
    parked: Parked,
    /// Objects met that had a name which another one has.
    duplicates: Vec<(Term, Term)>,
}

/// How a traversal ended.
#[derive(PartialEq, Eq)]
enum TraversalEnd {
    /// All positions were visited; whether anything changed.
    Done(bool),
    /// The limit was reached, or the computation was stopped.
    Limit,
}

impl FairRewriting {
    /// Rewrites a term fairly, at most `gas` times at a position before the next one gets its turn;
    /// nothing is done before the first run.
    pub fn new(
        worker: &mut Worker,
        command: &CommandTerms,
        term: StaticId,
        gas: u64,
    ) -> FairRewriting {
        FairRewriting {
            run: CommandRun::new(command),
            rules: Rules::new(worker),
            gas,
            subject: Subject::Given(term),
            levels: Vec::new(),
            parked: Parked::default(),
            duplicates: Vec::new(),
        }
    }
}

impl Computation for FairRewriting {
    fn run(&mut self) -> &mut CommandRun {
        &mut self.run
    }
}

impl FairRewriting {
    /// Applies at most so many rules, and returns the term reached. If that stops in the middle of
    /// a traversal the term is neither reduced nor sorted above the position, and has no sort.
    pub fn run(&mut self, engine: &mut Worker, limit: Option<u64>) -> Result<Term, Stop> {
        let result = engine.supervise(self, |run, engine| run.advance(engine, limit));
        result.map(|term| term.expect("a computation that was not stopped has a result"))
    }

    fn advance(&mut self, engine: &mut Worker, limit: Option<u64>) -> Option<Term> {
        let base = engine.space.regs.len();
        if self.levels.is_empty() {
            let root = self.subject.take_up(engine);
            if engine.space.stopped.is_none() {
                self.descend(engine, root, true);
            }
        } else {
            let parked = self.parked.unpark(&mut engine.space.memory);
            engine.space.regs.extend(parked);
        }
        let mut left = limit.unwrap_or(u64::MAX);
        while engine.space.stopped.is_none()
            && self.traverse(engine, &mut left) == TraversalEnd::Done(true)
        {
            let root = engine.space.regs[base];
            engine.space.pop_frame(base);
            self.descend(engine, root, true);
        }
        if engine.space.stopped.is_some() {
            self.levels.clear();
            engine.space.pop_frame(base);
            return None;
        }
        self.rules.note_turns(engine);
        let result = self.leave(engine, base);
        engine.space.pop_frame(base);
        Some(result)
    }

    /// Pairs of objects with one name that were met since this was asked last.
    pub fn duplicates(&mut self) -> Vec<(Term, Term)> {
        std::mem::take(&mut self.duplicates)
    }

    /// Parks the state and makes the term that it stands for.
    fn leave(&mut self, engine: &mut Worker, base: usize) -> Term {
        let at_root = self.levels.len() <= 1;
        let result = if at_root {
            let root = engine.space.memory.resolve(engine.space.regs[base]);
            engine.keep(root)
        } else {
            let term = self.unfinished(engine, base);
            engine.keep_unfinished(term)
        };
        if at_root {
            // The next run begins with the leaves, whatever the root has left to do.
            self.levels.clear();
            let root = engine.space.memory.resolve(engine.space.regs[base]);
            self.subject = Subject::Parked(Parked::new(&mut engine.space.memory, &[root]));
        } else {
            let nodes: Vec<Handle> = (base..engine.space.regs.len())
                .map(|at| engine.normalised(engine.space.regs[at], false, false))
                .collect();
            self.parked = Parked::new(&mut engine.space.memory, &nodes);
        }
        result
    }

    /// The term in the middle of a traversal: rebuilt, neither reduced nor sorted.
    fn unfinished(&self, engine: &mut Worker, base: usize) -> Handle {
        let mut top = engine.space.regs.len();
        let mut child: Option<Handle> = None;
        for level in self.levels.iter().rev() {
            let at = top - level.n_args - 1;
            let node = engine.space.memory.resolve(engine.space.regs[at]);
            let mut args: Vec<Handle> = engine.space.regs[at + 1..top].to_vec();
            if let Some(child) = child {
                args[level.next] = child;
            }
            let keeps = level.applied.is_some() || args.is_empty();
            child = Some(if keeps { node } else { raw_node(engine, node, &args) });
            top = at;
        }
        debug_assert_eq!(top, base);
        child.expect("a traversal has a root")
    }

    /// Visits positions until the traversal ends. The root stays in its register.
    fn traverse(&mut self, engine: &mut Worker, left: &mut u64) -> TraversalEnd {
        loop {
            let Some(level) = self.levels.last_mut() else { unreachable!("the root has a level") };
            let at = engine.space.regs.len() - level.n_args - 1;
            if level.next < level.n_args && level.applied.is_none() {
                let child = engine.space.regs[at + 1 + level.next];
                let node = engine.space.memory.resolve(engine.space.regs[at]);
                let symbol = engine.space.memory.symbol(node);
                let place = place_of(engine, node, level.next);
                let eager =
                    level.eager && engine.space.signature.symbol(symbol).is_eager(place as usize);
                self.descend(engine, child, eager);
                continue;
            }
            if level.applied.is_none() {
                if level.changed {
                    engine.space.regs[at] = if level.eager {
                        rebuilt(engine, at, level.n_args)
                    } else {
                        let node = engine.space.memory.resolve(engine.space.regs[at]);
                        let args = engine.space.regs[at + 1..].to_vec();
                        raw_node(engine, node, &args)
                    };
                    if engine.space.stopped.is_some() {
                        return TraversalEnd::Limit;
                    }
                }
                engine.space.pop_frame(at + 1);
                level.n_args = 0;
                level.applied = Some(0);
            }
            while level.applied.is_some_and(|n| n < self.gas) {
                if *left == 0 {
                    return TraversalEnd::Limit;
                }
                let (eager, subject) =
                    (level.eager, engine.space.memory.resolve(engine.space.regs[at]));
                let symbol = engine.space.memory.symbol(subject);
                // Only what was at the position before may have been tried in vain: a rule's
                // outcome is tried even if it is a node that was.
                let tried = level.applied == Some(0)
                    && self.rules.marks.is_marked(&engine.space.memory, subject);
                if tried || !self.rules.any(engine, symbol) {
                    break;
                }
                let role = engine.space.signature.symbol(symbol).object_role;
                let new = if !eager {
                    Self::apply_to_unreduced(&mut self.rules, engine, at)
                } else if role == Some(ObjectRole::Configuration) {
                    self.rules.visit(engine, at, &mut self.duplicates)
                } else {
                    self.rules.apply(engine, at, Form::ToReduce)
                };
                let Some(new) = new else {
                    if engine.space.stopped.is_some() {
                        return TraversalEnd::Limit;
                    }
                    let subject = engine.space.memory.resolve(engine.space.regs[at]);
                    self.rules.marks.mark(&mut engine.space.memory, subject);
                    break;
                };
                engine.space.regs[at] = if eager { engine.reduce(new) } else { new };
                level.applied = level.applied.map(|n| n + 1);
                level.changed = true;
                *left -= 1;
                if *left == 0 || engine.space.stopped.is_some() {
                    return TraversalEnd::Limit;
                }
            }
            let changed = level.changed;
            self.levels.pop();
            let Some(parent) = self.levels.last_mut() else { return TraversalEnd::Done(changed) };
            let node = engine.space.memory.resolve(engine.space.regs[at]);
            engine.space.pop_frame(at);
            let slot = at - parent.n_args + parent.next;
            engine.space.regs[slot] = node;
            parent.next += 1;
            parent.changed |= changed;
        }
    }

    /// Applies a rule where nothing is reduced. The node, whose sort is not known if it was
    /// rebuilt, may be raw, and the outcome is. May collect.
    fn apply_to_unreduced(rules: &mut Rules, engine: &mut Worker, at: usize) -> Option<Handle> {
        let node = engine.space.memory.resolve(engine.space.regs[at]);
        let symbol = engine.space.memory.symbol(node);
        let rules_here = Arc::clone(&rules.turn(engine, symbol).rules);
        let top = |rule: &RuleCode| engine.terms.node(rule.left).symbol();
        let asks = rules_here.iter().any(|rule| top(rule) != symbol);
        let tests = rules_here.iter().any(|rule| !rule.goal.fragments.is_empty());
        let normal = engine.normalised(node, !tests, true);
        // No rule is tried on a node that has arguments which it should not have.
        let kept = engine.space.memory.symbol(normal) == symbol
            && (engine.space.memory.n_args(normal) == engine.space.memory.n_args(node)
                || !rules_here.iter().any(|rule| repeats_arguments(engine, rule.left))
                    && n_with_equal(engine, normal) == n_with_equal(engine, node));
        if !kept {
            return None;
        }
        let register = engine.space.push_frame(1);
        engine.space.regs[register] = normal;
        let sorted = engine.space.memory.known_sort(normal).is_some();
        engine.deny_sorts(normal, asks);
        let new = rules.apply(engine, register, Form::AsBuilt);
        let normal = engine.space.memory.resolve(engine.space.regs[register]);
        if !sorted && engine.space.memory.core(symbol).is_list() {
            // The sort of a stretch is computed for the match alone.
            engine.space.memory.forget_sort(normal);
        }
        engine.space.pop_frame(register);
        new
    }

    /// Opens a level for a node.
    fn descend(&mut self, engine: &mut Worker, node: Handle, eager: bool) {
        let node = engine.space.memory.resolve(node);
        engine.space.make_room_for_registers(engine.space.memory.total_args(node));
        engine.space.regs.push(node);
        let before = engine.space.regs.len();
        let symbol = engine.space.signature.symbol(engine.space.memory.symbol(node));
        for place in 0..engine.space.memory.n_args(node) {
            if symbol.is_frozen(place) {
                continue;
            }
            let arg = engine.space.memory.arg(node, place);
            for _ in 0..engine.space.memory.multiplicity(node, place) {
                engine.space.regs.push(arg);
            }
        }
        let n_args = engine.space.regs.len() - before;
        self.levels.push(TraversalLevel { n_args, next: 0, changed: false, applied: None, eager });
    }
}

/// Whether a left side wants several equal arguments of a multiset at once; those that were
/// visited one by one are not put together where nothing is reduced.
fn repeats_arguments(worker: &Worker, left: StaticId) -> bool {
    match worker.terms.node(left) {
        StaticNode::Multiset(_, args) => args.iter().any(|&(_, n)| n > 1),
        _ => false,
    }
}

/// The number of arguments, equal ones one by one.
fn n_with_equal(engine: &Worker, node: Handle) -> u64 {
    let places = 0..engine.space.memory.n_args(node);
    places.map(|place| u64::from(engine.space.memory.multiplicity(node, place))).sum()
}

/// The place in the node of the argument that is visited as number `next`.
fn place_of(engine: &Worker, node: Handle, next: usize) -> u32 {
    match engine.space.memory.shape(node) {
        Shape::Free | Shape::Comm => {
            let symbol = engine.space.signature.symbol(engine.space.memory.symbol(node));
            let mut places = (0..).filter(|&place| !symbol.is_frozen(place));
            places.nth(next).unwrap_or_default() as u32
        }
        // All arguments are evaluated alike.
        Shape::Assoc | Shape::AssocComm | Shape::Iter => 0,
    }
}

/// A node like `node` with the visited arguments `args` (frozen ones stay).
fn full_args(engine: &Worker, node: Handle, args: &[Handle]) -> Vec<Handle> {
    let memory = &engine.space.memory;
    let symbol = engine.space.signature.symbol(memory.symbol(node));
    match memory.shape(node) {
        Shape::Free | Shape::Comm => {
            let mut visited = args.iter();
            let places = 0..memory.n_args(node);
            let arg = |place| {
                if symbol.is_frozen(place) {
                    memory.arg(node, place)
                } else {
                    *visited.next().expect("every place that is not frozen was visited")
                }
            };
            places.map(arg).map(|a| memory.resolve(a)).collect()
        }
        _ => args.iter().map(|&a| memory.resolve(a)).collect(),
    }
}

/// The node as it stands.
fn raw_node(engine: &mut Worker, node: Handle, args: &[Handle]) -> Handle {
    let args = full_args(engine, node, args);
    engine.space.memory.raw_like(node, &args)
}

/// The node at `at` with the arguments behind it, reduced. May collect.
fn rebuilt(engine: &mut Worker, at: usize, n_args: usize) -> Handle {
    let node = engine.space.memory.resolve(engine.space.regs[at]);
    let mut args = full_args(engine, node, &engine.space.regs[at + 1..at + 1 + n_args]);
    for arg in &mut args {
        *arg = engine.normalised(*arg, false, false);
    }
    let new = engine.space.memory.normal_like(node, &args);
    engine.reduce(new)
}
