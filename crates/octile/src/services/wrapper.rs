//! A planner whose paths are smoothed or lengthened to centres, or that was chosen among others.

use crate::geometry::{Cell, Dir, Ends, PathCost, Spot};
use crate::grid::{Edits, Grid, Squeeze};
use crate::path::{Output, Path, PathFault};
use crate::planner::{EditError, Guarantee, OnEdit, Planner, PlannerId, Probe, Scratch, Slicing, Trip, Trips};

/// The same planner with every path [smoothed](Path::smooth) after it was found; any-angle paths under the planner's own rule. The map
/// must have movement [`octile`](crate::Movement::Octile). On a map with prices the planner stays as it is: lines in any direction have no price.
///
/// ```
/// use octile::{Engine, Grid, Jps, Squeeze, services};
/// let planner = Jps::default().planner(&Grid::open(10, 10)?)?;
/// let engine = Engine::of(services::smoothed(planner, Squeeze::Allowed)); // "jps:smooth=greedy"
/// assert_eq!(engine.find((0, 0), (9, 3))?.unwrap().length(), 90.0_f64.sqrt());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn smoothed(planner: Box<dyn Planner>, squeeze: Squeeze) -> Box<dyn Planner> {
    if planner.grid().convention().is_some() {
        return planner;
    }
    Box::new(Wrapper::smoothed(planner, squeeze))
}

/// The same planner with every any-angle path lengthened after it was found, from the upper left corners of its two cells to their
/// centres. There its ends are pulled tight, so that it is seldom much longer than a path between corners, and never by more than `√2`.
/// A planner whose paths begin and end at centres already, or go from cell to cell, stays as it is.
///
/// ```
/// use octile::{Cell, Ends, Engine, Grid, Spot, ThetaStar, services};
/// let planner = ThetaStar::default().planner(&Grid::open(10, 10)?)?;
/// let engine = Engine::of(services::centred(planner)); // "theta-star:ends=centres"
/// assert_eq!(engine.ends(), Ends::Centres);
/// let path = engine.find((0, 0), (9, 3))?.unwrap();
/// assert_eq!(path.spots()?.next(), Some(Spot::centre(Cell::new(0, 0))));
/// assert_eq!(path.length(), 90.0_f64.sqrt());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn centred(planner: Box<dyn Planner>) -> Box<dyn Planner> {
    if planner.squeeze().is_none() || planner.ends() == Ends::Centres {
        return planner;
    }
    Box::new(Wrapper { planner, smoothing: None, centring: true, chosen: None })
}

/// A planner in a wrapper.
#[derive(Clone)]
pub(crate) struct Wrapper {
    planner: Box<dyn Planner>,
    /// The rule under which paths are smoothed after they were found, if they are.
    smoothing: Option<Squeeze>,
    /// Whether paths are lengthened to centres after they were found.
    centring: bool,
    /// The spec as which it was chosen, if it was.
    chosen: Option<String>,
}

impl Wrapper {
    /// A planner whose paths are [smoothed](Path::smooth) after they were found; any-angle paths under the planner's own rule.
    fn smoothed(planner: Box<dyn Planner>, squeeze: Squeeze) -> Self {
        let squeeze = planner.squeeze().unwrap_or(squeeze);
        Self { planner, smoothing: Some(squeeze), centring: false, chosen: None }
    }

    /// What the planner is asked: a path that is to be changed needs the points where it turns, and no others.
    fn asked(&self, trip: Trip) -> Trip {
        if self.changes_paths() { trip.output(Output::Waypoints) } else { trip }
    }

    /// Changes a path that was found.
    fn finish(&self, found: bool, output: Output, out: &mut Path, mut probe: Option<&mut dyn Probe>) {
        if !found || !self.changes_paths() {
            return;
        }
        let mut see = |from: Spot, to: Spot| {
            if let Some(probe) = &mut probe {
                probe.sight(from, to);
            }
        };
        if let Some(squeeze) = self.smoothing {
            out.smooth_watched(self.planner.grid(), squeeze, &mut see);
        }
        if self.centring {
            out.centre_watched(self.planner.grid(), &mut see);
        }
        if output == Output::Cost {
            out.drop_points();
        }
    }

