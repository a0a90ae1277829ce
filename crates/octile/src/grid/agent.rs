//! [`Agent`]: the size of a moving body; [`Room`]: which points of a cell must have room for it.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

/// The size of a moving body: a square of cells, or a disc.
///
/// Larger agents fit on fewer cells. [`Clearance`](super::Clearance) says how large an agent fits where.
/// [`Grid::for_agent`](super::Grid::for_agent) is the map of the cells where an agent fits; any planner finds the
/// agent's paths on it.
///
/// - A **square** of `k` x `k` cells is placed with its upper left cell on the cell of a query: it fits on `x, y` if
///   the cells from `x` to `x + k - 1` and from `y` to `y + k - 1` are all on the map and free. The default is the
///   square of one cell, [`Agent::POINT`].
/// - A **disc** has its centre on the path, and a radius in cells. It fits if its centre is at least the radius away
///   from every blocked cell, taken as a closed unit square, and from everything outside the map; [`Room`] says at
///   which points of a cell. Touching a wall is allowed.
///
/// ```
/// use octile::grid::Agent;
/// assert_eq!(Agent::square(1)?, Agent::POINT);
/// assert_eq!((Agent::square(3)?.side(), Agent::disc(3.5)?.radius()), (Some(3), Some(3.5)));
/// assert_eq!(Agent::disc(3.5)?.to_string(), "disc:3.5");
/// assert_eq!("square:3".parse(), Ok(Agent::square(3)?));
/// assert!(Agent::square(0).is_err() && Agent::disc(-1.0).is_err() && Agent::disc(f64::NAN).is_err());
/// # Ok::<(), octile::grid::AgentError>(())
/// ```
///
/// # How far a path stays from obstacles
/// Grid paths go from centre to centre. Let a disc fit at the centres of the cells of a path, and of the cells beside
/// its diagonal moves, as the rule `octile` demands. Then it stays its radius away from obstacles *all along* the path.
/// The edges of blocked cells are at whole numbers and centres at halves, so between two neighbouring centres a blocked
/// cell begins or ends only at the middle: on each axis, the gap to a blocked cell is smallest at one of the two centre
/// coordinates. A point of a straight move is thus no nearer to a blocked cell than one of its ends is, and a point of
/// a diagonal move no nearer than one of the four centres around it is.
///
/// Under `octile-cutting`, a diagonal move may have a cell beside it where the disc does not fit. If both ends of a
/// line of length √2 are at least `r` away from an obstacle, its points are at least √(r² - ½) away. A disc of radius
/// `r` keeps that distance on such a move.
///
/// Any-angle paths run along corners and anywhere inside free cells. With [`Room::Cell`] a disc has room at all points
/// of the cells where it fits, and so all along any such path.
///
/// A square stays on free cells along straight moves, and along diagonal ones under the rule `octile`: the cells of the
/// four squares around such a move contain all that it touches. Where `k` is 1, any-angle paths are those of a point.
/// Where `k` is larger, the path's point is the upper left corner of a square of `k - 1` x `k - 1` cells that touches
/// free cells only: a body one cell smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "String", into = "String")
)]
pub struct Agent(Form);

/// The shape of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    /// The side in cells.
    Square(NonZeroU32),
    /// The bits of the radius, a finite number above 0.
    Disc(u64),
}

impl Agent {
    /// As large as a cell in a grid path, and a point in an any-angle path: it fits on every free cell. This is the
    /// default.
    pub const POINT: Self = Self(Form::Square(NonZeroU32::MIN));

    /// A square of `side` x `side` cells, placed with its upper left cell on the cell of a query.
    ///
    /// ```
    /// use octile::grid::{Agent, AgentError};
    /// assert_eq!(Agent::square(2)?.side(), Some(2));
    /// assert_eq!(Agent::square(0), Err(AgentError::NoCells));
    /// # Ok::<(), AgentError>(())
    /// ```
    ///
    /// # Errors
    /// If the side is 0.
    pub const fn square(side: u32) -> Result<Self, AgentError> {
        match NonZeroU32::new(side) {
            Some(side) => Ok(Self(Form::Square(side))),
            None => Err(AgentError::NoCells),
        }
    }

    /// A disc with a radius in cells. Radius 0 is [`Agent::POINT`].
    ///
    /// ```
    /// use octile::grid::{Agent, AgentError};
    /// assert_eq!(Agent::disc(4.4)?.radius(), Some(4.4)); // 0.22 m, where a cell has 0.05 m
    /// assert_eq!(Agent::disc(0.0)?, Agent::POINT);
    /// assert_eq!(Agent::disc(-2.0), Err(AgentError::Radius { radius: (-2.0_f64).to_string() }));
    /// # Ok::<(), AgentError>(())
    /// ```
    ///
    /// # Errors
    /// If the radius is negative, infinite or not a number.
    pub fn disc(radius: f64) -> Result<Self, AgentError> {
        match radius {
            0.0 => Ok(Self::POINT),
            _ if radius > 0.0 && radius.is_finite() => Ok(Self(Form::Disc(radius.to_bits()))),
            _ => Err(AgentError::Radius { radius: radius.to_string() }),
        }
    }

