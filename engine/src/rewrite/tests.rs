use std::sync::atomic::Ordering;

use super::{FairRewriting, Rewriting};
use crate::limits::Stop;
use crate::signature::ObjectRole;
use crate::testing::World;
use crate::worker::Counts;

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
    w.load();
    let term = w.partial(text);
    let command = w.command();
    let mut rewriting = Rewriting::new(&mut w.engine, &command, term);
    let mut all = Vec::new();
    for &limit in limits {
        w.engine.reset_counts();
        let term = rewriting.run(&mut w.engine, Some(limit)).unwrap();
        let shown = w.engine.read_back(&term);
        all.push((w.show_read(&shown), w.engine.counts().total()));
    }
    all
}

/// The same for `frewrite`; whether the term has a sort instead of the rewrites.
fn fairly(w: &mut World, text: &str, gas: u64, limits: &[u64]) -> Vec<(String, bool)> {
    w.load();
    let term = w.partial(text);
    let command = w.command();
    let mut rewriting = FairRewriting::new(&mut w.engine, &command, term, gas);
    let mut all = Vec::new();
    for &limit in limits {
        let term = rewriting.run(&mut w.engine, Some(limit)).unwrap();
        let shown = w.engine.read_back(&term);
        all.push((w.show_read(&shown), term.sort().is_some()));
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
    w.collect_always();
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
    w.load();
    let term = w.partial("f(g(d), b)");
    let command = w.command();
    let mut rewriting = Rewriting::new(&mut w.engine, &command, term);
    rewriting.run(&mut w.engine, Some(1)).unwrap();
    assert_eq!(w.engine.counts(), Counts { equations: 1, memberships: 0, rules: 1 });
}

#[test]
fn messages_are_delivered_in_one_visit() {
    for always in [false, true] {
        let mut w = World::new();
        w.ops("none/0 a/0 b/0 z/0 s/1 o/2 m/1 u/2:AC=none");
        for (text, role) in [
            ("u(a, b)", ObjectRole::Configuration),
            ("o(a, b)", ObjectRole::Object),
            ("m(a)", ObjectRole::Message),
        ] {
            let term = w.term(text);
            let symbol = w.terms.node(term).symbol();
            w.signature.set_object_role(symbol, role);
        }
        w.statement("u(m(X), o(X, Y)) => o(X, s(Y))");
        if always {
            w.collect_always();
        }
        let start = "u(m(a), u(m(a), u(o(b, z), u(o(a, z), m(z)))))";
        let got = fairly(&mut w, start, 1, &[1]);
        assert_eq!(got, [("u(m(z), o(a, s(s(z))), o(b, z))".to_string(), true)]);
        assert_eq!(w.engine.counts().rules, 2);
    }
}

#[test]
fn turns_can_outlast_a_command() {
    let mut w = World::new();
    w.ops("a/0 b/0 c/0");
    w.statement("a => b").statement("a => c");
    w.load();
    let term = w.partial("a");
    let mut results = Vec::new();
    for clears in [true, true, false, false] {
        w.engine.set_clear_turns(clears);
        let command = w.command();
        let result =
            Rewriting::new(&mut w.engine, &command, term).run(&mut w.engine, Some(1)).unwrap();
        let shown = w.engine.read_back(&result);
        results.push(w.show_read(&shown));
    }
    assert_eq!(results, ["b", "b", "c", "b"]);
}

#[test]
fn what_was_interrupted_stays_so() {
    let mut w = World::new();
    w.ops("a/0 s/1");
    w.statement("s(X) => s(s(X))");
    w.load();
    let term = w.partial("s(a)");
    let command = w.command();
    let mut rewriting = Rewriting::new(&mut w.engine, &command, term);
    let flag = w.engine.space.limits.interrupt();
    flag.store(true, Ordering::Relaxed);
    assert_eq!(rewriting.run(&mut w.engine, None).unwrap_err(), Stop::Interrupted);
    flag.store(false, Ordering::Relaxed);
    assert_eq!(rewriting.run(&mut w.engine, Some(1)).unwrap_err(), Stop::Interrupted);
    let command = w.command();
    let mut rewriting = Rewriting::new(&mut w.engine, &command, term);
    assert!(rewriting.run(&mut w.engine, Some(1)).is_ok());
}

#[test]
fn rules_apply_below_lazy_positions() {
    let mut w = World::new();
    w.ops("a/0 b/0 k/1 g/1 l/1:lazy f/2");
    w.statement("g(a) = b").statement("k(X) => g(X)").statement("l(X) => f(X, X)");
    w.load();
    let term = w.partial("l(k(a))");
    let command = w.command();
    let mut rewriting = FairRewriting::new(&mut w.engine, &command, term, 1);
    let result = rewriting.run(&mut w.engine, Some(1)).unwrap();
    let shown = w.engine.read_back(&result);
    // What a rule puts there is not reduced.
    assert_eq!(w.show_read(&shown), "l(g(a))");
    let result = rewriting.run(&mut w.engine, Some(1)).unwrap();
    let shown = w.engine.read_back(&result);
    assert_eq!(w.show_read(&shown), "f(b, b)");
}

/// What `rewrite` allocates on a term to which no rule applies after all.
fn allocated(rules: &[&str], term: &str) -> u64 {
    let mut w = World::new();
    w.ops("a/0 b/0 f/2 g/1 h/2:AC k/2:A");
    for rule in rules {
        w.statement(rule);
    }
    w.load();
    let term = w.partial(term);
    let command = w.command();
    let mut run = || {
        let mut rewriting = Rewriting::new(&mut w.engine, &command, term);
        allocation_counter::measure(|| {
            rewriting.run(&mut w.engine, None).unwrap();
        })
    };
    // What is made once for a theory is there then.
    run();
    run().count_total
}

/// Rules, and a subject of a size to which none of them applies.
type Case<'a> = (&'a [&'a str], &'a dyn Fn(usize) -> String);

#[test]
fn trials_of_rules_that_fail_allocate_nothing() {
    let nest = |n: usize| "f(g(g(a)), ".repeat(n) + "a" + &")".repeat(n);
    let soup = |n: usize| format!("h({})", vec!["g(a), g(g(a))"; n].join(", "));
    let list = |n: usize| format!("k({})", vec!["g(a), g(g(a))"; n].join(", "));
    let cases: [Case<'_>; 5] = [
        (&["g(g(b)) => a", "f(X, X) => a", "f(g(X), f(X, Y)) => a"], &nest),
        (&["g(X) => a if X = b", "f(X, Y) => a if X = g(Y)"], &nest),
        (&["f(X, Y) => a if g(b) := X", "g(g(X)) => a if g(Y) := X /\\ Y = b"], &nest),
        (&["h(g(b), X) => a", "g(X) => a if X = b"], &soup),
        (&["k(g(b), X) => a", "k(X, g(Y), Z) => a if Y = b"], &list),
    ];
    for (rules, subject) in cases {
        // The result that waits for the next run is kept node by node, with rules or without.
        let more = |n| allocated(rules, &subject(n)).saturating_sub(allocated(&[], &subject(n)));
        let (few, many) = (more(10), more(80));
        // Stacks and lists of positions double a few times; eight times as many trials, or a thousand
        // times as many matches, show nothing.
        assert!(many <= few + 40, "{rules:?}: {few} for 10, {many} for 80");
    }
}

#[test]
fn states_of_searches_that_are_over_give_their_room_to_others() {
    let mut w = World::new();
    w.ops("a/0 b/0 s/1 down/1 pair/2");
    w.statement("down(s(X)) => down(X) if pair(X, X) => b");
    w.statement("pair(s(X), Y) => pair(X, Y)").statement("pair(a, Y) => b");
    w.load();
    let text = (0..40).fold("a".to_owned(), |term, _| format!("s({term})"));
    let mut loads = Vec::new();
    for collects in [false, true] {
        if collects {
            w.collect_always();
        }
        let term = w.partial(&format!("down({text})"));
        let command = w.command();
        let mut running = Rewriting::new(&mut w.engine, &command, term);
        let result = running.run(&mut w.engine, None).expect("nothing stops this");
        let shown = w.engine.read_back(&result);
        assert_eq!(w.show_read(&shown), "down(a)");
        loads.push(w.engine.space.memory.store_load());
    }
    assert!(loads[1] * 4 < loads[0], "{loads:?}");
}
