//! Reads and writes cores and their tables as index files: `docs/formats/index.md` describes the sections.

use std::ops::Range;
use std::sync::Arc;

use super::{KIND, VERSION, table};
use crate::artifact::{Artifact, ArtifactError};
use crate::geometry::units::{Narrow, Units};
use crate::geometry::{Cell, CellId, Dir};
use crate::grid::Grid;
use crate::kernels::subgoals::{Lines, contract};
use crate::planner::IndexContents;

pub(super) const CORE: &str = "core";
pub(super) const NODES: &str = "nodes";
pub(super) const ARCS: &str = "arcs";
pub(super) const MAKEUPS: &str = "makeups";
pub(super) const TABLE: &str = "table";
pub(super) const LINES: &str = "lines";
pub(super) const NUMBERS: &str = "numbers";

/// A stored line length that means "at least this": the line continues from the cell one step before.
pub(super) const FAR: u8 = u8::MAX;

/// A cell as a number: y above x, 16 bits each.
pub(super) const fn place_word(cell: Cell) -> u32 {
    cell.x | cell.y << 16
}

#[inline]
const fn cell_of(word: u32) -> Cell {
    Cell { x: word & 0xffff, y: word >> 16 }
}

/// What an arc stands for, travelled in one direction: a hop, or two other arcs, both of which leave the middle node of
/// the shortcut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Makeup(pub(super) u64);

/// The bit that marks a hop.
const HOP: u64 = 1 << 63;

impl Makeup {
    /// The hop from one cell to another, as the difference of both coordinates in 16 bits each.
    pub(super) const fn hop(from: Cell, to: Cell) -> Self {
        Self::hop_by(to.x.wrapping_sub(from.x), to.y.wrapping_sub(from.y))
    }

    #[inline]
    const fn hop_by(x: u32, y: u32) -> Self {
        Self(HOP | place_word(Cell { x: x & 0xffff, y: y & 0xffff }) as u64)
    }

    /// A shortcut, by the numbers of two arcs: the one from its middle to its start, which is travelled backwards, and
    /// the one from its middle to its end.
    pub(super) const fn shortcut(back: u32, on: u32) -> Self {
        Self(on as u64 | (back as u64) << 32)
    }

    #[inline]
    pub(super) const fn is_hop(self) -> bool {
        self.0 & HOP != 0
    }

    /// The cell where a hop ends.
    #[inline]
    pub(super) const fn end(self, from: Cell) -> Cell {
        let by = cell_of(self.0 as u32);
        Cell { x: from.x.wrapping_add(by.x) & 0xffff, y: from.y.wrapping_add(by.y) & 0xffff }
    }

    /// The arcs of a shortcut: first the one travelled backwards, then the other.
    #[inline]
    pub(super) const fn arcs(self) -> (u32, u32) {
        ((self.0 >> 32) as u32, self.0 as u32)
    }

    /// The makeup of the arc travelled in the other direction.
    #[inline]
    pub(super) const fn back(self) -> Self {
        if self.is_hop() {
            let by = cell_of(self.0 as u32);
            Self::hop_by(by.x.wrapping_neg(), by.y.wrapping_neg())
        } else {
            let (back, on) = self.arcs();
            // A number in the upper half is below 2^31, so that no shortcut looks like a hop.
            Self::shortcut(on & (u32::MAX >> 1), back)
        }
    }
}

/// An index in a verified file. Its numbers may still have any value: impossible ones are detected when they are read.
#[derive(Clone, Debug)]
pub(super) struct Index {
    artifact: Arc<Artifact>,
    core: u32,
    nesting: u32,
    id_steps: [u32; 8],
    nodes: Range<usize>,
    arcs: Range<usize>,
    makeups: Range<usize>,
    table: Range<usize>,
    lines: Range<usize>,
    numbers: Range<usize>,
}

impl Index {
    /// Opens a file for a map. Reads all of it once to verify the checksum.
    pub(super) fn open(artifact: Arc<Artifact>, grid: &Grid) -> Result<Self, ArtifactError> {
        artifact.check(KIND, VERSION, grid)?;
        artifact.verify()?;
        let counts = Counts::read(&artifact)?;
        let cells = grid.padded_cells();
        for (name, found) in [(LINES, counts.lines), (NUMBERS, counts.numbers)] {
            if found != cells {
                return Err(artifact.malformed(format!("section `{name}` has {found} cells, expected {cells}")));
            }
        }
        let range = |name| artifact.section_range(name);
        Ok(Self {
            core: counts.core as u32,
            nesting: counts.nesting,
            id_steps: grid.id_steps(),
            nodes: range(NODES)?,
            arcs: range(ARCS)?,
            makeups: range(MAKEUPS)?,
            table: range(TABLE)?,
            lines: range(LINES)?,
            numbers: range(NUMBERS)?,
            artifact,
        })
    }

    pub(super) fn size_bytes(&self) -> usize {
        self.artifact.size_bytes()
    }

    pub(super) fn view(&self) -> View<'_> {
        let bytes = self.artifact.bytes();
        View {
            core: self.core,
            nesting: self.nesting,
            id_steps: self.id_steps,
            nodes: bytes[self.nodes.clone()].as_chunks().0,
            arcs: bytes[self.arcs.clone()].as_chunks().0,
            makeups: bytes[self.makeups.clone()].as_chunks().0,
            table: bytes[self.table.clone()].as_chunks().0,
            lines: bytes[self.lines.clone()].as_chunks().0,
            numbers: bytes[self.numbers.clone()].as_chunks().0,
        }
    }
}

