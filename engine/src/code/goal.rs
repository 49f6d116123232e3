//! Goals: a pattern with a condition, and perhaps a right side, for everything that is enumerated
//! from outside the machine: rules, `search`, `match`, strategies.
//!
//! Each term of the condition and the right side is a piece of code over one frame, in which
//! variables and shared nodes keep their registers.

use super::compiler::CodeCompiler;
use super::emit::Emitter;
use super::inputs::Inputs;
use super::ops::{Op, Pc, Reg};
use super::program::Block;
use crate::id::{NameId, SortId, StaticId};
use crate::matching::{Pattern, PatternSpec, Slots, UnreducedParts};
use crate::signature::{Shape, Signature};
use crate::statement::{Conclusion, Fragment, Source, Statement};
use crate::term::{StaticNode, StaticTerms};

/// What a goal is compiled from.
pub(crate) struct GoalSpec<'a> {
    /// The pattern, fully normalised.
    pub(crate) pattern: StaticId,
    /// Variables that have values beforehand; they get the first registers, in order.
    pub(crate) bound: &'a [StaticId],
    /// The condition.
    pub(crate) condition: &'a [Fragment],
    /// The right side.
    pub(crate) right: Option<StaticId>,
    /// Whether the pattern may match a part of an assoc or iter node.
    pub(crate) extension: bool,
    /// Whether what is matched has not been reduced.
    pub(crate) unreduced: bool,
}

/// A fragment of a condition as code over the goal's frame. `reset` lists the registers that must
/// be made `NIL` before another matcher of the fragment is used.
pub(crate) enum FragmentCode {
    Equal(Pc, Pc),
    Sort(Pc, SortId),
    Match { subject: Pc, pattern: Pattern, reset: Box<[Reg]> },
    Rewrite { subject: Pc, pattern: Pattern, reset: Box<[Reg]> },
}

/// A compiled goal.
pub(crate) struct GoalCode {
    /// The code of its condition and right side.
    pub(crate) block: Block,
    pub(crate) pattern: Pattern,
    /// The same pattern without extension, for `top`.
    pub(crate) top_pattern: Option<Pattern>,
    pub(crate) fragments: Vec<FragmentCode>,
    pub(crate) right: Option<Pc>,
    /// The statement whose condition it has, if that is not empty.
    pub(crate) source: Option<Source>,
    /// Registers of variables.
    pub(crate) slots: Slots,
    /// Variables in the order of their first occurrence: pattern, then condition.
    pub(crate) variables: Vec<StaticId>,
    /// Registers of shared nodes and of variables that the condition binds, to be made `NIL` before
    /// another matcher of the pattern is used.
    pub(crate) reset: Box<[Reg]>,
    /// The registers that the pattern needs, which come first.
    pub(crate) n_own: u32,
    /// Registers of the frame.
    pub(crate) n_regs: u32,
}

/// The code of a term.
pub(crate) struct TermCode {
    /// It begins with the first instruction.
    pub(crate) block: Block,
    /// Registers of its frame.
    pub(crate) n_regs: u32,
}

/// A compiled rule.
pub(crate) struct RuleCode {
    /// Pattern, condition and right side.
    pub(crate) goal: GoalCode,
    /// The label's number.
    pub(crate) label: Option<NameId>,
    /// The number by which the caller knows it.
    pub(crate) source: u32,
    /// Its number in the theory.
    pub(crate) number: u32,
    /// The sides as terms.
    pub(crate) left: StaticId,
    pub(crate) right: StaticId,
}

/// Whether a left side is matched with extension: its top is assoc or iter, or it is a variable or
/// may collapse to one.
pub(crate) fn has_extension(signature: &Signature, terms: &StaticTerms, left: StaticId) -> bool {
    let node = terms.node(left);
    let symbol = signature.symbol(node.symbol());
    let collapses = symbol.axioms.identity.is_some() || symbol.axioms.idem;
    matches!(node, StaticNode::Variable(..))
        || collapses
        || matches!(symbol.shape(), Shape::Assoc | Shape::AssocComm | Shape::Iter)
}

