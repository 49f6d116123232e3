//! Propagating something with fewer bindings than there are, so that its solutions come in the order
//! that the first phase decided.

use smallvec::SmallVec;

use super::{Mark, MatchRun, WORD};
use crate::heap::Handle;

impl MatchRun<'_> {
    /// Propagates something as it was when only the bindings made before `then` were there, so that
    /// what comes of it has the order that the first phase decided (`docs/semantics.md` 6.2).
    /// `propagate` must not depend on anything but registers.
    pub(crate) fn propagate_as_at(
        &mut self,
        then: u32,
        propagate: impl Fn(&mut MatchRun<'_>) -> bool,
    ) -> bool {
        let mark = self.mark();
        let outer = std::mem::replace(&mut self.matcher.ambiguous, false);
        let propagated = propagate(self);
        let ambiguous = std::mem::replace(&mut self.matcher.ambiguous, outer);
        if !propagated {
            self.undo(mark);
            return false;
        }
        if !ambiguous || mark.trail == then {
            self.matcher.ambiguous |= ambiguous;
            let agrees = self.agrees_with_rebound(mark);
            if !agrees {
                self.undo(mark);
            }
            return agrees;
        }
        self.undo(mark);
        let hidden = self.hide(then);
        let propagated = propagate(self);
        self.matcher.ambiguous = outer || ambiguous;
        self.reveal(hidden, mark, propagated)
    }

    /// Takes back the bindings made since `then`.
    pub(crate) fn hide(&mut self, then: u32) -> usize {
        let from = self.matcher.hidden.len();
        for i in then as usize..self.matcher.trail.len() {
            let slot = self.matcher.trail[i].0;
            if slot & WORD == 0 {
                let register = &mut self.space.regs[self.base + slot as usize];
                self.matcher.hidden.push((slot, std::mem::replace(register, Handle::NIL)));
            }
        }
        from
    }

    /// Puts the hidden bindings back, and joins those made meanwhile with them.
    pub(crate) fn reveal(&mut self, from: usize, mark: Mark, propagated: bool) -> bool {
        let mut made: SmallVec<[(u32, Handle); 8]> = SmallVec::new();
        if propagated {
            for i in mark.trail as usize..self.matcher.trail.len() {
                let slot = self.matcher.trail[i].0;
                if slot & WORD == 0 {
                    made.push((slot, self.value(slot)));
                }
            }
            for &(slot, _) in &made {
                self.space.regs[self.base + slot as usize] = Handle::NIL;
            }
            self.matcher.trail.retain({
                let (mut at, first) = (0, mark.trail);
                move |entry| {
                    at += 1;
                    at <= first || entry.0 & WORD != 0
                }
            });
        } else {
            self.undo(mark);
        }
        while self.matcher.hidden.len() > from {
            let (slot, value) = self.matcher.hidden.pop().expect("it is longer than that");
            self.space.regs[self.base + slot as usize] = value;
        }
        for (slot, value) in made {
            if !self.may_get(slot, value) {
                self.undo(mark);
                return false;
            }
            match self.value(slot) {
                Handle::NIL => self.bind(slot, value),
                old if self.space.memory.equal(old, value) => {}
                _ => {
                    self.undo(mark);
                    return false;
                }
            }
        }
        propagated
    }
}
