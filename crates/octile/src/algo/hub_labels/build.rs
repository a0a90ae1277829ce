//! Indexes in the making.

use super::cells::{Ranked, Records};
use super::file::{self, Width, place_word};
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

    let cells = labelling.order.iter().map(|&subgoal| place_word(subgoals.cell(subgoal))).chain([0]);
    let ends: Vec<u32> = cells.zip(&labels.first).flat_map(|(cell, &first)| [cell, first]).collect();
    let (places, roots) = file::places(&labels, &labelling);
    let (trees, far) = file::trees(&subgoals, &labelling.trees);
    let width = Width::of(&places);
    let links = labels.links.iter().flat_map(|link| link.0.to_le_bytes()).collect();
    let mut writer = ArtifactWriter::new(KIND, VERSION, grid);
    writer
        .words(file::WIDTH, &[width.word()])
        .words(file::SUBGOALS, &ends)
        .section(file::LINKS, links)
        .section(file::PLACES, width.pack(&places))
        .words(file::ROOTS, &roots)
        .words(file::TREES, &trees)
        .words(file::FAR, &far)
        .words(file::CELLS, &records.cells)
        .section(file::RECORDS, records.bytes)
        .words(file::BLOCKS, &records.blocks)
        .words(file::CONNECTIONS, &records.connections);
    Ok(writer.finish())
}
