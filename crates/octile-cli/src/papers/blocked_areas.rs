//! The figures of the paper on blocked areas: its maps, and Tables 2, 3, 4 and A1.

use std::fmt;

use anyhow::{Context, Error, Result, bail};
use serde::{Deserialize, Serialize};

use super::Table;

/// The paper's key in the data.
pub(crate) const KEY: &str = "blocked-areas-2020";

/// What the paper reports.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Figures {
    pub(crate) citation: String,
    pub(crate) table_2: Table<MapName, Walls>,
    pub(crate) table_3: Table<MapName, Areas>,
    pub(crate) table_4: Table<MapType, Ratios>,
    pub(crate) table_a1: Table<MapName, Times>,
}

impl Figures {
    pub(crate) fn load() -> Result<Self> {
        super::figures(KEY)
    }
}

/// A line of Table 2: a map and its walls.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Walls {
    #[serde(rename(deserialize = "S"))]
    pub(crate) scenarios: usize,
    #[serde(rename(deserialize = "B%"))]
    pub(crate) blocked_percent: f64,
    #[serde(rename(deserialize = "H"))]
    pub(crate) horizontal_segments: usize,
    #[serde(rename(deserialize = "V"))]
    pub(crate) vertical_segments: usize,
    #[serde(rename(deserialize = "R"))]
    pub(crate) intersections: usize,
    #[serde(rename(deserialize = "N"))]
    pub(crate) corners: usize,
}

/// A line of Table 3: the areas of a map, and the tree over them.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Areas {
    #[serde(rename(deserialize = "BA"))]
    pub(crate) count: usize,
    #[serde(rename(deserialize = "insideBA%"))]
    pub(crate) inside_percent: f64,
    #[serde(rename(deserialize = "joints%"))]
    pub(crate) joints_percent: f64,
    #[serde(rename(deserialize = "BASize"))]
    pub(crate) tree_nodes: usize,
    #[serde(rename(deserialize = "Search"))]
    pub(crate) most_visited: usize,
}

/// A line of Table 4: what pruning takes, as the mean of its ratio to the search without it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Ratios {
    #[serde(rename = "A* time")]
    pub(crate) astar_time: f64,
    #[serde(rename = "A* space")]
    pub(crate) astar_nodes: f64,
    #[serde(rename = "WA* time")]
    pub(crate) weighted_time: f64,
    #[serde(rename = "WA* space")]
    pub(crate) weighted_nodes: f64,
}

/// A line of Table A1: the time of each algorithm for all scenarios of a map. The paper's are in seconds.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Times {
    #[serde(rename(deserialize = "A*"))]
    pub(crate) astar: f64,
    #[serde(rename(deserialize = "A*+BA"))]
    pub(crate) astar_pruned: f64,
    #[serde(rename(deserialize = "WA*"))]
    pub(crate) weighted: f64,
    #[serde(rename(deserialize = "WA*+BA"))]
    pub(crate) weighted_pruned: f64,
}

impl Times {
    /// All of them times a factor.
    pub(crate) fn scaled(&self, factor: f64) -> Self {
        Self {
            astar: self.astar * factor,
            astar_pruned: self.astar_pruned * factor,
            weighted: self.weighted * factor,
            weighted_pruned: self.weighted_pruned * factor,
        }
    }
}

/// A kind of map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Maze,
    Room,
}

/// What the maps of a type have in common: the kind, and how wide corridors or rooms are. `maze-8` in the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct MapType {
    kind: Kind,
    width: u32,
}

/// A map by the paper's name, such as `maze-8-0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct MapName {
    pub(crate) of: MapType,
    number: u32,
}

impl MapName {
    /// The benchmark's file of this map.
    pub(crate) fn file(self) -> String {
        let Self { of: MapType { kind, width }, number } = self;
        match kind {
            Kind::Maze => format!("maze512-{width}-{number}.map"),
            Kind::Room => format!("{width}room_{number:03}.map"),
        }
    }
}

impl TryFrom<String> for MapType {
    type Error = Error;

    fn try_from(name: String) -> Result<Self> {
        let (kind, width) = name.split_once('-').with_context(|| format!("`{name}` is no type of map"))?;
        let kind = match kind {
            "maze" => Kind::Maze,
            "room" => Kind::Room,
            _ => bail!("`{kind}` is no kind of map"),
        };
        Ok(Self { kind, width: width.parse()? })
    }
}

