//! Productions of the term grammar.
//!
//! All right sides lie one after the other in one array of symbols, each closed by an end mark, so
//! that a dotted production is one number, a *position*. A nonterminal is a kind with a bound on the
//! precedence; besides the module's kinds there are *categories* for everything else that is parsed
//! (argument lists, sort names, conditions, statements, strategies), numbered after them.

use rustc_hash::FxHashMap;

use super::description::{KindIndex, OperatorIndex, PolymorphIndex, StrategyIndex, Type};
use super::reading::StatementForm;
use super::strategy_syntax::StrategyAction;

/// A kind of the module or a further category.
pub(super) type Category = u32;
/// A place in the array of symbols.
pub(super) type Position = u32;
/// A terminal: a token of the module's operators, or a class of tokens.
pub(super) type Terminal = u32;
/// A place in the table of nonterminals.
pub(super) type Nonterminal = u32;

/// A symbol of a right side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Symbol {
    /// A token.
    Terminal(Terminal),
    /// A part.
    Nonterminal(Nonterminal),
    /// The end of the production with this number.
    End(u32),
}

/// What a production builds; the values of its nonterminals are taken in order.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// Nothing of its own: the value of its one part, if it has one.
    Pass,
    /// An operator over its parts.
    Operator(OperatorIndex),
    /// A polymorphic operator over its parts.
    Instance(PolymorphIndex, KindIndex),
    /// The prefix list of an associative operator; its part is a list.
    PrefixList(OperatorIndex),
    /// An object without attributes: `none` is added as the last part.
    Object(OperatorIndex, OperatorIndex),
    /// `f^n(t)`; the count is in the first token.
    Iterated(OperatorIndex),
    /// `t :: S`.
    SortTest(Type),
    /// A variable that is one token with a colon.
    VariableToken,
    /// A variable whose sort takes several tokens; the base name is in the first one.
    VariableOf(Type),
    /// An alias.
    Alias(Type),
    /// A string.
    String(OperatorIndex),
    /// A quoted identifier.
    Qid(OperatorIndex),
    /// A floating-point number.
    Float(OperatorIndex),
    /// A number of this number system.
    Number(u32),
    /// A list of two arguments.
    ListStart,
    /// A list and one argument more.
    ListMore,
    /// The name of a sort.
    Sort(Type),
    /// A fragment of a condition, the last one.
    LastFragment(FragmentKind),
    /// A fragment and the rest of the condition.
    Fragment(FragmentKind),
    /// Two terms of one kind.
    Pair,
    /// A label; it is the second token.
    Label,
    /// The attributes of a statement.
    Attributes,
    /// A statement of this form, with or without label, condition and attributes.
    Statement(StatementForm, StatementParts),
    /// A part of a strategy.
    Strategy(StrategyAction),
    /// The head of a strategy definition.
    DefinitionHead(StrategyIndex),
}

/// Which optional parts a statement has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StatementParts {
    pub label: bool,
    pub attributes: bool,
}

/// The forms of fragments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FragmentKind {
    Truth,
    Equal,
    Sort,
    Match,
    Rewrite,
}

/// A production.
#[derive(Clone, Debug)]
pub(super) struct Production {
    /// What it derives.
    pub category: Category,
    /// Its precedence.
    pub prec: u8,
    /// Its first position.
    pub start: Position,
    /// What it builds.
    pub action: Action,
}

/// The productions of a grammar with their indexes.
#[derive(Default, Debug)]
pub(super) struct Productions {
    pub symbols: Vec<Symbol>,
    pub all: Vec<Production>,
    /// Category and bound of each nonterminal.
    pub nonterminals: Vec<(Category, u8)>,
    nonterminal_ids: FxHashMap<(Category, u8), Nonterminal>,
    /// Productions that begin with a terminal, by terminal.
    pub by_terminal: Vec<Vec<u32>>,
    /// Productions that begin with a nonterminal, by the category of the latter.
    pub by_first: Vec<Vec<u32>>,
    /// Productions that begin with a nonterminal, by what they derive.
    pub left_recursive: Vec<Vec<u32>>,
    /// Productions that begin with a terminal, by what they derive.
    pub direct: Vec<Vec<u32>>,
}

/// A part of a right side when a production is added.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// A token.
    Token(Terminal),
    /// A category up to a bound.
    Of(Category, u8),
}

fn slot<T: Default>(table: &mut Vec<T>, at: u32) -> &mut T {
    if table.len() <= at as usize {
        table.resize_with(at as usize + 1, T::default);
    }
    &mut table[at as usize]
}

impl Productions {
    /// The nonterminal for a category and a bound.
    pub fn nonterminal(&mut self, category: Category, bound: u8) -> Nonterminal {
        let next = self.nonterminals.len() as Nonterminal;
        *self.nonterminal_ids.entry((category, bound)).or_insert_with(|| {
            self.nonterminals.push((category, bound));
            next
        })
    }

    /// Adds a production.
    pub fn add(&mut self, category: Category, prec: u8, parts: &[Part], action: Action) {
        let number = self.all.len() as u32;
        let start = self.symbols.len() as Position;
        for part in parts {
            let symbol = match *part {
                Part::Token(t) => Symbol::Terminal(t),
                Part::Of(category, bound) => Symbol::Nonterminal(self.nonterminal(category, bound)),
            };
            self.symbols.push(symbol);
        }
        self.symbols.push(Symbol::End(number));
        match parts[0] {
            Part::Token(t) => {
                slot(&mut self.by_terminal, t).push(number);
                slot(&mut self.direct, category).push(number);
            }
            Part::Of(first, _) => {
                slot(&mut self.by_first, first).push(number);
                slot(&mut self.left_recursive, category).push(number);
            }
        }
        self.all.push(Production { category, prec, start, action });
    }

    /// Makes all tables long enough for `n_categories` and `n_terminals`.
    pub fn finish(&mut self, n_categories: u32, n_terminals: u32) {
        slot(&mut self.by_first, n_categories);
        slot(&mut self.left_recursive, n_categories);
        slot(&mut self.direct, n_categories);
        slot(&mut self.by_terminal, n_terminals);
    }

    /// The symbols of a production, without the end mark.
    pub fn right_side(&self, production: u32) -> &[Symbol] {
        let start = self.all[production as usize].start as usize;
        let len = self.symbols[start..]
            .iter()
            .position(|s| matches!(s, Symbol::End(_)))
            .expect("every production has an end mark");
        &self.symbols[start..start + len]
    }
}
