//! The interner of names, and the numbering of names in reading order.
//!
//! A [`Name`] is an index, made whenever some text is needed as a name, and says nothing about
//! order. The *number* of a name decides the order of variables: it is given to the tokens of what
//! the user reads, in reading order, and to nothing else, so that it depends on the session's
//! input alone. A name without a number comes after all that have one, by spelling.

use std::cmp::Ordering;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// An interned text: a token, or a name made of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Name(pub u32);

/// The names that count as read before anything else, in this order.
const FIRST_NAMES: &str = "BOOL Bool e E A B C NAT Nat s INT Int RAT Rat I J N M K Z Q R d X Y \
    String Char QID Elt LIST List E' L A' L' SET Set r S S' P MAP Entry Map D R' Sort Type Term V \
    U Attr H IL SS T O ME n LS RS TS SV UV TL T1 T2 VS F Oid Cid Msg";

/// All names of a session.
#[derive(Clone, Debug)]
pub struct Names {
    texts: IndexSet<Box<str>, FxBuildHasher>,
    /// The number of each name plus one; 0 where it has none.
    numbers: Vec<u32>,
    next_number: u32,
}

impl Default for Names {
    fn default() -> Names {
        Names::new()
    }
}

impl Names {
    /// The names that are known at the start.
    pub fn new() -> Names {
        let mut names = Names { texts: IndexSet::default(), numbers: Vec::new(), next_number: 0 };
        for text in FIRST_NAMES.split_whitespace() {
            let name = names.intern(text);
            names.number_name(name);
        }
        names
    }

    /// The name with this text.
    pub fn intern(&mut self, text: &str) -> Name {
        if let Some(index) = self.texts.get_index_of(text) {
            return Name(index as u32);
        }
        let (index, _) = self.texts.insert_full(text.into());
        self.numbers.push(0);
        Name(u32::try_from(index).expect("the names of a session fit in 32 bits"))
    }

    /// The name with this text, if there is one already.
    pub fn find(&self, text: &str) -> Option<Name> {
        self.texts.get_index_of(text).map(|index| Name(index as u32))
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        self.texts.get_index(name.0 as usize).expect("names are never removed")
    }

    /// Gives the base name `X` of a variable token `X:S` its number, if the token looks like one.
    pub fn number_variable_base(&mut self, token: Name) {
        let text = self.text(token);
        if let Some(at) = text.rfind(':')
            && at > 0
            && at + 1 < text.len()
            && !text.starts_with('\'')
        {
            let base = text[..at].to_owned();
            let base = self.intern(&base);
            self.number_name(base);
        }
    }

    /// Gives a name its number, as reading a token with this text does. A name that has one keeps
    /// it.
    pub fn number_name(&mut self, name: Name) {
        let number = &mut self.numbers[name.0 as usize];
        if *number == 0 {
            self.next_number += 1;
            *number = self.next_number;
        }
    }

    /// The place of a name in reading order, if it has been read.
    pub fn number(&self, name: Name) -> Option<u32> {
        self.numbers[name.0 as usize].checked_sub(1)
    }

    /// The reading order of two names.
    pub fn compare(&self, left: Name, right: Name) -> Ordering {
        match (self.number(left), self.number(right)) {
            (Some(left), Some(right)) => left.cmp(&right),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => self.text(left).cmp(self.text(right)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_reading_order_not_interning_order() {
        let mut names = Names::new();
        let late = names.intern("zeta");
        let early = names.intern("alpha");
        let never = names.intern("aaa");
        names.number_name(early);
        names.number_name(late);
        assert_eq!(names.compare(early, late), Ordering::Less);
        assert_eq!(names.compare(late, never), Ordering::Less);
        let bool_name = names.intern("BOOL");
        assert_eq!(names.number(bool_name), Some(0));
    }

    #[test]
    fn a_variable_token_numbers_its_base_name() {
        let mut names = Names::new();
        let token = names.intern("Foo:Sort");
        names.number_variable_base(token);
        assert_eq!(names.number(token), None);
        let base = names.find("Foo").expect("the base name is interned");
        assert!(names.number(base).is_some());
    }
}
