//! Every matcher of AC and ACU patterns, in the order of `docs/semantics.md` 6.4.

use smallvec::SmallVec;

use super::{ENTERED, FROM, Instance, POSSIBLE, SMALL, START, THEN, TO};
use crate::heap::Handle;
use crate::matching::{
    AcAlien, Greedily, MatchRun, MatchTask, MultiNode, NONE, PatternNode, PatternNodeId, REST,
    RestWords, TaskKind, TaskOutcome, TopVariable, UNBOUNDED,
};

impl<'a> MatchRun<'a> {
    pub(crate) fn propagate_multi(
        &mut self,
        id: PatternNodeId,
        node: &MultiNode,
        subject: Handle,
    ) -> bool {
        if self.space.memory.symbol(subject) != node.symbol {
            let Some(parts) = &node.collapse else { return false };
            return self.propagate_collapse(id, parts, node.identity, subject, node.extension);
        }
        if let Some(fixed) = &node.fixed {
            return self.propagate_fixed(node, fixed, subject);
        }
        match &node.greedy {
            Some(greedy) if self.is_first() && !self.is_open(id, subject) => {
                match self.greedy_multi(id, node, greedy, subject) {
                    Greedily::Matched => true,
                    Greedily::Failed => false,
                    Greedily::Open => {
                        self.note_open(id, subject, node.alone);
                        self.propagate_all(id, node, subject)
                    }
                }
            }
            _ => self.propagate_all(id, node, subject),
        }
    }

    /// Lays out the words of a multiset, and removes ground arguments and bound variables.
    pub(super) fn begin_multi(
        &mut self,
        id: PatternNodeId,
        node: &MultiNode,
        subject: Handle,
    ) -> Option<Instance> {
        // Most subjects that do not match fail here, so nothing is laid out before.
        let mut ranks: SmallVec<[usize; 4]> = SmallVec::new();
        for &(term, multiplicity) in &node.ground {
            let rank = self.rank_of(subject, term)?;
            if self.space.memory.multiplicity(subject, rank) < multiplicity {
                return None;
            }
            ranks.push(rank);
        }
        let place = self.keep(subject);
        let n = self.space.memory.n_args(subject);
        let at = self.push_words(&[id, place, n as u32]);
        let elements = self.space.memory.elements(subject).iter();
        self.matcher.words.extend(elements.map(|(_, multiplicity)| multiplicity));
        let instance = Instance { at, n, n_variables: node.multiset_variables.len() };
        self.matcher.words.resize(instance.alien(node.aliens.len()), NONE);
        for (&(_, multiplicity), rank) in node.ground.iter().zip(ranks) {
            self.take(instance, rank, multiplicity);
        }
        for (i, variable) in node.multiset_variables.iter().enumerate() {
            let value = self.value(variable.var.slot);
            self.matcher.words[instance.variable(i)] = u32::from(value == Handle::NIL);
            if value != Handle::NIL
                && !self.subtract_value(instance, node, subject, value, variable.multiplicity)
            {
                return None;
            }
        }
        Some(instance)
    }

    /// The rank of an argument. In small subjects those with its operator are compared.
    fn rank_of(&self, subject: Handle, term: Handle) -> Option<usize> {
        let memory = &self.space.memory;
        let n = memory.n_args(subject);
        if n > SMALL {
            return memory.find_element(subject, term);
        }
        let symbol = memory.symbol(term);
        (0..n).find(|&rank| {
            let arg = memory.arg(subject, rank);
            arg == term || memory.symbol(arg) == symbol && memory.equal(arg, term)
        })
    }

    /// What is known of a multiset under way.
    pub(super) fn instance(&self, at: u32) -> (Instance, &'a MultiNode, Handle) {
        let at = at as usize;
        let pattern = self.pattern;
        let PatternNode::Multi(node) = pattern.node(self.word(at)) else {
            unreachable!("the words name their node")
        };
        let n = self.word(at + 2) as usize;
        (
            Instance { at, n, n_variables: node.multiset_variables.len() },
            node,
            self.kept(self.word(at + 1)),
        )
    }

    #[inline(always)]
    pub(super) fn amount(&self, instance: Instance, rank: usize) -> u32 {
        self.word(instance.amounts() + rank)
    }

    #[inline(always)]
    pub(super) fn take(&mut self, instance: Instance, rank: usize, n: u32) {
        let at = instance.amounts() + rank;
        let left = self.word(at) - n;
        self.set_word(at, left);
    }

    /// Takes an argument away.
    fn subtract(&mut self, instance: Instance, subject: Handle, term: Handle, n: u32) -> bool {
        match self.rank_of(subject, term) {
            Some(rank) if self.amount(instance, rank) >= n => {
                self.take(instance, rank, n);
                true
            }
            _ => false,
        }
    }

