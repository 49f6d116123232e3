//! The machine that runs strategies: one run of one process after the other, and what becomes of
//! results and of tasks that nothing works for (`docs/semantics.md` 7.1, 7.2).

use std::sync::Arc;

use super::call::Calling;
use super::finding::Finding;
use super::inputs::{CallInputs, GroundValues, Keep};
use super::program::{Env, StrategyNode, StrategyNodeId, StrategyProgram};
use super::stacks::{StackId, Stacks};
use super::tasks::{
    Branching, Child, Continuation, OnFailure, OnSuccess, ProcessId, ProcessWork, Scheduler, TaskId,
};
use crate::heap::{Handle, HeldNodes};
use crate::observer::{Event, SceneParts};
use crate::safe_points::StoreHolder;
use crate::solving::Applications;
use crate::solving::Failures;
use crate::worker::Worker;

/// A strategy at work.
pub(super) struct StrategyMachine {
    pub(super) program: StrategyProgram,
    pub(super) stacks: Stacks,
    pub(super) scheduler: Scheduler,
    root: TaskId,
    pub(super) depth_first: bool,
    /// Where `all` has found no rule, with or without extension.
    pub(super) failures: Failures,
    /// The result found in this run.
    found: Option<Handle>,
    /// Nothing works for the root task any more.
    done: bool,
}

/// Whether a task goes on after something happened to it.
#[derive(PartialEq, Eq)]
enum Fate {
    Lives,
    Ends,
}

impl StoreHolder for StrategyMachine {
    fn hold_stored(&mut self, held: &mut HeldNodes) {
        self.program.hold_stored(held);
        self.scheduler.hold_stored(held);
        self.found.iter().for_each(|&found| held.hold(found));
    }

    fn forget_dead(&mut self, held: &HeldNodes) {
        self.failures.forget_dead(held);
    }
}

impl StrategyMachine {
    pub(super) fn new(program: StrategyProgram, depth_first: bool) -> StrategyMachine {
        let mut scheduler = Scheduler::default();
        let root = scheduler.add_task(None, Continuation::Root, Env::empty());
        StrategyMachine {
            program,
            failures: Failures::default(),
            stacks: Stacks::default(),
            scheduler,
            root,
            depth_first,
            found: None,
            done: false,
        }
    }

    /// Starts with a reduced term of the store.
    pub(super) fn start(&mut self, state: Handle, strategy: StrategyNodeId) {
        let stack = self.stacks.push(strategy, StackId::EMPTY);
        self.decompose(state, stack, self.root);
    }

    /// Runs processes until there is a result.
    pub(super) fn next(&mut self, engine: &mut Worker) -> Option<Handle> {
        while !self.done && engine.space.stopped.is_none() {
            let (process, owner, work) = self.scheduler.begin_run()?;
            let work = self.run(engine, process, owner, work);
            self.scheduler.end_run(work, self.depth_first);
            engine.safe_point();
            engine.space.check_limits();
            engine.store_safe_point(self);
            if let Some(found) = self.found.take() {
                return Some(found);
            }
        }
        None
    }

    /// A new decomposition process.
    pub(super) fn decompose(&mut self, state: Handle, stack: StackId, owner: TaskId) {
        self.scheduler.add_process(owner, ProcessWork::Decompose { state, stack });
    }

    /// One run of a process. Returns what it does next, or `None` if it is done.
    fn run(
        &mut self,
        engine: &mut Worker,
        process: ProcessId,
        owner: TaskId,
        mut work: ProcessWork,
    ) -> Option<ProcessWork> {
        let lives = match &mut work {
            ProcessWork::Decompose { state, stack } => {
                let state = *state;
                let stack = self.run_decompose(engine, process, owner, state, *stack);
                return stack.map(|stack| ProcessWork::Decompose { state, stack });
            }
            ProcessWork::Apply { node, stack, applications, values } => {
                self.run_apply(engine, owner, (*node, *stack), applications, values)
            }
            ProcessWork::Fragment(matches) => self.run_fragment(engine, owner, matches),
            ProcessWork::Call { state, stack, calling } => {
                self.run_call(engine, owner, *state, *stack, calling)
            }
            ProcessWork::MatchRewrite { node, stack, finding } => {
                self.run_match_rewrite(engine, owner, *node, *stack, finding)
            }
            ProcessWork::Combine(combining) => self.run_combine(engine, owner, combining),
            ProcessWork::None => unreachable!("a linked process has work"),
        };
        if lives {
            return Some(work);
        }
        self.finished(Child::Process(process));
        None
    }

