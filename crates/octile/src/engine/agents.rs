//! Agents of any size: a planner for each, on the map of the cells where it fits.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Engine, Layer, Upkeep};
use crate::grid::{Agent, Edits, Fit, Grid, Room};
use crate::planner::{BuildError, EditError, Planner};

/// The planner for the map as it is, and those for agents that were asked for.
pub(super) struct Family {
    base: Arc<Layer>,
    agents: Mutex<Agents>,
}

#[derive(Default)]
struct Agents {
    layers: Vec<AgentLayer>,
    /// What an edit changes for one of them.
    changes: Edits,
    /// How their indexes are kept fresh.
    upkeep: Option<Upkeep>,
}

/// The planner for an agent.
struct AgentLayer {
    fit: Fit,
    layer: Arc<Layer>,
    /// Edits of the map that its planner refused: the next edit makes up for them.
    missed: Edits,
}

impl AgentLayer {
    /// Follows edits that `grid`, the map of all agents, has had. `changes` is room for what they change for this one.
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

    /// Changes the map, and with it the maps of all agents.
    pub(super) fn apply(&self, edits: &Edits) -> Result<(), EditError> {
        // One edit after the other: agents see them in the same order.
        let Agents { layers, changes, .. } = &mut *self.agents();
        self.base.apply(edits)?;
        if layers.is_empty() {
            return Ok(());
        }
        let grid = self.base.snapshot().grid().clone();
        // One that refuses keeps no other from following.
        let followed = layers.iter_mut().map(|agent| agent.follow(&grid, edits, changes));
        followed.fold(Ok(()), Result::and)
    }

    /// Says how all of them are kept fresh, those of agents that come later too.
    pub(super) fn keep_fresh(&self, upkeep: Option<Upkeep>) {
        let mut agents = self.agents();
        agents.upkeep = upkeep;
        self.base.keep_fresh(upkeep);
        agents.layers.iter().for_each(|agent| agent.layer.keep_fresh(upkeep));
    }

    /// The planner for an agent, made when it is asked for first.
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
        // No edit comes between.
        let base = self.base.snapshot();
        let mut fit = Fit::new(agent, room);
        let planner = self.planner(&*base, &fit.grid(base.grid()))?;
        let layer = Arc::new(Layer::new(planner.into(), self.base.source.clone()));
        layer.keep_fresh(agents.upkeep);
        agents.layers.push(AgentLayer { fit, layer: Arc::clone(&layer), missed: Edits::new() });
        Ok(layer)
    }

    /// A planner as the map's own, for the map of an agent: made from what that was made from or, if that is not known,
    /// a copy that is changed.
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
    /// The same engine for an agent of some size: all that it is asked is answered for that. Its map has the cells
    /// where the agent fits, and follows edits of the one map that all agents share.
    ///
    /// A square stands with its upper left cell on the cells of queries and paths, a disc with its centre at their
    /// centres; a disc's any-angle paths keep its radius all along. [`Agent`] says what that means and why. On a map
    /// with prices it pays for that one cell.
    ///
    /// The planner for an agent is made when it is asked for first, as the engine's own was, but from no index file:
    /// those are for the map as it is. Later it is at hand, and edits cost for it too what they change on its map.
    ///
    /// ```
    /// use octile::{Agent, Edits, Engine, Grid};
    /// let engine = Engine::new("corner-sweep", &"......\n.@....\n......".parse::<Grid>()?)?;
    /// let wagon = engine.for_agent(Agent::square(2)?)?;
    /// assert!(engine.find((0, 0), (0, 1))?.is_some());
    /// assert!(wagon.find((0, 0), (2, 0)).is_err(), "it does not fit there");
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

    /// The agents for which there are planners, in the order in which they were asked for.
    ///
    /// ```
    /// use octile::{Agent, Engine, Grid};
    /// let engine = Engine::new("jps", &Grid::open(9, 9)?)?;
    /// engine.for_agent(Agent::disc(1.5)?)?;
    /// assert_eq!(engine.agents(), [Agent::disc(1.5)?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn agents(&self) -> Vec<Agent> {
        self.family.agents().layers.iter().map(|known| known.fit.agent()).collect()
    }
}
