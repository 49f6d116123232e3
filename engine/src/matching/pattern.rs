//! The parts of a compiled pattern.
//!
//! Every subterm that needs a theory of its own is a node; nodes refer to each other by number.
//! Ground parts are built once and kept in the store, so a pattern holds no handle that moves.

use dashu_int::UBig;

use super::{Guard, Prefilter};
use crate::heap::Handle;
use crate::id::{SortId, SymbolId};
use crate::matching::assoc_comm::{FewArguments, FixedSet};

/// The number of a node in its pattern.
pub(crate) type PatternNodeId = u32;

/// A variable of a pattern.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Var {
    pub(crate) slot: u32,
    pub(crate) sort: SortId,
}

/// A subterm of a pattern.
#[derive(Debug)]
pub(crate) enum PatternNode {
    Ground(Handle),
    Var(Var),
    /// What matches the node is also put into a register.
    Capture(u32, PatternNodeId),
    /// A node below which there are many others, so that propagating it may need more stack.
    Deep(PatternNodeId),
    /// A subpattern in two forms: the first relies on these registers being bound when its turn comes,
    /// the second is matched where one of them is not.
    Relying(Box<[u32]>, PatternNodeId, PatternNodeId),
    Free(FreeNode),
    Iter(IterNode),
    Comm(CommNode),
    List(Box<ListNode>),
    Multi(Box<MultiNode>),
    /// Aliens whose subjects stand in registers, in their sequence.
    Aliens(Box<[(u32, PatternNodeId)]>),
    /// A variable that may also hold a part of the subject: the node for each operator it may be
    /// headed by, and the variable itself.
    Anything(Box<[(SymbolId, PatternNodeId)]>, Var),
    /// An alien that is treated like a variable and may match a part of the subject: the node for
    /// each operator the subject may be headed by, and the node for all others.
    AnyPart(Box<[(SymbolId, PatternNodeId)]>, PatternNodeId),
    /// A variable that may also hold inner iterates of the subject; new nodes count as unreduced or
    /// not.
    Iterates {
        var: Var,
        unreduced: bool,
    },
}

impl PatternNode {
    /// Visits the nodes that are propagated while this one is.
    pub(super) fn visit_parts(&self, visit: &mut impl FnMut(PatternNodeId)) {
        let top_variables = |all: &[TopVariable], visit: &mut dyn FnMut(PatternNodeId)| {
            all.iter().filter_map(|c| c.alien).for_each(visit);
        };
        let collapse = |parts: &Option<Box<[CollapsePart]>>,
                        visit: &mut dyn FnMut(PatternNodeId)| {
            parts.iter().flatten().flat_map(|part| [part.node, part.whole]).for_each(visit);
        };
        match self {
            PatternNode::Ground(_) | PatternNode::Var(_) | PatternNode::Iterates { .. } => {}
            PatternNode::Capture(_, inner) | PatternNode::Deep(inner) => visit(*inner),
            PatternNode::Relying(_, node, loose) => [*node, *loose].into_iter().for_each(visit),
            PatternNode::Free(node) => node.aliens.iter().for_each(|alien| visit(alien.1)),
            PatternNode::Iter(node) => visit(node.arg),
            PatternNode::Comm(node) => {
                node.ways.iter().flat_map(|way| way.parts).for_each(|part| visit(part.0));
            }
            PatternNode::List(node) => {
                let blocks = node.blocks.iter().flatten();
                node.ends.iter().map(|end| &end.1).chain(blocks).for_each(|x| visit(x.node));
                top_variables(node.single.as_slice(), visit);
                node.runs.iter().for_each(|run| top_variables(run, visit));
                collapse(&node.collapse, visit);
            }
            PatternNode::Multi(node) => {
                top_variables(&node.multiset_variables, visit);
                node.aliens.iter().for_each(|alien| visit(alien.node));
                collapse(&node.collapse, visit);
            }
            PatternNode::Aliens(aliens) => aliens.iter().for_each(|alien| visit(alien.1)),
            PatternNode::Anything(heads, _) => heads.iter().for_each(|head| visit(head.1)),
            PatternNode::AnyPart(heads, other) => {
                heads.iter().for_each(|head| visit(head.1));
                visit(*other);
            }
        }
    }
}

/// One check of a free skeleton. Terms that are looked into stand in numbered places; place 0 is
/// the subject.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FreeCheck {
    /// The argument must have this symbol; it is put into place `to`.
    Symbol { from: u16, arg: u16, symbol: SymbolId, to: u16 },
    /// The argument is the value of a variable.
    Var { from: u16, arg: u16, var: Var },
    /// The argument is a ground term.
    Ground { from: u16, arg: u16, term: Handle },
    /// What stands in a place is also put into a register.
    Capture { from: u16, slot: u32 },
    /// The argument is put into place `to` for an alien.
    Alien { from: u16, arg: u16, to: u16 },
}

