//! Line of sight between cell centres, and between corners of cells.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use super::bits::{BitLines, WINDOW};
use super::{Grid, Movement, corners};
use crate::geometry::{Cell, CellId, Corner, Dir};

/// Whether an any-angle path may pass between two obstacles that touch at a corner.
///
/// A corner is a *pinch* if exactly two of its four cells are blocked, and these touch only there. Where squeezing is
/// forbidden, a pinch whose lower right cell is free is a place of that cell alone: lines begin or end there only if they lie
/// to the right of and below it, and none goes through it. Any other pinch cannot be used at all. Two cells are then connected
/// exactly if they are under [`Movement::Octile`]; where squeezing is allowed, exactly if they hang together by corners.
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
    /// It may.
    #[default]
    Allowed,
    /// It may not.
    Forbidden,
}

impl Squeeze {
    /// Both rules.
    pub const ALL: [Self; 2] = [Self::Allowed, Self::Forbidden];

    /// The name used in specs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Forbidden => "forbidden",
        }
    }
}

impl fmt::Display for Squeeze {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no squeeze rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown squeeze rule `{text}`: use allowed or forbidden")]
pub struct ParseSqueezeError {
    text: String,
}

impl FromStr for Squeeze {
    type Err = ParseSqueezeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|rule| rule.name() == text);
        found.ok_or_else(|| ParseSqueezeError { text: text.to_owned() })
    }
}

/// Whether one can walk straight from corner `a` to corner `b`. Every cell whose inside the segment crosses is free; along a
/// row or column of corners, one of the two cells beside each step is. What the segment may pass through, and where it may
/// end, follows the [squeeze rule](Squeeze). A corner sees itself; one off the map sees nothing else.
///
/// ```
/// use octile::{Corner, Grid, Squeeze, grid::sight};
/// let grid: Grid = "....\n@...\n.@..".parse()?;
/// let visible = |a, b, squeeze| sight::corners_visible(&grid, a, b, squeeze);
/// assert!(visible(Corner::new(0, 0), Corner::new(4, 3), Squeeze::Allowed));
/// assert!(!visible(Corner::new(0, 0), Corner::new(1, 2), Squeeze::Allowed));
/// // Between the two obstacles:
/// assert!(visible(Corner::new(0, 3), Corner::new(2, 1), Squeeze::Allowed));
/// assert!(!visible(Corner::new(0, 3), Corner::new(2, 1), Squeeze::Forbidden));
/// # Ok::<(), octile::ascii::AsciiError>(())
/// ```
pub fn corners_visible(grid: &Grid, a: Corner, b: Corner, squeeze: Squeeze) -> bool {
    let on_map = |corner: Corner| corner.x <= grid.width() && corner.y <= grid.height();
    a == b || on_map(a) && on_map(b) && corners_on_map_visible(grid, a, b, squeeze)
}

/// [`corners_visible`] for two different corners of the map.
///
/// The segment is cut into its parts in each line of cells along its longer side, and each part is looked up in the bits of
/// that line as a whole: a look at up to 57 cells for each step along the shorter side.
#[inline]
pub(crate) fn corners_on_map_visible(grid: &Grid, a: Corner, b: Corner, squeeze: Squeeze) -> bool {
    if squeeze == Squeeze::Forbidden && !(corners::may_end(grid, a, b) && corners::may_end(grid, b, a)) {
        return false;
    }
    let (width, height) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
    // Across the lines, along the lines.
    let place = |corner: Corner| if width >= height { (corner.y, corner.x) } else { (corner.x, corner.y) };
    let lines = if width >= height { grid.rows() } else { grid.columns() };
    let (first, last) = if place(a) <= place(b) { (place(a), place(b)) } else { (place(b), place(a)) };
    if first.0 == last.0 {
        edge_is_open(lines, first.0 as usize, (first.1 as usize, last.1 as usize), squeeze)
    } else if first.1 <= last.1 {
        parts_are_free::<true>(lines, first, last, squeeze)
    } else {
        parts_are_free::<false>(lines, first, last, squeeze)
    }
}

pub(crate) fn spots_on_map_visible(
    grid: &Grid,
    a: crate::geometry::Spot,
    b: crate::geometry::Spot,
    squeeze: Squeeze,
) -> bool {
    corners_on_map_visible(grid, a.as_corner().unwrap(), b.as_corner().unwrap(), squeeze)
}

