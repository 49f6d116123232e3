//! Random modules and terms against Maude 3.5.1; without it these tests are skipped, or fail where
//! it is required. `BROTH_ORACLE_ROUNDS` asks for more modules than the few of a normal run.

#[path = "../../../tests/common/maude.rs"]
mod maude;
#[path = "../../../tests/common/random.rs"]
mod random;

use std::fmt::Write as _;
use std::time::Duration;

use maude::Maude;
use random::Random;

use super::tests::{echo_first, read_all, show};
use super::*;
use crate::mixfix::testing::TestModule;

const MARK: &str = "NOMODULE";

/// What Maude prints, messages included, for each command.
fn answers(maude: &Maude, module: &str, commands: &[String]) -> Vec<Vec<String>> {
    let mut text = format!(
        "set include BOOL off .\nfmod M is\n{module}\nendfm\nset show command off .\nset show stats off .\nselect {MARK} .\n"
    );
    for command in commands {
        let _ = writeln!(text, "{command}\nselect {MARK} .");
    }
    let unique = format!("{}-{:?}", std::process::id(), std::thread::current().id());
    let path = std::env::temp_dir().join(format!("broth-{unique}.maude"));
    std::fs::write(&path, text).expect("a file for the test can be written");
    let minute = Duration::from_secs(60);
    let printed = maude::process::run(&maude.command, &path, true, minute, |_| true);
    let _ = std::fs::remove_file(&path);
    assert!(printed.ended, "Maude comes to an end");
    let mut blocks: Vec<Vec<String>> = vec![Vec::new()];
    for line in printed.stdout.lines() {
        if line.contains(MARK) {
            blocks.push(Vec::new());
        } else if let Some(block) = blocks.last_mut() {
            block.push(line.to_owned());
        }
    }
    // What comes before the first mark is about the module.
    assert_eq!(blocks.len(), commands.len() + 2, "each command is followed by a mark");
    blocks.remove(0);
    blocks.truncate(commands.len());
    blocks
}

