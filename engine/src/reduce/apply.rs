//! Applying a symbol to reduced arguments in registers.

use super::wanted::{Purpose, Tried};
use super::{Frame, FrameTrial, FrameWork, NONE, StepOutcome};
use crate::code::{Case, Check, Entry, EquationCode, Pc, TheoryCode, Tree, TreeStep};
use crate::heap::{Handle, flag};
use crate::id::{KindId, SortId, SymbolId};
use crate::signature::Shape;
use crate::worker::Worker;

/// What a decision tree finds.
pub(super) enum Found<'c> {
    /// The plain equation that applies.
    Plain(&'c EquationCode),
    /// A leaf whose candidates have to be tried in the general way.
    Leaf(u32),
}

impl Worker {
    /// Applies a symbol to the reduced arguments that stand in the registers from `base` on: builtin
    /// operation, equations, or else the node itself. The registers are given up.
    pub(super) fn apply(
        &mut self,
        code: &TheoryCode,
        symbol: SymbolId,
        base: usize,
    ) -> StepOutcome {
        if !self.breathe() {
            return StepOutcome::Stopped;
        }
        match code.calls[symbol.index()] {
            Entry::Tree(tree) => self.try_tree(code, tree, base),
            Entry::None => self.make_node(symbol, base),
            _ => self.apply_in_general(code, symbol, base),
        }
    }

    fn apply_in_general(
        &mut self,
        code: &TheoryCode,
        symbol: SymbolId,
        base: usize,
    ) -> StepOutcome {
        if let Some(hook) = self.space.memory.core(symbol).hook
            && let Some(term) = self.compute(hook, symbol, base)
        {
            self.space.regs.truncate(base);
            return self.computed(term);
        }
        if self.space.memory.core(symbol).shape != Shape::Free {
            return self.apply_modulo_axioms(code, symbol, base);
        }
        match code.entries[symbol.index()] {
            Entry::None => self.make_node(symbol, base),
            Entry::Tree(tree) => self.try_tree(code, tree, base),
            Entry::Node { leaf } => {
                let node = self.space.memory.fixed_node(symbol, 0, &self.space.regs[base..]);
                let sort = self.space.memory.fixed_sort(symbol, &self.space.regs[base..]);
                self.space.memory.set_sort(node, sort);
                self.space.regs.truncate(base);
                self.space.regs.push(node);
                self.try_leaf(code, symbol, leaf, true, 1, true, base)
            }
            Entry::General => unreachable!("only calls have general entries"),
        }
    }

    /// The application of a free symbol to which no equation applies.
    pub(super) fn make_node(&mut self, symbol: SymbolId, base: usize) -> StepOutcome {
        let core = self.space.memory.core(symbol);
        let n = usize::from(core.arity);
        if n == 0 && core.immediate != Handle::NIL {
            let constant = core.immediate;
            self.space.regs.truncate(base);
            return StepOutcome::Value(constant);
        }
        let memberships = core.memberships;
        let args = &self.space.regs[base..base + n];
        let sort = self.space.memory.fixed_sort(symbol, args);
        let node = self.space.memory.fixed_node(symbol, flag::REDUCED, args);
        self.space.memory.set_sort(node, sort);
        self.space.regs.truncate(base);
        if memberships {
            self.push_memberships(node);
            return StepOutcome::Begin;
        }
        StepOutcome::Value(node)
    }

    fn apply_modulo_axioms(
        &mut self,
        code: &TheoryCode,
        symbol: SymbolId,
        base: usize,
    ) -> StepOutcome {
        let node = self.space.memory.normal_node(symbol, &self.space.regs[base..]);
        self.space.regs.truncate(base);
        self.apply_to_node(code, symbol, node)
    }

