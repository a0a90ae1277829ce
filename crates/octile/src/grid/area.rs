//! [`Area`]: a rectangle of cells.

use super::Grid;

/// A rectangle of cells in padded coordinates; both ends are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) left: usize,
    pub(crate) right: usize,
    pub(crate) top: usize,
    pub(crate) bottom: usize,
}

impl Area {
    /// All cells of a map, without padding.
    pub(crate) fn cells(grid: &Grid) -> Self {
        Self { left: 1, right: grid.width() as usize, top: 1, bottom: grid.height() as usize }
    }

    /// The area and the ring of padding around it, for an area that is all cells of a map.
    pub(crate) fn padded(self) -> Self {
        Self { left: self.left - 1, right: self.right + 1, top: self.top - 1, bottom: self.bottom + 1 }
    }

    /// The area with `before` more columns and rows to the left and top and `after` to the right and bottom, within
    /// `whole`.
    pub(crate) fn grown(self, before: usize, after: usize, whole: Self) -> Self {
        Self {
            left: self.left.saturating_sub(before).max(whole.left),
            right: (self.right + after).min(whole.right),
            top: self.top.saturating_sub(before).max(whole.top),
            bottom: (self.bottom + after).min(whole.bottom),
        }
    }

    /// The smallest area that contains both.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            right: self.right.max(other.right),
            top: self.top.min(other.top),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// The number of cells.
    pub(crate) fn len(self) -> usize {
        self.width() * self.height()
    }

    pub(crate) fn width(self) -> usize {
        self.right - self.left + 1
    }

    pub(crate) fn height(self) -> usize {
        self.bottom - self.top + 1
    }

    /// Whether processing both areas as one is at most as much work as one by one, if each needs `around` more columns
    /// and rows.
    pub(crate) fn is_worth_joining(self, other: Self, around: usize) -> bool {
        let work = |area: Self| (area.width() + around) as u64 * (area.height() + around) as u64;
        work(self.with(other)) <= work(self) + work(other)
    }

    /// The area with rows and columns exchanged.
    pub(crate) fn transposed(self) -> Self {
        Self { left: self.top, right: self.bottom, top: self.left, bottom: self.right }
    }
}

/// Merges consecutive areas where processing them as one is at most as much work, if each needs `around` more columns
/// and rows.
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
