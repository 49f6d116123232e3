//! From a static term to a pattern.

mod list;
mod multi;

use rustc_hash::FxHashMap;

use super::bounds::Bounds;
use super::known::{Analysis, Known};
use super::pattern::{
    Against, CollapsePart, Collector, CommNode, FreeNode, IterNode, Node, NodeId, Pattern, Step,
    Var, Way,
};
use super::{Guard, PatternSpec, occurrences, sequence};
use crate::code::Slots;
use crate::engine::Engine;
use crate::heap::{Handle, Memory};
use crate::id::{StaticId, SymbolId};
use crate::signature::Shape;
use crate::term::StaticNode;

/// A skeleton with so many places goes no deeper: what is below is a pattern of its own.
const MOST_SKELETON_PLACES: u16 = 60_000;

/// A pattern under compilation.
pub(super) struct Compiler<'a> {
    pub(super) analysis: Analysis<'a>,
    memory: &'a mut Memory,
    slots: &'a mut Slots,
    /// Variables that occur in the condition.
    elsewhere: Known,
    /// Variables that several arguments of a subpattern around have.
    shared: Known,
    /// Registers that guards read.
    guarded: Vec<u32>,
    guards: Vec<Guard>,
    occurrences: FxHashMap<StaticId, u32>,
    nodes: Vec<Node>,
    /// Nodes by term and what was unbound in it.
    made: FxHashMap<(StaticId, Vec<StaticId>), NodeId>,
    /// Registers that begin unbound.
    unbound: Vec<u32>,
    /// Subterms whose matches are wanted, with their registers.
    captures: FxHashMap<StaticId, u32>,
    redex_unreduced: bool,
    /// Parts of iterated redexes count as unreduced in rules as well.
    imitates: bool,
}

impl Pattern {
    /// Compiles a pattern; its variables get registers.
    pub(crate) fn compile(
        engine: &mut Engine,
        slots: &mut Slots,
        spec: PatternSpec<'_>,
    ) -> Pattern {
        let mut compiler = Compiler::new(engine, slots, &[spec.term], spec.elsewhere, spec.guards);
        compiler.redex_unreduced = spec.redex_unreduced;
        let known: Known = spec.bound.iter().copied().collect();
        compiler.begin(&[spec.term], &known);
        // What a subterm with something unbound matched before does not count any more.
        for (&t, &slot) in &compiler.captures {
            if compiler.analysis.is_open(t, &known) {
                compiler.unbound.push(slot);
            }
        }
        let root = compiler.root(spec.term, &known, spec.extension);
        compiler.finish(root)
    }

    /// Compiles the aliens of a free skeleton that has been matched already: their subjects stand in
    /// registers, and the skeleton's variables are among `bound`.
    pub(crate) fn compile_aliens(
        engine: &mut Engine,
        slots: &mut Slots,
        aliens: &[(u32, StaticId)],
        bound: &[StaticId],
        elsewhere: &[StaticId],
        guards: Vec<Guard>,
    ) -> Pattern {
        let terms: Vec<StaticId> = aliens.iter().map(|a| a.1).collect();
        let mut compiler = Compiler::new(engine, slots, &terms, elsewhere, guards);
        let mut known: Known = bound.iter().copied().collect();
        compiler.begin(&terms, &known);
        let mut waiting = aliens.to_vec();
        let mut placed = Vec::new();
        for alien in sequence::free_sequence(&mut compiler.analysis, terms, &known) {
            let at = waiting.iter().position(|w| w.1 == alien).expect("it is one of them");
            placed.push((waiting.remove(at).0, compiler.node_then(alien, &mut known)));
        }
        let root = compiler.push(Node::Aliens(placed.into()));
        compiler.finish(root)
    }
}

