//! The goals of a cell-by-cell search and its heuristic `h`: the estimated cost of the rest of a path, in units.

use crate::geometry::units::{Cost, Narrow, Units};
use crate::geometry::{Cell, CellId, Weight};
use crate::grid::{Grid, Ground, Movement};

/// The estimated costs of a straight and a diagonal step towards the goal, as multiples of their real costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Estimate {
    /// Zero: Dijkstra's algorithm.
    Zero,
    /// The octile distance (under `tile`, the Manhattan distance) times a weight.
    Weighted(Weight),
    /// The Euclidean distance.
    Euclidean,
}

impl Estimate {
    /// The estimated costs of a straight and a diagonal step, given their real costs. Each is rounded down separately:
    /// the heuristic is then consistent for the rounded costs, so that the weight bounds the result exactly although no
    /// cell is expanded twice. A straight line costs no more than such steps.
    fn prices(self, movement: Movement, straight: u64, diagonal: u64) -> (u64, u64) {
        let weight = match self {
            Self::Zero => return (0, 0),
            Self::Weighted(weight) => weight,
            Self::Euclidean => Weight::ONE,
        };
        let weigh = |price: u64| price * u64::from(weight.thousandths()) / 1000;
        let straight = weigh(straight);
        (straight, if movement == Movement::Tile { 2 * straight } else { weigh(diagonal) })
    }

    /// The maximum apparent cost of a straight move of a path, in units; on terrain, that of a length of 1.
    pub(crate) fn unit<U: Units>(self, grid: &Grid) -> f64 {
        let weight = if let Self::Weighted(weight) = self { f64::from(weight.thousandths()) / 1000.0 } else { 1.0 };
        U::STRAIGHT.into() as f64 * weight.max(1.0) / grid.ground().map_or(1.0, Ground::count_value)
    }

    /// The maximum that one step can add to a cost, including the estimate, in [`Narrow`] units.
    pub(crate) fn farthest(self, grid: &Grid) -> u64 {
        let side = u64::from(grid.width().max(grid.height()));
        let (straight, diagonal) = (u64::from(Narrow::STRAIGHT), u64::from(Narrow::DIAGONAL));
        let Some(ground) = grid.ground() else {
            return diagonal + self.prices(grid.movement(), straight, diagonal).1 * side;
        };
        let step = 2 * u64::from(ground.greatest_counts());
        let (least, (across, slant)) = (u64::from(ground.least_counts()), self.prices(grid.movement(), 1000, 1415));
        (step + across.max(slant).div_ceil(1000) * least * side) * straight
    }
}

/// The goals of a search, and the estimated cost to reach them.
pub(crate) trait Target<C> {
    /// The estimated cost of the way from a cell to the nearest goal.
    fn h(&self, at: Cell) -> C;

    /// The index among the goals of a cell with this padded id, if it is a goal.
    fn place(&self, id: CellId, at: Cell) -> Option<usize>;

    /// Whether `h` may drop by more than the cost of a move, so that a closed cell may become cheaper.
    fn reopens(&self) -> bool {
        false
    }
}

/// For searches that are too rare to be specialised for each target.
impl<C> Target<C> for &dyn Target<C> {
    fn h(&self, at: Cell) -> C {
        (**self).h(at)
    }

    fn place(&self, id: CellId, at: Cell) -> Option<usize> {
        (**self).place(id, at)
    }

    fn reopens(&self) -> bool {
        (**self).reopens()
    }
}

/// One goal, without an estimate: any way may be the shortest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blind(CellId);

impl Blind {
    pub(crate) fn new(grid: &Grid, goal: Cell) -> Self {
        Self(grid.id(goal))
    }
}

impl<C: Cost> Target<C> for Blind {
    #[inline]
    fn h(&self, _: Cell) -> C {
        0.into()
    }

    #[inline]
    fn place(&self, id: CellId, _: Cell) -> Option<usize> {
        (id == self.0).then_some(0)
    }
}

/// One goal, with a cost for each straight and each diagonal step to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps<C> {
    goal: Cell,
    id: CellId,
    straight: C,
    diagonal: C,
}

impl<C: Cost> Steps<C> {
    pub(crate) fn new<U: Units<Cost = C>>(estimate: Estimate, grid: &Grid, goal: Cell) -> Self {
        let (straight, diagonal) = estimate.prices(grid.movement(), U::STRAIGHT.into(), U::DIAGONAL.into());
        let times = grid.ground().map_or(1, Ground::least_counts);
        let id = grid.id(goal);
        Self { goal, id, straight: C::of(straight) * times.into(), diagonal: C::of(diagonal) * times.into() }
    }
}

impl<C: Cost> Target<C> for Steps<C> {
    #[inline]
    fn h(&self, at: Cell) -> C {
        let (dx, dy) = (at.x.abs_diff(self.goal.x), at.y.abs_diff(self.goal.y));
        let (long, short) = (dx.max(dy), dx.min(dy));
        self.straight * (long - short).into() + self.diagonal * short.into()
    }

    #[inline]
    fn place(&self, id: CellId, _: Cell) -> Option<usize> {
        (id == self.id).then_some(0)
    }
}

/// One goal, with the Euclidean distance to it, truncated to whole units.
///
/// The estimate is never too high. With step costs `A` and `B`, a line of length `l` to a cell that `s` straight and
/// `d` diagonal steps reach has `A l <= A s + A √2 d`, and `A √2 d` exceeds the real cost `B d` by less than half a
/// unit on every possible map. Truncation removes this excess, and the rounding error of `f64` as well.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StraightLine {
    goal: Cell,
    id: CellId,
    unit: f64,
}

impl StraightLine {
    pub(crate) fn new<U: Units>(grid: &Grid, goal: Cell) -> Self {
        Self { goal, id: grid.id(goal), unit: U::STRAIGHT.into() as f64 }
    }
}

impl<C: Cost> Target<C> for StraightLine {
    #[inline]
    fn h(&self, at: Cell) -> C {
        let (dx, dy) = (f64::from(at.x.abs_diff(self.goal.x)), f64::from(at.y.abs_diff(self.goal.y)));
        C::of(((dx * dx + dy * dy).sqrt() * self.unit) as u64)
    }

    #[inline]
    fn place(&self, id: CellId, _: Cell) -> Option<usize> {
        (id == self.id).then_some(0)
    }

    /// By one unit, as the lengths from both ends of a move are truncated independently.
    fn reopens(&self) -> bool {
        true
    }
}

/// Any of several goals, with the smallest of their estimates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest<'a, C> {
    goals: &'a [Cell],
    /// For the first goal.
    steps: Steps<C>,
}

impl<'a, C: Cost> Nearest<'a, C> {
    pub(crate) fn new<U: Units<Cost = C>>(estimate: Estimate, grid: &Grid, goals: &'a [Cell]) -> Self {
        Self { goals, steps: Steps::new::<U>(estimate, grid, goals.first().copied().unwrap_or_default()) }
    }
}

impl<C: Cost> Target<C> for Nearest<'_, C> {
    #[inline]
    fn h(&self, at: Cell) -> C {
        let to = |&goal: &Cell| Steps { goal, ..self.steps }.h(at);
        self.goals.iter().map(to).min().unwrap_or_default()
    }

    #[inline]
    fn place(&self, _: CellId, at: Cell) -> Option<usize> {
        self.goals.iter().position(|&goal| goal == at)
    }
}
