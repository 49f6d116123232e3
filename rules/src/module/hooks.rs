//! What `special (id-hook NAME (op))` binds an operator to.
//!
//! | name | operand | meaning |
//! | --- | --- | --- |
//! | `SystemTrue`, `SystemFalse` | | the truth values |
//! | `BranchSymbol` | | choice by a truth value |
//! | `EqualitySymbol` | `equal`, `notEqual` | comparison of normal forms |
//! | `Boolean` | `and` `or` `xor` `not` `implies` | at once, where the arguments are truth values |
//! | `SuccSymbol` | | the successor; `term-hook zeroTerm (0)` names the number zero |
//! | `MinusSymbol` | | negation; the constructor of negative numbers |
//! | `NumberOpSymbol`, `ACU_NumberOpSymbol`, `CUI_NumberOpSymbol` | the operation | arithmetic |
//! | `ObjectConstructorSymbol` | | objects that statements are completed for |

use broth_engine::BuiltinOp;

use crate::syntax::{Names, Token};

/// What an operator is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hook {
    /// Something that the engine computes.
    Builtin(BuiltinOp),
    /// The object constructor.
    Object,
}

/// Reads the tokens between the parentheses of `special`; the name of a hook that is not known is
/// the error.
pub fn read(tokens: &[Token], names: &Names) -> Result<Hook, String> {
    let text = |at: usize| tokens.get(at).map(|t| names.text(t.name));
    let start = (0..tokens.len()).find(|&at| text(at) == Some("id-hook"));
    let Some(start) = start else { return Err("none".to_owned()) };
    let name = text(start + 1).unwrap_or_default();
    let operand = if text(start + 2) == Some("(") { text(start + 3) } else { None };
    let op = match (name, operand) {
        ("SystemTrue", _) => BuiltinOp::True,
        ("SystemFalse", _) => BuiltinOp::False,
        ("BranchSymbol", _) => BuiltinOp::If,
        ("EqualitySymbol", Some("equal")) => BuiltinOp::Equal,
        ("EqualitySymbol", Some("notEqual")) => BuiltinOp::NotEqual,
        ("Boolean", Some(op)) => boolean(op).ok_or(name)?,
        ("SuccSymbol", _) => BuiltinOp::Succ,
        ("MinusSymbol", _) => BuiltinOp::Minus,
        ("NumberOpSymbol" | "ACU_NumberOpSymbol" | "CUI_NumberOpSymbol", Some(op)) => {
            arithmetic(op).ok_or(name)?
        }
        ("ObjectConstructorSymbol", _) => return Ok(Hook::Object),
        _ => return Err(name.to_owned()),
    };
    Ok(Hook::Builtin(op))
}

/// The name that `term-hook zeroTerm (NAME)` gives to the number zero.
pub fn zero_name(tokens: &[Token], names: &Names) -> Option<crate::syntax::Name> {
    let at = tokens.iter().position(|t| names.text(t.name) == "zeroTerm")?;
    tokens.get(at + 2).map(|t| t.name)
}

fn boolean(op: &str) -> Option<BuiltinOp> {
    Some(match op {
        "and" => BuiltinOp::And,
        "or" => BuiltinOp::Or,
        "xor" => BuiltinOp::Xor,
        "not" => BuiltinOp::Not,
        "implies" => BuiltinOp::Implies,
        _ => return None,
    })
}

fn arithmetic(op: &str) -> Option<BuiltinOp> {
    Some(match op {
        "+" => BuiltinOp::Add,
        "-" => BuiltinOp::Subtract,
        "sd" => BuiltinOp::Sd,
        "*" => BuiltinOp::Multiply,
        "quo" => BuiltinOp::Quo,
        "rem" => BuiltinOp::Rem,
        "^" => BuiltinOp::Power,
        "modExp" => BuiltinOp::ModExp,
        "gcd" => BuiltinOp::Gcd,
        "lcm" => BuiltinOp::Lcm,
        "min" => BuiltinOp::Min,
        "max" => BuiltinOp::Max,
        "xor" => BuiltinOp::BitXor,
        "&" => BuiltinOp::BitAnd,
        "|" => BuiltinOp::BitOr,
        "~" => BuiltinOp::BitNot,
        ">>" => BuiltinOp::ShiftRight,
        "<<" => BuiltinOp::ShiftLeft,
        "<" => BuiltinOp::Less,
        "<=" => BuiltinOp::LessEqual,
        ">" => BuiltinOp::Greater,
        ">=" => BuiltinOp::GreaterEqual,
        "divides" => BuiltinOp::Divides,
        "abs" => BuiltinOp::Abs,
        _ => return None,
    })
}
