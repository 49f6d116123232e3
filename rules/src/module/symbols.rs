//! The symbols of a module for readings made in it or in a module that it imports.
//!
//! What is made on demand (variable symbols, instances of polymorphic operators, sort tests) is
//! made here and nowhere else, in the order in which it is asked for.

use broth_engine::{
    Axioms, Builtin, Declaration, HookId, KindId, Meaning, NameId, Role, Signature, SortId,
    SymbolId, SymbolSpec,
};

use super::describe::Origin;
use super::flat::Flat;
use super::hooks::Hook;
use super::operators::truth;
use crate::mixfix::{KindIndex, OperatorIndex, PolymorphIndex, Symbols, Type};
use crate::syntax::{Name, Names};

/// Names without a number are numbered from here on, behind all others.
const UNNUMBERED: u32 = 1 << 31;

/// The number of a name as the engine is told it.
pub fn name_id(names: &Names, name: Name) -> NameId {
    NameId(names.number(name).unwrap_or(UNNUMBERED + name.0))
}

/// The symbols of `flat` by the places of a description whose meaning is `origin`.
pub struct ModuleSymbols<'a> {
    /// What the places stand for.
    pub origin: &'a Origin,
    /// The module whose symbols are wanted.
    pub flat: &'a mut Flat,
    /// All symbols.
    pub signature: &'a mut Signature,
    /// All names.
    pub names: &'a Names,
}

impl ModuleSymbols<'_> {
    fn kind(&self, kind: KindIndex) -> KindId {
        self.flat.sorts[&self.origin.kinds[kind.index()]].kind
    }
}

impl Symbols for ModuleSymbols<'_> {
    fn operator(&mut self, operator: OperatorIndex) -> SymbolId {
        let at = self.flat.by_declaration[&self.origin.operators[operator.index()]];
        self.flat.operators[at].symbol.expect("it is not polymorphic")
    }

    fn instance(&mut self, polymorph: PolymorphIndex, kind: KindIndex) -> SymbolId {
        let at = self.flat.by_declaration[&self.origin.polymorphs[polymorph.index()]];
        let kind = self.kind(kind);
        instance(self.flat, self.signature, self.names, at, kind)
    }

    fn sort_test(&mut self, tested: Type) -> SymbolId {
        let sort = self.sort(tested);
        sort_test(self.flat, self.signature, sort)
    }

    fn variable(&mut self, name: Name, of: Type) -> (SymbolId, NameId) {
        let sort = self.sort(of);
        let id = name_id(self.names, name);
        self.flat.name_texts.insert(id, name);
        (variable_symbol(self.flat, self.signature, sort), id)
    }

    fn sort(&mut self, of: Type) -> SortId {
        match of {
            Type::Sort(sort) => self.flat.sorts[&self.origin.sorts[sort.index()]],
            Type::Kind(kind) => SortId::of_kind(self.kind(kind)),
        }
    }

    fn truth(&mut self) -> SymbolId {
        truth(self.flat).expect("conditions without a sign need truth values").yes
    }
}

/// The symbol of all variables of a sort.
pub fn variable_symbol(flat: &mut Flat, signature: &mut Signature, sort: SortId) -> SymbolId {
    let symbol = unmentioned_variable(flat, signature, sort);
    signature.mention(symbol);
    symbol
}

fn unmentioned_variable(flat: &mut Flat, signature: &mut Signature, sort: SortId) -> SymbolId {
    *flat.variables.entry(sort).or_insert_with(|| {
        signature.add_unmentioned(SymbolSpec {
            name: signature.sort_name(sort).into(),
            args: Vec::new(),
            range: sort.kind,
            declarations: vec![Declaration { args: Vec::new(), range: sort, ctor: false }],
            axioms: Axioms::default(),
            strategy: None,
            frozen: Vec::new(),
            memo: false,
            role: Role::Variable(sort),
        })
    })
}

/// The symbol of a sort test.
pub fn sort_test(flat: &mut Flat, signature: &mut Signature, sort: SortId) -> SymbolId {
    let symbol = unmentioned_sort_test(flat, signature, sort);
    signature.mention(symbol);
    symbol
}

