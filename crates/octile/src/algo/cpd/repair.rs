//! Paths on a map that has changed since its database was built: follow the database, and where an obstacle has
//! appeared, search for a way around it, back to the path.

use std::collections::HashSet;

use super::walk::{Next, Walk};
use crate::algo::astar::{Problem, astar, walk_back};
use crate::geometry::units::{Cost, Narrow, Units};
use crate::geometry::{Cell, CellId, Dir};
use crate::grid::{Edits, Grid};
use crate::kernels::cells::{CellScratch, Memory, Reached};
use crate::kernels::ds::Open;
use crate::kernels::ds::table::Table;
use crate::kernels::estimate::Target;
use crate::kernels::fares::{Fares, Plain};
use crate::kernels::pause::Pause;
use crate::kernels::prune::{Everywhere, Pruner};
use crate::kernels::widths::{self, Overflow};
use crate::planner::{NoProbe, Probe, names, size_bytes};

/// What a [`Cpd`](super::Cpd) does where its map has changed since its database was built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Repair {
    /// A planner that follows edits searches, unless what the database gives is certain to be optimal still.
    #[default]
    Exact,
    /// It searches from where it stands at the time for the cheapest way to a cell of the path behind the obstacle:
    /// from its start, and from where it came back to the path for obstacles behind the first.
    Unit,
    /// The same, from the cell before the obstacle.
    Obstacle,
}

names! { Repair { Exact = "exact", Unit = "unit", Obstacle = "obstacle" } }

/// In what a map differs from the one that its database was built for.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    blocked: HashSet<Cell>,
    freed: HashSet<Cell>,
}

impl Changes {
    pub(super) fn is_empty(&self) -> bool {
        self.blocked.is_empty() && self.freed.is_empty()
    }

    /// Whether no cell has become free: paths only become longer.
    pub(super) fn only_close(&self) -> bool {
        self.freed.is_empty()
    }

    /// The most moves of a path, whose cells come ever nearer to its goal, that obstacles bar: each bars those from the
    /// cells around it.
    pub(super) fn most_barred(&self) -> usize {
        8 * self.blocked.len()
    }

    /// Takes note of edits, all on the map; `base` is the map of the database.
    pub(super) fn note(&mut self, edits: &Edits, base: &Grid) {
        for (cell, free) in edits.iter() {
            let (set, other) =
                if free { (&mut self.freed, &mut self.blocked) } else { (&mut self.blocked, &mut self.freed) };
            other.remove(&cell);
            if base.is_free(cell) != free {
                set.insert(cell);
            }
        }
    }
}

/// Working memory for ways around obstacles.
#[derive(Debug)]
pub(super) struct RepairScratch {
    search: CellScratch,
    /// Marks of the cells of a path.
    on_path: Table<u32, 0>,
    /// The moves of a way, backwards.
    way: Vec<Dir>,
}

size_bytes!(RepairScratch: search, on_path, way);

impl RepairScratch {
    pub(super) fn new(grid: &Grid) -> Self {
        Self { search: CellScratch::new(grid), on_path: Table::new(grid.padded_cells()), way: Vec::new() }
    }

    /// Marks the rest of a walk of at most so many moves on the map of the database. `None` if the database is broken.
    pub(super) fn mark(&mut self, mut rest: Walk, goal: Cell, most_moves: u32, grid: &Grid) -> Option<u32> {
        let mark = self.on_path.begin();
        let mut left = most_moves;
        while rest.at != goal {
            let from = rest.at;
            let Next::Leg(dir, steps) = rest.next_leg() else { return None };
            left = left.checked_sub(steps)?;
            (1..=steps).for_each(|step| self.on_path[grid.id(dir.step(from, step)).index()] = mark);
        }
        Some(mark)
    }

