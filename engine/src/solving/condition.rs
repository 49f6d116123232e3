//! Solving conditions: one implementation, resumable, for rules, searches, strategies and matches.
//!
//! A *trial* is a pattern on a subject together with a condition. It is a machine that gives one
//! solution after the other, and waits where an `=>` fragment has to search: the fragments are solved left to right with chronological
//! backtracking, the last choice first (`docs/semantics.md` 3.3). Its bindings stand in a frame of
//! the root stack; between solutions a trial can be parked, and then holds terms of the store only.

use super::reaching::{Reached, Reaching, hold_searches};
use super::{Problem, Scope};
use crate::code::{Block, FragmentCode, Pc, Reg};
use crate::heap::{Handle, HeldNodes};
use crate::matching::{MatchAnswer, Matcher, Mode, Pattern};
use crate::worker::Worker;

/// A fragment that has been solved.
pub(super) enum SolvedFragment {
    /// It has no other solution.
    Done,
    /// `:=`, by one of the trial's matchers.
    Matching,
    /// `=>`, likewise.
    Reaching(Box<Reaching>),
}

/// How far a trial has come.
pub(super) enum TrialStep {
    /// It has a solution.
    Solved,
    /// It has no (other) solution.
    Failed,
    /// The search of an `=>` fragment has to go on first.
    Searches(Box<Reaching>),
}

/// A pattern with a condition while it is being solved. The frame of its registers must be the one
/// that was there at the beginning, wherever it is now.
#[derive(Default)]
#[allow(clippy::vec_box, reason = "matchers go from list to list")]
pub(crate) struct ConditionTrial {
    /// The matcher of the pattern, then those of the solved fragments that have one, in their order.
    matchers: Vec<Box<Matcher>>,
    steps: Vec<SolvedFragment>,
    /// Matchers of fragments to use again.
    pool: Vec<Box<Matcher>>,
}

impl ConditionTrial {
    /// Finds the first solution with `subject`. May collect.
    pub(crate) fn first(
        &mut self,
        engine: &mut Worker,
        problem: Problem<'_>,
        scope: Scope,
        base: usize,
        subject: Handle,
        mode: Mode,
    ) -> bool {
        let step = self.begin(engine, problem, scope, base, subject, mode);
        self.complete(engine, problem, scope, base, step)
    }

    /// Finds the next solution. May collect.
    pub(crate) fn next(
        &mut self,
        engine: &mut Worker,
        problem: Problem<'_>,
        scope: Scope,
        base: usize,
    ) -> bool {
        let step = self.solve(engine, problem, scope, base, false);
        self.complete(engine, problem, scope, base, step)
    }

    /// Runs the searches that the trial waits for, until it has a solution or fails.
    fn complete(
        &mut self,
        engine: &mut Worker,
        problem: Problem<'_>,
        scope: Scope,
        base: usize,
        mut step: TrialStep,
    ) -> bool {
        loop {
            step = match step {
                TrialStep::Solved => return true,
                TrialStep::Failed => return false,
                TrialStep::Searches(search) => {
                    let reached = engine.run_search(search);
                    self.go_on(engine, problem, scope, base, reached)
                }
            };
        }
    }

    /// Begins with a subject. May collect.
    pub(super) fn begin(
        &mut self,
        engine: &mut Worker,
        problem: Problem<'_>,
        scope: Scope,
        base: usize,
        subject: Handle,
        mode: Mode,
    ) -> TrialStep {
        self.give_steps_up(engine);
        let matcher = self.own_matcher();
        matcher.keeps_all = problem.keeps_all;
        let answer = matcher.start(&mut engine.space, problem.pattern, base, subject, mode);
        if !self.serve(engine, 0, problem.pattern, base, answer) {
            return TrialStep::Failed;
        }
        engine.tell_matched(&problem, Some(subject), base);
        self.solve(engine, problem, scope, base, true)
    }

    /// Forgets how the fragments were solved.
    pub(super) fn give_steps_up(&mut self, engine: &mut Worker) {
        for step in self.steps.drain(..) {
            engine.finished_searches.keep_step(step);
        }
        self.pool.extend(self.matchers.drain(1.min(self.matchers.len())..));
    }

