//! `docs/semantics.md` says what is true: every example in it is run in both modes, and in Maude
//! where it is installed, and every section that a comment cites is there.
//!
//! An example is a block marked `maude`, then what is printed for it: one block marked `output`, or
//! two, marked `output plain` and `output default`, where the modes count differently
//! (`docs/semantics.md` 3.8).

#[path = "common/maude.rs"]
mod maude;

use std::collections::HashSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use maude::Maude;

/// A program of the document, and what it prints.
struct Example {
    /// The line of the document where the program begins.
    line: usize,
    program: String,
    plain: String,
    default: String,
}

/// A block between fences: its line, the words behind the first fence, and what is in it.
struct Block {
    line: usize,
    mark: String,
    text: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn document() -> String {
    fs::read_to_string(root().join("docs/semantics.md")).expect("the document can be read")
}

fn blocks(document: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in document.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(mark), None) => {
                open = Some(Block { line: number + 1, mark: mark.to_owned(), text: String::new() });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => {
                let _ = writeln!(block.text, "{line}");
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block of the document is not closed");
    blocks
}

fn examples() -> Vec<Example> {
    let mut blocks = blocks(&document()).into_iter().peekable();
    let mut examples = Vec::new();
    while let Some(block) = blocks.next() {
        assert_eq!(block.mark, "maude", "line {}: no program before this block", block.line);
        let mut outputs = Vec::new();
        while let Some(output) = blocks.next_if(|block| block.mark != "maude") {
            outputs.push(output);
        }
        let marks: Vec<&str> = outputs.iter().map(|output| output.mark.as_str()).collect();
        let known = marks == ["output"] || marks == ["output plain", "output default"];
        assert!(known, "line {}: the program has the blocks {marks:?}", block.line);
        let text = |number: usize| outputs[number].text.trim().to_owned();
        examples.push(Example {
            line: block.line,
            program: block.text,
            plain: text(0),
            default: text(outputs.len() - 1),
        });
    }
    assert!(examples.len() > 30, "only {} examples were found", examples.len());
    examples
}

/// Runs all examples by a command line, and compares what is printed with what `expected` takes
/// from each.
fn check(who: &str, command: &[String], expected: fn(&Example) -> &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("semantics-{who}"));
    fs::create_dir_all(&folder).expect("a folder for the programs can be made");
    let mut wrong = String::new();
    for example in examples() {
        let file = folder.join(format!("line{}.maude", example.line));
        fs::write(&file, &example.program).expect("the program can be written");
        let printed = maude::normalise(&maude::process::outputs(command, &file)[0]);
        let (printed, expected) = (printed.trim(), expected(&example));
        if printed != expected {
            let _ = writeln!(
                wrong,
                "docs/semantics.md:{}: {who} prints\n{printed}\n-- and not\n{expected}\n",
                example.line
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn broth(options: &[&str]) -> Vec<String> {
    let fixed = [env!("CARGO_BIN_EXE_broth"), "--no-wrap", "--no-banner"];
    fixed.iter().chain(options).map(|&word| word.to_owned()).collect()
}

#[test]
fn examples_print_what_they_say_in_plain_mode() {
    check("plain", &broth(&["--plain"]), |example| &example.plain);
}

#[test]
fn examples_print_what_they_say_by_default() {
    check("default", &broth(&[]), |example| &example.default);
}

#[test]
fn examples_print_the_same_in_maude() {
    let Some(maude) = Maude::reference_or_skip() else { return };
    println!("compared with {}", maude.name);
    check("maude", &maude.command, |example| &example.plain);
}

/// The numbers at the beginning of a text, such as `4.2, 4.3 and 5 to 7`, with the words between.
fn numbers(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        let skipped = rest.trim_start_matches(|c: char| c.is_whitespace() || "/!,".contains(c));
        let skipped = ["and ", "to "]
            .iter()
            .find_map(|word| skipped.strip_prefix(word))
            .unwrap_or(skipped)
            .trim_start_matches(|c: char| c.is_whitespace() || "/!".contains(c));
        let end = skipped.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(skipped.len());
        let number = skipped[..end].trim_end_matches('.');
        if number.is_empty() {
            return found;
        }
        found.push(number);
        rest = &skipped[number.len()..];
    }
}

/// The sections of the document: chapters, and the numbers at the beginnings of lines, where
/// `13.8 to 13.13` stands for all between.
fn sections(document: &str) -> HashSet<String> {
    let mut sections = HashSet::new();
    for line in document.lines() {
        let line = line.trim_start_matches(['#', ' ']);
        let numbers = numbers(line);
        sections.extend(numbers.iter().map(|&number| number.to_owned()));
        if let [first, last, ..] = numbers[..]
            && line[first.len()..].starts_with(" to ")
            && let (Some((chapter, first)), Some((_, last))) =
                (first.split_once('.'), last.split_once('.'))
            && let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>())
        {
            sections.extend((first..=last).map(|number| format!("{chapter}.{number}")));
        }
    }
    sections
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the repository can be read") {
        let path = entry.expect("an entry of a folder can be read").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs" || ending == "maude") {
            found.push(path);
        }
    }
}

#[test]
fn sections_that_comments_cite_exist() {
    let sections = sections(&document());
    let mut files = Vec::new();
    for folder in ["engine", "rules", "sudoku-rules", "src", "tests"] {
        sources(&root().join(folder), &mut files);
    }
    let (mut cited, mut missing) = (0, Vec::new());
    for file in files {
        let text = fs::read_to_string(&file).expect("a source can be read");
        for (at, mark) in text.match_indices("semantics.md`") {
            let after = &text[at + mark.len()..];
            for number in numbers(after) {
                cited += 1;
                if !sections.contains(number) {
                    missing.push(format!("{}: {number}", file.display()));
                }
            }
        }
    }
    assert!(cited > 0, "no comment cites the document");
    assert!(missing.is_empty(), "sections that are not there: {missing:#?}");
}
