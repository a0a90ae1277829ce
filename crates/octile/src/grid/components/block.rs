//! A block of 32 x 32 cells: labels of the cells connected inside it, kept up to date under edits.

use super::{Components, Contact, NONE, Node};

/// Cells along a side of a block.
pub(super) const SIDE: usize = 32;

/// The label of blocked cells.
pub(super) const BLOCKED: u16 = u16::MAX;

/// The maximum number of free runs of a block.
const MOST_RUNS: usize = SIDE * SIDE / 2;

/// The labels of the cells along the four sides, clockwise from north; each side from left to right, or from top to
/// bottom.
pub(super) type Borders = [[u16; SIDE]; 4];

/// A set of cells of a block: one word per row.
type Cells = [u32; SIDE];

/// A block of the map. Cells outside the map are blocked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    labels: [[u16; SIDE]; SIDE],
    pub(super) free: Cells,
    pub(super) borders: Borders,
    /// The node of label 0, and the number of nodes reserved.
    pub(super) first: u32,
    pub(super) room: u16,
    /// The index of the saved borders of this block, or [`NONE`] if they are not saved.
    pub(super) kept: u32,
}

impl Block {
    /// A block without free cells.
    pub(super) const BLOCKED: Self = Self {
        labels: [[BLOCKED; SIDE]; SIDE],
        free: [0; SIDE],
        borders: [[BLOCKED; SIDE]; 4],
        first: 0,
        room: 0,
        kept: NONE,
    };

    /// The label of a cell.
    #[inline]
    pub(super) fn label(&self, x: usize, y: usize) -> u16 {
        self.labels[y][x]
    }

    /// The free neighbours of a cell inside the block: one bit each, clockwise from north.
    fn around(&self, x: usize, y: usize) -> u8 {
        let row = |row: Option<&u32>| row.map_or(0, |&row| (u64::from(row) << 1 >> x) as u8 & 7);
        let (above, here, below) =
            (row(y.checked_sub(1).map(|y| &self.free[y])), row(Some(&self.free[y])), row(self.free.get(y + 1)));
        let [east, west] = [here >> 2, here & 1];
        // The row above is in clockwise order, the row below in reverse.
        let below = below >> 2 | below & 2 | (below & 1) << 2;
        above >> 1 | east << 2 | below << 3 | west << 6 | (above & 1) << 7
    }

    /// Copies the labels along the sides that contain any of `cells`.
    fn copy_borders(&mut self, cells: &Cells) {
        if cells[0] != 0 {
            self.borders[0] = self.labels[0];
        }
        if cells[SIDE - 1] != 0 {
            self.borders[2] = self.labels[SIDE - 1];
        }
        let columns = cells.iter().fold(0, |columns, row| columns | row);
        for (side, x) in [(1, SIDE - 1), (3, 0)] {
            if columns >> x & 1 == 1 {
                self.borders[side] = self.labels.map(|row| row[x]);
            }
        }
    }
}

/// Whether a cell is on the border of its block.
fn is_on_border(x: usize, y: usize) -> bool {
    x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1
}

/// For each state of the neighbours of a cell: one neighbour from each part that is connected around the cell.
static PARTS: [[u8; 256]; 2] = [parts_table(Contact::Sides), parts_table(Contact::Corners)];

const fn parts_table(contact: Contact) -> [u8; 256] {
    let mut table = [0; 256];
    let mut free = 0;
    while free < 256 {
        table[free] = parts(free as u8, contact);
        free += 1;
    }
    table
}

/// One neighbour from each part.
const fn parts(free: u8, contact: Contact) -> u8 {
    /// The bits of the diagonal neighbours.
    const DIAGONAL: u8 = 0b1010_1010;
    let (joined, neighbours) = match contact {
        // A diagonal neighbour alone does not touch the cell.
        Contact::Sides => (free, free & !DIAGONAL),
        // Two straight neighbours touch across a blocked diagonal one.
        Contact::Corners => (free | DIAGONAL & free.rotate_left(1) & free.rotate_right(1), free),
    };
    let (mut parts, mut first) = (0, 0);
    while first < 8 {
        // A run begins here, or all eight bits are set.
        if joined >> first & 1 == 1 && (joined.rotate_left(1) >> first & 1 == 0 || joined == u8::MAX && first == 0) {
            let mut place = first;
            while place < first + 8 && joined >> (place % 8) & 1 == 1 {
                if neighbours >> (place % 8) & 1 == 1 {
                    parts |= 1 << (place % 8);
                    break;
                }
                place += 1;
            }
        }
        first += 1;
    }
    parts
}

