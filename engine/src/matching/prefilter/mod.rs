//! Tests that a candidate of an alien passes before it is matched.
//!
//! An AC pattern asks of many arguments of a soup whether they match, and nearly all fail. A
//! *prefilter* is a straight sequence of checks read off the compiled alien: operators, ground parts,
//! variables that have values, the places of fixed attribute sets, sizes of small sets. It binds
//! nothing and leaves nothing behind, and it only turns down what certainly does not match with the
//! present bindings; what passes is then matched.

mod candidate_filter;
mod run;

pub(crate) use candidate_filter::CandidateFilter;

use super::{FreeCheck, FreeNode, IterNode, MultiNode, PatternNode, PatternNodeId, UNBOUNDED, Var};
use crate::heap::{Handle, Hop, Memory, PathId, PrefilterCacheId};
use crate::id::SymbolId;
use crate::signature::Signature;

/// How many terms a prefilter looks into at most; what is beyond is not tested.
const PLACES: usize = 16;

/// A check that needs no values. Terms that are looked into stand in numbered places; place 0 is the
/// candidate.
#[derive(Debug)]
enum Closed {
    /// The argument is headed by the symbol; it is put into place `to`.
    Symbol { from: u8, arg: u16, symbol: SymbolId, to: u8 },
    /// The argument is put into place `to`.
    Load { from: u8, arg: u16, to: u8 },
    /// The argument is a ground term.
    Ground { from: u8, arg: u16, term: Handle },
    /// What stands in a place is a ground term.
    Equal { at: u8, term: Handle },
    /// The multiset in a place has one argument for each symbol; they are put into the places from
    /// `to` on.
    Set { at: u8, symbol: SymbolId, symbols: Box<[SymbolId]>, to: u8 },
    /// What stands in a place is the symbol applied `count` times or more often.
    Iterated { at: u8, symbol: SymbolId, count: u64 },
    /// The multiset in a place, or the argument that stands for one, has so many arguments.
    Size { at: u8, symbol: SymbolId, identity: Handle, least: u64, most: u64 },
}

/// A check that needs values of variables.
#[derive(Debug)]
enum Open {
    /// The argument is the value of a variable, if that has one.
    Bound { from: u8, arg: u16, slot: u32 },
    /// The argument is the value of a variable, or may become it.
    Var { from: u8, arg: u16, var: Var },
    /// The value of a variable, if it has one, is an argument of the multiset in a place, or what
    /// stands there.
    Member { at: u8, symbol: SymbolId, slot: u32, collapses: bool },
}

/// The checks of an alien.
#[derive(Debug, Default)]
pub(crate) struct Prefilter {
    /// Where a variable stands that probably has a value; it is looked at first.
    join: Option<(PathId, u32)>,
    /// The last step of the join's path, from a place.
    join_at: (u8, u16),
    /// What needs no values; fills the places.
    closed: Box<[Closed]>,
    n_places: u8,
    /// What the closed checks came to is remembered under this number.
    cache: PrefilterCacheId,
    /// What needs values of variables.
    open: Box<[Open]>,
    /// Where variables stand.
    own: Box<[Own]>,
    /// Variables whose values, if they have any, stand at the end of a path.
    joins: Box<[(PathId, u32)]>,
}

/// A variable of a candidate: where it is read off, and the way there.
#[derive(Debug)]
struct Own {
    slot: u32,
    from: u8,
    arg: u16,
    path: PathId,
}

/// What a pattern knows of its variables.
pub(super) struct Prospects<'a> {
    pub(super) signature: &'a Signature,
    /// Whether the register of a variable of the alien probably has a value when it is matched.
    pub(super) is_likely: &'a dyn Fn(u32) -> bool,
    /// Whether it certainly has none: the variable occurs nowhere else.
    pub(super) is_fresh: &'a dyn Fn(u32) -> bool,
}

/// A prefilter under compilation.
struct Reader<'a> {
    prospects: &'a Prospects<'a>,
    /// The ways to the places.
    paths: Vec<Vec<Hop>>,
    join: Option<(Vec<Hop>, u32, u8, u16)>,
    nodes: &'a [PatternNode],
    closed: Vec<Closed>,
    open: Vec<Open>,
    own: Vec<(u32, u8, u16)>,
    /// The ways to variables that may have values.
    joins: Vec<(Vec<Hop>, u32)>,
    /// Checks that cost more, and come last.
    late: Vec<Open>,
    n_places: u8,
}

