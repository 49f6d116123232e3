//! Which statement was at work when a computation was stopped. Nothing is noted while equations run:
//! the frames tell. Of rules the one that was tried or applied last is known.

use super::{Frame, FrameWork};
use crate::code::{Block, Pc, RuleCode, TheoryCode};
use crate::worker::Worker;

impl Worker {
    /// The statement whose condition or right side was being evaluated when the last computation was
    /// stopped, by its source, the innermost one; between two statements the last rule that was
    /// tried or applied. Nothing if there was none.
    pub fn at_work(&self) -> Option<u32> {
        self.machine.at_work.or(self.last_rule)
    }

    /// Notes that the condition of a rule was being solved, if the machine was stopped and nothing
    /// further inside has been noted.
    pub(crate) fn note_rule(&mut self, rule: &RuleCode) {
        if self.space.stopped.is_some() && self.machine.at_work.is_none() {
            self.machine.at_work = Some(rule.source);
        }
    }

    /// Notes where the machine was stopped whose last call has taken the place of its frame.
    #[cold]
    pub(super) fn stopped_in_call(&mut self, code: &TheoryCode, block: &Block, pc: usize) {
        if std::ptr::eq(block, &code.program.block) {
            self.machine.stopped_at = Some(pc as Pc - 1);
        }
    }

    /// Notes which statement is at work, unless one further inside has been noted.
    pub(super) fn note_work(&mut self) {
        if self.machine.at_work.is_some() {
            return;
        }
        let frames = &self.machine.frames;
        let running = (0..frames.len()).rev().filter(|&at| {
            // A goal's code is no statement's: it has a frame on registers of a caller outside.
            let outside = at.checked_sub(1).map(|below| &frames[below]);
            let goal = matches!(
                outside,
                Some(Frame { work: FrameWork::Outside, base, .. }) if *base != frames[at].base
            );
            frames[at].work == FrameWork::Code && !goal
        });
        let pc = self.machine.stopped_at.take().or(running.map(|at| frames[at].pc).next());
        self.machine.at_work = pc.and_then(|pc| self.code.program.source_of(pc));
    }
}
