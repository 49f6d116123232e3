//! The greedy matcher of A and AU patterns (`docs/semantics.md` 3.5): one matcher.

use smallvec::SmallVec;

use crate::heap::Handle;
use crate::matching::{Greedily, ListNode, MatchRun, PatternNodeId, TopVariable};

/// Where variables or blocks begin and end.
type Stretches = SmallVec<[(usize, usize); 8]>;

impl MatchRun<'_> {
    /// Matches what is between `begin` and `finish` greedily.
    pub(super) fn greedy_list(
        &mut self,
        names: (PatternNodeId, u32),
        node: &ListNode,
        subject: Handle,
        (begin, finish): (usize, usize),
    ) -> Greedily {
        let mut places = Stretches::new();
        let placed = self.place_blocks(node, subject, (begin, finish), &mut places);
        if placed != Greedily::Matched {
            return placed;
        }
        match self.fill_runs(names, node, subject, (begin, finish), &places) {
            true => Greedily::Matched,
            false => Greedily::Open,
        }
    }

    /// The variables take what is between the blocks.
    fn fill_runs(
        &mut self,
        names: (PatternNodeId, u32),
        node: &ListNode,
        subject: Handle,
        (begin, finish): (usize, usize),
        places: &Stretches,
    ) -> bool {
        let (mut start, mut end, mut pos) = (begin, finish, begin);
        let last = node.blocks.len();
        for (i, run) in node.runs.iter().enumerate() {
            let to = places.get(i).map_or(finish, |p| p.0);
            if run.is_empty() {
                if i == 0 && i < last {
                    start = to;
                } else if i == last {
                    end = pos;
                }
            } else {
                let open = (node.extension && i == 0, node.extension && i == last);
                let Some(stretches) = self.fill_run(node, run, subject, (pos, to), open) else {
                    return false;
                };
                if i == 0 {
                    start = stretches[0].0;
                }
                if i == last {
                    end = stretches[stretches.len() - 1].1;
                }
                for (c, &(from, to)) in run.iter().zip(&stretches) {
                    if !self.bind_stretch(names, node, c, subject, from, to) {
                        return false;
                    }
                }
            }
            pos = places.get(i).map_or(finish, |p| p.1);
        }
        if node.extension {
            self.leave_ends(subject, start as u32, end as u32)
        } else {
            (start, end) == (begin, finish)
        }
    }

    /// Puts every block at the leftmost place that leaves enough before it, with backtracking over
    /// the places.
    fn place_blocks(
        &mut self,
        node: &ListNode,
        subject: Handle,
        (begin, n): (usize, usize),
        places: &mut Stretches,
    ) -> Greedily {
        let last = node.blocks.len();
        // The marks before the blocks that are placed.
        let mut marks = Vec::new();
        let mut next = None;
        loop {
            let i = places.len();
            if i == last {
                return Greedily::Matched;
            }
            let (block, run) = (&node.blocks[i], &node.runs[i]);
            let before = if i == 0 { begin } else { places[i - 1].1 };
            let least = before + run.iter().map(|c| c.low as usize).sum::<usize>();
            let (values, len) = self.block_values(node, block);
            let open = !run.is_empty() || node.extension && i == 0;
            let ends = !node.extension && i + 1 == last && node.runs[last].is_empty();
            let mark = self.mark();
            let limit = (n + 1).saturating_sub(len);
            let limit = if open { limit } else { limit.min(least + 1) };
            if self.must_stop() {
                return Greedily::Failed;
            }
            let mut is_open = false;
            let found = (next.take().unwrap_or(least)..limit).find(|&start| {
                if ends && start + len != n {
                    return false;
                }
                let out = self.matcher.out.len();
                let holds = self.propagate_block(node, block, &values, subject, start);
                if !holds {
                    self.undo(mark);
                }
                is_open |= self.matcher.out.len() > out;
                holds
            });
            if is_open {
                return Greedily::Open;
            }
            match found {
                Some(start) => {
                    places.push((start, start + len));
                    marks.push(mark);
                }
                None => {
                    let (Some(mark), Some((start, _))) = (marks.pop(), places.pop()) else {
                        return Greedily::Open;
                    };
                    self.undo(mark);
                    next = Some(start + 1);
                }
            }
        }
    }

    /// Distributes a stretch: every variable but the last takes one argument, or the identity.
    fn fill_run(
        &mut self,
        node: &ListNode,
        run: &[TopVariable],
        subject: Handle,
        (from, to): (usize, usize),
        (left_open, right_open): (bool, bool),
    ) -> Option<Stretches> {
        let mut stretches = Stretches::new();
        let mut pos = from;
        for (i, c) in run.iter().enumerate() {
            let later: usize = run[i + 1..].iter().map(|c| c.low as usize).sum();
            loop {
                if to - pos <= later {
                    if c.low > 0 {
                        return None;
                    }
                    stretches.push((pos, pos));
                    break;
                }
                if self.stretch_fits(node, subject, pos, pos + 1, c.var.sort) {
                    stretches.push((pos, pos + 1));
                    pos += 1;
                    break;
                }
                if c.low == 0 {
                    stretches.push((pos, pos));
                    break;
                }
                match stretches.last_mut() {
                    None if left_open => pos += 1,
                    None => return None,
                    Some(before) => {
                        let sort = run[i - 1].var.sort;
                        if !self.stretch_fits(node, subject, before.0, pos + 1, sort) {
                            return None;
                        }
                        before.1 = pos + 1;
                        pos += 1;
                    }
                }
            }
        }
        let sort = run[run.len() - 1].var.sort;
        let first = stretches[stretches.len() - 1].0;
        let most = if right_open { self.arguments_fit(node, subject, (pos, to), sort) } else { to };
        let reach = self.reach(node, subject, (first, pos, most), sort);
        if reach > pos {
            pos = reach;
            stretches.last_mut().expect("a run has variables").1 = pos;
        }
        (pos == to || right_open).then_some(stretches)
    }
}
