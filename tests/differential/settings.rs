//! What a run of the differential test is asked to do: settings from the environment or from
//! arguments behind `--`.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::case::COMMANDS;

/// The seed of the gate, which is the same in every run so that the gate is stable: what it finds is
/// what a change has done. Fresh seeds are for the long run, which finds differences.
const GATE_SEED: u64 = 31;

/// Cases of each command in the gate and in the long run.
const GATE_CASES: usize = 300;
const LONG_CASES: usize = 20_000;

pub struct Settings {
    /// The long run with a fresh seed.
    pub long: bool,
    pub seed: u64,
    /// How many cases of each command.
    pub cases: usize,
    pub commands: Vec<String>,
    /// This case alone.
    pub case: Option<usize>,
    /// How many differences of a command are shrunk and shown.
    pub show: usize,
    /// The command line of the engine that is tested, in place of Broth.
    pub engine: Option<String>,
    /// The command line of the engine that it is compared with, in place of Maude.
    pub reference: Option<String>,
}

impl Settings {
    pub fn read() -> Settings {
        let long = std::env::args().any(|argument| argument == "--long");
        let (seed, cases) = match long {
            true => (fresh_seed(), LONG_CASES),
            false => (GATE_SEED, GATE_CASES),
        };
        let commands = match setting("commands") {
            Some(list) => list.split(',').map(str::to_owned).collect(),
            None => COMMANDS.map(String::from).to_vec(),
        };
        for command in &commands {
            assert!(COMMANDS.contains(&command.as_str()), "no command `{command}`: {COMMANDS:?}");
        }
        Settings {
            long,
            seed: number("seed").map_or(seed, |seed| seed as u64),
            cases: number("cases").unwrap_or(cases),
            commands,
            case: number("case"),
            show: number("show").unwrap_or(3),
            engine: setting("engine"),
            reference: setting("reference"),
        }
    }
}

fn setting(name: &str) -> Option<String> {
    let flag = format!("--{name}");
    let mut arguments = std::env::args().skip_while(|argument| *argument != flag);
    arguments.nth(1).or_else(|| std::env::var(format!("BROTH_ORACLE_{}", name.to_uppercase())).ok())
}

fn number(name: &str) -> Option<usize> {
    let text = setting(name)?;
    Some(text.parse().unwrap_or_else(|_| panic!("`{name}` is a number, not `{text}`")))
}

/// A seed that no run had before, short enough to be typed.
fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is past 1970");
    u64::from(now.subsec_nanos()) / 1000 + now.as_secs() % 1000 * 1_000_000
}
