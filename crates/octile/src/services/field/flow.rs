//! Directions for units that move between the centres of cells.
//!
//! In a cell whose next step is `d`, the unit moves in direction `d`; if that is straight, it also drifts a little
//! towards the middle of the cell. As far as that is safe, it turns to the *slope*: the direction in which costs fall,
//! averaged over the four cells around it.
//!
//! **Why it arrives, and hits nothing**, in steps of up to [`SAFE_STEP`]. After a number of steps it leaves its cell,
//! and only into cells of lower cost that one legal move leads to; so it finally reaches a goal's cell.
//! - It turns by less than 45° from `d`. If `d` is diagonal, neither component is ever negative; if it is straight, the
//!   component along `d` is above 0.7. So it leaves the cell ahead or to the side, never behind.
//! - Ahead of a diagonal step lie the next cell and the two beside it. Without terrain costs these are free and
//!   cheaper: each is only a straight move from the next cell. Where one of the two is not, because a corner is cut or
//!   that cell is expensive, the unit does not turn at all, and passes the corner on the side of the other.
//! - Ahead of a straight step lies the next cell. A side is *open* if the cell there and the cell diagonally ahead on
//!   that side are both cheaper and legal moves lead to them. Towards a side that is not open, and beyond the middle,
//!   only the slope leads, by a component of at most `2s` at a distance `s` from the side. So a step of 1/4 brings the
//!   unit nearer by at most `1/4 * 2s`, as the slope goes no more to the side than ahead.
//!
//! **Between expensive cells.** Over terrain, neither of the cells beside a diagonal step need be cheaper. A unit
//! cannot go exactly through a corner, so it crosses one of these cells, the *bank*, near the corner. There its
//! direction leads on to the next cell, and nowhere else, so it ends up in a cheaper cell. Let `a` and `b` be the
//! distances of a point in the bank from the sides that it shares with the previous cell and with the next one; `a + b`
//! is at most [`BANK`] near the corner.
//! - In the cell that it leaves, the unit first goes straight along the bank, which brings it no nearer to that, until
//!   it is within 0.3 of the corner on that axis, and farther than 0.05 from the other side. Then it heads for the
//!   point on the bank's side that is [`BERTH`] from the corner. It leaves the cell there or, only by rounding, less
//!   than 0.3 from the corner; and never through the other side. In a step of 1/4 it comes no farther into the bank
//!   than `a + b = BERTH + √2/4 < BANK`.
//! - In the bank it heads for the centre of the next cell, by `1/2 - a` and `1/2 + b`: `a + b` never grows, and `a` is
//!   never negative.
//! - The regions near the four corners of a cell are disjoint, as `BANK` is below 1/2.

use std::f64::consts::FRAC_1_SQRT_2;

use crate::geometry::units::Units;
use crate::geometry::{Cell, CellId, Dir};
use crate::grid::Grid;
use crate::services::field::labels::{Labels, Orientation};

/// Steps up to this length, in cells, are safe.
#[cfg(test)]
pub(super) const SAFE_STEP: f64 = 0.25;

/// The size of a bank: the maximum sum of the distances from two sides.
const BANK: f64 = 0.45;

/// The distance from the corner at which the unit enters a bank.
const BERTH: f64 = 0.05;

/// A direction, or a point in a cell, whose upper left corner is 0, 0.
type Vector = (f64, f64);

impl<U: Units> Labels<U> {
    /// The direction at a point, in cells from the upper left corner of the map; zero in the centre of a goal.
    pub(super) fn direction(&self, grid: &Grid, orientation: Orientation, x: f64, y: f64) -> Option<Vector> {
        let is_on_map = x >= 0.0 && y >= 0.0 && x < f64::from(grid.width()) && y < f64::from(grid.height());
        if !is_on_map {
            return None;
        }
        let cell = Cell::new(x as u32, y as u32);
        let (id, point) = (grid.id(cell), (x - f64::from(cell.x), y - f64::from(cell.y)));
        if let Some(on) = self.beyond_bank(grid, orientation, id, point) {
            return Some(on);
        }
        self.cost(id)?;
        let Some(dir) = self.next(grid, orientation, id) else {
            return Some(unit((0.5 - point.0, 0.5 - point.1)).unwrap_or((0.0, 0.0)));
        };
        match self.side_of(grid, id, dir) {
            Beside::Both => {}
            Beside::One(side) => return Some(around_corner(dir, side, point)),
            Beside::Bank(side) => return Some(to_bank(dir, side, point)),
        }
        let ahead = ahead(dir, point);
        let Some((slope, steepness)) = self.slope(grid, id, point) else { return Some(ahead) };
        // The full turn is made up to 25 degrees, and none from 45 on.
        let cosine = dot(slope, vector(dir));
        let turn = ((cosine - FRAC_1_SQRT_2) / 0.2).clamp(0.0, 1.0);
        let part = self.room(grid, id, dir, point) * turn * (4.0 * steepness).min(1.0);
        unit((lerp(ahead.0, slope.0, part), lerp(ahead.1, slope.1, part)))
    }

