//! Memberships: the sort of a node is computed once, when no equation applies any more
//! (`docs/semantics.md` 2.6).

use super::wanted::{Purpose, Tried};
use super::{Frame, FrameTrial, FrameWork, NONE, StepOutcome};
use crate::code::{Pc, TheoryCode};
use crate::heap::Handle;
use crate::id::SortId;
use crate::worker::Worker;

impl Worker {
    /// Begins a frame that gives a normal node its sort; the node is its value.
    pub(super) fn push_memberships(&mut self, node: Handle) {
        let sort = self.space.memory.declared_sort(node);
        self.space.memory.set_sort(node, sort);
        self.push_frame_of(FrameWork::Memberships, node);
    }

    /// Tries the memberships from the frame's place on, the ones with small sorts first.
    pub(super) fn go_on_with_memberships(&mut self, code: &TheoryCode) -> StepOutcome {
        let depth = self.machine.frames.len() - 1;
        let base = self.machine.frames[depth].base as usize;
        let node = self.space.regs[base];
        let symbol = self.space.memory.symbol(node);
        let kind = self.space.signature.symbol(symbol).range;
        let (first, n) = code.memberships[symbol.index()];
        loop {
            let at = self.machine.frames[depth].at;
            let current = SortId { kind, index: self.space.memory.sort(node) };
            if at >= n {
                break;
            }
            let membership = code.program.memberships[(first + at) as usize];
            let sort = SortId { kind, index: membership.sort };
            if self.space.signature.leq(current, sort) {
                break;
            }
            if !self.space.signature.leq(sort, current) {
                self.machine.frames[depth].at += 1;
                continue;
            }
            self.space.regs.truncate(base + 1);
            self.space.regs.resize_frame(base, membership.n_regs.max(1) as usize);
            let frame = Frame {
                work: FrameWork::Code,
                pc: membership.start,
                base: base as u32,
                trial: FrameTrial::Membership,
                ..self.blank()
            };
            self.machine.frames.push(frame);
            let (start, n_slots) = (membership.start, membership.n_slots);
            let purpose = if membership.conditional { Purpose::First } else { Purpose::Only };
            let pattern = membership.pattern;
            match self.start_matcher(code, pattern, node, start, NONE, n_slots, true, purpose) {
                Tried::Matched => {
                    return self.membership_matched(code, start, membership.conditional);
                }
                Tried::Waits => return StepOutcome::Begin,
                Tried::Failed => {}
            }
            self.machine.frames.pop();
            self.machine.frames[depth].at += 1;
        }
        self.machine.frames.pop();
        self.space.regs.truncate(base);
        StepOutcome::Value(node)
    }

    /// The left side of a membership has matched, whose frame is on top.
    pub(super) fn membership_matched(
        &mut self,
        code: &TheoryCode,
        start: Pc,
        conditional: bool,
    ) -> StepOutcome {
        if conditional {
            if self.is_watched() {
                let base = self.machine.frames[self.machine.frames.len() - 1].base as usize;
                self.tell_membership_tried(code, start, base);
            }
            return StepOutcome::Code;
        }
        self.machine.frames.pop();
        self.membership_holds(code)
    }

    /// The membership at the frame's place holds: the sort is lowered and all are tried again.
    pub(super) fn membership_holds(&mut self, code: &TheoryCode) -> StepOutcome {
        let depth = self.machine.frames.len() - 1;
        let frame = self.machine.frames[depth];
        let base = frame.base as usize;
        let node = self.space.regs[base];
        let symbol = self.space.memory.symbol(node);
        let (first, _) = code.memberships[symbol.index()];
        let membership = code.program.memberships[(first + frame.at) as usize];
        if self.is_watched() {
            self.tell_membership(code, membership.start, base);
        }
        self.space.regs.truncate(base + 1);
        self.space.memory.set_sort(node, membership.sort);
        self.counts.memberships += 1;
        self.machine.frames[depth].at = 0;
        StepOutcome::Begin
    }

    /// The membership at the frame's place does not hold: the next one.
    pub(super) fn membership_failed(&mut self) -> StepOutcome {
        let depth = self.machine.frames.len() - 1;
        let base = self.machine.frames[depth].base as usize;
        self.space.regs.truncate(base + 1);
        self.machine.frames[depth].at += 1;
        StepOutcome::Begin
    }
}
