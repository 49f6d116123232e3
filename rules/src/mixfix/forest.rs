//! Readings out of the chart: the first one, and the next one of an ambiguous bubble.
//!
//! `docs/semantics.md` 8.4: for every stretch of tokens, among the productions and divisions that fit, the
//! one whose last item begins furthest to the right comes first, then the one whose last but one
//! does, and so on. The second reading is the next in the order in which the readings of the
//! leftmost part change fastest: it differs at the first ambiguous node of the first reading, in
//! post-order.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::chart::{Chart, ChartItem, Edge, ItemId, NO_ITEM, NONE};
use super::production::{Action, Nonterminal, Productions, Symbol};

/// A part of a reading: what is wanted over a stretch of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ForestPart {
    /// The nonterminal; `NONE` for the whole bubble, which is one of the goals.
    pub nonterminal: Nonterminal,
    pub start: u32,
    pub end: u32,
}

/// A production with the beginnings of its symbols, from the last one to the first.
#[derive(Clone, Debug)]
struct ForestDivision {
    production: u32,
    starts: SmallVec<[u32; 8]>,
}

/// The first divisions of a part.
type Divisions = SmallVec<[ForestDivision; 1]>;

/// A production at a place of a reading, handed out in post-order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Derived {
    pub production: u32,
    pub start: u32,
    pub end: u32,
}

/// A node whose second division makes the second reading.
pub(super) type Choice = ForestPart;

/// Items that Leo's optimisation left out, for one end.
#[derive(Default)]
struct Expansion {
    /// Edges from which the chains go on.
    walkers: Vec<Edge>,
    by_origin: FxHashMap<u32, SmallVec<[ChartItem; 1]>>,
}

/// Takes readings out of a chart.
pub(super) struct Forest<'a> {
    chart: &'a Chart,
    productions: &'a Productions,
    goals: &'a [Nonterminal],
    expansions: FxHashMap<u32, Expansion>,
}

enum ForestTask {
    Visit(ForestPart),
    Leave(Derived, Option<Choice>),
}

/// A way to go on backwards: where the symbol begins, the production, and the item before it.
type Step = (u32, u32, ItemId);

impl<'a> Forest<'a> {
    pub fn new(chart: &'a Chart, productions: &'a Productions, goals: &'a [Nonterminal]) -> Self {
        Forest { chart, productions, goals, expansions: FxHashMap::default() }
    }

    /// Hands out the first reading, or the second one if `choice` says where it differs. Returns
    /// where the second one differs from the first.
    pub fn read(
        &mut self,
        n_tokens: u32,
        choice: Option<Choice>,
        leave: &mut dyn FnMut(Derived),
    ) -> Option<Choice> {
        let whole = ForestPart { nonterminal: NONE, start: 0, end: n_tokens };
        let mut tasks = vec![ForestTask::Visit(whole)];
        let mut first_choice = None;
        let mut open_choice = choice;
        while let Some(task) = tasks.pop() {
            let part = match task {
                ForestTask::Leave(derived, choice) => {
                    first_choice = first_choice.or(choice);
                    leave(derived);
                    continue;
                }
                ForestTask::Visit(part) => part,
            };
            let mut divisions = self.divisions(part, 2, true);
            let ambiguous = divisions.len() > 1;
            if ambiguous && open_choice == Some(part) {
                divisions.swap_remove(0);
                open_choice = None;
            }
            let division = divisions.swap_remove(0);
            let derived =
                Derived { production: division.production, start: part.start, end: part.end };
            tasks.push(ForestTask::Leave(derived, ambiguous.then_some(part)));
            self.push_parts(&division, part.end, &mut tasks);
        }
        first_choice
    }

    /// Pushes the parts of a division, the last one first.
    fn push_parts(&self, division: &ForestDivision, end: u32, tasks: &mut Vec<ForestTask>) {
        let symbols = self.productions.right_side(division.production);
        let mut end = end;
        for (symbol, &start) in symbols.iter().rev().zip(&division.starts) {
            if let Symbol::Nonterminal(nonterminal) = *symbol {
                tasks.push(ForestTask::Visit(ForestPart { nonterminal, start, end }));
            }
            end = start;
        }
    }

    /// The first divisions of a part in order, at most `limit`.
    fn divisions(&mut self, part: ForestPart, limit: usize, in_order: bool) -> Divisions {
        let complete = self.complete_items(part);
        let mut found = Divisions::new();
        if let [only] = complete[..]
            && let Some(division) = self.single_division(only)
        {
            found.push(division);
            return found;
        }
        let productions: Vec<(u32, ChartItem)> =
            complete.iter().map(|&item| (self.production_at(item), item)).collect();
        // A list of two arguments comes before all longer ones.
        let longer = |p: u32| matches!(self.productions.all[p as usize].action, Action::ListMore);
        let (more, other): (Vec<_>, Vec<_>) = productions.into_iter().partition(|p| longer(p.0));
        for items in [other, more] {
            if found.len() < limit && !items.is_empty() {
                let mut starts = Vec::new();
                self.divide(&items, part.end, &mut starts, limit, &mut found, in_order);
            }
        }
        debug_assert!(!found.is_empty(), "the chart has a reading of each part");
        found
    }

    fn production_at(&self, item: ChartItem) -> u32 {
        match self.productions.symbols[item.at as usize] {
            Symbol::End(p) => p,
            _ => unreachable!("a complete item is at an end"),
        }
    }

    /// The division of an item, if there was no other way to it.
    fn single_division(&self, item: ChartItem) -> Option<ForestDivision> {
        let production = self.production_at(item);
        let mut starts = SmallVec::new();
        let mut at = item;
        loop {
            if at.second != NO_ITEM {
                return None;
            }
            starts.push(self.chart.start_of_last(at.origin, at.previous));
            if at.previous == NONE {
                return Some(ForestDivision { production, starts });
            }
            at = self.chart.items[at.previous as usize];
        }
    }

