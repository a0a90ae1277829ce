//! The eight directions and sets of them.

use crate::geometry::Cell;

/// One of the eight directions, clockwise from north. Even values are straight, odd ones diagonal; south is larger `y`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
#[expect(missing_docs, reason = "the compass names are the documentation")]
pub enum Dir {
    N = 0,
    NE = 1,
    E = 2,
    SE = 3,
    S = 4,
    SW = 5,
    W = 6,
    NW = 7,
}

impl Dir {
    /// All eight, clockwise from north.
    pub const ALL: [Self; 8] = [Self::N, Self::NE, Self::E, Self::SE, Self::S, Self::SW, Self::W, Self::NW];

    /// The direction with number `index & 7`.
    ///
    /// ```
    /// use octile::geometry::Dir;
    /// assert_eq!((Dir::from_index(2), Dir::from_index(10)), (Dir::E, Dir::E));
    /// ```
    #[inline]
    pub const fn from_index(index: u8) -> Self {
        match index & 7 {
            0 => Self::N,
            1 => Self::NE,
            2 => Self::E,
            3 => Self::SE,
            4 => Self::S,
            5 => Self::SW,
            6 => Self::W,
            _ => Self::NW,
        }
    }

    /// The diagonal direction: east or else west, and south or else north.
    ///
    /// ```
    /// use octile::geometry::Dir;
    /// assert_eq!(Dir::diagonal(true, false), Dir::NE);
    /// assert_eq!(Dir::diagonal(false, true), Dir::SW);
    /// ```
    #[inline]
    pub const fn diagonal(east: bool, south: bool) -> Self {
        match (east, south) {
            (true, false) => Self::NE,
            (true, true) => Self::SE,
            (false, true) => Self::SW,
            (false, false) => Self::NW,
        }
    }

    /// Change of `x` in one step.
    #[expect(clippy::inline_always, reason = "programs compiled for size would call it in the innermost loops")]
    #[inline(always)]
    pub const fn dx(self) -> i32 {
        [0, 1, 1, 1, 0, -1, -1, -1][self as usize]
    }

    /// Change of `y` in one step.
    #[expect(clippy::inline_always, reason = "programs compiled for size would call it in the innermost loops")]
    #[inline(always)]
    pub const fn dy(self) -> i32 {
        [-1, -1, 0, 1, 1, 1, 0, -1][self as usize]
    }

    /// Whether a step changes both `x` and `y`.
    #[inline]
    pub const fn is_diagonal(self) -> bool {
        self as u8 & 1 == 1
    }

    /// The direction `eighths` of a full turn clockwise from this one (negative: anticlockwise).
    ///
    /// ```
    /// use octile::geometry::Dir;
    /// assert_eq!((Dir::N.turn(1), Dir::N.turn(-2)), (Dir::NE, Dir::W));
    /// ```
    #[inline]
    #[must_use]
    pub const fn turn(self, eighths: i8) -> Self {
        Self::from_index((self as u8).wrapping_add(eighths as u8))
    }

    /// The opposite direction.
    ///
    /// ```
    /// use octile::geometry::Dir;
    /// assert_eq!(Dir::NE.opposite(), Dir::SW);
    /// ```
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Self {
        self.turn(4)
    }

    /// The direction from `from` to `to` if they are different cells on one row, column or diagonal.
    ///
    /// ```
    /// use octile::Cell;
    /// use octile::geometry::Dir;
    /// assert_eq!(Dir::towards(Cell::new(5, 5), Cell::new(2, 2)), Some(Dir::NW));
    /// assert_eq!(Dir::towards(Cell::new(5, 5), Cell::new(2, 3)), None);
    /// ```
    pub fn towards(from: Cell, to: Cell) -> Option<Self> {
        let (dx, dy) = (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
        let on_a_line = (dx, dy) != (0, 0) && (dx == 0 || dy == 0 || dx.abs() == dy.abs());
        Self::ALL
            .into_iter()
            .find(|dir| on_a_line && i64::from(dir.dx()) == dx.signum() && i64::from(dir.dy()) == dy.signum())
    }

    /// The cell `steps` away from `cell`. Coordinates below 0 wrap around; the caller stays on the map.
    ///
    /// ```
    /// use octile::Cell;
    /// use octile::geometry::Dir;
    /// assert_eq!(Dir::SW.step(Cell::new(5, 5), 2), Cell::new(3, 7));
    /// ```
    #[expect(clippy::inline_always, reason = "programs compiled for size would call it in the innermost loops")]
    #[inline(always)]
    pub const fn step(self, cell: Cell, steps: u32) -> Cell {
        Cell {
            x: cell.x.wrapping_add_signed(self.dx().wrapping_mul(steps as i32)),
            y: cell.y.wrapping_add_signed(self.dy().wrapping_mul(steps as i32)),
        }
    }
}

/// A set of directions, one bit each in the order of [`Dir`], such as the legal moves of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DirSet(pub u8);

impl DirSet {
    /// No direction.
    pub const NONE: Self = Self(0);

    /// All eight directions.
    pub const ALL: Self = Self(u8::MAX);

    /// Whether the set holds `dir`.
    ///
    /// ```
    /// use octile::geometry::{Dir, DirSet};
    /// let straight: DirSet = [Dir::N, Dir::E, Dir::S, Dir::W].into_iter().collect();
    /// assert!(straight.contains(Dir::N) && !straight.contains(Dir::NE));
    /// ```
    #[inline]
    pub const fn contains(self, dir: Dir) -> bool {
        self.0 >> dir as u8 & 1 == 1
    }
}

impl FromIterator<Dir> for DirSet {
    fn from_iter<I: IntoIterator<Item = Dir>>(dirs: I) -> Self {
        Self(dirs.into_iter().fold(0, |set, dir| set | 1 << dir as u8))
    }
}

impl IntoIterator for DirSet {
    type Item = Dir;
    type IntoIter = DirSetIter;

    #[inline]
    fn into_iter(self) -> DirSetIter {
        DirSetIter(self.0)
    }
}

/// The directions of a [`DirSet`], in the order of [`Dir`].
#[derive(Clone, Debug)]
pub struct DirSetIter(u8);

impl Iterator for DirSetIter {
    type Item = Dir;

    #[inline]
    fn next(&mut self) -> Option<Dir> {
        if self.0 == 0 {
            return None;
        }
        let dir = Dir::from_index(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(dir)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for DirSetIter {}

impl std::iter::FusedIterator for DirSetIter {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_back_what_went_in() {
        for bits in 0..=255 {
            let dirs: Vec<Dir> = DirSet(bits).into_iter().collect();
            assert_eq!(dirs.iter().copied().collect::<DirSet>(), DirSet(bits));
            assert!(Dir::ALL.iter().all(|&dir| DirSet(bits).contains(dir) == dirs.contains(&dir)));
        }
    }

    #[test]
    fn diagonals_have_the_requested_signs() {
        let signs = [true, false].into_iter().flat_map(|east| [true, false].map(|south| (east, south)));
        for (east, south) in signs {
            let dir = Dir::diagonal(east, south);
            assert!(dir.is_diagonal());
            assert_eq!((dir.dx() == 1, dir.dy() == 1), (east, south));
        }
    }

    #[test]
    fn towards_undoes_step() {
        let from = Cell::new(10, 10);
        for dir in Dir::ALL {
            assert_eq!(Dir::towards(from, dir.step(from, 7)), Some(dir));
            assert_eq!(dir.opposite().step(dir.step(from, 3), 3), from);
        }
        assert_eq!(Dir::towards(from, from), None);
        assert_eq!(Dir::towards(from, Cell::new(12, 11)), None);
    }
}
