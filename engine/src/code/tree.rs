//! Decision trees: the free skeletons of all left sides of a symbol, merged.
//!
//! A position of the skeleton has one register whatever path leads there, so the code of an
//! equation is the same in all leaves. A leaf lists the equations that may apply in textual order,
//! each with the checks that switching on symbols has not decided (Maranget, ML 2008; here without
//! column heuristics, since the first equation that matches must win).

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::compiler::CodeCompiler;
use super::ops::Reg;
use crate::heap::Handle;
use crate::id::{KindId, StaticId, SymbolId};
use crate::matching::Slots;
use crate::signature::{Role, Shape};
use crate::term::StaticNode;

type FxIndexMap<K, V> = IndexMap<K, V, FxBuildHasher>;

/// A decision tree over the arguments of a symbol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tree {
    pub(crate) symbol: SymbolId,
    /// The step that it begins with.
    pub(crate) root: u32,
    /// The registers of all positions of the left sides; the arguments stand in the first.
    pub(crate) n_regs: u32,
    /// As many registers as its plain equations need.
    pub(crate) room: u32,
}

/// A node of a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TreeStep {
    /// Goes on by the top symbol of what the register holds.
    Switch { reg: Reg, first: u32, n: u32, default: u32 },
    /// The same for many symbols, by a table.
    Table { reg: Reg, table: u32, default: u32 },
    /// A plain equation applies, for which nothing is left to check.
    Apply { equation: u32 },
    /// Candidates in order.
    Leaf { first: u32, n: u32 },
}

/// Where the cases of a switch over many symbols are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JumpTable {
    /// The symbol of the first entry.
    low: u32,
    first: u32,
    len: u32,
}

/// An entry without a case.
const NO_CASE: u32 = u32::MAX;
/// Switches over so many symbols look at them one by one.
const FEW: usize = 4;

impl JumpTable {
    /// The number of the case of a symbol, if it has one; `jumps` has the entries of all tables.
    #[inline(always)]
    pub(crate) fn case(self, jumps: &[u32], symbol: SymbolId) -> Option<u32> {
        let at = symbol.0.wrapping_sub(self.low);
        if at >= self.len {
            return None;
        }
        Some(jumps[(self.first + at) as usize]).filter(|&case| case != NO_CASE)
    }
}

/// One symbol of a switch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub(crate) symbol: SymbolId,
    /// Where the arguments go, if the symbol is free and has any.
    pub(crate) unpack: Reg,
    pub(crate) n_args: u32,
    pub(crate) next: u32,
}

/// An equation that may apply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) first_check: u32,
    pub(crate) n_checks: u32,
    pub(crate) equation: u32,
}

/// What is left to check when a leaf is reached; all of it has one outcome.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Check {
    /// The sort of a variable.
    Sort { reg: Reg, kind: KindId, sort: u16 },
    /// A variable that occurs again.
    Same { a: Reg, b: Reg },
    /// A ground subterm.
    Ground { reg: Reg, value: Handle },
    /// The symbol at a position that was not switched on; unpacks the arguments.
    Symbol { reg: Reg, symbol: SymbolId, unpack: Reg, n_args: u32 },
    /// `f^count(X)` for a variable, where no memberships are on `f`: what is below goes to `dst`.
    Below { reg: Reg, symbol: SymbolId, count: u32, dst: Reg },
}

/// The skeleton of one left side.
pub(super) struct Skeleton {
    /// Registers of variables and of the non-variable subterms of the skeleton.
    pub(super) slots: Slots,
    /// Checks that do not depend on the path through the tree, in order.
    checks: Vec<Check>,
    /// Subterms that need a matcher of their own, with the register of their subject.
    pub(super) aliens: Vec<(Reg, StaticId)>,
    /// Positions with a symbol: (register, symbol, is it free).
    symbols: Vec<(Reg, SymbolId)>,
    /// Variables bound by the skeleton, in order.
    pub(super) bound: Vec<StaticId>,
}

/// Registers of positions, shared by all left sides of a symbol.
#[derive(Default)]
pub(super) struct Places {
    children: FxHashMap<Reg, (Reg, u32)>,
    pub(super) n_regs: Reg,
}

