//! Processes in one ring, and the tasks that own them (`docs/semantics.md` 7.1, 7.2).

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::apply::{FragmentMatches, Pending};
use super::call::Calling;
use super::finding::Finding;
use super::matchrew::{Combining, Rebuilding};
use super::program::{Env, StrategyNodeId};
use super::stacks::StackId;
use crate::heap::{Handle, HeldNodes};
use crate::limits::{Limit, number};
use crate::safe_points::hold_all;
use crate::solving::Applications;

/// A process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProcessId(pub(super) u32);

/// A task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TaskId(pub(super) u32);

/// What a process does when it runs.
pub(super) enum ProcessWork {
    /// It is running, or its place is free.
    None,
    /// Takes the next strategy from the stack.
    Decompose { state: Handle, stack: StackId },
    /// Applies rules.
    Apply {
        node: StrategyNodeId,
        stack: StackId,
        applications: Box<Applications>,
        values: Box<[Handle]>,
    },
    /// Takes the matchers of a fragment of a rule's condition.
    Fragment(Box<FragmentMatches>),
    /// Takes the definitions of a strategy.
    Call { state: Handle, stack: StackId, calling: Box<Calling> },
    /// Takes the matches of a `matchrew`.
    MatchRewrite { node: StrategyNodeId, stack: StackId, finding: Box<Finding> },
    /// Combines results of the parts of a match.
    Combine(Box<Combining>),
}

/// What becomes of the results of a branch task.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OnSuccess {
    /// `not`: the task ends in failure.
    Fail,
    /// `test`: goes on once from the original state.
    Idle,
    /// `or-else`, `try`: goes on from the result.
    Pass,
    /// `? :`: goes on with another strategy from the result.
    Then(StrategyNodeId),
    /// `!`: starts again from the result.
    Again,
}

/// What a branch task without results does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OnFailure {
    Fail,
    /// Goes on from the original state.
    Idle,
    /// Goes on with another strategy from the original state.
    Then(StrategyNodeId),
}

/// A branch task's business.
#[derive(Clone, Copy)]
pub(super) struct Branching {
    pub(super) state: Handle,
    /// What runs in the task.
    pub(super) body: StrategyNodeId,
    pub(super) success: OnSuccess,
    pub(super) failure: OnFailure,
    pub(super) stack: StackId,
    /// The stack with the whole branch strategy on top: names what `!` has started.
    pub(super) whole: StackId,
    pub(super) succeeded: bool,
}

/// What a task does with results.
pub(super) enum Continuation {
    /// Hands them out.
    Root,
    /// Goes on with the stack.
    Call {
        stack: StackId,
    },
    /// Goes on with the stack from the first, and ends.
    One {
        stack: StackId,
    },
    Branch(Branching),
    /// Owns the tasks of a match's parts.
    Match(Box<Rebuilding>),
    /// Gives them to the match that owns it, as results of one of its parts.
    Item {
        item: u32,
    },
    /// Matches them with the pattern of an `=>` fragment.
    Fragment {
        pending: Arc<Pending>,
        fragment: u32,
        frame: Box<[Handle]>,
    },
}

/// A member of a task: a process or a task.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Child {
    Process(ProcessId),
    StrategyTask(TaskId),
}

/// The place among the members of the owner.
#[derive(Clone, Copy)]
struct Member {
    owner: Option<TaskId>,
    before: Option<Child>,
    after: Option<Child>,
}

struct Process {
    work: ProcessWork,
    member: Member,
    /// Neighbours in the ring.
    before: ProcessId,
    after: ProcessId,
}

struct StrategyTask {
    continuation: Continuation,
    env: Env,
    seen: FxHashSet<(Handle, StackId)>,
    member: Member,
    first_child: Option<Child>,
}

/// All processes and tasks of a computation.
#[derive(Default)]
pub(super) struct Scheduler {
    processes: Vec<Process>,
    free_processes: Vec<ProcessId>,
    tasks: Vec<StrategyTask>,
    free_tasks: Vec<TaskId>,
    /// The process that runs, before which new ones are linked.
    running: Option<ProcessId>,
    /// The running process was cancelled.
    cancelled: bool,
    /// The first process linked in this run.
    newest: Option<ProcessId>,
    n_linked: usize,
}

