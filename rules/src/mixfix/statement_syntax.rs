//! The productions for pairs of terms, conditions, attributes and whole statements.

use super::ANY;
use super::build::Builder;
use super::production::{Action, Category, FragmentKind, Part, StatementParts};
use super::reading::StatementForm;
use super::strategy_syntax::STRATEGY;

/// Conditions without rewriting.
pub(super) const CONDITION: u32 = 0;
/// Conditions with rewriting.
pub(super) const RULE_CONDITION: u32 = 1;
/// `[l] :`.
const LABEL: u32 = 2;
/// `[...]` behind a statement.
const ATTRIBUTES: u32 = 3;
/// What follows the `[` of attributes.
const ATTRIBUTE_TAIL: u32 = 4;
/// What follows `print`.
const PRINT_TAIL: u32 = 5;
/// Two terms of one kind.
pub(super) const PAIR: u32 = 6;
/// The left side of a strategy definition.
pub(super) const DEFINITION_HEAD: u32 = 7;
/// The first of the statement forms.
const FIRST_STATEMENT: u32 = 8;

/// The text of the token that stands between the two terms of a pair; no token can have it.
pub(super) const SEPARATOR: &str = "\0";

/// All forms of statements.
const FORMS: [StatementForm; 8] = [
    StatementForm::Equation,
    StatementForm::ConditionalEquation,
    StatementForm::Membership,
    StatementForm::ConditionalMembership,
    StatementForm::Rule,
    StatementForm::ConditionalRule,
    StatementForm::StrategyDefinition,
    StatementForm::ConditionalStrategyDefinition,
];

/// The number of the category of a form of statements.
pub(super) fn statement_category(form: StatementForm) -> u32 {
    FIRST_STATEMENT + form as u32
}

impl Builder<'_> {
    /// The productions for everything that is made of terms, strategies apart.
    pub(super) fn add_statements(&mut self) {
        self.add_condition(CONDITION, false);
        self.add_condition(RULE_CONDITION, true);
        self.add_attributes();
        let separator = self.word(SEPARATOR);
        let pair = self.categories.single(PAIR);
        for kind in 0..self.description.n_kinds {
            self.add(pair, 0, &[self.any(kind), separator, self.any(kind)], Action::Pair);
        }
        for form in FORMS {
            self.add_form(form);
        }
    }

    fn add_condition(&mut self, number: u32, rewriting: bool) {
        let condition = self.categories.single(number);
        let (and, rest) = (self.word("/\\"), Part::Of(condition, ANY));
        let add = |builder: &mut Self, parts: &[Part], kind: FragmentKind| {
            builder.add(condition, 0, parts, Action::LastFragment(kind));
            let mut more = parts.to_vec();
            more.extend([and, rest]);
            builder.add(condition, 0, &more, Action::Fragment(kind));
        };
        let mut signs =
            vec![(self.word("="), FragmentKind::Equal), (self.word(":="), FragmentKind::Match)];
        if rewriting {
            signs.push((self.word("=>"), FragmentKind::Rewrite));
        }
        let colon = self.word(":");
        for kind in 0..self.description.n_kinds {
            let term = self.any(kind);
            for &(sign, fragment) in &signs {
                add(self, &[term, sign, term], fragment);
            }
            let sort = Part::Of(self.categories.sort(kind), ANY);
            add(self, &[term, colon, sort], FragmentKind::Sort);
        }
        if let Some(truth) = self.description.truth {
            add(self, &[self.any(truth.0)], FragmentKind::Truth);
        }
    }

    fn add_attributes(&mut self) {
        let (open, close) = (self.word("["), self.word("]"));
        let (colon, any) = (self.word(":"), Part::Token(self.terminals.any));
        let string = Part::Token(self.terminals.string);
        self.add(self.categories.single(LABEL), 0, &[open, any, close, colon], Action::Label);
        let tail = self.categories.single(ATTRIBUTE_TAIL);
        let more = Part::Of(tail, ANY);
        self.add(self.categories.single(ATTRIBUTES), 0, &[open, more], Action::Attributes);
        let mut forms: Vec<Vec<Part>> = Vec::new();
        for word in ["nonexec", "owise", "otherwise", "variant", "narrowing", "dnt", "extension"] {
            forms.push(vec![self.word(word)]);
        }
        forms.push(vec![self.word("label"), any]);
        forms.push(vec![self.word("metadata"), string]);
        let print = self.categories.single(PRINT_TAIL);
        let print_tail = Part::Of(print, ANY);
        let word = self.word("print");
        self.add(tail, 0, &[word, print_tail], Action::Pass);
        let mut items: Vec<Part> = vec![string];
        for kind in 0..self.description.n_kinds {
            items.push(Part::Token(self.terminals.variable(kind)));
        }
        for &(name, _) in &self.description.aliases {
            items.push(self.token(name));
        }
        for item in items {
            self.add(print, 0, &[item, print_tail], Action::Pass);
            self.add(print, 0, &[item, close], Action::Pass);
            self.add(print, 0, &[item, more], Action::Pass);
        }
        for mut form in forms {
            form.push(close);
            self.add(tail, 0, &form, Action::Pass);
            form.pop();
            form.push(more);
            self.add(tail, 0, &form, Action::Pass);
        }
    }

    fn add_form(&mut self, form: StatementForm) {
        use StatementForm as F;
        let category = self.categories.single(statement_category(form));
        let mut bodies: Vec<Vec<Part>> = Vec::new();
        match form {
            F::StrategyDefinition | F::ConditionalStrategyDefinition => {
                let head = Part::Of(self.categories.single(DEFINITION_HEAD), ANY);
                let strategy = Part::Of(self.categories.single(STRATEGY), ANY);
                bodies.push(vec![head, self.word(":="), strategy]);
            }
            _ => {
                for kind in 0..self.description.n_kinds {
                    let term = self.any(kind);
                    bodies.push(match form {
                        F::Membership | F::ConditionalMembership => {
                            let sort = Part::Of(self.categories.sort(kind), ANY);
                            vec![term, self.word(":"), sort]
                        }
                        F::Rule | F::ConditionalRule => vec![term, self.word("=>"), term],
                        _ => vec![term, self.word("="), term],
                    });
                }
            }
        }
        let condition = match form {
            F::ConditionalEquation
            | F::ConditionalMembership
            | F::ConditionalStrategyDefinition => Some(CONDITION),
            F::ConditionalRule => Some(RULE_CONDITION),
            _ => None,
        };
        if let Some(condition) = condition {
            let tail = [self.word("if"), Part::Of(self.categories.single(condition), ANY)];
            bodies.iter_mut().for_each(|b| b.extend(tail));
        }
        let labelled = !matches!(form, F::StrategyDefinition | F::ConditionalStrategyDefinition);
        for body in bodies {
            self.add_with_options(category, &body, form, labelled);
        }
    }

    fn add_with_options(
        &mut self,
        category: Category,
        body: &[Part],
        form: StatementForm,
        labelled: bool,
    ) {
        let label = Part::Of(self.categories.single(LABEL), ANY);
        let attributes = Part::Of(self.categories.single(ATTRIBUTES), ANY);
        for (with_label, with_attributes) in
            [(false, false), (false, true), (true, false), (true, true)]
        {
            if with_label && !labelled {
                continue;
            }
            let mut parts = Vec::new();
            if with_label {
                parts.push(label);
            }
            parts.extend(body);
            if with_attributes {
                parts.push(attributes);
            }
            let options = StatementParts { label: with_label, attributes: with_attributes };
            self.add(category, 0, &parts, Action::Statement(form, options));
        }
    }
}
