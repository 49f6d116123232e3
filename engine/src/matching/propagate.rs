//! The first phase of matching: what has one possibility is bound, what has several becomes a task
//! (`docs/semantics.md` 6.2).

use super::analysis::on_growing_stack;
use super::extension::RestWords;
use super::machine::{MatchRun, REST, TaskOutcome};
use super::{
    CollapsePart, FreeCheck, FreeNode, MatchTask, PatternNode, PatternNodeId, TaskKind, Var,
};
use crate::heap::Handle;
use crate::signature::Shape;

impl MatchRun<'_> {
    /// Matches a subterm of the pattern. Failing leaves bindings and tasks behind; the caller goes
    /// back to its mark.
    pub(crate) fn propagate(&mut self, id: PatternNodeId, subject: Handle) -> bool {
        let pattern = self.pattern;
        match pattern.node(id) {
            PatternNode::Ground(term) => self.space.memory.equal(*term, subject),
            PatternNode::Var(var) => self.propagate_var(*var, subject),
            PatternNode::Capture(slot, inner) => {
                self.capture(*slot, subject);
                self.propagate(*inner, subject)
            }
            PatternNode::Deep(inner) => self.propagate_deep(*inner, subject),
            PatternNode::Relying(slots, node, loose) => {
                let bound = slots.iter().all(|&slot| self.value(slot) != Handle::NIL);
                self.propagate(if bound { *node } else { *loose }, subject)
            }
            PatternNode::Free(node) => self.propagate_free(node, subject),
            PatternNode::Iter(node) => self.propagate_iter(id, node, subject),
            PatternNode::Comm(node) => self.propagate_comm(id, node, subject),
            PatternNode::List(node) => self.propagate_list(id, node, subject),
            PatternNode::Multi(node) => self.propagate_multi(id, node, subject),
            PatternNode::Aliens(aliens) => aliens.iter().all(|&(register, node)| {
                let subject = self.value(register);
                self.propagate(node, subject)
            }),
            PatternNode::Anything(heads, var) => {
                let symbol = self.space.memory.symbol(subject);
                match heads.iter().find(|h| h.0 == symbol) {
                    Some(&(_, node)) => {
                        if self.matcher.denied {
                            // The sorts of stretches are computed in any case.
                            self.space.memory.forget_sort(subject);
                            self.space.memory.declare_sorts(subject);
                        }
                        self.propagate(node, subject)
                    }
                    // A value given from outside may not have the sort of the variable.
                    None => self.fits(subject, var.sort) && self.propagate_var(*var, subject),
                }
            }
            PatternNode::AnyPart(heads, other) => {
                let symbol = self.space.memory.symbol(subject);
                let node = heads.iter().find(|h| h.0 == symbol).map_or(*other, |h| h.1);
                self.propagate(node, subject)
            }
            PatternNode::Iterates { .. } => self.propagate_iterates(id, subject),
        }
    }

    /// Matches a subterm below which there are many others.
    #[cold]
    fn propagate_deep(&mut self, id: PatternNodeId, subject: Handle) -> bool {
        on_growing_stack(|| self.propagate(id, subject))
    }

    /// Binds a variable, or compares it with its value.
    #[inline(always)]
    pub(crate) fn propagate_var(&mut self, var: Var, subject: Handle) -> bool {
        let value = self.value(var.slot);
        if value == Handle::NIL {
            if !self.fits(subject, var.sort) {
                return false;
            }
            self.bind(var.slot, subject);
            return true;
        }
        self.space.memory.equal(value, subject)
    }

    /// Puts what matches a subterm into its register; another occurrence of the subterm may have
    /// done so already.
    fn capture(&mut self, slot: u32, subject: Handle) {
        if self.value(slot) == Handle::NIL {
            self.bind(slot, subject);
        }
    }

    fn propagate_free(&mut self, node: &FreeNode, subject: Handle) -> bool {
        if self.space.memory.symbol(subject) != node.symbol {
            return false;
        }
        let n_places = usize::from(node.n_places);
        let mut few = [Handle::NIL; 8];
        let mut many;
        let places = if n_places <= few.len() {
            &mut few[..]
        } else {
            many = vec![Handle::NIL; n_places];
            &mut many[..]
        };
        places[0] = subject;
        for step in &node.steps {
            let holds = match *step {
                FreeCheck::Symbol { from, arg, symbol, to } => {
                    let h = self.argument(places[usize::from(from)], arg);
                    places[usize::from(to)] = h;
                    self.space.memory.symbol(h) == symbol
                }
                FreeCheck::Var { from, arg, var } => {
                    let h = self.argument(places[usize::from(from)], arg);
                    self.propagate_var(var, h)
                }
                FreeCheck::Ground { from, arg, term } => {
                    let h = self.argument(places[usize::from(from)], arg);
                    self.space.memory.equal(h, term)
                }
                FreeCheck::Capture { from, slot } => {
                    self.capture(slot, places[usize::from(from)]);
                    true
                }
                FreeCheck::Alien { from, arg, to } => {
                    places[usize::from(to)] = self.argument(places[usize::from(from)], arg);
                    true
                }
            };
            if !holds {
                return false;
            }
        }
        node.aliens.iter().all(|&(place, alien)| self.propagate(alien, places[usize::from(place)]))
    }

    #[inline(always)]
    fn argument(&self, h: Handle, place: u16) -> Handle {
        self.space.memory.fixed_arg(h, usize::from(place))
    }

    /// Matches the first of some possibilities (numbers below `to`) and finds out whether
    /// there is another: then it is left as a task. `possible` propagates one of them.
    pub(crate) fn propagate_alternatives(
        &mut self,
        to: u32,
        possible: impl Fn(&mut MatchRun<'_>, u32) -> bool,
        task: impl FnOnce(&mut MatchRun<'_>, u32) -> MatchTask,
    ) -> bool {
        let mark = self.mark();
        let Some(first) = self.first_alternative(0, to, &possible) else { return false };
        if first + 1 == to {
            return true;
        }
        let another =
            |run: &mut MatchRun<'_>| run.first_alternative(first + 1, to, &possible).is_some();
        if !self.can_differ(mark, &mut { another }) {
            return true;
        }
        let task = task(self, first);
        self.matcher.out.push(task);
        true
    }

    /// Propagates the first of some possibilities and returns its number.
    fn first_alternative(
        &mut self,
        from: u32,
        to: u32,
        possible: &impl Fn(&mut MatchRun<'_>, u32) -> bool,
    ) -> Option<u32> {
        let mark = self.mark();
        for k in from..to {
            if self.must_stop() {
                return None;
            }
            if possible(self, k) {
                return Some(k);
            }
            self.undo(mark);
        }
        None
    }

    /// Matches the first of the possibilities below `to` that leaves no task, for good.
    pub(crate) fn commit_alternative(
        &mut self,
        to: u32,
        possible: impl Fn(&mut MatchRun<'_>, u32) -> bool,
    ) -> bool {
        let mark = self.mark();
        let out = self.matcher.out.len();
        (0..to).any(|k| {
            let holds = possible(self, k) && self.matcher.out.len() == out;
            if !holds {
                self.undo(mark);
            }
            holds
        })
    }

    /// The next possibility of a task that was left by `propagate_alternatives` at `then`.
    pub(crate) fn alternative_turn(
        &mut self,
        cursor: u32,
        to: u32,
        then: u32,
        possible: impl Fn(&mut MatchRun<'_>, u32) -> bool,
    ) -> TaskOutcome {
        for k in cursor..to {
            if self.must_stop() {
                return TaskOutcome::Fail;
            }
            if k > cursor {
                self.note_cursor(k);
            }
            let out = self.matcher.out.len();
            if self.propagate_as_at(then, |run| possible(run, k)) {
                self.emit(out);
                return if k + 1 == to { TaskOutcome::Last } else { TaskOutcome::More(k + 1) };
            }
        }
        TaskOutcome::Fail
    }

    /// Whether a subject not headed by the operator of a pattern is matched with the extension that
    /// its own operator gives; that is never greedy.
    pub(crate) fn is_extended(&self, extension: bool, subject: Handle) -> bool {
        let shape = || self.space.memory.shape(subject);
        extension && matches!(shape(), Shape::Assoc | Shape::AssocComm | Shape::Iter)
    }

    /// A pattern with an identity against a subject not headed by its operator (6.5).
    pub(crate) fn propagate_collapse(
        &mut self,
        id: PatternNodeId,
        parts: &[CollapsePart],
        identity: Handle,
        subject: Handle,
        extension: bool,
    ) -> bool {
        // A part that cannot be the identity may still be the subject: memberships may have lowered
        // its sort.
        let non_collapsing = parts.iter().any(|part| part.non_collapsing);
        if !non_collapsing && self.space.memory.equal(subject, identity) {
            return parts.iter().all(|part| self.propagate(part.node, identity));
        }
        let n = parts.len() as u32;
        let possible = |run: &mut MatchRun<'_>, k: u32| {
            run.collapse_to(parts, identity, subject, extension, k)
        };
        self.propagate_alternatives(n, possible, |run, first| {
            let place = run.keep(subject);
            let now = run.now();
            let at = run.push_words(&[id, place, now]) as u32;
            MatchTask { kind: TaskKind::Collapse, at, index: first }
        })
    }

    fn collapse_to(
        &mut self,
        parts: &[CollapsePart],
        identity: Handle,
        subject: Handle,
        extension: bool,
        k: u32,
    ) -> bool {
        if !parts[k as usize].takes_it || !self.may_take(parts, identity, subject, k) {
            return false;
        }
        if extension {
            self.set_word(REST, RestWords::NOTHING);
        }
        let taker = parts[k as usize].whole;
        let iterated = extension && self.rebound_slot(taker, subject).is_some();
        let propagated = parts.iter().enumerate().all(|(i, part)| {
            let takes_it = i == k as usize;
            if takes_it && !self.propagate(part.whole, subject) {
                return false;
            }
            match part.abstraction {
                _ if takes_it && !part.repeated => true,
                Some(var) if iterated => self.propagate_var(var, identity),
                _ => self.propagate(part.node, identity),
            }
        });
        if propagated && iterated {
            for part in parts {
                if let Some(var) = part.abstraction {
                    let at = self.push_words(&[part.node, var.slot]) as u32;
                    self.matcher.out.push(MatchTask { kind: TaskKind::Revalued, at, index: 0 });
                }
            }
        }
        propagated
    }

    /// An alien that is treated like a variable is matched with the value that the variable has
    /// got, when iterates of the subject have been taken, so it sees them and not the values of the
    /// first phase.
    pub(crate) fn revalued_alien(&mut self, at: u32) -> bool {
        let (alien, slot) = (self.word(at as usize), self.word(at as usize + 1));
        let out = self.matcher.out.len();
        self.exchange(true);
        let value = self.value(slot);
        let propagated = self.propagate(alien, value);
        self.exchange(false);
        self.emit(out);
        propagated
    }

    /// Variables that are the identity already do not take the subject, even where they would be
    /// rebound; but if all are, the first does.
    fn may_take(&self, parts: &[CollapsePart], identity: Handle, subject: Handle, k: u32) -> bool {
        let is_gone = |part: &CollapsePart| {
            self.rebound_slot(part.whole, subject).is_some_and(|slot| {
                let value = self.value(slot);
                value != Handle::NIL && self.space.memory.equal(value, identity)
            })
        };
        !is_gone(&parts[k as usize]) || k == 0 && parts.iter().all(is_gone)
    }

    pub(crate) fn collapse_turn(&mut self, at: u32, cursor: u32) -> TaskOutcome {
        let at = at as usize;
        let (id, subject, then) = (self.word(at), self.kept(self.word(at + 1)), self.word(at + 2));
        // A condition may have evaluated it in place.
        let subject = self.space.memory.resolve(subject);
        let pattern = self.pattern;
        let (parts, identity, extension) = match pattern.node(id) {
            PatternNode::List(node) => (&node.collapse, node.identity, node.extension),
            PatternNode::Multi(node) => (&node.collapse, node.identity, node.extension),
            _ => unreachable!("only lists and multisets collapse to an argument"),
        };
        let parts = parts.as_deref().expect("it has an identity");
        self.alternative_turn(cursor, parts.len() as u32, then, |run, k| {
            run.collapse_to(parts, identity, subject, extension, k)
        })
    }
}
