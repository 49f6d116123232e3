//! Kinds in which every term has a sort.
//!
//! If no operator can give an error sort to arguments that have sorts, then a variable of the
//! kind's largest sort needs no test, and an operator with one declaration over such sorts has one
//! result sort: terms need not be looked at. A variable over the kind itself (in a command), or an
//! operator that is added later, may end this; statements are then compiled anew.

use rustc_hash::FxHashSet;

use crate::code::Entry;
use crate::engine::Engine;
use crate::id::{KindId, SymbolId};
use crate::signature::{Role, Symbol};

impl Engine {
    /// Brings the run-time tables up to date with the signature.
    pub(crate) fn sync(&mut self) {
        let known = self.memory.n_cores();
        self.memory.sync(&self.signature);
        for index in known..self.signature.n_symbols() {
            let symbol = SymbolId(index as u32);
            let kind = self.signature.symbol(symbol).range;
            if self.machine.sound_kinds.contains(&kind) && self.may_err(symbol) {
                self.machine.sound_kinds.clear();
                self.machine.entries.fill(Entry::Unknown);
                self.machine.calls.fill(Entry::Unknown);
                for other in 0..index {
                    self.memory.core_mut(SymbolId(other as u32)).sure_sort = None;
                }
            }
        }
    }

    /// Finds the kinds of a theory in which every term has a sort, and the operators whose result
    /// sort is then sure.
    pub(super) fn find_sound_kinds(&mut self, symbols: &[SymbolId]) {
        let mut kinds: FxHashSet<KindId> = FxHashSet::default();
        for &s in symbols {
            let symbol = self.signature.symbol(s);
            kinds.extend(symbol.args.iter().chain([&symbol.range]));
        }
        kinds.retain(|&kind| self.signature.kind(kind).n_maximal() == 1);
        self.machine.sound_kinds.extend(&kinds);
        loop {
            let unsound: Vec<KindId> = symbols
                .iter()
                .filter(|&&s| {
                    let range = self.signature.symbol(s).range;
                    self.machine.sound_kinds.contains(&range) && self.may_err(s)
                })
                .map(|&s| self.signature.symbol(s).range)
                .collect();
            if unsound.is_empty() {
                break;
            }
            for kind in unsound {
                self.machine.sound_kinds.remove(&kind);
            }
        }
        for &s in symbols {
            let sure = self.sure_sort(self.signature.symbol(s));
            self.memory.core_mut(s).sure_sort = sure;
        }
    }

    /// Whether a variable of this sort matches every term of its kind.
    pub(super) fn is_whole_kind(&self, sort: crate::id::SortId) -> bool {
        sort.is_kind()
            || sort.index == 1
                && self.machine.sound_kinds.contains(&sort.kind)
                && self.signature.kind(sort.kind).n_maximal() == 1
    }

    fn sure_sort(&self, symbol: &Symbol) -> Option<u16> {
        let [declaration] = &symbol.declarations[..] else { return None };
        let whole = declaration.args.iter().all(|&sort| self.is_whole_kind(sort));
        (whole && matches!(symbol.role, Role::Operator | Role::Builtin(_)))
            .then_some(declaration.range.index)
    }

    /// Whether an application to arguments that have sorts (as far as their kinds are sound) may have
    /// none.
    fn may_err(&self, s: SymbolId) -> bool {
        let symbol = self.signature.symbol(s);
        match symbol.role {
            Role::Variable(sort) => return sort.is_kind(),
            Role::Operator | Role::Builtin(_) => {}
            _ => return false,
        }
        if symbol.args.is_empty() {
            return symbol.sorts.constant() == 0;
        }
        let mut states: FxHashSet<u32> = FxHashSet::default();
        states.insert(symbol.sorts.start());
        for &kind in &symbol.args {
            let first = u16::from(self.machine.sound_kinds.contains(&kind));
            let n = self.signature.kind(kind).len() as u16;
            let step = |state: u32| (first..n).map(move |sort| symbol.sorts.step(state, sort));
            states = states.into_iter().flat_map(step).collect();
        }
        states.contains(&0)
    }
}
