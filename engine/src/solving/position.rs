//! Positions of a term, and putting something else at one of them.
//!
//! Positions come breadth first (`docs/semantics.md` 4.1): the root, its arguments left to right,
//! then theirs; equal arguments of an AC node, being one argument with a multiplicity, come once.
//! Frozen arguments are left out where rules are applied; matches of strategies are found there
//! too.

use smallvec::SmallVec;

use crate::heap::{Handle, Memory};
use crate::id::{KindId, SymbolId};
use crate::registers::Registers;
use crate::signature::Signature;
use crate::worker::Worker;

/// Argument places from the root of a term down to a position.
pub(crate) type Path = SmallVec<[u32; 8]>;

/// The positions of one term that have been met so far. Their subterms stand in a list that the
/// caller keeps, from `base` on, so that they can be roots where terms move.
#[derive(Debug, Clone, Default)]
pub(crate) struct MetPositions {
    base: usize,
    links: Vec<Link>,
    /// The next position whose arguments are to be listed.
    expand: usize,
    /// The next position to visit.
    visit: usize,
    /// Frozen arguments are visited as well.
    frozen_too: bool,
}

/// How a position is reached.
#[derive(Debug, Clone, Copy)]
struct Link {
    parent: u32,
    /// The place among the parent's arguments.
    place: u32,
    /// Everything above evaluates the argument on the way here.
    eager: bool,
}

impl MetPositions {
    /// Starts at the root of a term. Its subterms go to `nodes` from its present end on.
    pub(crate) fn start(&mut self, nodes: &mut Registers, root: Handle) {
        self.base = nodes.len();
        self.links.clear();
        self.links.push(Link { parent: 0, place: 0, eager: true });
        self.expand = 0;
        self.visit = 0;
        nodes.push(root);
    }

    /// Visits frozen arguments as well from now on.
    pub(crate) fn visit_frozen(&mut self) {
        self.frozen_too = true;
    }

    /// The next position with the subterm there, without what is below a kind that does not count.
    pub(crate) fn next(
        &mut self,
        memory: &Memory,
        signature: &Signature,
        nodes: &mut Registers,
        kinds: &Kinds,
    ) -> Option<(usize, Handle)> {
        while self.visit == self.links.len() {
            if self.expand == self.links.len() {
                return None;
            }
            let parent = self.expand as u32;
            let above = self.links[self.expand].eager;
            let node = memory.resolve(nodes[self.base + self.expand]);
            self.expand += 1;
            let symbol = signature.symbol(memory.symbol(node));
            for place in 0..memory.n_args(node) {
                if !self.frozen_too && !symbol.frozen.is_empty() && symbol.is_frozen(place) {
                    continue;
                }
                let arg = memory.arg(node, place);
                if kinds.counts(signature.symbol(memory.symbol(arg)).range) {
                    nodes.push(arg);
                    let eager = above && symbol.is_eager(place);
                    self.links.push(Link { parent, place: place as u32, eager });
                }
            }
        }
        let at = self.visit;
        self.visit += 1;
        Some((at, memory.resolve(nodes[self.base + at])))
    }

    /// Whether everything above a position evaluates the argument on the way to it, so that a term
    /// put there is reduced.
    pub(crate) fn is_eager(&self, at: usize) -> bool {
        self.links[at].eager
    }

    /// The way from the root to a position.
    pub(crate) fn path(&self, mut at: usize) -> Path {
        let mut path = Path::new();
        while at > 0 {
            let link = self.links[at];
            path.push(link.place);
            at = link.parent as usize;
        }
        path.reverse();
        path
    }
}

/// The kinds of terms in or below which something is looked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kinds {
    /// By kind; empty if all count.
    counts: Vec<bool>,
}

impl Kinds {
    /// All kinds.
    pub(crate) const ALL: Kinds = Kinds { counts: Vec::new() };

    /// The kinds whose terms may be or contain terms of the kinds wanted.
    pub(crate) fn around(signature: &Signature, wanted: impl IntoIterator<Item = KindId>) -> Kinds {
        let mut counts = vec![false; signature.n_kinds()];
        for kind in wanted {
            counts[kind.index()] = true;
        }
        loop {
            let mut grown = false;
            for symbol in (0..signature.n_symbols() as u32).map(SymbolId) {
                let symbol = signature.symbol(symbol);
                let range = symbol.range.index();
                if !counts[range] && symbol.args.iter().any(|kind| counts[kind.index()]) {
                    counts[range] = true;
                    grown = true;
                }
            }
            if !grown {
                return Kinds { counts };
            }
        }
    }

    #[inline]
    fn counts(&self, kind: KindId) -> bool {
        self.counts.get(kind.index()).copied().unwrap_or(true)
    }
}

impl Worker {
    /// Whether everything above the end of the path evaluates the argument that the path goes
    /// through, so that a term put there is reduced.
    pub(crate) fn is_eager_path(&self, root: Handle, path: &[u32]) -> bool {
        let mut node = self.space.memory.resolve(root);
        for &place in path {
            if !self.space.signature.symbol(self.space.memory.symbol(node)).is_eager(place as usize)
            {
                return false;
            }
            node = self.space.memory.arg(node, place as usize);
        }
        true
    }

    /// `root` with `new` at the end of the path, reduced again. Where the path is eager `new` must
    /// be reduced, elsewhere normal. May collect.
    pub(crate) fn rebuild(&mut self, root: Handle, path: &[u32], new: Handle) -> Handle {
        let base = self.space.regs.len();
        let mut node = self.space.memory.resolve(root);
        // Nodes above this depth are in eager positions.
        let mut eager = path.len();
        for (depth, &place) in path.iter().enumerate() {
            self.space.regs.push(node);
            if eager == path.len()
                && !self
                    .space
                    .signature
                    .symbol(self.space.memory.symbol(node))
                    .is_eager(place as usize)
            {
                eager = depth;
            }
            node = self.space.memory.arg(node, place as usize);
        }
        let mut child = new;
        for depth in (0..path.len()).rev() {
            let parent = self.space.memory.resolve(self.space.regs[base + depth]);
            self.space.regs.truncate(base + depth);
            child = self.space.memory.with_argument(parent, path[depth] as usize, child);
            if depth <= eager {
                child = self.reduce(child);
                if self.space.stopped.is_some() {
                    break;
                }
            }
        }
        self.space.regs.truncate(base);
        child
    }
}
