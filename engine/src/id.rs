//! Index types: every table of the engine is indexed by a type of its own, so that a sort can never
//! be taken for a symbol.

/// Declares a `u32` index type with its meaning.
macro_rules! define_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as a table position.
            #[inline(always)]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

define_id!(
    /// A connected component of sorts of a signature.
    KindId
);
define_id!(
    /// A symbol of a signature: one operator over one list of argument kinds, a variable symbol, or
    /// a literal symbol.
    SymbolId
);
define_id!(
    /// A static term in a table of static terms.
    StaticId
);
define_id!(
    /// The number of a name (`docs/semantics.md` 1.4): orders variables of one sort, and labels.
    NameId
);

/// A sort: its kind and its index inside the kind, in the order of the language's sort indices
/// (0 is the kind itself, the error sort; then the maximal sorts, then those below).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SortId {
    /// The connected component.
    pub kind: KindId,
    /// The index in the component; 0 is the kind itself.
    pub index: u16,
}

impl SortId {
    /// The error sort of a kind, that is the kind itself.
    pub fn of_kind(kind: KindId) -> SortId {
        SortId { kind, index: 0 }
    }

    /// Whether this is a kind rather than a sort.
    pub fn is_kind(self) -> bool {
        self.index == 0
    }
}
