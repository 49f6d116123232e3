//! Objects and messages under fair rewriting (`docs/semantics.md` 4.5): one visit of a
//! configuration delivers the messages that are there, each object's in turn, and then applies one
//! other rule.

use std::sync::Arc;

use super::{Form, Rules};
use crate::code::RuleCode;
use crate::heap::{Handle, Memory};
use crate::id::{StaticId, SymbolId};
use crate::result::Term;
use crate::signature::{ObjectRole, Shape, Signature};
use crate::term::StaticNode;
use crate::worker::Worker;

/// The rules of a configuration operator, and which is next.
#[derive(Default)]
pub(super) struct Deliveries {
    /// Rules for one object and one message, by the message's operator.
    by_message: Vec<(SymbolId, super::RuleTurn)>,
    others: super::RuleTurn,
}

/// An object, or the place of one, with the messages for it; all as places on the root stack.
struct Group {
    object: Option<usize>,
    messages: Vec<usize>,
}

impl Rules {
    /// One visit of the configuration in a register of the root stack: the new configuration,
    /// reduced, if anything happened. Objects with a name that another one has are added to
    /// `duplicates`. May collect.
    pub(super) fn visit(
        &mut self,
        engine: &mut Worker,
        register: usize,
        duplicates: &mut Vec<(Term, Term)>,
    ) -> Option<Handle> {
        let node = engine.space.memory.resolve(engine.space.regs[register]);
        let symbol = engine.space.memory.symbol(node);
        let mut deliveries =
            self.deliveries.remove(&symbol).unwrap_or_else(|| self.sort_rules(engine, symbol));
        let base = engine.space.regs.len();
        let new = self.visit_with(engine, register, symbol, &mut deliveries, duplicates);
        engine.space.pop_frame(base);
        self.deliveries.insert(symbol, deliveries);
        new.filter(|_| engine.space.stopped.is_none())
    }

    fn visit_with(
        &mut self,
        engine: &mut Worker,
        register: usize,
        symbol: SymbolId,
        deliveries: &mut Deliveries,
        duplicates: &mut Vec<(Term, Term)>,
    ) -> Option<Handle> {
        let mut aside = Vec::new();
        let groups = group(engine, register, &mut aside, duplicates);
        let mut delivered = false;
        for group in groups {
            let mut object = group.object;
            for message in group.messages {
                let outcome = object
                    .and_then(|object| self.deliver(engine, symbol, object, message, deliveries));
                if engine.space.stopped.is_some() {
                    return None;
                }
                match (object, outcome) {
                    (Some(before), Some(outcome)) => {
                        delivered = true;
                        object = take_object(engine, symbol, before, outcome, &mut aside);
                    }
                    _ => aside.push(message),
                }
            }
            aside.extend(object);
        }
        if delivered {
            let parts =
                aside.iter().map(|&at| (engine.space.memory.resolve(engine.space.regs[at]), 1));
            let parts: Vec<(Handle, u32)> = parts.collect();
            let remainder = engine.space.memory.normal_multiset(symbol, &parts);
            let remainder = engine.reduce(remainder);
            engine.space.regs.push(remainder);
        } else {
            engine.space.regs.push(engine.space.regs[register]);
        }
        if engine.space.stopped.is_some() {
            return None;
        }
        let last = engine.space.regs.len() - 1;
        let whole = engine.space.memory.resolve(engine.space.regs[last]);
        if engine.space.memory.symbol(whole) == symbol
            && let Some(new) = self.try_turn(engine, &mut deliveries.others, last, false)
        {
            return Some(engine.reduce(new));
        }
        delivered.then(|| engine.space.memory.resolve(engine.space.regs[last]))
    }

    /// Delivers a message to an object, if a rule does: the place of the outcome.
    fn deliver(
        &mut self,
        engine: &mut Worker,
        symbol: SymbolId,
        object: usize,
        message: usize,
        deliveries: &mut Deliveries,
    ) -> Option<usize> {
        let object = engine.space.memory.resolve(engine.space.regs[object]);
        let message = engine.space.memory.resolve(engine.space.regs[message]);
        let kind = engine.space.memory.symbol(message);
        let (_, turn) = deliveries.by_message.iter_mut().find(|(s, _)| *s == kind)?;
        let pair = engine.space.memory.normal_multiset(symbol, &[(object, 1), (message, 1)]);
        let pair = engine.reduce(pair);
        engine.space.regs.push(pair);
        let register = engine.space.regs.len() - 1;
        if engine.space.stopped.is_some()
            || engine.space.memory.symbol(engine.space.regs[register]) != symbol
        {
            return None;
        }
        let new = self.try_turn(engine, turn, register, true)?;
        engine.space.regs.push(new);
        Some(engine.space.regs.len() - 1)
    }

    /// Applies the next rule in turn that fits the term in a register, without extension or with.
    fn try_turn(
        &mut self,
        engine: &mut Worker,
        turn: &mut super::RuleTurn,
        register: usize,
        whole: bool,
    ) -> Option<Handle> {
        let rules = Arc::clone(&turn.rules);
        for i in 0..rules.len() {
            let at = (turn.next + i) % rules.len();
            let new = self.attempt(engine, &rules[at], register, whole, Form::ToReduce);
            if engine.space.stopped.is_some() {
                return None;
            }
            if new.is_some() {
                turn.next = (at + 1) % rules.len();
                return new;
            }
        }
        None
    }