    /// Goes backwards over one symbol in all items, in the order of divisions.
    fn divide(
        &mut self,
        items: &[(u32, ChartItem)],
        end: u32,
        starts: &mut Vec<u32>,
        limit: usize,
        found: &mut Divisions,
        in_order: bool,
    ) {
        let mut steps: Vec<Step> = Vec::new();
        for &(production, item) in items {
            let mut add = |previous: ItemId| {
                let step = (self.chart.start_of_last(item.origin, previous), production, previous);
                if !steps.contains(&step) {
                    steps.push(step);
                }
            };
            add(item.previous);
            if item.second != NO_ITEM {
                add(item.second);
            }
        }
        steps.sort_by_key(|step| std::cmp::Reverse(step.0));
        for group in steps.chunk_by(|a, b| a.0 == b.0) {
            let start = group[0].0;
            starts.push(start);
            let done: Vec<u32> = group.iter().filter(|s| s.2 == NONE).map(|s| s.1).collect();
            if done.is_empty() {
                let next: Vec<(u32, ChartItem)> = group
                    .iter()
                    .map(|&(_, production, id)| (production, self.chart.items[id as usize]))
                    .collect();
                self.divide(&next, end, starts, limit, found, in_order);
            } else {
                self.finish(done, end, starts, found, in_order);
            }
            starts.pop();
            if found.len() >= limit {
                found.truncate(limit);
                return;
            }
        }
    }

    /// Productions with the same division: they differ in kinds only. Their order is turned round
    /// by each place that is not the first item of its operator.
    fn finish(
        &mut self,
        mut productions: Vec<u32>,
        end: u32,
        starts: &[u32],
        found: &mut Divisions,
        in_order: bool,
    ) {
        let division =
            |production: u32| ForestDivision { production, starts: SmallVec::from_slice(starts) };
        if productions.len() > 1 && in_order {
            let places = self.count_places(&division(productions[0]), end);
            productions.sort_by_key(|&p| (self.productions.all[p as usize].category, p));
            if places.is_multiple_of(2) {
                productions.reverse();
            }
        }
        found.extend(productions.into_iter().map(division));
    }

    /// The places of a reading that are not the first item of their production.
    fn count_places(&mut self, division: &ForestDivision, end: u32) -> usize {
        let mut tasks = Vec::new();
        self.push_parts(division, end, &mut tasks);
        let mut places = self.later_places(division.production);
        while let Some(task) = tasks.pop() {
            if let ForestTask::Visit(part) = task {
                let division = self.divisions(part, 1, false).swap_remove(0);
                places += self.later_places(division.production);
                self.push_parts(&division, part.end, &mut tasks);
            }
        }
        places
    }

    fn later_places(&self, production: u32) -> usize {
        let symbols = self.productions.right_side(production);
        symbols.iter().skip(1).filter(|s| matches!(s, Symbol::Nonterminal(_))).count()
    }

    /// The complete items of a part, those included that a jump left out.
    fn complete_items(&mut self, part: ForestPart) -> SmallVec<[ChartItem; 2]> {
        let state = part.end as usize;
        let slice = self.chart.starts[state] as usize..self.chart.starts[state + 1] as usize;
        let mut found: SmallVec<[ChartItem; 2]> = SmallVec::new();
        for &item in &self.chart.items[slice] {
            if item.origin == part.start && self.fits(item, part) {
                found.push(item);
            }
        }
        self.expand(part.end, part.start);
        if let Some(expansion) = self.expansions.get(&part.end)
            && let Some(items) = expansion.by_origin.get(&part.start)
        {
            for &item in items {
                if self.fits(item, part) {
                    found.push(item);
                }
            }
        }
        found
    }

    fn fits(&self, item: ChartItem, part: ForestPart) -> bool {
        let Symbol::End(p) = self.productions.symbols[item.at as usize] else { return false };
        let production = &self.productions.all[p as usize];
        let admits = |n: Nonterminal| {
            let (category, bound) = self.productions.nonterminals[n as usize];
            category == production.category && bound >= production.prec
        };
        match part.nonterminal {
            NONE => self.goals.iter().any(|&goal| admits(goal)),
            n => admits(n),
        }
    }

    /// Walks the chains that end in a state as far as items of this origin can be found.
    fn expand(&mut self, end: u32, origin: u32) {
        let chart = self.chart;
        let expansion = match self.expansions.entry(end) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let jumps = chart.jumps(end);
                let reaches = |edge: Edge| {
                    chart
                        .chain_step(edge)
                        .is_some_and(|id| chart.items[id as usize].origin >= origin)
                };
                // Mostly all of them lead to parts that begin further to the left.
                if !jumps.iter().any(|&edge| reaches(edge)) {
                    return;
                }
                let walkers = jumps.to_vec();
                place.insert(Expansion { walkers, by_origin: FxHashMap::default() })
            }
        };
        let mut waiting = Vec::new();
        while let Some(mut edge) = expansion.walkers.pop() {
            while let Some(id) = self.chart.chain_step(edge) {
                let item = self.chart.items[id as usize];
                if item.origin < origin {
                    waiting.push(edge);
                    break;
                }
                let complete =
                    ChartItem { at: item.at + 1, end, previous: id, second: NO_ITEM, ..item };
                let known = expansion.by_origin.entry(item.origin).or_default();
                if known.iter().any(|k| k.at == complete.at && k.previous == id) {
                    break;
                }
                known.push(complete);
                edge = self.chart.edge_above(self.productions, id);
            }
        }
        expansion.walkers = waiting;
    }
}
