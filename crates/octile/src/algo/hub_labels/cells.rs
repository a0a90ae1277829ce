//! What every cell knows: the subgoals that it reaches directly, its connections, and which links in their labels it needs.
//!
//! A cell could have a label of its own, but those of all cells are a hundred megabytes. The label of a cell is a choice of the links in
//! the labels of its connections, so a record has a place for each: which connection, and which of its links.
//!
//! **Which links.** A hub costs a cell the least that it takes over any connection. Going through the hubs by rank, one is left
//! out if a hub that was kept, and is in its label, leads there at no more cost. For the first hub on *all* shortest paths of
//! two cells no hub before it does, so that both keep it, and at the exact cost. Links of a connection to itself are
//! never written down.
//!
//! **Blocks.** Neighbours have much the same connections. A block of 8 x 8 cells has a list of those of all its cells, the most used
//! first, and a cell a mask over it. So most records are small, and many are the same: these are kept once.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::labels::Labelling;
use super::limits::{Limits, Unsuited};
use crate::algo::subgoals::Subgoals;
use crate::algo::subgoals::cost::{INFINITE, Link};
use crate::geometry::Cell;
use crate::search::{Progress, Watch};

/// Cells of a side of a block.
pub(super) const BLOCK: u32 = 8;

/// About so many blocks are looked at to tell what all take; an odd number, as maps have patterns of even ones.
const SAMPLED_BLOCKS: u64 = 97;

/// Blocked cells have no record.
pub(super) const NO_RECORD: u32 = u32::MAX;

/// Set in the first number of a record whose places take two numbers each.
pub(super) const WIDE: u16 = 1 << 15;

/// The largest number in places that take one number; less in tests, so that small maps have records of both kinds.
const MOST_NARROW: u32 = if cfg!(test) { 5 } else { 0xff };

/// The labels of subgoals, which are numbered by rank.
pub(super) struct Ranked<'a> {
    pub(super) subgoals: &'a Subgoals<'a>,
    /// For each subgoal, by its old number, its rank.
    ranks: Vec<u32>,
    /// Where the label of each begins in `links`, and where the last one ends.
    pub(super) first: Vec<u32>,
    pub(super) links: Vec<Link>,
}

impl<'a> Ranked<'a> {
    pub(super) fn new(subgoals: &'a Subgoals<'a>, labelling: &Labelling) -> Self {
        let mut ranks = vec![0; subgoals.len()];
        let (mut first, mut links) = (vec![0], Vec::with_capacity(labelling.trees.len()));
        for (rank, &subgoal) in labelling.order.iter().enumerate() {
            ranks[subgoal as usize] = rank as u32;
            links.extend_from_slice(&labelling.labels[subgoal as usize]);
            first.push(links.len() as u32);
        }
        Self { subgoals, ranks, first, links }
    }

    /// The label of a subgoal but for the link to itself.
    #[inline]
    fn label(&self, rank: usize) -> &[Link] {
        &self.links[self.first[rank] as usize..self.first[rank + 1] as usize - 1]
    }
}

/// The records of all cells.
#[derive(Default)]
pub(super) struct Records {
    /// For each cell, row by row, where its record begins; [`NO_RECORD`] for blocked ones.
    pub(super) cells: Vec<u32>,
    /// The records: how many places, the mask, the places.
    pub(super) numbers: Vec<u16>,
    /// For each block, row by row, where its list begins in `connections`.
    pub(super) blocks: Vec<u32>,
    /// For each block how many connections it has, and these.
    pub(super) connections: Vec<u32>,
}

impl Records {
    /// Makes the records, over all cores if the feature `rayon` is on: the same ones in any case.
    pub(super) fn new(labels: &Ranked, limits: &Limits, watch: Watch) -> Result<Self, Unsuited> {
        let grid = labels.subgoals.grid();
        let rows = grid.height().div_ceil(BLOCK);
        let [steps, numbers, done] = [const { AtomicU64::new(0) }; 3];
        let links = labels.links.len() as u64;
        let check = || limits.check_cells(steps.load(Ordering::Relaxed), numbers.load(Ordering::Relaxed), links);
        let (forecast_steps, forecast_numbers) = Worker::new(labels).forecast();
        limits.check_cells(forecast_steps, forecast_numbers, links)?;
        let workers = Mutex::new(Vec::new());
        let lock = || workers.lock().unwrap_or_else(PoisonError::into_inner);
        let make = |row: u32| {
            // If it is too much it is refused whichever rows are left out.
            if check().is_err() {
                return RowOfBlocks::default();
            }
            let idle = lock().pop();
            let mut worker = idle.unwrap_or_else(|| Worker::new(labels));
            let made = worker.row(row);
            steps.fetch_add(std::mem::take(&mut worker.steps), Ordering::Relaxed);
            numbers.fetch_add(made.size(), Ordering::Relaxed);
            lock().push(worker);
            watch(Progress { stage: "cells", done: done.fetch_add(1, Ordering::Relaxed) + 1, all: rows.into() });
            made
        };
        #[cfg(feature = "rayon")]
        let rows: Vec<RowOfBlocks> = {
            use rayon::prelude::*;
            (0..rows).into_par_iter().map(make).collect()
        };
        #[cfg(not(feature = "rayon"))]
        let rows: Vec<RowOfBlocks> = (0..rows).map(make).collect();
        check()?;
        Self::join(labels, &rows)
    }

