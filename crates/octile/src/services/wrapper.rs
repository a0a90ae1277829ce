//! Wrappers around planners: those whose paths are smoothed or extended to centres, and those that were chosen among
//! others.

use crate::geometry::{Endpoints, Point};
use crate::grid::{Edits, Grid, Squeeze};
use crate::path::{Output, Path, PathFault};
use crate::planner::{EditError, Facts, PathQuery, Planner, PlannerId, Probe, Scratch};

/// Wraps a planner so that every path is [smoothed](Path::smooth) after it was found; any-angle paths are smoothed
/// under the planner's own squeeze rule. The map must have movement [`octile`](crate::Movement::Octile). On a map with
/// terrain costs the planner is returned unchanged: terrain costs are not defined for lines in any direction.
///
/// ```
/// use octile::{Engine, Grid, Jps, services};
/// use octile::grid::Squeeze;
/// let planner = Jps::default().planner(&Grid::open(10, 10)?)?;
/// let engine = Engine::of(services::smoothed(planner, Squeeze::Allowed)); // "jps:smooth=greedy"
/// assert_eq!(engine.find((0, 0), (9, 3))?.unwrap().length(), 90.0_f64.sqrt());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn smoothed(planner: Box<dyn Planner>, squeeze: Squeeze) -> Box<dyn Planner> {
    if planner.grid().convention().is_some() {
        return planner;
    }
    let squeeze = planner.squeeze().unwrap_or(squeeze);
    Box::new(Wrapper::changing(planner, Change::Smooth(squeeze)))
}

/// Wraps a planner so that every any-angle path is extended after it was found, from the upper left corners of its two
/// cells to their centres. Both ends are then pulled tight, so the path is seldom much longer than the one between
/// corners, and never by more than `√2`. A planner whose paths already begin and end at centres, or go from cell to
/// cell, is returned unchanged.
///
/// ```
/// use octile::{Cell, Engine, Grid, Point, ThetaStar, services};
/// use octile::geometry::Endpoints;
/// let planner = ThetaStar::default().planner(&Grid::open(10, 10)?)?;
/// let engine = Engine::of(services::centred(planner)); // "theta-star:ends=centres"
/// assert_eq!(engine.ends(), Endpoints::Centres);
/// let path = engine.find((0, 0), (9, 3))?.unwrap();
/// assert_eq!(path.vertices()?.next(), Some(Point::centre(Cell::new(0, 0))));
/// assert_eq!(path.length(), 90.0_f64.sqrt());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn centred(planner: Box<dyn Planner>) -> Box<dyn Planner> {
    if planner.squeeze().is_none() || planner.ends() == Endpoints::Centres {
        return planner;
    }
    Box::new(Wrapper::changing(planner, Change::Centre))
}

/// A wrapped planner.
#[derive(Clone)]
pub(crate) struct Wrapper {
    planner: Box<dyn Planner>,
    /// How paths are changed after they were found, and the facts of the planner with the changed paths.
    change: Option<(Change, Facts)>,
    /// The spec under which it was chosen, if it was.
    chosen: Option<String>,
}

/// How paths are changed after they were found.
#[derive(Clone, Copy)]
enum Change {
    /// Smoothed under this squeeze rule.
    Smooth(Squeeze),
    /// Extended to centres.
    Centre,
}

impl Change {
    /// The facts of a planner once its paths are changed.
    fn facts(self, facts: &Facts) -> Facts {
        match self {
            Self::Smooth(squeeze) => facts.smoothed(squeeze),
            Self::Centre => facts.centred(),
        }
    }
}

impl Wrapper {
    /// A planner whose paths are changed after they were found.
    fn changing(planner: Box<dyn Planner>, change: Change) -> Self {
        let facts = change.facts(planner.facts());
        Self { planner, change: Some((change, facts)), chosen: None }
    }

    /// A planner that was chosen, with its spec.
    pub(crate) fn chosen(planner: Box<dyn Planner>, spec: String) -> Self {
        Self { planner, change: None, chosen: Some(spec) }
    }

    /// Changes a path that was found.
    fn finish(&self, change: Change, output: Output, out: &mut Path, mut probe: Option<&mut dyn Probe>) {
        let mut see = |from: Point, to: Point| {
            if let Some(probe) = &mut probe {
                probe.sight(from, to);
            }
        };
        match change {
            Change::Smooth(squeeze) => out.smooth_watched(self.planner.grid(), squeeze, &mut see),
            Change::Centre => out.centre_watched(self.planner.grid(), &mut see),
        }
        if output == Output::Cost {
            out.drop_points();
        }
    }
}

impl Planner for Wrapper {
    fn facts(&self) -> &Facts {
        self.change.as_ref().map_or_else(|| self.planner.facts(), |(_, facts)| facts)
    }

    fn grid(&self) -> &Grid {
        self.planner.grid()
    }

    fn id(&self) -> PlannerId {
        self.planner.id()
    }

    fn create_scratch(&self) -> Scratch {
        self.planner.create_scratch()
    }

    fn search(
        &self,
        scratch: &mut Scratch,
        query: PathQuery,
        out: &mut Path,
        mut probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        let Some((change, _)) = self.change else { return self.planner.search(scratch, query, out, probe) };
        let watched: Option<&mut dyn Probe> = match &mut probe {
            Some(probe) => Some(&mut **probe),
            None => None,
        };
        // Only the turning points of the path are to be changed.
        let found = self.planner.search(scratch, query.output(Output::Waypoints), out, watched)?;
        if found {
            self.finish(change, query.output, out, probe);
        }
        Ok(found)
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        self.planner.apply(edits)?;
        if let Some((change, facts)) = &mut self.change {
            *facts = change.facts(self.planner.facts());
        }
        Ok(())
    }

    fn inner(&self) -> Option<&dyn Planner> {
        Some(&*self.planner)
    }

    fn chosen(&self) -> Option<&str> {
        self.chosen.as_deref().or_else(|| self.planner.chosen())
    }
}
