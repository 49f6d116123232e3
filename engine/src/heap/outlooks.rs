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

/// How many parts an outlook keeps at most.
const PARTS: usize = 13;
/// How many outlooks are kept.
const PLACES: usize = 1 << 13;

/// What one pretest found in one term.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Outlook {
    of: OutlookId,
    term: Handle,
    passes: bool,
    parts: [Handle; PARTS],
}

const NOTHING: Outlook =
    Outlook { of: OutlookId(0), term: Handle::NIL, passes: false, parts: [Handle::NIL; PARTS] };

/// The outlooks that are remembered.
#[derive(Default)]
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
        // Numbers may come round, but then what was remembered must go.
        self.outlooks.last = self.outlooks.last.wrapping_add(1);
        if self.outlooks.last == 0 {
            self.outlooks.places.clear();
        }
        OutlookId(self.outlooks.last)
    }

    /// Whether a term of the store passed the checks of a pretest, if that is remembered; its parts
    /// are copied then.
    #[inline(always)]
    pub(crate) fn outlook(
        &self,
        of: OutlookId,
        term: Handle,
        parts: &mut [Handle],
    ) -> Option<bool> {
        let known = self.outlooks.places.get(place(of, term))?;
        if known.of != of || known.term != term {
            return None;
        }
        if known.passes {
            parts.copy_from_slice(known.parts.get(..parts.len())?);
        }
        Some(known.passes)
    }

    /// Remembers what a pretest found in a term of the store.
    #[inline]
    pub(crate) fn remember(&mut self, of: OutlookId, term: Handle, passes: bool, parts: &[Handle]) {
        if parts.len() > PARTS {
            return;
        }
        if self.outlooks.places.is_empty() {
            self.outlooks.places.resize(PLACES, NOTHING);
        }
        let outlook = &mut self.outlooks.places[place(of, term)];
        *outlook = Outlook { of, term, passes, ..NOTHING };
        if passes {
            outlook.parts[..parts.len()].copy_from_slice(parts);
        }
    }
}
