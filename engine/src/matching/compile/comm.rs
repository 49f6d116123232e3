//! Commutative patterns: the ways in which their two arguments may be matched.

use super::PatternCompiler;
use crate::id::{StaticId, SymbolId};
use crate::matching::pattern::{Against, CommNode, CommutativeWay, PatternNode, PatternNodeId};
use crate::matching::sets::Set;

impl PatternCompiler<'_> {
    pub(super) fn comm(&mut self, t: StaticId, known: Set, extension: bool) -> PatternNodeId {
        let symbol = self.analysis.symbol(t);
        let args = self.analysis.terms.args(t);
        let (x, y) = (args[0], args[1]);
        let comm = self.analysis.signature.symbol(symbol).axioms.comm;
        let exchange = comm && self.analysis.is_variable(x) && !self.analysis.is_variable(y);
        let (x, y) = if exchange { (y, x) } else { (x, y) };
        let ways = self.comm_ways(symbol, x, y, known, extension);
        let outside = self.analysis.occurrences.outside(t);
        let greedy = self.is_apart(&args, outside, known);
        let identity = self.identity(symbol);
        let node = CommNode { symbol, identity, ways, extension, greedy, alone: false };
        self.push_greedy(t, known, PatternNode::Comm(node))
    }

    /// Notes the variables that several arguments share: they forbid greedy matching in any of them,
    /// whichever is matched first. Returns those noted so far.
    pub(super) fn begin_shared(&mut self, args: &[StaticId], known: Set) -> Set {
        let repeated = self.analysis.repeated(args, known);
        let shared = self.analysis.sets.union(self.shared, repeated);
        std::mem::replace(&mut self.shared, shared)
    }

    pub(super) fn comm_ways(
        &mut self,
        symbol: SymbolId,
        x: StaticId,
        y: StaticId,
        known: Set,
        extension: bool,
    ) -> Box<[CommutativeWay]> {
        let axioms = self.analysis.signature.symbol(symbol).axioms;
        let shared = self.begin_shared(&[x, y], known);
        let mut forward = known;
        let (x1, y2) = (self.node_then(x, &mut forward), self.node(y, forward));
        let mut backward = known;
        let (y1, x2) = (self.node_then(y, &mut backward), self.node(x, backward));
        // What is left of a collapse has the extension of the subject.
        let (y3, x4) = if extension {
            (self.root(y, forward, true), self.root(x, backward, true))
        } else {
            (y2, x2)
        };
        self.shared = shared;
        let way = |first, second| CommutativeWay { repeats: false, parts: [first, second] };
        let mut ways = vec![way((x1, Against::First), (y2, Against::Second))];
        if axioms.comm {
            ways.push(way((x1, Against::Second), (y2, Against::First)));
        }
        // A value given from outside may be an identity that the sort of its variable rules out.
        let mut can_be_identity = |t| {
            let identity = self.analysis.identity(symbol);
            identity.is_some_and(|identity| self.analysis.can_be(t, identity))
        };
        let (x_vanishes, y_vanishes) = (can_be_identity(x), can_be_identity(y));
        if axioms.left_id && x_vanishes {
            ways.push(way((x1, Against::Identity), (y3, Against::Whole)));
        }
        if axioms.right_id && y_vanishes {
            let way = way((y1, Against::Identity), (x4, Against::Whole));
            ways.push(CommutativeWay { repeats: axioms.left_id && x_vanishes, ..way });
        }
        if axioms.idem {
            let way = way((y1, Against::Whole), (x2, Against::Whole));
            ways.push(CommutativeWay { repeats: axioms.identity.is_some(), ..way });
        }
        ways.into()
    }
}
