//! Compares the answers of the two engines and says what kind of difference there is.

use crate::oracle::Answer;

/// How a case came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Same,
    /// Maude has no answer that could be compared: it loops, or warns.
    Dropped,
    /// The same but for numbers of rewrites.
    Counts,
    /// The same lines in another order.
    Order,
    Result,
    /// No answer at all.
    Nothing,
    /// No end, or a crash.
    Lost,
}

pub fn verdict(maude: &Answer, broth: &Answer) -> Verdict {
    let Answer::Text(want) = maude else { return Verdict::Dropped };
    let want = without_refusal(want);
    if want.contains("Warning: ") || want.contains("Fatal error") || want.len() > 100_000 {
        return Verdict::Dropped;
    }
    let have = match broth {
        Answer::Text(have) => have,
        Answer::BadModule => return Verdict::Nothing,
        Answer::Lost => return Verdict::Lost,
    };
    if want == *have {
        Verdict::Same
    } else if have.trim().is_empty() {
        Verdict::Nothing
    } else if without_counts(&want) == without_counts(have) {
        Verdict::Counts
    } else if sorted(&want) == sorted(have) {
        Verdict::Order
    } else {
        Verdict::Result
    }
}

/// Whether the answer shows more than that nothing happened.
pub fn is_telling(maude: &Answer) -> bool {
    let Answer::Text(text) = maude else { return false };
    text.contains("Solution 1")
        || text.contains("Matcher 1")
        || text.lines().any(|line| {
            let line = line.split("  ").last().unwrap_or(line);
            line.strip_prefix("rewrites: ").is_some_and(|count| count != "0")
        })
}

/// The answer without the message that there is nothing to continue, which is no fault of the case.
fn without_refusal(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.contains("can't continue.")).collect();
    lines.join("\n")
}

fn without_counts(text: &str) -> Vec<&str> {
    text.lines().map(|line| line.split("rewrites: ").next().unwrap_or(line)).collect()
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = without_counts(text)
        .into_iter()
        .filter(|line| !line.starts_with("Solution") && !line.starts_with("Matcher"))
        .collect();
    lines.sort_unstable();
    lines
}
