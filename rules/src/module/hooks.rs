//! What `special (id-hook NAME (OPERAND))` binds an operator to: a hook of the engine's registry, or
//! of those that were added to it; `ObjectConstructorSymbol` marks the objects that statements are
//! completed for.

use broth_engine::{HookId, Hooks, Meaning};

use crate::syntax::{Names, Token};

/// What an operator is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hook {
    /// Something that the engine computes.
    Builtin(HookId, Meaning),
    /// The object constructor.
    Object,
}

impl Hook {
    /// What is known of a hook that the engine computes.
    pub fn meaning(self) -> Option<Meaning> {
        match self {
            Hook::Builtin(_, meaning) => Some(meaning),
            Hook::Object => None,
        }
    }
}

/// Reads the tokens between the parentheses of `special`; the name of a hook that is not known is
/// the error.
pub fn read(tokens: &[Token], hooks: &Hooks, names: &Names) -> Result<Hook, String> {
    let text = |at: usize| tokens.get(at).map(|t| names.text(t.name));
    let start = (0..tokens.len()).find(|&at| text(at) == Some("id-hook"));
    let Some(start) = start else { return Err("none".to_owned()) };
    let name = text(start + 1).unwrap_or_default();
    if name == "ObjectConstructorSymbol" {
        return Ok(Hook::Object);
    }
    let operand = if text(start + 2) == Some("(") { text(start + 3) } else { None };
    match hooks.find(name, operand) {
        Some((hook, meaning)) => Ok(Hook::Builtin(hook, meaning)),
        None => Err(name.to_owned()),
    }
}

/// The name that `term-hook zeroTerm (NAME)` gives to the number zero.
pub fn zero_name(tokens: &[Token], names: &Names) -> Option<crate::syntax::Name> {
    let at = tokens.iter().position(|t| names.text(t.name) == "zeroTerm")?;
    tokens.get(at + 2).map(|t| t.name)
}
