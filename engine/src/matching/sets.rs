//! Sets of the variables of a pattern.
//!
//! A pattern may have a hundred thousand levels with a variable in each, and compiling it asks of
//! every level which variables are below it, which are bound by then and which occur elsewhere. So
//! sets are immutable binary tries that share what they have in common: equal sets are the same
//! number, and operations on sets that differ little look only at where they differ. A pattern of up
//! to 64 variables has no trie: its sets are words.

use std::cell::Cell;
use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};

/// Variables that one word holds.
const WORD: usize = 64;

/// A set of numbers: of a table of height 0 the bits themselves, else the number of a pair of sets
/// of the height below. 0 is the empty set of all heights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Set(u64);

impl Set {
    /// No variables.
    pub(super) const EMPTY: Set = Set(0);

    /// Whether it is empty.
    pub(super) fn is_empty(self) -> bool {
        self == Set::EMPTY
    }
}

/// What is done with two sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Operation {
    Union,
    Intersection,
    Difference,
    /// Whether they are disjoint, as the empty set if not.
    Disjoint,
    /// Whether the first is a subset, as the empty set if not.
    Subset,
}

/// An operation with sets of a height above 0.
type Question = (Operation, u32, Set, Set);

/// The last question with a certain place, and its answer.
type RememberedAnswer = Cell<Option<(Question, Set)>>;

/// How many answers are remembered.
const ANSWERS: usize = 1 << 14;

/// Sets of numbers below a limit.
#[derive(Debug)]
pub(super) struct Sets {
    height: u32,
    /// The halves of the set with each number; number 0 is the empty set.
    pairs: Vec<(Set, Set)>,
    index: FxHashMap<(Set, Set), Set>,
    /// The last answers to questions with the same place: sets that are asked about one after the
    /// other have most of their halves in common.
    answers: Box<[RememberedAnswer]>,
}

impl Sets {
    /// Sets of numbers below `limit`.
    pub(super) fn new(limit: usize) -> Sets {
        let words = limit.div_ceil(WORD).max(1);
        let height = words.next_power_of_two().trailing_zeros();
        Sets {
            height,
            pairs: vec![(Set::EMPTY, Set::EMPTY)],
            index: FxHashMap::default(),
            answers: vec![Cell::new(None); if height == 0 { 0 } else { ANSWERS }].into(),
        }
    }

    /// The set of one number.
    pub(super) fn singleton(&mut self, number: u32) -> Set {
        let mut set = Set(1 << (number as usize % WORD));
        for height in 0..self.height {
            let right = (number as usize / WORD) >> height & 1 == 1;
            set = if right { self.pair(Set::EMPTY, set) } else { self.pair(set, Set::EMPTY) };
        }
        set
    }

    /// The numbers of either set.
    pub(super) fn union(&mut self, a: Set, b: Set) -> Set {
        self.made(Operation::Union, self.height, a, b)
    }

    /// The numbers of both sets.
    pub(super) fn intersection(&mut self, a: Set, b: Set) -> Set {
        self.made(Operation::Intersection, self.height, a, b)
    }

    /// The numbers of `a` that are not in `b`.
    pub(super) fn difference(&mut self, a: Set, b: Set) -> Set {
        self.made(Operation::Difference, self.height, a, b)
    }

    /// Whether no number is in both sets.
    pub(super) fn are_disjoint(&self, a: Set, b: Set) -> bool {
        self.holds(Operation::Disjoint, self.height, a, b)
    }

    /// Whether all numbers of `a` are in `b`.
    pub(super) fn is_subset(&self, a: Set, b: Set) -> bool {
        self.holds(Operation::Subset, self.height, a, b)
    }

    /// Whether a number is in a set.
    pub(super) fn contains(&self, set: Set, number: u32) -> bool {
        let mut set = set;
        for height in (0..self.height).rev() {
            let (left, right) = self.halves(set);
            set = if (number as usize / WORD) >> height & 1 == 1 { right } else { left };
        }
        set.0 >> (number as usize % WORD) & 1 == 1
    }

    /// The numbers of a set, in order.
    pub(super) fn members(&self, set: Set) -> Vec<u32> {
        let mut members = Vec::new();
        let mut waiting = vec![(set, self.height, 0)];
        while let Some((set, height, from)) = waiting.pop() {
            if set.is_empty() {
                continue;
            }
            if height == 0 {
                let mut bits = set.0;
                while bits != 0 {
                    members.push(from + bits.trailing_zeros());
                    bits &= bits - 1;
                }
                continue;
            }
            let (left, right) = self.halves(set);
            let half = (WORD as u32) << (height - 1);
            waiting.extend([(right, height - 1, from + half), (left, height - 1, from)]);
        }
        members
    }

