//! What every cell knows: the sites that it is connected to, and which links in their labels it needs.
//!
//! A cell could have a label of its own, but those of all cells are a hundred megabytes. The label of a cell is a
//! choice of the links in the labels of its connections, so a record has a place for each: which connection, and which
//! of its links.
//!
//! **Which links.** A hub costs a cell the least that it takes over any connection. One is left out if another that is
//! in its label leads there at no more cost: that hub comes before it, and is on a path from the cell that is no
//! longer. For the first hub on *all* shortest paths of two cells there is none such, so that both keep it, and at the
//! exact cost. Links of a connection to itself are never written down.
//!
//! A link need not be looked at if it begins with a hop to another connection of the cell: going there directly is no
//! longer, and the label of that connection has a link to the same hub. Nor if no shortest path goes from the cell by
//! that hop ([`Connect::may_lead`]). Links are grouped by their first hops, and most groups are left out so.
//!
//! **Blocks.** Neighbours have much the same connections. A block of 8 x 8 cells has a list of those of all its cells,
//! the most used first, and a cell a mask over it. So most records are small, and many are the same: these are kept
//! once.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use xxhash_rust::xxh3::xxh3_64;

use super::labels::Labelling;
use super::outlook::CELL_STEPS;
use crate::geometry::{Cell, order};
use crate::grid::Grid;
use crate::kernels::ds::link::Link;
use crate::kernels::limits::{Limits, Unsuited};
use crate::kernels::workers::Workers;
use crate::planner::{Progress, Watch};

/// Cells of a side of a block.
pub(super) const BLOCK: u32 = 8;

/// About so many blocks are looked at to tell what all take; an odd number, as maps have patterns of even ones.
const SAMPLED_BLOCKS: u64 = 97;

/// Blocked cells have no record.
pub(crate) const NO_RECORD: u32 = u32::MAX;

/// What is not written down.
const NO_PLACE: u32 = u32::MAX;

/// A byte that stands for as much, and the next one adds to it; less in tests, so that small maps have them too.
pub(crate) const MORE: u8 = if cfg!(test) { 5 } else { 0xff };

/// What the cells of a map are connected to. Sites are numbered by rank. One per thread.
pub(crate) trait Connect<const BITS: u32> {
    /// Finds the sites that shortest paths from a free cell go to first, whatever their goal: each once, with what it
    /// costs to get there. Gives the steps that it took.
    fn connect(&mut self, cell: Cell, found: &mut Vec<Link<BITS>>) -> u64;

    /// Whether a shortest path may go from a cell by a connection of it to the next site. If not, links that begin so
    /// are left out.
    fn may_lead(&self, cell: Cell, connection: u32, next: u32) -> bool;
}

/// The labels of sites, which are numbered by rank.
pub(crate) struct Ranked<const BITS: u32> {
    /// For each site, by its old number, its rank.
    pub(crate) ranks: Vec<u32>,
    /// Where the label of each begins in `links`, and where the last one ends.
    pub(super) first: Vec<u32>,
    pub(super) links: Vec<Link<BITS>>,
    /// The same but for those of sites to themselves, each with its place in the label, by the next site on the way.
    grouped: Vec<(Link<BITS>, u32)>,
    groups: Vec<Group>,
    /// Where the groups of each site begin, and where the last ones end.
    first_group: Vec<u32>,
}

/// The links of a label that begin with the same hop.
struct Group {
    /// Where it leads.
    parent: u32,
    /// Which they are.
    first: u32,
    end: u32,
}

impl<const BITS: u32> Ranked<BITS> {
    pub(crate) fn new(labelling: &Labelling<BITS>) -> Self {
        let mut labels = Self::begin(labelling);
        labels.group(labelling, usize::MAX);
        labels
    }

    /// As [`new`](Ranked::new), without [groups](Ranked::group).
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

