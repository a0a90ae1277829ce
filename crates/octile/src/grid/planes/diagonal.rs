//! The planes of the diagonals: each diagonal line of cells is stored as the bits of a few words.

use super::straight::{AHEAD, BACK, Flip, Straight};
use super::{bits_between, transposed};
use crate::grid::area::Area;

/// 64 cells of a diagonal line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Word {
    /// The move between this position and the next is illegal.
    wall: u64,
    /// Cells from which a straight scan ends at a jump point, along the row and along the column. The scans are those
    /// that turn by an eighth from a walk towards larger positions, and from one towards smaller positions.
    reach: [[u64; 2]; 2],
}

const NOTHING: Word = Word { wall: u64::MAX, reach: [[0; 2]; 2] };

/// The lines from the upper left to the lower right.
pub(super) const FALLING: usize = 0;
/// The lines from the lower left to the upper right.
pub(super) const RISING: usize = 1;

/// The diagonal lines of both directions. A cell's position on its line is its padded `x` or `y`, on the shorter axis,
/// so the planes are never much larger than the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Diagonal {
    /// The words of all lines at the first 64 positions, then those at the next 64, and so on: the cells of one row or
    /// column are then adjacent, as edits need.
    words: [Vec<Word>; 2],
    lines: usize,
    /// The lower left corner is on line 0 of the falling lines.
    columns: usize,
    along_x: bool,
}

impl Diagonal {
    pub(super) fn build(rows: &Straight, columns: &Straight) -> Self {
        let (height, width) = (rows.lines, columns.lines);
        let (along_x, lines) = (width <= height, width + height - 1);
        let (along, across) = if along_x { (rows, columns) } else { (columns, rows) };
        let word_columns = along.words_per_line;
        let words = [(); 2].map(|()| vec![NOTHING; word_columns * lines]);
        let mut planes = Self { words, lines, columns: width, along_x };
        let across = [AHEAD, BACK].map(|dir| transposed(across, along, |word| word.reach[dir]));
        let mut column = vec![0; along.lines];
        for word in 0..word_columns {
            let at = |line: usize| line * word_columns + word;
            for family in [FALLING, RISING] {
                // A block of two by two cells has a diagonal move in each direction; on a rising line it begins on the
                // block's second line.
                let lag = usize::from(family == RISING);
                for (line, bits) in column.iter_mut().enumerate() {
                    *bits = if line < lag || line - lag + 1 >= along.lines {
                        u64::MAX
                    } else {
                        walls(along, line - lag, word)
                    };
                }
                planes.shear(family, word, &column, u64::MAX, |word| &mut word.wall);
                for walk in [AHEAD, BACK] {
                    // On a rising line, a walk ahead along one axis goes back along the other.
                    let dir_across = if family == FALLING { walk } else { 1 - walk };
                    let (own, other) = if along_x { (0, 1) } else { (1, 0) };
                    for (line, bits) in column.iter_mut().enumerate() {
                        *bits = along.words[at(line)].reach[walk];
                    }
                    planes.shear(family, word, &column, 0, |word| &mut word.reach[walk][own]);
                    for (line, bits) in column.iter_mut().enumerate() {
                        *bits = across[dir_across][at(line)];
                    }
                    planes.shear(family, word, &column, 0, |word| &mut word.reach[walk][other]);
                }
            }
        }
        planes
    }

    /// Moves the bits of a column of words, one word per line of cells, to the diagonal lines they lie on.
    ///
    /// A diagonal takes bit 0 of one line, bit 1 of the next (or of the one before, if it rises), and so on. Six rounds
    /// do that for all diagonals: round `n` moves the bits whose index has bit `n` by `2^n` lines.
    fn shear(
        &mut self,
        family: usize,
        word: usize,
        column: &[u64],
        fill: u64,
        mut field: impl FnMut(&mut Word) -> &mut u64,
    ) {
        const REACH: usize = 63;
        let len = column.len() + 2 * REACH;
        let (mut lines, mut moved) = (vec![fill; len], vec![fill; len]);
        lines[REACH..REACH + column.len()].copy_from_slice(column);
        for round in 0..6 {
            let step = 1 << round;
            let stay = u64::MAX / ((1 << step) + 1);
            let (stayed, taken, out) = if family == FALLING {
                (&lines[..len - step], &lines[step..], &mut moved[..len - step])
            } else {
                (&lines[step..], &lines[..len - step], &mut moved[step..])
            };
            for ((out, stayed), taken) in out.iter_mut().zip(stayed).zip(taken) {
                *out = stayed & stay | taken & !stay;
            }
            std::mem::swap(&mut lines, &mut moved);
        }
        let first = (word * 64) as isize;
        // The diagonal of bit 0 of the first line, and the change per line.
        let (line, step) = match (family, self.along_x) {
            (FALLING, true) => (self.columns as isize - 1 - first - REACH as isize, 1),
            (FALLING, false) => (self.columns as isize - 1 + first + REACH as isize, -1),
            _ => (first - REACH as isize, 1),
        };
        let words = &mut self.words[family][word * self.lines..][..self.lines];
        for (at, &bits) in lines.iter().enumerate() {
            let line = line + at as isize * step;
            if let Ok(line) = usize::try_from(line)
                && let Some(word) = words.get_mut(line)
            {
                *field(word) = bits;
            }
        }
    }

