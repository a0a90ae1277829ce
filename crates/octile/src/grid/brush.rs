//! [`Brush`]: tests where a small agent fits, 17 or more cells at a time, by widening blocked cells with shifts.

use super::agent::{Need, Room};
use super::area::Area;
use super::bits::{BitLines, WINDOW};

/// Tests where an agent fits, for many adjacent cells at once. The agent must be so small that one window of cells
/// shows all that it needs.
#[derive(Clone, Debug)]
pub(super) struct Brush {
    form: Form,
    /// The number of cells a window serves; the rest of the window shows their neighbours.
    cells: usize,
}

#[derive(Clone, Debug)]
enum Form {
    /// The side in cells, to the right and down.
    Square(usize),
    /// The number of columns within which a blocked cell is too near: in the row itself, in the rows next to it, and so
    /// on.
    Disc(Vec<usize>),
}

impl Brush {
    /// The maximum width of an agent, in cells beyond one.
    const WIDEST: usize = 40;

    /// The brush of an agent, if it is small enough.
    pub(super) fn new(need: Need, room: Room) -> Option<Self> {
        let (form, width) = match need {
            Need::Side(side) => (Form::Square(side as usize), side as usize - 1),
            Need::Distance(squared) => {
                let reach = room.reach(squared).min(Self::WIDEST as u64) as u16;
                let columns = (0..=reach).map(|rows| room.reach(squared - room.gap_squared(rows)) as usize);
                (Form::Disc(columns.collect()), 2 * usize::from(reach))
            }
        };
        (width <= Self::WIDEST).then(|| Self { form, cells: WINDOW - width })
    }

    /// Calls `each` for pieces of an area's rows, from the bottom up, with the row, the first cell, the number of
    /// cells, and a bit per cell where the agent fits.
    pub(super) fn rows(
        &self,
        bits: &BitLines,
        area: Area,
        lines: usize,
        mut each: impl FnMut(usize, usize, usize, u64),
    ) {
        for first in (area.left..=area.right).step_by(self.cells) {
            let len = self.cells.min(area.right + 1 - first);
            for y in (area.top..=area.bottom).rev() {
                each(y, first, len, self.fits(bits, lines, y, first));
            }
        }
    }

    /// The cells in row `y` where the agent fits, for as many cells from `first` on as a window serves. The first and
    /// last of the `lines` lines are padding and blocked, so lines beyond them make no difference.
    fn fits(&self, bits: &BitLines, lines: usize, y: usize, first: usize) -> u64 {
        match &self.form {
            Form::Square(side) => {
                let blocked = (y..lines.min(y + side)).fold(0, |blocked, y| blocked | !bits.window(y, first));
                !smeared(blocked, side - 1, |bits, by| bits >> by)
            }
            Form::Disc(columns) => {
                let start = first.saturating_sub(columns[0]);
                let blocked = |y: usize| if y < lines { !bits.window(y, start) } else { 0 };
                let mut found = blocked(y);
                // A nearer row blocks more columns, so it is widened together with the rows added after it.
                for (rows, around) in (1..).zip(columns.windows(2)) {
                    found = widened(found, around[0] - around[1]);
                    found |= y.checked_sub(rows).map_or(0, blocked) | blocked(y + rows);
                }
                !widened(found, columns[columns.len() - 1]) >> (first - start)
            }
        }
    }
}

/// Each bit, and `by` bits on either side of it.
fn widened(bits: u64, by: usize) -> u64 {
    smeared(bits, by, |bits, by| bits << by) | smeared(bits, by, |bits, by| bits >> by)
}

/// Each bit, and `by` bits on one side of it.
fn smeared(mut bits: u64, by: usize, shift: impl Fn(u64, usize) -> u64) -> u64 {
    let mut done = 0;
    while done < by {
        let step = (by - done).min(done + 1);
        bits |= shift(bits, step);
        done += step;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_widened_by_the_given_number() {
        for by in 0..=20 {
            for place in [20, 31, 43] {
                let expected = (place - by..=place + by).fold(0, |bits, place| bits | 1_u64 << place);
                assert_eq!(widened(1 << place, by), expected, "{by}");
            }
        }
        let both = ((1 << 51) - (1 << 10)) | ((1 << 9) - 1);
        assert_eq!(smeared(1 << 50 | 1 << 8, 40, |bits, by| bits >> by), both);
    }
}
