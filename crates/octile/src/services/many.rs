//! Costs between many cells, and the nearest of many, for every planner: natively, by distances, or by one query after
//! the other.

use std::time::Duration;

use web_time::Instant;

use super::field::Distances;
use crate::geometry::units::{Units, Wide};
use crate::geometry::{Cell, GridCost, PathCost};
use crate::grid::{Grid, Ground};
use crate::kernels::ranking::Ranking;
use crate::path::{Output, Path};
use crate::planner::{Guarantee, Native, PathQuery, Planner, QueryError, Scratch, size_bytes};

/// How to compute costs between many cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Natively, by the planner itself.
    Own,
    /// By distances from each source to all targets. The planner's paths are optimal grid paths, so any optimal search
    /// gives their costs.
    Distances,
    /// As [`Distances`](Self::Distances), but from all targets to each source.
    DistancesBack,
    /// By queries: only the planner itself knows the costs of its paths.
    Queries,
}

/// The approximate time per cell of a search for the distances to all cells.
const DISTANCE: Duration = Duration::from_nanos(12);

/// The same on maps with terrain costs.
const DISTANCE_OVER_TERRAIN: Duration = Duration::from_nanos(40);

/// How many queries to time in order to estimate the time of the others.
const SAMPLED: usize = 4;

impl Way {
    /// The best way for a planner with these sources and targets, which are free cells of the map.
    ///
    /// # Errors
    /// If the planner is broken.
    pub(crate) fn of(
        planner: &dyn Planner,
        scratch: &mut Scratch,
        [sources, targets]: [&[Cell]; 2],
    ) -> Result<Self, QueryError> {
        if planner.facts().has(Native::Costs) {
            return Ok(Self::Own);
        }
        let most = sources.len().max(targets.len());
        if planner.guarantee() != Guarantee::GridOptimal || most == 0 {
            return Ok(Self::Queries);
        }
        // A search serves all cells of the longer list, and a query only one of them.
        let cell = if planner.grid().convention().is_some() { DISTANCE_OVER_TERRAIN } else { DISTANCE };
        let search = cell * planner.grid().free_cells();
        let query = sampled(planner, scratch, [sources, targets])?;
        Ok(if query.saturating_mul(most.try_into().unwrap_or(u32::MAX)) < search {
            Self::Queries
        } else {
            Self::Distances
        })
    }

    /// Computes the cost from every source to every target, as one row of targets per source. All are free cells of the
    /// map.
    ///
    /// # Errors
    /// If the planner is broken.
    pub(crate) fn costs(
        self,
        planner: &dyn Planner,
        scratch: &mut Scratch,
        [sources, targets]: [&[Cell]; 2],
        out: &mut [Option<PathCost>],
    ) -> Result<(), QueryError> {
        if self == Self::Own && planner.costs(scratch, sources, targets, out) || targets.is_empty() {
            return Ok(());
        }
        let (mut path, mut distances) = (Path::new(), None);
        for (&source, row) in sources.iter().zip(out.chunks_exact_mut(targets.len())) {
            if let Self::Distances | Self::DistancesBack = self {
                let is_back = self == Self::DistancesBack;
                by_distances(planner, &mut distances, is_back, source, targets, row)?;
                continue;
            }
            for (&target, out) in targets.iter().zip(row) {
                *out = by_query(planner, scratch, [source, target], &mut path)?;
            }
        }
        Ok(())
    }
}

/// The time of a query, estimated from some pairs.
fn sampled(
    planner: &dyn Planner,
    scratch: &mut Scratch,
    [sources, targets]: [&[Cell]; 2],
) -> Result<Duration, QueryError> {
    let (mut path, clock) = (Path::new(), Instant::now());
    let spread = |cells: &[Cell], sample: usize| cells.get(cells.len() * sample / SAMPLED).copied();
    for sample in 0..SAMPLED {
        if let (Some(source), Some(target)) = (spread(sources, sample), spread(targets, SAMPLED - 1 - sample)) {
            by_query(planner, scratch, [source, target], &mut path)?;
        }
    }
    Ok(clock.elapsed() / SAMPLED as u32)
}

fn by_distances(
    planner: &dyn Planner,
    distances: &mut Option<Distances>,
    is_back: bool,
    source: Cell,
    targets: &[Cell],
    row: &mut [Option<PathCost>],
) -> Result<(), QueryError> {
    if !targets.iter().any(|&target| planner.may_connect(source, target)) {
        row.fill(None);
        return Ok(());
    }
    let distances = Distances::renewed(distances, planner.grid(), source, is_back, f64::INFINITY);
    for (&target, out) in targets.iter().zip(row) {
        *out = distances.path_cost(target);
        if out.is_none() && distances.is_cut() && planner.may_connect(source, target) {
            return Err(QueryError::TooDear);
        }
    }
    Ok(())
}

/// The cost of a path, found by an ordinary query.
fn by_query(
    planner: &dyn Planner,
    scratch: &mut Scratch,
    [start, goal]: [Cell; 2],
    path: &mut Path,
) -> Result<Option<PathCost>, QueryError> {
    let found = planner.plan(scratch, PathQuery::new(start, goal).output(Output::Cost), path)?;
    Ok(found.then(|| path.cost()))
}

/// If distances also work, at most this many queries are made for the nearest of many targets.
const MOST_QUERIES: usize = 16;

/// Working memory for finding the nearest of many targets.
#[derive(Debug, Default)]
pub(crate) struct NearestMemory {
    ranking: Ranking,
    path: Path,
    bounds: Vec<u64>,
    /// The distances from the source.
    distances: Option<Distances>,
}

size_bytes!(NearestMemory: ranking, bounds, distances);

