//! Values of any size that nodes name by number: counts of more than 64 bits, and texts.
//!
//! A value lives as long as a node names it. Those of heap nodes are marked by each collection, and
//! what is not marked is freed; those of stored nodes live until the store is collected or emptied,
//! and those of compiled code for good. A node that is entered into the store names the same value as before.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::limits::{Limit, number};

/// The values, by number.
#[derive(Clone)]
pub(super) struct SideTable<T> {
    entries: Vec<Entry<T>>,
    /// Numbers without a value.
    free: Vec<u32>,
    /// The kept values by content: equal ones have one number, so that stored nodes are equal
    /// exactly if their words are.
    kept: HashTable<u32>,
    bytes: usize,
}

#[derive(Clone)]
struct Entry<T> {
    value: Option<T>,
    keeper: Keeper,
    /// A live node of the heap names it.
    marked: bool,
}

/// Who keeps a value besides the heap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Keeper {
    Nobody,
    /// Stored nodes of runs.
    Runs,
    /// Terms of compiled code.
    Code,
}

/// What a side table holds.
pub(super) trait SideValue: Eq + Hash {
    /// The bytes of memory that it takes besides its entry.
    fn bytes(&self) -> usize;
}

impl SideValue for dashu_int::UBig {
    fn bytes(&self) -> usize {
        size_of_val(self.as_words())
    }
}

impl SideValue for Box<[u8]> {
    fn bytes(&self) -> usize {
        self.len()
    }
}

impl<T> Default for SideTable<T> {
    fn default() -> SideTable<T> {
        SideTable { entries: Vec::new(), free: Vec::new(), kept: HashTable::new(), bytes: 0 }
    }
}

impl<T: SideValue> SideTable<T> {
    /// Adds a value that a heap node will name, and returns its number.
    pub(super) fn push(&mut self, value: T) -> u32 {
        self.bytes += size_of::<Entry<T>>() + value.bytes();
        let entry = Entry { value: Some(value), keeper: Keeper::Nobody, marked: false };
        match self.free.pop() {
            Some(number) => {
                self.entries[number as usize] = entry;
                number
            }
            None => {
                self.entries.push(entry);
                number(self.entries.len() - 1, Limit::Texts)
            }
        }
    }

    /// The value with a number.
    pub(super) fn get(&self, number: u32) -> &T {
        self.entries[number as usize].value.as_ref().expect("the value is named by a node")
    }

    /// Keeps a value for a node outside of the heap, and returns the number that it has there.
    pub(super) fn keep(&mut self, number: u32, keeper: Keeper) -> u32 {
        let entries = &self.entries;
        let value = |number: u32| entries[number as usize].value.as_ref();
        let hash = |number: u32| FxBuildHasher.hash_one(value(number));
        let same = |&other: &u32| value(other) == value(number);
        let there = self.kept.entry(hash(number), same, |&other| hash(other));
        let number = *there.or_insert(number).get();
        let entry = &mut self.entries[number as usize];
        entry.keeper = entry.keeper.max(keeper);
        number
    }

    /// Notes in a collection that a live node of the heap names a value.
    pub(super) fn mark(&mut self, number: u32) {
        self.entries[number as usize].marked = true;
    }

    /// Ends a collection: frees what nobody names.
    pub(super) fn sweep(&mut self) {
        for number in 0..self.entries.len() {
            let entry = &mut self.entries[number];
            if !std::mem::take(&mut entry.marked) && entry.keeper == Keeper::Nobody {
                self.remove(number);
            }
        }
        self.shrink();
    }

    /// Ends a collection of the store, too: frees what neither a node of the heap nor one of the store
    /// nor compiled code names.
    pub(super) fn sweep_runs(&mut self) {
        let entries = &self.entries;
        self.kept.retain(|number| {
            let entry = &entries[*number as usize];
            entry.keeper == Keeper::Code || entry.marked
        });
        for number in 0..self.entries.len() {
            let entry = &mut self.entries[number];
            if !std::mem::take(&mut entry.marked) && entry.keeper != Keeper::Code {
                self.remove(number);
            }
        }
        self.shrink();
    }

    /// Frees all but what compiled code names.
    pub(super) fn forget_runs(&mut self) {
        let entries = &self.entries;
        self.kept.retain(|number| entries[*number as usize].keeper == Keeper::Code);
        for number in 0..self.entries.len() {
            if self.entries[number].keeper != Keeper::Code {
                self.remove(number);
            }
        }
        self.shrink();
    }

    fn remove(&mut self, number: usize) {
        let entry = &mut self.entries[number];
        entry.keeper = Keeper::Nobody;
        if let Some(value) = entry.value.take() {
            self.bytes -= size_of::<Entry<T>>() + value.bytes();
            self.free.push(number as u32);
        }
    }

    /// Gives up the numbers at the end that have no value.
    fn shrink(&mut self) {
        let used = self.entries.iter().rposition(|entry| entry.value.is_some());
        let n = used.map_or(0, |last| last + 1);
        if n < self.entries.len() {
            self.entries.truncate(n);
            self.free.retain(|&number| (number as usize) < n);
        }
    }

    /// The bytes of memory that the values take.
    #[inline(always)]
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Box<[u8]> {
        text.as_bytes().into()
    }

    #[test]
    fn what_is_neither_marked_nor_kept_is_freed() {
        let mut table = SideTable::default();
        let numbers: Vec<u32> = ["a", "bb", "ccc", "dddd"].map(|t| table.push(text(t))).to_vec();
        let full = table.bytes();
        table.mark(numbers[1]);
        assert_eq!(table.keep(numbers[2], Keeper::Runs), numbers[2]);
        table.sweep();
        assert_eq!(table.bytes(), full - 2 * size_of::<Entry<Box<[u8]>>>() - 5);
        assert_eq!(table.get(numbers[1]), &text("bb"));
        table.sweep();
        assert_eq!(table.get(numbers[2]), &text("ccc"));
        table.forget_runs();
        assert_eq!(table.bytes(), 0);
        assert!(table.entries.is_empty() && table.free.is_empty() && table.kept.is_empty());
    }

    #[test]
    fn equal_values_are_kept_once() {
        let mut table = SideTable::default();
        let code = table.push(text("a"));
        table.keep(code, Keeper::Code);
        let again = table.push(text("a"));
        assert_eq!(table.keep(again, Keeper::Runs), code);
        table.sweep();
        table.forget_runs();
        assert_eq!(table.keep(code, Keeper::Runs), code);
        let new = table.push(text("b"));
        assert_eq!(new, again, "numbers are used again");
        table.keep(new, Keeper::Runs);
        table.forget_runs();
        assert_eq!(table.get(code), &text("a"));
        assert_eq!(table.entries.len(), 1);
    }
}
