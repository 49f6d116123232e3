//! Connected components of sorts and the order of sorts inside them.
//!
//! The index order is that of `docs/semantics.md` 2.5: the error sort, the maximal sorts in
//! post-order of a depth-first walk (through subsorts, then supersorts), then breadth-first each
//! sort as soon as all its direct supersorts have an index.

use fixedbitset::FixedBitSet;

use crate::id::{KindId, SortId};

/// A sort of a kind.
#[derive(Debug, Clone)]
pub struct Sort {
    /// The user's name.
    pub name: Box<str>,
    /// Indices of all sorts above this one and itself, the kind (0) included.
    supers: FixedBitSet,
}

/// A connected component of sorts.
#[derive(Debug, Clone)]
pub struct Kind {
    /// The sorts by index; entry 0 is the error sort, the kind itself.
    sorts: Vec<Sort>,
    n_maximal: usize,
}

impl Kind {
    /// The number of sorts, the error sort included.
    pub fn len(&self) -> usize {
        self.sorts.len()
    }

    /// A kind always has its error sort.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The sorts by index, the error sort first.
    pub fn sorts(&self) -> &[Sort] {
        &self.sorts
    }

    /// Indices of the maximal sorts: 1 up to this number.
    pub fn n_maximal(&self) -> usize {
        self.n_maximal
    }

    /// Whether the sort with index `a` is at or below that with index `b`.
    #[inline(always)]
    pub fn leq(&self, a: u16, b: u16) -> bool {
        self.sorts[a as usize].supers.contains(b as usize)
    }

    /// The name of a sort, `[A,B]` for the kind.
    pub fn sort_name(&self, index: u16) -> String {
        if index > 0 {
            return self.sorts[index as usize].name.to_string();
        }
        let names: Vec<&str> = self.sorts[1..=self.n_maximal].iter().map(|s| &*s.name).collect();
        format!("[{}]", names.join(","))
    }
}

/// Adds the components of a sort graph to `kinds`.
pub(super) fn add_components(
    kinds: &mut Vec<Kind>,
    names: &[&str],
    subsorts: &[(usize, usize)],
) -> Vec<SortId> {
    let n = names.len();
    let (mut subs, mut supers) = (vec![Vec::new(); n], vec![Vec::new(); n]);
    let mut pairs = rustc_hash::FxHashSet::default();
    for &(low, high) in subsorts {
        if pairs.insert((low, high)) {
            subs[high].push(low);
            supers[low].push(high);
        }
    }
    let mut ids = vec![SortId { kind: KindId(0), index: 0 }; n];
    let mut seen = vec![false; n];
    for start in 0..n {
        if seen[start] {
            continue;
        }
        let kind = KindId(u32::try_from(kinds.len()).expect("fewer than 2^32 kinds"));
        let order = index_order(start, &subs, &supers, &mut seen);
        let n_maximal = order.iter().filter(|&&s| supers[s].is_empty()).count();
        for (place, &sort) in order.iter().enumerate() {
            let index = u16::try_from(place + 1).expect("fewer than 2^16 sorts in a kind");
            ids[sort] = SortId { kind, index };
        }
        let mut sorts = vec![error_sort(order.len() + 1)];
        for (place, &sort) in order.iter().enumerate() {
            let mut above = FixedBitSet::with_capacity(order.len() + 1);
            above.insert(0);
            above.insert(place + 1);
            for &s in &supers[sort] {
                above.union_with(&sorts[ids[s].index as usize].supers);
            }
            sorts.push(Sort { name: names[sort].into(), supers: above });
        }
        kinds.push(Kind { sorts, n_maximal });
    }
    ids
}

fn error_sort(n_sorts: usize) -> Sort {
    let mut supers = FixedBitSet::with_capacity(n_sorts);
    supers.insert(0);
    Sort { name: "".into(), supers }
}

