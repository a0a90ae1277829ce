//! What is measured: searches with and without pruning, for Tables 4 and A1 and Figures 6 and 7.

use anyhow::Result;
use octile::formats::movingai::scen::Problem;
use octile::{Cell, Grid, Movement, Output, PlannerSpec};
use octile_cli::harness::indexes::IndexFiles;
use octile_cli::harness::inputs::Task;
use octile_cli::harness::race::{Course, Race};

use super::maps::{self, Map};
use crate::benchmarks::Set;
use crate::laps::{Lap, Leg};
use crate::papers::blocked_areas::{MapName, MapType};
use crate::plan::{Cost, Plan, Work};
use crate::races;
use crate::session::Session;

/// A search that the paper prunes.
#[derive(Clone, Debug)]
pub(super) struct Search {
    /// In the paper.
    pub(super) name: &'static str,
    pub(super) plain: PlannerSpec,
    /// Pruned in several ways, at least one. The first is the paper's.
    pub(super) pruned: Vec<PlannerSpec>,
}

impl Search {
    /// Both of the paper, pruned with each lookup. If none is named: as the paper prunes, then in our ways.
    pub(super) fn both(lookups: &[String]) -> Result<[Self; 2]> {
        Ok([Self::new("A*", "astar", ':', lookups)?, Self::new("WA*", "weighted-astar:weight=3", ',', lookups)?])
    }

    fn new(name: &'static str, plain: &str, separator: char, lookups: &[String]) -> Result<Self> {
        let pruned = format!("{plain}{separator}prune=blocked-areas");
        let pruned: Vec<String> = match lookups {
            [] => vec![format!("{pruned},lookup=tree"), pruned.clone(), format!("{pruned}+gates")],
            _ => lookups.iter().map(|lookup| format!("{pruned},lookup={lookup}")).collect(),
        };
        let pruned = pruned.into_iter().map(|spec| spec.parse()).collect::<Result<_, _>>()?;
        Ok(Self { name, plain: plain.parse()?, pruned })
    }

    /// Of exhibits that show one.
    pub(super) fn first_pruned(&self) -> &PlannerSpec {
        &self.pruned[0]
    }
}

/// Which queries, under which rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// As the benchmark means them.
    Benchmark,
    /// With x and y exchanged, and corners cut.
    Paper,
}

impl Setting {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Benchmark => "benchmark",
            Self::Paper => "paper",
        }
    }

    pub(super) fn movement(self) -> Movement {
        match self {
            Self::Benchmark => Movement::Octile,
            Self::Paper => Movement::OctileCutting,
        }
    }

    /// How many problems of a map are run in a quick look. Figures need more than the means of Table 4.
    fn quick_problems(self) -> usize {
        match self {
            Self::Benchmark => 8,
            Self::Paper => 16,
        }
    }

    /// Which problems are run, in words.
    pub(super) fn sampled(self, plan: &Plan) -> String {
        let sets: Vec<&Set> = plan.maps.sets().filter(|set| is_papers(set)).collect();
        races::sampled_by(plan, self.quick_problems(), sets, |set| self.work(plan, set).every)
    }

    /// What the searches on the maps of a type take of a full run. Mazes have five times as many problems as rooms, and
    /// theirs take longer.
    pub(super) fn work(self, plan: &Plan, set: &Set) -> Work {
        let problem_ms = if matches!(set, Set::Maze(_)) { 250.0 } else { 100.0 };
        let cost = Cost { minutes: 1.2, problem_ms, map_ms: 300.0 };
        plan.work(format!("blocked-areas/{}/{set}", self.name()), &plan.chosen(set, maps::QUICK_MAPS), cost)
    }

    /// The problems of a map as they are posed in this setting, under its rule.
    fn course(self, map: &Map, plan: &Plan) -> Result<Course> {
        let (grid, tasks) = map.source.load()?;
        let posed: Vec<Task> = tasks.into_iter().filter_map(|task| self.posed(&grid, task)).collect();
        Ok(Course {
            indexes: IndexFiles::default(),
            name: map.label(),
            tasks: plan.sample(posed, self.quick_problems(), self.work(plan, &map.source.set).every),
            grid: grid.with_movement(self.movement()),
            answers_known: self == Self::Benchmark,
        })
    }

    fn posed(self, grid: &Grid, task: Task) -> Option<Task> {
        match self {
            Self::Benchmark => Some(task),
            Self::Paper => swapped(grid, &task).map(|problem| Task { line: task.line, problem }),
        }
    }
}

