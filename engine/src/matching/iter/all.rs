//! Matching of iterated symbols (`docs/semantics.md` 6.7).

use dashu_int::UBig;

use crate::heap::{Handle, Memory, flag};
use crate::id::SymbolId;
use crate::limits::{Limit, passed};
use crate::matching::{
    IterNode, MatchRun, MatchTask, PatternNode, PatternNodeId, REST, RestWords, TaskKind,
    TaskOutcome, least_sort,
};

/// One more than the largest number of iterations that are left outside of what a pattern matches
/// when all are tried in turn: cursors are words.
const MOST_TRIED: u32 = u32::MAX - 1;

impl MatchRun<'_> {
    pub(crate) fn propagate_iter(
        &mut self,
        id: PatternNodeId,
        node: &IterNode,
        subject: Handle,
    ) -> bool {
        if self.space.memory.symbol(subject) != node.symbol {
            return false;
        }
        if !node.extension {
            return self.iter_outside(node, subject, 0);
        }
        if !node.open {
            return self.iter_innermost(id, node, subject);
        }
        let n = self.outside_limit(node, subject);
        let possible = |run: &mut MatchRun<'_>, k: u32| run.iter_outside(node, subject, k);
        self.propagate_alternatives(n, possible, |run, first| {
            let place = run.keep(subject);
            let now = run.now();
            let at = run.push_words(&[id, place, now]) as u32;
            MatchTask { kind: TaskKind::IterOutside, at, index: first }
        })
    }

    /// Matches where nothing of the subject's iterations can be inside of the argument: however many
    /// there are, all that the pattern does not have stay outside.
    fn iter_innermost(&mut self, id: PatternNodeId, node: &IterNode, subject: Handle) -> bool {
        let memory = &self.space.memory;
        let (has, below) = (memory.count(subject), memory.arg(subject, 0));
        if *has < node.count || node.count == UBig::ZERO {
            return false;
        }
        let whole = *has == node.count;
        self.set_word(REST, if whole { RestWords::NOTHING } else { RestWords::SURPLUS });
        self.set_word(REST + 1, id);
        self.propagate(node.arg, below)
    }

    pub(crate) fn iter_turn(&mut self, at: u32, cursor: u32) -> TaskOutcome {
        let at = at as usize;
        let (id, subject, then) = (self.word(at), self.kept(self.word(at + 1)), self.word(at + 2));
        let subject = self.space.memory.resolve(subject);
        let pattern = self.pattern;
        let PatternNode::Iter(node) = pattern.node(id) else {
            unreachable!("the task names its node")
        };
        let n = self.outside_limit(node, subject);
        self.alternative_turn(cursor, n, then, |run, k| run.iter_outside(node, subject, k))
    }

    /// One more than the largest number of iterations that may stay outside; at least one
    /// application is matched.
    fn outside_limit(&self, node: &IterNode, subject: Handle) -> u32 {
        let has = self.space.memory.count(subject).into_owned();
        let wants = node.count.clone().max(UBig::ONE);
        if has < wants {
            return 0;
        }
        u32::try_from(&(has - wants)).map_or(MOST_TRIED, |k| k.saturating_add(1).min(MOST_TRIED))
    }

    /// Matches with `k` iterations left outside.
    fn iter_outside(&mut self, node: &IterNode, subject: Handle, k: u32) -> bool {
        if k + 1 == MOST_TRIED {
            passed(Limit::Iterations);
        }
        let memory = &self.space.memory;
        let below = memory.arg(subject, 0);
        let small = memory.small_count(subject).zip(u64::try_from(&node.count).ok());
        let part = if let Some((has, wants)) = small {
            let Some(left) = has.checked_sub(wants).and_then(|n| n.checked_sub(u64::from(k)))
            else {
                return false;
            };
            if left > 0 && !node.open {
                return false;
            }
            if left == has {
                subject
            } else {
                let make = |memory: &mut Memory| memory.iterated_small(node.symbol, left, below);
                let part = self.new_part(node.symbol, make);
                let asked = self.asks_for_sort(node.arg);
                if left > 0 && !self.finish_part(node.unreduced, subject, part, asked) {
                    return false;
                }
                part
            }
        } else {
            let (has, outside) = (memory.count(subject).into_owned(), &node.count + k);
            if has < outside {
                return false;
            }
            let left = has - outside;
            let some = left != UBig::ZERO;
            if some && !node.open {
                return false;
            }
            let make = |memory: &mut Memory| memory.iterated(node.symbol, left, below);
            let part = self.new_part(node.symbol, make);
            let asked = self.asks_for_sort(node.arg);
            if some && !self.finish_part(node.unreduced, subject, part, asked) {
                return false;
            }
            part
        };
        if node.extension {
            self.set_word(REST, if k == 0 { RestWords::NOTHING } else { RestWords::ITERATIONS });
            self.set_word(REST + 1, k);
        }
        self.propagate(node.arg, part)
    }

    /// A variable under extension, on an iterated subject: left to be solved in any case.
    pub(crate) fn propagate_iterates(&mut self, id: PatternNodeId, subject: Handle) -> bool {
        let place = self.keep(subject);
        let at = self.push_words(&[id, place]) as u32;
        self.matcher.out.push(MatchTask { kind: TaskKind::Iterate, at, index: 0 });
        true
    }

    /// The register of a variable that takes iterates of the subject, if the node stands for one.
    pub(crate) fn rebound_slot(&self, id: PatternNodeId, subject: Handle) -> Option<u32> {
        let (PatternNode::Anything(heads, _) | PatternNode::AnyPart(heads, _)) =
            self.pattern.node(id)
        else {
            return None;
        };
        let symbol = self.space.memory.symbol(subject);
        let (_, node) = heads.iter().find(|head| head.0 == symbol)?;
        match self.pattern.node(*node) {
            PatternNode::Iterates { var, .. } => Some(var.slot),
            _ => None,
        }
    }

    /// The next iterate of the subject for a variable, from the largest to the smallest.
    pub(crate) fn iterate_turn(&mut self, at: u32, cursor: u32) -> TaskOutcome {
        let (id, subject) = (self.word(at as usize), self.kept(self.word(at as usize + 1)));
        let subject = self.space.memory.resolve(subject);
        let PatternNode::Iterates { var, unreduced } = *self.pattern.node(id) else {
            unreachable!("the task names its node")
        };
        let n = u32::try_from(&*self.space.memory.count(subject)).unwrap_or(MOST_TRIED);
        for k in cursor..n {
            if self.must_stop() {
                return TaskOutcome::Fail;
            }
            if k + 1 >= MOST_TRIED {
                passed(Limit::Iterations);
            }
            if k > cursor {
                self.note_cursor(k);
            }
            let part = match k {
                0 if unreduced && subject.is_node() => self.space.memory.unreduced_top(subject),
                0 => subject,
                _ => {
                    let part = self.iterate(subject, k);
                    if !self.finish_part(unreduced, subject, part, var.sort.index > 0) {
                        continue;
                    }
                    part
                }
            };
            self.rebind(var.slot, part);
            if self.fits(part, var.sort) {
                self.set_word(
                    REST,
                    if k == 0 { RestWords::NOTHING } else { RestWords::ITERATIONS },
                );
                self.set_word(REST + 1, k);
                return if k + 1 == n { TaskOutcome::Last } else { TaskOutcome::More(k + 1) };
            }
        }
        TaskOutcome::Fail
    }

    /// The subject with `k` iterations less.
    fn iterate(&mut self, subject: Handle, k: u32) -> Handle {
        let memory = &self.space.memory;
        let (symbol, below) = (memory.symbol(subject), memory.arg(subject, 0));
        match memory.small_count(subject) {
            Some(has) => self.new_part(symbol, |memory| {
                memory.iterated_small(symbol, has - u64::from(k), below)
            }),
            None => {
                let left = memory.count(subject).into_owned() - k;
                self.new_part(symbol, |memory| memory.iterated(symbol, left, below))
            }
        }
    }

    /// The subject with fewer iterations.
    fn new_part(&mut self, symbol: SymbolId, make: impl FnOnce(&mut Memory) -> Handle) -> Handle {
        match self.space.memory.core(symbol).memberships {
            true => self.made_before(|run| make(&mut run.space.memory)),
            false => make(&mut self.space.memory),
        }
    }

    /// Whether the sort of a subject decides if a node takes it.
    fn asks_for_sort(&self, node: PatternNodeId) -> bool {
        match self.pattern.node(node) {
            PatternNode::Var(var) => var.sort.index > 0 && self.value(var.slot) == Handle::NIL,
            _ => false,
        }
    }

    /// Gives a new part its sort, and counts it as reduced if its subject is. False: memberships may
    /// lower its sort, which is wanted first; `asked`: in any case, not only for what is reduced.
    fn finish_part(&mut self, unreduced: bool, subject: Handle, part: Handle, asked: bool) -> bool {
        if !part.is_node() {
            return true;
        }
        let memory = &mut self.space.memory;
        let reduced = !unreduced && memory.is_reduced(subject);
        if reduced {
            // Its memberships find parts of it reduced, too, and so need not reduce them.
            memory.set_flag(part, flag::REDUCED);
        }
        if memory.core(memory.symbol(part)).memberships {
            if memory.known_sort(part).is_none() {
                if asked || reduced {
                    self.want_sort(part);
                    return false;
                }
                return true;
            }
        } else if !unreduced {
            least_sort(self.space, part);
        }
        true
    }
}
