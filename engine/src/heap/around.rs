//! Terms around other terms: a node with another argument, and what is left over beside a redex.

use dashu_int::UBig;
use smallvec::SmallVec;

use super::{Handle, Memory, flag};
use crate::id::SymbolId;
use crate::signature::Shape;

/// What is left over beside the redex by extension, so that it can wait for a result.
#[derive(Clone, Debug)]
pub(crate) enum BesideRedex {
    /// The whole subterm was matched.
    Nothing,
    /// Arguments of a list before and after the result.
    List(SymbolId, Vec<Handle>, Vec<Handle>),
    /// Elements of a multiset with multiplicities.
    Multiset(SymbolId, Vec<(Handle, u32)>),
    /// Iterations around the result.
    Iterations(SymbolId, UBig),
}

impl BesideRedex {
    /// The terms.
    pub(crate) fn terms(&self) -> impl Iterator<Item = &Handle> {
        let (list, multiset): (_, &[(Handle, u32)]) = match self {
            BesideRedex::List(_, before, after) => ((&before[..], &after[..]), &[]),
            BesideRedex::Multiset(_, elements) => ((&[][..], &[][..]), elements),
            BesideRedex::Nothing | BesideRedex::Iterations(..) => ((&[][..], &[][..]), &[]),
        };
        list.0.iter().chain(list.1).chain(multiset.iter().map(|element| &element.0))
    }
}

impl Memory {
    /// A normal node like `parent` with another argument at a place (one of several equal arguments
    /// of an AC node); it is not reduced and has no sort.
    pub(crate) fn with_argument(&mut self, parent: Handle, place: usize, arg: Handle) -> Handle {
        let symbol = self.symbol(parent);
        let arg = self.resolve(arg);
        if self.core(symbol).shape == Shape::AssocComm {
            let amounts: Vec<u32> = (0..self.n_args(parent))
                .map(|i| self.multiplicity(parent, i) - u32::from(i == place))
                .collect();
            let rest = self.selection(symbol, parent, &amounts, 0);
            return self.normal_multiset(symbol, &[(rest, 1), (arg, 1)]);
        }
        let mut args: SmallVec<[Handle; 8]> =
            (0..self.n_args(parent)).map(|i| self.arg(parent, i)).collect();
        args[place] = arg;
        self.normal_like(parent, &args)
    }

    /// The outcome of a match with a rest when the matched part becomes `new`: raw, so that it is
    /// reduced part by part, or else normal.
    pub(crate) fn around(&mut self, rest: &BesideRedex, new: Handle, raw: bool) -> Handle {
        match rest {
            BesideRedex::Nothing => new,
            BesideRedex::List(symbol, before, after) => {
                let args: Vec<Handle> =
                    before.iter().copied().chain([new]).chain(after.iter().copied()).collect();
                if raw {
                    self.list_node(*symbol, flag::RAW, args.into_iter())
                } else {
                    self.normal_assoc(*symbol, &args)
                }
            }
            BesideRedex::Multiset(symbol, elements) if raw => {
                let rest = match elements[..] {
                    [(only, 1)] => only,
                    _ => self.multiset_node(*symbol, 0, elements.iter().copied()),
                };
                self.list_node(*symbol, flag::RAW, [rest, new].into_iter())
            }
            BesideRedex::Multiset(symbol, elements) => {
                let mut elements = elements.clone();
                elements.push((new, 1));
                self.normal_multiset(*symbol, &elements)
            }
            BesideRedex::Iterations(symbol, count) if raw => {
                self.iter_node(*symbol, flag::RAW, count.clone(), new)
            }
            BesideRedex::Iterations(symbol, count) => self.normal_iter(*symbol, count.clone(), new),
        }
    }
}
