//! The lexical forms of literals (`docs/semantics.md` 8.1, 8.7).

use dashu_int::UBig;

use super::tree::Number;

/// A natural number with a non-zero value, leading zeros allowed.
pub(super) fn is_positive(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit()) && text.bytes().any(|b| b != b'0')
}

/// `-` and a natural number with a non-zero value.
pub(super) fn is_negative(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(is_positive)
}

/// `n/d`: no leading zeros, the numerator perhaps negative, the denominator not 0.
pub(super) fn is_rational(text: &str) -> bool {
    let Some((numerator, denominator)) = text.split_once('/') else { return false };
    let plain = |t: &str| is_positive(t) && !t.starts_with('0');
    let magnitude = numerator.strip_prefix('-').unwrap_or(numerator);
    (numerator == "0" || plain(magnitude)) && plain(denominator)
}

/// The value of a token that is one of the three above.
pub(super) fn number(text: &str) -> Number {
    let (numerator, denominator) = match text.split_once('/') {
        Some((n, d)) => (n, Some(d)),
        None => (text, None),
    };
    let parse = |t: &str| UBig::from_str_radix(t, 10).unwrap_or_default();
    let magnitude = numerator.strip_prefix('-');
    Number {
        negative: magnitude.is_some(),
        value: parse(magnitude.unwrap_or(numerator)),
        denominator: denominator.map(parse),
    }
}

/// A floating-point number: digits with a point or an exponent, or an infinity.
pub(super) fn is_float(text: &str) -> bool {
    let body = text.strip_prefix(['+', '-']).unwrap_or(text);
    if body == "Infinity" {
        return true;
    }
    let (mantissa, exponent) = match body.split_once(['e', 'E']) {
        Some((m, e)) => (m, Some(e)),
        None => (body, None),
    };
    let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((w, f)) => (w, Some(f)),
        None => (mantissa, None),
    };
    let exponent_fits = exponent.is_none_or(|e| {
        let e = e.strip_prefix(['+', '-']).unwrap_or(e);
        !e.is_empty() && digits(e)
    });
    digits(whole)
        && digits(fraction.unwrap_or(""))
        && whole.len() + fraction.unwrap_or("").len() > 0
        && (fraction.is_some() || exponent.is_some())
        && exponent_fits
}

/// The value of a floating-point token; too large is infinite.
pub(super) fn float(text: &str) -> f64 {
    text.parse().unwrap_or(f64::INFINITY)
}

/// A string: the quotes at both ends and none unescaped between them.
pub(super) fn is_string(text: &str) -> bool {
    let Some(body) = text.strip_prefix('"') else { return false };
    let mut bytes = body.bytes();
    while let Some(b) = bytes.next() {
        match b {
            b'\\' if bytes.next().is_none() => return false,
            b'"' => return bytes.next().is_none(),
            _ => {}
        }
    }
    false
}

/// The bytes that a string token stands for.
pub(super) fn string(text: &str) -> Box<[u8]> {
    let body = text.as_bytes();
    let body = &body[1..body.len() - 1];
    let mut bytes = Vec::with_capacity(body.len());
    let mut at = 0;
    while at < body.len() {
        let b = body[at];
        at += 1;
        if b != b'\\' {
            bytes.push(b);
            continue;
        }
        let Some(&escaped) = body.get(at) else { break };
        at += 1;
        match escaped {
            b'a' => bytes.push(7),
            b'b' => bytes.push(8),
            b'f' => bytes.push(12),
            b'n' => bytes.push(b'\n'),
            b'r' => bytes.push(b'\r'),
            b't' => bytes.push(b'\t'),
            b'v' => bytes.push(11),
            b'\n' => {}
            b'0'..=b'7' => {
                let mut value = u32::from(escaped - b'0');
                for _ in 0..2 {
                    match body.get(at) {
                        Some(&d @ b'0'..=b'7') => value = value * 8 + u32::from(d - b'0'),
                        _ => break,
                    }
                    at += 1;
                }
                bytes.push((value % 256) as u8);
            }
            other => bytes.push(other),
        }
    }
    bytes.into()
}

/// A quoted identifier.
pub(super) fn is_qid(text: &str) -> bool {
    text.len() > 1 && text.starts_with('\'')
}

/// What a token denotes if it is a literal, the same for all spellings: a letter for the kind of
/// literal, then the value.
pub fn literal_value(text: &str) -> Option<String> {
    if is_positive(text) || is_negative(text) || text == "0" {
        let number = number(text);
        let sign = if number.negative { "-" } else { "" };
        return Some(format!("n{sign}{}", number.value));
    }
    if is_rational(text) {
        return Some(format!("n{text}"));
    }
    if is_float(text) {
        return Some(format!("f{:x}", float(text).to_bits()));
    }
    if is_string(text) {
        let bytes: Vec<String> = string(text).iter().map(|b| format!("{b:02x}")).collect();
        return Some(format!("s{}", bytes.concat()));
    }
    is_qid(text).then(|| format!("q{}", &text[1..]))
}

/// Base name and sort of a token that looks like a variable: at its last colon.
pub(super) fn split_variable(text: &str) -> Option<(&str, &str)> {
    match text.rfind(':') {
        Some(at) if at > 0 && !text.starts_with('\'') => Some((&text[..at], &text[at + 1..])),
        _ => None,
    }
}

/// Name and count of a token `f^n`.
pub(super) fn split_iterated(text: &str) -> Option<(&str, &str)> {
    let (name, count) = text.rsplit_once('^')?;
    (!name.is_empty() && is_positive(count) && !count.is_empty() && !count.starts_with('0'))
        .then_some((name, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_forms() {
        assert!(is_positive("007") && !is_positive("00") && !is_positive("0"));
        assert!(is_negative("-05") && !is_negative("-0") && !is_negative("+5"));
        for (text, fits) in [
            ("4/6", true),
            ("-4/6", true),
            ("0/5", true),
            ("06/4", false),
            ("-0/5", false),
            ("5/0", false),
        ] {
            assert_eq!(is_rational(text), fits, "{text}");
        }
        for text in ["1.", ".5", "1.e5", "1e05", "01.0", "+1.5", "-Infinity", "Infinity"] {
            assert!(is_float(text), "{text}");
            assert!(text.parse::<f64>().is_ok(), "{text}");
        }
        for text in ["5", ".", "e5", "1e", "1.5.2", "+", "", "1e5e5", "a.5"] {
            assert!(!is_float(text), "{text}");
        }
        assert_eq!(float("1e999"), f64::INFINITY);
    }

    #[test]
    fn strings_are_decoded() {
        assert!(is_string("\"a\\\"b\"") && !is_string("\"a\"b") && !is_string("\"a\\\""));
        assert_eq!(&*string("\"a\\n\\101\\x\\8\""), b"a\nAx8");
    }

    #[test]
    fn tokens_are_split_at_the_last_sign() {
        assert_eq!(split_variable("X:Y:A"), Some(("X:Y", "A")));
        assert_eq!(split_variable("'X:A"), None);
        assert_eq!(split_variable("a::A"), Some(("a:", "A")));
        assert_eq!(split_iterated("f^12"), Some(("f", "12")));
        assert_eq!(split_iterated("f^0"), None);
    }
}
