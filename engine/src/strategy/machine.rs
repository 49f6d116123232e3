//! The machine that runs strategies: one run of one process after the other, and what becomes of
//! results and of tasks that nothing works for (`docs/semantics.md` 7.1, 7.2).

use std::sync::Arc;

use super::call::Calling;
use super::finding::Finding;
use super::given::{Given, Keep, Values};
use super::program::{Env, Node, NodeId, Program};
use super::stacks::{StackId, Stacks};
use super::tasks::{Branching, Crew, Duty, Kid, OnFailure, OnSuccess, ProcessId, TaskId, Work};
use crate::heap::Handle;
use crate::solving::Applications;
use crate::solving::Failures;
use crate::worker::Worker;

/// A strategy at work.
pub(super) struct Machine {
    pub(super) program: Program,
    pub(super) stacks: Stacks,
    pub(super) crew: Crew,
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

impl Machine {
    pub(super) fn new(program: Program, depth_first: bool) -> Machine {
        let mut crew = Crew::default();
        let root = crew.add_task(None, Duty::Root, Env::empty());
        Machine {
            program,
            failures: Failures::default(),
            stacks: Stacks::default(),
            crew,
            root,
            depth_first,
            found: None,
            done: false,
        }
    }

    /// Starts with a reduced term of the store.
    pub(super) fn start(&mut self, state: Handle, strategy: NodeId) {
        let stack = self.stacks.push(strategy, StackId::EMPTY);
        self.decompose(state, stack, self.root);
    }

    /// Runs processes until there is a result.
    pub(super) fn next(&mut self, engine: &mut Worker) -> Option<Handle> {
        while !self.done && engine.space.stopped.is_none() {
            let (process, owner, work) = self.crew.begin_run()?;
            let work = self.run(engine, process, owner, work);
            self.crew.end_run(work, self.depth_first);
            engine.safe_point();
            engine.space.check_limits();
            if let Some(found) = self.found.take() {
                return Some(found);
            }
        }
        None
    }

    /// A new decomposition process.
    pub(super) fn decompose(&mut self, state: Handle, stack: StackId, owner: TaskId) {
        self.crew.add_process(owner, Work::Decompose { state, stack });
    }

