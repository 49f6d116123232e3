//! Symbols: what the engine knows of an operator.

use std::sync::OnceLock;

use super::builtin::{Builtin, Meaning};
use super::sort_table::SortTable;
use crate::id::{KindId, SortId, StaticId};

/// One line that gives an operator sorts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// Sorts (or kinds) of the arguments.
    pub args: Vec<SortId>,
    /// The sort (or kind) of the result.
    pub range: SortId,
    /// Declared as a constructor.
    pub ctor: bool,
}

/// Equational axioms of a symbol.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Axioms {
    /// Associative.
    pub assoc: bool,
    /// Commutative.
    pub comm: bool,
    /// Idempotent (never with `assoc`).
    pub idem: bool,
    /// Iterated: unary, `f^n(t)` is one node.
    pub iter: bool,
    /// The identity element, normalised.
    pub identity: Option<StaticId>,
    /// The identity is one on the left.
    pub left_id: bool,
    /// The identity is one on the right.
    pub right_id: bool,
}

/// How a node of the symbol looks and is matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Fixed arguments, no axioms.
    Free,
    /// Two arguments with commutativity, idempotency or identities, not associative.
    Comm,
    /// A list of arguments (A, AU).
    Assoc,
    /// A sorted list of distinct arguments with multiplicities (AC, ACU).
    AssocComm,
    /// A count and one argument.
    Iter,
}

/// The evaluation strategy, normalised (`docs/semantics.md` 3.1): argument places from 0 and `Top`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evaluation {
    /// All arguments left to right, then the equations.
    Eager,
    /// Steps in order: `Some(place)` reduces an argument, `None` tries the equations. The last step
    /// is `None`.
    Steps(Vec<Option<u32>>),
}

/// What a symbol stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// An operator that the user's statements define, if anything does.
    Operator,
    /// An operator that the engine computes.
    Builtin(Builtin),
    /// All variables of one sort.
    Variable(SortId),
    /// String literals.
    StringLiteral,
    /// Quoted identifiers.
    QidLiteral,
    /// Floating-point literals.
    FloatLiteral,
}

/// What a symbol is among objects and messages (`docs/semantics.md` 4.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectRole {
    /// An operator with attribute `config`: makes soups of objects and messages.
    Configuration,
    /// Makes objects; their names are its first arguments.
    Object,
    /// Makes messages for the object that its first argument names.
    Message,
}

/// What is needed to add a symbol.
#[derive(Debug, Clone)]
pub struct SymbolSpec {
    /// A name for debugging; the text layer has its own.
    pub name: Box<str>,
    /// Kinds of the arguments.
    pub args: Vec<KindId>,
    /// Kind of the result.
    pub range: KindId,
    /// At least one for operators; in order of declaration.
    pub declarations: Vec<Declaration>,
    /// Axioms, the identity left out (`Signature::set_identity`).
    pub axioms: Axioms,
    /// The `strat` attribute as written (1-based places, 0 for the top), or `None`.
    pub strategy: Option<Vec<u32>>,
    /// Frozen argument places, from 0.
    pub frozen: Vec<u32>,
    /// Results are remembered.
    pub memo: bool,
    /// What the symbol stands for.
    pub role: Role,
}

/// A symbol of the signature.
#[derive(Debug, Clone)]
pub struct Symbol {
    /// A name for debugging.
    pub name: Box<str>,
    /// Kinds of the arguments.
    pub args: Vec<KindId>,
    /// Kind of the result.
    pub range: KindId,
    /// In order of declaration.
    pub declarations: Vec<Declaration>,
    /// Axioms.
    pub axioms: Axioms,
    /// The evaluation strategy.
    pub evaluation: Evaluation,
    /// Frozen argument places, from 0.
    pub frozen: Vec<u32>,
    /// Results are remembered.
    pub memo: bool,
    /// What the symbol stands for.
    pub role: Role,
    /// Least sorts of applications, made when they are first asked for (`Signature::sorts`).
    pub(super) sorts: OnceLock<SortTable>,
    /// The arity that counts in the canonical order.
    pub order_arity: u32,
    /// What it is among objects and messages.
    pub object_role: Option<ObjectRole>,
}

impl Symbol {
    pub(super) fn new(spec: SymbolSpec) -> Symbol {
        let order_arity = match spec.role {
            Role::Operator | Role::Builtin(_) => spec.args.len() as u32,
            _ => 0,
        };
        let mut axioms = spec.axioms;
        if axioms.assoc {
            axioms.idem = false;
        }
        let both = axioms.assoc || axioms.comm;
        let evaluation = normal_strategy(spec.strategy.as_deref(), spec.args.len(), both);
        let mut frozen = spec.frozen;
        if both && !frozen.is_empty() {
            frozen = vec![0, 1];
        }
        Symbol {
            name: spec.name,
            args: spec.args,
            range: spec.range,
            declarations: spec.declarations,
            axioms,
            evaluation,
            frozen,
            memo: spec.memo,
            role: spec.role,
            sorts: OnceLock::new(),
            order_arity,
            object_role: None,
        }
    }

