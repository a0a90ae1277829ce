//! What a search from cell to cell believes the rest of a path to cost: the heuristic `h`, in units, and where the path
//! may end.

use crate::geometry::units::{Cost, Narrow, Units};
use crate::geometry::{Cell, CellId, Weight};
use crate::grid::{Grid, Ground, Movement};

/// What a search believes a straight and a diagonal step towards the goal to cost, as multiples of their real costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Estimate {
    /// Nothing: Dijkstra's search.
    Zero,
    /// The octile distance (under `tile`, the Manhattan distance) times a weight.
    Weighted(Weight),
    /// The length of the straight line.
    Euclidean,
}

impl Estimate {
    /// What it charges for a straight and a diagonal step, given their real prices. Each price is rounded down on its
    /// own: the heuristic is then consistent for the rounded prices, so that the weight bounds the result exactly
    /// although no cell is expanded twice. A straight line costs no more than such steps.
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

    /// What a straight move of a path may look like to cost at most, in units; over terrain, what a length of 1 may.
    pub(crate) fn unit<U: Units>(self, grid: &Grid) -> f64 {
        let weight = if let Self::Weighted(weight) = self { f64::from(weight.thousandths()) / 1000.0 } else { 1.0 };
        U::STRAIGHT.into() as f64 * weight.max(1.0) / grid.ground().map_or(1.0, Ground::count_value)
    }

    /// The most that one step can add to a cost, with the estimate, in [`Narrow`] units.
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

/// The goals of a search, and what it believes the way there to cost.
pub(crate) trait Target<C> {
    /// What the way from a cell to the nearest goal costs, as far as the search knows.
    fn h(&self, at: Cell) -> C;

    /// The place of a cell, which has this padded id, among the goals, if it is one.
    fn place(&self, id: CellId, at: Cell) -> Option<usize>;

    /// Whether `h` may drop by more than the price of a move, so that a closed cell may get cheaper.
    fn reopens(&self) -> bool {
        false
    }
}

/// For searches that are too rare to be compiled for each target.
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

/// One goal, and no estimate: every way may be the shortest.
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

/// One goal: a price for each straight and each diagonal step to it.
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

/// One goal: the length of the straight line to it, cut off to whole units.
///
/// It is never too high. With prices `A` and `B`, a line of length `l` to a cell that `s` straight and `d` diagonal
/// steps reach has `A l <= A s + A √2 d`, and `A √2 d` exceeds the real price `B d` by less than half a unit on every
/// map there is: cut off, nothing is left of that, nor of the rounding of `f64`.
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

    /// By a unit, as the lengths from both ends of a move are cut off independently.
    fn reopens(&self) -> bool {
        true
    }
}

/// Any of many goals: the least of the estimates for them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest<'a, C> {
    goals: &'a [Cell],
    /// For the first of them.
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
