//! A matcher, and the steps from one match to the next.

use rustc_hash::FxHashSet;

use super::asking::Asking;
use super::{Cell, ChoicePoint, Deferred, MatchAnswer, MatchRun, MatchTask, NONE, REST_WORDS};
use crate::heap::Handle;
use crate::matching::{Mode, Pattern, PatternNodeId};
use crate::workspace::Workspace;

/// A matcher that runs or waits.
///
/// A step that finds that it wants the sort of a node is given up, and goes on from the turn before
/// when the sort is known (`asking.rs`).
#[derive(Debug, Default)]
pub(crate) struct Matcher {
    /// Registers that were bound; words that were changed, with what they were.
    pub(super) trail: Vec<(u32, u32)>,
    /// Tasks that propagating leaves, before they go to the agenda.
    pub(crate) out: Vec<MatchTask>,
    pub(crate) words: Vec<u32>,
    /// Terms in use; the subject is the first.
    pub(crate) handles: Vec<Handle>,
    pub(super) cells: Vec<Cell>,
    pub(super) agenda: u32,
    pub(super) choices: Vec<ChoicePoint>,
    pub(crate) deferred: Vec<Deferred>,
    /// Values that variables got when tasks were solved, whatever they were bound to before.
    pub(super) rebound: Vec<(u32, Handle)>,
    /// They stand in the registers, and what was there before stands among them.
    pub(super) exchanged: bool,
    /// Nodes and subjects that cannot be matched greedily, if there are any. Matchers are moved often,
    /// so they are small.
    pub(super) open: Option<Box<FxHashSet<(PatternNodeId, Handle)>>>,
    /// Possibilities tried since the limits were looked at.
    pub(super) tried: u32,
    /// Bindings that are hidden for a moment.
    pub(super) hidden: Vec<(u32, Handle)>,
    /// With fewer variables bound, the matchers of what was propagated last would be enumerated in
    /// another order.
    pub(crate) ambiguous: bool,
    /// The first mode is on.
    pub(super) first: bool,
    /// Guards drop no matches: how many there are is observed.
    pub(crate) keeps_all: bool,
    /// The subject may have been denied its sort.
    pub(crate) denied: bool,
    /// What is known in case a sort is wanted.
    pub(super) asking: Asking,
}

impl Matcher {
    /// Visits the heap handles that the matcher holds.
    pub(crate) fn visit_roots(&mut self, visit: &mut dyn FnMut(&mut Handle)) {
        let rebound = self.rebound.iter_mut().map(|entry| &mut entry.1);
        self.handles.iter_mut().chain(rebound).for_each(&mut *visit);
        self.asking.visit_roots(visit);
    }

    /// Moves all terms that the matcher holds into the store.
    pub(crate) fn park(&mut self, space: &mut Workspace) {
        for handle in &mut self.handles {
            *handle = space.memory.enter(*handle);
        }
        for (_, value) in self.rebound.iter_mut().filter(|entry| entry.1 != Handle::NIL) {
            *value = space.memory.enter(*value);
        }
    }

    /// False when there is certainly no further matcher.
    pub(crate) fn has_more_possible(&self) -> bool {
        !self.choices.is_empty()
    }

    /// Finds the first matcher. The registers of the pattern's variables, `regs[base + slot]`, get
    /// their values. The subject of a pattern made by `compile_aliens` is not looked at.
    pub(crate) fn start(
        &mut self,
        space: &mut Workspace,
        pattern: &Pattern,
        base: usize,
        subject: Handle,
        mode: Mode,
    ) -> MatchAnswer {
        self.handles.clear();
        self.handles.push(subject);
        self.first = mode == Mode::First;
        self.asking.begin();
        let found = self.find_first(space, pattern, base);
        self.answer(found)
    }

    /// Takes up the step again, since the sort that was wanted is known.
    pub(crate) fn go_on(
        &mut self,
        space: &mut Workspace,
        pattern: &Pattern,
        base: usize,
    ) -> MatchAnswer {
        self.asking.take_again();
        let found = if self.asking.has_turn() {
            // What they depend on may have moved or been evaluated.
            self.open = None;
            let mut run = MatchRun { space, matcher: self, pattern, base };
            let found = (run.take_turn_again() || run.backtrack(0)) && run.solve(0);
            run.conclude(found)
        } else {
            self.find_first(space, pattern, base)
        };
        self.answer(found)
    }

    fn answer(&mut self, found: bool) -> MatchAnswer {
        match self.asking.wanted() {
            Some(node) => return MatchAnswer::Wants(node),
            None => self.asking.forget_made(),
        }
        if found { MatchAnswer::Matched } else { MatchAnswer::Failed }
    }

    fn find_first(&mut self, space: &mut Workspace, pattern: &Pattern, base: usize) -> bool {
        let subject = self.handles[0];
        self.trail.clear();
        self.out.clear();
        self.words.clear();
        self.words.resize(REST_WORDS, 0);
        self.handles.clear();
        let subject = if subject == Handle::NIL { subject } else { space.memory.resolve(subject) };
        self.handles.push(subject);
        self.cells.clear();
        self.agenda = NONE;
        self.choices.clear();
        self.deferred.clear();
        self.rebound.clear();
        self.open = None;
        self.exchanged = false;
        for &slot in &pattern.unbound {
            space.regs[base + slot as usize] = Handle::NIL;
        }
        let mut run = MatchRun { space, matcher: self, pattern, base };
        let found = run.propagate(pattern.root, subject) && run.guards_hold() && {
            run.emit(0);
            run.solve(0)
        };
        run.conclude(found)
    }

    /// Goes back to where `next` will go on, so that nothing bound since has to be kept until then.
    pub(crate) fn rewind(&mut self, space: &mut Workspace, pattern: &Pattern, base: usize) {
        if let Some(&ChoicePoint { mark, .. }) = self.choices.last() {
            let mut run = MatchRun { space, matcher: self, pattern, base };
            run.exchange(false);
            run.forget_overwritten(mark);
            run.undo(mark);
        }
    }

    /// Finds the next matcher after one has been found.
    #[inline]
    pub(crate) fn next(
        &mut self,
        space: &mut Workspace,
        pattern: &Pattern,
        base: usize,
    ) -> MatchAnswer {
        let found = self.find_next(space, pattern, base);
        self.answer(found)
    }

    fn find_next(&mut self, space: &mut Workspace, pattern: &Pattern, base: usize) -> bool {
        // What they depend on may have moved or been evaluated.
        self.open = None;
        let mut run = MatchRun { space, matcher: self, pattern, base };
        run.exchange(false);
        let found = run.backtrack(0) && run.solve(0);
        run.conclude(found)
    }
}
