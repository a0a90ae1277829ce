//! Sweeps over the rows of a part of the map, from the bottom up: they compute a [`Clearance`](super::Clearance) and
//! the map of one agent.

use super::envelope::{Envelope, NONE};
use super::near::{self, Near};
use crate::grid::agent::Room;
use crate::grid::area::Area;
use crate::grid::bits::BitLines;

/// Larger than any distance to a blocked cell in rows: the padding is blocked, and the middle of the highest map is at
/// most this far from it.
const FAR: u16 = 32_767;

/// Working memory of sweeps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sweep {
    /// For each cell of a row: all ones if free, else 0.
    free: Vec<u16>,
    /// For each cell of the area, the rows up to the nearest blocked cell in its column.
    above: Vec<u16>,
    /// The rows down to the nearest blocked cell, for the cells of one row.
    below: Vec<u16>,
    /// The rows to the nearest blocked cell in either direction, and for each edge the smaller value of the two columns
    /// beside it.
    steps: Vec<u16>,
    edges: Vec<u16>,
    near: Near,
    envelope: Envelope,
    squared: Vec<u32>,
    sides: Vec<u16>,
}

impl Sweep {
    /// Memory in bytes.
    pub(crate) fn size_bytes(&self) -> usize {
        let rows = [&self.free, &self.above, &self.below, &self.steps, &self.edges, &self.sides];
        rows.iter().map(|row| row.capacity() * size_of::<u16>()).sum::<usize>() + 4 * self.squared.capacity()
    }

    /// Calls `each` for each row of an area and each of `rooms`, with the squared distances of the row's cells to the
    /// nearest blocked cell in the area, in halves of a cell.
    pub(crate) fn discs(
        &mut self,
        bits: &BitLines,
        area: Area,
        rooms: &[Room],
        mut each: impl FnMut(usize, Room, &[u32]),
    ) {
        let width = area.width().next_multiple_of(8);
        self.sweep_down(bits, area);
        self.below.clear();
        self.below.resize(width, FAR);
        self.steps.resize(width, 0);
        self.squared.resize(area.width() + 1, 0);
        let mut are_far = [false; 2];
        for (y, above) in (area.top..=area.bottom).rev().zip(self.above.chunks_exact(width).rev()) {
            read(&mut self.free, bits, y, area);
            for (below, &free) in self.below.iter_mut().zip(&self.free) {
                *below = below.saturating_add(1) & free;
            }
            for ((steps, &above), &below) in self.steps.iter_mut().zip(above).zip(&self.below) {
                *steps = above.min(below).min(FAR);
            }
            let steps = &self.steps[..area.width()];
            for &room in rooms {
                let (is_far, squared) = (&mut are_far[room as usize], &mut self.squared[..=steps.len()]);
                if *is_far || self.near.distances(room, steps, &mut squared[..steps.len()]).is_none() {
                    pair(steps, &mut self.edges);
                    measure(&mut self.envelope, room, steps, &self.edges, squared);
                    *is_far = near::is_too_far(&squared[..steps.len()]);
                }
                each(y, room, &squared[..steps.len()]);
            }
        }
    }

    /// Fills [`above`](Sweep::above).
    fn sweep_down(&mut self, bits: &BitLines, area: Area) {
        let width = area.width().next_multiple_of(8);
        self.above.clear();
        self.above.reserve(width * area.height());
        self.below.clear();
        self.below.resize(width, FAR);
        for y in area.top..=area.bottom {
            read(&mut self.free, bits, y, area);
            for (last, &free) in self.below.iter_mut().zip(&self.free) {
                *last = last.saturating_add(1) & free;
            }
            self.above.extend_from_slice(&self.below);
        }
    }

    /// Calls `each` for each row of an area, with the sides of the largest free squares that extend to the right and
    /// down from its cells. Cells outside the area count as free.
    pub(crate) fn squares(&mut self, bits: &BitLines, area: Area, mut each: impl FnMut(usize, &[u16])) {
        self.sides.clear();
        self.sides.resize(area.width(), u16::MAX);
        for y in (area.top..=area.bottom).rev() {
            read(&mut self.free, bits, y, area);
            let (mut right, mut across) = (u16::MAX, u16::MAX);
            for (side, &free) in self.sides.iter_mut().zip(&self.free).rev() {
                let down = *side;
                *side = right.min(down.min(across)).saturating_add(1) & free;
                (right, across) = (*side, down);
            }
            each(y, &self.sides);
        }
    }
}

