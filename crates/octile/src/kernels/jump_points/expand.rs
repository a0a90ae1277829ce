//! The successors of a jump point.

use super::{Gate, Scanner};
use crate::geometry::{Cell, Dir, DirSet};

/// Receives what scans find.
pub(crate) trait Sink {
    /// A diagonal walk has come to a cell and scanned to its sides.
    fn touched(&mut self, _at: Cell) {}

    /// A jump point, reached in a straight direction after this many diagonal steps and this many straight ones.
    fn found(&mut self, at: Cell, dir: Dir, diagonal: u32, straight: u32);
}

/// How a search finds the successors of a jump point.
pub(crate) trait Expand<S> {
    /// As [`expand`].
    fn expand(&mut self, scanner: S, gates: &impl Gate, cell: Cell, dir: Dir, moves: DirSet, sink: &mut impl Sink);
}

impl<S, X: Expand<S>> Expand<S> for &mut X {
    #[inline]
    fn expand(&mut self, scanner: S, gates: &impl Gate, cell: Cell, dir: Dir, moves: DirSet, sink: &mut impl Sink) {
        (**self).expand(scanner, gates, cell, dir, moves, sink);
    }
}

/// Scans every time.
pub(crate) struct Scan;

impl<S: Scanner> Expand<S> for Scan {
    #[inline]
    fn expand(&mut self, scanner: S, gates: &impl Gate, cell: Cell, dir: Dir, moves: DirSet, sink: &mut impl Sink) {
        expand(scanner, gates, cell, dir, moves, sink);
    }
}

/// Finds the successors of the start: scans in every direction.
pub(crate) fn expand_start(scanner: impl Scanner, gates: &impl Gate, cell: Cell, sink: &mut impl Sink) {
    row::<true>(scanner, cell, sink);
    row::<false>(scanner, cell, sink);
    column::<true>(scanner, cell, sink);
    column::<false>(scanner, cell, sink);
    walk::<true, true>(scanner, gates, cell, sink);
    walk::<true, false>(scanner, gates, cell, sink);
    walk::<false, true>(scanner, gates, cell, sink);
    walk::<false, false>(scanner, gates, cell, sink);
}

/// Finds the successors of a jump point that was reached in the straight direction `dir` and has the legal moves
/// `moves`: scans ahead, and to each side on which an obstacle has just ended, straight and diagonally.
///
/// On such a side the adjacent cell is free and the one behind that is blocked, so the move to the side is legal and
/// the diagonal move back is not; the cell straight behind is free, as the path came from it.
///
/// Everything is compiled once per direction: a loop that decides the direction at each scan takes up to 1.6 times as
/// long.
#[inline]
pub(crate) fn expand(
    scanner: impl Scanner,
    gates: &impl Gate,
    cell: Cell,
    dir: Dir,
    moves: DirSet,
    sink: &mut impl Sink,
) {
    match dir {
        Dir::E => expand_row::<true>(scanner, gates, cell, moves, sink),
        Dir::W => expand_row::<false>(scanner, gates, cell, moves, sink),
        Dir::S => expand_column::<true>(scanner, gates, cell, moves, sink),
        _ => expand_column::<false>(scanner, gates, cell, moves, sink),
    }
}

/// Expands a jump point that was reached along its row.
#[inline]
fn expand_row<const EAST: bool>(
    scanner: impl Scanner,
    gates: &impl Gate,
    cell: Cell,
    moves: DirSet,
    sink: &mut impl Sink,
) {
    let (ahead, north_behind, south_behind) =
        if EAST { (Dir::E, Dir::NW, Dir::SW) } else { (Dir::W, Dir::NE, Dir::SE) };
    if moves.contains(ahead) {
        row::<EAST>(scanner, cell, sink);
    }
    if moves.contains(Dir::N) && !moves.contains(north_behind) {
        column::<false>(scanner, cell, sink);
        if moves.contains(if EAST { Dir::NE } else { Dir::NW }) {
            walk::<EAST, false>(scanner, gates, cell, sink);
        }
    }
    if moves.contains(Dir::S) && !moves.contains(south_behind) {
        column::<true>(scanner, cell, sink);
        if moves.contains(if EAST { Dir::SE } else { Dir::SW }) {
            walk::<EAST, true>(scanner, gates, cell, sink);
        }
    }
}

/// Expands a jump point that was reached along its column.
#[inline]
fn expand_column<const SOUTH: bool>(
    scanner: impl Scanner,
    gates: &impl Gate,
    cell: Cell,
    moves: DirSet,
    sink: &mut impl Sink,
) {
    let (ahead, west_behind, east_behind) = if SOUTH { (Dir::S, Dir::NW, Dir::NE) } else { (Dir::N, Dir::SW, Dir::SE) };
    if moves.contains(ahead) {
        column::<SOUTH>(scanner, cell, sink);
    }
    if moves.contains(Dir::W) && !moves.contains(west_behind) {
        row::<false>(scanner, cell, sink);
        if moves.contains(if SOUTH { Dir::SW } else { Dir::NW }) {
            walk::<false, SOUTH>(scanner, gates, cell, sink);
        }
    }
    if moves.contains(Dir::E) && !moves.contains(east_behind) {
        row::<true>(scanner, cell, sink);
        if moves.contains(if SOUTH { Dir::SE } else { Dir::NE }) {
            walk::<true, SOUTH>(scanner, gates, cell, sink);
        }
    }
}

/// Scans the row for a jump point.
#[inline]
fn row<const EAST: bool>(scanner: impl Scanner, cell: Cell, sink: &mut impl Sink) {
    if let Some(steps) = scanner.row::<EAST>(cell) {
        let dir = if EAST { Dir::E } else { Dir::W };
        sink.found(dir.step(cell, steps), dir, 0, steps);
    }
}

/// Scans the column for a jump point.
#[inline]
fn column<const SOUTH: bool>(scanner: impl Scanner, cell: Cell, sink: &mut impl Sink) {
    if let Some(steps) = scanner.column::<SOUTH>(cell) {
        let dir = if SOUTH { Dir::S } else { Dir::N };
        sink.found(dir.step(cell, steps), dir, 0, steps);
    }
}

/// Finds jump points beside a diagonal walk. Not inlined: otherwise the scanner's walk is not inlined, which costs
/// `jps` up to 6 % more instructions.
#[inline(never)]
fn walk<const EAST: bool, const SOUTH: bool>(
    scanner: impl Scanner,
    gates: &impl Gate,
    cell: Cell,
    sink: &mut impl Sink,
) {
    scanner.diagonal::<EAST, SOUTH>(cell, gates, move |steps, in_row, in_column| {
        let row = if EAST { Dir::E } else { Dir::W };
        let column = if SOUTH { Dir::S } else { Dir::N };
        let turn = const { Dir::diagonal(EAST, SOUTH) }.step(cell, steps);
        sink.touched(turn);
        if let Some(straight) = in_row {
            sink.found(row.step(turn, straight), row, steps, straight);
        }
        if let Some(straight) = in_column {
            sink.found(column.step(turn, straight), column, steps, straight);
        }
    });
}
