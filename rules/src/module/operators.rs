//! Operators of a flattened module: checks, overloading, and the symbols of the engine.

use broth_engine::{
    Axioms, Builtin, Declaration, KindId, Meaning, Numbers, ObjectRole, Role, Signature, SortId,
    SymbolId, SymbolSpec, Truth,
};
use rustc_hash::FxHashMap;

use super::attributes::Attributes;
use super::flat::{Flat, Operator, OperatorDeclaration};
use super::flatten::{Flattening, look_up, operators_of};
use super::hooks::{self, Hook};
use super::own::{Own, OwnOperator};
use crate::diagnose::module as messages;
use crate::syntax::Name;

/// What makes two declarations one operator.
type Key = (Name, Vec<Option<KindId>>, Option<KindId>);

/// Gathers the operators of all modules of the walk, and checks the module's own.
pub fn collect(cx: &mut Flattening<'_>, own: &mut Own, flat: &mut Flat) {
    let mut keys: FxHashMap<Key, usize> = FxHashMap::default();
    let walk = flat.walk.clone();
    for (at, &module) in walk.iter().enumerate() {
        let is_own = at + 1 == walk.len();
        let library = cx.library;
        let n = operators_of(library, own, module, is_own).len();
        for index in 0..n {
            if is_own {
                check(cx, own, flat, index);
            }
            let op = operators_of(library, own, module, is_own)[index].clone();
            let Some(declaration) = declare(cx, flat, &op, (module, index as u32), is_own) else {
                continue;
            };
            own.unusable |= enter(cx, flat, &mut keys, op, declaration, is_own);
        }
    }
}

/// Adds a declaration to its operator. Says whether the module became unusable.
fn enter(
    cx: &mut Flattening<'_>,
    flat: &mut Flat,
    keys: &mut FxHashMap<Key, usize>,
    op: OwnOperator,
    declaration: OperatorDeclaration,
    is_own: bool,
) -> bool {
    let kinds = |d: &OperatorDeclaration| -> (Vec<Option<KindId>>, Option<KindId>) {
        (d.domain.iter().map(|s| s.map(|s| s.kind)).collect(), d.range.map(|s| s.kind))
    };
    let (domain, range) = kinds(&declaration);
    let key = (op.name, domain, range);
    if let Some(&at) = keys.get(&key) {
        let earlier = &mut flat.operators[at];
        let agrees = earlier.attributes.agrees_with(&op.attributes);
        if !agrees {
            let name = cx.names.text(op.name);
            let place = if is_own { op.span } else { declaration.span };
            cx.diagnostics.push(messages::different_attributes(
                name,
                place,
                earlier.declarations[0].span,
            ));
            return true;
        }
        flat.by_declaration.insert(declaration.id, at);
        earlier.declarations.push(declaration);
        return false;
    }
    if is_own && !op.domain.is_empty() {
        let same_domain =
            flat.operators.iter().find(|other| other.name == op.name && other.kinds().0 == key.1);
        if let Some(other) = same_domain {
            let name = cx.names.text(op.name);
            cx.diagnostics.push(messages::different_range_kind(
                name,
                op.span,
                other.declarations[0].span,
            ));
        }
    }
    let mut refused: Option<Box<str>> = None;
    let hook = op.attributes.special.as_ref().and_then(|tokens| {
        hooks::read(tokens, cx.library.hooks(), cx.names)
            .map_err(|name| refused = Some(format!("special ({name})").into()))
            .ok()
    });
    if op.attributes.memo {
        refused = Some("memo".into());
    }
    if op.domain.len() > Signature::MOST_ARGUMENTS {
        refused = Some(format!("more than {} arguments", Signature::MOST_ARGUMENTS).into());
    }
    let at = flat.operators.len();
    keys.insert(key, at);
    flat.by_declaration.insert(declaration.id, at);
    flat.operators.push(Operator {
        name: op.name,
        declarations: vec![declaration],
        attributes: op.attributes,
        hook,
        symbol: None,
        prefix_only: op.prefix_only,
        refused,
    });
    false
}

/// Looks the sorts of a declaration up.
fn declare(
    cx: &mut Flattening<'_>,
    flat: &Flat,
    op: &OwnOperator,
    id: (Name, u32),
    report: bool,
) -> Option<OperatorDeclaration> {
    let domain = op.domain.iter().map(|s| look_up(cx, flat, s, op.span, report)).collect();
    let range = look_up(cx, flat, &op.range, op.span, report);
    Some(OperatorDeclaration { id, domain, range, ctor: op.attributes.ctor, span: op.span })
}

