//! From a statement's graph to instructions.

use rustc_hash::FxHashMap;

use super::compiler::CodeCompiler;
use super::inputs::{Cx, Inputs};
use super::ops::{Op, Pc, Reg};
use super::ways::{NodeWay, StatementPositions, analyse, used_lazily};
use crate::id::{StaticId, SymbolId};
use crate::signature::Shape;
use crate::term::StaticNode;

/// Writes the code of one statement.
pub(crate) struct Emitter<'e, 'c> {
    compiler: &'e mut CodeCompiler<'c>,
    given: Inputs,
    ways: FxHashMap<StaticId, NodeWay>,
    /// Registers of shared nodes, and of copies of lazy variables.
    shared: FxHashMap<StaticId, Reg>,
    /// Registers of what is used several times in lazy positions.
    shared_lazily: FxHashMap<StaticId, Reg>,
    /// Shared registers in the order in which code to set them was first written.
    built: Vec<Reg>,
    /// `Match` instructions with the number of shared registers set before them, and the number of
    /// slots taken when its pattern had its own.
    resets: Vec<(Pc, usize, Reg)>,
    /// Where the code for an undecided `if` is written, the nodes that it has built: both branches
    /// are evaluated there, and what they have in common is one node.
    undecided: Option<FxHashMap<StaticId, Reg>>,
    /// The first register for temporaries.
    temp: Reg,
    n_regs: Reg,
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// Prepares the code of a statement whose evaluated terms are `roots`, in program order;
    /// `lazily`: one of them that is also used without being evaluated.
    pub(crate) fn new(
        compiler: &'e mut CodeCompiler<'c>,
        given: Inputs,
        roots: &[StaticId],
        lazily: Option<StaticId>,
    ) -> Emitter<'e, 'c> {
        let ways = analyse(&compiler.terms, &Cx { compiler, given: &given }, roots);
        let mut next = given.slots.len() as u32;
        let mut shared = FxHashMap::default();
        let mut nodes: Vec<_> = ways.iter().filter(|(_, w)| **w == NodeWay::Shared).collect();
        nodes.sort_by_key(|(term, _)| **term);
        for term in nodes.into_iter().map(|(t, _)| *t).chain(given.copied()) {
            shared.insert(term, next);
            next += 1;
        }
        let several = used_lazily(&compiler.terms, &Cx { compiler, given: &given }, &ways, lazily);
        let shared_lazily = several.into_iter().zip(next..).collect::<FxHashMap<_, _>>();
        next += shared_lazily.len() as u32;
        Emitter {
            compiler,
            given,
            ways,
            shared,
            shared_lazily,
            built: Vec::new(),
            resets: Vec::new(),
            undecided: None,
            temp: next,
            n_regs: next,
        }
    }

    /// Where the next instruction goes.
    pub(crate) fn here(&self) -> Pc {
        self.compiler.program.block.here()
    }

    /// Gives the registers of temporaries back: no value computed so far is needed again.
    pub(crate) fn release(&mut self) {
        let kept = self.shared.len() + self.shared_lazily.len();
        self.temp = (self.given.slots.len() + kept) as Reg;
    }

    /// Appends an instruction.
    pub(crate) fn push(&mut self, op: Op) -> Pc {
        let at = self.compiler.program.block.here();
        self.compiler.program.block.ops.push(op);
        at
    }

    /// Appends a `Match`; its registers to forget are known when all code is written.
    pub(crate) fn push_match(&mut self, subject: Reg, pattern: u32, n_slots: Reg) {
        let at = self.push(Op::Match { subject, pattern, reset: 0 });
        self.resets.push((at, self.built.len(), n_slots));
    }

    /// Makes a skip go on at the next instruction.
    pub(crate) fn land(&mut self, skip: Pc) {
        let to = self.here();
        if let Op::SkipIfSet { to: target, .. } =
            &mut self.compiler.program.block.ops[skip as usize]
        {
            *target = to;
        }
    }

    /// Completes the code.
    pub(crate) fn finish(self) -> u32 {
        let n_slots = self.given.slots.len() as Reg;
        for (at, before, own) in self.resets {
            let later: Vec<Reg> =
                self.built[before..].iter().copied().chain(own..n_slots).collect();
            let list = self.compiler.program.block.list(&later);
            if let Op::Match { reset, .. } = &mut self.compiler.program.block.ops[at as usize] {
                *reset = list;
            }
        }
        self.n_regs
    }

