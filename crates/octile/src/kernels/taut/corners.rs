//! The numbered corners of a map at which shortest paths may turn. They follow edits and keep their numbers.

use super::kind::{KIND_BITS, Kind, Turn};
use crate::geometry::Cell;
use crate::grid::bits::{BitLines, WINDOW};
use crate::grid::{Edits, Grid, Squeeze, corners};
use crate::planner::size_bytes;

/// Marks a corner of cells at which no path turns.
const NONE: u32 = u32::MAX;

/// All corners at which a shortest path may turn.
#[derive(Clone, Debug)]
pub(crate) struct Corners {
    squeeze: Squeeze,
    /// One bit for each corner of cells, row by row.
    bits: BitLines,
    /// For each corner of cells, its number and its kind, or [`NONE`].
    words: Vec<u32>,
    /// The number of corners of cells in a row.
    stride: usize,
    turns: Vec<Turn>,
    /// Numbers that can be assigned again.
    spare: Vec<u32>,
}

size_bytes!(Corners: words, turns, spare);

impl Corners {
    /// Finds the corners of a map, numbered row by row.
    pub(crate) fn new(grid: &Grid, squeeze: Squeeze) -> Self {
        let (stride, lines) = (grid.width() as usize + 1, grid.height() as usize + 1);
        let mut corners = Self {
            squeeze,
            bits: BitLines::new(lines, stride),
            words: vec![NONE; stride * lines],
            stride,
            turns: Vec::new(),
            spare: Vec::new(),
        };
        for y in 0..lines {
            corners.find_in_row(grid, y);
        }
        corners
    }

    fn find_in_row(&mut self, grid: &Grid, y: usize) {
        // Corners need a bit and its right neighbour, so windows overlap by one bit.
        const STEP: usize = WINDOW - 1;
        for first in (0..self.stride).step_by(STEP) {
            // The padded cells above and below, to the left of each corner.
            let (above, below) = (grid.rows().window(y, first), grid.rows().window(y + 1, first));
            let mut found = turns_in(above, below, self.squeeze) & ((1 << STEP) - 1);
            while found != 0 {
                let bit = found.trailing_zeros();
                found &= found - 1;
                let free = above >> bit & 3 | (below >> bit & 3) << 2;
                let kind = Kind::of(free as usize, self.squeeze == Squeeze::Allowed);
                self.add(first + bit as usize, y, kind.expect("the bits are those of a turn"));
            }
        }
    }

    fn add(&mut self, x: usize, y: usize, kind: Kind) {
        let turn = Turn { x: x as u16, y: y as u16, kind };
        let number = self.spare.pop().unwrap_or(self.turns.len() as u32);
        if number as usize == self.turns.len() {
            self.turns.push(turn);
        } else {
            self.turns[number as usize] = turn;
        }
        self.bits.set(y, x, true);
        self.words[y * self.stride + x] = number << KIND_BITS | u32::from(kind.number());
    }

    /// Follows edits that have already changed the map. Remaining corners keep their numbers; the numbers of removed
    /// corners are assigned to new ones.
    pub(crate) fn follow(&mut self, grid: &Grid, edits: &Edits) {
        for (Cell { x, y }, _) in edits.iter() {
            for (x, y) in [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)] {
                self.update(grid, x as usize, y as usize);
            }
        }
    }

    fn update(&mut self, grid: &Grid, x: usize, y: usize) {
        let free = corners::around(grid, (x as u32, y as u32).into());
        let now = Kind::of(free, self.squeeze == Squeeze::Allowed);
        let was = self.bits.get(y, x).then(|| self.words[y * self.stride + x]);
        let Some(word) = was else {
            if let Some(kind) = now {
                self.add(x, y, kind);
            }
            return;
        };
        let number = word >> KIND_BITS;
        if let Some(kind) = now {
            self.turns[number as usize].kind = kind;
            self.words[y * self.stride + x] = number << KIND_BITS | u32::from(kind.number());
        } else {
            self.bits.set(y, x, false);
            self.words[y * self.stride + x] = NONE;
            self.spare.push(number);
        }
    }

    /// The count of assigned numbers, including those that can be assigned again.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.turns.len()
    }

    /// The corner with a number.
    #[inline]
    pub(crate) fn turn(&self, number: u32) -> Turn {
        self.turns[number as usize]
    }

    /// The memory in bytes.
    pub(crate) fn total_bytes(&self) -> usize {
        use crate::planner::SizeBytes;
        self.size_bytes() + self.bits.size_bytes()
    }

    /// The turn at a corner of cells, if any, with its number.
    #[inline]
    fn at(&self, x: u32, y: u32) -> Option<(u32, Turn)> {
        let word = self.words[y as usize * self.stride + x as usize];
        let kind = Kind::from_number((word & ((1 << KIND_BITS) - 1)) as u8);
        (word != NONE).then_some((word >> KIND_BITS, Turn { x: x as u16, y: y as u16, kind }))
    }

    /// Visits the turns on a row of corners from `first` to `last`, with their numbers.
    #[inline]
    pub(crate) fn for_each(&self, y: u32, first: u32, last: u32, mut visit: impl FnMut(u32, Turn)) {
        if first == last {
            if let Some((number, turn)) = self.at(first, y) {
                visit(number, turn);
            }
            return;
        }
        let (mut at, last) = (first as usize, last as usize);
        loop {
            let left = last - at;
            let unused = 63 - left.min(WINDOW - 1);
            let found = self.bits.window(y as usize, at) << unused >> unused;
            if found != 0 {
                self.visit_window(y, at, found, &mut visit);
            }
            if left < WINDOW {
                return;
            }
            at += WINDOW;
        }
    }

    #[inline]
    fn visit_window(&self, y: u32, at: usize, mut found: u64, visit: &mut impl FnMut(u32, Turn)) {
        while found != 0 {
            let x = at + found.trailing_zeros() as usize;
            found &= found - 1;
            if let Some((number, turn)) = self.at(x as u32, y) {
                visit(number, turn);
            }
        }
    }
}

