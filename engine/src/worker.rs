//! The worker: all state that moves while terms are evaluated.
//!
//! Everything that runs works on one worker: its heap and store, the root stack `regs` (all live
//! heap handles stand there, in a suspended matcher, or in the `roots` of a caller, whenever
//! something may collect), and counters.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::builtin::{Hooks, KnownTruths};
use crate::code::{CodeCompiler, RuleCode, TheoryCode};
use crate::fidelity::Fidelity;
use crate::heap::Handle;
use crate::id::{NameId, StaticId, SymbolId};
use crate::limits::Limits;
use crate::matching::Matcher;
use crate::observer::{Event, Observer, SceneParts, Watch};
use crate::reduce::EquationalMachine;
use crate::result::Roots;
use crate::signature::{Meaning, Signature};
use crate::solving::FinishedSearches;
use crate::statement::StrategyId;
use crate::term::StaticTerms;
use crate::theory::Theory;
use crate::workspace::Workspace;

/// How many rewrites of each sort have been done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Equations and builtin steps.
    pub equations: u64,
    /// Memberships.
    pub memberships: u64,
    /// Rules.
    pub rules: u64,
}

impl Counts {
    /// All rewrites.
    pub fn total(&self) -> u64 {
        self.equations + self.memberships + self.rules
    }

    /// Adds those of somebody else.
    pub(crate) fn add(&mut self, other: Counts) {
        self.equations += other.equations;
        self.memberships += other.memberships;
        self.rules += other.rules;
    }
}

/// A rule, the variables that have values beforehand, and whether subjects are not evaluated.
type RuleKey = (u32, Box<[StaticId]>, bool);

/// Whatever moves when terms of a theory are evaluated: heap and store, registers, frames, counts.
/// A caller makes as many as it has threads.
pub struct Worker {
    pub(crate) theory: Arc<Theory>,
    pub(crate) hooks: Arc<Hooks>,
    pub(crate) code: Arc<TheoryCode>,
    pub(crate) space: Workspace,
    /// The terms of the computation at work.
    pub(crate) terms: Arc<StaticTerms>,
    /// Matchers that wait while something is evaluated; their handles are roots.
    #[allow(clippy::vec_box, reason = "trials hold them in boxes")]
    pub(crate) suspended: Vec<Vec<Box<Matcher>>>,
    pub(crate) counts: Counts,
    /// Rule applications by label, with the place of the label in the order of first applications.
    applications: FxHashMap<NameId, (usize, u64)>,
    /// While positive, rule applications are not entered in `applications`.
    pub(crate) uncounted: u32,
    pub(crate) machine: EquationalMachine,
    /// The source of the rule that was tried or applied last.
    pub(crate) last_rule: Option<u32>,
    /// Whoever watches.
    pub(crate) watch: Option<Box<Watch>>,
    /// Rules that strategies give values for some variables of, by statement and these variables.
    rules: FxHashMap<RuleKey, Arc<RuleCode>>,
    /// The values of ground terms in definitions of strategies, evaluated for good, by the place of
    /// the term: strategy, number of the definition, number of the call or value there.
    pub(crate) ground_values: FxHashMap<(StrategyId, u32, u32), FxHashMap<StaticId, Handle>>,
    /// Held by every computation that is alive.
    pub(crate) runs: Arc<()>,
    /// Whose turn it was when the last rewriting stopped.
    pub(crate) turns: FxHashMap<SymbolId, usize>,
    /// Rules take their turns anew in each command.
    pub(crate) clears_turns: bool,
    /// Searches of conditions that are over.
    pub(crate) finished_searches: FinishedSearches,
    pub(crate) known_truths: KnownTruths,
    /// The stored terms that callers hold.
    pub(crate) roots: Arc<Roots>,
}

impl Worker {
    /// A worker for a theory. `hooks`: those that its symbols have. `signature`: the theory's, with
    /// the symbols that have been mentioned. `plain`: it counts what the language counts; else it
    /// does less work for the same answers (`docs/architecture.md`, Two modes).
    pub fn new(
        theory: &Arc<Theory>,
        hooks: &Arc<Hooks>,
        signature: &Signature,
        plain: bool,
    ) -> Worker {
        Worker::with_code(theory, hooks, signature, theory.code(plain, false, signature))
    }

    /// The same for a worker that is watched.
    pub fn watched(
        theory: &Arc<Theory>,
        hooks: &Arc<Hooks>,
        signature: &Signature,
        plain: bool,
        observer: Box<dyn Observer>,
    ) -> Worker {
        let code = theory.code(plain, true, signature);
        let mut worker = Worker::with_code(theory, hooks, signature, code);
        worker.watch = Some(Box::new(Watch::new(observer)));
        worker
    }

