//! Builds indexes.

use super::file::{self, FAR, Makeup, place_word};
use super::forecast::{self, Forecast, LONG};
use super::table::table;
use super::{CoreTable, KIND, VERSION};
use crate::artifact::ArtifactWriter;
use crate::geometry::CellId;
use crate::grid::Grid;
use crate::kernels::limits::{Limits, Unsuited};
use crate::kernels::subgoals::contract::{Arc, Contracted, Middle, NONE, Rules};
use crate::kernels::subgoals::{self, Graph, MAX_SUBGOALS, Subgoals};
use crate::planner::{Build, BuildError, Progress, Watch};

/// The settings of a contraction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// The number of nodes in the core.
    pub(super) core: usize,
    /// The maximum number of nodes that a witness search expands.
    pub(super) most_expanded: usize,
}

/// The maximum size of a core: its table takes 12.5 MB.
const MOST_CORE: usize = 2500;

/// The limit of witness searches, which seldom expand this many nodes. With a fifth of it, unnecessary shortcuts cause
/// more shortcuts until the core is full of them.
const MOST_EXPANDED: usize = 500;

/// One node of the core per this many subgoals.
const SUBGOALS_PER_NODE: usize = 24;

impl Settings {
    /// The settings for a map with this number of subgoals.
    pub(super) fn new(subgoals: usize) -> Self {
        Self { core: (subgoals / SUBGOALS_PER_NODE).min(MOST_CORE), most_expanded: MOST_EXPANDED }
    }

    const fn rules(self) -> Rules {
        Rules { keep: self.core, most_neighbours: usize::MAX, most_steps: u64::MAX, most_expanded: self.most_expanded }
    }
}

/// Builds the index of a map, for a file or for a planner that has none. Returns the bytes of a file.
pub(super) fn build(build: &Build<'_>, is_for_file: bool) -> Result<Vec<u8>, BuildError> {
    BuildError::check(&CoreTable::default(), build)?;
    let limits = Limits::of(build, is_for_file);
    build_within(build.grid(), Settings::new, limits, &|progress| build.tell(progress))
        .map_err(|fault| fault.into_error(KIND))
}

pub(super) fn build_within(
    grid: &Grid,
    settings: impl Fn(usize) -> Settings,
    mut limits: Limits,
    watch: Watch,
) -> Result<Vec<u8>, Unsuited> {
    let count = subgoals::count(grid);
    limits.check_map(grid, count, MAX_SUBGOALS)?;
    let (settings, least) = (settings(count), limits.shape);
    let mut forecast = Forecast::new(limits, settings.core);
    forecast.check_shape(least)?;
    let subgoals = Subgoals::new(grid);
    forecast.check_shape(subgoals.shape())?;
    let graph = Graph::new(&subgoals, |links| forecast.check_graph(links))?;
    forecast::check_length(grid, &graph)?;
    let all = graph.len().saturating_sub(settings.core) as u64;
    let contracted = Contracted::new(&subgoals, &graph, settings.rules(), |effort| {
        watch(Progress::new("corners", (graph.len() - effort.left) as u64, all));
        forecast.check_contraction(effort)
    })?;
    drop(graph);
    if !contracted.is_whole() {
        return Err(LONG);
    }
    let nodes = Nodes::new(&contracted, subgoals.len());
    let core_arcs = (0..nodes.core as u32).flat_map(|node| nodes.arcs(node).map(move |arc| (node, arc.to, arc.cost)));
    let table = table(nodes.core, core_arcs, |steps| forecast.check_table(nodes.core, steps), watch)?;
    Ok(write(&subgoals, &nodes, &table))
}

/// The nodes of a contracted graph, numbered as in files: first the core, then the others, with neighbours close
/// together.
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

    /// The arcs of a node.
    fn arcs(&self, node: u32) -> impl Iterator<Item = Arc> {
        let arcs = self.contracted.arcs(self.subgoals[node as usize]).iter();
        arcs.map(|arc| Arc { to: self.numbers[arc.to as usize], ..*arc })
    }

    /// The makeups of a node's arcs. `firsts` has the number of each node's first arc.
    fn makeups(&self, node: u32, subgoals: &Subgoals, firsts: &[u32]) -> impl Iterator<Item = Makeup> {
        let from = self.subgoals[node as usize];
        let (arcs, middles) = (self.contracted.arcs(from), self.contracted.middles(from));
        arcs.iter().zip(middles).map(move |(arc, &middle)| {
            if middle == Middle::NONE {
                return Makeup::hop(subgoals.cell(from), subgoals.cell(arc.to));
            }
            // The middle of a shortcut has arcs to both ends.
            let first = firsts[self.numbers[middle.node as usize] as usize];
            Makeup::shortcut(first + u32::from(middle.near), first + u32::from(middle.far))
        })
    }
}

fn write(subgoals: &Subgoals, nodes: &Nodes, table: &[u32]) -> Vec<u8> {
    let (mut firsts, mut arcs) = (Vec::with_capacity(subgoals.len() + 1), Vec::new());
    for node in 0..subgoals.len() as u32 {
        firsts.push(arcs.len() as u32 / 2);
        arcs.extend(nodes.arcs(node).flat_map(|arc| [arc.to, arc.cost]));
    }
    firsts.push(arcs.len() as u32 / 2);
    let cells = nodes.subgoals.iter().map(|&subgoal| place_word(subgoals.cell(subgoal))).chain([0]);
    let ends: Vec<u32> = cells.zip(&firsts).flat_map(|(cell, &first)| [cell, first]).collect();
    let mut makeups = Vec::with_capacity(4 * arcs.len());
    for node in 0..subgoals.len() as u32 {
        makeups.extend(nodes.makeups(node, subgoals, &firsts).flat_map(|makeup| makeup.0.to_le_bytes()));
    }
    let grid = subgoals.grid();
    let clearances = subgoals.clearances().iter().flatten().map(|&steps| steps.min(FAR.into()) as u8).collect();
    let ids = (0..grid.padded_cells() as u32).map(CellId);
    let numbers: Vec<u32> =
        ids.map(|id| subgoals.at(id).map_or(NONE, |subgoal| nodes.numbers[subgoal as usize])).collect();
    let mut writer = ArtifactWriter::new(KIND, VERSION, grid);
    writer
        .words(file::CORE, &[nodes.core as u32, nodes.contracted.nesting()])
        .words(file::NODES, &ends)
        .words(file::ARCS, &arcs)
        .section(file::MAKEUPS, makeups)
        .words(file::TABLE, table)
        .section(file::LINES, clearances)
        .words(file::NUMBERS, &numbers);
    writer.finish()
}
