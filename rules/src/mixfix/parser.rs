//! The parser of a module: the tables made from its description, and reading a bubble with them.

use std::sync::Arc;

use super::ANY;
use super::build::{Builder, Categories};
use super::chart::{Chart, Stopped, Tables};
use super::description::Description;
use super::emit::{Emitter, Value};
use super::forest::{Choice, Forest};
use super::grammar::sort_in_token;
use super::predict::Predictor;
use super::production::{Category, Nonterminal, Productions};
use super::reading::{ParseError, ParseErrorKind, StatementForm, TermReading};
use super::statement_syntax::statement_category;
use super::strategy_syntax::N_SINGLE;
use super::terminals::{Class, Terminals};
use super::tree::Tree;
use crate::syntax::{FileId, Name, Names, Span, Token};

/// So many kinds are tried to find out whether a sort is wanted in some place.
const MOST_KINDS_TRIED: usize = 30;

/// The productions of a module and all that has been found out about them.
#[derive(Debug)]
pub(super) struct Parser {
    description: Arc<Description>,
    productions: Productions,
    terminals: Terminals,
    predictor: Predictor,
    categories: Categories,
}

impl Parser {
    /// Makes the tables of a module.
    pub fn new(description: Arc<Description>, names: &mut Names) -> Parser {
        let categories = Categories { n_kinds: description.n_kinds };
        let mut builder = Builder {
            terminals: Terminals::new(description.n_kinds, names),
            description: &description,
            names,
            productions: Productions::default(),
            categories,
        };
        builder.add_terms();
        builder.add_statements();
        builder.add_strategies();
        let (mut productions, terminals) = (builder.productions, builder.terminals);
        let n_categories = categories.single(N_SINGLE);
        productions.finish(n_categories, terminals.count());
        // All nonterminals that can be goals exist, so that the tables are never extended.
        for category in 0..n_categories {
            productions.nonterminal(category, ANY);
        }
        let predictor = Predictor::new(n_categories, terminals.count());
        Parser { description, productions, terminals, predictor, categories }
    }

    /// Reads a bubble of one of some categories.
    pub fn parse<T>(
        &mut self,
        categories: &[Category],
        tokens: &[Token],
        separator: Option<usize>,
        names: &mut Names,
        value: impl Fn(Value) -> T,
    ) -> Result<TermReading<T>, ParseError> {
        let mut classes: Vec<Class> = Vec::with_capacity(tokens.len());
        for token in tokens {
            classes.push(self.terminals.class(token.name, names));
        }
        let goals: Vec<Nonterminal> =
            categories.iter().map(|&c| self.productions.nonterminal(c, ANY)).collect();
        let mut tables = Tables {
            productions: &self.productions,
            terminals: &self.terminals,
            predictor: &mut self.predictor,
        };
        let chart = match Chart::recognise(&mut tables, &goals, &classes) {
            Ok(chart) => chart,
            Err(Stopped::At(at)) => {
                let mut error = self.error(tokens, at, separator, names);
                if error.kind == ParseErrorKind::BadToken {
                    let behind = separator.is_some_and(|s| error.token >= s);
                    let at = error.token + usize::from(behind);
                    error.kind = self.unknown(&goals, &mut classes, tokens, at, names);
                }
                return Err(error);
            }
            Err(Stopped::Ambiguous(token)) => {
                let span = tokens[0].span.to(tokens[token].span);
                return Err(ParseError { kind: ParseErrorKind::TooAmbiguous, token, span });
            }
        };
        let mut forest = Forest::new(&chart, &self.productions, &goals);
        let (tree, first, choice) = self.emit(&mut forest, tokens, None, names)?;
        let other = match choice {
            None => None,
            Some(choice) => {
                let (tree, second, _) = self.emit(&mut forest, tokens, Some(choice), names)?;
                Some((tree, value(second)))
            }
        };
        Ok(TermReading { tree, value: value(first), other })
    }

