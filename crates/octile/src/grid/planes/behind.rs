//! The jump points affected by an edit: those whose scans may find something else once the cells of an area have
//! changed.
//!
//! The successors of a jump point are found by straight scans, from it and from the cells of diagonal walks. Let some
//! cells of an area change, and call the area and the ring around it *near*.
//!
//! - Whether a straight scan stops at a cell, and whether that is a jump point, depends on the cell and its eight
//!   neighbours; so does which moves are legal from it. Both change near only.
//! - Take a straight scan from a cell that now ends elsewhere. Before the first of its two ends it passes no stop, old
//!   or new. That end has changed, or was passed before, so it is near. So all such cells lie between the near cells
//!   and the last stop before them, as stops are *now*; that stop, if it is free, is one of them. These cells and all
//!   near cells are the *seeds* of a direction.
//! - A diagonal walk that now finds something else reaches a seed of one of the two straight directions beside it, or a
//!   move whose legality has changed, which begins near, at a seed. Up to the first such cell all moves were legal and
//!   still are: so walking back from the seeds, by moves that are legal *now*, reaches the start of the walk.
//!
//! The same holds for how far a walk goes. The backward walks are done a row at a time, 64 cells to a word.

use super::Planes;
use super::straight::{AHEAD, BACK, Straight};
use crate::geometry::{Cell, Dir};
use crate::grid::area::Area;

impl Planes {
    /// Calls `found` with each jump point in an area and the ring around it, row by row.
    pub(crate) fn points_near(&self, area: Area, mut found: impl FnMut(Cell)) {
        let near = self.near(area);
        for y in near.top..=near.bottom {
            for word in near.left / 64..=near.right / 64 {
                let bits = self.ranks.points(y, word) & super::bits_between(word, near.left, near.right);
                each_bit(bits, |bit| found(unpadded(word * 64 + bit, y)));
            }
        }
    }

    /// Calls `found` with each jump point whose search may reach a changed area: by moves in a diagonal direction and
    /// then straight in one of the two directions beside it, or straight at once. Passes that diagonal direction, and
    /// whether the area may be reached without a diagonal move.
    pub(crate) fn behind(&self, area: Area, mut found: impl FnMut(Cell, Dir, bool)) {
        for (east, south) in [(true, true), (true, false), (false, true), (false, false)] {
            self.sweep(area, east, south, |x, y, is_seed| {
                found(unpadded(x, y), Dir::diagonal(east, south), is_seed);
            });
        }
    }

    fn near(&self, area: Area) -> Area {
        let whole = Area { left: 1, right: self.columns.lines - 2, top: 1, bottom: self.rows.lines - 2 };
        area.grown(1, 1, whole)
    }

    /// Walks back from the seeds of a diagonal direction.
    fn sweep(&self, area: Area, east: bool, south: bool, mut found: impl FnMut(usize, usize, bool)) {
        let near = self.near(area);
        // For each near column, the rows of its seeds.
        let spans: Vec<(usize, usize)> =
            (near.left..=near.right).map(|x| seeds(&self.columns, x, (near.top, near.bottom), south)).collect();
        let top = spans.iter().map(|span| span.0).min().unwrap_or(near.top).min(near.top);
        let bottom = spans.iter().map(|span| span.1).max().unwrap_or(near.bottom).max(near.bottom);
        let width = self.rows.words_per_line;
        let [mut cells, mut before, mut seeds_here] = [(); 3].map(|()| vec![0_u64; width]);
        let (mut first, mut last) = (width, 0);
        let mut y = if south { bottom } else { top };
        loop {
            std::mem::swap(&mut cells, &mut before);
            let (mut low, mut high) =
                if first > last { (width, 0) } else { (first.saturating_sub(1), (last + 2).min(width)) };
            if y >= near.top && y <= near.bottom {
                let (start, end) = seeds(&self.rows, y, (near.left, near.right), east);
                (low, high) = (low.min(start / 64), high.max(end / 64 + 1));
            } else if y >= top && y <= bottom {
                (low, high) = (low.min(near.left / 64), high.max(near.right / 64 + 1));
            }
            let step = Step { rows: &self.rows, y, from: if south { y + 1 } else { y - 1 }, east };
            for (word, cells) in cells.iter_mut().enumerate().take(high).skip(low) {
                *cells = step.back(&before, word);
            }
            self.add_seeds(&mut seeds_here, near, &spans, y, east);
            (first, last) = (width, 0);
            for word in low..high {
                let seeds = std::mem::take(&mut seeds_here[word]);
                cells[word] |= seeds;
                if cells[word] != 0 {
                    (first, last) = (first.min(word), word);
                    let points = cells[word] & self.ranks.points(y, word);
                    each_bit(points, |bit| found(word * 64 + bit, y, seeds >> bit & 1 == 1));
                }
                before[word] = 0;
            }
            if first > last && !(top..=bottom).contains(&y) {
                return;
            }
            y = if south { y - 1 } else { y + 1 };
            if y == 0 || y == self.rows.lines - 1 {
                return;
            }
        }
    }

