//! Running files, standard input, or an interactive session.

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use broth_rules::{Flow, Session, Status};

use crate::clock::SystemClock;
use crate::files::{DiskFiles, read_all};
use crate::interactive;
use crate::memory;
use crate::options::RunOptions;
use crate::output::Output;
use crate::reader::Reader;

/// Exit code after bad input.
const BAD_INPUT: u8 = 2;
/// Exit code after a limit was reached.
const LIMIT: u8 = 3;
/// Exit code after an interrupt.
const INTERRUPTED: u8 = 130;

/// The name of a file that stands for standard input.
const STANDARD_INPUT: &str = "-";

/// What is printed when a session ends.
const FAREWELL: &str = "Bye.\n";

/// Runs what the options ask for.
pub fn run(options: &RunOptions) -> ExitCode {
    let mut session =
        Session::new(Box::new(DiskFiles::from_environment()), Box::new(SystemClock::new()));
    for (name, text) in broth_sudoku::FILES {
        session.add_builtin_file(name, text);
    }
    session.settings_mut().optimize = !options.plain;
    session.settings_mut().show_advice = !options.no_advise;
    let reader = Reader::new(session.stop_flag());
    reader.watch();
    let mut output = Output::new(options, reader);
    session.set_memory_limit(options.memory.bytes(), memory::held);
    let terminal = io::stdin().is_terminal();
    let prompting = options.interactive || (terminal && options.files.is_empty());
    if !options.batch {
        catch_interrupts(session.stop_flag(), prompting);
    }
    let mut flow = Flow::Continue;
    for file in &options.files {
        flow = if file == STANDARD_INPUT {
            read_standard_input(&mut session, &mut output)
        } else {
            session.load(file, &mut output)
        };
        if flow == Flow::Quit || output.is_closed() {
            break;
        }
    }
    if flow != Flow::Quit && !output.is_closed() {
        if prompting {
            interactive::run(&mut session, &mut output, options);
        } else if options.files.is_empty() {
            read_standard_input(&mut session, &mut output);
        }
    }
    output.write(FAREWELL);
    output.flush();
    // Whoever typed the commands has seen how they ended.
    if prompting && terminal {
        return ExitCode::SUCCESS;
    }
    if output.failed {
        return ExitCode::from(BAD_INPUT);
    }
    exit_code(&session.status(), output.is_closed())
}

fn read_standard_input(session: &mut Session, output: &mut Output) -> Flow {
    match read_all(io::stdin().lock(), session.limits()) {
        Ok(bytes) => session.read_bytes("<standard input>", &bytes, output),
        Err(why) => {
            session.report_unreadable("<standard input>", &why, output);
            Flow::Continue
        }
    }
}

/// Makes Ctrl-C stop the running command; where nobody types, or if it does not stop, a second one
/// ends the program.
pub fn catch_interrupts(stop: Arc<AtomicBool>, prompting: bool) {
    let pressed = AtomicU32::new(0);
    let caught = ctrlc::set_handler(move || {
        let again = stop.swap(true, Ordering::Relaxed);
        let times = pressed.fetch_add(1, Ordering::Relaxed);
        if again && (!prompting || times > 1) {
            std::process::exit(INTERRUPTED.into());
        }
    });
    // Without a handler Ctrl-C ends the program, which is what it does everywhere.
    drop(caught);
}

fn exit_code(status: &Status, closed: bool) -> ExitCode {
    if closed {
        return ExitCode::SUCCESS;
    }
    ExitCode::from(if status.interrupted {
        INTERRUPTED
    } else if status.limit {
        LIMIT
    } else if status.errors {
        BAD_INPUT
    } else {
        0
    })
}
