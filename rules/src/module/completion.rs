//! Completion of objects in the statements of object-oriented modules (`docs/semantics.md` 11.3,
//! 11.4).
//!
//! An object on the left side stands for all objects of its class and of the classes below it, with
//! whatever further attributes: the class becomes a variable, and a variable for the other
//! attributes is added, in the same way in every place where an object of this name occurs.

use broth_engine::{Fragment, SortId, StaticId, StaticNode, StaticTerms, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::evaluate::ModuleBuilder;
use super::flat::Flat;
use super::hooks::Hook;
use super::loaded::{Conclusion, Loaded, Terms, Vocabulary};
use super::symbols::{name_id, variable_symbol};
use crate::diagnose::module as messages;
use crate::syntax::{Names, Span};

/// The operators that objects are made of.
#[derive(Clone, Copy)]
struct Objects {
    object: SymbolId,
    comma: SymbolId,
    none: SymbolId,
    cid: SortId,
    attribute_set: SortId,
}

/// The attributes of an object, taken apart.
#[derive(Clone, Default)]
struct ObjectAttributes {
    /// Each attribute with its operator.
    list: Vec<(SymbolId, StaticId)>,
    /// The variables for further attributes.
    variables: Vec<StaticId>,
}

/// What becomes of the objects of one name.
struct Plan {
    class: StaticId,
    left: ObjectAttributes,
    rest: StaticId,
}

/// What completing works with.
struct Completion<'a> {
    vocabulary: &'a mut Vocabulary,
    names: &'a mut Names,
}

/// Completes a statement; nothing if there is nothing to complete or it may not be completed, which
/// is then said.
pub fn complete(
    builder: &mut ModuleBuilder<'_>,
    loaded: &mut Loaded,
    raw: &Terms,
    span: Span,
) -> Option<Terms> {
    let flat = &mut loaded.flat;
    let cx = &mut Completion { vocabulary: &mut loaded.vocabulary, names: builder.names };
    let objects = objects(cx, flat)?;
    let vocabulary = &mut *cx.vocabulary;
    let left = vocabulary.terms.normalise(&vocabulary.signature, raw.left);
    let found = objects_in(&vocabulary.terms, objects.object, left);
    if found.is_empty() {
        return None;
    }
    match plan(cx, flat, objects, raw, left, &found) {
        Ok(plans) => Some(apply(cx, objects, raw, left, &plans)),
        Err(why) => {
            builder.diagnostics.push(messages::not_completed(why, span));
            None
        }
    }
}

fn objects(cx: &Completion<'_>, flat: &Flat) -> Option<Objects> {
    let object = flat.hooked(|hook| hook == Hook::Object)?;
    let sort = |name: &str| cx.names.find(name).and_then(|n| flat.sorts.get(&n)).copied();
    let (cid, attribute_set) = (sort("Cid")?, sort("AttributeSet")?);
    let in_sets = |name: &str, arity: usize| {
        let name = cx.names.find(name)?;
        flat.operators
            .iter()
            .find(|op| {
                op.name == name && op.arity() == arity && op.kinds().1 == Some(attribute_set.kind)
            })
            .and_then(|op| op.symbol)
    };
    let comma = in_sets("_`,_", 2)?;
    let none = in_sets("none", 0)?;
    Some(Objects { object, comma, none, cid, attribute_set })
}

/// All different objects of a term, in the order of its arguments, depth first.
fn objects_in(terms: &StaticTerms, object: SymbolId, term: StaticId) -> Vec<StaticId> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![term];
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        if terms.node(t).symbol() == object {
            found.push(t);
        }
        stack.extend(terms.args(t).into_iter().rev());
    }
    found
}

/// Takes an attribute set apart; the error says why it cannot be done.
fn attributes_of(
    terms: &StaticTerms,
    signature: &broth_engine::Signature,
    objects: Objects,
    set: StaticId,
) -> Result<ObjectAttributes, &'static str> {
    let mut found = ObjectAttributes::default();
    let mut stack = vec![set];
    while let Some(t) = stack.pop() {
        let symbol = terms.node(t).symbol();
        match terms.node(t) {
            _ if symbol == objects.none => {}
            _ if symbol == objects.comma => stack.extend(terms.args(t).into_iter().rev()),
            StaticNode::Variable(..) => {
                if signature.symbol(symbol).declarations[0].range != objects.attribute_set {
                    return Err("a variable among the attributes is not of sort AttributeSet");
                }
                found.variables.push(t);
            }
            StaticNode::App(_, args) if args.len() == 1 => {
                if found.list.iter().any(|(other, _)| *other == symbol) {
                    return Err("an attribute occurs twice in an object");
                }
                found.list.push((symbol, t));
            }
            _ => return Err("there is something else than attributes among the attributes"),
        }
    }
    if found.variables.len() > 1 {
        return Err("an object has two variables for further attributes");
    }
    Ok(found)
}

