//! Normal nodes from arguments: a file for each equational theory.

mod assoc;
mod assoc_comm;
mod comm;
mod iter;
