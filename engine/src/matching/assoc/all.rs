//! Every matcher of A and AU patterns, in the order of `docs/semantics.md` 6.6.
//!
//! A list under way has words: its node, its subject's place, where the middle begins and ends, how
//! much the extension takes at the left and at the right; for each block where it begins and ends.

use smallvec::SmallVec;

use crate::heap::Handle;
use crate::matching::{
    FixedElement, Greedily, ListEnd, ListNode, MatchRun, MatchTask, PatternNode, PatternNodeId,
    REST, RestWords, TaskKind, TaskOutcome, TopVariable, on_growing_stack,
};

/// Offsets of the words of a list.
const SUBJECT: usize = 1;
const FROM: usize = 2;
const TO: usize = 3;
const LEFT: usize = 4;
const RIGHT: usize = 5;
const BLOCKS: usize = 6;

/// The values of the variables of a block that are bound, as they are before it is matched.
type BlockValues = SmallVec<[Handle; 8]>;

impl<'a> MatchRun<'a> {
    pub(crate) fn propagate_list(
        &mut self,
        id: PatternNodeId,
        node: &ListNode,
        subject: Handle,
    ) -> bool {
        if self.space.memory.symbol(subject) != node.symbol {
            let Some(parts) = &node.collapse else { return false };
            let out = self.matcher.out.len();
            let propagated =
                self.propagate_collapse(id, parts, node.identity, subject, node.extension);
            if propagated && self.is_first() && node.open && self.matcher.out.len() == out {
                self.matcher.out.push(MatchTask { kind: TaskKind::Nothing, at: 0, index: 0 });
            }
            return propagated;
        }
        let (mut from, mut to) = (0, self.space.memory.n_args(subject));
        for &(end, fixed) in &node.ends {
            let value = fixed.slot.map_or(Handle::NIL, |slot| self.value(slot));
            let len = self.fixed_length(node, fixed, value);
            if to - from < len {
                return false;
            }
            let start = if end == ListEnd::Left { from } else { to - len };
            let holds = if value == Handle::NIL {
                let arg = self.space.memory.arg(subject, start);
                self.propagate(fixed.node, arg)
            } else {
                self.is_at(node, value, len, subject, start)
            };
            if !holds {
                return false;
            }
            match end {
                ListEnd::Left => from += len,
                ListEnd::Right => to -= len,
            }
        }
        let place = self.keep(subject);
        if let Some(c) = &node.single {
            return self.bind_stretch((id, place), node, c, subject, from, to)
                && c.alien.is_none_or(|alien| {
                    let part = self.value(c.var.slot);
                    self.propagate(alien, part)
                });
        }
        if node.runs.is_empty() {
            return from == to;
        }
        if self.is_first() && node.greedy && !self.is_open(id, subject) {
            let mark = self.mark();
            match self.greedy_list((id, place), node, subject, (from, to)) {
                Greedily::Matched => return true,
                Greedily::Failed => return false,
                Greedily::Open => {
                    self.note_open(id, subject, node.alone);
                    self.undo(mark);
                }
            }
        }
        let out = self.matcher.out.len();
        self.propagate_middle((id, place), node, subject, (from, to))
            && (!node.once || self.solve_once(out))
    }

    /// What is between the ends becomes a task.
    fn propagate_middle(
        &mut self,
        (id, place): (PatternNodeId, u32),
        node: &ListNode,
        subject: Handle,
        (from, to): (usize, usize),
    ) -> bool {
        let at = self.push_words(&[id, place, from as u32, to as u32, 0, 0]);
        self.matcher.words.resize(at + BLOCKS + 2 * node.blocks.len(), 0);
        if !self.is_possible(node, subject, (0, from), to) {
            return false;
        }
        self.matcher.out.push(MatchTask { kind: TaskKind::ListBlock, at: at as u32, index: 0 });
        true
    }

    /// What is known of a list under way.
    fn list(&self, at: u32) -> (usize, &'a ListNode, Handle) {
        let at = at as usize;
        let pattern = self.pattern;
        let PatternNode::List(node) = pattern.node(self.word(at)) else {
            unreachable!("the words name their node")
        };
        (at, node, self.kept(self.word(at + SUBJECT)))
    }

