//! Messages about modules and their declarations: `B02xx` statements, `B05xx` modules, `B06xx`
//! signatures, `B09xx` what is not supported yet.

use super::{Code, Diagnostic, Severity};
use crate::source::Span;

fn error(code: u16, message: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::new(Severity::Error, Code(code), message, span)
}

fn warning(code: u16, message: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::new(Severity::Warning, Code(code), message, span)
}

fn advice(code: u16, message: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::new(Severity::Advice, Code(code), message, span)
}

/// Something of the language that cannot be done yet, named.
pub fn unsupported(what: &str, span: Span) -> Diagnostic {
    error(901, format!("{what} are not supported yet"), span)
}

/// A module of the library that is not there yet.
pub fn missing_library_module(name: &str, span: Span) -> Diagnostic {
    error(902, format!("the standard module {name} is not there yet"), span)
}

/// An import or a command names no module.
pub fn no_module(name: &str, span: Span) -> Diagnostic {
    error(501, format!("there is no module {name}"), span)
        .with_help("a module must be entered before it is used; `show modules .` lists them")
}

/// A module that cannot be used.
pub fn unusable(name: &str, span: Span) -> Diagnostic {
    error(502, format!("module {name} cannot be used because of the errors in it"), span)
}

/// A module was entered that cannot be used.
pub fn not_repaired(name: &str, span: Span) -> Diagnostic {
    error(503, format!("the errors in module {name} could not be repaired"), span)
        .with_help("it cannot be used or imported")
}

/// A module imports itself.
pub fn import_cycle(name: &str, span: Span) -> Diagnostic {
    error(504, format!("module {name} imports itself"), span)
}

/// An import that the kinds of modules forbid.
pub fn import_not_allowed(imported: &str, by: &str, span: Span) -> Diagnostic {
    error(505, format!("a {by} cannot import {imported}; the import is ignored"), span)
}

/// A module of this name was there before.
pub fn redefined(name: &str, span: Span) -> Diagnostic {
    advice(506, format!("module {name} takes the place of an earlier module of this name"), span)
}

/// A module is evaluated again.
pub fn reparsed(name: &str, span: Span) -> Diagnostic {
    advice(507, format!("module {name} is read again, since modules that it imports changed"), span)
}

/// A sort name with a character that cannot be in one.
pub fn bad_sort_name(name: &str, span: Span) -> Diagnostic {
    error(601, format!("{name} cannot be the name of a sort"), span)
        .with_help("`:` and `.` have another meaning there")
}

/// A sort is declared twice.
pub fn redeclared_sort(name: &str, span: Span, earlier: Span) -> Diagnostic {
    warning(602, format!("sort {name} is declared twice"), span)
        .with_secondary(earlier, "first declared here")
}

/// A sort is used and not declared. `meant` is a known sort with a similar name;
/// `keyword` says that the name begins statements, so that a period may be missing before it.
pub fn undeclared_sort(name: &str, keyword: bool, meant: Option<&str>, span: Span) -> Diagnostic {
    let hint = match (meant, name.split_once('{')) {
        (Some(meant), _) => format!("did you mean {meant}?"),
        _ if keyword => "is a period missing before it?".to_owned(),
        (None, Some(_)) => format!("`sort {name} .` declares it; attributes stand in `[` and `]`"),
        (None, None) => format!("`sort {name} .` declares it"),
    };
    warning(603, format!("there is no sort {name}"), span)
        .with_help(format!("it has been added; {hint}"))
}

/// A sort has the name of a keyword.
pub fn keyword_as_sort(name: &str, span: Span) -> Diagnostic {
    warning(623, format!("`{name}` is declared as a sort here"), span)
        .with_help("is a period missing before it?")
}

/// The subsort relation has a cycle.
pub fn subsort_cycle(names: &[&str], span: Span) -> Diagnostic {
    error(
        604,
        format!("the subsort relation has a circle: {} < {}", names.join(" < "), names[0]),
        span,
    )
}

/// Too many sorts are connected by subsort relations.
pub fn crowded_kind(sort: &str, most: usize, span: Span) -> Diagnostic {
    let message = format!("more than {most} sorts are connected with sort {sort}");
    error(608, message, span).with_help("so many in one kind are not supported")
}

/// Sorts in brackets that belong to different kinds.
pub fn different_kinds(a: &str, b: &str, span: Span) -> Diagnostic {
    warning(605, format!("sorts {a} and {b} belong to different kinds"), span)
        .with_help(format!("the kind of {a} is taken"))
}

/// A class whose name is a sort's.
pub fn class_clash(name: &str, span: Span, earlier: Span) -> Diagnostic {
    warning(606, format!("class {name} has the name of a sort"), span)
        .with_secondary(earlier, "the sort")
}

/// A subclass declaration names something that is no class.
pub fn no_class(name: &str, span: Span) -> Diagnostic {
    error(607, format!("{name} is not a class"), span)
        .with_help("this subclass relation is left out")
}

/// The number of places in a name is not that of the arguments.
pub fn places(name: &str, places: usize, arguments: usize, span: Span) -> Diagnostic {
    let noun = if arguments == 1 { "argument" } else { "arguments" };
    warning(610, format!("{name} has {places} places for {arguments} {noun}"), span)
        .with_help("only its prefix form can be used")
}

/// An attribute that the declaration cannot have, and that it loses.
pub fn attribute_not_possible(what: &str, name: &str, why: &str, span: Span) -> Diagnostic {
    error(611, format!("{name} cannot have the attribute `{what}`: {why}"), span)
        .with_help("the operator is declared without it")
}

