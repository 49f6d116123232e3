//! Columns: what stands at the same path below each argument of a multiset of the store.
//!
//! Rules about several arguments of a soup join them by parts that they share. A multiset of the
//! store does not change, so the parts at a path are listed once, and the arguments that have a
//! wanted part there are found by comparing handles. A column is remembered until another one takes
//! its place.

use std::sync::Arc;

use super::{Handle, Memory};
use crate::id::SymbolId;

/// One step of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hop {
    /// Nowhere, if the term is headed by the symbol.
    Head(SymbolId),
    /// To an argument of a free operator.
    Arg(u16),
    /// To an argument of a free operator, headed by a symbol.
    Symbol(u16, SymbolId),
    /// To the argument at a rank of a multiset of `n` different arguments, headed by a symbol.
    Rank { set: SymbolId, n: u16, rank: u16, symbol: SymbolId },
    /// The last step: to all members of a multiset; a term that is none stands for its only member
    /// where `collapses` is true, or else the path ends.
    Members { set: SymbolId, collapses: bool },
}

/// The number of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PathId(pub(super) u32);

/// For each argument, by rank, the handle at the path, or `NIL` if the path does not exist there.
pub(crate) type Column = Arc<[Handle]>;

/// Shorter multisets are looked through without columns.
const SHORT: usize = 12;
/// How many columns are remembered.
const PLACES: usize = 256;

/// The paths in use and the columns that are remembered.
#[derive(Debug, Default, Clone)]
pub(super) struct Columns {
    pub(super) paths: Vec<Box<[Hop]>>,
    places: Vec<Option<(Handle, PathId, Column)>>,
}

impl Columns {
    pub(super) fn forget(&mut self) {
        self.places.clear();
    }
}

impl Memory {
    /// The number of a path.
    pub(crate) fn path(&mut self, hops: Vec<Hop>) -> PathId {
        let paths = &mut self.columns.paths;
        let known = paths.iter().position(|path| **path == *hops);
        let number = known.unwrap_or_else(|| {
            paths.push(hops.into());
            paths.len() - 1
        });
        PathId(number as u32)
    }

    /// What stands at the end of a path, or `NIL`; if it ends in members, what these are members of.
    #[inline]
    pub(crate) fn at_path(&self, path: PathId, term: Handle) -> Handle {
        let mut h = term;
        for hop in &self.columns.paths[path.0 as usize] {
            h = match *hop {
                Hop::Head(symbol) if self.symbol(h) != symbol => return Handle::NIL,
                Hop::Head(_) => h,
                Hop::Arg(arg) => self.fixed_arg(h, usize::from(arg)),
                Hop::Members { .. } => h,
                Hop::Symbol(arg, symbol) => {
                    let arg = self.fixed_arg(h, usize::from(arg));
                    if self.symbol(arg) != symbol {
                        return Handle::NIL;
                    }
                    arg
                }
                Hop::Rank { set, n, rank, symbol } => {
                    if self.symbol(h) != set {
                        return Handle::NIL;
                    }
                    let pairs = self.pairs(h);
                    if pairs.len() != 2 * usize::from(n) {
                        return Handle::NIL;
                    }
                    let arg = self.resolve(Handle(pairs[2 * usize::from(rank)]));
                    if self.symbol(arg) != symbol {
                        return Handle::NIL;
                    }
                    arg
                }
            };
        }
        h
    }

    /// The column of a path below the arguments of a multiset, if a value is found in it by its
    /// handle.
    pub(crate) fn column(
        &mut self,
        multiset: Handle,
        path: PathId,
        value: Handle,
    ) -> Option<Column> {
        if multiset.is_heap() || !multiset.is_unique() || !value.is_unique() {
            return None;
        }
        let n = self.n_args(multiset);
        if n < SHORT {
            return None;
        }
        let mixed = multiset.0.wrapping_mul(0x9e37_79b1) ^ path.0.wrapping_mul(0x85eb_ca6b);
        let place = (mixed >> 16) as usize % PLACES;
        if let Some(Some((of, at, column))) = self.columns.places.get(place)
            && *of == multiset
            && *at == path
        {
            return Some(Arc::clone(column));
        }
        let column: Column = (0..n).map(|i| self.at_path(path, self.arg(multiset, i))).collect();
        self.columns.places.resize(PLACES, None);
        self.columns.places[place] = Some((multiset, path, Arc::clone(&column)));
        Some(column)
    }
}
