//! The syntax tree of modules and views.
//!
//! It is what the outer grammar can say without knowing any operator: declarations are structured,
//! while terms stay *bubbles*, slices of [`Token`]s that the term grammar of the flattened module
//! reads later. Everything keeps its place. Text that could not be read is not in the tree; it has
//! left a diagnostic instead.

use std::ops::Range;

use super::names::Name;
use crate::source::Span;

/// A token: its text as a name, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The text.
    pub name: Name,
    /// The place.
    pub span: Span,
}

/// The eight kinds of modules and theories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModuleKind {
    /// `fmod`, and OBJ3's `obj`.
    Fmod,
    /// `mod`.
    Mod,
    /// `omod`.
    Omod,
    /// `smod`.
    Smod,
    /// `fth`.
    Fth,
    /// `th`.
    Th,
    /// `oth`.
    Oth,
    /// `sth`.
    Sth,
}

impl ModuleKind {
    /// The keyword that opens it.
    pub fn keyword(self) -> &'static str {
        match self {
            ModuleKind::Fmod => "fmod",
            ModuleKind::Mod => "mod",
            ModuleKind::Omod => "omod",
            ModuleKind::Smod => "smod",
            ModuleKind::Fth => "fth",
            ModuleKind::Th => "th",
            ModuleKind::Oth => "oth",
            ModuleKind::Sth => "sth",
        }
    }

    /// Whether it is a theory.
    pub fn is_theory(self) -> bool {
        matches!(self, ModuleKind::Fth | ModuleKind::Th | ModuleKind::Oth | ModuleKind::Sth)
    }

    /// Whether rules belong in it.
    pub fn allows_rules(self) -> bool {
        !matches!(self, ModuleKind::Fmod | ModuleKind::Fth)
    }

    /// Whether classes and messages may be declared in it.
    pub fn is_object_oriented(self) -> bool {
        matches!(self, ModuleKind::Omod | ModuleKind::Oth)
    }

    /// Whether strategies may be declared in it.
    pub fn allows_strategies(self) -> bool {
        matches!(self, ModuleKind::Smod | ModuleKind::Sth)
    }
}

/// A module or theory as it was read.
#[derive(Clone, Debug)]
pub struct Module {
    /// Which of the eight kinds.
    pub kind: ModuleKind,
    /// Its name.
    pub name: Token,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// What stands in it, in textual order.
    pub body: Vec<Item>,
    /// From the opening keyword to the closing one.
    pub span: Span,
}

/// `X :: T`.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The name.
    pub name: Token,
    /// The theory.
    pub theory: ModuleExpression,
}

/// One declaration or statement of a module.
#[derive(Clone, Debug)]
pub enum Item {
    /// `protecting M .` and the like.
    Import(Import),
    /// `sorts A B .`
    Sorts(Sorts),
    /// `subsorts A B < C < D .`
    Subsorts(Subsorts),
    /// `op`, `ops`.
    Operators(Operators),
    /// `var`, `vars`.
    Variables(Variables),
    /// An equation, membership, rule or strategy definition.
    Statement(Statement),
    /// `class C | a : S .`
    Class(Class),
    /// `subclasses A B < C .`
    Subclasses(Subsorts),
    /// `msg`, `msgs`.
    Messages(Operators),
    /// `strat`, `strats`.
    Strategies(Strategies),
}

impl Item {
    /// From the keyword to the last token before the period.
    pub fn span(&self) -> Span {
        match self {
            Item::Import(item) => item.span,
            Item::Sorts(item) => item.span,
            Item::Subsorts(item) | Item::Subclasses(item) => item.span,
            Item::Operators(item) | Item::Messages(item) => item.span,
            Item::Variables(item) => item.span,
            Item::Statement(item) => item.span,
            Item::Class(item) => item.span,
            Item::Strategies(item) => item.span,
        }
    }
}