    /// How many arguments an argument of the pattern takes, whose value is this if it has one.
    fn fixed_length(&self, node: &ListNode, fixed: FixedElement, value: Handle) -> usize {
        if value == Handle::NIL {
            1
        } else {
            self.length(node, value).max(fixed.non_collapsing.into())
        }
    }

    /// The values of a block's variables that are bound, and its length.
    pub(super) fn block_values(
        &self,
        node: &ListNode,
        block: &[FixedElement],
    ) -> (BlockValues, usize) {
        let value = |r: &FixedElement| r.slot.map_or(Handle::NIL, |slot| self.value(slot));
        let values: BlockValues = block.iter().map(value).collect();
        let lengths = block.iter().zip(&values).map(|(&r, &v)| self.fixed_length(node, r, v));
        let len = lengths.sum();
        (values, len)
    }

    /// Propagates a block at a place. The tasks of its last alien come first.
    pub(super) fn propagate_block(
        &mut self,
        node: &ListNode,
        block: &[FixedElement],
        values: &BlockValues,
        subject: Handle,
        start: usize,
    ) -> bool {
        let first_out = self.matcher.out.len();
        let mut at = start;
        for (&fixed, &value) in block.iter().zip(values) {
            if value == Handle::NIL {
                let out = self.matcher.out.len();
                let arg = self.space.memory.arg(subject, at);
                if !self.propagate(fixed.node, arg) {
                    return false;
                }
                let len = self.matcher.out.len() - out;
                self.matcher.out[first_out..].rotate_right(len);
                at += 1;
            } else {
                let len = self.fixed_length(node, fixed, value);
                if !self.is_at(node, value, len, subject, at) {
                    return false;
                }
                at += len;
            }
        }
        true
    }

    /// The first place from `start` on where a block can begin as far as its first argument tells,
    /// which may have a value; `end` if there is none before it.
    fn next_start(
        &self,
        (node, block): (&ListNode, &[FixedElement]),
        values: &BlockValues,
        subject: Handle,
        start: usize,
        end: usize,
    ) -> usize {
        let (Some(&first), Some(&value)) = (block.first(), values.first()) else { return start };
        let single = value != Handle::NIL
            && self.space.memory.symbol(value) != node.symbol
            && self.fixed_length(node, first, value) == 1;
        if !single || start >= end {
            return start;
        }
        self.space.memory.find_in_list(subject, start, end, value)
    }

    /// Whether blocks from number `i` on can be placed from `pos` on, each taken for itself.
    fn is_possible(
        &mut self,
        node: &ListNode,
        subject: Handle,
        (i, pos): (usize, usize),
        to: usize,
    ) -> bool {
        let run = &node.runs[i];
        let least = pos + least_length(run);
        let open = !run.is_empty() || node.extension && (i == 0 || i == node.blocks.len());
        let Some(block) = node.blocks.get(i) else {
            return to >= least && (open || to == pos);
        };
        let (values, len) = self.block_values(node, block);
        let mark = self.mark();
        let end = (to + 1).saturating_sub(len);
        let mut start = least;
        loop {
            start = self.next_start((node, block), &values, subject, start, end);
            if start >= end || start > least && !open || self.must_stop() {
                return false;
            }
            let holds = self.propagate_block(node, block, &values, subject, start);
            self.undo(mark);
            let next = (i + 1, start + len);
            if holds && on_growing_stack(|| self.is_possible(node, subject, next, to)) {
                return true;
            }
            start += 1;
        }
    }

    /// Block number `i` takes a place.
    pub(crate) fn list_block(&mut self, task: u32, i: u32) -> bool {
        let (at, node, _) = self.list(task);
        let i = i as usize;
        if i == node.blocks.len() {
            return self.list_run(task, 0);
        }
        let before = if i == 0 { self.word(at + FROM) } else { self.word(at + BLOCKS + 2 * i - 1) };
        let least = before + least_length(&node.runs[i]) as u32;
        self.choose(MatchTask { kind: TaskKind::ListBlock, at: task, index: i as u32 }, least)
    }