    /// Which cells beside a step the unit may cross.
    fn side_of(&self, grid: &Grid, id: CellId, dir: Dir) -> Beside {
        if !dir.is_diagonal() {
            return Beside::Both;
        }
        let sides = [dir.turn(1), dir.turn(-1)];
        // Without terrain costs the free ones are cheaper.
        let (moves, has_prices) = (grid.moves_of(id), grid.ground().is_some());
        match sides.map(|side| moves.contains(side) && (!has_prices || self.falls(grid, id, side))) {
            [true, true] => Beside::Both,
            [true, false] => Beside::One(sides[0]),
            [false, true] => Beside::One(sides[1]),
            [false, false] => {
                // At least one of them is free, and it has a cost unless the field has a greatest cost.
                let cost = |side: &Dir| self.costs[neighbour(grid, id, *side).index()];
                let free = sides.into_iter().filter(|&side| moves.contains(side));
                free.min_by_key(cost).map_or(Beside::Both, Beside::Bank)
            }
        }
    }

    /// The direction in a bank: to the next cell of the diagonal step around the nearest corner.
    fn beyond_bank(&self, grid: &Grid, orientation: Orientation, id: CellId, point: Vector) -> Option<Vector> {
        grid.ground()?;
        let (east, south) = (point.0 >= 0.5, point.1 >= 0.5);
        let (x, y) = (point.0 - f64::from(u8::from(east)), point.1 - f64::from(u8::from(south)));
        if x.abs() + y.abs() > BANK {
            return None;
        }
        let (across, down) = (if east { Dir::E } else { Dir::W }, if south { Dir::S } else { Dir::N });
        let moves = grid.moves_of(id);
        let leads = |&(from, to): &(Dir, Dir)| {
            let step = Dir::diagonal(to.dx() > from.dx(), to.dy() > from.dy());
            let left = neighbour(grid, id, from);
            moves.contains(from)
                && moves.contains(to)
                && self.next(grid, orientation, left) == Some(step)
                && self.side_of(grid, left, step) == Beside::Bank(from.opposite())
        };
        let (_, to) = [(across, down), (down, across)].into_iter().find(leads)?;
        let (dx, dy) = vector(to);
        unit((0.5 + dx - point.0, 0.5 + dy - point.1))
    }

    /// How far the unit may turn, from 0 to 1: limited by its distance from the sides through which it must not leave.
    fn room(&self, grid: &Grid, id: CellId, dir: Dir, point: Vector) -> f64 {
        if dir.is_diagonal() {
            return 1.0;
        }
        let open = |side: i8| self.falls(grid, id, dir.turn(side)) && self.falls(grid, id, dir.turn(side / 2));
        let distance = |side: i8| 0.5 - dot(vector(dir.turn(side)), (point.0 - 0.5, point.1 - 0.5));
        let rooms = [2, -2].map(|side| if open(side) { 1.0 } else { (2.0 * distance(side)).clamp(0.0, 1.0) });
        rooms[0].min(rooms[1])
    }

    /// Whether a legal move leads to a cheaper cell.
    fn falls(&self, grid: &Grid, id: CellId, dir: Dir) -> bool {
        grid.moves_of(id).contains(dir) && self.costs[neighbour(grid, id, dir).index()] < self.costs[id.index()]
    }

    /// The direction in which costs fall around a point, and how steeply, up to about 1. None if they do not fall.
    fn slope(&self, grid: &Grid, id: CellId, point: Vector) -> Option<(Vector, f64)> {
        let (east, south) = (point.0 >= 0.5, point.1 >= 0.5);
        let diagonal = Dir::diagonal(east, south);
        let (across, down) = (if east { Dir::E } else { Dir::W }, if south { Dir::S } else { Dir::N });
        let (x, y) = ((point.0 - 0.5).abs(), (point.1 - 0.5).abs());
        let near = [(across, x * (1.0 - y)), (down, (1.0 - x) * y), (diagonal, x * y)];
        let mut sum = scaled(self.fall(grid, id), (1.0 - x) * (1.0 - y));
        for (dir, weight) in near {
            let to = neighbour(grid, id, dir);
            if grid.moves_of(id).contains(dir) && self.cost(to).is_some() {
                sum = add(sum, scaled(self.fall(grid, to), weight));
            }
        }
        unit(sum).map(|slope| (slope, dot(sum, sum).sqrt()))
    }