/// The parts of a statement in which objects are completed like those of a right side, and those
/// in which there may be none.
fn parts(raw: &Terms) -> (Vec<StaticId>, Vec<StaticId>) {
    let (mut open, mut closed) = (Vec::new(), Vec::new());
    if let Conclusion::Term(right) = raw.conclusion {
        open.push(right);
    }
    for fragment in &raw.condition {
        match *fragment {
            Fragment::Equal(a, b) => open.extend([a, b]),
            Fragment::Sort(t, _) => open.push(t),
            Fragment::Match(p, t) | Fragment::Rewrite(t, p) => {
                open.push(t);
                closed.push(p);
            }
        }
    }
    (open, closed)
}

fn plan(
    cx: &mut Completion<'_>,
    flat: &mut Flat,
    objects: Objects,
    raw: &Terms,
    left: StaticId,
    found: &[StaticId],
) -> Result<FxHashMap<StaticId, Plan>, &'static str> {
    let (open, closed) = parts(raw);
    let vocabulary = &mut *cx.vocabulary;
    if closed.iter().any(|&p| !objects_in(&vocabulary.terms, objects.object, p).is_empty()) {
        return Err("there is an object in a pattern of the condition");
    }
    let mut taken: FxHashSet<broth_engine::NameId> = FxHashSet::default();
    for &term in [left].iter().chain(&open).chain(&closed) {
        for variable in vocabulary.terms.variables(term) {
            if let StaticNode::Variable(_, id) = vocabulary.terms.node(variable) {
                taken.insert(*id);
            }
        }
    }
    let others: Vec<StaticId> =
        open.iter().flat_map(|&t| objects_in(&vocabulary.terms, objects.object, t)).collect();
    let mut plans: FxHashMap<StaticId, Plan> = FxHashMap::default();
    for &object in found {
        let args = cx.vocabulary.terms.args(object);
        let (name, class) = (args[0], args[1]);
        if plans.contains_key(&name) {
            return Err("two objects of the left side have the same name");
        }
        let vocabulary = &*cx.vocabulary;
        let mut attributes =
            attributes_of(&vocabulary.terms, &vocabulary.signature, objects, args[2])?;
        let range = vocabulary.signature.symbol(vocabulary.terms.node(class).symbol()).declarations
            [0]
        .range;
        let is_class = !range.is_kind()
            && range != objects.cid
            && vocabulary.signature.leq(range, objects.cid);
        let variable = matches!(vocabulary.terms.node(class), StaticNode::Variable(..));
        let constant =
            matches!(vocabulary.terms.node(class), StaticNode::App(_, a) if a.is_empty());
        if !is_class || !(variable || constant) {
            return Err("the class of an object is neither a class nor a variable of a class");
        }
        for &other in &others {
            let args = cx.vocabulary.terms.args(other);
            let vocabulary = &mut *cx.vocabulary;
            if vocabulary.terms.normalise(&vocabulary.signature, args[0]) != name {
                continue;
            }
            if args[1] != class {
                return Err("an object has another class elsewhere in the statement");
            }
            let there = attributes_of(&vocabulary.terms, &vocabulary.signature, objects, args[2])?;
            if there.variables != attributes.variables {
                return Err("the variables for further attributes of an object are not the same");
            }
            for (symbol, _) in there.list {
                if attributes.list.iter().any(|(known, _)| *known == symbol) {
                    continue;
                }
                let kind = cx.vocabulary.signature.symbol(symbol).args[0];
                let value = fresh(cx, flat, &mut taken, "A", SortId::of_kind(kind));
                let added = cx.vocabulary.terms.app(symbol, &[value]);
                attributes.list.push((symbol, added));
            }
        }
        let class = match constant {
            true => fresh(cx, flat, &mut taken, "V", range),
            false => class,
        };
        let rest = match attributes.variables.first() {
            Some(&variable) => variable,
            None => fresh(cx, flat, &mut taken, "Atts", objects.attribute_set),
        };
        plans.insert(name, Plan { class, left: attributes, rest });
    }
    Ok(plans)
}

