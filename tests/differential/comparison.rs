//! Two engines that are run on the same cases, and what is found.

use std::time::Instant;

use crate::case::{Group, PER_MODULE};
use crate::compare::{Verdict, is_telling, verdict};
use crate::oracle::{Answer, Engine, script};
use crate::reasons::{Case, Tally};
use crate::settings::Settings;
use crate::shrink;

/// Modules to a process.
const BATCH: usize = 60;

/// What of the answers of two engines has to be the same.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum What {
    Everything,
    /// Everything, except what the family of a case excuses.
    UnlessReason,
    /// Everything but numbers of rewrites.
    AnswersAndOrder,
}

pub struct Comparison {
    pub reference: Engine,
    pub tested: Engine,
    pub what: What,
}

/// A case that differs.
struct Difference {
    case: usize,
    kind: Verdict,
    group: Group,
}

/// How the cases of one command came out.
#[derive(Default)]
struct Outcomes {
    same: usize,
    /// Those of the same that show more than that nothing happened.
    telling: usize,
    left_out: usize,
    excused: usize,
    found: Vec<Difference>,
}

impl Comparison {
    /// Compares all commands that are asked for, and prints what is found.
    pub fn passes(&self, settings: &Settings) -> bool {
        println!(
            "differential test: {} seed {}, {} and {}",
            if settings.long { "fresh" } else { "fixed" },
            settings.seed,
            self.reference.name,
            self.tested.name
        );
        let mut tally = Tally::default();
        let mut passed = true;
        for command in &settings.commands {
            passed &= match settings.case {
                Some(case) => self.show_case(settings, command, case),
                None => self.compare_command(settings, command, &mut tally),
            };
        }
        if self.what == What::UnlessReason && settings.case.is_none() {
            tally.print();
        }
        passed && tally.are_few()
    }

    /// What kind of difference there is, if it matters in this comparison.
    fn verdict(&self, reference: &Answer, tested: &Answer) -> Verdict {
        match verdict(reference, tested) {
            Verdict::Counts if self.what == What::AnswersAndOrder => Verdict::Same,
            found => found,
        }
    }

    /// Compares the cases of one command.
    fn compare_command(&self, settings: &Settings, command: &str, tally: &mut Tally) -> bool {
        let started = Instant::now();
        let mut outcomes = Outcomes::default();
        let indices: Vec<usize> = (0..settings.cases.div_ceil(PER_MODULE)).collect();
        // The reference is one batch ahead of what is tested.
        std::thread::scope(|scope| {
            let (sender, receiver) = std::sync::mpsc::sync_channel(1);
            scope.spawn(move || {
                for batch in indices.chunks(BATCH) {
                    let groups: Vec<Group> = batch
                        .iter()
                        .map(|&index| Group::random(settings.seed, command, index))
                        .collect();
                    let want = self.reference.answers(&groups, None);
                    if sender.send((batch.to_vec(), groups, want)).is_err() {
                        return;
                    }
                }
            });
            for (batch, groups, want) in receiver {
                self.sort_out(&batch, &groups, &want, tally, &mut outcomes);
            }
        });
        println!(
            "{command}: {} cases, {} the same ({} of them telling), {} left out, {} excused by a \
             family, {} different, {:.1} s",
            settings.cases,
            outcomes.same,
            outcomes.telling,
            outcomes.left_out,
            outcomes.excused,
            outcomes.found.len(),
            started.elapsed().as_secs_f64()
        );
        for kind in
            [Verdict::Counts, Verdict::Order, Verdict::Result, Verdict::Nothing, Verdict::Lost]
        {
            let of_kind = outcomes.found.iter().filter(|difference| difference.kind == kind);
            let cases: Vec<String> =
                of_kind.map(|difference| difference.case.to_string()).collect();
            if !cases.is_empty() {
                let some = cases[..cases.len().min(20)].join(" ");
                println!("  {kind:?}: {} cases: {some}", cases.len());
            }
        }
        for difference in outcomes.found.iter().take(settings.show) {
            self.report(settings, command, difference);
        }
        outcomes.found.is_empty()
    }

    /// Runs what is tested on a batch and files how its cases came out.
    fn sort_out(
        &self,
        batch: &[usize],
        groups: &[Group],
        want: &[Vec<Answer>],
        tally: &mut Tally,
        outcomes: &mut Outcomes,
    ) {
        let have = self.tested.answers(groups, Some(want));
        for (position, group) in groups.iter().enumerate() {
            for which in 0..PER_MODULE {
                let (wanted, answer) = (&want[position][which], &have[position][which]);
                let kind = self.verdict(wanted, answer);
                let case = (self.what == What::UnlessReason)
                    .then(|| Case::new(group, which, wanted, answer))
                    .flatten();
                if case.is_some_and(|case| tally.takes(&case, kind)) {
                    outcomes.excused += 1;
                    continue;
                }
                match kind {
                    Verdict::Same => {
                        outcomes.same += 1;
                        outcomes.telling += usize::from(is_telling(wanted));
                    }
                    Verdict::Dropped => outcomes.left_out += 1,
                    kind => {
                        let case = batch[position] * PER_MODULE + which;
                        outcomes.found.push(Difference { case, kind, group: group.only(which) });
                    }
                }
            }
        }
    }

    /// Prints a difference, shrunk.
    fn report(&self, settings: &Settings, command: &str, difference: &Difference) {
        let Difference { case, kind, group } = difference;
        println!(
            "--- {command}, {kind:?}; again with --seed {} --commands {command} --case {case}",
            settings.seed
        );
        let small = shrink::shrink(&self.reference, &self.tested, group, *kind);
        print!("{}", script(&small));
        self.print_transcripts(&small);
        println!("---");
    }

    fn print_transcripts(&self, group: &Group) {
        for engine in [&self.reference, &self.tested] {
            println!("--- {}:\n{}", engine.name, engine.transcript(group));
        }
    }

    /// Shows one case with both answers, and shrunk where they differ; whether they are the same.
    fn show_case(&self, settings: &Settings, command: &str, case: usize) -> bool {
        let group =
            Group::random(settings.seed, command, case / PER_MODULE).only(case % PER_MODULE);
        print!("{}", script(&group));
        self.print_transcripts(&group);
        let groups = [group];
        let want = self.reference.answers(&groups, None);
        let have = self.tested.answers(&groups, Some(&want));
        let kind = self.verdict(&want[0][0], &have[0][0]);
        let reason = Case::new(&groups[0], 0, &want[0][0], &have[0][0])
            .filter(|_| self.what == What::UnlessReason)
            .and_then(|case| case.family());
        println!("--- {kind:?}, {}", reason.map_or("in no family", |family| family.name));
        if matches!(kind, Verdict::Same | Verdict::Dropped) {
            return true;
        }
        let [group] = groups;
        self.report(settings, command, &Difference { case, kind, group });
        reason.is_some_and(|family| family.excuses(kind))
    }
}
