//! The productions for strategy expressions (`docs/semantics.md` 7.7).

use broth_engine::MatchKind;

use super::build::Builder;
use super::description::StrategyIndex;
use super::production::{Action, Category, Part};
use super::statement_syntax::{CONDITION, DEFINITION_HEAD};
use super::{ANY, PREFIX};
use crate::syntax::Name;

/// Strategy expressions.
pub(super) const STRATEGY: u32 = 20;
/// What follows the `[` of a substitution.
const SUBSTITUTION: u32 = 21;
/// What follows the `{` of the strategies for a condition.
const CONDITION_STRATEGIES: u32 = 22;
/// The items of a `matchrew`.
const ITEMS: u32 = 23;
/// The number of categories that there are once.
pub(super) const N_SINGLE: u32 = 24;

const POSTFIX: u8 = 10;
const MATCH: u8 = 20;
const SEQUENCE: u8 = 30;
const UNION: u8 = 40;
const OR_ELSE: u8 = 50;
const BRANCH: u8 = 60;

/// What a production for strategies builds.
#[derive(Clone, Copy, Debug)]
pub(super) enum StrategyAction {
    Idle,
    Fail,
    Group,
    /// A rule's label (`None` for `all`), with or without substitution and strategies.
    Apply {
        label: Option<Name>,
        substitution: bool,
        conditions: bool,
    },
    LastAssignment,
    Assignment,
    LastConditionStrategy,
    ConditionStrategy,
    Top,
    One,
    Not,
    Check,
    Try,
    Star,
    Plus,
    Normal,
    Test {
        kind: MatchKind,
        condition: bool,
    },
    MatchRewrite {
        kind: MatchKind,
        condition: bool,
    },
    LastItem,
    Item,
    Sequence,
    Union,
    OrElse,
    Branch,
    Call(StrategyIndex),
}

