//! What compiling works with: data of a theory in, code and constants out. No heap is at hand.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::heads::{Heads, Vanishing};
use super::program::{Block, EquationalCode};
use super::statements::Entry;
use super::tables::{SoundKinds, StatementTables};
use crate::fidelity::Fidelity;
use crate::heap::{Handle, Memory};
use crate::id::{SortId, StaticId, SymbolId};
use crate::matching::PatternSource;
use crate::signature::Signature;
use crate::term::StaticTerms;

/// Turns statements and goals into code.
pub(crate) struct CodeCompiler<'a> {
    pub(crate) signature: &'a Signature,
    pub(super) tables: &'a StatementTables,
    pub(super) sound: &'a SoundKinds,
    /// The terms to be compiled, and those that come up on the way.
    pub(crate) terms: StaticTerms,
    /// Where constants are kept: nothing else of it is used.
    pub(super) memory: &'a mut Memory,
    /// What is done for the sake of counts.
    pub(super) fidelity: Fidelity,
    /// Somebody watches what the code does.
    pub(super) watched: bool,
    /// How calls are tried, by symbol, as far as that is known.
    pub(super) calls: Arc<[Entry]>,
    /// The code written so far.
    pub(super) program: EquationalCode,
    /// The constants that stand for the ground terms of the present statement that nothing rewrites.
    pub(super) constants: FxHashMap<StaticId, Handle>,
}

impl CodeCompiler<'_> {
    /// The code written so far, with its calls resolved.
    pub(super) fn take_block(&mut self) -> Block {
        let mut block = std::mem::take(&mut self.program.block);
        block.finish(&self.calls);
        block
    }

    /// What patterns are compiled from.
    pub(super) fn patterns(&mut self) -> PatternSource<'_> {
        PatternSource {
            signature: self.signature,
            terms: &self.terms,
            memory: self.memory,
            membership_sorts: &self.tables.membership_sorts,
        }
    }

    /// Terms as left sides.
    pub(super) fn heads(&self) -> Heads<'_> {
        Heads { signature: self.signature, terms: &self.terms }
    }

    /// Whether no instance of a term can collapse; variables are not stable.
    pub(super) fn is_stable(&self, term: StaticId) -> bool {
        self.heads().is_stable(term)
    }

    /// The same with what is known of other terms.
    pub(super) fn is_stable_knowing(&self, term: StaticId, vanishing: &mut Vanishing) -> bool {
        self.heads().is_stable_knowing(term, vanishing)
    }

    /// Whether a symbol evaluates an argument before its equations are first tried.
    pub(super) fn is_eager(&self, symbol: SymbolId, place: usize) -> bool {
        self.signature.symbol(symbol).is_eager(place)
    }

    /// Whether something may happen when an application of the symbol is evaluated.
    pub(super) fn is_defined(&self, symbol: SymbolId) -> bool {
        self.tables.is_defined(self.signature, symbol)
    }

    /// Whether a variable of this sort matches every term of its kind.
    pub(super) fn is_whole_kind(&self, sort: SortId) -> bool {
        self.sound.is_whole(sort)
    }

    /// The constant of a ground term that is normal as it stands, since nothing in it is defined.
    pub(super) fn constant(&self, term: StaticId) -> Option<Handle> {
        self.constants.get(&term).copied()
    }
}
