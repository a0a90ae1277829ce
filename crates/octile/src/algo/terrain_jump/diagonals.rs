//! Where diagonal walks stop and what their side scans find: the cells of all diagonal lines, 64 per word.

use crate::planner::size_bytes;

/// 64 cells of a diagonal line, for walks in one direction.
///
/// A walk passes cells that are neither stopped nor live. At a cell that is stopped and live, it ends and moves may
/// follow. At a cell that is only stopped, it ends. At a cell that is only live, it ends after its side scans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Word {
    stop: u64,
    live: u64,
    /// The cells from which a scan along the row reaches a live stop, and those from which one along the column does.
    sides: [u64; 2],
    /// The cells with a blocked cell among the three around them on the side of the row, and of the column.
    walls: [u64; 2],
}

/// The index of the side along the row.
pub(super) const ROW: usize = 0;
/// The index of the side along the column.
pub(super) const COLUMN: usize = 1;

/// What a walk does at a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walk {
    /// Scans to the sides and goes on.
    On,
    /// Scans to the sides and ends.
    Last,
    /// Ends, and moves may follow.
    Live,
    /// Ends.
    Dead,
}

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    pub(super) steps: u32,
    /// Whether moves may follow at the last cell.
    pub(super) live: bool,
    /// Whether the side scans of the last cell were made.
    pub(super) looked: bool,
}

/// The walks in one diagonal direction. A cell's position on its line is its padded `x` or `y`, on the shorter axis, so
/// the planes are never much larger than the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Diagonal<const EAST: bool, const SOUTH: bool> {
    /// The words of all lines for the first 64 positions, then those for the next.
    words: Vec<Word>,
    lines: usize,
    /// For falling diagonals, line 0 is the line of the lower left corner.
    columns: usize,
    along_x: bool,
}

size_bytes!(for [const EAST: bool, const SOUTH: bool] Diagonal<EAST, SOUTH>: words);

impl<const EAST: bool, const SOUTH: bool> Diagonal<EAST, SOUTH> {
    /// The diagonals of a map with this many padded columns and rows, on which no walk stops.
    pub(super) fn new(columns: usize, rows: usize) -> Self {
        let (along_x, lines) = (columns <= rows, columns + rows - 1);
        let word = Word { stop: 0, live: 0, sides: [0; 2], walls: [0; 2] };
        Self { words: vec![word; columns.min(rows).div_ceil(64) * lines], lines, columns, along_x }
    }

    /// The index of a cell's word and its bit there.
    #[inline]
    fn place(&self, x: usize, y: usize) -> (usize, usize) {
        let line = if EAST == SOUTH { y + self.columns - 1 - x } else { x + y };
        let position = if self.along_x { x } else { y };
        (position / 64 * self.lines + line, position % 64)
    }

    /// Sets what a walk does at a cell. `free` has a bit for each direction whose neighbour is free.
    #[inline]
    pub(super) fn set(&mut self, x: usize, y: usize, walk: Walk, free: u8) {
        let (at, bit) = self.place(x, y);
        let word = &mut self.words[at];
        let (stop, live) = (matches!(walk, Walk::Live | Walk::Dead), matches!(walk, Walk::Live | Walk::Last));
        word.stop = word.stop & !(1 << bit) | u64::from(stop) << bit;
        word.live = word.live & !(1 << bit) | u64::from(live) << bit;
        let [row, column] = Self::beside();
        for (walls, beside) in word.walls.iter_mut().zip([row, column]) {
            *walls = *walls & !(1 << bit) | u64::from(free & beside != beside) << bit;
        }
    }

    /// The three cells around one on the side of the row, from there to the one behind it, and on the side of the
    /// column.
    const fn beside() -> [u8; 2] {
        match (EAST, SOUTH) {
            (true, false) => [0b0001_1100, 0b1100_0001],
            (true, true) => [0b0000_0111, 0b0111_0000],
            (false, true) => [0b1100_0001, 0b0001_1100],
            (false, false) => [0b0111_0000, 0b0000_0111],
        }
    }

