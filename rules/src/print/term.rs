//! Terms to text (`docs/semantics.md` 9.4 to 9.6, 9.8).
//!
//! What is still to be printed lies on a stack of tasks, so that terms of any depth can be printed.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::BuildHasher;

use broth_engine::{
    KindId, Limits, NameId, Signature, SortId, StaticId, StaticNode, StaticTerms, Stop, SymbolId,
    decimal,
};
use dashu_int::UBig;
use rustc_hash::FxHashMap;

use super::literals::{float_text, string_text};
use super::notation::{Notation, NumberRole, Others, tested_sort};
use super::options::PrintOptions;
use super::outlet::Outlet;
use crate::mixfix::Item;
use crate::syntax::{Name, Names};

/// The bound that admits every precedence.
pub(super) const ANY: u8 = 127;
/// The limits are looked at after so many steps.
const PATIENCE: u32 = 1 << 10;
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
    limits: &'o Limits,
}

/// A number that may be missing.
type OptionalNumber<'a> = Option<Cow<'a, UBig>>;

impl<'a> Printer<'a> {
    /// A term as the language prints it in commands, results and left sides.
    pub fn term(&self, term: StaticId) -> String {
        let mut text = String::new();
        self.write_term(term, false, &mut text);
        text
    }

    /// A term; `known` says that its place tells its kind, as on right sides.
    pub fn write_term(&self, term: StaticId, known: bool, text: &mut String) {
        // Without limits nothing ends it.
        let _ = self.write_in_pieces(term, known, &Limits::default(), text, &mut |_| Ok(()));
    }

    /// A term that may be very large: its text is passed on as it is made, and limits are looked at.
    pub fn pass_on_term(
        &self,
        term: StaticId,
        limits: &Limits,
        outlet: &mut Outlet<'_>,
    ) -> Result<(), Stop> {
        let mut text = std::mem::take(outlet.text());
        let written = self.write_in_pieces(term, false, limits, &mut text, &mut |text| {
            std::mem::swap(outlet.text(), text);
            let passed = outlet.pass_on();
            std::mem::swap(outlet.text(), text);
            passed
        });
        *outlet.text() = text;
        written
    }

    /// Writes a term. Each time that a few nodes have been written `pass_on` may take the text away.
    fn write_in_pieces(
        &self,
        term: StaticId,
        known: bool,
        limits: &Limits,
        text: &mut String,
        pass_on: &mut dyn FnMut(&mut String) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut output = Output { text, indent: 0, limits };
        let mut tasks = vec![Task::Term(term, Context::closed(ANY, known))];
        let mut patience = PATIENCE;
        while let Some(task) = tasks.pop() {
            patience -= 1;
            if patience == 0 {
                patience = PATIENCE;
                limits.check()?;
                pass_on(output.text)?;
            }
            match task {
                Task::Text(t) => output.text.push_str(t),
                Task::Token(name) => output.text.push_str(self.names.text(name)),
                Task::Owned(t) => output.text.push_str(&t),
                Task::Gap { words, at, blank, after_comma } => {
                    self.gap(words, at, blank, after_comma, &mut output);
                }
                Task::Term(term, context) => self.visit(term, context, &mut tasks, &mut output)?,
            }
        }
        Ok(())
    }