/// The sorts of the component of `start` in index order.
fn index_order(
    start: usize,
    subs: &[Vec<usize>],
    supers: &[Vec<usize>],
    seen: &mut [bool],
) -> Vec<usize> {
    // A frame of the depth-first walk: the sort and how many of its neighbours were visited.
    let mut frames = vec![(start, 0usize)];
    let mut order = Vec::new();
    seen[start] = true;
    while let Some((sort, next)) = frames.last_mut() {
        let (sort, at) = (*sort, *next);
        *next += 1;
        let neighbour = subs[sort].iter().chain(&supers[sort]).nth(at).copied();
        match neighbour {
            Some(s) if !seen[s] => {
                seen[s] = true;
                frames.push((s, 0));
            }
            Some(_) => {}
            None => {
                if supers[sort].is_empty() {
                    order.push(sort);
                }
                frames.pop();
            }
        }
    }
    let mut waiting: Vec<usize> = supers.iter().map(Vec::len).collect();
    let mut at = 0;
    while at < order.len() {
        for &s in &subs[order[at]] {
            waiting[s] -= 1;
            if waiting[s] == 0 {
                order.push(s);
            }
        }
        at += 1;
    }
    order
}

/// A sort that is connected with too many others.
pub(super) fn find_crowded(n: usize, subsorts: &[(usize, usize)]) -> Option<usize> {
    let mut neighbours = vec![Vec::new(); n];
    for &(low, high) in subsorts {
        neighbours[low].push(high);
        neighbours[high].push(low);
    }
    let mut seen = vec![false; n];
    (0..n).find(|&start| {
        let (mut size, mut waiting) = (0, vec![start]);
        while let Some(sort) = waiting.pop() {
            if !std::mem::replace(&mut seen[sort], true) {
                size += 1;
                waiting.extend(&neighbours[sort]);
            }
        }
        size > super::Signature::MOST_SORTS
    })
}

/// A cycle of the relation, if there is one.
pub(super) fn find_cycle(n: usize, subsorts: &[(usize, usize)]) -> Option<Vec<usize>> {
    let mut supers = vec![Vec::new(); n];
    for &(low, high) in subsorts {
        supers[low].push(high);
    }
    let mut state = vec![0u8; n];
    for start in 0..n {
        if state[start] != 0 {
            continue;
        }
        let mut path = vec![(start, 0usize)];
        state[start] = 1;
        while let Some((sort, next)) = path.last_mut() {
            let (sort, at) = (*sort, *next);
            *next += 1;
            match supers[sort].get(at) {
                Some(&s) if state[s] == 1 => {
                    let from = path.iter().position(|p| p.0 == s).expect("it is on the path");
                    return Some(path[from..].iter().map(|p| p.0).collect());
                }
                Some(&s) if state[s] == 0 => {
                    state[s] = 1;
                    path.push((s, 0));
                }
                Some(_) => {}
                None => {
                    state[sort] = 2;
                    path.pop();
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maximal_sorts_come_in_post_order_and_the_rest_breadth_first() {
        // sorts U V T1 T2 T3 . subsorts U < T1 T2 . subsorts V < T2 T3 .
        let mut kinds = Vec::new();
        let ids = add_components(
            &mut kinds,
            &["U", "V", "T1", "T2", "T3"],
            &[(0, 2), (0, 3), (1, 3), (1, 4)],
        );
        assert_eq!(kinds[0].sort_name(0), "[T1,T3,T2]");
        assert_eq!(ids[0].index, 4);
        assert!(kinds[0].leq(ids[0].index, ids[3].index));
        assert!(!kinds[0].leq(ids[0].index, ids[4].index));
        assert!(kinds[0].leq(ids[3].index, 0));
    }

    #[test]
    fn a_cycle_is_found() {
        assert_eq!(find_cycle(3, &[(0, 1), (1, 2)]), None);
        assert!(find_cycle(3, &[(0, 1), (1, 2), (2, 1)]).is_some());
    }
}
