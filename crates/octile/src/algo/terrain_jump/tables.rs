//! The tables that a search reads on a map with prices: the moves that may follow at each cell, and where scans and
//! walks stop.
//!
//! A straight scan passes cells of one price at which the only move that may follow is straight on. So it crosses at
//! most one change of price, with its first step, and its cost follows from that step and the price behind it. A
//! diagonal walk passes cells around which all free cells have one price, and at which the only moves that may follow
//! are the next diagonal one and the scans along row and column, which are made in place.
//!
//! An edit of a cell changes only the moves that may follow at the cells around it. Where scans stop, and which scans
//! are wasted, follows from those.

use super::diagonals::{Diagonal, Walk};
use super::follow::{Follow, follow, sides};
use super::lines::Lines;
use super::nodes::{Nodes, Site};
use crate::grid::Convention;
use crate::grid::area::Area;
use crate::planner::size_bytes;

/// The prices of a map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Land<'a> {
    /// By padded cell; 0 is blocked.
    pub(super) prices: &'a [u8],
    pub(super) stride: usize,
    pub(super) convention: Convention,
    /// Whether corners may be cut.
    pub(super) cuts: bool,
}

impl Land<'_> {
    /// The difference of padded indices for each direction.
    #[inline]
    pub(super) const fn steps(&self) -> [isize; 8] {
        let stride = self.stride as isize;
        [-stride, -stride + 1, 1, stride + 1, stride, stride - 1, -1, -stride - 1]
    }

    fn rows(&self) -> usize {
        self.prices.len() / self.stride
    }

    fn follow(&self, price: u8, ring: [u8; 8]) -> Follow {
        follow(self.convention, price, ring, self.cuts)
    }

    /// The prices of the cells around a cell.
    fn ring(&self, id: usize) -> [u8; 8] {
        self.steps().map(|step| self.prices[id.wrapping_add_signed(step)])
    }

    /// Whether a cell is free and all cells around it have its price.
    fn is_plain(&self, id: usize) -> bool {
        let price = self.prices[id];
        let is_even = |middle: usize| self.prices[middle - 1..=middle + 1] == [price; 3];
        price != 0 && is_even(id) && is_even(id - self.stride) && is_even(id + self.stride)
    }

    /// The data of a cell where a path begins. It is the same for every direction of arrival.
    pub(super) fn start(&self, id: usize) -> Site {
        let (price, ring) = (self.prices[id], self.ring(id));
        self.site(price, ring, [self.follow(price, ring).first; 8])
    }

    fn site(&self, price: u8, ring: [u8; 8], after: [u8; 8]) -> Site {
        Site { after, next: ring, counts: self.counts(price.into(), ring) }
    }

    /// The counts of the moves from a cell.
    fn counts(&self, price: u32, ring: [u8; 8]) -> [u16; 8] {
        let at = |dir: usize| u32::from(ring[dir % 8]);
        std::array::from_fn(|dir| {
            let counts = match at(dir) {
                0 => None,
                next if dir % 2 == 0 => Some(self.convention.straight(price, next)),
                next => {
                    sides(at(dir + 7), at(dir + 1), self.cuts).map(|sides| self.convention.diagonal(price, next, sides))
                }
            };
            counts.unwrap_or(0) as u16
        })
    }
}

/// The tables of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tables {
    pub(super) east: Lines<true>,
    pub(super) west: Lines<false>,
    pub(super) south: Lines<true>,
    pub(super) north: Lines<false>,
    pub(super) north_east: Diagonal<true, false>,
    pub(super) south_east: Diagonal<true, true>,
    pub(super) south_west: Diagonal<false, true>,
    pub(super) north_west: Diagonal<false, false>,
    pub(super) nodes: Nodes,
    /// The moves that may follow where all free cells have one price, indexed by which cells are free.
    walls: Vec<Follow>,
}

size_bytes!(Tables: east, west, south, north, north_east, south_east, south_west, north_west, nodes, walls);

impl Tables {
    pub(super) fn build(land: &Land<'_>) -> Self {
        let (columns, rows) = (land.stride, land.rows());
        let wall = |free: u32| land.follow(1, std::array::from_fn(|dir| (free >> dir & 1) as u8));
        let mut tables = Self {
            east: Lines::new(rows, columns),
            west: Lines::new(rows, columns),
            south: Lines::new(columns, rows),
            north: Lines::new(columns, rows),
            north_east: Diagonal::new(columns, rows),
            south_east: Diagonal::new(columns, rows),
            south_west: Diagonal::new(columns, rows),
            north_west: Diagonal::new(columns, rows),
            nodes: Nodes::new(columns, rows),
            walls: (0..256).map(wall).collect(),
        };
        for x in 0..columns {
            tables.refresh_cell(land, x, 0);
            tables.refresh_cell(land, x, rows - 1);
        }
        for y in 0..rows {
            tables.refresh_cell(land, 0, y);
            tables.refresh_cell(land, columns - 1, y);
        }
        let all = Area { left: 1, right: columns - 2, top: 1, bottom: rows - 2 };
        tables.refresh_cells(land, all, |x, y| !land.is_plain(y * columns + x));
        tables.spread(all);
        tables.nodes.tidy();
        tables
    }

