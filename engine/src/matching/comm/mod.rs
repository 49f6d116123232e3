//! Commutative and idempotent symbols and identities without associativity (C, CU, U, CI ...).

mod all;
