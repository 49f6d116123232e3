//! Profiles as text (`docs/semantics.md` 14.7).

use std::fmt::Write;

use crate::answer::{AnswerContext, ProfileEntry, Profiled};

/// Appends the entries of a profile, each with an empty line behind it.
pub(super) fn write_profile(entries: &[ProfileEntry], cx: &AnswerContext<'_>, text: &mut String) {
    let total = entries.iter().map(|entry| entry.counts.rewrites).sum();
    for ProfileEntry { used, counts } in entries {
        let share = percentage(counts.rewrites, total);
        let rewrites = counts.rewrites;
        let _ = match used {
            Profiled::Operator(symbol) => {
                writeln!(
                    text,
                    "{}\nbuilt-in eq rewrites: {rewrites} ({share}%)",
                    cx.operator(*symbol)
                )
            }
            Profiled::Statement(statement) => writeln!(text, "{}", cx.statement(statement)),
            Profiled::Definition(definition) => writeln!(text, "{}", cx.definition(definition)),
        };
        if !matches!(used, Profiled::Operator(_)) {
            if counts.matches > 0 {
                let _ = write!(text, "lhs matches: {}\t", counts.matches);
            }
            let _ = writeln!(text, "rewrites: {rewrites} ({share}%)");
        }
        if counts.matches > 0 {
            text.push_str("Fragment\tInitial tries\tResolve tries\tSuccesses\tFailures\n");
            for (number, fragment) in (1..).zip(&counts.fragments) {
                let _ = writeln!(
                    text,
                    "{number}\t\t{}\t\t{}\t\t{}\t\t{}",
                    fragment.tries, fragment.tries_again, fragment.successes, fragment.failures
                );
            }
        }
        text.push('\n');
    }
}

/// A part of a whole in percent, with six significant digits.
fn percentage(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "-nan".to_owned();
    }
    let share = 100.0 * part as f64 / whole as f64;
    let digits = format!("{share:.5e}");
    let Some((mantissa, exponent)) = digits.split_once('e') else { return digits };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let short = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if part == 0 {
        "0".to_owned()
    } else if exponent < -4 {
        format!("{}e-{:02}", short(mantissa), -exponent)
    } else {
        let places = usize::try_from(5 - exponent).unwrap_or(0);
        short(&format!("{share:.places$}"))
    }
}

#[cfg(test)]
mod tests {
    use super::percentage;

    #[test]
    fn percentages_have_six_significant_digits() {
        let shown = |part, whole| percentage(part, whole);
        assert_eq!(shown(1, 3), "33.3333");
        assert_eq!(shown(5, 5), "100");
        assert_eq!(shown(1, 12), "8.33333");
        assert_eq!(shown(1, 8), "12.5");
        assert_eq!(shown(0, 8), "0");
        assert_eq!(shown(0, 0), "-nan");
        assert_eq!(shown(1, 3_000_000), "3.33333e-05");
        assert_eq!(shown(1, 500_000), "0.0002");
        assert_eq!(shown(9_999_999, 10_000_000), "100");
    }
}
