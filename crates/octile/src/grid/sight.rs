//! Line of sight: between cell centres, and between the corners and centres of any-angle paths.

use std::cmp::Ordering;

use super::bits::{BitLines, WINDOW};
use super::{Grid, Movement, corners};
use crate::geometry::{Cell, CellId, Corner, Dir, Point, names};

/// Whether an any-angle path may pass between two obstacles that touch at a corner.
///
/// A corner is a *pinch* if exactly two of its four cells are blocked and these touch only there. Where squeezing is
/// forbidden, a pinch whose lower right cell is free belongs to that cell alone: a line may begin or end there only if
/// it lies to the right of and below the pinch, and no line may pass through. Any other pinch cannot be used at all.
/// Two cells are then connected exactly if they are under [`Movement::Octile`]. Where squeezing is allowed, two cells
/// are connected exactly if a chain of cells touching at sides or corners joins them.
///
/// ```
/// use octile::{Cell, Finder, Grid};
/// let grid: Grid = ".@\n@.".parse()?;
/// let (start, goal) = (Cell::new(0, 0), Cell::new(1, 1));
/// assert!(Finder::new("theta-star", &grid)?.find(start, goal)?.is_some());
/// assert!(Finder::new("theta-star:squeeze=forbidden", &grid)?.find(start, goal)?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Squeeze {
    /// It may pass.
    #[default]
    Allowed,
    /// It may not pass.
    Forbidden,
}

names! { Squeeze, "a squeeze rule" { Allowed = "allowed", Forbidden = "forbidden" } }

/// Whether the straight segment from corner `a` to corner `b` is walkable. Every cell whose interior it crosses must be
/// free; along a row or column of corners, one of the two cells beside each step must be. The [squeeze rule](Squeeze)
/// decides which corners it may pass through and end at. A corner always sees itself; a corner off the map sees nothing
/// else.
///
/// ```
/// use octile::Grid;
/// use octile::geometry::Corner;
/// use octile::grid::{Squeeze, sight};
/// let grid: Grid = "....\n@...\n.@..".parse()?;
/// let visible = |a, b, squeeze| sight::corners_visible(&grid, a, b, squeeze);
/// assert!(visible(Corner::new(0, 0), Corner::new(4, 3), Squeeze::Allowed));
/// assert!(!visible(Corner::new(0, 0), Corner::new(1, 2), Squeeze::Allowed));
/// // Between the two obstacles:
/// assert!(visible(Corner::new(0, 3), Corner::new(2, 1), Squeeze::Allowed));
/// assert!(!visible(Corner::new(0, 3), Corner::new(2, 1), Squeeze::Forbidden));
/// # Ok::<(), octile::formats::ascii::AsciiError>(())
/// ```
pub fn corners_visible(grid: &Grid, a: Corner, b: Corner, squeeze: Squeeze) -> bool {
    points_visible(grid, Point::corner(a), Point::corner(b), squeeze)
}

/// [`corners_visible`] where either end may also be the centre of a cell. The interior of that cell counts as crossed.
/// Everything else is the same; the rules for ends apply to ends that are corners.
///
/// ```
/// use octile::{Cell, Grid, Point};
/// use octile::geometry::Corner;
/// use octile::grid::{Squeeze, sight};
/// let grid: Grid = "..@\n.@.\n...".parse()?;
/// let visible = |a: (u32, u32), b| sight::points_visible(&grid, Point::centre(a.into()), b, Squeeze::Forbidden);
/// assert!(visible((1, 0), Point::centre(Cell::new(0, 1))));
/// assert!(!visible((1, 0), Point::centre(Cell::new(2, 2))));
/// // The corner between the two obstacles belongs to no cell.
/// assert!(!visible((1, 0), Point::corner(Corner::new(2, 1))));
/// # Ok::<(), octile::formats::ascii::AsciiError>(())
/// ```
pub fn points_visible(grid: &Grid, a: Point, b: Point, squeeze: Squeeze) -> bool {
    let on_map = |(x, y): (u32, u32)| x <= 2 * grid.width() && y <= 2 * grid.height();
    a == b || on_map(a.halves()) && on_map(b.halves()) && points_on_map_visible(grid, a, b, squeeze)
}

