//! Tests of the parser on small modules; readings are shown with parentheses around every operator
//! with arguments.

use broth_engine::StaticId;

use super::testing::{TestModule, TestSymbols};
use super::*;

const P1: &str = "pr BOOL .
sorts A B .
ops a b c : -> A .
ops x y : -> B .
op _+_ : A A -> A .
op _*_ : A A -> A [prec 30] .
op _^_ : A A -> A [prec 20 gather (E e)] .
op _&_ : A A -> A [assoc prec 33] .
op -_ : A -> A .
op _! : A -> A .
op if_then_else_end : A A A -> A .
op {_} : A -> A .
op [_|_] : A A -> A .
op _in_ : A A -> B .
op f : A A -> A .
op f : B B -> B .
op k : -> A .
op k : -> B .
op _,_ : A A -> A .
op hello_`[_`]world : A A -> A .
op g : A -> A [iter] .
op h : A A -> A [assoc] .
op h2 : B B -> B [assoc] .
var X : A .";

fn show(module: &TestModule, tree: &Tree, term: TermRef) -> String {
    let d = &module.description;
    let text = |n| module.names.text(n).to_owned();
    let sort = |of: &Type| match of {
        Type::Sort(s) => text(d.sorts[s.index()].name),
        Type::Kind(k) => format!("[{}]", k.0),
    };
    let args = |name: String| {
        let args: Vec<String> =
            tree.args(term).into_iter().map(|a| show(module, tree, a)).collect();
        if args.is_empty() { name } else { format!("{name}({})", args.join(" ")) }
    };
    match &tree.node(term).head {
        Head::Operator(op) => args(text(d.operators[op.index()].syntax.name)),
        Head::List(op) => args(format!("{}*", text(d.operators[op.index()].syntax.name))),
        Head::Iterated(op, n) => args(format!("{}^{n}", text(d.operators[op.index()].syntax.name))),
        Head::Instance(p, kind) => {
            args(format!("{}.{}", text(d.polymorphs[p.index()].syntax.name), kind.0))
        }
        Head::SortTest(of) => args(format!("::{}", sort(of))),
        Head::Variable(name, of) => format!("{}:{}", text(*name), sort(of)),
        Head::Literal(_, literal) => format!("{literal:?}"),
        Head::Number(_, number) => format!("{}", number.value),
    }
}

fn read(module: &mut TestModule, text: &str) -> String {
    let tokens = module.tokens(text);
    let TestModule { grammar, names, .. } = module;
    match grammar.term(None, &tokens, names) {
        Ok(reading) => {
            let mut shown = show(module, &reading.tree, reading.value);
            if let Some((tree, term)) = &reading.other {
                shown += " or ";
                shown += &show(module, tree, *term);
            }
            shown
        }
        Err(error) => format!("{:?} {}", error.kind, error.token),
    }
}

#[test]
fn tables_that_were_forgotten_are_made_again_without_new_names() {
    let mut module = TestModule::new(P1);
    for text in ["a + b * c", "k", "X:[A] + a", "(k).A", "g^3(a)", "a :: A", "a + q", "X:Q + a"] {
        let shown = read(&mut module, text);
        let before = module.names.intern(&format!("before {text}"));
        module.grammar.forget_tables();
        assert_eq!(read(&mut module, text), shown, "{text}");
        let after = module.names.intern(&format!("after {text}"));
        assert_eq!(after.0, before.0 + 1, "{text}");
    }
}

