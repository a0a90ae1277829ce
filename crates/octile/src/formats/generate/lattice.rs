//! Squares between walls one cell thick, for rooms and mazes.

use std::ops::Range;

use crate::geometry::Cell;
use crate::grid::GridBuilder;

/// A map divided into squares by walls on every row and column whose number is a multiple of `pitch`. The squares of
/// the last column and row end at the edge of the map.
pub(super) struct Lattice {
    width: u32,
    height: u32,
    pitch: u32,
    columns: u32,
    rows: u32,
}

/// The wall between a square and the one to its right or below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wall {
    square: u32,
    below: bool,
}

/// The cells of a wall between two squares, from left to right or from top to bottom.
pub(super) struct WallCells {
    first: Cell,
    along_row: bool,
    len: u32,
}

impl WallCells {
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    pub(super) fn get(&self, index: usize) -> Cell {
        let Cell { x, y } = self.first;
        if self.along_row { Cell::new(x + index as u32, y) } else { Cell::new(x, y + index as u32) }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        (0..self.len()).map(|index| self.get(index))
    }
}

impl Lattice {
    /// Creates a lattice; `pitch` and both sides must be at least 2.
    pub(super) fn new(width: u32, height: u32, pitch: u32) -> Self {
        Self { width, height, pitch, columns: (width - 1).div_ceil(pitch), rows: (height - 1).div_ceil(pitch) }
    }

    /// The number of squares.
    pub(super) fn len(&self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// Frees the inside of every square.
    pub(super) fn clear_insides(&self, builder: &mut GridBuilder) {
        for y in (0..self.height).filter(|y| y % self.pitch != 0) {
            builder.set_row(y, (0..self.width).map(|x| x % self.pitch != 0));
        }
    }

    /// Every wall between two squares.
    pub(super) fn walls(&self) -> impl Iterator<Item = Wall> + '_ {
        (0..self.len() as u32).flat_map(|square| {
            [false, true].map(|below| Wall { square, below }).into_iter().filter(|&wall| self.has(wall))
        })
    }

    /// Whether a square lies on the far side of the wall.
    fn has(&self, wall: Wall) -> bool {
        let (column, row) = self.place(wall.square);
        if wall.below { row + 1 < self.rows } else { column + 1 < self.columns }
    }

    /// The two squares on either side of the wall.
    pub(super) fn sides(&self, wall: Wall) -> (u32, u32) {
        (wall.square, wall.square + if wall.below { self.columns } else { 1 })
    }

    /// The squares next to `square`, each with the wall between.
    pub(super) fn neighbours(&self, square: u32) -> impl Iterator<Item = (u32, Wall)> + '_ {
        let (column, row) = self.place(square);
        let ahead = [false, true].map(|below| Wall { square, below }).map(|wall| (self.has(wall), wall));
        let left = (column > 0, Wall { square: square.wrapping_sub(1), below: false });
        let above = (row > 0, Wall { square: square.wrapping_sub(self.columns), below: true });
        let walls = ahead.into_iter().chain([left, above]).filter(|(exists, _)| *exists);
        walls.map(move |(_, wall)| {
            let (near, far) = self.sides(wall);
            (if near == square { far } else { near }, wall)
        })
    }

    /// The cells of the wall between the insides of both squares.
    pub(super) fn wall_cells(&self, wall: Wall) -> WallCells {
        let (column, row) = self.place(wall.square);
        let (xs, ys) = (self.inside(column, self.width), self.inside(row, self.height));
        if wall.below {
            WallCells { first: Cell::new(xs.start, ys.end), along_row: true, len: xs.end - xs.start }
        } else {
            WallCells { first: Cell::new(xs.end, ys.start), along_row: false, len: ys.end - ys.start }
        }
    }

    /// The column and row of a square.
    fn place(&self, square: u32) -> (u32, u32) {
        (square % self.columns, square / self.columns)
    }

    /// The coordinates inside the squares of a column or row.
    fn inside(&self, index: u32, side: u32) -> Range<u32> {
        index * self.pitch + 1..((index + 1) * self.pitch).min(side)
    }
}

/// Union-find over squares.
pub(super) struct Union {
    parents: Vec<u32>,
}

impl Union {
    pub(super) fn new(len: usize) -> Self {
        Self { parents: (0..len as u32).collect() }
    }

    /// Joins two squares; returns false if they were joined already.
    pub(super) fn join(&mut self, (a, b): (u32, u32)) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
        a != b
    }

    /// Finds the representative and halves the path to it.
    fn root(&mut self, mut square: u32) -> u32 {
        while self.parents[square as usize] != square {
            let parent = self.parents[square as usize];
            self.parents[square as usize] = self.parents[parent as usize];
            square = parent;
        }
        square
    }
}
