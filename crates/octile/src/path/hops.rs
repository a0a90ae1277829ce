//! Writes paths from hops, each of which goes diagonally first, then straight. Turns and leg lengths are unpredictable,
//! so these loops have as few branches as possible.

use crate::geometry::Cell;

/// A cell, or the change of x and y in a step, as one number: y above x. A negative x change borrows from y, and adding
/// undoes that. So a step is one addition, as long as no coordinate becomes negative.
type Word = u64;

#[inline]
fn pack(cell: Cell) -> Word {
    Word::from(cell.x) | Word::from(cell.y) << 32
}

#[inline]
fn unpack(word: Word) -> Cell {
    Cell { x: word as u32, y: (word >> 32) as u32 }
}

/// A straight line: its start, its number of steps, and one step. The last two may be 0.
#[derive(Clone, Copy)]
struct Leg {
    from: Word,
    steps: u32,
    step: Word,
}

impl Leg {
    /// The two legs of a hop.
    #[inline]
    fn both(from: Cell, to: Cell) -> [Self; 2] {
        let (dx, dy) = (to.x.wrapping_sub(from.x) as i32, to.y.wrapping_sub(from.y) as i32);
        let (wide, high) = (dx.unsigned_abs(), dy.unsigned_abs());
        let along_row = i64::from(dx.signum()) as Word;
        let along_column = (i64::from(dy.signum()) << 32) as Word;
        let (diagonal, slanted) = (wide.min(high), along_row.wrapping_add(along_column));
        let straight = wide.max(high) - diagonal;
        let along = if wide > high { along_row } else { along_column };
        let from = pack(from);
        let turn = from.wrapping_add(slanted.wrapping_mul(diagonal.into()));
        [
            Self { from, steps: diagonal, step: if diagonal == 0 { 0 } else { slanted } },
            Self { from: turn, steps: straight, step: if straight == 0 { 0 } else { along } },
        ]
    }
}

/// Overwrites `points` with the start, the turning points and the end of a path through `hops`.
pub(super) fn turns(hops: &[Cell], points: &mut Vec<Cell>) {
    let Some((&first, _)) = hops.split_first() else { return points.clear() };
    // Old contents are overwritten, so only new entries are filled. A hop ends at most two legs.
    points.resize(points.len().max(2 * hops.len()), Cell::default());
    points[0] = first;
    let (mut len, mut last) = (1, 0);
    for hop in hops.windows(2) {
        let [slanted, straight] = Leg::both(hop[0], hop[1]);
        // A leg that continues the last direction, or has no steps, only moves the end of the leg before.
        len += usize::from(slanted.step != 0) & usize::from(slanted.step != last);
        points[len - 1] = unpack(straight.from);
        last = if slanted.step == 0 { last } else { slanted.step };
        len += usize::from(straight.step != 0) & usize::from(straight.step != last);
        points[len - 1] = hop[1];
        last = if straight.step == 0 { last } else { straight.step };
    }
    points.truncate(len);
}

/// The number of cells written at once. Surplus cells are overwritten by the next leg.
const BATCH: usize = 8;

/// Overwrites `points` with every cell of a path through `hops` that has `moves` moves. Returns `false` if it has
/// another number of moves.
pub(super) fn cells(hops: &[Cell], moves: usize, points: &mut Vec<Cell>) -> bool {
    let Some((&first, _)) = hops.split_first() else { return false };
    points.resize(points.len().max(moves + 1 + 2 * BATCH), Cell::default());
    points[0] = first;
    let mut len = 1;
    for hop in hops.windows(2) {
        for Leg { mut from, steps, step } in Leg::both(hop[0], hop[1]) {
            let mut at = len;
            len += steps as usize;
            loop {
                let Some(batch) = points.get_mut(at..).and_then(<[Cell]>::first_chunk_mut::<BATCH>) else {
                    return false;
                };
                for cell in batch {
                    from = from.wrapping_add(step);
                    *cell = unpack(from);
                }
                at += BATCH;
                if at >= len {
                    break;
                }
            }
        }
    }
    points.truncate(len);
    len == moves + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::GridCost;

    fn cells_of(places: &[(u32, u32)]) -> Vec<Cell> {
        places.iter().map(|&(x, y)| Cell::new(x, y)).collect()
    }

    #[test]
    fn legs_in_one_direction_are_joined() {
        let hops =
            cells_of(&[(5, 5), (5, 5), (7, 6), (9, 6), (9, 6), (12, 9), (13, 10), (13, 2), (13, 1), (0, 1), (0, 1)]);
        let mut points = cells_of(&[(1, 1); 40]);
        turns(&hops, &mut points);
        assert_eq!(points, cells_of(&[(5, 5), (6, 6), (9, 6), (13, 10), (13, 1), (0, 1)]));
        turns(&hops[..2], &mut points);
        assert_eq!(points, [Cell::new(5, 5)]);
        turns(&[], &mut points);
        assert_eq!(points, []);
    }

    #[test]
    fn every_cell_is_written_if_the_number_of_moves_is_right() {
        let mut points = Vec::new();
        for to in (0..40).flat_map(|x| (0..40).map(move |y| Cell::new(x, y))) {
            let hops = [Cell::new(20, 17), to, Cell::new(3, 30)];
            let cost = GridCost::between(hops[0], to) + GridCost::between(to, hops[2]);
            let moves = cost.moves() as usize;
            assert!(cells(&hops, moves, &mut points));
            assert_eq!((points.len(), points[0], points[moves]), (moves + 1, hops[0], hops[2]));
            assert!(
                points.windows(2).all(|pair| pair[0] != pair[1] && GridCost::between(pair[0], pair[1]).moves() == 1)
            );
            assert!(!cells(&hops, moves + 1, &mut points) && !cells(&hops, moves / 2, &mut points));
        }
        assert!(!cells(&[], 0, &mut points));
        // Hops that no valid file contains do no harm.
        let far = [Cell::new(0, 0), Cell::new(65_535, 65_535), Cell::new(0, 7)];
        assert!(!cells(&far, 3, &mut points));
    }
}
