//! [`Area`]: a rectangle of cells that is looked at in one go.

use super::Grid;

/// A part of the map, in padded places, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) left: usize,
    pub(crate) right: usize,
    pub(crate) top: usize,
    pub(crate) bottom: usize,
}

impl Area {
    /// All cells of a map, without its padding.
    pub(crate) fn cells(grid: &Grid) -> Self {
        Self { left: 1, right: grid.width() as usize, top: 1, bottom: grid.height() as usize }
    }

    /// All cells of a map and the ring of padding, of an area that is all cells.
    pub(crate) fn padded(self) -> Self {
        Self { left: self.left - 1, right: self.right + 1, top: self.top - 1, bottom: self.bottom + 1 }
    }

    /// This and so many columns and rows beyond it, as far as there are any in `whole`.
    pub(crate) fn grown(self, before: usize, after: usize, whole: Self) -> Self {
        Self {
            left: self.left.saturating_sub(before).max(whole.left),
            right: (self.right + after).min(whole.right),
            top: self.top.saturating_sub(before).max(whole.top),
            bottom: (self.bottom + after).min(whole.bottom),
        }
    }

    /// This and another, and what is between them.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            right: self.right.max(other.right),
            top: self.top.min(other.top),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// How many cells it has.
    pub(crate) fn len(self) -> usize {
        self.width() * self.height()
    }

    pub(crate) fn width(self) -> usize {
        self.right - self.left + 1
    }

    pub(crate) fn height(self) -> usize {
        self.bottom - self.top + 1
    }

    /// Whether it takes longer to look at this and another, and so many columns and rows around each, than to look at
    /// both together.
    pub(crate) fn is_worth_joining(self, other: Self, around: usize) -> bool {
        let work = |area: Self| (area.width() + around) as u64 * (area.height() + around) as u64;
        work(self.with(other)) <= work(self) + work(other)
    }

    /// The same with rows and columns exchanged.
    pub(crate) fn transposed(self) -> Self {
        Self { left: self.top, right: self.bottom, top: self.left, bottom: self.right }
    }
}

/// Areas that hold all of some, fewer of them: neighbours are in one where it takes longer to look at each, and so many
/// columns and rows around it, than to look at both together.
pub(crate) fn joined(areas: impl Iterator<Item = Area>, around: usize) -> impl Iterator<Item = Area> {
    let mut areas = areas.peekable();
    std::iter::from_fn(move || {
        let mut area = areas.next()?;
        while let Some(next) = areas.next_if(|&next| area.is_worth_joining(next, around)) {
            area = area.with(next);
        }
        Some(area)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_joined_and_others_are_not() {
        let cell = |x: usize, y: usize| Area { left: x, right: x, top: y, bottom: y };
        let all =
            |cells: &[(usize, usize)]| -> Vec<Area> { joined(cells.iter().map(|&(x, y)| cell(x, y)), 2).collect() };
        assert_eq!(all(&[]), []);
        assert_eq!(all(&[(3, 3), (4, 4), (3, 5)]), [Area { left: 3, right: 4, top: 3, bottom: 5 }]);
        assert_eq!(all(&[(3, 3), (9, 9), (9, 9)]), [cell(3, 3), cell(9, 9)]);
    }
}