/// The cells of a row: all ones if free, else 0.
fn read(free: &mut Vec<u16>, bits: &BitLines, y: usize, area: Area) {
    const LANES: [[u16; 8]; 256] = {
        let mut lanes = [[0; 8]; 256];
        let mut at = 0;
        while at < 256 * 8 {
            lanes[at / 8][at % 8] = if (at / 8) >> (at % 8) & 1 == 1 { u16::MAX } else { 0 };
            at += 1;
        }
        lanes
    };
    free.resize(area.width().next_multiple_of(8), 0);
    for (place, cells) in free.as_chunks_mut().0.iter_mut().enumerate() {
        *cells = LANES[bits.window(y, area.left + 8 * place) as usize & 255];
    }
}

/// For the edges between columns, and before the first and after the last, the smaller steps of the columns beside
/// each.
///
/// Inside a stretch of equal values edges can be [skipped](NONE): for a cell of the stretch its own column is as near,
/// and for others the ends of the stretch are nearer.
fn pair(steps: &[u16], edges: &mut Vec<u16>) {
    let (first, last) = (steps[0], steps[steps.len() - 1]);
    edges.clear();
    edges.push(first);
    edges.extend(steps.iter().zip(&steps[1..]).map(|(&left, &right)| left.min(right)));
    edges.push(last);
    for (edge, around) in edges.iter_mut().skip(2).zip(steps.windows(4)) {
        let differ = (around[0] ^ around[1]) | (around[1] ^ around[2]) | (around[2] ^ around[3]);
        *edge = if differ == 0 { NONE } else { *edge };
    }
}

/// Computes the squared distances of the cells of a row.
///
/// The nearest blocked point to a cell's centre is either in its own column, straight above or below, or the corner of
/// a blocked cell of another column, which is on an edge between columns. For a whole cell it is the nearest one to its
/// left or its right edge.
fn measure(envelope: &mut Envelope, room: Room, steps: &[u16], edges: &[u16], squared: &mut [u32]) {
    envelope.distances(room, edges, squared);
    if room == Room::Cell {
        for place in 0..steps.len() {
            squared[place] = squared[place].min(squared[place + 1]);
        }
    }
    for (squared, &steps) in squared.iter_mut().zip(steps) {
        *squared = (*squared).min(room.gap_squared(steps) as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Dice;

    /// Compares every cell with every column.
    fn naive(room: Room, steps: &[u16]) -> Vec<u32> {
        let squared = |x: usize, other: usize| {
            (room.gap_squared(x.abs_diff(other) as u16) + room.gap_squared(steps[other])) as u32
        };
        (0..steps.len()).map(|x| (0..steps.len()).map(|other| squared(x, other)).min().unwrap()).collect()
    }

    /// Random columns of a row, including some that no map has: stretches of equal values, slopes and noise.
    fn columns(dice: &mut Dice) -> Vec<u16> {
        let most = [1, 3, 20, 60, 1000][dice.below(5) as usize];
        let mut steps = vec![dice.below(most) as u16];
        for _ in 0..dice.below(200) {
            let last = steps[steps.len() - 1];
            steps.push(match dice.below(4) {
                0 => dice.below(most) as u16,
                1 => last + 1,
                _ => last,
            });
        }
        steps
    }

    #[test]
    fn the_nearest_along_a_row_is_found_near_and_far() {
        let (mut dice, mut near, mut envelope, mut edges) =
            (Dice::new(3), Near::default(), Envelope::default(), Vec::new());
        let mut found = [0; 2];
        for _ in 0..if cfg!(miri) { 20 } else { 1000 } {
            let steps = columns(&mut dice);
            for room in Room::ALL {
                let expected = naive(room, &steps);
                let mut squared = vec![7; steps.len() + 1];
                pair(&steps, &mut edges);
                measure(&mut envelope, room, &steps, &edges, &mut squared);
                assert_eq!(squared[..steps.len()], expected, "{room:?} {steps:?}");
                let is_near = near.distances(room, &steps, &mut squared[..steps.len()]).is_some();
                assert!(!is_near || squared[..steps.len()] == expected, "{room:?} {steps:?}");
                assert!(!is_near || !near::is_too_far(&expected), "{room:?} {steps:?}");
                found[usize::from(is_near)] += 1;
            }
        }
        assert!(cfg!(miri) || found.iter().all(|&times| times > 150), "{found:?}");
    }
}
