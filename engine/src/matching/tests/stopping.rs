//! A matcher that finds nothing for a long time ends when the computation has to stop.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::limits::Stop;
use crate::matches::MatchSpec;
use crate::matches::Matches;
use crate::testing::World;

/// Operators whose pattern with variables has very many matchers with many constants, but none that
/// agrees with one of the other operator of the line.
const HOPELESS: [(&str, &str); 2] = [("u", "v"), ("l", "m")];

/// A term of many arguments.
fn long(op: &str, args: impl DoubleEndedIterator<Item = String>) -> String {
    let mut args = args.rev();
    let last = args.next().expect("there are arguments");
    args.fold(last, |rest, arg| format!("{op}({arg},{rest})"))
}

fn variables(op: &str) -> String {
    long(op, ('A'..='L').map(String::from))
}

fn constants(op: &str, name: &str) -> String {
    long(op, (0..30).map(|i| format!("{name}{i}")))
}

fn world() -> World {
    let mut w = World::new();
    w.ops("f/2 p/1 z/0 u/2:AC v/2:AC l/2:A m/2:A");
    for i in 0..30 {
        w.ops(&format!("a{i}/0 b{i}/0"));
    }
    w
}

#[test]
fn an_interrupt_ends_a_left_side() {
    for (one, other) in HOPELESS {
        let mut w = world();
        w.statement(&format!("p(f({},{})) = z", variables(one), variables(other)));
        w.load();
        let subject = format!("p(f({},{}))", constants(one, "a"), constants(other, "b"));
        let term = w.partial(&subject);
        w.engine.space.limits.interrupt().store(true, Ordering::Relaxed);
        let command = w.command();
        assert_eq!(w.engine.normal_form(&command, term).unwrap_err(), Stop::Interrupted);
        w.engine.space.limits.interrupt().store(false, Ordering::Relaxed);
        let term = w.partial("p(z)");
        let command = w.command();
        let result = w.engine.normal_form(&command, term).expect("nothing stops this");
        let shown = w.engine.read_back(&result);
        assert_eq!(w.show_read(&shown), "p(z)");
    }
}

#[test]
fn an_interrupt_ends_a_match() {
    for (one, other) in HOPELESS {
        let mut w = world();
        w.load();
        let pattern = w.term(&format!("f({},{})", variables(one), variables(other)));
        let pattern = w.terms.normalise(&w.signature, pattern);
        let subject = format!("f({},{})", constants(one, "a"), constants(other, "b"));
        let subject = w.partial(&subject);
        // Who measures the memory is asked at each look at the limits, when matching is under way.
        let (flag, asked) = (w.engine.space.limits.interrupt(), AtomicU32::new(0));
        w.engine.space.limits.set_memory(u64::MAX, move |_| {
            flag.store(asked.fetch_add(1, Ordering::Relaxed) > 1, Ordering::Relaxed);
            0
        });
        let condition = Vec::new();
        let spec = MatchSpec { pattern, subject, condition, extension: false };
        let command = w.command();
        let mut matches = Matches::new(&mut w.engine, &command, spec);
        assert_eq!(matches.next(&mut w.engine).unwrap_err(), Stop::Interrupted);
    }
}