    /// Adds the seeds of a row.
    fn add_seeds(&self, cells: &mut [u64], near: Area, spans: &[(usize, usize)], y: usize, east: bool) {
        let free = |word: usize| self.rows.words[y * self.rows.words_per_line + word].free;
        for (x, &(first, last)) in (near.left..).zip(spans) {
            if first <= y && y <= last {
                cells[x / 64] |= 1 << (x % 64) & free(x / 64);
            }
        }
        if y >= near.top && y <= near.bottom {
            let (first, last) = seeds(&self.rows, y, (near.left, near.right), east);
            for (word, cells) in cells.iter_mut().enumerate().take(last / 64 + 1).skip(first / 64) {
                *cells |= super::bits_between(word, first, last) & free(word);
            }
        }
    }
}

/// The first and the last position of the seeds of a line, for scans ahead or back; `first` to `last` are near.
fn seeds(lines: &Straight, line: usize, (first, last): (usize, usize), ahead: bool) -> (usize, usize) {
    if ahead { (lines.stop_before(line, first), last) } else { (first, lines.stop_behind(line, last)) }
}

/// A step of the backward walks from a row to the next.
struct Step<'a> {
    rows: &'a Straight,
    y: usize,
    from: usize,
    east: bool,
}

impl Step<'_> {
    /// The cells of a word from which a legal move leads to the cells `before` of the previous row.
    fn back(&self, before: &[u64], word: usize) -> u64 {
        let width = self.rows.words_per_line;
        let beside = if self.east { word + 1 } else { word.wrapping_sub(1) };
        let cells = |word: usize| before.get(word).copied().unwrap_or(0);
        let both = |word: usize| {
            let free = |y: usize| self.rows.words[y * width + word].free;
            if word < width { free(self.y) & free(self.from) } else { 0 }
        };
        let (here, there) = (cells(word), cells(beside));
        if here | there == 0 {
            return 0;
        }
        // Each cell's neighbour in the direction of the walk.
        let next = |here: u64, there: u64| if self.east { here >> 1 | there << 63 } else { here << 1 | there >> 63 };
        let free = both(word);
        next(here, there) & free & next(free, both(beside))
    }
}

