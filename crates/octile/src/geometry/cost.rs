//! The exact cost of a grid path, and the octile distance.
//!
//! A grid path costs `straight + diagonal * sqrt(2)`. As √2 is irrational, two grid paths are equally long only if both
//! counts match, so costs are kept as the two counts and compared without rounding.
//!
//! ```
//! use octile::GridCost;
//! let (a, b) = (GridCost::new(7, 0), GridCost::new(0, 5));
//! assert!(a < b); // 7 < 7.0710...
//! assert_eq!((a + b).to_string(), "7+5√2");
//! ```

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign};

use crate::geometry::{Cell, Dir, ParseError};

/// The exact cost of a grid path: its number of straight and of diagonal moves. Ordered by real length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GridCost {
    /// Moves along a row or a column, of length 1.
    pub straight: u32,
    /// Moves along a diagonal, of length √2.
    pub diagonal: u32,
}

impl GridCost {
    /// The cost of no moves.
    pub const ZERO: Self = Self::new(0, 0);

    /// The cost of `straight` straight and `diagonal` diagonal moves.
    pub const fn new(straight: u32, diagonal: u32) -> Self {
        Self { straight, diagonal }
    }

    /// The octile distance: the cost of a shortest path from `a` to `b` on an empty map.
    ///
    /// ```
    /// use octile::{Cell, GridCost};
    /// assert_eq!(GridCost::between(Cell::new(1, 1), Cell::new(6, 3)), GridCost::new(3, 2));
    /// ```
    pub fn between(a: Cell, b: Cell) -> Self {
        let (dx, dy) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
        Self::new(dx.max(dy) - dx.min(dy), dx.min(dy))
    }

    /// The cost of `steps` moves in one direction.
    ///
    /// ```
    /// use octile::GridCost;
    /// use octile::geometry::Dir;
    /// assert_eq!(GridCost::of_steps(Dir::NE, 3), GridCost::new(0, 3));
    /// assert_eq!(GridCost::of_steps(Dir::E, 3), GridCost::new(3, 0));
    /// ```
    pub const fn of_steps(dir: Dir, steps: u32) -> Self {
        if dir.is_diagonal() { Self::new(0, steps) } else { Self::new(steps, 0) }
    }

    /// The real length, rounded to the nearest `f64`. For display and files, never for comparing grid costs.
    pub fn length(self) -> f64 {
        f64::from(self.straight) + f64::from(self.diagonal) * std::f64::consts::SQRT_2
    }

    /// The number of moves.
    ///
    /// ```
    /// use octile::GridCost;
    /// assert_eq!(GridCost::new(3, 2).moves(), 5);
    /// ```
    pub const fn moves(self) -> u64 {
        self.straight as u64 + self.diagonal as u64
    }

    /// The sum of two costs; `None` if a count overflows.
    ///
    /// ```
    /// use octile::GridCost;
    /// assert_eq!(GridCost::new(3, 2).checked_add(GridCost::new(1, 1)), Some(GridCost::new(4, 3)));
    /// assert_eq!(GridCost::new(u32::MAX, 0).checked_add(GridCost::new(1, 0)), None);
    /// ```
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        match (self.straight.checked_add(other.straight), self.diagonal.checked_add(other.diagonal)) {
            (Some(straight), Some(diagonal)) => Some(Self::new(straight, diagonal)),
            _ => None,
        }
    }

    /// `times` times the cost; `None` if a count overflows.
    ///
    /// ```
    /// use octile::GridCost;
    /// assert_eq!(GridCost::new(3, 2).checked_mul(4), Some(GridCost::new(12, 8)));
    /// assert_eq!(GridCost::new(u32::MAX, 0).checked_mul(2), None);
    /// ```
    pub const fn checked_mul(self, times: u32) -> Option<Self> {
        match (self.straight.checked_mul(times), self.diagonal.checked_mul(times)) {
            (Some(straight), Some(diagonal)) => Some(Self::new(straight, diagonal)),
            _ => None,
        }
    }

    /// Whether this cost is at most `weight` times `optimum`, in exact arithmetic.
    ///
    /// ```
    /// use octile::GridCost;
    /// use octile::geometry::Weight;
    /// let weight: Weight = "1.5".parse()?;
    /// assert!(GridCost::new(3, 6).is_within(weight, GridCost::new(2, 4)));
    /// assert!(!GridCost::new(4, 6).is_within(weight, GridCost::new(2, 4)));
    /// # Ok::<(), octile::geometry::ParseError>(())
    /// ```
    pub fn is_within(self, weight: Weight, optimum: Self) -> bool {
        let (ours, theirs) = (1000, i128::from(weight.thousandths()));
        let ds = i128::from(self.straight) * ours - i128::from(optimum.straight) * theirs;
        let dd = i128::from(self.diagonal) * ours - i128::from(optimum.diagonal) * theirs;
        sign_of_sum(ds, dd) != Ordering::Greater
    }
}