impl Places {
    /// The registers of the arguments of what is in `reg`. A position whose symbols differ in the
    /// number of arguments has registers for the most it was asked for first; a wider symbol gets
    /// new ones of its own.
    fn children(&mut self, reg: Reg, n: u32) -> Reg {
        match self.children.get(&reg) {
            Some(&(first, width)) if width >= n => first,
            _ => {
                let first = self.n_regs;
                self.n_regs += n;
                self.children.insert(reg, (first, n));
                first
            }
        }
    }

    /// Makes the registers of all positions of some left sides.
    pub(super) fn reserve(&mut self, compiler: &CodeCompiler<'_>, lefts: &[StaticId]) {
        // A wider symbol met later moves the positions below it, so this is done until all stand.
        loop {
            let before = self.n_regs;
            lefts.iter().for_each(|&left| self.reserve_one(compiler, left));
            if self.n_regs == before {
                return;
            }
        }
    }

    fn reserve_one(&mut self, compiler: &CodeCompiler<'_>, left: StaticId) {
        let StaticNode::App(symbol, args) = compiler.terms.node(left) else { return };
        let mut stack: Vec<(Reg, StaticId)> =
            args.iter().enumerate().map(|(i, &a)| (i as Reg, a)).collect();
        self.n_regs = self.n_regs.max(compiler.signature.symbol(*symbol).args.len() as Reg);
        while let Some((reg, term)) = stack.pop() {
            if let Some((_, args)) = compiler.free_node(term) {
                let first = self.children(reg, args.len() as u32);
                stack.extend(args.iter().enumerate().map(|(i, &a)| (first + i as Reg, a)));
            }
        }
    }
}

impl CodeCompiler<'_> {
    /// The symbol and arguments of a term headed by a free operator.
    fn free_node(&self, term: StaticId) -> Option<(SymbolId, &[StaticId])> {
        match self.terms.node(term) {
            StaticNode::App(symbol, args)
                if self.signature.symbol(*symbol).shape() == Shape::Free =>
            {
                Some((*symbol, args))
            }
            _ => None,
        }
    }

    /// Reads the skeleton of a left side headed by a free operator; `places` has all registers.
    pub(super) fn skeleton(&mut self, left: StaticId, places: &mut Places) -> Skeleton {
        let mut skeleton = Skeleton {
            slots: Slots::behind(places.n_regs),
            checks: Vec::new(),
            aliens: Vec::new(),
            symbols: Vec::new(),
            bound: Vec::new(),
        };
        let args = self.terms.args(left);
        let mut stack: Vec<(Reg, StaticId)> =
            args.iter().enumerate().map(|(i, &a)| (i as Reg, a)).rev().collect();
        let mut iterated = Vec::new();
        while let Some((reg, term)) = stack.pop() {
            if let StaticNode::Variable(symbol, _) = self.terms.node(term) {
                let Role::Variable(sort) = self.signature.symbol(*symbol).role else { continue };
                if let Some(first) = skeleton.slots.get(term) {
                    skeleton.checks.push(Check::Same { a: first, b: reg });
                } else {
                    skeleton.slots.set(term, reg);
                    skeleton.bound.push(term);
                    if !self.is_whole_kind(sort) {
                        skeleton.checks.push(Check::Sort {
                            reg,
                            kind: sort.kind,
                            sort: sort.index,
                        });
                    }
                }
            } else if let Some((symbol, args)) = self.free_node(term) {
                skeleton.symbols.push((reg, symbol));
                let args = args.to_vec();
                if args.is_empty() {
                    continue;
                }
                if !self.terms.is_ground(term) {
                    skeleton.slots.set(term, reg);
                }
                let first = places.children(reg, args.len() as u32);
                let args = args.into_iter().enumerate();
                stack.extend(args.map(|(i, a)| (first + i as Reg, a)).rev());
            } else {
                if self.is_stable(term) {
                    skeleton.symbols.push((reg, self.terms.node(term).symbol()));
                }
                if self.terms.is_ground(term) {
                    let built = self.memory.build_normal(self.signature, &self.terms, term);
                    let value = self.memory.enter_permanently(built);
                    skeleton.checks.push(Check::Ground { reg, value });
                    continue;
                }
                skeleton.slots.set(term, reg);
                iterated.push((reg, term));
            }
        }
        for (reg, term) in iterated {
            let StaticNode::Iter(symbol, count, below) = self.terms.node(term) else {
                skeleton.aliens.push((reg, term));
                continue;
            };
            let (symbol, below) = (*symbol, *below);
            let count = u32::try_from(count).ok();
            let asks = self.memory.core(symbol).memberships;
            let (StaticNode::Variable(variable, _), Some(count), false) =
                (self.terms.node(below), count, asks)
            else {
                skeleton.aliens.push((reg, term));
                continue;
            };
            let Role::Variable(sort) = self.signature.symbol(*variable).role else { continue };
            let dst = skeleton.slots.fresh();
            skeleton.checks.push(Check::Below { reg, symbol, count, dst });
            if let Some(first) = skeleton.slots.get(below) {
                skeleton.checks.push(Check::Same { a: first, b: dst });
            } else {
                skeleton.slots.set(below, dst);
                skeleton.bound.push(below);
                if !self.is_whole_kind(sort) {
                    skeleton.checks.push(Check::Sort {
                        reg: dst,
                        kind: sort.kind,
                        sort: sort.index,
                    });
                }
            }
        }
        skeleton
    }
}

