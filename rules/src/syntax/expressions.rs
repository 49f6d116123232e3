//! Module expressions and parameters.

use super::ast::{ModuleExpression, ModuleExpressionKind, Parameter};
use super::cursor::{Cursor, Parsed};
use super::mappings::renaming;
use super::types::DEEPEST;
use crate::diagnose::outer;

const WITHIN: &str = "a module expression";

/// `A + B * (...) + C{V}`.
pub(super) fn module_expression(cx: &mut Cursor) -> Parsed<ModuleExpression> {
    sum(cx, 0)
}

/// `{X :: T, Y :: U}`, the opening brace being next.
pub(super) fn parameters(cx: &mut Cursor) -> Parsed<Vec<Parameter>> {
    let within = "a list of parameters";
    let mut found = Vec::new();
    cx.expect("{", within)?;
    loop {
        let name = cx.expect_word("the name of a parameter", within)?;
        cx.expect("::", within)?;
        let theory = module_expression(cx)?;
        found.push(Parameter { name, theory });
        if !cx.accept(",") {
            break;
        }
    }
    cx.expect("}", within)?;
    Ok(found)
}

fn sum(cx: &mut Cursor, depth: usize) -> Parsed<ModuleExpression> {
    let mut summands = vec![renamed(cx, depth)?];
    while cx.accept("+") {
        summands.push(renamed(cx, depth)?);
    }
    if summands.len() == 1 {
        return Ok(summands.swap_remove(0));
    }
    let span = summands[0].span.to(summands[summands.len() - 1].span);
    Ok(ModuleExpression { kind: ModuleExpressionKind::Sum(summands), span })
}

fn renamed(cx: &mut Cursor, depth: usize) -> Parsed<ModuleExpression> {
    let mut expression = instance(cx, depth)?;
    while cx.accept("*") {
        let items = renaming(cx)?;
        let span = expression.span.to(cx.last_span());
        let kind = ModuleExpressionKind::Renaming(Box::new(expression), items);
        expression = ModuleExpression { kind, span };
    }
    Ok(expression)
}

fn instance(cx: &mut Cursor, depth: usize) -> Parsed<ModuleExpression> {
    if depth > DEEPEST {
        return Err(Box::new(outer::nested_too_deeply(cx.span())));
    }
    let mut expression = if cx.accept("(") {
        let inner = sum(cx, depth + 1)?;
        cx.expect(")", WITHIN)?;
        inner
    } else {
        let name = cx.expect_word("the name of a module", WITHIN)?;
        ModuleExpression { kind: ModuleExpressionKind::Name(name), span: name.span }
    };
    let mut groups = 0;
    while cx.accept("{") {
        groups += 1;
        if groups > DEEPEST {
            return Err(Box::new(outer::nested_too_deeply(cx.span())));
        }
        let mut arguments = vec![instance(cx, depth + 1)?];
        while cx.accept(",") {
            arguments.push(instance(cx, depth + 1)?);
        }
        cx.expect("}", WITHIN)?;
        let span = expression.span.to(cx.last_span());
        let kind = ModuleExpressionKind::Instance(Box::new(expression), arguments);
        expression = ModuleExpression { kind, span };
    }
    Ok(expression)
}
