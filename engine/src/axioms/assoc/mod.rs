//! Associative symbols, with identities or without (A, AU).

mod normal;
