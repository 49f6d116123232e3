//! What the term grammar needs to know of a flattened module.
//!
//! Sorts, kinds and operators are called by their place in the tables of the [`Description`], so
//! that a statement is read once, in the module that declares it, and its reading can then be
//! turned into terms of any theory whose symbols the caller relates to these places.

use crate::syntax::{Gather, Name};

/// Declares an index into one of the tables of a description.
macro_rules! define_index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as a table position.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

define_index!(
    /// A kind of the module; kinds are numbered from 0 in the order of the module.
    KindIndex
);
define_index!(
    /// A place in [`Description::sorts`].
    SortIndex
);
define_index!(
    /// A place in [`Description::operators`].
    OperatorIndex
);
define_index!(
    /// A place in [`Description::polymorphs`].
    PolymorphIndex
);
define_index!(
    /// A place in [`Description::strategies`].
    StrategyIndex
);

/// A sort, or a kind as such.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    /// A sort.
    Sort(SortIndex),
    /// A kind.
    Kind(KindIndex),
}

/// A sort of the module.
#[derive(Clone, Debug)]
pub struct SortDescription {
    /// The whole name without blanks, `List{Nat}`.
    pub name: Name,
    /// Its kind.
    pub kind: KindIndex,
}

/// One item of a mixfix name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Item {
    /// A token.
    Token(Name),
    /// The place of an argument.
    Place,
}

/// How an operator is written.
#[derive(Clone, Debug)]
pub struct Syntax {
    /// The whole name as one token, with backquotes where blanks and special characters are.
    pub name: Name,
    /// The name cut into tokens and places ([`super::name_items`]). It has a mixfix form if there
    /// are as many places as arguments, and a prefix form in any case if there are arguments.
    pub items: Vec<Item>,
    /// The precedence ([`super::default_precedence`]).
    pub prec: u8,
    /// A bound for each argument ([`super::default_gather`]).
    pub gather: Vec<Gather>,
    /// The prefix form takes lists of two and more arguments.
    pub assoc: bool,
    /// The token `f^n` stands for `n` applications.
    pub iter: bool,
    /// The words of a `format` attribute of the right length.
    pub format: Option<Vec<Name>>,
}

/// An operator: one name over one list of argument kinds, all its declarations together.
#[derive(Clone, Debug)]
pub struct OperatorDescription {
    /// How it is written.
    pub syntax: Syntax,
    /// Kinds of the arguments.
    pub args: Vec<KindIndex>,
    /// Kind of the result.
    pub range: KindIndex,
}

/// A polymorphic operator, which has an instance for each kind.
#[derive(Clone, Debug)]
pub struct PolymorphDescription {
    /// How it is written.
    pub syntax: Syntax,
    /// Kinds of the arguments; `None` where the kind of the instance stands.
    pub args: Vec<Option<KindIndex>>,
    /// Kind of the result.
    pub range: Option<KindIndex>,
}

/// The operators that decimal numbers are made of.
#[derive(Clone, Copy, Debug)]
pub struct NumberSyntax {
    /// The constant `0`.
    pub zero: OperatorIndex,
    /// `s_`.
    pub succ: OperatorIndex,
    /// `-_`.
    pub minus: Option<OperatorIndex>,
    /// `_/_`.
    pub division: Option<OperatorIndex>,
}

/// The operators that stand for literals.
#[derive(Clone, Debug, Default)]
pub struct Literals {
    /// Number systems; a module seldom has two.
    pub numbers: Vec<NumberSyntax>,
    /// Strings.
    pub strings: Vec<OperatorIndex>,
    /// Quoted identifiers.
    pub qids: Vec<OperatorIndex>,
    /// Floating-point numbers.
    pub floats: Vec<OperatorIndex>,
}

impl Literals {
    /// Whether the operator stands for literals, and so is never written by its name.
    pub fn is_literal(&self, operator: OperatorIndex) -> bool {
        self.strings.contains(&operator)
            || self.qids.contains(&operator)
            || self.floats.contains(&operator)
    }
}

/// The operators of object syntax: `< O : C | >` is short for `< O : C | none >`.
#[derive(Clone, Copy, Debug)]
pub struct ObjectSyntax {
    /// `<_:_|_>`.
    pub object: OperatorIndex,
    /// `none`, the empty set of attributes.
    pub no_attributes: OperatorIndex,
}

/// A strategy that can be called.
#[derive(Clone, Debug)]
pub struct StrategyDescription {
    /// Its name.
    pub name: Name,
    /// Kinds of its parameters.
    pub args: Vec<KindIndex>,
}

/// A flattened module as the term grammar sees it.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// The number of kinds.
    pub n_kinds: u32,
    /// The sorts.
    pub sorts: Vec<SortDescription>,
    /// The operators, literals' operators included, in order of creation.
    pub operators: Vec<OperatorDescription>,
    /// The polymorphic operators.
    pub polymorphs: Vec<PolymorphDescription>,
    /// `var` declarations of the module itself.
    pub aliases: Vec<(Name, Type)>,
    /// Literals.
    pub literals: Literals,
    /// The kind of truth values: that of sort tests `t :: S` and of conditions without a sign.
    pub truth: Option<KindIndex>,
    /// Whether there are sort tests `t :: S`.
    pub sort_tests: bool,
    /// Object syntax.
    pub objects: Option<ObjectSyntax>,
    /// Labels of rules, for strategies.
    pub labels: Vec<Name>,
    /// Strategies.
    pub strategies: Vec<StrategyDescription>,
}
