//! What a rule makes of a term: its right side, at the position where it applies, beside what its
//! match leaves over.

use super::Path;
use crate::code::RuleCode;
use crate::heap::{BesideRedex, Handle};
use crate::matching::{Leftover, Matcher, Pattern};
use crate::worker::Worker;

impl Worker {
    /// The value of a rule's right side over the frame at `base`: reduced, or where `eager` is
    /// false normal and unreduced. May collect.
    pub(crate) fn right_side(&mut self, code: &RuleCode, base: usize, eager: bool) -> Handle {
        if eager {
            let pc = code.goal.right.expect("a rule has a right side");
            return self.evaluate(&code.goal.block, pc, base);
        }
        self.unreduced_instance(code.right, &code.goal.slots, base, false)
    }

    /// Puts the outcome of a rule, which may be raw where `eager` is true, at the end of a path.
    /// May collect.
    pub(crate) fn put(&mut self, root: Handle, path: &Path, new: Handle, eager: bool) -> Handle {
        let base = self.space.push_frame(1);
        self.space.regs[base] = root;
        let new = if eager { self.reduce(new) } else { new };
        let root = self.space.memory.resolve(self.space.regs[base]);
        self.space.pop_frame(base);
        if self.space.stopped.is_some() { new } else { self.rebuild(root, path, new) }
    }

    /// What a match leaves over beside the matched part.
    pub(crate) fn rest(
        &mut self,
        matcher: &Matcher,
        pattern: &Pattern,
        subject: Handle,
    ) -> BesideRedex {
        let leftover = matcher.leftover(&mut self.space, pattern);
        let memory = &mut self.space.memory;
        let symbol = memory.symbol(subject);
        match leftover {
            Leftover::Whole => BesideRedex::Nothing,
            Leftover::Rest(rest) => {
                let elements = if rest.is_heap() && memory.symbol(rest) == symbol {
                    let places = 0..memory.n_args(rest);
                    places.map(|i| (memory.arg(rest, i), memory.multiplicity(rest, i))).collect()
                } else {
                    vec![(rest, 1)]
                };
                let stored = |(arg, m): (Handle, u32)| (memory.enter(arg), m);
                BesideRedex::Multiset(symbol, elements.into_iter().map(stored).collect())
            }
            Leftover::List { from, to } => {
                let n = memory.n_args(subject);
                let mut stored = |i: usize| memory.enter(memory.arg(subject, i));
                let before = (0..from as usize).map(&mut stored).collect();
                BesideRedex::List(symbol, before, (to as usize..n).map(stored).collect())
            }
            Leftover::Iter(count) => BesideRedex::Iterations(symbol, count),
        }
    }
}