    /// Searches for the cheapest way from `from` to a marked cell; gives its moves, last first, and where it ends.
    pub(super) fn find_way(
        &mut self,
        grid: &Grid,
        from: Cell,
        mark: u32,
        probe: &mut Option<&mut dyn Probe>,
    ) -> Option<(&[Dir], Cell)> {
        let Self { search, on_path, way } = self;
        way.clear();
        let mut end = None;
        search.widths.run_plain(&mut Rejoin { grid, from, on_path, mark, way, end: &mut end, probe });
        end.map(|end| (&way[..], end))
    }
}

/// One search for a way back to a path.
struct Rejoin<'a, 'p> {
    grid: &'a Grid,
    from: Cell,
    on_path: &'a Table<u32, 0>,
    mark: u32,
    way: &'a mut Vec<Dir>,
    end: &'a mut Option<Cell>,
    probe: &'a mut Option<&'p mut dyn Probe>,
}

impl widths::Search for Rejoin<'_, '_> {
    type Memory = Memory<Narrow>;

    fn farthest(&self) -> u64 {
        Narrow::DIAGONAL.into()
    }

    fn memory<U: Units>(&self) -> Memory<U> {
        Memory::new(self.grid)
    }

    /// Compiled for speed if nobody watches.
    fn run_narrow(&mut self, memory: &mut Memory<Narrow>) -> Result<bool, Overflow> {
        if self.probe.is_some() {
            return self.run_wider(memory);
        }
        let Memory { nodes, heap, id_bits, .. } = &mut *memory;
        let problem = self.problem::<Narrow, _, _, _>(self.final_cells(), Everywhere, Plain);
        let open = &mut heap.of_cells::<Narrow>(*id_bits);
        let end = astar(&problem, nodes, open, &mut NoProbe, &mut Pause::default())?;
        Ok(self.answer(memory, end))
    }

    /// With the loop that all rare searches share.
    fn run_wider<U: Units>(&mut self, memory: &mut Memory<U>) -> Result<bool, Overflow> {
        let Memory { nodes, heap, id_bits, .. } = &mut *memory;
        let (target, mut nobody) = (self.final_cells(), NoProbe);
        let (target, pruner, fares): (&dyn Target<U::Cost>, &dyn Pruner, &dyn Fares<U>) =
            (&target, &Everywhere, &Plain);
        let problem = self.problem::<U, _, _, _>(target, pruner, fares);
        let open: &mut dyn Open<U> = &mut heap.of_cells::<U>(*id_bits);
        let probe: &mut dyn Probe = match self.probe {
            Some(probe) => &mut **probe,
            None => &mut nobody,
        };
        let end = astar(&problem, nodes, open, probe, &mut Pause::default())?;
        Ok(self.answer(memory, end))
    }
}

impl<'a> Rejoin<'a, '_> {
    /// Dijkstra's search, up to the first cell of the path that is final.
    fn problem<U: Units, T, R, F>(&self, target: T, pruner: R, fares: F) -> Problem<'a, T, R, F> {
        Problem { grid: self.grid, start: self.from, target, pruner, fares, unit: U::STRAIGHT.into() as f64 }
    }

    fn final_cells(&self) -> FinalCells<'a> {
        FinalCells { on_path: self.on_path, mark: self.mark }
    }

    /// Keeps the moves of the way that was found, last first.
    fn answer<U: Units>(&mut self, memory: &Memory<U>, end: Option<Reached<U::Cost>>) -> bool {
        let Some(Reached { id, .. }) = end else { return false };
        walk_back::<U>(&memory.nodes, self.grid, self.from, id, |dir| self.way.push(dir));
        *self.end = Some(self.grid.cell(id));
        true
    }
}

/// The marked cells, without an estimate.
struct FinalCells<'a> {
    on_path: &'a Table<u32, 0>,
    mark: u32,
}

impl<C: Cost> Target<C> for FinalCells<'_> {
    #[inline]
    fn h(&self, _: Cell) -> C {
        0.into()
    }

    #[inline]
    fn place(&self, id: CellId, _: Cell) -> Option<usize> {
        (self.on_path[id.index()] == self.mark).then_some(0)
    }
}
