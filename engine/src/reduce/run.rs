//! The loop over instructions, and the ways in from outside.

use super::apply::Found;
use super::wanted::{Purpose, Tried};
use super::{Frame, FrameTrial, FrameWork, StepOutcome};
use std::sync::Arc;

use crate::code::{Block, Op, Pc, TheoryCode};
use crate::heap::{Handle, flag};
use crate::id::{KindId, SortId};
use crate::worker::Worker;

/// How many calls are made between two looks at the limits.
const PATIENCE: u32 = 1 << 12;

/// Where the machine goes on.
enum Next {
    Code,
    Done(Handle),
    Asks,
    Stopped,
}

/// Why the loop was left.
pub(super) enum Pause {
    /// Whoever waits has the term.
    Done(Handle),
    /// A term of another theory has to be evaluated.
    Asks,
    /// The machine is to stop.
    Stopped,
}

impl Worker {
    /// The normal form of a term. May collect: only roots survive. The result is `NIL` if the
    /// machine was stopped.
    pub(crate) fn reduce(&mut self, term: Handle) -> Handle {
        let term = self.space.memory.resolve(term);
        if self.space.memory.is_reduced(term) {
            return term;
        }
        let term = if term.is_heap() { term } else { self.copy_unreduced(term) };
        let depth = self.enter_machine();
        self.push_node(term);
        self.run(StepOutcome::Begin, depth, None)
    }

    /// Runs a piece of a goal's code over the frame whose registers begin at `base`, and returns
    /// its value. May collect. The result is `NIL` if the machine was stopped.
    pub(crate) fn evaluate(&mut self, block: &Block, pc: Pc, base: usize) -> Handle {
        let depth = self.enter_machine();
        let frame = Frame { work: FrameWork::Code, pc, base: base as u32, ..self.blank() };
        self.machine.frames.push(frame);
        self.run(StepOutcome::Code, depth, Some(block))
    }

    /// The sort index of a normal term; memberships are tried where there are any. May collect
    /// then.
    pub(crate) fn sort(&mut self, term: Handle) -> u16 {
        if let Some(sort) = self.space.memory.known_sort(term) {
            return sort;
        }
        let symbol = self.space.memory.symbol(term);
        if !self.space.memory.core(symbol).memberships {
            let sort = self.space.memory.declared_sort(term);
            self.space.memory.set_sort(term, sort);
            return sort;
        }
        let depth = self.enter_machine();
        self.push_memberships(term);
        let node = self.run(StepOutcome::Begin, depth, None);
        if node == Handle::NIL { 0 } else { self.space.memory.sort(node) }
    }

    /// Gives a term that is not evaluated its sort, and what is below it, memberships included:
    /// arguments first. May collect; returns where the term is then, or `NIL` if the machine was
    /// stopped.
    pub(crate) fn give_sorts(&mut self, term: Handle) -> Handle {
        if self.space.memory.known_sort(term).is_some() {
            return term;
        }
        let depth = self.enter_machine();
        self.push_sorts(term, std::iter::once(term));
        self.run(StepOutcome::Begin, depth, None)
    }

    pub(super) fn blank(&self) -> Frame {
        Frame {
            work: FrameWork::Outside,
            pc: 0,
            base: self.space.regs.len() as u32,
            dst: 0,
            at: 0,
            to: 0,
            trial: FrameTrial::None,
        }
    }

    pub(super) fn enter_machine(&mut self) -> usize {
        let depth = self.machine.frames.len();
        let frame = self.blank();
        self.machine.frames.push(frame);
        depth
    }

    /// Works until the frame at `depth` gets its term.
    fn run(&mut self, first: StepOutcome, depth: usize, goal: Option<&Block>) -> Handle {
        let mut outcome = first;
        loop {
            outcome = match self.run_until_pause(outcome, depth, goal) {
                Pause::Done(term) => return term,
                Pause::Asks => match self.run_others() {
                    Ok(term) => self.begin_node(term),
                    Err(_) => return self.unwind(depth),
                },
                Pause::Stopped => return self.unwind(depth),
            };
        }
    }

