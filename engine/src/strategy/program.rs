//! Strategy expressions as the machine runs them: nodes with identity, each in the scope of a
//! definition's or the command's variables.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::inputs::{CallInputs, GroundValues, Keep, Place};
use crate::code::{GoalCode, GoalSpec, TermCode, has_extension};
use crate::heap::{Handle, HeldNodes};
use crate::id::{KindId, StaticId, SymbolId};
use crate::limits::{Limit, number};
use crate::safe_points::hold_all;
use crate::signature::Role;
use crate::solving::Selection;
use crate::statement::{Application, Definition, Expr, MatchKind, RewriteItem, Source, StrategyId};
use crate::statement::{Conclusion, Fragment, Statement, is_closed};
use crate::term::StaticTerms;
use crate::worker::Worker;

/// An occurrence of a strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct StrategyNodeId(u32);

/// A part of the command or of a definition in which the same variables have values: the whole
/// without what is inside of a `matchrew`, or the inside of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ScopeId(u32);

/// What a strategy does.
pub(super) enum StrategyNode {
    Idle,
    Fail,
    Apply(Box<Applying>),
    Test(Box<Matching>),
    Sequence(Vec<StrategyNodeId>),
    Union(Vec<StrategyNodeId>),
    OrElse(StrategyNodeId, StrategyNodeId),
    Star(StrategyNodeId),
    /// The body, and its star.
    Plus(StrategyNodeId, StrategyNodeId),
    Normal(StrategyNodeId),
    Branch(StrategyNodeId, StrategyNodeId, StrategyNodeId),
    One(StrategyNodeId),
    Not(StrategyNodeId),
    Check(StrategyNodeId),
    Try(StrategyNodeId),
    MatchRewrite(Box<Matching>),
    Call(StrategyId, CallInputs),
}

/// The use of rules.
pub(super) struct Applying {
    pub(super) selection: Selection,
    /// `all`: conditions are solved as `search` does, uncounted.
    pub(super) all: bool,
    /// GroundValues of the selection's given variables.
    pub(super) values: Vec<CallInputs>,
    /// Strategies for the `=>` fragments.
    pub(super) conditions: Vec<StrategyNodeId>,
}

/// A test or a `matchrew`.
pub(super) struct Matching {
    pub(super) kind: MatchKind,
    pub(super) goal: GoalCode,
    /// The kind of terms that the pattern may match.
    pub(super) range: KindId,
    /// The other parts of a `matchrew`.
    pub(super) rewriting: Option<SubtermRewriting>,
}

/// What happens to a match of a `matchrew`.
pub(super) struct SubtermRewriting {
    /// The scope of the strategies inside.
    pub(super) scope: ScopeId,
    /// Where the scope's variables stand in the goal's frame.
    pub(super) registers: Vec<u32>,
    /// The pattern as a term to be evaluated over a frame that begins with the values of the scope's
    /// variables.
    pub(super) pattern: TermCode,
    /// The same where it must not be evaluated.
    pub(super) term: StaticId,
    /// Which of the scope's variables are rewritten, and their strategies.
    pub(super) items: Vec<(usize, StrategyNodeId)>,
}

/// A definition of a strategy: its parameters one after the other; the condition is the last one's.
pub(super) struct DefinitionCode {
    /// Its number in the theory.
    pub(super) source: u32,
    pub(super) parameters: Vec<Parameter>,
    /// The scope of the body.
    pub(super) scope: ScopeId,
    pub(super) body: StrategyNodeId,
    pub(super) conditional: bool,
}

/// A pattern of a parameter.
pub(super) struct Parameter {
    pub(super) goal: GoalCode,
    /// Where the variables known after it stand in the goal's frame.
    pub(super) registers: Vec<u32>,
    /// The argument, where it is not one of the call's.
    pub(super) subject: Option<Handle>,
}

