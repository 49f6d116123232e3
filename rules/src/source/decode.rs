//! From bytes to text.
//!
//! A text is UTF-8. Old programs have comments and names in Latin-1, so a byte that is not UTF-8 is
//! taken for its letter there, and the rest is read as it is. What is mostly no text is refused.

use std::borrow::Cow;

/// How much of the bytes is looked at to tell whether they are a text.
const BEGINNING: usize = 4096;

/// The mark that some editors put in front of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// A text that was bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The text, without a byte order mark.
    pub text: Cow<'a, str>,
    /// The bytes in it that are not UTF-8.
    pub foreign: Option<Foreign>,
}

/// Bytes that are not UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// The first of them.
    pub byte: u8,
    /// Where its letter stands in the text, in bytes.
    pub at: usize,
    /// How many follow.
    pub n_more: usize,
}

/// Why bytes are no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoText {
    /// It is UTF-16.
    Utf16,
    /// It is anything, with a byte that no text has.
    Binary {
        /// The first zero, or else the first byte that is a control or not UTF-8.
        byte: u8,
        /// Where it stands, in bytes.
        at: usize,
    },
}

/// Reads bytes as a text.
pub fn decode(bytes: &[u8]) -> Result<Decoded<'_>, NoText> {
    if let Some(why) = refused(bytes) {
        return Err(why);
    }
    let bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(Decoded { text: text.into(), foreign: None });
    }
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    let mut foreign: Option<Foreign> = None;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for &byte in chunk.invalid() {
            match &mut foreign {
                Some(foreign) => foreign.n_more += 1,
                None => foreign = Some(Foreign { byte, at: text.len(), n_more: 0 }),
            }
            text.push(char::from(byte));
        }
    }
    Ok(Decoded { text: text.into(), foreign })
}

/// Whether bytes are mostly no text: controls, and what is not UTF-8.
fn refused(bytes: &[u8]) -> Option<NoText> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Some(NoText::Utf16);
    }
    let beginning = &bytes[..bytes.len().min(BEGINNING)];
    let (mut n_strange, mut first, mut start) = (0, None, 0);
    for chunk in beginning.utf8_chunks() {
        let valid = chunk.valid();
        let is_strange = |c: char| c.is_control() && !c.is_whitespace();
        n_strange += valid.chars().filter(|&c| is_strange(c)).count() + chunk.invalid().len();
        first = first.or_else(|| valid.find(is_strange).map(|at| start + at));
        start += valid.len();
        first = first.or((!chunk.invalid().is_empty()).then_some(start));
        start += chunk.invalid().len();
    }
    let at = beginning.iter().position(|&byte| byte == 0).or(first)?;
    let is_binary = n_strange > 3 + beginning.len() * 3 / 10;
    is_binary.then(|| NoText::Binary { byte: beginning[at], at })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_utf8_are_latin1() {
        let decoded = decode(b"*** \xc3\xa9 \xe9t\xe9\nred 1 .\n").expect("it is a text");
        assert_eq!(decoded.text, "*** \u{e9} \u{e9}t\u{e9}\nred 1 .\n");
        assert_eq!(decoded.foreign, Some(Foreign { byte: 0xe9, at: 7, n_more: 1 }));
    }

    #[test]
    fn a_mark_and_a_stray_zero_are_no_reason_to_refuse_a_text() {
        let decoded = decode(b"\xef\xbb\xbfred \0 1 .\n").expect("it is a text");
        assert_eq!((decoded.text.as_ref(), decoded.foreign), ("red \0 1 .\n", None));
        assert_eq!(decode(b"\xff").map(|decoded| decoded.text.into_owned()), Ok("\u{ff}".into()));
    }

    #[test]
    fn programs_and_pictures_are_refused() {
        assert_eq!(
            decode(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0"),
            Err(NoText::Binary { byte: 0, at: 7 })
        );
        assert_eq!(decode(b"a\x01\xff\xff\xff\xff"), Err(NoText::Binary { byte: 1, at: 1 }));
        assert_eq!(decode(b"\xff\xfer\0e\0d\0 \x001\0 \0.\0"), Err(NoText::Utf16));
        let noise: Vec<u8> =
            (0..10_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 9) as u8).collect();
        assert_eq!(decode(&noise), Err(NoText::Binary { byte: 0, at: 0 }));
    }
}
