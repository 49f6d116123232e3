//! A and AU patterns.

use super::PatternCompiler;
use crate::id::{StaticId, SymbolId};
use crate::matching::sets::Set;
use crate::matching::{
    FixedElement, ListEnd, ListNode, PatternNode, PatternNodeId, TopVariable, UnreducedParts,
};

impl PatternCompiler<'_> {
    pub(super) fn list(
        &mut self,
        t: StaticId,
        known: Set,
        extension: bool,
        root: bool,
    ) -> PatternNodeId {
        let args = self.analysis.terms.args(t);
        self.list_of(self.analysis.symbol(t), (t, &args), known, extension, root)
    }

    pub(super) fn list_of(
        &mut self,
        symbol: SymbolId,
        (t, args): (StaticId, &[StaticId]),
        known: Set,
        extension: bool,
        root: bool,
    ) -> PatternNodeId {
        let outer = known;
        let mut known = known;
        let (mut from, mut to) = (0, args.len());
        let mut ends = Vec::new();
        let shared = self.begin_shared(args, outer);
        while !extension && from < to {
            let end = if !self.analysis.is_flexible(args[from], symbol, known) {
                ListEnd::Left
            } else if !self.analysis.is_flexible(args[to - 1], symbol, known) {
                ListEnd::Right
            } else {
                break;
            };
            let x = if end == ListEnd::Left { args[from] } else { args[to - 1] };
            ends.push((end, self.fixed(symbol, x, known, &mut known)));
            match end {
                ListEnd::Left => from += 1,
                ListEnd::Right => to -= 1,
            }
        }
        let single = (!extension && to - from == 1).then(|| {
            let (first, last) = (from == 0, to == args.len());
            let axioms = self.analysis.signature.symbol(symbol).axioms;
            let fits = axioms.left_id && (axioms.right_id || !last) || axioms.right_id && !first;
            self.top_variable(symbol, args[from], 1, fits, known)
        });
        let after_ends = known;
        let (runs, blocks) = if !extension && to - from < 2 {
            (Vec::new(), Vec::new())
        } else {
            let last = to == args.len();
            self.runs_and_blocks(symbol, &args[from..to], (from == 0, last), &mut known)
        };
        let pairs: Vec<(StaticId, u32)> = args.iter().map(|&a| (a, 1)).collect();
        let collapse = if args.len() > 1 {
            self.collapse(symbol, &pairs, outer, extension && root)
        } else {
            None
        };
        self.shared = shared;
        // A variable that other arguments around have may be known by then, or not.
        let sure = self.analysis.sets.difference(after_ends, self.shared);
        let mut at_ends = args[..from].iter().chain(&args[to..]);
        let greedy = if at_ends.any(|&x| self.analysis.is_flexible(x, symbol, sure)) {
            false
        } else {
            let outside = args[..from].iter().chain(&args[to..]).fold(
                self.analysis.occurrences.outside(t),
                |outside, &x| {
                    self.analysis.sets.union(outside, self.analysis.occurrences.variables(x))
                },
            );
            self.list_greedy(symbol, (&args[from..to], outside), after_ends, extension)
        };
        let outside = self.analysis.occurrences.outside(t);
        let node = ListNode {
            symbol,
            even: self.is_even(symbol),
            identity: self.identity(symbol),
            ends: ends.into(),
            single,
            runs: runs.into(),
            blocks: blocks.into(),
            extension,
            unreduced: match self.unreduced {
                UnreducedParts::None => false,
                UnreducedParts::OfRedex => root,
                UnreducedParts::OfLists => true,
            },
            once: args.iter().all(|&a| self.analysis.terms.is_ground(a)),
            collapse,
            open: !self.list_greedy(symbol, (args, outside), outer, extension),
            greedy,
            alone: false,
        };
        self.push_greedy(t, outer, PatternNode::List(Box::new(node)))
    }

    /// Whether one declaration gives all terms of the operator one sort, whatever their order.
    pub(super) fn is_even(&self, symbol: SymbolId) -> bool {
        let declarations = &self.analysis.signature.symbol(symbol).declarations;
        matches!(&declarations[..], [only] if only.args[0] == only.args[1])
    }

    fn fixed(&mut self, symbol: SymbolId, x: StaticId, sure: Set, known: &mut Set) -> FixedElement {
        let slot = self.analysis.is_variable(x).then(|| self.slots.slot(x));
        let identity = self.analysis.identity(symbol);
        let non_collapsing = identity.is_some_and(|identity| !self.analysis.can_be(x, identity));
        FixedElement { node: self.relying_node_then(x, sure, known), slot, non_collapsing }
    }

    /// Splits arguments into runs and blocks; `ends` tells whether they begin and end the pattern,
    /// which matters for one-sided identities.
    #[allow(clippy::type_complexity, reason = "runs and blocks")]
    fn runs_and_blocks(
        &mut self,
        symbol: SymbolId,
        args: &[StaticId],
        ends: (bool, bool),
        known: &mut Set,
    ) -> (Vec<Box<[TopVariable]>>, Vec<Box<[FixedElement]>>) {
        let axioms = self.analysis.signature.symbol(symbol).axioms;
        let before = *known;
        let mut runs: Vec<Vec<TopVariable>> = vec![Vec::new()];
        let mut blocks: Vec<Vec<FixedElement>> = Vec::new();
        let mut alone = false;
        for (place, &x) in args.iter().enumerate() {
            if self.analysis.is_flexible(x, symbol, before) {
                if blocks.len() == runs.len() {
                    runs.push(Vec::new());
                }
                let first = place == 0 && ends.0;
                let last = place + 1 == args.len() && ends.1;
                let fits = axioms.left_id && !last || axioms.right_id && !first;
                let fits = fits || axioms.left_id && axioms.right_id;
                let variable = self.top_variable(symbol, x, 1, fits, before);
                runs.last_mut().expect("there is one").push(variable);
                continue;
            }
            // A bound variable of an unbounded sort is a block by itself.
            let wide = match self.analysis.variable_sort(x) {
                Some(sort) => self.analysis.bound(symbol, sort) > 1,
                None => false,
            };
            if blocks.len() == runs.len() && (wide || alone) {
                runs.push(Vec::new());
            }
            if blocks.len() < runs.len() {
                blocks.push(Vec::new());
            }
            let fixed = self.fixed(symbol, x, before, known);
            blocks.last_mut().expect("there is one").push(fixed);
            alone = wide;
        }
        if blocks.len() == runs.len() {
            runs.push(Vec::new());
        }
        let runs = runs.into_iter().map(Into::into).collect();
        (runs, blocks.into_iter().map(Into::into).collect())
    }

    /// Whether arguments are matched greedily beside which certain variables occur.
    fn list_greedy(
        &mut self,
        symbol: SymbolId,
        (args, outside): (&[StaticId], Set),
        known: Set,
        extension: bool,
    ) -> bool {
        if !self.may_be_greedy(args, outside, known) {
            return false;
        }
        let axioms = self.analysis.signature.symbol(symbol).axioms;
        if axioms.identity.is_some() && !(axioms.left_id && axioms.right_id) {
            return false;
        }
        let mut fixed = 0;
        for &x in args {
            let identity = axioms.identity.is_some_and(|i| self.analysis.can_be(x, i));
            fixed += u32::from(!identity);
            match self.analysis.variable_sort(x) {
                Some(sort) if self.analysis.is_open(x, known) => {
                    let bound = self.analysis.bound(symbol, sort);
                    if bound == 1 && identity
                        || bound != 1 && !self.analysis.is_closed(symbol, sort)
                    {
                        return false;
                    }
                }
                Some(_) => {}
                None if self.analysis.is_flexible(x, symbol, known) => return false,
                None => {}
            }
        }
        !extension || axioms.identity.is_none() || fixed >= 2
    }
}
