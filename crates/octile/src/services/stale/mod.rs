//! Stale indexes: an index on a map that has changed since the index was built.
//!
//! Blocking cells only makes paths longer; freeing cells only makes them shorter. So an old distance, which the index
//! gives for its own map, still holds on the current map if no freed cell can shorten it ([`survey`]) and a path of
//! that cost still exists. A query is answered in this order:
//!
//! 1. If a direct hop is free now, it is the path.
//! 2. If an endpoint was blocked then, or the endpoints were not connected: search.
//! 3. If a path through freed cells could cost less than the old distance: search.
//! 4. If the old path is legal now, or another path of the same cost, it is optimal. Legs that are no longer legal may
//!    be replaced by other legs of the same length ([`ways`]).
//! 5. Otherwise: search, with a planner that follows edits.
//!
//! Legality is a property of moves, not of cells: blocking a cell also forbids diagonal moves past it, and freeing a
//! cell allows some.
//!
//! An index that rarely answers wastes time. Whether to use it at all depends on the two maps alone, never on earlier
//! queries, so that a query always gets the same path: if cells have changed in more than a few places, a fixed sample
//! of queries decides ([`Now::asks_index`]).
//!
//! An index that [repairs](IndexView::repairs) its paths need not be certain. It is asked for every path, and a search
//! answers where it has none. Its paths are legal; nothing else is promised.

mod recall;
mod survey;
mod ways;

use std::sync::{Arc, OnceLock};

use self::recall::{MOST_TIES, Recall};
use self::survey::{Cluster, Survey};
use self::ways::Ways;
use crate::geometry::units::{Mid, Units};
use crate::geometry::{Cell, Dice, Endpoints, GridCost, PathCost};
use crate::grid::sight::hop_is_free;
use crate::grid::{Edits, Grid, Movement};
use crate::path::{Output, Path, PathFault};
use crate::planner::{
    BuildError, BuiltIndex, EditError, Facts, IndexView, Labels, PathQuery, Planner, PlannerId, Probe, Repairs,
    Scratch, size_bytes,
};

/// Builds the planner that searches where an index cannot answer: one for the current map that follows edits, with the
/// same guarantee.
pub(crate) type Follower = fn(&dyn Planner) -> Result<Box<dyn Planner>, BuildError>;

/// A planner with an index that cannot follow edits, and a planner that can.
#[derive(Clone)]
pub(crate) struct Stale {
    id: PlannerId,
    /// The planner on the map that its index was built for.
    old: Arc<dyn Planner>,
    follower: Follower,
    /// The state after the first edit; `None` before.
    now: Option<Now>,
}

/// The current map.
#[derive(Clone)]
struct Now {
    live: Box<dyn Planner>,
    /// The facts of the planner with the index, except for the native queries of the other planner.
    facts: Facts,
    /// The difference between the maps, computed on first use; the inner `None` means that they differ too much.
    survey: OnceLock<Option<Arc<Survey>>>,
    /// The survey before the last edit, to reuse what has not changed.
    before: Option<Arc<Survey>>,
    /// Whether the index answers often enough to be used, determined on first use.
    asks_index: OnceLock<bool>,
}

impl Now {
    fn survey(&self, old: &dyn Planner) -> Option<&Survey> {
        let labels = old.index().and_then(|index| index.labels);
        let make = || Survey::new(old.grid(), self.live.grid(), labels, self.before.as_deref()).map(Arc::new);
        self.survey.get_or_init(make).as_deref()
    }
}

/// An index is used without a trial while cells have changed in at most this many places.
const FEW_PLACES: usize = 8;

/// An index is not used if cells have changed in more places: few queries avoid them all.
const MOST_PLACES: usize = 256;

/// The number of queries in the trial of an index.
const TRIALS: usize = 16;

impl Stale {
    /// A planner whose index is [fixed](IndexView::is_fixed), and the function that builds the planner that searches in
    /// its place.
    pub(crate) fn new(planner: Arc<dyn Planner>, follower: Follower) -> Self {
        Self { id: PlannerId::new(), old: planner, follower, now: None }
    }

