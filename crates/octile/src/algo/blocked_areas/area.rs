//! One blocked area: a polygon of obstacle joints, its entrance, and the cells inside.

use crate::geometry::{Cell, order};

/// How much of the polygon behind the entrance counts as entrance and stays open to the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strip {
    /// The cells next to the entrance line, one or two in each of its rows or columns.
    Thin,
    /// The corners of all unit squares that the entrance line crosses: slightly wider, for areas that are not safe to
    /// prune with a thin strip.
    Wide,
}

/// A blocked area: a chain of walls that is open on one side only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    /// The joints of the chain, from one end of the entrance to the other.
    joints: Vec<Cell>,
    strip: Strip,
    /// The corners of the bounding box.
    bounds: (Cell, Cell),
}

impl Area {
    /// `joints` must have at least three cells.
    pub(super) fn new(joints: Vec<Cell>, strip: Strip) -> Self {
        debug_assert!(joints.len() >= 3);
        let (mut low, mut high) = (joints[0], joints[0]);
        for joint in &joints {
            low = Cell::new(low.x.min(joint.x), low.y.min(joint.y));
            high = Cell::new(high.x.max(joint.x), high.y.max(joint.y));
        }
        Self { joints, strip, bounds: (low, high) }
    }

    pub(super) fn with_strip(self, strip: Strip) -> Self {
        Self { strip, ..self }
    }

    /// The joints of the chain of walls: first and last the ends of the entrance, the corners between them.
    pub fn joints(&self) -> &[Cell] {
        &self.joints
    }

    /// The ends of the entrance, which are both obstacles.
    ///
    /// ```
    /// use octile::algo::blocked_areas::Detection;
    /// use octile::{Cell, Grid};
    /// let grid: Grid = ".......\n.@@@@@.\n.@...@.\n.@...@.\n.@...@.\n.......".parse()?;
    /// let area = &Detection::new(&grid).areas[0];
    /// assert_eq!(area.entrance(), (Cell::new(1, 4), Cell::new(5, 4)));
    /// # Ok::<(), octile::formats::ascii::AsciiError>(())
    /// ```
    pub fn entrance(&self) -> (Cell, Cell) {
        (self.joints[0], self.joints[self.joints.len() - 1])
    }

    /// The width of the strip of cells at the entrance that do not count as inside.
    pub fn strip(&self) -> Strip {
        self.strip
    }

    /// The opposite corners of the bounding box, both inclusive.
    pub fn bounds(&self) -> (Cell, Cell) {
        self.bounds
    }

    /// Whether a free cell lies inside: within the polygon by its winding number, and not in the entrance's strip.
    ///
    /// ```
    /// use octile::algo::blocked_areas::Detection;
    /// use octile::{Cell, Grid};
    /// let grid: Grid = ".......\n.@@@@@.\n.@...@.\n.@...@.\n.@...@.\n.......".parse()?;
    /// let area = &Detection::new(&grid).areas[0];
    /// assert!(area.contains(Cell::new(3, 3)));
    /// assert!(!area.contains(Cell::new(3, 4)), "the entrance");
    /// # Ok::<(), octile::formats::ascii::AsciiError>(())
    /// ```
    pub fn contains(&self, cell: Cell) -> bool {
        self.winding(cell) != 0 && !self.is_entrance(cell)
    }

    /// How often the polygon winds around a cell that does not lie on its walls.
    fn winding(&self, cell: Cell) -> i32 {
        self.edges().fold(0, |winding, (a, b)| {
            let side = cross(a, b, cell);
            if a.y <= cell.y {
                winding + i32::from(b.y > cell.y && side > 0)
            } else {
                winding - i32::from(b.y <= cell.y && side < 0)
            }
        })
    }

    /// The edges of the polygon, the entrance last.
    fn edges(&self) -> impl Iterator<Item = (Cell, Cell)> {
        let (first, last) = self.entrance();
        self.joints.windows(2).map(|pair| (pair[0], pair[1])).chain([(last, first)])
    }

    /// Adds the cells inside among the [`SQUARE`] x [`SQUARE`] cells from `corner` on: a word for each row, a bit for
    /// each cell.
    pub(super) fn add_inside(&self, corner: Cell, square: &mut [u16; SQUARE as usize]) {
        let entrance = Entrance::new(self);
        let (low, high) = self.bounds;
        for y in corner.y.max(low.y)..=high.y.min(corner.y + (SQUARE - 1)) {
            let (first, end) = entrance.row(y);
            square[(y - corner.y) as usize] |= self.polygon_bits(y, corner.x) & !bits_between(corner.x, first, end);
        }
    }

