//! Caches the corners that a corner sees from one query to the next.
//!
//! They do not depend on the query, only on the map. For each side of a corner, hops are found starting along the
//! obstacle, as far as a turn requires, and further when a flatter turn requires more. They depend on the bounding box
//! of all cells examined for a side, with a border of one cell, because whether a cell is a corner depends on the cells
//! around it. [`remembered`] explains how the cache follows edits.

use super::Scene;
use crate::grid::area;
use crate::kernels::remembered::{self, Remembered, Tiles};
use crate::kernels::taut::cones::{Area, Cones, View};
use crate::kernels::taut::{Arrival, Corners, Hop, SectorPart, Side, Slot, Turn, reach, slopes, slot};
use crate::planner::size_bytes;

/// The edits of a planner's map.
pub(super) type Changes = remembered::Changes<Tiles>;

/// No piece.
const NONE: u32 = u32::MAX;

/// The cached hops of a side of a corner.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The first and the last piece of its hops, or [`NONE`].
    first: u32,
    last: u32,
    /// How far the side was examined, starting along the obstacle; negative if not at all.
    reach: i64,
    area: Area,
    /// The last edit up to which it is known to be valid.
    edit: u32,
    /// The era of the cache in which it was found.
    era: u32,
}

const UNKNOWN: Known = Known { first: NONE, last: NONE, reach: -1, area: Area::NONE, edit: 0, era: 0 };

/// Hops that were found together, and the next piece.
#[derive(Clone, Copy, Debug)]
struct Piece {
    first: u32,
    end: u32,
    next: u32,
}

/// One side of a corner.
#[derive(Clone, Copy, Debug)]
struct CornerSide {
    slot: Slot,
    turn: Turn,
    side: Side,
}

/// The hops found so far.
#[derive(Debug)]
pub(super) struct Cache {
    known: Vec<Known>,
    found: Remembered<Piece, Hop>,
    /// How often the cache was cleared.
    era: u32,
}

size_bytes!(Cache: known, found);

impl Cache {
    pub(super) fn new(corners: &Corners, changes: &Changes) -> Self {
        Self { known: vec![UNKNOWN; 2 * corners.len()], found: Remembered::new(changes), era: 0 }
    }

    /// Prepares for a query on the current map, and keeps at most `most_bytes` bytes of earlier results.
    pub(super) fn follow(&mut self, corners: &Corners, changes: &Changes, most_bytes: u64) {
        let bytes = self.found.entries.len() * size_of::<Piece>() + self.found.items.len() * size_of::<Hop>();
        if self.found.follow(changes, bytes as u64 > most_bytes) {
            // Entries of other eras count as dropped.
            self.era = self.era.wrapping_add(1);
            if self.era == 0 {
                self.known.fill(UNKNOWN);
            }
        }
        self.known.resize(self.known.len().max(2 * corners.len()), UNKNOWN);
    }

    /// Visits the hops on the other side of a corner by which a path that arrives this way can continue.
    #[inline]
    pub(super) fn onward(
        &mut self,
        cones: &mut Cones,
        view: View<'_>,
        scene: &Scene,
        Arrival { corner, turn, side, from }: Arrival,
        mut visit: impl FnMut(Hop),
    ) {
        let changes = &scene.changes;
        let other = 1 - side;
        let slot = slot(corner, other);
        let known = &mut self.known[slot as usize];
        if known.era != self.era || known.reach < 0 || !changes.holds(&mut known.edit, || padded(known.area)) {
            *known = Known { era: self.era, edit: changes.now(), ..UNKNOWN };
        }
        let reach = reach(turn, other, from);
        if known.reach < reach {
            self.look(cones, view, &scene.corners, CornerSide { slot, turn, side: other }, reach);
        }
        let mut piece = self.known[slot as usize].first;
        while let Some(&Piece { first, end, next }) = self.found.entries.get(piece as usize) {
            for &hop in &self.found.items[first as usize..end as usize] {
                if !turn.kind.turns(side, from, hop.from(turn)) {
                    return;
                }
                visit(hop);
            }
            piece = next;
        }
    }

