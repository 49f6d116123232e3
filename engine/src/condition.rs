//! Solving conditions: one implementation, resumable, for rules, searches, strategies and matches.
//!
//! A *trial* is a pattern on a subject together with a condition. It is a machine that gives one
//! solution after the other: the fragments are solved left to right with chronological
//! backtracking, the last choice first (`language.md` 3.3). Its bindings stand in a frame of the
//! root stack; between solutions a trial can be parked, and then holds terms of the store only.

use crate::code::{FragmentCode, GoalCode, Pc, Reg};
use crate::engine::Engine;
use crate::heap::Handle;
use crate::id::TheoryId;
use crate::links::Link;
use crate::matching::{Matcher, Mode, Pattern};
use crate::rewrite::Marks;
use crate::search::{Failures, Graph, Held, Reach};

/// What is to be solved: a pattern and a condition over one frame.
#[derive(Clone, Copy)]
pub(crate) struct Problem<'a> {
    /// The pattern.
    pub(crate) pattern: &'a Pattern,
    /// The condition.
    pub(crate) fragments: &'a [FragmentCode],
    /// Registers to be emptied before another matcher of the pattern is used.
    pub(crate) reset: &'a [Reg],
    /// What `=>` fragments share with the search around; empty where nothing is shared.
    pub(crate) links: &'a [Link],
    /// How many iterations the last match of another rule at the same position left outside.
    pub(crate) outside: u32,
}

impl<'a> Problem<'a> {
    /// The pattern and condition of a goal.
    pub(crate) fn of(goal: &'a GoalCode) -> Problem<'a> {
        Problem {
            pattern: &goal.pattern,
            fragments: &goal.fragments,
            reset: &goal.reset,
            links: &[],
            outside: 0,
        }
    }

    /// The same without extension.
    pub(crate) fn at_top(goal: &'a GoalCode) -> Problem<'a> {
        let pattern = goal.top_pattern.as_ref().unwrap_or(&goal.pattern);
        Problem { pattern, ..Problem::of(goal) }
    }

    /// The same with the links of its fragments.
    pub(crate) fn linked(self, links: &'a [Link]) -> Problem<'a> {
        Problem { links, ..self }
    }

    /// The same after the last match of another rule at the same position.
    pub(crate) fn after(self, trial: &Trial) -> Problem<'a> {
        Problem { outside: trial.matcher.outside, ..self }
    }

    /// The pattern alone.
    pub(crate) fn bare(self) -> Problem<'a> {
        Problem { fragments: &[], ..self }
    }
}

/// What solving needs to know of its surroundings.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    /// The theory whose rules solve `=>` fragments.
    pub(crate) theory: TheoryId,
    /// What is known of the subterms of the search around.
    pub(crate) failures: Option<&'a Failures>,
    /// What is known of the subterms of the term that is being rewritten.
    pub(crate) marks: Option<&'a Marks>,
    /// How many `=>` fragments are being solved around this one.
    pub(crate) depth: u32,
}

/// A fragment that has been solved.
#[expect(clippy::large_enum_variant, reason = "matchers are used again, so boxes would cost more")]
enum Step {
    /// It has no other solution.
    Done,
    /// `:=`.
    Matching(Matcher),
    /// `=>`.
    Reaching(Box<Reaching>),
}

/// The states that solve an `=>` fragment.
struct Reaching {
    reach: Reach,
    matcher: Matcher,
    /// The matcher is at a state, and may have others.
    at_state: bool,
}

impl Reaching {
    /// The searches inside of this one, which it loses.
    #[allow(clippy::vec_box, reason = "the steps that they come from hold boxes")]
    fn take_inner(&mut self) -> Vec<Box<Reaching>> {
        let trial = self.reach.trial();
        let steps = trial.map(|trial| std::mem::take(&mut trial.steps)).unwrap_or_default();
        let inner = steps.into_iter().filter_map(|step| match step {
            Step::Reaching(reaching) => Some(reaching),
            Step::Done | Step::Matching(_) => None,
        });
        inner.collect()
    }
}

impl Reaching {
    /// What the search knows of the terms in some registers goes into the term around.
    fn note_marks(&self, engine: &mut Engine, registers: &[Reg], base: usize, marks: &Marks) {
        for &register in registers {
            let value = engine.memory.resolve(engine.regs[base + register as usize]);
            let stored = engine.memory.enter(value);
            marks.note(&mut engine.memory, value, stored, self.reach.graph().failures());
        }
    }
}

/// Searches nest as deeply as rules make them, so they are dropped one by one.
impl Drop for Reaching {
    fn drop(&mut self) {
        let mut inner = self.take_inner();
        while let Some(mut reaching) = inner.pop() {
            inner.append(&mut reaching.take_inner());
        }
    }
}

