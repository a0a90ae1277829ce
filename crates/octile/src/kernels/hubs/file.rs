//! Reads and writes labels as index files: `docs/formats/index.md` describes the sections.

use std::ops::Range;
use std::sync::Arc;

use super::cells::{BLOCK, Ranked, Records};
use super::labels::{Labelling, TreeNode};
use crate::artifact::{Artifact, ArtifactError, ArtifactWriter};
use crate::geometry::Cell;
use crate::grid::Grid;
use crate::kernels::ds::link::Link;
use crate::planner::IndexContents;

const WIDTH: &str = "width";
const LINKS: &str = "links";
const PLACES: &str = "places";
const ROOTS: &str = "roots";
const TREES: &str = "trees";
pub(crate) const FAR: &str = "far";
const CELLS: &str = "cells";
const RECORDS: &str = "records";
const BLOCKS: &str = "blocks";
const CONNECTIONS: &str = "connections";

/// The parts of the format that differ between kinds of index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    pub(crate) kind: &'static str,
    /// The version of the sections.
    pub(crate) version: u32,
    /// The word for a site and its plural, which is also the name of the sites' section.
    pub(crate) site: &'static str,
    pub(crate) sites: &'static str,
}

/// The position of a site as a number: y above x, 16 bits each.
pub(crate) const fn place_word(x: u32, y: u32) -> u32 {
    x | y << 16
}

/// The x and y of a [`place_word`].
#[inline]
pub(crate) const fn xy_of(word: u32) -> (u32, u32) {
    (word & 0xffff, word >> 16)
}

/// The number of bytes of an index in a tree: as many as the largest needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Width(usize);

impl Width {
    fn of(places: &[u32]) -> Self {
        let most = places.iter().copied().max().unwrap_or_default();
        Self((u32::BITS - most.leading_zeros()).max(1).div_ceil(8) as usize)
    }

    const fn word(self) -> u32 {
        self.0 as u32
    }

    fn read(artifact: &Artifact) -> Result<Self, ArtifactError> {
        match artifact.records::<4>(WIDTH)? {
            [word] if (1..=4).contains(&u32::from_le_bytes(*word)) => Ok(Self(u32::from_le_bytes(*word) as usize)),
            [word] => {
                let width = u32::from_le_bytes(*word);
                Err(artifact.malformed(format!("section `{WIDTH}` is {width}, expected 1 to 4")))
            }
            words => Err(artifact.malformed(format!("section `{WIDTH}` has {} numbers, expected 1", words.len()))),
        }
    }

    /// Packs numbers into bytes, with zeros at the end so that four bytes can be read from the start of any number.
    fn pack(self, numbers: &[u32]) -> Vec<u8> {
        let mut bytes: Vec<u8> = Vec::with_capacity(numbers.len() * self.0 + 4);
        for number in numbers {
            bytes.extend_from_slice(&number.to_le_bytes()[..self.0]);
        }
        bytes.resize(bytes.len() + 4 - self.0, 0);
        bytes
    }

    /// The number of packed numbers in this many bytes.
    const fn count(self, bytes: usize) -> Option<usize> {
        match bytes.checked_sub(4 - self.0) {
            Some(bytes) if bytes.is_multiple_of(self.0) => Some(bytes / self.0),
            _ => None,
        }
    }

    #[inline]
    fn unpack(self, bytes: &[u8], at: usize) -> Option<u32> {
        let word = u32::from_le_bytes(*bytes.get(at.checked_mul(self.0)?..)?.first_chunk()?);
        Some(word & u32::MAX >> (u32::BITS - 8 * self.0 as u32))
    }
}

/// Bits of each coordinate of the hop to a parent, which is stored with an offset of 1024.
const HOP_BITS: u32 = 11;
const HOP_MASK: u32 = (1 << HOP_BITS) - 1;

/// The value of a node's distance to its parent if section `far` has the parent instead.
const ELSEWHERE: u32 = (1 << (u32::BITS - 2 * HOP_BITS)) - 1;