    /// The planner for the current map.
    fn present(&self) -> &dyn Planner {
        self.now.as_ref().map_or(&*self.old, |now| &*now.live)
    }

    /// The index's path repair, if it has it.
    fn repairs(&self) -> Option<&dyn Repairs> {
        self.old.index()?.repairs
    }

    /// Whether both endpoints were free and connected on the map of the index.
    fn knows(&self, trip: PathQuery) -> bool {
        let [start, goal] = [trip.start, trip.goal];
        self.old.grid().is_free(start) && self.old.grid().is_free(goal) && self.old.may_connect(start, goal)
    }

    /// Whether the index answers often enough on the current map to be used at all.
    fn asks_index(&self, now: &Now, scratch: &mut OldScratch) -> bool {
        *now.asks_index.get_or_init(|| match now.survey(&*self.old).and_then(Survey::places) {
            Some(places) if places <= FEW_PLACES => true,
            Some(places) if places <= MOST_PLACES => self.answers_most(now, scratch),
            _ => false,
        })
    }

    /// Whether the index answers at least half of a sample of queries between cells all over the map.
    fn answers_most(&self, now: &Now, scratch: &mut OldScratch) -> bool {
        let (grid, mut path, mut dice) = (now.live.grid(), Path::new(), Dice::new(0));
        let mut any = || Cell::new(dice.below(grid.width().into()) as u32, dice.below(grid.height().into()) as u32);
        let is_search = |trip: &PathQuery| {
            let is_free = [trip.start, trip.goal].iter().all(|&cell| grid.is_free(cell));
            is_free && self.may_connect(trip.start, trip.goal) && !self.is_hop(grid, *trip)
        };
        // The number of draws is limited: a map may have hardly any free cells.
        let trips = (0..64 * TRIALS).map(|_| PathQuery::new(any(), any()).output(Output::Cost)).filter(is_search);
        let (mut tried, mut answered) = (0, 0);
        for trip in trips.take(TRIALS) {
            tried += 1;
            answered += usize::from(matches!(self.ask(now, scratch, trip, &mut path), Ok(true)));
        }
        2 * answered >= tried
    }

    /// Whether a direct hop between the endpoints is free: then it is the path.
    fn is_hop(&self, grid: &Grid, trip: PathQuery) -> bool {
        let is_octile = grid.movement() == Movement::Octile && !self.facts().is_any_angle();
        is_octile && hop_is_free(grid, trip.start, trip.goal)
    }

    /// Asks the index on a map that has changed. Returns whether it has answered; otherwise only a search can.
    fn ask(&self, now: &Now, scratch: &mut OldScratch, trip: PathQuery, out: &mut Path) -> Result<bool, PathFault> {
        if !self.knows(trip) {
            return Ok(false);
        }
        let Some(survey) = now.survey(&*self.old) else { return Ok(false) };
        match self.old.index().and_then(|index| index.labels) {
            Some(labels) => Ok(self.by_labels(labels, survey, now, scratch, trip, out)),
            None => self.by_path(survey, now, scratch, trip, out),
        }
    }

    /// Answers from labels, if they certainly still hold.
    fn by_labels(
        &self,
        labels: &dyn Labels,
        survey: &Survey,
        now: &Now,
        scratch: &mut OldScratch,
        trip: PathQuery,
        out: &mut Path,
    ) -> bool {
        let PathQuery { start, goal, output } = trip;
        let (old, live) = (self.old.grid(), now.live.grid());
        let OldScratch { recall, ways, hops, turns, .. } = scratch;
        let Some(known) = recall.begin(labels, [start, goal]) else { return false };
        let direct = hop_is_free(old, start, goal).then(|| Mid::between(start, goal));
        let cost = direct.unwrap_or(known);
        if cost >= Mid::LIMIT {
            return false;
        }
        if !survey.clusters.is_empty() && recall.may_gain(survey, old, cost) {
            return false;
        }
        let mut is_there = |hops: &[Cell], turns: &mut Vec<Cell>| {
            turns.clear();
            turns.push(hops[0]);
            hops.windows(2).all(|hop| {
                let is_free = survey.keeps_hop(hop[0], hop[1]) || hop_is_free(live, hop[0], hop[1]);
                if is_free {
                    turns.push(hop[1]);
                }
                is_free || ways.find(live, hop[0], hop[1], turns)
            })
        };
        if direct.is_some() {
            return is_there(&[start, goal], turns) && out.set_hops(output, turns, Mid::decode(cost));
        }
        recall.ties.iter().take(MOST_TIES).any(|&tie| {
            labels.way([start, goal], tie, hops).is_some()
                && is_there(hops, turns)
                && out.set_hops(output, turns, Mid::decode(cost))
        })
    }

