//! A planner whose paths are smoothed, or that was chosen among others.

use super::error::EditError;
use super::planner::{Guarantee, OnEdit, Planner};
use super::probe::Probe;
use super::query::Query;
use super::scratch::Scratch;
use crate::geometry::{Cell, Spot};
use crate::grid::{Edits, Grid, Squeeze};
use crate::path::{Output, Path, PathFault};

/// The same planner with every path [smoothed](Path::smooth) after it was found; any-angle paths under the planner's own rule. The map
/// must have movement [`octile`](crate::Movement::Octile).
///
/// ```
/// use octile::{Engine, Grid, Jps, Squeeze, search};
/// let planner = Jps::default().planner(&Grid::open(10, 10)?)?;
/// let engine = Engine::of(search::smoothed(planner, Squeeze::Allowed)); // "jps:smooth=greedy"
/// assert_eq!(engine.find((0, 0), (9, 3))?.unwrap().length(), 90.0_f64.sqrt());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn smoothed(planner: Box<dyn Planner>, squeeze: Squeeze) -> Box<dyn Planner> {
    Box::new(Wrapper::smoothed(planner, squeeze))
}

/// A planner in a wrapper.
#[derive(Clone)]
pub(crate) struct Wrapper {
    planner: Box<dyn Planner>,
    /// The rule under which paths are smoothed after they were found, if they are.
    smoothing: Option<Squeeze>,
    /// The spec as which it was chosen, if it was.
    chosen: Option<String>,
}

impl Wrapper {
    /// A planner whose paths are [smoothed](Path::smooth) after they were found; any-angle paths under the planner's own rule.
    fn smoothed(planner: Box<dyn Planner>, squeeze: Squeeze) -> Self {
        let squeeze = planner.squeeze().unwrap_or(squeeze);
        Self { planner, smoothing: Some(squeeze), chosen: None }
    }

    /// A planner that was chosen as this spec.
    pub(crate) fn chosen(planner: Box<dyn Planner>, spec: String) -> Self {
        Self { planner, smoothing: None, chosen: Some(spec) }
    }
}

impl Planner for Wrapper {
    fn name(&self) -> &'static str {
        self.planner.name()
    }

    fn guarantee(&self) -> Guarantee {
        let guarantee = self.planner.guarantee();
        if self.smoothing.is_some() { guarantee.smoothed() } else { guarantee }
    }

    fn grid(&self) -> &Grid {
        self.planner.grid()
    }

    fn squeeze(&self) -> Option<Squeeze> {
        self.smoothing.or_else(|| self.planner.squeeze())
    }

    fn may_connect(&self, start: Cell, goal: Cell) -> bool {
        self.planner.may_connect(start, goal)
    }

    fn create_scratch(&self) -> Scratch {
        self.planner.create_scratch()
    }

    fn accepts(&self, scratch: &Scratch) -> bool {
        self.planner.accepts(scratch)
    }

    fn search(
        &self,
        scratch: &mut Scratch,
        query: Query,
        out: &mut Path,
        mut probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        let Some(squeeze) = self.smoothing else { return self.planner.search(scratch, query, out, probe) };
        // A path that is to be smoothed needs the points where it turns, and no others.
        let (cost_only, asked) = (query.output == Output::Cost, query.output(Output::Waypoints));
        let watched: Option<&mut dyn Probe> = match &mut probe {
            Some(probe) => Some(&mut **probe),
            None => None,
        };
        if !self.planner.search(scratch, asked, out, watched)? {
            return Ok(false);
        }
        let mut see = |from: Spot, to: Spot| {
            if let Some(probe) = &mut probe {
                probe.sight(from, to);
            }
        };
        out.smooth_watched(self.grid(), squeeze, &mut see);
        if cost_only {
            out.drop_points();
        }
        Ok(true)
    }

    fn on_edit(&self) -> OnEdit {
        self.planner.on_edit()
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        self.planner.apply(edits)
    }

    fn refresh(&mut self) {
        self.planner.refresh();
    }

    fn index_bytes(&self) -> usize {
        self.planner.index_bytes()
    }

    fn chosen(&self) -> Option<&str> {
        self.chosen.as_deref().or_else(|| self.planner.chosen())
    }
}
