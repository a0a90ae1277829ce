//! The figures of the paper on compressed path databases: what its text says.

use std::collections::BTreeMap;

use anyhow::Result;
use serde::Deserialize;

/// The paper's key in the data.
pub(crate) const KEY: &str = "cpd-2011";

/// The folder of its maps among the benchmark's.
pub(crate) const FOLDER: &str = "bgmaps";

/// The paper's largest map, and the other one that it tells of.
pub(crate) const LARGEST: &str = "AR0700SR";
pub(crate) const SMALLER: &str = "AR0404SR";

/// The paper's factors between the size of one of its records and of an uncompressed one: the same, as integers, as few
/// bits.
pub(crate) const FACTORS: [f64; 3] = [1.0, 2.5, 6.5];
/// The bytes of its records, as integers and as few bits.
pub(crate) const RECORD_BYTES: [u64; 2] = [20, 5];
/// The bits of a record of an uncompressed database, as few bits and as integers.
pub(crate) const UNCOMPRESSED_BITS: [u32; 2] = [6, 64];

/// What the paper reports.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Figures {
    pub(crate) citation: String,
    maps: BTreeMap<String, Database>,
    #[serde(rename = "text")]
    pub(crate) claims: Claims,
}

impl Figures {
    pub(crate) fn load() -> Result<Self> {
        super::figures(KEY)
    }

    /// What it tells of a map.
    pub(crate) fn of_map(&self, map: &str) -> Database {
        self.maps.get(map).copied().unwrap_or_default()
    }
}

/// The database of a map.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(crate) struct Database {
    pub(crate) tiles: Option<f64>,
    pub(crate) rectangles: Option<f64>,
    /// As integers.
    #[serde(rename = "MB")]
    pub(crate) megabytes: Option<f64>,
    #[serde(rename = "39-bit MB")]
    pub(crate) small_megabytes: Option<f64>,
    /// Of a lookup, on average.
    pub(crate) checks: Option<f64>,
    /// Of an uncompressed database, with as few bits as can be.
    #[serde(rename = "UPD 6-bit GB")]
    pub(crate) uncompressed_small_gigabytes: Option<f64>,
    /// The same as integers.
    #[serde(rename = "UPD GB")]
    pub(crate) uncompressed_gigabytes: Option<f64>,
    /// To build it.
    pub(crate) minutes: Option<f64>,
}

/// What the text says of all maps.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Claims {
    pub(crate) maps: usize,
    /// That each of the maps but the largest takes less than.
    #[serde(rename = "minutes of other maps")]
    pub(crate) other_minutes: f64,
    /// What the compression factor of the smallest records approaches and exceeds.
    #[serde(rename = "compression factor, c = 6.5")]
    pub(crate) compression_factor: f64,
    /// Over A\*, at a path cost of [`COST`].
    #[serde(rename = "speed-up at a cost of 100")]
    pub(crate) speedup: f64,
    /// The largest average over paths of similar cost.
    #[serde(rename = "largest speed-up")]
    pub(crate) largest_speedup: f64,
    /// How many times as many nodes A\* can expand as a path has.
    #[serde(rename = "expanded by A* / visited")]
    pub(crate) nodes: f64,
}

/// The path cost for which the text has a speed-up.
pub(crate) const COST: u32 = 100;

#[cfg(test)]
mod tests {
    use super::*;

    /// The text's numbers follow from each other.
    #[test]
    fn the_figures_fit_each_other() {
        let figures = Figures::load().unwrap();
        for map in [LARGEST, SMALLER] {
            let Database { tiles, rectangles, megabytes, small_megabytes, .. } = figures.of_map(map);
            let (tiles, rectangles) = (tiles.unwrap(), rectangles.unwrap());
            let [large, small] = RECORD_BYTES.map(|bytes| rectangles * bytes as f64 / 1e6);
            assert!((large / megabytes.unwrap() - 1.0).abs() < 0.03 && small <= small_megabytes.unwrap(), "{map}");
            if let Some(gigabytes) = figures.of_map(map).uncompressed_small_gigabytes {
                assert!((tiles * tiles * f64::from(UNCOMPRESSED_BITS[0]) / 8e9 / gigabytes - 1.0).abs() < 0.01);
            }
            if let Some(gigabytes) = figures.of_map(map).uncompressed_gigabytes {
                assert!((tiles * tiles * f64::from(UNCOMPRESSED_BITS[1]) / 8e9 / gigabytes - 1.0).abs() < 0.07);
            }
        }
        let Claims { maps, speedup, largest_speedup, compression_factor, nodes, other_minutes } = figures.claims;
        assert!(maps == 120 && speedup < largest_speedup && compression_factor <= nodes);
        assert!(other_minutes < figures.of_map(LARGEST).minutes.unwrap());
        assert!(figures.of_map("AR0011SR").tiles.is_none());
    }
}
