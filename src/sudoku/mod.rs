//! `broth sudoku`: what can be done with boards.

mod input;
mod solve;

use clap::{Args, Subcommand};

/// Sudokus, solved by rule files.
#[derive(Debug, Args)]
pub struct Sudoku {
    /// What to do with the boards.
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    Solve(solve::Solve),
}

impl Sudoku {
    /// Does it; the answer is the exit code.
    pub fn run(&self) -> u8 {
        match &self.task {
            Task::Solve(solve) => solve.run(),
        }
    }
}
