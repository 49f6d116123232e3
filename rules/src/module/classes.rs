//! Classes and subclasses as sorts and operators (`docs/semantics.md` 11.2).

use rustc_hash::{FxHashMap, FxHashSet};

use super::attributes::Attributes;
use super::flatten::{Flattening, imported};
use super::own::{Own, OwnOperator, OwnSubsort, TypeName};
use crate::diagnose::module as messages;
use crate::syntax::{Gather, Name, Span, begins_statement};

/// Adds what the classes of a module stand for to its sorts, subsorts and operators.
pub fn desugar(cx: &mut Flattening<'_>, own: &mut Own, walk: &[Name]) {
    if own.classes.is_empty() && own.subclasses.is_empty() {
        return;
    }
    let mut sorts: FxHashMap<Name, Span> = FxHashMap::default();
    let mut classes: FxHashSet<Name> = FxHashSet::default();
    for module in imported(cx.library, walk) {
        sorts.extend(module.sorts.iter().copied());
        classes.extend(module.classes.iter().map(|c| c.name));
    }
    sorts.extend(own.sorts.iter().copied());
    for class in &own.classes {
        if let Some(&earlier) = sorts.get(&class.name) {
            cx.diagnostics.push(messages::class_clash(
                cx.names.text(class.name),
                class.span,
                earlier,
            ));
        } else {
            sorts.insert(class.name, class.span);
            own.sorts.push((class.name, class.span));
        }
        classes.insert(class.name);
    }
    let cid = cx.names.intern("Cid");
    for class in &own.classes {
        own.subsorts.push(OwnSubsort { low: (class.name, class.span), high: (cid, class.span) });
    }
    for subclass in std::mem::take(&mut own.subclasses) {
        let mut fine = true;
        for (name, span) in [subclass.low, subclass.high] {
            if !classes.contains(&name) {
                cx.diagnostics.push(messages::no_class(cx.names.text(name), span));
                fine = false;
            }
        }
        if fine {
            own.subsorts.push(subclass);
        }
    }
    let mut added = Vec::new();
    for class in &own.classes {
        for (_, sort) in &class.attributes {
            for &name in sort.names() {
                if let std::collections::hash_map::Entry::Vacant(entry) = sorts.entry(name) {
                    entry.insert(class.span);
                    let text = cx.names.text(name);
                    let keyword = begins_statement(text);
                    cx.diagnostics.push(messages::undeclared_sort(text, keyword, None, class.span));
                    added.push((name, class.span));
                }
            }
        }
    }
    for needed in ["Cid", "Attribute"] {
        let name = cx.names.intern(needed);
        if !own.classes.is_empty() && !sorts.contains_key(&name) {
            cx.diagnostics.push(messages::undeclared_sort(
                needed,
                false,
                None,
                own.classes[0].span,
            ));
            added.push((name, own.span));
        }
    }
    own.sorts.append(&mut added);
    let operators: Vec<OwnOperator> =
        own.classes.iter().flat_map(|class| class_operators(cx, class)).collect();
    own.operators.extend(operators);
}

/// The constant of a class and an operator for each of its attributes.
fn class_operators(cx: &mut Flattening<'_>, class: &super::own::OwnClass) -> Vec<OwnOperator> {
    let mut made = vec![OwnOperator {
        name: class.name,
        tokens: vec![class.name],
        domain: Vec::new(),
        range: TypeName::Sort(class.name),
        attributes: Attributes { ctor: true, ..Attributes::default() },
        span: class.span,
        sort_spans: vec![class.span],
        prefix_only: false,
    }];
    let attribute = cx.names.intern("Attribute");
    let mut seen: Vec<(Name, &TypeName)> = Vec::new();
    for (token, sort) in &class.attributes {
        if seen.contains(&(token.name, sort)) {
            continue;
        }
        seen.push((token.name, sort));
        let text = cx.names.text(token.name).to_owned();
        let name = cx.names.intern(&format!("{text}`:_"));
        let tokens = [text.as_str(), ":_"].map(|t| cx.names.intern(t)).to_vec();
        made.push(OwnOperator {
            name,
            tokens,
            domain: vec![sort.clone()],
            range: TypeName::Sort(attribute),
            attributes: Attributes {
                ctor: true,
                gather: Some(vec![Gather::Any]),
                ..Attributes::default()
            },
            span: token.span,
            sort_spans: vec![token.span; 2],
            prefix_only: false,
        });
    }
    made
}
