//! What the term grammar needs to know of a flattened module.

use broth_engine::{KindId, Meaning, Signature, SortId};
use rustc_hash::FxHashMap;

use super::flat::{DeclarationId, Flat, Operator};
use super::hooks::{self, Hook};
use crate::mixfix::{
    Description, Item, KindIndex, Literals, Nesting, NumberSyntax, ObjectSyntax,
    OperatorDescription, OperatorIndex, PolymorphDescription, SortDescription, SortIndex,
    StrategyDescription, Syntax, Type, default_gather, default_precedence, name_items,
};
use crate::syntax::{Name, Names};

/// What the places of a description stand for, in terms that other modules understand too.
#[derive(Debug, Default)]
pub struct Origin {
    /// The first declaration of each operator.
    pub operators: Vec<DeclarationId>,
    /// The first declaration of each polymorphic operator.
    pub polymorphs: Vec<DeclarationId>,
    /// The sorts.
    pub sorts: Vec<Name>,
    /// A sort of each kind.
    pub kinds: Vec<Name>,
    /// The strategies: name and a sort of each parameter's kind.
    pub strategies: Vec<(Name, Vec<Name>)>,
    /// The literals.
    pub literals: Literals,
}

/// Describes a flattened module.
pub fn describe(
    flat: &Flat,
    signature: &Signature,
    names: &mut Names,
    labels: Vec<Name>,
) -> (Description, Origin) {
    let mut origin = Origin::default();
    let mut description =
        Description { n_kinds: flat.kinds.len() as u32, labels, ..Description::default() };
    let kind_of: FxHashMap<KindId, KindIndex> =
        flat.kinds.iter().zip(0..).map(|(&kind, at)| (kind, KindIndex(at))).collect();
    for (&name, sort) in &flat.sorts {
        description.sorts.push(SortDescription { name, kind: kind_of[&sort.kind] });
        origin.sorts.push(name);
    }
    origin.kinds = flat
        .kinds
        .iter()
        .map(|kind| {
            let named = flat.sorts.iter().find(|(_, sort)| sort.kind == *kind);
            *named.expect("a kind has a sort").0
        })
        .collect();
    let mut place: FxHashMap<usize, OperatorIndex> = FxHashMap::default();
    for (at, op) in flat.operators.iter().enumerate() {
        let (args, range) = op.kinds();
        let first = op.declarations[0].id;
        let syntax = syntax(op, signature, names);
        if op.is_polymorphic() {
            let args = args.iter().map(|k| k.map(|k| kind_of[&k])).collect();
            let range = range.map(|k| kind_of[&k]);
            description.polymorphs.push(PolymorphDescription { syntax, args, range });
            origin.polymorphs.push(first);
        } else {
            let kind = |k: Option<KindId>| kind_of[&k.expect("it is not polymorphic")];
            place.insert(at, OperatorIndex(description.operators.len() as u32));
            description.operators.push(OperatorDescription {
                syntax,
                args: args.into_iter().map(kind).collect(),
                range: kind(range),
            });
            origin.operators.push(first);
        }
    }
    let position = |wanted: &dyn Fn(&Operator) -> bool| {
        flat.operators.iter().position(wanted).and_then(|at| place.get(&at).copied())
    };
    for (at, op) in flat.operators.iter().enumerate() {
        if op.meaning() != Some(Meaning::Succ) {
            continue;
        }
        let kind = op.kinds().1;
        let zero = op.attributes.special.as_ref().and_then(|t| hooks::zero_name(t, names));
        let zero = position(&|other| {
            Some(other.name) == zero && other.arity() == 0 && other.kinds().1 == kind
        });
        let minus =
            position(&|other| other.meaning() == Some(Meaning::Minus) && other.kinds().1 == kind);
        if let Some(zero) = zero {
            description.literals.numbers.push(NumberSyntax {
                zero,
                succ: place[&at],
                minus,
                division: None,
            });
        }
    }
    origin.literals = description.literals.clone();
    let is_true = |op: &Operator| op.meaning() == Some(Meaning::True);
    let truth = flat.operators.iter().find(|op| is_true(op));
    description.truth = truth.and_then(|op| op.kinds().1).map(|kind| kind_of[&kind]);
    description.sort_tests = description.truth.is_some();
    description.objects = objects(flat, &place, names);
    description.aliases =
        flat.aliases.iter().map(|(&name, &sort)| (name, type_of(flat, &kind_of, sort))).collect();
    description.strategies = flat
        .strategies
        .iter()
        .map(|s| StrategyDescription {
            name: s.name,
            args: s.domain.iter().map(|sort| kind_of[&sort.kind]).collect(),
        })
        .collect();
    let sort_of = |kind: KindId| origin.kinds[kind_of[&kind].index()];
    origin.strategies = flat
        .strategies
        .iter()
        .map(|s| (s.name, s.domain.iter().map(|sort| sort_of(sort.kind)).collect()))
        .collect();
    (description, origin)
}

fn type_of(flat: &Flat, kind_of: &FxHashMap<KindId, KindIndex>, sort: SortId) -> Type {
    if sort.is_kind() {
        return Type::Kind(kind_of[&sort.kind]);
    }
    let at = flat.sorts.values().position(|s| *s == sort).expect("a sort of the module");
    Type::Sort(SortIndex(at as u32))
}

fn objects(
    flat: &Flat,
    place: &FxHashMap<usize, OperatorIndex>,
    names: &Names,
) -> Option<ObjectSyntax> {
    let at = flat.operators.iter().position(|op| op.hook == Some(Hook::Object))?;
    let attributes = *flat.operators[at].kinds().0.get(2)?;
    let none = names.find("none")?;
    let empty = flat
        .operators
        .iter()
        .position(|op| op.name == none && op.arity() == 0 && op.kinds().1 == attributes)?;
    Some(ObjectSyntax { object: *place.get(&at)?, no_attributes: *place.get(&empty)? })
}

fn syntax(op: &Operator, signature: &Signature, names: &mut Names) -> Syntax {
    let text = names.text(op.name).to_owned();
    let items = if op.prefix_only { vec![Item::Token(op.name)] } else { name_items(&text, names) };
    let n_args = op.arity();
    let attributes = &op.attributes;
    let prec = attributes.prec.unwrap_or_else(|| default_precedence(&items, n_args));
    let gather = attributes.gather.clone().unwrap_or_else(|| {
        default_gather(&items, n_args, prec, attributes.assoc, nesting(op, signature))
    });
    Syntax {
        name: op.name,
        items,
        prec,
        gather,
        assoc: attributes.assoc,
        iter: attributes.iter,
        format: attributes.format.as_ref().map(|words| words.iter().map(|t| t.name).collect()),
    }
}

/// Whether results of an operator fit its first and its last place.
fn nesting(op: &Operator, signature: &Signature) -> Nesting {
    let fits = |place: &dyn Fn(&[Option<SortId>]) -> Option<SortId>| {
        op.declarations.iter().any(|result| {
            op.declarations.iter().any(|wanted| match (result.range, place(&wanted.domain)) {
                (Some(range), Some(sort)) => signature.leq(range, sort),
                (None, None) => true,
                _ => false,
            })
        })
    };
    let kinds = op.kinds();
    let same_kind = kinds.0.first() == Some(&kinds.1) && kinds.0.last() == Some(&kinds.1);
    if !same_kind {
        return Nesting { first: false, last: false };
    }
    Nesting {
        first: fits(&|domain| domain.first().copied().flatten()),
        last: fits(&|domain| domain.last().copied().flatten()),
    }
}