/// The neighbour number `place`, clockwise from north.
fn beside(x: usize, y: usize, place: u32) -> (usize, usize) {
    let dx = [0, 1, 1, 1, 0, -1, -1, -1][place as usize];
    let dy = [-1, -1, 0, 1, 1, 1, 0, -1][place as usize];
    (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy))
}

/// The runs of free cells in a row that contain any of `seeds`.
#[inline]
fn runs_of(free: u32, seeds: u32) -> u32 {
    // Adding a seed to its run makes a carry that runs through the cells after it and clears them.
    let up = |free: u32, seeds: u32| seeds | free & !free.wrapping_add(seeds);
    let seeds = up(free, seeds & free);
    up(free.reverse_bits(), seeds.reverse_bits()).reverse_bits()
}

/// The cells connected with one; the search stops early if `is_enough` says so.
fn flood(free: &Cells, (x, y): (usize, usize), contact: Contact, is_enough: impl Fn(&Cells) -> bool) -> Cells {
    let beside = |row: u32| match contact {
        Contact::Sides => row,
        Contact::Corners => row | row << 1 | row >> 1,
    };
    let mut cells = [0; SIDE];
    cells[y] = runs_of(free[y], 1 << x);
    // Rows that gained cells since their neighbours were last checked.
    let mut rows: u32 = 1 << y;
    while rows != 0 {
        let y = rows.trailing_zeros() as usize;
        rows &= rows - 1;
        let from = beside(cells[y]);
        for to in [y.wrapping_sub(1), y + 1] {
            if let Some(row) = cells.get_mut(to)
                && from & free[to] & !*row != 0
            {
                *row |= runs_of(free[to], from);
                rows |= 1 << to;
            }
        }
        if is_enough(&cells) {
            break;
        }
    }
    cells
}

fn count(cells: &Cells) -> u16 {
    cells.iter().map(|row| row.count_ones() as u16).sum()
}

impl Components {
    /// Frees a blocked cell, or blocks a free one.
    pub(super) fn flip(&mut self, at: usize, x: usize, y: usize) {
        let block = &self.blocks[at];
        let parts = PARTS[self.contact as usize][block.around(x, y) as usize];
        if is_on_border(x, y) {
            self.keep_borders(at);
        }
        if self.blocks[at].free[y] >> x & 1 == 1 {
            self.block(at, x, y, parts);
        } else {
            self.free(at, x, y, parts);
        }
        self.blocks[at].free[y] ^= 1 << x;
    }

    /// The number of cells with a label.
    fn cells(&mut self, at: usize, label: u16) -> &mut u16 {
        &mut self.nodes[self.blocks[at].first as usize + usize::from(label)].cells
    }

    /// Labels a cell that becomes free: with the label of its neighbours, which merge if they have several, or a new
    /// label.
    fn free(&mut self, at: usize, x: usize, y: usize, parts: u8) {
        let beside =
            |places: u8| (0..8).filter(move |place| places >> place & 1 == 1).map(move |place| beside(x, y, place));
        let labels = beside(parts).map(|(x, y)| self.blocks[at].label(x, y));
        let first = self.blocks[at].first as usize;
        let most = labels.max_by_key(|&label| self.nodes[first + usize::from(label)].cells);
        let label = most.unwrap_or_else(|| self.new_label(at));
        // The largest part keeps its label, so that few cells change.
        for cell in beside(parts) {
            self.join(at, cell, label);
        }
        *self.cells(at, label) += 1;
        self.put(at, x, y, label);
    }

    /// Relabels all cells connected with `(x, y)` as `label`.
    fn join(&mut self, at: usize, (x, y): (usize, usize), label: u16) {
        let gone = self.blocks[at].label(x, y);
        if gone == label {
            return;
        }
        let borders = self.keep_borders(at);
        let block = &mut self.blocks[at];
        // The saved borders are relabelled too: merging two labels splits nothing.
        let kept = self.work.borders(borders);
        for labels in block.labels.iter_mut().chain(&mut block.borders).chain(kept) {
            for own in labels {
                *own = if *own == gone { label } else { *own };
            }
        }
        let [kept, gone] = [label, gone].map(|label| self.blocks[at].first as usize + usize::from(label));
        let component = std::mem::replace(&mut self.nodes[gone].component, NONE);
        self.nodes[kept].component = self.join_components(self.nodes[kept].component, component);
        self.nodes[kept].cells += std::mem::take(&mut self.nodes[gone].cells);
    }

