//! Frames that reduce nodes of the heap in place, by forwards.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{FrameWork, StepOutcome};
use crate::code::{Entry, TheoryCode};
use crate::heap::{Handle, flag};
use crate::id::SymbolId;
use crate::signature::{Evaluation, Meaning, Shape};
use crate::worker::Worker;

impl Worker {
    /// Begins the reduction of an unreduced node, in a frame of its own.
    pub(super) fn push_node(&mut self, node: Handle) {
        let symbol = self.space.memory.symbol(node);
        let work = if self.meaning(symbol) == Some(Meaning::If) {
            FrameWork::Branch
        } else if self.space.memory.core(symbol).eager {
            FrameWork::Node
        } else {
            FrameWork::Strategy
        };
        self.push_frame_of(work, node);
    }

    /// The value of a node: itself if it is reduced, else a new frame begins.
    pub(super) fn begin_node(&mut self, node: Handle) -> StepOutcome {
        let node = self.space.memory.resolve(node);
        if self.space.memory.is_reduced(node) {
            return StepOutcome::Value(node);
        }
        let node = if node.is_heap() { node } else { self.copy_unreduced(node) };
        self.push_node(node);
        StepOutcome::Begin
    }

    /// Reduces the arguments of the node one after the other, then applies its symbol.
    pub(super) fn go_on_with_node(&mut self, code: &TheoryCode) -> StepOutcome {
        let depth = self.machine.frames.len() - 1;
        let base = self.machine.frames[depth].base as usize;
        let node = self.space.regs[base];
        let symbol = self.space.memory.symbol(node);
        let n = self.space.memory.n_args(node);
        let mut at = self.machine.frames[depth].at as usize;
        // What shares an argument may have rewritten it since the node was made normal.
        let mut changed = self.space.memory.has_flag(node, flag::OUTDATED);
        while at < n {
            let built = self.space.memory.arg_as_built(node, at);
            let arg = self.space.memory.resolve(built);
            changed |= arg != built;
            if !self.space.memory.is_reduced(arg) {
                self.machine.frames[depth].at = at as u32;
                self.machine.frames[depth].to = 1;
                if arg.is_heap() {
                    return self.begin_node(arg);
                }
                // A stored term is never forwarded: the node gets a copy of it.
                let copy = self.copy_unreduced(arg);
                self.space.memory.set_arg(node, at, copy);
                continue;
            }
            at += 1;
        }
        changed |= self.machine.frames[depth].to != 0;
        self.machine.frames[depth].work = FrameWork::Applied;
        if self.space.memory.core(symbol).shape == Shape::Free {
            let from = self.space.regs.len();
            for place in 0..n {
                let arg = self.space.memory.fixed_arg(node, place);
                self.space.regs.push(arg);
            }
            return self.apply(code, symbol, from);
        }
        if !changed && !self.space.memory.has_flag(node, flag::RAW) {
            // Already normal, as what extension left over is: tried as it stands. The copy of the
            // handle keeps the forward that this frame writes from pointing at itself.
            return self.apply_to_node(code, symbol, node);
        }
        // A nest of lists or multisets becomes flat level by level, each a copy of the one before.
        if !self.breathe() {
            return StepOutcome::Stopped;
        }
        let normal = self.space.memory.normal_of(self.space.regs[base]);
        self.apply_to_node(code, symbol, normal)
    }

