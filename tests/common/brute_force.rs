//! Sudokus filled by trying every digit in the cell with the fewest left: what the rules are checked
//! against.

/// The digits that stand in the row, column and box of each cell, as bits.
struct Board {
    cells: [u8; 81],
    rows: [u16; 9],
    columns: [u16; 9],
    boxes: [u16; 9],
}

impl Board {
    fn free(&self, cell: usize) -> u16 {
        let (r, c) = (cell / 9, cell % 9);
        !(self.rows[r] | self.columns[c] | self.boxes[r / 3 * 3 + c / 3]) & 0x1ff
    }

    fn turn(&mut self, cell: usize, digit: usize) {
        let (r, c, bit) = (cell / 9, cell % 9, 1 << digit);
        self.rows[r] ^= bit;
        self.columns[c] ^= bit;
        self.boxes[r / 3 * 3 + c / 3] ^= bit;
    }

    fn fill(&mut self, found: &mut Vec<String>, most: usize) {
        let open = (0..81).filter(|&cell| self.cells[cell] == 0);
        let Some(cell) = open.min_by_key(|&cell| self.free(cell).count_ones()) else {
            found.push(self.cells.iter().map(|d| char::from(b'0' + d)).collect());
            return;
        };
        let free = self.free(cell);
        for digit in (0..9).filter(|digit| free & 1 << digit != 0) {
            if found.len() < most {
                self.cells[cell] = digit as u8 + 1;
                self.turn(cell, digit);
                self.fill(found, most);
                self.turn(cell, digit);
                self.cells[cell] = 0;
            }
        }
    }
}

/// The solutions of a board of 81 characters, `most` of them at most.
pub fn solutions(text: &str, most: usize) -> Vec<String> {
    let mut board = Board { cells: [0; 81], rows: [0; 9], columns: [0; 9], boxes: [0; 9] };
    for (cell, c) in text.chars().enumerate() {
        if let Some(digit) = c.to_digit(10).filter(|&digit| digit > 0) {
            let digit = digit as usize - 1;
            if board.free(cell) & 1 << digit == 0 {
                return Vec::new();
            }
            board.cells[cell] = digit as u8 + 1;
            board.turn(cell, digit);
        }
    }
    let mut found = Vec::new();
    board.fill(&mut found, most);
    found
}
