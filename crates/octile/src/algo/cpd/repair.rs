//! Paths on a map that has changed since its database was built: follow the database, and where a new obstacle bars the
//! path, search for a detour back to the path.

use super::walk::{Next, Walk};
use crate::algo::astar::{Problem, astar, walk_back};
use crate::geometry::units::{Cost, Narrow, Units};
use crate::geometry::{Cell, CellId, Dir};
use crate::grid::Grid;
use crate::kernels::cells::{CellScratch, Memory, Reached};
use crate::kernels::ds::Open;
use crate::kernels::ds::table::Table;
use crate::kernels::estimate::Target;
use crate::kernels::fares::{Fares, Plain};
use crate::kernels::pause::Pause;
use crate::kernels::prune::{Everywhere, Pruner};
use crate::kernels::widths::{self, Overflow};
use crate::planner::{NoProbe, Probe, names, size_bytes};

/// What [`Cpd`](super::Cpd) does once its map has changed since the database was built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Repair {
    /// Paths stay optimal: another planner searches, unless the path of the database is certain to be still optimal.
    #[default]
    Exact,
    /// Paths are legal. Where a new obstacle bars the path of the database, search from the unit's position for the
    /// cheapest detour to a cell of that path behind the obstacle. The unit's position is the start, or, for obstacles
    /// after the first, the cell where it returned to the path.
    Unit,
    /// The same, from the cell before the obstacle.
    Obstacle,
}

names! { Repair { Exact = "exact", Unit = "unit", Obstacle = "obstacle" } }

/// Scratch memory for detours around obstacles.
#[derive(Debug)]
pub(super) struct RepairScratch {
    search: CellScratch,
    /// Marks of the cells of a path, and the mark of the current one.
    on_path: Table<u32, 0>,
    mark: u32,
    /// The moves of a detour, last first.
    way: Vec<Dir>,
}

size_bytes!(RepairScratch: search, on_path, way);

impl RepairScratch {
    pub(super) fn new(grid: &Grid) -> Self {
        Self { search: CellScratch::new(grid), on_path: Table::new(grid.padded_cells()), mark: 0, way: Vec::new() }
    }

    /// Marks the rest of a walk of fewer than `limit` moves on the map of the database. Returns the number of its
    /// moves; `None` if the database is damaged.
    pub(super) fn mark(&mut self, mut rest: Walk, goal: Cell, limit: u32, grid: &Grid) -> Option<u32> {
        self.mark = self.on_path.begin();
        let mut left = limit.checked_sub(1)?;
        while rest.at != goal {
            let from = rest.at;
            let Next::Leg(dir, steps) = rest.next_leg() else { return None };
            left = left.checked_sub(steps)?;
            (1..=steps).for_each(|step| self.on_path[grid.id(dir.step(from, step)).index()] = self.mark);
        }
        Some(limit - 1 - left)
    }

    /// Searches for the cheapest way from `from` to a marked cell. Returns its moves, last first, and its end.
    pub(super) fn find_way(
        &mut self,
        grid: &Grid,
        from: Cell,
        probe: &mut Option<&mut dyn Probe>,
    ) -> Option<(&[Dir], Cell)> {
        let Self { search, on_path, mark, way } = self;
        way.clear();
        let mut end = None;
        search.widths.run_plain(&mut Rejoin { grid, from, on_path, mark: *mark, way, end: &mut end, probe });
        end.map(|end| (&way[..], end))
    }
}

/// One search for a detour back to a path.
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

    /// Specialised for speed when there is no probe.
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

    /// Uses the loop that all rare searches share.
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
    /// Dijkstra's algorithm, up to the first cell of the path that is final.
    fn problem<U: Units, T, R, F>(&self, target: T, pruner: R, fares: F) -> Problem<'a, T, R, F> {
        Problem { grid: self.grid, start: self.from, target, pruner, fares, unit: U::STRAIGHT.into() as f64 }
    }

    fn final_cells(&self) -> FinalCells<'a> {
        FinalCells { on_path: self.on_path, mark: self.mark }
    }

    /// Stores the moves of the detour, last first.
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