    /// Puts rows of blocks together. Records that are the same are kept once.
    fn join(labels: &Ranked, rows: &[RowOfBlocks]) -> Result<Self, Unsuited> {
        let grid = labels.subgoals.grid();
        let mut all = Self { cells: vec![NO_RECORD; (grid.width() * grid.height()) as usize], ..Self::default() };
        let mut known: HashMap<&[u16], u32> = HashMap::new();
        for row in rows {
            if row.is_too_wide {
                return Err(Unsuited::Records);
            }
            let base = all.connections.len() as u32;
            all.blocks.extend(row.blocks.iter().map(|start| base + start));
            all.connections.extend_from_slice(&row.connections);
            let mut start = 0;
            for &(cell, end) in &row.cells {
                let record = &row.records[start..end as usize];
                start = end as usize;
                let place = *known.entry(record).or_insert_with(|| {
                    all.numbers.extend_from_slice(record);
                    (all.numbers.len() - record.len()) as u32
                });
                all.cells[(cell.y * grid.width() + cell.x) as usize] = place;
            }
        }
        Ok(all)
    }
}

/// The records of a row of blocks.
#[derive(Default)]
struct RowOfBlocks {
    /// Each free cell with the end of its record.
    cells: Vec<(Cell, u32)>,
    records: Vec<u16>,
    blocks: Vec<u32>,
    connections: Vec<u32>,
    /// Whether something does not fit into a record.
    is_too_wide: bool,
}

impl RowOfBlocks {
    /// How many numbers of 16 bits it has.
    fn size(&self) -> u64 {
        (self.records.len() + 2 * self.connections.len()) as u64
    }
}

/// Makes records: one per thread.
struct Worker<'a> {
    labels: &'a Ranked<'a>,
    /// For each hub what it costs from the cell.
    costs: Vec<u64>,
    /// For each hub its place: which connection, and which link in the label of that.
    places: Vec<[u32; 2]>,
    hubs: Vec<u32>,
    direct: Vec<Link>,
    /// How often the connections of a block are used.
    uses: Vec<u32>,
    /// Their numbers in its list.
    numbers: Vec<u32>,
    block: Block,
    /// Links looked at, and steps on the way to connections.
    steps: u64,
}

/// What the cells of a block know.
#[derive(Default)]
struct Block {
    cells: Vec<CellLabel>,
    /// By rank.
    connections: Vec<u32>,
    places: Vec<[u32; 2]>,
}

/// Which of the connections and places of a block are those of a cell.
struct CellLabel {
    cell: Cell,
    connections: Range<usize>,
    places: Range<usize>,
}

impl Block {
    fn clear(&mut self) {
        self.cells.clear();
        self.connections.clear();
        self.places.clear();
    }

    /// Each cell with its connections and places.
    fn iter(&self) -> impl Iterator<Item = (Cell, &[u32], &[[u32; 2]])> {
        let parts = |label: &CellLabel| {
            (label.cell, &self.connections[label.connections.clone()], &self.places[label.places.clone()])
        };
        self.cells.iter().map(parts)
    }
}

impl<'a> Worker<'a> {
    fn new(labels: &'a Ranked<'a>) -> Self {
        let count = labels.subgoals.len();
        Self {
            labels,
            costs: vec![INFINITE; count],
            places: vec![[0; 2]; count],
            hubs: Vec::new(),
            direct: Vec::new(),
            uses: vec![0; count],
            numbers: vec![0; count],
            block: Block::default(),
            steps: 0,
        }
    }

    /// The steps and numbers that all records take, by the look of some blocks.
    fn forecast(&mut self) -> (u64, u64) {
        let grid = self.labels.subgoals.grid();
        let (columns, rows) = (grid.width().div_ceil(BLOCK), grid.height().div_ceil(BLOCK));
        let blocks = u64::from(columns) * u64::from(rows);
        let mut out = RowOfBlocks::default();
        let apart = blocks / SAMPLED_BLOCKS + 1;
        for block in (0..blocks).step_by(apart as usize) {
            self.block((block % u64::from(columns)) as u32, (block / u64::from(columns)) as u32, &mut out);
        }
        (std::mem::take(&mut self.steps) * apart, out.size() * apart)
    }

    fn row(&mut self, row: u32) -> RowOfBlocks {
        let mut out = RowOfBlocks::default();
        for column in 0..self.labels.subgoals.grid().width().div_ceil(BLOCK) {
            self.block(column, row, &mut out);
        }
        out
    }

