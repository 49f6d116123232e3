//! The layout of each answer.

use std::fmt::Write;
use std::time::Duration;

use crate::answer::{Answer, Bindings, Settings, Statistics, Valued};

/// The line before the echo of a command.
pub const SEPARATOR: &str = "==========================================";

/// The text of an answer under the settings of the moment.
pub fn render(answer: &Answer, settings: &Settings) -> String {
    let mut out = String::new();
    match answer {
        Answer::Echo(text) => {
            if settings.show_command {
                let _ = writeln!(out, "{SEPARATOR}\n{text} .");
            }
        }
        Answer::Result { statistics, result } => {
            statistics_lines(&mut out, settings, statistics, None);
            result_line(&mut out, result);
        }
        Answer::State { number, state, states, statistics, bindings } => {
            let _ = writeln!(out, "\nSolution {number} (state {state})");
            statistics_lines(&mut out, settings, statistics, Some(*states));
            bindings_lines(&mut out, bindings);
        }
        Answer::Outcome { number, statistics, result } => {
            let _ = writeln!(out, "\nSolution {number}");
            statistics_lines(&mut out, settings, statistics, None);
            result_line(&mut out, result);
        }
        Answer::NoMore { some, states, statistics } => {
            let _ =
                writeln!(out, "\n{}", if *some { "No more solutions." } else { "No solution." });
            statistics_lines(&mut out, settings, statistics, *states);
        }
        Answer::Matcher { number, portion, bindings } => {
            let _ = writeln!(out, "\nMatcher {number}");
            if let Some(portion) = portion {
                let _ = writeln!(out, "Matched portion = {portion}");
            }
            bindings_lines(&mut out, bindings);
        }
        Answer::NoMatch => out.push_str("No match.\n"),
        Answer::Parsed(value) => {
            let _ = writeln!(out, "{}: {}", value.sort.as_deref().unwrap_or("?"), value.term);
        }
        Answer::Text(text) => out.push_str(text),
    }
    out
}

fn result_line(out: &mut String, result: &Valued) {
    let sort = result.sort.as_deref().unwrap_or("(sort not calculated)");
    let _ = writeln!(out, "result {sort}: {}", result.term);
}

fn bindings_lines(out: &mut String, bindings: &Bindings) {
    if bindings.is_empty() {
        out.push_str("empty substitution\n");
    }
    for (variable, term) in bindings {
        let _ = writeln!(out, "{variable} --> {term}");
    }
}

fn statistics_lines(
    out: &mut String,
    settings: &Settings,
    statistics: &Statistics,
    states: Option<usize>,
) {
    if !settings.show_stats {
        return;
    }
    if let Some(states) = states {
        let _ = write!(out, "states: {states}  ");
    }
    let total = statistics.total();
    let _ = write!(out, "rewrites: {total}");
    if settings.show_timing {
        let _ = write!(
            out,
            " in {}ms cpu ({}ms real) ({} rewrites/second)",
            statistics.cpu.as_millis(),
            statistics.real.as_millis(),
            rate(total, statistics.cpu)
        );
    }
    out.push('\n');
    if settings.show_breakdown {
        let _ = writeln!(
            out,
            "mb applications: {}  equational rewrites: {}  rule rewrites: {}  \
             variant narrowing steps: 0  narrowing steps: 0",
            statistics.memberships, statistics.equations, statistics.rules
        );
    }
}

fn rate(rewrites: u64, cpu: Duration) -> String {
    if cpu.as_millis() == 0 {
        return "~".to_owned();
    }
    let rate = u128::from(rewrites) * 1_000_000 / cpu.as_micros().max(1);
    rate.to_string()
}
