//! The sequences in which aliens are matched (`docs/semantics.md` 6.2, 6.4). They are computed from
//! the pattern alone.

use rustc_hash::FxHashMap;

use super::analysis::{Analysis, on_growing_stack};
use super::sets::Set;
use crate::id::StaticId;

/// How many trials of step 2 are made at most: their number grows quickly with the aliens.
const TRIALS: u32 = 2048;
/// How many aliens all trials together look at, at most.
const MOST_TRIED: usize = 1 << 22;

/// The sequence of the aliens of a free operator, as their indices, `known` being what is bound
/// before them.
pub(super) fn free_sequence(
    analysis: &mut Analysis<'_>,
    aliens: &[StaticId],
    known: Set,
) -> Vec<usize> {
    if aliens.len() < 2 {
        return (0..aliens.len()).collect();
    }
    let trials = TRIALS.min((MOST_TRIED / aliens.len()) as u32);
    let budget = std::mem::replace(&mut analysis.budget, trials);
    let list: Vec<usize> = (0..aliens.len()).collect();
    let order = Order { aliens, at: list.clone(), list, placed: 0, known };
    let sequence = order.best(analysis).1;
    analysis.budget = budget;
    sequence
}

/// Aliens of a free operator, some of which have their places.
#[derive(Clone)]
struct Order<'t> {
    aliens: &'t [StaticId],
    /// Indices of aliens, and where each stands.
    list: Vec<usize>,
    at: Vec<usize>,
    /// How many have their places.
    placed: usize,
    /// What is bound after those.
    known: Set,
}

impl Order<'_> {
    fn alien(&self, place: usize) -> StaticId {
        self.aliens[self.list[place]]
    }

    fn place(&mut self, place: usize) {
        self.list.swap(self.placed, place);
        self.at[self.list[self.placed]] = self.placed;
        self.at[self.list[place]] = place;
        self.placed += 1;
    }

    /// The unbound variables that several of the aliens not placed have.
    fn shared(&self, analysis: &mut Analysis<'_>) -> Set {
        let rest: Vec<StaticId> =
            (self.placed..self.list.len()).map(|place| self.alien(place)).collect();
        analysis.repeated(&rest, self.known)
    }

    /// Places some aliens if they have nothing unbound, and returns the first place of the others.
    fn place_bound(&mut self, analysis: &Analysis<'_>, some: impl Iterator<Item = usize>) -> usize {
        let mut others = Vec::new();
        for alien in some {
            if analysis.is_open(self.aliens[alien], self.known) {
                others.push(alien);
            } else {
                self.place(self.at[alien]);
            }
        }
        others.into_iter().map(|alien| self.at[alien]).min().unwrap_or(usize::MAX)
    }

    /// The aliens not placed that have each of some variables.
    fn holders(&self, analysis: &mut Analysis<'_>, of: Set) -> FxHashMap<u32, Vec<usize>> {
        let mut holders: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for &alien in &self.list[self.placed..] {
            let own = analysis.variables(self.aliens[alien]);
            let own = analysis.sets.intersection(own, of);
            for number in analysis.sets.members(own) {
                holders.entry(number).or_default().push(alien);
            }
        }
        holders
    }

    /// FreeCheck 1 of 6.2: aliens whose variables shared with the others are all determined by them.
    fn place_harmless(&mut self, analysis: &mut Analysis<'_>) {
        let waiting = self.list[self.placed..].to_vec();
        self.place_bound(analysis, waiting.into_iter());
        let shared = self.shared(analysis);
        let holders = self.holders(analysis, shared);
        let mut i = self.placed;
        while i < self.list.len() {
            let open = analysis.unbound(self.alien(i), self.known);
            let own_shared = analysis.sets.intersection(open, shared);
            let determined = analysis.determined(self.alien(i), self.known);
            if !analysis.sets.is_subset(own_shared, determined) {
                i += 1;
                continue;
            }
            self.place(i);
            self.known = analysis.sets.union(self.known, determined);
            // Those that have nothing in common with it stay what they are.
            let numbers = analysis.sets.members(own_shared);
            let others = numbers.iter().flat_map(|number| &holders[number]).copied();
            let mut others: Vec<usize> =
                others.filter(|&other| self.at[other] >= self.placed).collect();
            others.sort_by_key(|&other| self.at[other]);
            others.dedup();
            let first = self.place_bound(analysis, others.into_iter());
            i = first.min(i + 1).max(self.placed);
        }
    }

    /// FreeCheck 2: the alternatives, rated by the number of variables bound in the end.
    fn best(mut self, analysis: &mut Analysis<'_>) -> (usize, Vec<usize>) {
        self.place_harmless(analysis);
        let shared = self.shared(analysis);
        let mut winner: Option<(usize, Vec<usize>)> = None;
        for i in self.placed..self.list.len() {
            let determined = analysis.determined(self.alien(i), self.known);
            if analysis.sets.are_disjoint(determined, shared) {
                continue;
            }
            if analysis.budget == 0 {
                break;
            }
            analysis.budget -= 1;
            let mut next = self.clone();
            next.place(i);
            next.known = analysis.sets.union(next.known, determined);
            let found = on_growing_stack(|| next.best(analysis));
            if winner.as_ref().is_none_or(|w| found.0 > w.0) {
                winner = Some(found);
            }
        }
        if let Some(winner) = winner {
            return winner;
        }
        for place in self.placed..self.list.len() {
            let alien = self.alien(place);
            analysis.determine(alien, &mut self.known);
        }
        (analysis.sets.len(self.known), self.list)
    }
}