/// A left side on its way through the tree.
#[derive(Clone, Copy)]
struct Row {
    equation: u32,
    index: usize,
}

/// More nodes than this are not made for one symbol; what is left is checked in the leaves.
const MAX_STEPS: usize = 4096;

/// Builds the tree of a symbol and returns its root. `skeletons`: with the number of the equation.
pub(super) fn build(
    compiler: &mut CodeCompiler<'_>,
    skeletons: &[(u32, Skeleton)],
    places: &mut Places,
) -> u32 {
    let rows = skeletons.iter().enumerate();
    let rows = rows.map(|(index, (equation, _))| Row { equation: *equation, index }).collect();
    let symbols = skeletons.iter().map(|(_, s)| s.symbols.iter().copied().collect()).collect();
    let (decided, known) = (FxHashSet::default(), FxHashSet::default());
    Builder { compiler, skeletons, symbols, places, decided, known, n_steps: 0 }.node(rows)
}

struct Builder<'b, 'c> {
    compiler: &'b mut CodeCompiler<'c>,
    skeletons: &'b [(u32, Skeleton)],
    /// The symbols of each left side by register.
    symbols: Vec<FxHashMap<Reg, SymbolId>>,
    places: &'b mut Places,
    /// Registers that have been switched on, on the way to the node that is built.
    decided: FxHashSet<Reg>,
    /// Registers that hold arguments there, besides those of the top.
    known: FxHashSet<Reg>,
    n_steps: usize,
}

