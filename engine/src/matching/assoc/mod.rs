//! Associative symbols, with identities or without (A, AU).

mod all;
mod first;
mod parts;