impl TryFrom<String> for MapName {
    type Error = Error;

    fn try_from(name: String) -> Result<Self> {
        let (of, number) = name.rsplit_once('-').with_context(|| format!("`{name}` is no map"))?;
        Ok(Self { of: of.to_owned().try_into()?, number: number.parse()? })
    }
}

impl fmt::Display for MapType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Maze => "maze",
            Kind::Room => "room",
        };
        write!(f, "{kind}-{}", self.width)
    }
}

impl fmt::Display for MapName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.of, self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_papers_and_lead_to_the_benchmarks_files() {
        let file = |name: &str| {
            let map = MapName::try_from(name.to_owned()).unwrap();
            assert_eq!(map.to_string(), name);
            map.file()
        };
        assert_eq!([file("maze-16-3"), file("room-8-0")], ["maze512-16-3.map", "8room_000.map"]);
        for wrong in ["maze", "maze-8", "hall-8-0", "maze-x-0", "maze-8-"] {
            assert!(MapName::try_from(wrong.to_owned()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_table_has_all_maps_in_the_papers_order() {
        let figures = Figures::load().unwrap();
        let maps: Vec<MapName> = figures.table_2.rows.keys().copied().collect();
        assert_eq!(maps.len(), 60);
        assert_eq!([maps[0], maps[59]].map(|map| map.to_string()), ["maze-8-0", "room-32-9"]);
        assert!(figures.table_3.rows.keys().eq(&maps) && figures.table_a1.rows.keys().eq(&maps));
        let types: Vec<String> = figures.table_4.rows.keys().map(MapType::to_string).collect();
        assert_eq!(types, ["maze-8", "maze-16", "maze-32", "room-8", "room-16", "room-32"]);
    }

    /// Sums over all maps, so that no figure changes unnoticed.
    #[test]
    fn the_figures_add_up() {
        let Figures { table_2, table_3, table_4, table_a1, .. } = Figures::load().unwrap();
        let walls = |number: fn(&Walls) -> usize| table_2.rows.values().map(number).sum::<usize>();
        assert_eq!(walls(|row| row.scenarios), 277_118);
        assert_eq!((walls(|row| row.horizontal_segments), walls(|row| row.vertical_segments)), (56_376, 55_874));
        assert_eq!((walls(|row| row.intersections), walls(|row| row.corners)), (73_960, 201_763));
        let areas = |number: fn(&Areas) -> usize| table_3.rows.values().map(number).sum::<usize>();
        assert_eq!((areas(|row| row.count), areas(|row| row.tree_nodes)), (76_982, 82_496));
        assert_eq!(areas(|row| row.most_visited), 2794);
        let near = |sum: f64, expected: f64| assert!((sum - expected).abs() < 1e-6, "{sum} instead of {expected}");
        near(table_2.rows.values().map(|row| row.blocked_percent).sum(), 599.0);
        near(table_3.rows.values().map(|row| row.inside_percent).sum(), 2279.6);
        near(table_3.rows.values().map(|row| row.joints_percent).sum(), 103.9);
        near(table_4.rows.values().map(|row| row.astar_time + row.astar_nodes).sum(), 8.2);
        near(table_4.rows.values().map(|row| row.weighted_time + row.weighted_nodes).sum(), 8.29);
        near(table_a1.rows.values().map(|row| row.astar + row.astar_pruned).sum(), 61_316.03);
        near(table_a1.rows.values().map(|row| row.weighted + row.weighted_pruned).sum(), 49_159.89);
    }

    /// The tree halves its areas down to leaves of one or two: its size follows from their number.
    #[test]
    fn the_figures_fit_each_other() {
        fn nodes(areas: usize) -> usize {
            if areas <= 2 { 1 } else { 1 + nodes(areas.div_ceil(2)) + nodes(areas / 2) }
        }
        let Figures { table_2, table_3, table_a1, .. } = Figures::load().unwrap();
        for (map, row) in &table_3.rows {
            assert_eq!(nodes(row.count), row.tree_nodes, "{map}");
        }
        for (map, row) in &table_2.rows {
            assert!((row.intersections..=4 * row.intersections).contains(&row.corners), "{map}");
        }
        for (map, row) in &table_a1.rows {
            let ratios = [row.astar_pruned / row.astar, row.weighted_pruned / row.weighted];
            assert!(ratios.iter().all(|ratio| (0.4..0.9).contains(ratio)), "{map}: {ratios:?}");
        }
    }
}