    /// The side in cells, for a square.
    pub const fn side(self) -> Option<u32> {
        match self.0 {
            Form::Square(side) => Some(side.get()),
            Form::Disc(_) => None,
        }
    }

    /// The radius in cells, for a disc.
    pub const fn radius(self) -> Option<f64> {
        match self.0 {
            Form::Square(_) => None,
            Form::Disc(bits) => Some(f64::from_bits(bits)),
        }
    }

    /// Whether the agent fits on every free cell of every map.
    ///
    /// ```
    /// use octile::grid::{Agent, Room};
    /// assert!(Agent::POINT.fits_everywhere(Room::Cell));
    /// assert!(Agent::disc(0.5)?.fits_everywhere(Room::Centre)); // the circle in the cell
    /// assert!(!Agent::disc(0.5)?.fits_everywhere(Room::Cell));
    /// # Ok::<(), octile::grid::AgentError>(())
    /// ```
    pub fn fits_everywhere(self, room: Room) -> bool {
        match self.need() {
            Need::Side(side) => side == 1,
            Need::Distance(squared) => squared <= room.gap_squared(1),
        }
    }

    /// The room that the agent needs.
    pub(super) fn need(self) -> Need {
        match self.0 {
            Form::Square(side) => Need::Side(side.get()),
            Form::Disc(bits) => Need::Distance(doubled_and_squared(f64::from_bits(bits))),
        }
    }
}

/// The room that an agent needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// The number of free cells needed to the right and down, the cell itself included.
    Side(u32),
    /// The distance needed to all blocked cells, squared, in halves of a cell. It is above 0, so that no blocked cell
    /// qualifies.
    Distance(u64),
}

/// The smallest whole number not below the square of twice `radius`, exactly. Squared distances in halves of a cell are
/// whole, so a distance is at least the radius if its square is at least this.
fn doubled_and_squared(radius: f64) -> u64 {
    const FRACTION: u32 = f64::MANTISSA_DIGITS - 1;
    let (exponent, fraction) = (radius.to_bits() >> FRACTION, radius.to_bits() & ((1 << FRACTION) - 1));
    // The radius is `digits * 2^(exponent - 1075)`; subnormal numbers use exponent 1 in place of 0.
    let digits = if exponent == 0 { fraction } else { fraction | 1 << FRACTION };
    let squared = u128::from(digits) * u128::from(digits);
    let shift = 2 * (1074 - exponent.max(1).cast_signed());
    match shift {
        ..0 => u64::MAX,
        0..128 => {
            let (whole, rest) = (squared >> shift, squared & ((1 << shift) - 1));
            u64::try_from(whole + u128::from(rest != 0)).unwrap_or(u64::MAX)
        }
        128.. => u64::from(squared != 0),
    }
}

impl Default for Agent {
    /// [`Agent::POINT`].
    fn default() -> Self {
        Self::POINT
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Form::Square(NonZeroU32::MIN) => f.write_str("point"),
            Form::Square(side) => write!(f, "square:{side}"),
            Form::Disc(bits) => write!(f, "disc:{}", f64::from_bits(bits)),
        }
    }
}

impl FromStr for Agent {
    type Err = AgentError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || AgentError::Text { text: text.to_owned() };
        match text.split_once(':') {
            None if text == "point" => Ok(Self::POINT),
            Some(("square", side)) => Self::square(side.parse().map_err(|_| unknown())?),
            Some(("disc", radius)) => Self::disc(radius.parse().map_err(|_| unknown())?),
            _ => Err(unknown()),
        }
    }
}

impl From<Agent> for String {
    fn from(agent: Agent) -> Self {
        agent.to_string()
    }
}

impl TryFrom<String> for Agent {
    type Error = AgentError;

    fn try_from(text: String) -> Result<Self, AgentError> {
        text.parse()
    }
}

/// An invalid agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// A square with side 0.
    #[error("an agent's side must be at least 1 cell")]
    NoCells,
    /// A negative, infinite or undefined radius.
    #[error("`{radius}` is not a radius: it must be a finite number of cells, at least 0")]
    Radius {
        /// The radius given.
        radius: String,
    },
    /// The text is not an agent.
    #[error("`{text}` is not an agent: use point, square:SIDE or disc:RADIUS, in cells, such as square:2 or disc:3.5")]
    Text {
        /// The text.
        text: String,
    },
}

