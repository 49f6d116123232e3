//! Solutions, their order and the rewrites done when each is found.

use super::Strategic;
use crate::id::NameId;
use crate::statement::{Application, Expr, MatchKind, RewriteItem};
use crate::testing::World;

const P: u32 = 1000;
const Q: u32 = 1001;
const R: u32 = 1002;
const SW: u32 = 1003;
const DR: u32 = 1004;
const CD: u32 = 1005;
const CM: u32 = 1006;

fn world() -> World {
    let mut w = World::new();
    w.ops("a/0 b/0 c/0 d/0 e/0 g/1 f/2 h/2:AC");
    let mut rule = |label, text| {
        let nonexec = label == CD;
        w.statement(text);
        let statement = w.statements.last_mut().unwrap();
        statement.label = Some(NameId(label));
        statement.nonexec = nonexec;
    };
    rule(P, "a => b");
    rule(Q, "b => c");
    rule(P, "b => d");
    rule(R, "d => a");
    rule(SW, "f(X, Y) => f(Y, X)");
    rule(DR, "h(a, X) => X");
    rule(CD, "f(X, Y) => f(Z, Y) if X => Z");
    rule(CM, "g(X) => f(Z, W) if h(Z, W) := X");
    w
}

fn applied(label: Option<u32>, conditions: Vec<Expr>) -> Expr {
    let label = label.map(NameId);
    Expr::Apply(Application { label, substitution: Vec::new(), conditions, top: false })
}

fn rl(label: u32) -> Expr {
    applied(Some(label), Vec::new())
}

fn seq(parts: Vec<Expr>) -> Expr {
    Expr::Sequence(parts)
}

fn or(parts: Vec<Expr>) -> Expr {
    Expr::Union(parts)
}

fn star(s: Expr) -> Expr {
    Expr::Star(Box::new(s))
}

fn check(w: &mut World, start: &str, strategy: Expr, depth_first: bool, expected: &[(&str, u64)]) {
    w.load();
    let term = w.partial(start);
    w.engine.reset_counts();
    let command = w.command();
    let mut running = Strategic::new(&command, term, strategy, depth_first);
    let mut found = Vec::new();
    while let Some(term) = running.next(&mut w.engine).unwrap() {
        let shown = w.engine.read_back(&term);
        found.push((w.show_read(&shown), w.engine.counts().total()));
        assert!(found.len() < 100);
    }
    found.push(("end".into(), w.engine.counts().total()));
    let expected: Vec<(String, u64)> = expected.iter().map(|(t, n)| (t.to_string(), *n)).collect();
    assert_eq!(found, expected, "{start}");
}

fn fair(start: &str, strategy: Expr, expected: &[(&str, u64)]) {
    check(&mut world(), start, strategy.clone(), false, expected);
    // The same when terms move as often as they can.
    let mut w = world();
    w.collect_always();
    check(&mut w, start, strategy, false, expected);
}

#[test]
fn equal_results_are_one_solution() {
    fair("a", or(vec![rl(P), rl(P)]), &[("b", 2), ("end", 2)]);
}

#[test]
fn iterations() {
    fair("a", star(rl(P)), &[("a", 0), ("b", 1), ("d", 2), ("end", 2)]);
    let all = star(applied(None, Vec::new()));
    fair("a", all, &[("a", 0), ("b", 1), ("c", 3), ("d", 3), ("end", 4)]);
    let twice = Expr::Normal(Box::new(seq(vec![rl(P), rl(P)])));
    fair("a", twice, &[("d", 2), ("end", 2)]);
}

#[test]
fn sequences_and_unions() {
    let s = seq(vec![or(vec![rl(P), rl(Q)]), rl(SW)]);
    fair("f(a, b)", s, &[("f(b, b)", 5), ("f(c, a)", 6), ("f(d, a)", 6), ("end", 6)]);
    let s = seq(vec![rl(DR), rl(P)]);
    fair("h(a, h(b, a))", s, &[("h(b, b)", 4), ("h(a, d)", 5), ("end", 5)]);
}

#[test]
fn branches() {
    let branch = Expr::Branch(Box::new(rl(P)), Box::new(rl(Q)), Box::new(rl(R)));
    let s = Expr::OrElse(Box::new(branch), Box::new(Expr::Fail));
    fair("a", s, &[("c", 2), ("end", 2)]);
    let s = seq(vec![
        Expr::Not(Box::new(rl(Q))),
        Expr::Check(Box::new(rl(P))),
        Expr::One(Box::new(or(vec![rl(P), Expr::Idle]))),
    ]);
    fair("a", s, &[("a", 2), ("end", 2)]);
}

#[test]
fn conditions_of_labelled_rules() {
    fair("f(a, b)", applied(Some(CD), vec![rl(P)]), &[("f(b, b)", 2), ("end", 2)]);
    fair("f(a, b)", rl(CD), &[("end", 0)]);
    let inside = or(vec![rl(P), star(rl(Q))]);
    let s = seq(vec![applied(Some(CD), vec![inside]), applied(Some(CD), vec![rl(Q)])]);
    fair("f(a, b)", s, &[("f(c, b)", 5), ("end", 5)]);
    let s = seq(vec![rl(CM), Expr::Try(Box::new(rl(P)))]);
    let expected = [
        ("f(b, h(b, c))", 8),
        ("f(a, h(c, d))", 11),
        ("f(d, h(a, c))", 11),
        ("f(c, h(b, b))", 13),
        ("f(c, h(a, d))", 15),
        ("f(h(b, b), c)", 15),
        ("f(h(a, d), c)", 17),
        ("f(h(a, c), d)", 17),
        ("f(h(b, c), b)", 18),
        ("f(h(c, d), a)", 18),
        ("end", 18),
    ];
    fair("g(h(a, h(b, c)))", s, &expected);
}

#[test]
fn parts_of_a_match_are_combined() {
    let mut w = world();
    let pattern = w.term("f(X, Y)");
    let item = |variable, strategy| RewriteItem { variable, strategy };
    let s = Expr::MatchRewrite {
        kind: MatchKind::Whole,
        pattern,
        condition: Vec::new(),
        items: vec![
            item(w.term("X"), Expr::Plus(Box::new(rl(P)))),
            item(w.term("Y"), or(vec![rl(P), rl(Q)])),
        ],
    };
    let expected = [("f(b, d)", 4), ("f(b, c)", 4), ("f(d, d)", 4), ("f(d, c)", 4), ("end", 4)];
    check(&mut w, "f(a, b)", s.clone(), false, &expected);
    let mut w = world();
    w.term("f(X, Y)");
    let expected = [("f(b, d)", 3), ("f(d, d)", 3), ("f(b, c)", 4), ("f(d, c)", 4), ("end", 4)];
    check(&mut w, "f(a, b)", s, true, &expected);
}
