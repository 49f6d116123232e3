//! The equational machine: an explicit stack of frames over the root stack.
//!
//! A frame either runs code, or works on a node (reducing its arguments, following its evaluation
//! strategy, computing its sort). Whatever ends delivers its term to the frame below; nothing here
//! recurses on terms, and conditions and memberships have frames like everything else.

mod apply;
mod at_work;
mod build;
mod face;
mod frame_terms;
mod memberships;
mod node;
mod operands;
mod outermost;
mod run;
#[cfg(test)]
mod tests;
mod trial;
mod wanted;
mod watching;

use crate::builtin::TruthApplication;
use crate::code::Pc;
use crate::heap::Handle;
use crate::id::SymbolId;
use crate::matching::Matcher;
use crate::worker::Counts;

pub(crate) use outermost::{Answered, Outermost};
use wanted::WaitingMatcher;

/// What a frame does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FrameWork {
    /// The caller outside of the machine waits for a term.
    Outside,
    /// Runs code from `pc`.
    Code,
    /// Reduces the arguments of the node in register 0, then applies its symbol.
    Node,
    /// Waits for the value of an application to replace the node in register 0.
    Applied,
    /// Follows the evaluation strategy of the node in register 0.
    Strategy,
    /// Reduces the test of the `if` node in register 0, then a branch.
    Branch,
    /// Lowers the sort of the node in register 0 by memberships.
    Memberships,
    /// Waits for a sort that a matcher wants (`wanted.rs`).
    Wanted,
    /// Waits for the sorts of terms that are not evaluated: those in the registers after the first.
    Sorts,
    /// Waits for the value of a connective of truth constants, to note what it takes.
    Measured,
    /// Waits for the sort of the term in register 0, which the symbol with the number `at` tests.
    SortTest,
}

/// What is being tried when the code of a frame fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FrameTrial {
    /// Nothing: the code cannot fail.
    None,
    /// Candidates `next..end` come after this equation.
    Equations { next: u32, end: u32, symbol: SymbolId, by_node: bool, keep: u32, owise: bool },
    /// A membership, for the frame below.
    Membership,
}

/// A frame.
#[derive(Clone, Copy, Debug)]
struct Frame {
    work: FrameWork,
    /// Where the code goes on.
    pc: Pc,
    /// The first register.
    base: u32,
    /// The register that gets the term being computed.
    dst: u32,
    /// Place of an argument, step of a strategy, number of a membership; or the left end of what an
    /// associative pattern matched.
    at: u32,
    /// The right end of what an associative pattern matched; whether arguments have changed.
    to: u32,
    trial: FrameTrial,
}

/// A matcher to go back to when the code of a frame fails.
struct RetryPoint {
    matcher: Box<Matcher>,
    pattern: u32,
    /// The frame, by depth.
    frame: u32,
    pc: Pc,
    /// Registers to forget (a list of operands), or `NONE`.
    reset: u32,
    /// The registers that the pattern sets end here.
    n_slots: u32,
    /// The matcher is that of the left side.
    left: bool,
}

const NONE: u32 = u32::MAX;

/// What comes of a step.
enum StepOutcome {
    /// The top frame has ended with this term; it has been removed.
    Value(Handle),
    /// The top frame is a new one that has to begin.
    Begin,
    /// The code of the top frame goes on.
    Code,
    /// The code of the top frame has failed.
    Fail,
    /// A term of another theory has to be evaluated, for the top frame that waits.
    Asks,
    /// The machine is to stop; no frame goes on, and there is no term.
    Stopped,
}

/// The state of the equational machine besides the root stack.
#[derive(Default)]
#[allow(clippy::vec_box, reason = "matchers go from list to list")]
pub(crate) struct EquationalMachine {
    frames: Vec<Frame>,
    choices: Vec<RetryPoint>,
    /// Matchers that wait for sorts, for the frames of the work `Wanted`.
    waiting: Vec<WaitingMatcher>,
    /// What the frames of the work `Measured` wait for, with the counts before.
    measuring: Vec<(TruthApplication, Counts)>,
    /// Matchers to use again.
    pool: Vec<Box<Matcher>>,
    /// Calls until the limits are looked at again.
    patience: u32,
    /// What the last hook has answered that could not give a value at once, until the machine takes it.
    pub(crate) answered: Option<Answered>,
    /// The call at the end of a statement's code in which the machine was stopped, when the frame of
    /// that code was gone already.
    stopped_at: Option<Pc>,
    /// The source of the statement that was at work when the machine was stopped.
    pub(crate) at_work: Option<u32>,
    /// Where the outermost computation goes on that was begun for another worker.
    next: Option<StepOutcome>,
}

impl EquationalMachine {
    pub(crate) fn new() -> EquationalMachine {
        EquationalMachine::default()
    }

    /// Forgets what it was doing, and gives back the memory that it took.
    pub(crate) fn release(&mut self) {
        self.frames = Vec::new();
        self.choices = Vec::new();
        self.waiting = Vec::new();
        self.measuring = Vec::new();
        self.pool = Vec::new();
    }

    /// Visits the heap handles that choices hold.
    pub(crate) fn visit_roots(&mut self, visit: &mut dyn FnMut(&mut Handle)) {
        for choice in &mut self.choices {
            choice.matcher.visit_roots(visit);
        }
        for waiting in &mut self.waiting {
            waiting.visit_roots(visit);
        }
    }
}
