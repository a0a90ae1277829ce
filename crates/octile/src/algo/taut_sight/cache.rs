//! What corners see, remembered from one query to the next.
//!
//! It does not depend on the query, only on the map. For each side of a corner the hops are found from along the
//! obstacle on, as far as a turn has asked for, and farther when a flatter one asks for more. A memory belongs to a
//! scratch, for planners are shared; so it must find out by itself what has changed since it was used last. It knows
//! the box of all cells that were looked at for a side, with a border of one cell, since what is a corner depends on
//! the cells around it. A planner keeps for every tile of 16 x 16 cells the number of the last edit in it. What was
//! found is forgotten if a tile that the box touches has changed since.

use crate::geometry::Cell;
use crate::grid::{Edits, Grid};
use crate::kernels::history::History;
use crate::kernels::taut::cones::{Area, Cones, View};
use crate::kernels::taut::{Corners, Hop, Side, Slot, Turn, Vector, reach, sector_hops, slopes, slot};
use crate::planner::size_bytes;

/// Cells of a side of a tile.
const TILE: u32 = 16;

/// The edits of a planner's map, as far as memories need to know.
#[derive(Clone, Debug)]
pub(super) struct Changes {
    /// For each tile the number of the last edit in it.
    tiles: Vec<u32>,
    /// Tiles in a row.
    stride: u32,
    history: History,
}

impl Changes {
    pub(super) fn new(grid: &Grid) -> Self {
        let [stride, rows] = [grid.width(), grid.height()].map(|side| side.div_ceil(TILE));
        Self { tiles: vec![0; (stride * rows) as usize], stride, history: History::new() }
    }

    pub(super) fn follow(&mut self, edits: &Edits) {
        let now = self.history.advance();
        for (Cell { x, y }, _) in edits.iter() {
            self.tiles[(y / TILE * self.stride + x / TILE) as usize] = now;
        }
    }

    /// Whether a tile that an area touches has changed after the edit of that number.
    fn touches(&self, area: Area, after: u32) -> bool {
        let rows = self.tiles.len() as u32 / self.stride;
        let [left, top] = [area.left, area.top].map(|cell| cell.max(0) as u32 / TILE);
        let right = (area.right.max(0) as u32 / TILE).min(self.stride - 1);
        let bottom = (area.bottom.max(0) as u32 / TILE).min(rows - 1);
        (top..=bottom).any(|row| {
            let row = (row * self.stride) as usize;
            self.tiles[row + left as usize..=row + right as usize].iter().any(|&edit| edit > after)
        })
    }
}

/// No piece.
const NONE: u32 = u32::MAX;

/// What is known of a side of a corner.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The first and the last piece of its hops, or [`NONE`].
    first: u32,
    last: u32,
    /// How far it was looked at, from along the obstacle on; negative if not at all.
    reach: i64,
    area: Area,
    /// The edit up to which it is known to hold.
    edit: u32,
    /// When it was found, in beginnings of the cache.
    era: u32,
}

const UNKNOWN: Known = Known { first: NONE, last: NONE, reach: -1, area: Area::NONE, edit: 0, era: 0 };

/// Hops that were found at once, and the piece behind them.
#[derive(Clone, Copy, Debug)]
struct Piece {
    first: u32,
    end: u32,
    next: u32,
}

/// What has been found so far.
#[derive(Debug)]
pub(super) struct Cache {
    known: Vec<Known>,
    pieces: Vec<Piece>,
    hops: Vec<Hop>,
    /// How often it has begun anew.
    era: u32,
    /// The map that it holds for.
    mark: u64,
}

size_bytes!(Cache: known, pieces, hops);

impl Cache {
    pub(super) fn new(corners: &Corners, changes: &Changes) -> Self {
        let known = vec![UNKNOWN; 2 * corners.len()];
        Self { known, pieces: Vec::new(), hops: Vec::new(), era: 0, mark: changes.history.mark() }
    }

    /// Prepares for a query on a map as it is now, with at most so many bytes of what was found before.
    pub(super) fn follow(&mut self, corners: &Corners, changes: &Changes, most_bytes: u64) {
        let bytes = self.pieces.len() * size_of::<Piece>() + self.hops.len() * size_of::<Hop>();
        if bytes as u64 > most_bytes || !changes.history.knows(self.mark) {
            self.begin_anew();
        }
        self.known.resize(self.known.len().max(2 * corners.len()), UNKNOWN);
        self.mark = changes.history.mark();
    }

    fn begin_anew(&mut self) {
        self.pieces.clear();
        self.hops.clear();
        // What is of another era is forgotten.
        self.era = self.era.wrapping_add(1);
        if self.era == 0 {
            self.known.fill(UNKNOWN);
        }
    }

