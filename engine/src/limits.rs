//! Budgets and interruption, which the caller sets from outside, and how far the engine counts. The
//! engine reads no clock and asks no operating system; it is told.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
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
    /// It needed a number that the engine has no room for.
    Limit(Limit),
}

/// How far the engine counts. What is larger is refused, so that no number ever wraps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// How often an argument of an associative and commutative operator occurs.
    Multiplicity,
    /// The symbols of a theory: operators, a variable symbol for each sort, instances of
    /// polymorphic operators.
    Symbols,
    /// The rows of an operator's sort table, one for each set of declarations that the sorts of
    /// some arguments select.
    SortTable,
    /// The terms of statements and commands.
    StaticTerms,
    /// The instructions and operands of compiled statements.
    Code,
    /// The words of the terms that compiled statements hold.
    Constants,
    /// What a strategy expression is made of, or its pending continuations.
    Strategies,
    /// The texts of string and quoted-identifier literals.
    Texts,
    /// The applications of an iterated operator that stay outside of what a pattern matches.
    Iterations,
}

impl Limit {
    /// The largest number, where the user can count along.
    pub fn most(self) -> u64 {
        match self {
            Limit::Multiplicity => u64::from(u32::MAX),
            Limit::Iterations => u64::from(u32::MAX) - 2,
            Limit::Symbols => 1 << 24,
            Limit::Constants => 1 << 29,
            Limit::Code
            | Limit::SortTable
            | Limit::StaticTerms
            | Limit::Strategies
            | Limit::Texts => 1 << 32,
        }
    }
}

impl fmt::Display for Limit {
    /// A whole sentence without its full stop.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self {
            Limit::Multiplicity => "times that an argument of an operator with comm occurs",
            Limit::Symbols => "symbols of a module",
            Limit::SortTable => "entries of the sort tables of a module",
            Limit::StaticTerms => "terms of statements and commands",
            Limit::Code => "instructions and operands of the statements of a module",
            Limit::Constants => "words of constants in the statements of a module",
            Limit::Strategies => "parts of a strategy",
            Limit::Iterations => "matchers that leave applications of an iterated operator over",
            Limit::Texts => "texts of strings and quoted identifiers",
        };
        write!(f, "{} is the largest number of {what}", self.most())
    }
}

/// What a computation unwinds with that cannot go on. It is raised where a `Result` in every step of
/// a hot loop would cost too much, and becomes an ordinary error in [`catch_stop`].
struct Unwound(Stop);

/// Ends whatever is under way up to the next [`catch_stop`].
#[cold]
pub(crate) fn unwind(stop: Stop) -> ! {
    resume_unwind(Box::new(Unwound(stop)))
}

/// Ends whatever is under way because a limit was passed.
#[cold]
pub(crate) fn passed(limit: Limit) -> ! {
    unwind(Stop::Limit(limit))
}

/// A number of things as the engine keeps it, or the end of what is under way if there are too many.
#[inline]
pub(crate) fn number(n: usize, limit: Limit) -> u32 {
    u32::try_from(n).unwrap_or_else(|_| passed(limit))
}

/// Does a piece of work that may run into a limit. After an error whatever the work was changing is
/// half done and must not be used.
pub fn catch_stop<T>(work: impl FnOnce() -> T) -> Result<T, Stop> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast::<Unwound>() {
        Ok(unwound) => unwound.0,
        Err(other) => resume_unwind(other),
    })
}

/// What bounds a computation.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    interrupt: Arc<AtomicBool>,
    memory: Option<MemoryLimit>,
}

/// How much memory the process may hold, and who knows how much it does.
#[derive(Clone)]
struct MemoryLimit {
    bytes: u64,
    held: Arc<dyn Fn(u64) -> u64 + Send + Sync>,
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

    /// Lets the process hold no more than `bytes` bytes of memory, or a computation ends. `held` is
    /// asked before something large is made, and each time some milliseconds' work was done. It
    /// tells how many bytes the process holds; where they are no more than those that it is given,
    /// it need not be exact.
    pub fn set_memory(&mut self, bytes: u64, held: impl Fn(u64) -> u64 + Send + Sync + 'static) {
        self.memory = Some(MemoryLimit { bytes, held: Arc::new(held) });
    }

    /// The bytes that the process may hold, if there is a limit.
    pub fn memory(&self) -> Option<u64> {
        self.memory.as_ref().map(|memory| memory.bytes)
    }

    /// Whether whatever runs may go on. What takes long and is done outside of the engine asks this
    /// every now and then.
    pub fn check(&self) -> Result<(), Stop> {
        self.go_on()?;
        self.admit(0)
    }

    /// Whether there is room for so many bytes besides those that the process holds.
    pub fn admit(&self, bytes: u64) -> Result<(), Stop> {
        let Some(memory) = &self.memory else { return Ok(()) };
        let most = memory.bytes.checked_sub(bytes);
        match most.filter(|&most| (memory.held)(most) <= most) {
            Some(_) => Ok(()),
            None => Err(Stop::Memory),
        }
    }

    /// Whether nobody has interrupted what runs.
    pub(crate) fn go_on(&self) -> Result<(), Stop> {
        if self.is_interrupted() { Err(Stop::Interrupted) } else { Ok(()) }
    }

    /// Whether the flag is set.
    #[inline(always)]
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// The bytes that the process holds now; 0 if nobody cares.
    pub(crate) fn held(&self) -> u64 {
        self.memory.as_ref().map_or(0, |memory| (memory.held)(0))
    }

    /// Whether so many bytes alone are more than the process may hold.
    pub(crate) fn forbids(&self, bytes: u64) -> bool {
        self.memory.as_ref().is_some_and(|memory| bytes > memory.bytes)
    }

    /// The bytes that the process may still take.
    pub(crate) fn spare(&self) -> u64 {
        self.memory.as_ref().map_or(u64::MAX, |memory| memory.bytes.saturating_sub(self.held()))
    }
}
