//! The state of a matcher and its search: bindings on a trail, tasks that wait, choice points.
//!
//! All of it lies on stacks that are used again, so matching allocates nothing once they have grown.
//! Tasks that are to be solved form a list (the *agenda*) in `cells`; what a task needs to know lies
//! in `words`, terms that stay in use in `handles`. A choice point remembers how high the stacks
//! were, and backtracking cuts them.

mod asking;
mod matcher;
mod rebind;
mod replay;
mod saved;

pub(crate) use matcher::Matcher;

use super::{Pattern, PatternNodeId};
use crate::heap::Handle;
use crate::id::SortId;
use crate::limits::{Stop, unwind};
use crate::workspace::Workspace;

/// So many possibilities are tried between two looks at the limits.
const PATIENCE: u32 = 1 << 12;

/// No cell, no rank, no register.
pub(crate) const NONE: u32 = u32::MAX;

/// What is to be done when a task's turn comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TaskKind {
    /// Alien number `index` of a multiset takes an argument.
    AcAlien,
    /// Element variable number `index` of a multiset takes an argument.
    AcElement,
    /// Row number `index` of a multiset takes a selection.
    AcRow,
    /// TopVariable number `index` of a multiset is an alien: it is matched against its part.
    AcPart,
    /// Block number `index` of a list takes its place.
    ListBlock,
    /// Run number `index` of a list is distributed.
    ListRun,
    /// TopVariable number `index` of a list is an alien: it is matched against its part.
    ListPart,
    /// A commutative pattern tries its ways.
    CommWay,
    /// One argument takes the subject, the others the identity.
    Collapse,
    /// Iterations are left outside.
    IterOutside,
    /// A variable takes a part of an iterated subject.
    Iterate,
    /// A subproblem with no work left that still forbids the enclosing greedy match from committing.
    Nothing,
    /// An alien treated like a variable is matched after a variable beside it took an iterate.
    Revalued,
}

/// Something that has still to be solved. `at` is where its words are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MatchTask {
    pub(crate) kind: TaskKind,
    pub(crate) at: u32,
    pub(crate) index: u32,
}

#[derive(Debug, Clone, Copy)]
struct Cell {
    task: MatchTask,
    next: u32,
}

/// How high the stacks are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    trail: u32,
    out: u32,
    words: u32,
    handles: u32,
    cells: u32,
    deferred: u32,
}

/// A task with possibilities left, `cursor` being where to go on.
#[derive(Debug, Clone, Copy)]
struct ChoicePoint {
    task: MatchTask,
    cursor: u32,
    agenda: u32,
    mark: Mark,
}

/// What a task's turn came to.
pub(crate) enum TaskOutcome {
    /// Nothing more is possible.
    Fail,
    /// Done, and nothing else is possible.
    Last,
    /// Done; more from this cursor on.
    More(u32),
}

/// A variable whose value becomes a node only when the whole matcher is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deferred {
    pub(crate) slot: u32,
    pub(crate) node: PatternNodeId,
    /// Place of the subject in `handles`.
    pub(crate) subject: u32,
    /// Multiset: where the amounts are. List: the range.
    pub(crate) from: u32,
    pub(crate) to: u32,
}

/// Marks trail entries that are words and not registers.
const WORD: u32 = 0x8000_0000;

/// A matcher has no more words than that, so that their places leave a bit for `WORD` even after
/// what is laid out between two marks. Its other stacks are no higher.
const MOST_WORDS: usize = 1 << 30;

/// What a step of a matcher comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MatchAnswer {
    /// The registers hold a matcher's values.
    Matched,
    /// There is no further matcher.
    Failed,
    /// Whether there is one depends on the sort of this new node, which memberships may lower. Whoever
    /// asked gives the node its sort, and lets the matcher go on.
    Wants(Handle),
}

/// Where the words begin that say what was left over beside the match, see `Extension`.
pub(crate) const REST: usize = 0;
pub(crate) const REST_WORDS: usize = 4;

/// A matcher at work.
pub(crate) struct MatchRun<'a> {
    pub(crate) space: &'a mut Workspace,
    pub(crate) matcher: &'a mut Matcher,
    pub(crate) pattern: &'a Pattern,
    pub(crate) base: usize,
}

