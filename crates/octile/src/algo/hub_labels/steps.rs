//! Builds indexes step by step: the same bytes as in one go.

use std::sync::Arc;

use super::build::{self, Direct, OnMap};
use super::{FORMAT, HubLabelsPlanner};
use crate::artifact::Artifact;
use crate::grid::Grid;
use crate::kernels::hubs::cells::{Ranked, Recorder};
use crate::kernels::hubs::labels::{Labeller, Labelling};
use crate::kernels::hubs::limits::{Limits, Unsuited};
use crate::kernels::subgoals::{Graph, Subgoals};
use crate::planner::{Build, BuildError, BuildSteps, Planner, Progress};

/// The steps of a budget to do at a time; each takes about ten nanoseconds.
const AT_A_TIME: u64 = 20_000;

/// The number of links of labels to group at a time.
const LINKS_AT_A_TIME: usize = 5_000;

/// A build in progress.
pub(super) struct Steps {
    grid: Grid,
    limits: Limits<'static>,
    stage: Stage,
}

/// The next thing to make.
enum Stage {
    /// Checks whether the map suits.
    Check,
    Subgoals,
    Graph(Subgoals, Graph),
    Labels(Subgoals, Graph, Box<Labeller<24>>),
    Groups(Subgoals, Labelling<24>, Ranked<24>),
    Cells(Box<Cells>),
    File(Box<Cells>),
    Planner(Vec<u8>),
    /// The build is done, or has failed.
    End,
}

/// The records of cells, and what they are made from.
struct Cells {
    subgoals: Subgoals,
    labelling: Labelling<24>,
    labels: Ranked<24>,
    recorder: Recorder<24>,
}

impl Steps {
    pub(super) fn new(build: &Build<'_>) -> Self {
        Self { grid: build.grid().clone(), limits: Limits::new(build.budget(), false), stage: Stage::Check }
    }

    /// Does a step of a stage and returns the next stage.
    fn advance(&mut self, stage: Stage) -> Result<Stage, Unsuited> {
        let Self { grid, limits, .. } = self;
        Ok(match stage {
            Stage::Check => {
                build::check_map(grid, limits)?;
                Stage::Subgoals
            }
            Stage::Subgoals => {
                let subgoals = Subgoals::new(grid);
                limits.check_shape(build::shape(&subgoals))?;
                let graph = Graph::begin(&subgoals);
                Stage::Graph(subgoals, graph)
            }
            Stage::Graph(subgoals, mut graph) => {
                if graph.advance(&subgoals, 1) {
                    limits.check_graph(graph.size())?;
                    Stage::Graph(subgoals, graph)
                } else {
                    let labeller = Labeller::new(graph.len());
                    Stage::Labels(subgoals, graph, Box::new(labeller))
                }
            }
            Stage::Labels(subgoals, graph, mut labeller) => {
                let on_map = OnMap { graph: &graph, grid };
                if labeller.advance(&on_map, limits, &|_| {}, AT_A_TIME)? {
                    let labelling = labeller.finish();
                    let labels = Ranked::begin(&labelling);
                    Stage::Groups(subgoals, labelling, labels)
                } else {
                    Stage::Labels(subgoals, graph, labeller)
                }
            }
            Stage::Groups(subgoals, labelling, mut labels) => {
                if labels.group(&labelling, LINKS_AT_A_TIME) {
                    let recorder = Recorder::new(grid, &labels);
                    Stage::Cells(Box::new(Cells { subgoals, labelling, labels, recorder }))
                } else {
                    Stage::Groups(subgoals, labelling, labels)
                }
            }
            Stage::Cells(mut cells) => {
                let Cells { subgoals, labels, recorder, .. } = &mut *cells;
                let connect = Direct { subgoals, ranks: &labels.ranks };
                let is_done = recorder.advance(grid, labels, connect, limits, AT_A_TIME)?;
                if is_done { Stage::File(cells) } else { Stage::Cells(cells) }
            }
            Stage::File(cells) => {
                let Cells { subgoals, labelling, labels, recorder } = *cells;
                Stage::Planner(build::write(&subgoals, &labelling, &labels, recorder.finish()))
            }
            last @ (Stage::Planner(_) | Stage::End) => last,
        })
    }
}

impl BuildSteps for Steps {
    fn step(&mut self) -> Result<Option<Box<dyn Planner>>, BuildError> {
        match std::mem::replace(&mut self.stage, Stage::End) {
            Stage::End => Err(BuildError::Cancelled),
            Stage::Planner(bytes) => {
                let artifact = Arc::new(Artifact::from_bytes(bytes.into())?);
                Ok(Some(Box::new(HubLabelsPlanner::new(&self.grid, artifact)?)))
            }
            stage => {
                self.stage = self.advance(stage).map_err(|fault| fault.into_error(FORMAT.kind))?;
                Ok(None)
            }
        }
    }

    fn progress(&self) -> Option<Progress> {
        match &self.stage {
            Stage::Labels(_, graph, labeller) => {
                Some(Progress::new("hubs", labeller.hubs() as u64, graph.len() as u64))
            }
            Stage::Cells(cells) => {
                Some(Progress::new("cells", cells.recorder.blocks(), Recorder::<24>::all(&self.grid)))
            }
            _ => None,
        }
    }
}
