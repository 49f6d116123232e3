//! Conditions, statements and substitutions to text.

use broth_engine::{Conclusion, Definition, Expr, Fragment, Statement, StaticId};

use super::term::Printer;

/// What a statement's line says besides its terms.
#[derive(Clone, Copy, Debug, Default)]
pub struct StatementWords<'a> {
    /// The label, printed in front or as an attribute.
    pub label: Option<&'a str>,
    /// The attributes between the brackets, without the label: `owise`, `metadata "text"`, in the
    /// language's order.
    pub attributes: &'a [String],
}

impl Printer<'_> {
    /// A fragment of a condition.
    pub fn write_fragment(&self, fragment: &Fragment, text: &mut String) {
        let (left, sign, right, left_known) = match *fragment {
            Fragment::Equal(left, right) => (left, " = ", right, false),
            Fragment::Match(left, right) => (left, " := ", right, false),
            Fragment::Rewrite(left, right) => (left, " => ", right, false),
            Fragment::Sort(term, sort) => {
                self.write_term(term, true, text);
                text.push_str(" : ");
                text.push_str(&self.signature.sort_name(sort));
                return;
            }
        };
        self.write_term(left, left_known, text);
        text.push_str(sign);
        self.write_term(right, true, text);
    }

    /// The fragments of a condition, joined by `/\`.
    pub fn write_condition(&self, condition: &[Fragment], text: &mut String) {
        for (at, fragment) in condition.iter().enumerate() {
            if at > 0 {
                text.push_str(" /\\ ");
            }
            self.write_fragment(fragment, text);
        }
    }

    /// A statement in one line, from its keyword to its period.
    pub fn statement(&self, statement: &Statement, words: &StatementWords<'_>) -> String {
        let conditional = !statement.condition.is_empty();
        let keyword = match (&statement.conclusion, conditional) {
            (Conclusion::Equation { .. }, false) => "eq ",
            (Conclusion::Equation { .. }, true) => "ceq ",
            (Conclusion::Membership(_), false) => "mb ",
            (Conclusion::Membership(_), true) => "cmb ",
            (Conclusion::Rule(_), false) => "rl ",
            (Conclusion::Rule(_), true) => "crl ",
        };
        let mut text = keyword.to_owned();
        let label_in_front = words.label.filter(|_| !self.options.label_attribute);
        if let Some(label) = label_in_front {
            text.push_str(&format!("[{label}] : "));
        }
        self.write_term(statement.left, false, &mut text);
        match statement.conclusion {
            Conclusion::Equation { right, .. } => {
                text.push_str(" = ");
                self.write_term(right, true, &mut text);
            }
            Conclusion::Rule(right) => {
                text.push_str(" => ");
                self.write_term(right, true, &mut text);
            }
            Conclusion::Membership(sort) => {
                text.push_str(" : ");
                text.push_str(&self.signature.sort_name(sort));
            }
        }
        if conditional {
            text.push_str(" if ");
            self.write_condition(&statement.condition, &mut text);
        }
        self.finish_statement(words, &mut text);
        text
    }

    /// A definition of a strategy in one line, from its keyword to its period.
    pub fn definition(&self, definition: &Definition, words: &StatementWords<'_>) -> String {
        let conditional = !definition.condition.is_empty();
        let mut text = if conditional { "csd " } else { "sd " }.to_owned();
        let (strategy, arguments) = (definition.strategy, definition.parameters.clone());
        self.write_strategy(&Expr::Call(strategy, arguments), &mut text);
        text.push_str(" := ");
        self.write_strategy(&definition.body, &mut text);
        if conditional {
            text.push_str(" if ");
            self.write_condition(&definition.condition, &mut text);
        }
        self.finish_statement(words, &mut text);
        text
    }

    /// Appends attributes and the period.
    fn finish_statement(&self, words: &StatementWords<'_>, text: &mut String) {
        let mut attributes: Vec<String> = words.attributes.to_vec();
        if let (true, Some(label)) = (self.options.label_attribute, words.label) {
            attributes.push(format!("label {label}"));
        }
        if !attributes.is_empty() {
            text.push_str(&format!(" [{}]", attributes.join(" ")));
        }
        text.push_str(" .");
    }

    /// A substitution, one line `X --> t` for each variable.
    pub fn write_substitution(&self, bindings: &[(StaticId, StaticId)], text: &mut String) {
        for &(variable, value) in bindings {
            self.write_term(variable, false, text);
            text.push_str(" --> ");
            self.write_term(value, false, text);
            text.push('\n');
        }
    }
}
