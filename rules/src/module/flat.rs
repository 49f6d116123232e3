//! A flattened module: all sorts and operators that its terms may use.
//!
//! Sorts and operators stand in the order of creation: those of the imports first, depth first,
//! each module once, then the module's own. The symbols are the module's alone; another module that
//! imports the same declarations has symbols of its own for them.

use broth_engine::{KindId, Meaning, NameId, SortId, SymbolId};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::attributes::Attributes;
use super::hooks::Hook;
use crate::syntax::{Name, Span};

/// A declaration of a module: which module, and which of its operators.
pub type DeclarationId = (Name, u32);

/// One declaration of an operator, with its sorts looked up.
#[derive(Clone, Debug)]
pub struct OperatorDeclaration {
    /// Where it comes from.
    pub id: DeclarationId,
    /// Sorts of the arguments; nothing for a polymorphic place.
    pub domain: Vec<Option<SortId>>,
    /// Sort of the result; nothing for a polymorphic one.
    pub range: Option<SortId>,
    /// Whether it is a constructor.
    pub ctor: bool,
    /// Where it stands.
    pub span: Span,
}

/// An operator: all declarations of one name over the same kinds.
#[derive(Clone, Debug)]
pub struct Operator {
    /// The whole name.
    pub name: Name,
    /// In order; at least one.
    pub declarations: Vec<OperatorDeclaration>,
    /// The attributes that all declarations share, taken from the first.
    pub attributes: Attributes,
    /// What it is bound to.
    pub hook: Option<Hook>,
    /// Its symbol; a polymorphic operator has one for each kind it is used in.
    pub symbol: Option<SymbolId>,
    /// Whether it can only be written in prefix form.
    pub prefix_only: bool,
    /// What of it is not supported, so that whatever uses it is dropped.
    pub refused: Option<Box<str>>,
}

impl Operator {
    /// The number of arguments.
    pub fn arity(&self) -> usize {
        self.declarations[0].domain.len()
    }

    /// What is known of it if the engine computes it.
    pub fn meaning(&self) -> Option<Meaning> {
        self.hook.and_then(Hook::meaning)
    }

    /// Whether it has an instance for each kind.
    pub fn is_polymorphic(&self) -> bool {
        let first = &self.declarations[0];
        first.range.is_none() || first.domain.contains(&None)
    }

    /// Kinds of arguments and result, nothing where it is polymorphic.
    pub fn kinds(&self) -> (Vec<Option<KindId>>, Option<KindId>) {
        let first = &self.declarations[0];
        let domain = first.domain.iter().map(|s| s.map(|s| s.kind)).collect();
        (domain, first.range.map(|s| s.kind))
    }
}

/// A strategy: a name over kinds, with its number.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// The name.
    pub name: Name,
    /// Sorts of the parameters.
    pub domain: Vec<SortId>,
}

/// A flattened module.
#[derive(Debug)]
pub struct Flat {
    /// The modules in the order of the walk, this one last.
    pub walk: Vec<Name>,
    /// All sorts by name, in order of creation.
    pub sorts: IndexMap<Name, SortId, FxBuildHasher>,
    /// All operators in order of creation.
    pub operators: Vec<Operator>,
    /// From a declaration to its operator.
    pub by_declaration: FxHashMap<DeclarationId, usize>,
    /// From a symbol to its operator.
    pub by_symbol: FxHashMap<SymbolId, usize>,
    /// The module's own variable aliases.
    pub aliases: IndexMap<Name, SortId, FxBuildHasher>,
    /// The variable symbol of each sort that has one.
    pub variables: FxHashMap<SortId, SymbolId>,
    /// Instances that the notation does not know yet: symbol, operator and kind.
    pub new_instances: Vec<(SymbolId, usize, KindId)>,
    /// The names of variables and labels by the numbers that the engine knows.
    pub name_texts: FxHashMap<NameId, Name>,
    /// Instances of polymorphic operators, by operator and kind.
    pub instances: FxHashMap<(usize, KindId), SymbolId>,
    /// Sort tests.
    pub sort_tests: FxHashMap<SortId, SymbolId>,
    /// Strategies, those of imports first.
    pub strategies: Vec<Strategy>,
    /// Kinds of this module, in order of creation.
    pub kinds: Vec<KindId>,
}

impl Flat {
    /// The operator of a symbol, if it is one of an operator.
    pub fn operator_of(&self, symbol: SymbolId) -> Option<&Operator> {
        self.by_symbol.get(&symbol).map(|&at| &self.operators[at])
    }

    /// The symbol of the first operator with a hook that fits.
    pub fn hooked(&self, fits: impl Fn(Hook) -> bool) -> Option<SymbolId> {
        self.operators.iter().find(|op| op.hook.is_some_and(&fits)).and_then(|op| op.symbol)
    }
}
