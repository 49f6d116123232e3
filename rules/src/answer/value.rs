//! What commands answer: values that a report turns into text.

use std::time::Duration;

use broth_engine::{Expr, Fragment};

use super::profile::ProfileEntry;
use super::term::{AnswerStatement, AnswerTerm};
use crate::syntax::{Name, SearchArrow};

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

/// A command as it was understood.
#[derive(Clone, Debug)]
pub struct Echo {
    /// Its first word.
    pub word: &'static str,
    /// The numbers between brackets.
    pub bounds: (Option<u64>, Option<u64>),
    /// The module that it runs in.
    pub module: Name,
    /// The term after the colon.
    pub term: AnswerTerm,
    /// What follows it.
    pub rest: EchoRest,
}

/// What follows the first term of a command.
#[derive(Clone, Debug)]
pub enum EchoRest {
    /// Nothing.
    Nothing,
    /// Of `search`.
    Search {
        /// Which states are wanted.
        arrow: SearchArrow,
        /// The pattern.
        pattern: AnswerTerm,
        /// The condition, over the terms of the pattern.
        condition: Vec<Fragment>,
    },
    /// Of `match` and `xmatch`, whose first term is the pattern.
    Match {
        /// The subject.
        subject: AnswerTerm,
        /// The condition, over the terms of the pattern.
        condition: Vec<Fragment>,
    },
    /// Of `srewrite` and `dsrewrite`: the strategy, over the terms of the subject.
    Using(Expr),
}

/// Variables and what they are bound to.
pub type Bindings = Vec<(AnswerTerm, AnswerTerm)>;

/// What `xmatch` matched.
#[derive(Clone, Debug)]
pub enum MatchedPortion {
    /// The subject.
    Whole,
    /// Some of the subject's arguments.
    Part(AnswerTerm),
}

/// How much of a rule stands between two states of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleLayout {
    /// `===[ rl … . ]===>`.
    Statement,
    /// `--- label --->`.
    Arrow,
    /// The label alone.
    Label,
}

/// One piece of what a command answers, in the order in which it becomes known.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The command as it was understood.
    Echo(Echo),
    /// The result of `reduce`, `rewrite`, `frewrite`.
    Result {
        /// The work done.
        statistics: Statistics,
        /// The result.
        result: AnswerTerm,
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
        result: AnswerTerm,
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
        /// What `xmatch` matched.
        portion: Option<MatchedPortion>,
        /// The matcher.
        bindings: Bindings,
    },
    /// `match` has no solution.
    NoMatch,
    /// What `parse` has read.
    Parsed(AnswerTerm),
    /// A state of the last search, in `show path` or `show search graph`.
    GraphState {
        /// Its number.
        number: usize,
        /// The state.
        state: AnswerTerm,
        /// Whether a blank line separates it from what stands before.
        separated: bool,
    },
    /// The rule between two states of a path.
    PathRule {
        /// The rule.
        rule: AnswerStatement,
        /// How much of it is shown.
        layout: RuleLayout,
    },
    /// An arc from the state before.
    Arc {
        /// Its number among those of its state.
        number: usize,
        /// The number of the state that it leads to.
        target: usize,
        /// The rules that lead there.
        rules: Vec<AnswerStatement>,
    },
    /// How often what a module has was used.
    Profile(Vec<ProfileEntry>),
    /// A statement that `show` lists.
    Statement(AnswerStatement),
    /// Anything in which no term stands.
    Text(String),
}
