//! The table of the core: the cost between any two of its nodes.
//!
//! The table is made without searches. The nodes are eliminated one after the other, the one with the fewest neighbours
//! first: its neighbours get arcs to each other that cost no more than the path through it. Then the nodes are added
//! back in the reverse order. Each has arcs to nodes that are already back, and **the path from it to any of them
//! begins with one of these arcs**: so its row of the table is the minimum of their rows, each with the cost of the arc
//! added. This takes long sums of rows, which vector instructions do eight numbers at a time.

use crate::geometry::units::{Cost, Narrow, Units};
use crate::kernels::vectors::vectorized;
use crate::planner::{Progress, Watch};

/// The cost between nodes that are not connected. Adding a cost to it does not overflow.
const UNREACHED: u32 = <u32 as Cost>::INFINITE;

/// The sizes of a block of the table that is filled at a time.
const ROWS: usize = 32;
const COLUMNS: usize = 512;

/// Vector instructions add this many numbers at a time.
const LANES: usize = 8;

/// A square matrix of costs.
struct Square {
    side: usize,
    numbers: Vec<u32>,
}

impl Square {
    fn new(side: usize) -> Self {
        Self { side, numbers: vec![UNREACHED; side * side] }
    }

    #[inline]
    fn row(&self, row: usize) -> &[u32] {
        &self.numbers[row * self.side..(row + 1) * self.side]
    }

    /// Sets a cost in both directions.
    #[inline]
    fn set(&mut self, a: usize, b: usize, cost: u32) {
        self.numbers[a * self.side + b] = cost;
        self.numbers[b * self.side + a] = cost;
    }
}

/// The number of entries in the table of a core with this many nodes.
pub(super) const fn entries(nodes: u64) -> u64 {
    nodes * nodes.saturating_sub(1) / 2
}

/// The index of the entry for two different nodes.
#[inline]
pub(super) fn place(a: u64, b: u64) -> u64 {
    entries(a.max(b)) + a.min(b)
}

/// Makes the table of a graph with these arcs, each given from at least one end. It is half a square matrix: the row of
/// each node has the columns of the nodes before it. Uses all cores if the feature `rayon` is on; the result does not
/// depend on it. `check` gets the steps so far, and may end the work with an error.
pub(super) fn table<E>(
    nodes: usize,
    arcs: impl Iterator<Item = (u32, u32, u32)>,
    check: impl Fn(u64) -> Result<(), E>,
    watch: Watch,
) -> Result<Vec<u32>, E> {
    check(0)?;
    let mut square = Square::new(nodes);
    for (from, to, cost) in arcs {
        square.set(from as usize, to as usize, cost);
    }
    let Eliminated { order, above, steps } = eliminate(&mut square, &check)?;
    square.numbers.fill(UNREACHED);
    fill(&mut square, &above, || check(steps), watch)?;
    // The position of each node in the square.
    let mut positions = vec![0; nodes];
    for (position, &node) in order.iter().enumerate() {
        positions[node as usize] = position;
    }
    let mut table = Vec::with_capacity(entries(nodes as u64) as usize);
    for node in 0..nodes {
        let row = square.row(positions[node]);
        table.extend(positions[..node].iter().map(|&position| row[position]));
    }
    Ok(table)
}

/// The nodes of a graph in the order in which they are added back.
struct Eliminated {
    order: Vec<u32>,
    /// For each of them, its arcs to nodes before it: their positions in the order, and the costs.
    above: Vec<Vec<(u32, u32)>>,
    /// The steps of elimination and of filling the table.
    steps: u64,
}

