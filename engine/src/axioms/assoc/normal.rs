//! The normal form of A and AU nodes: flat, without removable identities.

use crate::heap::{Handle, Memory, flag};
use crate::id::SymbolId;

impl Memory {
    /// The normal term of an A symbol over normal arguments. A one-sided identity goes where it
    /// stands in this list, before nested lists are spliced in (`language.md` 2.2).
    pub(crate) fn normal_assoc(&mut self, symbol: SymbolId, args: &[Handle]) -> Handle {
        let core = self.core(symbol);
        let identity = core.identity;
        let (left, right) = (core.left_id, core.right_id);
        let n = args.len();
        let mut flat: Vec<Handle> = Vec::with_capacity(n);
        for (place, &arg) in args.iter().enumerate() {
            let arg = self.resolve(arg);
            if identity != Handle::NIL && self.equal(arg, identity) {
                let kept = if left && right {
                    false
                } else if left {
                    place + 1 == n
                } else {
                    place == 0
                };
                if !kept {
                    continue;
                }
            }
            if arg.is_node() && self.symbol(arg) == symbol {
                flat.extend(self.list(arg).iter().map(|&a| Handle(a)));
            } else {
                flat.push(arg);
            }
        }
        match flat[..] {
            [] => identity,
            [only] => only,
            _ => self.list_node(symbol, 0, flat.into_iter()),
        }
    }

    /// A part of a normal list as a term: the identity, the argument itself, or a new normal node.
    /// `flags` go to a new node; its sort is not computed. The identity must exist for an empty part.
    pub(crate) fn sublist(
        &mut self,
        symbol: SymbolId,
        subject: Handle,
        from: usize,
        to: usize,
        flags: u32,
    ) -> Handle {
        match to - from {
            0 => self.core(symbol).identity,
            1 => self.arg(subject, from),
            n if n == self.n_args(subject) => subject,
            _ => {
                debug_assert!(flags & flag::RAW == 0);
                let words = self.list(subject)[from..to].to_vec();
                self.list_node(symbol, flags, words.into_iter().map(Handle))
            }
        }
    }
}