/// A pattern with a condition while it is being solved. The frame of its registers must be the one
/// that was there at the beginning, wherever it is now.
#[derive(Default)]
pub(crate) struct Trial {
    matcher: Matcher,
    steps: Vec<Step>,
    /// What is known of the values of variables that searches start from, as long as they are bound.
    held: Held,
}

impl Trial {
    /// Finds the first solution with `subject`. May collect.
    pub(crate) fn first(
        &mut self,
        engine: &mut Engine,
        problem: Problem<'_>,
        scope: Scope<'_>,
        base: usize,
        subject: Handle,
        mode: Mode,
    ) -> bool {
        self.steps.clear();
        self.forget_values(problem);
        self.matcher.outside = problem.outside;
        self.matcher.start(engine, problem.pattern, base, subject, mode)
            && self.solve(engine, problem, scope, base, true)
    }

    /// Finds the next solution. May collect.
    pub(crate) fn next(
        &mut self,
        engine: &mut Engine,
        problem: Problem<'_>,
        scope: Scope<'_>,
        base: usize,
    ) -> bool {
        self.solve(engine, problem, scope, base, false)
    }

    /// Variables get other values: what is known of those before does not count any more. Without
    /// links nothing is known.
    fn forget_values(&mut self, problem: Problem<'_>) {
        if !problem.links.is_empty() {
            self.held = Held::new();
        }
    }

    fn solve(
        &mut self,
        engine: &mut Engine,
        problem: Problem<'_>,
        scope: Scope<'_>,
        base: usize,
        mut forward: bool,
    ) -> bool {
        loop {
            if forward {
                let Some(fragment) = problem.fragments.get(self.steps.len()) else { return true };
                forward = self.enter_fragment(engine, fragment, problem, scope, base);
            } else {
                let Some(step) = self.steps.pop() else {
                    engine.check_limits();
                    if engine.stopped.is_some() {
                        return false;
                    }
                    if !self.matcher.next(engine, problem.pattern, base) {
                        return false;
                    }
                    self.forget_values(problem);
                    engine.reset(base, problem.reset);
                    forward = true;
                    continue;
                };
                let fragment = &problem.fragments[self.steps.len()];
                match step {
                    Step::Done => {}
                    Step::Matching(mut matcher) => {
                        let (_, pattern, reset) = parts_of(fragment);
                        if matcher.next(engine, pattern, base) {
                            engine.reset(base, reset);
                            self.steps.push(Step::Matching(matcher));
                            forward = true;
                        }
                    }
                    Step::Reaching(reaching) => {
                        forward = self.reach(engine, fragment, reaching, problem, scope, base);
                    }
                }
            }
            if engine.stopped.is_some() {
                return false;
            }
        }
    }

    /// Solves the fragment after the last solved one for the first time.
    fn enter_fragment(
        &mut self,
        engine: &mut Engine,
        fragment: &FragmentCode,
        problem: Problem<'_>,
        scope: Scope<'_>,
        base: usize,
    ) -> bool {
        match fragment {
            FragmentCode::Equal(..) | FragmentCode::Sort(..) => {
                let holds = self.sheltered(engine, |engine| engine.holds(fragment, base));
                if holds {
                    self.steps.push(Step::Done);
                }
                holds
            }
            FragmentCode::Match { subject, pattern, .. } => {
                let subject = self.sheltered(engine, |engine| engine.evaluate(*subject, base));
                if engine.stopped.is_some() {
                    return false;
                }
                let mut matcher = Matcher::default();
                let found = matcher.start(engine, pattern, base, subject, Mode::All);
                if found {
                    let last = !matcher.has_more_possible();
                    self.steps.push(if last { Step::Done } else { Step::Matching(matcher) });
                }
                found
            }
            FragmentCode::Rewrite { subject, .. } => {
                let start = self.sheltered(engine, |engine| engine.evaluate(*subject, base));
                if engine.stopped.is_some() {
                    return false;
                }
                let start = engine.memory.enter(start);
                let link = problem.links.get(self.steps.len());
                let graph = Graph::nested(engine, scope, start, link, base, &mut self.held);
                let reaching = Reaching {
                    reach: Reach::new(graph),
                    matcher: Matcher::default(),
                    at_state: false,
                };
                self.reach(engine, fragment, Box::new(reaching), problem, scope, base)
            }
        }
    }

