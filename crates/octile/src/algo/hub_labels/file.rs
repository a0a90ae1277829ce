//! Labels as index files: `docs/formats/index.md` has the sections.

use std::ops::Range;
use std::sync::Arc;

use super::cells::{BLOCK, WIDE};
use super::{KIND, VERSION};
use crate::algo::subgoals::cost::Link;
use crate::artifact::{Artifact, ArtifactError};
use crate::geometry::Cell;
use crate::grid::Grid;
use crate::search::Facts;

pub(super) const SUBGOALS: &str = "subgoals";
pub(super) const LINKS: &str = "links";
pub(super) const PLACES: &str = "places";
pub(super) const TREES: &str = "trees";
pub(super) const CELLS: &str = "cells";
pub(super) const RECORDS: &str = "records";
pub(super) const BLOCKS: &str = "blocks";
pub(super) const CONNECTIONS: &str = "connections";

/// A cell as a number: y above x, 16 bits each.
pub(super) const fn place_word(cell: Cell) -> u32 {
    cell.x | cell.y << 16
}

#[inline]
const fn cell_of(word: u32) -> Cell {
    Cell { x: word & 0xffff, y: word >> 16 }
}

/// An index in a file that is whole. Its numbers may be any: what cannot be is found out when it is looked up.
#[derive(Clone, Debug)]
pub(super) struct Index {
    artifact: Arc<Artifact>,
    width: u32,
    subgoals: Range<usize>,
    links: Range<usize>,
    places: Range<usize>,
    trees: Range<usize>,
    cells: Range<usize>,
    records: Range<usize>,
    blocks: Range<usize>,
    connections: Range<usize>,
}

impl Index {
    /// Takes a file for a map. All of it is read once, to be certain that it is whole.
    pub(super) fn open(artifact: Arc<Artifact>, grid: &Grid) -> Result<Self, ArtifactError> {
        artifact.check(KIND, VERSION, grid)?;
        artifact.verify()?;
        let counts = Counts::read(&artifact)?;
        let cells = grid.width() as usize * grid.height() as usize;
        let blocks = grid.width().div_ceil(BLOCK) as usize * grid.height().div_ceil(BLOCK) as usize;
        for (name, found, expected) in [(CELLS, counts.cells, cells), (BLOCKS, counts.blocks, blocks)] {
            if found != expected {
                return Err(artifact.malformed(format!("section `{name}` has {found} numbers, expected {expected}")));
            }
        }
        let range = |name| artifact.section_range(name);
        Ok(Self {
            width: grid.width(),
            subgoals: range(SUBGOALS)?,
            links: range(LINKS)?,
            places: range(PLACES)?,
            trees: range(TREES)?,
            cells: range(CELLS)?,
            records: range(RECORDS)?,
            blocks: range(BLOCKS)?,
            connections: range(CONNECTIONS)?,
            artifact,
        })
    }

    pub(super) fn size_bytes(&self) -> usize {
        self.artifact.size_bytes()
    }

    /// How many subgoals there are.
    pub(super) fn subgoals(&self) -> usize {
        (self.subgoals.len() / 8).saturating_sub(1)
    }

    pub(super) fn view(&self) -> View<'_> {
        let bytes = self.artifact.bytes();
        View {
            width: self.width,
            subgoals: bytes[self.subgoals.clone()].as_chunks().0,
            links: bytes[self.links.clone()].as_chunks().0,
            places: bytes[self.places.clone()].as_chunks().0,
            trees: bytes[self.trees.clone()].as_chunks().0,
            cells: bytes[self.cells.clone()].as_chunks().0,
            records: bytes[self.records.clone()].as_chunks().0,
            blocks: bytes[self.blocks.clone()].as_chunks().0,
            connections: bytes[self.connections.clone()].as_chunks().0,
        }
    }
}

/// How many there are of what a file has.
struct Counts {
    subgoals: usize,
    links: usize,
    cells: usize,
    records: usize,
    blocks: usize,
    connections: usize,
}

