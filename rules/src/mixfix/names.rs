//! Names of operators cut into items, and the defaults of precedence and gather
//! (`docs/semantics.md` 8.3).

use super::description::Item;
use crate::syntax::{Gather, NameItem, Names};

/// Cuts a whole name (one token, with backquotes) into tokens and places.
pub fn name_items(name: &str, names: &mut Names) -> Vec<Item> {
    let item = |item| match item {
        NameItem::Place => Item::Place,
        NameItem::Token(text) => Item::Token(names.intern(&text)),
    };
    crate::syntax::name_items(name).into_iter().map(item).collect()
}

/// The precedence of an operator that declares none.
pub fn default_precedence(items: &[Item], n_args: usize) -> u8 {
    let n_places = items.iter().filter(|i| **i == Item::Place).count();
    let open = items.first() == Some(&Item::Place) || items.last() == Some(&Item::Place);
    match (n_places == n_args && open, n_args) {
        (false, _) => 0,
        (true, 1) => 15,
        (true, _) => 41,
    }
}

/// How the ranges of an operator's declarations relate to its outer arguments, over all pairs of
/// declarations: whether some range is at or below some sort of the first (last) argument. Both are
/// false unless first argument, last argument and range lie in one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Nesting {
    /// Some range fits the first place.
    pub first: bool,
    /// Some range fits the last place.
    pub last: bool,
}

/// The bounds of the places of an operator that declares none; `prec` is explicit or the default.
pub fn default_gather(
    items: &[Item],
    n_args: usize,
    prec: u8,
    assoc: bool,
    nesting: Nesting,
) -> Vec<Gather> {
    let mut gather = Vec::new();
    for (at, item) in items.iter().enumerate() {
        if *item == Item::Place {
            let before = at.checked_sub(1).map(|b| items[b]);
            let enclosed = |i: Option<Item>| matches!(i, Some(Item::Token(_)));
            let any = enclosed(before) && enclosed(items.get(at + 1).copied());
            gather.push(if any { Gather::Any } else { Gather::AsTight });
        }
    }
    if gather.len() != n_args || n_args == 0 {
        return vec![Gather::Any; n_args];
    }
    let both_open = items.first() == Some(&Item::Place) && items.last() == Some(&Item::Place);
    if both_open && prec > 0 && n_args > 1 {
        if assoc || (nesting.last && !nesting.first) {
            gather[0] = Gather::Tighter;
        } else if nesting.first && !nesting.last {
            gather[n_args - 1] = Gather::Tighter;
        }
    }
    gather
}

/// The largest precedence that a place admits.
pub fn bound(gather: Gather, prec: u8) -> u8 {
    match gather {
        Gather::Tighter => prec.saturating_sub(1),
        Gather::AsTight => prec,
        Gather::Any => super::ANY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str) -> Vec<String> {
        let mut names = Names::new();
        let items = name_items(name, &mut names);
        let show = |i: &Item| match i {
            Item::Token(t) => names.text(*t).to_owned(),
            Item::Place => "_".to_owned(),
        };
        items.iter().map(show).collect()
    }

    #[test]
    fn names_are_cut_at_places_and_special_characters() {
        assert_eq!(text("if_then_else_fi").join(" "), "if _ then _ else _ fi");
        assert_eq!(text("_`,_").join(" "), "_ , _");
        assert_eq!(text("_,_").join(" "), "_ , _");
        assert_eq!(text("a`b").join(" "), "a b");
        assert_eq!(text("hello_`[_`]world").join(" "), "hello _ [ _ ] world");
        assert_eq!(text("__").join(" "), "_ _");
    }

    #[test]
    fn defaults_follow_the_shape() {
        let mut names = Names::new();
        let mut defaults = |name: &str, n: usize, assoc: bool, nesting: Nesting| {
            let items = name_items(name, &mut names);
            let prec = default_precedence(&items, n);
            (prec, default_gather(&items, n, prec, assoc, nesting))
        };
        use Gather::{Any, AsTight, Tighter};
        let none = Nesting::default();
        let right = Nesting { first: false, last: true };
        assert_eq!(defaults("_+_", 2, true, none), (41, vec![Tighter, AsTight]));
        assert_eq!(defaults("_+_", 2, false, none), (41, vec![AsTight, AsTight]));
        assert_eq!(defaults("_+_", 2, false, right), (41, vec![Tighter, AsTight]));
        assert_eq!(defaults("_!", 1, false, none), (15, vec![AsTight]));
        assert_eq!(defaults("{_}", 1, false, none), (0, vec![Any]));
        assert_eq!(defaults("_`[_`]", 2, false, none), (41, vec![AsTight, Any]));
        assert_eq!(defaults("f", 2, false, none), (0, vec![Any, Any]));
    }
}
