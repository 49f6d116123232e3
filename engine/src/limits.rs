//! Budgets and interruption: a flag that the caller sets from outside. The engine reads no clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Why a computation ended without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The caller's flag was set.
    Interrupted,
}

/// What bounds a computation.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    interrupt: Arc<AtomicBool>,
}

impl Limits {
    /// The flag that stops whatever runs, at its next safe point. Setting it is all that a signal
    /// handler or a timer has to do; whoever starts the next computation clears it.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupt)
    }

    /// Whether the flag is set.
    #[inline(always)]
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }
}
