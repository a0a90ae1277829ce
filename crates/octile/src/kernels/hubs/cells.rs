//! Per-cell data: the sites that a cell is connected to, and the links of their labels that the cell needs.
//!
//! A cell could have its own label, but the labels of all cells would take a hundred megabytes. The label of a cell is
//! a selection of the links in the labels of its connections. So a record stores an index for each link: which
//! connection, and which of its links.
//!
//! **Which links.** The cost from a cell to a hub is the minimum over its connections. A hub is left out if another hub
//! in its label gives a route there at no higher cost: that other hub has a better rank, and lies on a path from the
//! cell that is no longer. The first hub on *all* shortest paths between two cells cannot be left out this way, so both
//! cells keep it, with its exact cost. The link of a connection to itself is never stored.
//!
//! A link can be skipped if it begins with a hop to another connection of the cell: going there directly is no longer,
//! and the label of that connection has a link to the same hub. It can also be skipped if no shortest path takes that
//! hop from the cell ([`Connect::may_lead`]). Links are grouped by their first hops, and most groups are skipped this
//! way.
//!
//! **Blocks.** Neighbouring cells have similar connections. A block of 8 x 8 cells has one list of the connections of
//! all its cells, the most used first, and each cell has a mask over it. So most records are small, and many are
//! identical: identical records are stored once.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use xxhash_rust::xxh3::xxh3_64;

use super::labels::Labelling;
use super::limits::{CELL_STEPS, Limits, Unsuited};
use crate::geometry::{Cell, order};
use crate::grid::Grid;
use crate::kernels::ds::link::Link;
use crate::kernels::workers::Workers;
use crate::planner::{Progress, Watch};

/// The side of a block in cells.
pub(super) const BLOCK: u32 = 8;

/// Estimates sample about this many blocks. The number is odd because maps have patterns with even periods.
const SAMPLED_BLOCKS: u64 = 97;

/// The record of a blocked cell.
pub(crate) const NO_RECORD: u32 = u32::MAX;

/// Marks a hub that is not stored.
const NOT_STORED: u32 = u32::MAX;

/// A byte of this value adds its value to that of the next byte. It is smaller in tests, so that small maps have it
/// too.
pub(crate) const MORE: u8 = if cfg!(test) { 5 } else { 0xff };

/// Finds the connections of the cells of a map. Sites are numbered by rank. One per thread.
pub(crate) trait Connect<const BITS: u32> {
    /// Finds the sites that shortest paths from a free cell reach first, whatever their goal: each site once, with the
    /// cost to get there. Returns the number of steps.
    fn connect(&mut self, cell: Cell, found: &mut Vec<Link<BITS>>) -> u64;

    /// Whether a shortest path may go from a cell through one of its connections to the site `next`. If not, links that
    /// begin this way are left out.
    fn may_lead(&self, cell: Cell, connection: u32, next: u32) -> bool;
}

/// The labels of sites, numbered by rank.
pub(crate) struct Ranked<const BITS: u32> {
    /// The rank of each site, indexed by its number in the graph.
    pub(crate) ranks: Vec<u32>,
    /// The index in `links` where each label begins, and the end of the last one.
    pub(super) first: Vec<u32>,
    pub(super) links: Vec<Link<BITS>>,
    /// The links except those from sites to themselves, each with its index in the label, grouped by the next site on
    /// the path.
    grouped: Vec<(Link<BITS>, u32)>,
    groups: Vec<Group>,
    /// The index in `groups` where the groups of each site begin, and the end of the last ones.
    first_group: Vec<u32>,
}

/// The links of a label that begin with the same hop.
struct Group {
    /// The site the hop leads to.
    parent: u32,
    /// The range of the links in `grouped`.
    first: u32,
    end: u32,
}

impl<const BITS: u32> Ranked<BITS> {
    pub(crate) fn new(labelling: &Labelling<BITS>) -> Self {
        let mut labels = Self::begin(labelling);
        labels.group(labelling, usize::MAX);
        labels
    }

