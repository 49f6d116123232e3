//! Statements as the machines run them.

mod slots;

pub(crate) use slots::Slots;
