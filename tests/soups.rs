//! Rules that join several objects of a larger soup find what trying all pairs finds, in both modes:
//! random soups, on both sides of the sizes where soups are looked up by the values of their parts.

#[path = "common/random.rs"]
mod random;

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use random::Random;

const MODULE: &str = "\
mod SOUPS is
  protecting NAT .
  sorts Set Cell Cells Found .
  subsort Nat < Set .
  subsort Cell < Cells .
  op none : -> Set .
  op _;_ : Set Set -> Set [assoc comm id: none] .
  op c : Nat Nat Nat Set -> Cell .
  op end : -> Cells .
  op __ : Cells Cells -> Cells [assoc comm id: end] .
  op [_] : Cells -> Found .
  op hit : Nat Nat Nat Nat Nat -> Found .
  op free : Nat Nat Cells -> Bool .
  vars I J K L G H D : Nat .
  vars S T : Set .
  var REST : Cells .
  eq free(D, I, c(I, J, G, (D ; S)) REST) = false .
  eq free(D, I, REST) = true [owise] .
";

/// A cell: its place, a group, and a set of digits.
#[derive(Clone, PartialEq)]
struct Cell {
    i: usize,
    j: usize,
    g: usize,
    set: BTreeSet<usize>,
}

type Holds = fn(&Cell, &Cell, usize, &[Cell]) -> bool;

/// Conditions of a rule about `c(I, J, G, (D ; S)) c(K, L, H, (D ; T)) REST`, as the rule has them
/// and as a function of the two cells, the digit and the rest.
const CONDITIONS: [(&str, Holds); 9] = [
    ("I == K", |a, b, _, _| a.i == b.i),
    ("I == K or J == L or G == H", |a, b, _, _| a.i == b.i || a.j == b.j || a.g == b.g),
    ("I == K and J =/= L", |a, b, _, _| a.i == b.i && a.j != b.j),
    ("not (I == K) and (J == L or H == 2)", |a, b, _, _| a.i != b.i && (a.j == b.j || b.g == 2)),
    ("I =/= K and not (G == H or L == 1)", |a, b, _, _| a.i != b.i && !(a.g == b.g || b.j == 1)),
    ("I < K and J == L", |a, b, _, _| a.i < b.i && a.j == b.j),
    ("S == T", |a, b, _, _| a.set == b.set),
    ("free(D, I, REST)", |a, _, d, rest| !rest.iter().any(|c| c.i == a.i && c.set.contains(&d))),
    ("G == H /\\ free(D, K, REST)", |a, b, d, rest| {
        a.g == b.g && !rest.iter().any(|c| c.i == b.i && c.set.contains(&d))
    }),
];

fn soup(random: &mut Random, n: usize) -> Vec<Cell> {
    let wide = n.div_ceil(6) + 1;
    let mut cells: Vec<Cell> = Vec::new();
    while cells.len() < n {
        let (i, j) = (random.below(6), random.below(wide));
        if cells.iter().all(|c| (c.i, c.j) != (i, j)) {
            let set = (0..1 + random.below(3)).map(|_| random.below(12)).collect();
            cells.push(Cell { i, j, g: random.below(3), set });
        }
    }
    cells
}

fn text(soup: &[Cell]) -> String {
    let cell = |c: &Cell| {
        let set: Vec<String> = c.set.iter().map(ToString::to_string).collect();
        format!("c({}, {}, {}, ({}))", c.i, c.j, c.g, set.join(" ; "))
    };
    soup.iter().map(cell).collect::<Vec<_>>().join(" ")
}

/// What the rule finds in a soup.
fn expected(soup: &[Cell], holds: Holds) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (x, a) in soup.iter().enumerate() {
        for (y, b) in soup.iter().enumerate().filter(|&(y, _)| y != x) {
            let others = soup.iter().enumerate().filter(|&(z, _)| z != x && z != y);
            let rest: Vec<Cell> = others.map(|(_, c)| c.clone()).collect();
            for &d in a.set.intersection(&b.set).filter(|&&d| holds(a, b, d, &rest)) {
                found.insert(format!("hit({}, {}, {}, {}, {d})", a.i, a.j, b.i, b.j));
            }
        }
    }
    found
}

fn answers(mode: &[&str], file: &std::path::Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_broth"))
        .args(mode)
        .args(["-no-banner", "-no-wrap"])
        .arg(file)
        .stdin(Stdio::null())
        .output()
        .expect("broth runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("broth prints text")
}

#[test]
fn joins_find_what_trying_all_pairs_finds() {
    let mut random = Random::new(31);
    let mut program = MODULE.to_owned();
    for (i, (condition, _)) in CONDITIONS.iter().enumerate() {
        program += &format!(
            "  crl [r{i}] : [c(I, J, G, (D ; S)) c(K, L, H, (D ; T)) REST]\n    \
             => hit(I, J, K, L, D) if {condition} .\n"
        );
    }
    program += "endm\nset show timing off .\n";
    let mut wanted = Vec::new();
    for n in [3, 11, 12, 13, 40, 63, 64, 65, 81] {
        let soup = soup(&mut random, n);
        for (i, (_, holds)) in CONDITIONS.iter().enumerate() {
            program += &format!("srewrite [{}] using r{i} .\n", text(&soup));
            wanted.push((n, i, expected(&soup, *holds)));
        }
    }
    let name = format!("broth-soups-{}.maude", std::process::id());
    let file = std::env::temp_dir().join(name);
    std::fs::write(&file, program).expect("the folder for passing files can be written");
    let outputs = [&["--plain"][..], &[]].map(|mode| answers(mode, &file));
    std::fs::remove_file(&file).expect("the file was written");
    for (output, mode) in outputs.iter().zip(["--plain", "default"]) {
        let blocks: Vec<&str> = output.split("srewrite in SOUPS : ").skip(1).collect();
        assert_eq!(blocks.len(), wanted.len());
        for (block, (n, i, wanted)) in blocks.iter().zip(&wanted) {
            let found: BTreeSet<String> = block
                .lines()
                .filter_map(|line| line.strip_prefix("result Found: "))
                .map(str::to_owned)
                .collect();
            let condition = CONDITIONS[*i].0;
            assert_eq!(&found, wanted, "{mode}: {n} cells, {condition}");
        }
        assert!(wanted.iter().filter(|(.., wanted)| !wanted.is_empty()).count() > 50);
    }
    let results = |text: &str| -> Vec<String> {
        text.lines().filter(|l| l.starts_with("result ")).map(str::to_owned).collect()
    };
    assert_eq!(results(&outputs[0]), results(&outputs[1]), "both modes give the same order");
}
