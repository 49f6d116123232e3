//! Results of parsing: readings, statements and strategies as trees, and what went wrong.

use std::ops::Range;

use broth_engine::MatchKind;

use super::description::{StrategyIndex, Type};
use super::tree::{ConditionFragment, TermRef, Tree};
use crate::syntax::{Name, Span};

/// A reading of a bubble, and the next one if there are several.
#[derive(Clone, Debug)]
pub struct TermReading<T> {
    /// The terms.
    pub tree: Tree,
    /// What the bubble is, with terms of `tree`.
    pub value: T,
    /// Another reading of an ambiguous bubble, with its own tree.
    pub other: Option<(Tree, T)>,
}

/// The forms of statements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum StatementForm {
    /// `eq`.
    Equation,
    /// `ceq`.
    ConditionalEquation,
    /// `mb`.
    Membership,
    /// `cmb`.
    ConditionalMembership,
    /// `rl`.
    Rule,
    /// `crl`.
    ConditionalRule,
    /// `sd`.
    StrategyDefinition,
    /// `csd`.
    ConditionalStrategyDefinition,
}

/// What a statement says of its left side.
#[derive(Clone, Debug, PartialEq)]
pub enum ConclusionReading {
    /// `left = right`, `left => right`.
    Term(TermRef),
    /// `left : S`.
    Sort(Type),
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct StatementReading {
    /// `[l] :` in front.
    pub label: Option<Name>,
    /// The left side.
    pub left: TermRef,
    /// The right side, or the sort of a membership.
    pub conclusion: ConclusionReading,
    /// The condition, empty if there is none.
    pub condition: Vec<ConditionFragment>,
    /// The tokens of the attributes, brackets included; empty at the end if there are none. Where
    /// the outer grammar saw attributes and this range is empty, they were part of a term.
    pub attributes: Range<usize>,
}

/// A strategy definition.
#[derive(Clone, Debug, PartialEq)]
pub struct DefinitionReading {
    /// The strategy.
    pub strategy: StrategyIndex,
    /// The patterns of its parameters.
    pub parameters: Vec<TermRef>,
    /// What it does.
    pub body: StrategyReading,
    /// The condition, empty if there is none.
    pub condition: Vec<ConditionFragment>,
    /// As in [`StatementReading`].
    pub attributes: Range<usize>,
}

/// A strategy expression.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are those of the language")]
pub enum StrategyReading {
    Idle,
    Fail,
    /// `label[X <- t, ...]{s, ...}`; without a label it is `all`. That the left sides of the
    /// substitution are variables is not checked.
    Apply {
        label: Option<Name>,
        substitution: Vec<(TermRef, TermRef)>,
        conditions: Vec<StrategyReading>,
    },
    /// `top(s)`; it means something only for the use of rules.
    Top(Box<StrategyReading>),
    Test {
        kind: MatchKind,
        pattern: TermRef,
        condition: Vec<ConditionFragment>,
    },
    /// A chain of two or more.
    Sequence(Vec<StrategyReading>),
    /// A chain of two or more.
    Union(Vec<StrategyReading>),
    OrElse(Box<StrategyReading>, Box<StrategyReading>),
    Star(Box<StrategyReading>),
    Plus(Box<StrategyReading>),
    /// `s !`.
    Normal(Box<StrategyReading>),
    /// `s ? t : u`.
    Branch(Box<StrategyReading>, Box<StrategyReading>, Box<StrategyReading>),
    One(Box<StrategyReading>),
    Not(Box<StrategyReading>),
    /// `test(s)`.
    Check(Box<StrategyReading>),
    Try(Box<StrategyReading>),
    MatchRewrite {
        kind: MatchKind,
        pattern: TermRef,
        condition: Vec<ConditionFragment>,
        /// `x using s`; that `x` is a variable is not checked.
        items: Vec<(TermRef, StrategyReading)>,
    },
    Call(StrategyIndex, Vec<TermRef>),
}

/// Why a bubble could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What is wrong.
    pub kind: ParseErrorKind,
    /// The offending token, or the last one.
    pub token: usize,
    /// Its place, or the place behind the last token.
    pub span: Span,
}

/// The ways in which reading fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseErrorKind {
    /// The token stands in no production of the module.
    BadToken,
    /// The token stands where a strategy is wanted, and neither a rule nor a strategy is called so.
    UnknownStrategy,
    /// The token begins the definition of a strategy that was not declared.
    UndeclaredStrategy,
    /// The token names a sort that the module does not have.
    UnknownSort,
    /// The token does not fit here.
    UnexpectedToken,
    /// The bubble ends too early.
    UnexpectedEnd,
    /// A strategy is nested too deeply.
    TooDeep,
    /// There are too many readings to look at.
    TooAmbiguous,
}