    /// The index of a cell's word and its bit there.
    #[inline]
    fn place(&self, family: usize, x: usize, y: usize) -> (usize, usize) {
        let line = if family == FALLING { y + self.columns - 1 - x } else { x + y };
        let position = if self.along_x { x } else { y };
        (position / 64 * self.lines + line, position % 64)
    }

    /// Flips whether a straight scan from some cells of a row or column ends at a jump point.
    pub(super) fn flip(&mut self, is_row: bool, Flip { line, word, dir, bits }: Flip) {
        let axis = usize::from(!is_row);
        // Along the axis of positions, a walk goes in the direction of the scan. Along the other axis it does so on
        // falling lines.
        let is_along = is_row == self.along_x;
        let walks = if is_along { [dir, dir] } else { [dir, 1 - dir] };
        let first = word * 64;
        let (x, y) = if is_row { (first, line) } else { (line, first) };
        for family in [FALLING, RISING] {
            let (at, bit) = self.place(family, x, y);
            let back = is_row && family == FALLING;
            let cells = Cells { at, bit, back, is_along };
            cells.each(&mut self.words[family], bits, |word, bit| word.reach[walks[family]][axis] ^= bit);
        }
    }

    /// Recomputes which diagonal moves are legal, among those that begin, end, or pass by in an area.
    pub(super) fn follow(&mut self, rows: &Straight, columns: &Straight, area: Area) {
        let (along, area) = if self.along_x { (rows, area) } else { (columns, area.transposed()) };
        for line in area.top - 1..=area.bottom {
            for word in (area.left - 1) / 64..=area.right / 64 {
                let (walls, bits) = (walls(along, line, word), bits_between(word, area.left - 1, area.right));
                for family in [FALLING, RISING] {
                    // The end of the move with the smaller position: on the second line of its block, if it rises.
                    let (position, line) = (word * 64, line + usize::from(family == RISING));
                    let (x, y) = if self.along_x { (position, line) } else { (line, position) };
                    let (at, bit) = self.place(family, x, y);
                    let cells = Cells { at, bit, back: self.along_x && family == FALLING, is_along: true };
                    cells.each(&mut self.words[family], bits, |word, bit| word.wall = word.wall & !bit | walls & bit);
                }
            }
        }
    }

    /// Whether a walk in a diagonal direction goes towards larger positions.
    #[inline]
    const fn walks_ahead<const EAST: bool, const SOUTH: bool>(&self) -> bool {
        if self.along_x { EAST } else { SOUTH }
    }

    /// Walks from a cell along a diagonal until it is blocked. Calls `found` at each cell from which a scan along the
    /// row or the column ends at a jump point, with the number of steps and which of the two scans do.
    #[inline]
    pub(super) fn walk<const EAST: bool, const SOUTH: bool>(
        &self,
        x: usize,
        y: usize,
        mut found: impl FnMut(u32, bool, bool),
    ) {
        let family = if EAST == SOUTH { FALLING } else { RISING };
        let (mut at, bit) = self.place(family, x, y);
        let words = &self.words[family][..];
        // Steps from the cell to bit 0 of the word (ahead), or from the cell to bit 63 (back).
        let mut steps = 0_i32;
        if self.walks_ahead::<EAST, SOUTH>() {
            steps -= bit as i32;
            let mut unseen = u64::MAX << bit;
            // The start cell is skipped: its scans are the caller's.
            let mut wanted = unseen & !(1 << bit);
            loop {
                let word = &words[at];
                let walls = word.wall & unseen;
                // All positions up to and including the first wall; all positions if there is none.
                let walked = walls ^ walls.wrapping_sub(1);
                let [rows, columns] = word.reach[AHEAD];
                let mut hits = (rows | columns) & walked & wanted;
                while hits != 0 {
                    let i = hits.trailing_zeros();
                    hits &= hits - 1;
                    found((steps + i as i32) as u32, rows >> i & 1 == 1, columns >> i & 1 == 1);
                }
                if walls != 0 {
                    return;
                }
                (unseen, wanted) = (u64::MAX, u64::MAX);
                at += self.lines;
                steps += 64;
            }
        } else {
            steps -= 63 - bit as i32;
            let mut unseen = (1 << bit) - 1;
            loop {
                let word = &words[at];
                let walls = word.wall & unseen;
                let walked = if walls == 0 { u64::MAX } else { !1 << walls.ilog2() };
                let [rows, columns] = word.reach[BACK];
                let mut hits = (rows | columns) & walked & unseen;
                while hits != 0 {
                    let i = hits.leading_zeros();
                    hits &= !(1 << 63 >> i);
                    found((steps + i as i32) as u32, rows << i >> 63 == 1, columns << i >> 63 == 1);
                }
                if walls != 0 {
                    return;
                }
                unseen = u64::MAX;
                at -= self.lines;
                steps += 64;
            }
        }
    }

