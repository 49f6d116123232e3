//! The term grammar of a module, for all its bubbles.

use std::sync::Arc;

use super::build::Categories;
use super::description::{Description, KindIndex};
use super::emit::Value;
use super::parser::{Parser, no_place};
use super::production::Category;
use super::reading::{
    DefinitionReading, ParseError, StatementForm, StatementReading, StrategyReading, TermReading,
};
use super::statement_syntax::{CONDITION, PAIR, RULE_CONDITION, SEPARATOR, statement_category};
use super::strategy_syntax::STRATEGY;
use super::tree::{ConditionFragment, TermRef};
use crate::syntax::{Name, Names, Token};

/// The term grammar of a flattened module. Parsing fills tables that depend on the grammar alone, so
/// one grammar should serve all bubbles of its module.
#[derive(Debug)]
pub struct Grammar {
    description: Arc<Description>,
    categories: Categories,
    separator: Name,
    /// Nothing while the tables are forgotten.
    parser: Option<Box<Parser>>,
}

impl Grammar {
    /// Makes the grammar of a module.
    pub fn new(description: Arc<Description>, names: &mut Names) -> Grammar {
        let categories = Categories { n_kinds: description.n_kinds };
        // The parser is made at once, as it numbers the words of the grammar.
        let parser = Parser::new(Arc::clone(&description), names);
        let separator = names.intern(SEPARATOR);
        Grammar { description, categories, separator, parser: Some(Box::new(parser)) }
    }

    /// Forgets the tables of the parser, which are large; they are made anew for the next bubble.
    pub fn forget_tables(&mut self) {
        self.parser = None;
    }

    /// The module that it is the grammar of.
    pub fn description(&self) -> &Arc<Description> {
        &self.description
    }

    /// Reads a term, of a kind or of any kind.
    pub fn term(
        &mut self,
        kind: Option<KindIndex>,
        tokens: &[Token],
        names: &mut Names,
    ) -> Result<TermReading<TermRef>, ParseError> {
        let categories = match kind {
            Some(kind) => vec![kind.0],
            None => (0..self.description.n_kinds).collect(),
        };
        self.parse(&categories, tokens, None, names, |value| match value {
            Value::Term(term) => term,
            other => unreachable!("a term is wanted: {other:?}"),
        })
    }

    /// Reads two terms of one kind: subject and pattern of a command.
    pub fn pair(
        &mut self,
        left: &[Token],
        right: &[Token],
        names: &mut Names,
    ) -> Result<TermReading<(TermRef, TermRef)>, ParseError> {
        let mut tokens = left.to_vec();
        let span = left.last().or(right.first()).map_or(no_place(), |t| t.span.after());
        tokens.push(Token { name: self.separator, span });
        tokens.extend(right);
        let category = self.categories.single(PAIR);
        self.parse(&[category], &tokens, Some(left.len()), names, |value| match value {
            Value::Pair(left, right) => (left, right),
            other => unreachable!("a pair is wanted: {other:?}"),
        })
    }

    /// Reads a condition; `rewriting` admits fragments with `=>`.
    pub fn condition(
        &mut self,
        rewriting: bool,
        tokens: &[Token],
        names: &mut Names,
    ) -> Result<TermReading<Vec<ConditionFragment>>, ParseError> {
        let number = if rewriting { RULE_CONDITION } else { CONDITION };
        let category = self.categories.single(number);
        self.parse(&[category], tokens, None, names, |value| match value {
            Value::Condition(mut condition) => {
                condition.reverse();
                condition
            }
            other => unreachable!("a condition is wanted: {other:?}"),
        })
    }

    /// Reads an equation, membership or rule: the tokens between keyword and period, with label,
    /// condition and attributes.
    pub fn statement(
        &mut self,
        form: StatementForm,
        tokens: &[Token],
        names: &mut Names,
    ) -> Result<TermReading<StatementReading>, ParseError> {
        let category = self.categories.single(statement_category(form));
        self.parse(&[category], tokens, None, names, |value| match value {
            Value::Statement(statement) => *statement,
            other => unreachable!("a statement is wanted: {other:?}"),
        })
    }

    /// Reads a strategy definition: the tokens between `sd` or `csd` and the period.
    pub fn definition(
        &mut self,
        conditional: bool,
        tokens: &[Token],
        names: &mut Names,
    ) -> Result<TermReading<DefinitionReading>, ParseError> {
        let form = match conditional {
            true => StatementForm::ConditionalStrategyDefinition,
            false => StatementForm::StrategyDefinition,
        };
        let category = self.categories.single(statement_category(form));
        self.parse(&[category], tokens, None, names, |value| match value {
            Value::Definition(definition) => *definition,
            other => unreachable!("a definition is wanted: {other:?}"),
        })
    }

    /// Reads a strategy expression.
    pub fn strategy(
        &mut self,
        tokens: &[Token],
        names: &mut Names,
    ) -> Result<TermReading<StrategyReading>, ParseError> {
        let category = self.categories.single(STRATEGY);
        self.parse(&[category], tokens, None, names, |value| match value {
            Value::Strategy(strategy) => strategy.reading,
            other => unreachable!("a strategy is wanted: {other:?}"),
        })
    }

    fn parse<T>(
        &mut self,
        categories: &[Category],
        tokens: &[Token],
        separator: Option<usize>,
        names: &mut Names,
        value: impl Fn(Value) -> T,
    ) -> Result<TermReading<T>, ParseError> {
        let description = &self.description;
        let parser = self
            .parser
            .get_or_insert_with(|| Box::new(Parser::new(Arc::clone(description), names)));
        parser.parse(categories, tokens, separator, names, value)
    }
}

/// The name of the sort in a token that is written as a variable `X:Sort`, or that gives the term
/// before it a sort, `(t).Sort`.
pub fn sort_in_token<'a>(token: &'a str, before: &str) -> Option<&'a str> {
    let sort = match token.rsplit_once(':') {
        Some((variable, sort)) if !variable.is_empty() => sort,
        Some(_) => return None,
        None => token.strip_prefix('.').filter(|_| before == ")")?,
    };
    (!sort.is_empty()).then_some(sort)
}
