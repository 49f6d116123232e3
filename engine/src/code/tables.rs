//! Which statements may apply to which symbol, and what follows from that alone.

use std::cmp::Reverse;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::heads::Heads;
use crate::id::{KindId, SortId, SymbolId};
use crate::matching::{MembershipSort, MembershipSorts};
use crate::signature::{Meaning, Numbers, Role, Signature};
use crate::statement::{Conclusion, Statement};
use crate::term::{StaticNode, StaticTerms};

/// Statements that may apply at a symbol, by number, in the order in which they are tried.
#[derive(Default, Clone)]
struct Lists {
    equations: Vec<u32>,
    owise: Vec<u32>,
    memberships: Vec<u32>,
    rules: Vec<u32>,
}

/// What the statements of a theory say of its symbols.
#[derive(Default)]
pub(crate) struct StatementTables {
    pub(crate) statements: Vec<Statement>,
    /// By top symbol of the left side.
    lists: FxHashMap<SymbolId, Lists>,
    /// Statements whose left side may be headed by any symbol of its kind, with their order kept
    /// among the others by statement number.
    anywhere: FxHashMap<KindId, Lists>,
    /// The constructors of the numbers that need no nodes.
    pub(crate) numbers: Option<Numbers>,
    /// By symbol: constants that no statement can rewrite need no nodes.
    pub(crate) immediate: Vec<bool>,
    /// The sorts that memberships may give to terms headed by a symbol.
    pub(crate) membership_sorts: Arc<MembershipSorts>,
}

impl Lists {
    fn add(&mut self, number: u32, statement: &Statement) {
        match statement.conclusion {
            _ if statement.nonexec && !matches!(statement.conclusion, Conclusion::Rule(_)) => {}
            Conclusion::Equation { owise: false, .. } => self.equations.push(number),
            Conclusion::Equation { owise: true, .. } => self.owise.push(number),
            Conclusion::Membership(_) => self.memberships.push(number),
            Conclusion::Rule(_) => self.rules.push(number),
        }
    }
}

impl StatementTables {
    /// Sorts the statements of a theory by the symbols at which they may apply.
    pub(crate) fn new(
        signature: &Signature,
        terms: &StaticTerms,
        statements: Vec<Statement>,
    ) -> StatementTables {
        let mut tables = StatementTables { statements, ..StatementTables::default() };
        let heads = Heads { signature, terms };
        for (number, statement) in (0..).zip(&tables.statements) {
            match heads.of(statement.left) {
                None => {
                    let kind = signature.symbol(terms.node(statement.left).symbol()).range;
                    tables.anywhere.entry(kind).or_default().add(number, statement);
                }
                Some(heads) => {
                    for head in heads {
                        tables.lists.entry(head).or_default().add(number, statement);
                    }
                }
            }
        }
        tables.find_immediates(signature);
        let mut membership_sorts = MembershipSorts::default();
        for s in (0..signature.n_symbols() as u32).map(SymbolId) {
            let memberships = tables.memberships_at(signature, s);
            if !memberships.is_empty() {
                let sorts = memberships.into_iter().map(|number| {
                    let left = terms.node(tables.statements[number as usize].left);
                    let only_of = match (left, &signature.symbol(left.symbol()).role) {
                        (StaticNode::Variable(..), Role::Variable(sort)) => Some(sort.index),
                        _ => None,
                    };
                    MembershipSort { given: tables.membership_sort(number).index, only_of }
                });
                membership_sorts.insert(s, sorts.collect());
            }
        }
        tables.membership_sorts = Arc::new(membership_sorts);
        tables
    }

    /// Numbers need no nodes if nothing is said of their constructors.
    fn find_immediates(&mut self, signature: &Signature) {
        let untouched = |symbol: SymbolId| {
            let kind = signature.symbol(symbol).range;
            !self.lists.contains_key(&symbol) && !self.anywhere.contains_key(&kind)
        };
        let symbols = || (0..signature.n_symbols() as u32).map(SymbolId);
        let succ = symbols()
            .map(|s| signature.symbol(s))
            .find(|symbol| symbol.meaning() == Some(Meaning::Succ));
        let numbers = succ.and_then(|symbol| symbol.builtin()).and_then(|builtin| builtin.numbers);
        let immediate = symbols().map(|s| {
            let symbol = signature.symbol(s);
            symbol.args.is_empty()
                && matches!(symbol.role, Role::Operator | Role::Builtin(_))
                && untouched(s)
        });
        let immediate = immediate.collect();
        self.numbers = numbers.filter(|n| untouched(n.zero) && untouched(n.succ));
        self.immediate = immediate;
    }

    fn statements_at(
        &self,
        signature: &Signature,
        symbol: SymbolId,
        list: impl Fn(&Lists) -> &Vec<u32>,
    ) -> Vec<u32> {
        let kind = signature.symbol(symbol).range;
        let mut all: Vec<u32> = self.lists.get(&symbol).map(&list).cloned().unwrap_or_default();
        if let Some(more) = self.anywhere.get(&kind) {
            all.extend(list(more));
            all.sort_unstable();
        }
        all
    }