    /// The shared registers whose code has been written so far.
    pub(crate) fn shared_so_far(&self) -> &[Reg] {
        &self.built
    }

    /// Code that leaves the normal form of a term in a register.
    pub(crate) fn value(&mut self, term: StaticId) -> Reg {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.value_here(term))
    }

    fn value_here(&mut self, term: StaticId) -> Reg {
        if let Some(reg) = self.raw_given(term) {
            if self.given.lazy.contains(&term) || self.given.unreduced.contains(&term) {
                self.push(Op::Reduce { reg });
            }
            return reg;
        }
        if self.ways.get(&term) == Some(&NodeWay::Shared) {
            let reg = self.build_shared(term);
            self.push(Op::Reduce { reg });
            return reg;
        }
        if self.is_branch(term) {
            return self.branch_value(term);
        }
        let mark = self.temp;
        let node = self.as_written(term);
        match node {
            StaticNode::App(symbol, args) => {
                let eager = self.compiler.signature.symbol(symbol).evaluates_eagerly();
                let regs = self.arguments(term, symbol, &args);
                let dst = self.result(mark);
                let shape = self.compiler.signature.symbol(symbol).shape();
                let op = if eager && shape == Shape::Free && !self.compiler.is_defined(symbol) {
                    let sort = self.compiler.memory.sure_sort_word(symbol);
                    let args = self.compiler.program.block.node(sort, &regs);
                    Op::Node { dst, symbol, args }
                } else {
                    let args = self.compiler.program.block.list(&regs);
                    match eager {
                        true => Op::Call { dst, symbol, args },
                        false => Op::CallLazy { dst, symbol, args },
                    }
                };
                self.push(op);
                dst
            }
            StaticNode::Iter(symbol, count, arg) => {
                let arg = self.argument(symbol, 0, arg);
                let args = self.compiler.program.block.iteration(arg, &count);
                let dst = self.result(mark);
                let defined = self.compiler.is_defined(symbol)
                    || !self.compiler.signature.symbol(symbol).evaluates_eagerly();
                self.push(match defined {
                    true => Op::CallIter { dst, symbol, args },
                    false => Op::Iter { dst, symbol, args },
                });
                dst
            }
            _ => unreachable!("leaves are given"),
        }
    }

    /// Code that makes the normal form of a term what the frame returns.
    pub(crate) fn tail(&mut self, term: StaticId) {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.tail_here(term));
    }

    fn tail_here(&mut self, term: StaticId) {
        let direct = self.ways.get(&term) == Some(&NodeWay::Direct);
        if direct && self.is_branch(term) {
            let args = self.compiler.terms.args_as_written(term);
            let mark = self.temp;
            let test = self.value(args[0]);
            self.announce_test(term, test);
            let at = self.push(Op::If { test, no: 0, stuck: 0 });
            let beside_test = std::mem::replace(&mut self.temp, mark);
            self.tail_branch(args[1]);
            let no = self.compiler.program.block.here();
            self.tail_branch(args[2]);
            let stuck = self.compiler.program.block.here();
            self.patch_if(at, no, stuck);
            self.temp = beside_test;
            let src = self.stuck_value(term, test);
            self.push(Op::Return { src });
            return;
        }
        let node = self.compiler.terms.node(term);
        if direct && matches!(node, StaticNode::App(..) | StaticNode::Multiset(..)) {
            let (symbol, args) = (node.symbol(), self.compiler.terms.args_as_written(term));
            if self.compiler.signature.symbol(symbol).evaluates_eagerly()
                && (self.compiler.is_defined(symbol)
                    || self.compiler.signature.symbol(symbol).shape() != Shape::Free)
            {
                let mark = self.temp;
                let regs = self.arguments(term, symbol, &args);
                let args = self.compiler.program.block.list(&regs);
                self.push(Op::Tail { symbol, args });
                self.temp = mark;
                return;
            }
        }
        let src = self.value(term);
        self.push(Op::Return { src });
    }

    fn tail_branch(&mut self, term: StaticId) {
        if self.ways.get(&term) == Some(&NodeWay::Shared) {
            let src = self.branch_top(term);
            self.push(Op::Return { src });
        } else {
            self.tail(term);
        }
    }

    /// Has watched code tell of the `if` that comes.
    fn announce_test(&mut self, term: StaticId, test: Reg) {
        if self.compiler.watched {
            let symbol = self.compiler.terms.node(term).symbol();
            self.push(Op::Test { test, symbol });
        }
    }

    /// Whether somebody watches the code.
    pub(crate) fn is_watched(&self) -> bool {
        self.compiler.watched
    }

    /// The code of a direct `if`.
    fn branch_value(&mut self, term: StaticId) -> Reg {
        let args = self.compiler.terms.args_as_written(term);
        let mark = self.temp;
        let dst = self.result(mark);
        let test = self.value(args[0]);
        self.announce_test(term, test);
        let at = self.push(Op::If { test, no: 0, stuck: 0 });
        let mut jumps = [0; 2];
        let mut no = 0;
        for (i, jump) in jumps.iter_mut().enumerate() {
            if i == 1 {
                no = self.compiler.program.block.here();
            }
            let inner = self.temp;
            let src = match self.ways.get(&args[i + 1]) {
                Some(NodeWay::Shared) => self.branch_top(args[i + 1]),
                _ => self.value(args[i + 1]),
            };
            self.push(Op::Move { dst, src });
            *jump = self.push(Op::Jump { to: 0 });
            self.temp = inner;
        }
        let stuck = self.compiler.program.block.here();
        self.patch_if(at, no, stuck);
        let src = self.stuck_value(term, test);
        self.push(Op::Move { dst, src });
        let end = self.compiler.program.block.here();
        for jump in jumps {
            self.compiler.program.block.ops[jump as usize] = Op::Jump { to: end };
        }
        self.temp = dst + 1;
        dst
    }

    fn patch_if(&mut self, at: Pc, to_no: Pc, to_stuck: Pc) {
        if let Op::If { no, stuck, .. } = &mut self.compiler.program.block.ops[at as usize] {
            *no = to_no;
            *stuck = to_stuck;
        }
    }

    fn branch_top(&mut self, term: StaticId) -> Reg {
        let src = self.build_shared(term);
        let dst = self.result(self.temp);
        self.push(Op::BranchTop { dst, src });
        dst
    }

    /// The `if` itself, when its test is neither true nor false: both branches are evaluated and the
    /// user's equations for it tried.
    fn stuck_value(&mut self, term: StaticId, test: Reg) -> Reg {
        let mark = self.temp;
        let symbol = self.compiler.terms.node(term).symbol();
        let args = self.compiler.terms.args_as_written(term);
        let around = self.undecided.replace(FxHashMap::default());
        let regs = [test, self.raw(args[1]), self.raw(args[2])];
        self.undecided = around;
        let args = self.compiler.program.block.list(&regs);
        let dst = self.result(mark);
        self.push(Op::Raw { dst, symbol, args });
        self.push(Op::Reduce { reg: dst });
        dst
    }

    fn is_branch(&self, term: StaticId) -> bool {
        Cx { compiler: self.compiler, given: &self.given }.is_branch(term)
    }

    /// A node with the arguments of a multiset repeated as often as they occur.
    fn as_written(&self, term: StaticId) -> StaticNode {
        match self.compiler.terms.node(term) {
            StaticNode::Multiset(symbol, _) => {
                StaticNode::App(*symbol, self.compiler.terms.args_as_written(term).into())
            }
            node => node.clone(),
        }
    }

    fn arguments(&mut self, term: StaticId, symbol: SymbolId, args: &[StaticId]) -> Vec<Reg> {
        debug_assert!(!self.is_branch(term));
        let places = args.iter().enumerate();
        places.map(|(place, &a)| self.argument(symbol, place, a)).collect()
    }

    fn argument(&mut self, symbol: SymbolId, place: usize, arg: StaticId) -> Reg {
        if self.compiler.is_eager(symbol, place) { self.value(arg) } else { self.lazy(arg) }
    }

    /// Takes a register for a result once the temporaries above `mark` are not needed.
    fn result(&mut self, mark: Reg) -> Reg {
        self.temp = mark + 1;
        self.n_regs = self.n_regs.max(self.temp);
        mark
    }

    /// The register of a term that needs no evaluation code but may need reduction: a variable, a
    /// matched subterm, a ground term that nothing rewrites.
    fn raw_given(&mut self, term: StaticId) -> Option<Reg> {
        if let Some(src) = self.given.slots.get(term)
            && !self.given.anew.contains(&term)
        {
            if !self.given.lazy.contains(&term) {
                return Some(src);
            }
            let dst = self.shared[&term];
            let skip = self.push(Op::SkipIfSet { reg: dst, to: 0 });
            self.push(Op::Copy { dst, src });
            self.close_skip(skip, dst);
            return Some(dst);
        }
        let value = self.compiler.constant(term)?;
        let dst = self.result(self.temp);
        self.push(Op::Load { dst, value });
        Some(dst)
    }

    fn close_skip(&mut self, skip: Pc, reg: Reg) {
        let to = self.compiler.program.block.here();
        self.compiler.program.block.ops[skip as usize] = Op::SkipIfSet { reg, to };
        if !self.built.contains(&reg) {
            self.built.push(reg);
        }
    }

    /// Code that has the raw node of a shared term in its register.
    fn build_shared(&mut self, term: StaticId) -> Reg {
        let reg = self.shared[&term];
        let skip = self.push(Op::SkipIfSet { reg, to: 0 });
        let mark = self.temp;
        // What is built here may be left out.
        let undecided = self.undecided.take();
        self.raw_node(term, reg);
        self.undecided = undecided;
        self.temp = mark;
        self.close_skip(skip, reg);
        reg
    }

    /// Code that leaves a term in a register as a raw node.
    fn raw(&mut self, term: StaticId) -> Reg {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
            if let Some(reg) = self.raw_given(term) {
                return reg;
            }
            if self.ways.get(&term) == Some(&NodeWay::Shared) {
                return self.build_shared(term);
            }
            if let Some(&reg) = self.undecided.as_ref().and_then(|built| built.get(&term)) {
                return reg;
            }
            let dst = self.result(self.temp);
            self.raw_node(term, dst);
            match &mut self.undecided {
                // The nodes below may be used again.
                Some(built) => drop(built.insert(term, dst)),
                None => self.temp = dst + 1,
            }
            dst
        })
    }

    fn raw_node(&mut self, term: StaticId, dst: Reg) {
        let branch = self.is_branch(term);
        let node = self.as_written(term);
        match node {
            StaticNode::App(symbol, args) => {
                let regs: Vec<Reg> = args
                    .iter()
                    .enumerate()
                    .map(|(place, &a)| match branch || self.compiler.is_eager(symbol, place) {
                        true => self.raw(a),
                        false => self.lazy(a),
                    })
                    .collect();
                let args = self.compiler.program.block.list(&regs);
                self.push(Op::Raw { dst, symbol, args });
            }
            StaticNode::Iter(symbol, count, arg) => {
                let arg = match self.compiler.is_eager(symbol, 0) {
                    true => self.raw(arg),
                    false => self.lazy(arg),
                };
                let args = self.compiler.program.block.iteration(arg, &count);
                self.push(Op::RawIter { dst, symbol, args });
            }
            _ => unreachable!("leaves are given"),
        }
    }

    /// Code that leaves a term in a register as a normal unreduced node; all lazy positions share it.
    pub(crate) fn lazy(&mut self, term: StaticId) -> Reg {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
            if let Some(src) = self.given.slots.get(term) {
                return src;
            }
            if let Some(reg) = self.raw_given(term) {
                return reg;
            }
            let Some(&reg) = self.shared_lazily.get(&term) else { return self.lazy_node(term) };
            let skip = self.push(Op::SkipIfSet { reg, to: 0 });
            let mark = self.temp;
            let src = self.lazy_node(term);
            self.push(Op::Move { dst: reg, src });
            self.temp = mark;
            self.close_skip(skip, reg);
            reg
        })
    }

    fn lazy_node(&mut self, term: StaticId) -> Reg {
        let mark = self.temp;
        let node = self.as_written(term);
        match node {
            StaticNode::App(symbol, args) => {
                let regs: Vec<Reg> = args.iter().map(|&a| self.lazy(a)).collect();
                let args = self.compiler.program.block.list(&regs);
                let dst = self.result(mark);
                self.push(Op::Lazy { dst, symbol, args });
                dst
            }
            StaticNode::Iter(symbol, count, arg) => {
                let arg = self.lazy(arg);
                let args = self.compiler.program.block.iteration(arg, &count);
                let dst = self.result(mark);
                self.push(Op::LazyIter { dst, symbol, args });
                dst
            }
            _ => unreachable!("leaves are given"),
        }
    }
}