/// Checks one declaration of the module itself and repairs it.
fn check(cx: &mut Flattening<'_>, own: &mut Own, flat: &Flat, index: usize) {
    let op = own.operators[index].clone();
    let name = cx.names.text(op.name).to_owned();
    let kinds: Vec<Option<KindId>> =
        op.domain.iter().map(|s| look_up(cx, flat, s, op.span, false).map(|s| s.kind)).collect();
    let range = look_up(cx, flat, &op.range, op.span, false).map(|s| s.kind);
    let fixed = &mut own.operators[index];

    let places = op.tokens.iter().map(|&t| cx.names.text(t).matches('_').count()).sum::<usize>();
    let several = op.tokens.len() > 1 && !op.domain.is_empty();
    if (places > 0 || several) && places != op.domain.len() {
        cx.diagnostics.push(messages::places(&name, places, op.domain.len(), op.span));
        fixed.prefix_only = true;
    }
    if op.attributes.ditto {
        let earlier = earlier_attributes(cx, &own.operators[..index], flat, &op, &kinds);
        let fixed = &mut own.operators[index];
        match earlier {
            _ if op.attributes.has_more_than_ctor() => {
                cx.diagnostics.push(messages::ditto_with_others(&name, op.span));
            }
            Some(earlier) => fixed.attributes = op.attributes.filled_from(&earlier),
            None => cx.diagnostics.push(messages::ditto_alone(&name, op.span)),
        }
    }

    // What `ditto` brought is checked like what was written: the result may be of another kind.
    let attributes = &mut own.operators[index].attributes;
    let n = op.domain.len();
    let mut drop = |what: &'static str, why: String| {
        cx.diagnostics.push(messages::attribute_not_possible(what, &name, &why, op.span));
        false
    };
    let two = |what: &str| {
        if n != 2 {
            return Some(format!("{what} needs 2 arguments, and it has {n}"));
        }
        (kinds[0] != kinds[1]).then(|| "its arguments are of different kinds".to_owned())
    };
    let closed = |what: &str| {
        two(what)
            .or_else(|| (kinds[0] != range).then(|| "its result is of another kind".to_owned()))
    };
    if attributes.assoc
        && let Some(why) = closed("`assoc`")
    {
        attributes.assoc = drop("assoc", why);
    }
    if attributes.comm
        && let Some(why) = two("`comm`")
    {
        attributes.comm = drop("comm", why);
    }
    if attributes.identity.is_some()
        && let Some(why) = closed("`id:`")
    {
        drop("id:", why);
        attributes.identity = None;
    }
    if attributes.idem
        && let Some(why) = closed("`idem`")
    {
        attributes.idem = drop("idem", why);
    }
    if attributes.iter {
        if n != 1 {
            attributes.iter = drop("iter", format!("`iter` needs 1 argument, and it has {n}"));
        } else if kinds[0] != range {
            attributes.iter = drop("iter", "its result is of another kind".to_owned());
        }
    }
    if attributes.gather.as_ref().is_some_and(|g| g.len() != n) {
        attributes.gather = None;
        drop("gather", format!("it must have {n} entries"));
    }
    let gaps = gaps(cx, &op);
    if attributes.format.as_ref().is_some_and(|f| f.len() != gaps) {
        attributes.format = None;
        let mut drop = |what, why: String| {
            cx.diagnostics.push(messages::attribute_not_possible(what, &name, &why, op.span));
        };
        drop("format", format!("it must have {gaps} words"));
    }
    if let Some(Some(places)) = &attributes.frozen
        && places.iter().any(|&p| p == 0 || p as usize > n)
    {
        attributes.frozen = None;
        cx.diagnostics.push(messages::attribute_not_possible(
            "frozen",
            &name,
            "no such argument",
            op.span,
        ));
    }
    if attributes.frozen.is_some() && n == 0 {
        attributes.frozen = None;
        let why = "it has no arguments";
        cx.diagnostics.push(messages::attribute_not_possible("frozen", &name, why, op.span));
    }
    if (attributes.message || attributes.object) && n == 0 {
        let what = if attributes.message { "msg" } else { "object" };
        cx.diagnostics.push(messages::doubtful_attribute(
            what,
            &name,
            "it has no arguments",
            op.span,
        ));
    }
    if attributes.config && !(attributes.assoc && attributes.comm) {
        cx.diagnostics.push(messages::doubtful_attribute(
            "config",
            &name,
            "it is not associative and commutative",
            op.span,
        ));
    }
    if attributes.pconst && n > 0 {
        attributes.pconst = false;
        cx.diagnostics.push(messages::attribute_not_possible(
            "pconst",
            &name,
            "it is no constant",
            op.span,
        ));
    }
}

/// The attributes that `ditto` stands for: those of the nearest declaration before it that has the
/// same name and the same kinds of arguments, in the module itself or in what it imports.
fn earlier_attributes(
    cx: &mut Flattening<'_>,
    before: &[OwnOperator],
    flat: &Flat,
    op: &OwnOperator,
    kinds: &[Option<KindId>],
) -> Option<Attributes> {
    let mut same_kinds = |other: &OwnOperator| {
        other.domain.len() == kinds.len()
            && other.domain.iter().zip(kinds).all(|(sort, &kind)| {
                look_up(cx, flat, sort, op.span, false).map(|s| s.kind) == kind
            })
    };
    let own = before.iter().rev().find(|other| other.name == op.name && same_kinds(other));
    own.map(|other| other.attributes.clone()).or_else(|| {
        let mut imported = flat.operators.iter();
        let found = imported.find(|other| other.name == op.name && other.kinds().0 == kinds);
        found.map(|other| other.attributes.clone())
    })
}

