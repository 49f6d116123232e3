//! What the parser hands back: terms as trees over the tables of a [`super::Description`].
//!
//! A tree is an array in post-order, each node with the size of its subtree, so that trees of any
//! depth are built, walked and dropped without recursion. Grouping parentheses and `(t).S` leave no
//! trace. One array can hold several terms (a statement, a strategy), each named by a [`TermRef`].

use dashu_int::UBig;

use super::description::{KindIndex, OperatorIndex, PolymorphIndex, Type};
use crate::syntax::Name;

/// What stands on top of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head {
    /// An operator over its arguments.
    Operator(OperatorIndex),
    /// The prefix list of an associative operator.
    List(OperatorIndex),
    /// `f^n(t)`.
    Iterated(OperatorIndex, Box<UBig>),
    /// The instance of a polymorphic operator for a kind.
    Instance(PolymorphIndex, KindIndex),
    /// `t :: S`.
    SortTest(Type),
    /// A variable: base name and sort.
    Variable(Name, Type),
    /// A string, quoted identifier or floating-point number: its operator and the token.
    Literal(OperatorIndex, Literal),
    /// A number: its place in `Literals::numbers`.
    Number(u32, Box<Number>),
}

/// The kinds of literals that are symbols with a payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// A string, escapes resolved.
    String(Box<[u8]>),
    /// A quoted identifier, without the quote.
    Qid(Box<str>),
    /// A floating-point number, as bits.
    Float(u64),
}

/// A decimal number that is not `0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// With a minus sign.
    pub negative: bool,
    /// Its absolute value; 0 only for the numerator of a fraction.
    pub value: UBig,
    /// The denominator of a fraction, as written.
    pub denominator: Option<UBig>,
}

/// A node of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What stands on top.
    pub head: Head,
    /// The number of nodes of the subtree, this one included.
    pub size: u32,
    /// The first token of the term in the bubble.
    pub token: u32,
}

/// A term in a tree: the place of its top node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TermRef(pub u32);

/// Terms in post-order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// Appends a node over the last `n_args` complete terms.
    pub fn push(&mut self, head: Head, n_args: usize, token: u32) -> TermRef {
        let mut size = 1;
        for _ in 0..n_args {
            let last = self.nodes.len() - size as usize;
            size += self.nodes[last].size;
        }
        let at = u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes");
        self.nodes.push(Node { head, size, token });
        TermRef(at)
    }

    /// The top node of a term.
    pub fn node(&self, term: TermRef) -> &Node {
        &self.nodes[term.0 as usize]
    }

    /// The nodes of a term in post-order; the last one is its top.
    pub fn nodes(&self, term: TermRef) -> &[Node] {
        let end = term.0 as usize + 1;
        &self.nodes[end - self.nodes[term.0 as usize].size as usize..end]
    }

    /// The arguments of a term from the last to the first.
    pub fn args_reversed(&self, term: TermRef) -> impl Iterator<Item = TermRef> + '_ {
        let first = term.0 + 1 - self.node(term).size;
        let mut end = term.0;
        std::iter::from_fn(move || {
            if end == first {
                return None;
            }
            let arg = TermRef(end - 1);
            end -= self.node(arg).size;
            Some(arg)
        })
    }

    /// The arguments of a term.
    pub fn args(&self, term: TermRef) -> Vec<TermRef> {
        let mut args: Vec<TermRef> = self.args_reversed(term).collect();
        args.reverse();
        args
    }
}

/// A fragment of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionFragment {
    /// A bare term of the kind of truth values.
    Truth(TermRef),
    /// `left = right`.
    Equal(TermRef, TermRef),
    /// `term : S`.
    Sort(TermRef, Type),
    /// `pattern := term`.
    Match(TermRef, TermRef),
    /// `term => pattern`.
    Rewrite(TermRef, TermRef),
}