/// The turns among the corners between two rows of cells: bit 0 is the corner to the right of the first cells.
#[inline]
fn turns_in(above: u64, below: u64, squeeze: Squeeze) -> u64 {
    let (above_right, below_right) = (above >> 1, below >> 1);
    let (falling, rising) = (above ^ below_right, above_right ^ below);
    // Three of four cells are free: one diagonal differs, and both cells of the other are free.
    let one_blocked = falling & !rising & above_right & below | rising & !falling & above & below_right;
    match squeeze {
        Squeeze::Allowed => one_blocked | !falling & !rising & (above ^ above_right),
        Squeeze::Forbidden => one_blocked,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::generate;
    use crate::geometry::Corner;
    use crate::geometry::Dice;

    fn check(corners: &Corners, grid: &Grid) {
        let mut numbers = Vec::new();
        for y in 0..=grid.height() {
            let mut found = Vec::new();
            corners.for_each(y, 0, grid.width(), |number, turn| {
                assert_eq!(corners.turn(number), turn);
                numbers.push(number);
                found.push((turn.corner(), turn.kind));
            });
            let kind = |x| Kind::of(corners::around(grid, Corner::new(x, y)), corners.squeeze == Squeeze::Allowed);
            let expected = (0..=grid.width()).filter_map(|x| Some((Corner::new(x, y), kind(x)?)));
            assert!(found.iter().copied().eq(expected), "row {y} of {grid:?}");
        }
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), corners.len() - corners.spare.len(), "numbers are assigned once");
    }

    #[test]
    fn every_corner_is_found_and_followed() {
        let mut dice = Dice::new(3);
        for (seed, squeeze) in (0..8).flat_map(|seed| Squeeze::ALL.map(|squeeze| (seed, squeeze))) {
            let mut grid = generate::random(70 + seed as u32, 9, 10 + 6 * seed as u32, seed).unwrap();
            let mut corners = Corners::new(&grid, squeeze);
            check(&corners, &grid);
            for _ in 0..20 {
                let mut edits = Edits::new();
                for _ in 0..3 {
                    let cell = (dice.below(grid.width().into()) as u32, dice.below(9) as u32);
                    edits.extend([(cell, dice.below(2) == 0)]);
                }
                grid.apply(&edits).unwrap();
                corners.follow(&grid, &edits);
                check(&corners, &grid);
            }
        }
    }

    #[test]
    fn remaining_corners_keep_their_numbers() {
        let mut grid: Grid = "........\n..@...@.\n........".parse().unwrap();
        let mut corners = Corners::new(&grid, Squeeze::Allowed);
        let number = |corners: &Corners, x, y| {
            let mut found = None;
            corners.for_each(y, x, x, |number, _| found = Some(number));
            found
        };
        let before = [(6, 1), (7, 1), (6, 2), (7, 2)].map(|(x, y)| number(&corners, x, y).unwrap());
        let mut edits = Edits::new();
        edits.free((2, 1)).block((3, 0));
        grid.apply(&edits).unwrap();
        corners.follow(&grid, &edits);
        assert_eq!([(6, 1), (7, 1), (6, 2), (7, 2)].map(|(x, y)| number(&corners, x, y).unwrap()), before);
        assert_eq!(number(&corners, 2, 1), None);
        assert_eq!(corners.len(), 8, "new corners reuse the numbers of removed ones");
    }
}
