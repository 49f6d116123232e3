//! How each node of a statement's condition and right side is evaluated (`docs/architecture.md`,
//! Right sides).
//!
//! Condition terms and right side are one graph, since equal static terms have equal ids, and ids
//! of arguments are smaller than those of what holds them: so going down by id meets every node
//! after all that use it. A use inside a branch of a direct `if` carries the branches it stands in,
//! and a node is shared if some outcome of the tests uses it twice.

use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::id::StaticId;
use crate::term::StaticTerms;

/// How a node is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodeWay {
    /// One use: the code stands at the place of use.
    Direct,
    /// Several uses: built raw once, reduced at its first use.
    Shared,
    /// One use inside a node that is built raw.
    Inside,
}

/// Branches that a use stands in: (the `if`, whether its first branch).
type Branches = SmallVec<[(StaticId, bool); 2]>;
/// One edge: the places at which its code stands.
type Use = SmallVec<[Branches; 1]>;

/// What the analysis asks of a statement.
pub(super) trait StatementPositions {
    /// Variables, matched subterms and ground terms that nothing rewrites need no evaluation.
    fn is_given(&self, term: StaticId) -> bool;
    /// The same where they are used without being evaluated.
    fn is_given_lazily(&self, term: StaticId) -> bool;
    /// Whether the node is an application of the builtin `if`.
    fn is_branch(&self, term: StaticId) -> bool;
    /// Whether the symbol of the node evaluates this argument before its first try.
    fn is_eager(&self, term: StaticId, place: usize) -> bool;
}

/// The ways of all nodes that are reached through eager positions from the roots.
pub(super) fn analyse(
    terms: &StaticTerms,
    positions: &impl StatementPositions,
    roots: &[StaticId],
) -> FxHashMap<StaticId, NodeWay> {
    let mut uses: FxHashMap<StaticId, Vec<Use>> = FxHashMap::default();
    let mut raw_parent: FxHashSet<StaticId> = FxHashSet::default();
    let mut queue: BinaryHeap<StaticId> = BinaryHeap::new();
    let mut ways = FxHashMap::default();
    let add = |queue: &mut BinaryHeap<StaticId>,
               uses: &mut FxHashMap<StaticId, Vec<Use>>,
               term: StaticId,
               one: Use| {
        if positions.is_given(term) {
            return;
        }
        uses.entry(term)
            .or_insert_with(|| {
                queue.push(term);
                Vec::new()
            })
            .push(one);
    };
    for &root in roots {
        add(&mut queue, &mut uses, root, SmallVec::from_elem(Branches::new(), 1));
    }
    while let Some(term) = queue.pop() {
        let its_uses = &uses[&term];
        let way = if most(its_uses.iter().map(|u| u.to_vec()).collect()) > 1 {
            NodeWay::Shared
        } else if raw_parent.contains(&term) {
            NodeWay::Inside
        } else {
            NodeWay::Direct
        };
        ways.insert(term, way);
        let places: Use = match way {
            NodeWay::Direct => its_uses.iter().flatten().cloned().collect(),
            _ => SmallVec::from_elem(common_prefix(its_uses), 1),
        };
        let branch = way == NodeWay::Direct && positions.is_branch(term);
        for (place, arg) in terms.args_as_written(term).into_iter().enumerate() {
            if !positions.is_eager(term, place) {
                continue;
            }
            let mut places = places.clone();
            if branch && place > 0 {
                places.iter_mut().for_each(|p| p.push((term, place == 1)));
            }
            if way != NodeWay::Direct {
                raw_parent.insert(arg);
            }
            add(&mut queue, &mut uses, arg, places);
        }
    }
    ways
}

/// The nodes that are used more than once in lazy positions of what has a way, or of `root`: they
/// are built once, apart from what stands in eager positions.
pub(super) fn used_lazily(
    terms: &StaticTerms,
    positions: &impl StatementPositions,
    ways: &FxHashMap<StaticId, NodeWay>,
    root: Option<StaticId>,
) -> Vec<StaticId> {
    let mut uses: FxHashMap<StaticId, u32> = FxHashMap::default();
    let mut queue: BinaryHeap<StaticId> = BinaryHeap::new();
    let mut several = Vec::new();
    let mut add = |queue: &mut BinaryHeap<StaticId>, term: StaticId| {
        if !positions.is_given_lazily(term) {
            let n = uses.entry(term).or_insert(0);
            *n += 1;
            match *n {
                1 => queue.push(term),
                2 => several.push(term),
                _ => {}
            }
        }
    };
    root.into_iter().for_each(|term| add(&mut queue, term));
    for &term in ways.keys() {
        for (place, arg) in terms.args_as_written(term).into_iter().enumerate() {
            if !positions.is_eager(term, place) {
                add(&mut queue, arg);
            }
        }
    }
    while let Some(term) = queue.pop() {
        terms.args_as_written(term).into_iter().for_each(|arg| add(&mut queue, arg));
    }
    several.sort();
    several
}

/// The largest number of uses that one outcome of all tests executes.
fn most(uses: Vec<Vec<Branches>>) -> usize {
    if uses.len() < 2 {
        return uses.len();
    }
    let mut sum = 0;
    let mut rest: Vec<Vec<Branches>> = Vec::new();
    for places in uses {
        if places.iter().any(|p| p.is_empty()) {
            sum += 1;
        } else {
            rest.push(places);
        }
    }
    while let Some(first) = rest.first() {
        let test = first[0][0].0;
        let (mut yes, mut no, mut other) = (Vec::new(), Vec::new(), Vec::new());
        for places in rest {
            let side = |wanted: bool| -> Vec<Branches> {
                let here = places.iter().filter(|p| p[0] == (test, wanted));
                here.map(|p| Branches::from_slice(&p[1..])).collect()
            };
            let (y, n) = (side(true), side(false));
            if y.is_empty() && n.is_empty() {
                other.push(places);
                continue;
            }
            if !y.is_empty() {
                yes.push(y);
            }
            if !n.is_empty() {
                no.push(n);
            }
        }
        sum += most(yes).max(most(no));
        rest = other;
    }
    sum
}

/// The branches that all places of all uses have in common.
fn common_prefix(uses: &[Use]) -> Branches {
    let mut places = uses.iter().flatten();
    let mut prefix = places.next().cloned().unwrap_or_default();
    for place in places {
        let same = prefix.iter().zip(place).take_while(|(a, b)| a == b).count();
        prefix.truncate(same);
    }
    prefix
}