    /// One run of a process. Returns what it does next, or `None` if it is done.
    fn run(
        &mut self,
        engine: &mut Worker,
        process: ProcessId,
        owner: TaskId,
        mut work: Work,
    ) -> Option<Work> {
        let lives = match &mut work {
            Work::Decompose { state, stack } => {
                let state = *state;
                let stack = self.run_decompose(engine, process, owner, state, *stack);
                return stack.map(|stack| Work::Decompose { state, stack });
            }
            Work::Apply { node, stack, applications, values } => {
                self.run_apply(engine, owner, (*node, *stack), applications, values)
            }
            Work::Fragment(matches) => self.run_fragment(engine, owner, matches),
            Work::Call { state, stack, calling } => {
                self.run_call(engine, owner, *state, *stack, calling)
            }
            Work::MatchRewrite { node, stack, finding } => {
                self.run_match_rewrite(engine, owner, *node, *stack, finding)
            }
            Work::Combine(combining) => self.run_combine(engine, owner, combining),
            Work::None => unreachable!("a linked process has work"),
        };
        if lives {
            return Some(work);
        }
        self.finished(Kid::Process(process));
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
        let me = Kid::Process(process);
        if !self.crew.meet(owner, state, stack) {
            self.finished(me);
            return None;
        }
        let Some((node, rest)) = self.stacks.pop(stack) else {
            self.succeeded(engine, me, state);
            return None;
        };
        match self.program.node(node) {
            Node::Idle => return Some(rest),
            Node::Fail => {}
            Node::Sequence(parts) => {
                let push = |below, &part| self.stacks.push(part, below);
                return Some(parts.iter().rev().fold(rest, push));
            }
            Node::Union(parts) => {
                let (last, others) = parts.split_last().expect("a union has alternatives");
                for &part in others {
                    let stack = self.stacks.push(part, rest);
                    self.crew.add_process(owner, Work::Decompose { state, stack });
                }
                return Some(self.stacks.push(*last, rest));
            }
            &Node::Star(body) => {
                self.decompose(state, rest, owner);
                let again = self.stacks.push(node, rest);
                return Some(self.stacks.push(body, again));
            }
            &Node::Plus(body, star) => {
                let again = self.stacks.push(star, rest);
                return Some(self.stacks.push(body, again));
            }
            Node::Apply(_) => self.start_apply(engine, owner, node, state, rest),
            Node::Test(_) => {
                if self.test(engine, owner, node, state) {
                    return Some(rest);
                }
            }
            Node::MatchRewrite(_) => {
                let finding = Box::new(Finding::new(state));
                self.crew.add_process(owner, Work::MatchRewrite { node, stack: rest, finding });
            }
            Node::Call(..) => {
                if let Some(stack) = self.start_call(engine, owner, node, state, rest) {
                    return Some(stack);
                }
            }
            &Node::One(body) => {
                let env = self.crew.env(owner).clone();
                let task = self.crew.add_task(Some(owner), Duty::One { stack: rest }, env);
                let stack = self.stacks.push(body, StackId::EMPTY);
                self.decompose(state, stack, task);
            }
            &Node::Branch(body, then, other) => {
                let (success, failure) = (OnSuccess::Then(then), OnFailure::Then(other));
                self.branch(owner, state, body, success, failure, rest, stack);
            }
            &Node::OrElse(body, other) => {
                let failure = OnFailure::Then(other);
                self.branch(owner, state, body, OnSuccess::Pass, failure, rest, stack);
            }
            &Node::Not(body) => {
                self.branch(owner, state, body, OnSuccess::Fail, OnFailure::Idle, rest, stack);
            }
            &Node::Check(body) => {
                self.branch(owner, state, body, OnSuccess::Idle, OnFailure::Fail, rest, stack);
            }
            &Node::Try(body) => {
                self.branch(owner, state, body, OnSuccess::Pass, OnFailure::Idle, rest, stack);
            }
            &Node::Normal(body) => {
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
        body: NodeId,
        success: OnSuccess,
        failure: OnFailure,
        stack: StackId,
        whole: StackId,
    ) {
        let succeeded = false;
        let branching = Branching { state, body, success, failure, stack, whole, succeeded };
        let env = self.crew.env(owner).clone();
        let task = self.crew.add_task(Some(owner), Duty::Branch(branching), env);
        let stack = self.stacks.push(body, StackId::EMPTY);
        self.decompose(state, stack, task);
    }

    /// Makes the process of an application, with the values that its rules start with.
    fn start_apply(
        &mut self,
        engine: &mut Worker,
        owner: TaskId,
        node: NodeId,
        state: Handle,
        stack: StackId,
    ) {
        let Node::Apply(applying) = self.program.node(node) else {
            unreachable!("an application is being started")
        };
        let values = applying.values.clone();
        let values = self.evaluate(engine, owner, node, &values).into();
        let applications = Box::new(Applications::new(state));
        self.crew.add_process(owner, Work::Apply { node, stack, applications, values });
    }

    /// The values of terms that a node gives, in the store.
    fn evaluate(
        &mut self,
        engine: &mut Worker,
        owner: TaskId,
        node: NodeId,
        given: &[Given],
    ) -> Vec<Handle> {
        let scope = self.program.scope(node);
        let variables = self.program.variables(scope);
        let env = self.crew.env(owner);
        let known = env.values(scope);
        let mut values = Vec::with_capacity(given.len());
        for given in given {
            let mut none = Values::default();
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
        node: NodeId,
        state: Handle,
        stack: StackId,
    ) -> Option<StackId> {
        let Node::Call(strategy, args) = self.program.node(node) else {
            unreachable!("a call is being started")
        };
        let (strategy, args) = (*strategy, args.clone());
        let definitions = self.program.definitions(engine, strategy);
        if let [only] = &*definitions
            && args.is_empty()
            && !only.conditional
        {
            let body = self.stacks.push(only.body, StackId::EMPTY);
            if stack == StackId::EMPTY && matches!(self.crew.duty(owner), Duty::Call { .. }) {
                return Some(body);
            }
            let task = self.crew.add_task(Some(owner), Duty::Call { stack }, Env::empty());
            self.decompose(state, body, task);
            return None;
        }
        if definitions.is_empty() {
            return None;
        }
        let values = self.evaluate(engine, owner, node, &[args]);
        let calling = Box::new(Calling::new(definitions, values));
        self.crew.add_process(owner, Work::Call { state, stack, calling });
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
        let (owner, stack) = match self.crew.duty(owner) {
            Duty::Call { stack: pending } if stack == StackId::EMPTY => {
                (self.crew.owner(owner).expect("a call has an owner"), *pending)
            }
            _ => (owner, stack),
        };
        let task = self.crew.add_task(Some(owner), Duty::Call { stack }, env);
        let body = self.stacks.push(definition.body, StackId::EMPTY);
        self.decompose(state, body, task);
        true
    }

    /// A process or task is done without (further) results.
    fn finished(&mut self, kid: Kid) {
        let Some(task) = self.crew.disown(kid) else { return };
        self.end_if_idle(task);
    }

    /// Ends tasks that nothing works for, outwards.
    fn end_if_idle(&mut self, mut task: TaskId) {
        while self.crew.is_idle(task) && self.exhausted(task) == Fate::Ends {
            let Some(owner) = self.crew.disown(Kid::Task(task)) else { return };
            self.crew.cancel(task);
            task = owner;
        }
    }

    /// A decomposition process has a result for its task.
    fn succeeded(&mut self, engine: &mut Worker, kid: Kid, state: Handle) {
        let Some(task) = self.crew.disown(kid) else { return };
        if self.success(engine, task, state) == Fate::Ends {
            let owner = self.crew.disown(Kid::Task(task));
            if let Some(owner) = owner {
                self.end_if_idle(owner);
            }
            self.crew.cancel(task);
            return;
        }
        self.end_if_idle(task);
    }

    fn success(&mut self, engine: &mut Worker, task: TaskId, state: Handle) -> Fate {
        let owner = self.crew.owner(task);
        let outer = || owner.expect("only the root task has no owner");
        match self.crew.duty_mut(task) {
            Duty::Root => self.found = Some(state),
            &mut Duty::Call { stack } => self.decompose(state, stack, outer()),
            &mut Duty::One { stack } => {
                self.decompose(state, stack, outer());
                return Fate::Ends;
            }
            &mut Duty::Item { item } => self.item_result(engine, outer(), item as usize, state),
            Duty::Fragment { pending, fragment, frame } => {
                let (pending, fragment) = (Arc::clone(pending), *fragment as usize);
                let frame = frame.clone();
                self.fragment_result(engine, task, (&pending, fragment), &frame, state);
            }
            Duty::Branch(branching) => {
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
                        if self.crew.meet(outer(), state, whole) {
                            self.branch(outer(), state, body, success, failure, stack, whole);
                        }
                    }
                }
            }
            Duty::Match(_) => unreachable!("the parts of a match have tasks of their own"),
        }
        Fate::Lives
    }

    /// Nothing works for a task any more.
    fn exhausted(&mut self, task: TaskId) -> Fate {
        match *self.crew.duty(task) {
            Duty::Root => {
                self.done = true;
                return Fate::Lives;
            }
            Duty::Branch(branching) if !branching.succeeded => {
                let owner = self.crew.owner(task).expect("a branch has an owner");
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
