//! The nodes on which all rules were tried in vain: a bit of a node of the heap, and a set of ids
//! for nodes of the store, such as identities.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::heap::{Handle, HeldNodes, Memory, flag};

/// Where `rewrite` has no rule to try.
#[derive(Default)]
pub(crate) struct Marks {
    stored: RefCell<FxHashSet<Handle>>,
}

/// Terms that wait between two runs. The store makes equal nodes one, but not all of them need have
/// been tried, so it is kept which nodes there were.
#[derive(Default)]
pub(crate) struct Parked {
    /// Nodes of the heap, after those below them.
    nodes: Vec<ParkedNode>,
    roots: Vec<MarkedPlace>,
}

struct ParkedNode {
    stored: Handle,
    marked: bool,
    args: Vec<MarkedPlace>,
}

/// A root or an argument.
#[derive(Clone, Copy)]
enum MarkedPlace {
    /// The node with this number.
    Node(usize),
    /// What is no node of the heap.
    Kept(Handle),
}

impl Marks {
    /// Whether all rules were tried in vain on a node of the store.
    pub(crate) fn is_stored_marked(&self, term: Handle) -> bool {
        self.stored.borrow().contains(&term)
    }

    /// Forgets nodes of the store that nobody holds.
    pub(crate) fn forget_dead(&self, held: &HeldNodes) {
        self.stored.borrow_mut().retain(|&node| held.is_held(node));
    }

    /// Whether all rules were tried on a node in vain.
    #[inline]
    pub(crate) fn is_marked(&self, memory: &Memory, term: Handle) -> bool {
        if term.is_heap() {
            memory.has_flag(term, flag::NO_RULE)
        } else {
            self.is_stored_marked(term)
        }
    }

    /// Notes that all rules were tried on a node in vain.
    pub(crate) fn mark(&self, memory: &mut Memory, term: Handle) {
        if term.is_heap() {
            memory.set_flag(term, flag::NO_RULE);
        } else {
            self.stored.borrow_mut().insert(term);
        }
    }
}

impl Parked {
    /// Enters normal terms into the store.
    pub(crate) fn new(memory: &mut Memory, terms: &[Handle]) -> Parked {
        let mut parked = Parked::default();
        let mut numbers: FxHashMap<Handle, usize> = FxHashMap::default();
        for &term in terms {
            let term = memory.resolve(term);
            let mut stack = vec![(term, memory.enter(term), 0)];
            while let Some((node, stored, next)) = stack.last_mut() {
                let (node, stored) = (*node, *stored);
                let open = node.is_heap() && !numbers.contains_key(&node);
                if open && *next < memory.n_args(node) {
                    let args = (memory.arg(node, *next), memory.arg(stored, *next));
                    *next += 1;
                    stack.push((args.0, args.1, 0));
                    continue;
                }
                stack.pop();
                if open {
                    let places = 0..memory.n_args(node);
                    let args = places.map(|i| part(&numbers, memory.arg(node, i))).collect();
                    let marked = memory.has_flag(node, flag::NO_RULE);
                    numbers.insert(node, parked.nodes.len());
                    parked.nodes.push(ParkedNode { stored, marked, args });
                }
            }
            parked.roots.push(part(&numbers, term));
        }
        parked
    }

    /// Makes the nodes again.
    pub(crate) fn unpark(&self, memory: &mut Memory) -> Vec<Handle> {
        let mut made: Vec<Handle> = Vec::with_capacity(self.nodes.len());
        let handle = |part: MarkedPlace, made: &[Handle]| match part {
            MarkedPlace::Node(number) => made[number],
            MarkedPlace::Kept(handle) => handle,
        };
        for node in &self.nodes {
            let copy = memory.copy_node(node.stored);
            for (place, &arg) in node.args.iter().enumerate() {
                memory.set_arg(copy, place, handle(arg, &made));
            }
            if node.marked {
                memory.set_flag(copy, flag::NO_RULE);
            }
            made.push(copy);
        }
        self.roots.iter().map(|&root| handle(root, &made)).collect()
    }
}

fn part(numbers: &FxHashMap<Handle, usize>, term: Handle) -> MarkedPlace {
    numbers.get(&term).map_or(MarkedPlace::Kept(term), |&number| MarkedPlace::Node(number))
}