    /// Tries the equations of a symbol on a normal node whose arguments are reduced; the node may
    /// have collapsed to something else.
    pub(super) fn apply_to_node(
        &mut self,
        code: &TheoryCode,
        symbol: SymbolId,
        node: Handle,
    ) -> StepOutcome {
        if self.space.memory.is_reduced(node) {
            return StepOutcome::Value(node);
        }
        if self.space.memory.symbol(node) != symbol {
            return self.begin_node(node);
        }
        if let Some(hook) = self.space.memory.core(symbol).hook
            && let Some(term) = self.compute_node(hook, node)
        {
            return if term == Handle::NIL || self.space.memory.is_reduced(term) {
                self.computed(term)
            } else {
                self.apply_to_node(code, symbol, term)
            };
        }
        self.space.memory.declare_sorts(node);
        let base = self.space.regs.len();
        self.space.regs.push(node);
        match code.entries[symbol.index()] {
            Entry::None => self.keep_node(base),
            Entry::Node { leaf } => self.try_leaf(code, symbol, leaf, true, 1, true, base),
            Entry::Tree(_) | Entry::General => {
                unreachable!("symbols with axioms are tried on nodes")
            }
        }
    }

    /// The node in register 0 of the frame is normal: no equation applies to it.
    pub(super) fn keep_node(&mut self, base: usize) -> StepOutcome {
        let node = self.space.memory.resolve(self.space.regs[base]);
        self.space.regs.truncate(base);
        let symbol = self.space.memory.symbol(node);
        // The sort of a node whose arguments were lazy may have changed since it was tried.
        if !self.space.memory.core(symbol).eager || self.space.memory.known_sort(node).is_none() {
            self.space.memory.resolve_args(node);
            let sort = self.space.memory.declared_sort(node);
            self.space.memory.set_sort(node, sort);
        }
        self.space.memory.set_reduced(node);
        if self.space.memory.core(symbol).memberships {
            self.push_memberships(node);
            return StepOutcome::Begin;
        }
        StepOutcome::Value(node)
    }

    fn try_tree(&mut self, code: &TheoryCode, tree: u32, base: usize) -> StepOutcome {
        let tree = code.program.trees[tree as usize];
        self.space.regs.resize_frame(base, tree.room as usize);
        match self.walk_tree(code, tree, base) {
            Found::Plain(equation) => {
                self.begin_plain(equation, base);
                StepOutcome::Code
            }
            Found::Leaf(leaf) => self.try_tree_leaf(code, tree, leaf, base),
        }
    }