impl Prefilter {
    /// Whether it tests nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.join.is_none() && self.closed.is_empty() && self.open.is_empty()
    }

    /// The prefilter of a node whose subjects are headed by `symbol`.
    pub(super) fn of(
        memory: &mut Memory,
        prospects: &Prospects<'_>,
        nodes: &[PatternNode],
        node: PatternNodeId,
        symbol: SymbolId,
    ) -> Prefilter {
        let mut reader = Reader {
            prospects,
            paths: vec![vec![Hop::Head(symbol)]],
            join: None,
            nodes,
            closed: Vec::new(),
            open: Vec::new(),
            own: Vec::new(),
            joins: Vec::new(),
            late: Vec::new(),
            n_places: 1,
        };
        // Nodes that wait, with the places of their subjects.
        let mut waiting = vec![(node, 0)];
        while let Some((node, at)) = waiting.pop() {
            reader.read(node, at, &mut waiting);
        }
        reader.open.append(&mut reader.late);
        let join_at = reader.join.as_ref().map_or((0, 0), |join| (join.2, join.3));
        let own = reader.own.iter().map(|&(slot, from, arg)| {
            let path = memory.path(reader.path_to(from, Hop::Arg(arg)));
            Own { slot, from, arg, path }
        });
        let own = own.collect();
        let joins = reader.joins.into_iter().map(|(path, slot)| (memory.path(path), slot));
        let joins = joins.collect();
        let join = reader.join.map(|(path, slot, ..)| (memory.path(path), slot));
        Prefilter {
            join,
            join_at,
            closed: reader.closed.into(),
            n_places: reader.n_places,
            cache: memory.new_prefilter_cache(),
            open: reader.open.into(),
            own,
            joins,
        }
    }
}