    /// Answers with the path that the planner finds on the old map, if it is certainly still optimal.
    fn by_path(
        &self,
        survey: &Survey,
        now: &Now,
        scratch: &mut OldScratch,
        trip: PathQuery,
        out: &mut Path,
    ) -> Result<bool, PathFault> {
        let asked = if trip.output == Output::Cost { trip.output(Output::Waypoints) } else { trip };
        if !self.old.search(&mut scratch.old, asked, out, None)? {
            return Ok(false);
        }
        let ends = [trip.start, trip.goal];
        let is_certain = match out.cost() {
            PathCost::Grid(cost) => !survey.clusters.iter().any(|cluster| may_shorten(cluster, ends, cost)),
            PathCost::AnyAngle(length) => {
                !survey.clusters.iter().any(|cluster| may_shorten_line(cluster, ends, self.facts().ends(), length))
            }
            PathCost::Priced { .. } => false,
        };
        if !is_certain || !survey.only_opens() && !out.is_legal(now.live.grid()) {
            return Ok(false);
        }
        if trip.output == Output::Cost {
            out.drop_points();
        }
        Ok(true)
    }
}

/// Whether a path through cells of a cluster may cost less than `cost`.
fn may_shorten(cluster: &Cluster, ends: [Cell; 2], cost: GridCost) -> bool {
    // Under every movement rule, no path is shorter than the octile distance.
    let least = ends.iter().map(|&end| cluster.gap_to(end)).sum::<u64>();
    cost.moves() >= LONGEST || least < Mid::encode(cost)
}

/// Paths with fewer moves than this have exact costs in [`Mid`] units.
const LONGEST: u64 = Mid::LIMIT / Mid::DIAGONAL;

/// Lengths with a smaller relative difference count as equal: a tenth of the precision of any-angle lengths.
const SAME_LENGTH: f64 = 1e-10;

/// The same for lines in any direction: a line that is legal now and was not then touches a cell of the cluster.
fn may_shorten_line(cluster: &Cluster, cells: [Cell; 2], ends: Endpoints, length: f64) -> bool {
    let gap = |at: f64, min: u32, max: u32| (f64::from(min) - at).max(at - f64::from(max + 1)).max(0.0);
    let distance = |cell: Cell| {
        let point = ends.point(cell);
        let (dx, dy) = (gap(point.x(), cluster.min.x, cluster.max.x), gap(point.y(), cluster.min.y, cluster.max.y));
        (dx * dx + dy * dy).sqrt()
    };
    cells.into_iter().map(distance).sum::<f64>() < length * (1.0 - SAME_LENGTH)
}

impl Planner for Stale {
    fn facts(&self) -> &Facts {
        self.now.as_ref().map_or_else(|| self.old.facts(), |now| &now.facts)
    }

    fn grid(&self) -> &Grid {
        self.present().grid()
    }

    fn id(&self) -> PlannerId {
        self.id
    }

    fn create_scratch(&self) -> Scratch {
        let old = OldScratch::new(self.old.create_scratch());
        Scratch::new(self.id, StaleScratch { old, live: None, goes_on: false })
    }

