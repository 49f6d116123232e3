//! A theory as the engine holds it: which statements may apply to which symbol.
//!
//! Statements are compiled when a symbol is first used, so symbols that the text layer adds later
//! (instances of polymorphic operators, variables) need nothing done to the theory.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::goal::GoalCode;
use crate::engine::Engine;
use crate::id::{KindId, NameId, SortId, StaticId, SymbolId, TheoryId};
use crate::signature::{BuiltinOp, Numbers, Role};
use crate::strategy::Definition;
use crate::theory::{Conclusion, Statement, Theory};

/// Statements that may apply at a symbol, by number, in the order in which they are tried.
#[derive(Default, Clone)]
struct Lists {
    equations: Vec<u32>,
    owise: Vec<u32>,
    memberships: Vec<u32>,
    rules: Vec<u32>,
}

/// A compiled rule.
pub(crate) struct RuleCode {
    /// Pattern, condition and right side.
    pub(crate) goal: GoalCode,
    /// The label's number.
    pub(crate) label: Option<NameId>,
    /// The sides as terms.
    pub(crate) left: StaticId,
    pub(crate) right: StaticId,
}

/// A theory in an engine.
pub(crate) struct TheoryCode {
    pub(crate) statements: Arc<[Statement]>,
    pub(crate) strategies: Arc<[Definition]>,
    /// By top symbol of the left side.
    lists: FxHashMap<SymbolId, Lists>,
    /// Statements whose left side may be headed by any symbol of its kind, with their order kept
    /// among the others by statement number.
    anywhere: FxHashMap<KindId, Lists>,
    numbers: Option<Numbers>,
    /// Rules compiled so far, by statement number and the variables bound beforehand.
    rules: FxHashMap<(u32, Box<[StaticId]>), Arc<RuleCode>>,
    rules_of: FxHashMap<SymbolId, Arc<[u32]>>,
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

impl TheoryCode {
    /// Has all rules compiled anew when they are next used.
    pub(crate) fn forget_rules(&mut self) {
        self.rules.clear();
    }
}

impl Engine {
    /// Takes a theory over symbols of the engine's signature.
    pub fn add_theory(&mut self, theory: Theory) -> TheoryId {
        let id = TheoryId(self.machine.theories.len() as u32);
        self.sync();
        let mut code = TheoryCode {
            statements: theory.statements.into(),
            strategies: theory.strategies.into(),
            lists: FxHashMap::default(),
            anywhere: FxHashMap::default(),
            numbers: None,
            rules: FxHashMap::default(),
            rules_of: FxHashMap::default(),
        };
        for (number, statement) in code.statements.iter().enumerate() {
            let number = number as u32;
            match self.heads(statement.left) {
                None => {
                    let top = self.terms.node(statement.left).symbol();
                    let kind = self.signature.symbol(top).range;
                    code.anywhere.entry(kind).or_default().add(number, statement);
                }
                Some(heads) => {
                    for head in heads {
                        code.lists.entry(head).or_default().add(number, statement);
                    }
                }
            }
        }
        for &symbol in &theory.symbols {
            let s = self.signature.symbol(symbol);
            for kind in s.args.iter().chain([&s.range]) {
                self.machine.theory_of_kind.insert(*kind, id);
            }
            if code.numbers.is_none() && s.builtin().is_some_and(|b| b.op == BuiltinOp::Succ) {
                code.numbers = s.builtin().and_then(|b| b.numbers);
            }
        }
        self.machine.theories.push(code);
        self.settle_immediates(id, &theory.symbols);
        self.settle_identities(&theory.symbols);
        self.settle_memberships(id, &theory.symbols);
        self.find_sound_kinds(&theory.symbols);
        id
    }

    /// Makes a theory the one at work: its numbers are the immediate ones.
    pub(crate) fn enter_theory(&mut self, id: TheoryId) {
        self.sync();
        let numbers = self.machine.theories[id.index()].numbers;
        if self.memory.immediate_numbers() != numbers {
            self.memory.use_numbers(numbers);
        }
    }

    /// Constants that no statement can rewrite need no node; numbers need none if nothing is said of
    /// their constructors.
    fn settle_immediates(&mut self, id: TheoryId, symbols: &[SymbolId]) {
        let code = &self.machine.theories[id.index()];
        let untouched = |symbol: SymbolId| {
            let kind = self.signature.symbol(symbol).range;
            !code.lists.contains_key(&symbol) && !code.anywhere.contains_key(&kind)
        };
        let numbers = code.numbers.filter(|n| untouched(n.zero) && untouched(n.succ));
        let constants: Vec<SymbolId> = symbols
            .iter()
            .copied()
            .filter(|&s| {
                let symbol = self.signature.symbol(s);
                symbol.args.is_empty()
                    && matches!(symbol.role, Role::Operator | Role::Builtin(_))
                    && untouched(s)
            })
            .collect();
        for s in constants {
            self.memory.core_mut(s).immediate = crate::heap::Handle::immediate(s);
        }
        self.machine.theories[id.index()].numbers = numbers;
        self.memory.use_numbers(numbers);
    }

