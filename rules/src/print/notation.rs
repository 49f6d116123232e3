//! How the symbols of a theory are written: a table from symbols to syntax.
//!
//! It also knows, for each operator, whether its name alone can be mistaken for that of another one
//! (`docs/semantics.md` 9.4, "`(t).S`").

use std::sync::Arc;

use broth_engine::{
    KindId, Meaning, Signature, SortId, StaticId, StaticNode, StaticTerms, StrategyId, SymbolId,
};
use dashu_int::UBig;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::mixfix::{
    Description, KindIndex, OperatorIndex, PolymorphIndex, Syntax, Type, literal_value,
};
use crate::syntax::{Name, Names};

/// What a symbol of numbers is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NumberRole {
    Zero,
    /// With the `0` that it counts from.
    Succ(SymbolId),
    Minus,
    Division,
}

/// Whether other operators have the name and the number of arguments of an operator.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Others {
    /// Some one has the same argument kinds.
    pub same_args: bool,
    /// Some one has different argument kinds.
    pub other_args: bool,
    /// Some one has different argument kinds and the same range.
    pub other_args_same_range: bool,
}

/// Where the syntax of a symbol stands.
#[derive(Clone, Copy, Debug)]
enum SyntaxPlace {
    Operator(OperatorIndex),
    Polymorph(PolymorphIndex),
}

/// The kinds of the arguments and of the result.
type Arity = (Vec<KindId>, KindId);

#[derive(Clone, Copy, Debug)]
struct SymbolEntry {
    place: SyntaxPlace,
    others: Others,
}

/// How the symbols of a theory are written.
#[derive(Debug)]
pub struct Notation {
    description: Arc<Description>,
    entries: FxHashMap<SymbolId, SymbolEntry>,
    numbers: FxHashMap<SymbolId, NumberRole>,
    aliases: FxHashMap<Box<str>, SmallVec<[SortId; 1]>>,
    /// Constants whose names are literals, by what they would denote, with their kinds.
    literal_names: FxHashMap<String, SmallVec<[KindId; 1]>>,
    several_number_systems: bool,
    /// The kinds of the description in the theory.
    kinds: Vec<KindId>,
    /// Argument kinds and ranges by name and number of arguments, operators only.
    overloads: FxHashMap<(Name, usize), Vec<Arity>>,
}

impl Notation {
    /// The notation of a theory whose symbols, sorts and kinds are given by their places in the
    /// description. Instances of polymorphic operators are added when they are made; variable
    /// symbols and sort tests need not be. The number of a strategy in the theory is its place in
    /// the description.
    pub fn new(
        description: Arc<Description>,
        operators: &[SymbolId],
        sorts: &[SortId],
        kinds: &[KindId],
        names: &Names,
    ) -> Notation {
        let mut notation = Notation {
            entries: FxHashMap::default(),
            numbers: FxHashMap::default(),
            aliases: FxHashMap::default(),
            literal_names: FxHashMap::default(),
            several_number_systems: description.literals.numbers.len() > 1,
            kinds: kinds.to_vec(),
            overloads: FxHashMap::default(),
            description: description.clone(),
        };
        for &(name, of) in &description.aliases {
            let sort = match of {
                Type::Sort(sort) => sorts[sort.index()],
                Type::Kind(kind) => SortId::of_kind(kinds[kind.index()]),
            };
            notation.aliases.entry(names.text(name).into()).or_default().push(sort);
        }
        for operator in &description.operators {
            let args: Vec<KindId> = operator.args.iter().map(|k| kinds[k.index()]).collect();
            let range = kinds[operator.range.index()];
            if args.is_empty()
                && let Some(value) = literal_value(names.text(operator.syntax.name))
            {
                notation.literal_names.entry(value).or_default().push(range);
            }
            let key = (operator.syntax.name, args.len());
            notation.overloads.entry(key).or_default().push((args, range));
        }
        for (at, operator) in description.operators.iter().enumerate() {
            let args: Vec<KindId> = operator.args.iter().map(|k| kinds[k.index()]).collect();
            let range = kinds[operator.range.index()];
            let others = notation.others(operator.syntax.name, &args, range);
            let place = SyntaxPlace::Operator(OperatorIndex(at as u32));
            notation.entries.insert(operators[at], SymbolEntry { place, others });
        }
        for system in &description.literals.numbers {
            let symbol = |op: OperatorIndex| operators[op.index()];
            let zero = symbol(system.zero);
            notation.numbers.insert(zero, NumberRole::Zero);
            notation.numbers.insert(symbol(system.succ), NumberRole::Succ(zero));
            if let Some(minus) = system.minus {
                notation.numbers.insert(symbol(minus), NumberRole::Minus);
            }
            if let Some(division) = system.division {
                notation.numbers.insert(symbol(division), NumberRole::Division);
            }
        }
        notation
    }

