//! What whoever watches a small theory is told.

use std::sync::{Arc, Mutex};

use crate::observer::{Event, Observer, Scene};
use crate::result::Readback;
use crate::rewrite::Rewriting;
use crate::search::{Arrow, Search, SearchSpec};
use crate::statement::Source;
use crate::term::StaticNode;
use crate::testing::World;
use crate::worker::Worker;

/// An event, its subject, substitution and position.
type Told = (Event, Option<Readback>, Vec<(u32, Readback)>, Option<Vec<u32>>);

#[derive(Clone, Default)]
struct Listening(Arc<Mutex<Vec<Told>>>);

impl Observer for Listening {
    fn event(&mut self, event: &Event, scene: &Scene<'_>) {
        let substitution = scene.substitution().into_iter().map(|(variable, value)| {
            let StaticNode::Variable(_, name) = value.terms.node(variable) else {
                unreachable!("only variables have values")
            };
            (name.0, value)
        });
        let told = (
            *event,
            scene.subject(),
            substitution.collect(),
            scene.position().map(<[u32]>::to_vec),
        );
        self.0.lock().unwrap().push(told);
    }
}

/// A watched worker for a theory.
fn watched(w: &mut World) -> Listening {
    w.load();
    let listening = Listening::default();
    let theory = Arc::clone(&w.engine.theory);
    let observer = Box::new(listening.clone());
    *w.engine = Worker::watched(&theory, &w.hooks, &w.signature, false, observer);
    listening
}

/// The events as text: `event subject | name=value…`.
fn shown(w: &World, listening: &Listening) -> Vec<String> {
    let told = std::mem::take(&mut *listening.0.lock().unwrap());
    let lines = told.into_iter().map(|(event, subject, substitution, position)| {
        let mut line = match event {
            Event::Equation(number) => format!("equation {number}"),
            Event::Membership(number) => format!("membership {number}"),
            Event::Rule(number) => format!("rule {number}"),
            Event::Builtin(_) => "builtin".to_owned(),
            Event::ConditionBegun(Source::Statement(number)) => format!("begun {number}"),
            Event::FragmentTried { fragment, again: false, .. } => format!("try {fragment}"),
            Event::FragmentTried { fragment, again: true, .. } => format!("again {fragment}"),
            Event::FragmentEnded { fragment, solved: true, .. } => format!("solved {fragment}"),
            Event::FragmentEnded { fragment, solved: false, .. } => format!("failed {fragment}"),
            Event::ConditionEnded(_, holds) => format!("ended {holds}"),
            Event::StateFound(number) => format!("state {number}"),
            Event::ConditionBegun(_) | Event::StrategyCalled(_) => "strategy".to_owned(),
        };
        if let Some(subject) = subject {
            line.push_str(&format!(" {}", w.show_read(&subject)));
        }
        let values = substitution.iter();
        let mut values: Vec<String> = values
            .map(|(name, value)| format!(" {}={}", w.name(*name), w.show_read(value)))
            .collect();
        values.sort();
        line.push_str(&values.concat());
        if let Some(position) = position {
            line.push_str(&format!(" at {position:?}"));
        }
        line
    });
    lines.collect()
}

#[test]
fn equations_are_told_with_what_they_match() {
    let mut w = World::new();
    w.ops("z/0 s/1 plus/2").statement("plus(z, Y) = Y").statement("plus(s(X), Y) = s(plus(X, Y))");
    let listening = watched(&mut w);
    assert_eq!(w.reduce("plus(s(z), s(z))"), ("s(s(z))".to_owned(), 2));
    let expected = ["equation 1 plus(s(z), s(z)) X=z Y=s(z)", "equation 0 plus(z, s(z)) Y=s(z)"];
    assert_eq!(shown(&w, &listening), expected);
}

/// Notes what waits when an equation applies.
#[derive(Clone, Default)]
struct Waiting(Arc<Mutex<Vec<Vec<Readback>>>>);

