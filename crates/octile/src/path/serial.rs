//! The serialized form of paths, for JSON and other formats.
//!
//! Lengths are written in the fewest digits that identify them. To read back every bit, `serde_json` needs its feature
//! `float_roundtrip`: without it the last bit may differ.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::Path;
use crate::geometry::{Cell, Corner, Endpoints, GridCost, PathCost};
use crate::grid::Squeeze;

const NOT_IN_LINE: &str = "two points of the path do not lie on one row, column or diagonal";

/// A serialized path. It has no points if only the cost was requested.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Written {
    Grid {
        points: Vec<Cell>,
        cost: GridCost,
    },
    /// A path over terrain; [`Path::check`] validates the cost of its moves.
    Priced {
        points: Vec<Cell>,
        counts: GridCost,
        parts: u32,
    },
    AnyAngle {
        corners: Vec<Corner>,
        length: f64,
        squeeze: Squeeze,
    },
    /// An any-angle path from centre to centre, with the corners where it turns.
    Centred {
        centres: Option<(Cell, Cell)>,
        corners: Vec<Corner>,
        length: f64,
        squeeze: Squeeze,
    },
}

impl Serialize for Path {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.cost {
            PathCost::Grid(cost) => Written::Grid { points: self.points.clone(), cost },
            PathCost::Priced { counts, parts } => Written::Priced { points: self.points.clone(), counts, parts },
            PathCost::AnyAngle(length) => {
                let (corners, squeeze) = (self.corners.clone(), self.squeeze);
                match self.ends {
                    Endpoints::Corners => Written::AnyAngle { corners, length, squeeze },
                    Endpoints::Centres => Written::Centred { centres: self.centres, corners, length, squeeze },
                }
            }
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Path {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Written::deserialize(deserializer)? {
            Written::Grid { points, cost } if points.is_empty() => Ok(Self { cost: cost.into(), ..Self::default() }),
            Written::Grid { points, cost } => match Self::through(points.iter().copied()) {
                Some(path) if path.cost == cost => Ok(Self { points, ..path }),
                Some(path) => {
                    Err(de::Error::custom(format!("the path states the cost {cost}, but it costs {}", path.cost)))
                }
                None => Err(de::Error::custom(NOT_IN_LINE)),
            },
            Written::Priced { parts, .. } if ![1, 4].contains(&parts) => {
                Err(de::Error::custom(format!("costs over terrain have 1 or 4 parts, found {parts}")))
            }
            Written::Priced { points, counts, parts } => match Self::through(points.iter().copied()) {
                Some(_) => Ok(Self { points, cost: PathCost::Priced { counts, parts }, ..Self::default() }),
                None => Err(de::Error::custom(NOT_IN_LINE)),
            },
            Written::AnyAngle { corners, length, squeeze } => {
                any_angle(Self { corners, squeeze, ..Self::default() }, length)
            }
            Written::Centred { centres: None, corners, .. } if !corners.is_empty() => {
                Err(de::Error::custom("the path turns at corners, but has no ends"))
            }
            Written::Centred { centres, corners, length, squeeze } => {
                any_angle(Self { centres, corners, squeeze, ends: Endpoints::Centres, ..Self::default() }, length)
            }
        }
    }
}

/// Builds an any-angle path with the length as stated; [`Path::check`] validates it on a map.
fn any_angle<E: de::Error>(path: Path, length: f64) -> Result<Path, E> {
    if length.is_finite() {
        Ok(Path { cost: PathCost::AnyAngle(length), ..path })
    } else {
        Err(de::Error::custom("the length of the path is not a number"))
    }
}