/// The ways of importing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImportMode {
    /// `protecting`, `pr`.
    Protecting,
    /// `extending`, `ex`.
    Extending,
    /// `including`, `inc`, and `using`, `us` (with a diagnostic).
    Including,
    /// `generated-by`, `gb`.
    GeneratedBy,
}

/// An import.
#[derive(Clone, Debug)]
pub struct Import {
    /// The way.
    pub mode: ImportMode,
    /// What is imported.
    pub module: ModuleExpression,
    /// The whole declaration.
    pub span: Span,
}

/// A module expression, kept as it was written.
#[derive(Clone, Debug)]
pub struct ModuleExpression {
    /// What it is.
    pub kind: ModuleExpressionKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of module expressions. Views as arguments use `Name` and `Instance` only.
#[derive(Clone, Debug)]
pub enum ModuleExpressionKind {
    /// `M`.
    Name(Token),
    /// `A + B + C`, flat.
    Sum(Vec<ModuleExpression>),
    /// `M * (...)`.
    Renaming(Box<ModuleExpression>, Vec<Mapping>),
    /// `M{V, W}`.
    Instance(Box<ModuleExpression>, Vec<ModuleExpression>),
}

/// A sort name, perhaps structured: `Nat`, `List{Nat}`, `L{T2}{X}`.
#[derive(Clone, Debug)]
pub struct SortName {
    /// The whole name, written without blanks.
    pub name: Name,
    /// The token before the first brace.
    pub base: Token,
    /// The groups of arguments, empty for a plain name.
    pub arguments: Vec<Vec<SortName>>,
    /// Where it stands.
    pub span: Span,
}

/// A sort or a kind.
#[derive(Clone, Debug)]
pub enum TypeExpression {
    /// `S`.
    Sort(SortName),
    /// `[A, B]`.
    Kind(Vec<SortName>, Span),
}

impl TypeExpression {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            TypeExpression::Sort(sort) => sort.span,
            TypeExpression::Kind(_, span) => *span,
        }
    }
}

/// `sorts A B .`
#[derive(Clone, Debug)]
pub struct Sorts {
    /// The sorts.
    pub names: Vec<SortName>,
    /// The whole declaration.
    pub span: Span,
}

/// `subsorts A B < C < D .`: each group is below the next one.
#[derive(Clone, Debug)]
pub struct Subsorts {
    /// The groups, at least two.
    pub groups: Vec<Vec<SortName>>,
    /// The whole declaration.
    pub span: Span,
}

/// The name of an operator, a message or a strategy.
#[derive(Clone, Debug)]
pub struct OperatorName {
    /// The whole name as one token, with backquotes where blanks and special characters are.
    pub name: Name,
    /// The tokens of the name, without the parentheses that only group it.
    pub tokens: Vec<Token>,
    /// Where it stands, with these parentheses.
    pub span: Span,
}

/// Domain and range of an operator.
#[derive(Clone, Debug)]
pub struct OperatorType {
    /// The sorts of the arguments.
    pub domain: Vec<TypeExpression>,
    /// The sort of the result.
    pub range: TypeExpression,
    /// Whether it was written with `~>`: all sorts then stand for their kinds.
    pub partial: bool,
}

/// `op`, `ops`, `msg`, `msgs`: one declaration, perhaps with several names.
#[derive(Clone, Debug)]
pub struct Operators {
    /// The names, at least one.
    pub names: Vec<OperatorName>,
    /// Domain and range.
    pub sorts: OperatorType,
    /// The attributes that could be read, in textual order, each at most once.
    pub attributes: Vec<Attribute>,
    /// Whether there were attribute brackets.
    pub has_brackets: bool,
    /// The whole declaration.
    pub span: Span,
}

/// An attribute of an operator.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// What it is.
    pub kind: AttributeKind,
    /// Where it stands.
    pub span: Span,
}

/// The side on which an identity element is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IdentitySide {
    /// `id:`.
    Both,
    /// `left id:`.
    Left,
    /// `right id:`.
    Right,
}