    /// The searches of its fragments, which it loses with all that is solved.
    #[allow(clippy::vec_box, reason = "the steps that they come from hold boxes")]
    pub(super) fn take_searches(&mut self) -> Vec<Box<Reaching>> {
        let inner = self.steps.drain(..).filter_map(|step| match step {
            SolvedFragment::Reaching(reaching) => Some(reaching),
            SolvedFragment::Done | SolvedFragment::Matching => None,
        });
        inner.collect()
    }

    /// Solves the fragments after those that are solved, or finds another solution of them. May
    /// collect.
    pub(super) fn solve(
        &mut self,
        engine: &mut Worker,
        problem: Problem<'_>,
        scope: Scope,
        base: usize,
        mut forward: bool,
    ) -> TrialStep {
        loop {
            let at;
            let step = if forward {
                at = self.steps.len();
                let Some(fragment) = problem.fragments.get(at) else {
                    engine.tell_solved(&problem, true);
                    return TrialStep::Solved;
                };
                engine.tell_tried(&problem, at, false);
                self.enter_fragment(engine, fragment, problem.block, scope, base)
            } else {
                let Some(step) = self.steps.pop() else {
                    engine.space.check_limits();
                    if engine.space.stopped.is_some() {
                        return TrialStep::Failed;
                    }
                    let answer = self.matchers[0].next(&mut engine.space, problem.pattern, base);
                    if !self.serve(engine, 0, problem.pattern, base, answer) {
                        engine.tell_solved(&problem, false);
                        return TrialStep::Failed;
                    }
                    engine.reset(base, problem.reset);
                    engine.tell_matched(&problem, None, base);
                    forward = true;
                    continue;
                };
                at = self.steps.len();
                engine.tell_tried(&problem, at, true);
                self.retry_fragment(engine, &problem.fragments[at], step, base)
            };
            match step {
                TrialStep::Searches(search) => return self.wait(engine, search),
                _ => forward = matches!(step, TrialStep::Solved),
            }
            engine.tell_tried_ended(&problem, at, forward);
            if engine.space.stopped.is_some() {
                return TrialStep::Failed;
            }
        }
    }

    /// Lets the trial wait while a search goes on.
    fn wait(&mut self, engine: &mut Worker, search: Box<Reaching>) -> TrialStep {
        engine.suspended.push(std::mem::take(&mut self.matchers));
        TrialStep::Searches(search)
    }

    /// The search for which the trial waits has come to its next state, or to its end. May collect.
    pub(super) fn go_on(
        &mut self,
        engine: &mut Worker,
        problem: Problem<'_>,
        scope: Scope,
        base: usize,
        reached: Reached,
    ) -> TrialStep {
        self.matchers = engine.suspended.pop().expect("the trial waits");
        let at = self.steps.len();
        match self.reached(engine, &problem.fragments[at], reached, base) {
            TrialStep::Searches(search) => self.wait(engine, search),
            step => {
                let solved = matches!(step, TrialStep::Solved);
                engine.tell_tried_ended(&problem, at, solved);
                if engine.space.stopped.is_some() {
                    return TrialStep::Failed;
                }
                self.solve(engine, problem, scope, base, solved)
            }
        }
    }

    /// Solves the fragment after the last solved one for the first time.
    fn enter_fragment(
        &mut self,
        engine: &mut Worker,
        fragment: &FragmentCode,
        block: &Block,
        scope: Scope,
        base: usize,
    ) -> TrialStep {
        match fragment {
            FragmentCode::Equal(..) | FragmentCode::Sort(..) => {
                let holds = self.sheltered(engine, |engine| engine.holds(block, fragment, base));
                self.solved_if(holds, SolvedFragment::Done)
            }
            FragmentCode::Match { subject, pattern, .. } => {
                let subject =
                    self.sheltered(engine, |engine| engine.evaluate(block, *subject, base));
                if engine.space.stopped.is_some() {
                    return TrialStep::Failed;
                }
                let found = self.start_matcher(engine, pattern, base, subject);
                let step = if !found || self.last_matcher().has_more_possible() {
                    SolvedFragment::Matching
                } else {
                    self.drop_matcher();
                    SolvedFragment::Done
                };
                self.solved_if(found, step)
            }
            FragmentCode::Rewrite { subject, .. } => {
                let start = self.sheltered(engine, |engine| engine.evaluate(block, *subject, base));
                if engine.space.stopped.is_some() {
                    return TrialStep::Failed;
                }
                let start = engine.space.memory.enter(start);
                TrialStep::Searches(engine.finished_searches.begin(start, scope.depth + 1))
            }
        }
    }