/// Moves every alien from place `placed` on that has nothing unbound there.
fn place_bound(analysis: &Analysis<'_>, aliens: &mut [StaticId], placed: &mut usize, known: Set) {
    for i in *placed..aliens.len() {
        if !analysis.is_open(aliens[i], known) {
            aliens.swap(*placed, i);
            *placed += 1;
        }
    }
}

/// Rules (a) and (b) of 6.4: bound aliens, then the first one disjoint from all others, again and
/// again. Returns how many have places, and what is known after those placed by (b).
pub(super) fn unique_first(
    analysis: &mut Analysis<'_>,
    aliens: &mut [StaticId],
    known: Set,
) -> (usize, Set) {
    let (mut placed, mut known) = (0, known);
    loop {
        place_bound(analysis, aliens, &mut placed, known);
        let unique = (placed..aliens.len()).find(|&i| {
            (placed..aliens.len()).all(|j| i == j || analysis.are_disjoint(aliens[i], aliens[j]))
        });
        let Some(i) = unique else { return (placed, known) };
        analysis.determine(aliens[i], &mut known);
        aliens.swap(placed, i);
        placed += 1;
    }
}

/// The sequence of the aliens of an AC pattern; `loose` if it has an unbound variable of its own or
/// extension.
pub(super) fn ac_sequence(
    analysis: &mut Analysis<'_>,
    mut aliens: Vec<StaticId>,
    known: Set,
    loose: bool,
) -> Vec<StaticId> {
    let (mut placed, mut known) = (0, known);
    if !loose {
        placed = unique_first(analysis, &mut aliens, known).0;
        for &alien in &aliens[..placed] {
            known = analysis.sets.union(known, analysis.variables(alien));
        }
    }
    let shared = analysis.repeated(&aliens[placed..], known);
    if shared.is_empty() {
        return aliens;
    }
    loop {
        let rest = analysis.sets.difference(shared, known);
        let mut most = (0, 0);
        for (i, &alien) in aliens.iter().enumerate().skip(placed) {
            let own = analysis.sets.intersection(analysis.variables(alien), rest);
            let shared = analysis.sets.len(own);
            if shared > most.0 {
                most = (shared, i);
            }
        }
        if most.0 == 0 {
            return aliens;
        }
        known = analysis.sets.union(known, analysis.variables(aliens[most.1]));
        aliens.swap(placed, most.1);
        placed += 1;
    }
}