impl ProcessWork {
    fn hold_stored(&mut self, held: &mut HeldNodes) {
        match self {
            ProcessWork::Decompose { state, .. } => held.hold(*state),
            ProcessWork::Apply { applications, values, .. } => {
                applications.hold_stored(held);
                hold_all(&**values, held);
            }
            ProcessWork::Fragment(matches) => matches.hold_stored(held),
            ProcessWork::Call { state, calling, .. } => {
                held.hold(*state);
                calling.hold_stored(held);
            }
            ProcessWork::MatchRewrite { finding, .. } => finding.hold_stored(held),
            ProcessWork::None | ProcessWork::Combine(_) => {}
        }
    }
}

impl Continuation {
    fn hold_stored(&self, held: &mut HeldNodes) {
        match self {
            Continuation::Branch(branching) => held.hold(branching.state),
            Continuation::Match(rebuilding) => rebuilding.hold_stored(held),
            Continuation::Fragment { pending, frame, .. } => {
                pending.hold_stored(held);
                hold_all(&**frame, held);
            }
            Continuation::Root
            | Continuation::Call { .. }
            | Continuation::One { .. }
            | Continuation::Item { .. } => {}
        }
    }
}

impl Scheduler {
    /// Adds a process to a task and links it before the running one.
    pub(super) fn add_process(&mut self, owner: TaskId, work: ProcessWork) -> ProcessId {
        let member = Member { owner: Some(owner), before: None, after: None };
        let id = match self.free_processes.pop() {
            Some(id) => {
                self.processes[id.0 as usize].work = work;
                self.processes[id.0 as usize].member = member;
                id
            }
            None => {
                let id = ProcessId(number(self.processes.len(), Limit::Strategies));
                self.processes.push(Process { work, member, before: id, after: id });
                id
            }
        };
        let (before, after) = match self.running {
            Some(running) => (self.processes[running.0 as usize].before, running),
            None => (id, id),
        };
        self.processes[id.0 as usize].before = before;
        self.processes[id.0 as usize].after = after;
        self.processes[before.0 as usize].after = id;
        self.processes[after.0 as usize].before = id;
        self.n_linked += 1;
        self.newest.get_or_insert(id);
        self.running.get_or_insert(id);
        self.adopt(owner, Child::Process(id));
        id
    }

    /// Adds a task to a task (or the root).
    pub(super) fn add_task(
        &mut self,
        owner: Option<TaskId>,
        continuation: Continuation,
        env: Env,
    ) -> TaskId {
        let task = StrategyTask {
            continuation,
            env,
            seen: FxHashSet::default(),
            member: Member { owner, before: None, after: None },
            first_child: None,
        };
        let id = match self.free_tasks.pop() {
            Some(id) => {
                self.tasks[id.0 as usize] = task;
                id
            }
            None => {
                self.tasks.push(task);
                TaskId(number(self.tasks.len() - 1, Limit::Strategies))
            }
        };
        if let Some(owner) = owner {
            self.adopt(owner, Child::StrategyTask(id));
        }
        id
    }

    /// Begins a run: the work of the running process, and its owner.
    pub(super) fn begin_run(&mut self) -> Option<(ProcessId, TaskId, ProcessWork)> {
        let id = self.running?;
        self.newest = None;
        self.cancelled = false;
        let process = &mut self.processes[id.0 as usize];
        let work = std::mem::replace(&mut process.work, ProcessWork::None);
        let owner = process.member.owner.expect("a linked process has an owner");
        Some((id, owner, work))
    }

    /// Ends the run: the process goes on with some work, or is gone. Moves on to the next process
    /// to run: depth first the first new one, else the one after.
    pub(super) fn end_run(&mut self, work: Option<ProcessWork>, depth_first: bool) {
        let id = self.running.expect("a process is running");
        let after = self.processes[id.0 as usize].after;
        let lives = work.is_some() && !self.cancelled;
        if let (true, Some(work)) = (lives, work) {
            self.processes[id.0 as usize].work = work;
        }
        let next = match self.newest {
            Some(new) if depth_first => new,
            _ if depth_first && lives => id,
            _ => after,
        };
        if !lives {
            self.unlink(id);
        }
        self.running = if self.n_linked == 0 { None } else { Some(next) };
    }