    /// The number of legal steps along a diagonal.
    pub(super) fn steps(&self, x: usize, y: usize, east: bool, south: bool) -> u32 {
        let family = if east == south { FALLING } else { RISING };
        let (mut at, bit) = self.place(family, x, y);
        let words = &self.words[family];
        if if self.along_x { east } else { south } {
            let mut walls = words[at].wall >> bit;
            let mut seen = 0;
            while walls == 0 {
                seen = if seen == 0 { 64 - bit as u32 } else { seen + 64 };
                at += self.lines;
                walls = words[at].wall;
            }
            seen + walls.trailing_zeros()
        } else {
            let mut walls = words[at].wall & ((1 << bit) - 1);
            let mut seen = 0;
            while walls == 0 {
                seen += 64;
                at -= self.lines;
                walls = words[at].wall;
            }
            seen + walls.leading_zeros() + bit as u32 - 64
        }
    }

    /// Whether `steps` steps along a diagonal are legal.
    #[inline]
    pub(super) fn is_free(&self, x: usize, y: usize, east: bool, south: bool, steps: usize) -> bool {
        let family = if east == south { FALLING } else { RISING };
        let (mut at, bit) = self.place(family, x, y);
        let ahead = if self.along_x { east } else { south };
        // The moves are stored at positions counted from the smaller end.
        let mut first = bit;
        if !ahead {
            let down = steps.saturating_sub(bit).div_ceil(64);
            at -= down * self.lines;
            first = bit + down * 64 - steps;
        }
        let mut left = steps;
        let words = &self.words[family];
        while left > 0 {
            let here = left.min(64 - first);
            let mask = u64::MAX >> (64 - here) << first;
            if words[at].wall & mask != 0 {
                return false;
            }
            left -= here;
            at += self.lines;
            first = 0;
        }
        true
    }

    pub(super) fn size_bytes(&self) -> usize {
        self.words.iter().map(|words| size_of_val(&words[..])).sum()
    }
}

/// 64 cells of a row or column, which lie on adjacent diagonals.
struct Cells {
    /// The word and bit of the first cell.
    at: usize,
    bit: usize,
    /// Whether the diagonal of the next cell is one before, not one after.
    back: bool,
    /// Whether the next cell has the next bit, not the same one.
    is_along: bool,
}

impl Cells {
    /// Calls `change` for each of the cells given by `bits`, with its word and its bit.
    fn each(&self, words: &mut [Word], mut bits: u64, change: impl Fn(&mut Word, u64)) {
        while bits != 0 {
            let first = bits.trailing_zeros() as usize;
            let len = (bits >> first).trailing_ones() as usize;
            bits &= u64::MAX.checked_shl((first + len) as u32).unwrap_or(0);
            // Starts with the word that comes first.
            let (at, first, turn) =
                if self.back { (self.at + 1 - first - len, first + len - 1, 63) } else { (self.at + first, first, 1) };
            let (first, turn) = if self.is_along { (first, turn) } else { (0, 0) };
            let mut bit = 1 << (self.bit + first);
            for word in &mut words[at..at + len] {
                change(word, bit);
                bit = bit.rotate_left(turn);
            }
        }
    }
}

/// The blocks of two by two cells that are not free, among those that begin on a line at the positions of a word.
fn walls(along: &Straight, line: usize, word: usize) -> u64 {
    let pairs = |line: usize| {
        let at = line * along.words_per_line + word;
        let free = along.words[at].free;
        // The last bit of the last word is padding or beyond it, so the bits after it make no difference.
        let behind = along.words.get(at + 1).map_or(0, |word| word.free);
        free & (free >> 1 | behind << 63)
    };
    !(pairs(line) & pairs(line + 1))
}
