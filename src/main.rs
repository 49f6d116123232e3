//! The program `broth`: files of modules and commands, an interactive session, and sudokus.
//!
//! Everything that touches the outside lives here: the command line, files, the clock, the
//! terminal. What commands mean is `broth_rules`' affair.

mod clock;
mod files;
mod interactive;
mod memory;
mod messages;
mod options;
mod output;
mod reader;
mod run;
mod sudoku;

use std::process::ExitCode;

use options::{Command, Options};

fn main() -> ExitCode {
    let options = Options::read();
    match &options.command {
        Some(Command::Sudoku(sudoku)) => sudoku.run().into(),
        None => run::run(&options.run),
    }
}
