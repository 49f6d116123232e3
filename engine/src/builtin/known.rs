//! Connectives of truth constants where their rewrites count: evaluated once by the equations of the
//! Boolean ring, and known from then on with the number of rewrites that this took.
//!
//! What an operator makes of constants depends on nothing but them, so the same application takes
//! the same rewrites again. Whoever watches is told of each of them, and nothing is known then.

use rustc_hash::FxHashMap;

use crate::heap::Handle;
use crate::id::SymbolId;
use crate::worker::Worker;

/// More arguments than this are evaluated each time.
const MOST_ARGUMENTS: usize = 16;

/// An operator, how many truth values it is applied to, and which of them are true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct TruthApplication {
    symbol: SymbolId,
    n: u16,
    yes: u16,
}

/// What an application comes to.
#[derive(Debug, Clone, Copy)]
struct KnownTruth {
    value: bool,
    equations: u64,
    memberships: u64,
}

/// The applications whose values are known.
#[derive(Default)]
pub(crate) struct KnownTruths(FxHashMap<TruthApplication, KnownTruth>);

impl Worker {
    /// The application of a symbol to the truth constants in the registers from `base` on; nothing if
    /// they are something else or too many.
    #[inline]
    pub(super) fn truth_application(
        &self,
        symbol: SymbolId,
        base: usize,
    ) -> Option<TruthApplication> {
        let arguments = &self.space.regs[base..];
        if arguments.len() > MOST_ARGUMENTS {
            return None;
        }
        let mut yes = 0;
        for &argument in arguments {
            yes = yes << 1 | u16::from(self.truth_value(argument)?);
        }
        Some(TruthApplication { symbol, n: arguments.len() as u16, yes })
    }

    /// The value of an application, if it is known; its rewrites are counted but for one. Otherwise
    /// it is noted what the evaluation that follows comes to.
    pub(super) fn known_connective(&mut self, application: TruthApplication) -> Option<Handle> {
        let symbol = application.symbol;
        let Some(&known) = self.known_truths.0.get(&application) else {
            // Symbols with an evaluation strategy may be tried several times in one evaluation.
            if self.space.memory.core(symbol).eager {
                self.measure(application);
            }
            return None;
        };
        self.counts.equations += known.equations - 1;
        self.counts.memberships += known.memberships;
        self.truth(symbol, known.value)
    }

    /// Notes the value of an application, and the rewrites that it has taken.
    pub(crate) fn learn_truth(
        &mut self,
        application: TruthApplication,
        value: Handle,
        equations: u64,
        memberships: u64,
    ) {
        if let Some(value) = self.truth_value(value)
            && equations > 0
        {
            let known = KnownTruth { value, equations, memberships };
            self.known_truths.0.insert(application, known);
        }
    }
}
