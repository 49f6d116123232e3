//! The applications of rules to one term, one after the other (`docs/semantics.md` 5.2): positions
//! breadth first, at each position the rules of its symbol in order, for each rule all matchers and
//! all solutions of its condition.
//!
//! The term is a term of the store. Between two applications the enumeration is parked: it holds
//! terms of the store, ranks and the words of its matcher, no heap handle.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::condition::TrialStep;
use super::reaching::{Reached, Reaching};
use crate::code::{FragmentCode, RuleCode};
use crate::heap::{BesideRedex, Handle, HeldNodes};
use crate::id::{StaticId, SymbolId};
use crate::matching::{Leftover, Matcher, Mode, Pattern};
use crate::observer::{SceneParts, SceneSubject};
use crate::registers::Registers;
use crate::safe_points::hold_all;
use crate::solving::Failures;
use crate::solving::{ConditionTrial, Problem, Scope};
use crate::solving::{Kinds, MetPositions, Path};
use crate::statement::{Conclusion, variables_of};
use crate::worker::{Counts, Worker};

/// A rule as an enumeration uses it.
pub(crate) struct RuleUse {
    pub(crate) code: Arc<RuleCode>,
    /// Its condition has equality and sort tests only.
    pub(crate) only_tests: bool,
    /// Which of the given values its first registers get.
    given: Box<[u32]>,
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
    lists: Vec<Box<[u32]>>,
    of_symbol: FxHashMap<SymbolId, u32>,
    rules: FxHashMap<(u32, bool), Arc<RuleUse>>,
    /// The kinds of terms that these rules may find something in.
    kinds: Kinds,
    prepared: bool,
}

impl Selection {
    /// Finds out where the rules may apply.
    fn prepare(&mut self, engine: &Worker) {
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
    fn list(&mut self, engine: &mut Worker, symbol: SymbolId) -> u32 {
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
    fn rule(&mut self, engine: &mut Worker, number: u32, lazy: bool) -> Arc<RuleUse> {
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
    fn problem<'a>(&self, rule: &'a RuleUse, tests: bool) -> Problem<'a> {
        let goal = &rule.code.goal;
        let problem = if self.top { Problem::at_top(goal) } else { Problem::of(goal) };
        let left_out = self.bare && !(tests && rule.only_tests);
        if left_out { problem.bare() } else { problem }
    }
}

const NO_RULES: u32 = u32::MAX;

/// What an enumeration works with.
pub(crate) struct Surroundings<'a> {
    /// The theory.
    /// The rules.
    pub(crate) selection: &'a mut Selection,
    /// What the search around knows; `None` in strategies.
    pub(crate) failures: Option<&'a mut Failures>,
    /// How many `=>` fragments are being solved around this.
    pub(crate) depth: u32,
    /// What is rewritten in conditions is not counted (`docs/semantics.md` 7.6).
    pub(crate) uncounted: bool,
    /// Guards may drop matches. Where a match whose condition fails takes a run of a process and
    /// other processes wait for theirs, they must not.
    pub(crate) guarded: bool,
    /// Conditions that only test are solved here. Where a match whose condition fails takes a run
    /// of a process, that is the caller's work.
    pub(crate) tests: bool,
    /// Values of the selection's given variables.
    pub(crate) values: &'a [Handle],
}

/// The applications of rules to a term.
pub(crate) struct Applications {
    term: Handle,
    nodes: Registers,
    positions: MetPositions,
    /// The position at work and the subterm there.
    at: Option<(usize, Handle)>,
    list: u32,
    next_rule: usize,
    /// The rule at work.
    number: u32,
    rule: Option<Arc<RuleUse>>,
    /// It is matched without extension.
    top: bool,
    trial: ConditionTrial,
    /// The trial has a solution and may have others.
    running: bool,
    frame: Vec<Handle>,
    /// The first register of the frame that is open, and the counts before it was opened.
    base: usize,
    counts: Counts,
    /// Some rule was applied at the position.
    applied: bool,
}

/// What is tried.
enum Attempt {
    /// The first solution with a subject.
    First(Handle),
    /// Another solution.
    Next,
    /// The solution that waits for this.
    GoOn(Reached),
}

