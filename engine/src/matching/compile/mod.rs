//! From a static term to a pattern.

mod collapse;
mod comm;
mod list;
mod multi;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::analysis::{Analysis, on_growing_stack};
use super::assoc_comm::FewArguments;
use super::bounds::Bounds;
use super::pattern::{FreeCheck, FreeNode, IterNode, Pattern, PatternNode, PatternNodeId, Var};
use super::sets::Set;
use super::{Guard, MembershipSorts, PatternSpec, Slots, UnreducedParts, sequence};
use crate::heap::{Handle, Memory};
use crate::id::{StaticId, SymbolId};
use crate::signature::{Shape, Signature};
use crate::term::{StaticNode, StaticTerms, TermView as _};

/// A skeleton with so many places goes no deeper: what is below is a pattern of its own.
const MOST_SKELETON_PLACES: usize = 60_000;

/// A node with more than so many below one another is deep.
const DEEP: u32 = 3;

/// So many nodes are propagated below one another before the stack is looked at.
const MOST_NESTED: u32 = 16;

/// A pattern under compilation.
pub(super) struct PatternCompiler<'a> {
    pub(super) analysis: Analysis<'a>,
    memory: &'a mut Memory,
    slots: &'a mut Slots,
    /// Variables that occur in the condition.
    elsewhere: Set,
    /// Variables that several arguments of a subpattern around have.
    shared: Set,
    /// Registers that guards read.
    guarded: Vec<u32>,
    guards: Vec<Guard>,
    nodes: Vec<PatternNode>,
    /// How deep what is below each node goes, see `sheltered`.
    heights: Vec<u32>,
    /// Nodes by term and what was unbound in it.
    made: FxHashMap<(StaticId, Set), PatternNodeId>,
    /// Registers that begin unbound.
    unbound: Vec<u32>,
    /// Those among them that are variables'.
    unbound_variables: FxHashSet<u32>,
    /// The numbers of the variables by register.
    numbers: FxHashMap<u32, u32>,
    /// Subterms whose matches are wanted, with their registers.
    captures: FxHashMap<StaticId, u32>,
    unreduced: UnreducedParts,
}

/// What patterns are compiled from, and where their ground terms are kept.
pub(crate) struct PatternSource<'a> {
    pub(crate) signature: &'a Signature,
    pub(crate) terms: &'a StaticTerms,
    pub(crate) memory: &'a mut Memory,
    pub(crate) membership_sorts: &'a Arc<MembershipSorts>,
}

impl Pattern {
    /// Compiles a pattern; its variables get registers.
    pub(crate) fn compile(
        source: PatternSource<'_>,
        slots: &mut Slots,
        spec: PatternSpec<'_>,
    ) -> Pattern {
        let mut compiler =
            PatternCompiler::new(source, slots, &[spec.term], spec.elsewhere, spec.guards);
        compiler.unreduced = spec.unreduced;
        let known = compiler.analysis.set(spec.bound);
        compiler.begin(spec.bound);
        // What a subterm with something unbound matched before does not count any more.
        for (&t, &slot) in &compiler.captures {
            if compiler.analysis.is_open(t, known) {
                compiler.unbound.push(slot);
            }
        }
        let root = compiler.root(spec.term, known, spec.extension);
        compiler.finish(root)
    }

    /// Compiles the aliens of a free skeleton that has been matched already: their subjects stand in
    /// registers, and the skeleton's variables are among `bound`.
    pub(crate) fn compile_aliens(
        source: PatternSource<'_>,
        slots: &mut Slots,
        aliens: &[(u32, StaticId)],
        bound: &[StaticId],
        elsewhere: &[StaticId],
        guards: Vec<Guard>,
    ) -> Pattern {
        let terms: Vec<StaticId> = aliens.iter().map(|a| a.1).collect();
        let mut compiler = PatternCompiler::new(source, slots, &terms, elsewhere, guards);
        let mut known = compiler.analysis.set(bound);
        compiler.begin(bound);
        let mut placed = Vec::new();
        for at in sequence::free_sequence(&mut compiler.analysis, &terms, known) {
            let (register, alien) = aliens[at];
            placed.push((register, compiler.node_then(alien, &mut known)));
        }
        let root = compiler.push(PatternNode::Aliens(placed.into()));
        compiler.finish(root)
    }
}