impl Reader<'_> {
    /// Takes `n` places, if there are so many left.
    fn take_places(&mut self, n: usize) -> Option<u8> {
        let from = self.n_places;
        let to = usize::from(from) + n;
        (to <= PLACES).then(|| {
            self.n_places = to as u8;
            from
        })
    }

    /// The way from a place by one more step.
    fn path_to(&self, from: u8, hop: Hop) -> Vec<Hop> {
        let mut path = self.paths[usize::from(from)].clone();
        path.push(hop);
        path
    }

    /// Notes the way to the next place.
    fn go(&mut self, from: u8, hop: Hop) {
        let path = self.path_to(from, hop);
        self.paths.push(path);
    }

    fn read(&mut self, node: PatternNodeId, at: u8, waiting: &mut Vec<(PatternNodeId, u8)>) {
        let nodes = self.nodes;
        match &nodes[node as usize] {
            PatternNode::Ground(term) => self.closed.push(Closed::Equal { at, term: *term }),
            PatternNode::Capture(_, inner)
            | PatternNode::Relying(_, inner, _)
            | PatternNode::Deep(inner) => {
                waiting.push((*inner, at));
            }
            PatternNode::Free(free) => {
                self.read_free(free, at, waiting);
            }
            PatternNode::Iter(iter) if !iter.extension => self.read_iter(iter, at),
            PatternNode::Multi(multi) => self.read_multi(multi, at, waiting),
            _ => {}
        }
    }

    fn read_free(&mut self, free: &FreeNode, at: u8, waiting: &mut Vec<(PatternNodeId, u8)>) {
        // Where the terms in the skeleton's places stand here, and their symbols.
        let mut places: Vec<(u16, u8, SymbolId)> = vec![(0, at, free.symbol)];
        let find = |places: &[(u16, u8, SymbolId)], place: u16| {
            places.iter().find(|p| p.0 == place).map(|p| p.1)
        };
        for step in &free.steps {
            match *step {
                FreeCheck::Symbol { from, arg, symbol, to } => {
                    let Some(from) = find(&places, from) else { continue };
                    let Some(place) = self.take_places(1) else { continue };
                    self.closed.push(Closed::Symbol { from, arg, symbol, to: place });
                    self.go(from, Hop::Symbol(arg, symbol));
                    places.push((to, place, symbol));
                }
                FreeCheck::Alien { from, arg, to } => {
                    let Some(from) = find(&places, from) else { continue };
                    let Some(place) = self.take_places(1) else { continue };
                    self.closed.push(Closed::Load { from, arg, to: place });
                    self.go(from, Hop::Arg(arg));
                    places.push((to, place, free.symbol));
                }
                FreeCheck::Ground { from, arg, term } => {
                    if let Some(from) = find(&places, from) {
                        self.closed.push(Closed::Ground { from, arg, term });
                    }
                }
                FreeCheck::Var { from, arg, var } => {
                    if let Some(&(_, from, symbol)) = places.iter().find(|p| p.0 == from) {
                        let slot = var.slot;
                        self.own.push((slot, from, arg));
                        if !(self.prospects.is_fresh)(slot) {
                            self.joins.push((self.path_to(from, Hop::Arg(arg)), slot));
                        }
                        if self.join.is_none() && (self.prospects.is_likely)(slot) {
                            let path = self.path_to(from, Hop::Arg(arg));
                            self.join = Some((path, slot, from, arg));
                            continue;
                        }
                        let sure = self.is_sure(symbol, arg, var);
                        if !sure {
                            self.open.push(Open::Var { from, arg, var });
                        } else if !(self.prospects.is_fresh)(slot) {
                            self.open.push(Open::Bound { from, arg, slot });
                        }
                    }
                }
                FreeCheck::Capture { .. } => {}
            }
        }
        for &(place, alien) in free.aliens.iter().rev() {
            if let Some(at) = find(&places, place) {
                waiting.push((alien, at));
            }
        }
    }

    /// Whether whatever stands in an argument place has the sort of a variable, or only terms without
    /// a sort do not.
    fn is_sure(&self, symbol: SymbolId, arg: u16, var: Var) -> bool {
        let declarations = &self.prospects.signature.symbol(symbol).declarations;
        var.sort.index == 0
            || matches!(&declarations[..], [only]
                if self.prospects.signature.leq(only.args[usize::from(arg)], var.sort))
    }

    fn read_iter(&mut self, iter: &IterNode, at: u8) {
        if let Ok(count) = u64::try_from(&iter.count) {
            self.closed.push(Closed::Iterated { at, symbol: iter.symbol, count });
        }
    }

    fn read_multi(&mut self, multi: &MultiNode, at: u8, waiting: &mut Vec<(PatternNodeId, u8)>) {
        let symbol = multi.symbol;
        if let Some(fixed) = &multi.fixed {
            let Some(to) = self.take_places(fixed.symbols.len()) else { return };
            self.closed.push(Closed::Set { at, symbol, symbols: fixed.symbols.clone(), to });
            let n = fixed.symbols.len() as u16;
            for (rank, &top) in (0..n).zip(&fixed.symbols) {
                self.go(at, Hop::Rank { set: symbol, n, rank, symbol: top });
            }
            for (&(term, _), &rank) in multi.ground.iter().zip(&fixed.ground) {
                self.closed.push(Closed::Equal { at: to + rank as u8, term });
            }
            let aliens = multi.aliens.iter().zip(&fixed.aliens);
            waiting.extend(aliens.rev().map(|(alien, &rank)| (alien.node, to + rank as u8)));
            return;
        }
        let simple = !multi.extension
            && multi.aliens.is_empty()
            && multi.ground.is_empty()
            && multi.multiset_variables.iter().all(|c| c.alien.is_none());
        if !simple {
            return;
        }
        let (mut least, mut most) = (0u64, Some(0u64));
        for c in &multi.multiset_variables {
            least += u64::from(c.multiplicity) * u64::from(c.low);
            most = most.filter(|_| c.high != UNBOUNDED);
            most = most.map(|most| most + u64::from(c.multiplicity) * u64::from(c.high));
        }
        let most = most.unwrap_or(u64::MAX);
        self.closed.push(Closed::Size { at, symbol, identity: multi.identity, least, most });
        for c in multi.multiset_variables.iter().filter(|c| c.low == 1 && c.high == 1) {
            let slot = c.var.slot;
            let collapses = multi.collapse.is_some();
            if !(self.prospects.is_fresh)(slot) {
                let members = Hop::Members { set: symbol, collapses };
                self.joins.push((self.path_to(at, members), slot));
            }
            self.late.push(Open::Member { at, symbol, slot, collapses });
        }
    }
}