impl<'a> MatchRun<'a> {
    /// Whether greedy subpatterns have one matcher only.
    #[inline(always)]
    pub(crate) fn is_first(&self) -> bool {
        self.matcher.first
    }

    /// Whether a node has been found not to match a subject greedily.
    #[inline(always)]
    pub(crate) fn is_open(&self, id: PatternNodeId, subject: Handle) -> bool {
        self.matcher.open.as_ref().is_some_and(|open| open.contains(&(id, subject)))
    }

    /// Notes that a node does not match a subject greedily, if that depends on nothing else.
    #[inline(always)]
    pub(crate) fn note_open(&mut self, id: PatternNodeId, subject: Handle, alone: bool) {
        if alone {
            self.matcher.open.get_or_insert_default().insert((id, subject));
        }
    }

    /// The value of a register, or `NIL`.
    #[inline(always)]
    pub(crate) fn value(&self, slot: u32) -> Handle {
        match self.space.regs[self.base + slot as usize] {
            Handle::NIL => Handle::NIL,
            h => self.space.memory.resolve(h),
        }
    }

    /// Binds a register that is unbound.
    #[inline(always)]
    pub(crate) fn bind(&mut self, slot: u32, value: Handle) {
        self.space.regs[self.base + slot as usize] = value;
        self.matcher.trail.push((slot, 0));
    }

    /// Changes a word so that backtracking restores it.
    #[inline(always)]
    pub(crate) fn set_word(&mut self, at: usize, value: u32) {
        let word = &mut self.matcher.words[at];
        self.matcher.trail.push((at as u32 | WORD, *word));
        *word = value;
    }

    #[inline(always)]
    pub(crate) fn word(&self, at: usize) -> u32 {
        self.matcher.words[at]
    }

    /// Appends words and returns where they begin.
    #[inline(always)]
    pub(crate) fn push_words(&mut self, words: &[u32]) -> usize {
        let at = self.matcher.words.len();
        self.matcher.words.extend_from_slice(words);
        at
    }

    /// Keeps a term in use and returns its place.
    #[inline(always)]
    pub(crate) fn keep(&mut self, term: Handle) -> u32 {
        self.matcher.handles.push(term);
        (self.matcher.handles.len() - 1) as u32
    }

    /// A term in use, by its place.
    #[inline(always)]
    pub(crate) fn kept(&self, place: u32) -> Handle {
        self.matcher.handles[place as usize]
    }

    /// How much has been bound or changed so far.
    #[inline(always)]
    pub(crate) fn now(&self) -> u32 {
        self.matcher.trail.len() as u32
    }

    #[inline(always)]
    pub(crate) fn mark(&self) -> Mark {
        let m = &*self.matcher;
        if m.words.len().max(m.trail.len()) >= MOST_WORDS {
            unwind(Stop::Memory);
        }
        Mark {
            trail: m.trail.len() as u32,
            out: m.out.len() as u32,
            words: m.words.len() as u32,
            handles: m.handles.len() as u32,
            cells: m.cells.len() as u32,
            deferred: m.deferred.len() as u32,
        }
    }

    /// Goes back to how things were at the mark.
    #[inline]
    pub(crate) fn undo(&mut self, mark: Mark) {
        let m = &mut *self.matcher;
        while m.trail.len() > mark.trail as usize {
            let (at, old) = m.trail.pop().expect("it is longer than the mark");
            if at & WORD == 0 {
                self.space.regs[self.base + at as usize] = Handle::NIL;
            } else {
                m.words[(at & !WORD) as usize] = old;
            }
        }
        m.out.truncate(mark.out as usize);
        m.words.truncate(mark.words as usize);
        m.handles.truncate(mark.handles as usize);
        m.cells.truncate(mark.cells as usize);
        m.deferred.truncate(mark.deferred as usize);
    }

    /// Puts a task at the front of the agenda.
    #[inline(always)]
    pub(crate) fn schedule(&mut self, task: MatchTask) {
        let m = &mut *self.matcher;
        m.cells.push(Cell { task, next: m.agenda });
        m.agenda = (m.cells.len() - 1) as u32;
    }