    /// Removes the label of a cell that becomes blocked, and relabels the parts that are no longer connected.
    fn block(&mut self, at: usize, x: usize, y: usize, parts: u8) {
        let label = self.blocks[at].label(x, y);
        self.put(at, x, y, BLOCKED);
        *self.cells(at, label) -= 1;
        if parts == 0 {
            self.work.nodes.push((at as u32, label));
        } else if parts & (parts - 1) != 0 {
            self.split(at, (x, y), parts);
        }
    }

    /// Relabels the parts that were connected only through a cell that becomes blocked.
    fn split(&mut self, at: usize, (x, y): (usize, usize), mut parts: u8) {
        let mut free = self.blocks[at].free;
        free[y] &= !(1 << x);
        let mut is_kept = false;
        while parts != 0 {
            let first = beside(x, y, parts.trailing_zeros());
            let unseen = |cells: &Cells| {
                (0..8).filter(|&place| parts >> place & 1 == 1).fold(0, |unseen, place| {
                    let (x, y) = beside(x, y, place);
                    unseen | u8::from(cells[y] >> x & 1 == 0) << place
                })
            };
            let cells = flood(&free, first, self.contact, |cells| !is_kept && unseen(cells) == 0);
            parts = unseen(&cells);
            if parts == 0 && !is_kept {
                return;
            }
            let (size, label) = (count(&cells), self.blocks[at].label(first.0, first.1));
            // The largest part keeps the label, so that few cells change.
            if !is_kept && size > *self.cells(at, label) / 2 {
                is_kept = true;
                continue;
            }
            let new = self.new_label(at);
            *self.cells(at, label) -= size;
            *self.cells(at, new) += size;
            self.write(at, &cells, new);
        }
    }

    /// Sets the label of a cell.
    fn put(&mut self, at: usize, x: usize, y: usize, label: u16) {
        let block = &mut self.blocks[at];
        block.labels[y][x] = label;
        for (side, on_side, place) in [(0, y == 0, x), (1, x == SIDE - 1, y), (2, y == SIDE - 1, x), (3, x == 0, y)] {
            if on_side {
                block.borders[side][place] = label;
            }
        }
    }

    /// Sets the label of a set of cells.
    fn write(&mut self, at: usize, cells: &Cells, label: u16) {
        self.keep_borders(at);
        let block = &mut self.blocks[at];
        for (labels, &row) in block.labels.iter_mut().zip(cells) {
            let mut row = row;
            while row != 0 {
                let first = row.trailing_zeros() as usize;
                let end = first + (row >> first).trailing_ones() as usize;
                labels[first..end].fill(label);
                row &= u32::MAX.checked_shl(end as u32).unwrap_or(0);
            }
        }
        block.copy_borders(cells);
    }

    /// Returns an unused label.
    fn new_label(&mut self, at: usize) -> u16 {
        let (first, room) = (self.blocks[at].first as usize, usize::from(self.blocks[at].room));
        let unused = self.nodes[first..first + room].iter().position(|node| node.cells == 0);
        let label = unused.unwrap_or(room);
        self.make_room(at, label + 1);
        self.work.nodes.push((at as u32, label as u16));
        label as u16
    }

    /// Ensures that a block has at least `labels` nodes.
    fn make_room(&mut self, at: usize, labels: usize) {
        let block = &mut self.blocks[at];
        let (first, room) = (block.first as usize, usize::from(block.room));
        if labels <= room {
            return;
        }
        let nothing = Node { cells: 0, block: at as u32, component: NONE, seen: NONE };
        // Some spare nodes, so that blocks seldom move.
        let more = labels + labels / 4 + 1;
        if first + room != self.nodes.len() || room == 0 {
            block.first = self.nodes.len() as u32;
            self.nodes.extend_from_within(first..first + room);
            self.nodes[first..first + room].fill(nothing);
            self.wasted += room;
        }
        block.room = more as u16;
        self.nodes.resize(block.first as usize + more, nothing);
    }

    /// Relabels a block after many of its cells have changed.
    pub(super) fn label_again(&mut self, at: usize) {
        self.keep_borders(at);
        self.label_block(at);
        self.work.nodes.extend((0..self.blocks[at].room).map(|label| (at as u32, label)));
    }

