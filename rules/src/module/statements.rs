//! Reading the statements of a module, and the checks on them.

use broth_engine::{Fragment, Signature, StaticId, StaticTerms};

use super::flat::Flat;
use super::loaded::{Conclusion, Loaded, StatementAttributes, Terms};
use crate::diagnose::Diagnostic;
use crate::print::{DeclaredSorts, ModuleNames, PrintOptions, Printer};
use crate::syntax::{
    ModuleKind, Name, Names, Span, Statement, StatementAttributeKind, StatementKind,
    drop_unsuitable_attributes,
};

/// The words for a kind of statement.
pub fn word(kind: StatementKind) -> &'static str {
    match kind {
        StatementKind::Equation => "equation",
        StatementKind::Membership => "membership",
        StatementKind::Rule => "rule",
        StatementKind::StrategyDefinition => "strategy definition",
    }
}

/// The attributes of a statement; those that it cannot have are said and left out.
pub fn attributes(
    statement: &Statement,
    label: Option<Name>,
    module: ModuleKind,
    diagnostics: &mut Vec<Diagnostic>,
) -> StatementAttributes {
    let mut all = StatementAttributes { label, ..StatementAttributes::default() };
    let mut statement = statement.clone();
    diagnostics.extend(drop_unsuitable_attributes(&mut statement, module));
    for attribute in &statement.attributes {
        match &attribute.kind {
            StatementAttributeKind::Owise => all.owise = true,
            StatementAttributeKind::Nonexec => all.nonexec = true,
            StatementAttributeKind::Variant => all.variant = true,
            StatementAttributeKind::Narrowing => all.narrowing = true,
            StatementAttributeKind::Label(label) => {
                all.label.get_or_insert(label.name);
            }
            StatementAttributeKind::Metadata(text) => all.metadata = Some(text.name),
            StatementAttributeKind::Print(_) => {}
            StatementAttributeKind::Dnt => all.dnt = true,
            StatementAttributeKind::Extension => {}
        }
    }
    all
}

/// The word of an attribute that has no effect yet.
pub fn without_effect(attribute: &StatementAttributeKind) -> Option<&'static str> {
    match attribute {
        StatementAttributeKind::Variant => Some("variant"),
        StatementAttributeKind::Narrowing => Some("narrowing"),
        StatementAttributeKind::Metadata(_) => Some("metadata"),
        StatementAttributeKind::Print(_) => Some("print"),
        StatementAttributeKind::Extension => Some("extension"),
        _ => None,
    }
}

/// The variables of a term that are not among the bound ones.
fn unbound(terms: &StaticTerms, term: StaticId, bound: &[StaticId]) -> Option<StaticId> {
    terms.variables(term).into_iter().find(|v| !bound.contains(v))
}

/// A variable that is used before anything binds it. `bound` becomes the variables that are bound
/// after the condition. `all_bound` is told of matching fragments that bind nothing.
pub fn unbound_in_condition(
    terms: &StaticTerms,
    condition: &[Fragment],
    bound: &mut Vec<StaticId>,
    all_bound: &mut dyn FnMut(usize),
) -> Option<StaticId> {
    for (at, fragment) in condition.iter().enumerate() {
        let (used, pattern) = match *fragment {
            Fragment::Equal(a, b) => (vec![a, b], None),
            Fragment::Sort(t, _) => (vec![t], None),
            Fragment::Match(p, t) | Fragment::Rewrite(t, p) => (vec![t], Some(p)),
        };
        for term in used {
            if let Some(variable) = unbound(terms, term, bound) {
                return Some(variable);
            }
        }
        if let Some(pattern) = pattern {
            let is_match = matches!(fragment, Fragment::Match(..));
            if is_match && !terms.is_ground(pattern) && unbound(terms, pattern, bound).is_none() {
                all_bound(at);
            }
            for variable in terms.variables(pattern) {
                if !bound.contains(&variable) {
                    bound.push(variable);
                }
            }
        }
    }
    None
}

/// Checks that every variable of a statement is bound before it is used.
pub fn unbound_variable(
    terms: &StaticTerms,
    statement: &Terms,
    all_bound: &mut dyn FnMut(usize),
) -> Option<StaticId> {
    let mut bound = terms.variables(statement.left);
    if let Some(variable) = unbound_in_condition(terms, &statement.condition, &mut bound, all_bound)
    {
        return Some(variable);
    }
    match statement.conclusion {
        Conclusion::Term(right) => unbound(terms, right, &bound),
        Conclusion::Sort(_) => None,
    }
}

/// The name of a variable with its sort, as the user would write it.
pub fn variable_text(
    flat: &Flat,
    signature: &Signature,
    terms: &StaticTerms,
    names: &Names,
    variable: StaticId,
) -> String {
    let broth_engine::StaticNode::Variable(symbol, id) = *terms.node(variable) else {
        return "?".to_owned();
    };
    let sort = signature.symbol(symbol).declarations[0].range;
    let Some(&name) = flat.name_texts.get(&id) else { return "?".to_owned() };
    if flat.aliases.get(&name) == Some(&sort) {
        return names.text(name).to_owned();
    }
    format!("{}:{}", names.text(name), signature.sort_name(sort))
}

/// A term of a module as the user would write it.
pub fn term_text(
    loaded: &Loaded,
    signature: &Signature,
    terms: &StaticTerms,
    names: &Names,
    term: StaticId,
) -> String {
    if matches!(terms.node(term), broth_engine::StaticNode::Variable(..)) {
        return variable_text(&loaded.flat, signature, terms, names, term);
    }
    let printer = Printer {
        notation: &loaded.notation,
        signature,
        terms,
        names,
        numbered: &ModuleNames { texts: &loaded.flat.name_texts, names },
        options: &PrintOptions::default(),
        sorts: &DeclaredSorts(signature, terms),
    };
    printer.term(term)
}

/// Whether an instance of the left side may lose its top operator.
pub fn may_collapse(signature: &Signature, terms: &StaticTerms, left: StaticId) -> bool {
    let symbol = signature.symbol(terms.node(left).symbol());
    let axioms = &symbol.axioms;
    let Some(identity) = axioms.identity else {
        return axioms.idem
            && terms
                .args(left)
                .iter()
                .any(|&a| matches!(terms.node(a), broth_engine::StaticNode::Variable(..)));
    };
    let least = terms.least_sort(signature, identity);
    let mut stay = 0u32;
    let args: Vec<(StaticId, u32)> = match terms.node(left) {
        broth_engine::StaticNode::Multiset(_, args) => args.to_vec(),
        _ => terms.args(left).into_iter().map(|a| (a, 1)).collect(),
    };
    let mut can = 0u32;
    for (arg, times) in args {
        let variable = match terms.node(arg) {
            broth_engine::StaticNode::Variable(symbol, _) => {
                let sort = signature.symbol(*symbol).declarations[0].range;
                signature.leq(least, sort)
            }
            _ => false,
        };
        if variable {
            can += times;
        } else {
            stay += times;
        }
    }
    can > 0 && stay <= 1
}

/// Where a statement uses a variable outside its left side.
pub fn place_of(statement: &Statement, variable: &str, names: &Names) -> Span {
    let base = variable.split(':').next().unwrap_or(variable);
    statement
        .tokens
        .iter()
        .enumerate()
        .filter(|(at, _)| !statement.lhs.contains(at))
        .find(|(_, token)| [variable, base].contains(&names.text(token.name)))
        .map_or(statement.span, |(_, token)| token.span)
}