    /// Toggles whether scans from some cells of a row, given as bits of its word `word`, reach a live stop.
    pub(super) fn flip_row(&mut self, y: usize, word: usize, mut bits: u64) {
        let (at, bit) = self.place(word * 64, y);
        while bits != 0 {
            let i = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let at = if EAST == SOUTH { at - i } else { at + i };
            let bit = if self.along_x { i } else { bit };
            self.words[at].sides[ROW] ^= 1 << bit;
        }
    }

    /// As [`flip_row`](Diagonal::flip_row), for a column.
    pub(super) fn flip_column(&mut self, x: usize, word: usize, mut bits: u64) {
        let (at, bit) = self.place(x, word * 64);
        while bits != 0 {
            let i = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let bit = if self.along_x { bit } else { i };
            self.words[at + i].sides[COLUMN] ^= 1 << bit;
        }
    }

    /// Walks from a cell until the walk ends. Wherever a scan along the row or the column reaches a live stop, calls
    /// `found` with the number of steps and which of the two scans does. Scans to a side in `skip` are reported only
    /// from the first wall on that side on.
    #[inline]
    pub(super) fn walk(&self, x: usize, y: usize, mut skip: [bool; 2], mut found: impl FnMut(u32, bool, bool)) -> End {
        let (mut at, bit) = self.place(x, y);
        let words = &self.words[..];
        if if self.along_x { EAST } else { SOUTH } {
            // Steps from the cell to bit 0 of the word.
            let mut steps = -(bit as i32);
            let mut unseen = !1 << bit;
            loop {
                let word = &words[at];
                let ends = (word.stop | word.live) & unseen;
                // All bits up to and including the first end; all bits if there is none.
                let walked = ends ^ ends.wrapping_sub(1);
                let [mut rows, mut columns] = word.sides;
                // The bits from the first wall on.
                let beyond = |walls: u64| u64::MAX.checked_shl(walls.trailing_zeros()).unwrap_or(0);
                let mut trim = |side: usize, hits: &mut u64| {
                    if skip[side] {
                        let walls = word.walls[side] & unseen;
                        *hits &= beyond(walls);
                        skip[side] = walls == 0;
                    }
                };
                trim(ROW, &mut rows);
                trim(COLUMN, &mut columns);
                let mut hits = (rows | columns) & walked & unseen & !word.stop;
                while hits != 0 {
                    let i = hits.trailing_zeros();
                    hits &= hits - 1;
                    found((steps + i as i32) as u32, rows >> i & 1 == 1, columns >> i & 1 == 1);
                }
                if ends != 0 {
                    let i = ends.trailing_zeros();
                    let stops = word.stop >> i & 1 == 1;
                    let live = stops && word.live >> i & 1 == 1;
                    return End { steps: (steps + i as i32) as u32, live, looked: !stops };
                }
                unseen = u64::MAX;
                at += self.lines;
                steps += 64;
            }
        } else {
            // Steps from the cell to bit 63 of the word.
            let mut steps = bit as i32 - 63;
            let mut unseen = (1 << bit) - 1;
            loop {
                let word = &words[at];
                let ends = (word.stop | word.live) & unseen;
                let walked = if ends == 0 { u64::MAX } else { u64::MAX << ends.ilog2() };
                let [mut rows, mut columns] = word.sides;
                let beyond = |walls: u64| u64::MAX.checked_shr(walls.leading_zeros()).unwrap_or(0);
                let mut trim = |side: usize, hits: &mut u64| {
                    if skip[side] {
                        let walls = word.walls[side] & unseen;
                        *hits &= beyond(walls);
                        skip[side] = walls == 0;
                    }
                };
                trim(ROW, &mut rows);
                trim(COLUMN, &mut columns);
                let mut hits = (rows | columns) & walked & unseen & !word.stop;
                while hits != 0 {
                    let i = hits.leading_zeros();
                    hits &= !(1 << 63 >> i);
                    found((steps + i as i32) as u32, rows << i >> 63 == 1, columns << i >> 63 == 1);
                }
                if ends != 0 {
                    let i = ends.leading_zeros();
                    let stops = word.stop << i >> 63 == 1;
                    let live = stops && word.live << i >> 63 == 1;
                    return End { steps: (steps + i as i32) as u32, live, looked: !stops };
                }
                unseen = u64::MAX;
                at -= self.lines;
                steps += 64;
            }
        }
    }
}
