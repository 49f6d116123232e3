//! Which known word somebody may have meant.

/// The longest words that are compared.
const LONGEST: usize = 40;

/// The known word that is most like this one, if one is much like it.
pub fn most_similar<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let known = known.into_iter().map(|candidate| (candidate, candidate));
    most_similar_of(word, known)
}

/// What belongs to the known word that is most like this one, the first of equals, if one is much
/// like it.
pub fn most_similar_of<'a, T>(
    word: &str,
    known: impl IntoIterator<Item = (&'a str, T)>,
) -> Option<T> {
    let length = word.chars().count();
    let allowed = match length {
        3..=5 => 1,
        6..=LONGEST => 2,
        _ => return None,
    };
    let near = |candidate: &str| candidate.chars().take(LONGEST + 3).count() <= length + allowed;
    let found = known.into_iter().filter(|(candidate, _)| near(candidate));
    let found = found.map(|(candidate, what)| (distance(word, candidate), what));
    let best = found.filter(|(distance, _)| *distance <= allowed).min_by_key(|found| found.0);
    best.map(|(_, what)| what)
}

/// The number of letters to insert, remove, change or exchange with their neighbour to make one
/// word of the other.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (row, &letter) in left.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, &other) in right.iter().enumerate() {
            let change = last[column] + usize::from(letter != other);
            let mut least = change.min(last[column + 1] + 1).min(next[column] + 1);
            let exchanged =
                row > 0 && column > 0 && letter == right[column - 1] && left[row - 1] == other;
            if exchanged {
                least = least.min(before[column - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut last, next);
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_slips_are_seen_through() {
        let known = ["reduce", "rewrite", "red", "comm", "assoc"];
        assert_eq!(most_similar("redcue", known), Some("reduce"));
        assert_eq!(most_similar("coom", known), Some("comm"));
        assert_eq!(most_similar("assco", known), Some("assoc"));
        assert_eq!(most_similar("nothing", known), None);
        assert_eq!(most_similar("x", known), None);
        assert_eq!(most_similar_of("celll", [("call", 1), ("cell", 2)]), Some(2));
    }
}
