//! What is said of a module when a command first uses it.

use broth_engine::{KindId, Meaning, Signature, SortId, StaticNode, SymbolId};

use super::evaluate::ModuleBuilder;
use super::flat::{Flat, Operator};
use super::loaded::{Loaded, TheoryStatement, Vocabulary};
use crate::diagnose::module as messages;
use crate::syntax::StatementKind;

/// Checks the sorts of operators, and memberships on operators where they may not work.
pub fn check(cx: &mut ModuleBuilder<'_>, loaded: &Loaded, statements: &[TheoryStatement]) {
    let (flat, Vocabulary { signature, terms }) = (&loaded.flat, &loaded.vocabulary);
    for op in &flat.operators {
        let Some(symbol) = op.symbol else { continue };
        check_preregularity(cx, signature, op, symbol);
    }
    let mut said: Vec<SymbolId> = Vec::new();
    for statement in statements.iter().filter(|s| s.kind == StatementKind::Membership) {
        let left = statement.terms.left;
        let node = terms.node(left);
        let kind = signature.symbol(node.symbol()).range;
        let concerned: Vec<SymbolId> = match node {
            StaticNode::Variable(..) => lists_of_kind(flat, signature, kind),
            node => vec![node.symbol()],
        };
        for symbol in concerned {
            let s = signature.symbol(symbol);
            let what = match (s.axioms.assoc, s.axioms.iter) {
                (true, _) => "associative",
                (_, true) => "iterated",
                _ => continue,
            };
            let below = s.declarations.iter().any(|d| !d.range.is_kind());
            if !below || said.contains(&symbol) || is_successor(flat, symbol) {
                continue;
            }
            said.push(symbol);
            let name = flat.operator_of(symbol).map_or("", |op| cx.names.text(op.name));
            cx.diagnostics.push(messages::membership_on_assoc(name, what, statement.span));
        }
    }
}

fn is_successor(flat: &Flat, symbol: SymbolId) -> bool {
    flat.operator_of(symbol).is_some_and(|op| op.meaning() == Some(Meaning::Succ))
}

fn lists_of_kind(flat: &Flat, signature: &Signature, kind: KindId) -> Vec<SymbolId> {
    flat.operators
        .iter()
        .filter_map(|op| op.symbol)
        .filter(|&s| {
            let symbol = signature.symbol(s);
            symbol.range == kind && (symbol.axioms.assoc || symbol.axioms.iter)
        })
        .collect()
}

fn check_preregularity(
    cx: &mut ModuleBuilder<'_>,
    signature: &Signature,
    op: &Operator,
    symbol: SymbolId,
) {
    let s = signature.symbol(symbol);
    let Some(irregular) = signature.sorts(symbol).irregularity() else { return };
    let sort = |kind, index| signature.sort_name(SortId { kind, index });
    let arguments: Vec<String> =
        s.args.iter().zip(&irregular.args).map(|(&kind, &index)| sort(kind, index)).collect();
    let ranges: Vec<String> = irregular.ranges.iter().map(|&index| sort(s.range, index)).collect();
    cx.diagnostics.push(messages::not_preregular(
        cx.names.text(op.name),
        &arguments.join(", "),
        &ranges.join(" or "),
        op.declarations[0].span,
    ));
}
