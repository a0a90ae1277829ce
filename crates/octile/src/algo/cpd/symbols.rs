//! The symbols in the rows of a database: moves, and the symbol for the move that geometry suggests.

use super::moves::ANY;
use crate::geometry::{Cell, Dir, DirSet};
use crate::planner::names;

/// Which of several optimal first moves a database may return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ties {
    /// Any of them: targets share a record as long as one move is optimal for all. Gives the fewest records.
    Mask,
    /// One fixed move: the first diagonal one clockwise from north, or else the first straight one. As in the paper.
    DiagonalFirst,
    /// Any diagonal one if there is one, else any straight one. A straight move then proves that no diagonal one is
    /// optimal, so a path can be followed over many cells with one lookup.
    Diagonals,
}

names! { Ties { Mask = "mask", DiagonalFirst = "diagonal-first", Diagonals = "diagonals" } }

impl Ties {
    /// Whether a straight move proves that no diagonal one is optimal.
    pub(super) const fn prefer_diagonals(self) -> bool {
        !matches!(self, Self::Mask)
    }

    /// The optimal moves that a lookup may return.
    #[inline]
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

/// A set of valid symbols for a target: a bit for each direction, and [`HEURISTIC`].
pub(super) type Symbols = u16;

/// The symbol for [`greedy`]'s move.
pub(super) const HEURISTIC: u8 = 8;

/// The set for cells that are never looked up: all symbols are valid.
pub(super) const WILDCARD: Symbols = 0x1ff;

/// Bits per symbol in a record.
pub(super) const SYMBOL_BITS: u32 = 4;

/// The symbol of a record if all of `symbols` are valid for its targets.
#[inline]
pub(super) fn choose(symbols: Symbols) -> u8 {
    // The heuristic one if possible, so that rows are as similar as possible.
    if symbols >> HEURISTIC & 1 == 1 { HEURISTIC } else { symbols.trailing_zeros() as u8 }
}

/// The move that geometry suggests from one cell to another: diagonal if x and y both differ and the move is legal,
/// else along the longer side if that is legal, else along the shorter.
#[inline]
pub(super) fn greedy(is_legal: impl Fn(Dir) -> bool, from: Cell, to: Cell) -> Dir {
    let (dx, dy) = (to.x as i32 - from.x as i32, to.y as i32 - from.y as i32);
    let straight_on = TOWARDS[(dy.signum() + 1) as usize][(dx.signum() + 1) as usize];
    if !straight_on.is_diagonal() || is_legal(straight_on) {
        return straight_on;
    }
    let (along_x, along_y) = (TOWARDS[1][(dx.signum() + 1) as usize], TOWARDS[(dy.signum() + 1) as usize][1]);
    let (long, short) = if dx.abs() >= dy.abs() { (along_x, along_y) } else { (along_y, along_x) };
    if is_legal(long) { long } else { short }
}

/// Directions by the signs of the differences in y and x. The one in the middle is never used.
const TOWARDS: [[Dir; 3]; 3] = [[Dir::NW, Dir::N, Dir::NE], [Dir::W, Dir::N, Dir::E], [Dir::SW, Dir::S, Dir::SE]];

/// Computes the valid symbols of every target from the first moves of a source.
pub(super) struct Symbolizer {
    ties: Ties,
    /// Whether the symbol for the suggested move is used.
    heuristic: bool,
    width: usize,
    /// By cell, row by row.
    symbols: Vec<Symbols>,
}

impl Symbolizer {
    pub(super) fn new(ties: Ties, heuristic: bool, width: u32, height: u32) -> Self {
        let cells = width as usize * height as usize;
        Self { ties, heuristic, width: width as usize, symbols: vec![WILDCARD; cells] }
    }

    /// The symbols of every cell, row by row, as seen from a cell with these legal moves.
    pub(super) fn symbols(&mut self, source: Cell, legal: DirSet, moves: &[u8]) -> &[Symbols] {
        let Self { ties, heuristic, width, ref mut symbols } = *self;
        for (y, (symbols, moves)) in symbols.chunks_exact_mut(width).zip(moves.chunks_exact(width)).enumerate() {
            if !heuristic {
                ties.fill(symbols, moves, None);
                continue;
            }
            // Along a row, the suggested move changes at most four times.
            let x = source.x as usize;
            let diagonal = y.abs_diff(source.y as usize);
            let suggested = |x: usize| greedy(|dir| legal.contains(dir), source, Cell::new(x as u32, y as u32));
            let long_west = (x + 1).saturating_sub(diagonal).min(x);
            let long_east = (x + diagonal).clamp(x + 1, width);
            for (first, end) in [(0, long_west), (long_west, x), (x, x + 1), (x + 1, long_east), (long_east, width)] {
                if first < end {
                    ties.fill(&mut symbols[first..end], &moves[first..end], Some(suggested(first)));
                }
            }
        }
        symbols
    }
}

/// The symbols of one cell, from the first moves that lead to it from a source with these legal moves: as
/// [`Symbolizer`] computes them for all cells.
pub(super) fn symbols_of(
    (ties, heuristic): (Ties, bool),
    (source, legal): (Cell, DirSet),
    target: Cell,
    moves: u8,
) -> Symbols {
    let suggested = (heuristic && target != source).then(|| greedy(|dir| legal.contains(dir), source, target));
    let mut symbols = [WILDCARD];
    ties.fill(&mut symbols, &[moves], suggested);
    symbols[0]
}

impl Ties {
    /// Computes the symbols of cells with the same suggested move, if that move has a symbol.
    fn fill(self, symbols: &mut [Symbols], moves: &[u8], suggested: Option<Dir>) {
        let suggested = suggested.map_or(0, |dir| 1 << dir as u8);
        // One loop per case, without a branch or a table lookup inside: many cells at once.
        match self {
            Self::Mask => fill(symbols, moves, suggested, |moves| Self::Mask.allowed(moves)),
            Self::DiagonalFirst => fill(symbols, moves, suggested, |moves| Self::DiagonalFirst.allowed(moves)),
            Self::Diagonals => fill(symbols, moves, suggested, |moves| Self::Diagonals.allowed(moves)),
        }
    }
}

#[inline]
fn fill(symbols: &mut [Symbols], moves: &[u8], suggested: u8, allowed: impl Fn(u8) -> u8) {
    for (symbols, &moves) in symbols.iter_mut().zip(moves) {
        let allowed = allowed(moves);
        let heuristic = if allowed & suggested == 0 { 0 } else { 1 << HEURISTIC };
        *symbols = if moves == ANY { WILDCARD } else { Symbols::from(allowed) | heuristic };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Symbols filled in stretches are the same as those computed cell by cell.
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
                    let suggested = greedy(|dir| legal.contains(dir), source, Cell::new(x as u32, y as u32));
                    let allowed = ties.allowed(moves);
                    let expected = u16::from(allowed) | u16::from(allowed >> suggested as u8 & 1) << HEURISTIC;
                    assert_eq!(symbols, expected, "{x},{y} from {source}");
                    let target = Cell::new(x as u32, y as u32);
                    if target != source {
                        assert_eq!(symbols_of((ties, true), (source, legal), target, moves), expected);
                    }
                }
            }
        }
    }
}
