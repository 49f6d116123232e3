//! Prefilters at work: what is remembered of a candidate, or read off it, and then what the present
//! bindings say.

use super::{Closed, Open, PLACES, Prefilter};
use crate::heap::{Handle, Memory, PARTS};
use crate::matching::{MatchRun, Var, Verdict};

impl MatchRun<'_> {
    /// Whether a candidate may match, as far as a prefilter tells.
    #[inline]
    pub(crate) fn may_match(&mut self, prefilter: &Prefilter, candidate: Handle) -> bool {
        self.may_match_if(prefilter, candidate, &[])
    }

    /// Whether a candidate may match with these guards.
    pub(crate) fn may_match_if(
        &mut self,
        prefilter: &Prefilter,
        candidate: Handle,
        guards: &[u32],
    ) -> bool {
        let mut places = [Handle::NIL; PLACES];
        let wanted = match prefilter.join {
            Some((path, slot)) => {
                let value = self.value(slot);
                (value != Handle::NIL).then_some((path, value))
            }
            None => None,
        };
        let remembers = candidate.is_stored()
            && !prefilter.closed.is_empty()
            && usize::from(prefilter.n_places) <= PARTS;
        let mut known = false;
        if remembers
            && let Some((passes, parts)) = self.space.memory.prefiltered(prefilter.cache, candidate)
        {
            if !passes {
                return false;
            }
            places[..PARTS].copy_from_slice(parts);
            known = true;
        }
        let memory = &self.space.memory;
        if let Some((path, value)) = wanted {
            let part = if known {
                argument(memory, &places, prefilter.join_at.0, prefilter.join_at.1)
            } else {
                memory.at_path(path, candidate)
            };
            if part == Handle::NIL || !memory.equal(part, value) {
                return false;
            }
        }
        if !known {
            let passes = passes_closed(memory, prefilter, candidate, &mut places);
            if remembers {
                let mut parts = [Handle::NIL; PARTS];
                parts.copy_from_slice(&places[..PARTS]);
                self.space.memory.remember(prefilter.cache, passes, parts);
            }
            if !passes {
                return false;
            }
        }
        let held = prefilter.open.is_empty() || self.passes_open(prefilter, &places);
        held && (guards.is_empty()
            || !self.is_guarded()
            || self.passes_guards(prefilter, &places, guards))
    }

    fn passes_open(&self, prefilter: &Prefilter, places: &[Handle; PLACES]) -> bool {
        let memory = &self.space.memory;
        prefilter.open.iter().all(|check| match *check {
            Open::Bound { from, arg, slot } => match self.value(slot) {
                Handle::NIL => true,
                value => memory.equal(argument(memory, places, from, arg), value),
            },
            Open::Var { from, arg, var } => match self.value(var.slot) {
                Handle::NIL => self.may_have_sort(argument(memory, places, from, arg), var),
                value => memory.equal(argument(memory, places, from, arg), value),
            },
            Open::Member { at, symbol, slot, collapses } => match self.value(slot) {
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
        })
    }

    /// Whether no guard is known to fail, as far as the candidate's variables can be read off.
    fn passes_guards(
        &self,
        prefilter: &Prefilter,
        places: &[Handle; PLACES],
        guards: &[u32],
    ) -> bool {
        let memory = &self.space.memory;
        let register = |slot: u32| match prefilter.own.iter().find(|own| own.slot == slot) {
            Some(own) => argument(memory, places, own.from, own.arg),
            None => self.value(slot),
        };
        guards.iter().all(|&index| {
            let guard = self.pattern.guard(index);
            guard.verdict_of(memory, &register) != Verdict::No
        })
    }

    #[inline(always)]
    fn may_have_sort(&self, term: Handle, var: Var) -> bool {
        self.space.memory.known_sort(term).is_none_or(|index| {
            index == var.sort.index
                || self.space.signature.kind(var.sort.kind).leq(index, var.sort.index)
        })
    }
}

/// Whether a term is an argument of a multiset.
fn is_member(memory: &Memory, set: Handle, term: Handle) -> bool {
    memory.elements(set).has_handle(term) || memory.find_element(set, term).is_some()
}

/// An argument of what stands in a place.
#[inline(always)]
fn argument(memory: &Memory, places: &[Handle; PLACES], from: u8, arg: u16) -> Handle {
    memory.fixed_arg(places[usize::from(from) % PLACES], usize::from(arg))
}

/// Whether a candidate passes what needs no values; fills the places.
fn passes_closed(
    memory: &Memory,
    prefilter: &Prefilter,
    candidate: Handle,
    places: &mut [Handle; PLACES],
) -> bool {
    places[0] = candidate;
    prefilter.closed.iter().all(|check| match *check {
        Closed::Symbol { from, arg, symbol, to } => {
            let h = argument(memory, places, from, arg);
            places[usize::from(to) % PLACES] = h;
            memory.symbol(h) == symbol
        }
        Closed::Load { from, arg, to } => {
            places[usize::from(to) % PLACES] = argument(memory, places, from, arg);
            true
        }
        Closed::Ground { from, arg, term } => {
            memory.equal(argument(memory, places, from, arg), term)
        }
        Closed::Equal { at, term } => memory.equal(places[usize::from(at) % PLACES], term),
        Closed::Set { at, symbol, ref symbols, to } => {
            let set = places[usize::from(at) % PLACES];
            if memory.symbol(set) != symbol {
                return false;
            }
            let elements = memory.elements(set);
            if elements.len() != symbols.len() {
                return false;
            }
            for (i, (&s, (element, multiplicity))) in
                symbols.iter().zip(elements.iter()).enumerate()
            {
                let h = memory.resolve(element);
                if multiplicity != 1 || memory.symbol(h) != s {
                    return false;
                }
                places[(usize::from(to) + i) % PLACES] = h;
            }
            true
        }
        Closed::Iterated { at, symbol, count } => {
            let h = places[usize::from(at) % PLACES];
            match h.as_nat() {
                Some(n) => u64::from(n) >= count,
                None => {
                    memory.symbol(h) == symbol && memory.small_count(h).is_none_or(|n| n >= count)
                }
            }
        }
        Closed::Size { at, symbol, identity, least, most } => {
            let h = places[usize::from(at) % PLACES];
            let size = if memory.symbol(h) == symbol {
                let singles = memory.elements(h).len() as u64;
                // Multiplicities matter only where there are too few different arguments, or
                // may be too many.
                if least <= singles && most == u64::MAX { singles } else { memory.total_args(h) }
            } else {
                u64::from(identity == Handle::NIL || !memory.equal(h, identity))
            };
            least <= size && size <= most
        }
    })
}