/// A free operator with the free skeleton below it.
#[derive(Debug)]
pub(crate) struct FreeNode {
    pub(crate) symbol: SymbolId,
    pub(crate) n_places: u16,
    pub(crate) steps: Box<[FreeCheck]>,
    /// Aliens in the sequence of `docs/semantics.md` 6.2, with the places of their subjects.
    pub(crate) aliens: Box<[(u16, PatternNodeId)]>,
}

/// An iterated operator.
#[derive(Debug)]
pub(crate) struct IterNode {
    pub(crate) symbol: SymbolId,
    pub(crate) count: UBig,
    pub(crate) arg: PatternNodeId,
    /// The argument may be headed by the operator itself: a variable, or something that collapses.
    pub(crate) open: bool,
    pub(crate) extension: bool,
    /// New nodes count as unreduced.
    pub(crate) unreduced: bool,
}

/// What an argument of a commutative pattern is matched against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Against {
    First,
    Second,
    Identity,
    Whole,
}

/// One way in which a commutative pattern may match (`docs/semantics.md` 6.3), the argument that is
/// matched first at the front.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CommutativeWay {
    /// Left out if the subject is the identity, for then it repeats another way.
    pub(crate) repeats: bool,
    pub(crate) parts: [(PatternNodeId, Against); 2],
}

/// Two arguments with commutativity, idempotency or identities.
#[derive(Debug)]
pub(crate) struct CommNode {
    pub(crate) symbol: SymbolId,
    pub(crate) identity: Handle,
    pub(crate) ways: Box<[CommutativeWay]>,
    /// What is left of a collapse has the extension of the subject.
    pub(crate) extension: bool,
    /// In the first mode a way that leaves nothing open is the only one.
    pub(crate) greedy: bool,
    /// It is deep, and whether it matches greedily depends on the subject alone.
    pub(crate) alone: bool,
}

/// An argument of a pattern whose operator has an identity, for a subject headed by another one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CollapsePart {
    /// For the identity.
    pub(crate) node: PatternNodeId,
    /// For the subject, with its extension if the pattern has it.
    pub(crate) whole: PatternNodeId,
    /// It may take the subject.
    pub(crate) takes_it: bool,
    /// It occurs several times.
    pub(crate) repeated: bool,
    /// It cannot be the identity.
    pub(crate) non_collapsing: bool,
    /// The variable that stands for it, if it is an alien that is treated like one.
    pub(crate) abstraction: Option<Var>,
}

/// A variable right under an operator that may take several of its arguments: a sequence variable
/// under an associative operator, a multiset variable under AC. Or an alien that is treated
/// like one.
#[derive(Debug, Clone)]
pub(crate) struct TopVariable {
    pub(crate) var: Var,
    /// How often it stands in the multiset.
    pub(crate) multiplicity: u32,
    /// 0 if it may be the identity.
    pub(crate) low: u32,
    /// The bound of its sort.
    pub(crate) high: u32,
    /// The operator makes of two terms of its sort a term of its sort: only then does it take
    /// whatever is left in a greedy match.
    pub(crate) closed: bool,
    /// An alien treated like a variable: matched against what the register got.
    pub(crate) alien: Option<PatternNodeId>,
    /// Nothing else in the pattern or its guards needs the value.
    pub(crate) private: bool,
    /// Nothing at all needs the value.
    pub(crate) unused: bool,
}

/// An argument of an AC pattern that takes one argument of the subject.
#[derive(Debug)]
pub(crate) struct AcAlien {
    pub(crate) node: PatternNodeId,
    pub(crate) multiplicity: u32,
    /// The operator of the arguments that can match, if it cannot collapse.
    pub(crate) symbol: Option<SymbolId>,
    /// There are other nodes below.
    pub(crate) nested: bool,
    /// How many steps of its free skeleton, read from the front, may narrow the range of
    /// candidates.
    pub(crate) prefix: u16,
    /// Guards that may be decided once it has matched.
    pub(crate) guards: Box<[u32]>,
    /// What a candidate passes before it is matched.
    pub(crate) prefilter: Prefilter,
}

/// An AC or ACU pattern.
#[derive(Debug)]
pub(crate) struct MultiNode {
    pub(crate) symbol: SymbolId,
    /// One declaration with equal argument sorts: parts have the sort of the whole.
    pub(crate) even: bool,
    /// The sort of its arguments then.
    pub(crate) arg_sort: Option<u16>,
    pub(crate) identity: Handle,
    /// Ground arguments.
    pub(crate) ground: Box<[(Handle, u32)]>,
    /// Variables known to be bound or not, and aliens treated like variables: by multiplicity, then
    /// sort index, high ones first, then pattern order.
    pub(crate) multiset_variables: Box<[TopVariable]>,
    /// Variables of element sort that cannot be the identity, as indices into them.
    pub(crate) elements: Box<[u32]>,
    /// Aliens in the sequence of `docs/semantics.md` 6.4.
    pub(crate) aliens: Box<[AcAlien]>,
    pub(crate) extension: bool,
    /// Two or more arguments are ground, aliens, or variables that take something.
    pub(crate) takes_two: bool,
    pub(crate) unreduced: bool,
    /// All arguments in pattern order, for a subject not headed by the operator (6.5).
    pub(crate) collapse: Option<Box<[CollapsePart]>>,
    pub(crate) greedy: Option<AcGreedy>,
    /// It is deep, and whether it matches greedily depends on the subject alone.
    pub(crate) alone: bool,
    /// Each argument has a place that is known beforehand.
    pub(crate) fixed: Option<FixedSet>,
}

