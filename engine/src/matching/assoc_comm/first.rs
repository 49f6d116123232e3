//! The greedy matcher of AC and ACU patterns (`docs/semantics.md` 3.5): one matcher, without choice
//! points.

use super::Instance;
use crate::heap::Handle;
use crate::matching::{AcGreedy, Greedily, MatchRun, MultiNode, PatternNodeId, TopVariable};

impl MatchRun<'_> {
    /// Matches greedily.
    pub(super) fn greedy_multi(
        &mut self,
        id: PatternNodeId,
        node: &MultiNode,
        greedy: &AcGreedy,
        subject: Handle,
    ) -> Greedily {
        if let Some(alien) = self.lone_alien(node, subject) {
            return self.scan(alien, subject);
        }
        let start = self.mark();
        let Some(instance) = self.begin_multi(id, node, subject) else {
            return Greedily::Failed;
        };
        let before_aliens = self.matcher.words.len();
        if greedy.aliens.len() > 1 {
            let amounts = instance.amounts()..instance.amounts() + instance.n;
            self.matcher.words.extend_from_within(amounts);
        }
        for &i in &greedy.aliens {
            let alien = &node.aliens[i as usize];
            let range = self.operator_range(alien, subject, instance.n);
            let candidate_filter = self.candidate_filter(&alien.prefilter, subject, &[]);
            let (from, to) = self.narrowed(alien, subject, range, &candidate_filter);
            let (mut taken_before, mut with_tasks) = (false, false);
            let found = candidate_filter.ranks(from, to).find(|&rank| {
                let rank = rank as usize;
                if self.amount(instance, rank) < alien.multiplicity {
                    taken_before |= greedy.aliens.len() > 1
                        && self.word(before_aliens + rank) >= alien.multiplicity;
                    return false;
                }
                let arg = self.space.memory.arg(subject, rank);
                if !self.may_match(&alien.prefilter, arg) {
                    return false;
                }
                let (mark, out) = (self.mark(), self.matcher.out.len());
                let holds = self.propagate(alien.node, arg);
                if !holds {
                    self.undo(mark);
                }
                with_tasks |= self.matcher.out.len() > out;
                holds
            });
            match found {
                Some(_) if with_tasks => {
                    self.undo(start);
                    return Greedily::Open;
                }
                Some(rank) => self.take(instance, rank as usize, alien.multiplicity),
                None if taken_before => {
                    self.undo(start);
                    return Greedily::Open;
                }
                None => return Greedily::Failed,
            }
        }
        if self.distribute(instance, node, greedy, subject) {
            return Greedily::Matched;
        }
        self.undo(start);
        Greedily::Open
    }

    /// The variables take what is left.
    fn distribute(
        &mut self,
        instance: Instance,
        node: &MultiNode,
        greedy: &AcGreedy,
        subject: Handle,
    ) -> bool {
        if let Some(i) = self.sole_taker(instance, node, subject) {
            let c = &node.multiset_variables[i];
            if c.low > 0 && self.left(instance) == 0 {
                return false;
            }
            if node.extension && self.space.memory.total_args(subject) < 2 {
                return false;
            }
            return self.bind_selection(instance, node, c, subject, instance.amounts());
        }
        // The amounts of each variable, one after the other.
        let shares = self.matcher.words.len();
        let n = instance.n;
        self.matcher.words.resize(shares + n * node.multiset_variables.len(), 0);
        let share = |i: usize| shares + n * i;
        let pair = greedy.pair.is_some_and(|(first, second)| {
            let open = |i: u16| self.word(instance.variable(usize::from(i))) != 0;
            open(first) && open(second)
        });
        let mark = self.mark();
        if let (true, Some((first, second))) = (pair, greedy.pair) {
            let (first, second) = (usize::from(first), usize::from(second));
            if self.take_one(instance, &node.multiset_variables[second], subject, share(second)) {
                for rank in 0..n {
                    let left = self.amount(instance, rank);
                    self.matcher.words[share(first) + rank] = left;
                }
                let bound = [first, second].iter().all(|&i| {
                    self.bind_selection(
                        instance,
                        node,
                        &node.multiset_variables[i],
                        subject,
                        share(i),
                    )
                });
                if bound && self.word_sum(share(first), n) > 0 {
                    return true;
                }
            }
            self.undo(mark);
            self.matcher.words[shares..shares + n * node.multiset_variables.len()].fill(0);
        }
        for i in 0..node.multiset_variables.len() {
            if self.word(instance.variable(i)) == 0 {
                continue;
            }
            let c = &node.multiset_variables[i];
            if !self.take_one(instance, c, subject, share(i)) && c.low > 0 {
                return false;
            }
        }
        if greedy.shares && self.word(instance.variable(0)) != 0 {
            self.share_out(instance, &node.multiset_variables[0], subject, share(0));
        }
        let mut matched_all = true;
        for rank in 0..n {
            let left = self.amount(instance, rank);
            if left == 0 {
                continue;
            }
            let arg = self.space.memory.arg(subject, rank);
            let taker = (0..node.multiset_variables.len()).rev().find(|&i| {
                let c = &node.multiset_variables[i];
                self.word(instance.variable(i)) != 0
                    && c.closed
                    && left.is_multiple_of(c.multiplicity)
                    && self.fits(arg, c.var.sort)
            });
            match taker {
                Some(i) => {
                    let more = left / node.multiset_variables[i].multiplicity;
                    self.matcher.words[share(i) + rank] += more;
                    self.take(instance, rank, left);
                }
                None => matched_all = false,
            }
        }
        if !matched_all && !node.extension {
            return false;
        }
        if node.extension {
            let left = self.left(instance);
            if self.space.memory.total_args(subject) - left < 2 {
                return false;
            }
            if !self.leave_rest(instance, instance.amounts()) {
                return false;
            }
        }
        (0..node.multiset_variables.len()).all(|i| {
            self.word(instance.variable(i)) == 0
                || self.bind_selection(
                    instance,
                    node,
                    &node.multiset_variables[i],
                    subject,
                    share(i),
                )
        })
    }

    /// The only open variable, if it certainly takes whatever is left.
    fn sole_taker(&self, instance: Instance, node: &MultiNode, subject: Handle) -> Option<usize> {
        let mut open =
            (0..node.multiset_variables.len()).filter(|&i| self.word(instance.variable(i)) != 0);
        let i = open.next().filter(|_| open.next().is_none())?;
        let c = &node.multiset_variables[i];
        let simple = c.closed && c.multiplicity == 1 && c.alien.is_none();
        let kind = self.space.signature.kind(c.var.sort.kind);
        let fits = c.var.sort.index == 0
            || self.uniform_sort(node.symbol, node.even, subject).is_some()
                && node.arg_sort.is_some_and(|sort| kind.leq(sort, c.var.sort.index));
        (simple && fits).then_some(i)
    }

    fn word_sum(&self, at: usize, n: usize) -> u64 {
        self.matcher.words[at..at + n].iter().map(|&n| u64::from(n)).sum()
    }

    /// A variable takes the first argument that it can.
    fn take_one(
        &mut self,
        instance: Instance,
        c: &TopVariable,
        subject: Handle,
        share: usize,
    ) -> bool {
        for rank in 0..instance.n {
            if self.amount(instance, rank) < c.multiplicity {
                continue;
            }
            let arg = self.space.memory.arg(subject, rank);
            if self.fits(arg, c.var.sort) {
                self.take(instance, rank, c.multiplicity);
                self.matcher.words[share + rank] += 1;
                return true;
            }
        }
        false
    }

    /// A single variable of higher multiplicity takes as much as it can of each argument.
    fn share_out(&mut self, instance: Instance, c: &TopVariable, subject: Handle, share: usize) {
        for rank in 0..instance.n {
            let more = self.amount(instance, rank) / c.multiplicity;
            let arg = self.space.memory.arg(subject, rank);
            if more > 0 && self.fits(arg, c.var.sort) {
                self.take(instance, rank, more * c.multiplicity);
                self.matcher.words[share + rank] += more;
            }
        }
    }
}
