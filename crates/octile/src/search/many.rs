//! Costs between many cells, and the nearest of many, by any planner: as it knows best, by distances, or by one query after the other.

use std::time::{Duration, Instant};

use super::field::Field;
use super::planner::{Guarantee, Planner};
use super::query::Trip;
use super::ranking::Ranking;
use super::scratch::Scratch;
use super::{QueryError, size_bytes};
use crate::geometry::units::{Units, Wide};
use crate::geometry::{Cell, Octile, PathCost};
use crate::grid::Grid;
use crate::path::{Output, Path};

/// How costs between many cells are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// The planner has a way of its own.
    Own,
    /// Its paths are the cheapest on the grid: those of any search are.
    Distances,
    /// What its paths cost only it knows.
    Queries,
}

/// What a search for the distances to all cells takes about, a cell.
const DISTANCE: Duration = Duration::from_nanos(12);

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
        if planner.costs(scratch, &[], &[], &mut []) {
            return Ok(Self::Own);
        }
        let most = sources.len().max(targets.len());
        if planner.guarantee() != Guarantee::GridOptimal || most == 0 {
            return Ok(Self::Queries);
        }
        // A search serves all cells of the longer list, and one query one of them.
        let search = DISTANCE * planner.grid().free_cells();
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
        let (mut path, mut field) = (Path::new(), None);
        for (&source, row) in sources.iter().zip(out.chunks_exact_mut(targets.len())) {
            if self == Self::Distances {
                by_distances(planner, &mut field, source, targets, row)?;
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
    field: &mut Option<Field>,
    source: Cell,
    targets: &[Cell],
    row: &mut [Option<PathCost>],
) -> Result<(), QueryError> {
    if !targets.iter().any(|&target| planner.may_connect(source, target)) {
        row.fill(None);
        return Ok(());
    }
    let field = Field::renewed(field, planner.grid(), source, f64::INFINITY)?;
    for (&target, out) in targets.iter().zip(row) {
        *out = field.cost(target).map(PathCost::Grid);
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
    let found = planner.plan(scratch, Trip::new(start, goal).output(Output::Cost), path)?;
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
    field: Option<Field>,
}

size_bytes!(NearestMemory: ranking, bounds, field);

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
        let is_any_angle = planner.squeeze().is_some();
        let most = if is_optimal { MOST_QUERIES } else { usize::MAX };
        let bound = |&target: &Cell| bound([source, target], is_any_angle);
        self.ranking.begin(count, targets.iter().map(bound));
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
                .map(number)
        });
        if let Some(fault) = fault {
            return Err(fault);
        }
        if !is_done {
            self.settle(planner, source, targets, count)?;
        }
        let cost = |number| {
            if is_any_angle { PathCost::AnyAngle(f64::from_bits(number)) } else { PathCost::Grid(Wide::decode(number)) }
        };
        self.ranking.tell(|place, number| found(place, cost(number)));
        Ok(())
    }

    /// Finds the nearest targets by their distances: as far as the farthest of those that are known, or as is likely to be enough, or all.
    fn settle(
        &mut self,
        planner: &dyn Planner,
        source: Cell,
        targets: &[Cell],
        count: usize,
    ) -> Result<(), QueryError> {
        let known = self.ranking.farthest().map(|number| Wide::decode(number).length() * (2.0 - ROUNDED));
        let limit = known.unwrap_or_else(|| self.likely_limit(planner, source, targets, count));
        self.spread(planner.grid(), source, targets, limit)?;
        if limit < f64::INFINITY && self.ranking.farthest().is_none() {
            self.spread(planner.grid(), source, targets, f64::INFINITY)?;
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
        2.0 * Wide::length(*self.bounds.select_nth_unstable(count).1)
    }

    /// Finds the nearest targets of those at most so far away.
    fn spread(&mut self, grid: &Grid, source: Cell, targets: &[Cell], limit: f64) -> Result<(), QueryError> {
        let field = Field::renewed(&mut self.field, grid, source, limit)?;
        self.ranking.forget();
        for (place, &target) in targets.iter().enumerate() {
            if let Some(cost) = field.cost(target) {
                self.ranking.add(Wide::encode(cost), place);
            }
        }
        Ok(())
    }
}

/// A number that orders as costs do, among those of one planner.
fn number(cost: PathCost) -> u64 {
    match cost {
        PathCost::Grid(cost) | PathCost::Priced { counts: cost, .. } => Wide::encode(cost),
        PathCost::AnyAngle(length) => length.to_bits(),
    }
}

/// What a length in `f64` is wrong by is far less.
const ROUNDED: f64 = 1.0 - 1e-9;

/// No path between two cells has a smaller number.
fn bound([from, to]: [Cell; 2], is_any_angle: bool) -> u64 {
    if !is_any_angle {
        return number(PathCost::Grid(Octile::between(from, to)));
    }
    let (dx, dy) = (f64::from(from.x.abs_diff(to.x)), f64::from(from.y.abs_diff(to.y)));
    number(PathCost::AnyAngle(dx.hypot(dy) * ROUNDED))
}
