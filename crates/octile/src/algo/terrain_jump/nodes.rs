//! Numbers the cells where scans and walks may stop, and stores the moves that may follow there.
//!
//! The nodes of a tile of 8x8 cells have consecutive numbers. A search that follows a border then finds its memory
//! close together, whichever way the border runs. A tile has some spare room; one that needs more moves to the end, and
//! leaves a gap.

use crate::planner::size_bytes;

/// 8x8 cells.
#[derive(Clone, Copy, Debug, Default)]
struct Tile {
    /// Which cells are nodes, row by row.
    nodes: u64,
    /// The number of nodes before each row.
    before: u64,
    /// The number of the first node, and the maximum number of nodes.
    first: u32,
    room: u32,
}

/// The data of a node that a search needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(32))]
pub(super) struct Site {
    /// For each direction of arrival, the moves that may follow.
    pub(super) after: [u8; 8],
    /// For each direction, the price of the next cell.
    pub(super) next: [u8; 8],
    /// For each direction, the counts of a move; 0 if it is illegal.
    pub(super) counts: [u16; 8],
}

/// The straight moves among the eight.
const STRAIGHT_MOVES: u32 = 0x55;

impl Site {
    /// The moves to try at a node that was reached in the directions `came`, and from which the moves `tried` were
    /// tried before at the same cost.
    ///
    /// Diagonal walks that may follow a direction together with a straight move are repeated, even if both were tried
    /// before: the walk may have been made for another direction, without the scans to the side of that move. (Which
    /// walks were is not stored: few nodes are reached again.)
    #[inline]
    pub(super) fn moves(&self, came: u32, tried: u32) -> u32 {
        let mut moves = 0;
        let mut left = came;
        while left != 0 {
            let after = u32::from(self.after[left.trailing_zeros() as usize]);
            left &= left - 1;
            let again = if after & STRAIGHT_MOVES == 0 { 0 } else { after & !STRAIGHT_MOVES };
            moves |= after & !tried | again;
        }
        moves
    }
}

/// The number of ones in each byte. Most programs are compiled for processors without an instruction to count them.
static ONES: [u8; 256] = {
    let mut ones = [0; 256];
    let mut byte = 1;
    while byte < 256 {
        ones[byte] = ones[byte / 2] + byte as u8 % 2;
        byte += 1;
    }
    ones
};

impl Tile {
    /// Recounts the nodes.
    fn count(&mut self) {
        let mut before = 0;
        self.before = 0;
        for row in (0..64).step_by(8) {
            self.before |= before << row;
            before += u64::from(ONES[(self.nodes >> row) as usize & 255]);
        }
    }
}

/// All nodes of a map.
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    tiles: Vec<Tile>,
    tiles_per_row: usize,
    /// By number.
    sites: Vec<Site>,
    count: u32,
}

size_bytes!(Nodes: tiles, sites);

/// Room is added for this many nodes at a time.
const ROOM: u32 = 4;

impl Nodes {
    /// For a map with this many padded columns and rows, without nodes.
    pub(super) fn new(columns: usize, rows: usize) -> Self {
        let tiles_per_row = columns.div_ceil(8);
        let tiles = vec![Tile::default(); tiles_per_row * rows.div_ceil(8)];
        Self { tiles, tiles_per_row, sites: Vec::new(), count: 0 }
    }

    /// The tile of a cell and the cell's bit in it.
    #[inline]
    fn place(&self, x: usize, y: usize) -> (usize, usize) {
        (y / 8 * self.tiles_per_row + x / 8, y % 8 * 8 + x % 8)
    }

    /// The number of a node.
    #[inline]
    pub(super) fn number(&self, x: usize, y: usize) -> u32 {
        let tile = &self.tiles[y / 8 * self.tiles_per_row + x / 8];
        let (row, column) = (y % 8 * 8, x % 8);
        let left = (tile.nodes >> row) as u8 & ((1 << column) - 1);
        tile.first + u32::from((tile.before >> row) as u8) + u32::from(ONES[usize::from(left)])
    }

    /// The number of a cell, if it is a node.
    #[inline]
    pub(super) fn find(&self, x: usize, y: usize) -> Option<u32> {
        let (at, bit) = self.place(x, y);
        let tile = &self.tiles[at];
        (tile.nodes >> bit & 1 == 1).then(|| self.number(x, y))
    }

    /// The data of a node that a search needs.
    #[inline]
    pub(super) fn site(&self, number: u32) -> &Site {
        &self.sites[number as usize]
    }

    /// All numbers are below this one.
    #[inline]
    pub(super) fn end(&self) -> usize {
        self.sites.len()
    }

    /// The number of nodes.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// Makes a cell a node, or removes its node. While a map is built, the cells of a tile come in the order of its
    /// rows.
    pub(super) fn set(&mut self, x: usize, y: usize, site: Option<Site>) {
        let (at, bit) = self.place(x, y);
        let tile = &mut self.tiles[at];
        let (len, place) = (tile.nodes.count_ones() as usize, (tile.nodes & ((1 << bit) - 1)).count_ones() as usize);
        let was = tile.nodes >> bit & 1 == 1;
        match (was, site) {
            (false, None) => {}
            (true, Some(site)) => self.sites[tile.first as usize + place] = site,
            (true, None) => {
                tile.nodes &= !(1 << bit);
                tile.count();
                let first = tile.first as usize;
                self.sites.copy_within(first + place + 1..first + len, first + place);
                self.count -= 1;
            }
            (false, Some(site)) => {
                if len as u32 == tile.room {
                    self.enlarge(at, len);
                }
                let tile = &mut self.tiles[at];
                tile.nodes |= 1 << bit;
                tile.count();
                let first = tile.first as usize;
                self.sites.copy_within(first + place..first + len, first + place + 1);
                self.sites[first + place] = site;
                self.count += 1;
            }
        }
    }

    /// Makes room for more nodes in a tile that has `len`.
    fn enlarge(&mut self, at: usize, len: usize) {
        let tile = &mut self.tiles[at];
        let (first, end) = (tile.first as usize, self.sites.len());
        if first + len < end {
            tile.first = end as u32;
            self.sites.extend_from_within(first..first + len);
        }
        tile.room += ROOM;
        self.sites.resize(tile.first as usize + tile.room as usize, Site::default());
    }

    /// Sorts the tiles into the order of the map, without gaps.
    pub(super) fn tidy(&mut self) {
        let mut tidy = Vec::with_capacity(self.sites.len());
        for tile in &mut self.tiles {
            let (first, len) = (tile.first as usize, tile.nodes.count_ones());
            tile.first = tidy.len() as u32;
            tile.room = len.next_multiple_of(ROOM);
            tidy.extend_from_slice(&self.sites[first..first + len as usize]);
            tidy.resize(tile.first as usize + tile.room as usize, Site::default());
        }
        self.sites = tidy;
    }

    /// Whether more than half of the room is gaps.
    pub(super) fn is_untidy(&self) -> bool {
        self.sites.len() > 4096 + 4 * self.count as usize + self.tiles.len()
    }
}

/// Numbers are not compared.
impl PartialEq for Nodes {
    fn eq(&self, other: &Self) -> bool {
        let follow =
            |nodes: &Self, tile: &Tile| nodes.sites[tile.first as usize..][..tile.nodes.count_ones() as usize].to_vec();
        self.count == other.count
            && self
                .tiles
                .iter()
                .zip(&other.tiles)
                .all(|(one, another)| one.nodes == another.nodes && follow(self, one) == follow(other, another))
    }
}

impl Eq for Nodes {}
