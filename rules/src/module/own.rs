//! What a module itself declares, gathered from its syntax tree.
//!
//! Names are not looked up yet: sorts are names, terms are bubbles. Checks that need the imported
//! modules follow in `flatten`, which also repairs what can be repaired, so that importing modules
//! meet the repaired declarations.

use super::attributes::Attributes;
use crate::diagnose::Diagnostic;
use crate::diagnose::module as messages;
use crate::syntax::{
    self, ImportMode, Item, ModuleExpression, ModuleExpressionKind, ModuleKind, Name, Names,
    OperatorName, SortName, Span, Token, TypeExpression,
};

/// A sort, a kind, or the place of a polymorphic operator that stands for every kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeName {
    /// A sort.
    Sort(Name),
    /// The kind of these sorts.
    Kind(Vec<Name>),
    /// Any kind.
    Universal,
}

impl TypeName {
    /// Reads a type expression; `partial` turns sorts into their kinds.
    pub fn new(expression: &TypeExpression, partial: bool) -> TypeName {
        match expression {
            TypeExpression::Sort(sort) if partial => TypeName::Kind(vec![sort.name]),
            TypeExpression::Sort(sort) => TypeName::Sort(sort.name),
            TypeExpression::Kind(sorts, _) => {
                TypeName::Kind(sorts.iter().map(|s| s.name).collect())
            }
        }
    }

    /// The sorts that it names.
    pub fn names(&self) -> &[Name] {
        match self {
            TypeName::Sort(name) => std::slice::from_ref(name),
            TypeName::Kind(names) => names,
            TypeName::Universal => &[],
        }
    }
}

/// One declaration of an operator.
#[derive(Clone, Debug)]
pub struct OwnOperator {
    /// The whole name.
    pub name: Name,
    /// Its tokens.
    pub tokens: Vec<Name>,
    /// Sorts of the arguments.
    pub domain: Vec<TypeName>,
    /// Sort of the result.
    pub range: TypeName,
    /// The attributes.
    pub attributes: Attributes,
    /// Where the name stands.
    pub span: Span,
    /// Where the sorts stand: arguments, then result.
    pub sort_spans: Vec<Span>,
    /// Whether the number of places does not fit, so that it has only its prefix form.
    pub prefix_only: bool,
}

/// `var X : S`.
#[derive(Clone, Debug)]
pub struct Alias {
    /// The name.
    pub name: Name,
    /// Its sort or kind.
    pub sort: TypeName,
    /// Where the name stands.
    pub span: Span,
    /// Where the sort stands.
    pub sort_span: Span,
}

/// `class C | a : S .`
#[derive(Clone, Debug)]
pub struct OwnClass {
    /// The class.
    pub name: Name,
    /// Its attributes with their sorts.
    pub attributes: Vec<(Token, TypeName)>,
    /// Where the name stands.
    pub span: Span,
}

/// `strat s : A B @ S .`
#[derive(Clone, Debug)]
pub struct OwnStrategy {
    /// The name.
    pub name: Name,
    /// Sorts of the parameters.
    pub domain: Vec<TypeName>,
    /// What it works on.
    pub subject: TypeName,
    /// Where the name stands.
    pub span: Span,
}

/// A subsort relation as written.
#[derive(Clone, Debug)]
pub struct OwnSubsort {
    /// The smaller sort and its place.
    pub low: (Name, Span),
    /// The larger sort and its place.
    pub high: (Name, Span),
}

/// Everything that a module declares itself.
#[derive(Clone, Debug)]
pub struct Own {
    /// The kind of module.
    pub kind: ModuleKind,
    /// Its name.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// Imports of modules by name, in textual order.
    pub imports: Vec<(ImportMode, Name, Span)>,
    /// Sorts in textual order; undeclared ones that were added come last.
    pub sorts: Vec<(Name, Span)>,
    /// Subsort relations, pair by pair.
    pub subsorts: Vec<OwnSubsort>,
    /// Operators and messages in textual order, those of classes after them.
    pub operators: Vec<OwnOperator>,
    /// Variable aliases.
    pub aliases: Vec<Alias>,
    /// Classes.
    pub classes: Vec<OwnClass>,
    /// Subclass relations, pair by pair.
    pub subclasses: Vec<OwnSubsort>,
    /// Strategy declarations.
    pub strategies: Vec<OwnStrategy>,
    /// Equations, memberships, rules and strategy definitions in textual order.
    pub statements: Vec<syntax::Statement>,
    /// Something that cannot be repaired was found.
    pub unusable: bool,
}