/// Which points of a cell must have room for a disc before a path may go through the cell. It makes no difference for
/// squares.
///
/// ```
/// use octile::Grid;
/// use octile::grid::{Agent, Room};
/// let (grid, robot) = (Grid::open(5, 5)?, Agent::disc(1.0)?);
/// assert_eq!(grid.for_agent(robot, Room::Centre).free_cells(), 9); // half a cell more than it needs
/// assert_eq!(grid.for_agent(robot, Room::Cell).free_cells(), 9);
/// assert_eq!(grid.for_agent(Agent::disc(1.5)?, Room::Centre).free_cells(), 9);
/// assert_eq!(grid.for_agent(Agent::disc(1.5)?, Room::Cell).free_cells(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Room {
    /// The centre: for grid paths, which go from centre to centre.
    #[default]
    Centre,
    /// Every point of the cell, edges and corners included: for any-angle paths, which may pass anywhere in it.
    Cell,
}

impl Room {
    /// Both rules.
    pub const ALL: [Self; 2] = [Self::Centre, Self::Cell];

    /// The gap on one axis between a cell's points and a blocked cell `steps` columns or rows away: squared, in halves
    /// of a cell.
    #[inline]
    pub(super) const fn gap_squared(self, steps: u16) -> u64 {
        let steps = steps as u64;
        let gap = match self {
            Self::Centre => (2 * steps).saturating_sub(1),
            Self::Cell => 2 * steps.saturating_sub(1),
        };
        gap * gap
    }

    /// The farthest column or row where a blocked cell can be nearer than a distance, given squared as in
    /// [`gap_squared`](Room::gap_squared).
    pub(super) fn reach(self, squared: u64) -> u64 {
        match (squared.checked_sub(1).map(u64::isqrt), self) {
            (None, _) => 0,
            (Some(gap), Self::Centre) => gap.div_ceil(2),
            (Some(gap), Self::Cell) => gap / 2 + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_that_agents_need_are_exact() {
        let next = |radius: f64| f64::from_bits(radius.to_bits() + 1);
        let before = |radius: f64| f64::from_bits(radius.to_bits() - 1);
        for whole in [1_u32, 2, 3, 7, 100, 8191, 65_535] {
            let radius = f64::from(whole);
            let squared = 4 * u64::from(whole).pow(2);
            assert_eq!(doubled_and_squared(radius), squared);
            assert_eq!(doubled_and_squared(next(radius)), squared + 1);
            assert_eq!(doubled_and_squared(before(radius)), squared);
            assert_eq!(doubled_and_squared(radius / 2.0), squared / 4);
        }
        assert_eq!(doubled_and_squared(0.25), 1);
        for tiny in [f64::from_bits(1), f64::MIN_POSITIVE, 1e-200, 1e-9] {
            assert_eq!(doubled_and_squared(tiny), 1, "{tiny}");
        }
        for huge in [1e10, 1e200, f64::MAX] {
            assert_eq!(doubled_and_squared(huge), u64::MAX, "{huge}");
        }
        // √2 rounds up, √3 rounds down.
        assert_eq!((doubled_and_squared(2.0_f64.sqrt()), doubled_and_squared(3.0_f64.sqrt())), (9, 12));
    }

    #[test]
    fn reach_is_the_last_column_that_can_be_too_near() {
        for room in Room::ALL {
            assert_eq!(room.reach(0), 0);
            for squared in 1..2000 {
                let reach = u16::try_from(room.reach(squared)).unwrap();
                assert!(
                    room.gap_squared(reach) < squared && room.gap_squared(reach + 1) >= squared,
                    "{room:?} {squared}"
                );
            }
        }
    }

    #[test]
    fn agents_round_trip_as_text_and_other_texts_are_refused() {
        for agent in [Agent::POINT, Agent::square(7).unwrap(), Agent::disc(0.1).unwrap(), Agent::disc(1e300).unwrap()] {
            assert_eq!(agent.to_string().parse(), Ok(agent));
        }
        assert_eq!("square:1".parse(), Ok(Agent::POINT));
        for text in
            ["", "square", "square:", "square:-1", "square:1.5", "disc:x", "disc: 1", "Point", "square:4294967296"]
        {
            assert!(matches!(text.parse::<Agent>(), Err(AgentError::Text { .. })), "{text}");
        }
        assert_eq!("square:0".parse::<Agent>(), Err(AgentError::NoCells));
        for text in ["disc:-1", "disc:inf", "disc:NaN"] {
            assert!(matches!(text.parse::<Agent>(), Err(AgentError::Radius { .. })), "{text}");
        }
    }
}
