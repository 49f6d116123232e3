//! The view of normal nodes that the canonical order needs, and equality.

use std::cmp::Ordering;

use smallvec::SmallVec;

use super::{Handle, Memory, layout};
use crate::id::SymbolId;
use crate::signature::{Role, Shape};
use crate::term::{TermView, compare, compare_strings};

impl TermView for Memory {
    type Id = Handle;

    fn symbol(&self, id: Handle) -> SymbolId {
        Memory::symbol(self, id)
    }

    fn n_args(&self, id: Handle) -> usize {
        Memory::n_args(self, id)
    }

    fn arg(&self, id: Handle, place: usize) -> Handle {
        Memory::arg(self, id, place)
    }

    fn multiplicity(&self, id: Handle, place: usize) -> u32 {
        Memory::multiplicity(self, id, place)
    }

    fn compare_payload(&self, a: Handle, b: Handle) -> Ordering {
        let core = self.core(Memory::symbol(self, a));
        if core.shape == Shape::Iter {
            return match (self.small_count(a), self.small_count(b)) {
                (Some(m), Some(n)) => m.cmp(&n),
                _ => self.count(a).cmp(&self.count(b)),
            };
        }
        match core.payload {
            Payload::None => Ordering::Equal,
            Payload::Name => self.word(a, layout::ARGS).cmp(&self.word(b, layout::ARGS)),
            Payload::String => compare_strings(self.text(a), self.text(b)),
            Payload::Qid => self.text(a).cmp(self.text(b)),
            Payload::Float => self.float(a).partial_cmp(&self.float(b)).unwrap_or(Ordering::Equal),
        }
    }
}

/// What a node without arguments holds instead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Payload {
    None,
    Name,
    String,
    Qid,
    Float,
}

impl Payload {
    /// The words it takes.
    pub(super) fn len(self) -> usize {
        match self {
            Payload::None => 0,
            Payload::Float => 2,
            _ => 1,
        }
    }

    /// Whether it is the number of a text.
    #[inline(always)]
    pub(super) fn is_text(self) -> bool {
        matches!(self, Payload::String | Payload::Qid)
    }

    pub(super) fn of(role: &Role) -> Payload {
        match role {
            Role::Operator | Role::Builtin(_) => Payload::None,
            Role::Variable(_) => Payload::Name,
            Role::StringLiteral => Payload::String,
            Role::QidLiteral => Payload::Qid,
            Role::FloatLiteral => Payload::Float,
        }
    }
}

impl Memory {
    /// The text of a string or quoted identifier.
    pub(crate) fn text(&self, h: Handle) -> &[u8] {
        self.texts.get(self.word(h, layout::ARGS))
    }

    /// The value of a float literal.
    pub(crate) fn float(&self, h: Handle) -> f64 {
        let low = u64::from(self.word(h, layout::ARGS));
        f64::from_bits(low | u64::from(self.word(h, layout::ARGS + 1)) << 32)
    }

    /// Compares two normal terms in the canonical order.
    pub(crate) fn compare(&self, a: Handle, b: Handle) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        if let (Some(m @ 1..), Some(n @ 1..)) = (a.as_nat(), b.as_nat()) {
            return m.cmp(&n);
        }
        compare(self, |x, y| self.compare_symbols(x, y), |s| self.core(s).shape, a, b)
    }

    /// Compares two symbols in the canonical order.
    #[inline(always)]
    pub(crate) fn compare_symbols(&self, a: SymbolId, b: SymbolId) -> Ordering {
        let key = |s: SymbolId| (self.core(s).order_arity, self.core(s).rank);
        key(a).cmp(&key(b))
    }

    /// Whether two normal terms are equal.
    #[inline(always)]
    pub(crate) fn equal(&self, a: Handle, b: Handle) -> bool {
        a == b || !Memory::are_unique(a, b) && self.equal_parts(a, b)
    }

    fn equal_parts(&self, a: Handle, b: Handle) -> bool {
        let mut stack: SmallVec<[(Handle, Handle); 16]> = SmallVec::new();
        stack.push((a, b));
        while let Some((a, b)) = stack.pop() {
            if a == b {
                continue;
            }
            if Memory::are_unique(a, b) || Memory::symbol(self, a) != Memory::symbol(self, b) {
                return false;
            }
            let core = self.core(Memory::symbol(self, a));
            match core.shape {
                Shape::Free | Shape::Comm => {
                    if core.payload != Payload::None && self.compare_payload(a, b).is_ne() {
                        return false;
                    }
                    let n = usize::from(core.arity);
                    stack.extend((0..n).map(|i| (self.fixed_arg(a, i), self.fixed_arg(b, i))));
                }
                Shape::Assoc => {
                    let (x, y) = (self.list(a), self.list(b));
                    if x.len() != y.len() {
                        return false;
                    }
                    let args = x.iter().zip(y);
                    stack.extend(args.map(|(&x, &y)| self.resolved_pair(x, y)));
                }
                Shape::AssocComm => {
                    let (x, y) = (self.pairs(a), self.pairs(b));
                    if x.len() != y.len() {
                        return false;
                    }
                    for (p, q) in x.chunks_exact(2).zip(y.chunks_exact(2)) {
                        if p[1] != q[1] {
                            return false;
                        }
                        stack.push(self.resolved_pair(p[0], q[0]));
                    }
                }
                Shape::Iter => {
                    if self.compare_payload(a, b).is_ne() {
                        return false;
                    }
                    stack.push((Memory::arg(self, a, 0), Memory::arg(self, b, 0)));
                }
            }
        }
        true
    }

    /// Whether two terms are the same only if they are identical: immediates, and nodes of the store
    /// that do not belong to compiled code.
    #[inline(always)]
    fn are_unique(a: Handle, b: Handle) -> bool {
        a.is_unique() && b.is_unique()
    }

    fn resolved_pair(&self, x: u32, y: u32) -> (Handle, Handle) {
        (self.resolve(Handle(x)), self.resolve(Handle(y)))
    }
}
