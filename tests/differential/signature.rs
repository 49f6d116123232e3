//! Random signatures: sorts, subsorts, operators of every theory, constants, variables.
//!
//! A signature has one kind or two. The first sort of a kind is its top. Constructors have level 0;
//! defined operators have a higher level, and their equations use only what lies below them
//! (`statements.rs`), so that programs end. Operators over which Maude itself warns (declarations
//! that are not associative or not preregular) are left to the driver, which drops such modules.

use std::fmt::Write;

use crate::random::Random;

/// A sort or the kind it lies in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SortRef {
    pub sort: usize,
    pub kind: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theory {
    Free,
    Comm,
    CommId,
    Assoc,
    AssocId,
    Ac,
    Acu,
    Iter,
}

impl Theory {
    pub fn is_assoc(self) -> bool {
        matches!(self, Theory::Assoc | Theory::AssocId | Theory::Ac | Theory::Acu)
    }

    pub fn has_identity(self) -> bool {
        matches!(self, Theory::CommId | Theory::AssocId | Theory::Acu)
    }
}

#[derive(Clone, Debug)]
pub struct Declaration {
    pub domain: Vec<SortRef>,
    pub range: SortRef,
}

#[derive(Clone, Debug)]
pub struct Operator {
    pub name: String,
    pub declarations: Vec<Declaration>,
    pub theory: Theory,
    pub identity: Option<String>,
    pub level: u32,
    /// `strat`, `frozen` and the like, as written.
    pub attributes: Vec<String>,
}

impl Operator {
    pub fn arity(&self) -> usize {
        self.declarations[0].domain.len()
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    pub name: String,
    pub sort: SortRef,
    /// The name says the sort, as in `X:S`; there is no declaration.
    pub on_the_fly: bool,
}

#[derive(Clone, Debug)]
pub struct Signature {
    pub sorts: Vec<String>,
    /// The kind of each sort.
    pub kinds: Vec<usize>,
    /// (lower, higher)
    pub subsorts: Vec<(usize, usize)>,
    pub operators: Vec<Operator>,
    pub variables: Vec<Variable>,
}

/// What a signature should have.
#[derive(Clone, Copy)]
pub struct Wishes {
    /// Defined operators, with equations of their own.
    pub defined: usize,
    /// The group's number, from which fresh names are made.
    pub group: usize,
    pub strategies: bool,
}

impl Signature {
    pub fn random(random: &mut Random, wishes: Wishes) -> Signature {
        let mut signature = match random.below(10) {
            0..=3 => Signature::of_sorts(&["E", "S"], &[0, 0], &[(0, 1)]),
            4 | 5 => Signature::of_sorts(&["S"], &[0], &[]),
            6 => Signature::of_sorts(&["S", "P", "E"], &[0, 0, 0], &[(2, 1), (1, 0)]),
            7 => Signature::of_sorts(&["E", "F", "S"], &[0, 0, 0], &[(0, 2), (1, 2)]),
            8 => Signature::of_sorts(&["E", "S", "T"], &[0, 0, 1], &[(0, 1)]),
            _ => Signature::of_sorts(
                &["B", "E", "F", "S"],
                &[0, 0, 0, 0],
                &[(0, 1), (0, 2), (1, 3), (2, 3)],
            ),
        };
        signature.add_constants(random);
        signature.add_constructors(random);
        signature.add_defined(random, wishes.defined);
        if random.chance(50) {
            random.shuffle(&mut signature.operators);
        }
        signature.add_variables(random, wishes);
        signature
    }

    fn of_sorts(sorts: &[&str], kinds: &[usize], subsorts: &[(usize, usize)]) -> Signature {
        Signature {
            sorts: sorts.iter().map(|sort| (*sort).to_owned()).collect(),
            kinds: kinds.to_vec(),
            subsorts: subsorts.to_vec(),
            operators: Vec::new(),
            variables: Vec::new(),
        }
    }