impl NearestMemory {
    /// As [`Planner::nearest`], for every planner.
    ///
    /// # Errors
    /// If the planner is broken.
    pub(crate) fn find(
        &mut self,
        planner: &dyn Planner,
        scratch: &mut Scratch,
        source: Cell,
        targets: &[Cell],
        count: usize,
        found: &mut dyn FnMut(usize, PathCost),
    ) -> Result<(), QueryError> {
        if planner.nearest(scratch, source, targets, count, found) {
            return Ok(());
        }
        let is_optimal = planner.guarantee() == Guarantee::GridOptimal;
        let (numbers, most) = (Numbers::of(planner), if is_optimal { MOST_QUERIES } else { usize::MAX });
        self.ranking.begin(count, targets.iter().map(|&target| numbers.bound([source, target])));
        let (path, mut fault) = (&mut self.path, None);
        let is_done = self.ranking.look(most, |place| {
            // A broken planner gets no further queries.
            let ends = [source, targets[place]];
            let answer = if fault.is_none() { by_query(planner, scratch, ends, path) } else { Ok(None) };
            answer
                .unwrap_or_else(|error| {
                    fault = Some(error);
                    None
                })
                .map(|cost| numbers.number(cost))
        });
        if let Some(fault) = fault {
            return Err(fault);
        }
        if !is_done {
            self.settle(planner, source, targets, count)?;
        }
        self.ranking.tell(|place, number| found(place, numbers.cost(number)));
        Ok(())
    }

    /// Finds the nearest targets by their distances: up to the farthest of those that are already known, or up to a
    /// distance that is probably enough, or all.
    fn settle(
        &mut self,
        planner: &dyn Planner,
        source: Cell,
        targets: &[Cell],
        count: usize,
    ) -> Result<(), QueryError> {
        let numbers = Numbers::of(planner);
        let known = self.ranking.farthest().map(|number| numbers.cost(number).length() * (2.0 - ROUNDED));
        let limit = known.unwrap_or_else(|| self.likely_limit(planner, source, targets, count));
        self.spread(planner, source, targets, limit)?;
        if limit < f64::INFINITY && self.ranking.farthest().is_none() {
            self.spread(planner, source, targets, f64::INFINITY)?;
        }
        Ok(())
    }

    /// A distance within which this many targets lie on most maps.
    fn likely_limit(&mut self, planner: &dyn Planner, source: Cell, targets: &[Cell], count: usize) -> f64 {
        let connected = targets.iter().filter(|&&target| planner.may_connect(source, target));
        self.bounds.clear();
        self.bounds.extend(connected.map(|&target| Wide::between(source, target)));
        if self.bounds.len() <= count {
            return f64::INFINITY;
        }
        let price = planner.grid().ground().map_or(1.0, Ground::mean);
        2.0 * price * Wide::length(*self.bounds.select_nth_unstable(count).1)
    }

    /// Finds the nearest targets within a distance.
    fn spread(&mut self, planner: &dyn Planner, source: Cell, targets: &[Cell], limit: f64) -> Result<(), QueryError> {
        let numbers = Numbers::of(planner);
        let distances = Distances::renewed(&mut self.distances, planner.grid(), source, false, limit);
        self.ranking.forget();
        for (place, &target) in targets.iter().enumerate() {
            if let Some(cost) = distances.path_cost(target) {
                self.ranking.add(numbers.number(cost), place);
            }
        }
        // A cost too large to be counted is farther than all others.
        let is_missing = |&target: &Cell| planner.may_connect(source, target) && distances.cost(target).is_none();
        if distances.is_cut() && self.ranking.farthest().is_none() && targets.iter().any(is_missing) {
            return Err(QueryError::TooDear);
        }
        Ok(())
    }
}

/// Numbers with the same order as the costs of a planner.
#[derive(Clone, Copy, Debug)]
enum Numbers<'a> {
    /// Exact costs, in the widest units. On maps with terrain costs, in the units of those costs, which is enough to
    /// tell them apart.
    Grid(&'a Grid),
    /// The bits of lengths.
    AnyAngle,
}

impl<'a> Numbers<'a> {
    fn of(planner: &'a dyn Planner) -> Self {
        if planner.squeeze().is_some() { Self::AnyAngle } else { Self::Grid(planner.grid()) }
    }

    /// The number of a cost.
    fn number(self, cost: PathCost) -> u64 {
        match (self, cost.counts()) {
            (Self::Grid(grid), Some(counts)) => Wide::encode(divided(counts, unit(grid))),
            _ => cost.length().to_bits(),
        }
    }

    /// The cost of a number.
    fn cost(self, number: u64) -> PathCost {
        let Self::Grid(grid) = self else { return PathCost::AnyAngle(f64::from_bits(number)) };
        let (counts, unit) = (Wide::decode(number), unit(grid));
        grid.cost_of_counts(counts.checked_mul(unit).unwrap_or(counts))
    }

    /// A lower bound for the numbers of paths between two cells.
    fn bound(self, [from, to]: [Cell; 2]) -> u64 {
        match self {
            Self::Grid(grid) => {
                let counts = grid.ground().map_or(1, Ground::least_counts);
                Wide::between(from, to).saturating_mul(counts.into())
            }
            Self::AnyAngle => ((from.square_distance(to) as f64).sqrt() * ROUNDED).to_bits(),
        }
    }
}

/// A number that all terrain costs of a map are multiples of.
fn unit(grid: &Grid) -> u32 {
    grid.ground().map_or(1, |ground| ground.unit().into())
}

fn divided(counts: GridCost, by: u32) -> GridCost {
    GridCost::new(counts.straight / by, counts.diagonal / by)
}

/// The rounding error of a length in `f64` is far smaller.
const ROUNDED: f64 = 1.0 - 1e-9;
