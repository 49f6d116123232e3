//! Characters that cannot be seen, or look like a blank and are none.

use std::fmt;

/// Such a character in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invisible {
    /// The character.
    pub letter: char,
    /// Where it stands in the word, in bytes.
    pub at: usize,
    /// Where it stands in the word, in characters from 1 on.
    pub column: usize,
}

impl fmt::Display for Invisible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "character {} of it is {}", self.column, self.description())
    }
}

impl Invisible {
    /// What the character is.
    pub fn description(&self) -> String {
        let number = u32::from(self.letter);
        match kind(self.letter) {
            Some(kind) => format!("U+{number:04X}, {kind}, not a blank"),
            None => format!("U+{number:04X}, not a blank"),
        }
    }
}

/// The first character of a word that cannot be seen, or looks like a blank and is none.
pub fn invisible_character(word: &str) -> Option<Invisible> {
    if word.is_ascii() {
        return None;
    }
    let (column, (at, letter)) =
        word.char_indices().enumerate().find(|&(_, (_, letter))| is_invisible(letter))?;
    Some(Invisible { letter, at, column: column + 1 })
}

fn is_invisible(letter: char) -> bool {
    let is_format = matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}');
    is_format || !letter.is_ascii() && letter.is_whitespace()
}

/// What kind of character it is.
fn kind(letter: char) -> Option<&'static str> {
    Some(match letter {
        '\u{a0}' => "a no-break space",
        '\u{202f}' => "a narrow no-break space",
        '\u{3000}' => "an ideographic space",
        '\u{ad}' => "a soft hyphen",
        '\u{200b}' => "a space without width",
        '\u{200c}' | '\u{200d}' | '\u{2060}' => "a joiner without width",
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' => "a mark of direction",
        '\u{feff}' => "a byte order mark",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_the_first_one_is_told() {
        let found = |word| invisible_character(word).map(|found| found.to_string());
        let no_break = "character 3 of it is U+00A0, a no-break space, not a blank";
        assert_eq!(found("r\u{e9}\u{a0}x\u{200b}").as_deref(), Some(no_break));
        assert_eq!(found("\u{2003}").as_deref(), Some("character 1 of it is U+2003, not a blank"));
        assert_eq!(found("r\u{e9}x"), None);
    }
}