    /// Whether sort `lower` is `higher` or below it.
    pub fn is_below(&self, lower: usize, higher: usize) -> bool {
        lower == higher
            || self.subsorts.iter().any(|&(low, high)| low == lower && self.is_below(high, higher))
    }

    /// Whether a term of sort `have` may stand where `want` is asked for.
    pub fn fits(&self, have: SortRef, want: SortRef) -> bool {
        if want.kind {
            self.kinds[have.sort] == self.kinds[want.sort]
        } else {
            !have.kind && self.is_below(have.sort, want.sort)
        }
    }

    /// The sort above all others in a kind.
    pub fn top(&self, kind: usize) -> usize {
        (0..self.sorts.len())
            .find(|&sort| {
                self.kinds[sort] == kind && !self.subsorts.iter().any(|&(low, _)| low == sort)
            })
            .expect("every kind has a top sort")
    }

    pub fn operator(&self, name: &str) -> Option<&Operator> {
        self.operators.iter().find(|operator| operator.name == name)
    }

    pub fn sort_text(&self, sort: SortRef) -> String {
        if sort.kind {
            format!("[{}]", self.sorts[sort.sort])
        } else {
            self.sorts[sort.sort].clone()
        }
    }

    fn add(&mut self, name: &str, domain: &[usize], range: usize, theory: Theory) {
        let sort = |sort: usize| SortRef { sort, kind: false };
        self.operators.push(Operator {
            name: name.to_owned(),
            declarations: vec![Declaration {
                domain: domain.iter().copied().map(sort).collect(),
                range: sort(range),
            }],
            theory,
            identity: None,
            level: 0,
            attributes: Vec::new(),
        });
    }

    fn add_constants(&mut self, random: &mut Random) {
        let lowest: Vec<usize> =
            (0..self.sorts.len()).filter(|&sort| self.kinds[sort] == 0).collect();
        for name in ["a", "b", "c", "d", "e"].iter().take(random.between(2, 5)) {
            let below = self.sorts.len() > 1 && random.chance(80);
            let sort = if below { *random.pick(&lowest) } else { self.top(0) };
            self.add(name, &[], sort, Theory::Free);
        }
        if self.kinds.contains(&1) {
            self.add("t", &[], self.top(1), Theory::Free);
            self.add("u", &[], self.top(1), Theory::Free);
        }
    }

    fn add_constructors(&mut self, random: &mut Random) {
        let top = self.top(0);
        let sorts: Vec<usize> =
            (0..self.sorts.len()).filter(|&sort| self.kinds[sort] == 0).collect();
        let mut menu: Vec<usize> = (0..11).collect();
        random.shuffle(&mut menu);
        menu.truncate(random.between(2, 6));
        for item in menu {
            match item {
                0 => {
                    let range = *random.pick(&sorts);
                    self.add("k", &[*random.pick(&sorts)], range, Theory::Free);
                    self.overload(random, &sorts);
                }
                1 => self.add("g", &[top], top, Theory::Free),
                2 => {
                    self.add("f", &[top, top], top, Theory::Free);
                    self.overload(random, &sorts);
                }
                3 => self.add("s", &[top], top, Theory::Iter),
                4 => self.add_theory(random, &["m", "_-_"], Theory::Comm),
                5 => self.add_theory(random, &["cu"], Theory::CommId),
                6 => self.add_theory(random, &["p", "_+_", "p"], Theory::Ac),
                7 => self.add_theory(random, &["pu", "_&_", "pu"], Theory::Acu),
                8 => self.add_theory(random, &["q", "_;_", "q"], Theory::Assoc),
                9 => self.add_theory(random, &["qu", "__", "qu"], Theory::AssocId),
                _ => {
                    if self.kinds.contains(&1) {
                        let other = self.top(1);
                        self.add("o", &[top, other], top, Theory::Free);
                        self.add("w", &[top], other, Theory::Free);
                    } else {
                        self.add("t", &[top, top, top], top, Theory::Free);
                    }
                }
            }
        }
    }

