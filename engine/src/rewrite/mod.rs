//! `rewrite`: rules at positions breadth first, round robin for each symbol (`docs/semantics.md` 4.1,
//! 4.2), and what it shares with `frewrite`.

mod configuration;
mod fair;
#[cfg(test)]
mod tests;

pub use fair::FairRewriting;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::code::RuleCode;
use crate::command::{CommandRun, CommandTerms, Computation};
use crate::fidelity::{Marks, Parked};
use crate::heap::{Handle, HeldNodes};
use crate::id::{StaticId, SymbolId};
use crate::limits::Stop;
use crate::matching::{Mode, Pattern};
use crate::observer::SceneParts;
use crate::result::Term;
use crate::safe_points::StoreHolder;
use crate::solving::{ConditionTrial, Problem, Scope};
use crate::solving::{Kinds, MetPositions};
use crate::statement::Conclusion;
use crate::worker::Worker;
use configuration::Deliveries;

/// The rules of a theory as `rewrite` and `frewrite` use them: in turn.
struct Rules {
    symbols: FxHashMap<SymbolId, RuleTurn>,
    /// Rules of configurations, for fair rewriting.
    deliveries: FxHashMap<SymbolId, Deliveries>,
    /// Where the turns of symbols begin, if not at their first rules.
    begin: Turns,
    /// The kinds of terms in which some rule may apply.
    kinds: Kinds,
    marks: Marks,
    trial: ConditionTrial,
}

/// In which form the outcome of a rule is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// It will be reduced.
    ToReduce,
    /// Normal and unreduced.
    Normal,
    /// Unreduced, as the right side and what is left over stand.
    AsBuilt,
}

/// For each symbol the place of the rule whose turn it is.
pub(crate) type Turns = FxHashMap<SymbolId, usize>;

/// The executable rules of a symbol, and which is next.
#[derive(Default)]
struct RuleTurn {
    rules: Arc<[Arc<RuleCode>]>,
    next: usize,
}

impl Rules {
    fn new(engine: &Worker) -> Rules {
        let begin = if engine.clears_turns { None } else { Some(engine.turns.clone()) };
        Rules {
            symbols: FxHashMap::default(),
            deliveries: FxHashMap::default(),
            begin: begin.unwrap_or_default(),
            kinds: kinds_with_rules(engine),
            marks: Marks::default(),
            trial: ConditionTrial::default(),
        }
    }

    /// Notes whose turn it is, for commands that go on with the turns.
    fn note_turns(&self, engine: &mut Worker) {
        engine.turns.extend(self.symbols.iter().map(|(&symbol, turn)| (symbol, turn.next)));
    }

    fn turn(&mut self, engine: &mut Worker, symbol: SymbolId) -> &mut RuleTurn {
        let begin = &self.begin;
        self.symbols.entry(symbol).or_insert_with(|| {
            let rules = engine.code.tables.rules_at(&engine.space.signature, symbol);
            let theory = Arc::clone(&engine.theory);
            let statements = theory.statements();
            let rules = rules.iter().copied().filter(|&r| !statements[r as usize].nonexec);
            let rules: Arc<[_]> = rules.map(|r| engine.rule_code(r, &[], false)).collect();
            let next = begin.get(&symbol).copied().unwrap_or(0);
            RuleTurn { rules, next }
        })
    }

    /// Whether any rule may apply to terms with this symbol on top.
    fn any(&mut self, engine: &mut Worker, symbol: SymbolId) -> bool {
        !self.turn(engine, symbol).rules.is_empty()
    }

    /// Applies a rule at the top of the subterm in a register of the root stack. May collect.
    fn apply(&mut self, engine: &mut Worker, register: usize, form: Form) -> Option<Handle> {
        // Rules whose right sides only build nodes never come to a safe point of their own.
        engine.safe_point();
        engine.store_safe_point(self);
        engine.space.check_limits();
        if engine.space.stopped.is_some() {
            return None;
        }
        let symbol =
            engine.space.memory.symbol(engine.space.memory.resolve(engine.space.regs[register]));
        let turn = self.turn(engine, symbol);
        let (rules, next) = (Arc::clone(&turn.rules), turn.next);
        for i in 0..rules.len() {
            let at = (next + i) % rules.len();
            let rule = match form {
                Form::ToReduce => Arc::clone(&rules[at]),
                _ => engine.rule_code(rules[at].number, &[], true),
            };
            let new = self.attempt(engine, &rule, register, false, form);
            if engine.space.stopped.is_some() {
                return None;
            }
            if new.is_some() {
                self.turn(engine, symbol).next = (at + 1) % rules.len();
                return new;
            }
        }
        None
    }

    /// Applies a rule to the subterm in a register, if it fits; to the whole of it, or with
    /// extension.
    fn attempt(
        &mut self,
        engine: &mut Worker,
        code: &RuleCode,
        register: usize,
        whole: bool,
        form: Form,
    ) -> Option<Handle> {
        let subject = engine.space.memory.resolve(engine.space.regs[register]);
        let base = engine.space.push_frame(code.goal.n_regs as usize);
        let scope = Scope { depth: 0 };
        let goal = &code.goal;
        let problem = if whole { Problem::at_top(goal) } else { Problem::of(goal) };
        self.trial.expect_denied(form == Form::AsBuilt);
        engine.last_rule = Some(code.source);
        let found = self.trial.first(engine, problem, scope, base, subject, Mode::First);
        engine.note_rule(code);
        let pattern = problem.pattern;
        let new = if found && engine.space.stopped.is_none() {
            self.outcome(engine, code, pattern, register, base, form)
        } else {
            None
        };
        engine.space.pop_frame(base);
        new
    }