    /// Works until the frame at `depth` gets its term, or something else has to happen first.
    pub(super) fn run_until_pause(
        &mut self,
        first: StepOutcome,
        depth: usize,
        goal: Option<&Block>,
    ) -> Pause {
        let code = Arc::clone(&self.code);
        let code = &*code;
        let mut outcome = first;
        loop {
            match self.bring_to_code(code, outcome) {
                Next::Done(term) => {
                    debug_assert_eq!(self.machine.frames.len(), depth);
                    return Pause::Done(term);
                }
                Next::Code => outcome = self.run_code(code, goal, depth),
                Next::Asks => return Pause::Asks,
                Next::Stopped => return Pause::Stopped,
            }
            if self.space.stopped.is_some() {
                return Pause::Stopped;
            }
        }
    }

    #[cold]
    fn unwind(&mut self, depth: usize) -> Handle {
        self.note_work();
        let base = self.machine.frames[depth].base as usize;
        let cut = self.machine.frames.drain(depth..);
        let measured = cut.filter(|frame| frame.work == FrameWork::Measured).count();
        let left = self.machine.measuring.len() - measured;
        self.machine.measuring.truncate(left);
        while self.machine.choices.last().is_some_and(|c| c.frame as usize >= depth) {
            self.drop_choice();
        }
        self.drop_waiting(depth);
        self.space.regs.truncate(base);
        Handle::NIL
    }

    /// Brings an outcome to the point where code can run, or to the end.
    fn bring_to_code(&mut self, code: &TheoryCode, mut outcome: StepOutcome) -> Next {
        loop {
            let top = self.machine.frames.last_mut().expect("somebody waits for a term");
            outcome = match outcome {
                StepOutcome::Code => return Next::Code,
                StepOutcome::Stopped => return Next::Stopped,
                StepOutcome::Asks => return Next::Asks,
                StepOutcome::Value(term) => match top.work {
                    FrameWork::Outside => {
                        self.machine.frames.pop();
                        return Next::Done(term);
                    }
                    FrameWork::Code => {
                        let at = (top.base + top.dst) as usize;
                        self.space.regs[at] = term;
                        return Next::Code;
                    }
                    FrameWork::Node => self.go_on_with_node(code),
                    FrameWork::Applied => self.replace_node(term),
                    FrameWork::Strategy => self.go_on_with_strategy(code),
                    FrameWork::Branch => self.choose_branch(code),
                    FrameWork::Memberships => self.go_on_with_memberships(code),
                    FrameWork::Wanted => self.go_on_with_matcher(code),
                    FrameWork::Measured => self.end_measuring(term),
                    FrameWork::Sorts => self.go_on_with_sorts(),
                    FrameWork::SortTest => self.go_on_with_sort_test(),
                },
                StepOutcome::Begin => match top.work {
                    FrameWork::Node => self.go_on_with_node(code),
                    FrameWork::Strategy => self.go_on_with_strategy(code),
                    FrameWork::Branch => self.choose_branch(code),
                    FrameWork::Memberships => self.go_on_with_memberships(code),
                    FrameWork::Sorts => self.go_on_with_sorts(),
                    FrameWork::SortTest => self.go_on_with_sort_test(),
                    FrameWork::Outside
                    | FrameWork::Applied
                    | FrameWork::Code
                    | FrameWork::Measured
                    | FrameWork::Wanted => {
                        unreachable!("these frames wait for a term")
                    }
                },
                StepOutcome::Fail => self.backtrack(code),
            };
        }
    }

    /// A safe point of the machine: all live handles stand in registers.
    #[inline(always)]
    pub(super) fn breathe(&mut self) -> bool {
        self.safe_point();
        self.machine.patience = self.machine.patience.wrapping_sub(1);
        if self.machine.patience > PATIENCE {
            self.machine.patience = PATIENCE;
            self.space.check_limits();
            return self.space.stopped.is_none();
        }
        true
    }