/// All strategies that a computation has met.
pub(super) struct StrategyProgram {
    nodes: Vec<(ScopeId, StrategyNode)>,
    /// The variables that have values.
    scopes: Vec<Arc<[StaticId]>>,
    definitions: FxHashMap<StrategyId, Arc<[DefinitionCode]>>,
    /// Calls without arguments: one occurrence for each strategy.
    plain_calls: FxHashMap<StrategyId, StrategyNodeId>,
    /// The definition that is being compiled, and how many places for given terms it has had.
    place: Option<Place>,
    /// GroundValues of ground terms of the command.
    pub(super) ground: Vec<GroundValues>,
}

/// Expressions that are still to be turned into nodes are taken from a stack, since they may nest
/// deeply.
enum Job<'a> {
    Read(&'a Expr, ScopeId),
    /// With the goal of a `matchrew` and the scope inside of it.
    Make(&'a Expr, ScopeId, Option<Box<(GoalCode, ScopeId)>>),
}

impl StrategyProgram {
    pub(super) fn new() -> StrategyProgram {
        StrategyProgram {
            nodes: Vec::new(),
            scopes: Vec::new(),
            definitions: FxHashMap::default(),
            plain_calls: FxHashMap::default(),
            place: None,
            ground: Vec::new(),
        }
    }

    pub(super) fn node(&self, id: StrategyNodeId) -> &StrategyNode {
        &self.nodes[id.0 as usize].1
    }

    pub(super) fn node_mut(&mut self, id: StrategyNodeId) -> &mut StrategyNode {
        &mut self.nodes[id.0 as usize].1
    }

    pub(super) fn scope(&self, id: StrategyNodeId) -> ScopeId {
        self.nodes[id.0 as usize].0
    }

    /// The command's expression.
    pub(super) fn command(&mut self, engine: &mut Worker, expr: &Expr) -> StrategyNodeId {
        let scope = self.new_scope(&[]);
        self.compile(engine, scope, expr)
    }

    fn new_scope(&mut self, variables: &[StaticId]) -> ScopeId {
        self.scopes.push(variables.into());
        ScopeId(self.scopes.len() as u32 - 1)
    }

    pub(super) fn variables(&self, scope: ScopeId) -> Arc<[StaticId]> {
        Arc::clone(&self.scopes[scope.0 as usize])
    }

    /// The definitions of a strategy, compiled when they are first asked for.
    pub(super) fn definitions(
        &mut self,
        engine: &mut Worker,
        strategy: StrategyId,
    ) -> Arc<[DefinitionCode]> {
        if let Some(known) = self.definitions.get(&strategy) {
            return Arc::clone(known);
        }
        let all = Arc::clone(engine.theory.strategies());
        let mut codes: Vec<DefinitionCode> = Vec::new();
        for (source, definition) in (0..).zip(&*all).filter(|(_, d)| d.strategy == strategy) {
            self.place = Some((strategy, codes.len() as u32, 0));
            codes.push(self.definition(engine, source, definition));
        }
        self.place = None;
        let codes: Arc<[DefinitionCode]> = codes.into();
        self.definitions.insert(strategy, Arc::clone(&codes));
        codes
    }

    fn definition(
        &mut self,
        engine: &mut Worker,
        source: u32,
        definition: &Definition,
    ) -> DefinitionCode {
        let mut terms = Arc::clone(&engine.terms);
        let mut patterns = definition.parameters.clone();
        let conditional = !definition.condition.is_empty();
        let mut subject = None;
        if patterns.is_empty()
            && conditional
            && let Some(constant) = some_constant(engine)
        {
            // The condition needs a match that it can follow.
            let mut more = StaticTerms::over(Arc::clone(&terms));
            patterns.push(more.constant(constant));
            terms = Arc::new(more);
            let built = engine.space.memory.constant(constant);
            engine.space.memory.declare_sure_sort(built);
            subject = Some(engine.space.memory.enter(built));
        }
        let mut known: Vec<StaticId> = Vec::new();
        let mut parameters = Vec::new();
        for (at, &pattern) in patterns.iter().enumerate() {
            let last = at + 1 == patterns.len();
            let mut goal = engine.compiler(&terms).compile_goal(&GoalSpec {
                pattern,
                bound: &known,
                condition: if last { &definition.condition } else { &[] },
                right: None,
                extension: false,
                unreduced: false,
            });
            goal.source = (last && conditional).then_some(Source::Definition(source));
            known = extended(&known, &goal);
            let registers = registers(&goal, &known);
            parameters.push(Parameter { goal, registers, subject });
        }
        let scope = self.new_scope(&known);
        let body = self.compile(engine, scope, &definition.body);
        DefinitionCode { source, parameters, scope, body, conditional }
    }

    /// Code for a term over a scope's variables.
    fn value(&self, engine: &mut Worker, scope: ScopeId, term: StaticId) -> TermCode {
        let terms = Arc::clone(&engine.terms);
        engine.compiler(&terms).compile_term(term, &self.variables(scope))
    }

    /// A new place for the values of ground terms.
    fn new_place(&mut self) -> Keep {
        match &mut self.place {
            Some(place) => {
                place.2 += 1;
                Keep::Definition(*place)
            }
            None => {
                self.ground.push(GroundValues::default());
                Keep::Command(self.ground.len() as u32 - 1)
            }
        }
    }

    fn compile(&mut self, engine: &mut Worker, scope: ScopeId, expr: &Expr) -> StrategyNodeId {
        let mut done: Vec<StrategyNodeId> = Vec::new();
        let mut jobs = vec![Job::Read(expr, scope)];
        while let Some(job) = jobs.pop() {
            match job {
                Job::Read(expr, scope) => {
                    let Expr::MatchRewrite { pattern, condition, kind, .. } = expr else {
                        jobs.push(Job::Make(expr, scope, None));
                        jobs.extend(parts(expr).into_iter().rev().map(|e| Job::Read(e, scope)));
                        continue;
                    };
                    let known = self.variables(scope);
                    let goal = self.goal(engine, *kind, *pattern, &known, condition);
                    let inner = self.new_scope(&extended(&known, &goal));
                    jobs.push(Job::Make(expr, scope, Some(Box::new((goal, inner)))));
                    jobs.extend(parts(expr).into_iter().rev().map(|e| Job::Read(e, inner)));
                }
                Job::Make(expr, scope, match_rewrite) => {
                    // The parts of this expression are the last nodes made.
                    let inner = done.split_off(done.len() - parts(expr).len());
                    done.push(match (expr, match_rewrite) {
                        (Expr::MatchRewrite { kind, pattern, items, .. }, Some(made)) => {
                            let (goal, inside) = *made;
                            let rewriting =
                                self.rewriting(engine, &goal, inside, *pattern, items, &inner);
                            let range = engine
                                .space
                                .signature
                                .symbol(engine.terms.node(*pattern).symbol())
                                .range;
                            let rewriting = Some(rewriting);
                            let matching = Matching { kind: *kind, goal, range, rewriting };
                            self.add(scope, StrategyNode::MatchRewrite(Box::new(matching)))
                        }
                        _ => self.make(engine, scope, expr, &inner),
                    });
                }
            }
        }
        done.pop().expect("an expression gives a node")
    }

    fn goal(
        &self,
        engine: &mut Worker,
        kind: MatchKind,
        pattern: StaticId,
        bound: &[StaticId],
        condition: &[Fragment],
    ) -> GoalCode {
        let extension = kind != MatchKind::Whole
            && has_extension(&engine.space.signature, &engine.terms, pattern);
        let terms = Arc::clone(&engine.terms);
        engine.compiler(&terms).compile_goal(&GoalSpec {
            pattern,
            bound,
            condition,
            right: None,
            extension,
            unreduced: kind == MatchKind::Anywhere,
        })
    }

    /// Tells which terms of the store it holds.
    pub(super) fn hold_stored(&self, held: &mut HeldNodes) {
        hold_all(self.ground.iter().flat_map(|values| values.values()), held);
        for definition in self.definitions.values().flat_map(|all| all.iter()) {
            hold_all(definition.parameters.iter().filter_map(|p| p.subject.as_ref()), held);
        }
    }

    fn add(&mut self, scope: ScopeId, node: StrategyNode) -> StrategyNodeId {
        self.nodes.push((scope, node));
        StrategyNodeId(number(self.nodes.len() - 1, Limit::Strategies))
    }

    /// The pattern of a `matchrew` over the frame at `base`, normal and unreduced.
    pub(super) fn instance(
        &self,
        engine: &mut Worker,
        rewriting: &SubtermRewriting,
        base: usize,
    ) -> Handle {
        let variables = self.variables(rewriting.scope);
        let values = &engine.space.regs[base..base + variables.len()];
        let mut values = variables.iter().copied().zip(values.iter().copied()).collect();
        let (signature, terms) = (&engine.space.signature, &engine.terms);
        engine.space.memory.build_instance(signature, terms, rewriting.term, &mut values)
    }

    fn rewriting(
        &mut self,
        engine: &mut Worker,
        goal: &GoalCode,
        scope: ScopeId,
        pattern: StaticId,
        items: &[RewriteItem],
        strategies: &[StrategyNodeId],
    ) -> SubtermRewriting {
        let known = self.variables(scope);
        let place = |variable| known.iter().position(|&v| v == variable);
        let items = items.iter().zip(strategies);
        let items = items.filter_map(|(item, &s)| Some((place(item.variable)?, s))).collect();
        SubtermRewriting {
            scope,
            registers: registers(goal, &known),
            pattern: self.value(engine, scope, pattern),
            term: pattern,
            items,
        }
    }

    /// The node of an expression whose parts have been made.
    fn make(
        &mut self,
        engine: &mut Worker,
        scope: ScopeId,
        expr: &Expr,
        parts: &[StrategyNodeId],
    ) -> StrategyNodeId {
        let node = match expr {
            Expr::Idle => StrategyNode::Idle,
            Expr::Fail => StrategyNode::Fail,
            Expr::Apply(application) => {
                let applying = self.applying(engine, application, parts);
                StrategyNode::Apply(Box::new(applying))
            }
            Expr::Test { kind, pattern, condition } => {
                let known = self.variables(scope);
                let goal = self.goal(engine, *kind, *pattern, &known, condition);
                let range =
                    engine.space.signature.symbol(engine.terms.node(*pattern).symbol()).range;
                StrategyNode::Test(Box::new(Matching { kind: *kind, goal, range, rewriting: None }))
            }
            Expr::Sequence(_) => StrategyNode::Sequence(parts.to_vec()),
            Expr::Union(_) => StrategyNode::Union(parts.to_vec()),
            Expr::OrElse(..) => StrategyNode::OrElse(parts[0], parts[1]),
            Expr::Star(_) => StrategyNode::Star(parts[0]),
            Expr::Plus(_) => {
                let star = self.add(scope, StrategyNode::Star(parts[0]));
                StrategyNode::Plus(parts[0], star)
            }
            Expr::Normal(_) => StrategyNode::Normal(parts[0]),
            Expr::Branch(..) => StrategyNode::Branch(parts[0], parts[1], parts[2]),
            Expr::One(_) => StrategyNode::One(parts[0]),
            Expr::Not(_) => StrategyNode::Not(parts[0]),
            Expr::Check(_) => StrategyNode::Check(parts[0]),
            Expr::Try(_) => StrategyNode::Try(parts[0]),
            Expr::Call(strategy, args) if args.is_empty() => {
                if let Some(&call) = self.plain_calls.get(strategy) {
                    return call;
                }
                let keep = self.new_place();
                let call = self
                    .add(scope, StrategyNode::Call(*strategy, CallInputs::new(engine, &[], keep)));
                self.plain_calls.insert(*strategy, call);
                return call;
            }
            Expr::Call(strategy, args) => {
                let keep = self.new_place();
                StrategyNode::Call(*strategy, CallInputs::new(engine, args, keep))
            }
            Expr::MatchRewrite { .. } => unreachable!("made with its problem"),
        };
        self.add(scope, node)
    }

    /// Prepares the use of rules: which ones, and those that need code of their own.
    fn applying(
        &mut self,
        engine: &mut Worker,
        application: &Application,
        conditions: &[StrategyNodeId],
    ) -> Applying {
        let all = application.label.is_none();
        let mut selection = Selection::default();
        selection.top = application.top;
        selection.bare = !all;
        selection.given = application.substitution.iter().map(|s| s.0).collect();
        if !all {
            let theory = Arc::clone(&engine.theory);
            let statements = theory.statements();
            let usable = |statement: &Statement| {
                matches!(statement.conclusion, Conclusion::Rule(_))
                    && statement.label == application.label
                    && is_closed(theory.terms(), statement, &selection.given)
            };
            let numbers = (0..).zip(statements.iter()).filter(|(_, s)| usable(s));
            selection.only = Some(numbers.map(|(n, _)| n).collect());
        }
        let values = application.substitution.iter();
        let values = values.map(|s| CallInputs::new(engine, &[s.1], self.new_place())).collect();
        Applying { selection, all, values, conditions: conditions.to_vec() }
    }
}

/// The variables known after a match.
fn extended(known: &[StaticId], goal: &GoalCode) -> Vec<StaticId> {
    let mut all = known.to_vec();
    all.extend(goal.variables.iter().filter(|v| !known.contains(v)));
    all
}

/// Where variables stand in a goal's frame.
fn registers(goal: &GoalCode, variables: &[StaticId]) -> Vec<u32> {
    let register = |&v: &StaticId| goal.slots.get(v).expect("a goal's variables have registers");
    variables.iter().map(register).collect()
}

/// The strategies inside an expression, left to right.
fn parts(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Idle | Expr::Fail | Expr::Test { .. } | Expr::Call(..) => Vec::new(),
        Expr::Apply(application) => application.conditions.iter().collect(),
        Expr::Sequence(parts) | Expr::Union(parts) => parts.iter().collect(),
        Expr::OrElse(a, b) => vec![a, b],
        Expr::Branch(a, b, c) => vec![a, b, c],
        Expr::Star(a) | Expr::Plus(a) | Expr::Normal(a) => vec![a],
        Expr::One(a) | Expr::Not(a) | Expr::Check(a) | Expr::Try(a) => vec![a],
        Expr::MatchRewrite { items, .. } => items.iter().map(|item| &item.strategy).collect(),
    }
}