    fn visit(
        &self,
        term: StaticId,
        context: Context,
        tasks: &mut Vec<Task<'a>>,
        output: &mut Output<'_>,
    ) -> Result<(), Stop> {
        match self.terms.node(term) {
            StaticNode::Variable(symbol, name) => self.variable(*symbol, *name, output.text),
            StaticNode::String(symbol, bytes) => {
                let value = || bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
                self.literal(term, *symbol, 's', value, &string_text(bytes), context, output);
            }
            StaticNode::Qid(symbol, name) => {
                let text = format!("'{name}");
                self.literal(term, *symbol, 'q', || name.to_string(), &text, context, output);
            }
            StaticNode::Float(symbol, bits) => {
                let text = float_text(f64::from_bits(*bits));
                let value = || format!("{bits:x}");
                self.literal(term, *symbol, 'f', value, &text, context, output);
            }
            StaticNode::App(symbol, args) => {
                if let Some(text) = self.number(term, output.limits)? {
                    let value = || text.clone();
                    self.literal(term, *symbol, 'n', value, &text, context, output);
                    return Ok(());
                }
                self.operator(term, *symbol, args.to_vec(), context, tasks);
            }
            StaticNode::Multiset(symbol, args) => {
                let repeat = |&(a, n): &(StaticId, u32)| std::iter::repeat_n(a, n as usize);
                let args = args.iter().flat_map(repeat).collect();
                self.operator(term, *symbol, args, context, tasks);
            }
            StaticNode::Iter(symbol, count, arg) => {
                if let Some(text) = self.number(term, output.limits)? {
                    let value = || text.clone();
                    self.literal(term, *symbol, 'n', value, &text, context, output);
                    return Ok(());
                }
                if count.is_one() {
                    self.operator(term, *symbol, vec![*arg], context, tasks);
                    return Ok(());
                }
                let name = match self.notation.syntax(*symbol) {
                    Some((syntax, _)) => self.names.text(syntax.name),
                    None => &self.signature.symbol(*symbol).name,
                };
                let count = decimal(count, output.limits)?;
                output.text.push_str(&format!("{name}^{count}("));
                let others = self.notation.syntax(*symbol).map(|s| s.1).unwrap_or_default();
                let known = !unknown_args(others, context.known);
                tasks.push(Task::Text(")"));
                tasks.push(Task::Term(*arg, Context::closed(PREFIX, known)));
            }
        }
        Ok(())
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

    /// A literal, in `(...).S` if it could be something else. Its letter and value are those of
    /// `literal_value`.
    #[allow(clippy::too_many_arguments, reason = "what a literal is and where it stands")]
    fn literal(
        &self,
        term: StaticId,
        symbol: SymbolId,
        letter: char,
        value: impl FnOnce() -> String,
        text: &str,
        context: Context,
        output: &mut Output<'_>,
    ) {
        let kind = self.signature.symbol(symbol).range;
        let ambiguous = !context.known && self.notation.is_literal_ambiguous(letter, value, kind);
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
    fn number(&self, term: StaticId, limits: &Limits) -> Result<Option<String>, Stop> {
        let Some((sign, numerator, denominator)) = self.rational(term) else { return Ok(None) };
        let mut text = decimal(&numerator, limits)?;
        if !sign.is_empty() {
            text.insert_str(0, sign);
        }
        if let Some(denominator) = denominator {
            text.push('/');
            text.push_str(&decimal(&denominator, limits)?);
        }
        Ok(Some(text))
    }

    /// Sign, numerator and denominator of a number, if the term is one and numbers are printed so.
    fn rational(
        &self,
        term: StaticId,
    ) -> Option<(&'static str, Cow<'a, UBig>, OptionalNumber<'a>)> {
        let symbol = self.terms.node(term).symbol();
        match self.notation.number_role(symbol)? {
            NumberRole::Zero => None,
            NumberRole::Succ(_) => {
                let value = self.positive(term).filter(|_| self.options.number)?;
                Some(("", value, None))
            }
            NumberRole::Minus => {
                let StaticNode::App(_, args) = self.terms.node(term) else { return None };
                let value = self.positive(*args.first()?).filter(|_| self.options.number)?;
                Some(("-", value, None))
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
                Some((sign, self.positive(magnitude)?, Some(denominator)))
            }
        }
    }

    /// The value of `s_^n(0)`.
    fn positive(&self, term: StaticId) -> Option<Cow<'a, UBig>> {
        let (symbol, count, arg) = match self.terms.node(term) {
            StaticNode::Iter(symbol, count, arg) => (*symbol, Cow::Borrowed(count), *arg),
            StaticNode::App(symbol, args) if args.len() == 1 => {
                (*symbol, Cow::Owned(UBig::ONE), args[0])
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