    /// How much costs fall from one side of a cell to the other, along each axis. If one side is not reachable, only a
    /// fall towards the other side counts.
    fn fall(&self, grid: &Grid, id: CellId) -> Vector {
        let own = self.costs[id.index()].into() as f64;
        let beside = |dir| {
            let to = if grid.moves_of(id).contains(dir) { self.cost(neighbour(grid, id, dir)) } else { None };
            to.map(|cost| cost.into() as f64 - own)
        };
        let fall = |back, ahead| match (beside(back), beside(ahead)) {
            (Some(back), Some(ahead)) => (back - ahead) / 2.0,
            (None, Some(ahead)) => (-ahead).max(0.0),
            (Some(back), None) => back.min(0.0),
            (None, None) => 0.0,
        };
        let straight = U::STRAIGHT.into() as f64;
        (fall(Dir::W, Dir::E) / straight, fall(Dir::N, Dir::S) / straight)
    }
}

/// The cells beside a step that are cheaper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beside {
    /// Both, or the step is straight.
    Both,
    /// The one in this direction.
    One(Dir),
    /// None; the unit crosses the free cell in this direction.
    Bank(Dir),
}

/// The direction if only one of the cells beside a diagonal step may be entered: along the diagonal on that side of the
/// corner, and straight to that side from the other.
fn around_corner(dir: Dir, side: Dir, point: Vector) -> Vector {
    // How much farther the unit is towards the one side than towards the other.
    let other = (f64::from(dir.dx() - side.dx()), f64::from(dir.dy() - side.dy()));
    let centred = (point.0 - 0.5, point.1 - 0.5);
    let lead = dot(centred, vector(side)) - dot(centred, other);
    vector(if lead > 1e-3 { dir } else { side })
}

/// The direction if neither cell is cheaper: into the bank on one side, near the corner.
fn to_bank(dir: Dir, side: Dir, point: Vector) -> Vector {
    let (bank, other) = (vector(side), (f64::from(dir.dx() - side.dx()), f64::from(dir.dy() - side.dy())));
    let centred = (point.0 - 0.5, point.1 - 0.5);
    let (to_bank, to_other) = (0.5 - dot(centred, bank), 0.5 - dot(centred, other));
    if to_other > 0.3 {
        return other;
    }
    unit(add(scaled(bank, to_bank), scaled(other, to_other - BERTH))).unwrap_or(bank)
}

/// The direction of a step; a straight one drifts a little towards the middle.
fn ahead(dir: Dir, point: Vector) -> Vector {
    let (dx, dy) = vector(dir);
    if dir.is_diagonal() {
        return (dx, dy);
    }
    let drift = (0.5 * (0.5 - point.0) * dy.abs(), 0.5 * (0.5 - point.1) * dx.abs());
    let sum = add((dx, dy), drift);
    unit(sum).unwrap_or(sum)
}

fn neighbour(grid: &Grid, id: CellId, dir: Dir) -> CellId {
    CellId(id.0.wrapping_add_signed(dir.dy() * grid.stride() as i32 + dir.dx()))
}

fn vector(dir: Dir) -> Vector {
    let length = if dir.is_diagonal() { FRAC_1_SQRT_2 } else { 1.0 };
    scaled((f64::from(dir.dx()), f64::from(dir.dy())), length)
}

fn lerp(from: f64, to: f64, part: f64) -> f64 {
    from + (to - from) * part
}

fn add(a: Vector, b: Vector) -> Vector {
    (a.0 + b.0, a.1 + b.1)
}

fn scaled(a: Vector, by: f64) -> Vector {
    (a.0 * by, a.1 * by)
}

fn dot(a: Vector, b: Vector) -> f64 {
    a.0 * b.0 + a.1 * b.1
}

/// The vector of length 1 in the same direction, if any.
fn unit(a: Vector) -> Option<Vector> {
    let length = dot(a, a).sqrt();
    (length > 1e-9).then(|| scaled(a, 1.0 / length))
}
