//! Matching of iterated symbols (`docs/semantics.md` 6.7).

use num_bigint::BigUint;

use crate::heap::{Handle, flag};
use crate::matching::{
    IterNode, MatchRun, MatchTask, PatternNode, PatternNodeId, REST, RestWords, TaskKind,
    TaskOutcome, least_sort,
};

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
        let n = self.outside_limit(node, subject);
        let possible = |run: &mut MatchRun<'_>, k: u32| run.iter_outside(node, subject, k);
        self.propagate_alternatives(n, possible, |run, first| {
            let place = run.keep(subject);
            let now = run.now();
            let at = run.push_words(&[id, place, now]) as u32;
            MatchTask { kind: TaskKind::IterOutside, at, index: first }
        })
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
        let has = self.space.memory.count(subject);
        let wants = node.count.clone().max(BigUint::from(1u32));
        if has < wants {
            return 0;
        }
        u32::try_from(&(has - wants)).map_or(u32::MAX, |k| k.saturating_add(1))
    }

    /// Matches with `k` iterations left outside.
    fn iter_outside(&mut self, node: &IterNode, subject: Handle, k: u32) -> bool {
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
                let part = self.space.memory.iterated_small(node.symbol, left, below);
                self.finish_iterated(node.unreduced, subject, left > 0, part)
            }
        } else {
            let (has, outside) = (memory.count(subject), &node.count + k);
            if has < outside {
                return false;
            }
            let left = has - outside;
            let some = left != BigUint::ZERO;
            if some && !node.open {
                return false;
            }
            let part = self.space.memory.iterated(node.symbol, &left, below);
            self.finish_iterated(node.unreduced, subject, some, part)
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
        let n = u32::try_from(&self.space.memory.count(subject)).unwrap_or(u32::MAX);
        for k in cursor..n {
            if self.must_stop() {
                return TaskOutcome::Fail;
            }
            let part = match k {
                0 if unreduced && subject.is_node() => self.space.memory.unreduced_top(subject),
                0 => subject,
                _ => self.iterate(subject, k, unreduced),
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
    fn iterate(&mut self, subject: Handle, k: u32, unreduced: bool) -> Handle {
        let memory = &mut self.space.memory;
        let (symbol, below) = (memory.symbol(subject), memory.arg(subject, 0));
        let part = match memory.small_count(subject) {
            Some(has) => memory.iterated_small(symbol, has - u64::from(k), below),
            None => memory.iterated(symbol, &(memory.count(subject) - k), below),
        };
        self.finish_iterated(unreduced, subject, true, part)
    }

    /// A new node counts as reduced if its subject does.
    fn finish_iterated(
        &mut self,
        unreduced: bool,
        subject: Handle,
        is_new: bool,
        part: Handle,
    ) -> Handle {
        if is_new && part.is_node() && !unreduced {
            let reduced = self.space.memory.is_reduced(subject);
            least_sort(self.space, part);
            if reduced {
                self.space.memory.set_flag(part, flag::REDUCED);
            }
        }
        part
    }
}
