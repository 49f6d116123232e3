//! Terms of a module as text.

use broth_engine::{Expr, Fragment, StaticId, Term};

use super::Valued;
use crate::module::{StatementAttributes, engine_statement};
use crate::print::{DeclaredSorts, ModuleNames, NoSorts, Printer, StatementWords, TermSorts};
use crate::session::Session;
use crate::syntax::{Name, Names};

/// The words of a statement's attributes in the language's order, without the label.
fn attribute_words(attributes: &StatementAttributes, names: &Names) -> Vec<String> {
    let mut words: Vec<String> = [
        (attributes.nonexec, "nonexec"),
        (attributes.owise, "owise"),
        (attributes.variant, "variant"),
        (attributes.narrowing, "narrowing"),
    ]
    .into_iter()
    .filter(|(present, _)| *present)
    .map(|(_, word)| word.to_owned())
    .collect();
    words.extend(attributes.metadata.map(|text| format!("metadata {}", names.text(text))));
    words
}

impl Session {
    /// Prints something of a module; sorts come from `sorts`, or from the declarations.
    fn print<T>(
        &mut self,
        module: Name,
        sorts: Option<&dyn TermSorts>,
        print: impl FnOnce(&Printer<'_>) -> T,
    ) -> T {
        let loaded = self.library.loaded_mut(module).expect("the module of a command is ready");
        loaded.update_notation();
        let declared = DeclaredSorts(&self.engine.signature, &self.engine.terms);
        let numbered = ModuleNames { texts: &loaded.flat.name_texts, names: &self.names };
        print(&Printer {
            notation: &loaded.notation,
            signature: &self.engine.signature,
            terms: &self.engine.terms,
            names: &self.names,
            numbered: &numbered,
            options: &self.settings.print,
            sorts: sorts.unwrap_or(&declared),
        })
    }

    /// A term as it was read, with its least sort.
    pub(super) fn raw_value(&mut self, module: Name, term: StaticId) -> Valued {
        let sort = self.engine.terms.least_sort(&self.engine.signature, term);
        let sort = Some(self.engine.signature.sort_name(sort));
        Valued { sort, term: self.static_text(module, term) }
    }

    /// A static term.
    pub(super) fn static_text(&mut self, module: Name, term: StaticId) -> String {
        self.print(module, None, |printer| printer.term(term))
    }

    /// The subject of a command: its sorts have not been computed when it is echoed.
    pub(super) fn subject_text(&mut self, module: Name, term: StaticId) -> String {
        self.print(module, Some(&NoSorts), |printer| printer.term(term))
    }

    /// A result.
    pub(super) fn value(&mut self, module: Name, term: &Term) -> Valued {
        let sort = term.sort().map(|sort| self.engine.signature.sort_name(sort));
        let read = self.engine.read_back(term);
        let text = self.print(module, Some(&read.sorts), |printer| printer.term(read.term));
        Valued { sort, term: text }
    }

    /// ` such that ...`, or nothing.
    pub(super) fn condition_text(&mut self, module: Name, condition: &[Fragment]) -> String {
        if condition.is_empty() {
            return String::new();
        }
        let mut text = " such that ".to_owned();
        self.print(module, None, |printer| printer.write_condition(condition, &mut text));
        text
    }

    /// A statement of a module's theory, by its number there.
    pub(super) fn statement_text(&mut self, module: Name, number: usize) -> String {
        let theory = self.loaded(module).theory.as_ref();
        let Some(statement) = theory.and_then(|t| t.statements.get(number)).cloned() else {
            return String::new();
        };
        let mut engine_statement = engine_statement(&statement, 0, &self.names);
        engine_statement.nonexec = statement.attributes.nonexec;
        let attributes = attribute_words(&statement.attributes, &self.names);
        let label = statement.attributes.label.map(|l| self.names.text(l).to_owned());
        self.print(module, None, |printer| {
            let words = StatementWords { label: label.as_deref(), attributes: &attributes };
            printer.statement(&engine_statement, &words)
        })
    }

    /// A strategy expression.
    pub(super) fn strategy_text(&mut self, module: Name, strategy: &Expr) -> String {
        self.print(module, Some(&NoSorts), |printer| printer.strategy(strategy))
    }
}
