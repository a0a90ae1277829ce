//! The successors of a node: the scans and walks of its moves.

use std::marker::PhantomData;

use super::diagonals::{Diagonal, End};
use super::lines::Lines;
use super::nodes::Site;
use super::tables::Tables;
use crate::geometry::Dir;
use crate::geometry::units::Units;

/// A padded position.
pub(super) type Place = (u32, u32);

/// A straight scan: where it began, its direction and length; the cost up to the first cell, and the cost of each step
/// from there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanned<C> {
    pub(super) at: Place,
    pub(super) dir: usize,
    pub(super) steps: u32,
    pub(super) first: C,
    pub(super) other: C,
}

/// A diagonal walk: where it began and how it ended; the cost up to the first cell, and the cost of each step from
/// there, straight or diagonal.
#[derive(Clone, Copy)]
pub(super) struct Walked<'a, C, const EAST: bool, const SOUTH: bool> {
    pub(super) at: Place,
    pub(super) end: End,
    pub(super) first: C,
    pub(super) straight: C,
    pub(super) diagonal: C,
    pub(super) rows: &'a Lines<EAST>,
    pub(super) columns: &'a Lines<SOUTH>,
}

impl<C, const EAST: bool, const SOUTH: bool> Walked<'_, C, EAST, SOUTH> {
    /// The position after this many steps.
    #[inline]
    pub(super) fn place(&self, steps: u32) -> Place {
        let (x, y) = self.at;
        (if EAST { x + steps } else { x - steps }, if SOUTH { y + steps } else { y - steps })
    }
}

/// The bits of a diagonal direction, and of the straight directions beside it.
#[derive(Clone, Copy)]
struct Quadrant<'a, const EAST: bool, const SOUTH: bool> {
    diagonal: &'a Diagonal<EAST, SOUTH>,
    rows: &'a Lines<EAST>,
    columns: &'a Lines<SOUTH>,
}

/// Receives the successors.
pub(super) trait Sink<C> {
    /// A node is reached in a direction at a cost.
    fn reach(&mut self, dir: usize, at: Place, g: C);

    /// A walk has come to a cell and made its side scans.
    fn looked(&mut self, _at: Place) {}

    /// A scan was made.
    fn scanned(&mut self, scan: Scanned<C>);

    /// A walk was made.
    fn walked<const EAST: bool, const SOUTH: bool>(&mut self, walk: Walked<'_, C, EAST, SOUTH>);
}

/// Expands nodes in some units, under a convention that determines the cost of a move.
pub(super) struct Expand<'a, U> {
    tables: &'a Tables,
    /// The counts of a move between cells of price 1.
    unit: u32,
    units: PhantomData<U>,
}

impl<'a, U: Units> Expand<'a, U> {
    pub(super) fn new(tables: &'a Tables, unit: u32) -> Self {
        Self { tables, unit, units: PhantomData }
    }

    /// Tries moves from a node that is reached at a cost. `known` are all moves that may follow there. If a straight
    /// move is not among them, diagonal walks beside it skip their scans to that side, up to the first wall.
    ///
    /// The reason: that straight move is beaten by another way to the next cell. This way, followed by the same
    /// diagonal moves beside the walk, beats the walk followed by the straight move, because all cells there that are
    /// not blocked have one price.
    #[inline]
    pub(super) fn all(
        &self,
        site: &Site,
        moves: u32,
        known: u32,
        at: Place,
        g: U::Cost,
        sink: &mut impl Sink<U::Cost>,
    ) {
        let skip = |row: u32, column: u32| [known >> row & 1 == 0, known >> column & 1 == 0];
        let Tables { east, west, south, north, .. } = self.tables;
        let Tables { north_east, south_east, south_west, north_west, .. } = self.tables;
        if moves & 1 != 0 {
            self.column(north, site, at, g, sink);
        }
        if moves & 1 << 2 != 0 {
            self.row(east, site, at, g, sink);
        }
        if moves & 1 << 4 != 0 {
            self.column(south, site, at, g, sink);
        }
        if moves & 1 << 6 != 0 {
            self.row(west, site, at, g, sink);
        }
        if moves & 1 << 1 != 0 {
            self.walk(Quadrant { diagonal: north_east, rows: east, columns: north }, skip(2, 0), site, at, g, sink);
        }
        if moves & 1 << 3 != 0 {
            self.walk(Quadrant { diagonal: south_east, rows: east, columns: south }, skip(2, 4), site, at, g, sink);
        }
        if moves & 1 << 5 != 0 {
            self.walk(Quadrant { diagonal: south_west, rows: west, columns: south }, skip(6, 4), site, at, g, sink);
        }
        if moves & 1 << 7 != 0 {
            self.walk(Quadrant { diagonal: north_west, rows: west, columns: north }, skip(6, 0), site, at, g, sink);
        }
    }

