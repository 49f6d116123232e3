//! Trials: matchers that wait while a condition is evaluated, and what happens when it fails.

use super::wanted::{Purpose, Tried};
use super::{Frame, FrameTrial, FrameWork, RetryPoint, StepOutcome};
use crate::code::{Pc, TheoryCode};
use crate::heap::{Handle, flag};
use crate::matching::{Leftover, MatchAnswer, Matcher, Mode, Pattern};
use crate::signature::Shape;
use crate::worker::Worker;

impl Worker {
    /// Starts a matcher of `pattern` for the top frame, from whose match the code goes on at `pc`.
    /// `left`: it is the matcher of a left side, whose variables have the registers up to `n_slots`;
    /// else that of a fragment, which empties the registers `reset` for each other match.
    #[allow(clippy::too_many_arguments, reason = "the parts of a choice")]
    pub(super) fn start_matcher(
        &mut self,
        code: &TheoryCode,
        pattern: u32,
        subject: Handle,
        pc: Pc,
        reset: u32,
        n_slots: u32,
        left: bool,
        purpose: Purpose,
    ) -> Tried {
        let mut matcher = self.machine.pool.pop().unwrap_or_default();
        let frame = self.machine.frames.len() as u32 - 1;
        let base = self.machine.frames[frame as usize].base as usize;
        // Fragments are enumerated, left sides take greedy matchers where they may.
        let mode = if left { Mode::First } else { Mode::All };
        let code_of_pattern = &code.program.patterns[pattern as usize];
        let answer = matcher.start(&mut self.space, code_of_pattern, base, subject, mode);
        let point = RetryPoint { matcher, pattern, frame, pc, reset, n_slots, left };
        self.settle(code, point, purpose, answer)
    }

    /// Gives a matcher outside of the machine the sorts that it wants, until it has matched or failed.
    /// May collect.
    pub(crate) fn serve(
        &mut self,
        matcher: &mut Matcher,
        pattern: &Pattern,
        base: usize,
        mut answer: MatchAnswer,
    ) -> bool {
        loop {
            let node = match answer {
                MatchAnswer::Matched => return true,
                MatchAnswer::Failed => return false,
                MatchAnswer::Wants(node) => node,
            };
            self.suspended.push(vec![Box::new(std::mem::take(matcher))]);
            self.sort(node);
            let mut waited = self.suspended.pop().expect("the matcher was suspended");
            *matcher = *waited.pop().expect("the matcher was suspended");
            if self.space.stopped.is_some() {
                return false;
            }
            answer = matcher.go_on(&mut self.space, pattern, base);
        }
    }

    /// Notes in the frame what the match of a left side with extension left over.
    pub(super) fn note_left_over(
        &mut self,
        matcher: &Matcher,
        pattern: &Pattern,
        base: usize,
        frame: u32,
    ) {
        match matcher.leftover(&mut self.space, pattern) {
            Leftover::Whole => {
                if self.is_by_node(frame) {
                    self.space.regs[base + 1] = Handle::NIL;
                }
            }
            Leftover::Rest(rest) => self.space.regs[base + 1] = rest,
            Leftover::List { from, to } => {
                self.space.regs[base + 1] = self.space.regs[base];
                let frame = &mut self.machine.frames[frame as usize];
                frame.at = from;
                frame.to = to;
            }
            Leftover::Iter(count) => {
                let node = self.space.memory.resolve(self.space.regs[base]);
                let symbol = self.space.memory.symbol(node);
                let arg = self.space.memory.arg(node, 0);
                let outside = self.space.memory.iter_node(symbol, flag::REDUCED, count, arg);
                self.space.memory.set_sort(outside, 0);
                self.space.regs[base + 1] = outside;
            }
        }
    }