/// How far an enumeration has come.
pub(super) enum ApplicationStep {
    /// A rule applies, with bindings in the frame that begins at this register.
    Applies(usize, u32),
    /// There is no (other) application.
    End,
    /// The search of a condition has to go on first.
    Searches(Box<Reaching>),
}

impl Default for Applications {
    /// None, on no term.
    fn default() -> Applications {
        Applications {
            term: Handle::NIL,
            nodes: Registers::default(),
            positions: MetPositions::default(),
            at: None,
            list: NO_RULES,
            next_rule: 0,
            number: 0,
            rule: None,
            top: false,
            trial: ConditionTrial::default(),
            running: false,
            frame: Vec::new(),
            base: 0,
            counts: Counts::default(),
            applied: false,
        }
    }
}

impl Applications {
    /// The applications to a term of the store.
    pub(crate) fn new(engine: &mut Worker, term: Handle) -> Applications {
        let mut applications = Applications::default();
        applications.begin(engine, term);
        applications
    }

    /// Goes over to a term of the store, and uses what was used for the one before.
    pub(super) fn begin(&mut self, engine: &mut Worker, term: Handle) {
        debug_assert!(!term.is_heap());
        self.term = term;
        self.nodes.truncate(0);
        self.positions.start(&mut self.nodes, term);
        self.at = None;
        self.list = NO_RULES;
        self.next_rule = 0;
        self.running = false;
        self.applied = false;
        self.trial.give_steps_up(engine);
    }

    /// Finds the next application and opens the frame with its bindings; returns the frame's base
    /// and the rule. The caller calls `close` before anything else. May collect.
    pub(crate) fn next(
        &mut self,
        engine: &mut Worker,
        around: &mut Surroundings<'_>,
    ) -> Option<(usize, u32)> {
        let mut reached = None;
        loop {
            match self.advance(engine, around, reached) {
                ApplicationStep::Applies(base, rule) => return Some((base, rule)),
                ApplicationStep::End => return None,
                ApplicationStep::Searches(search) => reached = Some(engine.run_search(search)),
            }
        }
    }

    /// The same, as far as it can be done without searching. `reached`: what has come of the search
    /// for which the enumeration waits.
    pub(super) fn advance(
        &mut self,
        engine: &mut Worker,
        around: &mut Surroundings<'_>,
        mut reached: Option<Reached>,
    ) -> ApplicationStep {
        around.selection.prepare(engine);
        loop {
            let attempt = if let Some(reached) = reached.take() {
                Attempt::GoOn(reached)
            } else {
                engine.safe_point();
                engine.space.check_limits();
                if engine.space.stopped.is_some() {
                    return ApplicationStep::End;
                }
                let Some(attempt) = self.next_attempt(engine, around) else {
                    return ApplicationStep::End;
                };
                attempt
            };
            match self.attempt(engine, around, attempt) {
                TrialStep::Solved => return ApplicationStep::Applies(self.base, self.number),
                TrialStep::Failed => {}
                TrialStep::Searches(search) => return ApplicationStep::Searches(search),
            }
        }
    }

    /// What is tried next, in a frame of its own.
    fn next_attempt(
        &mut self,
        engine: &mut Worker,
        around: &mut Surroundings<'_>,
    ) -> Option<Attempt> {
        loop {
            if self.running {
                self.base = engine.space.regs.len();
                engine.space.regs.extend_from_slice(&self.frame);
                return Some(Attempt::Next);
            } else if let Some((at, subject)) = self.at
                && let Some(number) = self.take_rule(around.selection)
            {
                self.number = number;
                let lazy = !self.positions.is_eager(at);
                let rule = around.selection.rule(engine, number, lazy);
                self.base = engine.space.push_frame(rule.code.goal.n_regs as usize);
                for (register, &value) in rule.given.iter().enumerate() {
                    engine.space.regs[self.base + register] = around.values[value as usize];
                }
                self.rule = Some(rule);
                return Some(Attempt::First(subject));
            } else if !self.next_position(engine, around) {
                return None;
            }
        }
    }

