//! Greedy matching of multisets of two or three arguments without a matcher at hand. Such are most
//! of those that connectives of truth values make.
//!
//! The first matchers that it finds are those of `first.rs`; what it does not decide is left to
//! that.

use super::SMALL;
use crate::heap::Handle;
use crate::id::SymbolId;
use crate::matching::{
    MultiNode, Pattern, PatternNode, TopVariable, UNBOUNDED, Var, fits, least_sort,
};
use crate::workspace::Workspace;

/// A pattern with extension, alone or with a variable that takes whatever is left.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FewArguments {
    symbol: SymbolId,
    form: Form,
    /// Parts of the subject count as unreduced.
    unreduced: bool,
}

#[derive(Debug, Clone, Copy)]
enum Form {
    /// A ground argument, and a variable that takes the rest.
    Ground(Handle, Var),
    /// A variable that stands twice.
    Twice(Var),
    /// Two variables, the one that takes the subject's first argument at the front.
    Two(Var, Var),
}

impl FewArguments {
    /// What a whole pattern is, if it can be matched so. `begins_unbound`: whether a register is
    /// unbound when matching begins.
    pub(crate) fn of(
        node: &PatternNode,
        begins_unbound: impl Fn(u32) -> bool,
    ) -> Option<FewArguments> {
        let PatternNode::Multi(node) = node else { return None };
        let greedy = node.greedy.as_ref()?;
        let simple =
            |c: &TopVariable| c.alien.is_none() && c.low == 1 && begins_unbound(c.var.slot);
        if !node.aliens.is_empty()
            || node.identity != Handle::NIL
            || !node.multiset_variables.iter().all(simple)
        {
            return None;
        }
        let rest = |c: &TopVariable| c.closed && c.high == UNBOUNDED && c.multiplicity == 1;
        let form = match (&node.ground[..], &node.multiset_variables[..]) {
            (&[(term, 1)], [c]) if rest(c) => Form::Ground(term, c.var),
            ([], [c]) if c.multiplicity == 2 => Form::Twice(c.var),
            ([], [a, b]) if a.multiplicity == 1 && b.multiplicity == 1 => match greedy.pair {
                Some((0, 1)) => Form::Two(b.var, a.var),
                _ => Form::Two(a.var, b.var),
            },
            _ => return None,
        };
        let MultiNode { symbol, unreduced, .. } = **node;
        Some(FewArguments { symbol, form, unreduced })
    }
}

impl Pattern {
    /// Finds the first matcher, the greedy one, of a small multiset; the registers of the pattern's
    /// variables, `regs[base + slot]`, get their values. Nothing if it is not decided here.
    #[inline]
    pub(crate) fn match_few(
        &self,
        space: &mut Workspace,
        base: usize,
        subject: Handle,
    ) -> Option<bool> {
        let few = self.few.as_ref()?;
        let subject = space.memory.resolve(subject);
        if space.memory.symbol(subject) != few.symbol {
            return None;
        }
        let elements = space.memory.elements(subject);
        let n = elements.len();
        match few.form {
            Form::Ground(term, var) => {
                if n > SMALL {
                    return None;
                }
                let is_it = |&rank: &usize| {
                    let memory = &space.memory;
                    memory.equal(memory.resolve(elements.get(rank).0), term)
                };
                let Some(rank) = (0..n).find(is_it) else { return Some(false) };
                let rest = few.without(space, subject, rank)?;
                bind(space, base, var, rest)
            }
            Form::Twice(var) => match n {
                1 if elements.get(0).1 == 2 => bind(space, base, var, elements.get(0).0),
                _ if n <= SMALL && elements.iter().all(|(_, m)| m == 1) => Some(false),
                _ => None,
            },
            Form::Two(a, b) => {
                let (first, second) = match (elements.get(0), n) {
                    ((only, 2), 1) => (only, only),
                    ((first, 1), 2) if elements.get(1).1 == 1 => (first, elements.get(1).0),
                    _ => return None,
                };
                bind(space, base, a, first)?;
                bind(space, base, b, second)
            }
        }
    }
}

impl FewArguments {
    /// What is left of a multiset without one argument of a rank, if there are two or three.
    fn without(&self, space: &mut Workspace, subject: Handle, rank: usize) -> Option<Handle> {
        let memory = &mut space.memory;
        let elements = memory.elements(subject);
        let n = elements.len();
        let (mut amounts, mut total) = ([0; 3], 0);
        for (at, (_, m)) in elements.iter().enumerate() {
            *amounts.get_mut(at)? = m;
            total += u64::from(m);
        }
        amounts[rank] -= 1;
        match total {
            2 => {
                let other = if amounts[0] == 0 { n - 1 } else { 0 };
                Some(memory.arg(subject, other))
            }
            3 => {
                let part = memory.multiset_part(self.symbol, subject, &amounts[..n]);
                if !self.unreduced {
                    let reduced = memory.is_reduced(subject);
                    least_sort(space, part);
                    if reduced {
                        space.memory.set_reduced(part);
                    }
                }
                Some(part)
            }
            _ => None,
        }
    }
}

/// Binds a variable to a term, if that has its sort.
#[inline(always)]
fn bind(space: &mut Workspace, base: usize, var: Var, term: Handle) -> Option<bool> {
    let term = space.memory.resolve(term);
    if !fits(space, term, var.sort) {
        return None;
    }
    space.regs[base + var.slot as usize] = term;
    Some(true)
}