impl Builder<'_, '_> {
    fn node(&mut self, rows: Vec<Row>) -> u32 {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.node_here(rows))
    }

    /// The positions of a left side with a symbol that has not been decided.
    fn open(&self, row: Row) -> impl Iterator<Item = (Reg, SymbolId)> {
        let symbols = self.skeletons[row.index].1.symbols.iter().copied();
        symbols.filter(|(reg, _)| !self.decided.contains(reg))
    }

    fn node_here(&mut self, rows: Vec<Row>) -> u32 {
        self.n_steps += 1;
        if self.n_steps >= MAX_STEPS {
            return self.leaf(rows);
        }
        let mut open = rows.iter().flat_map(|&row| self.open(row));
        let choice = open.find(|(reg, _)| self.is_reachable(*reg)).map(|(reg, _)| reg);
        drop(open);
        let Some(reg) = choice else { return self.leaf(rows) };
        // Rows that want no symbol there stay in every case, in their places.
        let mut others: Vec<Row> = Vec::new();
        let mut wanted: FxIndexMap<SymbolId, Vec<Row>> = FxIndexMap::default();
        for &row in &rows {
            match self.symbols[row.index].get(&reg) {
                None => others.push(row),
                Some(&symbol) => wanted.entry(symbol).or_default().push(row),
            }
        }
        self.decided.insert(reg);
        let mut cases = Vec::new();
        for (symbol, mut its_rows) in wanted {
            its_rows.extend(&others);
            its_rows.sort_by_key(|row| row.index);
            let s = self.compiler.signature.symbol(symbol);
            let n_args = if s.shape() == Shape::Free { s.args.len() as u32 } else { 0 };
            let mut unpack = 0;
            let mut fresh = Vec::new();
            if n_args > 0 {
                unpack = self.places.children(reg, n_args);
                fresh = (unpack..unpack + n_args).filter(|&r| self.known.insert(r)).collect();
            }
            let next = self.node(its_rows);
            for r in fresh {
                self.known.remove(&r);
            }
            cases.push(Case { symbol, unpack, n_args, next });
        }
        let default = self.node(others);
        self.decided.remove(&reg);
        let step = self.switch(reg, cases, default);
        let program = &mut self.compiler.program;
        program.steps.push(step);
        (program.steps.len() - 1) as u32
    }

    /// A switch over cases, by a table where there are many that lie close together.
    fn switch(&mut self, reg: Reg, cases: Vec<Case>, default: u32) -> TreeStep {
        let program = &mut self.compiler.program;
        let (first, n) = (program.cases.len() as u32, cases.len());
        let ids = || cases.iter().map(|case| case.symbol.0);
        let (low, high) = (ids().min().unwrap_or(0), ids().max().unwrap_or(0));
        let len = (high - low) as usize + 1;
        let table = JumpTable { low, first: program.jumps.len() as u32, len: len as u32 };
        let dense = n > FEW && len <= 16 * n + 64;
        if dense {
            program.jumps.resize(program.jumps.len() + len, NO_CASE);
            let jumps = &mut program.jumps[table.first as usize..];
            for (number, id) in (first..).zip(ids()) {
                jumps[(id - low) as usize] = number;
            }
            program.tables.push(table);
        }
        program.cases.extend(cases);
        match dense {
            true => TreeStep::Table { reg, table: program.tables.len() as u32 - 1, default },
            false => TreeStep::Switch { reg, first, n: n as u32, default },
        }
    }

    /// Registers of arguments of the top always hold something; others only below a switch.
    fn is_reachable(&self, reg: Reg) -> bool {
        self.known.contains(&reg)
            || !self.places.children.values().any(|(first, n)| (*first..*first + *n).contains(&reg))
    }

    fn leaf(&mut self, rows: Vec<Row>) -> u32 {
        let first = self.compiler.program.candidates.len() as u32;
        let n = rows.len() as u32;
        for row in rows {
            let skeleton = &self.skeletons[row.index].1;
            let first_check = self.compiler.program.checks.len() as u32;
            let open: Vec<(Reg, SymbolId)> = self.open(row).collect();
            for (reg, symbol) in open {
                let s = self.compiler.signature.symbol(symbol);
                let n_args = if s.shape() == Shape::Free { s.args.len() as u32 } else { 0 };
                let unpack = if n_args > 0 { self.places.children(reg, n_args) } else { 0 };
                let check = Check::Symbol { reg, symbol, unpack, n_args };
                self.compiler.program.checks.push(check);
            }
            let program = &mut self.compiler.program;
            program.checks.extend_from_slice(&skeleton.checks);
            let n_checks = program.checks.len() as u32 - first_check;
            program.candidates.push(Candidate { first_check, n_checks, equation: row.equation });
        }
        let program = &mut self.compiler.program;
        // What comes after an equation that always applies is never tried.
        let sure = program.candidates.get(first as usize).filter(|candidate| {
            candidate.n_checks == 0 && program.equations[candidate.equation as usize].plain
        });
        let step = match sure {
            Some(&Candidate { equation, .. }) => TreeStep::Apply { equation },
            None => TreeStep::Leaf { first, n },
        };
        program.steps.push(step);
        (program.steps.len() - 1) as u32
    }
}
