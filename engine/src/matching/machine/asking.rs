//! Sorts that a matcher wants.
//!
//! A step that wants the sort of a node fails everywhere until it has come back to whoever asked for
//! a match. When the sort is known it goes on from the beginning of the last turn that a choice
//! point had at the top of the search, of which nothing but the choice point and the cursor is
//! noted, or from the first phase if there has been none. It does then what it did before, so the
//! nodes that it has made since are kept and used again, in the order in which they were made.

use super::{ChoicePoint, MatchRun};
use crate::heap::Handle;

/// What a matcher knows in case it wants a sort.
#[derive(Debug, Default)]
pub(super) struct Asking {
    /// The node whose sort is wanted.
    wanted: Option<Handle>,
    /// The nodes made since the turn began whose sorts memberships may lower, and how many of them
    /// have been used since it was taken again.
    made: Vec<Handle>,
    used: usize,
    /// How many subproblems are being solved once and for all: a step never goes on inside of them.
    inside: u32,
    /// Whether a choice point has had a turn, which then is in `turn`.
    has_turn: bool,
    /// Patterns that never ask for sorts have none, so that their matchers are small.
    turn: Option<Box<Turn>>,
}

/// A turn of a choice point.
#[derive(Debug)]
struct Turn {
    /// The choice point as it was when the turn began, with the cursor that the turn has come to.
    choice: ChoicePoint,
    /// The number of choice points below it.
    place: usize,
    /// Values that no trail restores.
    rebound: Vec<(u32, Handle)>,
}

impl Asking {
    /// Whether a sort is wanted.
    #[inline(always)]
    pub(super) fn wants(&self) -> bool {
        self.wanted.is_some()
    }

    /// The node whose sort is wanted.
    pub(super) fn wanted(&self) -> Option<Handle> {
        self.wanted
    }

    /// Begins with the first phase of another match.
    #[inline(always)]
    pub(super) fn begin(&mut self) {
        self.wanted = None;
        self.has_turn = false;
        self.inside = 0;
        self.forget_made();
    }

    /// The sort that was wanted is known: what was done is done again.
    pub(super) fn take_again(&mut self) {
        self.wanted = None;
        self.used = 0;
    }

    /// Whether there has been a turn to take again.
    pub(super) fn has_turn(&self) -> bool {
        self.has_turn
    }

    /// Forgets the nodes that were made: what used them will not be done again.
    #[inline(always)]
    pub(super) fn forget_made(&mut self) {
        self.made.clear();
        self.used = 0;
    }

    /// Notes that a subproblem is being solved once and for all.
    #[inline(always)]
    pub(super) fn enter(&mut self) {
        self.inside += 1;
    }

    /// Notes that it has been.
    #[inline(always)]
    pub(super) fn leave(&mut self) {
        self.inside -= 1;
    }

    /// Visits the heap handles.
    pub(super) fn visit_roots(&mut self, visit: &mut dyn FnMut(&mut Handle)) {
        self.made.iter_mut().for_each(&mut *visit);
        // Without a wish there is nothing to go back to.
        if let (Some(node), Some(turn)) = (&mut self.wanted, &mut self.turn) {
            visit(node);
            turn.rebound.iter_mut().for_each(|entry| visit(&mut entry.1));
        }
    }
}

impl<'a> MatchRun<'a> {
    /// Asks for the sort of a node; everything fails then.
    #[cold]
    pub(crate) fn want_sort(&mut self, node: Handle) {
        self.matcher.asking.wanted.get_or_insert(node);
        self.matcher.tried = super::PATIENCE;
    }

    /// Whether a sort is wanted, so that what fails may have failed for that.
    pub(crate) fn wants_sort(&self) -> bool {
        self.matcher.asking.wants()
    }

    /// A part that memberships may say something of: the one made before, if the turn is taken again.
    pub(crate) fn made_before(&mut self, make: impl FnOnce(&mut MatchRun<'a>) -> Handle) -> Handle {
        let place = self.matcher.asking.used;
        self.matcher.asking.used += 1;
        if let Some(&made) = self.matcher.asking.made.get(place) {
            return made;
        }
        let made = make(self);
        self.matcher.asking.made.push(made);
        made
    }

    /// Notes that the last choice point begins a turn, which can be taken again from here.
    pub(super) fn note_turn(&mut self, cursor: u32) {
        let matcher = &mut *self.matcher;
        if matcher.asking.inside > 0 || matcher.asking.wants() {
            return;
        }
        let place = matcher.choices.len() - 1;
        let choice = ChoicePoint { cursor, ..matcher.choices[place] };
        matcher.asking.forget_made();
        matcher.asking.has_turn = true;
        match &mut matcher.asking.turn {
            Some(turn) => {
                (turn.choice, turn.place) = (choice, place);
                turn.rebound.clone_from(&matcher.rebound);
            }
            none => {
                *none = Some(Box::new(Turn { choice, place, rebound: matcher.rebound.clone() }))
            }
        }
    }

    /// Notes that the turn at work has come to a cursor: what is before it is not tried again. A turn
    /// whose cursor does not say which possibility comes next must note each one.
    #[inline(always)]
    pub(crate) fn note_cursor(&mut self, cursor: u32) {
        if self.pattern.asks {
            let asking = &mut self.matcher.asking;
            if asking.inside == 0
                && !asking.wants()
                && let Some(turn) = &mut asking.turn
            {
                turn.choice.cursor = cursor;
                asking.forget_made();
            }
        }
    }

    /// Goes back to the beginning of the last turn and takes it.
    pub(super) fn take_turn_again(&mut self) -> bool {
        let matcher = &mut *self.matcher;
        let turn = matcher.asking.turn.as_mut().expect("there has been a turn");
        let (choice, place) = (turn.choice, turn.place);
        matcher.rebound.clone_from(&turn.rebound);
        matcher.choices.truncate(place);
        matcher.choices.push(choice);
        matcher.agenda = choice.agenda;
        self.undo(choice.mark);
        self.take_turn(choice.task, choice.cursor)
    }
}
