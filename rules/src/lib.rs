//! The rule language of Broth: text to theories and terms, and terms to text.

pub mod diagnose;
pub mod mixfix;
pub mod print;
pub mod syntax;
