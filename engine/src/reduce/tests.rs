//! Results and counts of small programs; the counts are those of the language (`docs/semantics.md`
//! 3.7).

use crate::testing::World;

fn check(world: &mut World, text: &str, result: &str, count: u64) {
    assert_eq!(world.reduce(text), (result.to_string(), count), "{text}");
}

#[test]
fn peano_numbers() {
    let mut w = World::new();
    w.ops("z/0 s/1 plus/2 fib/1")
        .statement("plus(z, Y) = Y")
        .statement("plus(s(X), Y) = s(plus(X, Y))")
        .statement("fib(z) = z")
        .statement("fib(s(z)) = s(z)")
        .statement("fib(s(s(X))) = plus(fib(s(X)), fib(X))")
        .load();
    check(&mut w, "plus(s(s(z)), s(z))", "s(s(s(z)))", 3);
    check(&mut w, "fib(s(s(s(s(s(z))))))", "s(s(s(s(s(z)))))", 32);
}

#[test]
fn equal_subterms_are_reduced_once() {
    let mut w = World::new();
    w.ops("a/0 b/0 c/0 f/2 g/1 k/1 d/1")
        .statement("a = b")
        .statement("g(b) = c")
        .statement("d(X) = f(g(X), g(X))")
        .load();
    check(&mut w, "f(a, a)", "f(b, b)", 1);
    check(&mut w, "d(a)", "f(c, c)", 3);
    check(&mut w, "f(g(a), f(a, g(a)))", "f(c, f(b, c))", 2);
}

#[test]
fn conditions_backtrack_to_the_next_equation() {
    let mut w = World::new();
    w.ops("a/0 b/0 c/0 t/0 f/1 g/1 h/1")
        .statement("g(a) = t")
        .statement("g(b) = c")
        .statement("f(X) = a if g(X) = t")
        .statement("f(X) = h(Y) if Y := g(X)")
        .load();
    check(&mut w, "f(a)", "a", 2);
    check(&mut w, "f(b)", "h(c)", 3);
    check(&mut w, "f(c)", "h(g(c))", 1);
}

#[test]
fn what_extension_leaves_over_is_tried_again() {
    let mut w = World::new();
    w.ops("a/0 b/0 c/0 d/0 x/0 y/0 e/0 h/2:AC l/2:A q/2 g/1 n/1:I")
        .statement("h(a, a) = b")
        .statement("h(b, c) = x")
        .statement("h(c, d) = y")
        .statement("l(a, b) = c")
        .statement("l(c, c) = d")
        .statement("g(c) = a")
        .statement("q(X, Y) = h(g(X), g(Y))")
        .statement("n(n(n(X))) = X")
        .load();
    check(&mut w, "h(a, a, c, d)", "h(b, y)", 2);
    check(&mut w, "l(x, a, b, a, b, y)", "l(x, d, y)", 3);
    check(&mut w, "q(c, c)", "b", 4);
    check(&mut w, "n(n(n(n(n(n(n(a)))))))", "n(a)", 2);
}

#[test]
fn lazy_arguments_are_copied_before_they_are_evaluated() {
    let mut w = World::new();
    w.ops("a/0 b/0 c/0 g/1 k/2 mm/1 lz/1:lazy pair/2:lazy")
        .statement("a = b")
        .statement("g(b) = c")
        .statement("mm(X) = lz(k(X, X))")
        .load();
    check(&mut w, "lz(g(a))", "lz(g(a))", 0);
}

#[test]
fn a_term_a_million_deep() {
    let mut w = World::new();
    w.ops("z/0 s/1 c/1 e/1 double/1 mk/1 depth/1")
        .statement("double(z) = z")
        .statement("double(s(X)) = s(s(double(X)))")
        .statement("mk(z) = e(z)")
        .statement("mk(s(X)) = c(mk(X))")
        .statement("depth(e(X)) = z")
        .statement("depth(c(X)) = s(depth(X))")
        .load();
    let mut number = "s(z)".to_string();
    for _ in 0..20 {
        number = format!("double({number})");
    }
    let t = w.partial(&format!("depth(mk({number}))"));
    let command = w.command();
    w.engine.normal_form(&command, t).expect("nothing stops this");
    assert!(w.engine.counts().total() > 3_000_000);
    // Collections happen on the way.
    w.collect_always();
    let (text, _) = w.reduce("depth(mk(double(double(s(s(z))))))");
    assert_eq!(text.matches('s').count(), 8);
}
