//! Paths on a map that has changed since its database was built: follow the database, and where an obstacle has
//! appeared, search for a way around it, back to the path.

use super::walk::{Next, Walk};
use crate::algo::best_first::{self, NoEstimate};
use crate::geometry::units::{Narrow, Units, Wide};
use crate::geometry::{Cell, CellId, Dir};
use crate::grid::Grid;
use crate::kernels::cells::{CellScratch, Memory};
use crate::kernels::ds::table::Table;
use crate::kernels::fares::Plain;
use crate::kernels::pause::Pause;
use crate::kernels::prune::Everywhere;
use crate::kernels::widths::Overflow;
use crate::planner::{NoProbe, Probe, names, size_bytes};

/// What a [`Cpd`](super::Cpd) does once its map has changed since its database was built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Repair {
    /// Paths stay optimal: another planner searches, unless the path of the database is certain to be optimal still.
    #[default]
    Exact,
    /// Paths are legal: where an obstacle has appeared on the path of the database, it searches from where the unit
    /// stands for the cheapest way to a cell of that path behind the obstacle. The unit stands at the start, and where
    /// it came back to the path for obstacles behind the first.
    Unit,
    /// The same, from the cell before the obstacle.
    Obstacle,
}

names! { Repair { Exact = "exact", Unit = "unit", Obstacle = "obstacle" } }

/// Working memory for ways around obstacles.
#[derive(Debug)]
pub(super) struct RepairScratch {
    search: CellScratch,
    /// Marks of the cells of a path, and the mark of the last one.
    on_path: Table<u32, 0>,
    mark: u32,
    /// The moves of a way, backwards.
    way: Vec<Dir>,
}

size_bytes!(RepairScratch: search, on_path, way);

impl RepairScratch {
    pub(super) fn new(grid: &Grid) -> Self {
        Self { search: CellScratch::new(grid), on_path: Table::new(grid.padded_cells()), mark: 0, way: Vec::new() }
    }

    /// Marks the rest of a walk of fewer than `limit` moves on the map of the database. Returns how many moves it has;
    /// `None` if the database is damaged.
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

    /// Searches for the cheapest way from `from` to a marked cell; gives its moves, last first, and where it ends.
    pub(super) fn find_way(
        &mut self,
        grid: &Grid,
        from: Cell,
        probe: &mut Option<&mut dyn Probe>,
    ) -> Option<(&[Dir], Cell)> {
        let Self { search, on_path, mark, way } = self;
        way.clear();
        let mut end = None;
        let farthest = u64::from(Narrow::DIAGONAL);
        let mut rejoin = Rejoin { grid, from, on_path, mark: *mark, way, end: &mut end, probe };
        search.run(grid, farthest, &mut rejoin, Rejoin::run_narrow, Rejoin::run_watched::<Wide>);
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

impl Rejoin<'_, '_> {
    /// Runs it in 32 bits: compiled for speed if nobody watches.
    fn run_narrow(&mut self, memory: &mut Memory<Narrow>) -> Result<bool, Overflow> {
        if self.probe.is_some() { self.run_watched(memory) } else { self.run(memory, &mut NoProbe) }
    }

    /// Runs it for any probe, or none.
    fn run_watched<U: Units>(&mut self, memory: &mut Memory<U>) -> Result<bool, Overflow> {
        match self.probe.take() {
            Some(probe) => {
                let found = self.run(memory, probe);
                *self.probe = Some(probe);
                found
            }
            None => self.run::<U, dyn Probe>(memory, &mut NoProbe),
        }
    }

    /// Dijkstra's search, up to the first cell of the path that is final.
    fn run<U: Units, P: Probe + ?Sized>(&mut self, memory: &mut Memory<U>, probe: &mut P) -> Result<bool, Overflow> {
        let Self { grid, from, on_path, mark, .. } = *self;
        let Memory { nodes, heap, id_bits, .. } = memory;
        let ends = (from, |id: CellId| on_path[id.index()] == mark);
        let open = heap.of_cells::<U>(*id_bits);
        let heuristic = (NoEstimate, U::STRAIGHT.into() as f64);
        let Some((end, _)) = best_first::search(
            nodes,
            open,
            (grid, &Everywhere, &Plain),
            heuristic,
            ends,
            (probe, &mut Pause::default()),
        )?
        else {
            return Ok(false);
        };
        best_first::walk_back(memory, grid, from, end, |dir| self.way.push(dir));
        *self.end = Some(grid.cell(end));
        Ok(true)
    }
}
