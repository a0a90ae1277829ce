//! What stands in the rows of a database: moves, and the symbol for the move that geometry suggests.

use std::fmt;

use super::moves::ANY;
use crate::{Cell, Dir, DirSet};

/// Which of several optimal first moves a database may give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ties {
    /// Any of them: targets share a record while one move is optimal for all. The fewest records.
    Mask,
    /// One that is decided beforehand: the first diagonal one clockwise from north, or else the first straight one. The paper's.
    DiagonalFirst,
    /// Any diagonal one if there is one, else any straight one. A straight move then tells that no diagonal one is optimal,
    /// and a path can be followed over many cells with one look into the database.
    Diagonals,
}

impl Ties {
    /// All ways.
    pub const ALL: [Self; 3] = [Self::Mask, Self::DiagonalFirst, Self::Diagonals];

    /// The name in settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mask => "mask",
            Self::DiagonalFirst => "diagonal-first",
            Self::Diagonals => "diagonals",
        }
    }

    /// Whether a straight move tells that no diagonal one is optimal.
    pub(super) const fn prefer_diagonals(self) -> bool {
        !matches!(self, Self::Mask)
    }

    /// Those of the optimal moves that may be given.
    fn allowed(self, moves: u8) -> u8 {
        const DIAGONAL: u8 = 0b1010_1010;
        let preferred = if moves & DIAGONAL == 0 { moves } else { moves & DIAGONAL };
        match self {
            Self::Mask => moves,
            Self::Diagonals => preferred,
            Self::DiagonalFirst => preferred & preferred.wrapping_neg(),
        }
    }
}

impl fmt::Display for Ties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of symbols that are right for a target: a bit for each direction, and [`HEURISTIC`].
pub(super) type Symbols = u16;

/// The symbol for [`greedy`]'s move.
pub(super) const HEURISTIC: u8 = 8;

/// The set for cells that are never asked for: all symbols are right.
pub(super) const WILDCARD: Symbols = 0x1ff;

/// How many bits a symbol takes in a record.
pub(super) const SYMBOL_BITS: u32 = 4;

/// The symbol that a record gets if all of `symbols` are right for its targets.
#[inline]
pub(super) fn choose(symbols: Symbols) -> u8 {
    // The heuristic one if it can be, so that rows are as much alike as they can be.
    if symbols >> HEURISTIC & 1 == 1 { HEURISTIC } else { symbols.trailing_zeros() as u8 }
}

/// The move that geometry suggests from a cell with these legal moves to one that is so far to the right and down: diagonal
/// if both differ and the move is legal, else along the longer side if that is legal, else along the shorter.
#[inline]
pub(super) fn greedy(legal: DirSet, dx: i32, dy: i32) -> Dir {
    let along_x = if dx > 0 { Dir::E } else { Dir::W };
    let along_y = if dy > 0 { Dir::S } else { Dir::N };
    if dx == 0 {
        return along_y;
    }
    if dy == 0 {
        return along_x;
    }
    let diagonal = match (dx > 0, dy > 0) {
        (true, false) => Dir::NE,
        (true, true) => Dir::SE,
        (false, true) => Dir::SW,
        (false, false) => Dir::NW,
    };
    let (long, short) = if dx.abs() >= dy.abs() { (along_x, along_y) } else { (along_y, along_x) };
    match () {
        () if legal.contains(diagonal) => diagonal,
        () if legal.contains(long) => long,
        () => short,
    }
}

/// From the first moves of a source, makes the symbols that are right for every target.
pub(super) struct Symbolizer {
    /// By the move that geometry suggests, and by the first moves.
    tables: Box<[[Symbols; 256]; 8]>,
    /// Whether the symbol for that move is used at all.
    heuristic: bool,
    width: usize,
    /// By cell, row by row.
    symbols: Vec<Symbols>,
}

impl Symbolizer {
    pub(super) fn new(ties: Ties, heuristic: bool, width: u32, height: u32) -> Self {
        let symbols = |suggested: u8, moves: u8| {
            if moves == ANY {
                return WILDCARD;
            }
            let allowed = Symbols::from(ties.allowed(moves));
            let is_right = heuristic && allowed >> suggested & 1 == 1;
            allowed | Symbols::from(is_right) << HEURISTIC
        };
        let table = |suggested: usize| std::array::from_fn(|moves| symbols(suggested as u8, moves as u8));
        let tables = Box::new(std::array::from_fn(table));
        let cells = width as usize * height as usize;
        Self { tables, heuristic, width: width as usize, symbols: vec![WILDCARD; cells] }
    }

    /// The symbols for every cell, row by row, as seen from a cell with these legal moves.
    pub(super) fn symbols(&mut self, source: Cell, legal: DirSet, moves: &[u8]) -> &[Symbols] {
        let Self { tables, heuristic, width, symbols } = self;
        let width = *width;
        for (y, (symbols, moves)) in symbols.chunks_exact_mut(width).zip(moves.chunks_exact(width)).enumerate() {
            let mut fill = |first: usize, end: usize, suggested: Dir| {
                let table = &tables[suggested as usize];
                for (symbols, &moves) in symbols[first..end].iter_mut().zip(&moves[first..end]) {
                    *symbols = table[moves as usize];
                }
            };
            if !*heuristic {
                fill(0, width, Dir::N);
                continue;
            }
            // Along a row, what geometry suggests changes at most four times.
            let (x, dy) = (source.x as usize, y as i32 - source.y as i32);
            let diagonal = dy.unsigned_abs() as usize;
            let long_west = (x + 1).saturating_sub(diagonal).min(x);
            let long_east = (x + diagonal).clamp(x + 1, width);
            fill(0, long_west, greedy(legal, -(diagonal.max(1) as i32), dy));
            fill(long_west, x, greedy(legal, -1, 2 * dy));
            fill(x, x + 1, greedy(legal, 0, dy));
            fill(x + 1, long_east, greedy(legal, 1, 2 * dy));
            fill(long_east, width, greedy(legal, diagonal.max(1) as i32, dy));
        }
        symbols
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Filled in stretches, symbols are as they are cell by cell.
    #[test]
    fn stretches_of_a_row_have_the_suggested_move() {
        let (width, height) = (13, 11);
        let moves: Vec<u8> = (0..width * height).map(|i| (i * 37 % 255) as u8).collect();
        for ties in Ties::ALL {
            for (source, legal) in [((6, 5), 255), ((0, 0), 0b0101_0101), ((12, 3), 0b1000_0001), ((4, 10), 0)] {
                let (source, legal) = (Cell::new(source.0, source.1), DirSet(legal));
                let mut symbolizer = Symbolizer::new(ties, true, width, height);
                let symbols = symbolizer.symbols(source, legal, &moves);
                for (i, (&symbols, &moves)) in symbols.iter().zip(&moves).enumerate() {
                    let (x, y) = (i as i32 % width as i32, i as i32 / width as i32);
                    let suggested = greedy(legal, x - source.x as i32, y - source.y as i32);
                    let allowed = ties.allowed(moves);
                    let expected = u16::from(allowed) | u16::from(allowed >> suggested as u8 & 1) << HEURISTIC;
                    assert_eq!(symbols, expected, "{x},{y} from {source}");
                }
            }
        }
    }
}
