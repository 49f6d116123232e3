//! The normal form of C, CU, U and idempotent nodes: two sorted arguments, or a collapse.

use crate::heap::{Handle, Memory};
use crate::id::SymbolId;

impl Memory {
    /// The normal term over two normal arguments.
    pub(crate) fn normal_comm(&mut self, symbol: SymbolId, a: Handle, b: Handle) -> Handle {
        let (a, b) = (self.resolve(a), self.resolve(b));
        let core = self.core(symbol);
        if core.left_id && self.equal(a, core.identity) {
            return b;
        }
        if core.right_id && self.equal(b, core.identity) {
            return a;
        }
        if core.idem && self.equal(a, b) {
            return a;
        }
        let swap = core.comm && self.compare(b, a).is_lt();
        self.fixed_node(symbol, 0, &if swap { [b, a] } else { [a, b] })
    }
}
