//! The graph of jump points: all hops that a search over them would find, computed beforehand.

use super::lists::Span;
use crate::geometry::units::{Narrow, Units};
use crate::geometry::{Cell, Dir};
use crate::grid::Grid;
use crate::grid::planes::Planes;
use crate::kernels::jump_points::{NoGates, Sink, expand};

/// A jump point with the straight direction it was reached in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct State(pub(super) u32);

/// The straight directions; the last bits of a state's number are an index into this list.
pub(super) const STRAIGHT: [Dir; 4] = [Dir::N, Dir::E, Dir::S, Dir::W];

impl State {
    #[inline]
    pub(super) const fn new(node: u32, dir: Dir) -> Self {
        Self(node * 4 + dir as u32 / 2)
    }

    #[inline]
    pub(super) const fn node(self) -> u32 {
        self.0 / 4
    }

    /// The straight direction.
    pub(super) const fn dir(self) -> Dir {
        STRAIGHT[self.0 as usize % 4]
    }

    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A hop from one state to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) to: State,
    /// In [`Narrow`] units. On every map, a hop has fewer diagonal moves than those units can count.
    pub(super) cost: u32,
}

/// All jump points of a map, with the edges of each.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// The jump points, by number.
    pub(super) cells: Vec<Cell>,
    /// The edges of each state, as spans of `edges`.
    pub(super) spans: Vec<Span>,
    pub(super) edges: Vec<Edge>,
}

impl Graph {
    /// Builds the graph of a map with these jump points.
    pub(super) fn build(grid: &Grid, planes: &Planes, cells: Vec<Cell>) -> Self {
        let mut spans = Vec::with_capacity(4 * cells.len());
        let mut found = Edges { number: |cell| planes.number(cell), edges: Vec::with_capacity(8 * cells.len()) };
        for &cell in &cells {
            let moves = grid.moves_of(grid.id(cell));
            for dir in STRAIGHT {
                let first = found.edges.len() as u32;
                if planes.is_jump_point(cell, dir) {
                    expand(planes, &NoGates, cell, dir, moves, &mut found);
                }
                spans.push(Span { first, end: found.edges.len() as u32 });
            }
        }
        Self { cells, spans, edges: found.edges }
    }

    pub(super) fn states(&self) -> impl Iterator<Item = State> + use<> {
        (0..self.spans.len() as u32).map(State)
    }

    #[inline]
    pub(super) fn edges(&self, state: State) -> &[Edge] {
        &self.edges[self.spans[state.index()].range()]
    }

    /// All edges, before any list has been replaced.
    pub(super) fn all_edges(&self) -> &[Edge] {
        &self.edges
    }

    pub(super) fn size_bytes(&self) -> usize {
        size_of_val(&self.cells[..]) + size_of_val(&self.spans[..]) + size_of_val(&self.edges[..])
    }
}

/// Collects the edges of a state; `number` returns the number of a jump point.
pub(super) struct Edges<F> {
    pub(super) number: F,
    pub(super) edges: Vec<Edge>,
}

impl<F: Fn(Cell) -> u32> Sink for Edges<F> {
    #[inline]
    fn found(&mut self, at: Cell, dir: Dir, diagonal: u32, straight: u32) {
        let cost = Narrow::DIAGONAL * diagonal + Narrow::STRAIGHT * straight;
        self.edges.push(Edge { to: State::new((self.number)(at), dir), cost });
    }
}