    /// Takes the value of a variable away.
    pub(super) fn subtract_value(
        &mut self,
        instance: Instance,
        node: &MultiNode,
        subject: Handle,
        value: Handle,
        n: u32,
    ) -> bool {
        let memory = &self.space.memory;
        if memory.symbol(value) == node.symbol {
            return (0..memory.n_args(value)).all(|i| {
                let memory = &self.space.memory;
                let (arg, m) = (memory.arg(value, i), memory.multiplicity(value, i));
                match m.checked_mul(n) {
                    Some(m) => self.subtract(instance, subject, arg, m),
                    None => false,
                }
            });
        }
        if node.identity != Handle::NIL && memory.equal(value, node.identity) {
            return true;
        }
        self.subtract(instance, subject, value, n)
    }

    /// How many arguments are left.
    pub(super) fn left(&self, instance: Instance) -> u64 {
        let amounts = &self.matcher.words[instance.amounts()..][..instance.n];
        amounts.iter().map(|&n| u64::from(n)).sum()
    }

    fn propagate_all(&mut self, id: PatternNodeId, node: &MultiNode, subject: Handle) -> bool {
        let Some(instance) = self.begin_multi(id, node, subject) else { return false };
        let (mut loops, mut needed) = (0u32, 0u64);
        let mut with_tasks = false;
        for (i, alien) in node.aliens.iter().enumerate() {
            let out = self.matcher.out.len();
            let words = instance.alien(i);
            match self.propagate_alien(instance, words, alien, subject) {
                None => return false,
                Some(None) => {
                    let has_tasks = self.matcher.out.len() > out;
                    // With fewer variables bound an earlier loop, or an earlier alien's tasks,
                    // might come at another place.
                    self.matcher.ambiguous |= has_tasks && (loops > 0 || with_tasks);
                    with_tasks |= has_tasks;
                }
                Some(Some(rank)) => {
                    let now = self.now();
                    self.matcher.words[words + START] = rank;
                    self.matcher.words[words + THEN] = now;
                    self.matcher.words[words + ENTERED] = 0;
                    loops += 1;
                    needed += u64::from(alien.multiplicity);
                }
            }
        }
        let left = self.left(instance);
        let (mut least, mut most, mut open) = (needed, Some(needed), 0);
        for (i, c) in node.multiset_variables.iter().enumerate() {
            if self.word(instance.variable(i)) == 0 {
                continue;
            }
            open += 1;
            least += u64::from(c.multiplicity) * u64::from(c.low);
            most = match most {
                Some(most) if c.high != UNBOUNDED => {
                    Some(most + u64::from(c.multiplicity) * u64::from(c.high))
                }
                _ => None,
            };
        }
        if left < least || !node.extension && most.is_some_and(|most| left > most) {
            return false;
        }
        for (i, c) in node.multiset_variables.iter().enumerate() {
            let free = self.word(instance.variable(i)) != 0 && c.low > 0;
            if free
                && self.value(c.var.slot) == Handle::NIL
                && !self.has_place(instance, c, subject)
            {
                return false;
            }
        }
        let parts = node.multiset_variables.iter().any(|c| c.alien.is_some());
        if loops == 0 && !node.extension && open <= 1 && !parts {
            let last =
                (0..node.multiset_variables.len()).find(|&i| self.word(instance.variable(i)) != 0);
            return self.take_rest(instance, node, last, subject);
        }
        self.matcher.out.push(MatchTask {
            kind: TaskKind::AcAlien,
            at: instance.at as u32,
            index: 0,
        });
        true
    }

    /// Whether some argument may begin a variable's value.
    fn has_place(&mut self, instance: Instance, c: &TopVariable, subject: Handle) -> bool {
        (0..instance.n).any(|rank| {
            self.amount(instance, rank) >= c.multiplicity
                && (c.high > 1 || {
                    let arg = self.space.memory.arg(subject, rank);
                    self.fits(arg, c.var.sort)
                })
        })
    }

    /// Everything left goes to one variable, or nothing may be left.
    fn take_rest(
        &mut self,
        instance: Instance,
        node: &MultiNode,
        last: Option<usize>,
        subject: Handle,
    ) -> bool {
        let Some(i) = last else { return self.left(instance) == 0 };
        let c = &node.multiset_variables[i];
        let value = self.value(c.var.slot);
        if value != Handle::NIL {
            return self.subtract_value(instance, node, subject, value, c.multiplicity)
                && self.left(instance) == 0;
        }
        self.take_all(instance, node, i, (c.low, c.high), subject)
    }

