//! The applications of rules to one term, one after the other (`docs/semantics.md` 5.2): positions
//! breadth first, at each position the rules of its symbol in order, for each rule all matchers and
//! all solutions of its condition.
//!
//! The term is a term of the store. Between two applications the enumeration is parked: it holds
//! terms of the store, ranks and the words of its matcher, no heap handle.

use std::sync::Arc;

use super::condition::TrialStep;
use super::reaching::{Reached, Reaching};
use super::selection::NO_RULES;
use super::{ConditionTrial, Failures, MetPositions, Path, Problem, RuleUse, Scope, Selection};
use crate::heap::{BesideRedex, Handle, HeldNodes};
use crate::matching::{Mode, Pattern};
use crate::observer::{SceneParts, SceneSubject};
use crate::registers::Registers;
use crate::safe_points::hold_all;
use crate::worker::{Counts, Worker};

/// What an enumeration works with.
pub(crate) struct Surroundings<'a> {
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