/// An attribute that the declaration should not have, and that it keeps.
pub fn doubtful_attribute(what: &str, name: &str, why: &str, span: Span) -> Diagnostic {
    warning(611, format!("{name} should not have the attribute `{what}`: {why}"), span)
}

/// `ditto` with nothing before it: the declaration stands as if it were not there.
pub fn ditto_alone(name: &str, span: Span) -> Diagnostic {
    warning(612, format!("no earlier declaration of {name} for `ditto` to refer to"), span)
}

/// `ditto` together with other attributes.
pub fn ditto_with_others(name: &str, span: Span) -> Diagnostic {
    error(613, format!("`ditto` of {name} stands beside other attributes than `ctor`"), span)
        .with_help("`ditto` is left out")
}

/// Two declarations of one operator with different attributes.
pub fn different_attributes(name: &str, span: Span, earlier: Span) -> Diagnostic {
    error(614, format!("declarations of {name} have different attributes"), span)
        .with_secondary(earlier, "the other declaration")
        .with_help("`ditto` gives a declaration the attributes of the earlier one")
}

/// Same name and arguments, another result.
pub fn different_range_kind(name: &str, span: Span, earlier: Span) -> Diagnostic {
    warning(615, format!("{name} has results of different kinds for the same arguments"), span)
        .with_secondary(earlier, "the other declaration")
        .with_help("terms with it are ambiguous")
}

/// An attribute that is not supported and changes answers, and how many statements of the module
/// are dropped with the operator.
pub fn attribute_unsupported(
    what: &str,
    name: &str,
    n_statements: usize,
    span: Span,
) -> Diagnostic {
    let dropped = dropped(n_statements);
    let message =
        format!("the attribute `{what}` is not supported yet, so operator {name} {dropped}");
    error(904, message, span)
}

/// An operator that is dropped, with its statements, since it has too many arguments.
pub fn too_many_arguments(what: &str, name: &str, n_statements: usize, span: Span) -> Diagnostic {
    let dropped = dropped(n_statements);
    error(904, format!("{what} are not supported, so operator {name} {dropped}"), span)
}

fn dropped(n_statements: usize) -> String {
    match n_statements {
        0 => "is dropped".to_owned(),
        1 => "is dropped, and 1 statement that uses it".to_owned(),
        n => format!("is dropped, and {n} statements that use it"),
    }
}

/// A term of a command uses an operator that was dropped.
pub fn uses_dropped(name: &str, what: &str, span: Span) -> Diagnostic {
    error(905, format!("operator {name} is not supported yet, because of `{what}`"), span)
}

/// Attributes that are kept and have no effect yet.
pub fn no_effect_yet(what: &str, span: Span) -> Diagnostic {
    advice(909, format!("`{what}` is kept, and has no effect yet"), span)
}

/// An alias is declared twice, with one sort.
pub fn redeclared_alias(name: &str, span: Span, earlier: Span) -> Diagnostic {
    warning(617, format!("variable {name} is declared twice"), span)
        .with_secondary(earlier, "first declared here")
}

/// An alias is declared twice, with different sorts.
pub fn contradictory_alias(name: &str, span: Span, earlier: Span) -> Diagnostic {
    error(617, format!("variable {name} is declared with different sorts"), span)
        .with_secondary(earlier, "this declaration counts")
}

/// A variable that nothing binds. A rule with a label is kept, since a strategy can bind it.
pub fn unbound_in_statement(name: &str, what: &str, label: Option<&str>, span: Span) -> Diagnostic {
    let message = format!("variable {name} of this {what} is used before it is bound");
    match label {
        Some(label) => warning(201, message, span).with_help(format!(
            "the rule is used only by strategies that give it a value: `{label}[{name} <- ...]`"
        )),
        None => error(201, message, span).with_help(format!("the {what} is never used")),
    }
}

/// A left side that may lose its top operator.
pub fn collapses(span: Span) -> Diagnostic {
    advice(203, "the left side may collapse and so match more than expected", span)
}

/// A matching fragment without unbound variables.
pub fn all_bound(span: Span) -> Diagnostic {
    advice(204, "all variables of this pattern are bound before it is matched", span)
        .with_help("`=` compares without matching")
}

/// Completion of objects is off for a statement.
pub fn not_completed(why: &str, span: Span) -> Diagnostic {
    advice(205, format!("the objects of this statement are not completed: {why}"), span)
}

/// The declarations of an operator give no least sort.
pub fn not_preregular(name: &str, arguments: &str, ranges: &str, span: Span) -> Diagnostic {
    let what = if arguments.is_empty() {
        format!("constant {name} has no least sort: {ranges}")
    } else {
        format!("the declarations of {name} give no least sort for {arguments}: {ranges}")
    };
    warning(620, what, span).with_help("the earlier declaration decides")
}

/// Memberships on an associative operator.
pub fn membership_on_assoc(name: &str, what: &str, span: Span) -> Diagnostic {
    warning(621, format!("memberships may not work for the {what} operator {name}"), span)
        .with_help("they work where its declarations are at the kind level: `[S] [S] -> [S]`")
}

/// Constructor and other declarations fit the same arguments.
pub fn mixed_constructors(name: &str, span: Span) -> Diagnostic {
    warning(622, format!("some arguments of {name} fit constructor declarations and others"), span)
}