    pub(crate) fn list_block_turn(&mut self, task: u32, i: u32, cursor: u32) -> TaskOutcome {
        let (at, node, subject) = self.list(task);
        let index = i as usize;
        let block = &node.blocks[index];
        let (values, len) = self.block_values(node, block);
        let fixed = node.runs[index].is_empty() && !(node.extension && index == 0);
        let before =
            if index == 0 { self.word(at + FROM) } else { self.word(at + BLOCKS + 2 * index - 1) };
        let to = self.word(at + TO) as usize;
        let end = (to + 1).saturating_sub(len);
        let mark = self.mark();
        let mut start = cursor as usize;
        loop {
            start = self.next_start((node, block), &values, subject, start, end);
            if start >= end || fixed && start as u32 > before {
                return TaskOutcome::Fail;
            }
            let out = self.matcher.out.len();
            if self.propagate_block(node, block, &values, subject, start) {
                self.set_word(at + BLOCKS + 2 * index, start as u32);
                self.set_word(at + BLOCKS + 2 * index + 1, (start + len) as u32);
                self.schedule(MatchTask { kind: TaskKind::ListBlock, at: task, index: i + 1 });
                self.emit(out);
                // Of a ground list with extension only the leftmost occurrence counts.
                let last = fixed || start + 1 == end || node.once && node.extension;
                return if last { TaskOutcome::Last } else { TaskOutcome::More(start as u32 + 1) };
            }
            self.undo(mark);
            start += 1;
        }
    }

    /// Where run number `i` begins and ends.
    fn run_ends(&self, at: usize, node: &ListNode, i: usize) -> (usize, usize) {
        let from = if i == 0 { self.word(at + FROM) } else { self.word(at + BLOCKS + 2 * i - 1) };
        let last = i == node.blocks.len();
        let to = if last { self.word(at + TO) } else { self.word(at + BLOCKS + 2 * i) };
        (from as usize, to as usize)
    }

    /// Run number `i` is distributed, or the first later one that can be in several ways.
    pub(crate) fn list_run(&mut self, task: u32, i: u32) -> bool {
        let (at, node, subject) = self.list(task);
        for i in i as usize..node.runs.len() {
            let (from, to) = self.run_ends(at, node, i);
            let parts = Parts::of(node, i);
            let n = parts.len();
            if n == 0 {
                if from != to {
                    return false;
                }
                continue;
            }
            if n == 1 {
                let ends = [from as u32, to as u32];
                if to - from < parts.least(0) || !self.fill(task, at, node, subject, i, &ends) {
                    return false;
                }
                continue;
            }
            // The boundaries, each as far to the left as it can be.
            let state = self.matcher.words.len();
            let mut boundary = from;
            self.push_words(&[from as u32]);
            for part in 0..n - 1 {
                boundary += parts.least(part);
                self.push_words(&[boundary as u32]);
            }
            if boundary + parts.least(n - 1) > to {
                return false;
            }
            self.push_words(&[to as u32]);
            let words = self.push_words(&[task, i as u32, state as u32]);
            return self.choose(
                MatchTask { kind: TaskKind::ListRun, at: words as u32, index: i as u32 },
                0,
            );
        }
        self.finish_list(task, at, node, subject)
    }

    pub(crate) fn list_run_turn(&mut self, words: u32, i: u32, cursor: u32) -> TaskOutcome {
        let words = words as usize;
        let (task, state) = (self.word(words), self.word(words + 2) as usize);
        let (at, node, subject) = self.list(task);
        let parts = Parts::of(node, i as usize);
        let n = parts.len();
        let mark = self.mark();
        let mut advance = cursor > 0;
        loop {
            if self.must_stop() {
                return TaskOutcome::Fail;
            }
            let boundaries = &mut self.matcher.words[state..=state + n];
            if advance && !next_boundaries(boundaries, &parts) {
                return TaskOutcome::Fail;
            }
            let boundaries: SmallVec<[u32; 8]> = SmallVec::from_slice(boundaries);
            if std::mem::replace(&mut advance, true) {
                self.note_cursor(0);
            }
            if self.fill(task, at, node, subject, i as usize, &boundaries) {
                self.schedule(MatchTask { kind: TaskKind::ListRun, at: task, index: i + 1 });
                return TaskOutcome::More(1);
            }
            self.undo(mark);
        }
    }

