//! Solving conditions: one implementation, resumable, for rules, searches, strategies and matches.
//!
//! A *trial* is a pattern on a subject together with a condition. It is a machine that gives one
//! solution after the other: the fragments are solved left to right with chronological
//! backtracking, the last choice first (`docs/semantics.md` 3.3). Its bindings stand in a frame of
//! the root stack; between solutions a trial can be parked, and then holds terms of the store only.

use super::reaching::{Reaching, hold_searches};
use crate::code::{Block, FragmentCode, GoalCode, Pc, Reg};
use crate::heap::{Handle, HeldNodes};
use crate::matching::{MatchAnswer, Matcher, Mode, Pattern};
use crate::worker::Worker;

/// What is to be solved: a pattern and a condition over one frame.
#[derive(Clone, Copy)]
pub(crate) struct Problem<'a> {
    /// The pattern.
    pub(crate) pattern: &'a Pattern,
    /// The condition.
    pub(crate) fragments: &'a [FragmentCode],
    /// Each match is followed by its condition: none is dropped early by a guard.
    pub(crate) keeps_all: bool,
    /// The code of its terms.
    pub(crate) block: &'a Block,
    /// Registers to be emptied before another matcher of the pattern is used.
    pub(crate) reset: &'a [Reg],
    /// The goal, if whoever watches is told of its condition.
    pub(crate) told: Option<&'a GoalCode>,
}

impl<'a> Problem<'a> {
    /// The pattern and condition of a goal.
    pub(crate) fn of(goal: &'a GoalCode) -> Problem<'a> {
        Problem {
            pattern: &goal.pattern,
            fragments: &goal.fragments,
            block: &goal.block,
            reset: &goal.reset,
            keeps_all: false,
            told: Some(goal),
        }
    }

    /// The same without extension.
    pub(crate) fn at_top(goal: &'a GoalCode) -> Problem<'a> {
        let pattern = goal.top_pattern.as_ref().unwrap_or(&goal.pattern);
        Problem { pattern, ..Problem::of(goal) }
    }

    /// The pattern alone.
    pub(crate) fn bare(self) -> Problem<'a> {
        Problem { fragments: &[], told: None, ..self }
    }
}

/// What solving needs to know of its surroundings.
#[derive(Clone, Copy)]
pub(crate) struct Scope {
    /// How many `=>` fragments are being solved around this one.
    pub(crate) depth: u32,
}

/// A fragment that has been solved.
#[expect(clippy::large_enum_variant, reason = "matchers are used again, so boxes would cost more")]
pub(super) enum SolvedFragment {
    /// It has no other solution.
    Done,
    /// `:=`.
    Matching(Matcher),
    /// `=>`.
    Reaching(Box<Reaching>),
}

/// A pattern with a condition while it is being solved. The frame of its registers must be the one
/// that was there at the beginning, wherever it is now.
#[derive(Default)]
pub(crate) struct ConditionTrial {
    matcher: Matcher,
    steps: Vec<SolvedFragment>,
    /// Matchers of fragments to use again.
    pool: Vec<Matcher>,
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
        self.give_steps_up(engine);
        self.matcher.keeps_all = problem.keeps_all;
        let answer = self.matcher.start(&mut engine.space, problem.pattern, base, subject, mode);
        if !self.served(engine, problem.pattern, base, answer) {
            return false;
        }
        engine.tell_matched(&problem, Some(subject), base);
        self.solve(engine, problem, scope, base, true)
    }

    /// Finds the next solution. May collect.
    pub(crate) fn next(
        &mut self,
        engine: &mut Worker,
        problem: Problem<'_>,
        scope: Scope,
        base: usize,
    ) -> bool {
        self.solve(engine, problem, scope, base, false)
    }

    /// Forgets how the fragments were solved.
    pub(super) fn give_steps_up(&mut self, engine: &mut Worker) {
        for step in self.steps.drain(..) {
            engine.finished_searches.keep_step(step);
        }
    }

    /// The searches of its fragments, which it loses with all that is solved.
    #[allow(clippy::vec_box, reason = "the steps that they come from hold boxes")]
    pub(super) fn take_searches(&mut self) -> Vec<Box<Reaching>> {
        let inner = self.steps.drain(..).filter_map(|step| match step {
            SolvedFragment::Reaching(reaching) => Some(reaching),
            SolvedFragment::Done | SolvedFragment::Matching(_) => None,
        });
        inner.collect()
    }

