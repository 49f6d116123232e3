//! From a static term to a pattern.

use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use super::bounds::{Bounds, UNBOUNDED};
use super::known::{Analysis, Known};
use super::pattern::{
    AcAlien, AcGreedy, Against, Collector, CommNode, End, FreeNode, IterNode, ListGreedy, ListNode,
    MultiNode, Node, NodeId, Pattern, Rigid, Step, Var, Way,
};
use super::{Guard, PatternSpec, greedy, occurrences, sequence};
use crate::code::Slots;
use crate::engine::Engine;
use crate::heap::{Handle, Memory};
use crate::id::{StaticId, SymbolId};
use crate::signature::Shape;
use crate::term::StaticNode;

/// A pattern under compilation.
pub(super) struct Compiler<'a> {
    pub(super) analysis: Analysis<'a>,
    memory: &'a mut Memory,
    slots: &'a mut Slots,
    /// Variables that occur in the condition.
    elsewhere: Known,
    /// Variables that several arguments of a multiset around have.
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
            analysis: Analysis { signature, terms: all, bounds: Bounds::default(), budget: 0 },
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
        Pattern {
            nodes: self.nodes.into(),
            root,
            unbound: self.unbound.into(),
            guards: self.guards.into(),
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
            let variable = self.node(t, known);
            if !extension || known.contains(&t) {
                return variable;
            }
            let sort = self.analysis.variable_sort(t).expect("it is a variable");
            let n_symbols = self.analysis.signature.n_symbols() as u32;
            let heads = (0..n_symbols).map(SymbolId).filter(|&s| {
                let symbol = self.analysis.signature.symbol(s);
                symbol.range == sort.kind
                    && matches!(symbol.shape(), Shape::Assoc | Shape::AssocComm | Shape::Iter)
            });
            let heads: Vec<SymbolId> = heads.collect();
            let nodes = heads.into_iter().map(|s| (s, self.any_part(t, s, known))).collect();
            return self.push(Node::Anything(nodes, variable));
        }
        match a.shape(t) {
            Shape::Assoc => self.list(t, known, extension, true),
            Shape::AssocComm => self.multi(t, known, extension, true),
            Shape::Iter => self.iter(t, known, extension, true),
            _ => self.node(t, known),
        }
    }

    /// A variable with extension, for subjects headed by `symbol`.
    fn any_part(&mut self, t: StaticId, symbol: SymbolId, known: &Known) -> NodeId {
        match self.analysis.signature.symbol(symbol).shape() {
            Shape::Assoc => self.list_of(symbol, &[t], known, true, true),
            Shape::AssocComm => self.multi_of(symbol, &[(t, 1)], known, true, true),
            _ => {
                let arg = self.node(t, known);
                self.push(Node::Iter(IterNode {
                    symbol,
                    count: BigUint::ZERO,
                    arg,
                    open: true,
                    extension: true,
                    unreduced: self.redex_unreduced,
                }))
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
                Shape::Comm => self.comm(t, known),
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
                if self.analysis.shape(x) == Shape::Free {
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
        let terms = aliens.iter().map(|a| a.1).collect();
        let mut placed = Vec::new();
        for alien in sequence::free_sequence(&mut self.analysis, terms, &known) {
            let at = aliens.iter().position(|a| a.1 == alien).expect("it is one of them");
            placed.push((aliens.remove(at).0, self.node_then(alien, &mut known)));
        }
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
        let unreduced = root && self.redex_unreduced;
        self.push(Node::Iter(IterNode { symbol, count, arg, open, extension, unreduced }))
    }

    fn comm(&mut self, t: StaticId, known: &Known) -> NodeId {
        let symbol = self.analysis.symbol(t);
        let args = self.analysis.terms.args(t);
        let (x, y) = (args[0], args[1]);
        let comm = self.analysis.signature.symbol(symbol).axioms.comm;
        let exchange = comm && self.analysis.is_variable(x) && !self.analysis.is_variable(y);
        let (x, y) = if exchange { (y, x) } else { (x, y) };
        let ways = self.comm_ways(symbol, x, y, known);
        let greedy = self.may_be_greedy(&args, known);
        let identity = self.identity(symbol);
        self.push(Node::Comm(CommNode { symbol, identity, ways, greedy }))
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

    fn end_shared(&mut self, shared: Vec<StaticId>) {
        for v in shared {
            self.shared.remove(&v);
        }
    }

    fn comm_ways(
        &mut self,
        symbol: SymbolId,
        x: StaticId,
        y: StaticId,
        known: &Known,
    ) -> Box<[Way]> {
        let axioms = self.analysis.signature.symbol(symbol).axioms;
        let mut forward = known.clone();
        let (x1, y2) = (self.node_then(x, &mut forward), self.node(y, &forward));
        let mut backward = known.clone();
        let (y1, x2) = (self.node_then(y, &mut backward), self.node(x, &backward));
        let way = |first, second| Way { repeats: false, parts: [first, second] };
        let mut ways = vec![way((x1, Against::First), (y2, Against::Second))];
        if axioms.comm {
            ways.push(way((x1, Against::Second), (y2, Against::First)));
        }
        if axioms.identity.is_some() && axioms.left_id {
            ways.push(way((x1, Against::Identity), (y2, Against::Whole)));
        }
        if axioms.identity.is_some() && axioms.right_id {
            let way = way((y1, Against::Identity), (x2, Against::Whole));
            ways.push(Way { repeats: axioms.left_id, ..way });
        }
        if axioms.idem {
            let way = way((y1, Against::Whole), (x2, Against::Whole));
            ways.push(Way { repeats: axioms.identity.is_some(), ..way });
        }
        ways.into()
    }

    fn identity(&mut self, symbol: SymbolId) -> Handle {
        match self.analysis.identity(symbol) {
            Some(t) => self.ground(t),
            None => Handle::NIL,
        }
    }

    /// Whether no unbound variable of some arguments of a subpattern occurs in the condition, in
    /// another part of the pattern, or in two of them.
    fn may_be_greedy(&mut self, args: &[StaticId], known: &Known) -> bool {
        let inside = occurrences::count(self.analysis.terms, args);
        let mut seen = Known::default();
        args.iter().all(|&arg| {
            if self.analysis.terms.variables(arg).iter().any(|v| self.shared.contains(v)) {
                return false;
            }
            let open = self.analysis.unbound(arg, known);
            open.into_iter().all(|v| {
                let occurs = self.occurrences.get(&v).copied().unwrap_or(0);
                let here = inside.get(&v).copied().unwrap_or(1);
                !self.elsewhere.contains(&v) && occurs <= here && seen.insert(v)
            })
        })
    }

    /// All arguments, for a subject that is not headed by the operator.
    fn collapse(
        &mut self,
        symbol: SymbolId,
        args: &[(StaticId, u32)],
        known: &Known,
    ) -> Option<Box<[(NodeId, bool)]>> {
        let axioms = self.analysis.signature.symbol(symbol).axioms;
        axioms.identity?;
        let mut known = known.clone();
        let last = args.len() - 1;
        let parts = args.iter().enumerate().map(|(place, &(x, multiplicity))| {
            let side = (axioms.left_id || place == 0) && (axioms.right_id || place == last);
            (self.node_then(x, &mut known), side && multiplicity == 1)
        });
        Some(parts.collect())
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
            let private = self.occurrences.get(&t) == Some(&1) && !self.guarded.contains(&var.slot);
            return Collector { var, multiplicity, low, high, alien: None, private };
        }
        let sort = self.analysis.terms.least_sort(self.analysis.signature, t);
        let high = self.analysis.bound(symbol, sort);
        let var = Var { slot: self.slots.fresh(), sort };
        self.unbound.push(var.slot);
        let alien = Some(self.node(t, known));
        Collector { var, multiplicity, low, high, alien, private: false }
    }

    fn multi(&mut self, t: StaticId, known: &Known, extension: bool, root: bool) -> NodeId {
        let args = self.analysis.elements(t);
        self.multi_of(self.analysis.symbol(t), &args, known, extension, root)
    }

    fn multi_of(
        &mut self,
        symbol: SymbolId,
        args: &[(StaticId, u32)],
        known: &Known,
        extension: bool,
        root: bool,
    ) -> NodeId {
        let (mut ground, mut collectors, mut aliens) = (Vec::new(), Vec::new(), Vec::new());
        let (mut loose, mut abstracted) = (extension, false);
        let only_args: Vec<StaticId> = args.iter().map(|a| a.0).collect();
        let shared = self.begin_shared(&only_args, known);
        for &(x, multiplicity) in args {
            if self.analysis.terms.is_ground(x) {
                ground.push((self.ground(x), multiplicity));
            } else if self.analysis.is_variable(x) {
                loose |= !known.contains(&x);
                collectors.push(self.collector(symbol, x, multiplicity, true, known));
            } else if self.analysis.is_flexible(x, symbol, known) {
                loose = true;
                abstracted = true;
                collectors.push(self.collector(symbol, x, multiplicity, true, known));
            } else {
                aliens.push((x, multiplicity));
            }
        }
        let in_order: Vec<StaticId> = aliens.iter().map(|a| a.0).collect();
        let placed = sequence::ac_sequence(&mut self.analysis, in_order.clone(), known, loose);
        let mut then = known.clone();
        let alien_nodes: Vec<AcAlien> = placed
            .iter()
            .map(|&x| {
                let multiplicity = aliens.iter().find(|a| a.0 == x).expect("it is one").1;
                self.ac_alien(x, multiplicity, known, &mut then)
            })
            .collect();
        // The greedy pair goes by the pattern's order, everything else by multiplicity and sort.
        let in_pattern: Vec<u32> = collectors.iter().map(|c| c.var.slot).collect();
        collectors.sort_by_key(|c| std::cmp::Reverse((c.multiplicity, c.var.sort.index)));
        let elements = collectors.iter().enumerate();
        let elements = elements.filter(|(_, c)| c.high == 1 && c.low == 1 && c.alien.is_none());
        let elements: Vec<u16> = elements.map(|(i, _)| i as u16).collect();
        let is_term = args.len() > 1 || args[0].1 > 1;
        self.end_shared(shared);
        let greedy = (loose && self.may_be_greedy(&only_args, known)).then(|| {
            let aliens = (&in_order[..], &placed[..]);
            let mut greedy = self.ac_greedy(symbol, args, &collectors, aliens, extension);
            greedy.direct = !abstracted;
            if let Some((first, second)) = &mut greedy.pair
                && collectors[0].var.slot != in_pattern[0]
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
                std::cmp::Reverse((a.1, sort.map(|s| s.index)))
            });
            self.collapse(symbol, &args, known)
        } else {
            None
        };
        let even = self.is_even(symbol);
        let declaration = &self.analysis.signature.symbol(symbol).declarations[0];
        let node = MultiNode {
            symbol,
            even,
            arg_sort: even.then_some(declaration.args[0].index),
            identity: self.identity(symbol),
            ground: ground.into(),
            collectors: collectors.into(),
            elements: elements.into(),
            aliens: alien_nodes.into(),
            extension,
            unreduced: root && self.redex_unreduced,
            collapse,
            greedy,
        };
        self.push(Node::Multi(Box::new(node)))
    }

    fn ac_alien(
        &mut self,
        x: StaticId,
        multiplicity: u32,
        sure: &Known,
        known: &mut Known,
    ) -> AcAlien {
        let symbol = self.analysis.is_stable(x).then(|| self.analysis.symbol(x));
        let node = self.relying_node_then(x, sure, known);
        let mut inner = node;
        while let Node::Capture(_, below) | Node::Relying(_, below, _) = &self.nodes[inner as usize]
        {
            inner = *below;
        }
        let prefix = match &self.nodes[inner as usize] {
            Node::Free(free) => {
                free.steps.iter().take_while(|s| !matches!(s, Step::Alien { .. })).count() as u16
            }
            _ => 0,
        };
        let own: Vec<u32> =
            self.analysis.terms.variables(x).iter().map(|&v| self.slots.slot(v)).collect();
        let guards = self.guards.iter().enumerate().filter(|(_, guard)| {
            let mut reads = Vec::new();
            guard.collect_slots(&mut reads);
            reads.iter().any(|slot| own.contains(slot))
        });
        let guards = guards.map(|(i, _)| i as u16).collect();
        AcAlien { node, multiplicity, symbol, prefix, guards }
    }

    fn ac_greedy(
        &mut self,
        symbol: SymbolId,
        args: &[(StaticId, u32)],
        collectors: &[Collector],
        (in_order, placed): (&[StaticId], &[StaticId]),
        extension: bool,
    ) -> AcGreedy {
        let chain = greedy::chain(&self.analysis, in_order);
        let aliens = chain
            .into_iter()
            .map(|i| placed.iter().position(|&x| x == in_order[i]).expect("it has a place") as u16);
        let wide = |c: &Collector| c.high == UNBOUNDED && c.low == 1 && c.alien.is_none();
        let pair = match collectors {
            [a, b] if args.len() == 2 && wide(a) && wide(b) => {
                (a.multiplicity == 1 && b.multiplicity == 1).then_some((0, 1))
            }
            _ => None,
        };
        let shares = match collectors {
            [only] => {
                let identity = self.analysis.identity(symbol).is_some();
                args.len() == 1 && extension && !identity && wide(only) && only.multiplicity > 1
            }
            _ => false,
        };
        AcGreedy { direct: true, aliens: aliens.collect(), pair, shares }
    }

    fn list(&mut self, t: StaticId, known: &Known, extension: bool, root: bool) -> NodeId {
        let args = self.analysis.terms.args(t);
        self.list_of(self.analysis.symbol(t), &args, known, extension, root)
    }

    fn list_of(
        &mut self,
        symbol: SymbolId,
        args: &[StaticId],
        known: &Known,
        extension: bool,
        root: bool,
    ) -> NodeId {
        let outer = known;
        let mut known = known.clone();
        let (mut from, mut to) = (0, args.len());
        let mut ends = Vec::new();
        while !extension && from < to {
            let end = if !self.analysis.is_flexible(args[from], symbol, &known) {
                End::Left
            } else if !self.analysis.is_flexible(args[to - 1], symbol, &known) {
                End::Right
            } else {
                break;
            };
            let x = if end == End::Left { args[from] } else { args[to - 1] };
            let sure = known.clone();
            ends.push((end, self.rigid(x, &sure, &mut known)));
            match end {
                End::Left => from += 1,
                End::Right => to -= 1,
            }
        }
        let single = (!extension && to - from == 1).then(|| {
            let (first, last) = (from == 0, to == args.len());
            let axioms = self.analysis.signature.symbol(symbol).axioms;
            let fits = axioms.left_id && (axioms.right_id || !last) || axioms.right_id && !first;
            self.collector(symbol, args[from], 1, fits, &known)
        });
        let greedy = self.list_greedy(symbol, &args[from..to], &known, extension);
        let commits = self.may_be_greedy(args, outer);
        let (runs, blocks) = if !extension && to - from < 2 {
            (Vec::new(), Vec::new())
        } else {
            let last = to == args.len();
            self.runs_and_blocks(symbol, &args[from..to], (from == 0, last), &mut known)
        };
        let pairs: Vec<(StaticId, u32)> = args.iter().map(|&a| (a, 1)).collect();
        let collapse = if args.len() > 1 { self.collapse(symbol, &pairs, outer) } else { None };
        let node = ListNode {
            symbol,
            even: self.is_even(symbol),
            identity: self.identity(symbol),
            ends: ends.into(),
            single,
            runs: runs.into(),
            blocks: blocks.into(),
            extension,
            unreduced: root && self.redex_unreduced,
            once: args.iter().all(|&a| self.analysis.terms.is_ground(a)),
            collapse,
            commits,
            greedy,
        };
        self.push(Node::List(Box::new(node)))
    }

    /// Whether one declaration gives all terms of the operator one sort, whatever their order.
    fn is_even(&self, symbol: SymbolId) -> bool {
        let declarations = &self.analysis.signature.symbol(symbol).declarations;
        matches!(&declarations[..], [only] if only.args[0] == only.args[1])
    }

    fn rigid(&mut self, x: StaticId, sure: &Known, known: &mut Known) -> Rigid {
        let slot = self.analysis.is_variable(x).then(|| self.slots.slot(x));
        Rigid { node: self.relying_node_then(x, sure, known), slot }
    }

    /// Splits arguments into runs and blocks; `ends` tells whether they begin and end the pattern,
    /// which matters for one-sided identities.
    #[allow(clippy::type_complexity, reason = "runs and blocks")]
    fn runs_and_blocks(
        &mut self,
        symbol: SymbolId,
        args: &[StaticId],
        ends: (bool, bool),
        known: &mut Known,
    ) -> (Vec<Box<[Collector]>>, Vec<Box<[Rigid]>>) {
        let axioms = self.analysis.signature.symbol(symbol).axioms;
        let before = known.clone();
        let mut runs: Vec<Vec<Collector>> = vec![Vec::new()];
        let mut blocks: Vec<Vec<Rigid>> = Vec::new();
        let mut alone = false;
        for (place, &x) in args.iter().enumerate() {
            if self.analysis.is_flexible(x, symbol, &before) {
                if blocks.len() == runs.len() {
                    runs.push(Vec::new());
                }
                let first = place == 0 && ends.0;
                let last = place + 1 == args.len() && ends.1;
                let fits = axioms.left_id && !last || axioms.right_id && !first;
                let fits = fits || axioms.left_id && axioms.right_id;
                let collector = self.collector(symbol, x, 1, fits, &before);
                runs.last_mut().expect("there is one").push(collector);
                continue;
            }
            // A bound variable of an unbounded sort is a block by itself.
            let wide = match self.analysis.variable_sort(x) {
                Some(sort) => self.analysis.bound(symbol, sort) > 1,
                None => false,
            };
            if blocks.len() == runs.len() && (wide || alone) {
                runs.push(Vec::new());
            }
            if blocks.len() < runs.len() {
                blocks.push(Vec::new());
            }
            let rigid = self.rigid(x, &before, known);
            blocks.last_mut().expect("there is one").push(rigid);
            alone = wide;
        }
        if blocks.len() == runs.len() {
            runs.push(Vec::new());
        }
        let runs = runs.into_iter().map(Into::into).collect();
        (runs, blocks.into_iter().map(Into::into).collect())
    }

    fn list_greedy(
        &mut self,
        symbol: SymbolId,
        args: &[StaticId],
        known: &Known,
        extension: bool,
    ) -> ListGreedy {
        if !self.may_be_greedy(args, known) {
            return ListGreedy::No;
        }
        let axioms = self.analysis.signature.symbol(symbol).axioms;
        if axioms.identity.is_some() && !(axioms.left_id && axioms.right_id) {
            return ListGreedy::No;
        }
        let mut direct = true;
        let mut fixed = 0;
        for &x in args {
            let identity = axioms.identity.is_some_and(|i| self.analysis.can_be(x, i));
            fixed += u32::from(!identity);
            match self.analysis.variable_sort(x) {
                Some(sort) if !known.contains(&x) => {
                    let bound = self.analysis.bound(symbol, sort);
                    if bound == 1 && identity {
                        return ListGreedy::No;
                    }
                    direct &= bound == 1 || bound == UNBOUNDED;
                }
                Some(_) => {}
                None => direct &= !self.analysis.is_flexible(x, symbol, known),
            }
        }
        if extension && axioms.identity.is_some() && fixed < 2 {
            return ListGreedy::No;
        }
        if direct { ListGreedy::Direct } else { ListGreedy::Commit }
    }
}
