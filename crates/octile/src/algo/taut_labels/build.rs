//! Builds indexes.

use super::lengths::{self, BITS, LIMIT, Link};
use super::settings::{self, Settings};
use super::{FORMAT, TautLabels};
use crate::artifact::ArtifactWriter;
use crate::geometry::{Cell, Corner, Endpoints, Point, order};
use crate::grid::{Grid, Squeeze};
use crate::kernels::hubs::cells::{Connect, Ranked, Records};
use crate::kernels::hubs::labels::Labelling;
use crate::kernels::hubs::limits::{self, Limits, Shape, Unsuited};
use crate::kernels::hubs::outlook::Piece;
use crate::kernels::hubs::{self, file};
use crate::kernels::taut::cones::{Bands, Cones, View};
use crate::kernels::taut::{Corners, Graph, Turn, seen, slot};
use crate::planner::{Budget, Build, BuildError, Watch};

/// The number of cells sampled to estimate how many corners a cell sees.
const SAMPLES: usize = 1000;

/// Builds the index of a map, for a file or for a planner that has none. Returns the bytes of a file.
pub(super) fn build(build: &Build<'_>, settings: Settings, is_for_file: bool) -> Result<Vec<u8>, BuildError> {
    BuildError::check(&TautLabels::from(settings), build)?;
    let limits = Limits::of(build, is_for_file);
    build_within(build.grid(), settings, limits, &|progress| build.tell(progress))
        .map_err(|fault| fault.into_error(FORMAT.kind))
}

fn build_within(grid: &Grid, settings: Settings, mut limits: Limits, watch: Watch) -> Result<Vec<u8>, Unsuited> {
    let Settings { squeeze, ends } = settings;
    let count = Corners::new(grid, squeeze).len();
    limits::check_map(grid, count, Link::MAX_NODES)?;
    let least = Shape { cells: grid.padded_cells() as u64, sites: count as u64, ..Shape::default() };
    limits.check_shape(least)?;
    limits.check_outlook(grid, count, &|piece| label_piece(piece, squeeze))?;
    let bands = Bands::new(grid);
    let graph = Hops::new(grid, &bands, squeeze, &limits)?;
    let view = View { grid, bands: &bands, squeeze };
    limits.check_shape(shape(&graph, view, ends, least))?;
    let labelling = Labelling::new(&graph, &mut limits, watch)?;
    let labels = Ranked::new(&labelling);
    let turns: Vec<Turn> = labelling.order.iter().map(|&corner| graph.corners().turn(corner)).collect();
    let connect = || Sight::new(view, ends, graph.corners(), &labels.ranks, &turns);
    let records = Records::new(grid, &labels, connect, &limits, watch)?;
    let mut writer = ArtifactWriter::new(FORMAT.kind, FORMAT.version, grid);
    writer.words(settings::SETTINGS, &settings.words());
    let word = |corner| place_word(graph.corners().turn(corner).corner());
    file::write(&mut writer, &FORMAT, &labelling, &labels, records, word);
    Ok(writer.finish())
}

/// The position of a corner as a number.
fn place_word(Corner { x, y }: Corner) -> u32 {
    file::place_word(x, y)
}

/// The size of a map's graph, estimated from a sample of cells; `known` has the exact part.
fn shape(graph: &Hops, view: View, ends: Endpoints, known: Shape) -> Shape {
    let (mut cones, mut links, mut cells) = (Cones::default(), 0_u32, 0_u32);
    let all = view.grid.cells().step_by(known.cells as usize / SAMPLES + 1);
    for cell in all.filter(|&cell| view.grid.is_free(cell)) {
        seen(&mut cones, view, graph.corners(), ends.point(cell), |_, _, _, _| links += 1);
        cells += 1;
    }
    Shape {
        free_cells: view.grid.free_cells().into(),
        links_per_site: graph.links.len() as f64 / known.sites.max(1) as f64,
        links_per_cell: f64::from(links) / f64::from(cells.max(1)),
        ..known
    }
}

