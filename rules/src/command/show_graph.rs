//! `show path` and `show search graph`: what a search has found.

use super::execution::Execution;
use super::running::{Computation, Running};
use crate::answer::{Answer, AnswerTerm, RuleLayout};
use crate::diagnose::command as messages;
use crate::syntax::{ShowKind, Span, Token};

impl Execution<'_> {
    /// Shows the path to a state; if there is none, reports that.
    pub(super) fn show_path(&mut self, what: ShowKind, argument: &[Token], span: Span) {
        let word = argument.first().map_or("", |token| self.modules.names.text(token.name));
        let Some(Running { module, computation: Computation::Search(search), .. }) =
            &self.evaluator.running
        else {
            return self.reports.report(messages::no_graph(span));
        };
        let module = *module;
        let worker = self.evaluator.worker.as_ref();
        let path = word.parse().ok().zip(worker).and_then(|(n, worker)| search.path(worker, n));
        let Some(path) = path else {
            return self.reports.report(messages::bad_state(word, span));
        };
        let layout = match what {
            ShowKind::PathLabels => RuleLayout::Label,
            ShowKind::PathStates => RuleLayout::Arrow,
            _ => RuleLayout::Statement,
        };
        if layout == RuleLayout::Label && path.len() == 1 {
            self.answer(&Answer::Text("Empty path.\n".to_owned()));
        }
        for (state, rules) in path {
            let rule = rules.first().and_then(|&n| self.modules.statement(module, n as usize));
            if let Some(rule) = rule {
                self.answer(&Answer::PathRule { rule, layout });
            }
            if layout != RuleLayout::Label {
                self.show_state(state, false);
            }
        }
    }

    /// Shows the state graph; if there is none, reports that.
    pub(super) fn show_search_graph(&mut self, span: Span) {
        let Some(running) = &self.evaluator.running else {
            return self.reports.report(messages::no_graph(span));
        };
        let module = running.module;
        let n_states = match &running.computation {
            Computation::Search(search) => search.n_states(),
            _ => 0,
        };
        for state in 0..n_states {
            self.show_state(state, state > 0);
            let evaluator = &*self.evaluator;
            let running = evaluator.running.as_ref().map(|running| &running.computation);
            let arcs = match (running, &evaluator.worker) {
                (Some(Computation::Search(search)), Some(worker)) => search.arcs(worker, state),
                _ => Vec::new(),
            };
            for (number, (target, rules)) in arcs.into_iter().enumerate() {
                let rules = rules.into_iter();
                let rules = rules.filter_map(|n| self.modules.statement(module, n as usize));
                let rules = rules.collect();
                self.answer(&Answer::Arc { number, target, rules });
            }
        }
    }

    /// Shows a state of the search that has been run last.
    fn show_state(&mut self, number: usize, separated: bool) {
        let running = self.evaluator.running.as_ref().map(|running| &running.computation);
        let (Some(Computation::Search(search)), Some(worker)) =
            (running, &mut self.evaluator.worker)
        else {
            return;
        };
        let Some(state) = search.state(worker, number) else { return };
        let state = AnswerTerm::result(worker, &state);
        self.answer(&Answer::GraphState { number, state, separated });
    }
}
