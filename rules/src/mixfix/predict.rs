//! What may begin at a place in the input.
//!
//! A *prediction* says for each category up to which precedence it is wanted, with everything that
//! this implies through first places. There are few different ones, so they are numbered and what
//! follows from them is remembered: which productions begin with a part that has just been read, and
//! which terminals can come first. Productions that begin with a part need no items until that part
//! is there.

use rustc_hash::FxHashMap;

use super::production::{Category, Nonterminal, Position, Productions, Symbol};
use super::terminals::{Class, Terminals};

/// A set of wanted nonterminals, closed under first places.
pub(super) type Prediction = u32;

/// The prediction in which nothing is wanted.
pub(super) const NOTHING: Prediction = 0;

/// A set of terminals, by number.
pub(super) type FirstSet = u32;

/// The productions of a prediction that begin with a certain part.
#[derive(Debug)]
pub(super) struct Continuations {
    /// The terminals that can follow the part in some of them.
    pub next: FirstSet,
    /// Whether the part is all there is to one of them.
    pub unit: bool,
    /// The positions behind the part.
    positions: Box<[Position]>,
}

/// Predictions and first sets, made on demand.
#[derive(Default, Debug)]
pub(super) struct Predictor {
    /// For each prediction one more than the bound of each category, 0 where it is not wanted.
    predictions: Vec<Box<[u8]>>,
    ids: FxHashMap<Box<[u8]>, Prediction>,
    extended: FxHashMap<(Prediction, Nonterminal), Prediction>,
    first_of: Vec<Option<FirstSet>>,
    first_sets: Vec<Box<[u64]>>,
    first_ids: FxHashMap<Box<[u64]>, FirstSet>,
    unions: FxHashMap<(FirstSet, FirstSet), FirstSet>,
    continuations: FxHashMap<(Prediction, Category, u8), u32>,
    continuation_table: Vec<Continuations>,
    /// Positions that go on with a token of the class.
    fitting: FxHashMap<(u32, Class), (u32, u32)>,
    fitting_table: Vec<Position>,
}

/// The first set without members.
pub(super) const EMPTY: FirstSet = 0;

impl Predictor {
    pub fn new(n_categories: u32, n_terminals: u32) -> Predictor {
        let mut predictor = Predictor::default();
        predictor.intern(vec![0; n_categories as usize].into());
        predictor.intern_first(vec![0; n_terminals.div_ceil(64) as usize].into());
        predictor
    }

    fn intern(&mut self, bounds: Box<[u8]>) -> Prediction {
        let next = self.predictions.len() as Prediction;
        *self.ids.entry(bounds).or_insert_with_key(|bounds| {
            self.predictions.push(bounds.clone());
            next
        })
    }

    fn intern_first(&mut self, set: Box<[u64]>) -> FirstSet {
        let next = self.first_sets.len() as FirstSet;
        *self.first_ids.entry(set).or_insert_with_key(|set| {
            self.first_sets.push(set.clone());
            next
        })
    }

    /// The prediction with a nonterminal added.
    pub fn extend(
        &mut self,
        from: Prediction,
        wanted: Nonterminal,
        productions: &Productions,
    ) -> Prediction {
        if let Some(&known) = self.extended.get(&(from, wanted)) {
            return known;
        }
        let mut bounds = self.predictions[from as usize].clone();
        let mut todo = vec![wanted];
        while let Some(nonterminal) = todo.pop() {
            let (category, bound) = productions.nonterminals[nonterminal as usize];
            let old = bounds[category as usize];
            if old > bound {
                continue;
            }
            bounds[category as usize] = bound + 1;
            for &p in &productions.left_recursive[category as usize] {
                let production = &productions.all[p as usize];
                if production.prec <= bound
                    && production.prec >= old
                    && let Symbol::Nonterminal(first) =
                        productions.symbols[production.start as usize]
                {
                    todo.push(first);
                }
            }
        }
        let prediction = self.intern(bounds);
        self.extended.insert((from, wanted), prediction);
        prediction
    }

    /// Whether a production is wanted.
    #[inline]
    pub fn admits(&self, prediction: Prediction, category: Category, prec: u8) -> bool {
        self.predictions[prediction as usize][category as usize] > prec
    }