/// Writes the sections of labels. `word` returns the position of a site.
pub(crate) fn write<const BITS: u32>(
    writer: &mut ArtifactWriter,
    format: &Format,
    labelling: &Labelling<BITS>,
    labels: &Ranked<BITS>,
    records: Records,
    word: impl Fn(u32) -> u32,
) {
    let words = labelling.order.iter().map(|&site| word(site)).chain([0]);
    let ends: Vec<u32> = words.zip(&labels.first).flat_map(|(word, &first)| [word, first]).collect();
    let (places, roots) = tree_indices(labels, labelling);
    let (trees, far) = trees(&labelling.trees, word);
    let width = Width::of(&places);
    let links = labels.links.iter().flat_map(|link| link.0.to_le_bytes()).collect();
    writer
        .words(WIDTH, &[width.word()])
        .words(format.sites, &ends)
        .section(LINKS, links)
        .section(PLACES, width.pack(&places))
        .words(ROOTS, &roots)
        .words(TREES, &trees)
        .words(FAR, &far)
        .words(CELLS, &records.cells)
        .section(RECORDS, records.bytes)
        .words(BLOCKS, &records.blocks)
        .words(CONNECTIONS, &records.connections);
}

/// The nodes of trees as numbers, and the nodes that do not fit: node, position of the parent, and distance to the
/// parent.
fn trees(nodes: &[TreeNode], word: impl Fn(u32) -> u32) -> (Vec<u32>, Vec<u32>) {
    let mut far = Vec::new();
    let number = |(at, node): (usize, &TreeNode)| {
        if node.up == 0 {
            return 0;
        }
        let (own, parent) = (word(node.site), word(nodes[at - node.up as usize].site));
        let ((x, y), (to_x, to_y)) = (xy_of(own), xy_of(parent));
        let [dx, dy] = [(to_x, x), (to_y, y)].map(|(to, from)| to.wrapping_sub(from).wrapping_add(1 << (HOP_BITS - 1)));
        if dx.max(dy) >> HOP_BITS > 0 || node.up >= ELSEWHERE {
            far.extend([at as u32, parent, node.up]);
            return ELSEWHERE << (2 * HOP_BITS);
        }
        dx | dy << HOP_BITS | node.up << (2 * HOP_BITS)
    };
    (nodes.iter().enumerate().map(number).collect(), far)
}

/// For each link, label by label, the index of its site in the tree of its hub; and for each hub, where its tree
/// begins.
fn tree_indices<const BITS: u32>(labels: &Ranked<BITS>, labelling: &Labelling<BITS>) -> (Vec<u32>, Vec<u32>) {
    let mut roots: Vec<u32> = Vec::with_capacity(labelling.order.len());
    roots.extend((0..).zip(&labelling.trees).filter(|(_, node)| node.up == 0).map(|(at, _)| at));
    let places = labelling.order.iter().flat_map(|&site| &labelling.places[site as usize]);
    (places.zip(&labels.links).map(|(place, link)| place - roots[link.to()]).collect(), roots)
}

/// An index in a verified file. Its numbers may still have any value: impossible ones are detected when they are read.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    artifact: Arc<Artifact>,
    width: u32,
    packing: Width,
    sites: Range<usize>,
    links: Range<usize>,
    places: Range<usize>,
    roots: Range<usize>,
    trees: Range<usize>,
    far: Range<usize>,
    cells: Range<usize>,
    records: Range<usize>,
    blocks: Range<usize>,
    connections: Range<usize>,
}

