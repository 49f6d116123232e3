//! The sorts, kinds and symbols of one theory.
//!
//! The tables are shared by all that work with the theory, and are finished before anything runs.
//! What still grows are the *ranks* of symbols, which the canonical order of terms is built on
//! (`docs/semantics.md` 1.2, 1.3): a symbol has its rank from the moment at which the text first
//! mentions it. Operators are mentioned by their declarations; a variable symbol, an instance of a
//! polymorphic operator or a sort test may wait for a command that has one.

mod builtin;
mod kinds;
mod sort_table;
mod symbols;

pub use builtin::{Builtin, HookId, Meaning, Numbers, Truth};
pub use kinds::{Kind, Sort};
pub use sort_table::{Irregularity, SortTable};
pub use symbols::{Axioms, Declaration, Evaluation, ObjectRole, Role, Shape, Symbol, SymbolSpec};

use std::sync::Arc;

use crate::id::{KindId, SortId, StaticId, SymbolId};
use crate::limits::{Limit, Limits, passed};

/// Kinds and symbols of a theory. A clone shares the tables, and has ranks of its own from then on.
#[derive(Clone, Default, Debug)]
pub struct Signature {
    tables: Arc<SignatureTables>,
    ranks: Arc<Vec<u32>>,
    /// The symbols that have ranks, in the order of their ranks.
    mentioned: Arc<Vec<SymbolId>>,
    /// What ends the making of a sort table.
    limits: Limits,
}

#[derive(Clone, Default, Debug)]
struct SignatureTables {
    kinds: Vec<Kind>,
    symbols: Vec<Symbol>,
}

/// The rank of a symbol that nothing has mentioned.
const UNMENTIONED: u32 = u32::MAX;

impl Signature {
    /// An empty signature.
    pub fn new() -> Signature {
        Signature::default()
    }

    /// An empty signature whose sort tables, which may be large, are made within limits: whoever
    /// asks for sorts does it in `catch_stop`.
    pub fn within(limits: &Limits) -> Signature {
        Signature { limits: limits.clone(), ..Signature::default() }
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
    /// Kinds are numbered in the order of the walk of `docs/semantics.md` 2.5. The relation must be
    /// acyclic (`find_cycle` tells), and no kind may have too many sorts (`find_crowded_kind`).
    pub fn add_sorts(&mut self, names: &[&str], subsorts: &[(usize, usize)]) -> Vec<SortId> {
        kinds::add_components(&mut Arc::make_mut(&mut self.tables).kinds, names, subsorts)
    }

    /// A cycle in a subsort relation, as indices of sorts, or `None`.
    pub fn find_cycle(n_sorts: usize, subsorts: &[(usize, usize)]) -> Option<Vec<usize>> {
        kinds::find_cycle(n_sorts, subsorts)
    }

    /// Adds a symbol, mentioned by that; its declarations must agree with its kinds.
    pub fn add_symbol(&mut self, spec: SymbolSpec) -> SymbolId {
        let id = self.add_unmentioned(spec);
        self.mention(id);
        id
    }

    /// Adds a symbol that nothing mentions yet. Nodes have 24 bits for their symbols: what passes
    /// that ends in `catch_stop`.
    pub fn add_unmentioned(&mut self, spec: SymbolSpec) -> SymbolId {
        let tables = Arc::make_mut(&mut self.tables);
        if Limit::Symbols.most() <= tables.symbols.len() as u64 {
            passed(Limit::Symbols);
        }
        let id = SymbolId(tables.symbols.len() as u32);
        tables.symbols.push(Symbol::new(spec));
        Arc::make_mut(&mut self.ranks).push(UNMENTIONED);
        id
    }

    /// Notes that the text mentions a symbol: if it is the first time, it gets the next rank.
    pub fn mention(&mut self, symbol: SymbolId) {
        if self.ranks[symbol.index()] == UNMENTIONED {
            Arc::make_mut(&mut self.ranks)[symbol.index()] = self.mentioned.len() as u32;
            Arc::make_mut(&mut self.mentioned).push(symbol);
        }
    }

    /// Whether a symbol has been mentioned.
    pub fn is_mentioned(&self, symbol: SymbolId) -> bool {
        self.ranks[symbol.index()] != UNMENTIONED
    }

    /// The symbols that have been mentioned, in the order in which that happened.
    pub fn mentioned(&self) -> &[SymbolId] {
        &self.mentioned
    }

    /// The place of a symbol in the order in which symbols were mentioned; a symbol that was not
    /// comes last.
    #[inline(always)]
    pub fn rank(&self, symbol: SymbolId) -> u32 {
        self.ranks[symbol.index()]
    }

    /// Whether two signatures share their tables, so that ids mean the same in both.
    pub fn shares_tables(&self, other: &Signature) -> bool {
        Arc::ptr_eq(&self.tables, &other.tables)
    }

    /// Gives a symbol its identity element; done after all symbols exist, since the element is a
    /// term. `left`, `right`: whether it is an identity on that side.
    pub fn set_identity(&mut self, symbol: SymbolId, identity: StaticId, left: bool, right: bool) {
        Arc::make_mut(&mut self.tables).symbols[symbol.index()].set_identity(identity, left, right);
    }

    /// Says what a symbol is among objects and messages, for fair rewriting.
    pub fn set_object_role(&mut self, symbol: SymbolId, role: ObjectRole) {
        Arc::make_mut(&mut self.tables).symbols[symbol.index()].set_object_role(role);
    }

    /// The kind.
    pub fn kind(&self, id: KindId) -> &Kind {
        &self.tables.kinds[id.index()]
    }

    /// The number of kinds so far.
    pub fn n_kinds(&self) -> usize {
        self.tables.kinds.len()
    }

    /// The symbol.
    #[inline(always)]
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.tables.symbols[id.index()]
    }

    /// The least sorts of the applications of a symbol.
    pub fn sorts(&self, id: SymbolId) -> &SortTable {
        let symbol = self.symbol(id);
        symbol.sorts.get_or_init(|| {
            let (kinds, comm) = (&self.tables.kinds, symbol.axioms.comm);
            let (args, declarations) = (&symbol.args, &symbol.declarations);
            SortTable::new(kinds, args, symbol.range, declarations, comm, &self.limits)
        })
    }

    /// The number of symbols so far.
    pub fn n_symbols(&self) -> usize {
        self.tables.symbols.len()
    }

    /// Whether `a` is `b` or below it; a kind is above all its sorts.
    #[inline(always)]
    pub fn leq(&self, a: SortId, b: SortId) -> bool {
        a.kind == b.kind && self.tables.kinds[a.kind.index()].leq(a.index, b.index)
    }

    /// The name of a sort; for a kind its maximal sorts in brackets, `[A,B]`.
    pub fn sort_name(&self, sort: SortId) -> String {
        self.tables.kinds[sort.kind.index()].sort_name(sort.index)
    }

    /// Compares two symbols in the canonical order: arity, then rank.
    #[inline(always)]
    pub fn compare_symbols(&self, a: SymbolId, b: SymbolId) -> std::cmp::Ordering {
        let key = |s: SymbolId| (self.symbol(s).order_arity, self.rank(s));
        key(a).cmp(&key(b))
    }
}
