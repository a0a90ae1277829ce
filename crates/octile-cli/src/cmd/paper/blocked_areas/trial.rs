//! What is measured: searches with and without pruning, for Tables 4 and A1.

use std::ops::Range;

use anyhow::Result;
use indicatif::ProgressBar;
use octile::movingai::scen::Problem;
use octile::{Cell, Grid, Movement, Output, PlannerSpec};

use crate::indexes::IndexFiles;
use crate::inputs::Task;
use crate::papers::blocked_areas::{Figures, MapName, MapType, Times};
use crate::race::{Course, Entrant, Race};
use crate::report::beside::Pair;
use crate::report::blocked_areas::{RatioLine, SettingLines, TableA1, TimesLine};
use crate::report::runs::Runs;

/// The searches that the paper prunes, and with what.
const SEARCHES: [&str; 2] = ["astar", "weighted-astar:weight=3"];
const PRUNING: &str = "prune=blocked-areas";

/// Which queries, under which rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// As the benchmark means them.
    Benchmark,
    /// With x and y exchanged, and corners cut.
    Paper,
}

impl Setting {
    fn name(self) -> &'static str {
        match self {
            Self::Benchmark => "benchmark",
            Self::Paper => "paper",
        }
    }

    fn movement(self) -> Movement {
        match self {
            Self::Benchmark => Movement::Octile,
            Self::Paper => Movement::OctileCutting,
        }
    }

    /// Every Nth query of a map. Scenarios begin with the shortest paths, on which pruning gains nothing: to begin with the
    /// first would give those too much weight, so it begins in the middle of the first N.
    fn course(self, map: MapName, grid: &Grid, tasks: &[Task], every: usize) -> Course {
        let own = |task: &Task| Some(task.problem.clone());
        let posed = |task: &Task| {
            let problem = if self == Self::Paper { swapped(grid, task) } else { own(task) };
            problem.map(|problem| Task { line: task.line, problem })
        };
        let all: Vec<Task> = tasks.iter().filter_map(posed).collect();
        let first = every.min(all.len()) / 2;
        Course {
            indexes: IndexFiles::default(),
            name: map.to_string(),
            grid: grid.clone().with_movement(self.movement()),
            tasks: all.into_iter().skip(first).step_by(every).collect(),
            answers_known: self == Self::Benchmark,
        }
    }
}

/// The problem as the paper read it, with x and y exchanged, unless that has a blocked end.
pub(super) fn swapped(grid: &Grid, task: &Task) -> Option<Problem> {
    let swap = |cell: Cell| Cell::new(cell.y, cell.x);
    let problem = &task.problem;
    let (start, goal) = (swap(problem.start), swap(problem.goal));
    (grid.is_free(start) && grid.is_free(goal)).then(|| Problem { start, goal, ..problem.clone() })
}

/// All searches, with and without pruning, in one setting.
pub(super) struct Trial {
    pub(super) setting: Setting,
    /// For each of [`SEARCHES`] the plain one, then one for each lookup.
    pub(super) race: Race,
    /// Which of the race's queries are on which map.
    stretches: Vec<(MapName, Range<usize>)>,
}

impl Trial {
    pub(super) fn new(setting: Setting, lookups: &[String], rounds: usize) -> Result<Self> {
        let race = Race::new(specs(lookups)?, Output::Waypoints, rounds);
        Ok(Self { setting, race, stretches: Vec::new() })
    }

    /// Lets the searches run on one more map.
    pub(super) fn run(
        &mut self,
        map: MapName,
        grid: &Grid,
        tasks: &[Task],
        every: usize,
        bar: &ProgressBar,
    ) -> Result<()> {
        let first = self.race.queries();
        self.race.run(&self.setting.course(map, grid, tasks, every), bar)?;
        self.stretches.push((map, first..self.race.queries()));
        Ok(())
    }

    /// The plain searches, each with those that prune.
    fn groups(&self) -> impl Iterator<Item = (&Entrant, &[Entrant])> {
        let size = self.race.entrants.len() / SEARCHES.len();
        self.race.entrants.chunks(size).filter_map(<[Entrant]>::split_first)
    }

    pub(super) fn table_4(&self, figures: &Figures) -> SettingLines {
        let mut lines = Vec::new();
        for maps in self.stretches.chunk_by(|a, b| a.0.of == b.0.of) {
            let queries = maps[0].1.start..maps[maps.len() - 1].1.end;
            lines.extend(self.type_lines(maps[0].0.of, maps.len(), &queries, figures));
        }
        SettingLines {
            setting: self.setting.name(),
            movement: self.setting.movement().name(),
            swapped: self.setting == Setting::Paper,
            queries: self.race.queries(),
            wrong: self.race.wrong.len(),
            lines,
        }
    }

