//! The equational machine.

use crate::heap::Handle;

/// The state of the equational machine besides the root stack.
#[derive(Default)]
pub(crate) struct Machine {}

impl Machine {
    pub(crate) fn new() -> Machine {
        Machine::default()
    }

    /// Visits the heap handles that frames hold outside of the root stack.
    pub(crate) fn visit_roots(&mut self, _visit: &mut dyn FnMut(&mut Handle)) {}
}
