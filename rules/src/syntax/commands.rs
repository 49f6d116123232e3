//! The syntax tree of commands.
//!
//! Commands that take terms keep them as bubbles of tokens, divided where the command's own words
//! stand. A command that the language has and that is not carried out yet is read to its end like
//! any other and becomes [`CommandKind::Unsupported`], so that one message can name it.

use super::ast::Token;
use crate::source::Span;

/// A command as it was read.
#[derive(Clone, Debug)]
pub struct Command {
    /// What it asks for.
    pub kind: CommandKind,
    /// Its first word.
    pub keyword: Token,
    /// From the first word to the last token before the period.
    pub span: Span,
}

/// What all commands that take terms have in common.
#[derive(Clone, Debug)]
pub struct Target {
    /// `in M :`, the tokens of the module's name: more than one are a module expression.
    pub module: Option<Vec<Token>>,
    /// Whether `debug` stood in front.
    pub debug: bool,
}

/// A side condition, the tokens after `such that`.
pub type ConditionBubble = Option<Vec<Token>>;

/// The commands.
#[derive(Clone, Debug)]
pub enum CommandKind {
    /// `reduce t .`
    Reduce {
        /// Where and how.
        target: Target,
        /// The term.
        subject: Vec<Token>,
    },
    /// `rewrite [n] t .`
    Rewrite {
        /// Where and how.
        target: Target,
        /// The most rewrites.
        limit: Option<u64>,
        /// The term.
        subject: Vec<Token>,
    },
    /// `frewrite [n, g] t .`, `erewrite [n, g] t .`
    FairRewrite {
        /// Where and how.
        target: Target,
        /// Whether it is `erewrite`.
        external: bool,
        /// The most rewrites.
        limit: Option<u64>,
        /// The rewrites at one position in a round.
        gas: Option<u64>,
        /// The term.
        subject: Vec<Token>,
    },
    /// `srewrite [n] t using s .`, `dsrewrite [n] t using s .`
    StrategyRewrite {
        /// Where and how.
        target: Target,
        /// Whether it is `dsrewrite`.
        depth_first: bool,
        /// The most solutions.
        limit: Option<u64>,
        /// The term.
        subject: Vec<Token>,
        /// The strategy.
        strategy: Vec<Token>,
    },
    /// `search [n, d] t =>* p such that c .`
    Search {
        /// Where and how.
        target: Target,
        /// The most solutions.
        limit: Option<u64>,
        /// The most steps.
        depth: Option<u64>,
        /// The term.
        subject: Vec<Token>,
        /// The kind of states wanted.
        arrow: SearchArrow,
        /// The pattern.
        pattern: Vec<Token>,
        /// The condition.
        condition: ConditionBubble,
    },
    /// `match [n] p <=? t such that c .`, `xmatch [n] p <=? t such that c .`
    Match {
        /// Where and how.
        target: Target,
        /// Whether it is `xmatch`.
        extension: bool,
        /// The most solutions.
        limit: Option<u64>,
        /// The pattern.
        pattern: Vec<Token>,
        /// The term.
        subject: Vec<Token>,
        /// The condition.
        condition: ConditionBubble,
    },
    /// `parse t .`
    Parse {
        /// Where and how.
        target: Target,
        /// The term.
        subject: Vec<Token>,
    },
    /// `continue n .`
    Continue {
        /// The most further rewrites or solutions.
        limit: Option<u64>,
        /// Whether `debug` stood in front.
        debug: bool,
    },
    /// `in f`, `load f`, `sload f`.
    Load {
        /// Which of the three.
        mode: LoadMode,
        /// The name of the file, quotes and backslashes removed.
        path: String,
    },
    /// `cd d`, `pushd d`, `popd`, `pwd`.
    Directory {
        /// Which of the four.
        action: DirectoryAction,
        /// The name of the directory.
        path: Option<String>,
    },
    /// `select M .`
    Select {
        /// The tokens of the module's name: more than one are a module expression.
        module: Vec<Token>,
    },
    /// `show ... .`
    Show {
        /// What to show.
        what: ShowKind,
        /// The tokens of a name, number or other argument, where there is one.
        argument: Vec<Token>,
    },
    /// `set ... on .`, `set ... off .`
    Set {
        /// What to set.
        option: SetOption,
        /// `on` or `off`.
        on: bool,
    },
    /// `do clear memo M .`
    ClearMemo {
        /// The tokens of the module's name.
        module: Vec<Token>,
    },
    /// `trace select`, `break deselect`, `print conceal` ... with a list of names.
    Choose {
        /// Which list.
        list: ChoiceList,
        /// Whether the names are added to it.
        add: bool,
        /// The names.
        names: Vec<Token>,
    },
    /// `quit`.
    Quit,
    /// `eof`.
    Eof,
    /// A command of the language that is not carried out yet.
    Unsupported {
        /// Its words as people know it: `unify`, `get variants`.
        name: &'static str,
    },
}