    /// A run of a decomposition process. Returns the stack with which it goes on.
    fn run_decompose(
        &mut self,
        engine: &mut Worker,
        process: ProcessId,
        owner: TaskId,
        state: Handle,
        stack: StackId,
    ) -> Option<StackId> {
        let me = Child::Process(process);
        if !self.scheduler.meet(owner, state, stack) {
            self.finished(me);
            return None;
        }
        let Some((node, rest)) = self.stacks.pop(stack) else {
            self.succeeded(engine, me, state);
            return None;
        };
        match self.program.node(node) {
            StrategyNode::Idle => return Some(rest),
            StrategyNode::Fail => {}
            StrategyNode::Sequence(parts) => {
                let push = |below, &part| self.stacks.push(part, below);
                return Some(parts.iter().rev().fold(rest, push));
            }
            StrategyNode::Union(parts) => {
                let (last, others) = parts.split_last().expect("a union has alternatives");
                for &part in others {
                    let stack = self.stacks.push(part, rest);
                    self.scheduler.add_process(owner, ProcessWork::Decompose { state, stack });
                }
                return Some(self.stacks.push(*last, rest));
            }
            &StrategyNode::Star(body) => {
                self.decompose(state, rest, owner);
                let again = self.stacks.push(node, rest);
                return Some(self.stacks.push(body, again));
            }
            &StrategyNode::Plus(body, star) => {
                let again = self.stacks.push(star, rest);
                return Some(self.stacks.push(body, again));
            }
            StrategyNode::Apply(_) => self.start_apply(engine, owner, node, state, rest),
            StrategyNode::Test(_) => {
                if self.test(engine, owner, node, state) {
                    return Some(rest);
                }
            }
            StrategyNode::MatchRewrite(_) => {
                let finding = Box::new(Finding::new(state));
                self.scheduler
                    .add_process(owner, ProcessWork::MatchRewrite { node, stack: rest, finding });
            }
            StrategyNode::Call(..) => {
                if let Some(stack) = self.start_call(engine, owner, node, state, rest) {
                    return Some(stack);
                }
            }
            &StrategyNode::One(body) => {
                let env = self.scheduler.env(owner).clone();
                let task =
                    self.scheduler.add_task(Some(owner), Continuation::One { stack: rest }, env);
                let stack = self.stacks.push(body, StackId::EMPTY);
                self.decompose(state, stack, task);
            }
            &StrategyNode::Branch(body, then, other) => {
                let (success, failure) = (OnSuccess::Then(then), OnFailure::Then(other));
                self.branch(owner, state, body, success, failure, rest, stack);
            }
            &StrategyNode::OrElse(body, other) => {
                let failure = OnFailure::Then(other);
                self.branch(owner, state, body, OnSuccess::Pass, failure, rest, stack);
            }
            &StrategyNode::Not(body) => {
                self.branch(owner, state, body, OnSuccess::Fail, OnFailure::Idle, rest, stack);
            }
            &StrategyNode::Check(body) => {
                self.branch(owner, state, body, OnSuccess::Idle, OnFailure::Fail, rest, stack);
            }
            &StrategyNode::Try(body) => {
                self.branch(owner, state, body, OnSuccess::Pass, OnFailure::Idle, rest, stack);
            }
            &StrategyNode::Normal(body) => {
                self.branch(owner, state, body, OnSuccess::Again, OnFailure::Idle, rest, stack);
            }
        }
        self.finished(me);
        None
    }

