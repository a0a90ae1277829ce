//! The right answers to queries with many goals, nearest cells and limits, found by looking at everything.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use octile::planner::{AnswerSummary, Nearest};
use octile::{Cell, Finder, Grid, GridCost, Guarantee, PathCost, Query, Status};

use crate::oracle;

/// The costs of a planner's paths from one cell to every other that it can reach.
pub struct Costs {
    start: Cell,
    of: BTreeMap<Cell, PathCost>,
    guarantee: Guarantee,
}

impl Costs {
    /// The costs from a free cell: by Dijkstra's algorithm for a planner that promises shortest grid paths, otherwise
    /// by asking the planner for each cell.
    pub fn new(finder: &mut Finder, start: Cell) -> Self {
        let (grid, guarantee) = (finder.grid().clone(), finder.guarantee());
        if guarantee == Guarantee::GridOptimal {
            return Self::optimal(&grid, start);
        }
        let free = grid.cells().filter(|&cell| grid.is_free(cell));
        let of = free.filter_map(|cell| Some((cell, finder.find(start, cell).ok()??.cost()))).collect();
        Self { start, of, guarantee }
    }

    /// The costs from a free cell, for a planner that promises shortest grid paths.
    pub fn optimal(grid: &Grid, start: Cell) -> Self {
        let distances = oracle::distances(grid, start).into_iter();
        let of = distances.map(|(cell, counts)| (cell, oracle::cost(grid, counts))).collect();
        Self { start, of, guarantee: Guarantee::GridOptimal }
    }

    /// The start of the paths.
    pub fn start(&self) -> Cell {
        self.start
    }

    /// The index of the goal with the cheapest path; the first of several.
    pub fn nearest_goal(&self, goals: &[Cell]) -> Option<usize> {
        let reached = goals.iter().enumerate().filter_map(|(index, goal)| Some((index, self.of.get(goal)?)));
        reached.min_by(|a, b| order(*a.1, *b.1).then(a.0.cmp(&b.0))).map(|(index, _)| index)
    }

    /// The cell nearest to any of the goals, among the cells with a path within `max_cost`: by the straight line, then
    /// by the cost of the path, then row by row.
    pub fn nearest_cell(&self, goals: &[Cell], max_cost: f64) -> Option<Cell> {
        let within = self.of.iter().filter(|(_, cost)| cost.length() <= max_cost);
        let square = |cell: &Cell| goals.iter().map(|goal| cell.square_distance(*goal)).min();
        let best = within.min_by(|a, b| {
            square(a.0).cmp(&square(b.0)).then(order(*a.1, *b.1)).then((a.0.y, a.0.x).cmp(&(b.0.y, b.0.x)))
        });
        best.map(|(&cell, _)| cell)
    }

    /// Judges the answer to a query from this start that has no limit on expansions or time.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn judge(&self, grid: &Grid, query: &Query<'_>, reply: &AnswerSummary, cost: PathCost) -> Result<(), String> {
        let (goals, max_cost) = (query.goals.cells(), query.limits.max_cost);
        let best = self.nearest_goal(goals).map(|index| (index, self.of[&goals[index]]));
        let near = best.filter(|(_, cost)| cost.length() <= max_cost);
        let (status, end) = match (near, query.nearest) {
            (Some((index, _)), _) => (Status::Found, Some(goals[index])),
            (None, Nearest::No) => (if best.is_some() { Status::Limit } else { Status::NoPath }, None),
            (None, _) => match self.nearest_cell(goals, max_cost) {
                Some(cell) => (Status::Nearest, Some(cell)),
                None => (if best.is_some() { Status::Limit } else { Status::NoPath }, None),
            },
        };
        let found = reply.ends.map(|(_, end)| end);
        let is_right = (reply.status, found) == (status, end)
            && (status != Status::Found || reply.place == near.map(|(index, _)| index))
            && end.is_none_or(|end| cost == self.of[&end]);
        if is_right || self.is_bounded_by(goals, (status, end), (reply.status, found), cost) {
            return Ok(());
        }
        Err(format!(
            "from {} to {goals:?}, {:?}, at most {max_cost}: {reply:?} at {cost}, expected {status:?} at {end:?}\n{grid:?}",
            self.start, query.nearest
        ))
    }

    /// Whether an answer of a planner that does not promise shortest paths is good enough: it has the right status, it
    /// ends as near to the goals as it should, and its path is within the guarantee's bound.
    fn is_bounded_by(
        &self,
        goals: &[Cell],
        expected: (Status, Option<Cell>),
        found: (Status, Option<Cell>),
        cost: PathCost,
    ) -> bool {
        let Guarantee::Bounded(weight) = self.guarantee else { return false };
        let (Some(best), Some(end)) = (expected.1, found.1) else { return false };
        let nearest = |cell: Cell| goals.iter().map(|goal| cell.square_distance(*goal)).min();
        let grid = |cost: PathCost| cost.counts().unwrap_or(GridCost::ZERO);
        expected.0 == found.0 && nearest(best) == nearest(end) && grid(cost).is_within(weight, grid(self.of[&best]))
    }
}

fn order(a: PathCost, b: PathCost) -> Ordering {
    match (a.counts(), b.counts()) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => a.length().total_cmp(&b.length()),
    }
}