/// How tightly an argument must bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gather {
    /// `e`: tighter than the operator.
    Tighter,
    /// `E`: as tight as the operator, or tighter.
    AsTight,
    /// `&`: anything.
    Any,
}

/// The attributes of operators with their values.
#[derive(Clone, Debug)]
pub enum AttributeKind {
    /// `assoc`, `associative`.
    Assoc,
    /// `comm`, `commutative`.
    Comm,
    /// `id:` and its one-sided forms, with the term as a bubble.
    Identity(IdentitySide, Vec<Token>),
    /// `idem`, `idempotent`.
    Idem,
    /// `iter`, `iterated`.
    Iter,
    /// `ctor`, `constructor`.
    Ctor,
    /// `prec`.
    Prec(u8),
    /// `gather`.
    Gather(Vec<Gather>),
    /// `format`.
    Format(Vec<Token>),
    /// `latex`.
    Latex(Vec<Token>),
    /// `strat`, `strategy`: as written, negative numbers for on-demand arguments included.
    Strat(Vec<i32>),
    /// `memo`.
    Memo,
    /// `frozen`, `frozen (1 2)`: the arguments counted from 1; all of them if there is no list.
    Frozen(Option<Vec<u32>>),
    /// `poly (0 1)`.
    Poly(Vec<u32>),
    /// `special (...)`, the tokens between the parentheses.
    Special(Vec<Token>),
    /// `ditto`.
    Ditto,
    /// `metadata "text"`.
    Metadata(Token),
    /// `config`.
    Config,
    /// `object`, `obj`.
    Object,
    /// `msg`, `message`.
    Message,
    /// `portal`.
    Portal,
    /// `rpo 5`.
    Rpo(Token),
    /// `pconst`.
    Pconst,
}

/// `vars X Y : S .`
#[derive(Clone, Debug)]
pub struct Variables {
    /// The names.
    pub names: Vec<Token>,
    /// Their sort or kind.
    pub sort: TypeExpression,
    /// The whole declaration.
    pub span: Span,
}

/// What kind of statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StatementKind {
    /// `eq l = r`, `ceq l = r if c`.
    Equation,
    /// `mb t : S`, `cmb t : S if c`.
    Membership,
    /// `rl l => r`, `crl l => r if c`.
    Rule,
    /// `sd s := e`, `csd s := e if c`.
    StrategyDefinition,
}

/// An equation, membership, rule or strategy definition.
///
/// The statement is kept as one run of tokens, and the parts are stretches of it: labels,
/// attributes and `if` belong to the same grammar as the terms, so whoever finds that the parts do
/// not parse can divide [`Statement::tokens`] in another way.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What kind of statement.
    pub kind: StatementKind,
    /// Whether the keyword was that of the conditional form.
    pub conditional: bool,
    /// The keyword.
    pub keyword: Token,
    /// All tokens between the keyword and the period.
    pub tokens: Vec<Token>,
    /// `[l] :` in front.
    pub label: Option<Token>,
    /// The left side, of a membership the term.
    pub lhs: Range<usize>,
    /// The right side, of a membership the sort.
    pub rhs: Range<usize>,
    /// The condition.
    pub condition: Option<Range<usize>>,
    /// The attributes at the end.
    pub attributes: Vec<StatementAttribute>,
    /// The tokens of these, brackets included; empty if there are none.
    pub attribute_tokens: Range<usize>,
    /// From the keyword to the last token before the period.
    pub span: Span,
}

impl Statement {
    /// The tokens of the left side.
    pub fn lhs(&self) -> &[Token] {
        &self.tokens[self.lhs.clone()]
    }

    /// The tokens of the right side.
    pub fn rhs(&self) -> &[Token] {
        &self.tokens[self.rhs.clone()]
    }

    /// The tokens of the condition.
    pub fn condition(&self) -> Option<&[Token]> {
        self.condition.clone().map(|range| &self.tokens[range])
    }
}

