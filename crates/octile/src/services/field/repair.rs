//! Costs that follow a change of the map, after Ramalingam & Reps, "An Incremental Algorithm for a Generalization of
//! the Shortest-Path Problem" (1996).
//!
//! 1. Cells within a step of a changed one, and then all that lose a neighbour that they may have depended on, are
//!    looked at in order of their old costs. One that no neighbour supports any more, whose cost is not that of a
//!    neighbour and the move from there, loses its own. Supports are cheaper by a move, so that they lie in earlier
//!    [buckets](super::queue) and have been looked at before.
//! 2. Cells without a cost, and those within a step of a changed one, get the least that their neighbours offer.
//! 3. What has become cheaper is spread, as in a search from the goals.
//!
//! Where many cells lose their costs, a search from the goals is faster than the rest of this.
//!
//! Costs that are left after the first step are those of ways that still exist, so that none is too low; after the
//! third no move makes any cost lower. So they are the shortest, as those of a field made anew.
//!
//! A price changes the moves that touch its cell. Both ends of these lie within a step of it, so that all that is said
//! of changed cells holds of cells whose price has changed as well.

use crate::geometry::units::{Cost, Units};
use crate::geometry::{Cell, CellId, Dir};
use crate::grid::Grid;
use crate::kernels::fares::{Fares, Plain, with_fares_of};
use crate::kernels::widths::Overflow;
use crate::services::field::labels::{Labels, Task, price, spread};
use crate::services::field::queue::{Buckets, Order};

/// Costs are repaired if less than one in so many cells has lost its own. Measured against 3 and 1: all alike at the
/// median.
const FEW: usize = 8;

impl<U: Units> Labels<U> {
    /// Finds the costs on a map where some cells have changed.
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
                let is_repaired = with_fares_of!(task.grid, ground, task.ways.is_back(), fares => {
                    labels.repair_in(ring, &fares, task)
                });
                // One that is too dear was not offered anything.
                let has_none = |&id: &u32| labels.cost(CellId(id)).is_none();
                labels.is_cut |= labels.lost.iter().chain(&labels.touched).any(has_none);
                labels.look_for_cuts(ring, task.grid);
                is_repaired
            }),
        };
        if is_repaired? { Ok(()) } else { self.fill(task) }
    }

    /// Finds the costs again if few change; gives whether it has.
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

    /// Notes the cells within a step of those that changed.
    fn touch(&mut self, grid: &Grid, changed: &[Cell]) {
        self.touched.clear();
        for &cell in changed {
            let around = Dir::ALL.into_iter().map(|dir| dir.step(cell, 1)).chain([cell]);
            self.touched.extend(around.filter(|&cell| grid.contains(cell)).map(|cell| grid.id(cell).0));
        }
        self.touched.sort_unstable();
        self.touched.dedup();
    }

    /// Takes their costs from the cells that no neighbour supports, and notes them. Gives up, and returns `false`, if
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

    /// Gives cells the least cost that a neighbour offers, if that is less than they have.
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

/// Whether a cell with a cost is a goal, or some neighbour's cost and the move from there are the same.
fn is_supported<U: Units>(costs: &[U::Cost], fares: &impl Fares<U>, grid: &Grid, id: CellId) -> bool {
    let cost = costs[id.index()];
    if cost == U::Cost::default() {
        return grid.is_free(grid.cell(id));
    }
    offers::<U>(costs, fares, grid, id).any(|offer| offer == cost)
}

/// The costs of a cell by way of each neighbour that has one.
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
