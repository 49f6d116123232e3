//! Multiset patterns that are matched place by place.
//!
//! A pattern without variables of its own and without extension, all of whose arguments have
//! different operators that nothing replaces, fits only a multiset with one argument for each of
//! them. Both sides are sorted by operator, so each argument has one place that is known beforehand:
//! the attributes of an object are the usual case.

use crate::heap::{Handle, Memory};
use crate::id::SymbolId;
use crate::matching::{AcAlien, MatchRun, MultiNode};

/// Patterns with more arguments than this are matched like others.
const MOST_PLACES: usize = 256;

/// The places of the arguments of such a pattern.
#[derive(Debug)]
pub(crate) struct FixedSet {
    /// The operators of the arguments, by rank.
    pub(crate) symbols: Box<[SymbolId]>,
    /// The ranks of the ground arguments.
    pub(crate) ground: Box<[u16]>,
    /// The ranks of the aliens.
    pub(crate) aliens: Box<[u16]>,
}

impl FixedSet {
    /// The places of a pattern that has these arguments and no others, if each has its own.
    pub(crate) fn of(
        memory: &Memory,
        ground: &[(Handle, u32)],
        aliens: &[AcAlien],
    ) -> Option<FixedSet> {
        if ground.len() + aliens.len() > MOST_PLACES {
            return None;
        }
        let mut symbols: Vec<SymbolId> = Vec::new();
        for &(term, multiplicity) in ground {
            symbols.push(Some(memory.symbol(term)).filter(|_| multiplicity == 1)?);
        }
        for alien in aliens {
            symbols.push(alien.symbol.filter(|_| alien.multiplicity == 1)?);
        }
        let mut sorted = symbols.clone();
        sorted.sort_by(|&a, &b| memory.compare_symbols(a, b));
        if symbols.is_empty() || sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        let rank = |s: &SymbolId| sorted.iter().position(|t| t == s).map(|rank| rank as u16);
        let ranks: Vec<u16> = symbols.iter().filter_map(rank).collect();
        let (ground, aliens) = ranks.split_at(ground.len());
        let (ground, aliens) = (ground.into(), aliens.into());
        Some(FixedSet { symbols: sorted.into(), ground, aliens })
    }

    /// Whether a normal multiset has one argument for each place.
    #[inline(always)]
    pub(crate) fn fits(&self, memory: &Memory, subject: Handle) -> bool {
        let elements = memory.elements(subject);
        elements.len() == self.symbols.len()
            && elements.iter().zip(&self.symbols).all(|((element, multiplicity), &symbol)| {
                multiplicity == 1 && memory.symbol(memory.resolve(element)) == symbol
            })
    }
}

impl MatchRun<'_> {
    /// Matches a multiset headed by the pattern's operator place by place.
    pub(super) fn propagate_fixed(
        &mut self,
        node: &MultiNode,
        fixed: &FixedSet,
        subject: Handle,
    ) -> bool {
        let memory = &self.space.memory;
        if !fixed.fits(memory, subject) {
            return false;
        }
        for (&(term, _), &rank) in node.ground.iter().zip(&fixed.ground) {
            if !memory.equal(term, memory.arg(subject, usize::from(rank))) {
                return false;
            }
        }
        let mut with_tasks = false;
        for (alien, &rank) in node.aliens.iter().zip(&fixed.aliens) {
            let out = self.matcher.out.len();
            let arg = self.space.memory.arg(subject, usize::from(rank));
            if !self.propagate(alien.node, arg) {
                return false;
            }
            let has_tasks = self.matcher.out.len() > out;
            // With fewer variables bound an earlier alien's tasks might come at another place.
            self.matcher.ambiguous |= has_tasks && with_tasks;
            with_tasks |= has_tasks;
        }
        true
    }
}
