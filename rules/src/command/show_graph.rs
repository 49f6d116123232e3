//! `show path` and `show search graph`: what a search has found.

use std::fmt::Write;

use super::running::What;
use crate::diagnose::command as say;
use crate::session::Session;
use crate::syntax::{Name, ShowKind, Span, Token};

impl Session {
    /// The text of a path; nothing if there is none, which is then said.
    pub(super) fn show_path(
        &mut self,
        what: ShowKind,
        argument: &[Token],
        span: Span,
    ) -> Option<String> {
        let word = argument.first().map_or("", |token| self.names.text(token.name)).to_owned();
        let Some(running) = self.running.as_ref() else {
            self.say.push(say::no_graph(span));
            return None;
        };
        let What::Search(search) = &running.what else {
            self.say.push(say::no_graph(span));
            return None;
        };
        let module = running.module;
        let worker = self.worker.as_ref();
        let path = word.parse().ok().zip(worker).and_then(|(n, worker)| search.path(worker, n));
        let Some(path) = path else {
            self.say.push(say::bad_state(&word, span));
            return None;
        };
        let mut text = String::new();
        if what == ShowKind::PathLabels && path.len() == 1 {
            text.push_str("Empty path.\n");
        }
        for (state, rules) in path {
            if let Some(&rule) = rules.first() {
                match what {
                    ShowKind::PathLabels => {
                        let label = self.rule_label(module, rule);
                        let _ = writeln!(text, "{}", label.unwrap_or("(unlabeled rule)"));
                    }
                    ShowKind::PathStates => match self.rule_label(module, rule) {
                        Some(label) => {
                            let _ = writeln!(text, "--- {label} --->");
                        }
                        None => text.push_str("------>\n"),
                    },
                    _ => {
                        let rule = self.statement_text(module, rule as usize);
                        let _ = writeln!(text, "===[ {rule} ]===>");
                    }
                }
            }
            if what != ShowKind::PathLabels {
                self.state_line(module, state, &mut text);
            }
        }
        Some(text)
    }

    /// The text of the state graph; nothing if there is none, which is then said.
    pub(super) fn show_search_graph(&mut self, span: Span) -> Option<String> {
        let (module, n_states) = match &self.running {
            Some(running) => match &running.what {
                What::Search(search) => (running.module, search.n_states()),
                _ => (running.module, 0),
            },
            None => {
                self.say.push(say::no_graph(span));
                return None;
            }
        };
        let mut text = String::new();
        for state in 0..n_states {
            if state > 0 {
                text.push('\n');
            }
            self.state_line(module, state, &mut text);
            let arcs = match (&self.running.as_ref()?.what, &self.worker) {
                (What::Search(search), Some(worker)) => search.arcs(worker, state),
                _ => Vec::new(),
            };
            for (number, (target, rules)) in arcs.into_iter().enumerate() {
                let _ = write!(text, "arc {number} ===> state {target}");
                for rule in rules {
                    let _ = write!(text, " ({})", self.statement_text(module, rule as usize));
                }
                text.push('\n');
            }
        }
        Some(text)
    }

    fn state_line(&mut self, module: Name, number: usize, text: &mut String) {
        let Some(running) = &self.running else { return };
        let What::Search(search) = &running.what else { return };
        let Some(worker) = &mut self.worker else { return };
        let Some(term) = search.state(worker, number) else { return };
        let value = self.value(module, &term);
        let sort = value.sort.as_deref().unwrap_or("(sort not calculated)");
        let _ = writeln!(text, "state {number}, {sort}: {}", value.term);
    }

    fn rule_label(&self, module: Name, rule: u32) -> Option<&str> {
        let theory = self.loaded(module).theory.as_ref();
        let label = theory.and_then(|theory| theory.statements[rule as usize].attributes.label);
        label.map(|label| self.names.text(label))
    }
}
