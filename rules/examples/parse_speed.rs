//! How long the term grammar takes for large inputs, and for the module's grammar itself:
//! `cargo run --release -p broth-rules --example parse_speed`.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use broth_rules::mixfix::{
    Description, Grammar, KindIndex, Literals, Nesting, NumberSyntax, OperatorDescription,
    OperatorIndex, PolymorphDescription, SortDescription, Syntax, default_gather,
    default_precedence, name_items,
};
use broth_rules::syntax::{FileId, Names, Span, Token, joined_name};

/// Name, argument kinds, range, precedence if not the default, attributes.
type Line = (&'static str, &'static [u32], u32, Option<u8>, &'static str);

const BOOL: u32 = 0;
const NAT: u32 = 1;
const OID: u32 = 2;
const SOUP: u32 = 3;
const ATTRIBUTES: u32 = 4;

const OPERATORS: &[Line] = &[
    ("true", &[], BOOL, None, ""),
    ("false", &[], BOOL, None, ""),
    ("_and_", &[BOOL, BOOL], BOOL, Some(55), "assoc"),
    ("_or_", &[BOOL, BOOL], BOOL, Some(59), "assoc"),
    ("_xor_", &[BOOL, BOOL], BOOL, Some(57), "assoc"),
    ("not_", &[BOOL], BOOL, Some(53), ""),
    ("_implies_", &[BOOL, BOOL], BOOL, Some(61), ""),
    ("0", &[], NAT, None, ""),
    ("s_", &[NAT], NAT, Some(15), "iter"),
    ("_+_", &[NAT, NAT], NAT, Some(33), "assoc"),
    ("sd", &[NAT, NAT], NAT, None, ""),
    ("_*_", &[NAT, NAT], NAT, Some(31), "assoc"),
    ("_quo_", &[NAT, NAT], NAT, Some(31), ""),
    ("_rem_", &[NAT, NAT], NAT, Some(31), ""),
    ("_^_", &[NAT, NAT], NAT, Some(29), ""),
    ("gcd", &[NAT, NAT], NAT, None, "assoc"),
    ("_&_", &[NAT, NAT], NAT, Some(53), "assoc"),
    ("_|_", &[NAT, NAT], NAT, Some(57), "assoc"),
    ("_>>_", &[NAT, NAT], NAT, Some(35), ""),
    ("_<<_", &[NAT, NAT], NAT, Some(35), ""),
    ("_<_", &[NAT, NAT], BOOL, Some(37), ""),
    ("_<=_", &[NAT, NAT], BOOL, Some(37), ""),
    ("_>_", &[NAT, NAT], BOOL, Some(37), ""),
    ("_>=_", &[NAT, NAT], BOOL, Some(37), ""),
    ("_divides_", &[NAT, NAT], BOOL, Some(51), ""),
    ("id", &[NAT, NAT], OID, None, ""),
    ("__", &[NAT, NAT], NAT, Some(25), "assoc"),
    ("a", &[], SOUP, None, ""),
    ("b", &[], SOUP, None, ""),
    ("f", &[SOUP], SOUP, None, ""),
    ("-_", &[SOUP], SOUP, None, ""),
    ("__", &[SOUP, SOUP], SOUP, None, "assoc"),
    ("cell", &[], OID, None, ""),
    ("<_:_|_>", &[OID, OID, ATTRIBUTES], SOUP, None, ""),
    ("grd`:_", &[NAT], ATTRIBUTES, Some(15), ""),
    ("pss`:_", &[NAT], ATTRIBUTES, Some(15), ""),
    ("_`,_", &[ATTRIBUTES, ATTRIBUTES], ATTRIBUTES, None, "assoc"),
    ("none", &[], ATTRIBUTES, None, ""),
];

fn syntax(
    name: &str,
    n_args: usize,
    prec: Option<u8>,
    attributes: &str,
    names: &mut Names,
) -> Syntax {
    let parts = [name];
    let joined = if name.contains('`') { name.to_owned() } else { joined_name(parts) };
    let items = name_items(&joined, names);
    let prec = prec.unwrap_or_else(|| default_precedence(&items, n_args));
    let assoc = attributes == "assoc";
    let nesting = Nesting { first: !assoc, last: false };
    Syntax {
        name: names.intern(&joined),
        gather: default_gather(&items, n_args, prec, assoc, nesting),
        items,
        prec,
        assoc,
        iter: attributes == "iter",
        format: None,
    }
}

fn description(names: &mut Names) -> Description {
    let sorts = ["Bool", "Nat", "Oid", "Soup", "AttributeSet"];
    let sorts = sorts.iter().enumerate().map(|(kind, name)| SortDescription {
        name: names.intern(name),
        kind: KindIndex(kind as u32),
    });
    let mut description =
        Description { n_kinds: 5, sorts: sorts.collect(), ..Description::default() };
    for &(name, args, range, prec, attributes) in OPERATORS {
        description.operators.push(OperatorDescription {
            syntax: syntax(name, args.len(), prec, attributes, names),
            args: args.iter().map(|&k| KindIndex(k)).collect(),
            range: KindIndex(range),
        });
    }
    let same = [None, None];
    for name in ["_==_", "_=/=_"] {
        let syntax = syntax(name, 2, Some(51), "", names);
        let range = Some(KindIndex(BOOL));
        description.polymorphs.push(PolymorphDescription { syntax, args: same.to_vec(), range });
    }
    description.polymorphs.push(PolymorphDescription {
        syntax: syntax("if_then_else_fi", 3, Some(0), "", names),
        args: vec![Some(KindIndex(BOOL)), None, None],
        range: None,
    });
    let numbers = NumberSyntax {
        zero: OperatorIndex(7),
        succ: OperatorIndex(8),
        minus: None,
        division: None,
    };
    description.literals = Literals { numbers: vec![numbers], ..Literals::default() };
    description.truth = Some(KindIndex(BOOL));
    description.sort_tests = true;
    description
}

fn tokens(text: &str, names: &mut Names) -> Vec<Token> {
    let token = |word: &str| Token {
        name: names.intern(word),
        span: Span { file: FileId(0), start: 0, end: 0 },
    };
    text.split_whitespace().map(token).collect()
}

/// The largest resident size so far, in megabytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM"));
    let kilobytes = line.and_then(|l| l.split_whitespace().nth(1)).and_then(|n| n.parse().ok());
    kilobytes.unwrap_or(0u64) / 1024
}