    fn settle_identities(&mut self, symbols: &[SymbolId]) {
        for &s in symbols {
            let axioms = self.signature.symbol(s).axioms;
            if let Some(identity) = axioms.identity {
                // Matching uses it as it stands: it counts as reduced, and has no memberships.
                let built = self.memory.build_reduced(&self.signature, &self.terms, identity);
                self.declare_sort(built);
                let handle = self.memory.enter_permanently(built);
                let core = self.memory.core_mut(s);
                core.identity = handle;
                core.left_id = axioms.left_id;
                core.right_id = axioms.right_id;
            }
        }
    }

    fn settle_memberships(&mut self, id: TheoryId, symbols: &[SymbolId]) {
        for &s in symbols {
            let numbers = self.statements_at(id, s, |l| &l.memberships);
            self.memory.core_mut(s).memberships = !numbers.is_empty();
            if !numbers.is_empty() {
                let statements = &self.machine.theories[id.index()].statements;
                let sorts = numbers.iter().map(|&m| membership_sort(&statements[m as usize]).index);
                let sorts = sorts.collect();
                Arc::make_mut(&mut self.membership_sorts).insert(s, sorts);
            }
        }
    }

    fn statements_at(
        &self,
        id: TheoryId,
        symbol: SymbolId,
        list: impl Fn(&Lists) -> &Vec<u32>,
    ) -> Vec<u32> {
        let code = &self.machine.theories[id.index()];
        let kind = self.signature.symbol(symbol).range;
        let mut all: Vec<u32> = code.lists.get(&symbol).map(&list).cloned().unwrap_or_default();
        if let Some(more) = code.anywhere.get(&kind) {
            all.extend(list(more));
            all.sort_unstable();
        }
        all
    }

    /// The theory that a symbol belongs to.
    pub(crate) fn theory_of(&self, symbol: SymbolId) -> Option<TheoryId> {
        let kind = self.signature.symbol(symbol).range;
        self.machine.theory_of_kind.get(&kind).copied()
    }

    /// The equations that may apply at a symbol, in order: those without `owise` first.
    pub(crate) fn equations_at(&self, symbol: SymbolId) -> Vec<u32> {
        let Some(id) = self.theory_of(symbol) else { return Vec::new() };
        let mut all = self.statements_at(id, symbol, |l| &l.equations);
        all.extend(self.statements_at(id, symbol, |l| &l.owise));
        all
    }

    /// The memberships that may apply at a symbol, small sorts first.
    pub(crate) fn memberships_at(&self, symbol: SymbolId) -> Vec<u32> {
        let Some(id) = self.theory_of(symbol) else { return Vec::new() };
        let mut all = self.statements_at(id, symbol, |l| &l.memberships);
        let statements = &self.machine.theories[id.index()].statements;
        all.sort_by_key(|&m| std::cmp::Reverse(membership_sort(&statements[m as usize]).index));
        all
    }

    /// The rules that may apply at a symbol, nonexec ones included, in order.
    pub(crate) fn rules_at(&mut self, theory: TheoryId, symbol: SymbolId) -> Arc<[u32]> {
        let code = &self.machine.theories[theory.index()];
        if let Some(list) = code.rules_of.get(&symbol) {
            return Arc::clone(list);
        }
        let list: Arc<[u32]> = self.statements_at(theory, symbol, |l| &l.rules).into();
        let code = &mut self.machine.theories[theory.index()];
        code.rules_of.insert(symbol, Arc::clone(&list));
        list
    }

    /// Whether some rule may apply at a symbol.
    pub(crate) fn has_rules(&self, symbol: SymbolId) -> bool {
        let id = self.theory_of(symbol);
        id.is_some_and(|id| !self.statements_at(id, symbol, |l| &l.rules).is_empty())
    }

    /// A rule, compiled for the case that the variables `bound` have values beforehand.
    pub(crate) fn rule_code(
        &mut self,
        theory: TheoryId,
        number: u32,
        bound: &[StaticId],
    ) -> Arc<RuleCode> {
        let key = (number, Box::from(bound));
        let code = &self.machine.theories[theory.index()];
        if let Some(rule) = code.rules.get(&key) {
            return Arc::clone(rule);
        }
        let statement = code.statements[number as usize].clone();
        let rule = Arc::new(self.compile_rule(&statement, bound));
        let code = &mut self.machine.theories[theory.index()];
        code.rules.insert(key, Arc::clone(&rule));
        rule
    }

    /// Whether something may happen when an application of the symbol is evaluated.
    pub(crate) fn is_defined(&self, symbol: SymbolId) -> bool {
        let constructor = matches!(
            self.builtin_op(symbol),
            None | Some(BuiltinOp::True | BuiltinOp::False | BuiltinOp::Succ)
        );
        !constructor
            || self.memory.core(symbol).memberships
            || !self.equations_at(symbol).is_empty()
    }

    /// Whether all arguments are evaluated before the symbol's equations are tried.
    pub(crate) fn evaluates_eagerly(&self, symbol: SymbolId) -> bool {
        self.signature.symbol(symbol).evaluation == crate::signature::Evaluation::Eager
            || self.builtin_op(symbol) == Some(BuiltinOp::If)
    }
}

/// The sort that a membership gives.
pub(super) fn membership_sort(statement: &Statement) -> SortId {
    match statement.conclusion {
        Conclusion::Membership(sort) => sort,
        _ => unreachable!("only memberships are listed as such"),
    }
}