    /// How many numbers are in a set.
    pub(super) fn len(&self, set: Set) -> usize {
        let (mut len, mut waiting) = (0, vec![(set, self.height)]);
        while let Some((set, height)) = waiting.pop() {
            if height == 0 {
                len += set.0.count_ones() as usize;
            } else if !set.is_empty() {
                let (left, right) = self.halves(set);
                waiting.extend([(left, height - 1), (right, height - 1)]);
            }
        }
        len
    }

    fn halves(&self, set: Set) -> (Set, Set) {
        self.pairs[set.0 as usize]
    }

    fn pair(&mut self, left: Set, right: Set) -> Set {
        if left.is_empty() && right.is_empty() {
            return Set::EMPTY;
        }
        let pairs = &mut self.pairs;
        *self.index.entry((left, right)).or_insert_with(|| {
            pairs.push((left, right));
            Set(pairs.len() as u64 - 1)
        })
    }

    /// The place of the answer to a question.
    fn answer(&self, question: Question) -> &RememberedAnswer {
        // The high bits of this hash depend on all that is hashed.
        &self.answers[(FxBuildHasher.hash_one(question) >> 32) as usize % ANSWERS]
    }

    /// The set that an operation makes. Heights are logarithms, so this may recur.
    fn made(&mut self, operation: Operation, height: u32, a: Set, b: Set) -> Set {
        let simple = match operation {
            _ if a.is_empty() || b.is_empty() => match operation {
                Operation::Union if a.is_empty() => Some(b),
                Operation::Intersection => Some(Set::EMPTY),
                _ => Some(a),
            },
            _ if a == b => match operation {
                Operation::Difference => Some(Set::EMPTY),
                _ => Some(a),
            },
            _ if height > 0 => None,
            Operation::Union => Some(Set(a.0 | b.0)),
            Operation::Intersection => Some(Set(a.0 & b.0)),
            _ => Some(Set(a.0 & !b.0)),
        };
        if let Some(set) = simple {
            return set;
        }
        let question = (operation, height, a, b);
        if let Some((asked, set)) = self.answer(question).get()
            && asked == question
        {
            return set;
        }
        let ((a1, a2), (b1, b2)) = (self.halves(a), self.halves(b));
        let left = self.made(operation, height - 1, a1, b1);
        let right = self.made(operation, height - 1, a2, b2);
        let set = self.pair(left, right);
        self.answer(question).set(Some((question, set)));
        set
    }

    /// Whether two sets are disjoint, or one is a subset.
    fn holds(&self, operation: Operation, height: u32, a: Set, b: Set) -> bool {
        let subset = operation == Operation::Subset;
        if a.is_empty() || b.is_empty() || a == b {
            return a.is_empty() || if subset { a == b } else { b.is_empty() };
        }
        if height == 0 {
            return a.0 & if subset { !b.0 } else { b.0 } == 0;
        }
        let question = (operation, height, a, b);
        if let Some((asked, set)) = self.answer(question).get()
            && asked == question
        {
            return !set.is_empty();
        }
        let ((a1, a2), (b1, b2)) = (self.halves(a), self.halves(b));
        let holds =
            self.holds(operation, height - 1, a1, b1) && self.holds(operation, height - 1, a2, b2);
        self.answer(question).set(Some((question, if holds { a } else { Set::EMPTY })));
        holds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn operations_are_those_of_sets() {
        for limit in [1, 64, 65, 300, 5000] {
            let mut sets = Sets::new(limit);
            let mut state = 7u32;
            let mut draw = |n: usize| {
                let mut numbers = BTreeSet::new();
                for _ in 0..n {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    numbers.insert((state >> 8) % limit as u32);
                }
                numbers
            };
            for n in [0, 1, 2, 40, 400] {
                let (x, y) = (draw(n), draw(n));
                let mut entered = |numbers: &BTreeSet<u32>| {
                    numbers.iter().fold(Set::EMPTY, |set, &number| {
                        let one = sets.singleton(number);
                        sets.union(set, one)
                    })
                };
                let (a, b) = (entered(&x), entered(&y));
                let (both, common) = (sets.union(a, b), sets.intersection(a, b));
                let rest = sets.difference(a, b);
                let expect = |set, numbers: BTreeSet<u32>, sets: &Sets| {
                    assert_eq!(sets.len(set), numbers.len());
                    assert_eq!(sets.members(set), numbers.into_iter().collect::<Vec<_>>());
                };
                expect(both, &x | &y, &sets);
                expect(common, &x & &y, &sets);
                expect(rest, &x - &y, &sets);
                assert_eq!(sets.are_disjoint(a, b), x.is_disjoint(&y));
                assert_eq!(sets.is_subset(a, b), x.is_subset(&y));
                assert!(sets.is_subset(a, both) && sets.is_subset(common, b));
                assert!(sets.are_disjoint(rest, b));
                assert_eq!(sets.union(rest, common), a);
                assert!((0..limit as u32).all(|i| sets.contains(a, i) == x.contains(&i)));
            }
        }
    }
}
