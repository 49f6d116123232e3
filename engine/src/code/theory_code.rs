//! A theory as a machine runs it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::compiler::CodeCompiler;
use super::goal::RuleCode;
use super::program::EquationalCode;
use super::statements::Entry;
use super::tables::{SoundKinds, StatementTables};
use crate::fidelity::Fidelity;
use crate::heap::Memory;
use crate::id::SymbolId;
use crate::matching::MembershipSorts;
use crate::signature::{Evaluation, Role, Shape, Signature};
use crate::statement::{Conclusion, is_closed};
use crate::term::StaticTerms;

/// The compiled statements of a theory, with the constants that they use. Never changed; any number
/// of machines run it.
pub(crate) struct TheoryCode {
    pub(crate) tables: Arc<StatementTables>,
    pub(crate) program: EquationalCode,
    /// How an application is tried, by symbol.
    pub(crate) entries: Vec<Entry>,
    /// The same for calls of free symbols with nothing but equations; `General` for others.
    pub(crate) calls: Arc<[Entry]>,
    /// The memberships of each symbol: a range of the program's.
    pub(crate) memberships: Vec<(u32, u32)>,
    /// The rules, by statement number.
    rules: Vec<Option<Arc<RuleCode>>>,
    /// What is done for the sake of counts.
    pub(crate) fidelity: Fidelity,
    /// Somebody watches it: no equation takes a short way, and events are told.
    pub(crate) watched: bool,
    sound: SoundKinds,
    /// What each machine begins with: constants, and no heap.
    image: Memory,
}

impl TheoryCode {
    /// Compiles a theory. The code is right as long as nothing mentions symbols that the signature
    /// has as not mentioned and that `is_right_for` rejects.
    pub(crate) fn new(
        signature: &Signature,
        terms: &Arc<StaticTerms>,
        tables: &Arc<StatementTables>,
        fidelity: Fidelity,
        watched: bool,
    ) -> TheoryCode {
        let sound = SoundKinds::find(signature);
        let mut image = image(signature, terms, tables, &sound);
        let mut compiler = CodeCompiler {
            signature,
            tables,
            sound: &sound,
            terms: StaticTerms::over(Arc::clone(terms)),
            memory: &mut image,
            fidelity,
            watched,
            calls: Arc::default(),
            program: EquationalCode::default(),
            constants: FxHashMap::default(),
        };
        let symbols = || (0..signature.n_symbols() as u32).map(SymbolId);
        let mut entries = Vec::with_capacity(signature.n_symbols());
        let mut calls = Vec::with_capacity(signature.n_symbols());
        let mut memberships = Vec::with_capacity(signature.n_symbols());
        for s in symbols() {
            let symbol = signature.symbol(s);
            let entry = match symbol.role {
                Role::Operator | Role::Builtin(_) => compiler.compile_symbol(s),
                _ => Entry::None,
            };
            let short = symbol.shape() == Shape::Free
                && symbol.evaluation == Evaluation::Eager
                && symbol.meaning().is_none()
                && !tables.has_memberships(s);
            calls.push(match entry {
                Entry::None | Entry::Tree(_) if short => entry,
                _ => Entry::General,
            });
            compiler.program.check_sizes();
            entries.push(entry);
            memberships.push(match tables.has_memberships(s) {
                true => compiler.compile_memberships(s),
                false => (0, 0),
            });
        }
        let calls: Arc<[Entry]> = calls.into();
        let mut program = std::mem::take(&mut compiler.program);
        program.block.finish(&calls);
        compiler.calls = Arc::clone(&calls);
        let rules = (0..).zip(tables.statements.iter()).map(|(number, statement)| {
            let rule = matches!(statement.conclusion, Conclusion::Rule(_));
            // Other rules wait for strategies that give values for their variables.
            let closed = rule && is_closed(terms, statement, &[]);
            closed.then(|| Arc::new(compiler.compile_rule(number, statement, &[], false)))
        });
        let rules = rules.collect();
        let tables = Arc::clone(tables);
        TheoryCode {
            tables,
            program,
            entries,
            calls,
            memberships,
            rules,
            fidelity,
            watched,
            sound,
            image,
        }
    }

    /// Whether the code is right where the symbols that `signature` has as mentioned may occur.
    pub(crate) fn is_right_for(&self, signature: &Signature) -> bool {
        !signature.mentioned().iter().any(|&s| self.sound.is_broken_by(signature, s))
    }

    /// The memory that a machine begins with.
    pub(crate) fn memory(&self) -> Memory {
        self.image.clone()
    }

    /// A rule, for the case that none of its variables have values beforehand.
    pub(crate) fn rule(&self, number: u32) -> Option<&Arc<RuleCode>> {
        self.rules[number as usize].as_ref()
    }

    /// A compiler for goals over this theory. Constants go into `memory`, which began as that of
    /// this theory.
    pub(crate) fn compiler<'a>(
        &'a self,
        signature: &'a Signature,
        terms: &Arc<StaticTerms>,
        memory: &'a mut Memory,
    ) -> CodeCompiler<'a> {
        CodeCompiler {
            signature,
            tables: &self.tables,
            sound: &self.sound,
            terms: StaticTerms::over(Arc::clone(terms)),
            memory,
            fidelity: self.fidelity,
            watched: self.watched,
            calls: Arc::clone(&self.calls),
            program: EquationalCode::default(),
            constants: FxHashMap::default(),
        }
    }
}

/// A memory that knows the symbols of a theory.
fn image(
    signature: &Signature,
    terms: &StaticTerms,
    tables: &StatementTables,
    sound: &SoundKinds,
) -> Memory {
    let mut memory = Memory::new(signature);
    let membership_sorts: &MembershipSorts = &tables.membership_sorts;
    for s in (0..signature.n_symbols() as u32).map(SymbolId) {
        let core = memory.core_mut(s);
        core.memberships = membership_sorts.contains_key(&s);
        core.sure_sort = sound.sure_sort(signature, s);
        if tables.immediate[s.index()] {
            core.immediate = crate::heap::Handle::immediate(s);
        }
    }
    memory.use_numbers(tables.numbers);
    for s in (0..signature.n_symbols() as u32).map(SymbolId) {
        if let Some(identity) = signature.symbol(s).axioms.identity {
            // Matching uses it as it stands: it counts as reduced, and has no memberships.
            let built = memory.build_reduced(signature, terms, identity);
            memory.declare_sorts(built);
            memory.core_mut(s).identity = memory.enter_permanently(built);
        }
    }
    memory
}
