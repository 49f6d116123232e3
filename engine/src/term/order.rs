//! The canonical order of terms (`docs/semantics.md` 1), written once for static terms, heap nodes
//! and store nodes. It is purely structural and needs no recursion.

use std::cmp::Ordering;

use smallvec::SmallVec;

use super::TermView;
use crate::id::SymbolId;
use crate::signature::Shape;

/// A pair of equal symbols that waits for its remaining arguments.
struct Waiting<Id> {
    left: Id,
    right: Id,
    next: u32,
}

/// Compares two normal terms in the canonical order, given the order of symbols and their shapes.
pub(crate) fn compare<V: TermView>(
    view: &V,
    compare_symbols: impl Fn(SymbolId, SymbolId) -> Ordering,
    shape: impl Fn(SymbolId) -> Shape,
    a: V::Id,
    b: V::Id,
) -> Ordering {
    let mut stack: SmallVec<[Waiting<V::Id>; 16]> = SmallVec::new();
    let (mut a, mut b) = (a, b);
    loop {
        if a != b {
            let (sa, sb) = (view.symbol(a), view.symbol(b));
            if sa != sb {
                return compare_symbols(sa, sb);
            }
            let n = match shape(sa) {
                Shape::Free | Shape::Comm => view.n_args(a),
                Shape::Assoc | Shape::AssocComm => {
                    let (na, nb) = (view.n_args(a), view.n_args(b));
                    if na != nb {
                        return na.cmp(&nb);
                    }
                    na
                }
                Shape::Iter => 1,
            };
            let payload = view.compare_payload(a, b);
            if payload != Ordering::Equal {
                return payload;
            }
            if n > 0 {
                stack.push(Waiting { left: a, right: b, next: 0 });
            }
        }
        // The next pair of arguments of the innermost node that has one left.
        let Some(top) = stack.last_mut() else { return Ordering::Equal };
        let place = top.next as usize;
        let (x, y) = (top.left, top.right);
        if place + 1 >= view.n_args(x) {
            stack.pop();
        } else {
            top.next += 1;
        }
        let (m, n) = (view.multiplicity(x, place), view.multiplicity(y, place));
        if m != n {
            return m.cmp(&n);
        }
        (a, b) = (view.arg(x, place), view.arg(y, place));
    }
}