    fn search(
        &self,
        scratch: &mut Scratch,
        trip: PathQuery,
        out: &mut Path,
        mut probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        let scratch: &mut StaleScratch = scratch.get();
        let Some(now) = &self.now else { return self.old.search(&mut scratch.old.old, trip, out, probe) };
        if let Some(index) = self.repairs() {
            let mut ask = || index.repaired(&mut scratch.old.old, now.live.grid(), trip, out, &mut probe);
            if let Some(found) = self.knows(trip).then(&mut ask).flatten() {
                return Ok(found);
            }
        } else if !std::mem::take(&mut scratch.goes_on) {
            if self.is_hop(now.live.grid(), trip) {
                let hops = [trip.start, trip.goal];
                return Ok(out.set_hops(trip.output, &hops, GridCost::between(trip.start, trip.goal)));
            }
            if self.asks_index(now, &mut scratch.old) && self.ask(now, &mut scratch.old, trip, out)? {
                return Ok(true);
            }
        }
        now.live.search(scratch.for_live(&*now.live), trip, out, probe)
    }

    fn inner(&self) -> Option<&dyn Planner> {
        Some(self.present())
    }

    fn inner_scratch<'s>(&self, scratch: &'s mut Scratch) -> &'s mut Scratch {
        let scratch: &mut StaleScratch = scratch.get();
        match &self.now {
            None => &mut scratch.old.old,
            Some(now) => scratch.for_live(&*now.live),
        }
    }

    fn go_on(&self, scratch: &mut Scratch) {
        scratch.get::<StaleScratch>().goes_on = self.now.is_some();
        self.present().go_on(self.inner_scratch(scratch));
    }

    fn is_stale(&self) -> bool {
        self.now.is_some()
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        edits.check(self.grid())?;
        if !self.grid().changes_under(edits) {
            return Ok(());
        }
        let Some(now) = &mut self.now else {
            let refused = |_| EditError::Refused { planner: self.old.name() };
            let mut live = (self.follower)(&*self.old).map_err(refused)?;
            live.apply(edits)?;
            // Only the planner with the index knows the costs of repaired paths.
            let native = if self.repairs().is_some() { self.old.facts().native } else { live.facts().native };
            let facts = Facts { native, ..*self.old.facts() };
            self.now = Some(Now { live, facts, survey: OnceLock::new(), before: None, asks_index: OnceLock::new() });
            return Ok(());
        };
        now.live.apply(edits)?;
        if let Some(Some(survey)) = now.survey.take() {
            now.before = Some(survey);
        }
        now.asks_index = OnceLock::new();
        Ok(())
    }

    fn index_bytes(&self) -> usize {
        self.old.index_bytes() + self.now.as_ref().map_or(0, |now| now.live.index_bytes())
    }

    /// A stale index is hidden: it is for another map.
    fn index(&self) -> Option<IndexView<'_>> {
        let index = self.old.index().filter(|_| self.now.is_none())?;
        Some(IndexView { is_fixed: false, ..index })
    }

    fn built_index(&self) -> Option<BuiltIndex> {
        self.old.built_index()
    }

    fn chosen(&self) -> Option<&str> {
        self.old.chosen()
    }
}

/// Working memory of [`Stale`].
struct StaleScratch {
    old: OldScratch,
    /// Memory of the planner that searches, created on first use.
    live: Option<Scratch>,
    /// Whether the next search resumes the previous one.
    goes_on: bool,
}

size_bytes!(StaleScratch: old, live);

impl StaleScratch {
    fn for_live(&mut self, live: &dyn Planner) -> &mut Scratch {
        self.live.take_if(|scratch| !scratch.is_for(live));
        self.live.get_or_insert_with(|| live.create_scratch())
    }
}

/// Memory for queries to the index.
struct OldScratch {
    old: Scratch,
    recall: Recall,
    ways: Ways,
    hops: Vec<Cell>,
    turns: Vec<Cell>,
}

size_bytes!(OldScratch: old, recall, ways, hops, turns);

impl OldScratch {
    fn new(old: Scratch) -> Self {
        Self { old, recall: Recall::default(), ways: Ways::default(), hops: Vec::new(), turns: Vec::new() }
    }
}

#[cfg(test)]
mod tests;
