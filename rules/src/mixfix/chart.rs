//! The recogniser: Earley's algorithm with one token of lookahead and Leo's optimisation.
//!
//! State `i` holds the items that end before token `i`. An item is a dotted production with the
//! state in which it began. Precedence and gather are part of the nonterminals, so an associative
//! list is read deterministically; then each element but the last completes through a chain of items
//! that only wait for their last part, and Leo's optimisation jumps over the chain: only its top is
//! entered, and the chain is walked again when the reading is taken out of the chart.

use rustc_hash::FxHashMap;

use super::predict::{EMPTY, FirstSet, NOTHING, Prediction, Predictor};
use super::production::{Category, Nonterminal, Position, Productions, Symbol};
use super::stamped::StampedTable;
use super::terminals::{Class, END, Terminals};

/// A place in the array of items.
pub(super) type ItemId = u32;
/// No item, no link.
pub(super) const NONE: u32 = u32::MAX;

/// There is no second way to an item.
pub(super) const NO_ITEM: ItemId = u32::MAX - 1;

/// A dotted production over a stretch of tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChartItem {
    /// The dotted production.
    pub at: Position,
    /// The state in which it began.
    pub origin: u32,
    /// The state in which it is.
    pub end: u32,
    /// The item before the last symbol; `NONE` at the beginning.
    pub previous: ItemId,
    /// Another item before the last symbol, which then begins further to the left; `NO_ITEM` if
    /// there is none. Two are enough to tell the first two readings.
    pub second: ItemId,
}

/// A derived part: a category with a precedence from `origin` to the current state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Edge {
    pub category: Category,
    pub prec: u8,
    pub origin: u32,
}

/// What Leo's optimisation knows of an edge, whatever its end is.
#[derive(Clone, Copy, Debug)]
struct Chain {
    /// The one item that waits for the edge, or `NONE` if the edge is not jumped over.
    waiting: ItemId,
    /// The edge at the top of the chain.
    top: Edge,
    /// Tokens that forbid the jump, since other items would go on with them.
    forbidden: FirstSet,
}

/// The grammar's tables as the recogniser needs them.
pub(super) struct Tables<'a> {
    pub productions: &'a Productions,
    pub terminals: &'a Terminals,
    pub predictor: &'a mut Predictor,
}

/// The items of all states.
#[derive(Default)]
pub(super) struct Chart {
    pub items: Vec<ChartItem>,
    /// Where the items of each state begin; one entry more than states.
    pub starts: Vec<u32>,
    predictions: Vec<Prediction>,
    /// The edges from which a chain was jumped over, in the order of the states where they end.
    jumps: Vec<Edge>,
    /// Where the jumps of each state begin.
    jump_starts: Vec<u32>,
    chains: FxHashMap<Edge, Chain>,
    known_items: StampedTable,
    known_edges: StampedTable,
    agenda: Vec<Edge>,
    /// How often an item was found again.
    n_links: u64,
}

/// Why reading stopped.
pub(super) enum Stopped {
    /// The token at this place does not fit.
    At(usize),
    /// There are too many readings of the tokens up to this place.
    Ambiguous(usize),
}

/// So many items of one bubble are far more than any unambiguous one has.
const MOST_ITEMS: usize = 60_000_000;
/// So many further ways to items take a second or so.
const MOST_LINKS: u64 = 50_000_000;

impl Chart {
    /// Reads the tokens as one of the goals.
    pub fn recognise(
        tables: &mut Tables<'_>,
        goals: &[Nonterminal],
        classes: &[Class],
    ) -> Result<Chart, Stopped> {
        let mut chart = Chart::default();
        chart.starts.extend([0, 0]);
        chart.jump_starts.extend([0, 0]);
        let mut first = NOTHING;
        for &goal in goals {
            first = tables.predictor.extend(first, goal, tables.productions);
        }
        chart.predictions.push(first);
        for (at, &class) in classes.iter().enumerate() {
            let next = classes.get(at + 1).copied().unwrap_or(END);
            if !chart.step(tables, at as u32, class, next) {
                return Err(Stopped::At(at));
            }
            if chart.items.len() > MOST_ITEMS || chart.n_links > MOST_LINKS {
                return Err(Stopped::Ambiguous(at));
            }
        }
        let end = classes.len() as u32;
        let done = goals.iter().any(|&goal| {
            let (category, bound) = tables.productions.nonterminals[goal as usize];
            (0..=bound).any(|prec| {
                chart.known_edges.contains(edge_key(&Edge { category, prec, origin: 0 }))
            })
        });
        if done && end > 0 { Ok(chart) } else { Err(Stopped::At(classes.len())) }
    }

