//! `show`.

use std::fmt::Write;

use broth_engine::{KindId, Signature, SortId};
use rustc_hash::FxHashSet;

use super::Answer;
use crate::diagnose::command as say;
use crate::module::Flat;
use crate::outside::Listener;
use crate::prelude;
use crate::session::Session;
use crate::syntax::{Name, ShowKind, Span, StatementKind, Token};

/// The words of what cannot be shown yet.
fn name(what: ShowKind) -> &'static str {
    match what {
        ShowKind::Module => "show module",
        ShowKind::All => "show all",
        ShowKind::Desugared => "show desugared",
        ShowKind::View => "show view",
        ShowKind::ProcessedView => "show processed view",
        ShowKind::Views => "show views",
        ShowKind::Operators => "show ops",
        ShowKind::Strategies => "show strats",
        ShowKind::StrategyDefinitions => "show sds",
        ShowKind::Summary => "show summary",
        ShowKind::FrontierStates => "show frontier states",
        ShowKind::MostGeneralStates => "show most general states",
        ShowKind::Profile => "show profile",
        _ => "show",
    }
}

/// The kinds that terms can have which have no sort.
fn erring_kinds(flat: &Flat, signature: &Signature) -> FxHashSet<KindId> {
    let mut erring = FxHashSet::default();
    loop {
        let before = erring.len();
        for symbol in flat.operators.iter().filter_map(|op| op.symbol) {
            let (sorts_of, symbol) = (signature.sorts(symbol), signature.symbol(symbol));
            // All states of the table after each argument, whatever sorts the arguments have.
            let mut states: FxHashSet<u32> = FxHashSet::default();
            states.insert(sorts_of.start());
            for kind in &symbol.args {
                let first = if erring.contains(kind) { 0 } else { 1 };
                let sorts = first..signature.kind(*kind).len() as u16;
                states = states
                    .iter()
                    .flat_map(|&state| sorts.clone().map(move |sort| (state, sort)))
                    .map(|(state, sort)| sorts_of.step(state, sort))
                    .collect();
            }
            let errs = match symbol.args.as_slice() {
                [] => sorts_of.constant() == 0,
                _ => states.contains(&0),
            };
            if errs {
                erring.insert(symbol.range);
            }
        }
        if erring.len() == before {
            return erring;
        }
    }
}

impl Session {
    /// Shows something.
    pub(super) fn show(
        &mut self,
        what: ShowKind,
        argument: &[Token],
        span: Span,
        listener: &mut dyn Listener,
    ) {
        let text = match what {
            ShowKind::Modules => self.show_modules(),
            ShowKind::Path | ShowKind::PathStates | ShowKind::PathLabels => {
                let Some(text) = self.show_path(what, argument, span) else { return };
                text
            }
            ShowKind::SearchGraph => {
                let Some(text) = self.show_search_graph(span) else { return };
                text
            }
            ShowKind::Sorts
            | ShowKind::Kinds
            | ShowKind::Variables
            | ShowKind::Equations
            | ShowKind::Memberships
            | ShowKind::Rules => {
                let Some(module) = self.module_name(argument, span) else { return };
                if !self.make_ready(module, span) {
                    return;
                }
                self.make_current(module);
                match what {
                    ShowKind::Sorts => self.show_sorts(module),
                    ShowKind::Kinds => self.show_kinds(module),
                    ShowKind::Equations => self.show_statements(module, StatementKind::Equation),
                    ShowKind::Memberships => {
                        self.show_statements(module, StatementKind::Membership)
                    }
                    ShowKind::Rules => self.show_statements(module, StatementKind::Rule),
                    _ => self.show_variables(module),
                }
            }
            _ => {
                self.say.push(say::unsupported(name(what), span));
                return;
            }
        };
        self.answer(listener, &Answer::Text(text));
    }

    fn show_modules(&self) -> String {
        let mut text = String::new();
        for name in prelude::names() {
            if self.names.find(name).is_none_or(|n| self.library.get(n).is_none()) {
                let _ = writeln!(text, "{} {name}", prelude::keyword(name));
            }
        }
        for (name, entry) in self.library.iter() {
            let _ = writeln!(text, "{} {}", entry.source.kind.keyword(), self.names.text(name));
        }
        text
    }

    fn show_statements(&mut self, module: Name, kind: StatementKind) -> String {
        if self.module_builder().theory(module).is_none() {
            return String::new();
        }
        let theory = self.loaded(module).theory.as_ref();
        let wanted: Vec<usize> = theory
            .iter()
            .flat_map(|theory| theory.statements.iter().enumerate())
            .filter(|(_, statement)| statement.kind == kind)
            .map(|(number, _)| number)
            .collect();
        let mut text = String::new();
        for number in wanted {
            text.push_str(&self.statement_text(module, number));
            text.push('\n');
        }
        text
    }

    fn show_sorts(&self, module: Name) -> String {
        let mut text = String::new();
        let signature = &self.loaded(module).vocabulary.signature;
        for (&name, &sort) in &self.loaded(module).flat.sorts {
            let name = self.names.text(name);
            let kind = signature.kind(sort.kind);
            let n = kind.len() as u16;
            let named = |index: u16| signature.sort_name(SortId { kind: sort.kind, index });
            let below: Vec<String> = (1..n)
                .rev()
                .filter(|&i| i != sort.index && kind.leq(i, sort.index))
                .map(named)
                .collect();
            let above: Vec<String> = (1..n)
                .rev()
                .filter(|&i| i != sort.index && kind.leq(sort.index, i))
                .map(named)
                .collect();
            let _ = write!(text, "sort {name} .");
            if !below.is_empty() || !above.is_empty() {
                let word = if below.len() + above.len() > 1 { "subsorts" } else { "subsort" };
                let mut parts = Vec::new();
                if !below.is_empty() {
                    parts.push(below.join(" "));
                }
                parts.push(name.to_owned());
                if !above.is_empty() {
                    parts.push(above.join(" "));
                }
                let _ = write!(text, "\t{word} {} .", parts.join(" < "));
            }
            text.push('\n');
        }
        text
    }

    fn show_kinds(&self, module: Name) -> String {
        let mut text = String::new();
        let erring =
            erring_kinds(&self.loaded(module).flat, &self.loaded(module).vocabulary.signature);
        for &id in &self.loaded(module).flat.kinds {
            if !text.is_empty() {
                text.push('\n');
            }
            let kind = self.loaded(module).vocabulary.signature.kind(id);
            let note = if erring.contains(&id) { "" } else { " (error free)" };
            let _ = writeln!(text, "{}{note}:", kind.sort_name(0));
            for index in 1..kind.len() as u16 {
                let _ = writeln!(text, "\t{index}\t{}", kind.sort_name(index));
            }
        }
        text
    }

    fn show_variables(&self, module: Name) -> String {
        let mut aliases: Vec<(Name, SortId)> =
            self.loaded(module).flat.aliases.iter().map(|(&n, &s)| (n, s)).collect();
        aliases.sort_by(|a, b| self.names.compare(a.0, b.0));
        let mut text = String::new();
        for (name, sort) in aliases {
            let sort = self.loaded(module).vocabulary.signature.sort_name(sort);
            let _ = writeln!(text, "var {} : {sort} .", self.names.text(name));
        }
        text
    }
}