    fn emit(
        &self,
        forest: &mut Forest<'_>,
        tokens: &[Token],
        choice: Option<Choice>,
        names: &mut Names,
    ) -> Result<(Tree, Value, Option<Choice>), ParseError> {
        let text: Vec<Name> = tokens.iter().map(|t| t.name).collect();
        let mut emitter = Emitter {
            description: &self.description,
            productions: &self.productions,
            terminals: &self.terminals,
            names,
            tokens: &text,
            tree: Tree::default(),
            values: Vec::new(),
            deepest: 0,
        };
        let differs = forest.read(tokens.len() as u32, choice, &mut |derived| {
            emitter.leave(derived);
        });
        if emitter.too_deep() {
            let (kind, token) = (ParseErrorKind::TooDeep, tokens.len() - 1);
            return Err(ParseError { kind, token, span: tokens[token].span });
        }
        let value = emitter.values.pop().expect("the bubble has a value");
        Ok((emitter.tree, value, differs))
    }

    /// What is wanted where an unknown token stands: what fits if it stands there instead.
    fn unknown(
        &mut self,
        goals: &[Nonterminal],
        classes: &mut [Class],
        tokens: &[Token],
        at: usize,
        names: &mut Names,
    ) -> ParseErrorKind {
        let idle = names.intern("idle");
        if self.fits(goals, classes, at, idle, names) {
            return ParseErrorKind::UnknownStrategy;
        }
        let definitions =
            [StatementForm::StrategyDefinition, StatementForm::ConditionalStrategyDefinition];
        let defines = |&goal: &Nonterminal| {
            let category = self.productions.nonterminals[goal as usize].0;
            definitions.iter().any(|&f| category == self.categories.single(statement_category(f)))
        };
        if at == 0 && goals.iter().any(defines) {
            return ParseErrorKind::UndeclaredStrategy;
        }
        let before = at.checked_sub(1).map_or("", |at| names.text(tokens[at].name));
        if sort_in_token(names.text(tokens[at].name), before).is_some() {
            return ParseErrorKind::UnknownSort;
        }
        if !matches!(before, ":" | "::") {
            return ParseErrorKind::BadToken;
        }
        let description = Arc::clone(&self.description);
        let sorts = (0..description.n_kinds).filter_map(|kind| {
            let sort = description.sorts.iter().find(|sort| sort.kind.0 == kind)?;
            Some(sort.name)
        });
        for sort in sorts.take(MOST_KINDS_TRIED) {
            if self.fits(goals, classes, at, sort, names) {
                return ParseErrorKind::UnknownSort;
            }
        }
        ParseErrorKind::BadToken
    }

    /// Whether another word would fit in the place of a token, after all that stands before it.
    fn fits(
        &mut self,
        goals: &[Nonterminal],
        classes: &mut [Class],
        at: usize,
        word: Name,
        names: &Names,
    ) -> bool {
        classes[at] = self.terminals.class(word, names);
        let mut tables = Tables {
            productions: &self.productions,
            terminals: &self.terminals,
            predictor: &mut self.predictor,
        };
        let read = Chart::recognise(&mut tables, goals, &classes[..=at]);
        !matches!(read, Err(Stopped::At(stopped)) if stopped <= at)
    }

    /// The error for tokens of which the first `fitting` fit: an unknown token anywhere comes first.
    fn error(
        &mut self,
        tokens: &[Token],
        fitting: usize,
        separator: Option<usize>,
        names: &Names,
    ) -> ParseError {
        let unknown = tokens.iter().position(|token| !self.terminals.is_known(token.name, names));
        let (kind, token) = match unknown {
            Some(at) => (ParseErrorKind::BadToken, at),
            None if fitting < tokens.len() && separator != Some(fitting) => {
                (ParseErrorKind::UnexpectedToken, fitting)
            }
            None => (ParseErrorKind::UnexpectedEnd, fitting.saturating_sub(1)),
        };
        let span = match (kind, tokens.get(token)) {
            (ParseErrorKind::UnexpectedEnd, Some(token)) => token.span.after(),
            (_, Some(token)) => token.span,
            (_, None) => no_place(),
        };
        // The token between the two sides of a pair does not count.
        let before = separator.is_some_and(|s| s < token);
        ParseError { kind, token: token - usize::from(before), span }
    }
}

/// The place of an empty bubble.
pub(super) fn no_place() -> Span {
    Span { file: FileId(0), start: 0, end: 0 }
}