impl<'a> Compiler<'a> {
    fn new(
        engine: &'a mut Engine,
        slots: &'a mut Slots,
        terms: &[StaticId],
        elsewhere: &[StaticId],
        guards: Vec<Guard>,
    ) -> Compiler<'a> {
        let imitates = !engine.optimize;
        let bounds = Bounds::new(&engine.membership_sorts);
        let Engine { signature, terms: all, memory, .. } = engine;
        let occurrences = occurrences::count(all, terms);
        let mut captures = FxHashMap::default();
        for &t in occurrences.keys() {
            if let Some(slot) = slots.get(t)
                && !matches!(all.node(t), StaticNode::Variable(..))
            {
                captures.insert(t, slot);
            }
        }
        let mut guarded = Vec::new();
        guards.iter().for_each(|g| g.collect_slots(&mut guarded));
        Compiler {
            analysis: Analysis { signature, terms: all, bounds, budget: 0 },
            memory,
            slots,
            elsewhere: elsewhere.iter().copied().collect(),
            shared: Known::default(),
            guarded,
            guards,
            occurrences,
            nodes: Vec::new(),
            made: FxHashMap::default(),
            unbound: Vec::new(),
            captures,
            redex_unreduced: false,
            imitates,
        }
    }

    /// Gives the variables registers.
    fn begin(&mut self, terms: &[StaticId], known: &Known) {
        for &t in terms {
            for v in self.analysis.terms.variables(t) {
                let slot = self.slots.slot(v);
                if !known.contains(&v) && !self.unbound.contains(&slot) {
                    self.unbound.push(slot);
                }
            }
        }
    }

    fn finish(self, root: NodeId) -> Pattern {
        let unguarded = self.nodes.iter().any(|node| match node {
            Node::Iterates { .. } => true,
            Node::Iter(iter) => iter.extension,
            _ => false,
        });
        Pattern {
            nodes: self.nodes.into(),
            root,
            unbound: self.unbound.into(),
            guards: self.guards.into(),
            unguarded,
        }
    }

    fn push(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        (self.nodes.len() - 1) as NodeId
    }

    /// The node of the whole pattern.
    fn root(&mut self, t: StaticId, known: &Known, extension: bool) -> NodeId {
        let a = &self.analysis;
        if a.is_variable(t) {
            let var = self.var(t);
            let sort = var.sort;
            let bound = known.contains(&t);
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
            return self.push(Node::Anything(nodes, var));
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
    fn part_for(&mut self, t: StaticId, var: Var, known: &Known) -> NodeId {
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
        self.push(Node::AnyPart(heads, other))
    }

    /// What is treated like a variable, with extension, for subjects headed by `symbol`; never greedy.
    fn any_part(&mut self, t: StaticId, var: Var, symbol: SymbolId, known: &Known) -> NodeId {
        match self.analysis.signature.symbol(symbol).shape() {
            Shape::Assoc => {
                let id = self.list_of(symbol, &[t], known, true, true);
                if let Node::List(node) = &mut self.nodes[id as usize] {
                    node.greedy = false;
                }
                id
            }
            Shape::AssocComm => {
                let id = self.multi_of(symbol, &[(t, 1)], known, true, true);
                if let Node::Multi(node) = &mut self.nodes[id as usize] {
                    node.greedy = None;
                }
                id
            }
            _ => {
                let unreduced = self.redex_unreduced;
                self.push(Node::Iterates { var, unreduced })
            }
        }
    }

    /// The node of a subterm, and what it determines is known afterwards.
    fn node_then(&mut self, t: StaticId, known: &mut Known) -> NodeId {
        let node = self.node(t, known);
        self.analysis.determine(t, known, &mut Vec::new());
        node
    }

    /// The same for a part that may be tried before all of `known` is bound; only `sure` is certain.
    fn relying_node_then(&mut self, t: StaticId, sure: &Known, known: &mut Known) -> NodeId {
        let weak = self.analysis.unbound(t, sure);
        let relied: Vec<StaticId> = weak.into_iter().filter(|v| known.contains(v)).collect();
        let node = self.node_then(t, known);
        if relied.is_empty() || self.analysis.is_variable(t) {
            return node;
        }
        let loose = self.node(t, sure);
        let slots = relied.into_iter().map(|v| self.slots.slot(v)).collect();
        self.push(Node::Relying(slots, node, loose))
    }

    /// The node of a subterm.
    fn node(&mut self, t: StaticId, known: &Known) -> NodeId {
        let key = (t, self.analysis.unbound(t, known));
        if let Some(&node) = self.made.get(&key) {
            return node;
        }
        let node = if self.analysis.terms.is_ground(t) {
            let handle = self.ground(t);
            self.push(Node::Ground(handle))
        } else if self.analysis.is_variable(t) {
            let var = self.var(t);
            self.push(Node::Var(var))
        } else {
            match self.analysis.shape(t) {
                Shape::Free => self.free(t, known),
                Shape::Iter => self.iter(t, known, false, false),
                Shape::Comm => self.comm(t, known, false),
                Shape::Assoc => self.list(t, known, false, false),
                Shape::AssocComm => self.multi(t, known, false, false),
            }
        };
        let node = match self.captures.get(&t) {
            Some(&slot) => self.push(Node::Capture(slot, node)),
            None => node,
        };
        self.made.insert(key, node);
        node
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
        let sort = self.analysis.terms.least_sort(self.analysis.signature, t);
        let slot = self.slots.fresh();
        self.unbound.push(slot);
        Var { slot, sort }
    }

    fn free(&mut self, t: StaticId, known: &Known) -> NodeId {
        let symbol = self.analysis.symbol(t);
        let mut steps = Vec::new();
        let mut n_places: u16 = 1;
        let mut aliens: Vec<(u16, StaticId)> = Vec::new();
        let mut known = known.clone();
        // Arguments that wait, with the place of the term that they stand in.
        let args = |c: &Compiler<'_>, t, from: u16| {
            let args = c.analysis.terms.args(t).into_iter().enumerate();
            args.map(|(i, x)| (from, i as u16, x)).rev().collect::<Vec<_>>()
        };
        let mut stack = args(self, t, 0);
        while let Some((from, arg, x)) = stack.pop() {
            if self.analysis.terms.is_ground(x) {
                steps.push(Step::Ground { from, arg, term: self.ground(x) });
            } else if self.analysis.is_variable(x) {
                steps.push(Step::Var { from, arg, var: self.var(x) });
                known.insert(x);
            } else {
                let to = n_places;
                n_places = n_places.checked_add(1).expect("a skeleton has fewer than 2^16 places");
                let fits = to < MOST_SKELETON_PLACES;
                if self.analysis.shape(x) == Shape::Free && fits {
                    steps.push(Step::Symbol { from, arg, symbol: self.analysis.symbol(x), to });
                    if let Some(&slot) = self.captures.get(&x) {
                        steps.push(Step::Capture { from: to, slot });
                    }
                    stack.extend(args(self, x, to));
                } else {
                    steps.push(Step::Alien { from, arg, to });
                    aliens.push((to, x));
                }
            }
        }
        // What the skeleton binds is certain in its aliens, whatever shares it.
        let certain: Vec<StaticId> = self.shared.intersection(&known).copied().collect();
        self.end_shared(&certain);
        let terms = aliens.iter().map(|a| a.1).collect();
        let mut placed = Vec::new();
        for alien in sequence::free_sequence(&mut self.analysis, terms, &known) {
            let at = aliens.iter().position(|a| a.1 == alien).expect("it is one of them");
            placed.push((aliens.remove(at).0, self.node_then(alien, &mut known)));
        }
        self.shared.extend(certain);
        let (steps, aliens) = (steps.into(), placed.into());
        self.push(Node::Free(FreeNode { symbol, n_places, steps, aliens }))
    }

    fn iter(&mut self, t: StaticId, known: &Known, extension: bool, root: bool) -> NodeId {
        let StaticNode::Iter(symbol, count, arg) = self.analysis.terms.node(t).clone() else {
            unreachable!("normal terms of iterated symbols are iterated nodes")
        };
        let open = !self.analysis.terms.is_ground(arg)
            && (self.analysis.is_variable(arg) || !self.analysis.is_stable(arg));
        let arg = self.node(arg, known);
        let unreduced = root && (self.redex_unreduced || extension && self.imitates);
        self.push(Node::Iter(IterNode { symbol, count, arg, open, extension, unreduced }))
    }

    fn comm(&mut self, t: StaticId, known: &Known, extension: bool) -> NodeId {
        let symbol = self.analysis.symbol(t);
        let args = self.analysis.terms.args(t);
        let (x, y) = (args[0], args[1]);
        let comm = self.analysis.signature.symbol(symbol).axioms.comm;
        let exchange = comm && self.analysis.is_variable(x) && !self.analysis.is_variable(y);
        let (x, y) = if exchange { (y, x) } else { (x, y) };
        let ways = self.comm_ways(symbol, x, y, known, extension);
        let greedy = self.is_apart(&args, known);
        let identity = self.identity(symbol);
        self.push(Node::Comm(CommNode { symbol, identity, ways, extension, greedy }))
    }

    /// Notes the variables that several arguments share: they forbid greedy matching in any of them,
    /// whichever is matched first. Returns the new ones.
    fn begin_shared(&mut self, args: &[StaticId], known: &Known) -> Vec<StaticId> {
        let mut seen = Known::default();
        let mut shared = Vec::new();
        for &arg in args {
            for v in self.analysis.unbound(arg, known) {
                if !seen.insert(v) && self.shared.insert(v) {
                    shared.push(v);
                }
            }
        }
        shared
    }

    /// Whether some arguments have variables that other arguments of a subpattern around have too.
    fn has_shared(&self, args: &[StaticId]) -> bool {
        let mut variables = args.iter().flat_map(|&arg| self.analysis.terms.variables(arg));
        variables.any(|v| self.shared.contains(&v))
    }

    fn end_shared(&mut self, shared: &[StaticId]) {
        for v in shared {
            self.shared.remove(v);
        }
    }

    fn comm_ways(
        &mut self,
        symbol: SymbolId,
        x: StaticId,
        y: StaticId,
        known: &Known,
        extension: bool,
    ) -> Box<[Way]> {
        let axioms = self.analysis.signature.symbol(symbol).axioms;
        let shared = self.begin_shared(&[x, y], known);
        let mut forward = known.clone();
        let (x1, y2) = (self.node_then(x, &mut forward), self.node(y, &forward));
        let mut backward = known.clone();
        let (y1, x2) = (self.node_then(y, &mut backward), self.node(x, &backward));
        // What is left of a collapse has the extension of the subject.
        let (y3, x4) = if extension {
            (self.root(y, &forward, true), self.root(x, &backward, true))
        } else {
            (y2, x2)
        };
        self.end_shared(&shared);
        let way = |first, second| Way { repeats: false, parts: [first, second] };
        let mut ways = vec![way((x1, Against::First), (y2, Against::Second))];
        if axioms.comm {
            ways.push(way((x1, Against::Second), (y2, Against::First)));
        }
        // A value given from outside may be an identity that the sort of its variable rules out.
        let can_be_identity = |t| {
            let identity = self.analysis.identity(symbol);
            identity.is_some_and(|identity| self.analysis.can_be(t, identity))
        };
        if axioms.left_id && can_be_identity(x) {
            ways.push(way((x1, Against::Identity), (y3, Against::Whole)));
        }
        if axioms.right_id && can_be_identity(y) {
            let way = way((y1, Against::Identity), (x4, Against::Whole));
            ways.push(Way { repeats: axioms.left_id && can_be_identity(x), ..way });
        }
        if axioms.idem {
            let way = way((y1, Against::Whole), (x2, Against::Whole));
            ways.push(Way { repeats: axioms.identity.is_some(), ..way });
        }
        ways.into()
    }

    fn identity(&self, symbol: SymbolId) -> Handle {
        self.memory.core(symbol).identity
    }

    /// Whether no unbound variable of some arguments of a subpattern occurs in the condition, in
    /// another part of the pattern, or in two of them.
    fn may_be_greedy(&mut self, args: &[StaticId], known: &Known) -> bool {
        let mut seen = Known::default();
        self.is_apart(args, known)
            && args.iter().all(|&arg| {
                let open = self.analysis.unbound(arg, known);
                open.into_iter().all(|v| seen.insert(v))
            })
    }

    /// The same, but two arguments may share variables: so much suffices for commutative patterns.
    fn is_apart(&mut self, args: &[StaticId], known: &Known) -> bool {
        let inside = occurrences::count(self.analysis.terms, args);
        !self.has_shared(args)
            && args.iter().all(|&arg| {
                let open = self.analysis.unbound(arg, known);
                open.into_iter().all(|v| {
                    let occurs = self.occurrences.get(&v).copied().unwrap_or(0);
                    let here = inside.get(&v).copied().unwrap_or(1);
                    !self.elsewhere.contains(&v) && occurs <= here
                })
            })
    }

    /// All arguments, for a subject that is not headed by the operator; the one that is left of the
    /// collapse has the extension of the subject.
    fn collapse(
        &mut self,
        symbol: SymbolId,
        args: &[(StaticId, u32)],
        known: &Known,
        extension: bool,
    ) -> Option<Box<[CollapsePart]>> {
        let axioms = self.analysis.signature.symbol(symbol).axioms;
        let identity = axioms.identity?;
        // A value given from outside may be an identity that the sort of its variable rules out.
        let firm: Vec<bool> = args.iter().map(|a| !self.analysis.can_be(a.0, identity)).collect();
        let n_firm = firm.iter().filter(|&&firm| firm).count();
        let mut known = known.clone();
        let last = args.len() - 1;
        let only_repeated =
            !self.redex_unreduced && args.iter().all(|&(_, multiplicity)| multiplicity > 1);
        let terms: Vec<StaticId> = args.iter().map(|a| a.0).collect();
        let shared = if extension { self.begin_shared(&terms, &known) } else { Vec::new() };
        let parts = args.iter().enumerate().map(|(place, &(x, multiplicity))| {
            let side = (axioms.left_id || place == 0) && (axioms.right_id || place == last);
            let node = self.node(x, &known);
            let abstracted = extension
                && !self.analysis.is_variable(x)
                && self.analysis.is_abstracted(x, symbol, &known);
            let abstraction = abstracted.then(|| self.abstraction(x));
            let whole = match abstraction {
                Some(var) => self.part_for(x, var, &known),
                None if extension => self.root(x, &known, true),
                None => node,
            };
            self.analysis.determine(x, &mut known, &mut Vec::new());
            // If all are repeated the first takes the subject, and is the identity as well, but not
            // in equations.
            let repeated = multiplicity > 1;
            let takes_it = n_firm == usize::from(firm[place])
                && if repeated { only_repeated && place == 0 } else { side };
            CollapsePart { node, whole, takes_it, repeated, firm: firm[place], abstraction }
        });
        let parts = parts.collect();
        self.end_shared(&shared);
        Some(parts)
    }

    /// The collector for a variable, or an alien treated like one.
    fn collector(
        &mut self,
        symbol: SymbolId,
        t: StaticId,
        multiplicity: u32,
        identity_fits: bool,
        known: &Known,
    ) -> Collector {
        let identity = self.analysis.identity(symbol).filter(|_| identity_fits);
        let low = u32::from(!identity.is_some_and(|i| self.analysis.can_be(t, i)));
        if let Some(sort) = self.analysis.variable_sort(t) {
            let var = self.var(t);
            let high = self.analysis.bound(symbol, sort);
            let closed = self.analysis.is_closed(symbol, sort);
            let private = self.occurrences.get(&t) == Some(&1) && !self.guarded.contains(&var.slot);
            return Collector {
                var,
                multiplicity,
                low,
                high,
                closed,
                alien: None,
                private,
                unused: false,
            };
        }
        let var = self.abstraction(t);
        let high = self.analysis.bound(symbol, var.sort);
        let closed = self.analysis.is_closed(symbol, var.sort);
        let alien = Some(self.node(t, known));
        Collector { var, multiplicity, low, high, closed, alien, private: false, unused: false }
    }
}