#[test]
fn terms_are_read_as_the_language_says() {
    let mut module = TestModule::new(P1);
    for (text, shown) in [
        ("a", "a"),
        ("a + b * c", "_+_(a _*_(b c))"),
        ("a + b + c", "_+_(_+_(a b) c) or _+_(a _+_(b c))"),
        ("(a + b) + c", "_+_(_+_(a b) c)"),
        ("a ^ b ^ c", "_^_(_^_(a b) c)"),
        ("a & b & c", "_&_(a _&_(b c))"),
        ("a & b & c & a & b & c", "_&_(a _&_(b _&_(c _&_(a _&_(b c)))))"),
        ("- a !", "_!(-_(a)) or -_(_!(a))"),
        ("if a then b else c end + a", "_+_(if_then_else_end(a b c) a)"),
        ("[ a | b + c ]", "`[_|_`](a _+_(b c))"),
        ("f(a, b)", "f(a b)"),
        ("k", "k or k"),
        ("(k).A", "k"),
        ("a, b", "_`,_(a b)"),
        ("hello a [b] world", "hello_`[_`]world(a b)"),
        ("_+_(a, b)", "_+_(a b)"),
        ("X:A + Y:A", "_+_(X:A Y:A)"),
        ("X:[A] + Y:[A]", "_+_(X:[1] Y:[1])"),
        ("X + a", "_+_(X:A a)"),
        ("(a).B", "UnexpectedToken 3"),
        ("a +", "UnexpectedEnd 1"),
        ("a + q", "BadToken 2"),
        ("(a + b).[A]", "_+_(a b)"),
        ("(a + b) . A", "_+_(a b)"),
        ("X:Q + a", "UnknownSort 0"),
        ("g^3(a)", "g^3(a)"),
        ("g(g(a))", "g(g(a))"),
        ("h(a, b, c)", "h*(_`,_(a b) c) or h*(a _`,_(b c))"),
        ("h2(k, y, x, k)", "h2*(k y x k)"),
        ("h(a)", "UnexpectedToken 3"),
        ("a :: A", "::A(a)"),
        ("a == b == true", "_==_.0(_==_.1(a b) true)"),
        ("not a :: A", "not_(::A(a))"),
        ("- - - - a", "-_(-_(-_(-_(a))))"),
        ("- (- (- a)) !", "_!(-_(-_(-_(a)))) or -_(_!(-_(-_(a))))"),
    ] {
        assert_eq!(read(&mut module, text), shown, "{text}");
    }
}

/// Makes the static term of the first reading, partially normalised if wanted.
fn make(module: &mut TestModule, text: &str) -> StaticId {
    let tokens = module.tokens(text);
    let reading =
        module.grammar.term(None, &tokens, &mut module.names).expect("the term can be read");
    let description = module.description.clone();
    let mut symbols = TestSymbols {
        theory: &mut module.theory,
        signature: &mut module.signature,
        description: &description,
        names: &module.names,
    };
    reading.tree.instantiate(reading.value, &description.literals, &mut symbols, &mut module.terms)
}

#[test]
fn lists_of_arguments_make_their_variables_from_right_to_left() {
    let text = "sorts A B C .\nsubsorts A B < C .\nop h : C C -> C [assoc] .\nop f : C C -> C .";
    let order = |term: &str| {
        let mut module = TestModule::new(text);
        make(&mut module, term);
        module.theory.variables.iter().map(|v| v.0).collect::<Vec<_>>()
    };
    let [a, b, c] = [0, 1, 2].map(|at| Type::Sort(SortIndex(at)));
    assert_eq!(order("f(X:A, Y:B)"), [a, b]);
    assert_eq!(order("h(X:A, Y:B)"), [b, a]);
    assert_eq!(order("h(X:A, f(Y:B, Z:C))"), [b, c, a]);
}

#[test]
fn numbers_and_iterations_become_iterated_nodes() {
    let mut module = TestModule::new("pr NAT .\nvar X : Nat .");
    let five = make(&mut module, "005");
    let same = make(&mut module, "s_^5(0)");
    assert_eq!(five, same);
    let sum = make(&mut module, "1 + X + 3");
    assert_eq!(module.terms.args(sum).len(), 2);
}

#[test]
fn endless_ambiguity_is_given_up() {
    let mut module = TestModule::new("sort A .\nop a : -> A .\nop _+_ : A A -> A .");
    assert!(read(&mut module, &vec!["a"; 100].join(" + ")).contains(" or "));
    let text = vec!["a"; 3000].join(" + ");
    assert!(read(&mut module, &text).starts_with("TooAmbiguous"));
}