/// [`corners_visible`] for two different corners of the map.
#[inline]
pub(crate) fn corners_on_map_visible(grid: &Grid, a: Corner, b: Corner, squeeze: Squeeze) -> bool {
    points_on_map_visible(grid, Point::corner(a), Point::corner(b), squeeze)
}

/// [`points_visible`] for two different points of the map.
///
/// The segment is split into its parts in each line of cells along its longer side, and each part is tested at once in
/// the bits of that line: one read of up to 57 cells for each step along the shorter side.
#[inline]
pub(crate) fn points_on_map_visible(grid: &Grid, a: Point, b: Point, squeeze: Squeeze) -> bool {
    let ((ax, ay), (bx, by)) = (a.halves(), b.halves());
    let may_end = |point: Point, (x, y): (u32, u32)| {
        point.as_corner().is_none_or(|corner| corners::may_end(grid, corner, Corner::new(x / 2, y / 2)))
    };
    if squeeze == Squeeze::Forbidden && !(may_end(a, (bx, by)) && may_end(b, (ax, ay))) {
        return false;
    }
    // The coordinate across the lines first, then the one along them.
    let (lines, a, b) = if ax.abs_diff(bx) >= ay.abs_diff(by) {
        (grid.rows(), (ay, ax), (by, bx))
    } else {
        (grid.columns(), (ax, ay), (bx, by))
    };
    let (first, last) = if a <= b { (a, b) } else { (b, a) };
    if first.0 == last.0 {
        level_is_open(lines, first, last.1, squeeze)
    } else if first.1 <= last.1 {
        parts_are_free::<true>(lines, first, last, squeeze)
    } else {
        parts_are_free::<false>(lines, first, last, squeeze)
    }
}

/// Whether a segment parallel to the lines is walkable. It starts at `from`, a line and position in halves of a cell,
/// and ends at the higher position `to`. It runs along the edge between two lines from corner to corner, or inside a
/// line from centre to centre.
fn level_is_open(lines: &BitLines, from: (u32, u32), to: u32, squeeze: Squeeze) -> bool {
    let (line, first, last) = (from.0 as usize / 2, from.1 as usize / 2, to as usize / 2);
    if from.0.is_multiple_of(2) {
        edge_is_open(lines, line, (first, last), squeeze)
    } else {
        // Padded lines and positions are one larger.
        lines.all_free(line + 1, first + 1, last + 1)
    }
}

/// Whether a segment along a line of corners, between padded cell lines `line` and `line + 1`, has a free cell beside
/// each step and, if squeezing is forbidden, passes through no pinch.
fn edge_is_open(lines: &BitLines, line: usize, (from, to): (usize, usize), squeeze: Squeeze) -> bool {
    // A window covers all its steps but the last, which is repeated as the first of the next window.
    const STEP: usize = WINDOW - 1;
    let mut at = from;
    while at < to {
        // The step from corner `x` to the next has the cells at padded position `x + 1` beside it.
        let (one, other) = (lines.window(line, at + 1), lines.window(line + 1, at + 1));
        let steps = (to - at).min(STEP);
        if !(one | other) << (64 - steps) != 0 {
            return false;
        }
        // The corners between two steps of this window, and the one between it and the next.
        let inner = steps - usize::from(at + steps == to);
        if squeeze == Squeeze::Forbidden && inner > 0 {
            let (differ, turn) = (one ^ other, one ^ one >> 1);
            if (differ & differ >> 1 & turn) << (64 - inner) != 0 {
                return false;
            }
        }
        at += steps;
    }
    true
}

