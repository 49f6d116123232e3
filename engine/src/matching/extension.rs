//! What is left over beside a match with extension (`docs/semantics.md` 3.4).

use dashu_int::UBig;

use super::machine::{Matcher, REST};
use super::{Pattern, PatternNode, PatternNodeId};
use crate::heap::{Handle, flag};
use crate::workspace::Workspace;

/// What the first of the words about the rest says.
pub(crate) struct RestWords;

impl RestWords {
    /// The whole subject was matched.
    pub(crate) const NOTHING: u32 = 0;
    /// A selection of a multiset: where the multiset's words are, and where the amounts are.
    pub(crate) const SELECTION: u32 = 1;
    /// The matched stretch of a list: where it begins and ends.
    pub(crate) const ENDS: u32 = 2;
    /// How many iterations are outside.
    pub(crate) const ITERATIONS: u32 = 3;
    /// All iterations are outside that a node of the pattern does not have itself: the node.
    pub(crate) const SURPLUS: u32 = 4;
}

/// What a match with extension left over beside the matched part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Leftover {
    /// Nothing.
    Whole,
    /// AC: the left-over argument, or a new normal unreduced node of several.
    Rest(Handle),
    /// A: the ranks of the arguments that were matched.
    List { from: u32, to: u32 },
    /// Iterated: how many applications stay outside.
    Iter(UBig),
}

impl Matcher {
    /// The subject.
    pub(crate) fn subject(&self) -> Handle {
        self.handles[0]
    }

    /// The part of the subject that was matched, or `None` if it is the whole.
    pub(crate) fn portion(&self, space: &mut Workspace, pattern: &Pattern) -> Option<Handle> {
        let subject = self.handles[0];
        let memory = &mut space.memory;
        let symbol = memory.symbol(subject);
        let (a, b) = (self.words[REST + 1] as usize, self.words[REST + 2] as usize);
        let part = match self.words[REST] {
            RestWords::NOTHING => return None,
            RestWords::SELECTION => {
                debug_assert!(matches!(pattern.node(self.words[a]), PatternNode::Multi(_)));
                let n = memory.n_args(subject);
                let rest = &self.words[b..b + n];
                let amounts: Vec<u32> =
                    (0..n).map(|rank| memory.multiplicity(subject, rank) - rest[rank]).collect();
                memory.selection(symbol, subject, &amounts, 0)
            }
            RestWords::ENDS if b - a == 1 => memory.arg(subject, a),
            RestWords::ENDS => memory.list_part(symbol, subject, a, b),
            RestWords::SURPLUS => {
                let (count, below) =
                    (pattern_count(pattern, self.words[REST + 1]).clone(), memory.arg(subject, 0));
                memory.iterated(symbol, count, below)
            }
            _ => {
                let (count, below) =
                    (memory.count(subject).into_owned() - a, memory.arg(subject, 0));
                memory.iterated(symbol, count, below)
            }
        };
        super::least_sort(space, part);
        Some(part)
    }

    /// What the match left over of the subject.
    pub(crate) fn leftover(&self, space: &mut Workspace, pattern: &Pattern) -> Leftover {
        let (a, b) = (self.words[REST + 1], self.words[REST + 2]);
        match self.words[REST] {
            RestWords::NOTHING => Leftover::Whole,
            RestWords::SELECTION => {
                let (subject, at) = (self.handles[0], b as usize);
                let symbol = space.memory.symbol(subject);
                let n = space.memory.n_args(subject);
                let rest = &self.words[at..at + n];
                Leftover::Rest(space.memory.selection(symbol, subject, rest, 0))
            }
            RestWords::ENDS => Leftover::List { from: a, to: b },
            RestWords::SURPLUS => {
                let all = space.memory.count(self.handles[0]).into_owned();
                Leftover::Iter(all - pattern_count(pattern, a))
            }
            _ => Leftover::Iter(a.into()),
        }
    }

    /// What the redex becomes: the result itself, or a raw node of what is left over and the
    /// result.
    pub(crate) fn replace(
        &self,
        space: &mut Workspace,
        pattern: &Pattern,
        result: Handle,
    ) -> Handle {
        let subject = self.handles[0];
        match self.leftover(space, pattern) {
            Leftover::Whole => result,
            Leftover::Rest(rest) => {
                let symbol = space.memory.symbol(subject);
                space.memory.list_node(symbol, flag::RAW, [rest, result].into_iter())
            }
            Leftover::List { from, to } => {
                space.memory.raw_splice(subject, from as usize, to as usize, result)
            }
            Leftover::Iter(count) => {
                let symbol = space.memory.symbol(subject);
                space.memory.iter_node(symbol, flag::RAW, count, result)
            }
        }
    }
}

/// How many iterations a node of a pattern has.
fn pattern_count(pattern: &Pattern, node: PatternNodeId) -> &UBig {
    match pattern.node(node) {
        PatternNode::Iter(node) => &node.count,
        _ => unreachable!("only iterated operators leave iterations over"),
    }
}