    /// Goes on to the next state and matcher that solve an `=>` fragment.
    fn reach(
        &mut self,
        engine: &mut Engine,
        fragment: &FragmentCode,
        mut reaching: Box<Reaching>,
        problem: Problem<'_>,
        scope: Scope<'_>,
        base: usize,
    ) -> bool {
        let (_, pattern, reset) = parts_of(fragment);
        loop {
            let r = &mut *reaching;
            if r.at_state {
                let found = r.matcher.next(engine, pattern, base);
                engine.reset(base, reset);
                if found {
                    break;
                }
            }
            r.at_state = false;
            // `=>` fragments nest as deeply as rules make them.
            let state = self.sheltered(engine, |engine| {
                stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
                    r.reach.next(engine, scope.theory, scope.depth + 1)
                })
            });
            let Some(state) = state else {
                if let Some(marks) = scope.marks
                    && let Some(link) = problem.links.get(self.steps.len())
                {
                    r.note_marks(engine, &link.start, base, marks);
                }
                return false;
            };
            let state = r.reach.graph().state(state);
            if r.matcher.start(engine, pattern, base, state, Mode::All) {
                r.at_state = true;
                break;
            }
        }
        self.steps.push(Step::Reaching(reaching));
        true
    }

    /// Runs something that may collect while the trial's matchers wait.
    pub(crate) fn sheltered<T>(
        &mut self,
        engine: &mut Engine,
        run: impl FnOnce(&mut Engine) -> T,
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
            Step::Done => None,
            Step::Matching(matcher) => Some(matcher),
            Step::Reaching(reaching) => Some(&mut reaching.matcher),
        });
        std::iter::once(&mut self.matcher).chain(inner)
    }

    /// Begins with the rules at another position.
    pub(crate) fn begin_position(&mut self) {
        self.matcher.begin_position();
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
                Step::Done => false,
                Step::Matching(matcher) => matcher.has_more_possible(),
                Step::Reaching(_) => true,
            })
    }

    /// Takes back what the next solution will not build upon, as far as that is certain. Returns
    /// whether only the pattern's own registers count from now on.
    pub(crate) fn rewind(&mut self, engine: &mut Engine, pattern: &Pattern, base: usize) -> bool {
        let tests_only = self.steps.iter().all(|step| matches!(step, Step::Done));
        if tests_only {
            self.steps.clear();
            self.matcher.rewind(engine, pattern, base);
        }
        tests_only
    }

    /// Moves all terms that the trial holds into the store.
    pub(crate) fn park(&mut self, engine: &mut Engine) {
        for matcher in self.matchers() {
            matcher.park(engine);
        }
    }

    /// What the searches of this solution's `=>` fragments know of terms that they share with the
    /// term that is being rewritten goes into it.
    pub(crate) fn note_marks(
        &self,
        engine: &mut Engine,
        links: &[Link],
        base: usize,
        marks: &Marks,
    ) {
        for (step, link) in self.steps.iter().zip(links) {
            if let Step::Reaching(reaching) = step {
                reaching.note_marks(engine, &link.start, base, marks);
                reaching.note_marks(engine, &link.new, base, marks);
            }
        }
    }

    /// What the searches of this solution's `=>` fragments know of the terms that they started from
    /// and that their patterns took out of them goes into the search around (`language.md` 5.7), where
    /// `new` is the state that comes of the solution.
    pub(crate) fn hand_over(
        &self,
        engine: &mut Engine,
        links: &[Link],
        base: usize,
        new: Handle,
        failures: &mut Failures,
    ) {
        for (step, link) in self.steps.iter().zip(links) {
            let Step::Reaching(reaching) = step else { continue };
            for &register in &link.new {
                let value = engine.enter_register(base, register);
                failures.take_over(&engine.memory, reaching.reach.graph().failures(), value);
            }
            for &register in &link.kept {
                let value = engine.enter_register(base, register);
                failures.take_over_from(&engine.memory, &self.held.failures, value, new);
            }
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

impl Engine {
    /// Enters what a register of a frame holds into the store.
    fn enter_register(&mut self, base: usize, register: Reg) -> Handle {
        let at = base + register as usize;
        self.regs[at] = self.memory.enter(self.regs[at]);
        self.regs[at]
    }

    /// Empties registers of a frame.
    pub(crate) fn reset(&mut self, base: usize, registers: &[Reg]) {
        for &register in registers {
            self.regs[base + register as usize] = Handle::NIL;
        }
    }

    /// Whether an equality or sort test holds. May collect.
    pub(crate) fn holds(&mut self, fragment: &FragmentCode, base: usize) -> bool {
        match *fragment {
            FragmentCode::Equal(left, right) => {
                let left = self.evaluate(left, base);
                self.regs.push(left);
                let right = self.evaluate(right, base);
                let left = self.regs.pop().expect("the left side was pushed");
                let left = self.memory.resolve(left);
                self.stopped.is_none() && self.memory.equal(left, self.memory.resolve(right))
            }
            FragmentCode::Sort(code, sort) => {
                let term = self.evaluate(code, base);
                if self.stopped.is_some() {
                    return false;
                }
                let index = self.sort(term);
                self.signature.kind(sort.kind).leq(index, sort.index)
            }
            FragmentCode::Match { .. } | FragmentCode::Rewrite { .. } => {
                unreachable!("tests have no pattern")
            }
        }
    }
}