/// Whether all cells whose interior a segment crosses are free, and, if squeezing is forbidden, it passes through no
/// pinch. The segment spans several lines and at least as much along them, to higher positions if `FORWARD`. Its ends
/// are a line and position in halves of a cell: both even for a corner, both odd for a centre.
fn parts_are_free<const FORWARD: bool>(lines: &BitLines, from: (u32, u32), to: (u32, u32), squeeze: Squeeze) -> bool {
    let across = (to.0 - from.0) as i32;
    let along = from.1.abs_diff(to.1) as i32;
    // `whole` and `rest` say where the segment crosses the edge between two lines: the distance from the near edge of
    // its first cell, as whole cells and a remainder in parts of `unit`. Each line adds `along / across`.
    let unit = 2 * across;
    let (whole_step, rest_step) = (along / across, 2 * (along % across));
    // A centre is half a cell further and half a line behind the edge before it: extended back, the segment starts
    // there.
    let (mut whole, mut rest) = match from.0 % 2 {
        0 => (0, 0),
        _ => ((across - along).div_euclid(unit), (across - along).rem_euclid(unit)),
    };
    let origin = if FORWARD { from.1 / 2 } else { from.1.div_ceil(2) };
    let is_free = |line: usize, begin: u32, end: u32| {
        let (first, last) =
            if FORWARD { (origin + begin + 1, origin + end) } else { (origin + 1 - end, origin - begin) };
        lines.all_free(line, first as usize, last as usize)
    };
    // The part in a line crosses the cells from number `begin` to the one before `end`.
    let (mut begin, last_line) = (0, to.0.div_ceil(2) as usize);
    for line in from.0 as usize / 2 + 1..last_line {
        whole += whole_step;
        rest += rest_step;
        if rest >= unit {
            rest -= unit;
            whole += 1;
        }
        if !is_free(line, begin, whole as u32 + u32::from(rest != 0)) {
            return false;
        }
        begin = whole as u32;
        let corner = if FORWARD { origin + begin } else { origin - begin } as usize;
        if squeeze == Squeeze::Forbidden && rest == 0 && is_pinch::<FORWARD>(lines, line, corner) {
            return false;
        }
    }
    let end = if FORWARD { to.1.div_ceil(2) - origin } else { origin - to.1 / 2 };
    is_free(last_line, begin, end)
}

/// Whether the corner after a line, at a position, is a pinch for a segment that passes through it. The two cells that
/// the segment crosses there must be free anyway, so the other two decide.
fn is_pinch<const FORWARD: bool>(lines: &BitLines, line: usize, position: usize) -> bool {
    let sides = if FORWARD { (position + 1, position) } else { (position, position + 1) };
    !lines.get(line, sides.0) && !lines.get(line + 1, sides.1)
}

/// Whether the straight segment from the centre of `a` to the centre of `b` is walkable: every cell whose interior it
/// crosses is free, and where it passes exactly through a corner, a diagonal move there is legal too (`tile` uses the
/// rule of `octile`).
///
/// ```
/// use octile::{Cell, Grid, grid::sight};
/// let grid: Grid = "....\n@...\n....".parse()?;
/// assert!(sight::visible(&grid, Cell::new(0, 0), Cell::new(3, 2)));
/// assert!(!sight::visible(&grid, Cell::new(0, 0), Cell::new(1, 2)));
/// # Ok::<(), octile::formats::ascii::AsciiError>(())
/// ```
pub fn visible(grid: &Grid, a: Cell, b: Cell) -> bool {
    let rule = if grid.movement() == Movement::OctileCutting { Movement::OctileCutting } else { Movement::Octile };
    let (width, height) = (u64::from(a.x.abs_diff(b.x)), u64::from(a.y.abs_diff(b.y)));
    let east_west = if b.x >= a.x { Dir::E } else { Dir::W };
    let north_south = if b.y >= a.y { Dir::S } else { Dir::N };
    let diagonal = Dir::diagonal(b.x >= a.x, b.y >= a.y);
    // After crossing `i` borders east-west and `j` north-south, the next ones come at (2i+1) / 2 width and (2j+1) / 2
    // height of the way. The smaller one leads to the next cell; if both are equal, the segment passes through a
    // corner.
    let (mut at, mut i, mut j) = (a, 0, 0);
    if !grid.is_free(at) {
        return false;
    }
    while at != b {
        let dir = match ((2 * i + 1) * height).cmp(&((2 * j + 1) * width)) {
            Ordering::Less => east_west,
            Ordering::Greater => north_south,
            Ordering::Equal => diagonal,
        };
        if !rule.allows(|cell| grid.is_free(cell), at, dir) {
            return false;
        }
        at = dir.step(at, 1);
        i += u64::from(dir.dx() != 0);
        j += u64::from(dir.dy() != 0);
    }
    true
}

