//! The terms that frames stand for, for whoever watches a computation.

use rustc_hash::FxHashMap;

use super::{Frame, FrameWork};
use crate::heap::Handle;
use crate::id::StaticId;
use crate::result::Readback;
use crate::statement::Conclusion;
use crate::term::{StaticNode, StaticTerms};
use crate::worker::Worker;

impl Worker {
    /// The terms whose values are being computed, the outermost one first: redexes of equations,
    /// nodes whose arguments are evaluated, terms whose sorts memberships lower. A node that
    /// waits for the value of its redex is there beside it; of calls at the end of right sides only the
    /// last one is. Of watched code only.
    pub(crate) fn frame_terms(&self) -> Vec<Readback> {
        self.machine.frames.iter().filter_map(|frame| self.frame_term(frame)).collect()
    }

    fn frame_term(&self, frame: &Frame) -> Option<Readback> {
        match frame.work {
            FrameWork::Code => self.redex_of(frame),
            FrameWork::Outside | FrameWork::Wanted | FrameWork::Measured => None,
            FrameWork::Node
            | FrameWork::Applied
            | FrameWork::Strategy
            | FrameWork::Branch
            | FrameWork::Memberships
            | FrameWork::Sorts
            | FrameWork::SortTest => {
                let node = *self.space.regs.get(frame.base as usize)?;
                let mut terms = StaticTerms::over(self.theory.terms().clone());
                let (term, sorts) =
                    self.space.memory.read_back(&self.space.signature, &mut terms, node);
                Some(Readback { terms, term, sorts })
            }
        }
    }

    /// The left side of the statement that the frame's code belongs to, with what its variables have.
    fn redex_of(&self, frame: &Frame) -> Option<Readback> {
        let program = &self.code.program;
        let slots = program.slots_of(program.start_of(frame.pc)?)?;
        let source = program.source_of(frame.pc)?;
        let statement = self.theory.statements().iter().find(|statement| {
            statement.source == source && !matches!(statement.conclusion, Conclusion::Rule(_))
        })?;
        let (memory, signature) = (&self.space.memory, &self.space.signature);
        let mut terms = StaticTerms::over(self.theory.terms().clone());
        let (mut bindings, mut sorts) = (FxHashMap::default(), FxHashMap::default());
        for (variable, register) in slots.iter() {
            let is_variable = |id: StaticId| matches!(terms.node(id), StaticNode::Variable(..));
            let value = *self.space.regs.get(frame.base as usize + register as usize)?;
            if is_variable(variable) && value != Handle::NIL {
                let (value, known) = memory.read_back(signature, &mut terms, value);
                sorts.extend(known);
                bindings.insert(variable, value);
            }
        }
        let term = terms.substitute(signature, statement.left, &bindings);
        Some(Readback { terms, term, sorts })
    }
}
