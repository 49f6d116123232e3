//! The hooks of the engine, with the names that the language's own modules give them.

use super::BuiltinOp;
use super::registry::{Hook, HookFunctions};
use crate::heap::Handle;
use crate::id::SymbolId;
use crate::signature::Meaning;
use crate::worker::Worker;

/// What arithmetic is called, by the axioms of its operators.
const NUMBERS: &[&str] = &["NumberOpSymbol", "ACU_NumberOpSymbol", "CUI_NumberOpSymbol"];
const BOOLEAN: &[&str] = &["Boolean"];
const EQUALITY: &[&str] = &["EqualitySymbol"];

/// Nothing is computed.
const NOTHING: HookFunctions = HookFunctions { on_arguments: |_, _, _| None, on_node: |_, _| None };

/// A connective.
macro_rules! connective {
    ($op:ident) => {
        HookFunctions {
            on_arguments: |worker, symbol, base| worker.connective(BuiltinOp::$op, symbol, base),
            on_node: |worker, node| worker.connective_node(BuiltinOp::$op, node),
        }
    };
}

/// A function of numbers. Each has its own code for small ones.
macro_rules! arithmetic {
    ($op:ident) => {
        HookFunctions {
            on_arguments: |worker, symbol, base| worker.arithmetic(BuiltinOp::$op, symbol, base),
            on_node: |worker, node| worker.arithmetic_node(BuiltinOp::$op, node),
        }
    };
}

/// The hooks of the engine; the first one is `HookId::SORT_TEST`.
pub(super) fn standard_hooks() -> Vec<Hook> {
    let hook = |names: &[&'static str], operand, meaning, functions| Hook {
        names: names.to_vec(),
        operand,
        meaning,
        functions,
    };
    let sort_test = HookFunctions {
        on_arguments: |worker, symbol, base| worker.sort_test(symbol, base),
        on_node: |_, _| None,
    };
    let equal = HookFunctions {
        on_arguments: |worker, symbol, base| worker.equality(true, symbol, base),
        on_node: |worker, node| worker.equality_node(true, node),
    };
    let not_equal = HookFunctions {
        on_arguments: |worker, symbol, base| worker.equality(false, symbol, base),
        on_node: |worker, node| worker.equality_node(false, node),
    };
    let mut hooks = vec![
        hook(&[], None, Meaning::Function, sort_test),
        hook(&["SystemTrue"], None, Meaning::True, NOTHING),
        hook(&["SystemFalse"], None, Meaning::False, NOTHING),
        hook(&["BranchSymbol"], None, Meaning::If, NOTHING),
        hook(EQUALITY, Some("equal"), Meaning::Equal, equal),
        hook(EQUALITY, Some("notEqual"), Meaning::NotEqual, not_equal),
        hook(BOOLEAN, Some("and"), Meaning::And, connective!(And)),
        hook(BOOLEAN, Some("or"), Meaning::Or, connective!(Or)),
        hook(BOOLEAN, Some("xor"), Meaning::Function, connective!(Xor)),
        hook(BOOLEAN, Some("not"), Meaning::Not, connective!(Not)),
        hook(BOOLEAN, Some("implies"), Meaning::Function, connective!(Implies)),
        hook(&["SuccSymbol"], None, Meaning::Succ, NOTHING),
        hook(&["MinusSymbol"], None, Meaning::Minus, arithmetic!(Minus)),
    ];
    let functions = [
        ("+", Meaning::Function, arithmetic!(Add)),
        ("-", Meaning::Function, arithmetic!(Subtract)),
        ("sd", Meaning::Function, arithmetic!(Sd)),
        ("*", Meaning::Function, arithmetic!(Multiply)),
        ("quo", Meaning::Function, arithmetic!(Quo)),
        ("rem", Meaning::Function, arithmetic!(Rem)),
        ("^", Meaning::Function, arithmetic!(Power)),
        ("modExp", Meaning::Function, arithmetic!(ModExp)),
        ("gcd", Meaning::Function, arithmetic!(Gcd)),
        ("lcm", Meaning::Function, arithmetic!(Lcm)),
        ("min", Meaning::Function, arithmetic!(Min)),
        ("max", Meaning::Function, arithmetic!(Max)),
        ("xor", Meaning::Function, arithmetic!(BitXor)),
        ("&", Meaning::Function, arithmetic!(BitAnd)),
        ("|", Meaning::Function, arithmetic!(BitOr)),
        ("~", Meaning::Function, arithmetic!(BitNot)),
        (">>", Meaning::Function, arithmetic!(ShiftRight)),
        ("<<", Meaning::Function, arithmetic!(ShiftLeft)),
        ("<", Meaning::Less, arithmetic!(Less)),
        ("<=", Meaning::LessEqual, arithmetic!(LessEqual)),
        (">", Meaning::Greater, arithmetic!(Greater)),
        (">=", Meaning::GreaterEqual, arithmetic!(GreaterEqual)),
        ("divides", Meaning::Function, arithmetic!(Divides)),
        ("abs", Meaning::Function, arithmetic!(Abs)),
    ];
    for (operand, meaning, functions) in functions {
        hooks.push(hook(NUMBERS, Some(operand), meaning, functions));
    }
    hooks
}

impl Worker {
    /// A function of numbers.
    #[inline(always)]
    fn arithmetic(&mut self, op: BuiltinOp, symbol: SymbolId, base: usize) -> Option<Handle> {
        match self.space.regs[base..] {
            [a] => self.number_function(op, symbol, &[a]),
            [a, b] => self
                .small_binary(op, symbol, a, b)
                .or_else(|| self.number_function(op, symbol, &[a, b])),
            [a, b, c] if op == BuiltinOp::ModExp => self.number_function(op, symbol, &[a, b, c]),
            _ => None,
        }
    }

    /// The same for a node: the numbers of a multiset are folded into one in one step.
    fn arithmetic_node(&mut self, op: BuiltinOp, node: Handle) -> Option<Handle> {
        let symbol = self.space.memory.symbol(node);
        if self.space.memory.core(symbol).is_list() {
            self.fold_numbers(op, node)
        } else if op == BuiltinOp::Sd {
            let memory = &self.space.memory;
            let args = [memory.fixed_arg(node, 0), memory.fixed_arg(node, 1)];
            self.number_function(op, symbol, &args)
        } else {
            None
        }
    }
}
