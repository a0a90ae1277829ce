//! Paths as data: what they are like in JSON and other formats.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::Path;
use crate::geometry::{Cell, Corner, Octile, PathCost};
use crate::grid::Squeeze;

/// A path as it is written. Points may be none, where only the cost was asked for.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Written {
    Grid { points: Vec<Cell>, cost: Octile },
    AnyAngle { corners: Vec<Corner>, length: f64, squeeze: Squeeze },
}

impl Serialize for Path {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.cost {
            PathCost::Grid(cost) => Written::Grid { points: self.points.clone(), cost },
            PathCost::AnyAngle(length) => {
                Written::AnyAngle { corners: self.corners.clone(), length, squeeze: self.squeeze }
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
            Written::AnyAngle { corners, length, squeeze } => {
                let path = Self { corners, cost: PathCost::AnyAngle(length), squeeze, ..Self::default() };
                if length.is_finite() {
                    Ok(path)
                } else {
                    Err(de::Error::custom("the length of the path is no number"))
                }
            }
        }
    }
}