/// What came of greedy matching.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Greedily {
    Matched,
    /// There is no matcher at all.
    Failed,
    /// That way does not work out, or an alien that has taken its place leaves something open: all
    /// matchers count.
    Open,
}

/// How an AC pattern is matched greedily (`docs/semantics.md` 3.5).
#[derive(Debug)]
pub(crate) struct AcGreedy {
    /// Indices into `aliens`, in the order in which they take their places.
    pub(crate) aliens: Box<[u32]>,
    /// Exactly two unbounded variables that cannot be the identity: the first, the second.
    pub(crate) pair: Option<(u16, u16)>,
    /// A single unbounded variable of higher multiplicity under extension.
    pub(crate) shares: bool,
}

/// An argument of a list pattern that takes one argument of the subject, or the value of a
/// variable that is bound.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FixedElement {
    pub(crate) node: PatternNodeId,
    /// The register, if it is a variable.
    pub(crate) slot: Option<u32>,
    /// It cannot be the identity, whatever value is given from outside.
    pub(crate) non_collapsing: bool,
}

/// The end of a list at which an argument is matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListEnd {
    Left,
    Right,
}

/// An A or AU pattern.
#[derive(Debug)]
pub(crate) struct ListNode {
    pub(crate) symbol: SymbolId,
    /// One declaration with equal argument sorts: parts have the sort of the whole.
    pub(crate) even: bool,
    pub(crate) identity: Handle,
    /// Fixed ends in the sequence of `docs/semantics.md` 6.6.
    pub(crate) ends: Box<[(ListEnd, FixedElement)]>,
    /// The only argument between the ends, which takes the rest.
    pub(crate) single: Option<TopVariable>,
    /// Runs of flexible arguments; one more than there are blocks, or none if the ends are all.
    pub(crate) runs: Box<[Box<[TopVariable]>]>,
    pub(crate) blocks: Box<[Box<[FixedElement]>]>,
    pub(crate) extension: bool,
    pub(crate) unreduced: bool,
    /// The leftmost occurrence only: a ground pattern (3.6).
    pub(crate) once: bool,
    pub(crate) collapse: Option<Box<[CollapsePart]>>,
    /// In the first mode a collapse counts as open, since the pattern as a whole is not greedy.
    pub(crate) open: bool,
    /// What is between the ends is matched greedily in the first mode.
    pub(crate) greedy: bool,
    /// It is deep, and whether it matches greedily depends on the subject alone.
    pub(crate) alone: bool,
}

/// A compiled pattern.
#[derive(Debug)]
pub(crate) struct Pattern {
    pub(super) nodes: Box<[PatternNode]>,
    pub(super) root: PatternNodeId,
    /// Registers that are unbound when matching begins.
    pub(super) unbound: Box<[u32]>,
    pub(super) guards: Box<[Guard]>,
    /// Guards would come too early: some variables may get another value when the tasks are solved.
    pub(super) unguarded: bool,
    /// Sorts of its values may depend on memberships.
    pub(super) asks: bool,
    /// How it is matched against a multiset of few arguments, if that takes no matcher.
    pub(super) few: Option<FewArguments>,
}

impl Pattern {
    /// A node.
    #[inline(always)]
    pub(crate) fn node(&self, id: PatternNodeId) -> &PatternNode {
        &self.nodes[id as usize]
    }

    /// Lets values go that nothing will ask for: those of variables that are not among the
    /// registers in use.
    pub(crate) fn keep_only(&mut self, used: &[u32]) {
        for node in &mut self.nodes {
            if let PatternNode::Multi(multi) = node {
                for c in &mut multi.multiset_variables {
                    c.unused = c.private && !used.contains(&c.var.slot);
                }
            }
        }
    }

    /// The node below a capture and what it relies on.
    #[inline(always)]
    pub(crate) fn uncaptured(&self, id: PatternNodeId) -> &PatternNode {
        let node = match self.node(id) {
            PatternNode::Relying(_, inner, _) => self.node(*inner),
            node => node,
        };
        match node {
            PatternNode::Capture(_, inner) => self.node(*inner),
            node => node,
        }
    }

    /// A guard.
    pub(crate) fn guard(&self, index: u32) -> &Guard {
        &self.guards[index as usize]
    }
}
