//! Squares of a quad-tree, as in Sankaranarayanan, Alborzi & Samet 2005: a square whose targets have no common valid
//! symbol is split into four.
//!
//! A record is the first position of a square on the Z-order curve through the map, and a symbol. Squares follow one
//! another on the curve, so neither their size nor the tree is stored. Squares without targets that can be looked up
//! are left out.

use super::{Counts, Encoder, Row, halvings};
use crate::algo::cpd::bits::Writer;
use crate::algo::cpd::symbols::{SYMBOL_BITS, Symbols, WILDCARD, choose};
use crate::grid::Grid;

/// The position of a cell on the curve: the interleaved bits of x and y.
#[inline]
pub(super) fn key(x: u32, y: u32) -> u64 {
    spread(x) | spread(y) << 1
}

/// Moves bit `i` to bit `2 i`, for the lower 16 bits.
#[inline]
fn spread(number: u32) -> u64 {
    let mut bits = u64::from(number & 0xffff);
    for (shift, mask) in [(8, 0x00ff_00ff), (4, 0x0f0f_0f0f), (2, 0x3333_3333), (1, 0x5555_5555)] {
        bits = (bits | bits << shift) & mask;
    }
    bits
}

pub(super) struct SquareEncoder {
    /// For squares with sides of 1, 2, 4, ... cells: the number of squares in a row, and the symbols valid for all
    /// targets of each, row by row. The last level is one square.
    levels: Vec<(usize, Vec<Symbols>)>,
    targets: u64,
    bits: u32,
}

impl SquareEncoder {
    pub(super) fn new(grid: &Grid, bits: u32) -> Self {
        let (mut width, mut height) = (grid.width() as usize, grid.height() as usize);
        let mut levels = vec![(width, vec![WILDCARD; width * height])];
        while width > 1 || height > 1 {
            (width, height) = (width.div_ceil(2), height.div_ceil(2));
            levels.push((width, vec![WILDCARD; width * height]));
        }
        Self { levels, targets: grid.free_cells().into(), bits }
    }

    /// Computes the squares of every level.
    fn fill(&mut self, symbols: &[Symbols]) {
        self.levels[0].1.copy_from_slice(symbols);
        for level in 1..self.levels.len() {
            let (below, here) = self.levels.split_at_mut(level);
            let (width_below, below) = &below[level - 1];
            let (width, here) = &mut here[0];
            for (row, below) in here.chunks_exact_mut(*width).zip(below.chunks(2 * width_below)) {
                let (upper, lower) = below.split_at(*width_below);
                for (i, square) in row.iter_mut().enumerate() {
                    let both = |row: &[Symbols]| row.iter().skip(2 * i).take(2).fold(WILDCARD, |all, &one| all & one);
                    *square = both(upper) & both(lower);
                }
            }
        }
    }

    /// Writes the squares inside the square at `x`, `y` of a level.
    fn write(&self, level: usize, (x, y): (usize, usize), writer: &mut Writer, records: &mut u64) {
        let (width, squares) = &self.levels[level];
        let Some(&right) = squares.get(y * width + x).filter(|_| x < *width) else { return };
        if right == WILDCARD {
            return;
        }
        if right != 0 {
            let place = key((x << level) as u32, (y << level) as u32);
            writer.push(place << SYMBOL_BITS | u64::from(choose(right)), self.bits);
            *records += 1;
            return;
        }
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            self.write(level - 1, (2 * x + dx, 2 * y + dy), writer, records);
        }
    }
}

impl Encoder for SquareEncoder {
    fn encode(&mut self, row: &Row, out: &mut Vec<u8>) -> Counts {
        self.fill(row.symbols);
        let mut records = 0;
        self.write(self.levels.len() - 1, (0, 0), &mut Writer::new(out), &mut records);
        Counts::of_row(records, halvings(records as usize) * self.targets, self.targets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_bits_in_turn() {
        assert_eq!([key(0, 0), key(1, 0), key(0, 1), key(3, 1), key(0xffff, 0)], [0, 1, 2, 7, 0x5555_5555]);
    }
}
