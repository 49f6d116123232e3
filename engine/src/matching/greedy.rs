//! In which order the aliens of a greedy AC pattern take their places (`docs/semantics.md` 3.5):
//! the longest chain in which each is an instance of the next, then the others.

use rustc_hash::FxHashMap;

use super::analysis::Analysis;
use crate::id::StaticId;
use crate::signature::Shape;

/// The order of aliens given in pattern order, as indices.
pub(super) fn chain(analysis: &mut Analysis<'_>, aliens: &[StaticId]) -> Vec<usize> {
    let n = aliens.len();
    if n < 2 {
        return (0..n).collect();
    }
    let instance: Vec<Vec<bool>> = (0..n)
        .map(|i| (0..n).map(|j| is_instance(analysis, aliens[i], aliens[j])).collect())
        .collect();
    // Aliens equal up to renaming form a class; classes are chained.
    let class = |i: usize| -> Vec<usize> {
        (0..n).filter(|&j| i == j || instance[i][j] && instance[j][i]).collect()
    };
    let leaders: Vec<usize> = (0..n).filter(|&i| class(i)[0] == i).collect();
    let mut best: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    // A class below another has fewer classes above it, so those with few come first.
    let above = |&i: &usize| leaders.iter().filter(|&&j| j != i && instance[i][j]).count();
    let mut order = leaders.clone();
    order.sort_by_key(above);
    for &i in &order {
        let mut rest: Vec<usize> = Vec::new();
        for &j in leaders.iter().filter(|&&j| j != i && instance[i][j]) {
            let Some(candidate) = best.get(&j) else { continue };
            let longer = candidate.len() > rest.len();
            if longer || candidate.len() == rest.len() && *candidate < rest {
                rest = candidate.clone();
            }
        }
        best.insert(i, class(i).into_iter().chain(rest).collect());
    }
    let mut chain: Vec<usize> = Vec::new();
    for &i in &leaders {
        let candidate = &best[&i];
        let longer = candidate.len() > chain.len();
        if longer || candidate.len() == chain.len() && *candidate < chain {
            chain = candidate.clone();
        }
    }
    let others: Vec<usize> = (0..n).filter(|i| !chain.contains(i)).collect();
    chain.extend(others);
    chain
}

/// Whether `t` is an instance of `general`, as far as free operators tell. A repeated variable of
/// `general` must meet variables.
fn is_instance(analysis: &mut Analysis<'_>, t: StaticId, general: StaticId) -> bool {
    let mut values: FxHashMap<StaticId, StaticId> = FxHashMap::default();
    let mut stack = vec![(t, general)];
    while let Some((x, g)) = stack.pop() {
        if analysis.terms.is_ground(g) {
            if x != g {
                return false;
            }
            continue;
        }
        if let Some(sort) = analysis.variable_sort(g) {
            let least = analysis.least_sort(x);
            if !analysis.signature.leq(least, sort) {
                return false;
            }
            if let Some(&old) = values.get(&g)
                && (old != x || !analysis.is_variable(x))
            {
                return false;
            }
            values.insert(g, x);
            continue;
        }
        if analysis.symbol(x) != analysis.symbol(g) || analysis.is_variable(x) {
            return false;
        }
        if analysis.shape(x) != Shape::Free {
            if x != g {
                return false;
            }
            continue;
        }
        let (a, b) = (analysis.terms.args(x), analysis.terms.args(g));
        stack.extend(a.into_iter().zip(b));
    }
    true
}