    /// Examines more of a side of a corner.
    #[inline(never)]
    fn look(
        &mut self,
        cones: &mut Cones,
        view: View<'_>,
        corners: &Corners,
        CornerSide { slot, turn, side }: CornerSide,
        reach: i64,
    ) {
        let known = &mut self.known[slot as usize];
        let Remembered { entries: pieces, items: hops, .. } = &mut self.found;
        let first = hops.len();
        let slopes = slopes(side, (known.reach.max(0), reach));
        let is_new = known.reach < 0;
        cones.area = if is_new { Area::around(turn.corner()) } else { known.area };
        let part = SectorPart { turn, side, slopes, has_row: is_new };
        part.hops(cones, view, corners, |number, end, end_side| hops.push(Hop::new(number, end_side, end)));
        known.area = cones.area;
        known.reach = reach;
        let found = &mut hops[first..];
        if found.is_empty() {
            return;
        }
        // Several hops may have the same angle: the order is then that of their ends, so that it does not depend on the
        // sort.
        let key = |hop: &Hop| (hop.from(turn), turn.kind.angle(side, hop.from(turn)));
        found.sort_unstable_by(|a, b| {
            let ((a, a_angle), (b, b_angle)) = (key(a), key(b));
            a_angle.total_cmp(&b_angle).then((a.y, a.x).cmp(&(b.y, b.x)))
        });
        let piece = pieces.len() as u32;
        pieces.push(Piece { first: first as u32, end: hops.len() as u32, next: NONE });
        match pieces.get_mut(known.last as usize) {
            Some(last) => last.next = piece,
            None => known.first = piece,
        }
        known.last = piece;
    }
}

/// An area in padded coordinates.
fn padded(area: Area) -> area::Area {
    let [left, right, top, bottom] = [area.left, area.right, area.top, area.bottom].map(|at| (at + 1).max(0) as usize);
    area::Area { left, right, top, bottom }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::corners::CornerMap;
    use crate::grid::{Edits, Grid, Squeeze};
    use crate::kernels::taut::Vector;

    /// A map with its cache.
    struct Scenery {
        grid: Grid,
        scene: Scene,
        cache: Cache,
        /// Counts the rows that were examined.
        cones: Cones,
    }

    impl Scenery {
        fn new(grid: Grid) -> Self {
            let scene = Scene::new(&CornerMap::new(&grid, Squeeze::Allowed));
            let cache = Cache::new(&scene.corners, &scene.changes);
            Self { grid, scene, cache, cones: Cones::default() }
        }

        fn apply(&mut self, edits: &Edits) {
            self.grid.apply(edits).unwrap();
            self.scene.follow(&self.grid, edits);
        }

        /// Asks every corner for the hops behind it, for paths along the obstacle. Returns the number of hops and the
        /// number of examined rows.
        fn ask(&mut self, most_bytes: u64) -> (usize, u64) {
            let Self { grid, scene, cache, cones } = self;
            cache.follow(&scene.corners, &scene.changes, most_bytes);
            let view = View { grid, bands: &scene.bands, squeeze: Squeeze::Allowed };
            let (mut hops, before) = (0, cones.rows);
            let mut turns = Vec::new();
            for y in 0..=grid.height() {
                scene.corners.for_each(y, 0, grid.width(), |corner, turn| turns.push((corner, turn)));
            }
            for ((corner, turn), side) in turns.into_iter().flat_map(|turn| [(turn, 0), (turn, 1)]) {
                let (qx, qy) = turn.kind.quadrant();
                let from = if side == 0 { Vector { x: 0, y: qy } } else { Vector { x: qx, y: 0 } };
                cache.onward(cones, view, scene, Arrival { corner, turn, side, from }, |_| hops += 1);
            }
            (hops, cones.rows - before)
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
        // In the corner of one room, which only some corners see.
        known.apply(Edits::new().block((90, 2)));
        let (more, again) = known.ask(u64::MAX);
        assert!(again > 0 && again < rows + rows / 2, "{again} of {rows}");
        let mut anew = Scenery::new(known.grid.clone());
        assert_eq!(more, anew.ask(u64::MAX).0);
        known.apply(Edits::new().free((90, 2)));
        assert_eq!(known.ask(u64::MAX).0, hops);
        // Blocking a cell that is already blocked changes no hops.
        assert_eq!(known.ask(u64::MAX), (hops, 0));
    }
}
