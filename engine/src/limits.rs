//! Budgets and interruption: what the caller sets from outside. The engine reads no clock and asks
//! no operating system; it is told.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Why a computation ended without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The caller's flag was set.
    Interrupted,
    /// It needed more memory than it may take, or than handles of terms can address.
    Memory,
}

/// What bounds a computation.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    interrupt: Arc<AtomicBool>,
    memory: Option<MemoryLimit>,
}

/// How much memory a computation may take, and who knows how much there is.
#[derive(Clone)]
struct MemoryLimit {
    bytes: u64,
    held: Arc<dyn Fn() -> u64 + Send + Sync>,
}

impl fmt::Debug for MemoryLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryLimit").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl Limits {
    /// The flag that stops whatever runs, at its next safe point. Setting it is all that a signal
    /// handler or a timer has to do; whoever starts the next computation clears it.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupt)
    }

    /// Lets no computation take more than `bytes` bytes of memory. `held` tells how many bytes the
    /// process holds; it is asked when a computation begins, and then each time some tens of
    /// megabytes have been filled or some milliseconds' work was done.
    pub fn set_memory(&mut self, bytes: u64, held: impl Fn() -> u64 + Send + Sync + 'static) {
        self.memory = Some(MemoryLimit { bytes, held: Arc::new(held) });
    }

    /// The bytes that a computation may take, if there is a limit.
    pub fn memory(&self) -> Option<u64> {
        self.memory.as_ref().map(|memory| memory.bytes)
    }

    /// Whether the flag is set.
    #[inline(always)]
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// The bytes that the process holds now; 0 if nobody cares.
    pub(crate) fn held(&self) -> u64 {
        self.memory.as_ref().map_or(0, |memory| (memory.held)())
    }

    /// Whether a computation may not take so many bytes.
    pub(crate) fn forbids(&self, bytes: u64) -> bool {
        self.memory.as_ref().is_some_and(|memory| bytes > memory.bytes)
    }
}
