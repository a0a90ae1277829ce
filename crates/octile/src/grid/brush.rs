//! [`Brush`]: where a small agent fits, for 17 cells at once or more: what is blocked in the rows around them, made wider by shifts.

use super::agent::{Need, Room};
use super::area::Area;
use super::bits::{BitLines, WINDOW};

/// What must be free around a cell for an agent that is so small that a window of cells shows all of it, for many cells
/// beside one another.
#[derive(Clone, Debug)]
pub(super) struct Brush {
    form: Form,
    /// How many cells a window serves: it shows also those to the left and right that count for them.
    cells: usize,
}

#[derive(Clone, Debug)]
enum Form {
    /// So many cells to the right and down.
    Square(usize),
    /// How many columns away a blocked cell is too near: in the row itself, in those beside it, and so on.
    Disc(Vec<usize>),
}

impl Brush {
    /// As wide as an agent can be, in cells beyond one.
    const WIDEST: usize = 40;

    /// That of an agent, if it is small.
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

    /// For the cells of an area, from the bottom up, where the agent fits: with a row, the first and the number of some
    /// cells there, and their bits.
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

    /// Where it fits in a row, for as many cells from `first` on as a window serves. There are so many lines; that
    /// before the first and that after the last cells are blocked, and so nothing beyond them makes a difference.
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
                // What is nearer in rows counts farther in columns: it is made wider together with all that comes after
                // it.
                for (rows, around) in (1..).zip(columns.windows(2)) {
                    found = widened(found, around[0] - around[1]);
                    found |= y.checked_sub(rows).map_or(0, blocked) | blocked(y + rows);
                }
                !widened(found, columns[columns.len() - 1]) >> (first - start)
            }
        }
    }
}

/// Bits, and so many on either side of each.
fn widened(bits: u64, by: usize) -> u64 {
    smeared(bits, by, |bits, by| bits << by) | smeared(bits, by, |bits, by| bits >> by)
}

/// Bits, and so many on one side of each.
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
    fn bits_are_widened_by_as_many_as_is_said() {
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
