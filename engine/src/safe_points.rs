//! Safe points: where memory is collected, and where a computation finds out that it has to stop.

use crate::engine::Engine;
use crate::limits::Stop;

/// The heap is first collected at this many words: what is in use then still fits into a cache.
const FIRST_COLLECTION: usize = 1 << 19;
/// Memory is measured again when terms have grown by so many words (32 MB).
const MEASURED_GROWTH: usize = 1 << 23;
/// Memory is measured again after so many looks at the limits.
const MEASURED_CHECKS: u32 = 1 << 10;

/// When to collect, and when to measure the memory that a computation has taken.
pub(crate) struct Gauge {
    /// The words of the heap at which it is collected.
    collect_at: usize,
    /// The words of the heap that were live after the last collection.
    live: usize,
    /// Looks at the limits until memory is measured.
    checks: u32,
    /// The words of terms at which memory is measured.
    words: usize,
    /// The bytes that the process held when nothing of a computation was there.
    before: u64,
    /// There was too much memory in use, and a collection is due that may help.
    pressed: bool,
}

impl Default for Gauge {
    fn default() -> Gauge {
        Gauge {
            collect_at: FIRST_COLLECTION,
            live: 0,
            checks: MEASURED_CHECKS,
            words: MEASURED_GROWTH,
            before: 0,
            pressed: false,
        }
    }
}

impl Engine {
    /// A safe point: collects if the heap has grown enough. All live heap handles must be roots.
    #[inline(always)]
    pub(crate) fn safe_point(&mut self) {
        if self.memory.heap_load() >= self.gauge.collect_at {
            self.collect();
        }
    }

    /// Collects at the next safe point whatever the size of the heap, for tests.
    #[cfg(test)]
    pub(crate) fn collect_always(&mut self) {
        self.gauge.collect_at = 0;
    }

    #[cold]
    fn collect(&mut self) {
        if self.pinned > 0 {
            return;
        }
        let always = self.gauge.collect_at == 0;
        let mut collection = self.memory.begin_collection();
        for root in &mut self.regs {
            collection.visit(root);
        }
        for matcher in &mut self.suspended {
            matcher.visit_roots(&mut |root| collection.visit(root));
        }
        self.machine.visit_roots(&mut |root| collection.visit(root));
        collection.finish();
        let live = self.memory.heap_load();
        // A collection looks at all roots, so many roots count like many live words.
        let visited = live + self.regs.len();
        self.gauge.live = live;
        self.gauge.pressed = false;
        self.gauge.collect_at = if always { 0 } else { (3 * visited).max(FIRST_COLLECTION) };
    }

    /// Looks whether the computation has to stop: it was interrupted, or takes too much memory.
    #[inline]
    pub(crate) fn check_limits(&mut self) {
        if self.limits.is_interrupted() {
            self.stopped = Some(Stop::Interrupted);
            return;
        }
        self.gauge.checks -= 1;
        if self.gauge.checks == 0 || self.term_words() >= self.gauge.words {
            self.measure();
        }
    }

    /// The words of terms and of handles to them.
    #[inline(always)]
    fn term_words(&self) -> usize {
        self.memory.term_load() + self.regs.len()
    }

    /// Compares the memory in use with the limits. If there is too much of it, but much that a
    /// collection may give back, that comes first.
    #[cold]
    fn measure(&mut self) {
        self.gauge.checks = MEASURED_CHECKS;
        self.gauge.words = self.term_words() + MEASURED_GROWTH;
        let taken = self.limits.held().saturating_sub(self.gauge.before);
        // The next collection will need room for a copy of the heap.
        let needed = taken + self.memory.heap_bytes();
        if !self.limits.forbids(needed) && !self.memory.is_nearly_full() {
            return;
        }
        let garbage = 4 * self.memory.heap_load().saturating_sub(self.gauge.live) as u64;
        if self.pinned == 0 && garbage > needed / 8 && !self.gauge.pressed {
            self.gauge.pressed = true;
            self.gauge.collect_at = self.memory.heap_load();
        } else {
            self.stopped = Some(Stop::Memory);
        }
    }

    /// Notes what the process holds before a computation has taken anything.
    pub(crate) fn gauge_before(&mut self) {
        self.gauge.before = self.limits.held();
        self.gauge.checks = MEASURED_CHECKS;
        self.gauge.words = self.term_words() + MEASURED_GROWTH;
        self.gauge.pressed = false;
        // A collection needs room for a copy of the heap.
        self.memory.set_room(self.limits.memory().map_or(u64::MAX, |bytes| bytes / 2));
    }

    /// Gives back what a computation held that was stopped. Nothing of the heap lives on.
    pub(crate) fn release(&mut self) {
        (self.pinned, self.uncounted) = (0, 0);
        self.regs = Vec::new();
        self.suspended = Vec::new();
        self.machine.release();
        self.memory.forget_heap();
        self.gauge.collect_at = FIRST_COLLECTION;
        self.gauge.live = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use crate::engine::Engine;
    use crate::limits::Stop;
    use crate::search::{Arrow, SearchSpec};
    use crate::testing::World;

    /// Lets a computation take what is measured in ten looks.
    fn limit_looks(engine: &mut Engine) {
        let held = AtomicU64::new(0);
        engine.limits.set_memory(100 << 20, move || held.fetch_add(10 << 20, Ordering::Relaxed));
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
        assert_eq!(w.engine.regs.capacity(), 0, "what it took is given back");
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
        let mut search = w.engine.search(&command, spec);
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
        w.engine.limits.set_memory(64 << 20, || 0);
        let term = w.partial("d(l(a, a))");
        let command = w.command();
        assert_eq!(w.engine.normal_form(&command, term).unwrap_err(), Stop::Memory);
        assert!((18..24).contains(&w.engine.counts().equations));
        let term = w.partial("b");
        let command = w.command();
        assert!(w.engine.normal_form(&command, term).is_ok());
    }
}