fn eliminate<E>(square: &mut Square, check: impl Fn(u64) -> Result<(), E>) -> Result<Eliminated, E> {
    let nodes = square.side;
    let mut steps = 0;
    let mut is_left = vec![true; nodes];
    let mut degrees: Vec<usize> =
        (0..nodes).map(|node| square.row(node).iter().filter(|&&cost| cost < UNREACHED).count()).collect();
    let (mut order, mut above) = (Vec::with_capacity(nodes), Vec::with_capacity(nodes));
    while let Some(node) = (0..nodes).filter(|&node| is_left[node]).min_by_key(|&node| degrees[node]) {
        is_left[node] = false;
        let around = square.row(node).iter().enumerate();
        let around: Vec<(u32, u32)> = around
            .filter(|&(other, &cost)| is_left[other] && cost < UNREACHED)
            .map(|(other, &cost)| (other as u32, cost))
            .collect();
        for (i, &(a, cost)) in around.iter().enumerate() {
            let a = a as usize;
            degrees[a] -= 1;
            for &(b, more) in &around[..i] {
                let (b, cost) = (b as usize, cost + more);
                let before = square.row(a)[b];
                // A longer arc is on no shortest path.
                if cost < before && cost < Narrow::LIMIT {
                    square.set(a, b, cost);
                    if before == UNREACHED {
                        degrees[a] += 1;
                        degrees[b] += 1;
                    }
                }
            }
        }
        // Steps for the pairs of neighbours now, and for a part of a row per neighbour when the node is added back.
        let (neighbours, left) = (around.len(), nodes - order.len());
        steps += (neighbours * neighbours / 2 + neighbours * left / LANES) as u64;
        check(steps)?;
        order.push(node as u32);
        above.push(around);
    }
    order.reverse();
    above.reverse();
    let mut positions = vec![0; nodes];
    for (position, &node) in order.iter().enumerate() {
        positions[node as usize] = position as u32;
    }
    above.iter_mut().flatten().for_each(|(node, _)| *node = positions[*node as usize]);
    Ok(Eliminated { order, above, steps })
}

/// Fills the square of nodes whose arcs lead to nodes before them, unless `check` ends it with an error.
fn fill<E>(
    square: &mut Square,
    above: &[Vec<(u32, u32)>],
    check: impl Fn() -> Result<(), E>,
    watch: Watch,
) -> Result<(), E> {
    for first in (0..square.side).step_by(ROWS) {
        let rows = first..(first + ROWS).min(square.side);
        // The columns of nodes before the first of these rows. The row of any node that an arc leads to is finished, or
        // belongs to these rows and comes earlier.
        let starts: Vec<usize> = (0..first).step_by(COLUMNS).collect();
        let make = |&start: &usize| vectorized(|| columns(square, above, &rows, start..(start + COLUMNS).min(first)));
        #[cfg(feature = "rayon")]
        let made: Vec<Vec<u32>> = {
            use rayon::prelude::*;
            starts.par_iter().map(make).collect()
        };
        #[cfg(not(feature = "rayon"))]
        let made: Vec<Vec<u32>> = starts.iter().map(make).collect();
        for (&start, made) in starts.iter().zip(&made) {
            let width = made.len() / rows.len();
            for (row, costs) in rows.clone().zip(made.chunks(width)) {
                costs.iter().enumerate().for_each(|(column, &cost)| square.set(row, start + column, cost));
            }
        }
        // The costs between nodes of these rows.
        for row in rows.clone() {
            square.set(row, row, 0);
            for column in first..row {
                let through = |&(node, cost): &(u32, u32)| cost + square.row(node as usize)[column];
                let least = above[row].iter().map(through).min().unwrap_or(UNREACHED);
                square.set(row, column, least.min(UNREACHED));
            }
        }
        watch(Progress::new("rows", rows.end as u64, square.side as u64));
        check()?;
    }
    Ok(())
}

/// Computes some columns of some rows, row by row.
#[expect(clippy::inline_always, reason = "only inlined code is compiled for the newer processor")]
#[inline(always)]
fn columns(
    square: &Square,
    above: &[Vec<(u32, u32)>],
    rows: &std::ops::Range<usize>,
    columns: std::ops::Range<usize>,
) -> Vec<u32> {
    let width = columns.len();
    let mut made = vec![UNREACHED; rows.len() * width];
    for (i, row) in rows.clone().enumerate() {
        let (before, rest) = made.split_at_mut(i * width);
        let least = &mut rest[..width];
        for &(node, cost) in &above[row] {
            let node = node as usize;
            let from = match node.checked_sub(rows.start) {
                Some(earlier) => &before[earlier * width..(earlier + 1) * width],
                None => &square.row(node)[columns.clone()],
            };
            for (least, &more) in least.iter_mut().zip(from) {
                *least = (*least).min(cost + more);
            }
        }
    }
    made
}
