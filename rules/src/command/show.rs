//! `show`.

use std::fmt::Write;

use broth_engine::{KindId, Signature, SortId};
use rustc_hash::FxHashSet;

use super::execution::Execution;
use super::modules::Modules;
use crate::answer::Answer;
use crate::diagnose::command as messages;
use crate::module::{Flat, Loaded};
use crate::prelude;
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

impl Execution<'_> {
    /// Shows something.
    pub(super) fn show(&mut self, what: ShowKind, argument: &[Token], span: Span) {
        match what {
            ShowKind::Modules => self.answer(&Answer::Text(modules_text(self.modules))),
            ShowKind::Path | ShowKind::PathStates | ShowKind::PathLabels => {
                self.show_path(what, argument, span);
            }
            ShowKind::SearchGraph => self.show_search_graph(span),
            ShowKind::Sorts | ShowKind::Kinds | ShowKind::Variables => {
                let Some(module) = self.select(argument, span) else { return };
                let (modules, loaded) = (&*self.modules, self.modules.loaded(module));
                let text = match what {
                    ShowKind::Sorts => sorts_text(modules, loaded),
                    ShowKind::Kinds => kinds_text(loaded),
                    _ => variables_text(modules, loaded),
                };
                self.answer(&Answer::Text(text));
            }
            ShowKind::Equations => self.show_statements(argument, StatementKind::Equation, span),
            ShowKind::Memberships => {
                self.show_statements(argument, StatementKind::Membership, span);
            }
            ShowKind::Profile => self.show_profile(argument, span),
            ShowKind::Rules => self.show_statements(argument, StatementKind::Rule, span),
            _ => self.reports.report(messages::unsupported(name(what), span)),
        }
    }

    fn show_statements(&mut self, argument: &[Token], kind: StatementKind, span: Span) {
        let Some(module) = self.select(argument, span) else { return };
        if self.modules.builder(self.reports).theory(module).is_none() {
            return;
        }
        let theory = self.modules.loaded(module).theory.as_ref();
        let statements = theory.map_or(&[][..], |theory| &theory.statements);
        let numbers = (0..statements.len()).filter(|&number| statements[number].kind == kind);
        for number in numbers.collect::<Vec<_>>() {
            if let Some(statement) = self.modules.statement(module, number) {
                self.answer(&Answer::Statement(statement));
            }
        }
    }
}

fn modules_text(modules: &Modules) -> String {
    let mut text = String::new();
    for name in prelude::names() {
        if modules.names.find(name).is_none_or(|n| modules.library.get(n).is_none()) {
            let _ = writeln!(text, "{} {name}", prelude::keyword(name));
        }
    }
    for (name, entry) in modules.library.iter() {
        let _ = writeln!(text, "{} {}", entry.source.kind.keyword(), modules.names.text(name));
    }
    text
}

fn sorts_text(modules: &Modules, loaded: &Loaded) -> String {
    let mut text = String::new();
    let signature = &loaded.vocabulary.signature;
    for (&name, &sort) in &loaded.flat.sorts {
        let name = modules.names.text(name);
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

fn kinds_text(loaded: &Loaded) -> String {
    let mut text = String::new();
    let erring = erring_kinds(&loaded.flat, &loaded.vocabulary.signature);
    for &id in &loaded.flat.kinds {
        if !text.is_empty() {
            text.push('\n');
        }
        let kind = loaded.vocabulary.signature.kind(id);
        let note = if erring.contains(&id) { "" } else { " (error free)" };
        let _ = writeln!(text, "{}{note}:", kind.sort_name(0));
        for index in 1..kind.len() as u16 {
            let _ = writeln!(text, "\t{index}\t{}", kind.sort_name(index));
        }
    }
    text
}

fn variables_text(modules: &Modules, loaded: &Loaded) -> String {
    let mut aliases: Vec<(Name, SortId)> =
        loaded.flat.aliases.iter().map(|(&n, &s)| (n, s)).collect();
    aliases.sort_by(|a, b| modules.names.compare(a.0, b.0));
    let mut text = String::new();
    for (name, sort) in aliases {
        let sort = loaded.vocabulary.signature.sort_name(sort);
        let _ = writeln!(text, "var {} : {sort} .", modules.names.text(name));
    }
    text
}