    /// The equations that may apply at a symbol, in order: those without `owise` first.
    pub(crate) fn equations_at(&self, signature: &Signature, symbol: SymbolId) -> Vec<u32> {
        let mut all = self.statements_at(signature, symbol, |l| &l.equations);
        all.extend(self.statements_at(signature, symbol, |l| &l.owise));
        all
    }

    /// The memberships that may apply at a symbol, small sorts first.
    pub(crate) fn memberships_at(&self, signature: &Signature, symbol: SymbolId) -> Vec<u32> {
        let mut all = self.statements_at(signature, symbol, |l| &l.memberships);
        all.sort_by_key(|&m| Reverse(self.membership_sort(m).index));
        all
    }

    /// The rules that may apply at a symbol, nonexec ones included, in order.
    pub(crate) fn rules_at(&self, signature: &Signature, symbol: SymbolId) -> Vec<u32> {
        self.statements_at(signature, symbol, |l| &l.rules)
    }

    /// Whether some rule may apply at a symbol.
    pub(crate) fn has_rules(&self, signature: &Signature, symbol: SymbolId) -> bool {
        let has = |lists: Option<&Lists>| lists.is_some_and(|lists| !lists.rules.is_empty());
        has(self.lists.get(&symbol)) || has(self.anywhere.get(&signature.symbol(symbol).range))
    }

    /// Whether some equation may apply at a symbol.
    pub(crate) fn has_equations(&self, signature: &Signature, symbol: SymbolId) -> bool {
        let has = |lists: Option<&Lists>| {
            lists.is_some_and(|lists| !lists.equations.is_empty() || !lists.owise.is_empty())
        };
        has(self.lists.get(&symbol)) || has(self.anywhere.get(&signature.symbol(symbol).range))
    }

    /// Whether memberships may lower the sort of a term headed by a symbol.
    pub(crate) fn has_memberships(&self, symbol: SymbolId) -> bool {
        self.membership_sorts.contains_key(&symbol)
    }

    /// Whether something may happen when an application of the symbol is evaluated.
    pub(crate) fn is_defined(&self, signature: &Signature, symbol: SymbolId) -> bool {
        let constructor = signature.symbol(symbol).meaning().is_none_or(Meaning::is_constructor);
        !constructor || self.has_memberships(symbol) || self.has_equations(signature, symbol)
    }

    /// The sort that a membership gives.
    pub(super) fn membership_sort(&self, number: u32) -> SortId {
        match self.statements[number as usize].conclusion {
            Conclusion::Membership(sort) => sort,
            _ => unreachable!("only memberships are listed as such"),
        }
    }
}

/// Kinds in which every term has a sort.
///
/// If no operator can give an error sort to arguments that have sorts, then a variable of the
/// kind's largest sort needs no test, and an operator with one declaration over such sorts has one
/// result sort: terms need not be looked at. A variable over the kind itself, or an instance of a
/// polymorphic operator, may end this; such symbols count from the moment at which something
/// mentions them.
#[derive(Default)]
pub(crate) struct SoundKinds(FxHashSet<KindId>);

impl SoundKinds {
    /// Finds the sound kinds, given the symbols that are mentioned.
    pub(crate) fn find(signature: &Signature) -> SoundKinds {
        let kinds = (0..signature.n_kinds() as u32).map(KindId);
        let mut sound =
            SoundKinds(kinds.filter(|&kind| signature.kind(kind).n_maximal() == 1).collect());
        loop {
            let unsound: Vec<KindId> = signature
                .mentioned()
                .iter()
                .filter(|&&s| sound.is_broken_by(signature, s))
                .map(|&s| signature.symbol(s).range)
                .collect();
            if unsound.is_empty() {
                return sound;
            }
            for kind in unsound {
                sound.0.remove(&kind);
            }
        }
    }

    /// Whether a sound kind is none if the symbol is mentioned.
    pub(crate) fn is_broken_by(&self, signature: &Signature, symbol: SymbolId) -> bool {
        self.0.contains(&signature.symbol(symbol).range) && self.may_err(signature, symbol)
    }

    /// Whether a variable of this sort matches every term of its kind.
    pub(super) fn is_whole(&self, sort: SortId) -> bool {
        sort.is_kind() || sort.index == 1 && self.0.contains(&sort.kind)
    }

    /// The sort of every application of a symbol, where none has to be looked at.
    pub(super) fn sure_sort(&self, signature: &Signature, symbol: SymbolId) -> Option<u16> {
        let symbol = signature.symbol(symbol);
        let [declaration] = &symbol.declarations[..] else { return None };
        let whole = declaration.args.iter().all(|&sort| self.is_whole(sort));
        (whole && matches!(symbol.role, Role::Operator | Role::Builtin(_)))
            .then_some(declaration.range.index)
    }

    /// Whether an application to arguments that have sorts (as far as their kinds are sound) may have
    /// none.
    fn may_err(&self, signature: &Signature, symbol: SymbolId) -> bool {
        let sorts = || signature.sorts(symbol);
        let symbol = signature.symbol(symbol);
        match symbol.role {
            Role::Variable(sort) => sort.is_kind(),
            // Arguments of smaller sorts fit more declarations, so the largest ones decide.
            Role::Operator | Role::Builtin(_) => {
                sorts().apply(symbol.args.iter().map(|kind| u16::from(self.0.contains(kind)))) == 0
            }
            _ => false,
        }
    }
}
