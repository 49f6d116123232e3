use crate::engine::Counts;
use crate::testing::World;

fn world() -> World {
    let mut w = World::new();
    w.ops("a/0 b/0 c/0 d/0 f/2 g/1 h/2:AC");
    for rule in ["a => b", "a => c", "b => a", "f(X, X) => g(X)", "h(c, X) => h(d, X)"] {
        w.statement(rule);
    }
    w
}

/// Runs `rewrite` in pieces: the terms reached, and the rewrites of each piece.
fn rewritten(w: &mut World, text: &str, limits: &[u64]) -> Vec<(String, u64)> {
    let theory = w.load();
    let term = w.partial(text);
    let mut rewriting = w.engine.rewrite(theory, term);
    let mut all = Vec::new();
    for &limit in limits {
        w.engine.reset_counts();
        let term = rewriting.run(&mut w.engine, Some(limit)).unwrap();
        let shown = w.engine.read_back(&term).term;
        all.push((w.show(shown), w.engine.counts().total()));
    }
    all
}

/// The same for `frewrite`; whether the term has a sort instead of the rewrites.
fn fairly(w: &mut World, text: &str, gas: u64, limits: &[u64]) -> Vec<(String, bool)> {
    let theory = w.load();
    let term = w.partial(text);
    let mut rewriting = w.engine.frewrite(theory, term, gas);
    let mut all = Vec::new();
    for &limit in limits {
        let term = rewriting.run(&mut w.engine, Some(limit)).unwrap();
        let shown = w.engine.read_back(&term).term;
        all.push((w.show(shown), term.sort().is_some()));
    }
    all
}

#[test]
fn rules_take_turns_at_positions_breadth_first() {
    for (start, limit, result, rewrites) in [
        ("f(a, a)", 1, "g(a)", 1),
        ("f(a, a)", 3, "g(a)", 3),
        ("f(g(a), a)", 2, "f(g(a), a)", 2),
        ("g(f(a, b))", 1, "g(f(b, b))", 1),
        ("f(a, d)", 9, "f(c, d)", 3),
        ("h(a, h(b, c))", 2, "h(b, b, d)", 2),
    ] {
        let got = rewritten(&mut world(), start, &[limit]);
        assert_eq!(got, [(result.to_string(), rewrites)], "{start}");
    }
}

#[test]
fn rewriting_goes_on_where_it_stopped() {
    let got = rewritten(&mut world(), "f(a, d)", &[1, 1, 5]);
    let expected = [("f(b, d)", 1), ("f(a, d)", 1), ("f(c, d)", 1)];
    assert_eq!(got, expected.map(|(t, n)| (t.to_string(), n)));
}

#[test]
fn collecting_all_the_time_changes_nothing() {
    let mut w = world();
    w.statement("g(X) => h(X, X) if X = c");
    w.engine.collect_always();
    let got = rewritten(&mut w, "f(g(g(a)), h(a, b))", &[12]);
    let mut w = world();
    w.statement("g(X) => h(X, X) if X = c");
    assert_eq!(got, rewritten(&mut w, "f(g(g(a)), h(a, b))", &[12]));
}

#[test]
fn fair_rewriting_stops_in_the_middle() {
    assert_eq!(fairly(&mut world(), "f(a, b)", 1, &[2]), [("f(b, a)".to_string(), false)]);
    assert_eq!(fairly(&mut world(), "f(a, b)", 2, &[4]), [("f(a, c)".to_string(), false)]);
    assert_eq!(
        fairly(&mut world(), "f(f(a, d), f(b, g(a)))", 1, &[4]),
        [("f(f(a, d), f(a, g(c)))".to_string(), false)]
    );
    assert_eq!(
        fairly(&mut world(), "h(a, a)", 1, &[1, 1]),
        [("h(b, a)".to_string(), false), ("h(b, c)".to_string(), false)]
    );
    assert_eq!(fairly(&mut world(), "a", 1, &[1]), [("b".to_string(), true)]);
}

#[test]
fn counts_have_their_kinds() {
    let mut w = world();
    w.statement("g(d) = d");
    let theory = w.load();
    let term = w.partial("f(g(d), b)");
    let mut rewriting = w.engine.rewrite(theory, term);
    rewriting.run(&mut w.engine, Some(1)).unwrap();
    assert_eq!(w.engine.counts(), Counts { equations: 1, memberships: 0, rules: 1 });
}