impl CodeCompiler<'_> {
    /// Compiles a goal.
    pub(crate) fn compile_goal(&mut self, spec: &GoalSpec<'_>) -> GoalCode {
        let mut slots = Slots::new();
        let mut known: Vec<StaticId> = spec.bound.to_vec();
        for &variable in spec.bound {
            slots.slot(variable);
        }
        let elsewhere = self.condition_variables(spec.condition);
        let roots = evaluated_terms(spec.condition, spec.right);
        // Only equations use the nodes that their left sides matched; elsewhere it saves work.
        let captures = if self.fidelity.reuses_matched_subterms() {
            self.captures(spec.pattern, &roots)
        } else {
            Vec::new()
        };
        for &subterm in &captures {
            slots.slot(subterm);
        }
        let mut matched = known.clone();
        self.terms.collect_variables(spec.pattern, &mut matched);
        let compile = |compiler: &mut CodeCompiler<'_>, slots: &mut Slots, extension| {
            let guards = compiler.guards(spec.condition, &matched, slots);
            let spec = PatternSpec {
                term: spec.pattern,
                bound: spec.bound,
                elsewhere: &elsewhere,
                extension,
                unreduced: UnreducedParts::None,
                guards,
            };
            Pattern::compile(compiler.patterns(), slots, spec)
        };
        let pattern = compile(self, &mut slots, spec.extension);
        let top_pattern = spec.extension.then(|| compile(self, &mut slots, false));
        self.terms.collect_variables(spec.pattern, &mut known);
        let mut variables = self.terms.variables(spec.pattern);
        let own_slots = slots.len() as Reg;
        let patterns = self.fragment_patterns(spec.condition, &mut slots, &mut known);
        for fragment in spec.condition {
            let (left, right) = match *fragment {
                Fragment::Equal(a, b) => (a, b),
                Fragment::Sort(t, _) => (t, t),
                Fragment::Match(p, t) => (p, t),
                Fragment::Rewrite(t, p) => (t, p),
            };
            self.terms.collect_variables(left, &mut variables);
            self.terms.collect_variables(right, &mut variables);
        }
        let given = self.given(spec.pattern, slots.clone(), spec.unreduced);
        self.find_constants(&roots);
        let mut emitter = Emitter::new(self, given, &roots, None);
        let mut fragments = Vec::new();
        let mut marks = Vec::new();
        let mut patterns = patterns.into_iter();
        for fragment in spec.condition {
            let piece = |emitter: &mut Emitter<'_, '_>, term| {
                let start = emitter.here();
                let src = emitter.value(term);
                emitter.push(Op::Answer { src });
                emitter.release();
                start
            };
            fragments.push(match *fragment {
                Fragment::Equal(a, b) => {
                    let a = piece(&mut emitter, a);
                    FragmentCode::Equal(a, piece(&mut emitter, b))
                }
                Fragment::Sort(t, sort) => FragmentCode::Sort(piece(&mut emitter, t), sort),
                Fragment::Match(_, t) | Fragment::Rewrite(t, _) => {
                    let subject = piece(&mut emitter, t);
                    let (pattern, own) =
                        patterns.next().expect("a pattern for each fragment with one");
                    marks.push((fragments.len(), emitter.shared_so_far().len(), own));
                    let reset = Box::default();
                    match fragment {
                        Fragment::Match(..) => FragmentCode::Match { subject, pattern, reset },
                        _ => FragmentCode::Rewrite { subject, pattern, reset },
                    }
                }
            });
        }
        let right = spec.right.map(|term| {
            let start = emitter.here();
            let src = emitter.value(term);
            emitter.push(Op::Answer { src });
            start
        });
        let shared: Box<[Reg]> = emitter.shared_so_far().into();
        let n_regs = emitter.finish();
        let n_slots = slots.len() as Reg;
        for (at, before, own) in marks {
            if let FragmentCode::Match { reset, .. } | FragmentCode::Rewrite { reset, .. } =
                &mut fragments[at]
            {
                *reset = shared[before..].iter().copied().chain(own..n_slots).collect();
            }
        }
        let reset = shared.iter().copied().chain(own_slots..n_slots).collect();
        GoalCode {
            block: self.take_block(),
            pattern,
            top_pattern,
            fragments,
            right,
            source: None,
            slots,
            variables,
            reset,
            n_own: own_slots,
            n_regs,
        }
    }

    /// Compiles a rule for the case that some of its variables have values beforehand; `lazy`: for
    /// subjects that are not evaluated.
    pub(crate) fn compile_rule(
        &mut self,
        number: u32,
        statement: &Statement,
        bound: &[StaticId],
        lazy: bool,
    ) -> RuleCode {
        let Conclusion::Rule(right) = statement.conclusion else {
            unreachable!("only rules are compiled as rules")
        };
        let mut goal = self.compile_goal(&GoalSpec {
            pattern: statement.left,
            bound,
            condition: &statement.condition,
            right: Some(right),
            extension: has_extension(self.signature, &self.terms, statement.left),
            unreduced: lazy,
        });
        if !statement.condition.is_empty() {
            goal.source = Some(Source::Statement(statement.source));
        }
        let (label, source) = (statement.label, statement.source);
        RuleCode { goal, label, source, number, left: statement.left, right }
    }

    /// Code that evaluates a term over a frame whose first registers hold the variables `bound`.
    pub(crate) fn compile_term(&mut self, term: StaticId, bound: &[StaticId]) -> TermCode {
        let mut slots = Slots::new();
        for &variable in bound {
            slots.slot(variable);
        }
        self.find_constants(&[term]);
        let given = Inputs { slots, ..Inputs::default() };
        let mut emitter = Emitter::new(self, given, &[term], None);
        let src = emitter.value(term);
        emitter.push(Op::Answer { src });
        let n_regs = emitter.finish();
        TermCode { block: self.take_block(), n_regs }
    }

    /// The variables of a condition.
    pub(super) fn condition_variables(&self, condition: &[Fragment]) -> Vec<StaticId> {
        let mut found = Vec::new();
        for fragment in condition {
            let (a, b) = match *fragment {
                Fragment::Equal(a, b) | Fragment::Match(a, b) | Fragment::Rewrite(a, b) => {
                    (a, Some(b))
                }
                Fragment::Sort(t, _) => (t, None),
            };
            self.terms.collect_variables(a, &mut found);
            if let Some(b) = b {
                self.terms.collect_variables(b, &mut found);
            }
        }
        found
    }

    /// Compiles the patterns of a condition in order, each with the number of slots taken after it;
    /// `known` grows by their variables.
    pub(super) fn fragment_patterns(
        &mut self,
        condition: &[Fragment],
        slots: &mut Slots,
        known: &mut Vec<StaticId>,
    ) -> Vec<(Pattern, Reg)> {
        let mut patterns = Vec::new();
        for (at, fragment) in condition.iter().enumerate() {
            let (Fragment::Match(term, _) | Fragment::Rewrite(_, term)) = *fragment else {
                continue;
            };
            let elsewhere = self.condition_variables(&condition[at + 1..]);
            let spec = PatternSpec {
                term,
                bound: known,
                elsewhere: &elsewhere,
                extension: false,
                unreduced: UnreducedParts::None,
                guards: Vec::new(),
            };
            let pattern = Pattern::compile(self.patterns(), slots, spec);
            self.terms.collect_variables(term, known);
            patterns.push((pattern, slots.len() as Reg));
        }
        patterns
    }
}

/// The terms of a statement that are evaluated, in program order.
pub(super) fn evaluated_terms(condition: &[Fragment], right: Option<StaticId>) -> Vec<StaticId> {
    let mut roots = Vec::new();
    for fragment in condition {
        match *fragment {
            Fragment::Equal(a, b) => roots.extend([a, b]),
            Fragment::Sort(t, _) | Fragment::Match(_, t) | Fragment::Rewrite(t, _) => roots.push(t),
        }
    }
    roots.extend(right);
    roots
}