    /// A planner that was chosen as this spec.
    pub(crate) fn chosen(planner: Box<dyn Planner>, spec: String) -> Self {
        Self { planner, smoothing: None, centring: false, chosen: Some(spec) }
    }

    /// Whether paths are others than those of the planner inside.
    fn changes_paths(&self) -> bool {
        self.smoothing.is_some() || self.centring
    }
}

impl Planner for Wrapper {
    fn name(&self) -> &'static str {
        self.planner.name()
    }

    fn guarantee(&self) -> Guarantee {
        let guarantee = self.planner.guarantee();
        let guarantee = if self.smoothing.is_some() { guarantee.smoothed() } else { guarantee };
        if self.centring { guarantee.centred() } else { guarantee }
    }

    fn grid(&self) -> &Grid {
        self.planner.grid()
    }

    fn squeeze(&self) -> Option<Squeeze> {
        self.smoothing.or_else(|| self.planner.squeeze())
    }

    fn ends(&self) -> Ends {
        if self.centring { Ends::Centres } else { self.planner.ends() }
    }

    fn may_connect(&self, start: Cell, goal: Cell) -> bool {
        self.planner.may_connect(start, goal)
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
        query: Trip,
        out: &mut Path,
        mut probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        let asked = self.asked(query);
        let watched: Option<&mut dyn Probe> = match &mut probe {
            Some(probe) => Some(&mut **probe),
            None => None,
        };
        let found = self.planner.search(scratch, asked, out, watched)?;
        self.finish(found, query.output, out, probe);
        Ok(found)
    }

    fn slicing(&self) -> Slicing {
        self.planner.slicing()
    }

    fn go_on(&self, scratch: &mut Scratch) {
        self.planner.go_on(scratch);
    }

    fn tells_lengths(&self) -> bool {
        !self.changes_paths() && self.planner.tells_lengths()
    }

    /// Smoothed and lengthened paths may be in another order than those that they are made from: then it is asked for one after the other.
    fn search_any(
        &self,
        scratch: &mut Scratch,
        trips: Trips<'_>,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Option<Result<Option<usize>, PathFault>> {
        if self.changes_paths() {
            return None;
        }
        self.planner.search_any(scratch, trips, out, probe)
    }

    fn on_edit(&self) -> OnEdit {
        self.planner.on_edit()
    }

    fn rebuilds_for(&self, edits: &Edits) -> bool {
        self.planner.rebuilds_for(edits)
    }

    fn is_stale(&self) -> bool {
        self.planner.is_stale()
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        self.planner.apply(edits)
    }

    fn index_bytes(&self) -> usize {
        self.planner.index_bytes()
    }

    fn first_move(&self, start: Cell, goal: Cell) -> Option<Dir> {
        self.planner.first_move(start, goal).filter(|_| !self.changes_paths())
    }

    fn first_move_areas(&self, start: Cell) -> Option<Vec<(Cell, Cell)>> {
        self.planner.first_move_areas(start).filter(|_| !self.changes_paths())
    }

    fn ways_to_hubs(&self, cell: Cell, way: &mut dyn FnMut(&[Cell])) -> bool {
        self.planner.ways_to_hubs(cell, way)
    }

    fn chosen(&self) -> Option<&str> {
        self.chosen.as_deref().or_else(|| self.planner.chosen())
    }

    fn costs(&self, scratch: &mut Scratch, sources: &[Cell], targets: &[Cell], out: &mut [Option<PathCost>]) -> bool {
        !self.changes_paths() && self.planner.costs(scratch, sources, targets, out)
    }

    fn nearest(
        &self,
        scratch: &mut Scratch,
        source: Cell,
        targets: &[Cell],
        count: usize,
        found: &mut dyn FnMut(usize, PathCost),
    ) -> bool {
        !self.changes_paths() && self.planner.nearest(scratch, source, targets, count, found)
    }
}
