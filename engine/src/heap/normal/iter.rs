//! The normal form of iterated nodes: one count over an argument headed by another symbol.

use dashu_int::UBig;

use crate::heap::{Handle, Memory};
use crate::id::SymbolId;

impl Memory {
    /// The normal term of `count` (at least one) applications to a normal argument.
    pub(crate) fn normal_iter(&mut self, symbol: SymbolId, count: UBig, arg: Handle) -> Handle {
        let arg = self.resolve(arg);
        if self.symbol(arg) != symbol {
            return self.iterated(symbol, count, arg);
        }
        let (count, below) = (count + &*self.count(arg), self.arg(arg, 0));
        self.iterated(symbol, count, below)
    }

    /// The term of `count` applications to an argument headed by another symbol; the argument itself
    /// if the count is 0.
    pub(crate) fn iterated(&mut self, symbol: SymbolId, count: UBig, arg: Handle) -> Handle {
        if let Ok(n) = u64::try_from(&count) {
            return self.iterated_small(symbol, n, arg);
        }
        self.iter_node(symbol, 0, count, arg)
    }

    /// The same for counts of 64 bits.
    #[inline]
    pub(crate) fn iterated_small(&mut self, symbol: SymbolId, count: u64, arg: Handle) -> Handle {
        if count == 0 {
            return arg;
        }
        let immediate = count <= Handle::MAX_NAT
            && arg.as_nat() == Some(0)
            && self.immediate_numbers().is_some_and(|numbers| numbers.succ == symbol);
        if immediate {
            return Handle::nat(count as u32);
        }
        self.small_iter_node(symbol, 0, count, arg)
    }
}
