//! What the checker of levels sees of a source file: words with their lines, without comments,
//! literals and test code.

/// A word or a sign, with its line.
#[derive(Clone, Debug)]
pub struct Word {
    /// The identifier, `::`, or a single character.
    pub text: String,
    /// Its line, from 1.
    pub line: usize,
}

/// The words of a file without its test code, and the files of tests that it declares.
pub fn words(text: &str) -> (Vec<Word>, Vec<String>) {
    without_tests(&split(text))
}

fn split(text: &str) -> Vec<Word> {
    let chars: Vec<char> = text.chars().collect();
    let at = |place: usize| chars.get(place).copied().unwrap_or('\0');
    let (mut words, mut place, mut line) = (Vec::new(), 0, 1);
    while place < chars.len() {
        let start = place;
        let first = at(place);
        if first == '/' && at(place + 1) == '/' {
            while place < chars.len() && at(place) != '\n' {
                place += 1;
            }
        } else if first == '/' && at(place + 1) == '*' {
            place = end_of_comment(&chars, place);
        } else if first == '"' {
            place = end_of_string(&chars, place);
        } else if let Some(end) = end_of_raw_string(&chars, place) {
            place = end;
        } else if first == '\'' {
            // A lifetime has no second quote.
            place += match (at(place + 1), at(place + 2)) {
                ('\\', _) => {
                    let close = (place + 3..chars.len()).find(|&end| at(end) == '\'');
                    close.map_or(1, |end| end + 1 - place)
                }
                (_, '\'') => 3,
                _ => 1,
            };
        } else if first.is_alphanumeric() || first == '_' {
            while at(place).is_alphanumeric() || at(place) == '_' {
                place += 1;
            }
            words.push(Word { text: chars[start..place].iter().collect(), line });
        } else {
            let length = if first == ':' && at(place + 1) == ':' { 2 } else { 1 };
            place += length;
            if !first.is_whitespace() {
                words.push(Word { text: chars[start..place].iter().collect(), line });
            }
        }
        line += chars[start..place.min(chars.len())].iter().filter(|&&c| c == '\n').count();
    }
    words
}

fn end_of_comment(chars: &[char], start: usize) -> usize {
    let (mut place, mut depth) = (start, 0);
    while place < chars.len() {
        match (chars[place], chars.get(place + 1)) {
            ('/', Some('*')) => (depth, place) = (depth + 1, place + 2),
            ('*', Some('/')) => (depth, place) = (depth - 1, place + 2),
            _ => place += 1,
        }
        if depth == 0 {
            break;
        }
    }
    place
}

fn end_of_string(chars: &[char], start: usize) -> usize {
    let mut place = start + 1;
    while place < chars.len() && chars[place] != '"' {
        place += if chars[place] == '\\' { 2 } else { 1 };
    }
    (place + 1).min(chars.len())
}

fn end_of_raw_string(chars: &[char], start: usize) -> Option<usize> {
    let mut place = start;
    if chars.get(place) == Some(&'b') {
        place += 1;
    }
    if chars.get(place) != Some(&'r') {
        return None;
    }
    place += 1;
    let hashes = chars[place..].iter().take_while(|&&c| c == '#').count();
    place += hashes;
    if chars.get(place) != Some(&'"') {
        return None;
    }
    let close: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
    let found = chars[place + 1..].windows(close.len()).position(|window| window == close);
    Some(found.map_or(chars.len(), |found| place + 1 + found + close.len()))
}

/// Leaves out each item under `#[cfg(test)]`: up to its semicolon or the end of its braces.
fn without_tests(all: &[Word]) -> (Vec<Word>, Vec<String>) {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let (mut words, mut files, mut place) = (Vec::new(), Vec::new(), 0);
    while place < all.len() {
        let marked = MARK
            .iter()
            .enumerate()
            .all(|(i, mark)| all.get(place + i).is_some_and(|word| word.text == *mark));
        if !marked {
            words.push(all[place].clone());
            place += 1;
            continue;
        }
        place += MARK.len();
        let start = place;
        let mut depth = 0;
        while place < all.len() {
            match all[place].text.as_str() {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth -= 1,
                _ => {}
            }
            place += 1;
            let last = all[place - 1].text.as_str();
            if depth == 0 && (last == ";" || last == "}") {
                break;
            }
        }
        let item = &all[start..place];
        if item.last().is_some_and(|word| word.text == ";")
            && let Some(module) = item.iter().position(|word| word.text == "mod")
            && let Some(name) = item.get(module + 1)
        {
            files.push(name.text.clone());
        }
    }
    (words, files)
}
