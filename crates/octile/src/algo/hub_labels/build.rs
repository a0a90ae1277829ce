//! Indexes in the making.

use super::cells::{Ranked, Records};
use super::file::{self, place_word};
use super::labels::Labelling;
use super::limits::{self, Limits, Unsuited};
use super::{HubLabels, KIND, VERSION};
use crate::algo::subgoals::{self, Graph, Shape, Subgoals};
use crate::artifact::ArtifactWriter;
use crate::grid::Grid;
use crate::search::{Build, BuildError, Watch};

/// Builds the index of a map, for a file or for a planner that has none: the bytes of a file.
pub(super) fn build(build: &Build<'_>, is_for_file: bool) -> Result<Vec<u8>, BuildError> {
    BuildError::check(&HubLabels::default(), build)?;
    build_within(build.grid(), Limits::new(build.budget(), is_for_file), &|progress| build.tell(progress))
        .map_err(Unsuited::into_error)
}

fn build_within(grid: &Grid, mut limits: Limits, watch: Watch) -> Result<Vec<u8>, Unsuited> {
    let count = subgoals::count(grid);
    limits::check_map(grid, count)?;
    // Their number alone is too much on many a map: that is told before there is a table of its cells.
    let least = Shape { cells: grid.padded_cells() as u64, subgoals: count as u64, ..Shape::default() };
    limits.check_shape(least)?;
    limits.check_outlook(grid, count)?;
    let subgoals = Subgoals::new(grid);
    limits.check_shape(subgoals.shape())?;
    let graph = Graph::new(&subgoals, |links| limits.check_graph(links))?;
    let labelling = Labelling::new(&subgoals, &graph, &mut limits, watch)?;
    drop(graph);
    let labels = Ranked::new(&subgoals, &labelling);
    let records = Records::new(&labels, &limits, watch)?;

    let word = |subgoal: u32| place_word(subgoals.cell(subgoal));
    let ends = labelling.order.iter().map(|&subgoal| word(subgoal)).chain([0]).zip(&labels.first);
    let places = labelling.order.iter().flat_map(|&subgoal| &labelling.places[subgoal as usize]);
    let trees = labelling.trees.iter().flat_map(|node| [word(node.subgoal), node.up]);
    let mut writer = ArtifactWriter::new(KIND, VERSION, grid);
    writer
        .section(file::SUBGOALS, bytes(ends.flat_map(|(cell, &first)| [cell, first]).map(u32::to_le_bytes)))
        .section(file::LINKS, bytes(labels.links.iter().map(|link| link.0.to_le_bytes())))
        .section(file::PLACES, bytes(places.map(|place| place.to_le_bytes())))
        .section(file::TREES, bytes(trees.map(u32::to_le_bytes)))
        .words(file::CELLS, &records.cells)
        .section(file::RECORDS, bytes(records.numbers.iter().map(|number| number.to_le_bytes())))
        .words(file::BLOCKS, &records.blocks)
        .words(file::CONNECTIONS, &records.connections);
    Ok(writer.finish())
}

fn bytes<const N: usize>(numbers: impl Iterator<Item = [u8; N]>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(numbers.size_hint().0 * N);
    numbers.for_each(|number| bytes.extend_from_slice(&number));
    bytes
}
