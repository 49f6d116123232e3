//! Which rules are used, in which form, and where they may apply.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Kinds, Problem};
use crate::code::{FragmentCode, RuleCode};
use crate::id::{StaticId, SymbolId};
use crate::statement::{Conclusion, variables_of};
use crate::worker::Worker;

/// The list of rules for a symbol that has none.
pub(super) const NO_RULES: u32 = u32::MAX;

/// A rule as an enumeration uses it.
pub(crate) struct RuleUse {
    pub(crate) code: Arc<RuleCode>,
    /// Its condition has equality and sort tests only.
    pub(crate) only_tests: bool,
    /// Which of the given values its first registers get.
    pub(super) given: Box<[u32]>,
}

/// Which rules are used, and in which form. Rules are numbers of statements.
#[derive(Default)]
pub(crate) struct Selection {
    /// The rules in question; `None` for all that are executable.
    pub(crate) only: Option<Vec<u32>>,
    /// Variables that have values from the start.
    pub(crate) given: Vec<StaticId>,
    /// At the root only, without extension.
    pub(crate) top: bool,
    /// Conditions are left to the caller, unless they only test and `Surroundings::tests` says so.
    pub(crate) bare: bool,
    pub(super) lists: Vec<Box<[u32]>>,
    of_symbol: FxHashMap<SymbolId, u32>,
    rules: FxHashMap<(u32, bool), Arc<RuleUse>>,
    /// The kinds of terms that these rules may find something in.
    pub(super) kinds: Kinds,
    prepared: bool,
}

impl Selection {
    /// Finds out where the rules may apply.
    pub(super) fn prepare(&mut self, engine: &Worker) {
        if std::mem::replace(&mut self.prepared, true) {
            return;
        }
        let statements = &engine.code.tables.statements;
        let used = (0..).zip(statements.iter()).filter(|(number, statement)| match &self.only {
            Some(only) => only.contains(number),
            None => matches!(statement.conclusion, Conclusion::Rule(_)) && !statement.nonexec,
        });
        let top = |left| engine.space.signature.symbol(engine.terms.node(left).symbol()).range;
        let kinds = used.map(|(_, statement)| top(statement.left));
        self.kinds = Kinds::around(&engine.space.signature, kinds);
    }

    /// The list of rules for a symbol, by its number.
    pub(super) fn list(&mut self, engine: &mut Worker, symbol: SymbolId) -> u32 {
        if let Some(&list) = self.of_symbol.get(&symbol) {
            return list;
        }
        let rules = engine.code.tables.rules_at(&engine.space.signature, symbol);
        let rules: Box<[u32]> = match &self.only {
            None => {
                let statements = &engine.code.tables.statements;
                rules.iter().copied().filter(|&r| !statements[r as usize].nonexec).collect()
            }
            Some(only) => rules.iter().copied().filter(|r| only.contains(r)).collect(),
        };
        let list = if rules.is_empty() {
            NO_RULES
        } else {
            self.lists.push(rules);
            self.lists.len() as u32 - 1
        };
        self.of_symbol.insert(symbol, list);
        list
    }

    /// A rule, compiled; `lazy`: for subjects that are not evaluated.
    pub(super) fn rule(&mut self, engine: &mut Worker, number: u32, lazy: bool) -> Arc<RuleUse> {
        if let Some(rule) = self.rules.get(&(number, lazy)) {
            return Arc::clone(rule);
        }
        let theory = Arc::clone(&engine.theory);
        let statement = &theory.statements()[number as usize];
        let variables = variables_of(&engine.terms, statement);
        let mut given: Vec<u32> = Vec::new();
        let mut bound: Vec<StaticId> = Vec::new();
        for (place, variable) in self.given.iter().enumerate() {
            if variables.contains(variable) {
                given.push(place as u32);
                bound.push(*variable);
            }
        }
        let code = engine.rule_code(number, &bound, lazy);
        let is_test =
            |f: &FragmentCode| matches!(f, FragmentCode::Equal(..) | FragmentCode::Sort(..));
        let only_tests = code.goal.fragments.iter().all(is_test);
        let rule = Arc::new(RuleUse { code, only_tests, given: given.into() });
        self.rules.insert((number, lazy), Arc::clone(&rule));
        rule
    }

    /// What is solved for a rule; `tests` as in `Surroundings`.
    pub(super) fn problem<'a>(&self, rule: &'a RuleUse, tests: bool) -> Problem<'a> {
        let goal = &rule.code.goal;
        let problem = if self.top { Problem::at_top(goal) } else { Problem::of(goal) };
        let left_out = self.bare && !(tests && rule.only_tests);
        if left_out { problem.bare() } else { problem }
    }
}
