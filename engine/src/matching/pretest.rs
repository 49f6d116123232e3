//! Tests that a candidate of an alien passes before it is matched.
//!
//! An AC pattern asks of many arguments of a soup whether they match, and nearly all fail. A
//! *pretest* is a straight sequence of checks read off the compiled alien: operators, ground parts,
//! variables that have values, the places of fixed attribute sets, sizes of small sets. It binds
//! nothing and leaves nothing behind, and it only turns down what certainly does not match with the
//! present bindings; what passes is then matched.

use num_traits::ToPrimitive;

use super::machine::Run;
use super::{FreeNode, IterNode, MultiNode, Node, NodeId, Step, UNBOUNDED, Var};
use crate::heap::{Column, Handle, Hop, Memory, OutlookId, PARTS, PathId};
use crate::id::SymbolId;
use crate::signature::Signature;

/// How many terms a pretest looks into at most; what is beyond is not tested.
const PLACES: usize = 16;

/// One check. Terms that are looked into stand in numbered places; place 0 is the candidate.
#[derive(Debug)]
enum Check {
    /// The argument is headed by the symbol; it is put into place `to`.
    Symbol { from: u8, arg: u16, symbol: SymbolId, to: u8 },
    /// The argument is put into place `to`.
    Load { from: u8, arg: u16, to: u8 },
    /// The argument is a ground term.
    Ground { from: u8, arg: u16, term: Handle },
    /// The argument is the value of a variable, if that has one.
    Bound { from: u8, arg: u16, slot: u32 },
    /// The argument is the value of a variable, or may become it.
    Var { from: u8, arg: u16, var: Var },
    /// What stands in a place is a ground term.
    Equal { at: u8, term: Handle },
    /// The multiset in a place has one argument for each symbol; they are put into the places from
    /// `to` on.
    Set { at: u8, symbol: SymbolId, symbols: Box<[SymbolId]>, to: u8 },
    /// What stands in a place is the symbol applied `count` times or more often.
    Iterated { at: u8, symbol: SymbolId, count: u64 },
    /// The multiset in a place, or the argument that stands for one, has so many arguments.
    Size { at: u8, symbol: SymbolId, identity: Handle, least: u64, most: u64 },
    /// The value of a variable, if it has one, is an argument of the multiset in a place, or what
    /// stands there.
    Member { at: u8, symbol: SymbolId, slot: u32, collapses: bool },
}

/// The checks of an alien.
#[derive(Debug, Default)]
pub(crate) struct Pretest {
    /// Where a variable stands that probably has a value; it is looked at first.
    join: Option<(PathId, u32)>,
    /// The last step of the join's path, from a place.
    join_at: (u8, u16),
    /// What needs no values; fills the places.
    closed: Box<[Check]>,
    n_places: u8,
    /// What the closed checks came to is remembered under this number.
    outlook: OutlookId,
    /// What needs values of variables.
    open: Box<[Check]>,
    /// Where variables stand, for the guards.
    own: Box<[(u32, u8, u16)]>,
}

/// What a pattern knows of its variables.
pub(super) struct Prospects<'a> {
    pub(super) signature: &'a Signature,
    /// Registers that probably have values when the alien is matched.
    pub(super) likely: Vec<u32>,
    /// Registers that certainly have none: those of variables that occur nowhere else.
    pub(super) fresh: Vec<u32>,
}

/// A pretest under compilation.
struct Reader<'a> {
    prospects: &'a Prospects<'a>,
    /// The ways to the places.
    paths: Vec<Vec<Hop>>,
    join: Option<(Vec<Hop>, u32, u8, u16)>,
    nodes: &'a [Node],
    closed: Vec<Check>,
    open: Vec<Check>,
    own: Vec<(u32, u8, u16)>,
    /// Checks that cost more, and come last.
    late: Vec<Check>,
    n_places: u8,
}

