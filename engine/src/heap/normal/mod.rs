//! Normal nodes from arguments: a file for each equational theory, and here the one way to them.

mod assoc;
mod assoc_comm;
mod comm;
mod iter;

use dashu_int::UBig;
use smallvec::SmallVec;

use super::{Handle, Memory, flag};
use crate::id::SymbolId;
use crate::signature::Shape;

/// The arguments of a node that is about to be made.
type Arguments = SmallVec<[(Handle, u32); 8]>;

impl Memory {
    /// The normal term of an application to normal arguments, unreduced: a new node, or what it
    /// collapses to. Of an iterated symbol one iteration.
    pub(crate) fn normal_node(&mut self, symbol: SymbolId, args: &[Handle]) -> Handle {
        match self.core(symbol).shape {
            Shape::Free if args.is_empty() => self.constant(symbol),
            Shape::Free => self.fixed_node(symbol, 0, args),
            Shape::Comm => self.normal_comm(symbol, args[0], args[1]),
            Shape::Assoc => self.normal_assoc(symbol, args),
            Shape::AssocComm => {
                if let &[a, b] = args
                    && let Some(pair) = self.normal_pair(symbol, a, b)
                {
                    return pair;
                }
                let elements: Arguments = args.iter().map(|&arg| (arg, 1)).collect();
                self.normal_multiset(symbol, &elements)
            }
            Shape::Iter => self.normal_iter(symbol, UBig::ONE, args[0]),
        }
    }

    /// The same for an application like that of a node: with its symbol, and as many iterations.
    pub(crate) fn normal_like(&mut self, node: Handle, args: &[Handle]) -> Handle {
        let symbol = self.symbol(node);
        if self.core(symbol).shape != Shape::Iter {
            return self.normal_node(symbol, args);
        }
        let count = self.count(node).into_owned();
        self.normal_iter(symbol, count, args[0])
    }

    /// The normal term of a node over the arguments that it has, which are normal. A free node stays
    /// itself, since its arguments are as they are in a normal one.
    pub(crate) fn normal_of(&mut self, node: Handle) -> Handle {
        let symbol = self.symbol(node);
        let places = 0..self.n_args(node);
        match self.core(symbol).shape {
            Shape::Free => {
                self.clear_flag(node, flag::RAW);
                node
            }
            Shape::AssocComm => {
                let element = |rank| (self.arg(node, rank), self.multiplicity(node, rank));
                let elements: Arguments = places.map(element).collect();
                self.normal_multiset(symbol, &elements)
            }
            Shape::Comm | Shape::Assoc | Shape::Iter => {
                let args: SmallVec<[Handle; 8]> = places.map(|at| self.arg(node, at)).collect();
                self.normal_like(node, &args)
            }
        }
    }

    /// The raw node of an application to arguments as they stand: nested, unsorted, with identities.
    pub(crate) fn raw_node(&mut self, symbol: SymbolId, args: &[Handle]) -> Handle {
        match self.core(symbol).shape {
            Shape::Free if args.is_empty() => self.constant(symbol),
            Shape::Free => self.fixed_node(symbol, 0, args),
            Shape::Comm => self.fixed_node(symbol, flag::RAW, args),
            Shape::Assoc | Shape::AssocComm => {
                self.list_node(symbol, flag::RAW, args.iter().copied())
            }
            Shape::Iter => self.small_iter_node(symbol, flag::RAW, 1, args[0]),
        }
    }

    /// The same for an application like that of a node: with its symbol, and as many iterations.
    pub(crate) fn raw_like(&mut self, node: Handle, args: &[Handle]) -> Handle {
        let symbol = self.symbol(node);
        if self.core(symbol).shape != Shape::Iter {
            return self.raw_node(symbol, args);
        }
        let count = self.count(node).into_owned();
        self.iter_node(symbol, flag::RAW, count, args[0])
    }
}