    /// The cost of the first step of a straight scan, and of each other step.
    #[inline]
    fn straight(&self, site: &Site, dir: usize) -> (U::Cost, U::Cost) {
        let (first, other) = (u32::from(site.counts[dir]), self.unit * u32::from(site.next[dir]));
        (U::STRAIGHT * first.into(), U::STRAIGHT * other.into())
    }

    /// Scans a row from a node.
    #[inline]
    fn row<const EAST: bool>(
        &self,
        lines: &Lines<EAST>,
        site: &Site,
        at: Place,
        g: U::Cost,
        sink: &mut impl Sink<U::Cost>,
    ) {
        let dir = if EAST { 2 } else { 6 };
        let (first, other) = self.straight(site, dir);
        let (steps, live) = lines.scan(at.1 as usize, at.0 as usize);
        sink.scanned(Scanned { at, dir, steps, first: g + first, other });
        if live {
            let to = if EAST { at.0 + steps } else { at.0 - steps };
            sink.reach(dir, (to, at.1), g + first + other * (steps - 1).into());
        }
    }

    /// Scans a column from a node.
    #[inline]
    fn column<const SOUTH: bool>(
        &self,
        lines: &Lines<SOUTH>,
        site: &Site,
        at: Place,
        g: U::Cost,
        sink: &mut impl Sink<U::Cost>,
    ) {
        let dir = if SOUTH { 4 } else { 0 };
        let (first, other) = self.straight(site, dir);
        let (steps, live) = lines.scan(at.0 as usize, at.1 as usize);
        sink.scanned(Scanned { at, dir, steps, first: g + first, other });
        if live {
            let to = if SOUTH { at.1 + steps } else { at.1 - steps };
            sink.reach(dir, (at.0, to), g + first + other * (steps - 1).into());
        }
    }

    /// Walks along a diagonal from a node.
    #[inline]
    fn walk<const EAST: bool, const SOUTH: bool, S: Sink<U::Cost>>(
        &self,
        Quadrant { diagonal, rows, columns }: Quadrant<'_, EAST, SOUTH>,
        skip: [bool; 2],
        site: &Site,
        at: Place,
        g: U::Cost,
        sink: &mut S,
    ) {
        let dir = const { Dir::diagonal(EAST, SOUTH) } as usize;
        let (row, column) = (if EAST { 2 } else { 6 }, if SOUTH { 4 } else { 0 });
        let counts: U::Cost = (self.unit * u32::from(site.next[dir])).into();
        let mut walk = Walked {
            at,
            end: End { steps: 0, live: false, looked: false },
            first: g + U::DIAGONAL * u32::from(site.counts[dir]).into(),
            straight: U::STRAIGHT * counts,
            diagonal: U::DIAGONAL * counts,
            rows,
            columns,
        };
        let (x, y) = (at.0 as usize, at.1 as usize);
        walk.end = diagonal.walk(x, y, skip, |steps, in_row, in_column| {
            let ((x, y), g) = (walk.place(steps), walk.first + walk.diagonal * (steps - 1).into());
            sink.looked((x, y));
            if in_row {
                let straight = rows.scan(y as usize, x as usize).0;
                let to = if EAST { x + straight } else { x - straight };
                sink.reach(row, (to, y), g + walk.straight * straight.into());
            }
            if in_column {
                let straight = columns.scan(x as usize, y as usize).0;
                let to = if SOUTH { y + straight } else { y - straight };
                sink.reach(column, (x, to), g + walk.straight * straight.into());
            }
        });
        sink.walked(walk);
        if walk.end.live {
            let g = walk.first + walk.diagonal * (walk.end.steps - 1).into();
            sink.reach(dir, walk.place(walk.end.steps), g);
        }
    }
}
