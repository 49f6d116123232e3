//! What runs commands: the worker, its limits, and the command that can be gone on with.

use std::time::Duration;

use broth_engine::{CommandTerms, Counts, Hooks, Limits, Theory, Worker};
use std::sync::Arc;

use super::profiles::Profiles;
use super::running::Running;
use crate::answer::{Settings, Statistics};
use crate::outside::Clock;
use crate::syntax::Name;

/// The engine as a session has it.
pub(crate) struct Evaluator {
    /// The worker of the module that was used last.
    pub worker: Option<Worker>,
    /// What a command may take.
    pub limits: Limits,
    /// How often statements were used, for each module.
    pub(super) profiles: Profiles,
    /// What `continue` goes on with.
    pub running: Option<Running>,
    clock: Box<dyn Clock>,
}

/// When a command or its continuation began.
#[derive(Clone, Copy)]
pub(super) struct Start {
    cpu: Duration,
    real: Duration,
}

impl Evaluator {
    /// One that has run nothing.
    pub fn new(clock: Box<dyn Clock>) -> Evaluator {
        Evaluator {
            worker: None,
            limits: Limits::default(),
            profiles: Profiles::default(),
            running: None,
            clock,
        }
    }

    /// Forgets what ran in another module, or in this one before it was changed.
    pub fn forget(&mut self) {
        self.running = None;
        self.worker = None;
    }

    /// The worker for a command in a theory.
    pub(super) fn worker_for(
        &mut self,
        module: Name,
        theory: &Arc<Theory>,
        hooks: &Arc<Hooks>,
        command: &CommandTerms,
        settings: &Settings,
    ) -> &mut Worker {
        let (signature, plain) = (&command.signature, !settings.optimize);
        let profile = self.profiles.begin(module, theory, settings);
        let fits = |worker: &Worker| {
            worker.serves(theory, signature, plain) && worker.is_watched() == settings.profile
        };
        let worker = match self.worker.take().filter(fits) {
            Some(worker) => worker,
            None if settings.profile => {
                Worker::watched(theory, hooks, signature, plain, profile.observer())
            }
            None => Worker::new(theory, hooks, signature, plain),
        };
        let worker = self.worker.insert(worker);
        worker.set_limits(self.limits.clone());
        worker.set_clear_turns(settings.clear_rules);
        worker
    }

    /// The worker of what runs.
    pub(super) fn worker(&mut self) -> &mut Worker {
        self.worker.as_mut().expect("what runs has a worker")
    }

    /// Begins to count rewrites and time.
    pub(super) fn start(&mut self) -> Start {
        if let Some(worker) = &mut self.worker {
            worker.reset_counts();
        }
        Start { cpu: self.clock.cpu(), real: self.clock.real() }
    }

    /// The rewrites of what runs.
    pub(super) fn counts(&self) -> Counts {
        self.worker.as_ref().map(Worker::counts).unwrap_or_default()
    }

    /// Rewrites and time since the beginning.
    pub(super) fn statistics(&self, start: Start) -> Statistics {
        let counts = self.counts();
        Statistics {
            memberships: counts.memberships,
            equations: counts.equations,
            rules: counts.rules,
            cpu: self.clock.cpu().saturating_sub(start.cpu),
            real: self.clock.real().saturating_sub(start.real),
        }
    }
}