    /// Follows a change of prices or of blocked cells inside a part of the map.
    pub(super) fn apply(&mut self, land: &Land<'_>, area: Area) {
        let Area { left, right, top, bottom } = area;
        let (right, bottom) = ((right + 1).min(land.stride - 2), (bottom + 1).min(land.rows() - 2));
        let area = Area { left: (left - 1).max(1), right, top: (top - 1).max(1), bottom };
        self.refresh_cells(land, area, |_, _| true);
        self.spread(area);
    }

    /// Renumbers the nodes if edits have left too many gaps. Returns whether it did.
    pub(super) fn tidy(&mut self) -> bool {
        let is_untidy = self.nodes.is_untidy();
        if is_untidy {
            self.nodes.tidy();
        }
        is_untidy
    }

    /// Recomputes the selected cells of a part of the map.
    fn refresh_cells(&mut self, land: &Land<'_>, area: Area, is_asked: impl Fn(usize, usize) -> bool) {
        let Area { left, right, top, bottom } = area;
        // Tile by tile, in the order of node numbers.
        for (first_y, first_x) in
            (top / 8..=bottom / 8).flat_map(|y| (left / 8..=right / 8).map(move |x| (y * 8, x * 8)))
        {
            for y in first_y.max(top)..=(first_y + 7).min(bottom) {
                for x in (first_x.max(left)..=(first_x + 7).min(right)).filter(|&x| is_asked(x, y)) {
                    self.refresh_cell(land, x, y);
                }
            }
        }
    }

    /// Recomputes which scans reach a live stop, after stops in a part of the map have changed.
    fn spread(&mut self, Area { left, right, top, bottom }: Area) {
        for y in top..=bottom {
            self.east.spread(y, left, right, |word, bits| {
                self.north_east.flip_row(y, word, bits);
                self.south_east.flip_row(y, word, bits);
            });
            self.west.spread(y, left, right, |word, bits| {
                self.north_west.flip_row(y, word, bits);
                self.south_west.flip_row(y, word, bits);
            });
        }
        for x in left..=right {
            self.south.spread(x, top, bottom, |word, bits| {
                self.south_east.flip_column(x, word, bits);
                self.south_west.flip_column(x, word, bits);
            });
            self.north.spread(x, top, bottom, |word, bits| {
                self.north_east.flip_column(x, word, bits);
                self.north_west.flip_column(x, word, bits);
            });
        }
    }

    fn refresh_cell(&mut self, land: &Land<'_>, x: usize, y: usize) {
        let id = y * land.stride + x;
        let price = land.prices[id];
        let ring = if price == 0 { [0; 8] } else { land.ring(id) };
        let (mut free, mut is_one) = (0, true);
        for (dir, &other) in ring.iter().enumerate() {
            free |= usize::from(other != 0) << dir;
            is_one &= other == 0 || other == price;
        }
        let after = match (price, is_one) {
            (0, _) => [0; 8],
            (_, true) => self.walls[free].after,
            (_, false) => land.follow(price, ring).after,
        };
        let stop = |dir: usize| (after[dir] != 1 << dir || ring[dir] != price, after[dir] != 0);
        let walk = |dir: usize, row: usize, column: usize| match after[dir] {
            0 => Walk::Dead,
            moves if !is_one || moves & !(1 << dir | 1 << row | 1 << column) != 0 => Walk::Live,
            moves if moves >> dir & 1 == 1 => Walk::On,
            _ => Walk::Last,
        };
        let stops = [stop(2), stop(6), stop(4), stop(0)];
        let walks = [walk(1, 2, 0), walk(3, 2, 4), walk(5, 6, 4), walk(7, 6, 0)];
        self.east.set(y, x, stops[0].0, stops[0].1);
        self.west.set(y, x, stops[1].0, stops[1].1);
        self.south.set(x, y, stops[2].0, stops[2].1);
        self.north.set(x, y, stops[3].0, stops[3].1);
        self.north_east.set(x, y, walks[0], free as u8);
        self.south_east.set(x, y, walks[1], free as u8);
        self.south_west.set(x, y, walks[2], free as u8);
        self.north_west.set(x, y, walks[3], free as u8);
        let is_node = stops.contains(&(true, true)) || walks.contains(&Walk::Live);
        self.nodes.set(x, y, is_node.then(|| land.site(price, ring, after)));
    }
}
