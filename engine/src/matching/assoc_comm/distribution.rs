//! How what is left of a multiset is distributed: rows for the multiset variables and the
//! extension, each trying its selections (`docs/semantics.md` 6.4, step 4).

use crate::heap::Handle;
use crate::matching::{MatchRun, MatchTask, NONE, TaskKind, TaskOutcome, UNBOUNDED};

/// Marks the row of the extension among rows of variables.
const EXTENSION: u32 = u32::MAX;
/// Words of a row: variable, coefficient, least and largest size.
const ROW: usize = 4;
/// Offsets, in the words of a row's task, of the size of its selections and of the largest size.
const SIZE: usize = 3;
const LARGEST: usize = 5;

impl MatchRun<'_> {
    /// What is left is distributed to the multiset variables and the extension.
    pub(super) fn ac_rows(&mut self, at: u32) -> bool {
        let (instance, node, subject) = self.instance(at);
        let rows = self.push_words(&[at, 0, 0]);
        for (i, c) in node.multiset_variables.iter().enumerate() {
            let element = c.high == 1 && c.low == 1 && c.alien.is_none();
            if element || self.word(instance.variable(i)) == 0 {
                continue;
            }
            let value = self.value(c.var.slot);
            if value == Handle::NIL {
                self.push_words(&[i as u32, c.multiplicity, c.low, c.high]);
            } else if !self.subtract_value(instance, node, subject, value, c.multiplicity) {
                return false;
            }
        }
        if node.extension {
            if node.takes_two && self.matcher.words.len() == rows + 3 {
                return self.leave_rest(instance, instance.amounts()) && self.ac_part(at, 0);
            }
            self.push_words(&[EXTENSION, 1, 0, UNBOUNDED]);
        }
        let n_rows = (self.matcher.words.len() - rows - 3) / ROW;
        self.matcher.words[rows + 1] = n_rows as u32;
        let left = self.left(instance);
        if n_rows == 0 {
            return left == 0 && self.ac_part(at, 0);
        }
        // What all rows may take, and what the extension may leave, decides their order. A size
        // that does not fit is as good as none.
        let most_left_over = self.most_left_over(subject);
        let table = &mut self.matcher.words[rows + 3..];
        for row in table.chunks_exact_mut(ROW) {
            let most = if row[0] == EXTENSION { left.min(most_left_over) } else { left };
            row[3] = row[3].min(u32::try_from(most).unwrap_or(UNBOUNDED));
        }
        sort_rows(table);
        self.ac_row(rows as u32, 0)
    }

    /// How many arguments of the subject an extension may leave: two are matched.
    fn most_left_over(&self, subject: Handle) -> u64 {
        self.space.memory.total_args(subject) - 2
    }

    /// The largest size that a row may have, if there is one.
    fn most_of_row(&self, row: usize, subject: Handle) -> Option<u64> {
        let most = self.word(row + 3);
        match self.word(row) {
            EXTENSION => Some(self.most_left_over(subject)),
            _ => (most != UNBOUNDED).then_some(u64::from(most)),
        }
    }

    /// The sizes with which a row leaves the rows behind it neither too little nor too much.
    fn sizes_of_row(&self, rows: usize, index: u32, left: u64, subject: Handle) -> (u64, u64) {
        let row = rows + 3 + ROW * index as usize;
        let (mut needed, mut taken) = (0u64, Some(0u64));
        for later in index + 1..self.word(rows + 1) {
            let later = rows + 3 + ROW * later as usize;
            let coefficient = u64::from(self.word(later + 1));
            needed += coefficient * u64::from(self.word(later + 2));
            taken = taken
                .zip(self.most_of_row(later, subject))
                .and_then(|(taken, most)| taken.checked_add(coefficient.checked_mul(most)?));
        }
        let (coefficient, low) = (u64::from(self.word(row + 1)), u64::from(self.word(row + 2)));
        let Some(free) = left.checked_sub(needed) else { return (1, 0) };
        let high = self.most_of_row(row, subject).unwrap_or(u64::MAX).min(free / coefficient);
        let forced = taken.map_or(0, |taken| left.saturating_sub(taken).div_ceil(coefficient));
        (low.max(forced), high)
    }

    /// Row number `index` takes its share; the last one takes everything.
    pub(crate) fn ac_row(&mut self, rows: u32, index: u32) -> bool {
        let rows = rows as usize;
        let at = self.word(rows);
        let (instance, node, subject) = self.instance(at);
        let row = rows + 3 + ROW * index as usize;
        let (variable, coefficient) = (self.word(row), self.word(row + 1));
        let left = self.left(instance);
        if index + 1 == self.word(rows + 1) {
            let bound = if variable == EXTENSION {
                left <= self.most_left_over(subject)
                    && self.leave_rest(instance, instance.amounts())
            } else {
                let sizes = (self.word(row + 2), self.word(row + 3));
                self.take_all(instance, node, variable as usize, sizes, subject)
            };
            return bound && self.ac_part(at, 0);
        }
        let (low, high) = self.sizes_of_row(rows, index, left, subject);
        // The state of the row: what is taken of each argument, and what may be.
        let state = self.matcher.words.len();
        self.matcher.words.resize(state + instance.n, 0);
        let mut most = 0u64;
        for rank in 0..instance.n {
            let cap = self.amount(instance, rank) / coefficient;
            most += u64::from(cap);
            self.matcher.words.push(cap);
        }
        let high = high.min(most);
        if low > high {
            return false;
        }
        // The task's words say where the state is.
        let state_at = self.push_words(&[rows as u32, index, state as u32, 0, 0, 0, 0]);
        self.set_size(state_at + SIZE, low);
        self.set_size(state_at + LARGEST, high);
        first_selection(&mut self.matcher.words[state..], instance.n, low);
        self.choose(MatchTask { kind: TaskKind::AcRow, at: state_at as u32, index: NONE }, 0)
    }

    /// A size, which takes two words.
    fn size(&self, at: usize) -> u64 {
        u64::from(self.word(at)) | u64::from(self.word(at + 1)) << 32
    }

    fn set_size(&mut self, at: usize, size: u64) {
        self.matcher.words[at] = size as u32;
        self.matcher.words[at + 1] = (size >> 32) as u32;
    }

    /// The next selection of a row; `cursor` is 0 for the first.
    pub(crate) fn ac_row_turn(&mut self, at: u32, _index: u32, cursor: u32) -> TaskOutcome {
        let task = at as usize;
        let (rows, index) = (self.word(task) as usize, self.word(task + 1));
        let state = self.word(task + 2) as usize;
        let row = rows + 3 + ROW * index as usize;
        let (variable, coefficient) = (self.word(row), self.word(row + 1));
        let multiset = self.word(rows);
        let (instance, node, subject) = self.instance(multiset);
        let mark = self.mark();
        let mut advance = cursor > 0;
        loop {
            if self.must_stop() {
                return TaskOutcome::Fail;
            }
            if advance {
                let n = instance.n;
                if !next_selection(&mut self.matcher.words[state..], n) {
                    let size = self.size(task + SIZE) + 1;
                    if size > self.size(task + LARGEST) {
                        return TaskOutcome::Fail;
                    }
                    self.set_size(task + SIZE, size);
                    first_selection(&mut self.matcher.words[state..], n, size);
                }
                self.note_cursor(0);
            }
            advance = true;
            let bound = if variable == EXTENSION {
                self.leave_rest(instance, state)
            } else {
                let c = &node.multiset_variables[variable as usize];
                self.bind_selection(instance, node, c, subject, state)
            };
            if bound {
                for rank in 0..instance.n {
                    let taken = self.word(state + rank);
                    if taken > 0 {
                        self.take(instance, rank, taken * coefficient);
                    }
                }
                self.schedule(MatchTask {
                    kind: TaskKind::AcRow,
                    at: rows as u32,
                    index: index + 1,
                });
                return TaskOutcome::More(1);
            }
            self.undo(mark);
        }
    }
}