    /// As [`new`](Ranked::new), but does not [group](Ranked::group) the links.
    pub(crate) fn begin(labelling: &Labelling<BITS>) -> Self {
        let mut ranks = vec![0; labelling.order.len()];
        let (mut first, mut links) = (vec![0], Vec::with_capacity(labelling.trees.len()));
        for (rank, &site) in labelling.order.iter().enumerate() {
            ranks[site as usize] = rank as u32;
            links.extend_from_slice(&labelling.labels[site as usize]);
            first.push(links.len() as u32);
        }
        Self { ranks, first, links, grouped: Vec::new(), groups: Vec::new(), first_group: vec![0] }
    }

    /// Groups the links of the next sites, about `links` of them. Returns whether all are grouped.
    pub(crate) fn group(&mut self, labelling: &Labelling<BITS>, links: usize) -> bool {
        let mut hops: Vec<(u32, u32)> = Vec::new();
        let first = self.first_group.len() - 1;
        let until = (self.first[first] as usize).saturating_add(links);
        for (rank, &site) in labelling.order.iter().enumerate().skip(first) {
            if self.first[rank] as usize >= until {
                return false;
            }
            let positions = &labelling.places[site as usize];
            hops.clear();
            for (position, &at) in (0..).zip(&positions[..positions.len() - 1]) {
                let parent = at - labelling.trees[at as usize].up;
                hops.push((self.ranks[labelling.trees[parent as usize].site as usize], position));
            }
            order::sort(&mut hops);
            for group in hops.chunk_by(|a, b| a.0 == b.0) {
                let first = self.grouped.len() as u32;
                let label = &self.links[self.first[rank] as usize..];
                self.grouped.extend(group.iter().map(|&(_, position)| (label[position as usize], position)));
                self.groups.push(Group { parent: group[0].0, first, end: self.grouped.len() as u32 });
            }
            self.first_group.push(self.groups.len() as u32);
        }
        true
    }

    fn groups_of(&self, rank: usize) -> &[Group] {
        &self.groups[self.first_group[rank] as usize..self.first_group[rank + 1] as usize]
    }

    /// The label of a site without the link to itself.
    #[inline]
    fn label(&self, rank: usize) -> &[Link<BITS>] {
        &self.links[self.first[rank] as usize..self.first[rank + 1] as usize - 1]
    }
}

/// The records of all cells.
#[derive(Default)]
pub(crate) struct Records {
    /// The offset of each cell's record, row by row; [`NO_RECORD`] for blocked cells.
    pub(crate) cells: Vec<u32>,
    /// The records.
    pub(crate) bytes: Vec<u8>,
    /// The index in `connections` of each block's list, row by row.
    pub(super) blocks: Vec<u32>,
    /// For each block, the number of its connections, then the connections.
    pub(super) connections: Vec<u32>,
}

impl Records {
    /// Makes the records, on all cores if the feature `rayon` is on. The result does not depend on it.
    pub(crate) fn new<C: Connect<BITS> + Send, const BITS: u32>(
        grid: &Grid,
        labels: &Ranked<BITS>,
        connect: impl Fn() -> C + Sync,
        limits: &Limits,
        watch: Watch,
    ) -> Result<Self, Unsuited> {
        let rows = grid.height().div_ceil(BLOCK);
        let [steps, bytes, done] = [const { AtomicU64::new(0) }; 3];
        let links = labels.links.len() as u64;
        let check = || limits.check_cells(steps.load(Ordering::Relaxed), bytes.load(Ordering::Relaxed), links);
        let create = || Worker::new(grid, labels, connect());
        let (steps_estimate, bytes_estimate) = create().estimate();
        limits.check_cells(steps_estimate, bytes_estimate, links)?;
        let make = |worker: &mut Worker<C, BITS>, row: u32| {
            // The build is over its budget and will fail, whichever rows are skipped.
            if check().is_err() {
                return BlockRow::default();
            }
            let made = worker.row(row);
            steps.fetch_add(std::mem::take(&mut worker.memory.steps), Ordering::Relaxed);
            bytes.fetch_add(made.size(), Ordering::Relaxed);
            watch(Progress { stage: "cells", done: done.fetch_add(1, Ordering::Relaxed) + 1, all: rows.into() });
            made
        };
        let all: Vec<u32> = (0..rows).collect();
        let rows = Workers::new().map(&all, create, make);
        check()?;
        let mut merged = MergedRecords::new(grid);
        for row in &rows {
            merged.add(row);
        }
        Ok(merged.records)
    }
}