/// The cost of a path: exact for grid paths, a length for any-angle paths.
///
/// ```
/// use octile::{GridCost, PathCost};
/// let (grid, straight) = (PathCost::Grid(GridCost::new(1, 2)), PathCost::AnyAngle(3.6056));
/// assert_eq!(grid, GridCost::new(1, 2));
/// assert_eq!((grid.to_string(), straight.to_string()), ("1+2√2".to_owned(), "3.6056".to_owned()));
/// assert!(straight.length() < grid.length() && straight.grid().is_none());
///
/// let over_terrain = PathCost::Priced { counts: GridCost::new(6, 3), parts: 4 };
/// assert_eq!((over_terrain.to_string(), over_terrain.counts()), ("(6+3√2)/4".to_owned(), Some(GridCost::new(6, 3))));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum PathCost {
    /// The exact cost of a grid path.
    Grid(GridCost),
    /// The exact cost of a grid path over [terrain](crate::grid::Convention): `counts` divided by `parts`.
    Priced {
        /// The sums of the prices of straight and of diagonal moves.
        counts: GridCost,
        /// 1 under [`Convention::Enter`](crate::grid::Convention::Enter), 4 under
        /// [`Convention::Average`](crate::grid::Convention::Average), whose prices are in quarters.
        parts: u32,
    },
    /// The length of an any-angle path.
    AnyAngle(f64),
}

impl PathCost {
    /// The length; an exact cost is rounded to the nearest `f64`.
    pub fn length(self) -> f64 {
        match self {
            Self::Grid(cost) => cost.length(),
            Self::Priced { counts, parts } => counts.length() / f64::from(parts),
            Self::AnyAngle(length) => length,
        }
    }

    /// The exact cost of a grid path on a map without prices; `None` for any other path.
    pub const fn grid(self) -> Option<GridCost> {
        match self {
            Self::Grid(cost) => Some(cost),
            Self::Priced { .. } | Self::AnyAngle(_) => None,
        }
    }

    /// The exact cost of a grid path; `None` for any other. Over terrain it is in parts, comparable with other paths on
    /// the same map.
    pub const fn counts(self) -> Option<GridCost> {
        match self {
            Self::Grid(counts) | Self::Priced { counts, .. } => Some(counts),
            Self::AnyAngle(_) => None,
        }
    }
}

impl Default for PathCost {
    fn default() -> Self {
        Self::Grid(GridCost::ZERO)
    }
}

impl From<GridCost> for PathCost {
    fn from(cost: GridCost) -> Self {
        Self::Grid(cost)
    }
}

impl PartialEq<GridCost> for PathCost {
    /// Compares with an exact cost; the length of an any-angle path never equals one.
    fn eq(&self, other: &GridCost) -> bool {
        self.grid() == Some(*other)
    }
}

impl fmt::Display for PathCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Grid(cost) => cost.fmt(f),
            Self::Priced { counts: GridCost { straight, diagonal }, parts } => {
                let whole =
                    |count: u32| if count.is_multiple_of(parts.max(1)) { Some(count / parts.max(1)) } else { None };
                match (whole(straight), whole(diagonal)) {
                    (Some(straight), Some(diagonal)) => GridCost::new(straight, diagonal).fmt(f),
                    _ if straight == 0 || diagonal == 0 => write!(f, "{}/{parts}", GridCost::new(straight, diagonal)),
                    _ => write!(f, "({})/{parts}", GridCost::new(straight, diagonal)),
                }
            }
            Self::AnyAngle(length) => write!(f, "{length:.4}"),
        }
    }
}

/// The sign of `s + d * sqrt(2)`, found by comparing signed squares.
fn sign_of_sum(s: i128, d: i128) -> Ordering {
    (s * s.abs() + 2 * d * d.abs()).cmp(&0)
}

impl Ord for GridCost {
    fn cmp(&self, other: &Self) -> Ordering {
        let ds = i128::from(self.straight) - i128::from(other.straight);
        let dd = i128::from(self.diagonal) - i128::from(other.diagonal);
        sign_of_sum(ds, dd)
    }
}

impl PartialOrd for GridCost {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Add for GridCost {
    type Output = Self;

