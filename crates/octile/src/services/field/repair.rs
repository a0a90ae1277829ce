//! Repairs costs after a change of the map, after Ramalingam & Reps, "An Incremental Algorithm for a Generalization of
//! the Shortest-Path Problem" (1996).
//!
//! 1. Cells within a step of a changed one, and then all cells that lose a neighbour they may have depended on, are
//!    examined in order of their old costs. A cell is supported if its cost is that of a neighbour plus the move from
//!    there; an unsupported cell loses its cost. A supporting neighbour is cheaper by a move, so it lies in an earlier
//!    [bucket](super::queue) and has been examined before.
//! 2. Cells without a cost, and those within a step of a changed one, get the least cost that their neighbours offer.
//! 3. Costs that have fallen are spread, as in a search from the goals.
//!
//! Where many cells lose their costs, a search from the goals is faster than the remaining steps.
//!
//! The costs left after the first step belong to paths that still exist, so none is too low; after the third step no
//! move lowers any cost. So they are the shortest, as in a new field.
//!
//! A terrain cost changes the moves that touch its cell. Both ends of these moves lie within a step of the cell, so
//! everything said about changed cells also holds for cells whose terrain cost has changed.

use crate::geometry::units::{Cost, Units};
use crate::geometry::{Cell, CellId, Dir};
use crate::grid::Grid;
use crate::kernels::fares::{Fares, Plain, with_fares_of};
use crate::kernels::widths::Overflow;
use crate::services::field::labels::{Labels, Task, price, spread};
use crate::services::field::queue::{Buckets, Order};

/// Costs are repaired if less than one cell in this many has lost its cost. Measured against 3 and 1: no difference at
/// the median.
const FEW: usize = 8;

impl<U: Units> Labels<U> {
    /// Updates the costs on a map where some cells have changed.
    pub(super) fn repair(&mut self, task: Task<'_>, changed: &[Cell]) -> Result<(), Overflow> {
        self.touch(task.grid, changed);
        let is_repaired = match task.grid.ground() {
            None => {
                let mut queue = std::mem::take(&mut self.queue);
                let repaired = self.repair_in(&mut queue, &Plain, task);
                self.queue = queue;
                repaired
            }
            Some(ground) => self.with_ring(ground, |labels, ring| {
                let is_repaired = with_fares_of!(task.grid, ground, task.orientation.is_back(), fares => {
                    labels.repair_in(ring, &fares, task)
                });
                // A cell whose cost cannot be counted was not offered any.
                let has_none = |&id: &u32| labels.cost(CellId(id)).is_none();
                labels.is_cut |= labels.lost.iter().chain(&labels.touched).any(has_none);
                labels.update_is_cut(ring, task.grid);
                is_repaired
            }),
        };
        if is_repaired? { Ok(()) } else { self.fill(task) }
    }

    /// Repairs the costs if few change. Returns whether it did.
    fn repair_in(
        &mut self,
        queue: &mut impl Order<U>,
        fares: &impl Fares<U>,
        task: Task<'_>,
    ) -> Result<bool, Overflow> {
        let grid = task.grid;
        if !self.drop_unsupported(queue, fares, grid)? {
            return Ok(false);
        }
        let Some(limit) = self.limit else { return Ok(true) };
        self.offer(queue, fares, task, limit);
        spread::<U, false>(&mut self.costs, queue, fares, grid, limit)?;
        Ok(true)
    }

    /// Collects the cells within a step of the changed ones.
    fn touch(&mut self, grid: &Grid, changed: &[Cell]) {
        self.touched.clear();
        for &cell in changed {
            let around = Dir::ALL.into_iter().map(|dir| dir.step(cell, 1)).chain([cell]);
            self.touched.extend(around.filter(|&cell| grid.contains(cell)).map(|cell| grid.id(cell).0));
        }
        self.touched.sort_unstable();
        self.touched.dedup();
    }

    /// Removes the costs of cells that no neighbour supports, and collects these cells. Gives up and returns `false` if
    /// there are too many.
    fn drop_unsupported(
        &mut self,
        queue: &mut impl Order<U>,
        fares: &impl Fares<U>,
        grid: &Grid,
    ) -> Result<bool, Overflow> {
        self.lost.clear();
        queue.clear();
        for &id in &self.touched {
            if let Some(cost) = self.cost(CellId(id)) {
                queue.seed(cost, id);
            }
        }
        queue.begin();
        let steps = grid.id_steps();
        while queue.advance()? {
            if self.lost.len() > self.reached / FEW {
                return Ok(false);
            }
            let mut buckets = queue.buckets();
            for &id in buckets.now() {
                let cost = self.costs[id as usize];
                if !buckets.holds(cost) || is_supported::<U>(&self.costs, fares, grid, CellId(id)) {
                    continue;
                }
                self.costs[id as usize] = U::Cost::MAX;
                self.lost.push(id);
                for dir in grid.moves_of(CellId(id)) {
                    let to = id.wrapping_add(steps[dir as usize]);
                    let through = cost + fares.price(id, dir, price::<U>(dir));
                    if self.costs[to as usize] == through {
                        buckets.push(through, to);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Gives cells the least cost that a neighbour offers, if that is lower than theirs.
    fn offer(
        &mut self,
        queue: &mut impl Order<U>,
        fares: &impl Fares<U>,
        Task { grid, goals, .. }: Task<'_>,
        limit: U::Cost,
    ) {
        queue.clear();
        self.seed_goals(queue, grid, goals);
        for &id in self.lost.iter().chain(&self.touched) {
            let least = offers::<U>(&self.costs, fares, grid, CellId(id)).min();
            if let Some(cost) = least.filter(|&cost| cost < self.costs[id as usize] && cost <= limit) {
                self.costs[id as usize] = cost;
                queue.seed(cost, id);
            }
        }
        queue.begin();
    }
}

/// Whether a cell with a cost is a goal, or some neighbour's cost plus the move from there is the same.
fn is_supported<U: Units>(costs: &[U::Cost], fares: &impl Fares<U>, grid: &Grid, id: CellId) -> bool {
    let cost = costs[id.index()];
    if cost == U::Cost::default() {
        return grid.is_free(grid.cell(id));
    }
    offers::<U>(costs, fares, grid, id).any(|offer| offer == cost)
}

/// The costs of a cell through each neighbour that has a cost.
fn offers<U: Units>(
    costs: &[U::Cost],
    fares: &impl Fares<U>,
    grid: &Grid,
    id: CellId,
) -> impl Iterator<Item = U::Cost> {
    let steps = grid.id_steps();
    grid.moves_of(id).into_iter().filter_map(move |dir| {
        let from = id.0.wrapping_add(steps[dir as usize]);
        let cost = costs[from as usize];
        (cost != U::Cost::MAX).then(|| cost + fares.price(from, dir.opposite(), price::<U>(dir)))
    })
}
