//! AC and ACU patterns.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::{PatternCompiler, sequence};
use crate::id::{StaticId, SymbolId};
use crate::matching::assoc_comm::FixedSet;
use crate::matching::bounds::UNBOUNDED;
use crate::matching::prefilter::{Prefilter, Prospects};
use crate::matching::sets::Set;
use crate::matching::{
    AcAlien, AcGreedy, FreeCheck, MultiNode, PatternNode, PatternNodeId, TopVariable,
    UnreducedParts, greedy,
};

impl PatternCompiler<'_> {
    pub(super) fn multi(
        &mut self,
        t: StaticId,
        known: Set,
        extension: bool,
        root: bool,
    ) -> PatternNodeId {
        let args = self.analysis.elements(t);
        self.multi_of(self.analysis.symbol(t), (t, &args), known, extension, root)
    }

    pub(super) fn multi_of(
        &mut self,
        symbol: SymbolId,
        (t, args): (StaticId, &[(StaticId, u32)]),
        known: Set,
        extension: bool,
        root: bool,
    ) -> PatternNodeId {
        let (mut ground, mut multiset_variables, mut aliens) = (Vec::new(), Vec::new(), Vec::new());
        let (mut loose, mut abstracted) = (extension, false);
        let only_args: Vec<StaticId> = args.iter().map(|a| a.0).collect();
        let shared = self.begin_shared(&only_args, known);
        for &(x, multiplicity) in args {
            if self.analysis.terms.is_ground(x) {
                ground.push((self.ground(x), multiplicity));
            } else if self.analysis.is_variable(x) {
                loose |= self.analysis.is_open(x, known);
                multiset_variables.push(self.top_variable(symbol, x, multiplicity, true, known));
            } else if self.analysis.is_flexible(x, symbol, known) {
                loose = true;
                abstracted = true;
                multiset_variables.push(self.top_variable(symbol, x, multiplicity, true, known));
            } else {
                aliens.push((x, multiplicity));
            }
        }
        let in_order: Vec<StaticId> = aliens.iter().map(|a| a.0).collect();
        let placed = sequence::ac_sequence(&mut self.analysis, in_order.clone(), known, loose);
        let (mut then, mut likely) = (known, known);
        let multiplicities: FxHashMap<StaticId, u32> = aliens.iter().copied().collect();
        let alien_nodes: Vec<AcAlien> = placed
            .iter()
            .map(|&x| {
                let alien = self.ac_alien(x, multiplicities[&x], known, &mut then, likely);
                likely = self.analysis.sets.union(likely, self.analysis.variables(x));
                alien
            })
            .collect();
        // The greedy pair goes by the pattern's order, everything else by multiplicity; aliens come
        // after variables, and only these by sort.
        let in_pattern: Vec<u32> = multiset_variables.iter().map(|c| c.var.slot).collect();
        let key = |c: &TopVariable| {
            let sort = c.alien.is_none().then_some(Reverse(c.var.sort.index));
            (Reverse(c.multiplicity), c.alien.is_some(), sort)
        };
        multiset_variables.sort_by_key(key);
        let elements = multiset_variables.iter().enumerate();
        let elements = elements.filter(|(_, c)| c.high == 1 && c.low == 1 && c.alien.is_none());
        let elements: Vec<u32> = elements.map(|(i, _)| i as u32).collect();
        let is_term = args.len() > 1 || args[0].1 > 1;
        self.shared = shared;
        let outside = self.analysis.occurrences.outside(t);
        let greedy =
            (loose && !abstracted && self.may_be_greedy(&only_args, outside, known)).then(|| {
                let aliens = (&in_order[..], &placed[..]);
                let mut greedy =
                    self.ac_greedy(symbol, args, &multiset_variables, aliens, extension);
                let both_wide = || multiset_variables.iter().all(|c| c.high == UNBOUNDED);
                if let Some((first, second)) = &mut greedy.pair
                    && multiset_variables[0].var.slot != in_pattern[0]
                    && both_wide()
                {
                    std::mem::swap(first, second);
                }
                greedy
            });
        let collapse = if is_term {
            let mut args = args.to_vec();
            let is_variable = |a: &(StaticId, u32)| self.analysis.is_variable(a.0);
            let from = args.iter().position(is_variable).unwrap_or(0);
            let to = args.iter().rposition(is_variable).map_or(0, |at| at + 1);
            args[from..to].sort_by_key(|a| {
                let sort = self.analysis.variable_sort(a.0);
                Reverse((a.1, sort.map(|s| s.index)))
            });
            self.collapse(symbol, &args, known, extension && root)
        } else {
            None
        };
        let even = self.is_even(symbol);
        let declaration = &self.analysis.signature.symbol(symbol).declarations[0];
        let fixed = if extension || !multiset_variables.is_empty() {
            None
        } else {
            FixedSet::of(self.memory, &ground, &alien_nodes)
        };
        let taking = multiset_variables.iter().filter(|c| c.low > 0);
        let takes_two = ground.len() + alien_nodes.len() + taking.count() > 1;
        let node = MultiNode {
            symbol,
            takes_two,
            even,
            arg_sort: even.then_some(declaration.args[0].index),
            identity: self.identity(symbol),
            ground: ground.into(),
            multiset_variables: multiset_variables.into(),
            elements: elements.into(),
            aliens: alien_nodes.into(),
            extension,
            unreduced: root && self.unreduced == UnreducedParts::OfRedex,
            collapse,
            greedy,
            alone: false,
            fixed,
        };
        self.push_greedy(t, known, PatternNode::Multi(Box::new(node)))
    }

    fn ac_alien(
        &mut self,
        x: StaticId,
        multiplicity: u32,
        sure: Set,
        known: &mut Set,
        likely: Set,
    ) -> AcAlien {
        let symbol = self.analysis.is_stable(x).then(|| self.analysis.symbol(x));
        let node = self.relying_node_then(x, sure, known);
        let mut inner = node;
        while let PatternNode::Capture(_, below) | PatternNode::Relying(_, below, _) =
            &self.nodes[inner as usize]
        {
            inner = *below;
        }
        let prefix = match &self.nodes[inner as usize] {
            PatternNode::Free(free) => {
                let known = free.steps.iter().take_while(|s| !matches!(s, FreeCheck::Alien { .. }));
                u16::try_from(known.count()).unwrap_or(u16::MAX)
            }
            _ => 0,
        };
        let guards = (0..self.guards.len()).filter(|&i| {
            let mut reads = Vec::new();
            self.guards[i].collect_slots(&mut reads);
            reads.iter().any(|&slot| self.has_variable_in(x, slot))
        });
        let guards = guards.map(|i| i as u32).collect();
        let prefilter = match symbol {
            Some(symbol) => self.prefilter(x, node, symbol, likely),
            None => Prefilter::default(),
        };
        let nested = self.heights[node as usize] > 0;
        AcAlien { node, multiplicity, symbol, nested, prefix, guards, prefilter }
    }

    /// Whether a register is that of a variable of a subterm.
    fn has_variable_in(&self, t: StaticId, slot: u32) -> bool {
        let number = self.numbers.get(&slot);
        let set = self.analysis.variables(t);
        number.is_some_and(|&number| self.analysis.sets.contains(set, number))
    }

    fn prefilter(
        &mut self,
        x: StaticId,
        node: PatternNodeId,
        symbol: SymbolId,
        likely: Set,
    ) -> Prefilter {
        let likely = self.analysis.sets.intersection(likely, self.analysis.variables(x));
        let number = |slot: u32| self.numbers.get(&slot).copied();
        let prospects = Prospects {
            signature: self.analysis.signature,
            is_likely: &|slot| {
                number(slot).is_some_and(|number| self.analysis.sets.contains(likely, number))
            },
            is_fresh: &|slot| {
                number(slot).is_some_and(|number| {
                    let occurrences = &self.analysis.occurrences;
                    !self.analysis.sets.contains(likely, number)
                        && occurrences.times(occurrences.variable(number)) == 1
                        && self.unbound_variables.contains(&slot)
                })
            },
        };
        Prefilter::of(self.memory, &prospects, &self.nodes, node, symbol)
    }

    fn ac_greedy(
        &mut self,
        symbol: SymbolId,
        args: &[(StaticId, u32)],
        multiset_variables: &[TopVariable],
        (in_order, placed): (&[StaticId], &[StaticId]),
        extension: bool,
    ) -> AcGreedy {
        let chain = greedy::chain(&mut self.analysis, in_order);
        let places: FxHashMap<StaticId, u32> = placed.iter().copied().zip(0..).collect();
        let aliens = chain.into_iter().map(|i| places[&in_order[i]]);
        let non_collapsing = |c: &TopVariable| c.low == 1 && c.alien.is_none();
        let pair = match multiset_variables {
            [a, b]
                if args.len() == 2
                    && non_collapsing(a)
                    && non_collapsing(b)
                    && (a.multiplicity, b.multiplicity) == (1, 1) =>
            {
                match (a.high, b.high) {
                    (UNBOUNDED, UNBOUNDED) => Some((0, 1)),
                    // What is no list of its own sort is given the rest here only.
                    (UNBOUNDED, 1) if !a.closed => Some((0, 1)),
                    (1, UNBOUNDED) if !b.closed => Some((1, 0)),
                    _ => None,
                }
            }
            _ => None,
        };
        let shares = match multiset_variables {
            [only] => {
                let identity = self.analysis.identity(symbol).is_some();
                args.len() == 1
                    && extension
                    && !identity
                    && non_collapsing(only)
                    && only.closed
                    && only.multiplicity > 1
            }
            _ => false,
        };
        AcGreedy { aliens: aliens.collect(), pair, shares }
    }
}