/// Merges rows of blocks. Identical records are stored once.
struct MergedRecords {
    records: Records,
    /// The offset of the first record with each hash. A different record with the same hash is not shared.
    known: HashMap<u64, usize>,
    /// Cells in a row.
    width: u32,
}

impl MergedRecords {
    fn new(grid: &Grid) -> Self {
        let cells = vec![NO_RECORD; (grid.width() * grid.height()) as usize];
        Self { records: Records { cells, ..Records::default() }, known: HashMap::new(), width: grid.width() }
    }

    fn add(&mut self, row: &BlockRow) {
        let Self { records: all, known, width } = self;
        let base = all.connections.len() as u32;
        all.blocks.extend(row.blocks.iter().map(|start| base + start));
        all.connections.extend_from_slice(&row.connections);
        let mut start = 0;
        for &CellRecord { cell, end, hash } in &row.cells {
            let record = &row.records[start..end as usize];
            start = end as usize;
            let end = all.bytes.len();
            let mut position = *known.entry(hash).or_insert(end);
            if !all.bytes[position..].starts_with(record) {
                all.bytes.extend_from_slice(record);
                position = end;
            }
            all.cells[(cell.y * *width + cell.x) as usize] = position as u32;
        }
    }
}

/// Makes records slice by slice: the same as [`Records::new`].
pub(crate) struct Recorder<const BITS: u32> {
    memory: Memory<BITS>,
    merged: MergedRecords,
    /// The sampled blocks that the estimate is made from, then the blocks of the next row.
    row: BlockRow,
    /// The next block of all.
    block: u64,
    is_estimated: bool,
    steps: u64,
    bytes: u64,
}

impl<const BITS: u32> Recorder<BITS> {
    pub(crate) fn new(grid: &Grid, labels: &Ranked<BITS>) -> Self {
        let (memory, merged, row) = (Memory::new(labels.ranks.len()), MergedRecords::new(grid), BlockRow::default());
        Self { memory, merged, row, block: 0, is_estimated: false, steps: 0, bytes: 0 }
    }

    /// The number of finished blocks.
    pub(crate) fn blocks(&self) -> u64 {
        if self.is_estimated { self.block } else { 0 }
    }

    /// The number of blocks of a map.
    pub(crate) fn all(grid: &Grid) -> u64 {
        u64::from(grid.width().div_ceil(BLOCK)) * u64::from(grid.height().div_ceil(BLOCK))
    }

    /// Works for about `steps` steps. Returns whether all records are done.
    pub(crate) fn advance<C: Connect<BITS>>(
        &mut self,
        grid: &Grid,
        labels: &Ranked<BITS>,
        connect: C,
        limits: &Limits,
        steps: u64,
    ) -> Result<bool, Unsuited> {
        let memory = std::mem::replace(&mut self.memory, Memory::new(0));
        let mut worker = Worker { grid, labels, connect, memory };
        let done = self.work(&mut worker, limits, steps.saturating_mul(CELL_STEPS));
        self.memory = worker.memory;
        done
    }

