//! Flattening: sorts and operators of a module and of everything that it imports.
//!
//! The checks that need the imports are made here, for the module's own declarations only, in the
//! order in which the language makes them; what can be repaired is repaired in [`Own`], so that
//! importing modules meet the repaired declarations.

use broth_engine::{Signature, SortId};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::flat::{Flat, Strategy};
use super::library::Library;
use super::own::{Own, OwnOperator, TypeName};
use super::{classes, operators};
use crate::diagnose::module as messages;
use crate::diagnose::{Diagnostic, most_similar};
use crate::syntax::{Name, Names, Span, begins_statement};

/// What flattening works on.
pub struct Flattening<'a> {
    /// The other modules, all of them evaluated.
    pub library: &'a Library,
    /// The symbols of the session.
    pub signature: &'a mut Signature,
    /// The names of the session.
    pub names: &'a mut Names,
    /// Where messages go.
    pub diagnostics: &'a mut Vec<Diagnostic>,
}

/// Flattens a module; nothing if it cannot be used.
pub fn flatten(cx: &mut Flattening<'_>, own: &mut Own) -> Option<Flat> {
    let walk = cx.library.walk(own);
    check_sorts(cx, own, &walk);
    classes::desugar(cx, own, &walk);
    let sorts = create_sorts(cx, own, &walk)?;
    let kinds = {
        let mut kinds: Vec<_> = sorts.values().map(|s| s.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    };
    let mut flat = Flat {
        walk,
        sorts,
        operators: Vec::new(),
        by_declaration: FxHashMap::default(),
        by_symbol: FxHashMap::default(),
        aliases: IndexMap::default(),
        variables: FxHashMap::default(),
        name_texts: FxHashMap::default(),
        instances: FxHashMap::default(),
        new_instances: Vec::new(),
        sort_tests: FxHashMap::default(),
        strategies: Vec::new(),
        kinds,
    };
    operators::collect(cx, own, &mut flat);
    create_aliases(cx, own, &mut flat);
    create_strategies(cx, own, &mut flat);
    if own.unusable {
        return None;
    }
    operators::create_symbols(cx, &mut flat);
    Some(flat)
}

/// All modules of a walk but the last, which is the module itself.
pub fn imported<'a>(library: &'a Library, walk: &[Name]) -> impl Iterator<Item = &'a Own> {
    walk[..walk.len() - 1].iter().filter_map(|&name| library.own(name))
}

fn check_sorts(cx: &mut Flattening<'_>, own: &mut Own, walk: &[Name]) {
    let mut known: FxHashMap<Name, Span> = FxHashMap::default();
    for module in imported(cx.library, walk) {
        known.extend(module.sorts.iter().copied());
    }
    let mut sorts = Vec::new();
    for &(sort, span) in &own.sorts {
        if let Some(&earlier) = known.get(&sort) {
            cx.diagnostics.push(messages::redeclared_sort(cx.names.text(sort), span, earlier));
        } else {
            known.insert(sort, span);
            sorts.push((sort, span));
        }
    }
    own.sorts = sorts;
    let mut added = Vec::new();
    let declared: Vec<Name> = known.keys().copied().collect();
    let mut need = |sort: Name, span: Span, cx: &mut Flattening<'_>| {
        if known.contains_key(&sort) {
            return;
        }
        let text = cx.names.text(sort);
        let meant = most_similar(text, declared.iter().map(|&sort| cx.names.text(sort)));
        cx.diagnostics.push(messages::undeclared_sort(text, begins_statement(text), meant, span));
        known.insert(sort, span);
        added.push((sort, span));
    };
    for subsort in &own.subsorts {
        need(subsort.low.0, subsort.low.1, cx);
        need(subsort.high.0, subsort.high.1, cx);
    }
    let mut uses: Vec<(Span, Name)> = Vec::new();
    for op in &own.operators {
        for (sort, span) in op.domain.iter().chain([&op.range]).zip(&op.sort_spans) {
            uses.extend(sort.names().iter().map(|&name| (*span, name)));
        }
    }
    for alias in &own.aliases {
        uses.extend(alias.sort.names().iter().map(|&sort| (alias.sort_span, sort)));
    }
    uses.sort_by_key(|(span, _)| (span.file, span.start));
    for (span, sort) in uses {
        need(sort, span, cx);
    }
    for strategy in &own.strategies {
        for &sort in strategy.domain.iter().chain([&strategy.subject]).flat_map(TypeName::names) {
            need(sort, strategy.span, cx);
        }
    }
    own.sorts.append(&mut added);
}

