//! Reads the arrows between the modules of a crate and holds them against a table of levels.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::source::{Word, words};

/// The sources of a crate.
pub struct Crate {
    files: Vec<File>,
    /// What the root gives on from its modules: the item, and the path to it.
    root: BTreeMap<String, Vec<String>>,
}

struct File {
    path: String,
    /// The module that it holds, from the root.
    module: Vec<String>,
    words: Vec<Word>,
}

impl Crate {
    /// Reads all sources below a folder.
    pub fn read(folder: &Path) -> Crate {
        let mut texts = Vec::new();
        collect(folder, "", &mut texts);
        texts.sort();
        let texts: Vec<(&str, &str)> =
            texts.iter().map(|(p, t)| (p.as_str(), t.as_str())).collect();
        Crate::from_texts(&texts)
    }

    /// A crate from paths and texts.
    pub fn from_texts(texts: &[(&str, &str)]) -> Crate {
        let (mut files, mut tests) = (Vec::new(), Vec::new());
        for (path, text) in texts {
            let module = module_of(path);
            let (words, declared) = words(text);
            tests.extend(declared.into_iter().map(|name| [module.as_slice(), &[name]].concat()));
            files.push(File { path: (*path).to_owned(), module, words });
        }
        files.retain(|file| !tests.iter().any(|test| file.module.starts_with(test)));
        let mut root = BTreeMap::new();
        for file in files.iter().filter(|file| file.module.is_empty()) {
            for place in (0..file.words.len()).filter(|&at| file.words[at].text == "use") {
                let mut paths = Vec::new();
                tree(&file.words, place + 1, &[], &mut paths);
                for (path, _) in paths.into_iter().filter(|(path, _)| path.len() > 1) {
                    root.insert(path[path.len() - 1].clone(), path);
                }
            }
        }
        Crate { files, root }
    }
}

fn collect(folder: &Path, prefix: &str, texts: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("the folder of a crate").flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), texts);
        } else if name.ends_with(".rs") {
            texts.push((name, std::fs::read_to_string(entry.path()).expect("a source file")));
        }
    }
}

fn module_of(path: &str) -> Vec<String> {
    let mut module: Vec<String> =
        path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    let root = module.len() == 1 && (module[0] == "lib" || module[0] == "main");
    if root || module.last().is_some_and(|last| last == "mod") {
        module.pop();
    }
    module
}

/// What is wrong in a crate, a line each: modules without a level, arrows that lead upward or
/// sideward, and `impl` blocks away from their types.
pub fn check(sources: &Crate, table: &[&[&str]]) -> Vec<String> {
    let levels: BTreeMap<&str, usize> = (table.iter().enumerate())
        .flat_map(|(level, modules)| modules.iter().map(move |&module| (module, level)))
        .collect();
    // The longest beginning of a path that the table names.
    let place = |path: &[String]| {
        (1..=path.len()).rev().find_map(|length| {
            levels.get_key_value(path[..length].join("::").as_str()).map(|(&name, &at)| (name, at))
        })
    };
    let mut found = Vec::new();
    let (mut met, mut types) = (BTreeSet::new(), BTreeMap::<&str, BTreeSet<&str>>::new());
    for file in sources.files.iter().filter(|file| !file.module.is_empty()) {
        let Some((module, _)) = place(&file.module) else {
            found.push(format!(
                "{}: the module {} has no level",
                file.path,
                file.module.join("::")
            ));
            continue;
        };
        met.insert(module);
        for pair in file.words.windows(2) {
            if matches!(pair[0].text.as_str(), "struct" | "enum" | "union") {
                types.entry(pair[1].text.as_str()).or_default().insert(module);
            }
        }
    }
    let gone = levels.keys().filter(|module| !met.contains(*module));
    found.extend(gone.map(|module| format!("the module {module} is not there")));
    for file in &sources.files {
        let Some((from, level)) = place(&file.module) else { continue };
        for (path, line) in paths(file) {
            let given_on = path.first().and_then(|name| sources.root.get(name));
            let Some((to, above)) = place(&path).or_else(|| place(given_on?)) else { continue };
            if above > level {
                let text = format!("{}:{line}: {from} -> {to} (`crate::{to}`)", file.path);
                if !found.contains(&text) {
                    found.push(text);
                }
            }
        }
        for (name, line) in blocks(&file.words) {
            let homes = types.get(name).into_iter().flatten();
            let homes: Vec<&str> = homes.copied().collect();
            if !homes.is_empty() && !homes.iter().any(|home| levels[home] == level) {
                let homes = homes.join(", ");
                let path = &file.path;
                found.push(format!(
                    "{path}:{line}: `impl {name}` stands in {from}, its type in {homes}"
                ));
            }
        }
    }
    found
}