    /// Binds the parts of a run to the stretches between boundaries.
    fn fill(
        &mut self,
        task: u32,
        at: usize,
        node: &ListNode,
        subject: Handle,
        i: usize,
        boundaries: &[u32],
    ) -> bool {
        let parts = Parts::of(node, i);
        let names = (self.word(task as usize), self.word(at + SUBJECT));
        (0..parts.len()).all(|part| {
            let (from, to) = (boundaries[part] as usize, boundaries[part + 1] as usize);
            match parts.get(part) {
                RunPart::Left => {
                    self.set_word(at + LEFT, to as u32);
                    true
                }
                RunPart::Right => {
                    self.set_word(at + RIGHT, from as u32);
                    true
                }
                RunPart::TopVariable(c) => self.bind_stretch(names, node, c, subject, from, to),
            }
        })
    }

    fn finish_list(&mut self, task: u32, at: usize, node: &ListNode, subject: Handle) -> bool {
        if node.extension && !self.leave_ends(subject, self.word(at + LEFT), self.word(at + RIGHT))
        {
            return false;
        }
        self.list_part(task, 0)
    }

    /// Notes what is left at both ends; at least two arguments must be matched.
    pub(super) fn leave_ends(&mut self, subject: Handle, from: u32, to: u32) -> bool {
        if to < from + 2 {
            return false;
        }
        let whole = from == 0 && to as usize == self.space.memory.n_args(subject);
        self.set_word(REST, if whole { RestWords::NOTHING } else { RestWords::ENDS });
        self.set_word(REST + 1, from);
        self.set_word(REST + 2, to);
        true
    }

    /// Aliens that were treated like variables are matched against what they got.
    pub(crate) fn list_part(&mut self, task: u32, index: u32) -> bool {
        let (_, node, _) = self.list(task);
        let sequence_variables = node.runs.iter().flat_map(|run| run.iter());
        for (i, c) in sequence_variables.enumerate().skip(index as usize) {
            let Some(alien) = c.alien else { continue };
            let out = self.matcher.out.len();
            let part = self.value(c.var.slot);
            if !self.propagate(alien, part) {
                return false;
            }
            if self.matcher.out.len() > out {
                self.schedule(MatchTask {
                    kind: TaskKind::ListPart,
                    at: task,
                    index: i as u32 + 1,
                });
                self.emit(out);
                return true;
            }
        }
        true
    }
}

fn least_length(run: &[TopVariable]) -> usize {
    run.iter().map(|c| c.low as usize).sum()
}

/// A part of a run.
enum RunPart<'p> {
    /// What is left at the left.
    Left,
    /// What is left at the right.
    Right,
    TopVariable(&'p TopVariable),
}

/// The parts of a run, those of the extension included.
struct Parts<'p> {
    run: &'p [TopVariable],
    left: usize,
    right: usize,
}

impl<'p> Parts<'p> {
    fn of(node: &'p ListNode, i: usize) -> Parts<'p> {
        let left = usize::from(node.extension && i == 0);
        let right = usize::from(node.extension && i + 1 == node.runs.len());
        Parts { run: &node.runs[i], left, right }
    }

    fn len(&self) -> usize {
        self.left + self.run.len() + self.right
    }

    fn get(&self, part: usize) -> RunPart<'p> {
        if part < self.left {
            return RunPart::Left;
        }
        match self.run.get(part - self.left) {
            Some(c) => RunPart::TopVariable(c),
            None => RunPart::Right,
        }
    }

    fn least(&self, part: usize) -> usize {
        match self.get(part) {
            RunPart::TopVariable(c) => c.low as usize,
            _ => 0,
        }
    }
}

/// Moves the first boundary that can move one to the right, and those before it back to the left.
fn next_boundaries(boundaries: &mut [u32], parts: &Parts<'_>) -> bool {
    let n = parts.len();
    for j in 1..n {
        if boundaries[j] + 1 + parts.least(j) as u32 <= boundaries[j + 1] {
            boundaries[j] += 1;
            for part in 1..j {
                boundaries[part] = boundaries[part - 1] + parts.least(part - 1) as u32;
            }
            return true;
        }
    }
    false
}