    /// Adds the instance of a polymorphic operator for a kind.
    pub fn add_instance(&mut self, symbol: SymbolId, polymorph: PolymorphIndex, kind: KindIndex) {
        let described = &self.description.polymorphs[polymorph.index()];
        let kind_of = |k: Option<KindIndex>| self.kinds[k.unwrap_or(kind).index()];
        let args: Vec<KindId> = described.args.iter().map(|k| kind_of(*k)).collect();
        let others = self.others(described.syntax.name, &args, kind_of(described.range));
        let place = SyntaxPlace::Polymorph(polymorph);
        self.entries.insert(symbol, SymbolEntry { place, others });
    }

    /// How the other operators of a name and a number of arguments differ from one of them.
    fn others(&self, name: Name, args: &[KindId], range: KindId) -> Others {
        let mut others = Others::default();
        let mut compare = |other_args: &[KindId], other_range: KindId| {
            if other_args == args {
                others.same_args |= other_range != range;
            } else {
                others.other_args = true;
                others.other_args_same_range |= other_range == range;
            }
        };
        for (other_args, other_range) in
            self.overloads.get(&(name, args.len())).into_iter().flatten()
        {
            compare(other_args, *other_range);
        }
        for polymorph in &self.description.polymorphs {
            if polymorph.syntax.name != name || polymorph.args.len() != args.len() {
                continue;
            }
            for &kind in &self.kinds {
                let of = |k: Option<KindIndex>| k.map_or(kind, |k| self.kinds[k.index()]);
                let other_args: SmallVec<[KindId; 4]> =
                    polymorph.args.iter().map(|k| of(*k)).collect();
                compare(&other_args, of(polymorph.range));
            }
        }
        others
    }

    /// The syntax of a symbol, if it has one of its own.
    pub(super) fn syntax(&self, symbol: SymbolId) -> Option<(&Syntax, Others)> {
        let entry = self.entries.get(&symbol)?;
        let syntax = match entry.place {
            SyntaxPlace::Operator(at) => &self.description.operators[at.index()].syntax,
            SyntaxPlace::Polymorph(at) => &self.description.polymorphs[at.index()].syntax,
        };
        Some((syntax, entry.others))
    }

    /// The name of an operator as it was declared.
    pub fn name(&self, symbol: SymbolId) -> Option<Name> {
        self.syntax(symbol).map(|(syntax, _)| syntax.name)
    }

    /// The natural number that a term is.
    pub fn natural(&self, terms: &StaticTerms, term: StaticId) -> Option<UBig> {
        match terms.node(term) {
            StaticNode::App(symbol, _) if self.number_role(*symbol) == Some(NumberRole::Zero) => {
                Some(UBig::ZERO)
            }
            StaticNode::Iter(symbol, count, below) => match self.number_role(*symbol) {
                Some(NumberRole::Succ(zero)) if terms.node(*below).symbol() == zero => {
                    Some(count.clone())
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What a symbol has to do with numbers.
    pub(super) fn number_role(&self, symbol: SymbolId) -> Option<NumberRole> {
        self.numbers.get(&symbol).copied()
    }

    /// Whether the module has an alias of this name and sort.
    pub(super) fn is_alias(&self, name: &str, sort: SortId) -> bool {
        self.aliases.get(name).is_some_and(|sorts| sorts.contains(&sort))
    }

    /// Whether a literal of a kind, by its value, could be taken for something of another kind.
    pub(super) fn is_literal_ambiguous(
        &self,
        letter: char,
        value: impl FnOnce() -> String,
        kind: KindId,
    ) -> bool {
        let constants = (!self.literal_names.is_empty())
            .then(|| self.literal_names.get(&format!("{letter}{}", value())))
            .flatten();
        let named = constants.is_some_and(|kinds| kinds.iter().any(|&k| k != kind));
        named || (letter == 'n' && self.several_number_systems)
    }

    /// Whether a constant's name could be taken for a literal of another kind.
    pub(super) fn names_a_literal(&self, name: &str, kind: KindId) -> bool {
        if self.literal_names.is_empty() {
            return false;
        }
        let Some(value) = literal_value(name) else { return false };
        let literals = &self.description.literals;
        let range =
            |op: &OperatorIndex| self.kinds[self.description.operators[op.index()].range.index()];
        let other = |ops: &[OperatorIndex]| ops.iter().any(|op| range(op) != kind);
        match value.as_bytes()[0] {
            b'n' => literals.numbers.iter().any(|n| range(&n.succ) != kind),
            b's' => other(&literals.strings),
            b'q' => other(&literals.qids),
            _ => other(&literals.floats),
        }
    }

    /// The name of a strategy.
    pub(super) fn strategy(&self, id: StrategyId) -> Name {
        self.description.strategies[id.0 as usize].name
    }
}

/// The sort of a sort test.
pub(super) fn tested_sort(signature: &Signature, symbol: SymbolId) -> Option<SortId> {
    match signature.symbol(symbol).meaning() {
        Some(Meaning::SortTest(sort)) => Some(sort),
        _ => None,
    }
}
