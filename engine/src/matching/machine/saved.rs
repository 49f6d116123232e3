//! Taking back what has been bound and left since a mark, so that it can be put back as it was: what
//! is deep is not propagated twice, for then what is below it would be propagated four times.

use smallvec::SmallVec;

use super::{Deferred, Mark, MatchRun, MatchTask, WORD};
use crate::heap::Handle;

/// What was on the stacks above a mark.
pub(crate) struct Saved {
    /// Registers and words, with what they were before and what they became.
    changes: SmallVec<[(u32, u32, u32); 4]>,
    out: SmallVec<[MatchTask; 2]>,
    words: SmallVec<[u32; 8]>,
    handles: SmallVec<[Handle; 4]>,
    deferred: SmallVec<[Deferred; 1]>,
}

impl MatchRun<'_> {
    /// Whether something else than what has been propagated since a mark can be propagated in its place; if
    /// not, that is as it was.
    #[inline(never)]
    pub(crate) fn can_differ(
        &mut self,
        mark: Mark,
        propagate_another: &mut dyn FnMut(&mut MatchRun<'_>) -> bool,
    ) -> bool {
        let propagated = self.save_since(mark);
        let another = propagate_another(self);
        if another {
            self.undo(mark);
        } else {
            self.restore(&propagated);
        }
        another
    }

    /// Goes back to a mark, but keeps what is above it.
    fn save_since(&mut self, mark: Mark) -> Saved {
        let (matcher, registers) = (&*self.matcher, &self.space.regs[self.base..]);
        let changes = matcher.trail[mark.trail as usize..].iter().map(|&(at, old)| {
            let now = match at & WORD {
                0 => registers[at as usize].0,
                _ => matcher.words[(at & !WORD) as usize],
            };
            (at, old, now)
        });
        let saved = Saved {
            changes: changes.collect(),
            out: SmallVec::from_slice(&matcher.out[mark.out as usize..]),
            words: SmallVec::from_slice(&matcher.words[mark.words as usize..]),
            handles: SmallVec::from_slice(&matcher.handles[mark.handles as usize..]),
            deferred: SmallVec::from_slice(&matcher.deferred[mark.deferred as usize..]),
        };
        self.undo(mark);
        saved
    }

    /// Puts back what was set aside; the stacks are as high as they were at the mark.
    fn restore(&mut self, saved: &Saved) {
        let matcher = &mut *self.matcher;
        matcher.out.extend_from_slice(&saved.out);
        matcher.words.extend_from_slice(&saved.words);
        matcher.handles.extend_from_slice(&saved.handles);
        matcher.deferred.extend_from_slice(&saved.deferred);
        for &(at, old, now) in &saved.changes {
            match at & WORD {
                0 => self.space.regs[self.base + at as usize] = Handle(now),
                _ => matcher.words[(at & !WORD) as usize] = now,
            }
            matcher.trail.push((at, old));
        }
    }
}