    /// The terminals with which a nonterminal can begin.
    pub fn first(&mut self, nonterminal: Nonterminal, productions: &Productions) -> FirstSet {
        if self.first_of.len() < productions.nonterminals.len() {
            self.first_of.resize(productions.nonterminals.len(), None);
        }
        if let Some(known) = self.first_of[nonterminal as usize] {
            return known;
        }
        let prediction = self.extend(NOTHING, nonterminal, productions);
        let mut set = vec![0u64; self.first_sets[0].len()].into_boxed_slice();
        let bounds = &self.predictions[prediction as usize];
        for (category, &bound) in bounds.iter().enumerate() {
            for &p in &productions.direct[category] {
                let production = &productions.all[p as usize];
                if production.prec < bound
                    && let Symbol::Terminal(t) = productions.symbols[production.start as usize]
                {
                    set[t as usize / 64] |= 1 << (t % 64);
                }
            }
        }
        let id = self.intern_first(set);
        self.first_of[nonterminal as usize] = Some(id);
        id
    }

    /// Whether a token of the class can begin what stands at a position; at an end always.
    #[inline]
    pub fn goes_on(
        &mut self,
        at: Position,
        class: Class,
        productions: &Productions,
        terminals: &Terminals,
    ) -> bool {
        match productions.symbols[at as usize] {
            Symbol::End(_) => true,
            Symbol::Terminal(t) => terminals.terminals(class).contains(&t),
            Symbol::Nonterminal(n) => {
                let first = self.first(n, productions);
                self.contains(first, class, terminals)
            }
        }
    }

    /// Whether a token of the class is one of a set of terminals.
    #[inline]
    pub fn contains(&self, set: FirstSet, class: Class, terminals: &Terminals) -> bool {
        let set = &self.first_sets[set as usize];
        terminals.terminals(class).iter().any(|&t| set[t as usize / 64] >> (t % 64) & 1 == 1)
    }

    /// The terminals that can stand at a position.
    pub fn first_at(&mut self, at: Position, productions: &Productions) -> FirstSet {
        match productions.symbols[at as usize] {
            Symbol::End(_) => EMPTY,
            Symbol::Nonterminal(n) => self.first(n, productions),
            Symbol::Terminal(t) => {
                let mut set = vec![0u64; self.first_sets[0].len()].into_boxed_slice();
                set[t as usize / 64] |= 1 << (t % 64);
                self.intern_first(set)
            }
        }
    }

    /// The union of two sets.
    pub fn union(&mut self, a: FirstSet, b: FirstSet) -> FirstSet {
        if a == b || b == EMPTY {
            return a;
        }
        if a == EMPTY {
            return b;
        }
        if let Some(&known) = self.unions.get(&(a, b)) {
            return known;
        }
        let words = self.first_sets[a as usize].iter().zip(&self.first_sets[b as usize]);
        let set: Box<[u64]> = words.map(|(a, b)| a | b).collect();
        let id = self.intern_first(set);
        self.unions.insert((a, b), id);
        id
    }

    /// What goes on behind a part of this category and precedence where the prediction holds.
    pub fn continuations(
        &mut self,
        prediction: Prediction,
        category: Category,
        prec: u8,
        productions: &Productions,
    ) -> u32 {
        if let Some(&known) = self.continuations.get(&(prediction, category, prec)) {
            return known;
        }
        let mut positions = Vec::new();
        let (mut next, mut unit) = (EMPTY, false);
        for &p in &productions.by_first[category as usize] {
            let production = &productions.all[p as usize];
            let Symbol::Nonterminal(first) = productions.symbols[production.start as usize] else {
                continue;
            };
            if productions.nonterminals[first as usize].1 < prec
                || !self.admits(prediction, production.category, production.prec)
            {
                continue;
            }
            let behind = production.start + 1;
            unit |= matches!(productions.symbols[behind as usize], Symbol::End(_));
            let first = self.first_at(behind, productions);
            next = self.union(next, first);
            positions.push(behind);
        }
        let id = self.continuation_table.len() as u32;
        self.continuation_table.push(Continuations { next, unit, positions: positions.into() });
        self.continuations.insert((prediction, category, prec), id);
        id
    }

    /// One of the continuations.
    pub fn continuation(&self, id: u32) -> &Continuations {
        &self.continuation_table[id as usize]
    }

    /// The positions of continuations at which a token of the class can stand, or that are ends.
    pub fn fitting(
        &mut self,
        id: u32,
        class: Class,
        productions: &Productions,
        terminals: &Terminals,
    ) -> (u32, u32) {
        if let Some(&known) = self.fitting.get(&(id, class)) {
            return known;
        }
        let start = self.fitting_table.len() as u32;
        for place in 0..self.continuation_table[id as usize].positions.len() {
            let at = self.continuation_table[id as usize].positions[place];
            if self.goes_on(at, class, productions, terminals) {
                self.fitting_table.push(at);
            }
        }
        let range = (start, self.fitting_table.len() as u32);
        self.fitting.insert((id, class), range);
        range
    }

    /// A position found by `fitting`.
    #[inline]
    pub fn fitting_at(&self, at: u32) -> Position {
        self.fitting_table[at as usize]
    }
}
