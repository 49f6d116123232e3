//! States, solutions, their order and the rewrites done when each is found.

use super::{Arrow, Search, SearchSpec};
use crate::id::NameId;
use crate::statement::Fragment;
use crate::testing::World;

fn world() -> World {
    let mut w = World::new();
    w.ops("a/0 b/0 c/0 d/0 e/0 g/1 f/2 h/2:AC");
    for rule in ["a => b", "b => c", "b => d", "d => a", "f(X, Y) => f(Y, X)", "h(a, X) => X"] {
        w.statement(rule);
    }
    w.statement("f(X, Y) => f(Z, Y) if X => Z");
    let statement = w.statements.last_mut().unwrap();
    statement.nonexec = true;
    statement.label = Some(NameId(1000));
    w.statement("g(X) => f(Z, W) if h(Z, W) := X");
    w
}

/// State, states so far, rewrites so far, values.
type Found = (usize, usize, u64, Vec<String>);

fn search(
    w: &mut World,
    start: &str,
    arrow: Arrow,
    pattern: &str,
    condition: Vec<Fragment>,
    limit: usize,
) -> (Vec<Found>, (usize, u64)) {
    w.load();
    let start = w.partial(start);
    let pattern = w.term(pattern);
    let pattern = w.terms.normalise(&w.signature, pattern);
    w.engine.reset_counts();
    let spec = SearchSpec { start, arrow, pattern, condition, depth: None };
    let command = w.command();
    let mut search = Search::new(&mut w.engine, &command, spec);
    let mut found = Vec::new();
    while found.len() < limit
        && let Some(solution) = search.next(&mut w.engine).unwrap()
    {
        let mut values = Vec::new();
        for (variable, value) in &solution.bindings {
            let value = w.engine.read_back(value);
            values.push(format!("{} {}", w.show(*variable), w.show_read(&value)));
        }
        found.push((solution.state, search.n_states(), w.engine.counts().total(), values));
    }
    (found, (search.n_states(), w.engine.counts().total()))
}

#[test]
fn no_final_state() {
    let (found, end) = search(&mut world(), "f(a, b)", Arrow::Final, "X", Vec::new(), 99);
    assert!(found.is_empty());
    assert_eq!(end, (16, 48));
}

#[test]
fn solutions_are_found_lazily() {
    let (found, _) = search(&mut world(), "f(a, b)", Arrow::Plus, "f(X, c)", Vec::new(), 2);
    let expected = [(3, 4, 3, vec!["X a".to_string()]), (9, 10, 12, vec!["X b".to_string()])];
    assert_eq!(found, expected);
}

#[test]
fn conditions_search_too() {
    for always in [false, true] {
        let mut w = world();
        if always {
            w.collect_always();
        }
        let condition = vec![Fragment::Rewrite(w.term("X"), w.term("c"))];
        let (found, end) = search(&mut w, "a", Arrow::Star, "X", condition, 99);
        let expected = [(0, 1, 2, "X a"), (1, 2, 6, "X b"), (2, 3, 10, "X c"), (3, 4, 14, "X d")];
        let expected = expected.map(|(s, n, c, t)| (s, n, c, vec![t.to_string()]));
        assert_eq!(found, expected);
        assert_eq!(end, (4, 16));
    }
}

#[test]
fn branching_states() {
    let start = "f(a, g(h(b, c)))";
    let (found, end) = search(&mut world(), start, Arrow::Branching, "X", Vec::new(), 999);
    assert_eq!(found[3], (3, 18, 21, vec!["X f(a, f(b, c))".to_string()]));
    assert_eq!(found.len(), 94);
    assert_eq!(end, (96, 408));
}

#[test]
fn one_step_and_all_matchers() {
    let (found, end) = search(&mut world(), "h(a, h(b, c))", Arrow::One, "h(X, Y)", Vec::new(), 99);
    assert_eq!(found.len(), 16);
    assert_eq!(found[3], (2, 3, 4, vec!["X c".to_string(), "Y h(b, b)".to_string()]));
    assert_eq!(found[9], (3, 4, 5, vec!["X h(c, c)".to_string(), "Y a".to_string()]));
    assert_eq!(end, (5, 6));
}

#[test]
fn paths_and_arcs() {
    let mut w = world();
    w.load();
    let start = w.partial("a");
    let pattern = w.term("d");
    let spec =
        SearchSpec { start, arrow: Arrow::Star, pattern, condition: Vec::new(), depth: None };
    let command = w.command();
    let mut search = Search::new(&mut w.engine, &command, spec);
    let solution = search.next(&mut w.engine).unwrap().unwrap();
    assert_eq!(solution.state, 3);
    assert_eq!(search.next(&mut w.engine).unwrap().map(|s| s.state), None);
    let path = search.path(&w.engine, 3).unwrap();
    assert_eq!(path, [(0, vec![]), (1, vec![0]), (3, vec![2])]);
    assert_eq!(search.arcs(&w.engine, 1), [(2, vec![1]), (3, vec![2])]);
    assert_eq!(search.arcs(&w.engine, 3), [(0, vec![3])]);
}

#[test]
fn searches_take_turns() {
    let mut w = world();
    w.load();
    let (start, pattern) = (w.partial("f(a, b)"), w.term("f(X, Y)"));
    let spec = SearchSpec { start, arrow: Arrow::Star, pattern, condition: vec![], depth: None };
    let alone = |w: &mut World| {
        let command = w.command();
        let mut search = Search::new(&mut w.engine, &command, spec.clone());
        let mut states = Vec::new();
        while let Some(solution) = search.next(&mut w.engine).unwrap() {
            states.push(solution.bindings);
        }
        states
    };
    let expected = alone(&mut w).len();
    let command = w.command();
    let mut searches = [
        Search::new(&mut w.engine, &command, spec.clone()),
        Search::new(&mut w.engine, &command, spec),
    ];
    let mut found = [0, 0];
    for turn in 0.. {
        if searches[turn % 2].next(&mut w.engine).unwrap().is_none() {
            break;
        }
        found[turn % 2] += 1;
    }
    assert_eq!(found, [expected, expected]);
}

#[test]
fn conditions_nest_deeply() {
    let mut w = World::new();
    w.ops("z/0 s/1 f/1 r/1");
    w.statement("f(z) => r(z)").statement("f(s(N)) => r(s(M)) if f(N) => r(M)");
    w.load();
    let mut start = w.partial("z");
    let node = w.partial("s(z)");
    let s = w.terms.node(node).symbol();
    for _ in 0..3000 {
        start = w.terms.app(s, &[start]);
    }
    let node = w.partial("f(z)");
    let f = w.terms.node(node).symbol();
    let start = w.terms.app(f, &[start]);
    let pattern = w.term("r(M)");
    let spec = SearchSpec { start, arrow: Arrow::Final, pattern, condition: vec![], depth: None };
    let command = w.command();
    let mut search = Search::new(&mut w.engine, &command, spec);
    assert_eq!(search.next(&mut w.engine).unwrap().map(|s| s.state), Some(1));
    assert_eq!(w.engine.counts().rules, 3001);
}
