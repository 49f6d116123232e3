//! The matchers of random small patterns are exactly the substitutions that make the pattern equal
//! to the subject, found by trying all values that are parts of the subject.

use std::collections::BTreeSet;

use proptest::prelude::*;
use rustc_hash::FxHashMap;

use super::reader::{Mode, ReaderTheory};
use crate::id::StaticId;
use crate::term::StaticNode;

const THEORY: &str = "sorts E S
subsort E S
op a : -> E
op b : -> E
op d : -> E
op mt : -> S
op g : S -> S
op s : S -> S [iter]
op c : S S -> S [comm]
op u : S S -> S [comm id: mt]
op i : S S -> S [comm idem]
op p : S S -> S [assoc comm]
op v : S S -> S [assoc comm id: mt]
op q : S S -> S [assoc]
op w : S S -> S [assoc id: mt]
var X Y Z : S
var E : E";

/// Choices to build a term from.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn below(&mut self, n: usize) -> usize {
        self.0.next().map_or(0, |&byte| usize::from(byte) % n)
    }

    fn term(&mut self, depth: usize, leaves: &[&str]) -> String {
        if depth == 0 || self.below(3) == 0 {
            return leaves[self.below(leaves.len())].to_string();
        }
        let op = ["g", "s", "c", "u", "i", "p", "v", "q", "w"][self.below(9)];
        let n = match op {
            "g" | "s" => 1,
            "c" | "u" | "i" => 2,
            _ => 2 + self.below(2),
        };
        let args: Vec<String> = (0..n).map(|_| self.term(depth - 1, leaves)).collect();
        format!("{op}({})", args.join(", "))
    }
}

fn world() -> ReaderTheory {
    let mut world = ReaderTheory::new(false);
    THEORY.lines().for_each(|line| world.declare(line));
    world
}

/// The subterms, sublists and submultisets of a term, and the identity.
fn parts(world: &mut ReaderTheory, t: StaticId, identity: StaticId) -> Vec<StaticId> {
    let mut found = vec![identity];
    let mut stack = vec![t];
    while let Some(t) = stack.pop() {
        if found.contains(&t) && t != identity {
            continue;
        }
        found.push(t);
        let node = world.terms.node(t).clone();
        stack.extend(world.terms.args(t));
        match node {
            StaticNode::Multiset(s, args) => {
                let all: Vec<StaticId> =
                    args.iter().flat_map(|&(a, m)| vec![a; m as usize]).collect();
                for mask in 1u32..1 << all.len() {
                    let some = all.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
                    let some: Vec<StaticId> = some.map(|(_, &a)| a).collect();
                    if some.len() > 1 {
                        found.push(world.normal(s, &some));
                    }
                }
            }
            StaticNode::App(s, args) if world.signature.symbol(s).axioms.assoc => {
                for from in 0..args.len() {
                    for to in from + 2..=args.len() {
                        found.push(world.normal(s, &args[from..to]));
                    }
                }
            }
            StaticNode::Iter(s, count, arg) => {
                let count = u32::try_from(count).expect("small terms have small counts");
                for n in 1..count {
                    let part = world.terms.iter(s, n.into(), arg);
                    found.push(part);
                }
            }
            _ => {}
        }
    }
    found.sort();
    found.dedup();
    found
}

/// All substitutions of parts that make the pattern equal to the subject.
/// `None` if there are too many to try.
fn naive(
    world: &mut ReaderTheory,
    pattern: StaticId,
    subject: StaticId,
) -> Option<BTreeSet<String>> {
    let identity = world.term("mt");
    let values = parts(world, subject, identity);
    let variables = world.terms.variables(pattern);
    if values.len().pow(variables.len() as u32) > 5000 {
        return None;
    }
    let mut found = BTreeSet::new();
    let mut choice = vec![0; variables.len()];
    loop {
        let bindings: FxHashMap<StaticId, StaticId> =
            variables.iter().zip(&choice).map(|(&v, &at)| (v, values[at])).collect();
        let sorted = bindings.iter().all(|(&v, &value)| {
            let sort = |t| world.terms.least_sort(&world.signature, t);
            world.signature.leq(sort(value), sort(v))
        });
        if sorted && world.terms.substitute(&world.signature, pattern, &bindings) == subject {
            let mut line: Vec<String> = bindings
                .iter()
                .map(|(&v, &value)| format!("{} = {}", world.show(v), world.show(value)))
                .collect();
            line.sort();
            found.insert(line.join(", "));
        }
        let Some(place) = choice.iter().position(|&at| at + 1 < values.len()) else { break };
        choice[place] += 1;
        choice[..place].fill(0);
    }
    Some(found)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn matchers_are_the_substitutions_that_fit(
        choices in proptest::collection::vec(any::<u8>(), 8..40)
    ) {
        let mut world = world();
        let mut choices = Choices(choices.iter());
        let pattern = choices.term(2, &["X", "Y", "X", "Z", "E", "a", "b"]);
        let subject = choices.term(2, &["a", "b", "d", "a", "mt"]);
        // Half of the subjects are instances of the pattern.
        let subject = if choices.below(2) == 0 {
            subject
        } else {
            let leaves = ["a", "b", "p(a, b)", "w(a, d)", "mt", "v(a, a)"];
            let value = |c: &mut Choices<'_>| leaves[c.below(leaves.len())];
            let with_e = pattern.replace('E', ["a", "b"][choices.below(2)]);
            let with_x = with_e.replace('X', value(&mut choices));
            with_x.replace('Y', value(&mut choices)).replace('Z', value(&mut choices))
        };
        let (p, s) = (world.term(&pattern), world.term(&subject));
        let expected = naive(&mut world, p, s);
        prop_assume!(expected.is_some());
        let expected = expected.unwrap_or_default();
        let found = world.matchers(&pattern, &subject, Mode::All, false, 5000);
        let found: BTreeSet<String> = found.into_iter().collect();
        prop_assert_eq!(&found, &expected, "{} <=? {}", world.show(p), world.show(s));
        // The first mode finds one of them, if there is any.
        let first = world.matchers(&pattern, &subject, Mode::First, false, 1);
        prop_assert_eq!(first.is_empty(), expected.is_empty());
        prop_assert!(first.iter().all(|line| expected.contains(line)));
    }
}

#[test]
fn few_arguments_are_matched_as_a_matcher_matches_them() {
    let mut world = world();
    let patterns = ["p(a, X)", "p(X, b)", "p(X, X)", "p(X, Y)", "p(X, E)", "p(E, E)", "p(a, E)"];
    let arguments = ["a", "b", "d", "g(a)", "v(a, b)"];
    for choice in 0..arguments.len().pow(4) {
        let all = (0..4).map(|place| arguments[choice / arguments.len().pow(place) % 5]);
        let all: Vec<&str> = all.collect();
        for n in 2..=4 {
            for pattern in patterns {
                // What is decided without a matcher is compared with a matcher there.
                let subject = format!("p({})", all[..n].join(", "));
                world.matchers(pattern, &subject, Mode::First, true, 1);
            }
        }
    }
    assert!(world.without_matcher.iter().all(|&n| n > 1000), "{:?}", world.without_matcher);
}
