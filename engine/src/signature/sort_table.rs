//! The least sort of an application, as a table that is walked argument by argument.
//!
//! A state is the set of declarations that fit the arguments seen so far; equal sets are one state,
//! so the table of `n` arguments has a row a reachable state (`docs/semantics.md` 2.4).

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::kinds::Kind;
use super::symbols::Declaration;
use crate::id::KindId;

/// Maps the sort indices of the arguments to the sort index of the application.
#[derive(Debug, Clone, Default)]
pub struct SortTable {
    /// Rows one after the other. An entry is the start of the next row, or in the rows of the last
    /// argument the resulting sort index.
    entries: Vec<u32>,
    /// Where the rows of the last argument begin.
    last_level: usize,
    /// The result of an operator without arguments.
    constant: u16,
    /// The one sort that every list of arguments below the kinds' maximal sorts gives, if the
    /// declarations say nothing finer.
    uniform: Option<u16>,
    irregular: Option<Irregularity>,
    /// Some arguments fit constructor declarations and others alike.
    mixed: bool,
}

/// Arguments for which no declaration has the least range (`docs/semantics.md` 2.4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Irregularity {
    /// Sort indices of the arguments.
    pub args: Vec<u16>,
    /// Sort indices of the ranges of the declarations that fit, the chosen one first.
    pub ranges: Vec<u16>,
}

/// Declarations that still fit, and argument sorts that lead there.
type State = (FixedBitSet, Vec<u16>);

impl SortTable {
    pub(super) fn new(
        kinds: &[Kind],
        args: &[KindId],
        range: KindId,
        declarations: &[Declaration],
        comm: bool,
    ) -> SortTable {
        let n_declared = declarations.len();
        // Arguments of a commutative operator may come in either order.
        let both_orders = |d: &Declaration| {
            let args: Vec<_> = d.args.iter().rev().copied().collect();
            let swapped = (comm && args != d.args).then(|| Declaration { args, ..d.clone() });
            [Some(d.clone()), swapped]
        };
        let declarations: Vec<Declaration> =
            declarations.iter().flat_map(both_orders).flatten().collect();
        let declarations = &declarations[..];
        let range = &kinds[range.index()];
        let mut table = SortTable::default();
        let mut all = FixedBitSet::with_capacity(declarations.len());
        all.insert_range(..);
        if args.is_empty() {
            table.constant = table.least(range, declarations, &all, &[]);
            return table;
        }
        // Each state remembers one list of argument sorts that leads to it, for messages.
        let mut level: Vec<State> = vec![(all, Vec::new())];
        let mut level_start = 0;
        for (place, kind) in args.iter().enumerate() {
            let n_sorts = kinds[kind.index()].len();
            let last = place + 1 == args.len();
            let next_start = level_start + level.len() * n_sorts;
            let next_row = args.get(place + 1).map_or(0, |k| kinds[k.index()].len());
            let mut next: Vec<State> = Vec::new();
            let mut known: FxHashMap<FixedBitSet, u32> = FxHashMap::default();
            for (state, path) in &level {
                for sort in 0..n_sorts {
                    let mut fits = state.clone();
                    for d in state.ones() {
                        let wanted = declarations[d].args[place].index;
                        if !kinds[kind.index()].leq(sort as u16, wanted) {
                            fits.remove(d);
                        }
                    }
                    let mut path = path.clone();
                    path.push(sort as u16);
                    let entry = if last {
                        u32::from(table.least(range, declarations, &fits, &path))
                    } else {
                        *known.entry(fits.clone()).or_insert_with(|| {
                            next.push((fits, path));
                            (next_start + (next.len() - 1) * next_row) as u32
                        })
                    };
                    table.entries.push(entry);
                }
            }
            if last {
                table.last_level = level_start;
            }
            level = next;
            level_start = next_start;
        }
        if n_declared == 1 {
            table.uniform = Some(declarations[0].range.index);
        }
        table
    }

    fn least(
        &mut self,
        range: &Kind,
        declarations: &[Declaration],
        fits: &FixedBitSet,
        path: &[u16],
    ) -> u16 {
        let mut ranges = fits.ones().map(|d| declarations[d].range.index);
        let Some(mut best) = ranges.next() else { return 0 };
        for r in ranges {
            if range.leq(r, best) {
                best = r;
            }
        }
        if self.irregular.is_none()
            && fits.ones().any(|d| !range.leq(best, declarations[d].range.index))
        {
            let mut all = vec![best];
            all.extend(fits.ones().map(|d| declarations[d].range.index).filter(|&r| r != best));
            all.dedup();
            self.irregular = Some(Irregularity { args: path.to_vec(), ranges: all });
        }
        let ctors = fits.ones().filter(|&d| declarations[d].ctor).count();
        if ctors > 0 && ctors < fits.count_ones(..) {
            self.mixed = true;
        }
        best
    }

    /// Appends the rows to a table of all symbols and returns where they start. Entries of all but
    /// the last argument become positions in that table.
    pub(crate) fn append_to(&self, all: &mut Vec<u32>) -> u32 {
        let start = u32::try_from(all.len()).expect("fewer than 2^32 sort table entries");
        let rows = self.entries.iter().enumerate();
        all.extend(rows.map(|(i, &e)| if i < self.last_level { e + start } else { e }));
        start
    }

    /// The sort of a constant.
    #[inline(always)]
    pub fn constant(&self) -> u16 {
        self.constant
    }

    /// The state before the first argument.
    #[inline(always)]
    pub fn start(&self) -> u32 {
        0
    }

    /// The state after one more argument of sort index `sort`; after the last one the result.
    #[inline(always)]
    pub fn step(&self, state: u32, sort: u16) -> u32 {
        self.entries[(state + u32::from(sort)) as usize]
    }

    /// The sort index of an application to arguments of these sort indices.
    pub fn apply(&self, args: impl IntoIterator<Item = u16>) -> u16 {
        let mut args = args.into_iter().peekable();
        if args.peek().is_none() {
            return self.constant;
        }
        args.fold(self.start(), |state, sort| self.step(state, sort)) as u16
    }

    /// The sort of two arguments: the fold step of an associative operator.
    #[inline(always)]
    pub fn pair(&self, left: u16, right: u16) -> u16 {
        self.step(self.step(0, left), right) as u16
    }

    /// The range of the only declaration, if there is just one.
    pub fn uniform(&self) -> Option<u16> {
        self.uniform
    }

    /// Arguments for which the declarations have no least range, if there are any.
    pub fn irregularity(&self) -> Option<&Irregularity> {
        self.irregular.as_ref()
    }

    /// Whether some arguments fit constructor declarations and others alike.
    pub fn mixes_constructors(&self) -> bool {
        self.mixed
    }
}