/// A constant, if the signature has one.
fn some_constant(worker: &Worker) -> Option<SymbolId> {
    let signature = &worker.space.signature;
    let mut symbols = (0..signature.n_symbols() as u32).map(SymbolId);
    symbols.find(|&s| {
        let symbol = signature.symbol(s);
        symbol.args.is_empty() && matches!(symbol.role, Role::Operator | Role::Builtin(_))
    })
}

/// GroundValues of a scope's variables, as a task has them.
#[derive(Clone)]
pub(super) struct Env {
    scope: Option<ScopeId>,
    values: Arc<[Handle]>,
}

impl Env {
    /// No variable has a value.
    pub(super) fn empty() -> Env {
        Env { scope: None, values: Arc::new([]) }
    }

    /// GroundValues for a scope.
    pub(super) fn new(scope: ScopeId, values: Vec<Handle>) -> Env {
        Env { scope: Some(scope), values: values.into() }
    }

    /// Tells which terms of the store it holds.
    pub(super) fn hold_stored(&self, held: &mut HeldNodes) {
        hold_all(&*self.values, held);
    }

    /// The values of a scope's variables. A body that was entered by a tail call has a scope of its
    /// own, without variables.
    pub(super) fn values(&self, scope: ScopeId) -> &[Handle] {
        if self.scope == Some(scope) { &self.values } else { &[] }
    }
}