    /// What the subterm in a register becomes by the rule that the trial has found.
    fn outcome(
        &mut self,
        engine: &mut Worker,
        code: &RuleCode,
        pattern: &Pattern,
        register: usize,
        base: usize,
        form: Form,
    ) -> Option<Handle> {
        let redex = engine.space.memory.resolve(engine.space.regs[register]);
        engine.count_rule(code, base, SceneParts::at(redex));
        let right = self.trial.sheltered(engine, |engine| match form {
            Form::AsBuilt => engine.unreduced_instance(code.right, &code.goal.slots, base, true),
            _ => engine.right_side(code, base, form == Form::ToReduce),
        });
        if engine.space.stopped.is_some() {
            return None;
        }
        let matcher = self.trial.matcher();
        if form == Form::ToReduce {
            return Some(matcher.replace(&mut engine.space, pattern, right));
        }
        let subject = engine.space.memory.resolve(engine.space.regs[register]);
        let rest = engine.rest(matcher, pattern, subject);
        Some(engine.space.memory.around(&rest, right, form == Form::AsBuilt))
    }
}

impl StoreHolder for Rules {
    fn hold_stored(&mut self, _held: &mut HeldNodes) {
        // Before a rule is tried the term stands on the root stack, and no condition is being solved.
    }

    fn forget_dead(&mut self, held: &HeldNodes) {
        self.marks.forget_dead(held);
    }
}

/// The term of a computation between two runs.
enum Subject {
    /// Not yet reduced.
    Given(StaticId),
    /// Parked in the store.
    Parked(Parked),
}

impl Subject {
    fn take_up(&self, engine: &mut Worker) -> Handle {
        match self {
            Subject::Given(term) => engine.reduced_start(*term),
            Subject::Parked(parked) => parked.unpark(&mut engine.space.memory)[0],
        }
    }
}

/// `rewrite` under way.
pub struct Rewriting {
    run: CommandRun,
    rules: Rules,
    subject: Subject,
}

fn kinds_with_rules(worker: &Worker) -> Kinds {
    let statements = worker.code.tables.statements.iter();
    let rules = statements.filter(|s| matches!(s.conclusion, Conclusion::Rule(_)));
    let top = |left| worker.space.signature.symbol(worker.terms.node(left).symbol()).range;
    Kinds::around(&worker.space.signature, rules.map(|rule| top(rule.left)))
}

impl Rewriting {
    /// Rewrites a term; nothing is done before the first run.
    pub fn new(worker: &mut Worker, command: &CommandTerms, term: StaticId) -> Rewriting {
        Rewriting {
            run: CommandRun::new(command),
            rules: Rules::new(worker),
            subject: Subject::Given(term),
        }
    }
}

impl Computation for Rewriting {
    fn run(&mut self) -> &mut CommandRun {
        &mut self.run
    }
}

impl Rewriting {
    /// Applies at most so many rules, and returns the term reached.
    pub fn run(&mut self, engine: &mut Worker, limit: Option<u64>) -> Result<Term, Stop> {
        let result = engine.supervise(self, |run, engine| run.advance(engine, limit));
        result.map(|term| term.expect("a computation that was not stopped has a result"))
    }

    fn advance(&mut self, engine: &mut Worker, limit: Option<u64>) -> Option<Term> {
        let register = engine.space.push_frame(1);
        engine.space.regs[register] = self.subject.take_up(engine);
        let mut left = limit.unwrap_or(u64::MAX);
        let mut positions = MetPositions::default();
        while left > 0
            && engine.space.stopped.is_none()
            && self.step(engine, register, &mut positions)
        {
            left -= 1;
        }
        let term = engine.space.memory.resolve(engine.space.regs[register]);
        engine.space.pop_frame(register);
        if engine.space.stopped.is_some() {
            return None;
        }
        self.rules.note_turns(engine);
        self.subject = Subject::Parked(Parked::new(&mut engine.space.memory, &[term]));
        Some(engine.keep(term))
    }

    /// Applies one rule to the term in a register.
    fn step(&mut self, engine: &mut Worker, register: usize, positions: &mut MetPositions) -> bool {
        let root = engine.space.memory.resolve(engine.space.regs[register]);
        let nodes = engine.space.regs.len();
        positions.start(&mut engine.space.regs, root);
        loop {
            let next = positions.next(
                &engine.space.memory,
                &engine.space.signature,
                &mut engine.space.regs,
                &self.rules.kinds,
            );
            let Some((at, subject)) = next else { break };
            let symbol = engine.space.memory.symbol(subject);
            if !self.rules.any(engine, symbol)
                || self.rules.marks.is_marked(&engine.space.memory, subject)
            {
                continue;
            }
            let eager = positions.is_eager(at);
            let form = if eager { Form::ToReduce } else { Form::Normal };
            if let Some(new) = self.rules.apply(engine, nodes + at, form) {
                engine.space.pop_frame(nodes);
                if engine.space.stopped.is_none() {
                    let root = engine.space.memory.resolve(engine.space.regs[register]);
                    let path = positions.path(at);
                    engine.space.regs[register] = engine.put(root, &path, new, eager);
                }
                return true;
            }
            if engine.space.stopped.is_some() {
                break;
            }
            let subject = engine.space.memory.resolve(engine.space.regs[nodes + at]);
            self.rules.marks.mark(&mut engine.space.memory, subject);
        }
        engine.space.pop_frame(nodes);
        false
    }
}
