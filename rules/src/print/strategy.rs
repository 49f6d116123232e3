//! Strategy expressions to text (`docs/semantics.md` 7.7).
//!
//! Strategies are nested at most as deeply as the parser admits, so recursion is safe here.

use broth_engine::{Application, Expr, Fragment, MatchKind, StaticId};

use super::term::Printer;

/// How tightly an expression binds: the larger the looser.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// Names, applications and everything in parentheses, and what has `+ * !` behind it.
    Atom,
    /// `match` and `matchrew`.
    Match,
    Sequence,
    Union,
    OrElse,
    Branch,
}

fn level(strategy: &Expr) -> Level {
    match strategy {
        Expr::Test { .. } | Expr::MatchRewrite { .. } => Level::Match,
        Expr::Sequence(_) => Level::Sequence,
        Expr::Union(_) => Level::Union,
        Expr::OrElse(..) => Level::OrElse,
        Expr::Branch(..) => Level::Branch,
        _ => Level::Atom,
    }
}

impl Printer<'_> {
    /// A strategy expression.
    pub fn strategy(&self, strategy: &Expr) -> String {
        let mut text = String::new();
        self.write_strategy(strategy, &mut text);
        text
    }

    /// Appends a strategy expression.
    pub fn write_strategy(&self, strategy: &Expr, text: &mut String) {
        match strategy {
            Expr::Idle => text.push_str("idle"),
            Expr::Fail => text.push_str("fail"),
            Expr::Apply(application) => self.write_application(application, text),
            Expr::Test { kind, pattern, condition } => {
                text.push_str(prefix(*kind));
                text.push_str("match ");
                self.write_pattern(*pattern, condition, text);
            }
            Expr::Sequence(all) => self.write_chain(all, " ; ", Level::Sequence, text),
            Expr::Union(all) => self.write_chain(all, " | ", Level::Union, text),
            Expr::OrElse(first, second) => {
                self.write_operand(first, Level::OrElse, text);
                text.push_str(" or-else ");
                self.write_operand(second, Level::OrElse, text);
            }
            Expr::Star(inner) => self.write_postfix(inner, '*', text),
            Expr::Plus(inner) => self.write_postfix(inner, '+', text),
            Expr::Normal(inner) => self.write_postfix(inner, '!', text),
            Expr::Branch(test, yes, no) => {
                self.write_strategy(test, text);
                text.push_str(" ? ");
                self.write_strategy(yes, text);
                text.push_str(" : ");
                self.write_strategy(no, text);
            }
            Expr::One(inner) => self.write_enclosed("one", inner, text),
            Expr::Not(inner) => self.write_enclosed("not", inner, text),
            Expr::Check(inner) => self.write_enclosed("test", inner, text),
            Expr::Try(inner) => self.write_enclosed("try", inner, text),
            Expr::MatchRewrite { kind, pattern, condition, items } => {
                text.push_str(prefix(*kind));
                text.push_str("matchrew ");
                self.write_pattern(*pattern, condition, text);
                for (at, item) in items.iter().enumerate() {
                    text.push_str(if at == 0 { " by " } else { ", " });
                    self.write_term(item.variable, false, text);
                    text.push_str(" using ");
                    self.write_operand(&item.strategy, Level::Atom, text);
                }
            }
            Expr::Call(strategy, args) => {
                text.push_str(self.names.text(self.notation.strategy(*strategy)));
                for (at, &arg) in args.iter().enumerate() {
                    text.push_str(if at == 0 { "(" } else { ", " });
                    self.write_term(arg, false, text);
                }
                if !args.is_empty() {
                    text.push(')');
                }
            }
        }
    }

    fn write_application(&self, application: &Application, text: &mut String) {
        if application.top {
            text.push_str("top(");
        }
        text.push_str(application.label.map_or("all", |label| self.numbered.text(label)));
        for (at, &(variable, value)) in application.substitution.iter().enumerate() {
            text.push_str(if at == 0 { "[" } else { ", " });
            self.write_term(variable, false, text);
            text.push_str(" <- ");
            self.write_term(value, false, text);
        }
        if !application.substitution.is_empty() {
            text.push(']');
        }
        for (at, strategy) in application.conditions.iter().enumerate() {
            text.push_str(if at == 0 { "{" } else { ", " });
            self.write_strategy(strategy, text);
        }
        if !application.conditions.is_empty() {
            text.push('}');
        }
        if application.top {
            text.push(')');
        }
    }

    fn write_pattern(&self, pattern: StaticId, condition: &[Fragment], text: &mut String) {
        self.write_term(pattern, false, text);
        if !condition.is_empty() {
            text.push_str(" such that ");
            self.write_condition(condition, text);
        }
    }

    fn write_chain(&self, all: &[Expr], sign: &str, loosest: Level, text: &mut String) {
        for (at, strategy) in all.iter().enumerate() {
            if at > 0 {
                text.push_str(sign);
            }
            self.write_operand(strategy, loosest, text);
        }
    }

    fn write_operand(&self, strategy: &Expr, loosest: Level, text: &mut String) {
        if level(strategy) > loosest {
            self.write_enclosed("", strategy, text);
        } else {
            self.write_strategy(strategy, text);
        }
    }

    fn write_enclosed(&self, word: &str, strategy: &Expr, text: &mut String) {
        text.push_str(word);
        text.push('(');
        self.write_strategy(strategy, text);
        text.push(')');
    }

    fn write_postfix(&self, inner: &Expr, sign: char, text: &mut String) {
        self.write_operand(inner, Level::Atom, text);
        if level(inner) == Level::Atom {
            text.push(' ');
        }
        text.push(sign);
    }
}

fn prefix(kind: MatchKind) -> &'static str {
    match kind {
        MatchKind::Whole => "",
        MatchKind::Extension => "x",
        MatchKind::Anywhere => "a",
    }
}
