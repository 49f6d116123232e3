//! Terms to text (`docs/semantics.md` 9.4 to 9.6, 9.8).
//!
//! What is still to be printed lies on a stack of tasks, so that terms of any depth can be printed.

use std::collections::HashMap;
use std::hash::BuildHasher;

use broth_engine::{
    KindId, NameId, Signature, SortId, StaticId, StaticNode, StaticTerms, SymbolId,
};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use super::literals::{float_text, string_text};
use super::notation::{Notation, NumberRole, Others, tested_sort};
use super::options::PrintOptions;
use crate::mixfix::Item;
use crate::syntax::{Name, Names};

/// The bound that admits every precedence.
pub(super) const ANY: u8 = 127;
/// The bound of the arguments of prefix forms.
pub(super) const PREFIX: u8 = 95;

/// The texts of numbered names: of variables and of rule labels.
pub trait NameTexts {
    /// The text.
    fn text(&self, id: NameId) -> &str;
}

/// The texts of the names that a module's theory knows by number.
#[derive(Clone, Copy)]
pub struct ModuleNames<'a> {
    /// The names by number.
    pub texts: &'a FxHashMap<NameId, Name>,
    /// The names of the session.
    pub names: &'a Names,
}

impl NameTexts for ModuleNames<'_> {
    fn text(&self, id: NameId) -> &str {
        self.texts.get(&id).map_or("?", |&name| self.names.text(name))
    }
}

/// The least sorts of terms, where they have been computed: `(t).S` needs them.
pub trait TermSorts {
    /// The least sort of a term.
    fn sort(&self, term: StaticId) -> Option<SortId>;
}

impl<S: BuildHasher> TermSorts for HashMap<StaticId, SortId, S> {
    fn sort(&self, term: StaticId) -> Option<SortId> {
        self.get(&term).copied()
    }
}

/// Sorts have not been computed: `(t).S` names the sort of the first declaration.
#[derive(Clone, Copy, Debug)]
pub struct NoSorts;

impl TermSorts for NoSorts {
    fn sort(&self, _: StaticId) -> Option<SortId> {
        None
    }
}

/// The least sorts by the declarations.
#[derive(Clone, Copy)]
pub struct DeclaredSorts<'a>(pub &'a Signature, pub &'a StaticTerms);

impl TermSorts for DeclaredSorts<'_> {
    fn sort(&self, term: StaticId) -> Option<SortId> {
        Some(self.1.least_sort(self.0, term))
    }
}

/// Prints the terms of a theory.
#[derive(Clone, Copy)]
pub struct Printer<'a> {
    /// How symbols are written.
    pub notation: &'a Notation,
    /// Sorts and symbols.
    pub signature: &'a Signature,
    /// The terms.
    pub terms: &'a StaticTerms,
    /// Texts of tokens.
    pub names: &'a Names,
    /// Texts of variables and labels.
    pub numbered: &'a dyn NameTexts,
    /// Settings.
    pub options: &'a PrintOptions,
    /// Sorts for `(t).S`.
    pub sorts: &'a dyn TermSorts,
}

/// An operator that waits for its argument's neighbour: its precedence and the kind of the place.
pub(super) type Waiting = Option<(u8, KindId)>;

/// Where a term stands.
#[derive(Clone, Copy)]
pub(super) struct Context {
    pub required: u8,
    pub left: Waiting,
    pub right: Waiting,
    pub known: bool,
}

impl Context {
    pub fn closed(required: u8, known: bool) -> Context {
        Context { required, left: None, right: None, known }
    }
}

pub(super) enum Task<'a> {
    Term(StaticId, Context),
    Text(&'static str),
    Token(Name),
    Owned(String),
    Gap { words: &'a [Name], at: usize, blank: bool, after_comma: bool },
}

/// What is being printed, with the state of `format` attributes.
pub(super) struct Output<'o> {
    pub text: &'o mut String,
    pub indent: usize,
}

impl<'a> Printer<'a> {
    /// A term as the language prints it in commands, results and left sides.
    pub fn term(&self, term: StaticId) -> String {
        let mut text = String::new();
        self.write_term(term, false, &mut text);
        text
    }

