//! Cuts the legs of a path into hops that each lie in one free rectangle.
//!
//! A leg goes diagonally first, then straight, but the rectangle around it need not be free. From the end of a hop, the
//! lines along the longer side are examined one by one: the part in which all are free is a rectangle. If it is as
//! broad as the leg, the hop goes as far along as the rectangle is free. If it ends inside the diagonal, the obstacle
//! that ends it leaves a choice: all cells from which the rest costs no more are equally good, and a cell beside that
//! obstacle allows a straighter next hop. Such a cell is taken if the rest is one free rectangle; otherwise the
//! diagonal is followed to the end of the rectangle. Neighbouring hops are joined where possible. At the end, points
//! are moved nearer to the straight lines between their neighbours.

use crate::algo::rea_star::hops;
use crate::geometry::units::{Units, Wide};
use crate::geometry::{Cell, Corner};
use crate::grid::Grid;

/// Overwrites `points` with the ends of hops along legs.
pub(in crate::algo::rea_star) fn cut(grid: &Grid, legs: &[Cell], points: &mut Vec<Cell>) {
    points.clear();
    points.extend(legs.first());
    for leg in legs.windows(2) {
        let (mut from, to) = (leg[0], leg[1]);
        while let Some(rest) = Rest::new(from, to) {
            from = rest.next(grid);
            push(grid, points, from);
        }
        push(grid, points, to);
    }
    straighten(grid, points);
}

fn push(grid: &Grid, points: &mut Vec<Cell>, next: Cell) {
    if points.last() != Some(&next) {
        hops::add(grid, points, next);
    }
}

/// Moves each point along its row and its column towards the straight line between its neighbours, as far as both hops
/// stay in free rectangles and cost the same.
fn straighten(grid: &Grid, points: &mut [Cell]) {
    for at in 1..points.len().saturating_sub(1) {
        for along_row in [true, false] {
            let turned = |cell: Cell| if along_row { cell } else { Cell::new(cell.y, cell.x) };
            let [before, here, after] = [points[at - 1], points[at], points[at + 1]].map(turned);
            let Some(most) = steps_to_line(before, here, after) else { continue };
            let moved = |steps: i64| turned(Cell::new((i64::from(here.x) + steps) as u32, here.y));
            let halves = std::iter::successors(Some(most), |steps| Some(steps / 2)).take_while(|&steps| steps != 0);
            let around = (points[at - 1], points[at + 1]);
            if let Some(better) = halves.map(moved).find(|&cell| is_better(grid, around, points[at], cell)) {
                points[at] = better;
            }
        }
    }
}

/// The number of steps to the right from a cell to the straight line between two others, if its row is between theirs.
fn steps_to_line(before: Cell, here: Cell, after: Cell) -> Option<i64> {
    let [(ax, ay), (x, y), (bx, by)] = [before, here, after].map(|cell| (i64::from(cell.x), i64::from(cell.y)));
    let is_between = ay.min(by) < y && y < ay.max(by);
    is_between.then(|| ax + (bx - ax) * (y - ay) / (by - ay) - x)
}

/// Whether moving a point improves the path: hops from the previous point and to the next one cost the same and lie in
/// free rectangles, and their straight lines are shorter.
fn is_better(grid: &Grid, (before, after): (Cell, Cell), from: Cell, to: Cell) -> bool {
    let cost = |cell: Cell| Wide::between(before, cell) + Wide::between(cell, after);
    let distance = |a: Cell, b: Cell| Corner::of(a).distance(Corner::of(b));
    let length = |cell: Cell| distance(before, cell) + distance(cell, after);
    let is_short = cost(to) == cost(from) && length(to) < length(from);
    is_short && hops::is_free_rect(grid, before, to) && hops::is_free_rect(grid, to, after)
}

/// The rest of a leg, seen along its longer side.
struct Rest {
    from: Cell,
    to: Cell,
    /// Whether the longer side is along a row.
    flat: bool,
    /// Whether it goes to higher positions along its longer side, and along its shorter one.
    along: bool,
    aside: bool,
    /// The lengths of its sides; the shorter one is the length of its diagonal.
    length: usize,
    breadth: usize,
}

impl Rest {
    /// None if it is straight, or empty.
    fn new(from: Cell, to: Cell) -> Option<Self> {
        let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
        let flat = dx >= dy;
        let (east, south) = (to.x > from.x, to.y > from.y);
        let (along, aside) = if flat { (east, south) } else { (south, east) };
        let (length, breadth) = (dx.max(dy) as usize, dx.min(dy) as usize);
        (breadth > 0).then_some(Self { from, to, flat, along, aside, length, breadth })
    }

    /// The cell this many steps along and aside.
    fn cell(&self, along: usize, aside: usize) -> Cell {
        let go = |from: u32, steps: usize, higher: bool| if higher { from + steps as u32 } else { from - steps as u32 };
        let (x, y) = if self.flat {
            (go(self.from.x, along, self.along), go(self.from.y, aside, self.aside))
        } else {
            (go(self.from.x, aside, self.aside), go(self.from.y, along, self.along))
        };
        Cell::new(x, y)
    }

    /// The padded line and position of a cell: on lines along the longer side, or across it.
    fn line_and_position(&self, cell: Cell, along: bool) -> (usize, usize) {
        let (x, y) = (cell.x as usize + 1, cell.y as usize + 1);
        if self.flat == along { (y, x) } else { (x, y) }
    }

    /// The end of the next hop.
    fn next(&self, grid: &Grid) -> Cell {
        let (lines, across) = if self.flat { (grid.rows(), grid.columns()) } else { (grid.columns(), grid.rows()) };
        let reach = |aside: usize, most: usize| {
            let (line, position) = self.line_and_position(self.cell(0, aside), true);
            lines.reach(line, position, self.along, most)
        };
        // All lines before `wide` are free for `long` cells, which is more than `wide`.
        let (mut long, mut wide) = (reach(0, self.length + 1), 1);
        while wide <= self.breadth {
            let next = reach(wide, long);
            if next <= wide {
                break;
            }
            (long, wide) = (next, wide + 1);
        }
        if wide > self.breadth {
            return self.cell(long - 1, self.breadth);
        }
        let aim = if long == wide {
            // An obstacle ahead ends the rectangle: pass beside its corner.
            let (line, position) = self.line_and_position(self.cell(long, wide - 1), false);
            let past = wide - across.reach(line, position, !self.aside, wide);
            let least = (self.breadth + long - 1).saturating_sub(self.length);
            self.cell(long - 1, past.max(least))
        } else {
            // An obstacle aside ends it: pass before that, near the straight line.
            let straight = ((wide - 1) * self.length).div_ceil(self.breadth);
            let most = self.length - self.breadth + wide - 1;
            self.cell((long - 1).min(most).min(straight), wide - 1)
        };
        let is_free = hops::is_free_rect(grid, aim, self.to);
        if is_free { aim } else { self.cell(wide - 1, wide - 1) }
    }
}