    /// The lines of a type of maps: A* and weighted A*, for each lookup.
    fn type_lines(&self, of: MapType, maps: usize, queries: &Range<usize>, figures: &Figures) -> Vec<RatioLine> {
        let Some(paper) = figures.table_4.rows.get(&of) else { return Vec::new() };
        let papers = [(paper.astar_time, paper.astar_nodes), (paper.weighted_time, paper.weighted_nodes)];
        let mut lines = Vec::new();
        for ((plain, pruned), paper) in self.groups().zip(papers) {
            let mean = |ours: &[u64], plain: &[u64]| mean_ratio(&ours[queries.clone()], &plain[queries.clone()]);
            lines.extend(pruned.iter().map(|ours| RatioLine {
                maps: of.to_string(),
                at_hand: maps,
                queries: queries.len(),
                planner: ours.engine.to_string(),
                over: plain.engine.to_string(),
                time: Pair::new(mean(&ours.nanos, &plain.nanos), paper.0),
                nodes: Pair::new(mean(&ours.expanded, &plain.expanded), paper.1),
            }));
        }
        lines
    }

    pub(super) fn table_a1(&self, runs: Runs, figures: &Figures) -> TableA1 {
        let four = self.four();
        let line = |(map, queries): &(MapName, Range<usize>)| {
            let (paper, scenarios) = (figures.table_a1.rows.get(map)?, figures.table_2.rows.get(map)?.scenarios);
            let mean_us = |entrant: &Entrant| {
                let total: u64 = entrant.nanos[queries.clone()].iter().sum();
                total as f64 / 1000.0 / queries.len().max(1) as f64
            };
            let [astar, astar_pruned, weighted, weighted_pruned] = four.map(mean_us);
            Some(TimesLine {
                map: map.to_string(),
                queries: queries.len(),
                ours_us: Times { astar, astar_pruned, weighted, weighted_pruned },
                paper_us: paper.scaled(1e6 / scenarios as f64),
            })
        };
        TableA1 {
            runs,
            planners: four.map(|entrant| entrant.engine.to_string()).into(),
            lines: self.stretches.iter().filter_map(line).collect(),
        }
    }

    /// The four algorithms of the paper: both searches plain, and pruned with the first lookup.
    fn four(&self) -> [&Entrant; 4] {
        let size = self.race.entrants.len() / SEARCHES.len();
        [0, 1, size, size + 1].map(|i| &self.race.entrants[i])
    }
}

/// The searches of a race: each plain, then pruned with each lookup, or with the planner's own if none is named.
fn specs(lookups: &[String]) -> Result<Vec<PlannerSpec>> {
    let keys: Vec<String> = if lookups.is_empty() {
        vec![PRUNING.to_owned()]
    } else {
        lookups.iter().map(|lookup| format!("{PRUNING},lookup={lookup}")).collect()
    };
    let mut specs = Vec::new();
    for plain in SEARCHES {
        specs.push(plain.parse()?);
        let separator = if plain.contains(':') { ',' } else { ':' };
        for keys in &keys {
            specs.push(format!("{plain}{separator}{keys}").parse()?);
        }
    }
    Ok(specs)
}

/// The mean of the ratios; two zeros, of a query that needs no search, are alike.
fn mean_ratio(ours: &[u64], plain: &[u64]) -> f64 {
    let ratio = |(&ours, &plain): (&u64, &u64)| ours.max(1) as f64 / plain.max(1) as f64;
    ours.iter().zip(plain).map(ratio).sum::<f64>() / ours.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_averaged_over_queries() {
        assert!((mean_ratio(&[1, 30, 0], &[2, 10, 0]) - (0.5 + 3.0 + 1.0) / 3.0).abs() < 1e-9);
        assert!(mean_ratio(&[], &[]).abs() < 1e-9);
    }

    fn task(start: Cell, goal: Cell) -> Task {
        let problem = Problem { bucket: 0, map: "test".to_owned(), width: 2, height: 3, start, goal, length: 1.0 };
        Task { line: 2, problem }
    }

    #[test]
    fn samples_are_taken_from_the_middle() {
        let (grid, cell) = (Grid::open(2, 2).unwrap(), Cell::new(0, 0));
        let tasks: Vec<Task> = (0..10).map(|line| Task { line, ..task(cell, cell) }).collect();
        let map = MapName::try_from("maze-8-0".to_owned()).unwrap();
        let lines = |every| {
            let course = Setting::Paper.course(map, &grid, &tasks, every);
            course.tasks.iter().map(|task| task.line).collect::<Vec<_>>()
        };
        assert_eq!((lines(4), lines(5), lines(1000)), (vec![2, 6], vec![2, 7], vec![5]));
        assert_eq!(lines(1).len(), 10);
    }

    #[test]
    fn the_paper_read_x_as_the_row() {
        let grid: Grid = "..\n..\n.@".parse().unwrap();
        let problem = swapped(&grid, &task(Cell::new(1, 0), Cell::new(0, 0))).unwrap();
        assert_eq!((problem.start, problem.goal), (Cell::new(0, 1), Cell::new(0, 0)));
        // Off the map, then blocked.
        assert!(swapped(&grid, &task(Cell::new(0, 2), Cell::new(0, 0))).is_none());
        assert!(swapped(&grid, &task(Cell::new(0, 0), Cell::new(2, 1))).is_none());
    }
}
