//! What is printed reads back as the same term, for random operators and terms.

use proptest::prelude::*;

use super::tests::{read_all, show};
use super::*;
use crate::mixfix::StatementForm;
use crate::mixfix::testing::TestModule;

/// An operator: its form, precedence, the letters of its gather.
type Op = (usize, u8, Vec<usize>);

const SHAPES: [&str; 8] = ["p_", "_p", "_p_", "p_p", "_p_p", "p_p_", "_[_]", "_p_p_"];
const GATHER: [&str; 3] = ["e", "E", "&"];

/// A term: an operator and arguments, or a constant.
#[derive(Clone, Debug)]
enum Tree {
    Constant(usize),
    Node(usize, Vec<Tree>),
}

fn name(number: usize, shape: &str) -> String {
    let mut name = String::new();
    for (at, c) in shape.chars().enumerate() {
        match c {
            'p' => name.push_str(&format!("t{number}{}", ["x", "y", "z", "w", "v"][at])),
            '[' | ']' => name.extend(['`', c]),
            c => name.push(c),
        }
    }
    name
}

fn module_text(ops: &[Op]) -> String {
    let mut text = "sort S .\nops a b c : -> S .\n".to_owned();
    for (number, (shape, prec, gather)) in ops.iter().enumerate() {
        let n = SHAPES[*shape].matches('_').count();
        let gather: Vec<&str> = gather.iter().take(n).map(|&g| GATHER[g]).collect();
        text.push_str(&format!(
            "op {} : {}-> S [prec {prec} gather ({})] .\n",
            name(number, SHAPES[*shape]),
            "S ".repeat(n),
            gather.join(" ")
        ));
    }
    text
}

fn prefix(tree: &Tree, ops: &[Op]) -> String {
    match tree {
        Tree::Constant(at) => ["a", "b", "c"][*at].to_owned(),
        Tree::Node(op, args) => {
            let shape = SHAPES[ops[*op % ops.len()].0];
            let n = shape.matches('_').count();
            let args: Vec<String> = args.iter().take(n).map(|t| prefix(t, ops)).collect();
            format!("{}({})", name(*op % ops.len(), shape), args.join(", "))
        }
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    (0..3usize).prop_map(Tree::Constant).prop_recursive(5, 40, 3, |inner| {
        (0..6usize, prop::collection::vec(inner, 3)).prop_map(|(op, args)| Tree::Node(op, args))
    })
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let gather = prop::collection::vec(0..3usize, 3);
    let op = (0..SHAPES.len(), prop::sample::select(vec![0u8, 10, 20, 41, 60, 96]), gather);
    let one_bracket = |ops: &Vec<Op>| ops.iter().filter(|o| o.0 == 6).count() < 2;
    prop::collection::vec(op, 2..6).prop_filter("one name of each form", one_bracket)
}

proptest! {
    #[test]
    fn printed_terms_read_back(ops in ops(), tree in trees()) {
        let mut module = TestModule::new(&module_text(&ops));
        let (term, _) = read_all(&mut module, &prefix(&tree, &ops));
        let options = PrintOptions { with_parens: true, ..PrintOptions::default() };
        let text = show(&module, term, &options);
        prop_assert_eq!(read_all(&mut module, &text).0, term, "{}", text);
        let text = show(&module, term, &PrintOptions::default());
        let (first, second) = read_all(&mut module, &text);
        prop_assert!(first == term || second.is_some(), "{}", text);
    }
}

/// A module with most of what a grammar can have.
const MODULE: &str = "pr NAT .
sorts S T .
subsort S < T .
ops a b c : -> S .
op k : -> S .
op k : -> Bool .
op f : S S -> S [assoc] .
op g : S -> S [iter] .
op _+_ : S S -> S .
op __ : T T -> T [assoc comm] .
op -_ : S -> S .
op _,_ : S S -> S .
op <_:_|_> : S S T -> T .
op if_then_ : S S -> S .
vars X Y : S .
var N : Nat .";

const WORDS: &str = "( ) ( ) [ ] { } , . : :: = := => /\\ if a b c k X Y N X:S X:[ X: ] .S .[ S T \
    Bool f g g^2 f^0 + - _+_ < > | ; ? ! * or-else idle fail match xmatchrew s.t. such that by \
    using top ( one not test r1 all st <- 0 1 007 -5 2/3 1.5 \"x\" 'q label nonexec metadata \
    print owise true == and if then else fi s_ s_^3 zz";

proptest! {
    #[test]
    fn nothing_that_is_read_is_a_panic(picks in prop::collection::vec(0..1000usize, 0..14)) {
        let mut module = TestModule::new(MODULE);
        let words: Vec<&str> = WORDS.split_whitespace().collect();
        let text: Vec<&str> = picks.iter().map(|&p| words[p % words.len()]).collect();
        let tokens = module.tokens(&text.join(" "));
        let TestModule { grammar, names, .. } = &mut module;
        let _ = grammar.term(None, &tokens, names);
        let _ = grammar.strategy(&tokens, names);
        let _ = grammar.condition(true, &tokens, names);
        let half = tokens.len() / 2;
        let _ = grammar.pair(&tokens[..half], &tokens[half..], names);
        for form in [StatementForm::Equation, StatementForm::ConditionalRule, StatementForm::Membership] {
            let _ = grammar.statement(form, &tokens, names);
        }
        let _ = grammar.definition(true, &tokens, names);
    }
}
