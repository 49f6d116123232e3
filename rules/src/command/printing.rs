//! Terms of a module as text.

use broth_engine::{Expr, Fragment, StaticId, StaticTerms, Term};

use super::Valued;
use crate::module::{StatementAttributes, Vocabulary, engine_statement};
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
    /// Prints something of a module. Terms are those of `terms`, or of the command that is being
    /// read; sorts come from `sorts`, or from the declarations.
    pub(super) fn print<T>(
        &mut self,
        module: Name,
        terms: Option<&StaticTerms>,
        sorts: Option<&dyn TermSorts>,
        print: impl FnOnce(&Printer<'_>) -> T,
    ) -> T {
        let loaded = self.library.loaded_mut(module).expect("the module of a command is ready");
        loaded.update_notation();
        let signature = &loaded.vocabulary.signature;
        let terms = terms.unwrap_or(&loaded.vocabulary.terms);
        let declared = DeclaredSorts(signature, terms);
        let numbered = ModuleNames { texts: &loaded.flat.name_texts, names: &self.names };
        print(&Printer {
            notation: &loaded.notation,
            signature,
            terms,
            names: &self.names,
            numbered: &numbered,
            options: &self.settings.print,
            sorts: sorts.unwrap_or(&declared),
        })
    }

    /// A term as it was read, with its least sort.
    pub(super) fn raw_value(&mut self, module: Name, term: StaticId) -> Valued {
        let Vocabulary { signature, terms } = &self.loaded(module).vocabulary;
        let sort = Some(signature.sort_name(terms.least_sort(signature, term)));
        Valued { sort, term: self.static_text(module, term) }
    }

    /// A static term.
    pub(super) fn static_text(&mut self, module: Name, term: StaticId) -> String {
        self.print(module, None, None, |printer| printer.term(term))
    }

    /// The subject of a command: its sorts have not been computed when it is echoed.
    pub(super) fn subject_text(&mut self, module: Name, term: StaticId) -> String {
        self.print(module, None, Some(&NoSorts), |printer| printer.term(term))
    }

    /// A result.
    pub(super) fn value(&mut self, module: Name, term: &Term) -> Valued {
        let signature = &self.loaded(module).vocabulary.signature;
        let sort = term.sort().map(|sort| signature.sort_name(sort));
        let read = self.worker.as_ref().expect("a result has a worker").read_back(term);
        let (terms, sorts) = (Some(&read.terms), Some(&read.sorts as &dyn TermSorts));
        let text = self.print(module, terms, sorts, |printer| printer.term(read.term));
        Valued { sort, term: text }
    }

    /// ` such that ...`, or nothing.
    pub(super) fn condition_text(&mut self, module: Name, condition: &[Fragment]) -> String {
        if condition.is_empty() {
            return String::new();
        }
        let mut text = " such that ".to_owned();
        self.print(module, None, None, |printer| printer.write_condition(condition, &mut text));
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
        self.print(module, None, None, |printer| {
            let words = StatementWords { label: label.as_deref(), attributes: &attributes };
            printer.statement(&engine_statement, &words)
        })
    }

    /// A strategy expression.
    pub(super) fn strategy_text(&mut self, module: Name, strategy: &Expr) -> String {
        self.print(module, None, Some(&NoSorts), |printer| printer.strategy(strategy))
    }
}