impl Own {
    /// Gathers the declarations of a module. What is wrong in one declaration alone is said here,
    /// in textual order.
    pub fn read(
        module: &syntax::Module,
        names: &mut Names,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Own {
        let mut own = Own {
            kind: module.kind,
            name: module.name.name,
            span: module.name.span,
            imports: Vec::new(),
            sorts: Vec::new(),
            subsorts: Vec::new(),
            operators: Vec::new(),
            aliases: Vec::new(),
            classes: Vec::new(),
            subclasses: Vec::new(),
            strategies: Vec::new(),
            statements: Vec::new(),
            unusable: false,
        };
        if module.kind.is_theory() {
            diagnostics.push(messages::unsupported("theories", module.name.span));
            own.unusable = true;
        } else if !module.parameters.is_empty() {
            diagnostics.push(messages::unsupported("parameterised modules", module.name.span));
            own.unusable = true;
        }
        for item in &module.body {
            own.read_item(item, names, diagnostics);
        }
        own
    }

    fn read_item(&mut self, item: &Item, names: &mut Names, diagnostics: &mut Vec<Diagnostic>) {
        match item {
            Item::Import(import) => match module_name(&import.module) {
                Ok(token) => self.imports.push((import.mode, token.name, import.span)),
                Err(what) => {
                    // A theory or a parameterised module has had its message already.
                    if !self.unusable {
                        diagnostics.push(messages::unsupported(what, import.module.span));
                    }
                    self.unusable = true;
                }
            },
            Item::Sorts(sorts) => {
                for sort in &sorts.names {
                    self.sorts.push((sort.name, sort.span));
                    if syntax::begins_statement(names.text(sort.name)) {
                        diagnostics
                            .push(messages::keyword_as_sort(names.text(sort.name), sort.span));
                    }
                    if names.text(sort.name).contains([':', '.']) {
                        diagnostics.push(messages::bad_sort_name(names.text(sort.name), sort.span));
                        self.unusable = true;
                    }
                }
            }
            Item::Subsorts(subsorts) => pairs(&subsorts.groups, &mut self.subsorts),
            Item::Operators(operators) => self.read_operators(operators, false),
            Item::Messages(operators) => {
                self.read_operators(operators, true);
            }
            Item::Variables(variables) => {
                let sort = TypeName::new(&variables.sort, false);
                self.aliases.extend(variables.names.iter().map(|token| Alias {
                    name: token.name,
                    sort: sort.clone(),
                    span: token.span,
                    sort_span: variables.sort.span(),
                }));
            }
            Item::Statement(statement) => self.statements.push(statement.clone()),
            Item::Class(class) => self.classes.push(OwnClass {
                name: class.name.name,
                attributes: class
                    .attributes
                    .iter()
                    .map(|(token, sort)| (*token, TypeName::new(sort, false)))
                    .collect(),
                span: class.name.span,
            }),
            Item::Subclasses(subclasses) => pairs(&subclasses.groups, &mut self.subclasses),
            Item::Strategies(strategies) => {
                let domain: Vec<TypeName> =
                    strategies.domain.iter().map(|s| TypeName::new(s, false)).collect();
                let subject = TypeName::new(&strategies.subject, false);
                self.strategies.extend(strategies.names.iter().map(|token| OwnStrategy {
                    name: token.name,
                    domain: domain.clone(),
                    subject: subject.clone(),
                    span: token.span,
                }));
            }
        }
    }

    fn read_operators(&mut self, operators: &syntax::Operators, message: bool) {
        let mut attributes = Attributes::gather(&operators.attributes);
        if message {
            attributes.ctor = true;
            attributes.message = true;
        }
        let sorts = &operators.sorts;
        let place = |number: u32, sort: &TypeExpression| {
            let universal = attributes.poly.as_ref().is_some_and(|p| p.contains(&number));
            if universal { TypeName::Universal } else { TypeName::new(sort, sorts.partial) }
        };
        let domain: Vec<TypeName> =
            (1..).zip(&sorts.domain).map(|(number, sort)| place(number, sort)).collect();
        let range = place(0, &sorts.range);
        let sort_spans: Vec<Span> =
            sorts.domain.iter().chain([&sorts.range]).map(TypeExpression::span).collect();
        for name in &operators.names {
            self.operators.push(OwnOperator {
                name: name.name,
                tokens: name.tokens.iter().map(|t| t.name).collect(),
                domain: domain.clone(),
                range: range.clone(),
                attributes: attributes.clone(),
                span: name_span(name),
                sort_spans: sort_spans.clone(),
                prefix_only: false,
            });
        }
    }
}

fn name_span(name: &OperatorName) -> Span {
    match (name.tokens.first(), name.tokens.last()) {
        (Some(first), Some(last)) => first.span.to(last.span),
        _ => name.span,
    }
}

/// Each sort of a group is below each of the next group.
fn pairs(groups: &[Vec<SortName>], into: &mut Vec<OwnSubsort>) {
    for two in groups.windows(2) {
        for low in &two[0] {
            for high in &two[1] {
                into.push(OwnSubsort { low: (low.name, low.span), high: (high.name, high.span) });
            }
        }
    }
}

/// The name of a module expression that is just a name; else what it is instead.
pub fn module_name(expression: &ModuleExpression) -> Result<Token, &'static str> {
    match &expression.kind {
        ModuleExpressionKind::Name(token) => Ok(*token),
        ModuleExpressionKind::Sum(_) => Err("sums of modules"),
        ModuleExpressionKind::Renaming(..) => Err("renamings of modules"),
        ModuleExpressionKind::Instance(..) => Err("instances of parameterised modules"),
    }
}