fn each_bit(mut bits: u64, mut found: impl FnMut(usize)) {
    while bits != 0 {
        found(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

fn unpadded(x: usize, y: usize) -> Cell {
    Cell::new(x as u32 - 1, y as u32 - 1)
}

impl Straight {
    /// The last stop of forward scans before a position, which must not be the first of the line.
    fn stop_before(&self, line: usize, position: usize) -> usize {
        let words = &self.words[line * self.words_per_line..][..self.words_per_line];
        let mut word = position / 64;
        let mut stops = words[word].stop[AHEAD] & ((1 << (position % 64)) - 1);
        while stops == 0 && word > 0 {
            word -= 1;
            stops = words[word].stop[AHEAD];
        }
        word * 64 + stops.checked_ilog2().unwrap_or(0) as usize
    }

    /// The first stop of backward scans after a position, which must not be the last of the line.
    fn stop_behind(&self, line: usize, position: usize) -> usize {
        let words = &self.words[line * self.words_per_line..][..self.words_per_line];
        let mut word = position / 64;
        let mut stops = words[word].stop[BACK] & !1 << (position % 64);
        while stops == 0 && word + 1 < words.len() {
            word += 1;
            stops = words[word].stop[BACK];
        }
        word * 64 + (stops.trailing_zeros() as usize).min(63)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::generate;
    use crate::grid::{Edits, Grid};

    /// The distances of the first jump points along the row and the column, what a walk finds, and its length.
    type Finds = (Option<u32>, Option<u32>, Vec<(u32, Option<u32>, Option<u32>)>, u32);

    /// All that is found from a jump point in a diagonal direction, and straight in the two beside it.
    fn finds(planes: &Planes, cell: Cell, dir: Dir) -> Finds {
        let (east, south) = (dir.dx() > 0, dir.dy() > 0);
        let mut found = Vec::new();
        let push = |steps, row, column| found.push((steps, row, column));
        let row = if east { planes.row::<true>(cell) } else { planes.row::<false>(cell) };
        let column = if south { planes.column::<true>(cell) } else { planes.column::<false>(cell) };
        match (east, south) {
            (true, true) => planes.diagonal::<true, true>(cell, push),
            (true, false) => planes.diagonal::<true, false>(cell, push),
            (false, true) => planes.diagonal::<false, true>(cell, push),
            (false, false) => planes.diagonal::<false, false>(cell, push),
        }
        (row, column, found, planes.diagonal_steps(cell, east, south))
    }

    /// Every jump point that finds something else after an edit is reported.
    #[test]
    fn all_jump_points_affected_by_an_edit_are_reported() {
        let mut dice = crate::geometry::Dice::new(11);
        let mut random = |below: u32| dice.below(below.into()) as u32;
        let mut changed = 0;
        for seed in 0..40 {
            let (width, height) = (3 + random(150), 3 + random(90));
            let mut grid = match seed % 4 {
                0 => generate::random(width, height, 2 + random(30), seed).unwrap(),
                1 => generate::rooms(width.max(12), height.max(12), 7, seed).unwrap(),
                2 => generate::random(width, height, 1, seed).unwrap(),
                _ => Grid::open(width, height).unwrap(),
            };
            let mut planes = Planes::build(&grid);
            for _ in 0..12 {
                let before = planes.clone();
                let a = Cell::new(random(grid.width()), random(grid.height()));
                let b = Cell::new((a.x + random(6)).min(grid.width() - 1), (a.y + random(6)).min(grid.height() - 1));
                let mut edits = Edits::new();
                if random(2) == 0 {
                    edits.block_rect(a, b)
                } else {
                    edits.free_rect(a, b)
                };
                let area_changes = grid.change(&edits).unwrap();
                planes.apply(&grid, &area_changes);
                let mut reported = std::collections::HashSet::new();
                for &area in &area_changes.areas {
                    planes.behind(area, |cell, dir, _| _ = reported.insert((cell, dir as u8)));
                }
                for cell in planes.numbered().filter(|&cell| before.is_numbered(cell)) {
                    for dir in [Dir::NE, Dir::SE, Dir::SW, Dir::NW] {
                        if finds(&planes, cell, dir) != finds(&before, cell, dir) {
                            changed += 1;
                            assert!(reported.contains(&(cell, dir as u8)), "{cell} {dir:?} {edits:?}\n{grid:?}");
                        }
                    }
                }
            }
        }
        assert!(changed > 2_000, "{changed}");
    }
}
