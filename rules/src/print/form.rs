//! Operators in mixfix and in prefix form (`docs/semantics.md` 9.4): parentheses, blanks and
//! `format` attributes.

use broth_engine::{StaticId, SymbolId};

use super::term::{Context, Output, PREFIX, Printer, Task, Waiting};
use crate::mixfix::{Item, Syntax, bound};
use crate::syntax::{Gather, Name};

impl<'a> Printer<'a> {
    pub(super) fn prefix(
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
    pub(super) fn nested_prefix(
        &self,
        name: Name,
        args: &[StaticId],
        known: bool,
        tasks: &mut Vec<Task<'a>>,
    ) {
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
    pub(super) fn mixfix(
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
    pub(super) fn gap(
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