fn main() {
    let mut names = Names::new();
    let description = Arc::new(description(&mut names));
    let start = Instant::now();
    let mut grammar = Grammar::new(description, &mut names);
    println!("{:<40}{:>9.1} ms", "the grammar", start.elapsed().as_secs_f64() * 1e3);
    let n = 100_000;
    let mut soup = String::new();
    for at in 0..10_000 {
        let (row, column) = (at / 100, at % 100);
        let _ = write!(soup, "< id ( {row} , {column} ) : cell | pss : {} > ", at % 9);
    }
    let inputs = [
        ("100,000 elements of __", "a b ".repeat(n / 2)),
        ("100,000 elements of _+_", format!("{} 1", "1 + ".repeat(n))),
        ("100,000 numbers side by side", "7 8 ".repeat(n / 2)),
        ("10,000 objects", soup),
        ("100,000 parentheses", format!("{} a {}", "( ".repeat(n), " )".repeat(n))),
        ("100,000 prefix operators", format!("{} a", "- ".repeat(n))),
        ("100,000 applications", format!("{} a {}", "f ( ".repeat(n), " )".repeat(n))),
        ("100,000 arguments", format!("gcd ( {} 1 )", "1 , ".repeat(n))),
        ("100,000 comparisons", format!("{} true", "1 < 2 and ".repeat(n))),
    ];
    for (what, text) in inputs {
        let tokens = tokens(&text, &mut names);
        let start = Instant::now();
        let result = grammar.term(None, &tokens, &mut names);
        let time = start.elapsed().as_secs_f64() * 1e3;
        let outcome = match &result {
            Ok(reading) if reading.other.is_some() => "ambiguous".to_owned(),
            Ok(reading) => format!("{} nodes", reading.tree.nodes(reading.value).len()),
            Err(error) => format!("{:?} {}", error.kind, error.token),
        };
        println!("{what:<40}{time:>9.1} ms  {} tokens, {outcome}, {} MB", tokens.len(), peak());
    }
}
