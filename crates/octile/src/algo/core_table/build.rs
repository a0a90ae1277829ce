//! Indexes in the making.

use super::file::{self, FAR, place_word};
use super::limits::{self, Limits, Unsuited};
use super::table::table;
use super::{CoreTable, KIND, VERSION};
use crate::algo::subgoals::contract::{Arc, Contracted, NONE, Rules};
use crate::algo::subgoals::{self, Graph, Shape, Subgoals};
use crate::artifact::ArtifactWriter;
use crate::geometry::CellId;
use crate::grid::Grid;
use crate::search::{Build, BuildError, Progress, Watch};

/// How a map is contracted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// Nodes of the core.
    pub(super) core: usize,
    /// Nodes that a search for witnesses expands at most.
    pub(super) most_expanded: usize,
}

/// The most nodes of a core: their table has 16 MB.
const MOST_CORE: usize = 2800;

/// The core has a node for so many subgoals.
const SUBGOALS_PER_NODE: usize = 16;

impl Settings {
    /// Those for a map with so many subgoals.
    pub(super) fn new(subgoals: usize) -> Self {
        Self { core: (subgoals / SUBGOALS_PER_NODE).min(MOST_CORE), most_expanded: 500 }
    }

    const fn rules(self) -> Rules {
        Rules { keep: self.core, most_neighbours: usize::MAX, most_expanded: self.most_expanded }
    }
}

/// Builds the index of a map, for a file or for a planner that has none: the bytes of a file.
pub(super) fn build(build: &Build<'_>, is_for_file: bool) -> Result<Vec<u8>, BuildError> {
    BuildError::check(&CoreTable::default(), build)?;
    let limits = Limits::new(build.budget(), is_for_file);
    build_within(build.grid(), Settings::new, limits, &|progress| build.tell(progress)).map_err(Unsuited::into_error)
}

pub(super) fn build_within(
    grid: &Grid,
    settings: impl Fn(usize) -> Settings,
    mut limits: Limits,
    watch: Watch,
) -> Result<Vec<u8>, Unsuited> {
    let count = subgoals::count(grid);
    limits::check_map(grid, count)?;
    let settings = settings(count);
    let least = Shape { cells: grid.padded_cells() as u64, subgoals: count as u64, ..Shape::default() };
    limits.check_shape(least, settings.core)?;
    let subgoals = Subgoals::new(grid);
    limits.check_shape(subgoals.shape(), settings.core)?;
    let graph = Graph::new(&subgoals, |links| limits.check_graph(links))?;
    limits.check_length(grid, &graph)?;
    let all = graph.len().saturating_sub(settings.core) as u64;
    let contracted = Contracted::new(&subgoals, &graph, settings.rules(), |effort| {
        watch(Progress::new("corners", (graph.len() - effort.left) as u64, all));
        limits.check_contraction(effort)
    })?;
    drop(graph);
    let nodes = Nodes::new(&contracted, subgoals.len());
    let core_arcs =
        (0..nodes.core as u32).flat_map(|node| nodes.arcs(node).map(move |(arc, _)| (node, arc.to, arc.cost)));
    let table = table(nodes.core, core_arcs, |steps| limits.check_table(nodes.core, steps), watch)?;
    Ok(write(&subgoals, &nodes, &table))
}

/// The nodes of a contracted graph, numbered as in files: first the core, then the others, near ones near each other.
struct Nodes<'a> {
    contracted: &'a Contracted,
    core: usize,
    /// The subgoal of each node.
    subgoals: Vec<u32>,
    /// The node of each subgoal.
    numbers: Vec<u32>,
}

impl<'a> Nodes<'a> {
    fn new(contracted: &'a Contracted, count: usize) -> Self {
        let (mut subgoals, others): (Vec<u32>, Vec<u32>) =
            (0..count as u32).partition(|&subgoal| contracted.is_core(subgoal));
        let core = subgoals.len();
        subgoals.extend(others);
        let mut numbers = vec![0; count];
        for (number, &subgoal) in subgoals.iter().enumerate() {
            numbers[subgoal as usize] = number as u32;
        }
        Self { contracted, core, subgoals, numbers }
    }

    /// The number of a subgoal, if it is one.
    fn number(&self, subgoal: u32) -> u32 {
        self.numbers.get(subgoal as usize).copied().unwrap_or(NONE)
    }

    /// The arcs of a node, each with its middle.
    fn arcs(&self, node: u32) -> impl Iterator<Item = (Arc, u32)> {
        let subgoal = self.subgoals[node as usize];
        let arcs = self.contracted.arcs(subgoal).iter().zip(self.contracted.middles(subgoal));
        arcs.map(|(arc, &middle)| (Arc { to: self.number(arc.to), ..*arc }, self.number(middle)))
    }
}

fn write(subgoals: &Subgoals, nodes: &Nodes, table: &[u32]) -> Vec<u8> {
    let (mut ends, mut arcs, mut middles) = (Vec::new(), Vec::new(), Vec::new());
    for (node, &subgoal) in nodes.subgoals.iter().enumerate() {
        ends.extend([place_word(subgoals.cell(subgoal)), middles.len() as u32]);
        for (arc, middle) in nodes.arcs(node as u32) {
            arcs.extend([arc.to, arc.cost]);
            middles.push(middle);
        }
    }
    ends.extend([0, middles.len() as u32]);
    let grid = subgoals.grid();
    let clearances = subgoals.clearances().iter().flatten().map(|&steps| steps.min(FAR.into()) as u8).collect();
    let ids = (0..grid.padded_cells() as u32).map(CellId);
    let numbers: Vec<u32> = ids.map(|id| subgoals.at(id).map_or(NONE, |subgoal| nodes.number(subgoal))).collect();
    let mut writer = ArtifactWriter::new(KIND, VERSION, grid);
    writer
        .words(file::CORE, &[nodes.core as u32])
        .words(file::NODES, &ends)
        .words(file::ARCS, &arcs)
        .words(file::MIDDLES, &middles)
        .words(file::TABLE, table)
        .section(file::LINES, clearances)
        .words(file::NUMBERS, &numbers);
    writer.finish()
}