    fn solve(
        &mut self,
        engine: &mut Worker,
        problem: Problem<'_>,
        scope: Scope,
        base: usize,
        mut forward: bool,
    ) -> bool {
        loop {
            if forward {
                let at = self.steps.len();
                let Some(fragment) = problem.fragments.get(at) else {
                    engine.tell_solved(&problem, true);
                    return true;
                };
                engine.tell_tried(&problem, at, false);
                forward = self.enter_fragment(engine, fragment, problem.block, scope, base);
                engine.tell_tried_ended(&problem, at, forward);
            } else {
                let Some(step) = self.steps.pop() else {
                    engine.space.check_limits();
                    if engine.space.stopped.is_some() {
                        return false;
                    }
                    let answer = self.matcher.next(&mut engine.space, problem.pattern, base);
                    if !self.served(engine, problem.pattern, base, answer) {
                        engine.tell_solved(&problem, false);
                        return false;
                    }
                    engine.reset(base, problem.reset);
                    engine.tell_matched(&problem, None, base);
                    forward = true;
                    continue;
                };
                let at = self.steps.len();
                let fragment = &problem.fragments[at];
                engine.tell_tried(&problem, at, true);
                match step {
                    SolvedFragment::Done => {}
                    SolvedFragment::Matching(mut matcher) => {
                        let (_, pattern, reset) = parts_of(fragment);
                        let answer = matcher.next(&mut engine.space, pattern, base);
                        if self.serve(engine, &mut matcher, pattern, base, answer) {
                            engine.reset(base, reset);
                            self.steps.push(SolvedFragment::Matching(matcher));
                            forward = true;
                        } else {
                            self.pool.push(matcher);
                        }
                    }
                    SolvedFragment::Reaching(reaching) => {
                        forward = self.reach(engine, fragment, reaching, scope, base);
                    }
                }
                engine.tell_tried_ended(&problem, at, forward);
            }
            if engine.space.stopped.is_some() {
                return false;
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
    ) -> bool {
        match fragment {
            FragmentCode::Equal(..) | FragmentCode::Sort(..) => {
                let holds = self.sheltered(engine, |engine| engine.holds(block, fragment, base));
                if holds {
                    self.steps.push(SolvedFragment::Done);
                }
                holds
            }
            FragmentCode::Match { subject, pattern, .. } => {
                let subject =
                    self.sheltered(engine, |engine| engine.evaluate(block, *subject, base));
                if engine.space.stopped.is_some() {
                    return false;
                }
                let mut matcher = self.pool.pop().unwrap_or_default();
                let answer = matcher.start(&mut engine.space, pattern, base, subject, Mode::All);
                let found = self.serve(engine, &mut matcher, pattern, base, answer);
                if found && matcher.has_more_possible() {
                    self.steps.push(SolvedFragment::Matching(matcher));
                } else {
                    self.pool.push(matcher);
                    if found {
                        self.steps.push(SolvedFragment::Done);
                    }
                }
                found
            }
            FragmentCode::Rewrite { subject, .. } => {
                let start = self.sheltered(engine, |engine| engine.evaluate(block, *subject, base));
                if engine.space.stopped.is_some() {
                    return false;
                }
                let start = engine.space.memory.enter(start);
                let reaching = engine.finished_searches.begin(start);
                self.reach(engine, fragment, reaching, scope, base)
            }
        }
    }

    /// Goes on to the next state and matcher that solve an `=>` fragment.
    fn reach(
        &mut self,
        engine: &mut Worker,
        fragment: &FragmentCode,
        mut reaching: Box<Reaching>,
        scope: Scope,
        base: usize,
    ) -> bool {
        let (_, pattern, reset) = parts_of(fragment);
        loop {
            let r = &mut *reaching;
            if r.at_state {
                let answer = r.matcher.next(&mut engine.space, pattern, base);
                let found = self.serve(engine, &mut r.matcher, pattern, base, answer);
                engine.reset(base, reset);
                if found {
                    break;
                }
            }
            r.at_state = false;
            // `=>` fragments nest as deeply as rules make them.
            let state = self.sheltered(engine, |engine| {
                stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
                    r.reach.next(engine, scope.depth + 1)
                })
            });
            let Some(state) = state else {
                engine.finished_searches.keep(reaching);
                return false;
            };
            let state = r.reach.graph().state(state);
            let answer = r.matcher.start(&mut engine.space, pattern, base, state, Mode::All);
            if self.serve(engine, &mut r.matcher, pattern, base, answer) {
                r.at_state = true;
                break;
            }
        }
        self.steps.push(SolvedFragment::Reaching(reaching));
        true
    }

