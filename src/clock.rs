//! The clock that statistics are measured with.

use std::time::{Duration, Instant};

use broth_rules::Clock;
use cpu_time::ProcessTime;

/// Processor time of the process, and time since the program started.
pub struct SystemClock {
    started: Instant,
}

impl SystemClock {
    /// A clock that starts now.
    pub fn new() -> SystemClock {
        SystemClock { started: Instant::now() }
    }
}

impl Clock for SystemClock {
    fn cpu(&self) -> Duration {
        ProcessTime::now().as_duration()
    }

    fn real(&self) -> Duration {
        self.started.elapsed()
    }
}
