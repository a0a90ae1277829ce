//! Paths as data: what they are like in JSON and other formats.
//!
//! Lengths are written in the fewest digits that identify them. To read back every bit, `serde_json` needs its feature
//! `float_roundtrip`: without it the last bit may differ.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::Path;
use crate::geometry::{Cell, Corner, Endpoints, GridCost, PathCost};
use crate::grid::Squeeze;

/// A path as it is written. Points may be none, where only the cost was asked for.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Written {
    Grid {
        points: Vec<Cell>,
        cost: GridCost,
    },
    /// Over terrain: what its moves cost is for [`Path::check`] to judge.
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
    /// An any-angle path from centre to centre, by the corners where it turns.
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
                    Err(de::Error::custom(format!("the path says that it costs {cost}, but it costs {}", path.cost)))
                }
                None => Err(de::Error::custom("two points of the path do not lie on one row, column or diagonal")),
            },
            Written::Priced { parts, .. } if ![1, 4].contains(&parts) => {
                Err(de::Error::custom(format!("costs over terrain have 1 or 4 parts, found {parts}")))
            }
            Written::Priced { points, counts, parts } => match Self::through(points.iter().copied()) {
                Some(_) => Ok(Self { points, cost: PathCost::Priced { counts, parts }, ..Self::default() }),
                None => Err(de::Error::custom("two points of the path do not lie on one row, column or diagonal")),
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

/// An any-angle path with its length, which is read as it is: what it says of the map is for [`Path::check`] to judge.
fn any_angle<E: de::Error>(path: Path, length: f64) -> Result<Path, E> {
    if length.is_finite() {
        Ok(Path { cost: PathCost::AnyAngle(length), ..path })
    } else {
        Err(de::Error::custom("the length of the path is no number"))
    }
}
