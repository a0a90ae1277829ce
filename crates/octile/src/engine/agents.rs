//! Agents of any size: one planner per agent, on the map of the cells where it fits.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Engine, Layer, Upkeep};
use crate::grid::{Agent, Edits, Fit, Grid, Room};
use crate::planner::{BuildError, EditError, Planner};

/// The planner for the map itself, and the planners for agents so far.
pub(super) struct Family {
    base: Arc<Layer>,
    agents: Mutex<Agents>,
}

#[derive(Default)]
struct Agents {
    layers: Vec<AgentLayer>,
    /// Buffer: what an edit changes on one agent's map.
    changes: Edits,
    /// How stale indexes are rebuilt.
    upkeep: Option<Upkeep>,
}

/// The planner for one agent.
struct AgentLayer {
    fit: Fit,
    layer: Arc<Layer>,
    /// Edits of the map that its planner refused. The next edit catches up with them.
    missed: Edits,
}

impl AgentLayer {
    /// Applies edits that `grid`, the map shared by all agents, has already had. `changes` is a buffer for the
    /// resulting edits of this agent's map.
    fn follow(&mut self, grid: &Grid, edits: &Edits, changes: &mut Edits) -> Result<(), EditError> {
        let has_missed = !self.missed.is_empty();
        if has_missed {
            self.missed.append(edits);
        }
        let fitting = self.layer.snapshot().grid().clone();
        self.fit.edits(grid, if has_missed { &self.missed } else { edits }, &fitting, changes)?;
        drop(fitting);
        let followed = if changes.is_empty() { Ok(()) } else { self.layer.apply(changes) };
        match followed {
            Ok(()) => self.missed.clear(),
            Err(_) if has_missed => {}
            Err(_) => self.missed.append(edits),
        }
        followed
    }
}

impl Family {
    pub(super) fn new(base: Arc<Layer>) -> Self {
        Self { base, agents: Mutex::default() }
    }

    fn agents(&self) -> MutexGuard<'_, Agents> {
        self.agents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the map and the maps of all agents.
    pub(super) fn apply(&self, edits: &Edits) -> Result<(), EditError> {
        // Holding the lock makes all agents see edits in the same order.
        let Agents { layers, changes, .. } = &mut *self.agents();
        self.base.apply(edits)?;
        if layers.is_empty() {
            return Ok(());
        }
        let grid = self.base.snapshot().grid().clone();
        // A planner that refuses does not stop the others.
        let followed = layers.iter_mut().map(|agent| agent.follow(&grid, edits, changes));
        followed.fold(Ok(()), Result::and)
    }

    /// Sets how the indexes of all layers are kept fresh, later agents included.
    pub(super) fn keep_fresh(&self, upkeep: Option<Upkeep>) {
        let mut agents = self.agents();
        agents.upkeep = upkeep;
        self.base.keep_fresh(upkeep);
        agents.layers.iter().for_each(|agent| agent.layer.keep_fresh(upkeep));
    }

    /// The layer for an agent, created on first use.
    fn layer(&self, agent: Agent) -> Result<Arc<Layer>, BuildError> {
        let base = self.base.snapshot();
        let room = if base.squeeze().is_some() { Room::Cell } else { Room::Centre };
        if agent.fits_everywhere(room) {
            return Ok(Arc::clone(&self.base));
        }
        let mut agents = self.agents();
        if let Some(known) = agents.layers.iter().find(|known| known.fit.agent() == agent) {
            return Ok(Arc::clone(&known.layer));
        }
        // Holding the lock keeps edits out until the layer is in the list.
        let base = self.base.snapshot();
        let mut fit = Fit::new(agent, room);
        let planner = self.planner(&*base, &fit.grid(base.grid()))?;
        let layer = Arc::new(Layer::new(planner.into(), self.base.source.clone()));
        layer.keep_fresh(agents.upkeep);
        agents.layers.push(AgentLayer { fit, layer: Arc::clone(&layer), missed: Edits::new() });
        Ok(layer)
    }

    /// A planner like the base planner, for the map of an agent: built from the same source or, if that is unknown, an
    /// edited copy.
    fn planner(&self, base: &(dyn Planner + 'static), grid: &Grid) -> Result<Box<dyn Planner>, BuildError> {
        if let Some(source) = &self.base.source {
            return source.build(&source.for_map(grid));
        }
        let mut planner = dyn_clone::clone_box(base);
        let differs = base.grid().cells().filter(|&cell| base.grid().is_free(cell) && !grid.is_free(cell));
        let edits: Edits = differs.map(|cell| (cell, false)).collect();
        planner.apply(&edits).map_err(|error| BuildError::unsuited(base.name(), error))?;
        Ok(planner)
    }
}

impl Engine {
    /// The same engine for an agent of another size: every query is answered for that agent. Its map has the cells
    /// where the agent fits, and follows edits of the map that all agents share.
    ///
    /// A square agent's position is its upper left cell; a disc's position is the centre of a cell. The any-angle paths
    /// of a disc keep its radius everywhere. [`Agent`] defines this and gives the reasons. On a map with prices the
    /// agent pays the price of that one cell.
    ///
    /// The planner for an agent is built on first use, like the engine's own but without index files: those are for the
    /// map itself. Later calls reuse it. Each edit then also costs what it changes on the agent's map.
    ///
    /// ```
    /// use octile::{Edits, Engine, Grid};
    /// use octile::grid::Agent;
    /// let engine = Engine::new("corner-sweep", &"......\n.@....\n......".parse::<Grid>()?)?;
    /// let wagon = engine.for_agent(Agent::square(2)?)?;
    /// assert!(engine.find((0, 0), (0, 1))?.is_some());
    /// assert!(wagon.find((0, 0), (2, 0)).is_err(), "the wagon does not fit there");
    ///
    /// engine.apply(Edits::new().free((1, 1)))?; // for all agents
    /// assert_eq!(wagon.find((0, 0), (4, 1))?.unwrap().cost().to_string(), "3+1√2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the planner cannot be made for that map.
    pub fn for_agent(&self, agent: Agent) -> Result<Self, BuildError> {
        Ok(Self { family: Arc::clone(&self.family), layer: self.family.layer(agent)? })
    }

    /// The agents that have a planner, in the order of their first use.
    ///
    /// ```
    /// use octile::{Engine, Grid};
    /// use octile::grid::Agent;
    /// let engine = Engine::new("jps", &Grid::open(9, 9)?)?;
    /// engine.for_agent(Agent::disc(1.5)?)?;
    /// assert_eq!(engine.agents(), [Agent::disc(1.5)?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn agents(&self) -> Vec<Agent> {
        self.family.agents().layers.iter().map(|known| known.fit.agent()).collect()
    }
}
