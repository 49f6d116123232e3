//! Sorts of terms that memberships decide, where something waits for them: a matcher, an equation
//! that looks at terms which are not evaluated, a sort test. Each waits in a frame, and the frames
//! that try the memberships stand above it.

use super::{Frame, FrameTrial, FrameWork, RetryPoint, StepOutcome};
use crate::code::TheoryCode;
use crate::heap::Handle;
use crate::id::SymbolId;
use crate::matching::MatchAnswer;
use crate::worker::Worker;

/// What is known of a match that was tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tried {
    Matched,
    Failed,
    /// A frame that finds out a sort is on top; the match goes on after it.
    Waits,
}

/// Why a matcher was asked for a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// For its first one, which is the only one that is wanted.
    Only,
    /// For its first one, and others may be wanted.
    First,
    /// For another one, since what came after the one before has failed.
    Another,
}

/// A matcher that waits for a sort.
pub(super) struct WaitingMatcher {
    point: RetryPoint,
    purpose: Purpose,
}

impl WaitingMatcher {
    pub(super) fn visit_roots(&mut self, visit: &mut dyn FnMut(&mut Handle)) {
        self.point.matcher.visit_roots(visit);
    }
}

impl Worker {
    /// What comes of the answer of a matcher: it is left behind as a choice if it has matched and may
    /// have others that are wanted.
    #[inline(always)]
    pub(super) fn settle(
        &mut self,
        code: &TheoryCode,
        point: RetryPoint,
        purpose: Purpose,
        answer: MatchAnswer,
    ) -> Tried {
        match answer {
            MatchAnswer::Wants(node) => {
                self.machine.waiting.push(WaitingMatcher { point, purpose });
                let frame = Frame { work: FrameWork::Wanted, ..self.blank() };
                self.machine.frames.push(frame);
                self.push_memberships(node);
                return Tried::Waits;
            }
            MatchAnswer::Failed => {
                self.machine.pool.push(point.matcher);
                return Tried::Failed;
            }
            MatchAnswer::Matched => {}
        }
        let base = self.machine.frames[point.frame as usize].base as usize;
        if point.left {
            let pattern = &code.program.patterns[point.pattern as usize];
            self.note_left_over(&point.matcher, pattern, base, point.frame);
        }
        if purpose == Purpose::Another {
            self.forget(code, &point, base);
            self.machine.frames[point.frame as usize].pc = point.pc;
        }
        if purpose != Purpose::Only && point.matcher.has_more_possible() {
            self.machine.choices.push(point);
        } else {
            self.machine.pool.push(point.matcher);
        }
        Tried::Matched
    }

    /// The sort is known that the last matcher waits for.
    pub(super) fn go_on_with_matcher(&mut self, code: &TheoryCode) -> StepOutcome {
        self.machine.frames.pop();
        let WaitingMatcher { mut point, purpose } =
            self.machine.waiting.pop().expect("a matcher waits for the sort");
        let (pc, left) = (point.pc, point.left);
        let depth = point.frame as usize;
        let Frame { base, trial, .. } = self.machine.frames[depth];
        let pattern = &code.program.patterns[point.pattern as usize];
        let answer = point.matcher.go_on(&mut self.space, pattern, base as usize);
        let tried = self.settle(code, point, purpose, answer);
        if purpose == Purpose::Another && tried != Tried::Waits && self.is_watched() {
            self.tell_choice(code, pc, left, tried == Tried::Matched);
        }
        match (tried, purpose) {
            (Tried::Waits, _) => StepOutcome::Begin,
            (Tried::Matched, Purpose::Another) => StepOutcome::Code,
            (Tried::Failed, Purpose::Another) => self.take_choice(code),
            (Tried::Failed, _) if left => self.next_candidate(code),
            (Tried::Failed, _) => StepOutcome::Fail,
            (Tried::Matched, _) => match trial {
                FrameTrial::Membership if left => {
                    self.membership_matched(code, pc, purpose == Purpose::First)
                }
                FrameTrial::Equations { .. } if left => {
                    self.equation_matched(code, pc, trial, purpose == Purpose::First)
                }
                _ => {
                    self.machine.frames[depth].pc = pc;
                    StepOutcome::Code
                }
            },
        }
    }

    /// Forgets the matchers that wait for frames from `depth` on.
    pub(super) fn drop_waiting(&mut self, depth: usize) {
        while self.machine.waiting.last().is_some_and(|w| w.point.frame as usize >= depth) {
            if let Some(waiting) = self.machine.waiting.pop() {
                self.machine.pool.push(waiting.point.matcher);
            }
        }
    }

    /// Begins a frame that gives sorts to terms that are not evaluated, and to what is below them,
    /// memberships included: the last one first, arguments before what they are arguments of. Its
    /// value is the term in its first register.
    pub(super) fn push_sorts(&mut self, value: Handle, terms: impl Iterator<Item = Handle>) {
        self.push_frame_of(FrameWork::Sorts, value);
        terms.for_each(|term| self.space.regs.push(term));
    }

    /// The last term in the registers gets its sort.
    pub(super) fn go_on_with_sorts(&mut self) -> StepOutcome {
        let base = self.machine.frames[self.machine.frames.len() - 1].base as usize;
        while self.space.regs.len() > base + 1 {
            let last = self.space.regs[self.space.regs.len() - 1];
            if self.space.memory.known_sort(last).is_some() {
                self.space.regs.pop();
                continue;
            }
            let before = self.space.regs.len();
            for place in (0..self.space.memory.n_args(last)).rev() {
                let arg = self.space.memory.arg(last, place);
                if self.space.memory.known_sort(arg).is_none() {
                    self.space.regs.push(arg);
                }
            }
            if self.space.regs.len() > before {
                continue;
            }
            if self.space.memory.core(self.space.memory.symbol(last)).memberships {
                self.push_memberships(last);
                return StepOutcome::Begin;
            }
            let sort = self.space.memory.declared_sort(last);
            self.space.memory.set_sort(last, sort);
        }
        self.machine.frames.pop();
        let value = self.space.regs[base];
        self.space.regs.truncate(base);
        StepOutcome::Value(value)
    }

    /// Begins the test whether a term has the sort that a symbol tests. Memberships that could lower
    /// the sort are tried, once more if `again`: they count (`docs/semantics.md` 3.8), and change
    /// nothing.
    pub(super) fn begin_sort_test(&mut self, symbol: SymbolId, term: Handle) -> StepOutcome {
        let again = self.code.fidelity.repeats_memberships();
        self.push_frame_of(FrameWork::SortTest, term);
        let top = self.machine.frames.last_mut().expect("the frame was pushed");
        top.at = symbol.0;
        top.to = u32::from(again);
        if self.space.memory.known_sort(term).is_none() {
            self.push_memberships(term);
            return StepOutcome::Begin;
        }
        self.go_on_with_sort_test()
    }

    /// The sort of the term is known, or has to be found once more.
    pub(super) fn go_on_with_sort_test(&mut self) -> StepOutcome {
        let top = self.machine.frames.last_mut().expect("the test has a frame");
        let (symbol, base) = (SymbolId(top.at), top.base as usize);
        let term = self.space.regs[base];
        if std::mem::take(&mut top.to) != 0 {
            self.push_frame_of(FrameWork::Memberships, term);
            return StepOutcome::Begin;
        }
        self.machine.frames.pop();
        self.space.regs.truncate(base);
        let index = self.space.memory.sort(term);
        let holds = self.has_tested_sort(symbol, index).expect("the symbol tests sorts");
        StepOutcome::Value(holds)
    }
}