fn rounds() -> u64 {
    std::env::var("BROTH_ORACLE_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(4)
}

/// An operator of a random module.
#[derive(Clone)]
struct Op {
    items: Vec<String>,
    name: String,
    args: Vec<char>,
    range: char,
    line: String,
}

/// A mixfix operator: `p` in the shape stands for a token, other characters for themselves.
fn operator(r: &mut Random, number: usize, shape: &str, kinds: &[char], assoc: bool) -> Op {
    let mut items = Vec::new();
    for (at, c) in shape.chars().enumerate() {
        items.push(match c {
            '_' => "_".to_owned(),
            'p' => format!("t{number}{}", ["x", "y", "z", "w", "v"][at]),
            c => c.to_string(),
        });
    }
    let n = items.iter().filter(|i| *i == "_").count();
    let mut kind = || kinds[r.below(kinds.len())];
    let range = kind();
    let args: Vec<char> = (0..n).map(|_| if assoc { range } else { kind() }).collect();
    let name = crate::syntax::joined_name(items.iter().map(String::as_str));
    let mut attributes = Vec::new();
    if assoc {
        attributes.push("assoc".to_owned());
    }
    if r.chance(70) {
        let prec = r.pick(&[
            "0", "1", "5", "10", "15", "20", "25", "30", "41", "41", "50", "60", "95", "96", "100",
            "127",
        ]);
        attributes.push(format!("prec {prec}"));
    }
    if r.chance(60) {
        let gather: Vec<&str> = (0..n).map(|_| *r.pick(&["e", "E", "&"])).collect();
        attributes.push(format!("gather ({})", gather.join(" ")));
    }
    let mut line = format!("op {name} : ");
    for kind in &args {
        let _ = write!(line, "{kind} ");
    }
    let _ = write!(line, "-> {range}");
    if !attributes.is_empty() {
        let _ = write!(line, " [{}]", attributes.join(" "));
    }
    Op { items, name, args, range, line: line + " ." }
}

/// A random term in prefix form.
fn prefix_term(r: &mut Random, ops: &[Op], kind: char, depth: usize) -> String {
    let fitting: Vec<&Op> = ops.iter().filter(|o| o.range == kind).collect();
    if depth == 0 || fitting.is_empty() || r.chance(15) {
        return format!("{}{}", kind.to_lowercase(), 1 + r.below(3));
    }
    let op = fitting[r.below(fitting.len())];
    let args: Vec<String> = op.args.iter().map(|&k| prefix_term(r, ops, k, depth - 1)).collect();
    format!("{}({})", op.name, args.join(", "))
}

fn module_text(sorts: &str, ops: &[Op]) -> String {
    let mut text = String::new();
    for sort in sorts.chars() {
        let low = sort.to_lowercase();
        let _ = writeln!(text, "sort {sort} .\nops {low}1 {low}2 {low}3 : -> {sort} .");
    }
    for op in ops {
        let _ = writeln!(text, "{}", op.line);
    }
    text
}

fn distinct_ops(
    r: &mut Random,
    n: usize,
    make: &mut dyn FnMut(&mut Random, usize) -> Op,
) -> Vec<Op> {
    let mut ops: Vec<Op> = Vec::new();
    while ops.len() < n {
        let op = make(r, ops.len());
        if !ops.iter().any(|o| o.name == op.name) {
            ops.push(op);
        }
    }
    ops
}

#[test]
fn parentheses_and_blanks_are_those_of_the_reference() {
    let Some(maude) = Maude::reference_or_skip() else { return };
    const SHAPES: [&str; 16] = [
        "p_", "_p", "_p_", "p_p", "_p_p", "p_p_", "_p_p_", "__", "p__", "__p", "___", "p_p_p",
        "_p__", "__p_", "_[_]p", "p_,_",
    ];
    for seed in 0..rounds() {
        let mut r = Random::stream(seed, "parentheses", 0);
        let ops = distinct_ops(&mut r, 8, &mut |r, at| {
            let assoc = r.chance(35);
            let shape = match assoc {
                true => r.pick(&["_p_", "_p_", "__", "p_p_", "_p_p", "p_p_p"]),
                false => r.pick(&SHAPES),
            };
            operator(r, at, shape, &['S', 'S', 'T'], assoc)
        });
        let text = module_text("ST", &ops);
        let terms: Vec<String> = (0..40)
            .map(|_| {
                let (kind, depth) = (if r.chance(60) { 'S' } else { 'T' }, 1 + r.below(4));
                prefix_term(&mut r, &ops, kind, depth)
            })
            .filter(|t| t.len() < 1500)
            .collect();
        let mut commands = Vec::new();
        for term in &terms {
            commands.push(format!("parse {term} ."));
            commands.push(format!("red {term} ."));
        }
        let blocks = answers(&maude, &text, &commands);
        let mut module = TestModule::new(&text);
        for (term, pair) in terms.iter().zip(blocks.chunks(2)) {
            let (id, _) = read_all(&mut module, term);
            let raw = show(&module, id, &PrintOptions::default());
            let normal = module.terms.normalise(&module.signature, id);
            let flat = show(&module, normal, &PrintOptions::default());
            for (ours, theirs) in [(raw, &pair[0]), (flat, &pair[1])] {
                let line = theirs.last().map_or("", String::as_str);
                let theirs = line.split_once(": ").map_or(line, |l| l.1);
                assert_eq!(ours, theirs, "seed {seed}: {term}\n{text}");
            }
        }
    }
}

#[test]
fn the_first_two_readings_are_those_of_the_reference() {
    let Some(maude) = Maude::reference_or_skip() else { return };
    const SHAPES: [&str; 12] =
        ["p_", "_p", "_p_", "_p_", "p_p_", "_p_p", "__", "p__", "p_p", "_p__", "_p_p_", "_[_]"];
    let (mut wrong, mut total) = (0, 0);
    for seed in 0..rounds() {
        let mut r = Random::stream(seed, "readings", 0);
        let ops = distinct_ops(&mut r, 5, &mut |r, at| {
            let shape = r.pick(&SHAPES);
            operator(r, at, shape, &['S'], false)
        });
        let text = module_text("S", &ops);
        let mut terms = Vec::new();
        while terms.len() < 30 {
            let depth = 2 + r.below(3);
            let words = token_string(&mut r, &ops, depth);
            if (3..12).contains(&words.len()) {
                terms.push(words.join(" "));
            }
        }
        let mut commands = vec!["set print with parens on .".to_owned()];
        commands.extend(terms.iter().map(|t| format!("parse {t} .")));
        let blocks = answers(&maude, &text, &commands);
        let mut module = TestModule::new(&text);
        let options = PrintOptions { with_parens: true, ..PrintOptions::default() };
        for (term, block) in terms.iter().zip(&blocks[1..]) {
            let theirs: Vec<&str> = block.iter().filter_map(|l| l.strip_prefix("S : ")).collect();
            let single: Vec<&str> = block.iter().filter_map(|l| l.strip_prefix("S: ")).collect();
            let theirs = if theirs.is_empty() { single } else { theirs };
            let ours = echo_first(&mut module, term, &options);
            let context = || format!("seed {seed}: {term}\n{text}{block:?}");
            assert_eq!(ours.len(), theirs.len(), "{}", context());
            total += 1;
            if ours.iter().zip(&theirs).any(|(ours, theirs)| ours != theirs) {
                if std::env::var_os("BROTH_ORACLE_ROUNDS").is_some() {
                    eprintln!("{}\n{ours:?}", context());
                }
                wrong += 1;
            }
        }
    }
    // The rule is known not to be exact.
    assert!(wrong * 20 <= total, "{wrong} of {total} are wrong");
}

fn token_string(r: &mut Random, ops: &[Op], depth: usize) -> Vec<String> {
    if depth == 0 || r.chance(20) {
        return vec![format!("s{}", 1 + r.below(3))];
    }
    let op = &ops[r.below(ops.len())];
    let mut words = Vec::new();
    for item in &op.items {
        match item.as_str() {
            "_" => words.extend(token_string(r, ops, depth - 1)),
            token => words.push(token.to_owned()),
        }
    }
    words
}

#[test]
fn sorts_in_terms_are_those_of_the_reference() {
    let Some(maude) = Maude::reference_or_skip() else { return };
    for seed in 0..rounds() {
        let mut r = Random::stream(seed, "sorts", 0);
        let mut lines: Vec<(String, Vec<char>, char)> = Vec::new();
        let mut add = |name: &str, args: Vec<char>, range: char| {
            let line = (name.to_owned(), args, range);
            if !lines.iter().any(|l| (&l.0, &l.1, l.2) == (&line.0, &line.1, line.2)) {
                lines.push(line);
            }
        };
        for kind in ['A', 'B', 'C'] {
            add(&format!("u{}", kind.to_lowercase()), Vec::new(), kind);
        }
        for name in ["c", "d", "e"] {
            for _ in 0..1 + r.below(3) {
                add(name, Vec::new(), ['A', 'B', 'C'][r.below(3)]);
            }
        }
        for name in ["f", "g", "h", "i"] {
            for _ in 0..1 + r.below(4) {
                let args = (0..1 + r.below(2)).map(|_| ['A', 'B', 'C'][r.below(3)]).collect();
                add(name, args, ['A', 'B', 'C'][r.below(3)]);
            }
        }
        let mut text = "sorts A B C .\n".to_owned();
        for (name, args, range) in &lines {
            let args: Vec<String> = args.iter().map(char::to_string).collect();
            let _ = writeln!(text, "op {name} : {} -> {range} .", args.join(" "));
        }
        let terms: Vec<String> = (0..40)
            .map(|_| {
                let (kind, depth) = (['A', 'B', 'C'][r.below(3)], 1 + r.below(3));
                sorted_term(&mut r, &lines, kind, depth)
            })
            .filter(|t| t.len() < 1500)
            .collect();
        let commands: Vec<String> = terms.iter().map(|t| format!("parse {t} .")).collect();
        let blocks = answers(&maude, &text, &commands);
        let mut module = TestModule::new(&text);
        for (term, block) in terms.iter().zip(&blocks) {
            let (id, _) = read_all(&mut module, term);
            let line = block.last().map_or("", String::as_str);
            let theirs = line.split_once(": ").map_or(line, |l| l.1);
            let ours = show(&module, id, &PrintOptions::default());
            assert_eq!(ours, theirs, "seed {seed}: {term}\n{text}");
        }
    }
}

/// A random term with the sort of every subterm.
fn sorted_term(
    r: &mut Random,
    lines: &[(String, Vec<char>, char)],
    kind: char,
    depth: usize,
) -> String {
    let fitting: Vec<_> =
        lines.iter().filter(|l| l.2 == kind && (depth > 0 || l.1.is_empty())).collect();
    let (name, args, _) = fitting[r.below(fitting.len())];
    let args: Vec<String> = args.iter().map(|&k| sorted_term(r, lines, k, depth - 1)).collect();
    match args.is_empty() {
        true => format!("({name}).{kind}"),
        false => format!("({name}({})).{kind}", args.join(", ")),
    }
}

#[test]
fn what_does_not_fit_is_what_the_reference_names() {
    let Some(maude) = Maude::reference_or_skip() else { return };
    const SHAPES: [&str; 10] =
        ["p_", "_p", "_p_", "p_p_", "_p_p", "__", "p__", "p_p", "_[_]", "p_,_p"];
    for seed in 0..rounds() {
        let mut r = Random::stream(seed, "misfits", 0);
        let ops = distinct_ops(&mut r, 5, &mut |r, at| {
            let shape = r.pick(&SHAPES);
            operator(r, at, shape, &['S', 'S', 'T'], false)
        });
        let text = module_text("ST", &ops);
        let mut terms = Vec::new();
        while terms.len() < 40 {
            let depth = 1 + r.below(3);
            let mut words = token_string(&mut r, &ops, depth);
            for _ in 0..1 + r.below(2) {
                let at = r.below(words.len());
                match r.below(3) {
                    0 if words.len() > 1 => drop(words.remove(at)),
                    1 => words.insert(at, ["(", ")", "t2", "s1", "zz", ","][r.below(6)].to_owned()),
                    _ => words.truncate(1 + at),
                }
            }
            let balanced = words.iter().try_fold(0i32, |depth, word| match word.as_str() {
                "(" => Some(depth + 1),
                ")" if depth == 0 => None,
                ")" => Some(depth - 1),
                _ => Some(depth),
            });
            if balanced == Some(0) && words.len() < 12 {
                terms.push(words.join(" "));
            }
        }
        let commands: Vec<String> = terms.iter().map(|t| format!("parse {t} .")).collect();
        let blocks = answers(&maude, &text, &commands);
        let mut module = TestModule::new(&text);
        for (term, block) in terms.iter().zip(&blocks) {
            let tokens = module.tokens(term);
            let ours = match module.grammar.term(None, &tokens, &mut module.names) {
                Ok(_) => "fits".to_owned(),
                Err(error) => match error.kind {
                    crate::mixfix::ParseErrorKind::BadToken => {
                        format!("bad {}", module.names.text(tokens[error.token].name))
                    }
                    crate::mixfix::ParseErrorKind::UnexpectedToken => format!("{}", error.token),
                    _ => "end".to_owned(),
                },
            };
            let find = |part: &str| block.iter().find(|line| line.contains(part));
            let theirs = if let Some(line) = find("bad token") {
                let name = line.rsplit("bad token ").next().unwrap_or("");
                format!("bad {}", plain(name.trim_end_matches('.')))
            } else if find("didn't expect token").is_some() {
                let line = find("<---*HERE*").expect("the place is shown");
                format!("{}", line.split_whitespace().count() - 2)
            } else if find("unexpected end of tokens").is_some() {
                "end".to_owned()
            } else {
                "fits".to_owned()
            };
            assert_eq!(ours, theirs, "seed {seed}: {term}\n{text}{block:?}");
        }
    }
}

/// Text without colours.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut in_escape = false;
    for c in text.chars() {
        match c {
            '\x1b' => in_escape = true,
            'm' if in_escape => in_escape = false,
            _ if in_escape => {}
            c => plain.push(c),
        }
    }
    plain
}