impl Observer for Waiting {
    fn event(&mut self, event: &Event, scene: &Scene<'_>) {
        if let Event::Equation(_) = event {
            self.0.lock().unwrap().push(scene.waiting());
        }
    }
}

#[test]
fn frames_are_turned_back_into_the_terms_that_they_stand_for() {
    let mut w = World::new();
    w.ops("z/0 s/1 f/1 g/1 h/2 l/2:AC").statement("f(s(X)) = h(f(X), z)").statement("f(z) = z");
    w.statement("g(l(X, s(z))) = f(X) if f(X) = X");
    w.load();
    let waiting = Waiting::default();
    let theory = Arc::clone(&w.engine.theory);
    let observer = Box::new(waiting.clone());
    *w.engine = Worker::watched(&theory, &w.hooks, &w.signature, false, observer);
    let shown = |w: &World| -> Vec<String> {
        let told = std::mem::take(&mut *waiting.0.lock().unwrap());
        let line = |terms: &Vec<Readback>| {
            terms.iter().map(|term| w.show_read(term)).collect::<Vec<_>>().join(" | ")
        };
        told.iter().map(line).collect()
    };
    assert_eq!(w.reduce("f(s(s(z)))").0, "h(h(z, z), z)");
    let expected = [
        "f(s(s(z))) | f(s(s(z)))",
        "f(s(s(z))) | f(s(s(z))) | f(s(z))",
        "f(s(s(z))) | f(s(s(z))) | f(s(z)) | f(z)",
    ];
    assert_eq!(shown(&w), expected);
    assert_eq!(w.reduce("g(l(z, s(z)))").0, "z");
    assert_eq!(shown(&w)[0], "g(l(z, s(z))) | g(l(z, s(z))) | f(z) | f(z)");
}

#[test]
fn conditions_are_told_fragment_by_fragment() {
    let mut w = World::new();
    w.ops("a/0 b/0 c/0 l/2:AC f/1 g/1")
        .statement("g(b) = c")
        .statement("f(X) = Y if l(Y, Z) := X /\\ g(Y) = c");
    let listening = watched(&mut w);
    assert_eq!(w.reduce("f(l(a, b))").0, "b");
    let told = shown(&w, &listening);
    let kinds: Vec<String> =
        told.iter().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
    let expected = [
        "begun 1",
        "try 0",
        "solved 0",
        "try 1",
        "failed 1",
        "again 0",
        "solved 0",
        "try 1",
        "equation 0",
        "solved 1",
        "ended true",
        "equation 1",
    ];
    assert_eq!(kinds, expected);
    assert!(told[11].starts_with("equation 1 f(l(a, b)) "), "{}", told[11]);
    for value in ["X=l(a, b)", "Y=b", "Z=a"] {
        assert!(told[11].contains(value), "{}", told[11]);
    }
}

#[test]
fn rules_are_told_with_their_positions_and_states_with_their_numbers() {
    let mut w = World::new();
    w.ops("a/0 b/0 c/0 f/2").statement("a => b").statement("b => c");
    let listening = watched(&mut w);
    let (start, pattern) = (w.partial("f(c, a)"), w.term("f(c, c)"));
    let condition = Vec::new();
    let spec = SearchSpec { start, arrow: Arrow::Star, pattern, condition, depth: None };
    let command = w.command();
    let mut search = Search::new(&mut w.engine, &command, spec);
    assert!(search.next(&mut w.engine).expect("nothing stops this").is_some());
    let expected = ["rule 0 a at [1]", "state 1 f(c, b)", "rule 1 b at [1]", "state 2 f(c, c)"];
    assert_eq!(shown(&w, &listening), expected);
    let term = w.partial("a");
    let command = w.command();
    let mut rewriting = Rewriting::new(&mut w.engine, &command, term);
    rewriting.run(&mut w.engine, None).expect("nothing stops this");
    assert_eq!(shown(&w, &listening), ["rule 0 a", "rule 1 b"]);
}