/// The paths of a file to things of its crate, from the root, each with its line.
fn paths(file: &File) -> Vec<(Vec<String>, usize)> {
    let mut found = Vec::new();
    let mut module = file.module.clone();
    // For each open brace, whether it is that of a module.
    let mut braces = Vec::new();
    let text = |at: usize| file.words.get(at).map_or("", |word| word.text.as_str());
    for at in 0..file.words.len() {
        match text(at) {
            "{" => {
                let inner = at >= 2 && text(at - 2) == "mod";
                if inner {
                    module.push(text(at - 1).to_owned());
                }
                braces.push(inner);
            }
            "}" if braces.pop() == Some(true) => {
                module.pop();
            }
            _ => {}
        }
        // `pub(in crate::x)` names whoever may look, `a::self` is the end of a longer path.
        let begins = text(at + 1) == "::" && (at == 0 || !matches!(text(at - 1), "::" | "in"));
        let steps_up = text(at) == "super";
        if !begins || !(steps_up || matches!(text(at), "crate" | "self")) {
            continue;
        }
        let mut base = if text(at) == "crate" { Vec::new() } else { module.clone() };
        let mut next = at;
        while text(next) == "super" && text(next + 1) == "::" {
            base.pop();
            next += 2;
        }
        if !steps_up {
            next += 2;
        }
        tree(&file.words, next, &base, &mut found);
    }
    found
}

/// Reads the rest of a path, or a group of them, and gives the place after it.
fn tree(
    words: &[Word],
    mut at: usize,
    base: &[String],
    found: &mut Vec<(Vec<String>, usize)>,
) -> usize {
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let mut path = base.to_vec();
    let line = words.get(at).map_or(0, |word| word.line);
    loop {
        match text(at) {
            "{" => {
                at += 1;
                while !matches!(text(at), "}" | "") {
                    at = tree(words, at, &path, found);
                    while !matches!(text(at), "," | "}" | "") {
                        at += 1;
                    }
                    if text(at) == "," {
                        at += 1;
                    }
                }
                return at + 1;
            }
            "self" | "*" => {}
            word if word.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
                path.push(word.to_owned());
            }
            _ => break,
        }
        at += 1;
        if text(at) != "::" {
            break;
        }
        at += 1;
    }
    found.push((path, line));
    at
}

/// The types that have an `impl` block without a trait here, with the lines.
fn blocks(words: &[Word]) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    for at in (0..words.len()).filter(|&at| words[at].text == "impl") {
        let before = at.checked_sub(1).map_or("}", |at| words[at].text.as_str());
        // Anywhere else it is a type: `impl Trait`.
        if !matches!(before, "}" | ";" | "]" | "{" | "unsafe") {
            continue;
        }
        let (mut depth, mut last, mut trait_block) = (0_usize, None, false);
        for (place, word) in words.iter().enumerate().skip(at + 1) {
            let arrow = words[place - 1].text == "-";
            match word.text.as_str() {
                "<" => depth += 1,
                ">" if !arrow => depth = depth.saturating_sub(1),
                "{" | "where" if depth == 0 => break,
                "for" if depth == 0 => trait_block = true,
                name if depth == 0 && name.starts_with(char::is_alphabetic) => {
                    last = Some((name, word.line));
                }
                _ => {}
            }
        }
        found.extend(last.filter(|_| !trait_block));
    }
    found
}
