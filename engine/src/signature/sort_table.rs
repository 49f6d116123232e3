//! The least sort of an application, as a table that is walked argument by argument.
//!
//! A state is the set of declarations that fit the arguments seen so far; equal sets are one state,
//! so the table of `n` arguments has a row a reachable state (`docs/semantics.md` 2.4). Declarations
//! that others in the set make superfluous are left out of it, unless the operator is irregular.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::kinds::Kind;
use super::symbols::Declaration;
use crate::id::KindId;
use crate::limits::{Limit, Limits, Stop, number, unwind};

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
}

/// Arguments for which no declaration has the least range (`docs/semantics.md` 2.4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Irregularity {
    /// Sort indices of the arguments.
    pub args: Vec<u16>,
    /// Sort indices of the ranges of the declarations that fit, the chosen one first.
    pub ranges: Vec<u16>,
}

/// Declarations are compared with each other if there are no more than that.
const MOST_COMPARED: usize = 1 << 9;

/// So many states are gone through between two looks at the limits.
const STATES_BETWEEN_LOOKS: usize = 1 << 12;

impl SortTable {
    pub(super) fn new(
        kinds: &[Kind],
        args: &[KindId],
        range: KindId,
        declarations: &[Declaration],
        comm: bool,
        limits: &Limits,
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
        let make = |dominance| {
            let range = &kinds[range.index()];
            SortTable::of_declarations(kinds, args, range, &declarations, dominance, limits)
        };
        let mut table = None;
        if args.len() > 1 && declarations.len() <= MOST_COMPARED {
            let dominance = Dominance::new(&kinds[range.index()], &declarations);
            table = Some(make(Some(dominance))).filter(|table| table.irregular.is_none());
        }
        // Which declaration is chosen where none is least depends on all of them.
        let mut table = table.unwrap_or_else(|| make(None));
        if n_declared == 1 {
            table.uniform = Some(declarations[0].range.index);
        }
        table
    }

    /// The table of some declarations. With `dominance` it is right if it turns out regular; it is
    /// not finished else.
    fn of_declarations(
        kinds: &[Kind],
        args: &[KindId],
        range: &Kind,
        declarations: &[Declaration],
        mut dominance: Option<Dominance>,
        limits: &Limits,
    ) -> SortTable {
        let mut table = SortTable::default();
        let mut levels = vec![Level::first(declarations.len())];
        if args.is_empty() {
            table.constant = table.least(range, declarations, levels[0].set(0), Vec::new);
            return table;
        }
        for (place, &kind) in args.iter().enumerate() {
            let sorts = SortClasses::new(&kinds[kind.index()], declarations, place);
            if let Some(dominance) = &mut dominance {
                dominance.go_to(kinds, args, declarations, place + 1);
            }
            let next_row = args.get(place + 1).map(|k| kinds[k.index()].len());
            let level_start = table.entries.len();
            let before = levels.last().expect("there is a first level");
            let next_start = level_start + before.len() * sorts.of_sort.len();
            let mut next = Level::empty(declarations.len());
            // Equal sets at the end have one result.
            let mut results: Vec<u16> = Vec::new();
            // The state, for each class of sorts, that it leads to.
            let mut to: Vec<Option<u32>> = Vec::new();
            let mut set: Vec<u64> = Vec::new();
            for state in 0..before.len() {
                if state % STATES_BETWEEN_LOOKS == 0 {
                    let states = levels.iter().map(Level::bytes).sum::<usize>() + next.bytes();
                    check(limits, size_of::<u32>() * table.entries.capacity() + states);
                }
                to.clear();
                to.resize(sorts.fitting.len(), None);
                for (sort, &class) in sorts.of_sort.iter().enumerate() {
                    let n_known = next.len();
                    let reached = *to[class].get_or_insert_with(|| {
                        let both = before.set(state).iter().zip(&sorts.fitting[class]);
                        set.clear();
                        set.extend(both.map(|(a, b)| a & b));
                        if let Some(dominance) = &dominance {
                            dominance.prune(&mut set);
                        }
                        next.enter(&set, state, sort)
                    });
                    let entry = match next_row {
                        Some(row) => next_start + reached as usize * row,
                        None => {
                            if next.len() > n_known {
                                let path = || path(&levels, &next, reached);
                                let set = next.set(reached as usize);
                                results.push(table.least(range, declarations, set, path));
                                if dominance.is_some() && table.irregular.is_some() {
                                    return table;
                                }
                            }
                            usize::from(results[reached as usize])
                        }
                    };
                    table.entries.push(number(entry, Limit::SortTable));
                }
            }
            if next_row.is_none() {
                table.last_level = level_start;
            }
            levels.push(next);
        }
        table
    }

    fn least(
        &mut self,
        range: &Kind,
        declarations: &[Declaration],
        fits: &[u64],
        path: impl FnOnce() -> Vec<u16>,
    ) -> u16 {
        let ranges = || ones(fits).map(|d| declarations[d].range.index);
        let mut all = ranges();
        let Some(mut best) = all.next() else { return 0 };
        for r in all {
            if range.leq(r, best) {
                best = r;
            }
        }
        if self.irregular.is_none() && ranges().any(|r| !range.leq(best, r)) {
            let mut all = vec![best];
            all.extend(ranges().filter(|&r| r != best));
            all.dedup();
            self.irregular = Some(Irregularity { args: path(), ranges: all });
        }
        best
    }