    /// Moves the tasks that were left since `from` to the front of the agenda.
    #[inline]
    pub(crate) fn emit(&mut self, from: usize) {
        while self.matcher.out.len() > from {
            let task = self.matcher.out.pop().expect("it is longer than that");
            self.schedule(task);
        }
    }

    /// Solves the agenda; choice points below `floor` are not touched.
    pub(crate) fn solve(&mut self, floor: usize) -> bool {
        while self.matcher.agenda != NONE {
            let Cell { task, next } = self.matcher.cells[self.matcher.agenda as usize];
            self.matcher.agenda = next;
            if !self.perform(task) && !self.backtrack(floor) {
                return false;
            }
        }
        true
    }

    /// Solves the tasks left since `from` once and for all.
    pub(crate) fn solve_once(&mut self, from: usize) -> bool {
        if self.matcher.out.len() == from {
            return true;
        }
        let agenda = std::mem::replace(&mut self.matcher.agenda, NONE);
        let floor = self.matcher.choices.len();
        self.emit(from);
        self.matcher.asking.enter();
        let solved = self.solve(floor);
        self.matcher.asking.leave();
        self.matcher.choices.truncate(floor);
        self.matcher.agenda = agenda;
        solved
    }

    /// Counts a possibility, and looks whether the computation has to stop; everything fails then.
    #[inline(always)]
    pub(crate) fn must_stop(&mut self) -> bool {
        self.matcher.tried += 1;
        self.matcher.tried > PATIENCE && self.look_at_limits()
    }

    #[cold]
    fn look_at_limits(&mut self) -> bool {
        self.space.check_limits();
        let stopped = !self.goes_on();
        // Once stopped, what is still tried before all ends fails at its first possibility.
        self.matcher.tried = if stopped { PATIENCE } else { 0 };
        stopped
    }

    /// Goes to the last choice point that has something left, and takes it.
    fn backtrack(&mut self, floor: usize) -> bool {
        while self.matcher.choices.len() > floor {
            if self.must_stop() {
                return false;
            }
            let choice = *self.matcher.choices.last().expect("there is one above the floor");
            self.forget_overwritten(choice.mark);
            self.undo(choice.mark);
            self.matcher.agenda = choice.agenda;
            if self.resume(choice.task, choice.cursor) {
                return true;
            }
        }
        false
    }

    /// Makes a choice point for a task and takes its first possibility.
    pub(crate) fn choose(&mut self, task: MatchTask, cursor: u32) -> bool {
        let (agenda, mark) = (self.matcher.agenda, self.mark());
        self.matcher.choices.push(ChoicePoint { task, cursor, agenda, mark });
        self.resume(task, cursor)
    }

    /// Gives the last choice point a turn; it goes when nothing is left of it.
    fn resume(&mut self, task: MatchTask, cursor: u32) -> bool {
        if self.pattern.asks {
            self.note_turn(cursor);
        }
        self.take_turn(task, cursor)
    }

    fn take_turn(&mut self, task: MatchTask, cursor: u32) -> bool {
        let place = self.matcher.choices.len() - 1;
        match self.turn(task, cursor) {
            TaskOutcome::Fail => {
                self.matcher.choices.truncate(place);
                false
            }
            TaskOutcome::Last => {
                self.matcher.choices.truncate(place);
                true
            }
            TaskOutcome::More(cursor) => {
                self.matcher.choices[place].cursor = cursor;
                true
            }
        }
    }

    fn perform(&mut self, task: MatchTask) -> bool {
        match task.kind {
            TaskKind::AcAlien => self.ac_alien(task.at, task.index),
            TaskKind::AcElement => self.ac_element(task.at, task.index),
            TaskKind::AcRow => self.ac_row(task.at, task.index),
            TaskKind::AcPart => self.ac_part(task.at, task.index),
            TaskKind::ListBlock => self.list_block(task.at, task.index),
            TaskKind::ListRun => self.list_run(task.at, task.index),
            TaskKind::ListPart => self.list_part(task.at, task.index),
            TaskKind::Revalued => self.revalued_alien(task.at),
            TaskKind::Nothing => true,
            TaskKind::CommWay | TaskKind::Collapse | TaskKind::IterOutside | TaskKind::Iterate => {
                self.choose(task, task.index)
            }
        }
    }