    /// Which cells of a row lie within the polygon, from `left` on.
    fn polygon_bits(&self, y: u32, left: u32) -> u16 {
        let mut crossings = self.crossings(y);
        if let [Some((a, _)), Some((b, _)), None] = [crossings.next(), crossings.next(), crossings.next()] {
            return bits_between(left, a.min(b), a.max(b));
        }
        let mut windings = [0; SQUARE as usize];
        for (x, turn) in self.crossings(y) {
            windings.iter_mut().zip(left..).filter(|&(_, at)| at >= x).for_each(|(winding, _)| *winding += turn);
        }
        windings.into_iter().rev().fold(0, |bits, winding| bits << 1 | u16::from(winding != 0))
    }

    /// The cells where the polygon's edges cross a row, rounded up, with their direction.
    fn crossings(&self, y: u32) -> impl Iterator<Item = (u32, i32)> {
        self.edges().filter(move |(a, b)| (a.y <= y) != (b.y <= y)).map(move |(a, b)| {
            let (x, rounded) = line_at((a.y, a.x), (b.y, b.x), y);
            (x + u32::from(rounded), if b.y > a.y { 1 } else { -1 })
        })
    }

    /// Whether a cell belongs to the strip at the entrance.
    #[inline]
    pub(super) fn is_entrance(&self, cell: Cell) -> bool {
        Entrance::new(self).has(cell)
    }

    /// Calls `visit(y, first, last)` for every run of cells within the polygon, row by row; runs may include cells of
    /// its walls and of the entrance strip. Stops when `visit` returns false.
    pub(super) fn spans(&self, mut visit: impl FnMut(u32, u32, u32) -> bool) {
        let (low, high) = self.bounds();
        let mut crossings: Vec<(u32, i32)> = Vec::with_capacity(self.joints.len());
        for y in low.y..=high.y {
            crossings.clear();
            crossings.extend(self.crossings(y));
            order::sort(&mut crossings);
            let mut winding = 0;
            for pair in crossings.windows(2) {
                winding += pair[0].1;
                if winding != 0 && pair[0].0 < pair[1].0 && !visit(y, pair[0].0, pair[1].0 - 1) {
                    return;
                }
            }
        }
    }

    /// Calls `visit` for every cell inside that is not on a wall of the area's own chain. Stops when `visit` returns
    /// false.
    pub(super) fn cells(&self, mut visit: impl FnMut(Cell) -> bool) {
        let entrance = Entrance::new(self);
        self.spans(|y, first, last| {
            (first..=last).map(|x| Cell::new(x, y)).filter(|&cell| !entrance.has(cell)).all(&mut visit)
        });
    }

    /// Twice the area of the polygon.
    pub(super) fn doubled_size(&self) -> u64 {
        let twice: i64 = self.edges().map(|(a, b)| cross(Cell::new(0, 0), a, b)).sum();
        twice.unsigned_abs()
    }

    /// The shorter length of its first and its last wall.
    pub(super) fn shorter_leg(&self) -> u32 {
        let leg = |a: Cell, b: Cell| a.x.abs_diff(b.x) + a.y.abs_diff(b.y);
        let last = self.joints.len() - 1;
        leg(self.joints[0], self.joints[1]).min(leg(self.joints[last - 1], self.joints[last]))
    }
}

/// The side of the squares of [`Area::add_inside`], in cells.
pub(super) const SQUARE: u32 = u16::BITS;

/// A bit for each of the cells of a row from `left` on: set from `first` on, up to the one before `end`.
#[inline]
fn bits_between(left: u32, first: u32, end: u32) -> u16 {
    let before = |x: u32| (1_u32 << x.saturating_sub(left).min(SQUARE)) - 1;
    (before(end) & !before(first)) as u16
}

/// The strip of cells at an entrance, in numbers.
struct Entrance {
    a: Cell,
    b: Cell,
    /// A cell in the box belongs to the strip if its cross product with the entrance is smaller than this.
    width: i64,
    low: Cell,
    high: Cell,
}

