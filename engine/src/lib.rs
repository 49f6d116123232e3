//! Terms, matching, rewriting, strategies and search; knows no text.