    fn turn(&mut self, task: MatchTask, cursor: u32) -> TaskOutcome {
        match task.kind {
            TaskKind::AcAlien => self.ac_alien_turn(task.at, task.index, cursor),
            TaskKind::AcElement => self.ac_element_turn(task.at, task.index, cursor),
            TaskKind::AcRow => self.ac_row_turn(task.at, task.index, cursor),
            TaskKind::ListBlock => self.list_block_turn(task.at, task.index, cursor),
            TaskKind::ListRun => self.list_run_turn(task.at, task.index, cursor),
            TaskKind::CommWay => self.comm_turn(task.at, cursor),
            TaskKind::Collapse => self.collapse_turn(task.at, cursor),
            TaskKind::IterOutside => self.iter_turn(task.at, cursor),
            TaskKind::Iterate => self.iterate_turn(task.at, cursor),
            TaskKind::AcPart | TaskKind::ListPart | TaskKind::Revalued | TaskKind::Nothing => {
                unreachable!("they leave no choice")
            }
        }
    }

    /// Whether no guard is known to fail.
    fn guards_hold(&self) -> bool {
        (0..self.pattern.guards.len()).all(|i| self.guard_holds(i as u32))
    }

    /// Whether guards may drop matches.
    #[inline(always)]
    pub(crate) fn is_guarded(&self) -> bool {
        !self.matcher.keeps_all && !self.pattern.unguarded
    }

    /// Whether a guard is not known to fail.
    pub(crate) fn guard_holds(&self, index: u32) -> bool {
        if !self.is_guarded() {
            return true;
        }
        let registers = &self.space.regs[self.base..];
        let verdict = self.pattern.guard(index).verdict(&self.space.memory, registers);
        verdict != super::Verdict::No
    }

    /// Makes the nodes that were put off; a failed search leaves the registers unbound, unless it goes
    /// on when a sort is known.
    fn conclude(&mut self, found: bool) -> bool {
        let mut found = found && self.goes_on();
        while found && !self.agrees_with_itself() {
            found = self.backtrack(0) && self.solve(0) && self.goes_on();
        }
        if found {
            for i in 0..self.matcher.deferred.len() {
                let deferred = self.matcher.deferred[i];
                let value = self.make_deferred(deferred);
                self.bind(deferred.slot, value);
            }
            found = self.goes_on();
        }
        if found {
            self.exchange(true);
        } else if !self.matcher.asking.wants() {
            while let Some((slot, _)) = self.matcher.trail.pop() {
                if slot & WORD == 0 {
                    self.space.regs[self.base + slot as usize] = Handle::NIL;
                }
            }
        }
        found
    }

    /// Whether the step has neither been stopped nor given up.
    fn goes_on(&self) -> bool {
        self.space.stopped.is_none() && !self.matcher.asking.wants()
    }

    /// Whether a term has a sort at or below `sort`.
    #[inline(always)]
    pub(crate) fn fits(&mut self, term: Handle, sort: SortId) -> bool {
        fits(self.space, term, sort)
    }
}

/// Whether a normal term has a sort at or below `sort`.
#[inline(always)]
pub(crate) fn fits(space: &mut Workspace, term: Handle, sort: SortId) -> bool {
    if sort.index == 0 {
        return true;
    }
    let index = least_sort(space, term);
    index == sort.index || space.signature.kind(sort.kind).leq(index, sort.index)
}

/// The sort of a normal term.
#[inline(always)]
pub(crate) fn least_sort(space: &mut Workspace, term: Handle) -> u16 {
    match space.memory.known_sort(term) {
        Some(sort) => sort,
        None => compute_sort(space, term),
    }
}

/// The sort of a term whose sort was not computed yet.
#[cold]
fn compute_sort(space: &mut Workspace, term: Handle) -> u16 {
    space.memory.declare_sorts(term);
    space.memory.sort(term)
}
