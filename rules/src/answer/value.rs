//! What commands answer: values that a report turns into text.

use std::time::Duration;

/// Rewrites and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Applications of memberships.
    pub memberships: u64,
    /// Applications of equations and builtin operations.
    pub equations: u64,
    /// Applications of rules.
    pub rules: u64,
    /// Processor time.
    pub cpu: Duration,
    /// Time on the wall.
    pub real: Duration,
}

impl Statistics {
    /// All rewrites.
    pub fn total(&self) -> u64 {
        self.memberships + self.equations + self.rules
    }
}

/// A term with its sort, both as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valued {
    /// The least sort; nothing if it was not computed.
    pub sort: Option<String>,
    /// The term.
    pub term: String,
}

/// Variables and what they are bound to, as text.
pub type Bindings = Vec<(String, String)>;

/// One piece of what a command answers, in the order in which it becomes known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The command as it was understood, without the final period.
    Echo(String),
    /// The result of `reduce`, `rewrite`, `frewrite`.
    Result {
        /// The work done.
        statistics: Statistics,
        /// The result.
        result: Valued,
    },
    /// A solution of `search`.
    State {
        /// The number of the solution.
        number: u64,
        /// The number of the state.
        state: usize,
        /// How many states are known.
        states: usize,
        /// The work done so far.
        statistics: Statistics,
        /// The matcher.
        bindings: Bindings,
    },
    /// A solution of `srewrite` and `dsrewrite`.
    Outcome {
        /// The number of the solution.
        number: u64,
        /// The work done so far.
        statistics: Statistics,
        /// The term.
        result: Valued,
    },
    /// There are no further solutions.
    NoMore {
        /// Whether there were any.
        some: bool,
        /// How many states a search knows.
        states: Option<usize>,
        /// The work done.
        statistics: Statistics,
    },
    /// A solution of `match` and `xmatch`.
    Matcher {
        /// Its number.
        number: u64,
        /// What `xmatch` matched: a term, or `(whole)`.
        portion: Option<String>,
        /// The matcher.
        bindings: Bindings,
    },
    /// `match` has no solution.
    NoMatch,
    /// What `parse` says.
    Parsed(Valued),
    /// What `show` and its kin say.
    Text(String),
}