impl Entrance {
    fn new(area: &Area) -> Self {
        let (a, b) = area.entrance();
        let (dx, dy) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
        let mut low = Cell::new(a.x.min(b.x), a.y.min(b.y));
        let mut high = Cell::new(a.x.max(b.x), a.y.max(b.y));
        let width = match area.strip {
            // Only cells on the line.
            _ if dx == 0 || dy == 0 => 1,
            Strip::Wide => dx + dy,
            Strip::Thin => {
                // Only within its extent along the longer axis.
                if dx >= dy {
                    (low.y, high.y) = (0, u32::MAX);
                } else {
                    (low.x, high.x) = (0, u32::MAX);
                }
                dx.max(dy)
            }
        };
        Self { a, b, width: width.into(), low, high }
    }

    /// The cells of a row that belong to the strip: the first, and the one after the last.
    fn row(&self, y: u32) -> (u32, u32) {
        let (a, b) = (self.a, self.b);
        if !(self.low.y..=self.high.y).contains(&y) {
            return (0, 0);
        }
        if a.y == b.y {
            return (self.low.x, self.high.x + 1);
        }
        // The cross product is `across - rise * (x - a.x)`, and must be smaller than the width either way.
        let difference = |to: u32, from: u32| i64::from(to) - i64::from(from);
        let rise = difference(b.y, a.y);
        let across = difference(b.x, a.x) * difference(y, a.y) * rise.signum();
        let below = (across - self.width).div_euclid(rise.abs());
        let above = -(-across - self.width).div_euclid(rise.abs());
        let clip = |x: i64| x.clamp(self.low.x.into(), i64::from(self.high.x) + 1).min(u32::MAX.into()) as u32;
        (clip(i64::from(a.x) + below + 1), clip(i64::from(a.x) + above))
    }

    #[inline]
    fn has(&self, cell: Cell) -> bool {
        (self.low.x..=self.high.x).contains(&cell.x)
            && (self.low.y..=self.high.y).contains(&cell.y)
            && cross(self.a, self.b, cell).abs() < self.width
    }
}

/// Twice the signed area of a triangle: on which side of the line from `a` to `b` a point lies, and how far away.
#[inline]
pub(super) fn cross(a: Cell, b: Cell, point: Cell) -> i64 {
    let from_a = |to: Cell| (i64::from(to.x) - i64::from(a.x), i64::from(to.y) - i64::from(a.y));
    let ((bx, by), (px, py)) = (from_a(b), from_a(point));
    bx * py - by * px
}

/// The value at `position` on the line through two points, given as position and value: the value rounded down, and
/// whether it was rounded. The points must differ in position.
#[inline]
pub(super) fn line_at(a: (u32, u32), b: (u32, u32), position: u32) -> (u32, bool) {
    if a.1 == b.1 {
        return (a.1, false);
    }
    let difference = |to: u32, from: u32| i64::from(to) - i64::from(from);
    let run = difference(b.0, a.0);
    let rise = difference(b.1, a.1) * difference(position, a.0) * run.signum();
    let value = i64::from(a.1) + rise.div_euclid(run.abs());
    (value as u32, rise.rem_euclid(run.abs()) != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Dice;

    /// Whether a point lies on an edge of the polygon.
    fn is_on_edge(area: &Area, point: Cell) -> bool {
        area.edges().any(|(a, b)| {
            let between = |from: u32, to: u32, at: u32| (from.min(to)..=from.max(to)).contains(&at);
            cross(a, b, point) == 0 && between(a.x, b.x, point.x) && between(a.y, b.y, point.y)
        })
    }

    /// Polygons of any shape, also such that cross themselves: cell by cell and a square at a time.
    #[test]
    fn squares_have_the_cells_inside() {
        let mut dice = Dice::new(1);
        let mut inside = 0;
        for round in 0..300 {
            let joints = (0..3 + round % 7).map(|_| Cell::new(dice.below(40) as u32, dice.below(40) as u32));
            let area = Area::new(joints.collect(), if round % 2 == 0 { Strip::Thin } else { Strip::Wide });
            for corner in [(0, 0), (16, 0), (0, 16), (16, 16), (32, 16), (32, 32)].map(|(x, y)| Cell::new(x, y)) {
                let mut square = [0; SQUARE as usize];
                area.add_inside(corner, &mut square);
                for (y, row) in (corner.y..).zip(square) {
                    for (x, bit) in (corner.x..).zip(0..SQUARE) {
                        let cell = Cell::new(x, y);
                        if !is_on_edge(&area, cell) {
                            assert_eq!(row >> bit & 1 == 1, area.contains(cell), "{area:?} {cell}");
                            inside += u32::from(area.contains(cell));
                        }
                    }
                }
            }
        }
        assert!(inside > 1000, "{inside}");
    }
}
