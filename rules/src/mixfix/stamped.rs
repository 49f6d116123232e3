//! A small hash table that is emptied at no cost: each entry says in which round it was made.

/// Maps keys to numbers.
#[derive(Debug, Default)]
pub(super) struct StampedTable {
    entries: Vec<StampedEntry>,
    round: u32,
    len: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct StampedEntry {
    key: u64,
    value: u32,
    round: u32,
}

impl StampedTable {
    /// Forgets all entries.
    pub fn clear(&mut self) {
        if self.entries.is_empty() {
            self.entries.resize(64, StampedEntry::default());
        }
        self.len = 0;
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.entries.fill(StampedEntry::default());
            self.round = 1;
        }
    }

    /// Whether there is an entry.
    pub fn contains(&self, key: u64) -> bool {
        !self.entries.is_empty() && self.entries[self.find(key)].round == self.round
    }

    /// The number of a key, which becomes `value` if there is no entry yet.
    pub fn get_or_insert(&mut self, key: u64, value: u32) -> u32 {
        let at = self.find(key);
        let entry = &mut self.entries[at];
        if entry.round == self.round {
            return entry.value;
        }
        *entry = StampedEntry { key, value, round: self.round };
        self.len += 1;
        if self.len * 2 > self.entries.len() {
            self.grow();
        }
        value
    }

    /// Enters a key; `false` if it was there already.
    pub fn insert(&mut self, key: u64) -> bool {
        let before = self.len;
        self.get_or_insert(key, 0);
        self.len > before
    }

    fn find(&self, key: u64) -> usize {
        let mask = self.entries.len() - 1;
        let mut at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.entries[at].round == self.round && self.entries[at].key != key {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.entries);
        self.entries.resize(old.len() * 2, StampedEntry::default());
        for entry in old {
            if entry.round == self.round {
                let at = self.find(entry.key);
                self.entries[at] = entry;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_last_one_round() {
        let mut table = StampedTable::default();
        table.clear();
        for key in 0..1000u64 {
            assert_eq!(table.get_or_insert(key << 20, key as u32), key as u32);
        }
        for key in 0..1000u64 {
            assert_eq!(table.get_or_insert(key << 20, 7), key as u32);
        }
        table.clear();
        assert!(!table.contains(0));
        assert_eq!(table.get_or_insert(0, 9), 9);
    }
}