impl Pretest {
    /// Whether it tests nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.join.is_none() && self.closed.is_empty() && self.open.is_empty()
    }

    /// The pretest of a node whose subjects are headed by `symbol`.
    pub(super) fn of(
        memory: &mut Memory,
        prospects: &Prospects<'_>,
        nodes: &[Node],
        node: NodeId,
        symbol: SymbolId,
    ) -> Pretest {
        let mut reader = Reader {
            prospects,
            paths: vec![vec![Hop::Head(symbol)]],
            join: None,
            nodes,
            closed: Vec::new(),
            open: Vec::new(),
            own: Vec::new(),
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
        let join = reader.join.map(|(path, slot, ..)| (memory.path(path), slot));
        Pretest {
            join,
            join_at,
            closed: reader.closed.into(),
            n_places: reader.n_places,
            outlook: memory.new_outlook(),
            open: reader.open.into(),
            own: reader.own.into(),
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

    /// Notes the way to the next place.
    fn go(&mut self, from: u8, hop: Hop) {
        let mut path = self.paths[usize::from(from)].clone();
        path.push(hop);
        self.paths.push(path);
    }

    fn read(&mut self, node: NodeId, at: u8, waiting: &mut Vec<(NodeId, u8)>) {
        let nodes = self.nodes;
        match &nodes[node as usize] {
            Node::Ground(term) => self.closed.push(Check::Equal { at, term: *term }),
            Node::Capture(_, inner) | Node::Relying(_, inner, _) => waiting.push((*inner, at)),
            Node::Free(free) => {
                self.read_free(free, at, waiting);
            }
            Node::Iter(iter) if !iter.extension => self.read_iter(iter, at),
            Node::Multi(multi) => self.read_multi(multi, at, waiting),
            _ => {}
        }
    }

    fn read_free(&mut self, free: &FreeNode, at: u8, waiting: &mut Vec<(NodeId, u8)>) {
        // Where the terms in the skeleton's places stand here, and their symbols.
        let mut places: Vec<(u16, u8, SymbolId)> = vec![(0, at, free.symbol)];
        let find = |places: &[(u16, u8, SymbolId)], place: u16| {
            places.iter().find(|p| p.0 == place).map(|p| p.1)
        };
        for step in &free.steps {
            match *step {
                Step::Symbol { from, arg, symbol, to } => {
                    let Some(from) = find(&places, from) else { continue };
                    let Some(place) = self.take_places(1) else { continue };
                    self.closed.push(Check::Symbol { from, arg, symbol, to: place });
                    self.go(from, Hop::Symbol(arg, symbol));
                    places.push((to, place, symbol));
                }
                Step::Alien { from, arg, to } => {
                    let Some(from) = find(&places, from) else { continue };
                    let Some(place) = self.take_places(1) else { continue };
                    self.closed.push(Check::Load { from, arg, to: place });
                    self.go(from, Hop::Arg(arg));
                    places.push((to, place, free.symbol));
                }
                Step::Ground { from, arg, term } => {
                    if let Some(from) = find(&places, from) {
                        self.closed.push(Check::Ground { from, arg, term });
                    }
                }
                Step::Var { from, arg, var } => {
                    if let Some(&(_, from, symbol)) = places.iter().find(|p| p.0 == from) {
                        let slot = var.slot;
                        self.own.push((slot, from, arg));
                        if self.join.is_none() && self.prospects.likely.contains(&slot) {
                            let mut path = self.paths[usize::from(from)].clone();
                            path.push(Hop::Arg(arg));
                            self.join = Some((path, slot, from, arg));
                            continue;
                        }
                        let sure = self.is_sure(symbol, arg, var);
                        if !sure {
                            self.open.push(Check::Var { from, arg, var });
                        } else if !self.prospects.fresh.contains(&slot) {
                            self.open.push(Check::Bound { from, arg, slot });
                        }
                    }
                }
                Step::Capture { .. } => {}
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
        if let Some(count) = iter.count.to_u64() {
            self.closed.push(Check::Iterated { at, symbol: iter.symbol, count });
        }
    }

    fn read_multi(&mut self, multi: &MultiNode, at: u8, waiting: &mut Vec<(NodeId, u8)>) {
        let symbol = multi.symbol;
        if let Some(fixed) = &multi.fixed {
            let Some(to) = self.take_places(fixed.symbols.len()) else { return };
            self.closed.push(Check::Set { at, symbol, symbols: fixed.symbols.clone(), to });
            let n = fixed.symbols.len() as u16;
            for (rank, &top) in (0..n).zip(&fixed.symbols) {
                self.go(at, Hop::Rank { set: symbol, n, rank, symbol: top });
            }
            for (&(term, _), &rank) in multi.ground.iter().zip(&fixed.ground) {
                self.closed.push(Check::Equal { at: to + rank as u8, term });
            }
            let aliens = multi.aliens.iter().zip(&fixed.aliens);
            waiting.extend(aliens.rev().map(|(alien, &rank)| (alien.node, to + rank as u8)));
            return;
        }
        let simple = !multi.extension
            && multi.aliens.is_empty()
            && multi.ground.is_empty()
            && multi.collectors.iter().all(|c| c.alien.is_none());
        if !simple {
            return;
        }
        let (mut least, mut most) = (0u64, Some(0u64));
        for c in &multi.collectors {
            least += u64::from(c.multiplicity) * u64::from(c.low);
            most = most.filter(|_| c.high != UNBOUNDED);
            most = most.map(|most| most + u64::from(c.multiplicity) * u64::from(c.high));
        }
        let most = most.unwrap_or(u64::MAX);
        self.closed.push(Check::Size { at, symbol, identity: multi.identity, least, most });
        for c in multi.collectors.iter().filter(|c| c.low == 1 && c.high == 1) {
            let slot = c.var.slot;
            let collapses = multi.collapse.is_some();
            self.late.push(Check::Member { at, symbol, slot, collapses });
        }
    }
}

impl Run<'_> {
    /// What tells by rank which arguments of a multiset have the wanted part, if that is known.
    #[inline]
    pub(crate) fn sieve(&mut self, pretest: &Pretest, multiset: Handle) -> Sieve {
        let Some((path, slot)) = pretest.join else { return Sieve(None) };
        let value = self.value(slot);
        if value == Handle::NIL {
            return Sieve(None);
        }
        let column = self.engine.memory.column(multiset, path, value);
        Sieve(column.map(|column| (column, value)))
    }

    /// Whether a candidate may match, as far as a pretest tells.
    #[inline]
    pub(crate) fn may_match(&mut self, pretest: &Pretest, candidate: Handle) -> bool {
        self.may_match_if(pretest, candidate, &[])
    }

    /// Whether a candidate may match with these guards.
    pub(crate) fn may_match_if(
        &mut self,
        pretest: &Pretest,
        candidate: Handle,
        guards: &[u16],
    ) -> bool {
        let mut places = [Handle::NIL; PLACES];
        let wanted = match pretest.join {
            Some((path, slot)) => {
                let value = self.value(slot);
                (value != Handle::NIL).then_some((path, value))
            }
            None => None,
        };
        let remembers = candidate.is_stored()
            && !pretest.closed.is_empty()
            && usize::from(pretest.n_places) <= PARTS;
        let mut known = false;
        if remembers
            && let Some((passes, parts)) = self.engine.memory.outlook(pretest.outlook, candidate)
        {
            if !passes {
                return false;
            }
            places[..PARTS].copy_from_slice(parts);
            known = true;
        }
        let memory = &self.engine.memory;
        if let Some((path, value)) = wanted {
            let part = if known {
                argument(memory, &places, pretest.join_at.0, pretest.join_at.1)
            } else {
                memory.at_path(path, candidate)
            };
            if part == Handle::NIL || !memory.equal(part, value) {
                return false;
            }
        }
        if !known {
            let passes = passes_closed(memory, pretest, candidate, &mut places);
            if remembers {
                let mut parts = [Handle::NIL; PARTS];
                parts.copy_from_slice(&places[..PARTS]);
                self.engine.memory.remember(pretest.outlook, passes, parts);
            }
            if !passes {
                return false;
            }
        }
        let held = pretest.open.is_empty() || self.passes_open(pretest, &places);
        held && (guards.is_empty()
            || !self.is_guarded()
            || self.passes_guards(pretest, &places, guards))
    }

    fn passes_open(&self, pretest: &Pretest, places: &[Handle; PLACES]) -> bool {
        let memory = &self.engine.memory;
        pretest.open.iter().all(|check| match *check {
            Check::Bound { from, arg, slot } => match self.value(slot) {
                Handle::NIL => true,
                value => memory.equal(argument(memory, places, from, arg), value),
            },
            Check::Var { from, arg, var } => match self.value(var.slot) {
                Handle::NIL => self.may_have_sort(argument(memory, places, from, arg), var),
                value => memory.equal(argument(memory, places, from, arg), value),
            },
            Check::Member { at, symbol, slot, collapses } => match self.value(slot) {
                Handle::NIL => true,
                value => {
                    let h = places[usize::from(at) % PLACES];
                    if memory.symbol(h) == symbol {
                        is_member(memory, h, value)
                    } else {
                        collapses && memory.equal(h, value)
                    }
                }
            },
            _ => unreachable!("the check needs no value"),
        })
    }

    /// Whether no guard is known to fail, as far as the candidate's variables can be read off.
    fn passes_guards(&self, pretest: &Pretest, places: &[Handle; PLACES], guards: &[u16]) -> bool {
        let memory = &self.engine.memory;
        let register = |slot: u32| match pretest.own.iter().find(|own| own.0 == slot) {
            Some(&(_, from, arg)) => argument(memory, places, from, arg),
            None => self.value(slot),
        };
        guards.iter().all(|&index| {
            let guard = self.pattern.guard(index);
            guard.verdict_of(memory, &register) != super::Verdict::No
        })
    }

    #[inline(always)]
    fn may_have_sort(&self, term: Handle, var: Var) -> bool {
        self.engine.memory.known_sort(term).is_none_or(|index| {
            index == var.sort.index
                || self.engine.signature.kind(var.sort.kind).leq(index, var.sort.index)
        })
    }
}

/// Which arguments of a multiset have a wanted part.
pub(crate) struct Sieve(Option<(Column, Handle)>);

impl Sieve {
    /// Whether the argument at a rank may have it.
    #[inline(always)]
    pub(crate) fn admits(&self, rank: u32) -> bool {
        self.0.as_ref().is_none_or(|(column, value)| column[rank as usize] == *value)
    }

    /// Whether nothing is known.
    pub(crate) fn is_open(&self) -> bool {
        self.0.is_none()
    }
}

/// Whether a term is an argument of a multiset.
fn is_member(memory: &Memory, set: Handle, term: Handle) -> bool {
    let pairs = memory.pairs(set);
    if pairs.chunks_exact(2).any(|pair| pair[0] == term.0) {
        return true;
    }
    memory.find_element(set, term).is_some()
}

/// An argument of what stands in a place.
#[inline(always)]
fn argument(memory: &Memory, places: &[Handle; PLACES], from: u8, arg: u16) -> Handle {
    memory.fixed_arg(places[usize::from(from) % PLACES], usize::from(arg))
}

/// Whether a candidate passes what needs no values; fills the places.
fn passes_closed(
    memory: &Memory,
    pretest: &Pretest,
    candidate: Handle,
    places: &mut [Handle; PLACES],
) -> bool {
    places[0] = candidate;
    pretest.closed.iter().all(|check| match *check {
        Check::Symbol { from, arg, symbol, to } => {
            let h = argument(memory, places, from, arg);
            places[usize::from(to) % PLACES] = h;
            memory.symbol(h) == symbol
        }
        Check::Load { from, arg, to } => {
            places[usize::from(to) % PLACES] = argument(memory, places, from, arg);
            true
        }
        Check::Ground { from, arg, term } => {
            memory.equal(argument(memory, places, from, arg), term)
        }
        Check::Equal { at, term } => memory.equal(places[usize::from(at) % PLACES], term),
        Check::Set { at, symbol, ref symbols, to } => {
            let set = places[usize::from(at) % PLACES];
            if memory.symbol(set) != symbol {
                return false;
            }
            let pairs = memory.pairs(set);
            if pairs.len() != 2 * symbols.len() {
                return false;
            }
            for (i, &s) in symbols.iter().enumerate() {
                let h = memory.resolve(Handle(pairs[2 * i]));
                if pairs[2 * i + 1] != 1 || memory.symbol(h) != s {
                    return false;
                }
                places[(usize::from(to) + i) % PLACES] = h;
            }
            true
        }
        Check::Iterated { at, symbol, count } => {
            let h = places[usize::from(at) % PLACES];
            match h.as_nat() {
                Some(n) => u64::from(n) >= count,
                None => {
                    memory.symbol(h) == symbol && memory.small_count(h).is_none_or(|n| n >= count)
                }
            }
        }
        Check::Size { at, symbol, identity, least, most } => {
            let h = places[usize::from(at) % PLACES];
            let size = if memory.symbol(h) == symbol {
                let pairs = memory.pairs(h);
                let singles = pairs.len() as u64 / 2;
                // Multiplicities matter only where there are too few different arguments, or
                // may be too many.
                if least <= singles && most == u64::MAX { singles } else { memory.total_args(h) }
            } else {
                u64::from(identity == Handle::NIL || !memory.equal(h, identity))
            };
            least <= size && size <= most
        }
        _ => unreachable!("the check needs values"),
    })
}
