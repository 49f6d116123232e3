//! Safe points: where all live handles stand in roots, and memory may be collected.

use std::sync::Arc;

use crate::heap::{Handle, HeldNodes};
use crate::worker::Worker;

/// A computation that holds terms of the store.
pub(crate) trait StoreHolder {
    /// Tells which terms it holds between two steps.
    fn hold_stored(&mut self, held: &mut HeldNodes);

    /// Forgets what it only knows of terms that nobody holds.
    fn forget_dead(&mut self, _held: &HeldNodes) {}
}

/// Tells which terms a list holds.
pub(crate) fn hold_all<'a>(terms: impl IntoIterator<Item = &'a Handle>, held: &mut HeldNodes) {
    terms.into_iter().for_each(|&term| held.hold(term));
}

impl Worker {
    /// A safe point: collects if the heap has grown enough. All live heap handles must be roots.
    #[inline(always)]
    pub(crate) fn safe_point(&mut self) {
        if self.space.wants_collection() {
            self.collect();
        }
    }

    #[cold]
    fn collect(&mut self) {
        let mut collection = self.space.memory.begin_collection();
        for root in self.space.regs.iter_mut() {
            collection.visit(root);
        }
        for matcher in self.suspended.iter_mut().flatten() {
            matcher.visit_roots(&mut |root| collection.visit(root));
        }
        self.machine.visit_roots(&mut |root| collection.visit(root));
        collection.finish();
        self.space.note_collection();
    }

    /// A point between two steps of a computation, where the store may be collected: all that is held
    /// of it is held by the computation, by nodes of the heap, or by callers.
    #[inline]
    pub(crate) fn store_safe_point(&mut self, holder: &mut dyn StoreHolder) {
        if self.space.wants_store_collection() {
            self.collect_store(holder);
        }
    }

    #[cold]
    fn collect_store(&mut self, holder: &mut dyn StoreHolder) {
        // What other computations hold that wait is not known here.
        if Arc::strong_count(&self.runs) == 2 {
            // Of the heap only what is live counts, which is all there is after a collection.
            self.collect();
            let mut held = self.space.memory.begin_store_collection();
            let registers = self.space.regs.iter().copied();
            registers.for_each(|register| held.hold(register));
            for matcher in self.suspended.iter_mut().flatten() {
                matcher.visit_roots(&mut |root| held.hold(*root));
            }
            self.machine.visit_roots(&mut |root| held.hold(*root));
            self.roots.visit(&mut |root| held.hold(root));
            holder.hold_stored(&mut held);
            self.space.memory.complete(&mut held);
            holder.forget_dead(&held);
            self.space.memory.finish_store_collection(&held);
        }
        self.space.note_store_collection();
    }

    /// Gives back what a computation held that was stopped. Nothing of the heap lives on.
    pub(crate) fn release(&mut self) {
        self.uncounted = 0;
        self.suspended = Vec::new();
        self.machine.release();
        self.space.release();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use crate::limits::Stop;
    use crate::search::{Arrow, Search, SearchSpec};
    use crate::testing::World;
    use crate::worker::Worker;

    /// Lets a computation take what is measured in ten looks.
    fn limit_looks(engine: &mut Worker) {
        let held = AtomicU64::new(0);
        engine
            .space
            .limits
            .set_memory(100 << 20, move |_| held.fetch_add(10 << 20, Ordering::Relaxed));
    }

    #[test]
    fn what_takes_too_much_memory_ends_and_the_next_command_is_run() {
        let mut w = World::new();
        w.ops("a/0 b/0 f/1 g/1");
        w.statement("f(X) = g(f(X))").statement("b = a");
        w.load();
        limit_looks(&mut w.engine);
        let term = w.partial("f(a)");
        let command = w.command();
        assert_eq!(w.engine.normal_form(&command, term).unwrap_err(), Stop::Memory);
        assert_eq!(w.engine.space.regs.capacity(), 0, "what it took is given back");
        let term = w.partial("b");
        let command = w.command();
        let result = w.engine.normal_form(&command, term).expect("this takes no memory");
        let shown = w.engine.read_back(&result);
        assert_eq!(w.show_read(&shown), "a");
    }

    #[test]
    fn a_search_that_ran_out_of_memory_does_not_go_on() {
        let mut w = World::new();
        w.ops("a/0 b/0 s/1");
        w.statement("s(X) => s(s(X))");
        w.load();
        limit_looks(&mut w.engine);
        let (start, pattern) = (w.partial("s(a)"), w.term("b"));
        let condition = Vec::new();
        let spec = SearchSpec { start, arrow: Arrow::Star, pattern, condition, depth: None };
        let command = w.command();
        let mut search = Search::new(&mut w.engine, &command, spec);
        for _ in 0..2 {
            assert_eq!(search.next(&mut w.engine).unwrap_err(), Stop::Memory);
        }
    }

    #[test]
    fn a_step_for_which_there_is_no_room_is_not_done() {
        let mut w = World::new();
        w.ops("a/0 b/0 l/2:A d/1");
        w.statement("d(X) = d(l(X, X))").statement("b = a");
        w.load();
        w.engine.space.limits.set_memory(64 << 20, |_| 0);
        let term = w.partial("d(l(a, a))");
        let command = w.command();
        assert_eq!(w.engine.normal_form(&command, term).unwrap_err(), Stop::Memory);
        assert!((18..24).contains(&w.engine.counts().equations));
        let term = w.partial("b");
        let command = w.command();
        assert!(w.engine.normal_form(&command, term).is_ok());
    }
}