    fn block(&mut self, column: u32, row: u32, out: &mut RowOfBlocks) {
        let grid = self.labels.subgoals.grid();
        self.block.clear();
        for y in row * BLOCK..grid.height().min((row + 1) * BLOCK) {
            for cell in (column * BLOCK..grid.width().min((column + 1) * BLOCK)).map(|x| Cell::new(x, y)) {
                if grid.is_free(cell) {
                    self.label(cell);
                }
            }
        }
        self.write(out);
    }

    /// Adds the connections of a cell and the links that it needs to the block.
    fn label(&mut self, cell: Cell) {
        let Self { labels, costs, places, hubs, direct, block, steps, .. } = self;
        let id = labels.subgoals.grid().id(cell);
        let (first_connection, first_place) = (block.connections.len(), block.places.len());
        match labels.subgoals.at(id) {
            Some(subgoal) => {
                direct.clear();
                direct.push(Link::new(0, subgoal));
            }
            None => *steps += labels.subgoals.direct(id, direct),
        }
        for (connection, hop) in direct.iter_mut().enumerate() {
            let rank = labels.ranks[hop.subgoal()];
            block.connections.push(rank);
            *hop = Link::new(hop.cost(), rank);
            if costs[rank as usize] == INFINITE {
                hubs.push(rank);
            }
            // Not to be written down: the connection itself, unless there is a shorter way.
            if hop.cost() <= costs[rank as usize] {
                costs[rank as usize] = hop.cost();
                places[rank as usize] = [u32::MAX; 2];
            }
            let label = labels.label(rank as usize);
            *steps += label.len() as u64;
            for (place, link) in label.iter().enumerate() {
                let (hub, cost) = (link.subgoal(), hop.cost() + link.cost());
                if cost < costs[hub] {
                    if costs[hub] == INFINITE {
                        hubs.push(hub as u32);
                    }
                    costs[hub] = cost;
                    places[hub] = [connection as u32, place as u32];
                }
            }
        }
        hubs.sort_unstable();
        for &hub in &*hubs {
            let (cost, place) = (costs[hub as usize], places[hub as usize]);
            if place[0] == u32::MAX {
                continue;
            }
            let label = labels.label(hub as usize);
            let other = label.iter().position(|link| costs[link.subgoal()] + link.cost() <= cost);
            *steps += other.unwrap_or(label.len()) as u64;
            if other.is_some() {
                costs[hub as usize] = INFINITE;
            } else {
                block.places.push(place);
            }
        }
        for hub in hubs.drain(..) {
            costs[hub as usize] = INFINITE;
        }
        block.cells.push(CellLabel {
            cell,
            connections: first_connection..block.connections.len(),
            places: first_place..block.places.len(),
        });
    }

    /// Writes the block.
    fn write(&mut self, out: &mut RowOfBlocks) {
        let Self { uses, numbers, block, .. } = self;
        let mut list: Vec<u32> = Vec::new();
        for (_, connections, places) in block.iter() {
            for &connection in connections {
                if uses[connection as usize] == 0 {
                    list.push(connection);
                    uses[connection as usize] = 1;
                }
            }
            for &[connection, _] in places {
                uses[connections[connection as usize] as usize] += 1;
            }
        }
        list.sort_unstable_by_key(|&connection| (std::cmp::Reverse(uses[connection as usize]), connection));
        for (number, &connection) in (0..).zip(&list) {
            numbers[connection as usize] = number;
            uses[connection as usize] = 0;
        }
        out.blocks.push(out.connections.len() as u32);
        out.connections.push(list.len() as u32);
        out.connections.extend_from_slice(&list);
        for (cell, connections, places) in block.iter() {
            let start = out.records.len();
            out.records.push(0);
            out.records.resize(start + 1 + list.len().div_ceil(16), 0);
            let mask = &mut out.records[start + 1..];
            for number in connections.iter().map(|&connection| numbers[connection as usize]) {
                mask[number as usize / 16] |= 1 << (number % 16);
            }
            // The query goes through the connections in the order of the mask.
            let mut sorted: Vec<u32> = connections.iter().map(|&connection| numbers[connection as usize]).collect();
            sorted.sort_unstable();
            let written = places.iter().map(|&[connection, place]| {
                let number = numbers[connections[connection as usize] as usize];
                [sorted.partition_point(|&other| other < number) as u32, place]
            });
            let largest = written.clone().flatten().max().unwrap_or_default();
            let is_wide = largest > MOST_NARROW;
            out.is_too_wide |= largest > 0xffff || places.len() >= WIDE.into();
            out.records[start] = places.len() as u16 | if is_wide { WIDE } else { 0 };
            for [connection, place] in written {
                if is_wide {
                    out.records.extend([connection as u16, place as u16]);
                } else {
                    out.records.push(connection as u16 | (place as u16) << 8);
                }
            }
            out.cells.push((cell, out.records.len() as u32));
        }
    }
}