    /// Gives a matcher that is not among the trial's the sorts that it wants. May collect.
    fn serve(
        &mut self,
        engine: &mut Worker,
        matcher: &mut Matcher,
        pattern: &Pattern,
        base: usize,
        answer: MatchAnswer,
    ) -> bool {
        match answer {
            MatchAnswer::Matched => true,
            MatchAnswer::Failed => false,
            MatchAnswer::Wants(_) => {
                self.sheltered(engine, |engine| engine.serve(matcher, pattern, base, answer))
            }
        }
    }

    /// The same for the matcher of the pattern itself.
    fn served(
        &mut self,
        engine: &mut Worker,
        pattern: &Pattern,
        base: usize,
        answer: MatchAnswer,
    ) -> bool {
        if let MatchAnswer::Wants(_) = answer {
            let mut matcher = std::mem::take(&mut self.matcher);
            let found = self.serve(engine, &mut matcher, pattern, base, answer);
            self.matcher = matcher;
            return found;
        }
        answer == MatchAnswer::Matched
    }

    /// Runs something that may collect while the trial's matchers wait.
    pub(crate) fn sheltered<T>(
        &mut self,
        engine: &mut Worker,
        run: impl FnOnce(&mut Worker) -> T,
    ) -> T {
        let below = engine.suspended.len();
        for matcher in self.matchers() {
            engine.suspended.push(std::mem::take(matcher));
        }
        let result = run(engine);
        for (matcher, back) in self.matchers().zip(engine.suspended.drain(below..)) {
            *matcher = back;
        }
        result
    }

    fn matchers(&mut self) -> impl Iterator<Item = &mut Matcher> {
        let inner = self.steps.iter_mut().filter_map(|step| match step {
            SolvedFragment::Done => None,
            SolvedFragment::Matching(matcher) => Some(matcher),
            SolvedFragment::Reaching(reaching) => Some(&mut reaching.matcher),
        });
        std::iter::once(&mut self.matcher).chain(inner)
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
        self.matcher.visit_roots(&mut |root| held.hold(*root));
        for step in &mut self.steps {
            match step {
                SolvedFragment::Done => {}
                SolvedFragment::Matching(matcher) => {
                    matcher.visit_roots(&mut |root| held.hold(*root));
                }
                SolvedFragment::Reaching(reaching) => searches.push(reaching),
            }
        }
    }

    /// Whether subjects may have been denied their sorts.
    pub(crate) fn expect_denied(&mut self, denied: bool) {
        self.matcher.denied = denied;
    }

    /// The matcher of the pattern itself.
    pub(crate) fn matcher(&self) -> &Matcher {
        &self.matcher
    }

    /// False when there is certainly no further solution.
    pub(crate) fn has_more_possible(&self) -> bool {
        self.matcher.has_more_possible()
            || self.steps.iter().any(|step| match step {
                SolvedFragment::Done => false,
                SolvedFragment::Matching(matcher) => matcher.has_more_possible(),
                SolvedFragment::Reaching(_) => true,
            })
    }

    /// Takes back what the next solution will not build upon, as far as that is certain. Returns
    /// whether only the pattern's own registers count from now on.
    pub(crate) fn rewind(&mut self, engine: &mut Worker, pattern: &Pattern, base: usize) -> bool {
        let tests_only = self.steps.iter().all(|step| matches!(step, SolvedFragment::Done));
        if tests_only {
            self.steps.clear();
            self.matcher.rewind(&mut engine.space, pattern, base);
        }
        tests_only
    }

    /// Moves all terms that the trial holds into the store.
    pub(crate) fn park(&mut self, engine: &mut Worker) {
        for matcher in self.matchers() {
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