impl Index {
    /// Opens a file for a map. Reads all of it once to verify the checksum.
    pub(crate) fn open(artifact: Arc<Artifact>, format: &Format, grid: &Grid) -> Result<Self, ArtifactError> {
        artifact.check(format.kind, format.version, grid)?;
        artifact.verify()?;
        let counts = Counts::read(&artifact, format)?;
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
            packing: counts.packing,
            sites: range(format.sites)?,
            links: range(LINKS)?,
            places: range(PLACES)?,
            roots: range(ROOTS)?,
            trees: range(TREES)?,
            far: range(FAR)?,
            cells: range(CELLS)?,
            records: range(RECORDS)?,
            blocks: range(BLOCKS)?,
            connections: range(CONNECTIONS)?,
            artifact,
        })
    }

    pub(crate) fn size_bytes(&self) -> usize {
        self.artifact.size_bytes()
    }

    /// The number of sites.
    pub(crate) fn sites(&self) -> usize {
        (self.sites.len() / 8).saturating_sub(1)
    }

    pub(crate) fn view(&self) -> View<'_> {
        let bytes = self.artifact.bytes();
        View {
            width: self.width,
            packing: self.packing,
            sites: bytes[self.sites.clone()].as_chunks().0,
            links: bytes[self.links.clone()].as_chunks().0,
            places: &bytes[self.places.clone()],
            roots: bytes[self.roots.clone()].as_chunks().0,
            trees: bytes[self.trees.clone()].as_chunks().0,
            far: bytes[self.far.clone()].as_chunks().0,
            cells: bytes[self.cells.clone()].as_chunks().0,
            records: &bytes[self.records.clone()],
            blocks: bytes[self.blocks.clone()].as_chunks().0,
            connections: bytes[self.connections.clone()].as_chunks().0,
        }
    }
}

/// The numbers of entries in the sections of a file.
struct Counts {
    packing: Width,
    sites: usize,
    links: usize,
    far: usize,
    cells: usize,
    record_bytes: usize,
    blocks: usize,
    connections: usize,
}

impl Counts {
    fn read(artifact: &Artifact, format: &Format) -> Result<Self, ArtifactError> {
        let packing = Width::read(artifact)?;
        let ends = artifact.records::<8>(format.sites)?.len();
        let links = artifact.records::<8>(LINKS)?.len();
        let places = packing.count(artifact.section(PLACES)?.len());
        let (roots, trees) = (artifact.records::<4>(ROOTS)?.len(), artifact.records::<4>(TREES)?.len());
        match ends.checked_sub(1) {
            Some(sites) if (roots, places, trees) == (sites, Some(links), links) => Ok(Self {
                packing,
                sites,
                links,
                far: artifact.records::<12>(FAR)?.len(),
                cells: artifact.records::<4>(CELLS)?.len(),
                record_bytes: artifact.section(RECORDS)?.len(),
                blocks: artifact.records::<4>(BLOCKS)?.len(),
                connections: artifact.records::<4>(CONNECTIONS)?.len(),
            }),
            _ => {
                let places = places.map_or("a fraction of".to_owned(), |places| places.to_string());
                Err(artifact.malformed(format!(
                    "it has {ends} ends, {roots} roots, {links} links, {places} places and {trees} nodes of trees"
                )))
            }
        }
    }
}

/// Describes the contents of a file for people.
pub(crate) fn describe(artifact: &Artifact, format: &Format) -> Result<IndexContents, ArtifactError> {
    artifact.verify()?;
    let Counts { packing, sites, links, far, cells, record_bytes, blocks, connections } =
        Counts::read(artifact, format)?;
    let average = links as f64 / sites.max(1) as f64;
    let label_bytes = 8 * (sites + 1) + links * (8 + packing.0);
    Ok(vec![
        (format.sites, sites.to_string()),
        ("links", format!("{links}, {average:.1} a {}", format.site)),
        ("bytes of labels", label_bytes.to_string()),
        ("bytes of trees", (4 * (sites + links) + 12 * far).to_string()),
        ("bytes of cells", (4 * cells + record_bytes).to_string()),
        ("bytes of blocks", (4 * (blocks + connections)).to_string()),
    ])
}

/// The sections of a file.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    width: u32,
    packing: Width,
    sites: &'a [[u8; 8]],
    links: &'a [[u8; 8]],
    places: &'a [u8],
    roots: &'a [[u8; 4]],
    trees: &'a [[u8; 4]],
    far: &'a [[u8; 12]],
    cells: &'a [[u8; 4]],
    records: &'a [u8],
    blocks: &'a [[u8; 4]],
    connections: &'a [[u8; 4]],
}