    /// Takes a process out of the ring for good.
    fn unlink(&mut self, id: ProcessId) {
        let Process { before, after, .. } = self.processes[id.0 as usize];
        self.processes[before.0 as usize].after = after;
        self.processes[after.0 as usize].before = before;
        if self.newest == Some(id) {
            let running = self.running;
            self.newest = if Some(after) == running { None } else { Some(after) };
        }
        self.processes[id.0 as usize].work = ProcessWork::None;
        self.n_linked -= 1;
        self.free_processes.push(id);
    }

    fn member(&mut self, child: Child) -> &mut Member {
        match child {
            Child::Process(id) => &mut self.processes[id.0 as usize].member,
            Child::StrategyTask(id) => &mut self.tasks[id.0 as usize].member,
        }
    }

    fn adopt(&mut self, owner: TaskId, child: Child) {
        let first = self.tasks[owner.0 as usize].first_child.replace(child);
        if let Some(first) = first {
            self.member(first).before = Some(child);
        }
        *self.member(child) = Member { owner: Some(owner), before: None, after: first };
    }

    /// Takes a process or task away from its owner, and says who that was.
    pub(super) fn disown(&mut self, child: Child) -> Option<TaskId> {
        let Member { owner, before, after } = *self.member(child);
        let owner = owner?;
        match before {
            Some(before) => self.member(before).after = after,
            None => self.tasks[owner.0 as usize].first_child = after,
        }
        if let Some(after) = after {
            self.member(after).before = before;
        }
        *self.member(child) = Member { owner: None, before: None, after: None };
        Some(owner)
    }

    /// The owner of a task.
    pub(super) fn owner(&self, task: TaskId) -> Option<TaskId> {
        self.tasks[task.0 as usize].member.owner
    }

    /// Whether nothing works for a task any more.
    pub(super) fn is_idle(&self, task: TaskId) -> bool {
        self.tasks[task.0 as usize].first_child.is_none()
    }

    pub(super) fn continuation(&self, task: TaskId) -> &Continuation {
        &self.tasks[task.0 as usize].continuation
    }

    pub(super) fn continuation_mut(&mut self, task: TaskId) -> &mut Continuation {
        &mut self.tasks[task.0 as usize].continuation
    }

    /// Tells which terms of the store processes and tasks hold.
    pub(super) fn hold_stored(&mut self, held: &mut HeldNodes) {
        for process in &mut self.processes {
            process.work.hold_stored(held);
        }
        for task in &self.tasks {
            task.continuation.hold_stored(held);
            task.env.hold_stored(held);
            hold_all(task.seen.iter().map(|(state, _)| state), held);
        }
    }

    pub(super) fn env(&self, task: TaskId) -> &Env {
        &self.tasks[task.0 as usize].env
    }

    /// Notes that a task has met a pair; false if it had met it before.
    pub(super) fn meet(&mut self, task: TaskId, state: Handle, stack: StackId) -> bool {
        self.tasks[task.0 as usize].seen.insert((state, stack))
    }

    /// Ends a task that has been taken from its owner, with all that works for it.
    pub(super) fn cancel(&mut self, task: TaskId) {
        let mut tasks = vec![task];
        while let Some(task) = tasks.pop() {
            let ended = &mut self.tasks[task.0 as usize];
            ended.seen = FxHashSet::default();
            ended.continuation = Continuation::Root;
            ended.env = Env::empty();
            let mut child = ended.first_child.take();
            while let Some(k) = child {
                child = self.member(k).after;
                *self.member(k) = Member { owner: None, before: None, after: None };
                match k {
                    Child::StrategyTask(inner) => tasks.push(inner),
                    Child::Process(id) if Some(id) == self.running => self.cancelled = true,
                    Child::Process(id) => self.unlink(id),
                }
            }
            self.free_tasks.push(task);
        }
    }
}