/// The numbers of entries in the sections of a file.
struct Counts {
    core: usize,
    nesting: u32,
    nodes: usize,
    arcs: usize,
    lines: usize,
    numbers: usize,
}

impl Counts {
    fn read(artifact: &Artifact) -> Result<Self, ArtifactError> {
        let &[core, nesting] = artifact.records::<4>(CORE)? else {
            return Err(artifact.malformed("it does not say how many nodes its core has"));
        };
        let (core, nesting) = (u32::from_le_bytes(core), u32::from_le_bytes(nesting));
        let (ends, arcs) = (artifact.records::<8>(NODES)?.len(), artifact.records::<8>(ARCS)?.len());
        let (makeups, entries) = (artifact.records::<8>(MAKEUPS)?.len(), artifact.records::<4>(TABLE)?.len());
        let is_consistent =
            |nodes: &usize| makeups == arcs && core as usize <= *nodes && table::entries(core.into()) == entries as u64;
        let Some(nodes) = ends.checked_sub(1).filter(is_consistent) else {
            let reason = format!(
                "it has {ends} ends, {arcs} arcs and {makeups} makeups of them, and {entries} entries for a core of {core}"
            );
            return Err(artifact.malformed(reason));
        };
        let (lines, numbers) = (artifact.records::<8>(LINES)?.len(), artifact.records::<4>(NUMBERS)?.len());
        Ok(Self { core: core as usize, nesting, nodes, arcs, lines, numbers })
    }
}

/// Describes the contents of a file for people.
pub(super) fn describe(artifact: &Artifact) -> Result<IndexContents, ArtifactError> {
    artifact.verify()?;
    let Counts { core, nodes, arcs, lines, numbers, .. } = Counts::read(artifact)?;
    let average = arcs as f64 / nodes.max(1) as f64;
    Ok(vec![
        ("subgoals", nodes.to_string()),
        ("core", core.to_string()),
        ("arcs", format!("{arcs}, {average:.1} a subgoal")),
        ("bytes of table", (4 * table::entries(core as u64)).to_string()),
        ("bytes of arcs", (8 * (nodes + 1) + 16 * arcs).to_string()),
        ("bytes of cells", (8 * lines + 4 * numbers).to_string()),
    ])
}

/// The sections of a file.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    /// Nodes below this number are the core.
    pub(super) core: u32,
    /// The maximum depth of shortcuts that consist of shortcuts.
    pub(super) nesting: u32,
    pub(super) id_steps: [u32; 8],
    nodes: &'a [[u8; 8]],
    arcs: &'a [[u8; 8]],
    makeups: &'a [[u8; 8]],
    table: &'a [[u8; 4]],
    lines: &'a [[u8; 8]],
    numbers: &'a [[u8; 4]],
}

/// The two 32-bit numbers of a word, the lower half first.
#[inline]
fn both(word: [u8; 8]) -> (u32, u32) {
    let word = u64::from_le_bytes(word);
    (word as u32, (word >> 32) as u32)
}

impl<'a> View<'a> {
    /// The cells of all nodes.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> {
        let nodes = &self.nodes[..self.nodes.len().saturating_sub(1)];
        nodes.iter().map(|&node| cell_of(both(node).0))
    }

    /// The cell of a node.
    #[inline]
    pub(super) fn cell(&self, node: u32) -> Option<Cell> {
        Some(cell_of(both(*self.nodes.get(node as usize)?).0))
    }

    /// The number of a node's first arc, and the node's arcs, to be decoded by [`arc`].
    #[inline]
    pub(super) fn arcs(&self, node: u32) -> Option<(u32, &'a [[u8; 8]])> {
        let [this, next] = self.nodes.get(node as usize..)?.first_chunk::<2>()?;
        let (first, end) = (both(*this).1, both(*next).1);
        Some((first, self.arcs.get(first as usize..end as usize)?))
    }

    /// The makeup of an arc, given the arc's number.
    #[inline]
    pub(super) fn makeup(&self, arc: u32) -> Option<Makeup> {
        Some(Makeup(u64::from_le_bytes(*self.makeups.get(arc as usize)?)))
    }

    /// The cost between two nodes of the core.
    #[inline]
    pub(super) fn between(&self, a: u32, b: u32) -> Option<u32> {
        if a == b {
            return Some(0);
        }
        let at = table::place(a.into(), b.into());
        Some(u32::from_le_bytes(*self.table.get(at as usize)?))
    }

    /// The node at a cell, if any.
    #[inline]
    pub(super) fn at(&self, id: CellId) -> Option<u32> {
        let number = u32::from_le_bytes(*self.numbers.get(id.index())?);
        (number != contract::NONE).then_some(number)
    }
}

/// Decodes an arc of a file.
#[inline]
pub(super) fn arc(word: [u8; 8]) -> contract::Arc {
    let (to, cost) = both(word);
    // An arc with a higher cost is on no path.
    contract::Arc { to, cost: cost.min(Narrow::LIMIT) }
}

impl Lines for View<'_> {
    #[inline]
    fn clearance(&self, mut id: CellId, dir: Dir) -> u16 {
        let mut before = 0;
        loop {
            let steps = self.lines.get(id.index()).map_or(0, |lines| lines[dir as usize]);
            // Lines are shorter than the largest `u16`.
            if steps < FAR || before > u16::MAX - 2 * u16::from(FAR) {
                return before + u16::from(steps);
            }
            let walked = u16::from(FAR - 1);
            before += walked;
            id = CellId(id.0.wrapping_add(self.id_steps[dir as usize].wrapping_mul(walked.into())));
        }
    }

    #[inline]
    fn meets(&self, id: CellId, _: Dir, end: CellId) -> bool {
        end != id && self.at(end).is_some()
    }
}