    /// Looks in a tree for what may apply to the arguments in the registers from `base` on, of which
    /// there are as many as the tree has room for.
    #[inline(always)]
    pub(super) fn walk_tree<'c>(
        &mut self,
        code: &'c TheoryCode,
        tree: Tree,
        base: usize,
    ) -> Found<'c> {
        let mut at = tree.root as usize;
        loop {
            match code.program.steps[at] {
                TreeStep::Switch { reg, first, n, default } => {
                    let (term, top) = self.space.memory.top(self.space.regs[base + reg as usize]);
                    let cases = &code.program.cases[first as usize..][..n as usize];
                    let case = cases.iter().find(|case| case.symbol == top);
                    at = self.take_case(case, default, term, base);
                }
                TreeStep::Table { reg, table, default } => {
                    let (term, top) = self.space.memory.top(self.space.regs[base + reg as usize]);
                    let table = code.program.tables[table as usize];
                    let case = table.case(&code.program.jumps, top);
                    let case = case.map(|case| &code.program.cases[case as usize]);
                    at = self.take_case(case, default, term, base);
                }
                TreeStep::Apply { equation } => {
                    return Found::Plain(&code.program.equations[equation as usize]);
                }
                TreeStep::Leaf { first, n } => {
                    let plain = self.plain_candidate(code, first, n, base);
                    return plain.map_or(Found::Leaf(at as u32), Found::Plain);
                }
            }
        }
    }

    /// Tries the candidates of a leaf of a tree in the general way.
    pub(super) fn try_tree_leaf(
        &mut self,
        code: &TheoryCode,
        tree: Tree,
        leaf: u32,
        base: usize,
    ) -> StepOutcome {
        self.try_leaf(code, tree.symbol, leaf, false, tree.n_regs, true, base)
    }

    /// Where the tree goes on in a case, whose arguments are unpacked, or without one.
    #[inline(always)]
    fn take_case(&mut self, case: Option<&Case>, default: u32, term: Handle, base: usize) -> usize {
        let Some(case) = case else { return default as usize };
        let (to, n_args) = (base + case.unpack as usize, case.n_args as usize);
        if n_args > 0 {
            self.space.memory.unpack(term, &mut self.space.regs[to..to + n_args]);
        }
        case.next as usize
    }

    /// The first candidate of a leaf whose checks pass, as long as they have neither conditions nor
    /// patterns.
    fn plain_candidate<'c>(
        &mut self,
        code: &'c TheoryCode,
        first: u32,
        n: u32,
        base: usize,
    ) -> Option<&'c EquationCode> {
        for candidate in &code.program.candidates[first as usize..][..n as usize] {
            let equation = &code.program.equations[candidate.equation as usize];
            if !equation.plain {
                return None;
            }
            if self.check(code, candidate.first_check, candidate.n_checks, base) {
                return Some(equation);
            }
        }
        None
    }

    /// Makes the frame of a plain equation that applies. Where its right side begins.
    #[inline(always)]
    pub(super) fn begin_plain(&mut self, equation: &EquationCode, base: usize) -> Pc {
        self.use_registers(equation, base);
        self.machine.frames.push(Frame {
            work: FrameWork::Code,
            pc: equation.start,
            base: base as u32,
            dst: 0,
            at: 0,
            to: 0,
            trial: FrameTrial::None,
        });
        equation.start
    }

    /// Counts a plain equation that applies, and leaves it the registers that it needs.
    #[inline(always)]
    pub(super) fn use_registers(&mut self, equation: &EquationCode, base: usize) {
        self.space.regs.truncate(base + equation.n_regs as usize);
        self.counts.equations += 1;
    }

    /// Tries the candidates of a leaf in order. `keep`: the registers of the frame that stay from one
    /// candidate to the next; `owise`: whether owise equations are among those tried.
    #[allow(clippy::too_many_arguments, reason = "the parts of a trial")]
    pub(super) fn try_leaf(
        &mut self,
        code: &TheoryCode,
        symbol: SymbolId,
        leaf: u32,
        by_node: bool,
        keep: u32,
        owise: bool,
        base: usize,
    ) -> StepOutcome {
        let TreeStep::Leaf { first, n } = code.program.steps[leaf as usize] else {
            unreachable!("a tree ends in leaves")
        };
        let trial =
            FrameTrial::Equations { next: first, end: first + n, symbol, by_node, keep, owise };
        self.try_candidates(code, trial, base)
    }

    /// Tries candidates until one matches; its code then has a frame.
    pub(super) fn try_candidates(
        &mut self,
        code: &TheoryCode,
        trial: FrameTrial,
        base: usize,
    ) -> StepOutcome {
        let FrameTrial::Equations { mut next, end, symbol, by_node, keep, owise } = trial else {
            unreachable!("candidates are equations")
        };
        while next < end {
            let candidate = code.program.candidates[next as usize];
            next += 1;
            let equation = code.program.equations[candidate.equation as usize];
            if equation.owise && !owise {
                continue;
            }
            self.space.regs.truncate(base + keep as usize);
            self.space.regs.resize_frame(base, equation.n_regs.max(keep) as usize);
            if !self.check(code, candidate.first_check, candidate.n_checks, base) {
                continue;
            }
            let few = equation.pattern.filter(|_| !equation.conditional).and_then(|pattern| {
                let pattern = &code.program.patterns[pattern as usize];
                let subject = self.space.regs[base];
                pattern.match_few(&mut self.space, base, subject)
            });
            if few == Some(false) {
                continue;
            }
            let trial = FrameTrial::Equations { next, end, symbol, by_node, keep, owise };
            let frame = Frame {
                work: FrameWork::Code,
                pc: equation.start,
                base: base as u32,
                trial,
                ..self.blank()
            };
            self.machine.frames.push(frame);
            if let Some(pattern) = equation.pattern
                && few.is_none()
            {
                let subject = self.space.regs[base];
                let (start, n_slots) = (equation.start, equation.n_slots);
                let purpose = if equation.conditional { Purpose::First } else { Purpose::Only };
                let tried =
                    self.start_matcher(code, pattern, subject, start, NONE, n_slots, true, purpose);
                match tried {
                    Tried::Matched => {}
                    Tried::Waits => return StepOutcome::Begin,
                    Tried::Failed => {
                        self.machine.frames.pop();
                        continue;
                    }
                }
            }
            return self.equation_matched(code, equation.start, trial, equation.conditional);
        }
        self.give_up(symbol, by_node, owise, base)
    }

    /// The left side of an equation has matched, whose frame is on top.
    pub(super) fn equation_matched(
        &mut self,
        code: &TheoryCode,
        start: Pc,
        trial: FrameTrial,
        conditional: bool,
    ) -> StepOutcome {
        if !conditional {
            self.counts.equations += 1;
        }
        if self.is_watched() {
            let base = self.machine.frames[self.machine.frames.len() - 1].base as usize;
            self.tell_equation(code, start, trial, base, conditional);
        }
        StepOutcome::Code
    }

    /// No candidate was left.
    fn give_up(
        &mut self,
        symbol: SymbolId,
        by_node: bool,
        owise: bool,
        base: usize,
    ) -> StepOutcome {
        if !owise {
            // An evaluation strategy goes on with its next step, in the frame below.
            let node = self.space.memory.resolve(self.space.regs[base]);
            self.space.regs.truncate(base);
            return self.strategy_step_failed(node);
        }
        if by_node { self.keep_node(base) } else { self.make_node(symbol, base) }
    }

    #[inline(always)]
    fn check(&mut self, code: &TheoryCode, first: u32, n: u32, base: usize) -> bool {
        for i in first as usize..(first + n) as usize {
            match code.program.checks[i] {
                Check::Sort { reg, kind, sort } => {
                    let index = self.space.memory.sort(self.space.regs[base + reg as usize]);
                    if index != sort && !self.is_below(kind, index, sort) {
                        return false;
                    }
                }
                Check::Same { a, b } => {
                    let (a, b) =
                        (self.space.regs[base + a as usize], self.space.regs[base + b as usize]);
                    if !self.space.memory.equal(a, b) {
                        return false;
                    }
                }
                Check::Ground { reg, value } => {
                    if !self.space.memory.equal(self.space.regs[base + reg as usize], value) {
                        return false;
                    }
                }
                Check::Symbol { reg, symbol, unpack, n_args } => {
                    let term = self.space.memory.resolve(self.space.regs[base + reg as usize]);
                    if self.space.memory.symbol(term) != symbol {
                        return false;
                    }
                    let to = base + unpack as usize;
                    self.space.memory.unpack(term, &mut self.space.regs[to..to + n_args as usize]);
                }
                Check::Below { reg, symbol, count, dst } => {
                    let term = self.space.regs[base + reg as usize];
                    match self.below(term, symbol, count) {
                        Some(term) => self.space.regs[base + dst as usize] = term,
                        None => return false,
                    }
                }
            }
        }
        true
    }

    #[inline(always)]
    fn is_below(&self, kind: KindId, index: u16, sort: u16) -> bool {
        self.space.signature.leq(SortId { kind, index }, SortId { kind, index: sort })
    }

    /// What stands below `count` applications of an iterated symbol, on which there are no memberships.
    #[inline(always)]
    fn below(&mut self, term: Handle, symbol: SymbolId, count: u32) -> Option<Handle> {
        if let Some(n) = term.as_nat() {
            if n < count || self.space.memory.symbol(term) != symbol {
                return None;
            }
            return Some(Handle::nat(n - count));
        }
        let term = self.space.memory.resolve(term);
        if self.space.memory.symbol(term) != symbol {
            return None;
        }
        let left = match self.space.memory.small_count(term) {
            Some(n) => n.checked_sub(u64::from(count))?.into(),
            None => self.space.memory.count(term).into_owned() - count,
        };
        let below = self.space.memory.arg(term, 0);
        let part = self.space.memory.iterated(symbol, left, below);
        if !self.space.memory.is_reduced(part) {
            self.space.memory.declare_sorts(part);
            // A part of a reduced term is reduced; of a lazy one it is not.
            if self.space.memory.is_reduced(term) {
                self.space.memory.set_reduced(part);
            }
        }
        Some(part)
    }
}
