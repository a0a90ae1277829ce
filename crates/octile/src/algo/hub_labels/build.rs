//! Builds indexes.

use super::{FORMAT, HubLabels};
use crate::artifact::ArtifactWriter;
use crate::geometry::Cell;
use crate::geometry::units::{Mid, Units};
use crate::grid::Grid;
use crate::kernels::hubs::cells::{Connect, Ranked, Records};
use crate::kernels::hubs::labels::Labelling;
use crate::kernels::hubs::outlook::Piece;
use crate::kernels::hubs::{self, file};
use crate::kernels::limits::{Limits, Unsuited};
use crate::kernels::subgoals::{self, Graph, Link, MAX_SUBGOALS, Subgoals};
use crate::planner::{Budget, Build, BuildError, Watch};

/// Builds the index of a map, for a file or for a planner that has none. Returns the bytes of a file.
pub(super) fn build(build: &Build<'_>, is_for_file: bool) -> Result<Vec<u8>, BuildError> {
    BuildError::check(&HubLabels::default(), build)?;
    build_within(build.grid(), Limits::of(build, is_for_file), &|progress| build.tell(progress))
        .map_err(|fault| fault.into_error(FORMAT.kind))
}

/// `steps.rs` does the same step by step, with the same result.
fn build_within(grid: &Grid, mut limits: Limits, watch: Watch) -> Result<Vec<u8>, Unsuited> {
    check_map(grid, &mut limits)?;
    let subgoals = Subgoals::new(grid);
    limits.check_shape(subgoals.shape())?;
    let labelling = label(&subgoals, &limits, watch)?;
    let labels = Ranked::new(&labelling);
    let records = Records::new(grid, &labels, || Direct { subgoals: &subgoals, ranks: &labels.ranks }, &limits, watch)?;
    Ok(write(&subgoals, &labelling, &labels, records))
}

/// Whether a map can have labels, as far as this is known before its subgoals are found.
pub(super) fn check_map(grid: &Grid, limits: &mut Limits) -> Result<(), Unsuited> {
    let count = subgoals::count(grid);
    limits.check_map(grid, count, MAX_SUBGOALS)?;
    // On many maps, the number of subgoals alone is too large.
    limits.check_shape(limits.shape)?;
    limits.check_outlook(grid, &label_piece)
}

/// Writes the bytes of a file.
pub(super) fn write(subgoals: &Subgoals, labelling: &Labelling<24>, labels: &Ranked<24>, records: Records) -> Vec<u8> {
    let mut writer = ArtifactWriter::new(FORMAT.kind, FORMAT.version, subgoals.grid());
    let word = |subgoal| super::place_word(subgoals.cell(subgoal));
    file::write(&mut writer, &FORMAT, labelling, labels, records, word);
    writer.finish()
}

/// Labels the subgoals.
pub(super) fn label(subgoals: &Subgoals, limits: &Limits, watch: Watch) -> Result<Labelling<24>, Unsuited> {
    let graph = Graph::new(subgoals, |links| limits.check_graph(links))?;
    Labelling::new(&OnMap { graph: &graph, grid: subgoals.grid() }, limits, watch)
}

/// Labels a piece of a map.
pub(super) fn label_piece(piece: &Grid) -> Result<Piece, Unsuited> {
    let subgoals = Subgoals::new(piece);
    let labelling = label(&subgoals, &Limits::new(Budget::UNLIMITED, true), &|_| {})?;
    Ok(Piece { steps: labelling.steps, sites: subgoals.len() })
}

/// The graph of the subgoals of a map.
pub(super) struct OnMap<'a> {
    pub(super) graph: &'a Graph,
    pub(super) grid: &'a Grid,
}

impl hubs::Graph<24> for OnMap<'_> {
    const LIMIT: u64 = Mid::LIMIT;

    fn len(&self) -> usize {
        self.graph.len()
    }

    fn farthest(&self) -> u64 {
        Mid::LIMIT / 2 - u64::from(self.grid.width().max(self.grid.height())) * Mid::DIAGONAL
    }

    fn farthest_cells(&self) -> u32 {
        (self.farthest() / Mid::DIAGONAL) as u32
    }

    #[inline]
    fn links(&self, subgoal: u32, _: Option<u32>) -> &[Link] {
        self.graph.links(subgoal as usize)
    }
}

/// Connects cells to the subgoals that they reach directly. The only connection of a subgoal is itself.
pub(super) struct Direct<'a> {
    pub(super) subgoals: &'a Subgoals,
    pub(super) ranks: &'a [u32],
}

impl Connect<24> for Direct<'_> {
    fn connect(&mut self, cell: Cell, found: &mut Vec<Link>) -> u64 {
        let id = self.subgoals.grid().id(cell);
        let mut steps = 0;
        match self.subgoals.at(id) {
            Some(subgoal) => {
                found.clear();
                found.push(Link::new(0, subgoal));
            }
            None => steps = self.subgoals.direct(id, found),
        }
        for hop in found {
            *hop = Link::new(hop.cost(), self.ranks[hop.to()]);
        }
        steps
    }

    #[inline]
    fn may_lead(&self, _: Cell, _: u32, _: u32) -> bool {
        true
    }
}