    /// Makes the state after a token; `false` if the token fits nowhere.
    fn step(&mut self, tables: &mut Tables<'_>, state: u32, class: Class, next: Class) -> bool {
        self.known_items.clear();
        self.known_edges.clear();
        let prediction = self.predictions[state as usize];
        let mut fits = false;
        let waiting = self.starts[state as usize]..self.starts[state as usize + 1];
        for id in waiting {
            let item = self.items[id as usize];
            if matches!(tables.productions.symbols[item.at as usize], Symbol::Terminal(_)) {
                // The token was looked at when the item was made.
                fits = true;
                self.enter(tables, item.at + 1, item.origin, state + 1, id, next);
            }
        }
        for place in 0..tables.terminals.terminals(class).len() {
            let terminal = tables.terminals.terminals(class)[place];
            let Some(beginning) = tables.productions.by_terminal.get(terminal as usize) else {
                continue;
            };
            for &p in beginning {
                let production = &tables.productions.all[p as usize];
                if tables.predictor.admits(prediction, production.category, production.prec) {
                    fits = true;
                    self.enter(tables, production.start + 1, state, state + 1, NONE, next);
                }
            }
        }
        while let Some(edge) = self.agenda.pop() {
            self.complete(tables, edge, state + 1, next);
        }
        self.starts.push(self.items.len() as u32);
        self.jump_starts.push(self.jumps.len() as u32);
        let mut prediction = NOTHING;
        let mut last = NONE;
        for id in self.starts[state as usize + 1]..self.items.len() as u32 {
            let at = self.items[id as usize].at;
            if let Symbol::Nonterminal(n) = tables.productions.symbols[at as usize]
                && n != last
            {
                prediction = tables.predictor.extend(prediction, n, tables.productions);
                last = n;
            }
        }
        self.predictions.push(prediction);
        fits
    }

    /// Enters an item, if the next token can go on with it.
    fn enter(
        &mut self,
        tables: &mut Tables<'_>,
        at: Position,
        origin: u32,
        end: u32,
        previous: ItemId,
        next: Class,
    ) {
        if !tables.predictor.goes_on(at, next, tables.productions, tables.terminals) {
            return;
        }
        self.add(tables, at, origin, end, previous);
    }

    fn add(
        &mut self,
        tables: &mut Tables<'_>,
        at: Position,
        origin: u32,
        end: u32,
        previous: ItemId,
    ) {
        let key = u64::from(at) << 32 | u64::from(origin);
        let next_id = self.items.len() as ItemId;
        let id = self.known_items.get_or_insert(key, next_id);
        if id != next_id {
            self.link(id, previous);
            return;
        }
        self.items.push(ChartItem { at, origin, end, previous, second: NO_ITEM });
        if let Symbol::End(p) = tables.productions.symbols[at as usize] {
            let production = &tables.productions.all[p as usize];
            self.derive(Edge { category: production.category, prec: production.prec, origin });
        }
    }

    /// Where the last symbol of an item begins, if `previous` is before it.
    pub fn start_of_last(&self, origin: u32, previous: ItemId) -> u32 {
        match previous {
            NONE => origin,
            id => self.items[id as usize].end,
        }
    }

    /// Remembers another way to an item: of all ways the two whose last symbols begin furthest to
    /// the right.
    fn link(&mut self, id: ItemId, previous: ItemId) {
        self.n_links += 1;
        let item = self.items[id as usize];
        if previous == item.previous || previous == item.second {
            return;
        }
        let start = self.start_of_last(item.origin, previous);
        let entry = if start > self.start_of_last(item.origin, item.previous) {
            ChartItem { previous, second: item.previous, ..item }
        } else if item.second == NO_ITEM || start > self.start_of_last(item.origin, item.second) {
            ChartItem { second: previous, ..item }
        } else {
            item
        };
        self.items[id as usize] = entry;
    }

    fn derive(&mut self, edge: Edge) {
        if self.known_edges.insert(edge_key(&edge)) {
            self.agenda.push(edge);
        }
    }

    /// Goes on with everything that waits for an edge.
    fn complete(&mut self, tables: &mut Tables<'_>, edge: Edge, end: u32, next: Class) {
        let origin = edge.origin as usize;
        let productions = tables.productions;
        let prediction = self.predictions[origin];
        let continuations =
            tables.predictor.continuations(prediction, edge.category, edge.prec, productions);
        let (from, to) =
            tables.predictor.fitting(continuations, next, productions, tables.terminals);
        if from == to
            && let Some(top) = self.jump(tables, edge, next)
        {
            self.jumps.push(edge);
            self.derive(top);
            return;
        }
        for place in from..to {
            let at = tables.predictor.fitting_at(place);
            self.add(tables, at, edge.origin, end, NONE);
        }
        for id in self.starts[origin]..self.starts[origin + 1] {
            let item = self.items[id as usize];
            if waits_for(productions, item.at, &edge) {
                self.enter(tables, item.at + 1, item.origin, end, id, next);
            }
        }
    }

