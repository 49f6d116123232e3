//! Machines that evaluate for others: a machine may stop where a hook wants a term of another theory
//! evaluated, and go on when it is.

use super::run::Pause;
use super::{Frame, FrameWork, StepOutcome};
use crate::builtin::{Evaluation, TruthApplication};
use crate::heap::Handle;
use crate::id::{StaticId, SymbolId};
use crate::worker::Worker;

/// What a hook has answered that could not give a value at once.
pub(crate) enum Answered {
    /// A term, which is to be reduced.
    Term(Handle),
    /// A term of another theory comes first.
    Evaluation(Evaluation),
    /// The sort of a term, which the symbol tests, comes first.
    SortTest(SymbolId, Handle),
}

/// How far the outermost computation of a worker has come.
pub(crate) enum Outermost {
    Done(Handle),
    /// It waits for this.
    Asks(Evaluation),
    Stopped,
}

impl Worker {
    /// Prepares the reduction of a term as the outermost computation.
    pub(crate) fn begin_outermost(&mut self, term: StaticId) {
        let term = self.build_raw(term);
        self.enter_machine();
        let first = self.begin_node(term);
        self.machine.next = Some(first);
    }

    /// Goes on with the outermost computation.
    pub(crate) fn run_outermost(&mut self) -> Outermost {
        let next = self.machine.next.take().expect("it was begun, or what it asked for is known");
        match self.run_until_pause(next, 0, None) {
            Pause::Done(term) => Outermost::Done(term),
            Pause::Asks => Outermost::Asks(self.asked()),
            Pause::Stopped => Outermost::Stopped,
        }
    }

    /// What the outermost computation has waited for is this term.
    pub(crate) fn go_on_outermost(&mut self, term: Handle) {
        let next = self.begin_node(term);
        self.machine.next = Some(next);
    }

    /// A hook has computed a term: reduced, or `NIL` if more has to be done.
    #[inline(always)]
    pub(super) fn computed(&mut self, term: Handle) -> StepOutcome {
        if term == Handle::NIL { self.go_on_with_answer() } else { StepOutcome::Value(term) }
    }

    /// Notes what the application that is about to be evaluated comes to.
    #[cold]
    pub(crate) fn measure(&mut self, application: TruthApplication) {
        self.machine.measuring.push((application, self.counts));
        let frame = Frame { work: FrameWork::Measured, ..self.blank() };
        self.machine.frames.push(frame);
    }

    /// The value is there of the application that the top frame waits for.
    pub(super) fn end_measuring(&mut self, value: Handle) -> StepOutcome {
        self.machine.frames.pop();
        if let Some((application, before)) = self.machine.measuring.pop() {
            let equations = self.counts.equations - before.equations;
            let memberships = self.counts.memberships - before.memberships;
            self.learn_truth(application, value, equations, memberships);
        }
        StepOutcome::Value(value)
    }

    /// What a hook answers that could not give a value at once.
    pub(crate) fn answer_later(&mut self, answered: Answered) -> Option<Handle> {
        self.machine.answered = Some(answered);
        Some(Handle::NIL)
    }

    #[cold]
    fn go_on_with_answer(&mut self) -> StepOutcome {
        match self.machine.answered.take() {
            Some(Answered::Term(term)) => self.begin_node(term),
            Some(Answered::SortTest(symbol, term)) => self.begin_sort_test(symbol, term),
            asked => {
                self.machine.answered = asked;
                StepOutcome::Asks
            }
        }
    }

    /// The term of another theory for which the machine has paused.
    pub(crate) fn asked(&mut self) -> Evaluation {
        match self.machine.answered.take() {
            Some(Answered::Evaluation(evaluation)) => evaluation,
            _ => unreachable!("the machine has paused for it"),
        }
    }
}