    /// A binary operator of a theory on the top sort, sometimes with a smaller declaration.
    fn add_theory(&mut self, random: &mut Random, names: &[&str], theory: Theory) {
        let top = self.top(0);
        let name = *random.pick(names);
        self.add(name, &[top, top], top, theory);
        let sorts: Vec<usize> =
            (0..self.sorts.len()).filter(|&sort| self.kinds[sort] == 0).collect();
        if sorts.len() > 1 && random.chance(25) {
            let domain = *random.pick(&sorts);
            let range =
                if theory.is_assoc() && random.chance(70) { domain } else { *random.pick(&sorts) };
            let sort = |sort: usize| SortRef { sort, kind: false };
            let operator = self.operators.last_mut().expect("just added");
            let declaration =
                Declaration { domain: vec![sort(domain), sort(domain)], range: sort(range) };
            operator.declarations.insert(random.below(2), declaration);
        } else if random.chance(6) {
            let operator = self.operators.last_mut().expect("just added");
            for sort in operator.declarations[0].domain.iter_mut() {
                sort.kind = true;
            }
            operator.declarations[0].range.kind = true;
        }
        if theory.has_identity() {
            let constant = match theory {
                Theory::AssocId => "nil",
                _ => "mt",
            };
            if self.operator(constant).is_none() {
                let sort = if random.chance(80) { top } else { *random.pick(&sorts) };
                let before = self.operators.pop().expect("just added");
                self.add(constant, &[], sort, Theory::Free);
                self.operators.push(before);
            }
            let operator = self.operators.last_mut().expect("just added");
            operator.identity = Some(constant.to_owned());
        }
    }

    /// Sometimes gives the last operator further declarations.
    fn overload(&mut self, random: &mut Random, sorts: &[usize]) {
        let operator = self.operators.last_mut().expect("just added");
        while random.chance(25) {
            let domain = operator.declarations[0]
                .domain
                .iter()
                .map(|_| SortRef { sort: *random.pick(sorts), kind: false })
                .collect();
            let range = SortRef { sort: *random.pick(sorts), kind: false };
            operator.declarations.push(Declaration { domain, range });
        }
    }

    fn add_defined(&mut self, random: &mut Random, count: usize) {
        let top = self.top(0);
        for level in 0..count {
            let name = format!("d{level}");
            match random.below(20) {
                0..=6 => self.add(&name, &[top], top, Theory::Free),
                7..=12 => self.add(&name, &[top, top], top, Theory::Free),
                13 => self.add(&name, &[top, top, top], top, Theory::Free),
                14 => self.add(&name, &[top, top], top, Theory::Comm),
                15 | 16 => self.add(&name, &[top, top], top, Theory::Ac),
                17 => self.add(&name, &[top, top], top, Theory::Assoc),
                _ => self.add(&name, &[], top, Theory::Free),
            }
            let operator = self.operators.last_mut().expect("just added");
            operator.level = level as u32 + 1;
            let strategies: &[&str] = match (operator.theory, operator.arity()) {
                (Theory::Free, 1) => &["strat (0)", "strat (0 1 0)", "strat (1 0)"],
                (Theory::Free, 2) => &[
                    "strat (0)",
                    "strat (1 0)",
                    "strat (2 0)",
                    "strat (1 0 2 0)",
                    "strat (0 1 2 0)",
                    "strat (2 1 0)",
                ],
                (Theory::Free, 3) => &["strat (1 0)", "strat (3 0 1 0)", "strat (2 3 0)"],
                (Theory::Free | Theory::Iter, _) => &[],
                _ => &["strat (0)", "strat (0 1 2 0)"],
            };
            if !strategies.is_empty() && random.chance(20) {
                operator.attributes.push((*random.pick(strategies)).to_owned());
            }
        }
    }