/// Sorts rows by coefficient, high first, then by largest size; stable.
fn sort_rows(table: &mut [u32]) {
    let n = table.len() / ROW;
    let key = |table: &[u32], i: usize| (std::cmp::Reverse(table[ROW * i + 1]), table[ROW * i + 3]);
    for i in 1..n {
        let mut j = i;
        while j > 0 && key(table, j) < key(table, j - 1) {
            for k in 0..ROW {
                table.swap(ROW * j + k, ROW * (j - 1) + k);
            }
            j -= 1;
        }
    }
}

/// The first selection of a size in colexicographic order: as much as possible of early arguments.
/// `state` holds what is taken, then the caps.
fn first_selection(state: &mut [u32], n: usize, size: u64) {
    let (taken, caps) = state.split_at_mut(n);
    let mut left = size;
    for (t, &cap) in taken.iter_mut().zip(caps.iter()) {
        *t = at_most(left, cap);
        left -= u64::from(*t);
    }
}

/// The next selection of the same size; false if it was the last.
fn next_selection(state: &mut [u32], n: usize) -> bool {
    let mut below = 0u64;
    for j in 0..n {
        if below > 0 && state[j] < state[n + j] {
            state[j] += 1;
            let mut left = below - 1;
            for i in 0..j {
                state[i] = at_most(left, state[n + i]);
                left -= u64::from(state[i]);
            }
            return true;
        }
        below += u64::from(state[j]);
    }
    false
}

fn at_most(left: u64, cap: u32) -> u32 {
    u32::try_from(left).map_or(cap, |left| left.min(cap))
}
