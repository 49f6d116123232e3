//! Hooks that crates above the engine add.

use std::sync::Arc;
use std::thread;

use super::{Evaluation, HookAnswer, HookCall, Hooks};
use crate::command::CommandTerms;
use crate::limits::Stop;
use crate::result::Readback;
use crate::term::{StaticNode, StaticTerms};
use crate::testing::World;

/// The arguments of the hook's first argument, and the terms that they are in.
fn below(call: &HookCall<'_>) -> (Readback, Vec<crate::id::StaticId>) {
    let read = call.argument(0);
    let args = read.terms.args(read.term);
    (read, args)
}

/// `up(s(X))` is what `up(X)` is in a worker of its own, with an `s` around; it is stuck elsewhere.
fn up(call: &HookCall<'_>) -> HookAnswer {
    let (mut read, args) = below(call);
    let (theory, &[arg]) = (call.theory(), &args[..]) else { return HookAnswer::Stuck };
    let s = read.terms.node(read.term).symbol();
    let term = read.terms.app(call.symbol(), &[arg]);
    let command = CommandTerms { signature: call.signature().clone(), terms: Arc::new(read.terms) };
    HookAnswer::Evaluate(Evaluation::new(theory, command, term, move |mut done| {
        let term = done.terms.app(s, &[done.term]);
        (done.terms, term)
    }))
}

/// `twice(X)` is `h(X, X)`, which is evaluated further.
fn twice(call: &HookCall<'_>) -> HookAnswer {
    let mut read = call.argument(0);
    let h = (0..call.signature().n_symbols() as u32).map(crate::id::SymbolId);
    let h = h.into_iter().find(|&s| &*call.signature().symbol(s).name == "h");
    let Some(h) = h else { return HookAnswer::Stuck };
    let term = read.terms.app(h, &[read.term, read.term]);
    HookAnswer::Term(read.terms, term)
}

fn world() -> World {
    let mut hooks = Hooks::default();
    let up = hooks.add("UpSymbol", None, up);
    let twice = hooks.add("TwiceSymbol", Some("twice"), twice);
    assert_eq!(hooks.find("UpSymbol", Some("x")).map(|found| found.0), Some(up));
    assert_eq!(hooks.find("TwiceSymbol", Some("twice")).map(|found| found.0), Some(twice));
    assert_eq!(hooks.find("TwiceSymbol", None), None);
    let mut w = World::new();
    w.hooks = Arc::new(hooks);
    w.ops("z/0 a/0 s/1 h/2 k/1 g/2:AC").computed("up", 1, up).computed("twice", 1, twice);
    w.statement("h(X, a) = z").statement("up(z) = a").statement("k(X) = up(s(X))");
    w
}

#[test]
fn an_answer_is_evaluated_further() {
    let mut w = world();
    w.load();
    // One rewrite for the hook, one for the equation.
    assert_eq!(w.reduce("twice(a)"), ("z".to_owned(), 2));
    assert_eq!(w.reduce("twice(s(z))"), ("h(s(z), s(z))".to_owned(), 1));
    // Equal subterms are one node, which is computed once.
    assert_eq!(w.reduce("g(twice(a), g(twice(a), a))"), ("g(z, z, a)".to_owned(), 2));
}

#[test]
fn where_a_hook_is_stuck_the_equations_are_tried() {
    let mut w = world();
    w.load();
    assert_eq!(w.reduce("up(z)"), ("a".to_owned(), 1));
    assert_eq!(w.reduce("up(a)"), ("up(a)".to_owned(), 0));
}

#[test]
fn a_term_is_evaluated_by_another_worker_and_its_rewrites_count() {
    let mut w = world();
    w.statement("h(X, X) = X if up(s(X)) = s(a)");
    w.collect_always();
    w.load();
    assert_eq!(w.reduce("up(s(s(z)))"), ("s(s(a))".to_owned(), 3));
    assert_eq!(w.reduce("s(k(z))"), ("s(s(a))".to_owned(), 3));
    // In a condition: the rewrite of the equation, those of the hook, those of `up(z)`.
    assert_eq!(w.reduce("h(z, z)"), ("z".to_owned(), 3));
}

#[test]
fn waiting_workers_need_no_stack() {
    let deep = || {
        let mut w = world();
        w.load();
        let n = 500;
        let mut number = w.term("z");
        let s = w.term("s(z)");
        let s = w.terms.node(s).symbol();
        for _ in 0..n {
            number = w.terms.app(s, &[number]);
        }
        let up = w.term("up(z)");
        let up = w.terms.node(up).symbol();
        let term = w.terms.app(up, &[number]);
        let command = w.command();
        let result = w.engine.normal_form(&command, term).expect("nothing stops this");
        let read = w.engine.read_back(&result);
        let (mut at, mut depth) = (read.term, 0);
        while let StaticNode::App(_, args) = read.terms.node(at)
            && let [arg] = args[..]
        {
            (at, depth) = (arg, depth + 1);
        }
        assert_eq!((depth, w.engine.counts().total()), (n, n + 1));
    };
    let thread = thread::Builder::new().stack_size(256 * 1024).spawn(deep);
    thread.expect("a thread").join().expect("it ends well");
}

#[test]
fn an_interrupt_reaches_the_worker_that_runs() {
    let mut w = world();
    w.ops("loop/1 quote/1:lazy").statement("loop(X) = loop(X)");
    let mut hooks = Hooks::default();
    let endless = hooks.add("EndlessSymbol", None, |call| {
        let (mut read, args) = below(call);
        let term = read.terms.args(args[0])[0];
        let terms = std::mem::replace(&mut read.terms, StaticTerms::new());
        let command = CommandTerms { signature: call.signature().clone(), terms: Arc::new(terms) };
        HookAnswer::Evaluate(Evaluation::new(call.theory(), command, term, |done| {
            (done.terms, done.term)
        }))
    });
    w.hooks = Arc::new(hooks);
    w.computed("endless", 1, endless);
    w.load();
    let term = w.partial("endless(quote(quote(loop(z))))");
    let command = w.command();
    let flag = w.engine.limits().interrupt();
    let stopper = thread::spawn(move || {
        thread::sleep(std::time::Duration::from_millis(50));
        flag.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    assert_eq!(w.engine.normal_form(&command, term).err(), Some(Stop::Interrupted));
    stopper.join().expect("it ends");
    w.engine.limits().interrupt().store(false, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(w.reduce("h(z, a)"), ("z".to_owned(), 1));
}