    /// # Panics
    /// If a count overflows, which no path's does. To add many costs, use [`checked_add`](GridCost::checked_add).
    fn add(self, other: Self) -> Self {
        self.checked_add(other).expect("the number of moves overflows")
    }
}

impl AddAssign for GridCost {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl std::iter::Sum for GridCost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for GridCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.straight, self.diagonal) {
            (straight, 0) => write!(f, "{straight}"),
            (0, diagonal) => write!(f, "{diagonal}√2"),
            (straight, diagonal) => write!(f, "{straight}+{diagonal}√2"),
        }
    }
}

/// A bound on path length relative to the optimum: from 1 to 1000, exact to a thousandth.
///
/// ```
/// use octile::geometry::Weight;
/// let weight: Weight = "1.5".parse()?;
/// assert_eq!(weight.thousandths(), 1500);
/// assert_eq!(weight.to_string(), "1.5");
/// # Ok::<(), octile::geometry::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "f64", into = "f64"))]
pub struct Weight(u32);

impl Weight {
    /// No longer than the optimum.
    pub const ONE: Self = Self(1000);

    /// The weight `thousandths / 1000`, if that lies between 1 and 1000.
    ///
    /// ```
    /// use octile::geometry::Weight;
    /// assert_eq!(Weight::from_thousandths(1500).unwrap().to_string(), "1.5");
    /// assert_eq!(Weight::from_thousandths(999), None);
    /// ```
    pub const fn from_thousandths(thousandths: u32) -> Option<Self> {
        if thousandths >= 1000 && thousandths <= 1_000_000 { Some(Self(thousandths)) } else { None }
    }

    /// A thousand times the weight.
    pub const fn thousandths(self) -> u32 {
        self.0
    }
}

impl Default for Weight {
    /// No longer than the optimum.
    fn default() -> Self {
        Self::ONE
    }
}

impl From<Weight> for f64 {
    fn from(weight: Weight) -> Self {
        Self::from(weight.0) / 1000.0
    }
}

impl TryFrom<f64> for Weight {
    type Error = ParseError;

    /// The weight of a number from 1 to 1000 with at most three decimals.
    ///
    /// ```
    /// use octile::geometry::Weight;
    /// assert_eq!(Weight::try_from(1.5)?.thousandths(), 1500);
    /// assert!(Weight::try_from(0.9).is_err());
    /// # Ok::<(), octile::geometry::ParseError>(())
    /// ```
    fn try_from(weight: f64) -> Result<Self, ParseError> {
        weight.to_string().parse()
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", f64::from(self.0) / 1000.0)
    }
}

impl std::str::FromStr for Weight {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let thousandths = || {
            if !digits(whole) || !digits(decimals) || decimals.len() > 3 {
                return None;
            }
            let fraction: u32 = format!("{decimals:0<3}").parse().ok()?;
            Self::from_thousandths(whole.parse::<u32>().ok()?.checked_mul(1000)?.checked_add(fraction)?)
        };
        thousandths().ok_or_else(|| {
            ParseError::new(text, "a weight", "write a number from 1 to 1000 with at most three decimals, such as 1.5")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_ordered_by_real_length() {
        for a in 0..60 {
            for b in 0..60 {
                let (p, q) = (GridCost::new(a, b), GridCost::new(b, a));
                assert_eq!(p.cmp(&q), p.length().partial_cmp(&q.length()).unwrap());
            }
        }
    }

    #[test]
    fn costs_that_nearly_tie_are_ordered() {
        // Convergents of sqrt(2) come closest, from alternating sides: these differ by 1.1e-5 and 2.6e-5.
        assert!(GridCost::new(47_321, 0) < GridCost::new(0, 33_461));
        assert!(GridCost::new(19_601, 0) > GridCost::new(0, 13_860));
        assert_eq!(GridCost::new(u32::MAX, u32::MAX).cmp(&GridCost::new(u32::MAX, u32::MAX)), Ordering::Equal);
    }

    #[test]
    fn a_weight_bounds_exactly() {
        let optimum = GridCost::new(2, 4);
        let weight: Weight = "1.5".parse().unwrap();
        assert!(GridCost::new(3, 6).is_within(weight, optimum));
        assert!(!GridCost::new(4, 6).is_within(weight, optimum));
        assert!(optimum.is_within(Weight::ONE, optimum));
    }

    #[test]
    fn weights_out_of_range_are_refused() {
        for text in ["", "0.9", "0", "1001", "1.2345", "-2", "1e3", "x", ".5", "2.", "99999999999"] {
            assert!(text.parse::<Weight>().is_err(), "{text}");
        }
        assert_eq!("1".parse::<Weight>(), Ok(Weight::ONE));
        assert_eq!("1000".parse::<Weight>().unwrap().thousandths(), 1_000_000);
    }
}
