//! The sequences in which aliens are matched (`language.md` 6.2, 6.4). They are computed from the
//! pattern alone.

use super::known::{Analysis, Known};
use crate::id::StaticId;

/// How many trials of step 2 are made at most: their number grows quickly with the aliens.
const TRIALS: u32 = 2048;

/// A list of aliens and how many of them are placed.
type Partial = (Vec<StaticId>, usize);

/// The sequence of the aliens of a free operator, `known` being what is bound before them.
pub(super) fn free_sequence(
    analysis: &mut Analysis<'_>,
    aliens: Vec<StaticId>,
    known: &Known,
) -> Vec<StaticId> {
    if aliens.len() < 2 {
        return aliens;
    }
    let budget = std::mem::replace(&mut analysis.budget, TRIALS);
    let sequence = best(analysis, (aliens, 0), known.clone()).1;
    analysis.budget = budget;
    sequence
}

/// Places every alien that has nothing unbound.
fn place_bound(analysis: &Analysis<'_>, list: &mut Partial, known: &Known) {
    for i in list.1..list.0.len() {
        if !analysis.is_open(list.0[i], known) {
            list.0.swap(list.1, i);
            list.1 += 1;
        }
    }
}

/// The unbound variables of the aliens not placed, `except` left out.
fn others(analysis: &Analysis<'_>, list: &Partial, except: usize, known: &Known) -> Known {
    let rest = (list.1..list.0.len()).filter(|&j| j != except);
    rest.flat_map(|j| analysis.unbound(list.0[j], known)).collect()
}

/// Step 1 of 6.2: aliens whose variables shared with the others are all determined by them.
fn place_harmless(analysis: &mut Analysis<'_>, list: &mut Partial, known: &mut Known) {
    loop {
        place_bound(analysis, list, known);
        let found = (list.1..list.0.len()).find_map(|i| {
            let determined = analysis.determined(list.0[i], known);
            let elsewhere = others(analysis, list, i, known);
            let open = analysis.unbound(list.0[i], known);
            let harmless = open.iter().all(|v| determined.contains(v) || !elsewhere.contains(v));
            harmless.then_some((i, determined))
        });
        let Some((i, determined)) = found else { return };
        list.0.swap(list.1, i);
        list.1 += 1;
        known.extend(determined);
    }
}

/// Step 2: the alternatives, rated by the number of variables bound in the end.
fn best(analysis: &mut Analysis<'_>, list: Partial, known: Known) -> (usize, Vec<StaticId>) {
    let (mut list, mut known) = (list, known);
    place_harmless(analysis, &mut list, &mut known);
    let mut winner: Option<(usize, Vec<StaticId>)> = None;
    for i in list.1..list.0.len() {
        let determined = analysis.determined(list.0[i], &known);
        let elsewhere = others(analysis, &list, i, &known);
        if !determined.iter().any(|v| elsewhere.contains(v)) {
            continue;
        }
        if analysis.budget == 0 {
            break;
        }
        analysis.budget -= 1;
        let mut next = list.clone();
        next.0.swap(next.1, i);
        next.1 += 1;
        let mut then = known.clone();
        then.extend(determined);
        let found = best(analysis, next, then);
        if winner.as_ref().is_none_or(|w| found.0 > w.0) {
            winner = Some(found);
        }
    }
    if let Some(winner) = winner {
        return winner;
    }
    for &alien in &list.0[list.1..] {
        analysis.determine(alien, &mut known, &mut Vec::new());
    }
    (known.len(), list.0)
}

/// Rules (a) and (b) of 6.4: bound aliens, then the first one disjoint from all others, again and
/// again. Also returns the variables that those placed by (b) determine.
pub(super) fn unique_first(
    analysis: &mut Analysis<'_>,
    aliens: Vec<StaticId>,
    known: &Known,
) -> (Partial, Vec<StaticId>) {
    let mut list = (aliens, 0);
    let mut known = known.clone();
    let mut found = Vec::new();
    loop {
        place_bound(analysis, &mut list, &known);
        let unique = (list.1..list.0.len()).find(|&i| {
            (list.1..list.0.len()).all(|j| i == j || analysis.are_disjoint(list.0[i], list.0[j]))
        });
        let Some(i) = unique else { return (list, found) };
        analysis.determine(list.0[i], &mut known, &mut found);
        list.0.swap(list.1, i);
        list.1 += 1;
    }
}

/// The sequence of the aliens of an AC pattern; `loose` if it has an unbound variable of its own or
/// extension.
pub(super) fn ac_sequence(
    analysis: &mut Analysis<'_>,
    aliens: Vec<StaticId>,
    known: &Known,
    loose: bool,
) -> Vec<StaticId> {
    let mut known = known.clone();
    let mut list = (aliens, 0);
    if !loose {
        list = unique_first(analysis, list.0, &known).0;
        let placed: Vec<_> = list.0[..list.1].to_vec();
        known.extend(placed.iter().flat_map(|&x| analysis.terms.variables(x)));
    }
    loop {
        let mut most = (0, 0);
        for i in list.1..list.0.len() {
            let elsewhere = others(analysis, &list, i, &known);
            let open = analysis.unbound(list.0[i], &known);
            let shared = open.iter().filter(|v| elsewhere.contains(v)).count();
            if shared > most.0 {
                most = (shared, i);
            }
        }
        if most.0 == 0 {
            return list.0;
        }
        known.extend(analysis.terms.variables(list.0[most.1]));
        list.0.swap(list.1, most.1);
        list.1 += 1;
    }
}
