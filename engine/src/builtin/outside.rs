//! Hooks that crates above the engine add.
//!
//! Such a hook sees its arguments as static terms and answers with one, or has a term of another
//! theory evaluated first. That is done by another worker, and by no nested call: the machine that
//! meets such a request gives up its loop, and one loop (`Worker::run_others`) goes on with the
//! worker that was asked last, however many wait below it.

use std::sync::Arc;

use crate::command::{CommandRun, CommandTerms};
use crate::heap::Handle;
use crate::id::{StaticId, SymbolId};
use crate::limits::Stop;
use crate::reduce::{Answered, Outermost};
use crate::result::Readback;
use crate::signature::{Builtin, Signature};
use crate::term::StaticTerms;
use crate::theory::Theory;
use crate::worker::Worker;

/// What a hook sees of the term that it computes.
pub struct HookCall<'w> {
    worker: &'w Worker,
    symbol: SymbolId,
    arguments: &'w [Handle],
}

impl HookCall<'_> {
    /// The symbols that the arguments are over, and the answer has to be.
    pub fn signature(&self) -> &Signature {
        &self.worker.space.signature
    }

    /// The theory in which the hook is called.
    pub fn theory(&self) -> &Arc<Theory> {
        &self.worker.theory
    }

    /// The operator.
    pub fn symbol(&self) -> SymbolId {
        self.symbol
    }

    /// What its module says of it.
    pub fn builtin(&self) -> &Builtin {
        let builtin = self.signature().symbol(self.symbol).builtin();
        builtin.expect("the symbol of a hook is computed")
    }

    /// The number of arguments.
    pub fn n_arguments(&self) -> usize {
        self.arguments.len()
    }

    /// An argument, over the terms of the theory.
    pub fn argument(&self, place: usize) -> Readback {
        self.worker.readback(self.arguments[place])
    }
}

/// What a hook answers.
pub enum HookAnswer {
    /// It does not act on these arguments.
    Stuck,
    /// A term over those of the theory, which is evaluated further.
    Term(StaticTerms, StaticId),
    /// A term of another theory has to be evaluated first.
    Evaluate(Evaluation),
}

/// A term to be evaluated in another theory, and what is then made of its normal form.
pub struct Evaluation {
    pub(crate) theory: Arc<Theory>,
    pub(crate) command: CommandTerms,
    pub(crate) term: StaticId,
    then: Box<dyn FnOnce(Readback) -> (StaticTerms, StaticId) + Send>,
}

impl Evaluation {
    /// `then` makes the answer out of the normal form: a term over those of the theory in which the
    /// hook was called.
    pub fn new(
        theory: &Arc<Theory>,
        command: CommandTerms,
        term: StaticId,
        then: impl FnOnce(Readback) -> (StaticTerms, StaticId) + Send + 'static,
    ) -> Evaluation {
        Evaluation { theory: Arc::clone(theory), command, term, then: Box::new(then) }
    }
}

/// The hook that was added, on reduced arguments in registers.
pub(super) fn outside_arguments(
    worker: &mut Worker,
    symbol: SymbolId,
    base: usize,
) -> Option<Handle> {
    let arguments = worker.space.regs[base..].to_vec();
    ask(worker, symbol, &arguments)
}

/// The same on a node; equal arguments are handed over once for each time that they are there.
pub(super) fn outside_node(worker: &mut Worker, node: Handle) -> Option<Handle> {
    let memory = &worker.space.memory;
    worker.space.make_room_for_registers(memory.total_args(node));
    let mut arguments = Vec::new();
    for place in 0..memory.n_args(node) {
        let times = memory.multiplicity(node, place) as usize;
        arguments.extend(std::iter::repeat_n(memory.arg(node, place), times));
    }
    let symbol = memory.symbol(node);
    ask(worker, symbol, &arguments)
}

fn ask(worker: &mut Worker, symbol: SymbolId, arguments: &[Handle]) -> Option<Handle> {
    let hook = worker.space.memory.core(symbol).hook?;
    let function = worker.hooks.outside(hook);
    let answered = match function(&HookCall { worker, symbol, arguments }) {
        HookAnswer::Stuck => return None,
        HookAnswer::Term(terms, term) => Answered::Term(worker.build_other(terms, term)),
        HookAnswer::Evaluate(evaluation) => Answered::Evaluation(evaluation),
    };
    worker.answer_later(answered)
}

/// A worker that evaluates a term for another one.
struct Guest {
    worker: Worker,
    run: CommandRun,
    then: Box<dyn FnOnce(Readback) -> (StaticTerms, StaticId) + Send>,
}

impl Guest {
    fn begin(evaluation: Evaluation, host: &Worker) -> Result<Guest, Stop> {
        let Evaluation { theory, command, term, then } = evaluation;
        let plain = host.code.fidelity.is_plain();
        let mut worker = Worker::new(&theory, &host.hooks, &command.signature, plain);
        worker.set_limits(host.limits().clone());
        let mut run = CommandRun::new(&command);
        worker.begin(&mut run)?;
        worker.begin_outermost(term);
        Ok(Guest { worker, run, then })
    }
}

impl Worker {
    /// Evaluates the term that the machine asks for, and what is asked for meanwhile in turn. The answer is a
    /// term that is to be reduced here, unless a limit was reached or somebody interrupts.
    #[cold]
    pub(crate) fn run_others(&mut self) -> Result<Handle, Stop> {
        let asked = self.asked();
        let outcome = self.try_others(asked);
        if let Err(stop) = outcome {
            self.space.stopped = Some(stop);
        }
        outcome
    }

    fn try_others(&mut self, asked: Evaluation) -> Result<Handle, Stop> {
        // Those that wait, and the one that runs last.
        let mut guests = vec![Guest::begin(asked, self)?];
        loop {
            let guest = guests.last_mut().expect("somebody was asked");
            match guest.worker.run_outermost() {
                Outermost::Asks(asked) => {
                    let guest = Guest::begin(asked, &guest.worker)?;
                    guests.push(guest);
                }
                Outermost::Done(term) => {
                    let Guest { mut worker, mut run, then } = guests.pop().expect("it has run");
                    let result = worker.readback(term);
                    worker.end(&mut run)?;
                    let host = guests.last_mut().map_or(&mut *self, |guest| &mut guest.worker);
                    host.counts.add(worker.counts());
                    let (terms, term) = then(result);
                    let term = host.build_other(terms, term);
                    match guests.last_mut() {
                        Some(guest) => guest.worker.go_on_outermost(term),
                        None => return Ok(term),
                    }
                }
                Outermost::Stopped => {
                    return Err(guest.worker.space.stopped.unwrap_or(Stop::Interrupted));
                }
            }
        }
    }

    /// A term of a hook's, as a raw node.
    fn build_other(&mut self, terms: StaticTerms, term: StaticId) -> Handle {
        let own = std::mem::replace(&mut self.terms, Arc::new(terms));
        let built = self.build_raw(term);
        self.terms = own;
        built
    }

    /// A term of this worker as a static term.
    fn readback(&self, term: Handle) -> Readback {
        let mut terms = StaticTerms::over(Arc::clone(self.theory.terms()));
        let memory = &self.space.memory;
        let (term, sorts) = memory.read_back(&self.space.signature, &mut terms, term);
        Readback { terms, term, sorts }
    }
}
