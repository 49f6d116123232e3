//! Matching modulo commutativity, idempotency and identities without associativity
//! (`docs/semantics.md` 6.3; greedily 3.5).

use crate::heap::Handle;
use crate::matching::{
    Against, CommNode, CommutativeWay, MatchRun, MatchTask, PatternNode, PatternNodeId, REST,
    RestWords, TaskKind, TaskOutcome,
};

impl MatchRun<'_> {
    pub(crate) fn propagate_comm(
        &mut self,
        id: PatternNodeId,
        node: &CommNode,
        subject: Handle,
    ) -> bool {
        let possible =
            |run: &mut MatchRun<'_>, k: u32| run.comm_way(node, node.ways[k as usize], subject);
        let n = node.ways.len() as u32;
        let greedy = self.is_first() && node.greedy && !self.is_extended(node.extension, subject);
        if greedy && !self.is_open(id, subject) {
            if self.commit_alternative(n, possible) {
                return true;
            }
            self.note_open(id, subject, node.alone);
        }
        self.propagate_alternatives(n, possible, |run, first| {
            let place = run.keep(subject);
            let now = run.now();
            let at = run.push_words(&[id, place, now]) as u32;
            MatchTask { kind: TaskKind::CommWay, at, index: first }
        })
    }

    pub(crate) fn comm_turn(&mut self, at: u32, cursor: u32) -> TaskOutcome {
        let at = at as usize;
        let (id, subject, then) = (self.word(at), self.kept(self.word(at + 1)), self.word(at + 2));
        // A condition may have evaluated it in place.
        let subject = self.space.memory.resolve(subject);
        let pattern = self.pattern;
        let PatternNode::Comm(node) = pattern.node(id) else {
            unreachable!("the task names its node")
        };
        self.alternative_turn(cursor, node.ways.len() as u32, then, |run, k| {
            run.comm_way(node, node.ways[k as usize], subject)
        })
    }

    /// Propagates one way; false if it does not exist for this subject.
    fn comm_way(&mut self, node: &CommNode, way: CommutativeWay, subject: Handle) -> bool {
        let memory = &self.space.memory;
        let headed = memory.symbol(subject) == node.symbol;
        let exists = match way.parts.map(|p| p.1) {
            [Against::First, _] => headed,
            [Against::Second, _] => {
                headed && !memory.equal(memory.fixed_arg(subject, 0), memory.fixed_arg(subject, 1))
            }
            _ => !way.repeats || !memory.equal(subject, node.identity),
        };
        if !exists {
            return false;
        }
        if node.extension {
            self.set_word(REST, RestWords::NOTHING);
        }
        way.parts.iter().all(|&(part, against)| {
            let term = match against {
                Against::First => self.space.memory.fixed_arg(subject, 0),
                Against::Second => self.space.memory.fixed_arg(subject, 1),
                Against::Identity => node.identity,
                Against::Whole => subject,
            };
            self.propagate(part, term)
        })
    }
}
