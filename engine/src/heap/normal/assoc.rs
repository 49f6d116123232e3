//! The normal form of A and AU nodes: flat, without removable identities.

use smallvec::SmallVec;

use crate::heap::{Handle, Memory};
use crate::id::SymbolId;

impl Memory {
    /// The normal term of an A symbol over normal arguments. A one-sided identity goes where it
    /// stands in this list, before nested lists are spliced in (`docs/semantics.md` 2.2).
    pub(crate) fn normal_assoc(&mut self, symbol: SymbolId, args: &[Handle]) -> Handle {
        let core = self.core(symbol);
        let identity = core.identity;
        let (left, right) = (core.left_id, core.right_id);
        let n = args.len();
        let mut parts: SmallVec<[Handle; 8]> = SmallVec::new();
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
            parts.push(arg);
        }
        match parts[..] {
            // Of identities only the first is kept.
            [] => args.first().map_or(identity, |&arg| self.resolve(arg)),
            [only] => only,
            _ => {
                let node = self.join_lists(symbol, &parts);
                // Sorts of an associative operator fold, so those of the parts will do.
                let core = self.core(symbol);
                let sorts = parts.iter().map(|&part| self.known_sort(part));
                let fold = sorts.reduce(|l, r| Some(self.pair_sort(core, l?, r?))).flatten();
                if let (Some(sort), false) = (fold, core.memberships) {
                    self.set_sort(node, sort);
                }
                node
            }
        }
    }

    /// A stretch of two or more arguments of a normal list as a new normal node, without a sort.
    pub(crate) fn list_part(
        &mut self,
        symbol: SymbolId,
        subject: Handle,
        from: usize,
        to: usize,
    ) -> Handle {
        let part = self.slice(symbol, subject, from, to);
        // If the operator has one result sort and the whole has it, no argument is in error.
        let uniform = self.core(symbol).uniform;
        if uniform.is_some() && self.known_sort(subject) == uniform {
            let sort = uniform.unwrap_or_default();
            if sort != 0 && !self.core(symbol).memberships {
                self.set_sort(part, sort);
            }
        }
        part
    }
}
