//! The terms that calls and substitutions give: arguments, and values of a rule's variables.
//!
//! In Maude such a term is a graph that is built once for its place in the text. Its ground parts
//! are reduced in place, for good: in a definition, for all commands to come. The instance of what
//! holds variables is built anew each time, without sharing any of it.

use rustc_hash::FxHashMap;

use crate::heap::Handle;
use crate::id::StaticId;
use crate::statement::StrategyId;
use crate::worker::Worker;

/// A definition's place for given terms: theory, strategy, number of the definition, number of the
/// call or of the value there.
pub(super) type Place = (StrategyId, u32, u32);

/// The values of ground terms.
pub(super) type GroundValues = FxHashMap<StaticId, Handle>;

/// Where the values of ground parts are kept.
#[derive(Debug, Clone, Copy)]
pub(super) enum Keep {
    /// In the program, as one of the command's.
    Command(u32),
    /// In the engine.
    Definition(Place),
}

/// The terms that a call or a value gives.
#[derive(Debug, Clone)]
pub(super) struct CallInputs {
    terms: Box<[StaticId]>,
    /// Their largest ground parts in eager positions.
    parts: Box<[StaticId]>,
    pub(super) keep: Keep,
}

impl CallInputs {
    pub(super) fn new(engine: &Worker, terms: &[StaticId], keep: Keep) -> CallInputs {
        let mut parts = Vec::new();
        let mut stack: Vec<StaticId> = terms.iter().rev().copied().collect();
        while let Some(t) = stack.pop() {
            if engine.terms.is_ground(t) {
                parts.push(t);
                continue;
            }
            let symbol = engine.terms.node(t).symbol();
            let args = engine.terms.args(t).into_iter().enumerate().rev();
            stack.extend(
                args.filter(|a| engine.space.signature.symbol(symbol).is_eager(a.0)).map(|a| a.1),
            );
        }
        CallInputs { terms: terms.into(), parts: parts.into(), keep }
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The values of the terms, in the store; `known` are variables with their values; `command` has
    /// the values of ground parts where they are kept with the command. May collect. `None` if the computation was stopped.
    pub(super) fn evaluate(
        &self,
        engine: &mut Worker,
        command: &mut GroundValues,
        (variables, values): (&[StaticId], &[Handle]),
    ) -> Option<Vec<Handle>> {
        let kept = match self.keep {
            Keep::Command(_) => Some(&*command),
            Keep::Definition(place) => engine.ground_values.get(&place),
        };
        let kept = kept.filter(|kept| !kept.is_empty() || self.parts.is_empty()).cloned();
        let mut known = match kept {
            Some(known) => known,
            None => self.evaluate_parts(engine, command)?,
        };
        known.extend(variables.iter().copied().zip(values.iter().copied()));
        let mut given = Vec::with_capacity(self.terms.len());
        for &term in &self.terms {
            let built = build_instance_apart(engine, term, &known);
            let value = reduce(engine, built)?;
            given.push(engine.space.memory.enter_unless_permanent(value));
        }
        Some(given)
    }

    /// Evaluates the ground parts for good.
    fn evaluate_parts(
        &self,
        engine: &mut Worker,
        command: &mut GroundValues,
    ) -> Option<GroundValues> {
        let base = engine.space.regs.len();
        let built = engine.build_raw_together(&self.parts);
        engine.space.regs.extend(built);
        let mut values = GroundValues::default();
        for (at, &part) in self.parts.iter().enumerate() {
            let value = reduce(engine, engine.space.regs[base + at])?;
            let value = if let Keep::Command(_) = self.keep {
                engine.space.memory.enter(value)
            } else {
                engine.space.memory.enter_permanently(value)
            };
            values.insert(part, value);
        }
        engine.space.regs.truncate(base);
        match self.keep {
            Keep::Command(_) => command.clone_from(&values),
            Keep::Definition(place) => {
                engine.ground_values.insert(place, values.clone());
            }
        }
        Some(values)
    }
}

/// The reduced term; `None` if the computation was stopped.
fn reduce(engine: &mut Worker, term: Handle) -> Option<Handle> {
    let value = engine.reduce(term);
    engine.space.stopped.is_none().then_some(value)
}

/// What is to be done when an instance is built.
enum BuildWork {
    Visit(StaticId),
    Built(Handle),
    /// The node, from that many terms built.
    Make(StaticId, usize),
}

/// Builds an instance, where `known` has the values of variables and ground parts. Nothing else
/// is shared. Never collects.
fn build_instance_apart(worker: &mut Worker, term: StaticId, known: &GroundValues) -> Handle {
    let mut work = vec![BuildWork::Visit(term)];
    let mut built: Vec<Handle> = Vec::new();
    while let Some(next) = work.pop() {
        match next {
            BuildWork::Visit(t) => {
                if let Some(&value) = known.get(&t) {
                    built.push(value);
                    continue;
                }
                let symbol = worker.terms.node(t).symbol();
                let args = worker.terms.args_as_written(t);
                work.push(BuildWork::Make(t, args.len()));
                for (place, arg) in args.into_iter().enumerate().rev() {
                    if worker.is_eager_argument(symbol, place) {
                        work.push(BuildWork::Visit(arg));
                    } else {
                        let mut lazy = known.clone();
                        let (signature, terms) = (&worker.space.signature, &worker.terms);
                        let node =
                            worker.space.memory.build_instance(signature, terms, arg, &mut lazy);
                        work.push(BuildWork::Built(node));
                    }
                }
            }
            BuildWork::Built(node) => built.push(node),
            BuildWork::Make(t, n) => {
                let args = built.split_off(built.len() - n);
                let node = worker.raw_node_of(t, &args);
                built.push(node);
            }
        }
    }
    built.pop().expect("a term was built")
}
