//! What it takes to make text of an answer, or to look into its terms.
//!
//! An answer holds terms over the symbols of a module. How these are called, and what the user has
//! set about printing, is lent to whoever takes the answer.

use broth_engine::{
    Expr, Fragment, KindId, Limits, Meaning, NameId, Signature, SortId, StaticId, StaticNode,
    StaticTerms, Stop, SymbolId,
};
use dashu_int::UBig;
use rustc_hash::FxHashMap;

use super::profile::AnswerDefinition;
use super::settings::Settings;
use super::term::{AnswerStatement, AnswerTerm};
use crate::module::StatementAttributes;
use crate::print::{
    DeclaredSorts, ModuleNames, NoSorts, Notation, Outlet, Printer, StatementWords, TermSorts,
};
use crate::syntax::{Name, Names};

/// The names of a module's symbols.
#[derive(Clone, Copy)]
pub(crate) struct ModuleContext<'a> {
    /// How symbols are written.
    pub notation: &'a Notation,
    /// The sorts and symbols.
    pub signature: &'a Signature,
    /// The names that terms know by number.
    pub numbered: &'a FxHashMap<NameId, Name>,
}

/// The names and settings that the text of an answer depends on.
#[derive(Clone, Copy)]
pub struct AnswerContext<'a> {
    settings: &'a Settings,
    names: &'a Names,
    module: Option<ModuleContext<'a>>,
    limits: Option<&'a Limits>,
}

