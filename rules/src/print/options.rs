//! The settings `set print ...` that change how terms look.

/// How terms are printed; the default is the language's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrintOptions {
    /// Mixfix operators in mixfix form.
    pub mixfix: bool,
    /// Lists of associative operators without inner parentheses.
    pub flat: bool,
    /// `5` for `s_^5(0)`.
    pub number: bool,
    /// `1/2` for `1 / 2`.
    pub rat: bool,
    /// `format` attributes are followed.
    pub format: bool,
    /// `X` for `X:S` where the module has this alias.
    pub with_aliases: bool,
    /// Parentheses around every mixfix term with arguments.
    pub with_parens: bool,
    /// `(a).S` for every constant.
    pub constants_with_sorts: bool,
    /// Labels of statements as attributes.
    pub label_attribute: bool,
    /// Colours of `format` attributes.
    pub color: bool,
}

impl Default for PrintOptions {
    fn default() -> PrintOptions {
        PrintOptions {
            mixfix: true,
            flat: true,
            number: true,
            rat: true,
            format: true,
            with_aliases: true,
            with_parens: false,
            constants_with_sorts: false,
            label_attribute: false,
            color: false,
        }
    }
}