    /// A variable takes everything that is left, if the sizes allow it.
    pub(super) fn take_all(
        &mut self,
        instance: Instance,
        node: &MultiNode,
        i: usize,
        (low, high): (u32, u32),
        subject: Handle,
    ) -> bool {
        let c = &node.multiset_variables[i];
        let size = self.left(instance) / u64::from(c.multiplicity);
        if size < u64::from(low) || high != UNBOUNDED && size > u64::from(high) {
            return false;
        }
        let Some(amounts) = self.shares(instance, c.multiplicity) else { return false };
        self.bind_selection(instance, node, c, subject, amounts)
    }

    /// Where the amounts divided by a coefficient are; `None` if one is not divisible.
    fn shares(&mut self, instance: Instance, coefficient: u32) -> Option<usize> {
        if coefficient == 1 {
            return Some(instance.amounts());
        }
        let at = self.matcher.words.len();
        for rank in 0..instance.n {
            let amount = self.amount(instance, rank);
            if !amount.is_multiple_of(coefficient) {
                return None;
            }
            self.matcher.words.push(amount / coefficient);
        }
        Some(at)
    }

    /// Finds the places of an alien: none (`None`), one, which is propagated (`Some(None)`), or
    /// several, of which the first is told.
    fn propagate_alien(
        &mut self,
        instance: Instance,
        words: usize,
        alien: &AcAlien,
        subject: Handle,
    ) -> Option<Option<u32>> {
        let (from, to) = self.operator_range(alien, subject, instance.n);
        self.matcher.words[words + FROM] = from;
        self.matcher.words[words + TO] = to;
        let candidate_filter = self.candidate_filter(&alien.prefilter, subject, &[]);
        let (from, to) = self.narrowed(alien, subject, (from, to), &candidate_filter);
        let mark = self.mark();
        let possible = |run: &mut MatchRun<'_>, rank: u32| {
            run.amount(instance, rank as usize) >= alien.multiplicity && {
                let arg = run.space.memory.arg(subject, rank as usize);
                if !run.may_match(&alien.prefilter, arg) {
                    return false;
                }
                let holds = run.propagate(alien.node, arg);
                if !holds {
                    run.undo(mark);
                }
                holds
            }
        };
        let first = candidate_filter.ranks(from, to).find(|&rank| possible(self, rank))?;
        let others =
            (first + 1..to).any(|r| self.amount(instance, r as usize) >= alien.multiplicity);
        if others {
            let mut ranks = candidate_filter.ranks(first + 1, to);
            // What is shallow is rather propagated again.
            let another = if alien.nested {
                self.can_differ(mark, &mut |run| ranks.any(|rank| possible(run, rank)))
            } else {
                self.undo(mark);
                ranks.any(|rank| possible(self, rank)) || !possible(self, first)
            };
            if another {
                self.undo(mark);
                return Some(Some(first));
            }
        }
        self.take(instance, first as usize, alien.multiplicity);
        Some(None)
    }

    /// The loop of alien number `index` or a later one.
    pub(crate) fn ac_alien(&mut self, at: u32, index: u32) -> bool {
        let (instance, node, subject) = self.instance(at);
        for i in index as usize..node.aliens.len() {
            let words = instance.alien(i);
            let start = self.word(words + START);
            if start == NONE {
                continue;
            }
            if instance.n > SMALL {
                self.note_entry(words, &node.aliens[i], subject);
            }
            return self.choose(MatchTask { kind: TaskKind::AcAlien, at, index: i as u32 }, start);
        }
        self.ac_element(at, 0)
    }

    /// The third time that a loop is entered the arguments are found that its alien can match with
    /// what was bound in the first phase: the others need not be looked at any more.
    fn note_entry(&mut self, words: usize, alien: &AcAlien, subject: Handle) {
        let entered = self.word(words + ENTERED);
        if entered > 2 {
            return;
        }
        self.matcher.words[words + ENTERED] = entered + 1;
        if entered < 2 {
            return;
        }
        let (from, to, then) =
            (self.word(words + FROM), self.word(words + TO), self.word(words + THEN));
        for bits in (from / 32)..to.div_ceil(32) {
            self.matcher.words[words + POSSIBLE + bits as usize] = 0;
        }
        let mark = self.mark();
        let ambiguous = self.matcher.ambiguous;
        let hidden = self.hide(then);
        for rank in from..to {
            let arg = self.space.memory.arg(subject, rank as usize);
            // What a prefilter lets through is matched when its turn comes.
            let possible = if alien.prefilter.is_empty() {
                self.propagate(alien.node, arg)
            } else {
                self.may_match(&alien.prefilter, arg)
            };
            if possible {
                self.matcher.words[words + POSSIBLE + rank as usize / 32] |= 1 << (rank % 32);
            }
            self.undo(mark);
        }
        self.reveal(hidden, mark, false);
        self.matcher.ambiguous = ambiguous;
        if self.wants_sort() {
            // Then they were not found.
            self.matcher.words[words + ENTERED] = entered;
        }
    }

    pub(crate) fn ac_alien_turn(&mut self, at: u32, index: u32, cursor: u32) -> TaskOutcome {
        let (instance, node, subject) = self.instance(at);
        let alien = &node.aliens[index as usize];
        let words = instance.alien(index as usize);
        let range = (self.word(words + FROM), self.word(words + TO));
        let candidate_filter = self.candidate_filter(&alien.prefilter, subject, &alien.guards);
        let (from, to) = self.narrowed(alien, subject, range, &candidate_filter);
        let then = self.word(words + THEN);
        let known = instance.n > SMALL && self.word(words + ENTERED) > 2;
        let mark = self.mark();
        for rank in candidate_filter.ranks(cursor.max(from), to) {
            let bits = words + POSSIBLE + rank as usize / 32;
            if known && self.word(bits) & 1 << (rank % 32) == 0
                || self.amount(instance, rank as usize) < alien.multiplicity
            {
                continue;
            }
            let arg = self.space.memory.arg(subject, rank as usize);
            if !self.may_match_if(&alien.prefilter, arg, &alien.guards) {
                continue;
            }
            let out = self.matcher.out.len();
            if self.propagate_as_at(then, |run| run.propagate(alien.node, arg)) {
                if alien.guards.iter().all(|&guard| self.guard_holds(guard)) {
                    self.take(instance, rank as usize, alien.multiplicity);
                    self.schedule(MatchTask { kind: TaskKind::AcAlien, at, index: index + 1 });
                    self.emit(out);
                    return if rank + 1 == to {
                        TaskOutcome::Last
                    } else {
                        TaskOutcome::More(rank + 1)
                    };
                }
                self.undo(mark);
            }
        }
        TaskOutcome::Fail
    }

    /// The loop of element variable number `index` or a later one.
    pub(crate) fn ac_element(&mut self, at: u32, index: u32) -> bool {
        let (instance, node, subject) = self.instance(at);
        for j in index as usize..node.elements.len() {
            let i = node.elements[j] as usize;
            if self.word(instance.variable(i)) == 0 {
                continue;
            }
            let c = &node.multiset_variables[i];
            let value = self.value(c.var.slot);
            if value == Handle::NIL {
                return self
                    .choose(MatchTask { kind: TaskKind::AcElement, at, index: j as u32 }, 0);
            }
            if !self.subtract_value(instance, node, subject, value, c.multiplicity) {
                return false;
            }
        }
        self.ac_rows(at)
    }

    pub(crate) fn ac_element_turn(&mut self, at: u32, index: u32, cursor: u32) -> TaskOutcome {
        let (instance, node, subject) = self.instance(at);
        let c = &node.multiset_variables[node.elements[index as usize] as usize];
        for rank in cursor as usize..instance.n {
            if self.amount(instance, rank) < c.multiplicity {
                continue;
            }
            let arg = self.space.memory.arg(subject, rank);
            if self.fits(arg, c.var.sort) {
                self.bind(c.var.slot, arg);
                self.take(instance, rank, c.multiplicity);
                self.schedule(MatchTask { kind: TaskKind::AcElement, at, index: index + 1 });
                let last = rank + 1 == instance.n;
                return if last { TaskOutcome::Last } else { TaskOutcome::More(rank as u32 + 1) };
            }
        }
        TaskOutcome::Fail
    }

    /// Notes the selection that is left beside the match.
    pub(super) fn leave_rest(&mut self, instance: Instance, amounts: usize) -> bool {
        let some = self.matcher.words[amounts..][..instance.n].iter().any(|&n| n > 0);
        self.set_word(REST, if some { RestWords::SELECTION } else { RestWords::NOTHING });
        self.set_word(REST + 1, instance.at as u32);
        self.set_word(REST + 2, amounts as u32);
        true
    }

    /// Aliens that were treated like variables are matched against what they got.
    pub(crate) fn ac_part(&mut self, at: u32, index: u32) -> bool {
        let (_, node, _) = self.instance(at);
        for (i, c) in node.multiset_variables.iter().enumerate().skip(index as usize) {
            let Some(alien) = c.alien else { continue };
            let out = self.matcher.out.len();
            let part = self.value(c.var.slot);
            if !self.propagate(alien, part) {
                return false;
            }
            if self.matcher.out.len() > out {
                self.schedule(MatchTask { kind: TaskKind::AcPart, at, index: i as u32 + 1 });
                self.emit(out);
                return true;
            }
        }
        true
    }
}
