//! The program `broth`.

fn main() {}