/// Whether `steps` diagonal moves from a cell are legal.
#[inline]
pub(crate) fn diagonal_is_free(grid: &Grid, from: Cell, dir: Dir, steps: u32) -> bool {
    let (id, id_step) = (grid.id(from), grid.id_steps()[dir as usize]);
    let walk = |steps: u32| CellId(id.0.wrapping_add(id_step.wrapping_mul(steps)));
    (0..steps).all(|steps| grid.moves_of(walk(steps)).contains(dir))
}

/// Whether the hop between two free cells, diagonal first and then straight, is free.
pub(crate) fn hop_is_free(grid: &Grid, from: Cell, to: Cell) -> bool {
    let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    let diagonal = dx.min(dy);
    let dir = Dir::diagonal(to.x >= from.x, to.y >= from.y);
    let turn = dir.step(from, diagonal);
    // Padded coordinates are one larger.
    let straight_is_free = if dx >= dy {
        grid.rows().all_free(to.y as usize + 1, turn.x.min(to.x) as usize + 1, turn.x.max(to.x) as usize + 1)
    } else {
        grid.columns().all_free(to.x as usize + 1, turn.y.min(to.y) as usize + 1, turn.y.max(to.y) as usize + 1)
    };
    straight_is_free && diagonal_is_free(grid, from, dir, diagonal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::generate;
    use crate::geometry::GridCost;
    use crate::path::{Output, Path};

    /// Tests every hop between free cells of small maps of all kinds, under the rules with diagonal moves.
    #[test]
    fn a_hop_is_free_if_its_moves_are_legal() {
        let (mut free, mut barred) = (0, 0);
        for (seed, movement) in (0..12).flat_map(|seed| [(seed, Movement::Octile), (seed, Movement::OctileCutting)]) {
            for grid in [
                generate::random(13, 9, 5 + 4 * seed as u32, seed).unwrap(),
                generate::random(9, 17, 12, 100 + seed).unwrap(),
                generate::rooms(17, 17, 4, seed).unwrap(),
                generate::maze(15, 15, 1 + seed as u32 % 3, seed).unwrap(),
            ] {
                let grid = grid.with_movement(movement);
                let cells: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
                let pairs = cells.iter().flat_map(|from| cells.iter().map(move |to| (from, to)));
                for (&from, &to) in pairs.filter(|(from, to)| from != to) {
                    let mut path = Path::new();
                    assert!(path.set_hops(Output::Waypoints, &[from, to], GridCost::between(from, to)));
                    let is_legal = path.check(&grid, from, to).is_ok();
                    assert_eq!(hop_is_free(&grid, from, to), is_legal, "{from} {to}\n{grid:?}");
                    *if is_legal { &mut free } else { &mut barred } += 1;
                }
            }
        }
        assert!(free > 10_000 && barred > 10_000, "{free} {barred}");
    }

    /// [`visible`] by geometry: the segment must not touch the closed square of any blocked cell, corners included, as
    /// the octile rule demands.
    fn visible_by_geometry(grid: &Grid, a: Cell, b: Cell) -> bool {
        let (ax, ay) = (f64::from(a.x), f64::from(a.y));
        let (dx, dy) = (f64::from(b.x) - ax, f64::from(b.y) - ay);
        grid.cells().filter(|&cell| !grid.is_free(cell)).all(|cell| {
            let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
            for (origin, delta, centre) in [(ax, dx, f64::from(cell.x)), (ay, dy, f64::from(cell.y))] {
                let (low, high) = (centre - 0.5 - 1e-9, centre + 0.5 + 1e-9);
                if delta == 0.0 {
                    if origin < low || origin > high {
                        return true;
                    }
                } else {
                    let (t1, t2) = ((low - origin) / delta, (high - origin) / delta);
                    enter = enter.max(t1.min(t2));
                    leave = leave.min(t1.max(t2));
                }
            }
            enter > leave
        })
    }

    #[test]
    fn agrees_with_geometry_on_all_small_maps() {
        for bits in 0_u32..1 << 12 {
            let grid = Grid::from_fn(4, 3, |cell| bits >> (cell.y * 4 + cell.x) & 1 == 1).unwrap();
            for a in grid.cells().filter(|&cell| grid.is_free(cell)) {
                for b in grid.cells().filter(|&cell| grid.is_free(cell)) {
                    assert_eq!(visible(&grid, a, b), visible_by_geometry(&grid, a, b), "{grid:?} {a} {b}");
                    assert_eq!(visible(&grid, a, b), visible(&grid, b, a));
                }
            }
        }
    }

    /// Whether a cell is free; cells off the map are not.
    fn free(grid: &Grid, x: i64, y: i64) -> bool {
        u32::try_from(x).is_ok_and(|x| u32::try_from(y).is_ok_and(|y| grid.is_free(Cell::new(x, y))))
    }

    /// The free cells around a corner: upper left, upper right, lower left, lower right.
    fn around(grid: &Grid, x: i64, y: i64) -> [bool; 4] {
        [(-1, -1), (0, -1), (-1, 0), (0, 0)].map(|(dx, dy)| free(grid, x + dx, y + dy))
    }

    /// [`points_visible`] by geometry, in halves of a cell: tests every cell, every step and every corner.
    fn points_visible_by_geometry(grid: &Grid, a: Point, b: Point, squeeze: Squeeze) -> bool {
        let ((ax, ay), (bx, by)) =
            ([a, b].map(|point| (i64::from(point.halves().0), i64::from(point.halves().1)))).into();
        let (left, right, top, bottom) = (ax.min(bx), ax.max(bx), ay.min(by), ay.max(by));
        // The side of the line on which a point lies.
        let side = |x: i64, y: i64| ((bx - ax) * (y - ay) - (by - ay) * (x - ax)).signum();
        let inside = grid.cells().all(|cell| {
            let (x, y) = (2 * i64::from(cell.x), 2 * i64::from(cell.y));
            let beside = right <= x || left >= x + 2 || bottom <= y || top >= y + 2;
            let sides = [side(x, y), side(x + 2, y), side(x, y + 2), side(x + 2, y + 2)];
            beside || !(sides.contains(&1) && sides.contains(&-1)) || grid.is_free(cell)
        });
        let whole = |from: i64, to: i64| (from..=to).filter(|value| value % 2 == 0).map(|value| value / 2);
        let steps = |from: i64, to: i64| from / 2..to / 2;
        let level =
            ay != by || ay % 2 == 1 || steps(left, right).all(|x| free(grid, x, ay / 2 - 1) || free(grid, x, ay / 2));
        let upright =
            ax != bx || ax % 2 == 1 || steps(top, bottom).all(|y| free(grid, ax / 2 - 1, y) || free(grid, ax / 2, y));
        let touched = whole(left, right).flat_map(|x| whole(top, bottom).map(move |y| (x, y)));
        let passes = |(x, y): (i64, i64)| match around(grid, x, y) {
            [false, true, true, false] => false,
            [true, false, false, true] => {
                let is_end = [(ax, ay), (bx, by)].contains(&(2 * x, 2 * y));
                is_end && left >= 2 * x && top >= 2 * y
            }
            _ => true,
        };
        let squeezes = squeeze == Squeeze::Forbidden && !touched.filter(|&(x, y)| side(2 * x, 2 * y) == 0).all(passes);
        a == b || inside && level && upright && !squeezes
    }

    /// Every corner of a map, then every centre.
    fn points(grid: &Grid) -> Vec<Point> {
        let corners = (0..=grid.height()).flat_map(|y| (0..=grid.width()).map(move |x| Corner::new(x, y)));
        corners.map(Point::corner).chain(grid.cells().map(Point::centre)).collect()
    }

    #[test]
    fn points_agree_with_geometry_on_all_small_maps() {
        for bits in 0_u32..1 << 12 {
            let grid = Grid::from_fn(4, 3, |cell| bits >> (cell.y * 4 + cell.x) & 1 == 1).unwrap();
            let points = points(&grid);
            for (place, &a) in points.iter().enumerate() {
                for (&b, squeeze) in points[place..].iter().flat_map(|b| Squeeze::ALL.map(|squeeze| (b, squeeze))) {
                    let seen = points_visible(&grid, a, b, squeeze);
                    assert_eq!(seen, points_visible_by_geometry(&grid, a, b, squeeze), "{grid:?} {a} {b} {squeeze}");
                    assert_eq!(seen, points_visible(&grid, b, a, squeeze), "{grid:?} {b} {a} {squeeze}");
                }
            }
        }
    }

    /// Two ends of a line on a map of this size, each a corner or a centre.
    fn random_ends(mut random: impl FnMut(u32) -> u32, width: u32, height: u32) -> [Point; 2] {
        [(); 2].map(|()| match random(2) {
            0 => Point::corner(Corner::new(random(width + 1), random(height + 1))),
            _ => Point::centre(Cell::new(random(width), random(height))),
        })
    }

    /// A point of the same kind as `a` in its row, or in its column if the map is high, about as far along as `b`.
    fn level(a: Point, b: Point, is_high: bool) -> Point {
        let ((ax, ay), (bx, by)) = (a.halves(), b.halves());
        let on_map = |halves: u32| halves.saturating_sub(1) / 2;
        let (x, y) = if is_high { (ax / 2, on_map(by)) } else { (on_map(bx), ay / 2) };
        if a.as_corner().is_some() { Point::corner(Corner::new(x, y)) } else { Point::centre(Cell::new(x, y)) }
    }

    /// Lines longer than a window, on sparse obstacles that come in touching pairs.
    #[test]
    fn points_agree_with_geometry_on_long_lines() {
        let mut dice = crate::geometry::Dice::new(1);
        let mut random = move |bound: u32| dice.below(bound.into()) as u32;
        let mut seen = 0;
        for round in 0..60 {
            let (width, height) = if round % 2 == 0 { (150, 5) } else { (5, 150) };
            let mut grid = Grid::open(width, height).unwrap().edit();
            for _ in 0..random(8) {
                let (x, y) = (random(width - 1), random(height - 1));
                grid.set(Cell::new(x, y), false);
                grid.set(Cell::new(x + 1, y + 1), false);
            }
            let grid = grid.build();
            for _ in 0..1000 {
                let [a, b] = random_ends(&mut random, width, height);
                let b = if round % 3 == 0 { level(a, b, height > width) } else { b };
                for squeeze in Squeeze::ALL {
                    let visible = points_visible(&grid, a, b, squeeze);
                    assert_eq!(visible, points_visible_by_geometry(&grid, a, b, squeeze), "{a} {b} {squeeze}");
                    seen += u32::from(visible);
                }
            }
        }
        assert!(seen > 10_000, "{seen}");
    }
}