    /// A term; `known` says that its place tells its kind, as on right sides.
    pub fn write_term(&self, term: StaticId, known: bool, text: &mut String) {
        let mut output = Output { text, indent: 0 };
        let mut tasks = vec![Task::Term(term, Context::closed(ANY, known))];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Text(t) => output.text.push_str(t),
                Task::Token(name) => output.text.push_str(self.names.text(name)),
                Task::Owned(t) => output.text.push_str(&t),
                Task::Gap { words, at, blank, after_comma } => {
                    self.gap(words, at, blank, after_comma, &mut output);
                }
                Task::Term(term, context) => self.visit(term, context, &mut tasks, &mut output),
            }
        }
    }

    fn visit(
        &self,
        term: StaticId,
        context: Context,
        tasks: &mut Vec<Task<'a>>,
        output: &mut Output<'_>,
    ) {
        match self.terms.node(term) {
            StaticNode::Variable(symbol, name) => self.variable(*symbol, *name, output.text),
            StaticNode::String(symbol, bytes) => {
                let value: Vec<String> = bytes.iter().map(|b| format!("{b:02x}")).collect();
                let text = string_text(bytes);
                self.literal(
                    term,
                    *symbol,
                    &format!("s{}", value.concat()),
                    &text,
                    context,
                    output,
                );
            }
            StaticNode::Qid(symbol, name) => {
                let text = format!("'{name}");
                self.literal(term, *symbol, &format!("q{name}"), &text, context, output);
            }
            StaticNode::Float(symbol, bits) => {
                let text = float_text(f64::from_bits(*bits));
                self.literal(term, *symbol, &format!("f{bits:x}"), &text, context, output);
            }
            StaticNode::App(symbol, args) => {
                if let Some(text) = self.number(term) {
                    let value = format!("n{text}");
                    return self.literal(term, *symbol, &value, &text, context, output);
                }
                self.operator(term, *symbol, args.to_vec(), context, tasks);
            }
            StaticNode::Multiset(symbol, args) => {
                let repeat = |&(a, n): &(StaticId, u32)| std::iter::repeat_n(a, n as usize);
                let args = args.iter().flat_map(repeat).collect();
                self.operator(term, *symbol, args, context, tasks);
            }
            StaticNode::Iter(symbol, count, arg) => {
                if let Some(text) = self.number(term) {
                    let value = format!("n{text}");
                    return self.literal(term, *symbol, &value, &text, context, output);
                }
                if count.bits() == 1 {
                    return self.operator(term, *symbol, vec![*arg], context, tasks);
                }
                let name = match self.notation.syntax(*symbol) {
                    Some((syntax, _)) => self.names.text(syntax.name),
                    None => &self.signature.symbol(*symbol).name,
                };
                output.text.push_str(&format!("{name}^{count}("));
                let others = self.notation.syntax(*symbol).map(|s| s.1).unwrap_or_default();
                let known = !unknown_args(others, context.known);
                tasks.push(Task::Text(")"));
                tasks.push(Task::Term(*arg, Context::closed(PREFIX, known)));
            }
        }
    }

    fn variable(&self, symbol: SymbolId, name: NameId, text: &mut String) {
        let base = self.numbered.text(name);
        text.push_str(base);
        let sort = match self.signature.symbol(symbol).role {
            broth_engine::Role::Variable(sort) => sort,
            _ => SortId::of_kind(self.signature.symbol(symbol).range),
        };
        if !(self.options.with_aliases && self.notation.is_alias(base, sort)) {
            text.push(':');
            text.push_str(&self.signature.sort_name(sort));
        }
    }

    /// A literal, in `(...).S` if it could be something else.
    fn literal(
        &self,
        term: StaticId,
        symbol: SymbolId,
        value: &str,
        text: &str,
        context: Context,
        output: &mut Output<'_>,
    ) {
        let kind = self.signature.symbol(symbol).range;
        let number = value.starts_with('n');
        let ambiguous = !context.known && self.notation.is_literal_ambiguous(value, kind, number);
        if ambiguous || self.options.constants_with_sorts {
            output.text.push_str(&format!("({text}).{}", self.wrap_sort(term)));
        } else {
            output.text.push_str(text);
        }
    }

    /// The sort in `(t).S`.
    fn wrap_sort(&self, term: StaticId) -> String {
        let symbol = self.signature.symbol(self.terms.node(term).symbol());
        let computed = self.sorts.sort(term).filter(|s| !s.is_kind());
        let declared = symbol.declarations.first().map(|d| d.range);
        let sort = computed.or(declared).unwrap_or(SortId::of_kind(symbol.range));
        let first_maximal = SortId { kind: sort.kind, index: 1 };
        self.signature.sort_name(if sort.is_kind() { first_maximal } else { sort })
    }

    /// The decimal text of a number, if the term is one and numbers are printed so.
    fn number(&self, term: StaticId) -> Option<String> {
        let symbol = self.terms.node(term).symbol();
        match self.notation.number_role(symbol)? {
            NumberRole::Zero => None,
            NumberRole::Succ(_) => {
                self.options.number.then(|| self.positive(term).map(|n| n.to_string()))?
            }
            NumberRole::Minus => {
                let StaticNode::App(_, args) = self.terms.node(term) else { return None };
                let value = self.positive(*args.first()?).filter(|_| self.options.number)?;
                Some(format!("-{value}"))
            }
            NumberRole::Division => {
                let StaticNode::App(_, args) = self.terms.node(term) else { return None };
                let [numerator, denominator] = args[..] else { return None };
                let denominator = self.positive(denominator).filter(|_| self.options.rat)?;
                let mut sign = "";
                let mut magnitude = numerator;
                if let StaticNode::App(top, inner) = self.terms.node(numerator)
                    && self.notation.number_role(*top) == Some(NumberRole::Minus)
                {
                    (sign, magnitude) = ("-", *inner.first()?);
                }
                let numerator = self.positive(magnitude)?;
                Some(format!("{sign}{numerator}/{denominator}"))
            }
        }
    }

    /// The value of `s_^n(0)`.
    fn positive(&self, term: StaticId) -> Option<BigUint> {
        let (symbol, count, arg) = match self.terms.node(term) {
            StaticNode::Iter(symbol, count, arg) => (*symbol, count.clone(), *arg),
            StaticNode::App(symbol, args) if args.len() == 1 => {
                (*symbol, BigUint::from(1u8), args[0])
            }
            _ => return None,
        };
        let Some(NumberRole::Succ(zero)) = self.notation.number_role(symbol) else { return None };
        let below = self.terms.node(arg);
        (matches!(below, StaticNode::App(..)) && below.symbol() == zero).then_some(count)
    }

    fn operator(
        &self,
        term: StaticId,
        symbol: SymbolId,
        args: Vec<StaticId>,
        context: Context,
        tasks: &mut Vec<Task<'a>>,
    ) {
        let Some((syntax, others)) = self.notation.syntax(symbol) else {
            return match tested_sort(self.signature, symbol) {
                Some(sort) => self.sort_test(sort, args[0], context, tasks),
                None => {
                    let name = self.signature.symbol(symbol).name.to_string();
                    self.prefix(Task::Owned(name), &args, context.known, None, tasks);
                }
            };
        };
        let kind = self.signature.symbol(symbol).range;
        let constant = args.is_empty();
        let ambiguous = others.same_args
            || (constant && self.notation.names_a_literal(self.names.text(syntax.name), kind));
        let mut context = context;
        let wrap = (!context.known && ambiguous) || (constant && self.options.constants_with_sorts);
        if wrap {
            tasks.push(Task::Owned(format!(").{}", self.wrap_sort(term))));
            context = Context::closed(ANY, true);
        }
        let known = !unknown_args(others, context.known);
        let n_places = syntax.items.iter().filter(|i| **i == Item::Place).count();
        let is_mixfix = if constant {
            n_places == 0
        } else {
            n_places > 0 && (n_places == args.len() || (n_places == 2 && args.len() > 2))
        };
        if is_mixfix && self.options.mixfix {
            self.mixfix(symbol, syntax, &args, context, known, tasks);
        } else {
            let words = syntax.format.as_deref().filter(|_| self.options.format);
            let words = words.filter(|words| words.len() == 2);
            if args.len() > 2 && self.signature.symbol(symbol).axioms.assoc && !self.options.flat {
                self.nested_prefix(syntax.name, &args, known, tasks);
            } else {
                self.prefix(Task::Token(syntax.name), &args, known, words, tasks);
            }
        }
        if wrap {
            tasks.push(Task::Text("("));
        }
    }

    fn sort_test(&self, sort: SortId, arg: StaticId, context: Context, tasks: &mut Vec<Task<'a>>) {
        let place = sort.kind;
        let reached = context.left.is_some_and(|(_, kind)| kind == place);
        let parens = self.options.with_parens || reached;
        let left = if parens { None } else { context.left };
        if parens {
            tasks.push(Task::Text(")"));
        }
        tasks.push(Task::Owned(format!(" :: {}", self.signature.sort_name(sort))));
        let right = Some((0, place));
        tasks.push(Task::Term(arg, Context { required: ANY, left, right, known: true }));
        if parens {
            tasks.push(Task::Text("("));
        }
    }
}

/// Whether arguments are printed as if their kind were unknown.
fn unknown_args(others: Others, known: bool) -> bool {
    others.other_args && (!known || others.other_args_same_range)
}
