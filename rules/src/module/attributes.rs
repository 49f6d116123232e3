//! Attributes of one operator declaration, gathered from what was written.
//!
//! A declaration with `ditto` takes the attributes of the earlier declaration of its operator, all
//! but `ctor`. Two declarations of one operator must agree in what [`Attributes::agrees_with`]
//! compares.

use crate::syntax::{Attribute, AttributeKind, Gather, IdentitySide, Span, Token};

/// The attributes of one declaration.
#[derive(Clone, Debug, Default)]
pub struct Attributes {
    /// `assoc`.
    pub assoc: bool,
    /// `comm`.
    pub comm: bool,
    /// `idem`.
    pub idem: bool,
    /// `iter`.
    pub iter: bool,
    /// The identity's side and its bubble.
    pub identity: Option<(IdentitySide, Vec<Token>)>,
    /// `ctor`.
    pub ctor: bool,
    /// `prec`.
    pub prec: Option<u8>,
    /// `gather`.
    pub gather: Option<Vec<Gather>>,
    /// `format`, the words.
    pub format: Option<Vec<Token>>,
    /// `strat`, as written; 0 is the top.
    pub strat: Option<Vec<i32>>,
    /// `memo`.
    pub memo: bool,
    /// `frozen`: places from 1, all of them where the list is absent.
    pub frozen: Option<Option<Vec<u32>>>,
    /// `poly`: places from 1, 0 for the result.
    pub poly: Option<Vec<u32>>,
    /// `special`, the tokens between its parentheses.
    pub special: Option<Vec<Token>>,
    /// `ditto`.
    pub ditto: bool,
    /// `config`.
    pub config: bool,
    /// `object`.
    pub object: bool,
    /// `msg`.
    pub message: bool,
    /// `portal`.
    pub portal: bool,
    /// `metadata`.
    pub metadata: Option<Token>,
    /// `latex`.
    pub latex: bool,
    /// `rpo`.
    pub rpo: bool,
    /// `pconst`.
    pub pconst: bool,
    /// Where the first attribute stands, for messages.
    pub span: Option<Span>,
}

impl Attributes {
    /// Gathers written attributes. The reader has already seen to repetitions.
    pub fn gather(written: &[Attribute]) -> Attributes {
        let mut all = Attributes { span: written.first().map(|a| a.span), ..Attributes::default() };
        for attribute in written {
            match &attribute.kind {
                AttributeKind::Assoc => all.assoc = true,
                AttributeKind::Comm => all.comm = true,
                AttributeKind::Identity(side, bubble) => {
                    all.identity = Some((*side, bubble.clone()));
                }
                AttributeKind::Idem => all.idem = true,
                AttributeKind::Iter => all.iter = true,
                AttributeKind::Ctor => all.ctor = true,
                AttributeKind::Prec(prec) => all.prec = Some(*prec),
                AttributeKind::Gather(gather) => all.gather = Some(gather.clone()),
                AttributeKind::Format(words) => all.format = Some(words.clone()),
                AttributeKind::Latex(_) => all.latex = true,
                AttributeKind::Strat(steps) => all.strat = Some(steps.clone()),
                AttributeKind::Memo => all.memo = true,
                AttributeKind::Frozen(places) => all.frozen = Some(places.clone()),
                AttributeKind::Poly(places) => all.poly = Some(places.clone()),
                AttributeKind::Special(tokens) => all.special = Some(tokens.clone()),
                AttributeKind::Ditto => all.ditto = true,
                AttributeKind::Metadata(text) => all.metadata = Some(*text),
                AttributeKind::Config => all.config = true,
                AttributeKind::Object => all.object = true,
                AttributeKind::Message => all.message = true,
                AttributeKind::Portal => all.portal = true,
                AttributeKind::Rpo(_) => all.rpo = true,
                AttributeKind::Pconst => all.pconst = true,
            }
        }
        all
    }

    /// Whether anything that `ditto` would bring is there already.
    pub fn has_more_than_ctor(&self) -> bool {
        let without =
            Attributes { ctor: false, ditto: false, metadata: None, span: None, ..self.clone() };
        !without.agrees_with(&Attributes::default())
            || without.format.is_some()
            || without.latex
            || without.special.is_some()
            || without.poly.is_some()
    }

    /// What a `ditto` that stands for `earlier` gives this declaration.
    pub fn filled_from(&self, earlier: &Attributes) -> Attributes {
        Attributes {
            ctor: self.ctor,
            metadata: self.metadata,
            span: self.span,
            ditto: true,
            ..earlier.clone()
        }
    }

    /// Whether two declarations of one operator have the same attributes, as they must.
    pub fn agrees_with(&self, other: &Attributes) -> bool {
        let texts = |identity: &Option<(IdentitySide, Vec<Token>)>| {
            identity
                .as_ref()
                .map(|(side, bubble)| (*side, bubble.iter().map(|t| t.name).collect::<Vec<_>>()))
        };
        self.assoc == other.assoc
            && self.comm == other.comm
            && self.idem == other.idem
            && self.iter == other.iter
            && texts(&self.identity) == texts(&other.identity)
            && self.prec == other.prec
            && self.gather == other.gather
            && self.strat == other.strat
            && self.memo == other.memo
            && self.frozen == other.frozen
            && self.config == other.config
            && self.object == other.object
            && self.message == other.message
            && self.portal == other.portal
    }
}
