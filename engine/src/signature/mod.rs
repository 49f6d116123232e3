//! Sorts, kinds and symbols of all theories of an engine.
//!
//! The tables only grow: ids are never used again, and the order in which symbols are added is the
//! order of creation that the canonical order of terms is built on (`language.md` 1.2, 1.3).

mod kinds;
mod sort_table;
mod symbols;

pub use kinds::{Kind, Sort};
pub use sort_table::{Irregularity, SortTable};
pub use symbols::{
    Axioms, Builtin, BuiltinOp, Declaration, Evaluation, Numbers, ObjectRole, Role, Shape, Symbol,
    SymbolSpec, Truth,
};

use crate::id::{KindId, SortId, StaticId, SymbolId};

/// Kinds and symbols of an engine; append-only.
#[derive(Default, Debug)]
pub struct Signature {
    kinds: Vec<Kind>,
    symbols: Vec<Symbol>,
}

impl Signature {
    /// An empty signature.
    pub fn new() -> Signature {
        Signature::default()
    }

    /// How many sorts a kind may have: each two of them have a place in the sort tables of its
    /// operators.
    pub const MOST_SORTS: usize = 1 << 13;

    /// How many arguments an operator may have.
    pub const MOST_ARGUMENTS: usize = 50_000;

    /// A sort of a kind that would have more than `MOST_SORTS` sorts, as its index.
    pub fn find_crowded_kind(n_sorts: usize, subsorts: &[(usize, usize)]) -> Option<usize> {
        kinds::find_crowded(n_sorts, subsorts)
    }

    /// Adds sorts with their subsort relation and returns their ids, in the order given.
    /// `subsorts` holds pairs (smaller, larger) of indices into `names`, in order of declaration.
    /// Kinds are numbered in the order of the walk of `language.md` 2.5. The relation must be
    /// acyclic (`find_cycle` tells), and no kind may have too many sorts (`find_crowded_kind`).
    pub fn add_sorts(&mut self, names: &[&str], subsorts: &[(usize, usize)]) -> Vec<SortId> {
        kinds::add_components(&mut self.kinds, names, subsorts)
    }

    /// A cycle in a subsort relation, as indices of sorts, or `None`.
    pub fn find_cycle(n_sorts: usize, subsorts: &[(usize, usize)]) -> Option<Vec<usize>> {
        kinds::find_cycle(n_sorts, subsorts)
    }

    /// Adds a symbol; its declarations must agree with its kinds.
    pub fn add_symbol(&mut self, spec: SymbolSpec) -> SymbolId {
        let id = SymbolId(u32::try_from(self.symbols.len()).expect("fewer than 2^32 symbols"));
        let table = SortTable::new(
            &self.kinds,
            &spec.args,
            spec.range,
            &spec.declarations,
            spec.axioms.comm,
        );
        self.symbols.push(Symbol::new(spec, table));
        id
    }

    /// Gives a symbol its identity element; done after all symbols exist, since the element is a
    /// term. `left`, `right`: whether it is an identity on that side.
    pub fn set_identity(&mut self, symbol: SymbolId, identity: StaticId, left: bool, right: bool) {
        self.symbols[symbol.index()].set_identity(identity, left, right);
    }

    /// Says what a symbol is among objects and messages, for fair rewriting.
    pub fn set_object_role(&mut self, symbol: SymbolId, role: ObjectRole) {
        self.symbols[symbol.index()].set_object_role(role);
    }

    /// The kind.
    pub fn kind(&self, id: KindId) -> &Kind {
        &self.kinds[id.index()]
    }

    /// The number of kinds so far.
    pub fn n_kinds(&self) -> usize {
        self.kinds.len()
    }

    /// The symbol.
    #[inline(always)]
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.index()]
    }

    /// The number of symbols so far.
    pub fn n_symbols(&self) -> usize {
        self.symbols.len()
    }

    /// Whether `a` is `b` or below it; a kind is above all its sorts.
    #[inline(always)]
    pub fn leq(&self, a: SortId, b: SortId) -> bool {
        a.kind == b.kind && self.kinds[a.kind.index()].leq(a.index, b.index)
    }

    /// The name of a sort; for a kind its maximal sorts in brackets, `[A,B]`.
    pub fn sort_name(&self, sort: SortId) -> String {
        self.kinds[sort.kind.index()].sort_name(sort.index)
    }

    /// Compares two symbols in the canonical order: arity, then creation.
    #[inline(always)]
    pub fn compare_symbols(&self, a: SymbolId, b: SymbolId) -> std::cmp::Ordering {
        let arity = |s: SymbolId| self.symbols[s.index()].order_arity;
        arity(a).cmp(&arity(b)).then(a.cmp(&b))
    }
}