    /// Groups the links of about so many links of labels, those of the next sites: whether all are done.
    pub(crate) fn group(&mut self, labelling: &Labelling<BITS>, links: usize) -> bool {
        let mut hops: Vec<(u32, u32)> = Vec::new();
        let first = self.first_group.len() - 1;
        let until = (self.first[first] as usize).saturating_add(links);
        for (rank, &site) in labelling.order.iter().enumerate().skip(first) {
            if self.first[rank] as usize >= until {
                return false;
            }
            let places = &labelling.places[site as usize];
            hops.clear();
            for (place, &at) in (0..).zip(&places[..places.len() - 1]) {
                let parent = at - labelling.trees[at as usize].up;
                hops.push((self.ranks[labelling.trees[parent as usize].site as usize], place));
            }
            order::sort(&mut hops);
            for group in hops.chunk_by(|a, b| a.0 == b.0) {
                let first = self.grouped.len() as u32;
                let label = &self.links[self.first[rank] as usize..];
                self.grouped.extend(group.iter().map(|&(_, place)| (label[place as usize], place)));
                self.groups.push(Group { parent: group[0].0, first, end: self.grouped.len() as u32 });
            }
            self.first_group.push(self.groups.len() as u32);
        }
        true
    }

    fn groups_of(&self, rank: usize) -> &[Group] {
        &self.groups[self.first_group[rank] as usize..self.first_group[rank + 1] as usize]
    }

    /// The label of a site but for the link to itself.
    #[inline]
    fn label(&self, rank: usize) -> &[Link<BITS>] {
        &self.links[self.first[rank] as usize..self.first[rank + 1] as usize - 1]
    }
}

/// The records of all cells.
#[derive(Default)]
pub(crate) struct Records {
    /// For each cell, row by row, where its record begins; [`NO_RECORD`] for blocked ones.
    pub(crate) cells: Vec<u32>,
    /// The records.
    pub(crate) bytes: Vec<u8>,
    /// For each block, row by row, where its list begins in `connections`.
    pub(super) blocks: Vec<u32>,
    /// For each block how many connections it has, and these.
    pub(super) connections: Vec<u32>,
}

impl Records {
    /// Makes the records, over all cores if the feature `rayon` is on: the same ones in any case.
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
        let (forecast_steps, forecast_bytes) = create().forecast();
        limits.check_cells(forecast_steps, forecast_bytes, links)?;
        let make = |worker: &mut Worker<C, BITS>, row: u32| {
            // If it is too much it is refused whichever rows are left out.
            if check().is_err() {
                return RowOfBlocks::default();
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
        let mut joined = Joined::new(grid);
        for row in &rows {
            joined.add(row);
        }
        Ok(joined.records)
    }
}

/// Rows of blocks that are put together. Records that are the same are kept once.
struct Joined {
    records: Records,
    /// Where the first record with each hash is. Another with the same hash is not shared.
    known: HashMap<u64, usize>,
    /// Cells of a row.
    width: u32,
}

impl Joined {
    fn new(grid: &Grid) -> Self {
        let cells = vec![NO_RECORD; (grid.width() * grid.height()) as usize];
        Self { records: Records { cells, ..Records::default() }, known: HashMap::new(), width: grid.width() }
    }

    fn add(&mut self, row: &RowOfBlocks) {
        let Self { records: all, known, width } = self;
        let base = all.connections.len() as u32;
        all.blocks.extend(row.blocks.iter().map(|start| base + start));
        all.connections.extend_from_slice(&row.connections);
        let mut start = 0;
        for &CellRecord { cell, end, hash } in &row.cells {
            let record = &row.records[start..end as usize];
            start = end as usize;
            let end = all.bytes.len();
            let mut place = *known.entry(hash).or_insert(end);
            if !all.bytes[place..].starts_with(record) {
                all.bytes.extend_from_slice(record);
                place = end;
            }
            all.cells[(cell.y * *width + cell.x) as usize] = place as u32;
        }
    }
}

/// Records in the making, a slice at a time: the same as those of [`Records::new`].
pub(crate) struct Recorder<const BITS: u32> {
    memory: Memory<BITS>,
    joined: Joined,
    /// The blocks that are looked at first to tell what all take; then those of the next row.
    row: RowOfBlocks,
    /// The next block, of all.
    block: u64,
    is_forecast: bool,
    steps: u64,
    bytes: u64,
}

impl<const BITS: u32> Recorder<BITS> {
    pub(crate) fn new(grid: &Grid, labels: &Ranked<BITS>) -> Self {
        let (memory, joined, row) = (Memory::new(labels.ranks.len()), Joined::new(grid), RowOfBlocks::default());
        Self { memory, joined, row, block: 0, is_forecast: false, steps: 0, bytes: 0 }
    }