impl<'a> PatternCompiler<'a> {
    fn new(
        source: PatternSource<'a>,
        slots: &'a mut Slots,
        terms: &[StaticId],
        elsewhere: &[StaticId],
        guards: Vec<Guard>,
    ) -> PatternCompiler<'a> {
        let PatternSource { signature, terms: all, memory, membership_sorts } = source;
        let bounds = Bounds::new(membership_sorts);
        let mut analysis = Analysis::new(signature, all, bounds, terms);
        let mut captures = FxHashMap::default();
        for &t in analysis.occurrences.terms() {
            if let Some(slot) = slots.get(t)
                && !matches!(all.node(t), StaticNode::Variable(..))
            {
                captures.insert(t, slot);
            }
        }
        let mut guarded = Vec::new();
        guards.iter().for_each(|g| g.collect_slots(&mut guarded));
        PatternCompiler {
            elsewhere: analysis.set(elsewhere),
            analysis,
            memory,
            slots,
            shared: Set::EMPTY,
            guarded,
            guards,
            nodes: Vec::new(),
            heights: Vec::new(),
            made: FxHashMap::default(),
            unbound: Vec::new(),
            unbound_variables: FxHashSet::default(),
            numbers: FxHashMap::default(),
            captures,
            unreduced: UnreducedParts::None,
        }
    }

    /// Gives the variables registers.
    fn begin(&mut self, bound: &[StaticId]) {
        let bound: FxHashSet<StaticId> = bound.iter().copied().collect();
        for (number, &v) in self.analysis.occurrences.all_variables().iter().enumerate() {
            let slot = self.slots.slot(v);
            self.numbers.insert(slot, number as u32);
            if !bound.contains(&v) && self.unbound_variables.insert(slot) {
                self.unbound.push(slot);
            }
        }
    }

    fn finish(self, root: PatternNodeId) -> Pattern {
        let takes_iterates = |node: &PatternNode| matches!(node, PatternNode::Iterates { .. });
        let unguarded = self.nodes.iter().any(takes_iterates);
        let memory = &*self.memory;
        let lowered = |symbol: SymbolId| memory.core(symbol).memberships;
        let asks = self.nodes.iter().any(|node| match node {
            PatternNode::List(node) => lowered(node.symbol),
            PatternNode::Multi(node) => lowered(node.symbol),
            PatternNode::Iter(node) => lowered(node.symbol),
            PatternNode::Anything(heads, _) | PatternNode::AnyPart(heads, _) => {
                heads.iter().any(|head| lowered(head.0))
            }
            _ => false,
        });
        let few = FewArguments::of(&self.nodes[root as usize], |slot| self.unbound.contains(&slot))
            .filter(|_| !asks && self.guards.is_empty());
        Pattern {
            few,
            nodes: self.nodes.into(),
            root,
            unbound: self.unbound.into(),
            guards: self.guards.into(),
            unguarded,
            asks,
        }
    }

    fn push(&mut self, node: PatternNode) -> PatternNodeId {
        let mut height = 0;
        node.visit_parts(&mut |part| height = height.max(self.heights[part as usize] + 1));
        self.heights.push(height);
        self.nodes.push(node);
        (self.nodes.len() - 1) as PatternNodeId
    }

    /// The same for a node of a subterm that may be matched greedily. If it has variables of its own
    /// only, whether that works out depends on the subject alone.
    fn push_greedy(&mut self, t: StaticId, known: Set, node: PatternNode) -> PatternNodeId {
        let id = self.push(node);
        let own = self.analysis.sets.are_disjoint(self.analysis.variables(t), known);
        if own && self.heights[id as usize] > DEEP {
            match &mut self.nodes[id as usize] {
                PatternNode::Comm(node) => node.alone = true,
                PatternNode::List(node) => node.alone = true,
                PatternNode::Multi(node) => node.alone = true,
                _ => {}
            }
        }
        id
    }

    /// A node for one below which many others may lie: propagating them is recursion.
    fn sheltered(&mut self, id: PatternNodeId) -> PatternNodeId {
        if self.heights[id as usize] < MOST_NESTED {
            return id;
        }
        let shelter = self.push(PatternNode::Deep(id));
        self.heights[shelter as usize] = DEEP + 1;
        shelter
    }

    /// The node of the whole pattern.
    fn root(&mut self, t: StaticId, known: Set, extension: bool) -> PatternNodeId {
        let node = on_growing_stack(|| self.root_here(t, known, extension));
        self.sheltered(node)
    }

    fn root_here(&mut self, t: StaticId, known: Set, extension: bool) -> PatternNodeId {
        let a = &self.analysis;
        if a.is_variable(t) {
            let var = self.var(t);
            let sort = var.sort;
            let bound = !self.analysis.is_open(t, known);
            let n_symbols = self.analysis.signature.n_symbols() as u32;
            let heads = (0..n_symbols).map(SymbolId).filter(|&s| {
                let symbol = self.analysis.signature.symbol(s);
                extension
                    && symbol.range == sort.kind
                    && match symbol.shape() {
                        Shape::Assoc | Shape::AssocComm => !bound,
                        Shape::Iter => true,
                        Shape::Free | Shape::Comm => false,
                    }
            });
            let heads: Vec<SymbolId> = heads.collect();
            let nodes = heads.into_iter().map(|s| (s, self.any_part(t, var, s, known))).collect();
            return self.push(PatternNode::Anything(nodes, var));
        }
        match a.shape(t) {
            Shape::Assoc => self.list(t, known, extension, true),
            Shape::AssocComm => self.multi(t, known, extension, true),
            Shape::Iter => self.iter(t, known, extension, true),
            Shape::Comm if extension => self.comm(t, known, true),
            _ => self.node(t, known),
        }
    }

    /// An alien that is treated like a variable, with extension: a part of the subject is chosen
    /// first, and then matched.
    fn part_for(&mut self, t: StaticId, var: Var, known: Set) -> PatternNodeId {
        let other = self.root(t, known, true);
        let heads: Vec<SymbolId> = (0..self.analysis.signature.n_symbols() as u32)
            .map(SymbolId)
            .filter(|&s| {
                let symbol = self.analysis.signature.symbol(s);
                let shape = symbol.shape();
                let has_parts = matches!(shape, Shape::Assoc | Shape::AssocComm | Shape::Iter);
                symbol.range == var.sort.kind && has_parts
            })
            .collect();
        let heads = heads.into_iter().map(|s| (s, self.any_part(t, var, s, known))).collect();
        self.push(PatternNode::AnyPart(heads, other))
    }

    /// What is treated like a variable, with extension, for subjects headed by `symbol`; never greedy.
    fn any_part(&mut self, t: StaticId, var: Var, symbol: SymbolId, known: Set) -> PatternNodeId {
        match self.analysis.signature.symbol(symbol).shape() {
            Shape::Assoc => {
                let id = self.list_of(symbol, (t, &[t]), known, true, true);
                if let PatternNode::List(node) = &mut self.nodes[id as usize] {
                    node.greedy = false;
                }
                id
            }
            Shape::AssocComm => {
                let id = self.multi_of(symbol, (t, &[(t, 1)]), known, true, true);
                if let PatternNode::Multi(node) = &mut self.nodes[id as usize] {
                    node.greedy = None;
                }
                id
            }
            _ => {
                let unreduced = self.unreduced == UnreducedParts::OfRedex;
                self.push(PatternNode::Iterates { var, unreduced })
            }
        }
    }

    /// The node of a subterm, and what it determines is known afterwards.
    fn node_then(&mut self, t: StaticId, known: &mut Set) -> PatternNodeId {
        let node = self.node(t, *known);
        self.analysis.determine(t, known);
        node
    }

    /// The same for a part that may be tried before all of `known` is bound; only `sure` is certain.
    fn relying_node_then(&mut self, t: StaticId, sure: Set, known: &mut Set) -> PatternNodeId {
        let weak = self.analysis.unbound(t, sure);
        let relied = self.analysis.sets.intersection(weak, *known);
        let node = self.node_then(t, known);
        if relied.is_empty() || self.analysis.is_variable(t) {
            return node;
        }
        let loose = self.node(t, sure);
        let slots = self.analysis.sets.members(relied);
        let variable = |number| self.analysis.occurrences.variable(number);
        let slots = slots.into_iter().map(|number| self.slots.slot(variable(number))).collect();
        self.push(PatternNode::Relying(slots, node, loose))
    }

    /// The node of a subterm.
    fn node(&mut self, t: StaticId, known: Set) -> PatternNodeId {
        let key = (t, self.analysis.unbound(t, known));
        if let Some(&node) = self.made.get(&key) {
            return node;
        }
        let node = on_growing_stack(|| self.node_here(t, known));
        let node = match self.captures.get(&t) {
            Some(&slot) => self.push(PatternNode::Capture(slot, node)),
            None => node,
        };
        let node = self.sheltered(node);
        self.made.insert(key, node);
        node
    }

    fn node_here(&mut self, t: StaticId, known: Set) -> PatternNodeId {
        if self.analysis.terms.is_ground(t) {
            let handle = self.ground(t);
            return self.push(PatternNode::Ground(handle));
        }
        if self.analysis.is_variable(t) {
            let var = self.var(t);
            return self.push(PatternNode::Var(var));
        }
        // What is bound elsewhere only is of no account here.
        let known = self.analysis.sets.intersection(known, self.analysis.variables(t));
        match self.analysis.shape(t) {
            Shape::Free => self.free(t, known),
            Shape::Iter => self.iter(t, known, false, false),
            Shape::Comm => self.comm(t, known, false),
            Shape::Assoc => self.list(t, known, false, false),
            Shape::AssocComm => self.multi(t, known, false, false),
        }
    }

    fn ground(&mut self, t: StaticId) -> Handle {
        let Analysis { signature, terms, .. } = self.analysis;
        let built = self.memory.build_normal(signature, terms, t);
        self.memory.enter_permanently(built)
    }

    fn var(&mut self, t: StaticId) -> Var {
        let sort = self.analysis.variable_sort(t).expect("it is a variable");
        Var { slot: self.slots.slot(t), sort }
    }

    /// The variable that stands for an alien treated like one.
    fn abstraction(&mut self, t: StaticId) -> Var {
        let sort = self.analysis.least_sort(t);
        let slot = self.slots.fresh();
        self.unbound.push(slot);
        Var { slot, sort }
    }

    fn free(&mut self, t: StaticId, known: Set) -> PatternNodeId {
        let symbol = self.analysis.symbol(t);
        let mut steps = Vec::new();
        let mut n_places: u16 = 1;
        let mut aliens: Vec<(u16, StaticId)> = Vec::new();
        let mut known = known;
        // Arguments that wait, with the place of the term that they stand in.
        let args = |c: &PatternCompiler<'_>, t, from: u16| {
            let args = c.analysis.terms.args(t).into_iter().enumerate();
            args.map(|(i, x)| (from, i as u16, x)).rev().collect::<Vec<_>>()
        };
        let mut stack = args(self, t, 0);
        while let Some((from, arg, x)) = stack.pop() {
            if self.analysis.terms.is_ground(x) {
                steps.push(FreeCheck::Ground { from, arg, term: self.ground(x) });
            } else if self.analysis.is_variable(x) {
                steps.push(FreeCheck::Var { from, arg, var: self.var(x) });
                known = self.analysis.sets.union(known, self.analysis.variables(x));
            } else {
                let to = n_places;
                n_places = n_places.checked_add(1).expect("a skeleton has fewer than 2^16 places");
                // What waits may need places too.
                let inside = self.analysis.terms.n_args(x);
                let fits = usize::from(to) + stack.len() + inside < MOST_SKELETON_PLACES;
                if self.analysis.shape(x) == Shape::Free && fits {
                    steps.push(FreeCheck::Symbol {
                        from,
                        arg,
                        symbol: self.analysis.symbol(x),
                        to,
                    });
                    if let Some(&slot) = self.captures.get(&x) {
                        steps.push(FreeCheck::Capture { from: to, slot });
                    }
                    stack.extend(args(self, x, to));
                } else {
                    steps.push(FreeCheck::Alien { from, arg, to });
                    aliens.push((to, x));
                }
            }
        }
        // What the skeleton binds is certain in its aliens, whatever shares it.
        let shared = self.shared;
        self.shared = self.analysis.sets.difference(shared, known);
        let terms: Vec<StaticId> = aliens.iter().map(|a| a.1).collect();
        let mut placed = Vec::new();
        for at in sequence::free_sequence(&mut self.analysis, &terms, known) {
            let (place, alien) = aliens[at];
            placed.push((place, self.node_then(alien, &mut known)));
        }
        self.shared = shared;
        let (steps, aliens) = (steps.into(), placed.into());
        self.push(PatternNode::Free(FreeNode { symbol, n_places, steps, aliens }))
    }

    fn iter(&mut self, t: StaticId, known: Set, extension: bool, root: bool) -> PatternNodeId {
        let StaticNode::Iter(symbol, count, arg) = self.analysis.terms.node(t).clone() else {
            unreachable!("normal terms of iterated symbols are iterated nodes")
        };
        let open = !self.analysis.terms.is_ground(arg)
            && (self.analysis.is_variable(arg) || !self.analysis.is_stable(arg));
        let arg = self.node(arg, known);
        let unreduced = root && self.unreduced == UnreducedParts::OfRedex;
        self.push(PatternNode::Iter(IterNode { symbol, count, arg, open, extension, unreduced }))
    }
}
