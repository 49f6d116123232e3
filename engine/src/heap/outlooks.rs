//! Outlooks: what a term of the store looks like to a pretest, remembered.
//!
//! A soup is looked through again and again while few of its arguments change, and a term of the
//! store does not change at all. So what a pretest's checks without variables came to, and the parts
//! that they found on their way, are kept in a table of fixed size, where a newer outlook takes the
//! place of an older one.

use super::{Handle, Memory};

/// The number of a pretest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct OutlookId(u32);

/// How many parts an outlook keeps, the term itself being the first.
pub(crate) const PARTS: usize = 15;
/// How many outlooks are kept.
const PLACES: usize = 1 << 13;

/// What one pretest found in one term; it fills a cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Outlook {
    /// Twice the number of the pretest, and one more if the term passed.
    tag: u32,
    parts: [Handle; PARTS],
}

const NOTHING: Outlook = Outlook { tag: 0, parts: [Handle::NIL; PARTS] };

/// The outlooks that are remembered.
#[derive(Default, Clone)]
pub(super) struct Outlooks {
    last: u32,
    places: Vec<Outlook>,
}

impl Outlooks {
    pub(super) fn forget(&mut self) {
        self.places.clear();
    }
}

#[inline(always)]
fn place(of: OutlookId, term: Handle) -> usize {
    let mixed = term.0.wrapping_mul(0x9e37_79b1) ^ of.0.wrapping_mul(0x85eb_ca6b);
    (mixed >> 15) as usize % PLACES
}

impl Memory {
    /// A number for a pretest.
    pub(crate) fn new_outlook(&mut self) -> OutlookId {
        self.outlooks.last += 1;
        if self.outlooks.last > u32::MAX / 2 {
            // Numbers come round, so what was remembered under the old ones goes.
            self.outlooks.last = 1;
            self.outlooks.places.clear();
        }
        OutlookId(self.outlooks.last)
    }

    /// Whether a term of the store passed the checks of a pretest, if that is remembered, and its
    /// parts.
    #[inline(always)]
    pub(crate) fn outlook(&self, of: OutlookId, term: Handle) -> Option<(bool, &[Handle; PARTS])> {
        let known = self.outlooks.places.get(place(of, term))?;
        (known.tag >> 1 == of.0 && known.parts[0] == term)
            .then_some((known.tag & 1 != 0, &known.parts))
    }

    /// Remembers what a pretest found in a term of the store, the first of the parts.
    #[inline]
    pub(crate) fn remember(&mut self, of: OutlookId, passes: bool, parts: [Handle; PARTS]) {
        if self.outlooks.places.is_empty() {
            self.outlooks.places.resize(PLACES, NOTHING);
        }
        let tag = of.0 << 1 | u32::from(passes);
        self.outlooks.places[place(of, parts[0])] = Outlook { tag, parts };
    }
}
