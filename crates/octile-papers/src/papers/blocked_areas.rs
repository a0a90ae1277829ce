//! The figures of the paper on blocked areas: its maps, Tables 2, 3, 4 and A1, and what its text says of Figures 3, 6
//! and 7.

use std::collections::BTreeMap;
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
    pub(crate) statements: Statements,
    pub(crate) figure_3: Maze,
    pub(crate) figure_6: Curves,
    pub(crate) figure_7: Curves,
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

/// What its text states.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Statements {
    /// No map took so long to prepare.
    #[serde(rename = "preprocessing ms, less than")]
    pub(crate) preprocessing_ms: f64,
    /// By how many percent pruning shortens the paths of WA* on average.
    #[serde(rename = "WA*+BA reduces the path cost by %")]
    pub(crate) shorter_percent: f64,
}

/// What is counted of the maze of Figure 3.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Maze {
    #[serde(rename = "H")]
    pub(crate) horizontal_segments: f64,
    #[serde(rename = "V")]
    pub(crate) vertical_segments: f64,
    #[serde(rename = "R")]
    pub(crate) intersections: f64,
    #[serde(rename = "N")]
    pub(crate) corners: f64,
    #[serde(rename = "BA")]
    pub(crate) areas: f64,
}

/// What the text says of Figure 6 or 7: by how much pruning reduces times, by path cost.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Curves {
    pub(crate) caption: String,
    /// How wide each of its ten groups of path costs is.
    pub(crate) group: u32,
    pub(crate) rows: BTreeMap<MapType, Reductions>,
}

/// Both searches on the maps of a type.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Reductions {
    #[serde(rename = "A*")]
    pub(crate) astar: Reduction,
    #[serde(rename = "WA*")]
    pub(crate) weighted: Reduction,
}

/// By how many percent the time is reduced.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Reduction {
    /// From low to high path costs.
    Trend { low: f64, high: f64 },
    /// Somewhere between, at whatever costs.
    Range { least: f64, most: f64 },
}

/// A line of Table 2: a map and its walls.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Walls {
    #[serde(rename = "S")]
    pub(crate) scenarios: usize,
    #[serde(rename = "B%")]
    pub(crate) blocked_percent: f64,
    #[serde(rename = "H")]
    pub(crate) horizontal_segments: usize,
    #[serde(rename = "V")]
    pub(crate) vertical_segments: usize,
    #[serde(rename = "R")]
    pub(crate) intersections: usize,
    #[serde(rename = "N")]
    pub(crate) corners: usize,
}

/// A line of Table 3: the areas of a map, and the tree over them.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Areas {
    #[serde(rename = "BA")]
    pub(crate) count: usize,
    #[serde(rename = "insideBA%")]
    pub(crate) inside_percent: f64,
    #[serde(rename = "joints%")]
    pub(crate) joints_percent: f64,
    #[serde(rename = "BASize")]
    pub(crate) tree_nodes: usize,
    #[serde(rename = "Search")]
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
    #[serde(rename = "A*")]
    pub(crate) astar: f64,
    #[serde(rename = "A*+BA")]
    pub(crate) astar_pruned: f64,
    #[serde(rename = "WA*")]
    pub(crate) weighted: f64,
    #[serde(rename = "WA*+BA")]
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
    pub(crate) kind: Kind,
    pub(crate) width: u32,
}

/// A map by the paper's name, such as `maze-8-0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct MapName {
    pub(crate) of: MapType,
    pub(crate) number: u32,
}

impl MapName {
    /// The benchmark's name of this map.
    pub(crate) fn benchmark(self) -> String {
        let Self { of: MapType { kind, width }, number } = self;
        match kind {
            Kind::Maze => format!("maze512-{width}-{number}"),
            Kind::Room => format!("{width}room_{number:03}"),
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
    fn names_are_the_papers_and_lead_to_the_benchmarks() {
        let file = |name: &str| {
            let map = MapName::try_from(name.to_owned()).unwrap();
            assert_eq!(map.to_string(), name);
            map.benchmark()
        };
        assert_eq!([file("maze-16-3"), file("room-8-0")], ["maze512-16-3", "8room_000"]);
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
        let curves = figures.figure_6.rows.keys().chain(figures.figure_7.rows.keys());
        assert!(curves.eq(figures.table_4.rows.keys()));
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
