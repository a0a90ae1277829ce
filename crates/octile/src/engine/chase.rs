//! Following a target that moves.

use super::Engine;
use crate::geometry::Cell;
use crate::path::Path;
use crate::planner::{Guarantee, PathQuery, Planner, PlannerId, QueryError};

/// The path of a unit to a moving target, updated again and again.
///
/// A part of a shortest path is a shortest path. So as long as unit and target are on the last path, in this order, and
/// the map has not changed, the part between them is the answer, without a search. Otherwise the engine searches. All
/// answers are as good as the engine's own: with a planner that does not promise shortest grid paths, the engine
/// searches whenever unit or target has moved.
///
/// ```
/// use octile::engine::Chase;
/// use octile::{Engine, Grid};
/// let engine = Engine::new("corner-sweep", &Grid::open(50, 50)?)?;
/// let mut chase = Chase::new(&engine);
/// assert_eq!(chase.find((0, 0), (40, 40))?.unwrap().cost().to_string(), "40√2");
/// // The unit has walked along the path, and the target has come nearer.
/// assert_eq!(chase.find((3, 3), (38, 38))?.unwrap().cost().to_string(), "35√2");
/// assert_eq!((chase.asked(), chase.kept()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Chase {
    engine: Engine,
    path: Path,
    /// The query that `path` answers.
    known: Option<Known>,
    asked: u64,
    kept: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    ends: (Cell, Cell),
    found: bool,
    /// The planner that answered, which a renewal replaces, and the number of edits at that time.
    planner: PlannerId,
    edits: u64,
}

impl Chase {
    /// Follows a target on the map of an engine, for the engine's agent.
    pub fn new(engine: &Engine) -> Self {
        Self { engine: engine.clone(), path: Path::new(), known: None, asked: 0, kept: 0 }
    }

    /// A path from the unit to the target, or `None` if there is none. A warm call does not allocate.
    ///
    /// # Errors
    /// If the unit or the target is off the map or blocked.
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

    /// Whether the last path, or a part of it, is the answer.
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

    /// How many answers needed a search.
    pub fn asked(&self) -> u64 {
        self.asked
    }

    /// How many answers were the last path or a part of it.
    pub fn kept(&self) -> u64 {
        self.kept
    }
}
