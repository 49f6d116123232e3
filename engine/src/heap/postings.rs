//! Postings: which arguments of a multiset of the store have a value at a path.
//!
//! What columns tell by comparing every argument, postings tell for soups of moderate size by one
//! set of ranks for each value, so that several joins, and guards that compare parts, are answered
//! together before any argument is looked at. A path may end in the members of a set: then an
//! argument has all of them as values. Postings are made when they are first asked for, and
//! remembered until others take their place.
//!
//! What is left of such a soup when a rule has taken some arguments is mostly looked through once,
//! by a condition. For the part that was made last it is known which arguments it lacks, so that its
//! postings are read off those of the whole.

use std::cmp::Ordering;

use smallvec::SmallVec;

use super::{Handle, Hop, Memory, PathId};

/// A set of ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ranks([u64; WORDS]);

const WORDS: usize = 4;
/// Multisets with fewer or more different arguments have no postings.
const FEWEST: usize = 12;
const MOST: usize = 64 * WORDS;
/// How many are remembered.
const PLACES: usize = 256;

impl Ranks {
    /// All ranks.
    pub(crate) const ALL: Ranks = Ranks([u64::MAX; WORDS]);
    /// No rank.
    pub(crate) const NONE: Ranks = Ranks([0; WORDS]);

    /// Those in both.
    #[inline(always)]
    pub(crate) fn and(self, other: Ranks) -> Ranks {
        Ranks(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// Those in one of them.
    #[inline(always)]
    pub(crate) fn or(self, other: Ranks) -> Ranks {
        Ranks(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// The others.
    #[inline(always)]
    pub(crate) fn not(self) -> Ranks {
        Ranks(self.0.map(|word| !word))
    }

    /// The first rank from `from` on.
    #[inline(always)]
    pub(crate) fn next(&self, from: u32) -> Option<u32> {
        let mut at = from as usize / 64;
        let mut word = self.0.get(at)? & (u64::MAX << (from % 64));
        while word == 0 {
            at += 1;
            word = *self.0.get(at)?;
        }
        Some(at as u32 * 64 + word.trailing_zeros())
    }

    /// The ranks of what stays when an argument is removed.
    #[inline(always)]
    fn without(self, rank: u8) -> Ranks {
        let (at, bit) = (usize::from(rank) / 64, u32::from(rank) % 64);
        let below = (1 << bit) - 1;
        Ranks(std::array::from_fn(|i| {
            let word = self.0[i];
            let down = word >> 1 | self.0.get(i + 1).map_or(0, |next| next << 63);
            match i.cmp(&at) {
                Ordering::Less => word,
                Ordering::Equal => word & below | down & !below,
                Ordering::Greater => down,
            }
        }))
    }

    fn add(&mut self, rank: usize) {
        self.0[rank / 64] |= 1 << (rank % 64);
    }
}

/// The arguments of a multiset by their values at a path.
#[derive(Debug, Clone)]
struct Postings {
    of: Handle,
    path: PathId,
    values: Vec<Handle>,
    ranks: Vec<Ranks>,
    /// Arguments with a value that may still change, so that only syntax tells it from others.
    loose: Ranks,
    /// There are too many values.
    useless: bool,
}

/// A part of a multiset, by what it lacks.
#[derive(Debug, Clone)]
struct MultisetPart {
    part: Handle,
    whole: Handle,
    /// From the highest rank down.
    removed: Removed,
}

/// Ranks that are not in a part.
pub(crate) type Removed = SmallVec<[u8; REMOVED]>;

/// How many arguments may have been removed.
const REMOVED: usize = 7;

/// The postings that are remembered.
#[derive(Debug, Default, Clone)]
pub(super) struct PostingTable {
    places: Vec<Option<Postings>>,
    last: Option<MultisetPart>,
}

impl PostingTable {
    pub(super) fn forget(&mut self) {
        self.places.clear();
        self.last = None;
    }

    /// The heap moves.
    pub(super) fn forget_part(&mut self) {
        self.last = None;
    }
}

/// A multiset whose arguments are found by postings.
pub(crate) struct Posted {
    /// Whose postings they are.
    pub(crate) whole: Handle,
    removed: Removed,
}

impl Posted {
    /// The ranks in the multiset itself.
    #[inline(always)]
    pub(crate) fn own(&self, ranks: Ranks) -> Ranks {
        self.removed.iter().fold(ranks, |ranks, &rank| ranks.without(rank))
    }
}

impl Memory {
    /// How arguments of a multiset are found by postings, if they are.
    #[inline]
    pub(crate) fn posted(&self, multiset: Handle) -> Option<Posted> {
        if self.has_postings(multiset) {
            return Some(Posted { whole: multiset, removed: Removed::new() });
        }
        let last = self.postings.last.as_ref().filter(|last| last.part == multiset)?;
        Some(Posted { whole: last.whole, removed: last.removed.clone() })
    }

    #[inline]
    pub(super) fn has_postings(&self, multiset: Handle) -> bool {
        multiset.is_stored()
            && multiset.is_unique()
            && (FEWEST..=MOST).contains(&self.n_args(multiset))
    }

    /// Notes that a new node is a part of a multiset that has postings, and what it lacks, from the
    /// lowest rank up.
    #[inline]
    pub(super) fn note_part(&mut self, part: Handle, whole: Handle, mut removed: Removed) {
        removed.reverse();
        self.postings.last = Some(MultisetPart { part, whole, removed });
    }

    /// The arguments of a multiset that have a value at a path, and those whose value there may
    /// change. `None`: it is not known.
    pub(crate) fn posting(
        &mut self,
        multiset: Handle,
        path: PathId,
        value: Handle,
    ) -> Option<(Ranks, Ranks)> {
        debug_assert!(self.has_postings(multiset));
        if !value.is_unique() {
            return None;
        }
        let mixed = multiset.0.wrapping_mul(0x9e37_79b1) ^ path.0.wrapping_mul(0x85eb_ca6b);
        let place = (mixed >> 16) as usize % PLACES;
        let known = self.postings.places.get(place).and_then(Option::as_ref);
        if known.is_none_or(|p| p.of != multiset || p.path != path) {
            self.make_postings(multiset, path, place);
        }
        let postings = self.postings.places[place].as_ref().expect("they were made");
        if postings.useless {
            return None;
        }
        let found = postings.values.iter().position(|&v| v == value);
        let ranks = found.map_or(Ranks::NONE, |i| postings.ranks[i]);
        Some((ranks, postings.loose))
    }

    #[cold]
    fn make_postings(&mut self, multiset: Handle, path: PathId, place: usize) {
        if self.postings.places.is_empty() {
            self.postings.places.resize(PLACES, None);
        }
        let mut postings = match self.postings.places[place].take() {
            Some(mut old) => {
                old.values.clear();
                old.ranks.clear();
                old
            }
            None => Postings {
                of: multiset,
                path,
                values: Vec::new(),
                ranks: Vec::new(),
                loose: Ranks::NONE,
                useless: false,
            },
        };
        (postings.of, postings.path) = (multiset, path);
        (postings.loose, postings.useless) = (Ranks::NONE, false);
        let members = match self.columns.paths[path.0 as usize].last() {
            Some(&Hop::Members { set, collapses }) => Some((set, collapses)),
            _ => None,
        };
        for rank in 0..self.n_args(multiset) {
            let value = self.at_path(path, self.arg(multiset, rank));
            if value == Handle::NIL {
                continue;
            }
            if !self.is_reduced(value) {
                postings.loose.add(rank);
            }
            match members {
                Some((set, _)) if self.symbol(value) == set => {
                    let elements = self.elements(value).iter();
                    elements.for_each(|(element, _)| postings.add(element, rank));
                }
                Some((_, false)) => {}
                _ => postings.add(value, rank),
            }
        }
        self.postings.places[place] = Some(postings);
    }
}

impl Postings {
    fn add(&mut self, value: Handle, rank: usize) {
        if self.useless {
            return;
        }
        let at = self.values.iter().position(|&v| v == value).unwrap_or_else(|| {
            self.values.push(value);
            self.ranks.push(Ranks::NONE);
            self.values.len() - 1
        });
        self.ranks[at].add(rank);
        self.useless |= !value.is_unique() || self.values.len() > MOST;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_found_in_order() {
        let mut ranks = Ranks::NONE;
        for rank in [0, 3, 63, 64, 130, 255] {
            ranks.add(rank);
        }
        let mut found = Vec::new();
        let mut next = ranks.next(0);
        while let Some(rank) = next {
            found.push(rank);
            next = ranks.next(rank + 1);
        }
        assert_eq!(found, [0, 3, 63, 64, 130, 255]);
        assert_eq!(Ranks::NONE.next(0), None);
        assert_eq!(ranks.and(ranks.not()), Ranks::NONE);
        assert_eq!(ranks.or(ranks.not()), Ranks::ALL);
    }

    #[test]
    fn what_stays_moves_down() {
        let all = [0, 5, 63, 64, 65, 127, 128, 200, 255];
        let mut ranks = Ranks::NONE;
        all.iter().for_each(|&rank| ranks.add(rank));
        for removed in [0u8, 1, 5, 63, 64, 100, 128, 255] {
            let mut expected = Ranks::NONE;
            for &rank in all.iter().filter(|&&rank| rank != usize::from(removed)) {
                expected.add(rank - usize::from(rank > usize::from(removed)));
            }
            assert_eq!(ranks.without(removed), expected, "without {removed}");
        }
    }
}