    /// Where the code of the top frame goes on, and its first register. The goal's code has the frame
    /// next to the one at `depth`, which waits for the term.
    #[inline(always)]
    fn code_position<'c>(
        &self,
        code: &'c TheoryCode,
        goal: Option<&'c Block>,
        depth: usize,
    ) -> (&'c Block, usize, usize) {
        let top = self.machine.frames.last().expect("code has a frame");
        let block = match goal {
            Some(goal) if self.machine.frames.len() == depth + 2 => goal,
            _ => &code.program.block,
        };
        (block, top.pc as usize, top.base as usize)
    }

    /// Runs the code of the top frame, and of the frames with code that its terms go to, until code
    /// fails, another frame has to begin, or a term is for a frame without code.
    fn run_code(&mut self, code: &TheoryCode, goal: Option<&Block>, depth: usize) -> StepOutcome {
        let (mut block, mut pc, mut base) = self.code_position(code, goal, depth);
        loop {
            let op = block.ops[pc];
            pc += 1;
            let outcome = match op {
                Op::Load { dst, value } => {
                    self.space.regs[base + dst as usize] = value;
                    continue;
                }
                Op::Move { dst, src } => {
                    self.space.regs[base + dst as usize] = self.space.regs[base + src as usize];
                    continue;
                }
                Op::Node { dst, symbol, args } => {
                    let node = self.reduced_node(block, symbol, args, base);
                    self.space.regs[base + dst as usize] = node;
                    continue;
                }
                Op::Iter { dst, symbol, args } => {
                    let node = self.iterated_operand(block, symbol, args, base);
                    self.finish_reduced(node);
                    self.space.regs[base + dst as usize] = node;
                    continue;
                }
                Op::Call { dst, symbol, args } => {
                    self.leave(pc, dst);
                    let from = self.push_operands(block, args, base, 0);
                    self.apply(code, symbol, from)
                }
                Op::Tail { symbol, args } => {
                    self.machine.frames.pop();
                    self.space.regs.replace_frame(base, block.list_at(args), 0);
                    let outcome = self.apply(code, symbol, base);
                    if matches!(outcome, StepOutcome::Stopped) {
                        self.stopped_in_call(code, block, pc);
                    }
                    outcome
                }
                Op::CallTree { dst, tree, args } => {
                    self.leave(pc, dst);
                    if !self.breathe() {
                        return StepOutcome::Stopped;
                    }
                    let tree = code.program.trees[tree as usize];
                    let from = self.push_operands(block, args, base, tree.room as usize);
                    match self.walk_tree(code, tree, from) {
                        Found::Plain(equation) => {
                            let start = self.begin_plain(equation, from);
                            (block, pc, base) = (&code.program.block, start as usize, from);
                            continue;
                        }
                        Found::Leaf(leaf) => self.try_tree_leaf(code, tree, leaf, from),
                    }
                }
                Op::TailTree { tree, args } => {
                    let tree = code.program.trees[tree as usize];
                    let operands = block.list_at(args);
                    self.space.regs.replace_frame(base, operands, tree.room as usize);
                    if !self.breathe() {
                        self.stopped_in_call(code, block, pc);
                        return StepOutcome::Stopped;
                    }
                    match self.walk_tree(code, tree, base) {
                        Found::Plain(equation) => {
                            // The frame is used again.
                            let top = self.machine.frames.last_mut().expect("code has a frame");
                            top.trial = FrameTrial::None;
                            self.use_registers(equation, base);
                            (block, pc) = (&code.program.block, equation.start as usize);
                            continue;
                        }
                        Found::Leaf(leaf) => {
                            self.machine.frames.pop();
                            self.try_tree_leaf(code, tree, leaf, base)
                        }
                    }
                }
                Op::CallIter { dst, symbol, args } => {
                    self.leave(pc, dst);
                    let node = self.iterated_operand(block, symbol, args, base);
                    self.begin_node(node)
                }
                Op::CallLazy { dst, symbol, args } => {
                    self.leave(pc, dst);
                    let node = self.normal_operand(block, symbol, args, base);
                    self.begin_node(node)
                }
                Op::Raw { dst, symbol, args } => {
                    let node = self.raw_node(block, symbol, args, base);
                    self.space.regs[base + dst as usize] = node;
                    continue;
                }
                Op::RawIter { dst, symbol, args } => {
                    let (arg, count) = self.iteration(block, args, base);
                    let node = self.space.memory.iter_node(symbol, flag::RAW, count, arg);
                    self.space.regs[base + dst as usize] = node;
                    continue;
                }
                Op::Lazy { dst, symbol, args } => {
                    let node = self.normal_operand(block, symbol, args, base);
                    self.space.memory.declare_sure_sort(node);
                    self.space.regs[base + dst as usize] = node;
                    continue;
                }
                Op::LazyIter { dst, symbol, args } => {
                    let node = self.iterated_operand(block, symbol, args, base);
                    self.space.memory.declare_sure_sort(node);
                    self.space.regs[base + dst as usize] = node;
                    continue;
                }
                Op::Reduce { reg } => {
                    let at = base + reg as usize;
                    let term = self.space.memory.resolve(self.space.regs[at]);
                    self.space.regs[at] = term;
                    if !self.space.memory.is_reduced(term) {
                        self.leave(pc, reg);
                        self.begin_node(term)
                    } else {
                        continue;
                    }
                }
                Op::Copy { dst, src } => {
                    let term = self.space.memory.resolve(self.space.regs[base + src as usize]);
                    self.space.regs[base + dst as usize] = self.copy_unreduced(term);
                    continue;
                }
                Op::BranchTop { dst, src } => {
                    let term = self.space.memory.resolve(self.space.regs[base + src as usize]);
                    self.space.regs[base + dst as usize] = term;
                    if !self.space.memory.is_reduced(term) {
                        self.leave(pc, dst);
                        let copy = self.space.memory.copy_top(term);
                        self.begin_node(copy)
                    } else {
                        continue;
                    }
                }
                Op::SkipIfSet { reg, to } => {
                    if self.space.regs[base + reg as usize] != Handle::NIL {
                        pc = to as usize;
                    }
                    continue;
                }
                Op::Jump { to } => {
                    pc = to as usize;
                    continue;
                }
                Op::If { test, no, stuck } => {
                    let test = self.space.regs[base + test as usize];
                    match self.truth_value(test) {
                        Some(true) => self.counts.equations += 1,
                        Some(false) => {
                            self.counts.equations += 1;
                            pc = no as usize;
                        }
                        None => pc = stuck as usize,
                    }
                    continue;
                }
                Op::Equal { a, b } => {
                    let a = self.space.regs[base + a as usize];
                    if !self.space.memory.equal(a, self.space.regs[base + b as usize]) {
                        return StepOutcome::Fail;
                    }
                    continue;
                }
                Op::HasSort { a, kind, sort } => {
                    let index = self.space.memory.sort(self.space.regs[base + a as usize]);
                    let kind = KindId(kind);
                    let (is, wanted) = (SortId { kind, index }, SortId { kind, index: sort });
                    if !self.space.signature.leq(is, wanted) {
                        return StepOutcome::Fail;
                    }
                    continue;
                }
                Op::Match { subject, pattern, reset } => {
                    let subject = self.space.regs[base + subject as usize];
                    let (pc, more) = (pc as Pc, Purpose::First);
                    match self.start_matcher(code, pattern, subject, pc, reset, 0, false, more) {
                        Tried::Matched => continue,
                        Tried::Failed => return StepOutcome::Fail,
                        Tried::Waits => return StepOutcome::Begin,
                    }
                }
                Op::Fragment { number } => {
                    self.tell_fragment(number, false);
                    continue;
                }
                Op::Solved { number } => {
                    self.tell_fragment(number, true);
                    continue;
                }
                Op::Test { test, symbol } => {
                    if self.truth_value(self.space.regs[base + test as usize]).is_some() {
                        self.tell_branch(symbol);
                    }
                    continue;
                }
                Op::Commit => match self.commit(code, pc as Pc) {
                    Some(outcome) => outcome,
                    None => continue,
                },
                Op::Return { src } => {
                    let term = self.space.memory.resolve(self.space.regs[base + src as usize]);
                    self.machine.frames.pop();
                    self.space.regs.truncate(base);
                    StepOutcome::Value(term)
                }
                Op::ReturnNode { symbol, args } => {
                    let node = self.reduced_node(block, symbol, args, base);
                    self.machine.frames.pop();
                    self.space.regs.truncate(base);
                    StepOutcome::Value(node)
                }
                Op::ReturnConstant { value } => {
                    self.machine.frames.pop();
                    self.space.regs.truncate(base);
                    StepOutcome::Value(value)
                }
                Op::Answer { src } => {
                    let term = self.space.memory.resolve(self.space.regs[base + src as usize]);
                    self.machine.frames.pop();
                    return StepOutcome::Value(term);
                }
                Op::Extend { src } => self.extend(code, base, src),
            };
            match outcome {
                StepOutcome::Code => {}
                StepOutcome::Value(term) => {
                    let top = self.machine.frames.last().expect("somebody waits for a term");
                    if top.work != FrameWork::Code || self.space.stopped.is_some() {
                        return outcome;
                    }
                    let at = (top.base + top.dst) as usize;
                    self.space.regs[at] = term;
                }
                _ => return outcome,
            }
            (block, pc, base) = self.code_position(code, goal, depth);
        }
    }

    /// Notes where the code of the top frame goes on, and where the term goes that it waits for.
    fn leave(&mut self, pc: usize, dst: u32) {
        let top = self.machine.frames.last_mut().expect("code has a frame");
        top.pc = pc as Pc;
        top.dst = dst;
    }
}