    /// The normal form of a term of which some unreduced nodes are raw. Marks stay. `keeps`: nodes
    /// of constants stay as they are; `as_built`: so do the arguments of commutative operators.
    /// Never collects.
    pub(crate) fn normalised(&mut self, term: Handle, keeps: bool, as_built: bool) -> Handle {
        let term = self.space.memory.resolve(term);
        let mut done: FxHashMap<Handle, Handle> = FxHashMap::default();
        let mut stack = vec![(term, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let node = *node;
            let open =
                node.is_heap() && !self.space.memory.is_reduced(node) && !done.contains_key(&node);
            if open && *next < self.space.memory.n_args(node) {
                let arg = self.space.memory.arg(node, *next);
                *next += 1;
                stack.push((arg, 0));
                continue;
            }
            stack.pop();
            if open {
                let immediate = self.space.memory.core(self.space.memory.symbol(node)).immediate;
                if immediate != Handle::NIL && !keeps {
                    done.insert(node, immediate);
                    continue;
                }
                let mut copy = node;
                for place in 0..self.space.memory.n_args(node) {
                    let arg = self.space.memory.arg(node, place);
                    if let Some(&normal) = done.get(&arg)
                        && normal != arg
                    {
                        if copy == node {
                            copy = self.space.memory.copy_node(node);
                        }
                        self.space.memory.set_arg(copy, place, normal);
                    }
                }
                if self.space.memory.known_sort(copy) == Some(0) {
                    // It may have been denied its sort.
                    self.space.memory.forget_sort(copy);
                }
                let marked = self.space.memory.has_flag(node, flag::NO_RULE);
                let comm =
                    self.space.memory.core(self.space.memory.symbol(node)).shape == Shape::Comm;
                let raw = self.space.memory.has_flag(node, flag::RAW) && !(as_built && comm);
                let normal = if raw { self.space.memory.normal_of(copy) } else { copy };
                let same = self.space.memory.symbol(normal) == self.space.memory.symbol(node);
                if raw && same && !self.space.memory.is_reduced(normal) {
                    self.space.memory.forget_sort(normal);
                }
                if marked && same {
                    self.space.memory.set_flag(normal, flag::NO_RULE);
                }
                done.insert(node, normal);
            }
        }
        done.get(&term).copied().unwrap_or(term)
    }

    /// Denies sorts to unreduced nodes of a normal term that have none yet. Where nothing is
    /// reduced Maude asks only for the sorts that it has, or that follow from those of the
    /// arguments; for arguments of free operators not even that (`docs/semantics.md` 4.3). `asked`:
    /// a rule asks for the sort of the whole.
    pub(crate) fn deny_sorts(&mut self, term: Handle, asked: bool) {
        let is_list = self.space.memory.shape(term) == Shape::Assoc;
        let args =
            || (0..self.space.memory.n_args(term)).map(|place| self.space.memory.arg(term, place));
        let known = !is_list || args().all(|arg| self.space.memory.known_sort(arg).is_some());
        let mut stack = vec![(term, asked, 0, known)];
        while let Some((node, asked, next, follows)) = stack.last_mut() {
            let (node, asked) = (*node, *asked);
            if self.space.memory.is_reduced(node) || self.space.memory.known_sort(node).is_some() {
                stack.pop();
                continue;
            }
            let symbol = self.space.memory.symbol(node);
            // The matchers of lists ask for the sorts of arguments themselves, if they do.
            if *next < self.space.memory.n_args(node) && !(node == term && is_list) {
                let arg = self.space.memory.arg(node, *next);
                *next += 1;
                *follows &= self.space.memory.known_sort(arg).is_some();
                let asked = self.space.memory.core(symbol).shape != Shape::Free;
                stack.push((arg, asked, 0, true));
                continue;
            }
            let mut follows = *follows;
            stack.pop();
            if self.space.memory.core(symbol).shape == Shape::Iter {
                follows = self.space.memory.known_sort(self.space.memory.arg(node, 0)) != Some(0);
            }
            let follows = asked && follows;
            if follows {
                self.space.memory.declare_sorts(node);
                continue;
            }
            let uniform = match &self.space.signature.symbol(symbol).declarations[..] {
                [only] if asked && self.space.memory.core(symbol).is_list() => only.range.index,
                _ => 0,
            };
            self.space.memory.set_sort(node, uniform);
        }
    }

    /// The node of the frame stands for its value from now on.
    pub(super) fn replace_node(&mut self, term: Handle) -> StepOutcome {
        let frame = self.machine.frames.pop().expect("a frame waits for the value");
        let base = frame.base as usize;
        let node = self.space.regs[base];
        self.space.regs.truncate(base);
        if term == Handle::NIL {
            return StepOutcome::Value(term);
        }
        let term = self.space.memory.resolve(term);
        if node != term && node.is_heap() {
            self.space.memory.forward(node, term);
        }
        StepOutcome::Value(term)
    }

    /// Reduces the test of an `if` node, then the branch that it picks: a copy of the branch's top,
    /// so that nothing but the arguments is shared (`docs/architecture.md`, Right sides).
    pub(super) fn choose_branch(&mut self, code: &TheoryCode) -> StepOutcome {
        let depth = self.machine.frames.len() - 1;
        let base = self.machine.frames[depth].base as usize;
        let node = self.space.regs[base];
        let test = self.space.memory.fixed_arg(node, 0);
        if !self.space.memory.is_reduced(test) {
            return self.begin_argument(node, 0, test);
        }
        if let Some(truth) = self.truth_value(test) {
            self.counts.equations += 1;
            if self.is_watched() {
                let symbol = self.space.memory.symbol(node);
                self.tell_branch(symbol);
            }
            let branch = self.space.memory.fixed_arg(node, if truth { 1 } else { 2 });
            self.machine.frames[depth].work = FrameWork::Applied;
            if self.space.memory.is_reduced(branch) {
                return StepOutcome::Value(branch);
            }
            let copy = self.space.memory.copy_top(branch);
            return self.begin_node(copy);
        }
        // Neither true nor false: both branches, then the user's equations.
        self.machine.frames[depth].work = FrameWork::Node;
        self.go_on_with_node(code)
    }

    fn begin_argument(&mut self, node: Handle, place: usize, arg: Handle) -> StepOutcome {
        if arg.is_heap() {
            return self.begin_node(arg);
        }
        let copy = self.copy_unreduced(arg);
        self.space.memory.set_arg(node, place, copy);
        self.begin_node(copy)
    }

    /// The next step of the evaluation strategy of the frame's node (`docs/semantics.md` 3.1).
    pub(super) fn go_on_with_strategy(&mut self, code: &TheoryCode) -> StepOutcome {
        let depth = self.machine.frames.len() - 1;
        let base = self.machine.frames[depth].base as usize;
        loop {
            let node = self.space.regs[base];
            let symbol = self.space.memory.symbol(node);
            let Evaluation::Steps(steps) = &self.space.signature.symbol(symbol).evaluation else {
                unreachable!("only symbols with an evaluation strategy have such frames")
            };
            let at = self.machine.frames[depth].at as usize;
            let tried = steps[..at].contains(&None);
            let last = at + 1 == steps.len();
            match steps[at] {
                Some(place) => {
                    let places = if self.space.memory.core(symbol).is_list() {
                        0..self.space.memory.n_args(node)
                    } else {
                        place as usize..place as usize + 1
                    };
                    if let Some(outcome) = self.reduce_places(node, places, tried) {
                        return outcome;
                    }
                    self.machine.frames[depth].at += 1;
                }
                None => {
                    // Arguments that were reduced may have to be flattened and sorted anew.
                    let normal = self.space.memory.normal_of(node);
                    if self.space.memory.is_reduced(normal)
                        || self.space.memory.symbol(normal) != symbol
                    {
                        self.machine.frames[depth].work = FrameWork::Applied;
                        return self.begin_node(normal);
                    }
                    let top = &mut self.machine.frames[depth];
                    if std::mem::replace(&mut top.to, 1) == 0 && self.begin_arguments(normal) {
                        return StepOutcome::Begin;
                    }
                    self.space.memory.declare_sorts(normal);
                    let top = &mut self.machine.frames[depth];
                    (top.at, top.to) = (top.at + 1, 0);
                    top.work = FrameWork::Applied;
                    return self.try_node(code, symbol, normal, last);
                }
            }
        }
    }

    /// Reduces arguments; where the equations have been tried before, a copy of each.
    fn reduce_places(
        &mut self,
        node: Handle,
        places: std::ops::Range<usize>,
        tried: bool,
    ) -> Option<StepOutcome> {
        for place in places {
            let arg = self.space.memory.arg(node, place);
            if self.space.memory.is_reduced(arg) {
                continue;
            }
            if tried || !arg.is_heap() {
                let copy = self.copy_unreduced(arg);
                self.space.memory.set_arg(node, place, copy);
                return Some(self.begin_node(copy));
            }
            return Some(self.begin_node(arg));
        }
        None
    }

    /// Unevaluated arguments get their sorts before equations are tried: whether a frame does that
    /// first.
    fn begin_arguments(&mut self, node: Handle) -> bool {
        let memory = &self.space.memory;
        let args = (0..memory.n_args(node)).rev().map(|place| memory.arg(node, place));
        let open: SmallVec<[Handle; 8]> =
            args.filter(|&arg| memory.known_sort(arg).is_none()).collect();
        if open.is_empty() {
            return false;
        }
        self.push_sorts(node, open.into_iter());
        true
    }

    /// Tries the equations on a normal node; `owise`: all of them, and the node is kept if none
    /// applies; else all but owise ones, and the strategy goes on.
    fn try_node(
        &mut self,
        code: &TheoryCode,
        symbol: SymbolId,
        node: Handle,
        owise: bool,
    ) -> StepOutcome {
        // The node may be new, and nothing else holds it.
        let base = self.space.regs.len();
        self.space.regs.push(node);
        if !self.breathe() {
            self.space.regs.truncate(base);
            return StepOutcome::Stopped;
        }
        let mut node = self.space.regs[base];
        if let Some(hook) = self.space.memory.core(symbol).hook {
            let args = self.space.regs.len();
            for place in 0..self.space.memory.n_args(node) {
                let arg = self.space.memory.arg(node, place);
                self.space.regs.push(arg);
            }
            let value = self.compute(hook, symbol, args);
            self.space.regs.truncate(args);
            node = self.space.regs[base];
            if let Some(term) = value {
                self.space.regs.truncate(base);
                return self.computed(term);
            }
        }
        match code.entries[symbol.index()] {
            Entry::None if owise => self.keep_node(base),
            Entry::None => {
                self.space.regs.truncate(base);
                self.strategy_step_failed(node)
            }
            Entry::Node { leaf } => self.try_leaf(code, symbol, leaf, true, 1, owise, base),
            Entry::Tree(_) | Entry::General => {
                unreachable!("symbols with an evaluation strategy are tried on nodes")
            }
        }
    }

    /// No equation but perhaps owise ones applies: the strategy's next step.
    pub(super) fn strategy_step_failed(&mut self, node: Handle) -> StepOutcome {
        let frame = self.machine.frames.last_mut().expect("a frame follows the strategy");
        debug_assert_eq!(frame.work, FrameWork::Applied);
        frame.work = FrameWork::Strategy;
        let base = frame.base as usize;
        let old = self.space.regs[base];
        if old != node && old.is_heap() {
            self.space.memory.forward(old, node);
        }
        self.space.regs[base] = node;
        StepOutcome::Begin
    }

    /// A constant as a node of its own, so that its sort may be unknown; other terms as they are.
    pub(super) fn constant_apart(&mut self, term: Handle) -> Handle {
        if term.is_node() || term.as_nat().is_some() {
            return term;
        }
        let symbol = self.space.memory.symbol(term);
        self.space.memory.fixed_node(symbol, 0, &[])
    }

    /// A copy of what is unreduced in a term, sharing inside kept. Reduced parts stay as they are,
    /// and so does what stands in lazy positions, which is copied when it is about to be reduced.
    pub(super) fn copy_unreduced(&mut self, term: Handle) -> Handle {
        self.copy_apart(term, false)
    }

    /// The same; `all`: constants of unreduced nodes are copied as well.
    pub(super) fn copy_apart(&mut self, term: Handle, all: bool) -> Handle {
        let term = self.space.memory.resolve(term);
        if all && !term.is_node() {
            return self.constant_apart(term);
        }
        if self.space.memory.is_reduced(term) {
            return term;
        }
        let mut copies: FxHashMap<Handle, Handle> = FxHashMap::default();
        let top = self.space.memory.copy_top(term);
        copies.insert(term, top);
        let mut waiting = vec![top];
        while let Some(copy) = waiting.pop() {
            let symbol = self.space.memory.symbol(copy);
            let eager = self.space.memory.core(symbol).eager;
            for place in 0..self.space.memory.n_args(copy) {
                let arg = self.space.memory.arg(copy, place);
                if all && !arg.is_node() {
                    let constant = self.constant_apart(arg);
                    self.space.memory.set_arg(copy, place, constant);
                    continue;
                }
                if self.space.memory.is_reduced(arg)
                    || !eager && !self.is_eager_argument(symbol, place)
                {
                    continue;
                }
                let new = match copies.get(&arg) {
                    Some(&new) => new,
                    None => {
                        let new = self.space.memory.copy_top(arg);
                        copies.insert(arg, new);
                        waiting.push(new);
                        new
                    }
                };
                self.space.memory.set_arg(copy, place, new);
            }
        }
        top
    }
}