    /// Divides the rules of a configuration operator.
    fn sort_rules(&mut self, engine: &mut Worker, symbol: SymbolId) -> Deliveries {
        let rules = Arc::clone(&self.turn(engine, symbol).rules);
        let mut by_message: Vec<(SymbolId, Vec<Arc<RuleCode>>)> = Vec::new();
        let mut others = Vec::new();
        for rule in rules.iter() {
            match message_of(engine, rule.left) {
                None => others.push(Arc::clone(rule)),
                Some(kind) => match by_message.iter_mut().find(|(s, _)| *s == kind) {
                    Some((_, list)) => list.push(Arc::clone(rule)),
                    None => by_message.push((kind, vec![Arc::clone(rule)])),
                },
            }
        }
        let turn = |rules: Vec<Arc<RuleCode>>| super::RuleTurn { rules: rules.into(), next: 0 };
        Deliveries {
            by_message: by_message.into_iter().map(|(s, list)| (s, turn(list))).collect(),
            others: turn(others),
        }
    }
}

/// The message operator of a left side that is one object and one message with the same name.
fn message_of(worker: &Worker, left: StaticId) -> Option<SymbolId> {
    let StaticNode::Multiset(_, args) = worker.terms.node(left) else { return None };
    let [(a, 1), (b, 1)] = args[..] else { return None };
    let role = |t| worker.space.signature.symbol(worker.terms.node(t).symbol()).object_role;
    let message = match (role(a), role(b)) {
        (Some(ObjectRole::Object), Some(ObjectRole::Message)) => b,
        (Some(ObjectRole::Message), Some(ObjectRole::Object)) => a,
        _ => return None,
    };
    let name = |t| worker.terms.args(t).first().copied();
    (name(a) == name(b)).then(|| worker.terms.node(message).symbol())
}

/// What a term is among objects and messages.
fn role(signature: &Signature, memory: &Memory, term: Handle) -> Option<ObjectRole> {
    signature.symbol(memory.symbol(term)).object_role
}

/// Files objects and messages under their names, in term order; what is neither, and objects with a
/// name that another one has, goes aside. The arguments are pushed on the root stack.
fn group(
    engine: &mut Worker,
    register: usize,
    aside: &mut Vec<usize>,
    duplicates: &mut Vec<(Term, Term)>,
) -> Vec<Group> {
    let node = engine.space.memory.resolve(engine.space.regs[register]);
    let mut named: Vec<(usize, ObjectRole)> = Vec::new();
    engine.space.make_room_for_registers(engine.space.memory.total_args(node));
    for place in 0..engine.space.memory.n_args(node) {
        let arg = engine.space.memory.arg(node, place);
        for _ in 0..engine.space.memory.multiplicity(node, place) {
            let at = engine.space.regs.len();
            engine.space.regs.push(arg);
            match role(&engine.space.signature, &engine.space.memory, arg) {
                Some(role @ (ObjectRole::Object | ObjectRole::Message)) => named.push((at, role)),
                _ => aside.push(at),
            }
        }
    }
    let memory = &engine.space.memory;
    let name = |at: usize| memory.arg(engine.space.regs[at], 0);
    named.sort_by(|a, b| memory.compare(name(a.0), name(b.0)));
    let mut groups: Vec<Group> = Vec::new();
    let mut last: Option<usize> = None;
    let mut doubles = Vec::new();
    for (at, role) in named {
        if last.is_none_or(|last| !memory.equal(name(last), name(at))) {
            groups.push(Group { object: None, messages: Vec::new() });
        }
        last = Some(at);
        let group = groups.last_mut().expect("a group has been opened");
        match (role, group.object) {
            (ObjectRole::Message, _) => group.messages.push(at),
            (_, None) => group.object = Some(at),
            (_, Some(first)) => {
                doubles.push((first, at));
                aside.push(at);
            }
        }
    }
    for (first, second) in doubles {
        let (first, second) = (engine.space.regs[first], engine.space.regs[second]);
        duplicates.push((engine.keep(first), engine.keep(second)));
    }
    groups
}

/// Takes the object that has the name of `before` out of the outcome of a delivery; what else is in
/// it goes aside.
fn take_object(
    engine: &mut Worker,
    symbol: SymbolId,
    before: usize,
    outcome: usize,
    aside: &mut Vec<usize>,
) -> Option<usize> {
    let outcome = engine.space.memory.resolve(engine.space.regs[outcome]);
    let mut parts = Vec::new();
    let memory = &engine.space.memory;
    engine.space.make_room_for_registers(memory.total_args(outcome));
    if memory.symbol(outcome) == symbol && memory.shape(outcome) == Shape::AssocComm {
        for place in 0..memory.n_args(outcome) {
            let n = memory.multiplicity(outcome, place) as usize;
            parts.extend(std::iter::repeat_n(memory.arg(outcome, place), n));
        }
    } else if !memory.equal(outcome, memory.core(symbol).identity) {
        parts.push(outcome);
    }
    let name = memory.arg(memory.resolve(engine.space.regs[before]), 0);
    let is_it = |part: Handle| {
        role(&engine.space.signature, memory, part) == Some(ObjectRole::Object)
            && memory.equal(memory.arg(part, 0), name)
    };
    let place = parts.iter().position(|&part| is_it(part));
    let first = engine.space.regs.len();
    engine.space.regs.extend_from_slice(&parts);
    for i in 0..parts.len() {
        if Some(i) != place {
            aside.push(first + i);
        }
    }
    place.map(|i| first + i)
}