    /// Visits the hops of the other side of a corner by which a path goes on that has come to it so.
    #[inline]
    pub(super) fn onward(
        &mut self,
        (cones, view, corners, changes): (&mut Cones, View<'_>, &Corners, &Changes),
        (corner, turn, side, from): (u32, Turn, Side, Vector),
        mut visit: impl FnMut(Hop),
    ) {
        let (other, now) = (1 - side, changes.history.now());
        let slot = slot(corner, other);
        let known = &mut self.known[slot as usize];
        let is_old = known.edit != now && known.reach >= 0 && changes.touches(known.area, known.edit);
        if is_old || known.era != self.era {
            *known = Known { era: self.era, ..UNKNOWN };
        }
        known.edit = now;
        let reach = reach(turn, other, from);
        if known.reach < reach {
            self.look((cones, view, corners), (slot, turn, other), reach);
        }
        let mut piece = self.known[slot as usize].first;
        while let Some(&Piece { first, end, next }) = self.pieces.get(piece as usize) {
            for &hop in &self.hops[first as usize..end as usize] {
                if !turn.kind.turns(side, from, hop.from(turn)) {
                    return;
                }
                visit(hop);
            }
            piece = next;
        }
    }

    /// Looks farther on a side of a corner.
    #[inline(never)]
    fn look(
        &mut self,
        (cones, view, corners): (&mut Cones, View<'_>, &Corners),
        (slot, turn, side): (Slot, Turn, Side),
        reach: i64,
    ) {
        let known = &mut self.known[slot as usize];
        let first = self.hops.len();
        let slopes = slopes(side, (known.reach.max(0), reach));
        let is_new = known.reach < 0;
        cones.area = if is_new { Area::around(turn.corner()) } else { known.area };
        sector_hops((cones, view, corners), (turn, side), (slopes, is_new), |number, end, end_side| {
            self.hops.push(Hop::new(number, end_side, end));
        });
        known.area = cones.area;
        known.reach = reach;
        let found = &mut self.hops[first..];
        if found.is_empty() {
            return;
        }
        // Several hops may have one angle: where they end decides then, as no sort may decide.
        let key = |hop: &Hop| (hop.from(turn), turn.kind.angle(side, hop.from(turn)));
        found.sort_unstable_by(|a, b| {
            let ((a, a_angle), (b, b_angle)) = (key(a), key(b));
            a_angle.total_cmp(&b_angle).then((a.y, a.x).cmp(&(b.y, b.x)))
        });
        let piece = self.pieces.len() as u32;
        self.pieces.push(Piece { first: first as u32, end: self.hops.len() as u32, next: NONE });
        match self.pieces.get_mut(known.last as usize) {
            Some(last) => last.next = piece,
            None => known.first = piece,
        }
        known.last = piece;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Squeeze;
    use crate::kernels::taut::cones::Bands;

    /// A map with what is known of it.
    struct Scenery {
        grid: Grid,
        bands: Bands,
        corners: Corners,
        changes: Changes,
        cache: Cache,
        /// How many rows were looked at.
        cones: Cones,
    }

    impl Scenery {
        fn new(grid: Grid) -> Self {
            let corners = Corners::new(&grid, Squeeze::Allowed);
            let changes = Changes::new(&grid);
            let cache = Cache::new(&corners, &changes);
            Self { bands: Bands::new(&grid), grid, corners, changes, cache, cones: Cones::default() }
        }

        fn apply(&mut self, edits: &Edits) {
            self.grid.apply(edits).unwrap();
            self.bands.follow(&self.grid, edits);
            self.corners.follow(&self.grid, edits);
            self.changes.follow(edits);
        }

        /// Asks every corner for what lies behind it, for paths along the obstacle; says how many hops there are, and
        /// how many rows were looked at.
        fn ask(&mut self, most_bytes: u64) -> (usize, u64) {
            self.cache.follow(&self.corners, &self.changes, most_bytes);
            let view = View { grid: &self.grid, bands: &self.bands, squeeze: Squeeze::Allowed };
            let (mut hops, before) = (0, self.cones.rows);
            let mut turns = Vec::new();
            for y in 0..=self.grid.height() {
                self.corners.for_each(y, 0, self.grid.width(), |number, turn| turns.push((number, turn)));
            }
            for ((number, turn), side) in turns.into_iter().flat_map(|turn| [(turn, 0), (turn, 1)]) {
                let (qx, qy) = turn.kind.quadrant();
                let from = if side == 0 { Vector { x: 0, y: qy } } else { Vector { x: qx, y: 0 } };
                let known = (&mut self.cones, view, &self.corners, &self.changes);
                self.cache.onward(known, (number, turn, side, from), |_| hops += 1);
            }
            (hops, self.cones.rows - before)
        }
    }

    fn two_rooms() -> Grid {
        let is_wall = |x: u32, y: u32| x == 48 && y != 40 || (x, y) == (10, 10) || (x, y) == (80, 80);
        Grid::from_fn(96, 96, |cell| !is_wall(cell.x, cell.y)).unwrap()
    }

    #[test]
    fn what_is_known_is_not_looked_at_again() {
        let mut known = Scenery::new(two_rooms());
        let (hops, rows) = known.ask(u64::MAX);
        assert!(hops > 0 && rows > 0);
        assert_eq!(known.ask(u64::MAX), (hops, 0));
        assert_eq!(known.ask(0), (hops, rows), "without memory");
    }

    #[test]
    fn an_edit_makes_it_forget_what_can_have_seen_it() {
        let mut known = Scenery::new(two_rooms());
        let (hops, rows) = known.ask(u64::MAX);
        // In the corner of one room, which some see.
        known.apply(Edits::new().block((90, 2)));
        let (more, again) = known.ask(u64::MAX);
        assert!(again > 0 && again < rows + rows / 2, "{again} of {rows}");
        let mut anew = Scenery::new(known.grid.clone());
        assert_eq!(more, anew.ask(u64::MAX).0);
        known.apply(Edits::new().free((90, 2)));
        assert_eq!(known.ask(u64::MAX).0, hops);
        // What is blocked already changes nothing that was seen.
        assert_eq!(known.ask(u64::MAX), (hops, 0));
    }
}
