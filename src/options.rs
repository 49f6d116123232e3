//! The command line.
//!
//! The reference's flags have one dash (`-no-banner`); they are turned into their two-dash forms
//! before clap sees them, so both work.

use std::ffi::OsString;

use broth_rules::Files;
use broth_rules::diagnose::most_similar;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use crate::files::DiskFiles;
use crate::memory::MemoryOption;
use crate::sudoku::Sudoku;

/// How messages look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum MessageFormat {
    /// With the text underlined.
    Human,
    /// `file:line:column: error[B0104]: text`.
    Short,
}

/// A rewriting engine that speaks the language of Maude.
#[derive(Debug, Parser)]
#[command(
    after_help = "Flags may be written with one dash, too: -no-wrap.",
    version,
    args_conflicts_with_subcommands = true
)]
pub struct Options {
    /// What else there is to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// How to run files.
    #[command(flatten)]
    pub run: RunOptions,
}

/// What the program does besides running files.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Solve sudokus by rules.
    Sudoku(Sudoku),
}

/// Running files of modules and commands.
#[derive(Debug, clap::Args)]
pub struct RunOptions {
    /// Files, read in order, `-` for standard input; without any, standard input.
    #[arg(value_name = "FILE")]
    pub files: Vec<String>,
    /// Count rewrites exactly as the reference does.
    #[arg(long)]
    pub plain: bool,
    /// Print no banner.
    #[arg(long)]
    pub no_banner: bool,
    /// Print no advice.
    #[arg(long)]
    pub no_advise: bool,
    /// Do not wrap lines.
    #[arg(long)]
    pub no_wrap: bool,
    /// Let Ctrl-C end the program.
    #[arg(long)]
    pub batch: bool,
    /// Show prompts even if standard input is no terminal.
    #[arg(long)]
    pub interactive: bool,
    /// Use no colours.
    #[arg(long)]
    pub no_ansi_color: bool,
    /// How messages look.
    #[arg(long, value_enum, default_value = "human")]
    pub message_format: MessageFormat,
    /// What commands may take.
    #[command(flatten)]
    pub memory: MemoryOption,
}

impl Options {
    /// Reads the arguments of the process.
    pub fn read() -> Options {
        let mut flags = true;
        let options = Options::parse_from(std::env::args_os().map(|argument| {
            // What comes behind `--` is no flag, whatever it looks like.
            flags &= argument != "--";
            if flags { two_dashes(argument) } else { argument }
        }));
        options.refuse_misspelt_command();
        options
    }

    /// A word that is the name of a file could be a command with a slip, if there is no such file.
    fn refuse_misspelt_command(&self) {
        let mut parser = Options::command();
        let Some(word) = self.run.files.first() else { return };
        let commands = parser.get_subcommands().map(clap::Command::get_name);
        let Some(similar) = most_similar(word, commands) else { return };
        if DiskFiles::from_environment().locate(".", word).is_none() {
            let message = format!("there is no file `{word}`; did you mean `{similar}`?");
            parser.error(ErrorKind::InvalidSubcommand, message).exit();
        }
    }
}

fn two_dashes(argument: OsString) -> OsString {
    let word = argument.to_str().and_then(|text| text.strip_prefix('-'));
    match word {
        Some(word) if word.len() > 1 && word.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            format!("--{word}").into()
        }
        _ => argument,
    }
}