/// The arrows of `search`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SearchArrow {
    /// `=>1`.
    One,
    /// `=>+`.
    Plus,
    /// `=>*`.
    Star,
    /// `=>!`.
    Final,
    /// `=>#`.
    Branching,
}

impl SearchArrow {
    /// The token.
    pub fn text(self) -> &'static str {
        match self {
            SearchArrow::One => "=>1",
            SearchArrow::Plus => "=>+",
            SearchArrow::Star => "=>*",
            SearchArrow::Final => "=>!",
            SearchArrow::Branching => "=>#",
        }
    }
}

/// The ways to read another file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoadMode {
    /// `in`: what is read is announced.
    In,
    /// `load`.
    Load,
    /// `sload`: only if it was not read before.
    Once,
}

/// The commands for the current directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DirectoryAction {
    /// `cd`.
    Change,
    /// `pushd`.
    Push,
    /// `popd`.
    Pop,
    /// `pwd`.
    Print,
}

/// What `show` can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShowKind {
    /// `show module`, `show mod`.
    Module,
    /// `show all`.
    All,
    /// `show desugared`.
    Desugared,
    /// `show view`.
    View,
    /// `show processed view`.
    ProcessedView,
    /// `show modules`.
    Modules,
    /// `show views`.
    Views,
    /// `show sorts`.
    Sorts,
    /// `show ops`.
    Operators,
    /// `show vars`.
    Variables,
    /// `show mbs`.
    Memberships,
    /// `show eqs`.
    Equations,
    /// `show rls`.
    Rules,
    /// `show strats`.
    Strategies,
    /// `show sds`.
    StrategyDefinitions,
    /// `show summary`.
    Summary,
    /// `show kinds`, `show components`.
    Kinds,
    /// `show path`.
    Path,
    /// `show path state`, `show path states`.
    PathStates,
    /// `show path labels`.
    PathLabels,
    /// `show search graph`.
    SearchGraph,
    /// `show frontier states`.
    FrontierStates,
    /// `show most general states`.
    MostGeneralStates,
    /// `show profile`.
    Profile,
}

/// What `set` can set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetOption {
    /// `set show X`, with the canonical words of X (`command`, `stats`, `loop timing` ...).
    Show(&'static str),
    /// `set print X`, with the canonical words of X (`mixfix`, `with parens` ...).
    Print(&'static str),
    /// `set trace X`, with the canonical word of X; empty for `set trace` itself.
    Trace(&'static str),
    /// `set break`.
    Break,
    /// `set profile`.
    Profile,
    /// `set verbose`.
    Verbose,
    /// `set compile count`.
    CompileCount,
    /// `set optimize`: our own, off is the mode that counts as the reference does.
    Optimize,
    /// `set clear X`, with the canonical words of X (`memo`, `rules`, `profile`, `module caches`).
    Clear(&'static str),
    /// `set protect M`, `set extend M`, `set include M`, `set generate-by M`.
    AutoImport(super::ast::ImportMode, Token),
    /// `set oo include M`.
    ObjectAutoImport(Token),
}

/// The lists of names that can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChoiceList {
    /// `trace select`, `trace deselect`.
    Trace,
    /// `trace exclude`, `trace include`.
    TraceExclude,
    /// `break select`, `break deselect`.
    Break,
    /// `print conceal`, `print reveal`.
    Conceal,
}
