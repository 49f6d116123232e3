//! Sudoku on the Broth engine: boards in and out, and the built-in rule files.
