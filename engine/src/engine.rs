//! The engine: the tables that its theories share, and the machine's state.
//!
//! Everything that runs works on one `Engine`: its heap and store, the root stack `regs` (all live
//! heap handles stand there, in a suspended matcher, or in the `roots` of a caller, whenever
//! something may collect), and counters.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::code::TheoryCode;
use crate::fidelity::Fidelity;
use crate::heap::{Handle, Memory};
use crate::id::{NameId, TheoryId};
use crate::limits::{Limits, Stop};
use crate::matching::{Matcher, MembershipSorts};
use crate::reduce::Machine;
use crate::result::Roots;
use crate::rewrite::Turns;
use crate::safe_points::Gauge;
use crate::signature::Signature;
use crate::strategy::GroundValues;
use crate::term::StaticTerms;

/// How many rewrites of each sort have been done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Equations and builtin steps.
    pub equations: u64,
    /// Memberships.
    pub memberships: u64,
    /// Rules.
    pub rules: u64,
}

impl Counts {
    /// All rewrites.
    pub fn total(&self) -> u64 {
        self.equations + self.memberships + self.rules
    }
}

/// A heap and a store with the theories that use them.
pub struct Engine {
    /// Sorts, kinds and symbols of all theories.
    pub signature: Signature,
    /// The static terms of all theories and commands.
    pub terms: StaticTerms,
    /// What bounds a computation.
    pub limits: Limits,
    pub(crate) memory: Memory,
    /// The root stack: registers of frames.
    pub(crate) regs: Vec<Handle>,
    /// Matchers that wait while something is evaluated; their handles are roots.
    pub(crate) suspended: Vec<Matcher>,
    pub(crate) counts: Counts,
    /// Rule applications by label, with the place of the label in the order of first applications.
    applications: FxHashMap<NameId, (usize, u64)>,
    /// While positive, rule applications are not entered in `applications`.
    pub(crate) uncounted: u32,
    /// What is done only for the sake of the numbers of rewrites.
    pub(crate) fidelity: Fidelity,
    pub(crate) machine: Machine,
    /// What has been evaluated for good in definitions of strategies.
    pub(crate) ground_values: GroundValues,
    /// Held by every computation that is alive.
    pub(crate) runs: Arc<()>,
    /// Set when a computation was stopped; it then ends as soon as it can.
    pub(crate) stopped: Option<Stop>,
    /// While positive, nothing collects: somebody holds handles that are no roots.
    pub(crate) pinned: u32,
    /// Whose turn it was when the last rewriting in each theory stopped.
    pub(crate) turns: FxHashMap<TheoryId, Turns>,
    /// Rules take their turns anew in each command.
    pub(crate) clears_turns: bool,
    /// The sorts that memberships may give to terms headed by a symbol.
    pub(crate) membership_sorts: Arc<MembershipSorts>,
    /// The stored terms that callers hold.
    pub(crate) roots: Arc<Roots>,
    pub(crate) gauge: Gauge,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

impl Engine {
    /// An engine without theories.
    pub fn new() -> Engine {
        Engine {
            signature: Signature::new(),
            terms: StaticTerms::new(),
            limits: Limits::default(),
            memory: Memory::new(),
            regs: Vec::new(),
            suspended: Vec::new(),
            counts: Counts::default(),
            applications: FxHashMap::default(),
            uncounted: 0,
            fidelity: Fidelity::default(),
            machine: Machine::new(),
            ground_values: GroundValues::default(),
            runs: Arc::new(()),
            stopped: None,
            pinned: 0,
            turns: FxHashMap::default(),
            clears_turns: true,
            membership_sorts: Arc::default(),
            roots: Arc::default(),
            gauge: Gauge::default(),
        }
    }

    /// Turns the default mode on, or off for the plain one, which counts what the language counts.
    pub fn set_optimize(&mut self, on: bool) {
        let fidelity = Fidelity::new(!on);
        if self.fidelity != fidelity {
            self.fidelity = fidelity;
            // Compiled rules have guards in them, or none.
            self.machine.theories.iter_mut().for_each(TheoryCode::forget_rules);
        }
    }

    /// The rewrites done since the last reset.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Starts counting anew.
    pub fn reset_counts(&mut self) {
        self.counts = Counts::default();
        self.applications.clear();
    }

    /// How often the rules with each label were applied since the last reset, in the order in which
    /// the labels came up.
    pub fn rule_applications(&self) -> Vec<(NameId, u64)> {
        let mut ordered: Vec<_> = self.applications.iter().collect();
        ordered.sort_unstable_by_key(|(_, (order, _))| *order);
        ordered.into_iter().map(|(&label, &(_, count))| (label, count)).collect()
    }

    /// Counts an application of a rule with this label.
    pub(crate) fn count_rule(&mut self, label: Option<NameId>) {
        self.counts.rules += 1;
        if let Some(label) = label
            && self.uncounted == 0
        {
            let order = self.applications.len();
            self.applications.entry(label).or_insert((order, 0)).1 += 1;
        }
    }

    /// Opens a frame of `n` registers on the root stack and returns its base.
    #[inline]
    pub(crate) fn push_frame(&mut self, n: usize) -> usize {
        let base = self.regs.len();
        self.regs.resize(base + n, Handle::NIL);
        base
    }

    /// Closes all frames from `base` on.
    #[inline]
    pub(crate) fn pop_frame(&mut self, base: usize) {
        self.regs.truncate(base);
    }
}
