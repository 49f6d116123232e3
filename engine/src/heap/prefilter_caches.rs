//! PrefilterCaches: what a term of the store looks like to a prefilter, remembered.
//!
//! A soup is looked through again and again while few of its arguments change, and a term of the
//! store does not change at all. So what a prefilter's checks without variables came to, and the parts
//! that they found on their way, are kept in a table of fixed size, where a newer outlook takes the
//! place of an older one.

use super::{Handle, Memory};

/// The number of a prefilter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PrefilterCacheId(u32);

/// How many parts an outlook keeps, the term itself being the first.
pub(crate) const PARTS: usize = 15;
/// How many prefilter_caches are kept.
const PLACES: usize = 1 << 13;

/// What one prefilter found in one term; it fills a cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct CacheEntry {
    /// Twice the number of the prefilter, and one more if the term passed.
    tag: u32,
    parts: [Handle; PARTS],
}

const NOTHING: CacheEntry = CacheEntry { tag: 0, parts: [Handle::NIL; PARTS] };

/// The prefilter_caches that are remembered.
#[derive(Default, Clone)]
pub(super) struct PrefilterCaches {
    last: u32,
    places: Vec<CacheEntry>,
}

impl PrefilterCaches {
    pub(super) fn forget(&mut self) {
        self.places.clear();
    }
}

#[inline(always)]
fn place(of: PrefilterCacheId, term: Handle) -> usize {
    let mixed = term.0.wrapping_mul(0x9e37_79b1) ^ of.0.wrapping_mul(0x85eb_ca6b);
    (mixed >> 15) as usize % PLACES
}

impl Memory {
    /// A number for a prefilter.
    pub(crate) fn new_prefilter_cache(&mut self) -> PrefilterCacheId {
        self.prefilter_caches.last += 1;
        if self.prefilter_caches.last > u32::MAX / 2 {
            // Numbers come round, so what was remembered under the old ones goes.
            self.prefilter_caches.last = 1;
            self.prefilter_caches.places.clear();
        }
        PrefilterCacheId(self.prefilter_caches.last)
    }

    /// Whether a term of the store passed the checks of a prefilter, if that is remembered, and its
    /// parts.
    #[inline(always)]
    pub(crate) fn prefiltered(
        &self,
        of: PrefilterCacheId,
        term: Handle,
    ) -> Option<(bool, &[Handle; PARTS])> {
        let known = self.prefilter_caches.places.get(place(of, term))?;
        (known.tag >> 1 == of.0 && known.parts[0] == term)
            .then_some((known.tag & 1 != 0, &known.parts))
    }

    /// Remembers what a prefilter found in a term of the store, the first of the parts.
    #[inline]
    pub(crate) fn remember(&mut self, of: PrefilterCacheId, passes: bool, parts: [Handle; PARTS]) {
        if self.prefilter_caches.places.is_empty() {
            self.prefilter_caches.places.resize(PLACES, NOTHING);
        }
        let tag = of.0 << 1 | u32::from(passes);
        self.prefilter_caches.places[place(of, parts[0])] = CacheEntry { tag, parts };
    }
}
