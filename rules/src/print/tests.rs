//! Tests of printing on small modules.

use broth_engine::StaticId;

use super::*;
use crate::mixfix::testing::{TestModule, TestSymbols};
use crate::syntax::{Name, Names};

struct Texts<'a>(&'a Names);

impl NameTexts for Texts<'_> {
    fn text(&self, id: broth_engine::NameId) -> &str {
        self.0.text(Name(id.0))
    }
}

/// Reads a term and prints it.
pub(super) fn echo(module: &mut TestModule, text: &str, options: &PrintOptions) -> String {
    let term = read(module, text);
    show(module, term, options)
}

fn read(module: &mut TestModule, text: &str) -> StaticId {
    read_all(module, text).0
}

/// The readings of a term, printed; none if there is none.
pub(super) fn echo_first(
    module: &mut TestModule,
    text: &str,
    options: &PrintOptions,
) -> Vec<String> {
    let tokens = module.tokens(text);
    if module.grammar.term(None, &tokens, &mut module.names).is_err() {
        return Vec::new();
    }
    let (first, second) = read_all(module, text);
    [Some(first), second].into_iter().flatten().map(|t| show(module, t, options)).collect()
}

/// Reads a term; the second reading too if there is one.
pub(super) fn read_all(module: &mut TestModule, text: &str) -> (StaticId, Option<StaticId>) {
    let tokens = module.tokens(text);
    let reading = module.grammar.term(None, &tokens, &mut module.names);
    let reading = reading.unwrap_or_else(|e| panic!("{text}: {e:?}"));
    let description = module.description.clone();
    let mut symbols = TestSymbols {
        theory: &mut module.theory,
        signature: &mut module.signature,
        description: &description,
        names: &module.names,
    };
    let literals = &description.literals;
    let mut make = |tree: &crate::mixfix::Tree, term| {
        tree.instantiate(term, literals, &mut symbols, &mut module.terms)
    };
    let first = make(&reading.tree, reading.value);
    (first, reading.other.map(|(tree, term)| make(&tree, term)))
}

pub(super) fn show(module: &TestModule, term: StaticId, options: &PrintOptions) -> String {
    let theory = &module.theory;
    let mut notation = Notation::new(
        module.description.clone(),
        &theory.operators,
        &theory.sorts,
        &theory.kinds,
        &module.names,
    );
    for &(polymorph, kind, symbol) in &theory.instances {
        notation.add_instance(symbol, polymorph, kind);
    }
    let printer = Printer {
        notation: &notation,
        signature: &module.signature,
        terms: &module.terms,
        names: &module.names,
        numbered: &Texts(&module.names),
        options,
        sorts: &DeclaredSorts(&module.signature, &module.terms),
    };
    printer.term(term)
}

const M: &str = "pr NAT .
sorts A B .
op k : -> A .
op k : -> B .
op u`v : -> A .
op f : A -> A .
op f : B -> B .
op -_ : A -> A .
op _! : A -> A .
op _+_ : A A -> A .
op _;_ : A A -> A [assoc] .
op _,_ : A A -> A .
op [_] : A -> A .
op _`[_`] : A A -> A .
op h : A A -> A [assoc] .
op g : A -> A [iter] .
op h : B B -> B [assoc] .
var X : A .
var N : Nat .";

#[test]
fn terms_are_printed_as_the_language_says() {
    let mut module = TestModule::new(M);
    for (text, shown) in [
        ("(k).A", "(k).A"),
        ("f((k).A)", "f((k).A)"),
        ("u v + X", "u v + X"),
        ("Y:A + X", "Y:A + X"),
        ("(u v + X) + X", "(u v + X) + X"),
        ("- (X + X)", "- (X + X)"),
        ("(- X) !", "(- X) !"),
        ("- (X !)", "- (X !)"),
        ("X ; X ; X", "X ; X ; X"),
        ("(X ; X) ; X", "(X ; X) ; X"),
        ("h(X:B, X:B, X:B)", "h(X:B, X:B, X:B)"),
        ("(X, X), X", "(X, X), X"),
        ("[X]", "[X]"),
        ("X[X]", "X[X]"),
        ("X [[X]]", "X[[X]]"),
        ("g^3(X)", "g^3(X)"),
        ("g^1(X)", "g(X)"),
        ("s s s 0", "s s 1"),
        ("s 3", "s 3"),
        ("s N", "s N"),
        ("007", "7"),
        ("1 + N * 2", "1 + N * 2"),
        ("(1 + N) * 2", "(1 + N) * 2"),
        ("(k).A == k", "(k).A == (k).A"),
        ("(k).A :: A", "k :: A"),
        ("(not true) :: Bool", "(not true) :: Bool"),
        ("if true then N else 0 fi", "if true then N else 0 fi"),
        ("X:[A]", "X:[A]"),
    ] {
        assert_eq!(echo(&mut module, text, &PrintOptions::default()), shown, "{text}");
    }
}

#[test]
fn flat_terms_nest_to_the_right() {
    let mut module = TestModule::new("sort S .\nops a b c : -> S .
op _+_ : S S -> S [assoc] .\nop _*_ : S S -> S [assoc gather (E E)] .\nop __ : S S -> S [assoc comm prec 20] .");
    for (text, shown) in [
        ("a + (b + c)", "a + b + c"),
        ("(a + b) + c", "a + b + c"),
        ("a * (b * (c * a))", "a * (b * (c * a))"),
        ("(a a) (b a)", "a a a b"),
        ("(a a b) + c c", "a a b + c c"),
    ] {
        let term = read(&mut module, text);
        let normal = module.terms.normalise(&module.signature, term);
        assert_eq!(show(&module, normal, &PrintOptions::default()), shown, "{text}");
    }
}

#[test]
fn options_change_the_form() {
    let mut module = TestModule::new(M);
    let plain = PrintOptions::default();
    let mut with = |text: &str, options: PrintOptions| echo(&mut module, text, &options);
    assert_eq!(with("[X] + u v", PrintOptions { mixfix: false, ..plain }), "_+_(`[_`](X), u`v)");
    assert_eq!(with("[X] + u v", PrintOptions { with_parens: true, ..plain }), "(([X]) + (u v))");
    assert_eq!(with("s 3", PrintOptions { number: false, ..plain }), "s s_^3(0)");
    assert_eq!(with("X", PrintOptions { with_aliases: false, ..plain }), "X:A");
    assert_eq!(
        with("h(Y:B, Y:B, Y:B)", PrintOptions { flat: false, ..plain }),
        "h(Y:B, h(Y:B, Y:B))"
    );
    let sorted = PrintOptions { constants_with_sorts: true, ..plain };
    assert_eq!(with("u v + X", sorted), "(u v).A + X");
}

#[test]
fn deep_terms_need_no_stack() {
    let mut module = TestModule::new(M);
    let mut term = read(&mut module, "X");
    let negated = read(&mut module, "- X");
    let symbol = module.terms.node(negated).symbol();
    for _ in 0..200_000 {
        term = module.terms.app(symbol, &[term]);
    }
    let text = show(&module, term, &PrintOptions::default());
    assert_eq!(text.len(), 2 * 200_000 + 1);
}
