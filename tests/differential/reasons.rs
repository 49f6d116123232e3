//! Reasons for differences: what a family of cases is, and how many cases are in each.
//!
//! The families themselves are in `families.rs`.

use std::collections::HashMap;

use crate::case::{Command, Group, Module};
use crate::compare::Verdict;
use crate::families::FAMILIES;
use crate::oracle::Answer;

/// How many of a hundred cases may be in families.
pub const MOST_OF_A_HUNDRED: usize = 5;

/// A case that both engines have answered.
pub struct Case<'a> {
    pub module: &'a Module,
    pub command: &'a Command,
    pub maude: &'a str,
    pub broth: &'a str,
}

impl<'a> Case<'a> {
    /// The case of one command of a group, if both engines have answered it.
    pub fn new(
        group: &'a Group,
        which: usize,
        maude: &'a Answer,
        broth: &'a Answer,
    ) -> Option<Case<'a>> {
        let (Answer::Text(maude), Answer::Text(broth)) = (maude, broth) else { return None };
        Some(Case { module: &group.module, command: &group.commands[which], maude, broth })
    }

    /// The family of the case, if it is in one: the first of which nothing is compared, or else the
    /// first one.
    pub fn family(&self) -> Option<&'static Family> {
        let mut families = FAMILIES.iter().filter(|family| (family.holds)(self));
        let first = families.next()?;
        let nothing = |family: &&Family| family.compared == Compared::Nothing;
        Some([first].into_iter().chain(families).find(nothing).unwrap_or(first))
    }
}

/// What of the answers of a family is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compared {
    /// Everything but numbers of rewrites: these depend on an accident of Maude.
    AnswersAndOrder,
    /// Nothing, since Maude's answer may be wrong: the equations, applied step by step, contradict
    /// it.
    Nothing,
}

/// Cases whose differences have one reason.
#[derive(Clone, Copy)]
pub struct Family {
    /// The name under which `docs/compatibility.md` explains the family.
    pub name: &'static str,
    pub compared: Compared,
    /// Whether a case belongs to the family.
    pub holds: fn(&Case<'_>) -> bool,
}

impl Family {
    /// Whether a difference has the family's reason.
    pub fn excuses(&self, verdict: Verdict) -> bool {
        match self.compared {
            Compared::AnswersAndOrder => verdict == Verdict::Counts,
            Compared::Nothing => {
                matches!(verdict, Verdict::Counts | Verdict::Order | Verdict::Result)
            }
        }
    }

    /// Whether `docs/compatibility.md` explains the family: a row of its table begins with the name.
    pub fn is_explained(&self) -> bool {
        let row = format!("| {} |", self.name);
        include_str!("../../docs/compatibility.md").lines().any(|line| line.starts_with(&row))
    }
}

/// Counts the cases in families.
#[derive(Default)]
pub struct Tally {
    cases: usize,
    /// For each family its cases, and those of them that differ for its reason.
    families: HashMap<&'static str, (usize, usize)>,
}

impl Tally {
    /// Files a case under its family; says whether the family excuses its difference.
    pub fn takes(&mut self, case: &Case<'_>, found: Verdict) -> bool {
        if found == Verdict::Dropped {
            return false;
        }
        self.cases += 1;
        let Some(family) = case.family() else { return false };
        let excused = family.excuses(found);
        let (taken, differing) = self.families.entry(family.name).or_default();
        *taken += 1;
        *differing += usize::from(excused);
        excused
    }

    pub fn print(&self) {
        for Family { name, .. } in FAMILIES {
            let (taken, differing) = self.families.get(name).copied().unwrap_or_default();
            println!("family \"{name}\": {taken} cases, {differing} of them excused");
        }
        if !self.are_few() {
            println!("more than {MOST_OF_A_HUNDRED} of 100 cases are in families");
        }
    }

    /// Whether few enough cases are in families; a short run can't tell.
    pub fn are_few(&self) -> bool {
        let taken: usize = self.families.values().map(|(taken, _)| taken).sum();
        self.cases < 1000 || taken * 100 <= self.cases * MOST_OF_A_HUNDRED
    }
}