    #[allow(clippy::too_many_arguments, reason = "they are the parts of a branch strategy")]
    fn branch(
        &mut self,
        owner: TaskId,
        state: Handle,
        body: StrategyNodeId,
        success: OnSuccess,
        failure: OnFailure,
        stack: StackId,
        whole: StackId,
    ) {
        let succeeded = false;
        let branching = Branching { state, body, success, failure, stack, whole, succeeded };
        let env = self.scheduler.env(owner).clone();
        let task = self.scheduler.add_task(Some(owner), Continuation::Branch(branching), env);
        let stack = self.stacks.push(body, StackId::EMPTY);
        self.decompose(state, stack, task);
    }

    /// Makes the process of an application, with the values that its rules start with.
    fn start_apply(
        &mut self,
        engine: &mut Worker,
        owner: TaskId,
        node: StrategyNodeId,
        state: Handle,
        stack: StackId,
    ) {
        let StrategyNode::Apply(applying) = self.program.node(node) else {
            unreachable!("an application is being started")
        };
        let values = applying.values.clone();
        let values = self.evaluate(engine, owner, node, &values).into();
        let applications = Box::new(Applications::new(engine, state));
        self.scheduler.add_process(owner, ProcessWork::Apply { node, stack, applications, values });
    }

    /// The values of terms that a node gives, in the store.
    fn evaluate(
        &mut self,
        engine: &mut Worker,
        owner: TaskId,
        node: StrategyNodeId,
        given: &[CallInputs],
    ) -> Vec<Handle> {
        let scope = self.program.scope(node);
        let variables = self.program.variables(scope);
        let env = self.scheduler.env(owner);
        let known = env.values(scope);
        let mut values = Vec::with_capacity(given.len());
        for given in given {
            let mut none = GroundValues::default();
            let ground = match given.keep {
                Keep::Command(place) => &mut self.program.ground[place as usize],
                Keep::Definition(_) => &mut none,
            };
            let known = (&variables[..], known);
            let Some(more) = given.evaluate(engine, ground, known) else { break };
            values.extend(more);
        }
        values
    }

    /// Starts a call. Returns the stack with which the calling process goes on, if it does.
    fn start_call(
        &mut self,
        engine: &mut Worker,
        owner: TaskId,
        node: StrategyNodeId,
        state: Handle,
        stack: StackId,
    ) -> Option<StackId> {
        let StrategyNode::Call(strategy, args) = self.program.node(node) else {
            unreachable!("a call is being started")
        };
        let (strategy, args) = (*strategy, args.clone());
        let definitions = self.program.definitions(engine, strategy);
        if let [only] = &*definitions
            && args.is_empty()
            && !only.conditional
        {
            engine.tell(Event::StrategyCalled(only.source), SceneParts::at(state));
            let body = self.stacks.push(only.body, StackId::EMPTY);
            if stack == StackId::EMPTY
                && matches!(self.scheduler.continuation(owner), Continuation::Call { .. })
            {
                return Some(body);
            }
            let task =
                self.scheduler.add_task(Some(owner), Continuation::Call { stack }, Env::empty());
            self.decompose(state, body, task);
            return None;
        }
        if definitions.is_empty() {
            return None;
        }
        let values = self.evaluate(engine, owner, node, &[args]);
        let calling = Box::new(Calling::new(definitions, values));
        self.scheduler.add_process(owner, ProcessWork::Call { state, stack, calling });
        None
    }

    /// A run of a call process: takes one definition that fits. Returns whether it goes on.
    fn run_call(
        &mut self,
        engine: &mut Worker,
        owner: TaskId,
        state: Handle,
        stack: StackId,
        calling: &mut Calling,
    ) -> bool {
        let Some((definition, env)) = calling.next(engine) else {
            return false;
        };
        engine.tell(Event::StrategyCalled(definition.source), SceneParts::at(state));
        let (owner, stack) = match self.scheduler.continuation(owner) {
            Continuation::Call { stack: pending } if stack == StackId::EMPTY => {
                (self.scheduler.owner(owner).expect("a call has an owner"), *pending)
            }
            _ => (owner, stack),
        };
        let task = self.scheduler.add_task(Some(owner), Continuation::Call { stack }, env);
        let body = self.stacks.push(definition.body, StackId::EMPTY);
        self.decompose(state, body, task);
        true
    }

