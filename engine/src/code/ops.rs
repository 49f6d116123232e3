//! The instructions of right sides and conditions.
//!
//! Flat and register-based: registers are places of the frame on the root stack, operand lists
//! stand in a side array (their length first). Written with a native backend in mind: no
//! instruction allocates anything but the node it names.

use crate::heap::Handle;
use crate::id::SymbolId;

/// A register: a place in a frame.
pub(crate) type Reg = u32;
/// A list in the operand array.
pub(crate) type Operands = u32;
/// A position in the code array.
pub(crate) type Pc = u32;

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    /// A constant or a ground term that nothing rewrites.
    Load { dst: Reg, value: Handle },
    /// Copies a handle.
    Move { dst: Reg, src: Reg },
    /// A reduced node of a free symbol that nothing rewrites; operands: its sort word, or 0 where that
    /// depends on the arguments, then a list.
    Node { dst: Reg, symbol: SymbolId, args: Operands },
    /// A reduced iterated node of a symbol that nothing rewrites; operands: argument, count.
    Iter { dst: Reg, symbol: SymbolId, args: Operands },
    /// The normal form of an application to reduced arguments.
    Call { dst: Reg, symbol: SymbolId, args: Operands },
    /// The same for an iterated symbol; operands: argument, count.
    CallIter { dst: Reg, symbol: SymbolId, args: Operands },
    /// The normal form of an application is what the frame returns.
    Tail { symbol: SymbolId, args: Operands },
    /// A call of a free symbol whose equations, by number of their tree, are all that there is to try.
    CallTree { dst: Reg, tree: u32, args: Operands },
    /// The same where the frame returns the normal form.
    TailTree { tree: u32, args: Operands },
    /// The application of a symbol that does not evaluate all its arguments before it is tried.
    CallLazy { dst: Reg, symbol: SymbolId, args: Operands },
    /// A raw node, to be reduced later.
    Raw { dst: Reg, symbol: SymbolId, args: Operands },
    /// A raw iterated node; operands: argument, count.
    RawIter { dst: Reg, symbol: SymbolId, args: Operands },
    /// A normal unreduced node for a lazy position.
    Lazy { dst: Reg, symbol: SymbolId, args: Operands },
    /// A normal unreduced iterated node; operands: argument, count.
    LazyIter { dst: Reg, symbol: SymbolId, args: Operands },
    /// Reduces what the register holds, in place.
    Reduce { reg: Reg },
    /// Copies what is unreduced of a term matched in a lazy position.
    Copy { dst: Reg, src: Reg },
    /// The value of a shared node as the branch of an `if`: if it is not reduced its operator is
    /// called with its arguments, and no forward is left on the top.
    BranchTop { dst: Reg, src: Reg },
    /// Goes on at `to` if the register holds a term.
    SkipIfSet { reg: Reg, to: Pc },
    /// Goes on at `to`.
    Jump { to: Pc },
    /// Goes on at the next instruction if the test is true, at `no` if it is false, else at `stuck`.
    If { test: Reg, no: Pc, stuck: Pc },
    /// Fails unless the terms are equal.
    Equal { a: Reg, b: Reg },
    /// Fails unless the term has a sort at or below this one.
    HasSort { a: Reg, kind: u32, sort: u16 },
    /// Fails unless the pattern (by number) matches; `reset`: registers to forget before another
    /// matcher is tried.
    Match { subject: Reg, pattern: u32, reset: Operands },
    /// Of watched code: a fragment of the condition comes.
    Fragment { number: u32 },
    /// Of watched code: it is solved.
    Solved { number: u32 },
    /// Of watched code: an `if` with this test comes.
    Test { test: Reg, symbol: SymbolId },
    /// The condition holds: the statement is applied.
    Commit,
    /// What the frame returns; its registers are given up.
    Return { src: Reg },
    /// `Node` and `Return` in one.
    ReturnNode { symbol: SymbolId, args: Operands },
    /// `Load` and `Return` in one.
    ReturnConstant { value: Handle },
    /// What the code of a goal returns. Its registers are those of whoever runs it.
    Answer { src: Reg },
    /// What the redex becomes when something is left over beside the match.
    Extend { src: Reg },
}