fn create_sorts(
    cx: &mut Flattening<'_>,
    own: &mut Own,
    walk: &[Name],
) -> Option<IndexMap<Name, SortId, rustc_hash::FxBuildHasher>> {
    let mut table: IndexMap<Name, usize, rustc_hash::FxBuildHasher> = IndexMap::default();
    let mut relation = Vec::new();
    let modules: Vec<&Own> = imported(cx.library, walk).chain([&*own]).collect();
    for module in &modules {
        for &(sort, _) in &module.sorts {
            let next = table.len();
            table.entry(sort).or_insert(next);
        }
    }
    for module in &modules {
        relation.extend(module.subsorts.iter().map(|s| (table[&s.low.0], table[&s.high.0])));
    }
    if let Some(cycle) = Signature::find_cycle(table.len(), &relation) {
        let names: Vec<&str> = cycle
            .iter()
            .map(|&at| cx.names.text(*table.get_index(at).expect("sorts of the table").0))
            .collect();
        let in_cycle =
            |sort: Name| cycle.iter().any(|&at| table.get_index(at).is_some_and(|s| *s.0 == sort));
        let place = own
            .subsorts
            .iter()
            .find(|s| in_cycle(s.low.0) && in_cycle(s.high.0))
            .map_or(own.span, |s| s.low.1.to(s.high.1));
        cx.diagnostics.push(messages::subsort_cycle(&names, place));
        own.unusable = true;
        return None;
    }
    if let Some(at) = Signature::find_crowded_kind(table.len(), &relation) {
        let sort = cx.names.text(*table.get_index(at).expect("sorts of the table").0);
        cx.diagnostics.push(messages::crowded_kind(sort, Signature::MOST_SORTS, own.span));
        own.unusable = true;
        return None;
    }
    let texts: Vec<&str> = table.keys().map(|&name| cx.names.text(name)).collect();
    let ids = cx.signature.add_sorts(&texts, &relation);
    Some(table.keys().copied().zip(ids).collect())
}

/// Looks a sort or kind up. Sorts of a kind in different components: the first counts.
pub fn look_up(
    cx: &mut Flattening<'_>,
    flat: &Flat,
    sort: &TypeName,
    span: Span,
    report: bool,
) -> Option<SortId> {
    match sort {
        TypeName::Sort(name) => Some(flat.sorts[name]),
        TypeName::Universal => None,
        TypeName::Kind(names) => {
            let first = flat.sorts[&names[0]];
            for name in &names[1..] {
                if report && flat.sorts[name].kind != first.kind {
                    let (a, b) = (cx.names.text(names[0]), cx.names.text(*name));
                    cx.diagnostics.push(messages::different_kinds(a, b, span));
                }
            }
            Some(SortId::of_kind(first.kind))
        }
    }
}

fn create_aliases(cx: &mut Flattening<'_>, own: &Own, flat: &mut Flat) {
    for alias in &own.aliases {
        let Some(sort) = look_up(cx, flat, &alias.sort, alias.span, true) else { continue };
        let Some(&known) = flat.aliases.get(&alias.name) else {
            flat.aliases.insert(alias.name, sort);
            continue;
        };
        let earlier = own.aliases.iter().find(|other| other.name == alias.name);
        let earlier = earlier.map_or(alias.span, |other| other.span);
        let name = cx.names.text(alias.name);
        cx.diagnostics.push(if known == sort {
            messages::redeclared_alias(name, alias.span, earlier)
        } else {
            messages::contradictory_alias(name, alias.span, earlier)
        });
    }
}

fn create_strategies(cx: &mut Flattening<'_>, own: &Own, flat: &mut Flat) {
    let walk = flat.walk.clone();
    for (at, name) in walk.iter().enumerate() {
        let is_own = at + 1 == walk.len();
        let strategies = if is_own {
            own.strategies.clone()
        } else {
            cx.library.own(*name).map(|own| own.strategies.clone()).unwrap_or_default()
        };
        for strategy in strategies {
            let domain: Option<Vec<SortId>> = strategy
                .domain
                .iter()
                .map(|s| look_up(cx, flat, s, strategy.span, is_own))
                .collect();
            let subject = look_up(cx, flat, &strategy.subject, strategy.span, is_own);
            let (Some(domain), Some(_)) = (domain, subject) else { continue };
            let kinds = |sorts: &[SortId]| sorts.iter().map(|s| s.kind).collect::<Vec<_>>();
            let known = flat
                .strategies
                .iter()
                .any(|s| s.name == strategy.name && kinds(&s.domain) == kinds(&domain));
            if !known {
                flat.strategies.push(Strategy { name: strategy.name, domain });
            }
        }
    }
}

/// The operators of a module of the walk with their numbers.
pub fn operators_of<'a>(
    library: &'a Library,
    own: &'a Own,
    name: Name,
    is_own: bool,
) -> &'a [OwnOperator] {
    if is_own { &own.operators } else { library.own(name).map_or(&[], |own| &own.operators) }
}
