//! Matching: what the equational theories share.
//!
//! A pattern is compiled once and matched by a `Matcher`, a state machine whose stacks are used
//! again from one match to the next. One possibility is bound at once (*settle*); what has several
//! becomes a task, and tasks are solved in sequence with backtracking, the last one fastest
//! (`language.md` 6.2).

mod guard;

#[allow(unused_imports, reason = "whoever compiles conditions uses them")]
pub(crate) use guard::{Comparison, Guard, Operand, Verdict};

use crate::code::Slots;
use crate::engine::Engine;
use crate::heap::Handle;
use crate::id::StaticId;

/// Which matchers are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Equations, memberships, and rules under `rewrite` and `frewrite`: greedy subpatterns have one
    /// matcher (`language.md` 3.5).
    First,
    /// Every matcher, in the order of `language.md` 6.
    All,
}

/// What a pattern is compiled from.
#[derive(Debug, Clone)]
pub(crate) struct PatternSpec<'a> {
    /// The term, fully normalised.
    pub(crate) term: StaticId,
    /// Variables that are certainly bound when matching begins (earlier fragments).
    pub(crate) bound: &'a [StaticId],
    /// Variables that occur in the condition, which forbid a greedy match.
    pub(crate) elsewhere: &'a [StaticId],
    /// Whether the pattern may match a part of an assoc or iter node.
    pub(crate) extension: bool,
    /// Whether nodes made of several arguments of the redex itself count as unreduced (equations).
    pub(crate) redex_unreduced: bool,
    /// Conjuncts of the condition that may prune early.
    pub(crate) guards: Vec<Guard>,
}

/// A compiled pattern.
#[derive(Debug)]
pub(crate) struct Pattern {}

impl Pattern {
    /// Compiles a pattern; its variables get registers.
    pub(crate) fn compile(
        _engine: &mut Engine,
        _slots: &mut Slots,
        _spec: PatternSpec<'_>,
    ) -> Pattern {
        Pattern {}
    }

    /// Compiles the aliens of a free skeleton that has been matched already: their subjects stand in
    /// registers, and the skeleton's variables are among `bound`.
    pub(crate) fn compile_aliens(
        _engine: &mut Engine,
        _slots: &mut Slots,
        _aliens: &[(u32, StaticId)],
        _bound: &[StaticId],
        _elsewhere: &[StaticId],
        _guards: Vec<Guard>,
    ) -> Pattern {
        Pattern {}
    }
}

/// What a match with extension left over beside the matched part (`language.md` 3.4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Leftover {
    /// Nothing.
    Whole,
    /// AC: the left-over argument, or a new normal unreduced node of several.
    Rest(Handle),
    /// A: the ranks of the arguments that were matched.
    List { from: u32, to: u32 },
    /// Iterated: how many applications stay outside.
    Iter(num_bigint::BigUint),
}

/// A matcher that runs or waits.
#[derive(Default)]
pub(crate) struct Matcher {
    handles: Vec<Handle>,
}

impl Matcher {
    /// Finds the first matcher. The registers of the pattern's variables, `regs[base + slot]`, get
    /// their values. The subject of a pattern made by `compile_aliens` is not looked at.
    pub(crate) fn start(
        &mut self,
        _engine: &mut Engine,
        _pattern: &Pattern,
        _base: usize,
        _subject: Handle,
        _mode: Mode,
    ) -> bool {
        self.handles.clear();
        false
    }

    /// Finds the next matcher after one has been found.
    pub(crate) fn next(&mut self, _engine: &mut Engine, _pattern: &Pattern, _base: usize) -> bool {
        false
    }

    /// False when there is certainly no further matcher.
    pub(crate) fn has_more_possible(&self) -> bool {
        false
    }

    /// The part of the subject that was matched, or `None` if it is the whole.
    pub(crate) fn portion(&self, _engine: &mut Engine, _pattern: &Pattern) -> Option<Handle> {
        None
    }

    /// What the redex becomes (`language.md` 3.4): the result itself, or a raw node of what is left
    /// over and the result.
    pub(crate) fn replace(
        &self,
        _engine: &mut Engine,
        _pattern: &Pattern,
        result: Handle,
    ) -> Handle {
        result
    }

    /// What the match left over of the subject.
    pub(crate) fn leftover(&self, _engine: &mut Engine, _pattern: &Pattern) -> Leftover {
        Leftover::Whole
    }

    /// Visits the heap handles that the matcher holds.
    pub(crate) fn visit_roots(&mut self, visit: &mut dyn FnMut(&mut Handle)) {
        self.handles.iter_mut().for_each(visit);
    }

    /// Moves all terms that the matcher holds into the store.
    pub(crate) fn park(&mut self, engine: &mut Engine) {
        for handle in &mut self.handles {
            *handle = engine.memory.enter(*handle);
        }
    }
}
