//! Static terms, the one view of a term that all its forms share, and the canonical order over it.

mod normal;
mod order;
mod static_terms;

pub(crate) use normal::{product, sum};
pub(crate) use order::compare;
pub use static_terms::{StaticNode, StaticTerms};
pub(crate) use static_terms::{compare_strings, iterate_sort, repeat_sort};

use std::cmp::Ordering;

use crate::id::SymbolId;

/// What the canonical order, equality and printing need to know of a term, whatever it is stored
/// in. Terms are seen in the form they have: an AC node that is normal has distinct arguments with
/// multiplicities.
pub trait TermView {
    /// A handle of a term.
    type Id: Copy + PartialEq;

    /// The top symbol.
    fn symbol(&self, id: Self::Id) -> SymbolId;

    /// The number of arguments; of an AC node the number of distinct ones.
    fn n_args(&self, id: Self::Id) -> usize;

    /// An argument.
    fn arg(&self, id: Self::Id, place: usize) -> Self::Id;

    /// How often an argument of an AC node occurs; 1 elsewhere.
    fn multiplicity(&self, id: Self::Id, place: usize) -> u32;

    /// Compares what two nodes of one symbol have besides arguments: the iteration count, the name
    /// number of a variable, the value of a literal.
    fn compare_payload(&self, a: Self::Id, b: Self::Id) -> Ordering;
}