/// A variable whose name no variable of the statement has: `V`, `V2`, `V3` ...
fn fresh(
    cx: &mut Completion<'_>,
    flat: &mut Flat,
    taken: &mut FxHashSet<broth_engine::NameId>,
    base: &str,
    sort: SortId,
) -> StaticId {
    for number in 1u32.. {
        let text = if number == 1 { base.to_owned() } else { format!("{base}{number}") };
        let name = cx.names.intern(&text);
        cx.names.number_name(name);
        let id = name_id(cx.names, name);
        if taken.insert(id) {
            flat.name_texts.insert(id, name);
            let symbol = variable_symbol(flat, &mut cx.vocabulary.signature, sort);
            return cx.vocabulary.terms.variable(symbol, id);
        }
    }
    unreachable!("a statement has fewer than 2^32 variables")
}

fn apply(
    cx: &mut Completion<'_>,
    objects: Objects,
    raw: &Terms,
    left: StaticId,
    plans: &FxHashMap<StaticId, Plan>,
) -> Terms {
    let mut done: FxHashMap<StaticId, StaticId> = FxHashMap::default();
    let mut term =
        |cx: &mut Completion<'_>, t: StaticId| complete_term(cx, objects, plans, &mut done, t);
    let condition = raw
        .condition
        .iter()
        .map(|fragment| match *fragment {
            Fragment::Equal(a, b) => Fragment::Equal(term(cx, a), term(cx, b)),
            Fragment::Sort(t, sort) => Fragment::Sort(term(cx, t), sort),
            Fragment::Match(p, t) => Fragment::Match(p, term(cx, t)),
            Fragment::Rewrite(t, p) => Fragment::Rewrite(term(cx, t), p),
        })
        .collect();
    let left = term(cx, left);
    let conclusion = match raw.conclusion {
        Conclusion::Term(right) => Conclusion::Term(term(cx, right)),
        sort @ Conclusion::Sort(_) => sort,
    };
    Terms { left, conclusion, condition }
}

/// Completes the objects of a term from the inside out.
fn complete_term(
    cx: &mut Completion<'_>,
    objects: Objects,
    plans: &FxHashMap<StaticId, Plan>,
    done: &mut FxHashMap<StaticId, StaticId>,
    term: StaticId,
) -> StaticId {
    let mut stack = vec![term];
    while let Some(&t) = stack.last() {
        if done.contains_key(&t) {
            stack.pop();
            continue;
        }
        let before = stack.len();
        let args = cx.vocabulary.terms.args(t);
        stack.extend(args.iter().filter(|a| !done.contains_key(a)));
        if stack.len() > before {
            continue;
        }
        stack.pop();
        let vocabulary = &mut *cx.vocabulary;
        let name = (vocabulary.terms.node(t).symbol() == objects.object)
            .then(|| vocabulary.terms.normalise(&vocabulary.signature, args[0]));
        let made = match name.and_then(|name| plans.get(&name)) {
            Some(plan) => {
                let mut set =
                    attributes_of(&vocabulary.terms, &vocabulary.signature, objects, args[2])
                        .expect("it was taken apart before")
                        .list;
                for &(symbol, attribute) in &plan.left.list {
                    if !set.iter().any(|(known, _)| *known == symbol) {
                        set.push((symbol, attribute));
                    }
                }
                let mut elements: Vec<StaticId> =
                    set.iter().map(|(_, a)| done.get(a).copied().unwrap_or(*a)).collect();
                elements.push(plan.rest);
                let all = match elements.as_slice() {
                    [only] => *only,
                    _ => vocabulary.terms.app(objects.comma, &elements),
                };
                vocabulary.terms.app(objects.object, &[done[&args[0]], plan.class, all])
            }
            None => {
                let of = |a: &StaticId| done[a];
                let node = match vocabulary.terms.node(t).clone() {
                    StaticNode::App(s, args) => StaticNode::App(s, args.iter().map(of).collect()),
                    StaticNode::Multiset(s, args) => StaticNode::App(
                        s,
                        args.iter()
                            .flat_map(|(a, m)| std::iter::repeat_n(of(a), *m as usize))
                            .collect(),
                    ),
                    StaticNode::Iter(s, count, arg) => StaticNode::Iter(s, count, of(&arg)),
                    leaf => leaf,
                };
                vocabulary.terms.add(node)
            }
        };
        done.insert(t, made);
    }
    done[&term]
}