/// The two 32-bit numbers of a word, the lower half first.
#[inline]
fn both(word: [u8; 8]) -> (u32, u32) {
    let word = u64::from_le_bytes(word);
    (word as u32, (word >> 32) as u32)
}

/// The label of a cell.
pub(crate) struct Record<'a> {
    /// The connections of its block.
    pub(crate) connections: &'a [[u8; 4]],
    /// One bit for each connection of the block.
    pub(crate) mask: &'a [u8],
    /// The links it needs, connection by connection, followed by the rest of the section.
    pub(crate) links: &'a [u8],
}

impl<'a> View<'a> {
    /// The number of sites.
    pub(crate) fn sites(&self) -> usize {
        self.sites.len().saturating_sub(1)
    }

    /// The record of a cell of the map.
    #[inline]
    pub(crate) fn record(&self, cell: Cell) -> Option<Record<'a>> {
        let start = *self.cells.get(cell.y as usize * self.width as usize + cell.x as usize)?;
        let block = (cell.y / BLOCK) as usize * self.width.div_ceil(BLOCK) as usize + (cell.x / BLOCK) as usize;
        let block = *self.blocks.get(block)?;
        let (count, connections) = self.connections.get(u32::from_le_bytes(block) as usize..)?.split_first()?;
        let connections = connections.get(..u32::from_le_bytes(*count) as usize)?;
        let record = self.records.get(u32::from_le_bytes(start) as usize..)?;
        let (mask, links) = record.split_at_checked(connections.len().div_ceil(8))?;
        Some(Record { connections, mask, links })
    }

    /// The position of a site, and the range of its links.
    #[inline]
    pub(crate) fn site(&self, rank: usize) -> Option<(u32, usize, usize)> {
        let [this, next] = self.sites.get(rank..)?.first_chunk::<2>()?;
        let ((word, first), (_, end)) = (both(*this), both(*next));
        Some((word, first as usize, end as usize))
    }

    /// A link of a label.
    #[inline]
    pub(crate) fn link<const BITS: u32>(&self, at: usize) -> Option<Link<BITS>> {
        Some(Link(u64::from_le_bytes(*self.links.get(at)?)))
    }

    /// The node of a link's site in the tree of its hub.
    #[inline]
    pub(crate) fn node(&self, hub: usize, link: usize) -> Option<usize> {
        let place = self.packing.unpack(self.places, link)?;
        (u32::from_le_bytes(*self.roots.get(hub)?) as usize).checked_add(place as usize)
    }

    /// The parent of the node `at`, whose site is at `word`: the parent's position, and how many nodes before this one
    /// the parent is. For a hub, that number is 0 and the position is arbitrary.
    #[inline]
    pub(crate) fn parent(&self, at: usize, word: u32) -> Option<(u32, usize)> {
        const NO_HOP: u32 = 1 << (HOP_BITS - 1) | 1 << (HOP_BITS - 1 + 16);
        let node = u32::from_le_bytes(*self.trees.get(at)?);
        let up = node >> (2 * HOP_BITS);
        if up == ELSEWHERE {
            return self.far_parent(at);
        }
        // Both coordinates at once: in a valid file neither becomes negative.
        let hop = node & HOP_MASK | (node >> HOP_BITS & HOP_MASK) << 16;
        Some((word.wrapping_add(hop).wrapping_sub(NO_HOP), up as usize))
    }

    #[cold]
    fn far_parent(&self, at: usize) -> Option<(u32, usize)> {
        let numbers = |far: &[u8; 12]| {
            let (words, _) = far.as_chunks();
            [words[0], words[1], words[2]].map(u32::from_le_bytes)
        };
        let found = self.far.binary_search_by_key(&at, |far| numbers(far)[0] as usize).ok()?;
        let [_, word, up] = numbers(&self.far[found]);
        Some((word, up as usize))
    }
}
