//! What is told of the conditions of rules and of definitions of strategies to whoever watches.

use super::Problem;
use crate::heap::Handle;
use crate::matching::Slots;
use crate::observer::{Event, SceneParts, SceneSubject};
use crate::statement::Source;
use crate::worker::Worker;

impl Worker {
    /// The pattern of a statement with a condition has matched.
    #[inline(always)]
    pub(super) fn tell_matched(
        &mut self,
        problem: &Problem<'_>,
        subject: Option<Handle>,
        base: usize,
    ) {
        if self.is_watched()
            && let Some((source, slots)) = told(problem)
        {
            let subject = subject.map_or(SceneSubject::Unknown, SceneSubject::Node);
            let slots = Some((slots, base));
            let scene = SceneParts { subject, slots, position: None };
            self.tell(Event::ConditionBegun(source), scene);
        }
    }

    /// A fragment is about to be solved.
    #[inline(always)]
    pub(super) fn tell_tried(&mut self, problem: &Problem<'_>, fragment: usize, again: bool) {
        if self.is_watched()
            && let Some((source, _)) = told(problem)
        {
            self.tell(Event::FragmentTried { source, fragment, again }, SceneParts::default());
        }
    }

    /// What came of it.
    #[inline(always)]
    pub(super) fn tell_tried_ended(
        &mut self,
        problem: &Problem<'_>,
        fragment: usize,
        solved: bool,
    ) {
        if self.is_watched()
            && self.space.stopped.is_none()
            && let Some((source, _)) = told(problem)
        {
            self.tell(Event::FragmentEnded { source, fragment, solved }, SceneParts::default());
        }
    }

    /// What came of the condition.
    #[inline(always)]
    pub(super) fn tell_solved(&mut self, problem: &Problem<'_>, holds: bool) {
        if self.is_watched()
            && let Some((source, _)) = told(problem)
        {
            self.tell(Event::ConditionEnded(source, holds), SceneParts::default());
        }
    }
}

/// The statement whose condition it is, and the registers of its variables.
fn told<'a>(problem: &Problem<'a>) -> Option<(Source, &'a Slots)> {
    let goal = problem.told?;
    goal.source.map(|source| (source, &goal.slots))
}
