//! Iterated symbols: `f^n(t)` is one node.

mod all;
