//! Equational theories, a folder each: normal forms and matching.

mod assoc;
mod assoc_comm;
mod comm;
mod iter;

pub(crate) use assoc_comm::FixedSet;