impl<'a> AnswerContext<'a> {
    /// That of answers with terms of a module; without one there must be no terms.
    pub(crate) fn new(
        settings: &'a Settings,
        names: &'a Names,
        module: Option<ModuleContext<'a>>,
    ) -> AnswerContext<'a> {
        AnswerContext { settings, names, module, limits: None }
    }

    /// The same, with limits to what the text of a term may take.
    pub(crate) fn with_limits(self, limits: &'a Limits) -> AnswerContext<'a> {
        AnswerContext { limits: Some(limits), ..self }
    }

    /// The settings of the moment.
    pub fn settings(&self) -> &'a Settings {
        self.settings
    }

    /// The same with other settings.
    pub fn with_settings<'b>(&self, settings: &'b Settings) -> AnswerContext<'b>
    where
        'a: 'b,
    {
        AnswerContext { settings, ..*self }
    }

    /// The text of a name.
    pub fn name(&self, name: Name) -> &'a str {
        self.names.text(name)
    }

    /// The least sort of a term, if it was computed.
    pub fn sort(&self, term: &AnswerTerm) -> Option<String> {
        term.sort().map(|sort| self.sort_name(sort))
    }

    /// The name of a sort.
    pub fn sort_name(&self, sort: SortId) -> String {
        self.module().signature.sort_name(sort)
    }

    /// A term as text.
    pub fn term(&self, term: &AnswerTerm) -> String {
        let mut text = String::new();
        self.write_term(term, &mut text);
        text
    }

    /// Appends a term as text.
    pub fn write_term(&self, term: &AnswerTerm, text: &mut String) {
        let declared = DeclaredSorts(self.module().signature, &term.terms);
        let sorts = term.term_sorts(&declared);
        self.print(&term.terms, sorts, |printer| printer.write_term(term.term, false, text));
    }

    /// A term that may be very large: its text is passed on as it is made. That ends where what may
    /// be held is too little for it, or somebody interrupts.
    pub fn pass_on_term(&self, term: &AnswerTerm, outlet: &mut Outlet<'_>) -> Result<(), Stop> {
        let declared = DeclaredSorts(self.module().signature, &term.terms);
        let sorts = term.term_sorts(&declared);
        let limits = self.limits.cloned().unwrap_or_default();
        self.print(&term.terms, sorts, |printer| printer.pass_on_term(term.term, &limits, outlet))
    }

    /// Appends a condition over the terms that a term is part of: ` such that …`, or nothing.
    pub fn write_condition(&self, over: &AnswerTerm, condition: &[Fragment], text: &mut String) {
        if condition.is_empty() {
            return;
        }
        text.push_str(" such that ");
        let declared = DeclaredSorts(self.module().signature, &over.terms);
        self.print(&over.terms, &declared, |printer| printer.write_condition(condition, text));
    }

    /// A strategy expression over the terms that a term is part of.
    pub fn strategy(&self, over: &AnswerTerm, strategy: &Expr) -> String {
        self.print(&over.terms, &NoSorts, |printer| printer.strategy(strategy))
    }

    /// A statement, from its keyword to its period.
    pub fn statement(&self, statement: &AnswerStatement) -> String {
        let attributes = attribute_words(&statement.attributes, self.names);
        let words = StatementWords { label: self.label(statement), attributes: &attributes };
        let declared = DeclaredSorts(self.module().signature, &statement.terms);
        self.print(&statement.terms, &declared, |printer| {
            printer.statement(&statement.statement, &words)
        })
    }

    /// A definition of a strategy, from its keyword to its period; its label is not shown.
    pub fn definition(&self, definition: &AnswerDefinition) -> String {
        let attributes = attribute_words(&definition.attributes, self.names);
        let words = StatementWords { label: None, attributes: &attributes };
        let declared = DeclaredSorts(self.module().signature, &definition.terms);
        self.print(&definition.terms, &declared, |printer| {
            printer.definition(&definition.definition, &words)
        })
    }

    /// An operator with the kinds of its arguments and its range, as a declaration without
    /// attributes.
    pub fn operator(&self, symbol: SymbolId) -> String {
        let ModuleContext { notation, signature, .. } = self.module();
        let kind = |kind: KindId| signature.kind(kind).sort_name(0);
        let name = notation.name(symbol).map_or("", |name| self.name(name));
        let symbol = signature.symbol(symbol);
        let name = match symbol.meaning() {
            Some(Meaning::SortTest(sort)) => format!("_::`{}", signature.sort_name(sort)),
            _ => name.to_owned(),
        };
        let mut text = format!("op {name} :");
        for &argument in &symbol.args {
            text.push(' ');
            text.push_str(&kind(argument));
        }
        text.push_str(&format!(" -> {} .", kind(symbol.range)));
        text
    }

    /// The label of a statement.
    pub fn label(&self, statement: &AnswerStatement) -> Option<&'a str> {
        statement.attributes.label.map(|label| self.name(label))
    }

    /// A term, to look into.
    pub fn look_into(&self, term: &'a AnswerTerm) -> AnswerNode<'a> {
        AnswerNode { context: *self, terms: &term.terms, term: term.term }
    }

    fn module(&self) -> ModuleContext<'a> {
        self.module.expect("an answer with terms has the module of its command")
    }

    fn print<T>(
        &self,
        terms: &StaticTerms,
        sorts: &dyn TermSorts,
        print: impl FnOnce(&Printer<'_>) -> T,
    ) -> T {
        let ModuleContext { notation, signature, numbered } = self.module();
        let numbered = &ModuleNames { texts: numbered, names: self.names };
        let options = &self.settings.print;
        print(&Printer { notation, signature, terms, names: self.names, numbered, options, sorts })
    }
}

/// A term of an answer, or a part of one: an operator and arguments.
#[derive(Clone, Copy)]
pub struct AnswerNode<'a> {
    context: AnswerContext<'a>,
    terms: &'a StaticTerms,
    term: StaticId,
}

impl<'a> AnswerNode<'a> {
    /// The name of the operator as it was declared, like `_+_`; variables and literals have none.
    pub fn operator(&self) -> Option<&'a str> {
        let name = self.context.module().notation.name(self.terms.node(self.term).symbol());
        name.map(|name| self.context.name(name))
    }

    /// The arguments, each with how often it stands there in a row: those of an associative operator
    /// are one list, and equal ones of a multiset come once. An iterated operator has the argument
    /// below all its iterations.
    pub fn arguments(&self) -> Vec<(AnswerNode<'a>, u32)> {
        let of = |term| AnswerNode { term, ..*self };
        match self.terms.node(self.term) {
            StaticNode::Multiset(_, arguments) => {
                arguments.iter().map(|&(term, times)| (of(term), times)).collect()
            }
            _ => self.terms.args(self.term).into_iter().map(|term| (of(term), 1)).collect(),
        }
    }

    /// The natural number that it is.
    pub fn natural(&self) -> Option<UBig> {
        self.context.module().notation.natural(self.terms, self.term)
    }
}

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
