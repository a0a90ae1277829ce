//! After a target that moves.

use super::Engine;
use crate::geometry::Cell;
use crate::path::Path;
use crate::planner::{Guarantee, PathQuery, Planner, PlannerId, QueryError};

/// The way of a unit to a target that moves, asked for again and again.
///
/// A part of a shortest path is a shortest path. So as long as unit and target are on the path as it was found last, in
/// this order, and the map has not changed, what is left of that is the answer, without a search; otherwise the engine
/// is asked. All answers are as good as the engine's own: planners that do not promise shortest grid paths are asked
/// whenever something has moved.
///
/// ```
/// use octile::{Chase, Engine, Grid};
/// let engine = Engine::new("corner-sweep", &Grid::open(50, 50)?)?;
/// let mut chase = Chase::new(&engine);
/// assert_eq!(chase.find((0, 0), (40, 40))?.unwrap().cost().to_string(), "40√2");
/// // The unit has walked, and the target has come nearer.
/// assert_eq!(chase.find((3, 3), (38, 38))?.unwrap().cost().to_string(), "35√2");
/// assert_eq!((chase.asked(), chase.kept()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Chase {
    engine: Engine,
    path: Path,
    /// For which question the path is the answer.
    known: Option<Known>,
    asked: u64,
    kept: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    ends: (Cell, Cell),
    found: bool,
    /// The planner that was asked, which a renewal replaces, and how many edits the map had seen.
    planner: PlannerId,
    edits: u64,
}

impl Chase {
    /// On the map of an engine, for the agent that the engine is for.
    pub fn new(engine: &Engine) -> Self {
        Self { engine: engine.clone(), path: Path::new(), known: None, asked: 0, kept: 0 }
    }

    /// A path from where the unit is to where the target is, or `None` if there is none. Warm, this allocates nothing.
    ///
    /// # Errors
    /// If one of them is off the map or blocked.
    pub fn find(&mut self, unit: impl Into<Cell>, target: impl Into<Cell>) -> Result<Option<&Path>, QueryError> {
        let ends = (unit.into(), target.into());
        let planner = self.engine.snapshot();
        let edits = self.engine.edits();
        if self.keeps(ends, &*planner, edits) {
            self.kept += 1;
        } else {
            let planner = planner.id();
            self.known = None;
            self.asked += 1;
            let found = self.engine.plan(PathQuery::new(ends.0, ends.1), &mut self.path)?;
            self.known = Some(Known { ends, found, planner, edits });
        }
        Ok(self.known.is_some_and(|known| known.found).then_some(&self.path))
    }

    /// Whether the path, or a part of it, is the answer.
    fn keeps(&mut self, ends: (Cell, Cell), planner: &dyn Planner, edits: u64) -> bool {
        let is_current = |known: &Known| (known.planner, known.edits) == (planner.id(), edits);
        let Some(known) = self.known.filter(is_current) else { return false };
        if known.ends == ends {
            return true;
        }
        let is_part = known.found
            && planner.guarantee() == Guarantee::GridOptimal
            && self.path.cut(planner.grid(), ends.0, ends.1);
        if is_part {
            self.known = Some(Known { ends, ..known });
        }
        is_part
    }

    /// How often the engine was asked.
    pub fn asked(&self) -> u64 {
        self.asked
    }

    /// How often what was known was enough.
    pub fn kept(&self) -> u64 {
        self.kept
    }
}