/// Whether a segment along a line of corners, between padded cell lines `line` and `line + 1`, has a free cell beside each
/// step; and, if that is forbidden, goes through no pinch.
fn edge_is_open(lines: &BitLines, line: usize, (from, to): (usize, usize), squeeze: Squeeze) -> bool {
    // A window serves all of its steps but the last, which comes again as the first of the next.
    const STEP: usize = WINDOW - 1;
    let mut at = from;
    while at < to {
        // The step from corner `x` to the next lies beside the cells of padded position `x + 1`.
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

/// Whether all cells are free whose inside a segment crosses; and, if that is forbidden, it goes through no pinch. The segment
/// goes over several lines, and along them at least as far, to higher positions if `FORWARD`. Places are given as line and
/// position of corners.
fn parts_are_free<const FORWARD: bool>(lines: &BitLines, from: (u32, u32), to: (u32, u32), squeeze: Squeeze) -> bool {
    let across = to.0 - from.0;
    let along = from.1.abs_diff(to.1);
    // After `i` lines the segment is `i * along / across` positions on, kept as a whole number and a remainder.
    let (whole_step, rest_step) = (along / across, along % across);
    let (mut whole, mut rest) = (0, 0);
    for line in from.0 as usize + 1..=to.0 as usize {
        let begin = whole;
        whole += whole_step;
        rest += rest_step;
        if rest >= across {
            rest -= across;
            whole += 1;
        }
        // The part crosses the cells from the `begin`th to the one before `end`.
        let end = whole + u32::from(rest != 0);
        let (first, last) =
            if FORWARD { (from.1 + begin + 1, from.1 + end) } else { (from.1 + 1 - end, from.1 - begin) };
        if !lines.all_free(line, first as usize, last as usize) {
            return false;
        }
        if squeeze == Squeeze::Forbidden && rest == 0 && line < to.0 as usize {
            let position = if FORWARD { from.1 + whole } else { from.1 - whole } as usize;
            // The cells that it crosses before and after the corner are free, so the other two decide.
            let sides = if FORWARD { (position + 1, position) } else { (position, position + 1) };
            if !lines.get(line, sides.0) && !lines.get(line + 1, sides.1) {
                return false;
            }
        }
    }
    true
}

/// Whether one can walk straight from the centre of `a` to the centre of `b`: every cell whose inside the segment
/// crosses is free, and where it passes exactly through a corner, a diagonal move there is legal too (under `tile`, as
/// under `octile`).
///
/// ```
/// use octile::{Cell, Grid, grid::sight};
/// let grid: Grid = "....\n@...\n....".parse()?;
/// assert!(sight::visible(&grid, Cell::new(0, 0), Cell::new(3, 2)));
/// assert!(!sight::visible(&grid, Cell::new(0, 0), Cell::new(1, 2)));
/// # Ok::<(), octile::ascii::AsciiError>(())
/// ```
pub fn visible(grid: &Grid, a: Cell, b: Cell) -> bool {
    let rule = if grid.movement() == Movement::OctileCutting { Movement::OctileCutting } else { Movement::Octile };
    let (width, height) = (u64::from(a.x.abs_diff(b.x)), u64::from(a.y.abs_diff(b.y)));
    let east_west = if b.x >= a.x { Dir::E } else { Dir::W };
    let north_south = if b.y >= a.y { Dir::S } else { Dir::N };
    let diagonal = Dir::diagonal(b.x >= a.x, b.y >= a.y);
    // After `i` borders crossed east-west and `j` north-south, the next ones are crossed at (2i+1) / 2 width and
    // (2j+1) / 2 height of the way: whichever comes first is the next cell, and both at once is a corner.
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

/// Whether so many diagonal moves from a cell are legal.
#[inline]
pub(crate) fn diagonal_is_free(grid: &Grid, from: Cell, dir: Dir, steps: u32) -> bool {
    let (id, id_step) = (grid.id(from), grid.id_steps()[dir as usize]);
    let walk = |steps: u32| CellId(id.0.wrapping_add(id_step.wrapping_mul(steps)));
    (0..steps).all(|steps| grid.moves_of(walk(steps)).contains(dir))
}

/// Whether the hop between two free cells that goes diagonally first, then straight, is free.
pub(crate) fn hop_is_free(grid: &Grid, from: Cell, to: Cell) -> bool {
    let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    let diagonal = dx.min(dy);
    let dir = Dir::diagonal(to.x >= from.x, to.y >= from.y);
    let turn = dir.step(from, diagonal);
    // Padded positions are one larger.
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
    use crate::geometry::Octile;
    use crate::path::{Output, Path};

    /// Every hop between free cells of small maps of all kinds, under the rules that have diagonal moves.
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
                    assert!(path.set_hops(Output::Waypoints, &[from, to], Octile::between(from, to)));
                    let is_legal = path.check(&grid, from, to).is_ok();
                    assert_eq!(hop_is_free(&grid, from, to), is_legal, "{from} {to}\n{grid:?}");
                    *if is_legal { &mut free } else { &mut barred } += 1;
                }
            }
        }
        assert!(free > 10_000 && barred > 10_000, "{free} {barred}");
    }

    /// The same question by geometry: the segment must not touch the closed square of any blocked cell, corners
    /// included, which is the octile rule.
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

    /// Whether a cell is free; off the map none is.
    fn free(grid: &Grid, x: i64, y: i64) -> bool {
        u32::try_from(x).is_ok_and(|x| u32::try_from(y).is_ok_and(|y| grid.is_free(Cell::new(x, y))))
    }

    /// The free cells around a corner: upper left, upper right, lower left, lower right.
    fn around(grid: &Grid, x: i64, y: i64) -> [bool; 4] {
        [(-1, -1), (0, -1), (-1, 0), (0, 0)].map(|(dx, dy)| free(grid, x + dx, y + dy))
    }

    /// The same question as [`corners_visible`], by geometry: every cell, every step and every corner is asked about.
    fn corners_visible_by_geometry(grid: &Grid, a: Corner, b: Corner, squeeze: Squeeze) -> bool {
        let ((ax, ay), (bx, by)) = ([a, b].map(|c| (i64::from(c.x), i64::from(c.y)))).into();
        let (left, right, top, bottom) = (ax.min(bx), ax.max(bx), ay.min(by), ay.max(by));
        // On which side of the line a point lies.
        let side = |x: i64, y: i64| ((bx - ax) * (y - ay) - (by - ay) * (x - ax)).signum();
        let inside = grid.cells().all(|cell| {
            let (x, y) = (i64::from(cell.x), i64::from(cell.y));
            let beside = x < left || x >= right || y < top || y >= bottom;
            let sides = [side(x, y), side(x + 1, y), side(x, y + 1), side(x + 1, y + 1)];
            beside || !(sides.contains(&1) && sides.contains(&-1)) || grid.is_free(cell)
        });
        let level = ay != by || (left..right).all(|x| free(grid, x, ay - 1) || free(grid, x, ay));
        let upright = ax != bx || (top..bottom).all(|y| free(grid, ax - 1, y) || free(grid, ax, y));
        let touched =
            (left..=right).flat_map(|x| (top..=bottom).map(move |y| (x, y))).filter(|&(x, y)| side(x, y) == 0);
        let passes = |(x, y): (i64, i64)| match around(grid, x, y) {
            [false, true, true, false] => false,
            [true, false, false, true] => {
                let is_end = (x, y) == (ax, ay) || (x, y) == (bx, by);
                is_end && left >= x && top >= y
            }
            _ => true,
        };
        let squeezes = squeeze == Squeeze::Forbidden && !touched.into_iter().all(passes);
        a == b || inside && level && upright && !squeezes
    }

    fn corners(grid: &Grid) -> Vec<Corner> {
        (0..=grid.height()).flat_map(|y| (0..=grid.width()).map(move |x| Corner::new(x, y))).collect()
    }

    #[test]
    fn corners_agree_with_geometry_on_all_small_maps() {
        for bits in 0_u32..1 << 12 {
            let grid = Grid::from_fn(4, 3, |cell| bits >> (cell.y * 4 + cell.x) & 1 == 1).unwrap();
            for a in corners(&grid) {
                for b in corners(&grid) {
                    for squeeze in Squeeze::ALL {
                        let seen = corners_visible(&grid, a, b, squeeze);
                        let expected = corners_visible_by_geometry(&grid, a, b, squeeze);
                        assert_eq!(seen, expected, "{grid:?} {a} {b} {squeeze}");
                        assert_eq!(seen, corners_visible(&grid, b, a, squeeze));
                    }
                }
            }
        }
    }

    /// Lines longer than a window, on sparse obstacles that come in touching pairs.
    #[test]
    fn corners_agree_with_geometry_on_long_lines() {
        let mut dice = crate::Dice::new(1);
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
            for _ in 0..400 {
                let mut corner = || Corner::new(random(width + 1), random(height + 1));
                let (a, mut b) = (corner(), corner());
                if round % 3 == 0 {
                    // Along a row or a column.
                    b = if width > height { Corner::new(b.x, a.y) } else { Corner::new(a.x, b.y) };
                }
                for squeeze in Squeeze::ALL {
                    let visible = corners_visible(&grid, a, b, squeeze);
                    assert_eq!(visible, corners_visible_by_geometry(&grid, a, b, squeeze), "{a} {b} {squeeze}");
                    seen += u32::from(visible);
                }
            }
        }
        assert!(seen > 5000, "{seen}");
    }
}
