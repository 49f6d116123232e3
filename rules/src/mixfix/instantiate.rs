//! From readings to static terms of a theory.
//!
//! A reading names operators and sorts by their places in a description; [`Symbols`] says which
//! symbols these are in the theory at hand, and makes variable symbols, instances of polymorphic
//! operators and sort tests when they are first asked for. The order in which it is asked is the
//! order of creation that the canonical order of terms rests on (`docs/semantics.md` 1.4). Terms
//! come out raw, as they were read; bringing them into a normal form is the caller's.

use broth_engine::{Fragment, NameId, SortId, StaticId, StaticNode, StaticTerms, SymbolId};
use dashu_int::UBig;

use super::description::{KindIndex, Literals, NumberSyntax, OperatorIndex, PolymorphIndex, Type};
use super::tree::{ConditionFragment, Head, Literal, Node, Number, TermRef, Tree};
use crate::syntax::Name;

/// The symbols of one theory by the places of a description.
pub trait Symbols {
    /// The symbol of an operator.
    fn operator(&mut self, operator: OperatorIndex) -> SymbolId;
    /// The symbol of an instance of a polymorphic operator, made if there is none yet.
    fn instance(&mut self, polymorph: PolymorphIndex, kind: KindIndex) -> SymbolId;
    /// The symbol of a sort test, made if there is none yet.
    fn sort_test(&mut self, tested: Type) -> SymbolId;
    /// The variable symbol of a sort, made if there is none yet, and the number of the name.
    fn variable(&mut self, name: Name, of: Type) -> (SymbolId, NameId);
    /// The sort or kind in the theory.
    fn sort(&mut self, of: Type) -> SortId;
    /// The constant `true`.
    fn truth(&mut self) -> SymbolId;
}

/// A symbol, and the number of the name if it is one of variables.
type Made = (SymbolId, NameId);

impl Tree {
    /// Makes the static term of a reading, as it was read. `literals` is that of the description
    /// that the reading refers to.
    pub fn instantiate(
        &self,
        term: TermRef,
        literals: &Literals,
        symbols: &mut dyn Symbols,
        terms: &mut StaticTerms,
    ) -> StaticId {
        let made = self.make_symbols(term, symbols);
        let mut values: Vec<StaticId> = Vec::new();
        let mut sizes: Vec<u32> = Vec::new();
        for (node, (symbol, name)) in self.nodes(term).iter().zip(made) {
            // What waits are complete subterms; their sizes tell how many belong to this node.
            let mut below = node.size - 1;
            let mut first = values.len();
            while below > 0 {
                first -= 1;
                below -= sizes[first];
            }
            let value = match &node.head {
                Head::Operator(_) | Head::List(_) | Head::Instance(..) | Head::SortTest(_) => {
                    terms.app(symbol, &values[first..])
                }
                Head::Iterated(_, count) => terms.iter(symbol, (**count).clone(), values[first]),
                Head::Variable(..) => terms.variable(symbol, name),
                Head::Literal(_, literal) => terms.add(literal_node(symbol, literal)),
                Head::Number(system, number) => {
                    number_term(number, &literals.numbers[*system as usize], symbols, terms)
                }
            };
            values.truncate(first);
            sizes.truncate(first);
            values.push(value);
            sizes.push(node.size);
        }
        values.pop().expect("a term has a node")
    }

    /// Makes the static terms of a condition, in the order in which its symbols are created.
    pub fn instantiate_condition(
        &self,
        condition: &[ConditionFragment],
        literals: &Literals,
        symbols: &mut dyn Symbols,
        terms: &mut StaticTerms,
    ) -> Vec<Fragment> {
        let mut fragments = Vec::with_capacity(condition.len());
        for fragment in condition {
            let mut pair = |left: TermRef, right: TermRef| {
                let right = self.instantiate(right, literals, symbols, terms);
                (self.instantiate(left, literals, symbols, terms), right)
            };
            fragments.push(match *fragment {
                ConditionFragment::Truth(term) => {
                    let term = self.instantiate(term, literals, symbols, terms);
                    Fragment::Equal(term, terms.constant(symbols.truth()))
                }
                ConditionFragment::Equal(left, right) => {
                    let (left, right) = pair(left, right);
                    Fragment::Equal(left, right)
                }
                ConditionFragment::Match(left, right) => {
                    let (left, right) = pair(left, right);
                    Fragment::Match(left, right)
                }
                ConditionFragment::Rewrite(left, right) => {
                    let (left, right) = pair(left, right);
                    Fragment::Rewrite(left, right)
                }
                ConditionFragment::Sort(term, of) => {
                    let term = self.instantiate(term, literals, symbols, terms);
                    Fragment::Sort(term, symbols.sort(of))
                }
            });
        }
        fragments
    }

    /// The symbols of all nodes of a term, in post-order, asked for in the order of creation: a
    /// node before its arguments, these from left to right, those of a prefix list from right to
    /// left.
    fn make_symbols(&self, term: TermRef, symbols: &mut dyn Symbols) -> Vec<Made> {
        let nodes = self.nodes(term);
        let in_place =
            |n: &Node| !matches!(n.head, Head::List(_) | Head::Instance(..) | Head::SortTest(_));
        if nodes.iter().all(in_place) {
            return nodes.iter().map(|n| symbol_of(n, symbols)).collect();
        }
        let start = term.0 + 1 - self.node(term).size;
        let mut made = vec![(SymbolId(0), NameId(0)); nodes.len()];
        let mut stack = vec![term];
        while let Some(at) = stack.pop() {
            let node = self.node(at);
            made[(at.0 - start) as usize] = symbol_of(node, symbols);
            let from = stack.len();
            stack.extend(self.args_reversed(at));
            if matches!(node.head, Head::List(_)) {
                stack[from..].reverse();
            }
        }
        made
    }
}

fn symbol_of(node: &Node, symbols: &mut dyn Symbols) -> Made {
    let symbol = match &node.head {
        Head::Operator(op) | Head::List(op) | Head::Iterated(op, _) | Head::Literal(op, _) => {
            symbols.operator(*op)
        }
        Head::Instance(polymorph, kind) => symbols.instance(*polymorph, *kind),
        Head::SortTest(tested) => symbols.sort_test(*tested),
        Head::Variable(name, of) => return symbols.variable(*name, *of),
        // A number is made of several symbols, all of them declared ones.
        Head::Number(..) => SymbolId(0),
    };
    (symbol, NameId(0))
}

fn literal_node(symbol: SymbolId, literal: &Literal) -> StaticNode {
    match literal {
        Literal::String(bytes) => StaticNode::String(symbol, bytes.clone()),
        Literal::Qid(text) => StaticNode::Qid(symbol, text.clone()),
        Literal::Float(bits) => StaticNode::Float(symbol, *bits),
    }
}

fn number_term(
    number: &Number,
    system: &NumberSyntax,
    symbols: &mut dyn Symbols,
    terms: &mut StaticTerms,
) -> StaticId {
    let mut natural = |value: &UBig, terms: &mut StaticTerms| {
        let zero = terms.constant(symbols.operator(system.zero));
        if value.is_zero() {
            return zero;
        }
        terms.iter(symbols.operator(system.succ), value.clone(), zero)
    };
    let mut value = natural(&number.value, terms);
    let denominator = number.denominator.as_ref().map(|d| natural(d, terms));
    if let (true, Some(minus)) = (number.negative, system.minus) {
        value = terms.app(symbols.operator(minus), &[value]);
    }
    match (denominator, system.division) {
        (Some(denominator), Some(division)) => {
            terms.app(symbols.operator(division), &[value, denominator])
        }
        _ => value,
    }
}
