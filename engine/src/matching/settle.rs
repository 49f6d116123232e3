//! The first phase of matching: what has one possibility is bound, what has several becomes a task
//! (`docs/semantics.md` 6.2).

use super::extension::Rest;
use super::known::on_growing_stack;
use super::machine::{REST, Run, Turn};
use super::{CollapsePart, FreeNode, Kind, Node, NodeId, Step, Task, Var};
use crate::heap::Handle;
use crate::signature::Shape;

impl Run<'_> {
    /// Matches a subterm of the pattern. Failing leaves bindings and tasks behind; the caller goes
    /// back to its mark.
    pub(crate) fn settle(&mut self, id: NodeId, subject: Handle) -> bool {
        let pattern = self.pattern;
        match pattern.node(id) {
            Node::Ground(term) => self.space.memory.equal(*term, subject),
            Node::Var(var) => self.settle_var(*var, subject),
            Node::Capture(slot, inner) => {
                self.capture(*slot, subject);
                self.settle(*inner, subject)
            }
            Node::Deep(inner) => self.settle_deep(*inner, subject),
            Node::Relying(slots, node, loose) => {
                let bound = slots.iter().all(|&slot| self.value(slot) != Handle::NIL);
                self.settle(if bound { *node } else { *loose }, subject)
            }
            Node::Free(node) => self.settle_free(node, subject),
            Node::Iter(node) => self.settle_iter(id, node, subject),
            Node::Comm(node) => self.settle_comm(id, node, subject),
            Node::List(node) => self.settle_list(id, node, subject),
            Node::Multi(node) => self.settle_multi(id, node, subject),
            Node::Aliens(aliens) => aliens.iter().all(|&(register, node)| {
                let subject = self.value(register);
                self.settle(node, subject)
            }),
            Node::Anything(heads, var) => {
                let symbol = self.space.memory.symbol(subject);
                match heads.iter().find(|h| h.0 == symbol) {
                    Some(&(_, node)) => {
                        if self.matcher.denied {
                            // The sorts of stretches are computed in any case.
                            self.space.memory.forget_sort(subject);
                            self.space.memory.declare_sorts(subject);
                        }
                        self.settle(node, subject)
                    }
                    // A value given from outside may not have the sort of the variable.
                    None => self.fits(subject, var.sort) && self.settle_var(*var, subject),
                }
            }
            Node::AnyPart(heads, other) => {
                let symbol = self.space.memory.symbol(subject);
                let node = heads.iter().find(|h| h.0 == symbol).map_or(*other, |h| h.1);
                self.settle(node, subject)
            }
            Node::Iterates { .. } => self.settle_iterates(id, subject),
        }
    }

    /// Matches a subterm below which there are many others.
    #[cold]
    fn settle_deep(&mut self, id: NodeId, subject: Handle) -> bool {
        on_growing_stack(|| self.settle(id, subject))
    }

    /// Binds a variable, or compares it with its value.
    #[inline(always)]
    pub(crate) fn settle_var(&mut self, var: Var, subject: Handle) -> bool {
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

    fn settle_free(&mut self, node: &FreeNode, subject: Handle) -> bool {
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
                Step::Symbol { from, arg, symbol, to } => {
                    let h = self.argument(places[usize::from(from)], arg);
                    places[usize::from(to)] = h;
                    self.space.memory.symbol(h) == symbol
                }
                Step::Var { from, arg, var } => {
                    let h = self.argument(places[usize::from(from)], arg);
                    self.settle_var(var, h)
                }
                Step::Ground { from, arg, term } => {
                    let h = self.argument(places[usize::from(from)], arg);
                    self.space.memory.equal(h, term)
                }
                Step::Capture { from, slot } => {
                    self.capture(slot, places[usize::from(from)]);
                    true
                }
                Step::Alien { from, arg, to } => {
                    places[usize::from(to)] = self.argument(places[usize::from(from)], arg);
                    true
                }
            };
            if !holds {
                return false;
            }
        }
        node.aliens.iter().all(|&(place, alien)| self.settle(alien, places[usize::from(place)]))
    }

    #[inline(always)]
    fn argument(&self, h: Handle, place: u16) -> Handle {
        self.space.memory.fixed_arg(h, usize::from(place))
    }

    /// Matches the first of some possibilities (numbers below `to`) and finds out whether
    /// there is another: then it is left as a task. `possible` settles one of them.
    pub(crate) fn settle_alternatives(
        &mut self,
        to: u32,
        possible: impl Fn(&mut Run<'_>, u32) -> bool,
        task: impl FnOnce(&mut Run<'_>, u32) -> Task,
    ) -> bool {
        let mark = self.mark();
        let Some(first) = self.first_alternative(0, to, &possible) else { return false };
        if first + 1 == to {
            return true;
        }
        let another = |run: &mut Run<'_>| run.first_alternative(first + 1, to, &possible).is_some();
        if !self.can_differ(mark, &mut { another }) {
            return true;
        }
        let task = task(self, first);
        self.matcher.out.push(task);
        true
    }

    /// Settles the first of some possibilities and returns its number.
    fn first_alternative(
        &mut self,
        from: u32,
        to: u32,
        possible: &impl Fn(&mut Run<'_>, u32) -> bool,
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
        possible: impl Fn(&mut Run<'_>, u32) -> bool,
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

    /// The next possibility of a task that was left by `settle_alternatives` at `then`.
    pub(crate) fn alternative_turn(
        &mut self,
        cursor: u32,
        to: u32,
        then: u32,
        possible: impl Fn(&mut Run<'_>, u32) -> bool,
    ) -> Turn {
        for k in cursor..to {
            if self.must_stop() {
                return Turn::Fail;
            }
            let out = self.matcher.out.len();
            if self.settle_as_of(then, |run| possible(run, k)) {
                self.emit(out);
                return if k + 1 == to { Turn::Last } else { Turn::More(k + 1) };
            }
        }
        Turn::Fail
    }

    /// Whether a subject not headed by the operator of a pattern is matched with the extension that
    /// its own operator gives; that is never greedy.
    pub(crate) fn is_extended(&self, extension: bool, subject: Handle) -> bool {
        let shape = || self.space.memory.shape(subject);
        extension && matches!(shape(), Shape::Assoc | Shape::AssocComm | Shape::Iter)
    }

    /// A pattern with an identity against a subject not headed by its operator (6.5).
    pub(crate) fn settle_collapse(
        &mut self,
        id: NodeId,
        parts: &[CollapsePart],
        identity: Handle,
        subject: Handle,
        extension: bool,
    ) -> bool {
        // A part that cannot be the identity may still be the subject: memberships may have lowered
        // its sort.
        let firm = parts.iter().any(|part| part.firm);
        if !firm && self.space.memory.equal(subject, identity) {
            return parts.iter().all(|part| self.settle(part.node, identity));
        }
        let n = parts.len() as u32;
        let possible =
            |run: &mut Run<'_>, k: u32| run.collapse_to(parts, identity, subject, extension, k);
        self.settle_alternatives(n, possible, |run, first| {
            let place = run.keep(subject);
            let now = run.now();
            let at = run.push_words(&[id, place, now]) as u32;
            Task { kind: Kind::Collapse, at, index: first }
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
            self.set_word(REST, Rest::NOTHING);
        }
        let taker = parts[k as usize].whole;
        let iterated = extension && self.overwritten_slot(taker, subject).is_some();
        let settled = parts.iter().enumerate().all(|(i, part)| {
            let takes_it = i == k as usize;
            if takes_it && !self.settle(part.whole, subject) {
                return false;
            }
            match part.abstraction {
                _ if takes_it && !part.repeated => true,
                Some(var) if iterated => self.settle_var(var, identity),
                _ => self.settle(part.node, identity),
            }
        });
        if settled && iterated {
            for part in parts {
                if let Some(var) = part.abstraction {
                    let at = self.push_words(&[part.node, var.slot]) as u32;
                    self.matcher.out.push(Task { kind: Kind::Aside, at, index: 0 });
                }
            }
        }
        settled
    }

    /// An alien that is treated like a variable is matched with the value that the variable has
    /// got, when iterates of the subject have been taken, so it sees them and not the values of the
    /// first phase.
    pub(crate) fn aside(&mut self, at: u32) -> bool {
        let (alien, slot) = (self.word(at as usize), self.word(at as usize + 1));
        let out = self.matcher.out.len();
        self.exchange(true);
        let value = self.value(slot);
        let settled = self.settle(alien, value);
        self.exchange(false);
        self.emit(out);
        settled
    }

    /// Variables that are the identity already do not take the subject, even where they would be
    /// overwritten; but if all are, the first does.
    fn may_take(&self, parts: &[CollapsePart], identity: Handle, subject: Handle, k: u32) -> bool {
        let is_gone = |part: &CollapsePart| {
            self.overwritten_slot(part.whole, subject).is_some_and(|slot| {
                let value = self.value(slot);
                value != Handle::NIL && self.space.memory.equal(value, identity)
            })
        };
        !is_gone(&parts[k as usize]) || k == 0 && parts.iter().all(is_gone)
    }

    pub(crate) fn collapse_turn(&mut self, at: u32, cursor: u32) -> Turn {
        let at = at as usize;
        let (id, subject, then) = (self.word(at), self.kept(self.word(at + 1)), self.word(at + 2));
        // A condition may have evaluated it in place.
        let subject = self.space.memory.resolve(subject);
        let pattern = self.pattern;
        let (parts, identity, extension) = match pattern.node(id) {
            Node::List(node) => (&node.collapse, node.identity, node.extension),
            Node::Multi(node) => (&node.collapse, node.identity, node.extension),
            _ => unreachable!("only lists and multisets collapse to an argument"),
        };
        let parts = parts.as_deref().expect("it has an identity");
        self.alternative_turn(cursor, parts.len() as u32, then, |run, k| {
            run.collapse_to(parts, identity, subject, extension, k)
        })
    }
}
