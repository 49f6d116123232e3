//! Identity elements of operators.

use super::evaluate::ModuleBuilder;
use super::instantiate::Instantiation;
use super::loaded::Loaded;
use super::own::Own;
use crate::mixfix::messages as parse_messages;
use crate::mixfix::{KindIndex, TermRef, Tree};
use crate::syntax::IdentitySide;

/// An identity element as it was read in the module that declares the operator.
#[derive(Debug)]
pub struct OwnIdentity {
    /// Which of the module's operators.
    pub operator: u32,
    /// The term.
    pub tree: Tree,
    /// Its place.
    pub term: TermRef,
}

/// Gives all operators of a module their identity elements. Says whether all could be read.
pub fn set(cx: &mut ModuleBuilder<'_>, own: &Own, loaded: &mut Loaded) -> bool {
    let mut fine = true;
    for at in 0..loaded.flat.operators.len() {
        let op = &loaded.flat.operators[at];
        let Some((side, bubble)) = op.attributes.identity.clone() else { continue };
        let Some(symbol) = op.symbol else { continue };
        let (module, operator) = op.declarations[0].id;
        let raw = if module == own.name {
            let name = cx.names.text(own.name).to_owned();
            let range = loaded.vocabulary.signature.symbol(symbol).range;
            let kind = loaded.flat.kinds.iter().position(|k| *k == range);
            let kind = kind.map(|at| KindIndex(at as u32));
            let reading = match loaded.grammar.term(kind, &bubble, cx.names) {
                Ok(reading) => reading,
                Err(error) => {
                    cx.diagnostics.push(parse_messages::no_parse(
                        &error,
                        &bubble,
                        &name,
                        cx.names,
                        |_| None,
                    ));
                    fine = false;
                    continue;
                }
            };
            let raw = Instantiation {
                origin: &loaded.origin,
                flat: &mut loaded.flat,
                signature: &mut loaded.vocabulary.signature,
                terms: &mut loaded.vocabulary.terms,
                names: cx.names,
            }
            .raw(&reading.tree, reading.value);
            loaded.identities.push(OwnIdentity {
                operator,
                tree: reading.tree,
                term: reading.value,
            });
            raw
        } else {
            let Some(from) = cx.library.loaded(module) else { continue };
            let Some(identity) = from.identities.iter().find(|i| i.operator == operator) else {
                continue;
            };
            Instantiation {
                origin: &from.origin,
                flat: &mut loaded.flat,
                signature: &mut loaded.vocabulary.signature,
                terms: &mut loaded.vocabulary.terms,
                names: cx.names,
            }
            .raw(&identity.tree, identity.term)
        };
        let term = loaded.vocabulary.full(raw);
        let (left, right) = match side {
            IdentitySide::Both => (true, true),
            IdentitySide::Left => (true, false),
            IdentitySide::Right => (false, true),
        };
        loaded.vocabulary.signature.set_identity(symbol, term, left, right);
    }
    fine
}
