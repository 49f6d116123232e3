//! What the tests of this crate share: where the sample data lies, and a solver that knows nothing
//! of rules. It exists to contradict the rules if they are wrong.

use std::path::PathBuf;

/// A folder of the sample data, if it is there; else the reason why the test is skipped is printed.
pub fn data(folder: &str) -> Option<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let found =
        root.ancestors().map(|dir| dir.join("shared/data").join(folder)).find(|d| d.is_dir());
    if found.is_none() {
        eprintln!("skipped: the sample data (shared/data/{folder}) is not on this machine");
    }
    found
}

/// Solutions of a board by trying, at most `limit` of them, as lines of 81 digits. The cell with the
/// fewest candidates is tried first.
pub fn brute_force(digits: &[u8], limit: usize) -> Vec<String> {
    let mut cells: Vec<u8> = digits.to_vec();
    let mut found = Vec::new();
    let consistent = (0..81).all(|cell| {
        cells[cell] == 0 || {
            let digit = std::mem::take(&mut cells[cell]);
            let fits = candidates(&cells, cell).contains(&digit);
            cells[cell] = digit;
            fits
        }
    });
    if consistent {
        fill(&mut cells, limit, &mut found);
    }
    found
}

fn fill(cells: &mut [u8], limit: usize, found: &mut Vec<String>) {
    let open = (0..81).filter(|&cell| cells[cell] == 0);
    let Some((cell, choice)) =
        open.map(|cell| (cell, candidates(cells, cell))).min_by_key(|(_, choice)| choice.len())
    else {
        found.push(cells.iter().map(|digit| char::from(b'0' + digit)).collect());
        return;
    };
    for digit in choice {
        if found.len() >= limit {
            return;
        }
        cells[cell] = digit;
        fill(cells, limit, found);
        cells[cell] = 0;
    }
}

fn candidates(cells: &[u8], cell: usize) -> Vec<u8> {
    let (row, column) = (cell / 9, cell % 9);
    (1..=9)
        .filter(|&digit| {
            (0..9).all(|at| {
                let in_box = (row / 3 * 3 + at / 3) * 9 + column / 3 * 3 + at % 3;
                [row * 9 + at, at * 9 + column, in_box].iter().all(|&seen| cells[seen] != digit)
            })
        })
        .collect()
}