    fn with_code(
        theory: &Arc<Theory>,
        hooks: &Arc<Hooks>,
        signature: &Signature,
        code: Arc<TheoryCode>,
    ) -> Worker {
        let mut memory = code.memory();
        memory.learn_mentioned(signature);
        Worker {
            theory: Arc::clone(theory),
            hooks: Arc::clone(hooks),
            code,
            space: Workspace::new(signature.clone(), memory),
            terms: Arc::clone(theory.terms()),
            suspended: Vec::new(),
            last_rule: None,
            counts: Counts::default(),
            applications: FxHashMap::default(),
            uncounted: 0,
            machine: EquationalMachine::new(),
            watch: None,
            rules: FxHashMap::default(),
            ground_values: FxHashMap::default(),
            runs: Arc::new(()),
            turns: FxHashMap::default(),
            clears_turns: true,
            finished_searches: FinishedSearches::default(),
            known_truths: KnownTruths::default(),
            roots: Arc::default(),
        }
    }

    /// Whether it works for this theory, in this mode, where the symbols that the signature has as
    /// mentioned may occur.
    pub fn serves(&self, theory: &Arc<Theory>, signature: &Signature, plain: bool) -> bool {
        Arc::ptr_eq(&self.theory, theory)
            && self.code.fidelity == Fidelity::new(plain)
            && self.code.is_right_for(signature)
    }

    /// Whether rules take their turns anew in each `rewrite` and `frewrite` (the default), or go on
    /// where the last one in the theory stopped.
    pub fn set_clear_turns(&mut self, on: bool) {
        self.clears_turns = on;
    }

    /// What bounds a computation.
    pub fn limits(&self) -> &Limits {
        &self.space.limits
    }

    /// Bounds computations from now on.
    pub fn set_limits(&mut self, limits: Limits) {
        self.space.limits = limits;
    }

    /// A compiler for goals over the terms of a command.
    pub(crate) fn compiler<'a>(&'a mut self, terms: &Arc<StaticTerms>) -> CodeCompiler<'a> {
        self.code.compiler(&self.space.signature, terms, &mut self.space.memory)
    }

    /// A rule, compiled for the case that the variables `bound` have values beforehand; `lazy`: for
    /// subjects that are not evaluated, which its condition has to do.
    pub(crate) fn rule_code(
        &mut self,
        number: u32,
        bound: &[StaticId],
        lazy: bool,
    ) -> Arc<RuleCode> {
        let lazy = lazy && !self.theory.statements()[number as usize].condition.is_empty();
        if bound.is_empty()
            && !lazy
            && let Some(rule) = self.code.rule(number)
        {
            return Arc::clone(rule);
        }
        let key = (number, Box::from(bound), lazy);
        if let Some(rule) = self.rules.get(&key) {
            return Arc::clone(rule);
        }
        let theory = Arc::clone(&self.theory);
        let statement = &theory.statements()[number as usize];
        let rule =
            Arc::new(self.compiler(theory.terms()).compile_rule(number, statement, bound, lazy));
        self.rules.insert(key, Arc::clone(&rule));
        rule
    }

    /// The builtin operation of a symbol.
    pub(crate) fn meaning(&self, symbol: SymbolId) -> Option<Meaning> {
        self.space.signature.symbol(symbol).meaning()
    }

    /// The bytes that its terms take: heap, store, constants and registers.
    pub fn size(&self) -> usize {
        4 * (self.space.memory.term_load() + self.space.memory.constant_words())
    }

    /// The rewrites done since the last reset.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Starts counting anew.
    pub fn reset_counts(&mut self) {
        self.counts = Counts::default();
        self.applications.clear();
    }

    /// How often the rules with each label were applied since the last reset, in the order in which
    /// the labels came up.
    pub fn rule_applications(&self) -> Vec<(NameId, u64)> {
        let mut ordered: Vec<_> = self.applications.iter().collect();
        ordered.sort_unstable_by_key(|(_, (order, _))| *order);
        ordered.into_iter().map(|(&label, &(_, count))| (label, count)).collect()
    }

    /// Counts and tells an application of a rule; `base`: where its frame is.
    pub(crate) fn count_rule(&mut self, rule: &RuleCode, base: usize, scene: SceneParts<'_>) {
        self.counts.rules += 1;
        self.last_rule = Some(rule.source);
        if self.is_watched() {
            let slots = Some((&rule.goal.slots, base));
            self.tell(Event::Rule(rule.source), SceneParts { slots, ..scene });
        }
        let label = rule.label;
        if let Some(label) = label
            && self.uncounted == 0
        {
            let order = self.applications.len();
            self.applications.entry(label).or_insert((order, 0)).1 += 1;
        }
    }
}