/// Labels a piece of a map.
fn label_piece(piece: &Grid, squeeze: Squeeze) -> Result<Piece, Unsuited> {
    let mut limits = Limits::new(Budget::UNLIMITED, true);
    let graph = Hops::new(piece, &Bands::new(piece), squeeze, &limits)?;
    let labelling = Labelling::new(&graph, &mut limits, &|_| {})?;
    Ok(Piece { steps: labelling.steps, sites: graph.corners().len() })
}

/// The taut graph of a map, with the lengths of its hops.
pub(super) struct Hops {
    graph: Graph,
    /// The lengths of all hops, in the order of the graph.
    links: Vec<Link>,
    farthest: u64,
}

impl Hops {
    pub(super) fn new(grid: &Grid, bands: &Bands, squeeze: Squeeze, limits: &Limits) -> Result<Self, Unsuited> {
        let graph = Graph::new(grid, bands, squeeze, |effort| limits.check(effort.steps, effort.bytes))?;
        let mut links = Vec::with_capacity(graph.hops.len());
        for corner in 0..graph.corners.len() as u32 {
            let from = graph.corners.turn(corner).point();
            let hops = &graph.hops[graph.range(slot(corner, 0)).start..graph.range(slot(corner, 1)).end];
            links.extend(hops.iter().map(|hop| Link::new(lengths::between(from, hop.point()), hop.corner())));
        }
        let end = Point::corner(Corner::new(grid.width(), grid.height()));
        let farthest = (LIMIT / 2).saturating_sub(lengths::between(Point::default(), end));
        Ok(Self { graph, links, farthest })
    }

    pub(super) fn corners(&self) -> &Corners {
        &self.graph.corners
    }
}

impl hubs::Graph<BITS> for Hops {
    const LIMIT: u64 = LIMIT;

    fn len(&self) -> usize {
        self.graph.corners.len()
    }

    fn farthest(&self) -> u64 {
        self.farthest
    }

    fn farthest_cells(&self) -> u32 {
        lengths::cells(self.farthest)
    }

    #[inline]
    fn links(&self, corner: u32, before: Option<u32>) -> &[Link] {
        let Some(before) = before else {
            let [first, last] = [0, 1].map(|side| self.graph.range(slot(corner, side)));
            return &self.links[first.start..last.end];
        };
        let turn = self.graph.corners.turn(corner);
        let from = turn.to(self.graph.corners.turn(before).point());
        // Hops are taut at both ends.
        turn.kind.side(from).map_or(&[], |side| &self.links[self.graph.onward(corner, side, from)])
    }
}

/// Connects cells to the corners that they see and at which a path from there may turn.
pub(super) struct Sight<'a> {
    view: View<'a>,
    ends: Endpoints,
    corners: &'a Corners,
    ranks: &'a [u32],
    /// The corners by rank.
    turns: &'a [Turn],
    cones: Cones,
}

impl<'a> Sight<'a> {
    fn new(view: View<'a>, ends: Endpoints, corners: &'a Corners, ranks: &'a [u32], turns: &'a [Turn]) -> Self {
        Self { view, ends, corners, ranks, turns, cones: Cones::default() }
    }
}

impl Connect<BITS> for Sight<'_> {
    fn connect(&mut self, cell: Cell, found: &mut Vec<Link>) -> u64 {
        found.clear();
        let (rows, point) = (self.cones.rows, self.ends.point(cell));
        seen(&mut self.cones, self.view, self.corners, point, |corner, turn, _, _| {
            found.push(Link::new(lengths::between(point, turn.point()), self.ranks[corner as usize]));
        });
        // This makes indexes independent of the order in which corners are seen.
        order::sort_by_key(found, |hop| hop.to());
        self.cones.rows - rows + found.len() as u64
    }

    #[inline]
    fn may_lead(&self, cell: Cell, connection: u32, next: u32) -> bool {
        let turn = self.turns[connection as usize];
        let [from, to] = [self.ends.point(cell), self.turns[next as usize].point()].map(|point| turn.to(point));
        let side = turn.kind.side(from);
        side.is_some_and(|side| turn.kind.side(to) != Some(side) && turn.kind.turns(side, from, to))
    }
}
