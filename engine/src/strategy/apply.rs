//! Rules applied by label: their conditions are solved by processes and tasks (`docs/semantics.md`
//! 7.2).

use std::sync::Arc;

use super::machine::StrategyMachine;
use super::program::{Env, StrategyNode, StrategyNodeId};
use super::stacks::StackId;
use super::tasks::{Continuation, ProcessWork, TaskId};
use crate::code::FragmentCode;
use crate::heap::BesideRedex;
use crate::heap::{Handle, HeldNodes};
use crate::matching::{Matcher, Mode};
use crate::observer::SceneParts;
use crate::safe_points::hold_all;
use crate::solving::Path;
use crate::solving::parts_of;
use crate::solving::{Applications, RuleUse, Surroundings};
use crate::worker::Worker;

/// An application of a rule that waits for its condition.
pub(super) struct Pending {
    node: StrategyNodeId,
    rule: Arc<RuleUse>,
    /// The term the rule is applied to, the way to the redex, and what is left over beside it.
    term: Handle,
    path: Path,
    rest: BesideRedex,
    /// Who goes on with the result, and with what.
    owner: TaskId,
    stack: StackId,
    /// The variables of the strategies in braces.
    env: Env,
}

/// The matchers of a `:=` or `=>` fragment.
pub(super) struct FragmentMatches {
    pending: Arc<Pending>,
    fragment: usize,
    matcher: Matcher,
    frame: Vec<Handle>,
    /// The first matcher has been found and not been used.
    fresh: bool,
}

impl Pending {
    /// Tells which terms of the store it holds.
    pub(super) fn hold_stored(&self, held: &mut HeldNodes) {
        held.hold(self.term);
        hold_all(self.rest.terms(), held);
        self.env.hold_stored(held);
    }
}

impl FragmentMatches {
    /// Tells which terms of the store they hold.
    pub(super) fn hold_stored(&mut self, held: &mut HeldNodes) {
        self.pending.hold_stored(held);
        self.matcher.visit_roots(&mut |root| held.hold(*root));
        hold_all(&self.frame, held);
    }
}

impl StrategyMachine {
    /// A run of an application process. Returns whether it goes on.
    pub(super) fn run_apply(
        &mut self,
        engine: &mut Worker,
        owner: TaskId,
        (node, stack): (StrategyNodeId, StackId),
        applications: &mut Applications,
        values: &[Handle],
    ) -> bool {
        let StrategyNode::Apply(applying) = self.program.node_mut(node) else {
            unreachable!("an application process runs an application")
        };
        let mut around = Surroundings {
            selection: &mut applying.selection,
            failures: if applying.all { Some(&mut self.failures) } else { None },
            depth: 0,
            uncounted: applying.all,
            guarded: applying.all || self.depth_first,
            // With strategies in braces a rule whose condition only tests is useless.
            tests: self.depth_first && applying.conditions.is_empty(),
            values,
        };
        let Some((base, _)) = applications.next(engine, &mut around) else { return false };
        let rule = Arc::clone(applications.rule());
        let goal = &rule.code.goal;
        let fragments = &goal.fragments;
        let is_rewrite = |f: &&FragmentCode| matches!(f, FragmentCode::Rewrite { .. });
        let n_rewrites = fragments.iter().filter(is_rewrite).count();
        if !applying.all && n_rewrites != applying.conditions.len() {
            // The wrong number of strategies in braces makes the rule useless.
            applications.close(engine, base);
            return true;
        }
        if !applying.all && !rule.only_tests {
            self.wait(engine, owner, (node, stack), applications, base);
            return true;
        }
        let tests = if applying.all || around.tests { &[][..] } else { fragments };
        let trial = applications.trial();
        let holds = trial.sheltered(engine, |engine| {
            tests.iter().all(|fragment| engine.holds(&goal.block, fragment, base))
        });
        if holds && engine.space.stopped.is_none() {
            let new = applications.result(engine, base);
            if engine.space.stopped.is_none() {
                let new = engine.space.memory.enter(new);
                self.decompose(new, stack, owner);
            }
        }
        applications.close(engine, base);
        true
    }

    /// Lets an application wait for its condition.
    fn wait(
        &mut self,
        engine: &mut Worker,
        owner: TaskId,
        (node, stack): (StrategyNodeId, StackId),
        applications: &mut Applications,
        base: usize,
    ) {
        let pending = Pending {
            node,
            rule: Arc::clone(applications.rule()),
            term: applications.term(),
            path: applications.path(),
            rest: applications.rest(engine),
            owner,
            stack,
            env: self.scheduler.env(owner).clone(),
        };
        let frame = engine.parked_frame(base);
        applications.close(engine, base);
        self.advance(engine, &Arc::new(pending), &frame, 0, owner);
    }

