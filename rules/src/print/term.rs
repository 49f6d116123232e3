//! Terms to text (`language.md` 9.4 to 9.6, 9.8).
//!
//! What is still to be printed lies on a stack of tasks, so that terms of any depth can be printed.

use std::collections::HashMap;
use std::hash::BuildHasher;

use broth_engine::{
    KindId, NameId, Signature, SortId, StaticId, StaticNode, StaticTerms, SymbolId,
};
use num_bigint::BigUint;

use super::literals::{float_text, string_text};
use super::notation::{Notation, NumberRole, Others, tested_sort};
use super::options::PrintOptions;
use crate::mixfix::{Item, Syntax, bound};
use crate::syntax::{Gather, Name, Names};

/// The bound that admits every precedence.
const ANY: u8 = 127;
/// The bound of the arguments of prefix forms.
const PREFIX: u8 = 95;

/// The texts of numbered names: of variables and of rule labels.
pub trait NameTexts {
    /// The text.
    fn text(&self, id: NameId) -> &str;
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
type Waiting = Option<(u8, KindId)>;

/// Where a term stands.
#[derive(Clone, Copy)]
struct Context {
    required: u8,
    left: Waiting,
    right: Waiting,
    known: bool,
}

impl Context {
    fn closed(required: u8, known: bool) -> Context {
        Context { required, left: None, right: None, known }
    }
}

enum Task<'a> {
    Term(StaticId, Context),
    Text(&'static str),
    Token(Name),
    Owned(String),
    Gap { words: &'a [Name], at: usize, blank: bool, after_comma: bool },
}

/// What is being printed, with the state of `format` attributes.
struct Output<'o> {
    text: &'o mut String,
    indent: usize,
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

    fn prefix(
        &self,
        name: Task<'a>,
        args: &[StaticId],
        known: bool,
        words: Option<&'a [Name]>,
        tasks: &mut Vec<Task<'a>>,
    ) {
        if !args.is_empty() {
            tasks.push(Task::Text(")"));
            for (place, &arg) in args.iter().enumerate().rev() {
                tasks.push(Task::Term(arg, Context::closed(PREFIX, known)));
                tasks.push(Task::Text(if place > 0 { ", " } else { "(" }));
            }
        }
        let gap = |at| words.map(|words| Task::Gap { words, at, blank: false, after_comma: false });
        tasks.extend(gap(1));
        tasks.push(name);
        tasks.extend(gap(0));
    }

    /// A flat list as nested pairs.
    fn nested_prefix(&self, name: Name, args: &[StaticId], known: bool, tasks: &mut Vec<Task<'a>>) {
        let (last, front) = args.split_last().expect("a list has arguments");
        tasks.extend(front.iter().map(|_| Task::Text(")")));
        tasks.push(Task::Term(*last, Context::closed(PREFIX, known)));
        for &arg in front.iter().rev() {
            tasks.push(Task::Text(", "));
            tasks.push(Task::Term(arg, Context::closed(PREFIX, known)));
            tasks.push(Task::Text("("));
            tasks.push(Task::Token(name));
        }
    }

    /// An operator in mixfix form; a flat list as right-nested pairs.
    fn mixfix(
        &self,
        symbol: SymbolId,
        syntax: &'a Syntax,
        args: &[StaticId],
        context: Context,
        known: bool,
        tasks: &mut Vec<Task<'a>>,
    ) {
        let kinds = &self.signature.symbol(symbol).args;
        let n_places = kinds.len();
        let items = &syntax.items;
        let opens = items.first() == Some(&Item::Place);
        let closes = items.last() == Some(&Item::Place);
        let bounds: Vec<u8> =
            syntax.gather.iter().map(|&g: &Gather| bound(g, syntax.prec)).collect();
        let reached = |waiting: Waiting, place: usize| {
            waiting.is_some_and(|(prec, kind)| prec <= bounds[place] && kind == kinds[place])
        };
        let simple = args.is_empty();
        let needed = !simple
            && (syntax.prec > context.required
                || (opens && reached(context.left, 0))
                || (closes && reached(context.right, n_places - 1)));
        // With parentheses everywhere, names of several tokens get them too.
        let wanted = self.options.with_parens && (!simple || items.len() > 1);
        let parens = needed || wanted;
        let (left, right) = if parens { (None, None) } else { (context.left, context.right) };
        if parens {
            tasks.push(Task::Text(")"));
        }
        let first = |right: Waiting| Context {
            required: bounds[0],
            left: if opens { left } else { None },
            right: if opens { right } else { None },
            known,
        };
        let after = |place: usize| Some((syntax.prec, kinds[place]));
        if args.len() > n_places {
            let inner = self.options.with_parens
                || syntax.prec > bounds[1]
                || (opens && closes && syntax.prec <= bounds[0]);
            let (front, last) = items.split_at(second_place(items));
            let last = &last[1..];
            let n_pairs = args.len() - 1;
            let mut forward: Vec<Task<'a>> = Vec::new();
            for (pair, &arg) in args[..n_pairs].iter().enumerate() {
                if pair > 0 && inner {
                    forward.push(Task::Text("("));
                }
                self.items(syntax, 0..front.len(), &mut forward, |_| {
                    Task::Term(arg, first(after(0)))
                });
                self.push_gap(syntax, front.len(), &mut forward);
            }
            let end = Context {
                required: bounds[1],
                left: if closes { after(1) } else { None },
                right: if closes { right } else { None },
                known,
            };
            forward.push(Task::Term(args[n_pairs], end));
            for pair in (0..n_pairs).rev() {
                let rest = front.len() + 1..front.len() + 1 + last.len();
                self.items(syntax, rest, &mut forward, |_| unreachable!("two places only"));
                self.push_gap(syntax, items.len(), &mut forward);
                if pair > 0 && inner {
                    forward.push(Task::Text(")"));
                }
            }
            tasks.extend(forward.into_iter().rev());
        } else {
            let mut place = 0;
            let mut forward: Vec<Task<'a>> = Vec::new();
            self.items(syntax, 0..items.len(), &mut forward, |at| {
                let is_first = at == 0;
                let is_last = at + 1 == items.len();
                let inner = Context {
                    required: bounds[place],
                    left: match (is_first, is_last) {
                        (true, _) => left,
                        (_, true) => after(place),
                        _ => None,
                    },
                    right: match (is_last, is_first) {
                        (true, _) => right,
                        (_, true) => after(place),
                        _ => None,
                    },
                    known,
                };
                place += 1;
                Task::Term(args[place - 1], inner)
            });
            self.push_gap(syntax, items.len(), &mut forward);
            tasks.extend(forward.into_iter().rev());
        }
        if parens {
            tasks.push(Task::Text("("));
        }
    }

    /// The items of a range with the gaps before them.
    fn items(
        &self,
        syntax: &'a Syntax,
        range: std::ops::Range<usize>,
        tasks: &mut Vec<Task<'a>>,
        mut argument: impl FnMut(usize) -> Task<'a>,
    ) {
        for at in range {
            self.push_gap(syntax, at, tasks);
            tasks.push(match syntax.items[at] {
                Item::Token(name) => Task::Token(name),
                Item::Place => argument(at),
            });
        }
    }

    /// The gap before an item, or behind the last one.
    fn push_gap(&self, syntax: &'a Syntax, at: usize, tasks: &mut Vec<Task<'a>>) {
        let items = &syntax.items;
        let text = |at: usize| match items[at] {
            Item::Token(name) => self.names.text(name),
            Item::Place => "_",
        };
        let bracket = |text: &str| matches!(text, "(" | ")" | "[" | "]" | "{" | "}");
        let inside = at > 0 && at < items.len();
        let blank = inside && !bracket(text(at - 1)) && !bracket(text(at)) && text(at) != ",";
        let words = syntax
            .format
            .as_deref()
            .filter(|words| self.options.format && words.len() == items.len() + 1);
        match words {
            None if blank => tasks.push(Task::Text(" ")),
            None => {}
            Some(words) => {
                let after_comma = inside && text(at - 1) == ",";
                tasks.push(Task::Gap { words, at, blank, after_comma });
            }
        }
    }

    /// One word of a `format` attribute.
    fn gap(
        &self,
        words: &[Name],
        at: usize,
        blank: bool,
        after_comma: bool,
        output: &mut Output<'_>,
    ) {
        for letter in self.names.text(words[at]).chars() {
            match letter {
                'd' if blank && !after_comma => output.text.push(' '),
                's' => output.text.push(' '),
                't' => output.text.push('\t'),
                'n' => output.text.push('\n'),
                '+' => output.indent += 1,
                '-' => output.indent = output.indent.saturating_sub(1),
                'i' => output.text.extend(std::iter::repeat_n(' ', output.indent)),
                letter if self.options.color => output.text.push_str(color(letter)),
                _ => {}
            }
        }
    }
}

/// Whether arguments are printed as if their kind were unknown.
fn unknown_args(others: Others, known: bool) -> bool {
    others.other_args && (!known || others.other_args_same_range)
}

/// Where the second place of a name stands.
fn second_place(items: &[Item]) -> usize {
    let places = items.iter().enumerate().filter(|(_, item)| **item == Item::Place);
    places.map(|(at, _)| at).nth(1).expect("the operator has two places")
}

/// The escape sequence for a letter of a `format` word.
fn color(letter: char) -> &'static str {
    match letter {
        'r' => "\x1b[31m",
        'g' => "\x1b[32m",
        'y' => "\x1b[33m",
        'b' => "\x1b[34m",
        'm' => "\x1b[35m",
        'c' => "\x1b[36m",
        'w' => "\x1b[37m",
        'p' => "\x1b[30m",
        'R' => "\x1b[41m",
        'G' => "\x1b[42m",
        'Y' => "\x1b[43m",
        'B' => "\x1b[44m",
        'M' => "\x1b[45m",
        'C' => "\x1b[46m",
        'W' => "\x1b[47m",
        'P' => "\x1b[40m",
        '!' => "\x1b[1m",
        'u' => "\x1b[4m",
        'f' => "\x1b[5m",
        'x' => "\x1b[7m",
        'h' => "\x1b[8m",
        'o' => "\x1b[0m",
        _ => "",
    }
}