impl Builder<'_> {
    pub(super) fn add_strategies(&mut self) {
        use StrategyAction as A;
        let strategy = self.categories.single(STRATEGY);
        let all = Part::Of(strategy, ANY);
        let (open, close) = (self.word("("), self.word(")"));
        for (text, action) in [("idle", A::Idle), ("fail", A::Fail)] {
            let parts = [self.word(text)];
            self.add(strategy, 0, &parts, Action::Strategy(action));
        }
        self.add(strategy, 0, &[open, all, close], Action::Strategy(A::Group));
        let enclosed = [
            ("top", A::Top),
            ("one", A::One),
            ("not", A::Not),
            ("test", A::Check),
            ("try", A::Try),
        ];
        for (text, action) in enclosed {
            let parts = [self.word(text), open, all, close];
            self.add(strategy, 0, &parts, Action::Strategy(action));
        }
        for (text, action) in [("*", A::Star), ("+", A::Plus), ("!", A::Normal)] {
            let parts = [Part::Of(strategy, POSTFIX), self.word(text)];
            self.add(strategy, POSTFIX, &parts, Action::Strategy(action));
        }
        let chains = [
            (";", SEQUENCE, A::Sequence, SEQUENCE, SEQUENCE - 1),
            ("|", UNION, A::Union, UNION, UNION - 1),
            ("or-else", OR_ELSE, A::OrElse, OR_ELSE - 1, OR_ELSE),
        ];
        for (text, prec, action, left, right) in chains {
            let parts = [Part::Of(strategy, left), self.word(text), Part::Of(strategy, right)];
            self.add(strategy, prec, &parts, Action::Strategy(action));
        }
        let parts = [
            Part::Of(strategy, BRANCH - 1),
            self.word("?"),
            all,
            self.word(":"),
            Part::Of(strategy, BRANCH),
        ];
        self.add(strategy, BRANCH, &parts, Action::Strategy(A::Branch));
        self.add_applications(strategy);
        self.add_tests(strategy);
        self.add_calls(strategy);
    }

    fn add_applications(&mut self, strategy: Category) {
        use StrategyAction as A;
        let mut labels: Vec<Option<Name>> = vec![None];
        labels.extend(self.description.labels.iter().map(|&l| Some(l)));
        let substitution = Part::Of(self.categories.single(SUBSTITUTION), ANY);
        let conditions = Part::Of(self.categories.single(CONDITION_STRATEGIES), ANY);
        let (bracket, brace) = (self.word("["), self.word("{"));
        for label in labels {
            let head = match label {
                Some(name) => self.token(name),
                None => self.word("all"),
            };
            for (with_substitution, with_conditions) in
                [(false, false), (true, false), (false, true), (true, true)]
            {
                let mut parts = vec![head];
                if with_substitution {
                    parts.extend([bracket, substitution]);
                }
                if with_conditions {
                    parts.extend([brace, conditions]);
                }
                let action = A::Apply {
                    label,
                    substitution: with_substitution,
                    conditions: with_conditions,
                };
                self.add(strategy, 0, &parts, Action::Strategy(action));
            }
        }
        let (category, comma) = (self.categories.single(SUBSTITUTION), self.word(","));
        let (arrow, close) = (self.word("<-"), self.word("]"));
        for kind in 0..self.description.n_kinds {
            let term = Part::Of(kind, PREFIX);
            let last = [term, arrow, term, close];
            self.add(category, 0, &last, Action::Strategy(A::LastAssignment));
            let more = [term, arrow, term, comma, substitution];
            self.add(category, 0, &more, Action::Strategy(A::Assignment));
        }
        let category = self.categories.single(CONDITION_STRATEGIES);
        let all = Part::Of(strategy, ANY);
        let close = self.word("}");
        self.add(category, 0, &[all, close], Action::Strategy(A::LastConditionStrategy));
        self.add(category, 0, &[all, comma, conditions], Action::Strategy(A::ConditionStrategy));
    }

    fn add_tests(&mut self, strategy: Category) {
        use StrategyAction as A;
        let condition = Part::Of(self.categories.single(CONDITION), ANY);
        let items = Part::Of(self.categories.single(ITEMS), ANY);
        let such_that =
            [vec![], vec![self.word("s.t.")], vec![self.word("such"), self.word("that")]];
        let by = self.word("by");
        let (using, comma) = (self.word("using"), self.word(","));
        for kind in 0..self.description.n_kinds {
            for (prefix, place) in
                [("", MatchKind::Whole), ("x", MatchKind::Extension), ("a", MatchKind::Anywhere)]
            {
                let test = self.word(&format!("{prefix}match"));
                let rewrite = self.word(&format!("{prefix}matchrew"));
                for words in &such_that {
                    let mut tail = words.clone();
                    if !words.is_empty() {
                        tail.push(condition);
                    }
                    let has = !words.is_empty();
                    let mut parts = vec![test, self.any(kind)];
                    parts.extend(&tail);
                    let action = A::Test { kind: place, condition: has };
                    self.add(strategy, MATCH, &parts, Action::Strategy(action));
                    parts[0] = rewrite;
                    parts.extend([by, items]);
                    let action = A::MatchRewrite { kind: place, condition: has };
                    self.add(strategy, MATCH, &parts, Action::Strategy(action));
                }
            }
            let category = self.categories.single(ITEMS);
            let operand = Part::Of(strategy, POSTFIX);
            let last = [self.any(kind), using, operand];
            self.add(category, MATCH, &last, Action::Strategy(A::LastItem));
            let more = [self.any(kind), using, operand, comma, items];
            self.add(category, MATCH, &more, Action::Strategy(A::Item));
        }
    }

    fn add_calls(&mut self, strategy: Category) {
        let (open, close, comma) = (self.word("("), self.word(")"), self.word(","));
        let head = self.categories.single(DEFINITION_HEAD);
        for (at, described) in self.description.strategies.iter().enumerate() {
            let index = StrategyIndex(at as u32);
            let mut parts = vec![self.token(described.name)];
            let mut forms = Vec::new();
            if described.args.is_empty() {
                forms.push(parts.clone());
            }
            parts.push(open);
            for (place, kind) in described.args.iter().enumerate() {
                if place > 0 {
                    parts.push(comma);
                }
                parts.push(Part::Of(kind.0, PREFIX));
            }
            parts.push(close);
            forms.push(parts);
            for form in forms {
                let call = Action::Strategy(StrategyAction::Call(index));
                self.add(strategy, 0, &form, call);
                self.add(head, 0, &form, Action::DefinitionHead(index));
            }
        }
    }
}
