//! Matching: what the equational theories share.

use crate::heap::Handle;

/// A matcher that runs or waits.
#[derive(Default)]
pub(crate) struct Matcher {
    handles: Vec<Handle>,
}

impl Matcher {
    /// Visits the heap handles that the matcher holds.
    pub(crate) fn visit_roots(&mut self, visit: &mut dyn FnMut(&mut Handle)) {
        self.handles.iter_mut().for_each(visit);
    }
}