/// Whether the paper has maps of a set.
pub(super) fn is_papers(set: &Set) -> bool {
    matches!(set, Set::Maze(8 | 16 | 32) | Set::Room(8 | 16 | 32))
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
    /// In the paper's order of maps.
    pub(super) laps: Vec<(MapName, Lap)>,
}

impl Trial {
    pub(super) fn run(
        setting: Setting,
        maps: &[Map],
        searches: &[Search],
        plan: &Plan,
        session: &mut Session,
    ) -> Result<Self> {
        let steps = steps_per_map(searches, plan);
        let mut laps = Vec::new();
        for map in maps {
            let key = format!("blocked-areas/race/{}/{}", setting.name(), map.label());
            let lap: Lap = session
                .unit(&key, steps, |bar| Lap::run(race(searches, plan.rounds), &setting.course(map, plan)?, bar))?;
            session.count_lap(&lap);
            laps.push((map.name, lap));
        }
        Ok(Self { setting, laps })
    }

    /// The laps on maps of a type.
    pub(super) fn of_type(&self, of: MapType) -> Vec<&Lap> {
        self.laps.iter().filter(|(map, _)| map.of == of).map(|(_, lap)| lap).collect()
    }

    pub(super) fn queries(&self) -> usize {
        self.laps.iter().map(|(_, lap)| lap.queries()).sum()
    }

    pub(super) fn wrong(&self) -> usize {
        self.laps.iter().map(|(_, lap)| lap.wrong.len()).sum()
    }
}

fn race(searches: &[Search], rounds: usize) -> Race {
    let specs = searches.iter().flat_map(|search| std::iter::once(&search.plain).chain(&search.pruned));
    Race::new(specs.cloned().collect(), Output::Waypoints, rounds)
}

/// How often the progress bar moves on for each map.
pub(super) fn steps_per_map(searches: &[Search], plan: &Plan) -> u64 {
    race(searches, plan.rounds).steps_per_course()
}

/// The mean of a planner's ratios to another, query by query; two zeros, of a query that needs no search, are alike.
pub(super) fn mean_ratio(
    laps: &[&Lap],
    planner: &PlannerSpec,
    other: &PlannerSpec,
    of: fn(&Leg) -> &[u64],
) -> Option<f64> {
    let (planner, other) = (planner.to_string(), other.to_string());
    let legs = laps.iter().filter_map(|lap| lap.leg(&planner).zip(lap.leg(&other)));
    let pairs = legs.flat_map(|(ours, others)| of(ours).iter().zip(of(others)));
    let ratios: Vec<f64> = pairs.map(|(&ours, &others)| ours.max(1) as f64 / others.max(1) as f64).collect();
    crate::laps::mean(&ratios)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(start: Cell, goal: Cell) -> Task {
        let problem = Problem { bucket: 0, map: "test".to_owned(), width: 2, height: 3, start, goal, length: 1.0 };
        Task { line: 2, problem }
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

    #[test]
    fn searches_are_pruned_with_every_lookup() {
        let [astar, weighted] = Search::both(&[]).unwrap();
        assert_eq!(astar.first_pruned().to_string(), "astar:prune=blocked-areas,lookup=tree");
        assert_eq!(weighted.pruned[1].to_string(), "weighted-astar:weight=3,prune=blocked-areas");
        assert_eq!(weighted.pruned[2].to_string(), "weighted-astar:weight=3,prune=blocked-areas+gates");
        let [_, weighted] = Search::both(&["tree", "moves"].map(str::to_owned)).unwrap();
        assert_eq!(weighted.pruned[1].to_string(), "weighted-astar:weight=3,prune=blocked-areas,lookup=moves");
        assert!(Search::both(&["guess".to_owned()]).is_err());
    }

    #[test]
    fn ratios_are_averaged_over_queries() {
        let race = race(&Search::both(&[]).unwrap(), 1);
        let legs = race.entrants.into_iter().map(Leg::from).zip([[2, 10, 0], [1, 30, 0]]);
        let legs = legs.map(|(leg, nanos)| Leg { nanos: nanos.to_vec(), ..leg }).collect();
        let lap = Lap { map: String::new(), free_cells: 1, legs, refused: Vec::new(), wrong: Vec::new() };
        let [astar, _] = Search::both(&[]).unwrap();
        let ratio = |laps: &[&Lap]| mean_ratio(laps, astar.first_pruned(), &astar.plain, |leg| &leg.nanos);
        assert!((ratio(&[&lap]).unwrap() - (0.5 + 3.0 + 1.0) / 3.0).abs() < 1e-9);
        assert_eq!(ratio(&[]), None);
    }
}
