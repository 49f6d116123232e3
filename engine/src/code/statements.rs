//! Compiling equations and memberships.

use rustc_hash::{FxHashMap, FxHashSet};

use super::compiler::CodeCompiler;
use super::emit::Emitter;
use super::goal::{evaluated_terms, has_extension};
use super::heads::Vanishing;
use super::ops::{Op, Reg};
use super::program::{EquationCode, MembershipCode};
use super::tree::{Candidate, Places, Skeleton, Tree, TreeStep, build};
use crate::id::{StaticId, SymbolId};
use crate::matching::{Pattern, PatternSpec, Slots, UnreducedParts};
use crate::signature::{Evaluation, Meaning, Shape};
use crate::statement::{Conclusion, Fragment, Statement};
use crate::term::StaticNode;

/// How an application of a symbol is tried.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry {
    /// A call has to look at more than equations.
    General,
    /// No equation applies.
    None,
    /// A decision tree over the arguments, by number.
    Tree(u32),
    /// A list of candidates over the node.
    Node { leaf: u32 },
}

impl CodeCompiler<'_> {
    /// Compiles the equations of a symbol.
    pub(super) fn compile_symbol(&mut self, symbol: SymbolId) -> Entry {
        let numbers = self.tables.equations_at(self.signature, symbol);
        if numbers.is_empty() {
            return Entry::None;
        }
        let tables = self.tables;
        let equations: Vec<&Statement> =
            numbers.iter().map(|&n| &tables.statements[n as usize]).collect();
        let s = self.signature.symbol(symbol);
        let by_arguments = s.shape() == Shape::Free
            && s.evaluation == Evaluation::Eager
            && equations.iter().all(|e| self.terms.node(e.left).symbol() == symbol)
            && equations.iter().all(|e| self.is_stable(e.left));
        if by_arguments {
            self.compile_tree(symbol, &equations)
        } else {
            self.compile_list(symbol, &equations)
        }
    }

    fn compile_tree(&mut self, symbol: SymbolId, equations: &[&Statement]) -> Entry {
        let mut places = Places::default();
        let lefts: Vec<StaticId> = equations.iter().map(|e| e.left).collect();
        places.reserve(self, &lefts);
        let mut skeletons: Vec<(u32, Skeleton)> = Vec::new();
        for equation in equations {
            let skeleton = self.skeleton(equation.left, &mut places);
            let mut slots = skeleton.slots.clone();
            let roots = statement_roots(equation);
            let captures = self.captures(equation.left, &roots);
            for &subterm in &captures {
                slots.slot(subterm);
            }
            let elsewhere = self.condition_variables(&equation.condition);
            let pattern = if skeleton.aliens.is_empty() {
                None
            } else {
                let mut pattern = Pattern::compile_aliens(
                    self.patterns(),
                    &mut slots,
                    &skeleton.aliens,
                    &skeleton.bound,
                    &elsewhere,
                    Vec::new(),
                );
                self.drop_unused(&mut pattern, equation, &slots);
                Some(self.program.pattern(pattern))
            };
            let code = self.compile_equation(equation, slots, pattern, None);
            skeletons.push((code, skeleton));
        }
        let n_regs = places.n_regs;
        let root = build(self, &skeletons, &mut places);
        debug_assert_eq!(n_regs, places.n_regs, "all positions have registers beforehand");
        let equations = skeletons.iter().map(|(code, _)| &self.program.equations[*code as usize]);
        let room = equations.filter(|e| e.plain).map(|e| e.n_regs).max();
        let tree = Tree { symbol, root, n_regs, room: n_regs.max(room.unwrap_or(0)) };
        self.program.trees.push(tree);
        Entry::Tree((self.program.trees.len() - 1) as u32)
    }

    /// Equations over the node itself: register 0 holds it, register 1 what is left over.
    fn compile_list(&mut self, symbol: SymbolId, equations: &[&Statement]) -> Entry {
        let shape = self.signature.symbol(symbol).shape();
        let has_parts = matches!(shape, Shape::Assoc | Shape::AssocComm | Shape::Iter);
        let mut candidates = Vec::new();
        for equation in equations {
            let mut slots = Slots::behind(2);
            let roots = statement_roots(equation);
            let captures = self.captures(equation.left, &roots);
            for &subterm in &captures {
                slots.slot(subterm);
            }
            let elsewhere = self.condition_variables(&equation.condition);
            let extension = has_parts
                && has_extension(self.signature, &self.terms, equation.left)
                && !matches!(self.terms.node(equation.left), StaticNode::Variable(..));
            let spec = PatternSpec {
                term: equation.left,
                bound: &[],
                elsewhere: &elsewhere,
                extension,
                unreduced: UnreducedParts::OfRedex,
                guards: Vec::new(),
            };
            let mut pattern = Pattern::compile(self.patterns(), &mut slots, spec);
            self.drop_unused(&mut pattern, equation, &slots);
            let pattern = self.program.pattern(pattern);
            let code =
                self.compile_equation(equation, slots, Some(pattern), extension.then_some(symbol));
            candidates.push(Candidate { first_check: 0, n_checks: 0, equation: code });
        }
        let program = &mut self.program;
        let (first, n) = (program.candidates.len() as u32, candidates.len() as u32);
        program.candidates.extend(candidates);
        program.steps.push(TreeStep::Leaf { first, n });
        Entry::Node { leaf: (program.steps.len() - 1) as u32 }
    }

    /// The registers of the variables that the condition or the right side has.
    fn used_registers(&self, equation: &Statement, slots: &Slots) -> Vec<u32> {
        let mut used = self.condition_variables(&equation.condition);
        if let Conclusion::Equation { right, .. } = equation.conclusion {
            self.terms.collect_variables(right, &mut used);
        }
        used.into_iter().filter_map(|v| slots.get(v)).collect()
    }

    /// Has a pattern bind only what is used, unless somebody watches who may want the rest.
    fn drop_unused(&self, pattern: &mut Pattern, statement: &Statement, slots: &Slots) {
        if !self.watched {
            pattern.keep_only(&self.used_registers(statement, slots));
        }
    }

    fn compile_equation(
        &mut self,
        equation: &Statement,
        mut slots: Slots,
        pattern: Option<u32>,
        extension: Option<SymbolId>,
    ) -> u32 {
        let Conclusion::Equation { right, owise } = equation.conclusion else {
            unreachable!("only equations are listed as such")
        };
        let n_slots = slots.len() as Reg;
        let mut known = self.terms.variables(equation.left);
        let patterns = self.fragment_patterns(&equation.condition, &mut slots, &mut known);
        let shown = self.watched.then(|| slots.clone());
        let mut given = self.given(equation.left, slots, false);
        if let Some(symbol) = extension {
            given.unreduced = self.new_parts(equation.left, symbol);
        }
        let roots = statement_roots(equation);
        self.find_constants(&roots);
        let patterns: Vec<(u32, Reg)> =
            patterns.into_iter().map(|(p, n)| (self.program.pattern(p), n)).collect();
        // Beside what is left over the right side stands in an argument, which may be lazy.
        let eager = extension.is_none_or(|symbol| self.is_eager(symbol, 0));
        let shape = extension.map(|symbol| self.signature.symbol(symbol).shape());
        let mut emitter = Emitter::new(self, given, &roots, (!eager).then_some(right));
        let start = emitter.here();
        emit_condition(&mut emitter, &equation.condition, &patterns);
        let conditional = !equation.condition.is_empty();
        if conditional {
            emitter.push(Op::Commit);
        }
        if let Some(shape) = shape {
            // Register 1 is empty if the whole node was matched.
            let skip = emitter.push(Op::SkipIfSet { reg: 1, to: 0 });
            emitter.tail(right);
            emitter.land(skip);
            if eager && shape == Shape::AssocComm {
                emitter.push(Op::Reduce { reg: 1 });
            }
            let src = if eager { emitter.value(right) } else { emitter.lazy(right) };
            emitter.push(Op::Extend { src });
        } else {
            emitter.tail(right);
        }
        let n_regs = emitter.finish();
        let program = &mut self.program;
        program.sources.push((start, equation.source));
        program.slots.extend(shown.map(|slots| (start, slots)));
        program.equations.push(EquationCode {
            start,
            n_regs,
            n_slots,
            pattern,
            conditional,
            plain: !conditional && pattern.is_none() && !self.watched,
            owise,
        });
        (program.equations.len() - 1) as u32
    }

    /// Compiles the memberships of a symbol, small sorts first: a range of the program's.
    pub(super) fn compile_memberships(&mut self, symbol: SymbolId) -> (u32, u32) {
        let tables = self.tables;
        let first = self.program.memberships.len() as u32;
        for number in tables.memberships_at(self.signature, symbol) {
            let sort = tables.membership_sort(number).index;
            let code = self.compile_membership(&tables.statements[number as usize], sort);
            self.program.memberships.push(code);
        }
        (first, self.program.memberships.len() as u32 - first)
    }

    fn compile_membership(&mut self, membership: &Statement, sort: u16) -> MembershipCode {
        let mut slots = Slots::behind(1);
        let roots = statement_roots(membership);
        let elsewhere = self.condition_variables(&membership.condition);
        let spec = PatternSpec {
            term: membership.left,
            bound: &[],
            elsewhere: &elsewhere,
            extension: false,
            unreduced: UnreducedParts::OfLists,
            guards: Vec::new(),
        };
        let mut pattern = Pattern::compile(self.patterns(), &mut slots, spec);
        self.drop_unused(&mut pattern, membership, &slots);
        let pattern = self.program.pattern(pattern);
        let n_slots = slots.len() as Reg;
        let mut known = self.terms.variables(membership.left);
        let patterns = self.fragment_patterns(&membership.condition, &mut slots, &mut known);
        let shown = self.watched.then(|| slots.clone());
        let mut given = self.given(membership.left, slots, false);
        given.unreduced = self.parts_of_lists(membership.left);
        self.find_constants(&roots);
        let patterns: Vec<(u32, Reg)> =
            patterns.into_iter().map(|(p, n)| (self.program.pattern(p), n)).collect();
        let mut emitter = Emitter::new(self, given, &roots, None);
        let start = emitter.here();
        emit_condition(&mut emitter, &membership.condition, &patterns);
        emitter.push(Op::Commit);
        let n_regs = emitter.finish();
        self.program.sources.push((start, membership.source));
        self.program.slots.extend(shown.map(|slots| (start, slots)));
        MembershipCode {
            start,
            n_regs,
            n_slots,
            pattern,
            conditional: !membership.condition.is_empty(),
            sort,
        }
    }

    /// The variables and subterms of a left side that are arguments of lists, multisets or iterated
    /// operators, and so may hold new ones.
    fn parts_of_lists(&self, left: StaticId) -> FxHashSet<StaticId> {
        let mut parts = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let mut stack = vec![left];
        while let Some(t) = stack.pop() {
            if self.terms.is_ground(t) || !seen.insert(t) {
                continue;
            }
            let args = self.terms.args(t);
            let symbol = self.terms.node(t).symbol();
            let makes_parts = match self.signature.symbol(symbol).shape() {
                Shape::Assoc | Shape::AssocComm => true,
                Shape::Iter => self.tables.has_memberships(symbol),
                Shape::Free | Shape::Comm => false,
            };
            if makes_parts {
                parts.extend(args.iter().filter(|&&arg| !self.terms.is_ground(arg)));
            }
            stack.extend(args);
        }
        parts
    }

    /// The variables and subterms of a left side with extension that may hold several arguments of
    /// the redex, which is headed by `symbol`, as a new node: its arguments, and those of an argument
    /// that may collapse to them or be the redex itself when the left side collapses.
    fn new_parts(&self, left: StaticId, symbol: SymbolId) -> FxHashSet<StaticId> {
        let mut parts = FxHashSet::default();
        let mut vanishing = Vanishing::default();
        let mut stack = self.terms.args(left);
        while let Some(t) = stack.pop() {
            let apart =
                self.is_stable_knowing(t, &mut vanishing) && self.terms.node(t).symbol() != symbol;
            if self.terms.is_ground(t) || apart || !parts.insert(t) {
                continue;
            }
            stack.extend(self.terms.args(t));
        }
        parts
    }

    /// The non-ground proper subterms of a left side that occur in the terms to be evaluated. Left out
    /// are those to which the whole left side may collapse and which are matched with extension then,
    /// since what they match is a portion of the subject.
    pub(super) fn captures(&self, left: StaticId, roots: &[StaticId]) -> Vec<StaticId> {
        let mut wanted: FxHashSet<StaticId> = FxHashSet::default();
        let mut stack = roots.to_vec();
        while let Some(t) = stack.pop() {
            if !self.terms.is_ground(t) && wanted.insert(t) {
                stack.extend(self.terms.args(t));
            }
        }
        let mut portions: FxHashSet<StaticId> = FxHashSet::default();
        let mut stack = vec![left];
        while let Some(t) = stack.pop() {
            let symbol = self.signature.symbol(self.terms.node(t).symbol());
            if symbol.shape() != Shape::Free {
                portions.insert(t);
            }
            if symbol.axioms.identity.is_some() {
                stack.extend(self.terms.args(t));
            }
        }
        let mut found = Vec::new();
        let mut seen: FxHashSet<StaticId> = FxHashSet::default();
        let mut stack = self.terms.args(left);
        while let Some(t) = stack.pop() {
            let variable = matches!(self.terms.node(t), StaticNode::Variable(..));
            if variable || self.terms.is_ground(t) || !seen.insert(t) {
                continue;
            }
            if wanted.contains(&t) && !portions.contains(&t) {
                found.push(t);
            }
            stack.extend(self.terms.args(t));
        }
        found.sort();
        found
    }

    /// Finds the largest ground subterms of the roots that are normal as they stand, since nothing in
    /// them is defined, and builds them in the store.
    pub(super) fn find_constants(&mut self, roots: &[StaticId]) {
        self.constants.clear();
        let mut known: FxHashMap<StaticId, bool> = FxHashMap::default();
        for &root in roots {
            let mut stack = vec![root];
            while let Some(&t) = stack.last() {
                if known.contains_key(&t) {
                    stack.pop();
                    continue;
                }
                let before = stack.len();
                let args = self.terms.args(t);
                stack.extend(args.iter().filter(|a| !known.contains_key(a)));
                if stack.len() == before {
                    stack.pop();
                    let normal_constant = self.terms.is_ground(t)
                        && args.iter().all(|a| known[a])
                        && self.is_normal_top(t);
                    known.insert(t, normal_constant);
                }
            }
        }
        let mut seen: FxHashSet<StaticId> = FxHashSet::default();
        let mut stack = roots.to_vec();
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            if known[&t] {
                let flat = self.terms.flattened(self.signature, t);
                let built = self.memory.build_reduced(self.signature, &self.terms, flat);
                let stored = self.memory.enter_permanently(built);
                self.constants.insert(t, stored);
            } else {
                stack.extend(self.terms.args(t));
            }
        }
    }

    fn is_normal_top(&self, t: StaticId) -> bool {
        let node = self.terms.node(t);
        let symbol = node.symbol();
        if self.signature.symbol(symbol).meaning() == Some(Meaning::Minus) {
            let positive = |a: &StaticId| matches!(self.terms.node(*a), StaticNode::Iter(..));
            return self.terms.args(t).iter().all(positive)
                && !self.tables.has_equations(self.signature, symbol)
                && !self.tables.has_memberships(symbol);
        }
        // Each rule that is tried in vain is noted with the node, so where there are rules each
        // application makes nodes of its own.
        !self.is_defined(symbol) && !self.tables.has_rules(self.signature, symbol)
    }
}