    /// A process or task is done without (further) results.
    fn finished(&mut self, child: Child) {
        let Some(task) = self.scheduler.disown(child) else { return };
        self.end_if_idle(task);
    }

    /// Ends tasks that nothing works for, outwards.
    fn end_if_idle(&mut self, mut task: TaskId) {
        while self.scheduler.is_idle(task) && self.exhausted(task) == Fate::Ends {
            let Some(owner) = self.scheduler.disown(Child::StrategyTask(task)) else { return };
            self.scheduler.cancel(task);
            task = owner;
        }
    }

    /// A decomposition process has a result for its task.
    fn succeeded(&mut self, engine: &mut Worker, child: Child, state: Handle) {
        let Some(task) = self.scheduler.disown(child) else { return };
        if self.success(engine, task, state) == Fate::Ends {
            let owner = self.scheduler.disown(Child::StrategyTask(task));
            if let Some(owner) = owner {
                self.end_if_idle(owner);
            }
            self.scheduler.cancel(task);
            return;
        }
        self.end_if_idle(task);
    }

    fn success(&mut self, engine: &mut Worker, task: TaskId, state: Handle) -> Fate {
        let owner = self.scheduler.owner(task);
        let outer = || owner.expect("only the root task has no owner");
        match self.scheduler.continuation_mut(task) {
            Continuation::Root => self.found = Some(state),
            &mut Continuation::Call { stack } => self.decompose(state, stack, outer()),
            &mut Continuation::One { stack } => {
                self.decompose(state, stack, outer());
                return Fate::Ends;
            }
            &mut Continuation::Item { item } => {
                self.item_result(engine, outer(), item as usize, state)
            }
            Continuation::Fragment { pending, fragment, frame } => {
                let (pending, fragment) = (Arc::clone(pending), *fragment as usize);
                let frame = frame.clone();
                self.fragment_result(engine, task, (&pending, fragment), &frame, state);
            }
            Continuation::Branch(branching) => {
                branching.succeeded = true;
                let Branching { state: origin, body, success, failure, stack, whole, .. } =
                    *branching;
                match success {
                    OnSuccess::Fail => return Fate::Ends,
                    OnSuccess::Idle => {
                        self.decompose(origin, stack, outer());
                        return Fate::Ends;
                    }
                    OnSuccess::Pass => self.decompose(state, stack, outer()),
                    OnSuccess::Then(then) => {
                        let stack = self.stacks.push(then, stack);
                        self.decompose(state, stack, outer());
                    }
                    OnSuccess::Again => {
                        if self.scheduler.meet(outer(), state, whole) {
                            self.branch(outer(), state, body, success, failure, stack, whole);
                        }
                    }
                }
            }
            Continuation::Match(_) => unreachable!("the parts of a match have tasks of their own"),
        }
        Fate::Lives
    }

    /// Nothing works for a task any more.
    fn exhausted(&mut self, task: TaskId) -> Fate {
        match *self.scheduler.continuation(task) {
            Continuation::Root => {
                self.done = true;
                return Fate::Lives;
            }
            Continuation::Branch(branching) if !branching.succeeded => {
                let owner = self.scheduler.owner(task).expect("a branch has an owner");
                match branching.failure {
                    OnFailure::Fail => {}
                    OnFailure::Idle => self.decompose(branching.state, branching.stack, owner),
                    OnFailure::Then(other) => {
                        let stack = self.stacks.push(other, branching.stack);
                        self.decompose(branching.state, stack, owner);
                    }
                }
            }
            _ => {}
        }
        Fate::Ends
    }
}
