//! Costs between many cells, and the nearest of many, by any planner: as it knows best, by distances, or by one query
//! after the other.

use std::time::Duration;

use web_time::Instant;

use super::field::Distances;
use crate::geometry::units::{Units, Wide};
use crate::geometry::{Cell, GridCost, PathCost};
use crate::grid::{Grid, Ground};
use crate::kernels::ranking::Ranking;
use crate::path::{Output, Path};
use crate::planner::{Guarantee, Native, PathQuery, Planner, QueryError, Scratch, size_bytes};

/// How costs between many cells are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// The planner has a way of its own.
    Own,
    /// Its paths are the cheapest on the grid: those of any search are. What is written are the costs from each source
    /// to all targets.
    Distances,
    /// As [`Distances`](Self::Distances), but the costs to each source from all targets.
    DistancesBack,
    /// What its paths cost only it knows.
    Queries,
}

/// What a search for the distances to all cells takes about, a cell.
const DISTANCE: Duration = Duration::from_nanos(12);

/// The same over terrain.
const DISTANCE_OVER_TERRAIN: Duration = Duration::from_nanos(40);

/// So many queries tell how long others take.
const SAMPLED: usize = 4;

impl Way {
    /// The best way of a planner for these sources and targets, which are free cells of the map.
    ///
    /// # Errors
    /// That the planner is broken.
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
        // A search serves all cells of the longer list, and one query one of them.
        let cell = if planner.grid().convention().is_some() { DISTANCE_OVER_TERRAIN } else { DISTANCE };
        let search = cell * planner.grid().free_cells();
        let query = sampled(planner, scratch, [sources, targets])?;
        Ok(if query.saturating_mul(most.try_into().unwrap_or(u32::MAX)) < search {
            Self::Queries
        } else {
            Self::Distances
        })
    }

    /// Writes what it costs from every source to every target, by rows of targets. All are free cells of the map.
    ///
    /// # Errors
    /// That the planner is broken.
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
                by_distances(planner, (&mut distances, is_back), source, targets, row)?;
                continue;
            }
            for (&target, out) in targets.iter().zip(row) {
                *out = by_query(planner, scratch, [source, target], &mut path)?;
            }
        }
        Ok(())
    }
}

/// How long a query takes, by the look of some pairs.
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
    (distances, is_back): (&mut Option<Distances>, bool),
    source: Cell,
    targets: &[Cell],
    row: &mut [Option<PathCost>],
) -> Result<(), QueryError> {
    if !targets.iter().any(|&target| planner.may_connect(source, target)) {
        row.fill(None);
        return Ok(());
    }
    let distances = Distances::renewed(distances, planner.grid(), (source, is_back), f64::INFINITY);
    for (&target, out) in targets.iter().zip(row) {
        *out = distances.path_cost(target);
        if out.is_none() && distances.is_cut() && planner.may_connect(source, target) {
            return Err(QueryError::TooDear);
        }
    }
    Ok(())
}

/// What a path costs, found as any other path.
fn by_query(
    planner: &dyn Planner,
    scratch: &mut Scratch,
    [start, goal]: [Cell; 2],
    path: &mut Path,
) -> Result<Option<PathCost>, QueryError> {
    let found = planner.plan(scratch, PathQuery::new(start, goal).output(Output::Cost), path)?;
    Ok(found.then(|| path.cost()))
}

/// Where distances serve as well, no more queries than this are asked for the nearest of many targets.
const MOST_QUERIES: usize = 16;

/// Working memory for the nearest of many.
#[derive(Debug, Default)]
pub(crate) struct NearestMemory {
    ranking: Ranking,
    path: Path,
    bounds: Vec<u64>,
    /// Distances from the source.
    distances: Option<Distances>,
}

size_bytes!(NearestMemory: ranking, bounds, distances);

impl NearestMemory {
    /// As [`Planner::nearest`], by any planner.
    ///
    /// # Errors
    /// That the planner is broken.
    pub(crate) fn find(
        &mut self,
        planner: &dyn Planner,
        scratch: &mut Scratch,
        (source, targets): (Cell, &[Cell]),
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
            // Nothing more is asked of one that is broken.
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

    /// Finds the nearest targets by their distances: as far as the farthest of those that are known, or as is likely to
    /// be enough, or all.
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

    /// How far so many targets are at most on most maps.
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

    /// Finds the nearest targets of those at most so far away.
    fn spread(&mut self, planner: &dyn Planner, source: Cell, targets: &[Cell], limit: f64) -> Result<(), QueryError> {
        let numbers = Numbers::of(planner);
        let distances = Distances::renewed(&mut self.distances, planner.grid(), (source, false), limit);
        self.ranking.forget();
        for (place, &target) in targets.iter().enumerate() {
            if let Some(cost) = distances.path_cost(target) {
                self.ranking.add(numbers.number(cost), place);
            }
        }
        // What cannot be counted is farther than all that can.
        let is_missing = |&target: &Cell| planner.may_connect(source, target) && distances.cost(target).is_none();
        if distances.is_cut() && self.ranking.farthest().is_none() && targets.iter().any(is_missing) {
            return Err(QueryError::TooDear);
        }
        Ok(())
    }
}

/// Numbers that order as the costs of one planner do.
#[derive(Clone, Copy, Debug)]
enum Numbers<'a> {
    /// Exact costs, in the widest units. Over terrain in the units of the prices: so much can be told apart.
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

    /// No path between two cells has a smaller number.
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

/// What all prices of a map are multiples of.
fn unit(grid: &Grid) -> u32 {
    grid.ground().map_or(1, |ground| ground.unit().into())
}

fn divided(counts: GridCost, by: u32) -> GridCost {
    GridCost::new(counts.straight / by, counts.diagonal / by)
}

/// What a length in `f64` is wrong by is far less.
const ROUNDED: f64 = 1.0 - 1e-9;