fn unmentioned_sort_test(flat: &mut Flat, signature: &mut Signature, sort: SortId) -> SymbolId {
    let truth_values = truth(flat).expect("sort tests need truth values");
    let bool_sort = signature.symbol(truth_values.yes).declarations[0].range;
    *flat.sort_tests.entry(sort).or_insert_with(|| {
        let args = vec![SortId::of_kind(sort.kind)];
        signature.add_unmentioned(SymbolSpec {
            name: format!("_::{}", signature.sort_name(sort)).into(),
            args: vec![sort.kind],
            range: bool_sort.kind,
            declarations: vec![Declaration { args, range: bool_sort, ctor: false }],
            axioms: Axioms::default(),
            strategy: None,
            frozen: Vec::new(),
            memo: false,
            role: Role::Builtin(Builtin {
                hook: HookId::SORT_TEST,
                meaning: Meaning::SortTest(sort),
                truth: Some(truth_values),
                numbers: None,
            }),
        })
    })
}

/// The symbol of a polymorphic operator for a kind.
pub fn instance(
    flat: &mut Flat,
    signature: &mut Signature,
    names: &Names,
    operator: usize,
    kind: KindId,
) -> SymbolId {
    let symbol = unmentioned_instance(flat, signature, names, operator, kind);
    if !signature.is_mentioned(symbol) {
        signature.mention(symbol);
        flat.new_instances.push((symbol, operator, kind));
    }
    symbol
}

/// Makes all symbols that a command may mention and that no statement has mentioned.
pub fn complete(flat: &mut Flat, signature: &mut Signature, names: &Names) {
    let kinds = flat.kinds.clone();
    let sorts = kinds.iter().flat_map(|&kind| {
        (0..signature.kind(kind).len()).map(move |index| SortId { kind, index: index as u16 })
    });
    for sort in sorts.collect::<Vec<_>>() {
        unmentioned_variable(flat, signature, sort);
        if truth(flat).is_some() {
            unmentioned_sort_test(flat, signature, sort);
        }
    }
    for operator in 0..flat.operators.len() {
        if flat.operators[operator].is_polymorphic() {
            for &kind in &kinds {
                unmentioned_instance(flat, signature, names, operator, kind);
            }
        }
    }
}

fn unmentioned_instance(
    flat: &mut Flat,
    signature: &mut Signature,
    names: &Names,
    operator: usize,
    kind: KindId,
) -> SymbolId {
    if let Some(&symbol) = flat.instances.get(&(operator, kind)) {
        return symbol;
    }
    let op = &flat.operators[operator];
    let first = &op.declarations[0];
    let filled = |sort: Option<SortId>, with: SortId| sort.unwrap_or(with);
    let with = |with: SortId| Declaration {
        args: first.domain.iter().map(|&s| filled(s, with)).collect(),
        range: filled(first.range, with),
        ctor: first.ctor,
    };
    let declarations: Vec<Declaration> = match op.hook {
        // A choice has a declaration for each sort, so that its sort is that of its branches.
        Some(Hook::Builtin(_, Meaning::If)) => (1..signature.kind(kind).len())
            .map(|index| with(SortId { kind, index: index as u16 }))
            .collect(),
        _ => vec![with(SortId::of_kind(kind))],
    };
    let role = match op.hook {
        Some(Hook::Builtin(hook, meaning)) => {
            Role::Builtin(Builtin { hook, meaning, truth: truth(flat), numbers: None })
        }
        _ => Role::Operator,
    };
    let attributes = &op.attributes;
    let symbol = signature.add_unmentioned(SymbolSpec {
        name: names.text(op.name).into(),
        args: declarations[0].args.iter().map(|s| s.kind).collect(),
        range: declarations[0].range.kind,
        axioms: Axioms {
            assoc: attributes.assoc,
            comm: attributes.comm,
            idem: attributes.idem,
            iter: attributes.iter,
            ..Axioms::default()
        },
        strategy: super::operators::strategy(attributes.strat.as_deref(), op.arity()),
        frozen: super::operators::frozen(attributes.frozen.as_ref(), op.arity()),
        memo: attributes.memo,
        declarations,
        role,
    });
    flat.instances.insert((operator, kind), symbol);
    flat.by_symbol.insert(symbol, operator);
    symbol
}