/// An attribute of a statement.
#[derive(Clone, Debug)]
pub struct StatementAttribute {
    /// What it is.
    pub kind: StatementAttributeKind,
    /// Where it stands.
    pub span: Span,
}

/// The attributes of statements with their values.
#[derive(Clone, Debug)]
pub enum StatementAttributeKind {
    /// `owise`, `otherwise`.
    Owise,
    /// `nonexec`.
    Nonexec,
    /// `variant`.
    Variant,
    /// `narrowing`.
    Narrowing,
    /// `label l`.
    Label(Token),
    /// `metadata "text"`.
    Metadata(Token),
    /// `print "text" X`, the items.
    Print(Vec<Token>),
    /// `dnt`.
    Dnt,
    /// `extension`.
    Extension,
}

/// `class C | a : S, b : T .`
#[derive(Clone, Debug)]
pub struct Class {
    /// The class.
    pub name: SortName,
    /// Its attributes with their sorts.
    pub attributes: Vec<(Token, TypeExpression)>,
    /// The whole declaration.
    pub span: Span,
}

/// `strats s t : A B @ S [metadata "text"] .`
#[derive(Clone, Debug)]
pub struct Strategies {
    /// The names.
    pub names: Vec<Token>,
    /// The sorts of the parameters.
    pub domain: Vec<TypeExpression>,
    /// The sort of the terms that they work on.
    pub subject: TypeExpression,
    /// `metadata`.
    pub metadata: Option<Token>,
    /// The whole declaration.
    pub span: Span,
}

/// A view as it was read.
#[derive(Clone, Debug)]
pub struct View {
    /// Its name.
    pub name: Token,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The theory that is mapped.
    pub from: ModuleExpression,
    /// What it is mapped to.
    pub to: ModuleExpression,
    /// The items in textual order.
    pub body: Vec<Mapping>,
    /// From `view` to `endv`.
    pub span: Span,
}

/// An item of a renaming or a view.
#[derive(Clone, Debug)]
pub struct Mapping {
    /// What it is.
    pub kind: MappingKind,
    /// Where it stands.
    pub span: Span,
}

/// The items of renamings and views.
#[derive(Clone, Debug)]
pub enum MappingKind {
    /// `sort A to B`.
    Sort(SortName, SortName),
    /// `class C to D`.
    Class(SortName, SortName),
    /// `op f to g`, `op f : A -> B to g [prec 3]`.
    Operator {
        /// The old name.
        from: OperatorName,
        /// The argument and result sorts of a specific item.
        sorts: Option<OperatorType>,
        /// The new name.
        to: OperatorName,
        /// New attributes.
        attributes: Vec<Attribute>,
    },
    /// `msg m to n`, `msg m : A -> Msg to n`.
    Message {
        /// The old name.
        from: OperatorName,
        /// The argument and result sorts of a specific item.
        sorts: Option<OperatorType>,
        /// The new name.
        to: OperatorName,
    },
    /// `op f(X) to term t`, both sides as bubbles.
    OperatorToTerm(Vec<Token>, Vec<Token>),
    /// `attr a to b`, `attr a : S to b`.
    AttributeName {
        /// The old name.
        from: Token,
        /// The sort of a specific item.
        sort: Option<TypeExpression>,
        /// The new name.
        to: Token,
    },
    /// `label l to k`.
    Label(Token, Token),
    /// `strat s to t`, `strat s : A @ B to t`.
    Strategy {
        /// The old name.
        from: Token,
        /// Parameters and subject of a specific item.
        sorts: Option<(Vec<TypeExpression>, TypeExpression)>,
        /// The new name.
        to: Token,
    },
    /// `strat s(X) to expr e`, both sides as bubbles.
    StrategyToExpression(Vec<Token>, Vec<Token>),
    /// `vars X Y : S` in a view.
    Variables(Variables),
}