    /// Labels a block from its free cells, keeping old labels where possible.
    pub(super) fn label_block(&mut self, at: usize) {
        let mut runs = Runs::new();
        runs.find(&self.blocks[at].free, self.contact);
        let labels = runs.name(&self.blocks[at]);
        self.make_room(at, labels);
        let block = &mut self.blocks[at];
        let nodes = &mut self.nodes[block.first as usize..][..usize::from(block.room)];
        for node in nodes.iter_mut() {
            node.cells = 0;
        }
        block.labels = [[BLOCKED; SIDE]; SIDE];
        for at in 0..runs.len {
            let Run { y, first, end, .. } = runs.all[at];
            let label = runs.names[runs.root(at)];
            block.labels[usize::from(y)][usize::from(first)..usize::from(end)].fill(label);
            nodes[usize::from(label)].cells += u16::from(end - first);
        }
        block.copy_borders(&[u32::MAX; SIDE]);
    }
}

/// A free run of a row.
#[derive(Clone, Copy)]
struct Run {
    y: u8,
    first: u8,
    end: u8,
    /// An earlier run that is connected with it, or itself.
    parent: u16,
}

/// The free runs of a block.
struct Runs {
    all: [Run; MOST_RUNS],
    len: usize,
    /// The label of each run that is its own parent.
    names: [u16; MOST_RUNS],
}

impl Runs {
    fn new() -> Self {
        Self { all: [Run { y: 0, first: 0, end: 0, parent: 0 }; MOST_RUNS], len: 0, names: [BLOCKED; MOST_RUNS] }
    }

    /// The root of a run: the first run known to be connected with it.
    fn root(&mut self, mut at: usize) -> usize {
        while usize::from(self.all[at].parent) != at {
            let beyond = self.all[usize::from(self.all[at].parent)].parent;
            self.all[at].parent = beyond;
            at = usize::from(beyond);
        }
        at
    }

    /// Finds all runs and which are connected.
    fn find(&mut self, free: &Cells, contact: Contact) {
        let reach = u8::from(contact == Contact::Corners);
        let mut above = 0..0;
        for (y, &row) in (0..).zip(free) {
            let (start, mut row, mut before) = (self.len, row, above.start);
            while row != 0 {
                let first = row.trailing_zeros() as u8;
                let end = first + (row >> first).trailing_ones() as u8;
                row &= u32::MAX.checked_shl(end.into()).unwrap_or(0);
                let at = self.len;
                self.all[at] = Run { y, first, end, parent: at as u16 };
                self.len += 1;
                while before < above.end && self.all[before].end + reach <= first {
                    before += 1;
                }
                let mut touching = before;
                while touching < above.end && self.all[touching].first < end + reach {
                    self.join(at, touching);
                    touching += 1;
                }
            }
            above = start..self.len;
        }
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.all[a.max(b)].parent = a.min(b) as u16;
    }

    /// Labels the runs, reusing each of the block's old labels for at most one root. Returns the number of labels
    /// needed.
    fn name(&mut self, block: &Block) -> usize {
        let mut taken = [false; MOST_RUNS];
        for at in 0..self.len {
            let (root, Run { y, first, .. }) = (self.root(at), self.all[at]);
            let label = block.label(first.into(), y.into());
            if self.names[root] == BLOCKED && label != BLOCKED && !taken[usize::from(label)] {
                taken[usize::from(label)] = true;
                self.names[root] = label;
            }
        }
        let mut next = 0;
        for at in 0..self.len {
            if usize::from(self.all[at].parent) == at && self.names[at] == BLOCKED {
                while taken[next] {
                    next += 1;
                }
                taken[next] = true;
                self.names[at] = next as u16;
            }
        }
        taken.iter().rposition(|&taken| taken).map_or(0, |last| last + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All states of the neighbours of a cell, compared with a flood fill.
    #[test]
    fn parts_agree_with_a_flood_fill() {
        for (free, contact) in
            (0..=u8::MAX).flat_map(|free| [Contact::Sides, Contact::Corners].map(|contact| (free, contact)))
        {
            let mut cells = [0; SIDE];
            let places =
                |free: u8| (0..8).filter(move |&place| free >> place & 1 == 1).map(|place| beside(9, 9, place));
            places(free).for_each(|(x, y)| cells[y] |= 1 << x);
            let counts = |&(x, y): &(usize, usize)| contact == Contact::Corners || x == 9 || y == 9;
            let found: Vec<_> =
                places(parts(free, contact)).map(|cell| flood(&cells, cell, contact, |_| false)).collect();
            assert!(places(parts(free, contact)).all(|cell| counts(&cell) && cells[cell.1] >> cell.0 & 1 == 1));
            for cell in places(free).filter(counts) {
                let part = flood(&cells, cell, contact, |_| false);
                assert_eq!(found.iter().filter(|&found| *found == part).count(), 1, "{free:08b} {contact:?}");
            }
            let mut block = Block::BLOCKED;
            block.free = cells;
            assert_eq!(block.around(9, 9), free);
        }
    }
}