    fn solved_if(&mut self, holds: bool, step: SolvedFragment) -> TrialStep {
        if !holds {
            return TrialStep::Failed;
        }
        self.steps.push(step);
        TrialStep::Solved
    }

    /// Finds another solution of the fragment that was the last solved one.
    fn retry_fragment(
        &mut self,
        engine: &mut Worker,
        fragment: &FragmentCode,
        step: SolvedFragment,
        base: usize,
    ) -> TrialStep {
        if let SolvedFragment::Done = step {
            return TrialStep::Failed;
        }
        let (_, pattern, reset) = parts_of(fragment);
        let last = self.matchers.len() - 1;
        let answer = self.matchers[last].next(&mut engine.space, pattern, base);
        let found = self.serve(engine, last, pattern, base, answer);
        if found || matches!(step, SolvedFragment::Reaching(_)) {
            engine.reset(base, reset);
        }
        if found {
            return self.solved_if(true, step);
        }
        self.drop_matcher();
        match step {
            SolvedFragment::Reaching(search) => TrialStep::Searches(search),
            _ => TrialStep::Failed,
        }
    }

    /// Goes on with an `=>` fragment at the state that its search has come to.
    fn reached(
        &mut self,
        engine: &mut Worker,
        fragment: &FragmentCode,
        reached: Reached,
        base: usize,
    ) -> TrialStep {
        let Reached { search, state } = reached;
        let Some(state) = state else {
            engine.finished_searches.keep(search);
            return TrialStep::Failed;
        };
        let (_, pattern, _) = parts_of(fragment);
        if self.start_matcher(engine, pattern, base, state) {
            return self.solved_if(true, SolvedFragment::Reaching(search));
        }
        TrialStep::Searches(search)
    }

    /// Starts a matcher of a fragment's pattern, which the trial has from then on if it matches.
    fn start_matcher(
        &mut self,
        engine: &mut Worker,
        pattern: &Pattern,
        base: usize,
        subject: Handle,
    ) -> bool {
        let mut matcher = self.pool.pop().unwrap_or_default();
        let answer = matcher.start(&mut engine.space, pattern, base, subject, Mode::All);
        self.matchers.push(matcher);
        let found = self.serve(engine, self.matchers.len() - 1, pattern, base, answer);
        if !found {
            self.drop_matcher();
        }
        found
    }

    fn last_matcher(&self) -> &Matcher {
        &self.matchers[self.matchers.len() - 1]
    }

    fn drop_matcher(&mut self) {
        self.pool.extend(self.matchers.pop());
    }

    /// Gives one of its matchers the sorts that it wants, until it has matched or failed. May collect.
    fn serve(
        &mut self,
        engine: &mut Worker,
        place: usize,
        pattern: &Pattern,
        base: usize,
        mut answer: MatchAnswer,
    ) -> bool {
        loop {
            let node = match answer {
                MatchAnswer::Matched => return true,
                MatchAnswer::Failed => return false,
                MatchAnswer::Wants(node) => node,
            };
            self.sheltered(engine, |engine| engine.sort(node));
            if engine.space.stopped.is_some() {
                return false;
            }
            answer = self.matchers[place].go_on(&mut engine.space, pattern, base);
        }
    }

    /// Runs something that may collect while the trial's matchers wait.
    pub(crate) fn sheltered<T>(
        &mut self,
        engine: &mut Worker,
        run: impl FnOnce(&mut Worker) -> T,
    ) -> T {
        engine.suspended.push(std::mem::take(&mut self.matchers));
        let result = run(engine);
        self.matchers = engine.suspended.pop().expect("the matchers wait");
        result
    }