    /// Tries for a solution. Closes the frame if there is none.
    fn attempt(
        &mut self,
        engine: &mut Worker,
        around: &mut Surroundings<'_>,
        attempt: Attempt,
    ) -> TrialStep {
        if !matches!(attempt, Attempt::GoOn(_)) {
            self.counts = engine.counts;
            engine.uncounted += u32::from(around.uncounted);
        }
        let rule = self.rule.as_ref().expect("an attempt has a rule");
        let mut problem = around.selection.problem(rule, around.tests);
        problem.keeps_all = !around.guarded;
        if around.selection.bare {
            // Rules applied by label have no conditions in the eyes of whoever watches.
            problem.told = None;
        }
        self.top = around.selection.top;
        let scope = Scope { depth: around.depth };
        engine.last_rule = Some(rule.code.source);
        let base = self.base;
        let step = match attempt {
            Attempt::First(subject) => {
                self.trial.begin(engine, problem, scope, base, subject, Mode::All)
            }
            Attempt::Next => self.trial.solve(engine, problem, scope, base, false),
            Attempt::GoOn(reached) => self.trial.go_on(engine, problem, scope, base, reached),
        };
        if let TrialStep::Searches(_) = step {
            return step;
        }
        engine.note_rule(&rule.code);
        if around.uncounted {
            engine.uncounted -= 1;
            engine.counts = self.counts;
        }
        self.running = matches!(step, TrialStep::Solved);
        if !self.running {
            engine.space.pop_frame(base);
        }
        step
    }

    fn take_rule(&mut self, selection: &Selection) -> Option<u32> {
        if self.list == NO_RULES {
            return None;
        }
        let rule = selection.lists[self.list as usize].get(self.next_rule).copied();
        self.next_rule += 1;
        rule
    }

    /// Moves to the next position where a rule may apply.
    fn next_position(&mut self, engine: &mut Worker, around: &mut Surroundings<'_>) -> bool {
        if let Some((_, subject)) = self.at
            && !self.applied
            && let Some(failures) = &mut around.failures
        {
            failures.mark(subject);
        }
        loop {
            if around.selection.top && self.at.is_some() {
                return false;
            }
            let next = self.positions.next(
                &engine.space.memory,
                &engine.space.signature,
                &mut self.nodes,
                &around.selection.kinds,
            );
            self.at = next;
            let Some((_, subject)) = next else { return false };
            let list = around.selection.list(engine, engine.space.memory.symbol(subject));
            let failed = around.failures.as_deref().is_some_and(|f| f.is_marked(subject));
            if list == NO_RULES || failed {
                continue;
            }
            self.list = list;
            self.next_rule = 0;
            self.applied = false;
            return true;
        }
    }

    /// Applies the rule that `next` has found and returns the new term, reduced, in the heap. May
    /// collect.
    pub(crate) fn result(&mut self, engine: &mut Worker, base: usize) -> Handle {
        self.applied = true;
        let (at, subject) = self.at.expect("an application has a position");
        let rule = Arc::clone(self.rule.as_ref().expect("an application has a rule"));
        let path = self.positions.path(at);
        let eager = self.positions.is_eager(at);
        let position = Some(&path[..]);
        let subject = SceneSubject::Node(subject);
        engine.count_rule(&rule.code, base, SceneParts { subject, position, slots: None });
        let right =
            self.trial.sheltered(engine, |engine| engine.right_side(&rule.code, base, eager));
        if engine.space.stopped.is_some() {
            return right;
        }
        let new = if eager {
            let pattern = self.pattern(&rule);
            self.trial.matcher().replace(&mut engine.space, pattern, right)
        } else {
            let rest = self.rest(engine);
            engine.space.memory.around(&rest, right, false)
        };
        let term = self.term;
        self.trial.sheltered(engine, |engine| engine.put(term, &path, new, eager))
    }

