//! `broth sudoku solve`: boards in, solved boards out, one after the other in input order.
//!
//! Solved boards go to standard output, everything else to standard error, so that a pipe gets
//! boards and nothing else.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use broth_rules::NoClock;
use broth_rules::diagnose::Diagnostic;
use broth_rules::syntax::Sources;
use broth_sudoku::{Board, Effort, Puzzle, Solver, Verdict, grid_of, line_of};
use clap::Args;

use super::input::{self, Input};
use crate::files::DiskFiles;
use crate::memory::{self, MemoryOption};
use crate::messages;
use crate::run::catch_interrupts;

/// Solve boards by the rules of a rule file.
///
/// A board is a line of 81 cells or a grid of nine rows; a file may have several. A cell is a digit,
/// or one of . 0 * _ - if it is empty. The exit code is 0 if every board is solved, 1 if one has no
/// solution or the strategy gets stuck, 2 if something is no board or the rules have errors, 3 if memory ran out.
#[derive(Debug, Args)]
pub struct Solve {
    /// The rule file, in place of the built-in one (which it may load by `sload paper`).
    #[arg(long, value_name = "FILE")]
    rules: Option<String>,
    /// The strategy, an expression in the last module of the rule file.
    #[arg(long, value_name = "EXPR", default_value = "solve")]
    strategy: String,
    /// Print every solution, not only the first one.
    #[arg(long)]
    all: bool,
    /// Say on standard error which rule was applied how often, with rewrites and time.
    #[arg(long)]
    stats: bool,
    /// What a board may take.
    #[command(flatten)]
    memory: MemoryOption,
    /// Files with boards, or `-` for standard input.
    #[arg(required = true, value_name = "PUZZLE")]
    puzzles: Vec<PathBuf>,
}

// The exit codes of `Solve`: the highest one counts.
const NO: u8 = 1;
const BAD: u8 = 2;
const LIMIT: u8 = 3;
const INTERRUPTED: u8 = 130;

impl Solve {
    /// Solves all boards; the answer is the exit code.
    pub fn run(&self) -> u8 {
        match self.solve_all() {
            Ok(code) => code,
            // Whoever reads the boards has seen enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            Err(error) => {
                // A message that cannot be written has no other way out.
                let _ = writeln!(io::stderr(), "error: {error}");
                BAD
            }
        }
    }

    fn solve_all(&self) -> io::Result<u8> {
        if self.strategy.trim().is_empty() {
            writeln!(io::stderr(), "error[B1005]: `--strategy` is empty, it needs an expression")?;
            return Ok(BAD);
        }
        let mut solver =
            Solver::new(Box::new(DiskFiles::from_environment()), Box::new(NoClock), message);
        solver.set_memory_limit(self.memory.bytes(), memory::held);
        let rules = self.rules.as_deref().unwrap_or("paper");
        if !solver.load(rules) {
            if solver.n_errors() == 0 {
                let missing = "its last module does not import SUDOKU-BOARD";
                writeln!(io::stderr(), "error[B1004]: {rules} is no rule file: {missing}")?;
            }
            return Ok(BAD);
        }
        catch_interrupts(solver.stop_flag(), false);
        let mut code = if solver.n_errors() > 0 { BAD } else { 0 };
        for argument in &self.puzzles {
            let Input { name, puzzles, bad } = input::read(argument)?;
            if bad {
                code = code.max(BAD);
            }
            for puzzle in &puzzles {
                let n_errors = solver.n_errors();
                let verdict = self.solve(&mut solver, &name, puzzle)?;
                if solver.is_interrupted() {
                    return Ok(INTERRUPTED);
                }
                if solver.was_limited() {
                    let hint = "`--memory-limit` lets a board take more";
                    writeln!(io::stderr(), "{name}:{}: out of memory; {hint}", puzzle.line)?;
                    code = code.max(LIMIT);
                    continue;
                }
                if solver.n_errors() > n_errors {
                    // The strategy cannot be read, and would be no better for the next board.
                    return Ok(BAD);
                }
                if !verdict.is_solved() {
                    writeln!(io::stderr(), "{name}:{}: {verdict}", puzzle.line)?;
                    code = code.max(NO);
                }
            }
        }
        Ok(code)
    }

    /// Solves one board, and prints its solutions as they are found.
    fn solve(&self, solver: &mut Solver<'_>, name: &str, puzzle: &Puzzle) -> io::Result<Verdict> {
        let mut boards = io::stdout().lock();
        let text_of =
            if boards.is_terminal() { grid_of } else { |board: &Board| line_of(board) + "\n" };
        let mut written = Ok(());
        let begin = Instant::now();
        let verdict = solver.solve(&puzzle.board, &self.strategy, self.all, &mut |board| {
            if written.is_ok() {
                written = boards.write_all(text_of(board).as_bytes()).and_then(|()| boards.flush());
            }
        });
        written?;
        if self.stats {
            let stats = statistics(solver.effort(), begin.elapsed());
            writeln!(io::stderr(), "{name}:{}: {stats}", puzzle.line)?;
        }
        Ok(verdict)
    }
}

/// Rewrites, time, and the rules that were applied.
fn statistics(effort: &Effort, time: Duration) -> String {
    let rules: Vec<String> =
        effort.applications.iter().map(|(label, count)| format!("{label} {count}")).collect();
    let separator = if rules.is_empty() { "" } else { "; " };
    let seconds = time.as_secs_f64();
    format!("{} rewrites in {seconds:.3} s{separator}{}", effort.rewrites, rules.join(", "))
}

fn message(diagnostic: &Diagnostic, sources: &Sources) {
    let colour = io::stderr().is_terminal();
    // A message that cannot be written has no other way out.
    let _ = io::stderr().write_all(messages::render(diagnostic, sources, colour).as_bytes());
}
