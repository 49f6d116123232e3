//! Strategy expressions of commands.

use broth_engine::{Expr, StrategyId};

use super::run::Place;
use crate::diagnose::command as say;
use crate::mixfix::messages as parse_say;
use crate::session::Session;
use crate::syntax::{Name, Span, Token};

impl Session {
    /// Reads a strategy expression.
    pub(super) fn read_strategy(&mut self, place: Place, bubble: &[Token]) -> Option<Expr> {
        let loaded = self.library.loaded_mut(place.module).expect("the module is ready");
        let reading = match loaded.grammar.strategy(bubble, &mut self.names) {
            Ok(reading) => reading,
            Err(error) => {
                self.no_parse(place, &error, bubble);
                return None;
            }
        };
        if reading.other.is_some() {
            let span = bubble[0].span.to(bubble[bubble.len() - 1].span);
            self.say.push(parse_say::ambiguous_strategy(span));
        }
        Some(self.instantiation(place.module).strategy(&reading.tree, &reading.value))
    }

    /// Says which strategies a command calls that have no definition.
    pub(super) fn say_undefined(&mut self, place: Place, strategy: &Expr, span: Span) {
        let loaded = self.loaded(place.module);
        let mut called = Vec::new();
        called_strategies(strategy, &mut called);
        let undefined: Vec<Name> = called
            .into_iter()
            .filter(|id| !loaded.defined.contains(id))
            .map(|id| loaded.flat.strategies[id.0 as usize].name)
            .collect();
        for name in undefined {
            self.say.push(say::undefined_strategy(self.names.text(name), span));
        }
    }
}

/// The strategies that an expression calls itself, each once.
fn called_strategies(strategy: &Expr, called: &mut Vec<StrategyId>) {
    match strategy {
        Expr::Idle | Expr::Fail | Expr::Test { .. } => {}
        Expr::Apply(application) => {
            application.conditions.iter().for_each(|s| called_strategies(s, called));
        }
        Expr::Sequence(list) | Expr::Union(list) => {
            list.iter().for_each(|s| called_strategies(s, called));
        }
        Expr::OrElse(a, b) => [a, b].into_iter().for_each(|s| called_strategies(s, called)),
        Expr::Branch(a, b, c) => [a, b, c].into_iter().for_each(|s| called_strategies(s, called)),
        Expr::Star(s)
        | Expr::Plus(s)
        | Expr::Normal(s)
        | Expr::One(s)
        | Expr::Not(s)
        | Expr::Check(s)
        | Expr::Try(s) => called_strategies(s, called),
        Expr::MatchRewrite { items, .. } => {
            items.iter().for_each(|item| called_strategies(&item.strategy, called));
        }
        Expr::Call(id, _) => {
            if !called.contains(id) {
                called.push(*id);
            }
        }
    }
}