    /// Appends the rows to a table of all symbols and returns where they start. Entries of all but
    /// the last argument become positions in that table.
    pub(crate) fn append_to(&self, all: &mut Vec<u32>) -> u32 {
        let start = number(all.len(), Limit::SortTable);
        number(all.len() + self.entries.len(), Limit::SortTable);
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
}

/// The states after some arguments: sets of declarations, as words of bits, one after the other.
struct Level {
    n_words: usize,
    sets: Vec<u64>,
    /// A state before the last argument and a sort of that which lead here, for messages.
    from: Vec<(u32, u16)>,
    index: HashTable<u32>,
}

impl Level {
    fn empty(n_declarations: usize) -> Level {
        // A set has a word even without declarations, so that it has a place.
        let n_words = n_declarations.div_ceil(64).max(1);
        Level { n_words, sets: Vec::new(), from: Vec::new(), index: HashTable::new() }
    }

    /// The level before the first argument, where all declarations fit.
    fn first(n_declarations: usize) -> Level {
        let mut level = Level::empty(n_declarations);
        level.sets.resize(level.n_words, 0);
        (0..n_declarations).for_each(|d| level.sets[d / 64] |= 1 << (d % 64));
        level.from.push((0, 0));
        level
    }

    fn len(&self) -> usize {
        self.from.len()
    }

    /// The memory that it takes, without its index.
    fn bytes(&self) -> usize {
        size_of::<u64>() * (self.sets.capacity() + self.from.capacity())
    }

    fn set(&self, state: usize) -> &[u64] {
        &self.sets[state * self.n_words..][..self.n_words]
    }

    /// The number of the state that a set is.
    fn enter(&mut self, set: &[u64], from: usize, sort: usize) -> u32 {
        let (n_words, sets) = (self.n_words, &self.sets);
        let set_of = |state: u32| &sets[state as usize * n_words..][..n_words];
        let hash = |set: &[u64]| FxBuildHasher.hash_one(set);
        let hash_of_new = hash(set);
        if let Some(&known) = self.index.find(hash_of_new, |&state| set_of(state) == set) {
            return known;
        }
        let state = number(self.from.len(), Limit::SortTable);
        self.index.insert_unique(hash_of_new, state, |&state| {
            // The new one is hashed before it has its place.
            if state as usize * n_words == sets.len() { hash_of_new } else { hash(set_of(state)) }
        });
        self.sets.extend_from_slice(set);
        self.from.push((number(from, Limit::SortTable), sort as u16));
        state
    }
}

/// Which declarations make others superfluous after some arguments: those with a range that is no
/// larger, whose remaining arguments are no smaller, so that they fit whenever the others do. Without
/// what is superfluous far fewer sets can be told apart.
struct Dominance {
    /// For each declaration those with a range that is no larger.
    ranges: Vec<Vec<u64>>,
    /// For each declaration those that make it superfluous now.
    over: Vec<Vec<u64>>,
}

impl Dominance {
    fn new(range: &Kind, declarations: &[Declaration]) -> Dominance {
        let sort = |d: usize| declarations[d].range.index;
        let ranges = relation(declarations.len(), |d, e| range.leq(sort(e), sort(d)));
        Dominance { ranges, over: Vec::new() }
    }

    /// Finds out what is superfluous when the arguments before `place` have been seen.
    fn go_to(
        &mut self,
        kinds: &[Kind],
        args: &[KindId],
        declarations: &[Declaration],
        place: usize,
    ) {
        let bit = |set: &[u64], e: usize| set[e / 64] & 1 << (e % 64) != 0;
        let fits = |d: usize, e: usize| {
            bit(&self.ranges[d], e)
                && (place..args.len()).all(|p| {
                    let (d, e) = (declarations[d].args[p].index, declarations[e].args[p].index);
                    kinds[args[p].index()].leq(d, e)
                })
        };
        let over = relation(declarations.len(), |d, e| d != e && fits(d, e));
        // Of declarations that make each other superfluous the first is kept.
        self.over =
            relation(declarations.len(), |d, e| bit(&over[d], e) && (e < d || !bit(&over[e], d)));
    }