    /// Goes on with a fragment of the condition of a rule.
    fn advance(
        &mut self,
        engine: &mut Worker,
        pending: &Arc<Pending>,
        frame: &[Handle],
        mut at: usize,
        owner: TaskId,
    ) {
        let base = engine.space.regs.len();
        engine.space.regs.extend_from_slice(frame);
        let goal = &pending.rule.code.goal;
        while let Some(fragment) = goal.fragments.get(at) {
            match fragment {
                FragmentCode::Equal(..) | FragmentCode::Sort(..) => {
                    if !engine.holds(&goal.block, fragment, base) || engine.space.stopped.is_some()
                    {
                        engine.note_rule(&pending.rule.code);
                        engine.space.pop_frame(base);
                        return;
                    }
                    at += 1;
                }
                FragmentCode::Match { subject, .. } => {
                    let subject = engine.evaluate(&goal.block, *subject, base);
                    engine.note_rule(&pending.rule.code);
                    if engine.space.stopped.is_none() {
                        self.matches(engine, pending, (base, at), owner, subject);
                    }
                    engine.space.pop_frame(base);
                    return;
                }
                FragmentCode::Rewrite { subject, .. } => {
                    let start = engine.evaluate(&goal.block, *subject, base);
                    if engine.space.stopped.is_some() {
                        engine.note_rule(&pending.rule.code);
                        engine.space.pop_frame(base);
                        return;
                    }
                    let start = engine.space.memory.enter(start);
                    let frame = engine.park_frame(base);
                    self.start_fragment(pending, frame, at, owner, start);
                    return;
                }
            }
        }
        let eager = engine.is_eager_path(pending.term, &pending.path);
        let scene = SceneParts { position: Some(&pending.path), ..SceneParts::default() };
        engine.count_rule(&pending.rule.code, base, scene);
        let new = engine.right_side(&pending.rule.code, base, eager);
        engine.space.pop_frame(base);
        if engine.space.stopped.is_some() {
            return;
        }
        let new = engine.space.memory.around(&pending.rest, new, eager);
        let new = engine.put(pending.term, &pending.path, new, eager);
        if engine.space.stopped.is_none() {
            let new = engine.space.memory.enter(new);
            self.decompose(new, pending.stack, pending.owner);
        }
    }

    /// Makes a task for the strategy of an `=>` fragment.
    fn start_fragment(
        &mut self,
        pending: &Arc<Pending>,
        frame: Vec<Handle>,
        at: usize,
        owner: TaskId,
        start: Handle,
    ) {
        let before = &pending.rule.code.goal.fragments[..at];
        let n = before.iter().filter(|f| matches!(f, FragmentCode::Rewrite { .. })).count();
        let StrategyNode::Apply(applying) = self.program.node(pending.node) else {
            unreachable!("rules are applied by applications")
        };
        let strategy = applying.conditions[n];
        let continuation = Continuation::Fragment {
            pending: Arc::clone(pending),
            fragment: at as u32,
            frame: frame.into(),
        };
        let task = self.scheduler.add_task(Some(owner), continuation, pending.env.clone());
        let stack = self.stacks.push(strategy, StackId::EMPTY);
        self.decompose(start, stack, task);
    }

    /// Matches a term with the pattern of a fragment; if it fits, a process takes the matchers. The
    /// frame stays open.
    fn matches(
        &mut self,
        engine: &mut Worker,
        pending: &Arc<Pending>,
        (base, fragment): (usize, usize),
        owner: TaskId,
        subject: Handle,
    ) {
        let (_, pattern, _) = parts_of(&pending.rule.code.goal.fragments[fragment]);
        let mut matcher = Matcher::default();
        let answer = matcher.start(&mut engine.space, pattern, base, subject, Mode::All);
        if engine.serve(&mut matcher, pattern, base, answer) {
            matcher.park(&mut engine.space);
            let frame = engine.parked_frame(base);
            let pending = Arc::clone(pending);
            let matches = FragmentMatches { pending, fragment, matcher, frame, fresh: true };
            self.scheduler.add_process(owner, ProcessWork::Fragment(Box::new(matches)));
        }
    }

    /// A result of the strategy of an `=>` fragment.
    pub(super) fn fragment_result(
        &mut self,
        engine: &mut Worker,
        task: TaskId,
        (pending, fragment): (&Arc<Pending>, usize),
        frame: &[Handle],
        state: Handle,
    ) {
        let base = engine.space.regs.len();
        engine.space.regs.extend_from_slice(frame);
        self.matches(engine, pending, (base, fragment), task, state);
        engine.space.pop_frame(base);
    }

    /// A run of a fragment process. Returns whether it goes on.
    pub(super) fn run_fragment(
        &mut self,
        engine: &mut Worker,
        owner: TaskId,
        matches: &mut FragmentMatches,
    ) -> bool {
        let pending = Arc::clone(&matches.pending);
        if !std::mem::take(&mut matches.fresh) {
            let base = engine.space.regs.len();
            engine.space.regs.extend_from_slice(&matches.frame);
            let fragment = &pending.rule.code.goal.fragments[matches.fragment];
            let (_, pattern, reset) = parts_of(fragment);
            let answer = matches.matcher.next(&mut engine.space, pattern, base);
            if !engine.serve(&mut matches.matcher, pattern, base, answer) {
                engine.space.pop_frame(base);
                return false;
            }
            engine.reset(base, reset);
            matches.matcher.park(&mut engine.space);
            matches.frame = engine.park_frame(base);
        }
        self.advance(engine, &pending, &matches.frame, matches.fragment + 1, owner);
        true
    }
}
