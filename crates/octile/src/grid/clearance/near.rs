//! The nearest blocked cell at short distances: 64 cells of a row are tested at once, in 16 bits, against one column
//! further at a time.
//!
//! The time is proportional to the distance, and still on most maps a fraction of what an [envelope](super::envelope)
//! takes.

use crate::grid::agent::Room;

/// The maximum distance: an envelope is faster beyond it, and its square fits 16 bits.
const LIMIT: usize = 63;

/// The number of cells tested at once.
const BLOCK: usize = 64;

/// Working memory for a scan along rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    /// The squared gap of each column, saturated at 16 bits; the cells beyond the row have the maximum.
    heights: Vec<u16>,
}

impl Near {
    /// Computes the squared distances of the cells of a row, from the number of rows to the nearest blocked cell in
    /// each column. Returns `None` if one is too far away.
    pub(super) fn distances(&mut self, room: Room, steps: &[u16], squared: &mut [u32]) -> Option<()> {
        let height = |&steps: &u16| if steps > LIMIT as u16 { u16::MAX } else { room.gap_squared(steps) as u16 };
        self.heights.clear();
        self.heights.resize(LIMIT, u16::MAX);
        self.heights.extend(steps.iter().map(height));
        self.heights.resize(LIMIT + steps.len().next_multiple_of(BLOCK) + LIMIT, u16::MAX);
        for (place, squared) in squared.chunks_mut(BLOCK).enumerate() {
            let found = scan(room, &self.heights[place * BLOCK..][..BLOCK + 2 * LIMIT], squared.len())?;
            for (squared, found) in squared.iter_mut().zip(found) {
                *squared = found.into();
            }
        }
        Some(())
    }
}

/// Whether a row has cells too far from all blocked cells, judged by the distances of the row next to it: from one row
/// to the next, a distance changes by at most a cell, which is two halves.
pub(super) fn is_too_far(neighbour: &[u32]) -> bool {
    const TOO_FAR: u32 = (2 * LIMIT as u32 + 1 + 2).pow(2);
    neighbour.iter().fold(0, |most, &squared| most.max(squared)) > TOO_FAR
}

/// The squared distances of the cells in the middle block, of which only the first `len` count.
fn scan(room: Room, heights: &[u16], len: usize) -> Option<[u16; BLOCK]> {
    let mut best: [u16; BLOCK] = heights[LIMIT..LIMIT + BLOCK].try_into().ok()?;
    best[len..].fill(0);
    let mut most = best.iter().fold(0, |most, &squared| most.max(squared));
    for steps in 1..=LIMIT {
        let gap = room.gap_squared(steps as u16) as u16;
        if gap >= most {
            return Some(best);
        }
        let (left, right) = (&heights[LIMIT - steps..][..BLOCK], &heights[LIMIT + steps..][..BLOCK]);
        for ((best, &left), &right) in best.iter_mut().zip(left).zip(right) {
            *best = (*best).min(left.min(right).saturating_add(gap));
        }
        if steps.is_power_of_two() || steps.is_multiple_of(8) {
            most = best.iter().fold(0, |most, &squared| most.max(squared));
        }
    }
    (room.gap_squared(LIMIT as u16 + 1) >= most.into()).then_some(best)
}