    /// Takes away what is superfluous.
    fn prune(&self, set: &mut [u64]) {
        for at in 0..set.len() {
            let mut word = set[at];
            while word != 0 {
                let d = word.trailing_zeros() as usize;
                word &= word - 1;
                // What is superfluous because of something that is, too, is so because of what
                // makes that superfluous.
                if set.iter().zip(&self.over[64 * at + d]).any(|(set, over)| set & over != 0) {
                    set[at] &= !(1 << d);
                }
            }
        }
    }
}

/// A relation of declarations as a set for each.
fn relation(n: usize, holds: impl Fn(usize, usize) -> bool) -> Vec<Vec<u64>> {
    let row = |d: usize| {
        let mut row = vec![0; n.div_ceil(64).max(1)];
        (0..n).filter(|&e| holds(d, e)).for_each(|e| row[e / 64] |= 1 << (e % 64));
        row
    };
    (0..n).map(row).collect()
}

/// The sorts of an argument place, those together that select the same declarations.
struct SortClasses {
    /// The class of each sort.
    of_sort: Vec<usize>,
    /// The declarations that the sorts of each class fit.
    fitting: Vec<Vec<u64>>,
}

impl SortClasses {
    fn new(kind: &Kind, declarations: &[Declaration], place: usize) -> SortClasses {
        let mut known: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
        let mut classes = SortClasses { of_sort: Vec::new(), fitting: Vec::new() };
        for sort in 0..kind.len() {
            let mut fits = vec![0; declarations.len().div_ceil(64).max(1)];
            for (d, declaration) in declarations.iter().enumerate() {
                if kind.leq(sort as u16, declaration.args[place].index) {
                    fits[d / 64] |= 1 << (d % 64);
                }
            }
            let class = *known.entry(fits).or_insert_with_key(|fits| {
                classes.fitting.push(fits.clone());
                classes.fitting.len() - 1
            });
            classes.of_sort.push(class);
        }
        classes
    }
}

/// The members of a set.
fn ones(set: &[u64]) -> impl Iterator<Item = usize> {
    set.iter().enumerate().flat_map(|(at, &word)| {
        let rest = std::iter::successors(Some(word), |w| Some(w & w.wrapping_sub(1)));
        rest.take_while(|&w| w != 0).map(move |w| 64 * at + w.trailing_zeros() as usize)
    })
}

/// Sorts of the arguments that lead to a state of the last level.
fn path(levels: &[Level], last: &Level, state: u32) -> Vec<u16> {
    let mut path = Vec::with_capacity(levels.len());
    let mut state = state as usize;
    for level in std::iter::once(last).chain(levels[1..].iter().rev()) {
        let (from, sort) = level.from[state];
        path.push(sort);
        state = from as usize;
    }
    path.reverse();
    path
}

/// Ends the making of a table that the user interrupts, or that would be too large.
fn check(limits: &Limits, bytes: usize) {
    limits.check().unwrap_or_else(|stop| unwind(stop));
    if limits.forbids(bytes as u64) {
        unwind(Stop::Memory);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::id::SortId;
    use crate::signature::kinds::add_components;

    /// One kind of five sorts in which `subsorts` is what holds among pairs of neighbours and
    /// others, and declarations over it with two arguments.
    fn table(
        subsorts: &[bool],
        declared: &[(usize, usize, usize)],
        comm: bool,
    ) -> (Vec<Kind>, Vec<Declaration>, SortTable) {
        let pairs = (0..5).flat_map(|low| (low + 1..5).map(move |high| (low, high)));
        let mut chosen: Vec<(usize, usize)> =
            pairs.zip(subsorts).filter(|(_, on)| **on).map(|(pair, _)| pair).collect();
        // The last sort holds all together.
        chosen.extend((0..4).map(|low| (low, 4)));
        let mut kinds = Vec::new();
        let sorts = add_components(&mut kinds, &["A", "B", "C", "D", "E"], &chosen);
        let sort = |at: usize| sorts.get(at).copied().unwrap_or(SortId { index: 0, ..sorts[0] });
        let declarations: Vec<Declaration> = declared
            .iter()
            .map(|&(a, b, range)| Declaration {
                args: vec![sort(a), sort(b)],
                range: sort(range),
                ctor: false,
            })
            .collect();
        let kind = sorts[0].kind;
        let limits = Limits::default();
        let table = SortTable::new(&kinds, &[kind; 2], kind, &declarations, comm, &limits);
        (kinds, declarations, table)
    }

    proptest! {
        #[test]
        fn an_application_has_the_least_range_of_what_fits(
            subsorts in prop::collection::vec(any::<bool>(), 10),
            declared in prop::collection::vec((0usize..6, 0usize..6, 0usize..6), 1..7),
            comm: bool,
        ) {
            let (kinds, declarations, table) = table(&subsorts, &declared, comm);
            let kind = &kinds[0];
            let mut irregular = false;
            for (a, b) in (0..6u16).flat_map(|a| (0..6u16).map(move |b| (a, b))) {
                let in_order = |d: &&Declaration, a, b| {
                    kind.leq(a, d.args[0].index) && kind.leq(b, d.args[1].index)
                };
                let fits = |d: &&Declaration| in_order(d, a, b) || comm && in_order(d, b, a);
                let ranges: Vec<u16> =
                    declarations.iter().filter(fits).map(|d| d.range.index).collect();
                let least = |&&r: &&u16| ranges.iter().all(|&other| kind.leq(r, other));
                match ranges.iter().find(least) {
                    Some(&least) => prop_assert_eq!(table.apply([a, b]), least),
                    None if ranges.is_empty() => prop_assert_eq!(table.apply([a, b]), 0),
                    None => {
                        irregular = true;
                        prop_assert!(ranges.contains(&table.apply([a, b])));
                    }
                }
            }
            prop_assert_eq!(table.irregularity().is_some(), irregular);
        }
    }
}
