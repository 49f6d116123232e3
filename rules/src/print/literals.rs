//! The text of literals (`docs/semantics.md` 9.5).

/// A floating-point number with up to 17 significant digits.
pub fn float_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    if value == 0.0 {
        return "0.0".to_owned();
    }
    let text = format!("{value:.16e}");
    let (mantissa, exponent) = text.split_once('e').expect("the format has an exponent");
    let (whole, fraction) = mantissa.split_once('.').expect("the format has a point");
    let fraction = fraction.trim_end_matches('0');
    let fraction = if fraction.is_empty() { "0" } else { fraction };
    match exponent.parse::<i32>().expect("an exponent is a number") {
        0 => format!("{whole}.{fraction}"),
        exponent => format!("{whole}.{fraction}e{exponent:+}"),
    }
}

/// A string as a literal: printable characters, escapes, and octal numbers.
pub fn string_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + 2);
    text.push('"');
    for &b in bytes {
        match b {
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            7 => text.push_str("\\a"),
            8 => text.push_str("\\b"),
            12 => text.push_str("\\f"),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            11 => text.push_str("\\v"),
            b' '..=b'~' => text.push(char::from(b)),
            _ => text.push_str(&format!("\\{b:03o}")),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_have_an_exponent_unless_it_is_zero() {
        for (value, text) in [
            (2.0, "2.0"),
            (1e5, "1.0e+5"),
            (123456789.125, "1.23456789125e+8"),
            (0.5, "5.0e-1"),
            (0.1, "1.0000000000000001e-1"),
            (-0.0, "0.0"),
            (f64::NEG_INFINITY, "-Infinity"),
            (-1.5, "-1.5"),
        ] {
            assert_eq!(float_text(value), text);
        }
    }

    #[test]
    fn strings_are_escaped() {
        assert_eq!(string_text(b"a\"\\\n\x01\xff"), "\"a\\\"\\\\\\n\\001\\377\"");
    }
}