fn emit_condition(emitter: &mut Emitter<'_, '_>, condition: &[Fragment], patterns: &[(u32, Reg)]) {
    let mut patterns = patterns.iter();
    for (number, fragment) in (0..).zip(condition) {
        if emitter.is_watched() {
            emitter.push(Op::Fragment { number });
        }
        match *fragment {
            Fragment::Equal(a, b) => {
                let a = emitter.value(a);
                let b = emitter.value(b);
                emitter.push(Op::Equal { a, b });
            }
            Fragment::Sort(t, sort) => {
                let a = emitter.value(t);
                emitter.push(Op::HasSort { a, kind: sort.kind.0, sort: sort.index });
            }
            Fragment::Match(_, t) => {
                let subject = emitter.value(t);
                let &(pattern, own) =
                    patterns.next().expect("a pattern for each fragment with one");
                emitter.push_match(subject, pattern, own);
            }
            // The text layer admits these in rules only.
            Fragment::Rewrite(..) => unreachable!("equations have no rewriting conditions"),
        }
        if emitter.is_watched() {
            emitter.push(Op::Solved { number });
        }
        emitter.release();
    }
}

fn statement_roots(statement: &Statement) -> Vec<StaticId> {
    let right = match statement.conclusion {
        Conclusion::Equation { right, .. } | Conclusion::Rule(right) => Some(right),
        Conclusion::Membership(_) => None,
    };
    evaluated_terms(&statement.condition, right)
}
