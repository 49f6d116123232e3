//! The layout of each answer.

use std::fmt::Write;
use std::time::Duration;

use broth_engine::Stop;

use super::profile::write_profile;
use crate::answer::{
    Answer, AnswerContext, AnswerTerm, Bindings, Echo, EchoRest, MatchedPortion, RuleLayout,
    Settings, Statistics,
};
use crate::print::{Outlet, Sink};

/// The line before the echo of a command.
pub const SEPARATOR: &str = "==========================================";

/// What stands in place of a sort that was not computed.
const NO_SORT: &str = "(sort not calculated)";

/// The text of an answer under the settings of the moment.
pub fn render(answer: &Answer, cx: &AnswerContext<'_>) -> Result<String, Stop> {
    let mut text = String::new();
    let mut sink = |piece: &str| {
        text.push_str(piece);
        Ok(())
    };
    pass_on(answer, cx, &mut sink)?;
    Ok(text)
}

/// Passes the text of an answer on, piece by piece. After an error the last line is not complete.
pub fn pass_on(answer: &Answer, cx: &AnswerContext<'_>, sink: Sink<'_>) -> Result<(), Stop> {
    let mut outlet = Outlet::new(sink);
    let written = write(&mut outlet, answer, cx);
    outlet.flush()?;
    written
}

fn write(out: &mut Outlet<'_>, answer: &Answer, cx: &AnswerContext<'_>) -> Result<(), Stop> {
    let settings = cx.settings();
    match answer {
        Answer::Echo(echo) => {
            if settings.show_command {
                out.push_str(SEPARATOR);
                out.push_str("\n");
                echo_line(out, cx, echo);
            }
        }
        Answer::Result { statistics, result } => {
            statistics_lines(out.text(), settings, statistics, None);
            result_line(out, cx, result)?;
        }
        Answer::State { number, state, states, statistics, bindings } => {
            let _ = writeln!(out, "\nSolution {number} (state {state})");
            statistics_lines(out.text(), settings, statistics, Some(*states));
            bindings_lines(out, cx, bindings)?;
        }
        Answer::Outcome { number, statistics, result } => {
            let _ = writeln!(out, "\nSolution {number}");
            statistics_lines(out.text(), settings, statistics, None);
            result_line(out, cx, result)?;
        }
        Answer::NoMore { some, states, statistics } => {
            let _ =
                writeln!(out, "\n{}", if *some { "No more solutions." } else { "No solution." });
            statistics_lines(out.text(), settings, statistics, *states);
        }
        Answer::Matcher { number, portion, bindings } => {
            let _ = writeln!(out, "\nMatcher {number}");
            match portion {
                None => {}
                Some(MatchedPortion::Whole) => out.push_str("Matched portion = (whole)\n"),
                Some(MatchedPortion::Part(term)) => {
                    term_line(out, cx, "Matched portion = ", term)?;
                }
            }
            bindings_lines(out, cx, bindings)?;
        }
        Answer::NoMatch => out.push_str("No match.\n"),
        Answer::Parsed(term) => {
            let sort = cx.sort(term);
            term_line(out, cx, &format!("{}: ", sort.as_deref().unwrap_or("?")), term)?;
        }
        Answer::GraphState { number, state, separated } => {
            if *separated {
                out.push_str("\n");
            }
            let sort = cx.sort(state);
            let sort = sort.as_deref().unwrap_or(NO_SORT);
            term_line(out, cx, &format!("state {number}, {sort}: "), state)?;
        }
        Answer::PathRule { rule, layout } => {
            let _ = match (layout, cx.label(rule)) {
                (RuleLayout::Statement, _) => writeln!(out, "===[ {} ]===>", cx.statement(rule)),
                (RuleLayout::Arrow, Some(label)) => writeln!(out, "--- {label} --->"),
                (RuleLayout::Arrow, None) => writeln!(out, "------>"),
                (RuleLayout::Label, Some(label)) => writeln!(out, "{label}"),
                (RuleLayout::Label, None) => writeln!(out, "(unlabeled rule)"),
            };
        }
        Answer::Arc { number, target, rules } => {
            let _ = write!(out, "arc {number} ===> state {target}");
            for rule in rules {
                let _ = write!(out, " ({})", cx.statement(rule));
            }
            out.push_str("\n");
        }
        Answer::Statement(statement) => {
            let _ = writeln!(out, "{}", cx.statement(statement));
        }
        Answer::Profile(entries) => write_profile(entries, cx, out.text()),
        Answer::Text(text) => out.push_str(text),
    }
    Ok(())
}

fn echo_line(out: &mut Outlet<'_>, cx: &AnswerContext<'_>, echo: &Echo) {
    let Echo { word, bounds, module, term, rest } = echo;
    let bounds = match *bounds {
        (None, None) => String::new(),
        (Some(n), None) => format!("[{n}] "),
        (Some(n), Some(m)) => format!("[{n}, {m}] "),
        (None, Some(m)) => format!("[, {m}] "),
    };
    let _ = write!(out, "{word} {bounds}in {} : ", cx.name(*module));
    cx.write_term(term, out.text());
    match rest {
        EchoRest::Nothing => {}
        EchoRest::Search { arrow, pattern, condition } => {
            let _ = write!(out, " {} ", arrow.text());
            cx.write_term(pattern, out.text());
            cx.write_condition(pattern, condition, out.text());
        }
        EchoRest::Match { subject, condition } => {
            out.push_str(" <=? ");
            cx.write_term(subject, out.text());
            cx.write_condition(subject, condition, out.text());
        }
        EchoRest::Using(strategy) => {
            let _ = write!(out, " using {}", cx.strategy(term, strategy));
        }
    }
    out.push_str(" .\n");
}

fn term_line(
    out: &mut Outlet<'_>,
    cx: &AnswerContext<'_>,
    beginning: &str,
    term: &AnswerTerm,
) -> Result<(), Stop> {
    out.push_str(beginning);
    cx.pass_on_term(term, out)?;
    out.push_str("\n");
    Ok(())
}

fn result_line(
    out: &mut Outlet<'_>,
    cx: &AnswerContext<'_>,
    result: &AnswerTerm,
) -> Result<(), Stop> {
    let sort = cx.sort(result);
    term_line(out, cx, &format!("result {}: ", sort.as_deref().unwrap_or(NO_SORT)), result)
}

fn bindings_lines(
    out: &mut Outlet<'_>,
    cx: &AnswerContext<'_>,
    bindings: &Bindings,
) -> Result<(), Stop> {
    if bindings.is_empty() {
        out.push_str("empty substitution\n");
    }
    for (variable, term) in bindings {
        cx.write_term(variable, out.text());
        term_line(out, cx, " --> ", term)?;
    }
    Ok(())
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