    /// How many blocks are done.
    pub(crate) fn blocks(&self) -> u64 {
        if self.is_forecast { self.block } else { 0 }
    }

    /// How many blocks a map has.
    pub(crate) fn all(grid: &Grid) -> u64 {
        u64::from(grid.width().div_ceil(BLOCK)) * u64::from(grid.height().div_ceil(BLOCK))
    }

    /// Goes on for about so many steps: whether it is done.
    pub(crate) fn go_on<C: Connect<BITS>>(
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
            self.block += if self.is_forecast { 1 } else { apart };
            if self.is_forecast && self.block.is_multiple_of(columns) {
                self.joined.add(&self.row);
                self.bytes += std::mem::take(&mut self.row).size();
                self.steps += std::mem::take(&mut worker.memory.steps);
                limits.check_cells(self.steps, self.bytes, links)?;
                return Ok(self.block == all);
            }
            if !self.is_forecast && self.block >= all {
                let forecast = (std::mem::take(&mut worker.memory.steps), std::mem::take(&mut self.row).size());
                limits.check_cells(forecast.0 * apart, forecast.1 * apart, links)?;
                (self.is_forecast, self.block) = (true, 0);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The records, once all is done.
    pub(crate) fn finish(self) -> Records {
        self.joined.records
    }
}

/// The records of a row of blocks.
#[derive(Default)]
struct RowOfBlocks {
    /// Those of free cells.
    cells: Vec<CellRecord>,
    records: Vec<u8>,
    blocks: Vec<u32>,
    connections: Vec<u32>,
}

/// Where the record of a cell ends.
struct CellRecord {
    cell: Cell,
    end: u32,
    hash: u64,
}

impl RowOfBlocks {
    /// How many bytes it has.
    fn size(&self) -> u64 {
        (self.records.len() + size_of_val(&self.connections[..])) as u64
    }
}

/// Makes records: one per thread.
struct Worker<'a, C, const BITS: u32> {
    grid: &'a Grid,
    labels: &'a Ranked<BITS>,
    connect: C,
    memory: Memory<BITS>,
}

/// What it writes to.
struct Memory<const BITS: u32> {
    /// For each hub what it costs from the cell.
    costs: Vec<u64>,
    /// For each hub its place: which connection, by rank, and which link in the label of that.
    places: Vec<[u32; 2]>,
    /// Which sites are connections of the cell: those with its mark.
    marks: Vec<u32>,
    mark: u32,
    hubs: Vec<u32>,
    /// Those whose links are needed.
    kept: Vec<u32>,
    /// For each hub the link in its label, of a hub by which it is not needed: the last that was found in the block.
    hints: Vec<u32>,
    /// Which of them are not 0.
    hinted: Vec<u32>,
    connections: Vec<Link<BITS>>,
    /// How often the connections of a block are used.
    uses: Vec<u32>,
    /// Their numbers in its list.
    numbers: Vec<u32>,
    chosen: Chosen,
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

impl<const BITS: u32> Memory<BITS> {
    /// For so many sites.
    fn new(count: usize) -> Self {
        Self {
            costs: vec![Link::<BITS>::INFINITE; count],
            places: vec![[0; 2]; count],
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

    /// The steps and bytes that all records take, by the look of some blocks.
    fn forecast(&mut self) -> (u64, u64) {
        let (columns, rows) = (self.grid.width().div_ceil(BLOCK), self.grid.height().div_ceil(BLOCK));
        let blocks = u64::from(columns) * u64::from(rows);
        let mut out = RowOfBlocks::default();
        let apart = blocks / SAMPLED_BLOCKS + 1;
        for block in (0..blocks).step_by(apart as usize) {
            self.block((block % u64::from(columns)) as u32, (block / u64::from(columns)) as u32, &mut out);
        }
        (std::mem::take(&mut self.memory.steps) * apart, out.size() * apart)
    }

    fn row(&mut self, row: u32) -> RowOfBlocks {
        let mut out = RowOfBlocks::default();
        for column in 0..self.grid.width().div_ceil(BLOCK) {
            self.block(column, row, &mut out);
        }
        out
    }

    fn block(&mut self, column: u32, row: u32, out: &mut RowOfBlocks) {
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

    /// Adds the connections of a cell and the links that it needs to the block.
    fn label(&mut self, cell: Cell) {
        let (first_connection, first_place) = (self.memory.block.connections.len(), self.memory.block.places.len());
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
            places: first_place..block.places.len(),
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
            // Not to be written down: the connection itself.
            memory.hubs.push(rank as u32);
            memory.costs[rank] = hop.cost();
            memory.places[rank] = [NO_PLACE; 2];
        }
    }

    /// Finds what hubs cost by the labels of the connections.
    fn reach_hubs(&mut self, cell: Cell) {
        let Self { labels, connect, memory, .. } = self;
        let Memory { costs, places, marks, mark, hubs, connections, steps, .. } = memory;
        for hop in &*connections {
            let groups = labels.groups_of(hop.to());
            *steps += groups.len() as u64;
            for group in groups {
                // The cell gets to the parent directly, which is no longer; or not by this connection.
                if marks[group.parent as usize] == *mark || !connect.may_lead(cell, hop.to() as u32, group.parent) {
                    continue;
                }
                *steps += u64::from(group.end - group.first);
                for &(link, place) in &labels.grouped[group.first as usize..group.end as usize] {
                    let (hub, cost) = (link.to(), hop.cost() + link.cost());
                    if cost < costs[hub] {
                        if costs[hub] == Self::INFINITE {
                            hubs.push(hub as u32);
                        }
                        costs[hub] = cost;
                        places[hub] = [hop.to() as u32, place];
                    }
                }
            }
        }
    }
}

impl<const BITS: u32> Memory<BITS> {
    /// Adds the places of the hubs that are needed to the block.
    fn keep_hubs(&mut self, labels: &Ranked<BITS>) {
        let Self { costs, places, hubs, kept, hints, hinted, block, steps, .. } = self;
        for &hub in &*hubs {
            let (cost, place) = (costs[hub as usize], places[hub as usize]);
            if place[0] == NO_PLACE {
                continue;
            }
            let label = labels.label(hub as usize);
            let leads = |link: &Link<BITS>| costs[link.to()] + link.cost() <= cost;
            // What leads there from a cell does so from its neighbours too.
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
        // By rank, so are the links of every label.
        kept.sort_unstable();
        block.places.extend(kept.drain(..).map(|hub| places[hub as usize]));
    }

    /// Writes the block.
    fn write(&mut self, out: &mut RowOfBlocks) {
        let Self { uses, numbers, chosen, block, .. } = self;
        let mut list: Vec<u32> = Vec::new();
        for (_, connections, places) in block.iter() {
            for &connection in connections {
                if uses[connection as usize] == 0 {
                    list.push(connection);
                    uses[connection as usize] = 1;
                }
            }
            for &[connection, _] in places {
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
        for (cell, connections, places) in block.iter() {
            let start = out.records.len();
            out.records.resize(start + list.len().div_ceil(8), 0);
            let mask = &mut out.records[start..];
            for &connection in connections {
                let number = numbers[connection as usize] as usize;
                mask[number / 8] |= 1 << (number % 8);
            }
            chosen.sort(list.len(), places.iter().map(|&[connection, place]| (numbers[connection as usize], place)));
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

/// Numbers of connections with places in their labels, connection by connection.
#[derive(Default)]
struct Chosen {
    /// Where the places of each connection begin in `places`, and where the last ones end.
    first: Vec<u32>,
    places: Vec<u32>,
}

impl Chosen {
    /// Takes the places of connections that are numbered below `count`. Those of one connection stay in their order.
    fn sort(&mut self, count: usize, chosen: impl Iterator<Item = (u32, u32)> + Clone) {
        let Self { first, places } = self;
        first.clear();
        first.resize(count + 2, 0);
        for (connection, _) in chosen.clone() {
            first[connection as usize + 2] += 1;
        }
        for connection in 2..first.len() {
            first[connection] += first[connection - 1];
        }
        places.clear();
        places.resize(*first.last().unwrap_or(&0) as usize, 0);
        for (connection, place) in chosen {
            let end = &mut first[connection as usize + 1];
            places[*end as usize] = place;
            *end += 1;
        }
        first.pop();
    }

    fn of(&self, connection: usize) -> &[u32] {
        &self.places[self.first[connection] as usize..self.first[connection + 1] as usize]
    }
}

/// Writes which links of eight connections are needed: which of these have any, and for each of those how many steps
/// there are, and the steps from link to link.
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