/// The number of words that `format` must have.
fn gaps(cx: &Flattening<'_>, op: &OwnOperator) -> usize {
    let items: usize = op
        .tokens
        .iter()
        .map(|&t| {
            let text = cx.names.text(t);
            let places = text.matches('_').count();
            let words = text.split('_').filter(|w| !w.is_empty()).count();
            places + words
        })
        .sum();
    let has_places = op.tokens.iter().any(|&t| cx.names.text(t).contains('_'));
    if has_places || op.tokens.len() > 1 { items + 1 } else { 2 }
}

/// Makes a symbol for every operator that is not polymorphic.
pub fn create_symbols(cx: &mut Flattening<'_>, flat: &mut Flat) {
    let mut next = cx.signature.n_symbols() as u32;
    for op in &mut flat.operators {
        if !op.is_polymorphic() {
            op.symbol = Some(SymbolId(next));
            next += 1;
        }
    }
    let truth = truth(flat);
    for at in 0..flat.operators.len() {
        let op = &flat.operators[at];
        let Some(symbol) = op.symbol else { continue };
        let sorts = |s: &[Option<SortId>]| -> Vec<SortId> { s.iter().copied().flatten().collect() };
        let declarations: Vec<Declaration> = op
            .declarations
            .iter()
            .map(|d| Declaration {
                args: sorts(&d.domain),
                range: d.range.expect("it is not polymorphic"),
                ctor: d.ctor,
            })
            .collect();
        let args: Vec<KindId> = declarations[0].args.iter().map(|s| s.kind).collect();
        let range = declarations[0].range.kind;
        let role = match op.hook {
            Some(Hook::Builtin(hook, meaning)) => Role::Builtin(Builtin {
                hook,
                meaning,
                truth,
                numbers: numbers(cx, flat, args.first().copied().unwrap_or(range)),
            }),
            _ => Role::Operator,
        };
        let attributes = &op.attributes;
        let spec = SymbolSpec {
            name: cx.names.text(op.name).into(),
            args,
            range,
            declarations,
            axioms: Axioms {
                assoc: attributes.assoc,
                comm: attributes.comm,
                idem: attributes.idem,
                iter: attributes.iter,
                ..Axioms::default()
            },
            strategy: strategy(attributes.strat.as_deref(), op.arity()),
            frozen: frozen(attributes.frozen.as_ref(), op.arity()),
            memo: attributes.memo,
            role,
        };
        let made = cx.signature.add_symbol(spec);
        debug_assert_eq!(made, symbol);
        if let Some(role) = object_role(attributes) {
            cx.signature.set_object_role(made, role);
        }
        flat.by_symbol.insert(symbol, at);
    }
}

/// What an operator is among objects and messages.
fn object_role(attributes: &Attributes) -> Option<ObjectRole> {
    if attributes.config {
        Some(ObjectRole::Configuration)
    } else if attributes.object {
        Some(ObjectRole::Object)
    } else if attributes.message {
        Some(ObjectRole::Message)
    } else {
        None
    }
}

/// An evaluation strategy without what names no argument.
pub fn strategy(written: Option<&[i32]>, arity: usize) -> Option<Vec<u32>> {
    let written = written?;
    if written.is_empty() {
        return None;
    }
    let known = |&step: &i32| Some(step.unsigned_abs()).filter(|&s| s as usize <= arity);
    Some(written.iter().filter_map(known).collect())
}

/// Frozen places from 0.
pub fn frozen(written: Option<&Option<Vec<u32>>>, arity: usize) -> Vec<u32> {
    match written {
        None => Vec::new(),
        Some(None) => (0..arity as u32).collect(),
        Some(Some(places)) => {
            let mut places: Vec<u32> = places.iter().map(|p| p - 1).collect();
            places.sort_unstable();
            places.dedup();
            places
        }
    }
}

/// The truth values of a module, if it has them.
pub fn truth(flat: &Flat) -> Option<Truth> {
    let yes = flat.hooked(|hook| hook.meaning() == Some(Meaning::True))?;
    let no = flat.hooked(|hook| hook.meaning() == Some(Meaning::False))?;
    Some(Truth { yes, no })
}

/// The constructors of numbers of a kind, if it has them.
pub fn numbers(cx: &Flattening<'_>, flat: &Flat, kind: KindId) -> Option<Numbers> {
    let in_kind = |op: &&Operator| op.kinds().1 == Some(kind);
    let hooked = |meaning: Meaning| {
        flat.operators.iter().filter(in_kind).find(|op| op.meaning() == Some(meaning))
    };
    let succ = hooked(Meaning::Succ)?;
    let zero = succ.attributes.special.as_ref().and_then(|t| hooks::zero_name(t, cx.names))?;
    let zero =
        flat.operators.iter().filter(in_kind).find(|op| op.name == zero && op.arity() == 0)?;
    Some(Numbers {
        zero: zero.symbol?,
        succ: succ.symbol?,
        minus: hooked(Meaning::Minus).and_then(|op| op.symbol),
    })
}