    /// Makes the arguments of some constructors frozen: rules do not apply there.
    pub fn freeze(&mut self, random: &mut Random) {
        for operator in &mut self.operators {
            if operator.arity() > 0 && random.chance(8) {
                let which = if operator.theory == Theory::Free && operator.arity() > 1 {
                    *random.pick(&["frozen (1)", "frozen (2)", "frozen"])
                } else {
                    "frozen"
                };
                operator.attributes.push(which.to_owned());
            }
        }
    }

    fn add_variables(&mut self, random: &mut Random, wishes: Wishes) {
        // Names that Maude's standard modules have numbered, so that their order is the same
        // whatever was read before.
        const KNOWN: [&str; 18] = [
            "X", "Y", "Z", "N", "M", "R", "Q", "A", "B", "C", "I", "J", "K", "E", "L", "P", "D",
            "V",
        ];
        let mut names: Vec<String> = if random.chance(25) {
            (0..18).map(|number| format!("v{}x{number}", wishes.group)).collect()
        } else {
            KNOWN.iter().map(|name| (*name).to_owned()).collect()
        };
        if random.chance(70) {
            random.shuffle(&mut names);
        }
        let on_the_fly = !wishes.strategies && random.chance(15);
        let mut names = names.into_iter();
        let top = self.top(0);
        for kind in 0..=1 {
            let sorts: Vec<usize> =
                (0..self.sorts.len()).filter(|&sort| self.kinds[sort] == kind).collect();
            for sort in sorts {
                let wanted = if sort == top { 5 } else { 3 };
                for name in names.by_ref().take(wanted) {
                    let sort = SortRef { sort, kind: false };
                    let name = self.variable_name(name, sort, on_the_fly);
                    self.variables.push(Variable { name, sort, on_the_fly });
                }
            }
        }
        if random.chance(15)
            && let Some(name) = names.next()
        {
            let sort = SortRef { sort: top, kind: true };
            let name = self.variable_name(name, sort, on_the_fly);
            self.variables.push(Variable { name, sort, on_the_fly });
        }
    }

    fn variable_name(&self, name: String, sort: SortRef, on_the_fly: bool) -> String {
        if on_the_fly { format!("{name}:{}", self.sort_text(sort)) } else { name }
    }

    /// The declarations as text, one to a line.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "  sorts {} .", self.sorts.join(" "));
        for &(low, high) in &self.subsorts {
            let _ = writeln!(text, "  subsort {} < {} .", self.sorts[low], self.sorts[high]);
        }
        for operator in &self.operators {
            for declaration in &operator.declarations {
                let domain: Vec<String> =
                    declaration.domain.iter().map(|&sort| self.sort_text(sort)).collect();
                let range = self.sort_text(declaration.range);
                let attributes = operator.attribute_text();
                let _ = writeln!(
                    text,
                    "  op {} : {} -> {range}{attributes} .",
                    operator.name,
                    domain.join(" ")
                );
            }
        }
        for variable in self.variables.iter().filter(|variable| !variable.on_the_fly) {
            let _ = writeln!(text, "  var {} : {} .", variable.name, self.sort_text(variable.sort));
        }
        text
    }
}

impl Operator {
    fn attribute_text(&self) -> String {
        let mut words: Vec<String> = match self.theory {
            Theory::Free => vec![],
            Theory::Comm | Theory::CommId => vec!["comm".into()],
            Theory::Assoc | Theory::AssocId => vec!["assoc".into()],
            Theory::Ac | Theory::Acu => vec!["assoc".into(), "comm".into()],
            Theory::Iter => vec!["iter".into()],
        };
        if let Some(identity) = &self.identity {
            words.push(format!("id: {identity}"));
        }
        words.extend(self.attributes.iter().cloned());
        if words.is_empty() { String::new() } else { format!(" [{}]", words.join(" ")) }
    }
}