    fn work<C: Connect<BITS>>(
        &mut self,
        worker: &mut Worker<'_, C, BITS>,
        limits: &Limits,
        steps: u64,
    ) -> Result<bool, Unsuited> {
        let (columns, links) = (u64::from(worker.grid.width().div_ceil(BLOCK)), worker.labels.links.len() as u64);
        let (all, first) = (Self::all(worker.grid), worker.memory.steps);
        let apart = all / SAMPLED_BLOCKS + 1;
        while self.block < all {
            if worker.memory.steps - first >= steps {
                return Ok(false);
            }
            worker.block((self.block % columns) as u32, (self.block / columns) as u32, &mut self.row);
            self.block += if self.is_estimated { 1 } else { apart };
            if self.is_estimated && self.block.is_multiple_of(columns) {
                self.merged.add(&self.row);
                self.bytes += std::mem::take(&mut self.row).size();
                self.steps += std::mem::take(&mut worker.memory.steps);
                limits.check_cells(self.steps, self.bytes, links)?;
                return Ok(self.block == all);
            }
            if !self.is_estimated && self.block >= all {
                let estimate = (std::mem::take(&mut worker.memory.steps), std::mem::take(&mut self.row).size());
                limits.check_cells(estimate.0 * apart, estimate.1 * apart, links)?;
                (self.is_estimated, self.block) = (true, 0);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The finished records.
    pub(crate) fn finish(self) -> Records {
        self.merged.records
    }
}

/// The records of a row of blocks.
#[derive(Default)]
struct BlockRow {
    /// The records of free cells.
    cells: Vec<CellRecord>,
    records: Vec<u8>,
    blocks: Vec<u32>,
    connections: Vec<u32>,
}

/// The end of a cell's record.
struct CellRecord {
    cell: Cell,
    end: u32,
    hash: u64,
}

impl BlockRow {
    /// The size in bytes.
    fn size(&self) -> u64 {
        (self.records.len() + size_of_val(&self.connections[..])) as u64
    }
}

/// Makes records. One per thread.
struct Worker<'a, C, const BITS: u32> {
    grid: &'a Grid,
    labels: &'a Ranked<BITS>,
    connect: C,
    memory: Memory<BITS>,
}

/// The scratch memory of a worker.
struct Memory<const BITS: u32> {
    /// The cost from the cell to each hub.
    costs: Vec<u64>,
    /// For each hub, the connection (by rank) and the index of the link in that connection's label.
    positions: Vec<[u32; 2]>,
    /// The sites marked with `mark` are connections of the cell.
    marks: Vec<u32>,
    mark: u32,
    hubs: Vec<u32>,
    /// The hubs whose links are needed.
    kept: Vec<u32>,
    /// For each hub, a link in its label to another hub that makes it unnecessary: the last one found in this block.
    hints: Vec<u32>,
    /// The hubs whose hint is not 0.
    hinted: Vec<u32>,
    connections: Vec<Link<BITS>>,
    /// How often each connection of a block is used.
    uses: Vec<u32>,
    /// The numbers of the connections in the block's list.
    numbers: Vec<u32>,
    chosen: Chosen,
    block: Block,
    /// Steps of finding connections, plus links examined.
    steps: u64,
}

/// The labels of the cells of a block.
#[derive(Default)]
struct Block {
    cells: Vec<CellLabel>,
    /// The connections of all cells, by rank.
    connections: Vec<u32>,
    positions: Vec<[u32; 2]>,
}

/// The ranges of a block's connections and links that belong to a cell.
struct CellLabel {
    cell: Cell,
    connections: Range<usize>,
    positions: Range<usize>,
}

impl Block {
    fn clear(&mut self) {
        self.cells.clear();
        self.connections.clear();
        self.positions.clear();
    }

    /// Each cell with its connections and links.
    fn iter(&self) -> impl Iterator<Item = (Cell, &[u32], &[[u32; 2]])> {
        let parts = |label: &CellLabel| {
            (label.cell, &self.connections[label.connections.clone()], &self.positions[label.positions.clone()])
        };
        self.cells.iter().map(parts)
    }
}

impl<const BITS: u32> Memory<BITS> {
    /// For `count` sites.
    fn new(count: usize) -> Self {
        Self {
            costs: vec![Link::<BITS>::INFINITE; count],
            positions: vec![[0; 2]; count],
            hubs: Vec::new(),
            kept: Vec::new(),
            hints: vec![0; count],
            hinted: Vec::new(),
            connections: Vec::new(),
            uses: vec![0; count],
            numbers: vec![0; count],
            chosen: Chosen::default(),
            marks: vec![0; count],
            mark: 0,
            block: Block::default(),
            steps: 0,
        }
    }
}

impl<'a, C: Connect<BITS>, const BITS: u32> Worker<'a, C, BITS> {
    const INFINITE: u64 = Link::<BITS>::INFINITE;

    fn new(grid: &'a Grid, labels: &'a Ranked<BITS>, connect: C) -> Self {
        Self { grid, labels, connect, memory: Memory::new(labels.ranks.len()) }
    }

    /// Estimates the steps and bytes of all records from a sample of blocks.
    fn estimate(&mut self) -> (u64, u64) {
        let (columns, rows) = (self.grid.width().div_ceil(BLOCK), self.grid.height().div_ceil(BLOCK));
        let blocks = u64::from(columns) * u64::from(rows);
        let mut out = BlockRow::default();
        let apart = blocks / SAMPLED_BLOCKS + 1;
        for block in (0..blocks).step_by(apart as usize) {
            self.block((block % u64::from(columns)) as u32, (block / u64::from(columns)) as u32, &mut out);
        }
        (std::mem::take(&mut self.memory.steps) * apart, out.size() * apart)
    }

    fn row(&mut self, row: u32) -> BlockRow {
        let mut out = BlockRow::default();
        for column in 0..self.grid.width().div_ceil(BLOCK) {
            self.block(column, row, &mut out);
        }
        out
    }

    fn block(&mut self, column: u32, row: u32, out: &mut BlockRow) {
        let grid = self.grid;
        self.memory.block.clear();
        for y in row * BLOCK..grid.height().min((row + 1) * BLOCK) {
            for cell in (column * BLOCK..grid.width().min((column + 1) * BLOCK)).map(|x| Cell::new(x, y)) {
                if grid.is_free(cell) {
                    self.label(cell);
                }
            }
        }
        let Memory { hinted, hints, .. } = &mut self.memory;
        for hub in hinted.drain(..) {
            hints[hub as usize] = 0;
        }
        self.memory.write(out);
    }

    /// Adds the connections of a cell and the links it needs to the block.
    fn label(&mut self, cell: Cell) {
        let (first_connection, first_position) =
            (self.memory.block.connections.len(), self.memory.block.positions.len());
        self.reach_connections(cell);
        self.reach_hubs(cell);
        self.memory.keep_hubs(self.labels);
        let Memory { hubs, costs, block, .. } = &mut self.memory;
        for hub in hubs.drain(..) {
            costs[hub as usize] = Self::INFINITE;
        }
        block.cells.push(CellLabel {
            cell,
            connections: first_connection..block.connections.len(),
            positions: first_position..block.positions.len(),
        });
    }

    fn reach_connections(&mut self, cell: Cell) {
        let memory = &mut self.memory;
        memory.steps += self.connect.connect(cell, &mut memory.connections);
        memory.mark += 1;
        for hop in &memory.connections {
            let rank = hop.to();
            memory.marks[rank] = memory.mark;
            memory.block.connections.push(rank as u32);
            // The connection itself is not stored.
            memory.hubs.push(rank as u32);
            memory.costs[rank] = hop.cost();
            memory.positions[rank] = [NOT_STORED; 2];
        }
    }

    /// Finds the costs of the hubs from the labels of the connections.
    fn reach_hubs(&mut self, cell: Cell) {
        let Self { labels, connect, memory, .. } = self;
        let Memory { costs, positions, marks, mark, hubs, connections, steps, .. } = memory;
        for hop in &*connections {
            let groups = labels.groups_of(hop.to());
            *steps += groups.len() as u64;
            for group in groups {
                // Skip if the cell reaches the parent directly, which is no longer, or if no shortest path uses this
                // connection.
                if marks[group.parent as usize] == *mark || !connect.may_lead(cell, hop.to() as u32, group.parent) {
                    continue;
                }
                *steps += u64::from(group.end - group.first);
                for &(link, position) in &labels.grouped[group.first as usize..group.end as usize] {
                    let (hub, cost) = (link.to(), hop.cost() + link.cost());
                    if cost < costs[hub] {
                        if costs[hub] == Self::INFINITE {
                            hubs.push(hub as u32);
                        }
                        costs[hub] = cost;
                        positions[hub] = [hop.to() as u32, position];
                    }
                }
            }
        }
    }
}

impl<const BITS: u32> Memory<BITS> {
    /// Adds the links of the hubs that are needed to the block.
    fn keep_hubs(&mut self, labels: &Ranked<BITS>) {
        let Self { costs, positions, hubs, kept, hints, hinted, block, steps, .. } = self;
        for &hub in &*hubs {
            let (cost, position) = (costs[hub as usize], positions[hub as usize]);
            if position[0] == NOT_STORED {
                continue;
            }
            let label = labels.label(hub as usize);
            let leads = |link: &Link<BITS>| costs[link.to()] + link.cost() <= cost;
            // A hub that makes this one unnecessary for a cell often does so for the neighbouring cells too.
            let hint = &mut hints[hub as usize];
            *steps += 1;
            if label.get(*hint as usize).is_some_and(leads) {
                continue;
            }
            let other = label.iter().position(leads);
            *steps += other.unwrap_or(label.len()) as u64;
            match other {
                Some(other) => {
                    *hint = other as u32;
                    hinted.push(hub);
                }
                None => kept.push(hub),
            }
        }
        // Sorted by rank, like the links of every label.
        kept.sort_unstable();
        block.positions.extend(kept.drain(..).map(|hub| positions[hub as usize]));
    }

    /// Writes the records of the block.
    fn write(&mut self, out: &mut BlockRow) {
        let Self { uses, numbers, chosen, block, .. } = self;
        let mut list: Vec<u32> = Vec::new();
        for (_, connections, positions) in block.iter() {
            for &connection in connections {
                if uses[connection as usize] == 0 {
                    list.push(connection);
                    uses[connection as usize] = 1;
                }
            }
            for &[connection, _] in positions {
                uses[connection as usize] += 1;
            }
        }
        order::sort_by_key(&mut list, |&connection| (std::cmp::Reverse(uses[connection as usize]), connection));
        for (number, &connection) in (0..).zip(&list) {
            numbers[connection as usize] = number;
            uses[connection as usize] = 0;
        }
        out.blocks.push(out.connections.len() as u32);
        out.connections.push(list.len() as u32);
        out.connections.extend_from_slice(&list);
        for (cell, connections, positions) in block.iter() {
            let start = out.records.len();
            out.records.resize(start + list.len().div_ceil(8), 0);
            let mask = &mut out.records[start..];
            for &connection in connections {
                let number = numbers[connection as usize] as usize;
                mask[number / 8] |= 1 << (number % 8);
            }
            chosen.sort(
                list.len(),
                positions.iter().map(|&[connection, position]| (numbers[connection as usize], position)),
            );
            for (byte, first) in (start..start + list.len().div_ceil(8)).zip((0..).step_by(8)) {
                let mask = out.records[byte];
                if mask != 0 {
                    write_links(first, chosen, &mut out.records);
                }
            }
            let hash = xxh3_64(&out.records[start..]);
            out.cells.push(CellRecord { cell, end: out.records.len() as u32, hash });
        }
    }
}

/// Numbers of connections with the indices of links in their labels, grouped by connection.
#[derive(Default)]
struct Chosen {
    /// The index in `links` where each connection begins, and the end of the last one.
    first: Vec<u32>,
    positions: Vec<u32>,
}

impl Chosen {
    /// Sorts the links of connections numbered below `count` by connection, stably.
    fn sort(&mut self, count: usize, chosen: impl Iterator<Item = (u32, u32)> + Clone) {
        let Self { first, positions } = self;
        first.clear();
        first.resize(count + 2, 0);
        for (connection, _) in chosen.clone() {
            first[connection as usize + 2] += 1;
        }
        for connection in 2..first.len() {
            first[connection] += first[connection - 1];
        }
        positions.clear();
        positions.resize(*first.last().unwrap_or(&0) as usize, 0);
        for (connection, position) in chosen {
            let end = &mut first[connection as usize + 1];
            positions[*end as usize] = position;
            *end += 1;
        }
        first.pop();
    }

    fn of(&self, connection: usize) -> &[u32] {
        &self.positions[self.first[connection] as usize..self.first[connection + 1] as usize]
    }
}

/// Writes which links of eight connections are needed: a mask of the connections that have any, then for each of those
/// the number of steps and the steps from link to link.
fn write_links(first: usize, chosen: &Chosen, out: &mut Vec<u8>) {
    let head = out.len();
    out.push(0);
    for connection in first..chosen.first.len().saturating_sub(1).min(first + 8) {
        let links = chosen.of(connection);
        if links.is_empty() {
            continue;
        }
        out[head] |= 1 << (connection - first);
        let start = out.len();
        let mut before = 0;
        for &link in links {
            write_number(link - before, out);
            before = link;
        }
        let count = out.len() - start;
        write_number(count as u32, out);
        out[start..].rotate_left(count);
    }
}

fn write_number(mut number: u32, out: &mut Vec<u8>) {
    while number >= MORE.into() {
        out.push(MORE);
        number -= u32::from(MORE);
    }
    out.push(number as u8);
}
