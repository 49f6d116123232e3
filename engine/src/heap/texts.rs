//! Texts of literals, each kept once.

use rustc_hash::FxHashMap;

use crate::limits::{Limit, number};

/// The texts, by number and by content.
#[derive(Default, Clone)]
pub(super) struct Texts {
    all: Vec<Box<[u8]>>,
    index: FxHashMap<Box<[u8]>, u32>,
}

impl Texts {
    /// The number of a text.
    pub(super) fn enter(&mut self, text: &[u8]) -> u32 {
        if let Some(&n) = self.index.get(text) {
            return n;
        }
        let n = number(self.all.len(), Limit::Texts);
        self.all.push(text.into());
        self.index.insert(text.into(), n);
        n
    }

    /// A text by its number.
    pub(super) fn get(&self, n: u32) -> &[u8] {
        &self.all[n as usize]
    }
}