    fn is_by_node(&self, frame: u32) -> bool {
        let frame = &self.machine.frames[frame as usize];
        let reserved = match frame.trial {
            FrameTrial::Equations { by_node, symbol, .. } => {
                by_node && self.space.memory.core(symbol).shape != Shape::Free
            }
            _ => false,
        };
        reserved && self.space.regs.len() > frame.base as usize + 1
    }

    pub(super) fn drop_choice(&mut self) {
        if let Some(choice) = self.machine.choices.pop() {
            self.machine.pool.push(choice.matcher);
        }
    }

    /// The code of the top frame has failed: the next matcher, the next candidate, or nothing.
    pub(super) fn backtrack(&mut self, code: &TheoryCode) -> StepOutcome {
        if self.is_watched() {
            self.tell_failed();
        }
        self.take_choice(code)
    }

    /// Goes back to the last choice of the top frame that has another match; without one, to the next
    /// candidate.
    pub(super) fn take_choice(&mut self, code: &TheoryCode) -> StepOutcome {
        let frame = self.machine.frames.len() as u32 - 1;
        let base = self.machine.frames[frame as usize].base as usize;
        while self.machine.choices.last().is_some_and(|c| c.frame == frame) {
            let Some(mut choice) = self.machine.choices.pop() else { break };
            if self.is_watched() {
                self.tell_going_back(code, Some(&choice));
            }
            let (pc, left) = (choice.pc, choice.left);
            let pattern = &code.program.patterns[choice.pattern as usize];
            let answer = choice.matcher.next(&mut self.space, pattern, base);
            let tried = self.settle(code, choice, Purpose::Another, answer);
            if tried == Tried::Waits {
                return StepOutcome::Begin;
            }
            if self.is_watched() {
                self.tell_choice(code, pc, left, tried == Tried::Matched);
            }
            if tried == Tried::Matched {
                return StepOutcome::Code;
            }
        }
        if self.is_watched() {
            self.tell_going_back(code, None);
            self.tell_condition_ended(code, false);
        }
        self.next_candidate(code)
    }

    /// What the top frame tries does not apply: the next candidate.
    pub(super) fn next_candidate(&mut self, code: &TheoryCode) -> StepOutcome {
        let Some(top) = self.machine.frames.pop() else {
            unreachable!("what is tried has a frame")
        };
        match top.trial {
            FrameTrial::Equations { .. } => self.try_candidates(code, top.trial, top.base as usize),
            FrameTrial::Membership => self.membership_failed(),
            FrameTrial::None => unreachable!("code without a condition cannot fail"),
        }
    }

    /// Empties the registers that what comes next has to set again.
    pub(super) fn forget(&mut self, code: &TheoryCode, choice: &RetryPoint, base: usize) {
        if choice.left {
            self.space.regs[base + choice.n_slots as usize..].fill(Handle::NIL);
            return;
        }
        let at = choice.reset as usize;
        let operands = &code.program.block.operands;
        let n = operands[at] as usize;
        for i in 0..n {
            let reg = operands[at + 1 + i] as usize;
            self.space.regs[base + reg] = Handle::NIL;
        }
    }

    /// The condition holds. The outcome, if the code does not simply go on.
    pub(super) fn commit(&mut self, code: &TheoryCode, pc: Pc) -> Option<StepOutcome> {
        let frame = self.machine.frames.len() as u32 - 1;
        while self.machine.choices.last().is_some_and(|c| c.frame == frame) {
            self.drop_choice();
        }
        let top = self.machine.frames.last_mut().expect("code has a frame");
        top.pc = pc;
        let trial = top.trial;
        if self.is_watched() {
            self.tell_condition_ended(code, true);
        }
        match trial {
            FrameTrial::Membership => {
                self.machine.frames.pop();
                Some(self.membership_holds(code))
            }
            _ => {
                self.counts.equations += 1;
                None
            }
        }
    }

    pub(super) fn push_frame_of(&mut self, work: FrameWork, node: Handle) {
        let frame = Frame { work, ..self.blank() };
        self.space.regs.push(node);
        self.machine.frames.push(frame);
    }
}