    pub(super) fn set_object_role(&mut self, role: ObjectRole) {
        self.object_role = Some(role);
    }

    pub(super) fn set_identity(&mut self, identity: StaticId, left: bool, right: bool) {
        // A commutative operator with a one-sided identity has it on both sides.
        let both = self.axioms.comm;
        self.axioms.identity = Some(identity);
        self.axioms.left_id = left || both;
        self.axioms.right_id = right || both;
    }

    /// How nodes of the symbol look.
    #[inline(always)]
    pub fn shape(&self) -> Shape {
        let a = &self.axioms;
        match (a.assoc, a.comm) {
            (true, true) => Shape::AssocComm,
            (true, false) => Shape::Assoc,
            (false, _) if a.iter => Shape::Iter,
            (false, true) => Shape::Comm,
            (false, false) if a.idem || a.identity.is_some() => Shape::Comm,
            _ => Shape::Free,
        }
    }

    /// Whether the argument place (from 0; any place of a list) is frozen.
    pub fn is_frozen(&self, place: usize) -> bool {
        if self.axioms.assoc {
            return !self.frozen.is_empty();
        }
        self.frozen.contains(&(place as u32))
    }

    /// What computes it, if anything.
    pub fn builtin(&self) -> Option<&Builtin> {
        match &self.role {
            Role::Builtin(builtin) => Some(builtin),
            _ => None,
        }
    }

    /// What is known of it if it is computed.
    pub fn meaning(&self) -> Option<Meaning> {
        self.builtin().map(|builtin| builtin.meaning)
    }

    /// Whether an argument (from 0) is evaluated before the equations are first tried.
    pub fn is_eager(&self, place: usize) -> bool {
        match &self.evaluation {
            Evaluation::Eager => true,
            Evaluation::Steps(steps) => {
                let mut before = steps.iter().map_while(|step| *step);
                before.any(|step| self.axioms.assoc || step == place as u32)
            }
        }
    }

    /// Whether equal terms at this place of its applications are one node: they are evaluated
    /// before the equations are first tried. The branches of an `if` count as well.
    pub fn shares(&self, place: usize) -> bool {
        self.is_eager(place) || self.meaning() == Some(Meaning::If)
    }

    /// Whether all arguments are evaluated before the equations are tried.
    pub fn evaluates_eagerly(&self) -> bool {
        self.evaluation == Evaluation::Eager || self.meaning() == Some(Meaning::If)
    }

    /// Whether it is a variable symbol.
    pub fn is_variable(&self) -> bool {
        matches!(self.role, Role::Variable(_))
    }
}

/// `strat` in its normal form: no repetitions, a final top step.
fn normal_strategy(written: Option<&[u32]>, n_args: usize, both: bool) -> Evaluation {
    let Some(written) = written else { return Evaluation::Eager };
    let mut steps: Vec<Option<u32>> = Vec::new();
    for &step in written {
        if step == 0 {
            // A top step right at the start is kept: it makes all arguments lazy.
            if steps.last() != Some(&None) {
                steps.push(None);
            }
        } else if both {
            for place in 0..n_args as u32 {
                if !steps.contains(&Some(place)) {
                    steps.push(Some(place));
                }
            }
        } else if !steps.contains(&Some(step - 1)) {
            steps.push(Some(step - 1));
        }
    }
    if steps.last() != Some(&None) {
        steps.push(None);
    }
    let eager = steps.len() == n_args + 1
        && steps[..n_args].iter().enumerate().all(|(i, s)| *s == Some(i as u32));
    if eager { Evaluation::Eager } else { Evaluation::Steps(steps) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_are_normalised() {
        let n = |w: &[u32], n_args, both| normal_strategy(Some(w), n_args, both);
        assert_eq!(n(&[1, 0], 1, false), Evaluation::Eager);
        assert_eq!(n(&[0], 1, false), Evaluation::Steps(vec![None]));
        assert_eq!(n(&[1, 0, 2, 0], 2, true), Evaluation::Eager);
        assert_eq!(
            n(&[0, 3, 1, 0, 0, 1], 3, false),
            Evaluation::Steps(vec![None, Some(2), Some(0), None])
        );
        assert_eq!(n(&[0, 2, 0], 2, true), Evaluation::Steps(vec![None, Some(0), Some(1), None]));
    }
}