impl Counts {
    fn read(artifact: &Artifact) -> Result<Self, ArtifactError> {
        let ends = artifact.records::<8>(SUBGOALS)?.len();
        let links = artifact.records::<8>(LINKS)?.len();
        let (places, trees) = (artifact.records::<4>(PLACES)?.len(), artifact.records::<8>(TREES)?.len());
        let Some(subgoals) = ends.checked_sub(1).filter(|_| (places, trees) == (links, links)) else {
            let reason = format!("it has {ends} ends, {links} links, {places} places and {trees} nodes of trees");
            return Err(artifact.malformed(reason));
        };
        Ok(Self {
            subgoals,
            links,
            cells: artifact.records::<4>(CELLS)?.len(),
            records: artifact.records::<2>(RECORDS)?.len(),
            blocks: artifact.records::<4>(BLOCKS)?.len(),
            connections: artifact.records::<4>(CONNECTIONS)?.len(),
        })
    }
}

/// What a file holds, for people.
pub(super) fn describe(artifact: &Artifact) -> Result<Facts, ArtifactError> {
    artifact.verify()?;
    let Counts { subgoals, links, cells, records, blocks, connections } = Counts::read(artifact)?;
    let average = links as f64 / subgoals.max(1) as f64;
    Ok(vec![
        ("subgoals", subgoals.to_string()),
        ("links", format!("{links}, {average:.1} a subgoal")),
        ("bytes of labels", (8 * (subgoals + 1) + 12 * links).to_string()),
        ("bytes of trees", (8 * links).to_string()),
        ("bytes of cells", (4 * cells + 2 * records).to_string()),
        ("bytes of blocks", (4 * (blocks + connections)).to_string()),
    ])
}

/// The sections of a file.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    width: u32,
    subgoals: &'a [[u8; 8]],
    links: &'a [[u8; 8]],
    places: &'a [[u8; 4]],
    trees: &'a [[u8; 8]],
    cells: &'a [[u8; 4]],
    records: &'a [[u8; 2]],
    blocks: &'a [[u8; 4]],
    connections: &'a [[u8; 4]],
}

/// Two numbers of 32 bits, the first in the lower half.
#[inline]
fn both(word: [u8; 8]) -> (u32, u32) {
    let word = u64::from_le_bytes(word);
    (word as u32, (word >> 32) as u32)
}

/// What a cell knows.
pub(super) struct Record<'a> {
    /// The connections of its block.
    pub(super) connections: &'a [[u8; 4]],
    /// A bit for each of them.
    pub(super) mask: &'a [[u8; 2]],
    /// Which links of which connections it needs.
    pub(super) places: &'a [[u8; 2]],
    pub(super) is_wide: bool,
}

impl<'a> View<'a> {
    /// The record of a cell of the map.
    #[inline]
    pub(super) fn record(&self, cell: Cell) -> Option<Record<'a>> {
        let start = *self.cells.get(cell.y as usize * self.width as usize + cell.x as usize)?;
        let block = (cell.y / BLOCK) as usize * self.width.div_ceil(BLOCK) as usize + (cell.x / BLOCK) as usize;
        let block = *self.blocks.get(block)?;
        let (count, connections) = self.connections.get(u32::from_le_bytes(block) as usize..)?.split_first()?;
        let connections = connections.get(..u32::from_le_bytes(*count) as usize)?;
        let (head, record) = self.records.get(u32::from_le_bytes(start) as usize..)?.split_first()?;
        let head = u16::from_le_bytes(*head);
        let (mask, record) = record.split_at_checked(connections.len().div_ceil(16))?;
        let is_wide = head & WIDE != 0;
        let places = record.get(..usize::from(head & !WIDE) << u32::from(is_wide))?;
        Some(Record { connections, mask, places, is_wide })
    }

    /// A subgoal's cell, where its links begin, and where they end.
    #[inline]
    pub(super) fn subgoal(&self, rank: usize) -> Option<(Cell, usize, usize)> {
        let [this, next] = self.subgoals.get(rank..)?.first_chunk::<2>()?;
        let ((cell, first), (_, end)) = (both(*this), both(*next));
        Some((cell_of(cell), first as usize, end as usize))
    }

    /// A link of a label.
    #[inline]
    pub(super) fn link(&self, at: usize) -> Option<Link> {
        Some(Link(u64::from_le_bytes(*self.links.get(at)?)))
    }

    /// Where the subgoal of a link lies in the tree of its hub.
    #[inline]
    pub(super) fn place(&self, link: usize) -> Option<usize> {
        Some(u32::from_le_bytes(*self.places.get(link)?) as usize)
    }

    /// A node of a tree: its cell, and how far before it its parent is; 0 for a hub.
    #[inline]
    pub(super) fn node(&self, at: usize) -> Option<(Cell, usize)> {
        let (cell, up) = both(*self.trees.get(at)?);
        Some((cell_of(cell), up as usize))
    }
}