    /// Tells which terms of the store the trial holds. Searches nest as deeply as rules make them.
    pub(crate) fn hold_stored(&mut self, held: &mut HeldNodes) {
        let mut searches = Vec::new();
        self.hold_own(held, &mut searches);
        hold_searches(searches, held);
    }

    /// The same without what the searches of fragments hold, which are added to a list.
    pub(super) fn hold_own<'a>(
        &'a mut self,
        held: &mut HeldNodes,
        searches: &mut Vec<&'a mut Reaching>,
    ) {
        for matcher in &mut self.matchers {
            matcher.visit_roots(&mut |root| held.hold(*root));
        }
        searches.extend(self.steps.iter_mut().filter_map(|step| match step {
            SolvedFragment::Done | SolvedFragment::Matching => None,
            SolvedFragment::Reaching(reaching) => Some(&mut **reaching),
        }));
    }

    /// Whether subjects may have been denied their sorts.
    pub(crate) fn expect_denied(&mut self, denied: bool) {
        self.own_matcher().denied = denied;
    }

    /// The matcher of the pattern itself, new if there was none.
    fn own_matcher(&mut self) -> &mut Matcher {
        if self.matchers.is_empty() {
            self.matchers.push(Box::default());
        }
        &mut self.matchers[0]
    }

    /// The matcher of the pattern itself, which has matched.
    pub(crate) fn matcher(&self) -> &Matcher {
        &self.matchers[0]
    }

    /// False when there is certainly no further solution.
    pub(crate) fn has_more_possible(&self) -> bool {
        self.matchers.iter().any(|matcher| matcher.has_more_possible())
            || self.steps.iter().any(|step| matches!(step, SolvedFragment::Reaching(_)))
    }

    /// Takes back what the next solution will not build upon, as far as that is certain. Returns
    /// whether only the pattern's own registers count from now on.
    pub(crate) fn rewind(&mut self, engine: &mut Worker, pattern: &Pattern, base: usize) -> bool {
        let tests_only = self.steps.iter().all(|step| matches!(step, SolvedFragment::Done));
        if tests_only {
            self.steps.clear();
            self.matchers[0].rewind(&mut engine.space, pattern, base);
        }
        tests_only
    }

    /// Moves all terms that the trial holds into the store.
    pub(crate) fn park(&mut self, engine: &mut Worker) {
        for matcher in &mut self.matchers {
            matcher.park(&mut engine.space);
        }
    }
}

/// The code of the subject, the pattern and the registers to reset of a `:=` or `=>` fragment.
pub(crate) fn parts_of(fragment: &FragmentCode) -> (Pc, &Pattern, &[Reg]) {
    match fragment {
        FragmentCode::Match { subject, pattern, reset }
        | FragmentCode::Rewrite { subject, pattern, reset } => (*subject, pattern, reset),
        FragmentCode::Equal(..) | FragmentCode::Sort(..) => {
            unreachable!("only `:=` and `=>` fragments have patterns")
        }
    }
}

impl Worker {
    /// Empties registers of a frame.
    pub(crate) fn reset(&mut self, base: usize, registers: &[Reg]) {
        for &register in registers {
            self.space.regs[base + register as usize] = Handle::NIL;
        }
    }

    /// Whether an equality or sort test holds. May collect.
    pub(crate) fn holds(&mut self, block: &Block, fragment: &FragmentCode, base: usize) -> bool {
        match *fragment {
            FragmentCode::Equal(left, right) => {
                let left = self.evaluate(block, left, base);
                self.space.regs.push(left);
                let right = self.evaluate(block, right, base);
                let left = self.space.regs.pop().expect("the left side was pushed");
                let left = self.space.memory.resolve(left);
                self.space.stopped.is_none()
                    && self.space.memory.equal(left, self.space.memory.resolve(right))
            }
            FragmentCode::Sort(code, sort) => {
                let term = self.evaluate(block, code, base);
                if self.space.stopped.is_some() {
                    return false;
                }
                let index = self.sort(term);
                self.space.signature.kind(sort.kind).leq(index, sort.index)
            }
            FragmentCode::Match { .. } | FragmentCode::Rewrite { .. } => {
                unreachable!("tests have no pattern")
            }
        }
    }
}