    /// The pattern that was matched.
    fn pattern<'a>(&self, rule: &'a RuleUse) -> &'a Pattern {
        let goal = &rule.code.goal;
        if self.top { Problem::at_top(goal).pattern } else { &goal.pattern }
    }

    /// What the match of the present application leaves over beside the redex.
    pub(crate) fn rest(&self, engine: &mut Worker) -> BesideRedex {
        let rule = self.rule.as_ref().expect("an application has a rule");
        let (_, subject) = self.at.expect("an application has a position");
        engine.rest(self.trial.matcher(), self.pattern(rule), subject)
    }

    /// The rule of the present application.
    pub(crate) fn rule(&self) -> &Arc<RuleUse> {
        self.rule.as_ref().expect("an application has a rule")
    }

    /// Closes the frame and parks the enumeration.
    pub(crate) fn close(&mut self, engine: &mut Worker, base: usize) {
        // Whoever watches is told of each fragment that is tried again, also in vain.
        let watched = engine.is_watched();
        self.running = self.running && (watched || self.trial.has_more_possible());
        if self.running {
            let rule = Arc::clone(self.rule());
            if !watched && self.trial.rewind(engine, self.pattern(&rule), base) {
                let own = base + rule.code.goal.n_own as usize;
                engine.space.regs[own..].fill(Handle::NIL);
            }
            self.trial.park(engine);
            self.frame.clear();
            engine.park_registers(base, &mut self.frame);
        }
        engine.space.pop_frame(base);
    }

    /// Tells which terms of the store it holds while parked.
    pub(crate) fn hold_stored(&mut self, held: &mut HeldNodes) {
        self.hold_terms(held);
        self.trial.hold_stored(held);
    }

    /// The same without what searches in the condition hold, which are added to a list.
    pub(super) fn hold_own<'a>(
        &'a mut self,
        held: &mut HeldNodes,
        searches: &mut Vec<&'a mut Reaching>,
    ) {
        self.hold_terms(held);
        self.trial.hold_own(held, searches);
    }

    fn hold_terms(&self, held: &mut HeldNodes) {
        held.hold(self.term);
        hold_all(self.nodes.iter().chain(&self.frame), held);
        hold_all(self.at.as_ref().map(|at| &at.1), held);
    }

    /// The trial whose solution `next` has found.
    pub(crate) fn trial(&mut self) -> &mut ConditionTrial {
        &mut self.trial
    }

    /// The way from the root to the position of the application.
    pub(crate) fn path(&self) -> Path {
        self.positions.path(self.at.expect("an application has a position").0)
    }

    /// The term that rules are applied to.
    pub(crate) fn term(&self) -> Handle {
        self.term
    }
}

impl Worker {
    /// The value of a rule's right side over the frame at `base`: reduced, or where `eager` is
    /// false normal and unreduced. May collect.
    pub(crate) fn right_side(&mut self, code: &RuleCode, base: usize, eager: bool) -> Handle {
        if eager {
            let pc = code.goal.right.expect("a rule has a right side");
            return self.evaluate(&code.goal.block, pc, base);
        }
        self.unreduced_instance(code.right, &code.goal.slots, base, false)
    }

    /// Puts the outcome of a rule, which may be raw where `eager` is true, at the end of a path.
    /// May collect.
    pub(crate) fn put(&mut self, root: Handle, path: &Path, new: Handle, eager: bool) -> Handle {
        let base = self.space.push_frame(1);
        self.space.regs[base] = root;
        let new = if eager { self.reduce(new) } else { new };
        let root = self.space.memory.resolve(self.space.regs[base]);
        self.space.pop_frame(base);
        if self.space.stopped.is_some() { new } else { self.rebuild(root, path, new) }
    }

    /// What a match leaves over beside the matched part.
    pub(crate) fn rest(
        &mut self,
        matcher: &Matcher,
        pattern: &Pattern,
        subject: Handle,
    ) -> BesideRedex {
        let leftover = matcher.leftover(&mut self.space, pattern);
        let memory = &mut self.space.memory;
        let symbol = memory.symbol(subject);
        match leftover {
            Leftover::Whole => BesideRedex::Nothing,
            Leftover::Rest(rest) => {
                let elements = if rest.is_heap() && memory.symbol(rest) == symbol {
                    let places = 0..memory.n_args(rest);
                    places.map(|i| (memory.arg(rest, i), memory.multiplicity(rest, i))).collect()
                } else {
                    vec![(rest, 1)]
                };
                let stored = |(arg, m): (Handle, u32)| (memory.enter(arg), m);
                BesideRedex::Multiset(symbol, elements.into_iter().map(stored).collect())
            }
            Leftover::List { from, to } => {
                let n = memory.n_args(subject);
                let mut stored = |i: usize| memory.enter(memory.arg(subject, i));
                let before = (0..from as usize).map(&mut stored).collect();
                BesideRedex::List(symbol, before, (to as usize..n).map(stored).collect())
            }
            Leftover::Iter(count) => BesideRedex::Iterations(symbol, count),
        }
    }
}
