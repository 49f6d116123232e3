//! Events: what a computation tells whoever watches it.
//!
//! An [`Observer`] is given to a worker before a computation begins. A worker that has one runs
//! *watched* code, in which every equation takes the way on which events are told. Code that nobody
//! watches has no instruction for it; only builtins and the general ways of applying statements ask
//! (`docs/architecture.md`, Events).

use crate::heap::Handle;
use crate::id::{StaticId, SymbolId};
use crate::matching::Slots;
use crate::result::Readback;
use crate::statement::Source;
use crate::term::{StaticNode, StaticTerms};
use crate::worker::Worker;
use rustc_hash::FxHashMap;

/// Something that happens in a computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// An equation applies: its condition holds, its right side has not been evaluated.
    Equation(u32),
    /// A membership applies: the sort has not been lowered.
    Membership(u32),
    /// A rule applies: its right side has not been evaluated.
    Rule(u32),
    /// A builtin operator has been computed.
    Builtin(SymbolId),
    /// The left side of a statement with a condition has matched.
    ConditionBegun(Source),
    /// A fragment of a condition is about to be solved, or solved in another way.
    FragmentTried {
        /// The statement.
        source: Source,
        /// The fragment, from 0.
        fragment: usize,
        /// It had a solution before.
        again: bool,
    },
    /// What came of it.
    FragmentEnded {
        /// The statement.
        source: Source,
        /// The fragment, from 0.
        fragment: usize,
        /// There is a solution.
        solved: bool,
    },
    /// A condition holds, or there is no other solution of it for any match of the left side.
    ConditionEnded(Source, bool),
    /// A strategy is called; the number of its definition in the theory.
    StrategyCalled(u32),
    /// A search has found a new state, whose number this is.
    StateFound(usize),
}

/// Whoever watches a computation.
pub trait Observer: Send {
    /// Something happens. The scene is where.
    fn event(&mut self, event: &Event, scene: &Scene<'_>);
}

/// What a part of the engine knows of the place of an event.
#[derive(Clone, Copy, Default)]
pub(crate) struct SceneParts<'a> {
    pub(crate) subject: SceneSubject,
    /// The registers of variables, and the first register of their frame.
    pub(crate) slots: Option<(&'a Slots, usize)>,
    pub(crate) position: Option<&'a [u32]>,
}

/// The term at which something happens.
#[derive(Clone, Copy, Default)]
pub(crate) enum SceneSubject {
    #[default]
    Unknown,
    Node(Handle),
    /// An operator whose arguments stand in registers, from the first of these on.
    Application {
        symbol: SymbolId,
        first: usize,
        n: usize,
    },
}

impl<'a> SceneParts<'a> {
    /// At a node.
    pub(crate) fn at(node: Handle) -> SceneParts<'a> {
        SceneParts { subject: SceneSubject::Node(node), ..SceneParts::default() }
    }
}

/// Where an event happens: a look at the worker from which terms can be asked for. Nothing is read
/// back that nobody asks for.
pub struct Scene<'a> {
    worker: &'a Worker,
    parts: SceneParts<'a>,
}

impl Scene<'_> {
    /// The term at which it happens: the redex, or the arguments of a builtin operator.
    pub fn subject(&self) -> Option<Readback> {
        match self.parts.subject {
            SceneSubject::Unknown => None,
            SceneSubject::Node(node) => Some(self.read(node)),
            SceneSubject::Application { symbol, first, n } => {
                let arguments = &self.worker.space.regs[first..first + n];
                let mut terms = StaticTerms::over(self.worker.theory.terms().clone());
                let mut sorts = FxHashMap::default();
                let (memory, signature) = (&self.worker.space.memory, &self.worker.space.signature);
                let mut read = Vec::with_capacity(arguments.len());
                for &argument in arguments {
                    let (argument, known) = memory.read_back(signature, &mut terms, argument);
                    sorts.extend(known);
                    read.push(argument);
                }
                let term = terms.app(symbol, &read);
                Some(Readback { terms, term, sorts })
            }
        }
    }

    /// The variables of the statement that have values, with these.
    pub fn substitution(&self) -> Vec<(StaticId, Readback)> {
        let Some((slots, base)) = self.parts.slots else { return Vec::new() };
        let terms = self.worker.theory.terms();
        let is_variable = |id: StaticId| {
            id.index() < terms.len() && matches!(terms.node(id), StaticNode::Variable(..))
        };
        let mut values: Vec<(StaticId, Readback)> = slots
            .iter()
            .filter(|&(term, _)| is_variable(term))
            .filter_map(|(term, register)| {
                let value = *self.worker.space.regs.get(base + register as usize)?;
                (value != Handle::NIL).then(|| (term, self.read(value)))
            })
            .collect();
        values.sort_by_key(|&(variable, _)| variable);
        values
    }

    /// The places of arguments on the way from the root of the term that is being rewritten, where
    /// they are known: for rules that are applied by searches and strategies.
    pub fn position(&self) -> Option<&[u32]> {
        self.parts.position
    }

    /// The terms whose values are being computed around it, the outermost one first. A call at the
    /// end of a right side takes the place of what it was called by.
    pub fn waiting(&self) -> Vec<Readback> {
        self.worker.frame_terms()
    }

    fn read(&self, term: Handle) -> Readback {
        let mut terms = StaticTerms::over(self.worker.theory.terms().clone());
        let memory = &self.worker.space.memory;
        let (term, sorts) = memory.read_back(&self.worker.space.signature, &mut terms, term);
        Readback { terms, term, sorts }
    }
}

/// A condition of an equation or membership that is being solved.
pub(crate) struct OpenCondition {
    /// The depth of its frame.
    pub(crate) frame: usize,
    pub(crate) source: Source,
    /// The fragment at work.
    pub(crate) fragment: usize,
}

/// What a worker has that is watched.
pub(crate) struct Watch {
    observer: Option<Box<dyn Observer>>,
    /// The conditions at work, the innermost one last.
    pub(crate) conditions: Vec<OpenCondition>,
}

impl Watch {
    /// Somebody who watches.
    pub(crate) fn new(observer: Box<dyn Observer>) -> Watch {
        Watch { observer: Some(observer), conditions: Vec::new() }
    }
}

impl Worker {
    /// Whether somebody watches.
    #[inline(always)]
    pub fn is_watched(&self) -> bool {
        self.watch.is_some()
    }

    /// Tells an event to whoever watches.
    #[cold]
    pub(crate) fn tell(&mut self, event: Event, parts: SceneParts<'_>) {
        let Some(watch) = &mut self.watch else { return };
        let Some(mut observer) = watch.observer.take() else { return };
        observer.event(&event, &Scene { worker: self, parts });
        if let Some(watch) = &mut self.watch {
            watch.observer = Some(observer);
        }
    }
}
