//! What the machine tells whoever watches. Only watched code and the slower ways of applying
//! statements lead here.

use super::{FrameTrial, RetryPoint};
use crate::code::{Op, Pc, TheoryCode};
use crate::id::SymbolId;
use crate::matching::Slots;
use crate::observer::{Event, OpenCondition, SceneParts, SceneSubject};
use crate::statement::Source;
use crate::worker::Worker;

impl Worker {
    /// The left side of an equation has matched, whose frame is on top.
    #[cold]
    pub(super) fn tell_equation(
        &mut self,
        code: &TheoryCode,
        start: Pc,
        trial: FrameTrial,
        base: usize,
        conditional: bool,
    ) {
        let FrameTrial::Equations { symbol, by_node, .. } = trial else { return };
        let subject = self.redex(symbol, by_node, base);
        let scene = SceneParts { subject, slots: scene_slots(code, start, base), position: None };
        let Some(source) = code.program.source_of(start) else { return };
        if conditional {
            self.open_condition(source, scene);
        } else {
            self.tell(Event::Equation(source), scene);
        }
    }

    /// The left side of a membership with a condition has matched, whose frame is on top.
    #[cold]
    pub(super) fn tell_membership_tried(&mut self, code: &TheoryCode, start: Pc, base: usize) {
        let slots = scene_slots(code, start, base);
        let scene = SceneParts { slots, ..SceneParts::at(self.space.regs[base]) };
        let Some(source) = code.program.source_of(start) else { return };
        self.open_condition(source, scene);
    }

    /// A membership applies to the node in the register `base`.
    #[cold]
    pub(super) fn tell_membership(&mut self, code: &TheoryCode, start: Pc, base: usize) {
        let slots = scene_slots(code, start, base);
        let scene = SceneParts { slots, ..SceneParts::at(self.space.regs[base]) };
        if let Some(source) = code.program.source_of(start) {
            self.tell(Event::Membership(source), scene);
        }
    }

    fn redex(&self, symbol: SymbolId, by_node: bool, base: usize) -> SceneSubject {
        if by_node {
            return SceneSubject::Node(self.space.regs[base]);
        }
        let n = usize::from(self.space.memory.core(symbol).arity);
        SceneSubject::Application { symbol, first: base, n }
    }

    fn open_condition(&mut self, source: u32, scene: SceneParts<'_>) {
        let source = Source::Statement(source);
        let frame = self.machine.frames.len() - 1;
        if let Some(watch) = &mut self.watch {
            // What was stopped has left its conditions behind.
            watch.conditions.retain(|open| open.frame < frame);
            watch.conditions.push(OpenCondition { frame, source, fragment: 0 });
        }
        self.tell(Event::ConditionBegun(source), scene);
    }

    /// A fragment is solved for the first time, or is solved.
    #[cold]
    pub(super) fn tell_fragment(&mut self, number: u32, solved: bool) {
        let fragment = number as usize;
        let Some(open) = self.watch.as_mut().and_then(|watch| watch.conditions.last_mut()) else {
            return;
        };
        open.fragment = fragment;
        let source = open.source;
        let event = match solved {
            true => Event::FragmentEnded { source, fragment, solved: true },
            false => Event::FragmentTried { source, fragment, again: false },
        };
        self.tell(event, SceneParts::default());
    }

    /// The test of an `if` is known.
    #[cold]
    pub(super) fn tell_branch(&mut self, symbol: SymbolId) {
        self.tell(Event::Builtin(symbol), SceneParts::default());
    }

    /// The fragment at work of the condition of the top frame has no (other) solution.
    #[cold]
    pub(super) fn tell_failed(&mut self) {
        if let Some(open) = self.open_of_top() {
            let (source, fragment) = (open.source, open.fragment);
            self.tell(
                Event::FragmentEnded { source, fragment, solved: false },
                SceneParts::default(),
            );
        }
    }

    /// The fragments after the one that a choice belongs to, or all if there is no choice, have no
    /// other solutions; that of the choice, if any, is tried again.
    #[cold]
    pub(super) fn tell_going_back(&mut self, code: &TheoryCode, choice: Option<&RetryPoint>) {
        let Some(open) = self.open_of_top() else { return };
        let (source, failed) = (open.source, open.fragment);
        let back_to = choice.filter(|choice| !choice.left).and_then(|choice| {
            match code.program.block.ops[choice.pc as usize] {
                Op::Solved { number } => Some(number as usize),
                _ => None,
            }
        });
        open.fragment = back_to.unwrap_or(0);
        let first = back_to.map_or(0, |at| at + 1);
        let quiet = SceneParts::default();
        for fragment in (first..failed).rev() {
            self.tell(Event::FragmentTried { source, fragment, again: true }, quiet);
            self.tell(Event::FragmentEnded { source, fragment, solved: false }, quiet);
        }
        if let Some(fragment) = back_to {
            self.tell(Event::FragmentTried { source, fragment, again: true }, quiet);
        }
    }

    /// What came of trying a choice, from which the code goes on at `pc`.
    #[cold]
    pub(super) fn tell_choice(&mut self, code: &TheoryCode, pc: Pc, left: bool, matched: bool) {
        let Some(open) = self.open_of_top() else { return };
        let source = open.source;
        if left {
            if matched {
                let top = self.machine.frames.last().expect("a condition has a frame");
                let base = top.base as usize;
                let slots = scene_slots(code, pc, base);
                let scene = SceneParts { slots, ..SceneParts::default() };
                self.tell(Event::ConditionBegun(source), scene);
            }
        } else if !matched {
            self.tell_failed();
        }
    }

    /// The condition of the top frame has come to its end.
    #[cold]
    pub(super) fn tell_condition_ended(&mut self, code: &TheoryCode, holds: bool) {
        let Some(open) = self.open_of_top() else { return };
        let source = open.source;
        if let Some(watch) = &mut self.watch {
            watch.conditions.pop();
        }
        let top = *self.machine.frames.last().expect("a condition has a frame");
        let base = top.base as usize;
        self.tell(Event::ConditionEnded(source, holds), SceneParts::default());
        let (true, Source::Statement(number)) = (holds, source) else { return };
        if let FrameTrial::Equations { symbol, by_node, .. } = top.trial {
            let subject = self.redex(symbol, by_node, base);
            let slots = code.program.start_of(top.pc).and_then(|at| scene_slots(code, at, base));
            self.tell(Event::Equation(number), SceneParts { subject, slots, position: None });
        }
    }

    fn open_of_top(&mut self) -> Option<&mut OpenCondition> {
        let frame = self.machine.frames.len() - 1;
        let open = self.watch.as_mut()?.conditions.last_mut()?;
        (open.frame == frame).then_some(open)
    }
}

fn scene_slots(code: &TheoryCode, start: Pc, base: usize) -> Option<(&Slots, usize)> {
    code.program.slots_of(start).map(|slots| (slots, base))
}