    /// The top of the chain above an edge, if there is one and the next token allows the jump.
    fn jump(&mut self, tables: &mut Tables<'_>, edge: Edge, next: Class) -> Option<Edge> {
        let chain = match self.chains.get(&edge) {
            Some(&chain) => chain,
            None => self.find_chain(tables, edge),
        };
        // A chain of one step is no shorter as a jump.
        let allowed = chain.waiting != NONE
            && !tables.predictor.contains(chain.forbidden, next, tables.terminals)
            && self.edge_above(tables.productions, chain.waiting) != chain.top;
        allowed.then_some(chain.top)
    }

    /// The edges that end in a state and from which a chain was jumped over.
    pub fn jumps(&self, state: u32) -> &[Edge] {
        let state = state as usize;
        &self.jumps[self.jump_starts[state] as usize..self.jump_starts[state + 1] as usize]
    }

    /// The next step of a chain: the item that waits for the edge.
    pub fn chain_step(&self, edge: Edge) -> Option<ItemId> {
        self.chains.get(&edge).map(|c| c.waiting).filter(|&w| w != NONE)
    }

    fn find_chain(&mut self, tables: &mut Tables<'_>, edge: Edge) -> Chain {
        let mut path: Vec<(Edge, ItemId, FirstSet)> = Vec::new();
        let mut at = edge;
        let (top, mut forbidden) = loop {
            if let Some(known) = self.chains.get(&at) {
                break match known.waiting {
                    NONE => (at, EMPTY),
                    _ => (known.top, known.forbidden),
                };
            }
            match self.only_waiting(tables, at) {
                Some((item, others)) => {
                    path.push((at, item, others));
                    at = self.edge_above(tables.productions, item);
                }
                None => {
                    let none = Chain { waiting: NONE, top: at, forbidden: EMPTY };
                    self.chains.insert(at, none);
                    break (at, EMPTY);
                }
            }
        };
        for &(edge, waiting, others) in path.iter().rev() {
            forbidden = tables.predictor.union(forbidden, others);
            self.chains.insert(edge, Chain { waiting, top, forbidden });
        }
        self.chains[&edge]
    }

    /// The edge that an item makes when its last part is there.
    pub fn edge_above(&self, productions: &Productions, waiting: ItemId) -> Edge {
        let item = self.items[waiting as usize];
        let Symbol::End(p) = productions.symbols[item.at as usize + 1] else {
            unreachable!("the item waits for its last part");
        };
        let production = &productions.all[p as usize];
        Edge { category: production.category, prec: production.prec, origin: item.origin }
    }

    /// The item that waits for an edge as its last part, if it is the only one, with the terminals
    /// that the others go on with.
    fn only_waiting(&self, tables: &mut Tables<'_>, edge: Edge) -> Option<(ItemId, FirstSet)> {
        let productions = tables.productions;
        let origin = edge.origin as usize;
        let mut only = NONE;
        let mut others = EMPTY;
        for id in self.starts[origin]..self.starts[origin + 1] {
            let at = self.items[id as usize].at;
            if !waits_for(productions, at, &edge) {
                continue;
            }
            if !matches!(productions.symbols[at as usize + 1], Symbol::End(_)) {
                let first = tables.predictor.first_at(at + 1, productions);
                others = tables.predictor.union(others, first);
            } else if only == NONE {
                only = id;
            } else {
                return None;
            }
        }
        if only == NONE {
            return None;
        }
        let prediction = self.predictions[origin];
        let continuations =
            tables.predictor.continuations(prediction, edge.category, edge.prec, productions);
        let continuation = tables.predictor.continuation(continuations);
        if continuation.unit {
            return None;
        }
        let next = continuation.next;
        Some((only, tables.predictor.union(others, next)))
    }
}

/// Whether an item stands before a nonterminal that the edge is.
#[inline]
fn waits_for(productions: &Productions, at: Position, edge: &Edge) -> bool {
    match productions.symbols[at as usize] {
        Symbol::Nonterminal(n) => {
            let (category, bound) = productions.nonterminals[n as usize];
            category == edge.category && bound >= edge.prec
        }
        _ => false,
    }
}

fn edge_key(edge: &Edge) -> u64 {
    u64::from(edge.category) << 40 | u64::from(edge.prec) << 32 | u64::from(edge.origin)
}
