//! Several workers on one theory, and what a worker holds after many commands.

use std::sync::Arc;
use std::thread;

use crate::command::CommandTerms;
use crate::search::{Arrow, Search, SearchSpec};
use crate::testing::World;
use crate::theory::Theory;
use crate::worker::Worker;

/// A theory with equations, rules and a multiset.
fn world() -> World {
    let mut w = World::new();
    w.ops("z/0 s/1 plus/2 fib/1 a/0 b/0 c/0 h/2:AC");
    w.statement("plus(z, Y) = Y")
        .statement("plus(s(X), Y) = s(plus(X, Y))")
        .statement("fib(z) = z")
        .statement("fib(s(z)) = s(z)")
        .statement("fib(s(s(X))) = plus(fib(s(X)), fib(X))")
        .statement("h(a, b) => c")
        .statement("c => h(a, b)")
        .statement("a => b");
    w.load();
    w
}

/// What a worker of its own makes of a term and of a search: rewrites, words, states.
fn work(theory: &Arc<Theory>, command: &CommandTerms, spec: &SearchSpec) -> (u64, usize, usize) {
    let mut worker = Worker::new(theory, &Arc::default(), &command.signature, false);
    worker.normal_form(command, spec.start).expect("nothing stops this");
    let mut search = Search::new(&mut worker, command, spec.clone());
    let mut n_solutions = 0;
    while search.next(&mut worker).expect("nothing stops this").is_some() {
        n_solutions += 1;
    }
    (worker.counts().total(), n_solutions, search.n_states())
}

#[test]
fn two_threads_give_what_one_gives() {
    let mut w = world();
    let number = "s(".repeat(12) + "z" + &")".repeat(12);
    let start = w.partial(&format!("h(h(a, a), h(h(c, c), fib({number})))"));
    let pattern = w.term("X");
    let spec =
        SearchSpec { start, arrow: Arrow::Star, pattern, condition: Vec::new(), depth: None };
    let (theory, command) = (Arc::clone(&w.engine.theory), w.command());
    let alone = work(&theory, &command, &spec);
    assert!(alone.0 > 300 && alone.1 > 10, "{alone:?}");
    let together = thread::scope(|scope| {
        let task = || work(&theory, &command, &spec);
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(task)).collect();
        threads.into_iter().map(|thread| thread.join().expect("it ends")).collect::<Vec<_>>()
    });
    assert_eq!(together, [alone, alone]);
}

#[test]
fn many_reductions_leave_nothing_behind() {
    let mut w = world();
    let number = "s(".repeat(10) + "z" + &")".repeat(10);
    let term = w.partial(&format!("fib({number})"));
    let command = w.command();
    let mut sizes = Vec::new();
    for n in 1..=100_000 {
        let result = w.engine.normal_form(&command, term).expect("nothing stops this");
        if n % 50_000 == 100 {
            drop(result);
            sizes.push(w.engine.size());
        }
    }
    assert_eq!(sizes.len(), 2);
    // The heap is collected when it has grown to a size that does not depend on the past.
    let collected = 4 << 20;
    assert!(sizes.iter().all(|&size| size < collected), "{sizes:?}");
}
